"""The sample course, 75 s: ``python -m resources.sample.course.build`` writes ``course.json`` beside it."""

import math
from pathlib import Path

from core.locomotion.course import Course, Section, Segment
from core.locomotion.course_file import write_course
from core.locomotion.input import Gait, RotationMode
from core.terrain.course import (
    ANGLES,
    BUMPS_AT,
    DROPS,
    STAIR_COUNT,
    STAIRS_AT,
    course_terrain,
    drop_at,
    slope_at,
)

AHEAD, BACK = (0.0, 1.0), (0.0, -1.0)
WALK, RUN, SPRINT = Gait.WALK, Gait.RUN, Gait.SPRINT
LOOKING, AIMING = RotationMode.LOOKING, RotationMode.AIMING
WAYS = {
    "ahead": 0, "ahead right": 45, "right": 90, "back right": 135, "back": 180, "back left": -135, "left": -90,
    "ahead left": -45,
}  # fmt: skip


def toward(degrees: float) -> tuple[float, float]:
    """A full stick in a direction from the view, right positive."""
    return round(math.sin(math.radians(degrees)), 6), round(math.cos(math.radians(degrees)), 6)


def sections() -> list[Section]:
    """All of them in order."""
    made = [
        Section(
            "gaits",
            (
                Segment(0.3), Segment(1.5, AHEAD, gait=WALK), Segment(1.5, AHEAD), Segment(1.5, AHEAD, gait=SPRINT),
                Segment(1.0),
            ),
            group="steady",
        ),
        *(
            Section(
                f"way {name}", (Segment(2.0, toward(angle), gait=RUN if k % 2 else WALK, mode=LOOKING),), group="ways"
            )
            for k, (name, angle) in enumerate(WAYS.items())
        ),
        Section("direction 360°", (Segment(8.0, AHEAD, 45.0, gait=WALK, mode=LOOKING),), group="ways"),
        Section("circle 2 m", (Segment(3.0, AHEAD, view_rate=math.degrees(1.75 / 2.0), gait=WALK),), group="steady"),
        Section(
            "pivots",
            (Segment(0.8, AHEAD), Segment(0.8, BACK), Segment(0.8, AHEAD), Segment(0.6, (1.0, 0.0))),
            group="pivots",
        ),
        *(
            Section(
                f"turn {side * angle}°",
                (Segment(0.2, mode=LOOKING), Segment(seconds, mode=LOOKING, view=-side * float(angle))),
                group="turns",
            )
            for angle, seconds in ((45, 0.3), (90, 1.5), (135, 2.1), (180, 2.3))
            for side in (1, -1)
        ),
        Section(
            "crouch",
            (
                Segment(0.6, crouch=True), Segment(0.8, AHEAD, crouch=True), Segment(0.6),
            ),
            group="crouch",
        ),
        Section(
            "aim",
            (
                Segment(1.5, mode=LOOKING, view=-180.0, view_rate=240.0, pitch=0.0, pitch_rate=59.0),
                Segment(1.5, mode=LOOKING, view_rate=-240.0, pitch=-89.0, pitch_rate=118.0),
            ),
            group="aim",
        ),
        Section("jump standing", (Segment(0.1), Segment(0.1, jump=True), Segment(0.8)), group="jumps"),
        Section(
            "jump running", (Segment(0.5, AHEAD), Segment(0.1, AHEAD, jump=True), Segment(1.0, AHEAD)), group="jumps"
        ),
    ]  # fmt: skip
    for number, (drop, seconds) in enumerate(zip(DROPS, (0.6, 0.8, 0.9, 1.1, 1.4, 2.2), strict=True)):
        x, y, z = drop_at(number)
        made.append(Section(f"drop {drop:g} m", (Segment(seconds, AHEAD),), (x, y, z - 1.0), 180.0, "drops"))
    for number, angle in enumerate(ANGLES):
        x, y, z = slope_at(number)
        made.append(Section(f"slope {angle:.0f}°", (Segment(0.9, AHEAD),), (x, y, z - 0.5), group="slopes"))
    x, z = STAIRS_AT
    deep = 0.28 * STAIR_COUNT
    made += [
        Section("stairs up", (Segment(1.1, AHEAD),), (x, 0.0, z - 0.5), group="stairs"),
        Section("stairs down", (Segment(1.1, AHEAD),), (x, 1.8, z + deep + 2.5), group="stairs"),
        Section("bumps", (Segment(1.4, AHEAD),), (BUMPS_AT[0], 0.0, BUMPS_AT[1] - 4.0), group="bumps"),
        Section(
            "ragdoll",
            (
                Segment(0.4, AHEAD), Segment(0.1, AHEAD, ragdoll=True), Segment(2.0), Segment(0.1, ragdoll=True),
                Segment(3.5),
            ),
            group="ragdoll",
        ),
    ]  # fmt: skip
    return made


def main() -> None:
    """Write the course."""
    write_course(
        Course("course", course_terrain(), tuple(sections())), Path(__file__).with_name("course.json")
    )


if __name__ == "__main__":
    main()

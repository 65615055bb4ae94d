"""What is measured of a driven character, as rows of words for the panel."""

import math
from typing import NamedTuple

from core.locomotion.fall import Phase
from core.locomotion.input import Gait, RotationMode
from core.locomotion.state import State
from editor.model.i18n import tr, trn
from editor.model.play.state import Play


class Row(NamedTuple):
    """One number: what it is, what it says, and where it comes from."""

    title: str
    text: str
    tip: str = ""


GAITS = {Gait.WALK: tr("walk"), Gait.RUN: tr("run"), Gait.SPRINT: tr("sprint")}
MODES = {
    RotationMode.VELOCITY: tr("velocity"), RotationMode.LOOKING: tr("looking"), RotationMode.AIMING: tr("aiming")
}  # fmt: skip
DOWN = {Phase.FALLING: tr("fallen, as a ragdoll"), Phase.RISING: tr("getting up")}
HIPS = (tr("ahead"), tr("back"), tr("left"), tr("right"))


def rows(play: Play) -> tuple[Row, ...]:
    """Every number of the step shown; dashes without a run."""
    run = play.run
    if run is None:
        return ()
    state, note = run.control, run.notes[run.at]
    feet = note.feet
    slips = ("–", "–") if feet is None else tuple(f"{slip:.1f}" for slip in feet.slip)
    touching = "–"
    if feet is not None:
        names = [name for name, on in zip((tr("left"), tr("right")), feet.contacts, strict=True) if on]
        touching = " + ".join(names) or tr("none")
    slope = math.degrees(math.acos(min(max(state.ground_normal[1], -1.0), 1.0)))
    made = [
        Row(tr("Speed"), tr("{value} m/s", value=f"{state.speed:.2f}"), tr("Over the ground")),
        Row(tr("Gait"), _gait(state), tr("What is done by the speed, and the gait amount 0 to 3")),
        Row(tr("Direction"), _signed(state.direction), tr("Of travel from straight ahead, right positive")),
        Row(tr("Facing"), _signed(state.yaw), tr("Yaw of the character, left positive")),
        Row(tr("Turning"), f"{state.yaw_speed:+.0f}°/s"),
        Row(
            tr("View"),
            f"{_signed(state.aim_yaw)} · {_signed(state.view_pitch)}",
            tr("From straight ahead, right and up"),
        ),
        Row(tr("Mode"), tr("{mode}, hips {way}", mode=MODES[state.mode], way=HIPS[state.hips])),
        Row(tr("Stance"), _stance(state, run.state.fall.phase)),
        Row(tr("Acceleration"), tr("{value} m/s²", value=f"{math.hypot(*state.acceleration):.1f}")),
        Row(tr("Height"), tr("{value} m", value=f"{state.position[1]:+.2f}")),
        Row(tr("Vertical speed"), tr("{value} m/s", value=f"{state.velocity[1]:+.2f}")),
        Row(
            tr("Ground"),
            tr("in the air") if state.in_air else f"{slope:.0f}°",
            tr("Slope of what it stands on"),
        ),
        Row(
            tr("Last landing"), tr("{value} m/s", value=f"{state.impact:.1f}"), tr("Downward, at the impact")
        ),
        Row(tr("Feet touching"), touching),
        Row(tr("Slip left · right"), tr("{left} · {right} cm/s", left=slips[0], right=slips[1])),
        Row(tr("Place"), f"{state.position[0]:+.1f}, {state.position[2]:+.1f} m", tr("x and z")),
        *_own(play),
    ]
    if state.returned:
        made.append(Row(tr("Put back"), trn("{count} time", "{count} times", state.returned)))
    return tuple(made)


def _signed(degrees: float) -> str:
    return f"{round(degrees, 1) + 0.0:+.1f}°"


def _gait(state: State) -> str:
    if not state.moving:
        return tr("stands ({amount})", amount=f"{state.gait_amount:.2f}")
    return tr("{gait} ({amount})", gait=GAITS[state.gait], amount=f"{state.gait_amount:.2f}")


def _stance(state: State, phase: Phase) -> str:
    if phase is not Phase.STANDING:
        return DOWN[phase]
    if state.in_air:
        return tr("jumping") if state.jumped else tr("falling")
    return tr("crouching") if state.crouching else tr("upright")


def _own(play: Play) -> list[Row]:
    """What the character's graphs tell: active states, rate and stride of the clips."""
    run = play.run
    if run is None:
        return []
    told = run.driven.numbers(run.state)
    return [
        Row(
            name.capitalize(),
            value if isinstance(value, str) else f"{value:.2f}",
            tr("Of the character's graph"),
        )
        for name, value in told.items()
    ]

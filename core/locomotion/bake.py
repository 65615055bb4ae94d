"""A driven run as a clip: a key a step, the character's way as root motion."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import bake
from core.clips.clip import Clip, RootMotion, RootPose
from core.clips.root_motion import with_motion
from core.errors import ValidationError
from core.ids import AssetId
from core.locomotion.character import CharacterState
from core.locomotion.course import Course, Section, run_course
from core.locomotion.driven import Driven, standing
from core.math import transform
from core.math.transform import Transform
from core.progress import counted
from core.timing import FrameRate
from core.tracks.keys import Interpolation, ScalarTrack, scalar_track

RATE = FrameRate.of(60)
LONGEST = 60 * 60 * 10
"""Steps of ten minutes: more are refused."""
MOTION = RootMotion(enabled=True, ground=True, height=True, yaw=True, pose=RootPose.FIRST_FRAME)


def baked_states(driven: Driven, states: Sequence[CharacterState], id: AssetId, name: str) -> Clip:
    """States of a run that follow each other as a clip of 60 frames a second.

    The clip begins where the first state stands, as the world's origin, facing +Z: the way after it is root motion.

    Raises
    ------
    ValidationError
        There are fewer than two states, or more than ten minutes of them.
    """
    if not 2 <= len(states) <= LONGEST + 1:
        raise ValidationError(f"run: expected 2 to {LONGEST + 1} states to bake, got {len(states)}")
    rig = driven.rig
    poses = [driven.pose(state) for state in counted(list(states))]
    times = np.array([RATE.to_seconds(frame) for frame in range(len(states))])
    local = Transform(*(np.stack(parts) for parts in zip(*(pose.local for pose in poses), strict=True)))
    stands = [standing(state.body) for state in states]
    whole = Transform(*(np.stack(parts) for parts in zip(*stands, strict=True)))
    before = Transform(*(part[[0, *range(len(states) - 1)]] for part in whole))
    steps = transform.compose(transform.inverse(before), whole)
    placed = with_motion(rig.skeleton, local, steps, MOTION)
    return Clip(
        id,
        name,
        rig.id,
        float(times[-1]),
        RATE,
        tracks=bake(rig.skeleton, times, placed, rest_tolerance=1e-9),
        curves=_tables(times, [pose.curves for pose in poses]),
        morphs=_tables(times, [pose.morphs for pose in poses]),
        root_motion=MOTION,
    )


def baked_course(driven: Driven, course: Course, ids: Callable[[Section], AssetId]) -> tuple[Clip, ...]:
    """Every section of a course as a clip of its name."""
    runs = run_course(course, lambda section: driven.start(section.at, section.yaw), driven.step)
    return tuple(baked_states(driven, run.states, ids(run.section), run.section.name) for run in runs)


def _tables(times: FloatArray, rows: Sequence[Mapping[str, float]]) -> dict[str, ScalarTrack]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {
        name: scalar_track(times, [row.get(name, 0.0) for row in rows], interpolations=Interpolation.LINEAR)
        for name in names
    }

"""A whole fall from a clip, and getting up after it: what the command line and scripts ask for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.bake import bake
from core.clips.clip import Clip, RootMotion, RootPose
from core.clips.evaluator import ClipEvaluator
from core.clips.root_motion import with_motion, without_root
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform, compose, inverse
from core.physics.get_up import GetUp
from core.physics.ragdoll import PICTURE, Push, Ragdoll
from core.physics.start import Posture, world_of
from core.rig.propose_bodies import capsule_ends
from core.timing import FrameRate

LONGEST = 120.0
"""Seconds of a fall."""
MOTION = RootMotion(enabled=True, ground=True, height=True, yaw=True, pose=RootPose.FIRST_FRAME)


@dataclass(frozen=True, slots=True)
class Drop:
    """What a fall begins with.

    Parameters
    ----------
    clip, time : the pose, and the seconds of the clip it is from
    place, yaw : where the character stands, metres and degrees
    speed : m/s it travels ahead besides
    pushes : blows in the first step
    seconds : of the fall, without getting up
    """

    clip: Clip
    time: float = 0.0
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    speed: float = 0.0
    pushes: tuple[Push, ...] = ()
    seconds: float = 4.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.time <= self.clip.length:
            raise ValidationError(
                f"ragdoll: clip {self.clip.name!r}: expected a time of 0 to {self.clip.length:g} s, got {self.time:g}"
            )
        if not PICTURE <= self.seconds <= LONGEST:
            raise ValidationError(
                f"ragdoll: expected {PICTURE:.3f} to {LONGEST:g} seconds, got {self.seconds:g}"
            )


class Fallen(NamedTuple):
    """A fall that was run, a posture every 1/60 s, and what it measured.

    Parameters
    ----------
    postures : the fall, then the rise
    rest : seconds until it lay still, None where it did not
    rise_at : number of the posture at which it begins to get up, None where it does not
    rise : name of the clip it gets up by
    limits, limits_rest : largest angle beyond a range after the first half second, and at the end; degrees
    ground, ground_rest : deepest that a capsule was in the ground, and at the end; metres
    first : farthest that a bone moves in the first step of getting up, metres
    ended : whether the engine had to give up
    """

    postures: tuple[Posture, ...]
    rest: float | None
    rise_at: int | None
    rise: str
    limits: float
    limits_rest: float
    ground: float
    ground_rest: float
    first: float
    ended: bool


def run_drop(doll: Ragdoll, drop: Drop, get_up: GetUp | None = None) -> Fallen:
    """Fall for some seconds, then get up where there are clips for it."""
    before, now = _start(doll, drop)
    state = doll.start(before, now, PICTURE)
    where = now.placement
    postures = [now]
    rest, limits, depths = None, [0.0], [0.0]
    for number in range(round(drop.seconds / PICTURE)):
        state = doll.step(state, pushes=drop.pushes if number == 0 else ())
        postures.append(Posture(doll.local(state, where), where))
        if rest is None and state.at_rest:
            rest = state.seconds
        if state.seconds >= 0.5:
            limits.append(float(np.degrees(doll.beyond(state).max(initial=0.0))))
        depths.append(depth_of(doll, world_of(doll.rig.skeleton, postures[-1])))
    rise_at, rise, first = None, "", 0.0
    if get_up is not None and not state.ended:
        rise_at, rise = len(postures), _risen(doll, get_up, postures)
        last, next_ = (world_of(doll.rig.skeleton, postures[rise_at + k]).translation for k in (-1, 0))
        bodies = doll.frames.bones
        first = float(np.linalg.norm(next_[bodies] - last[bodies], axis=1).max())
    return Fallen(
        tuple(postures),
        rest,
        rise_at,
        rise,
        max(limits),
        limits[-1],
        max(depths),
        depths[-1],
        first,
        state.ended,
    )


def _start(doll: Ragdoll, drop: Drop) -> tuple[Posture, Posture]:
    """The posture at the start, and the one a step before."""
    evaluator = ClipEvaluator(doll.rig.skeleton, drop.clip)
    poses = evaluator.sample_many([max(drop.time - PICTURE, 0.0), drop.time])
    local = without_root(evaluator, poses.local)
    ahead = np.array([np.sin(np.radians(drop.yaw)), 0.0, np.cos(np.radians(drop.yaw))])
    turn = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(drop.yaw))
    found = []
    for k in (0, 1):
        place = np.array(drop.place) + (k - 1) * PICTURE * drop.speed * ahead
        found.append(Posture(Transform(*(part[k] for part in local)), Transform(place, turn, np.ones(3))))
    return found[0], found[1]


def _risen(doll: Ragdoll, get_up: GetUp, postures: list[Posture]) -> str:
    """Append getting up; returns the clip's name."""
    lying = postures[-1]
    pelvis = world_of(doll.rig.skeleton, lying).translation[int(doll.frames.bones[0])]
    ground = float(doll.terrain.under(pelvis))
    rise = get_up.begin(lying, ground if np.isfinite(ground) else float(pelvis[1]))
    while not get_up.over(rise):
        ground = float(doll.terrain.under(rise.placement.translation))
        rise = get_up.step(rise, ground, heights=doll.terrain.under)
        postures.append(get_up.posture(rise))
    return get_up.clips[rise.clip].name


def depth_of(doll: Ragdoll, world: Transform) -> float:
    """How deep capsules are in the terrain's own triangles in a world pose, metres: not asked of the engine."""
    starts, ends = capsule_ends(doll.plan, doll.rig.skeleton, world)
    radii = np.array([body.capsule.radius for body in doll.plan.bodies])
    hits = doll.terrain.nearest(starts, ends, radii)
    return max(0.0, -float(hits.gap[hits.piece >= 0].min(initial=0.0)))


def baked(doll: Ragdoll, postures: Sequence[Posture], id: AssetId, name: str) -> Clip:
    """Postures every 1/60 s as a clip with root motion, the first at the origin.

    Raises
    ------
    ValidationError
        There are fewer than two.
    """
    if len(postures) < 2:
        raise ValidationError(f"ragdoll: expected two postures or more to bake, got {len(postures)}")
    rate = FrameRate.of(60)
    times: FloatArray = np.array([rate.to_seconds(frame) for frame in range(len(postures))])
    local = Transform(*(np.stack(parts) for parts in zip(*(p.local for p in postures), strict=True)))
    stands = Transform(*(np.stack(parts) for parts in zip(*(p.placement for p in postures), strict=True)))
    before = Transform(*(part[[0, *range(len(postures) - 1)]] for part in stands))
    steps = compose(inverse(before), stands)
    placed = with_motion(doll.rig.skeleton, local, steps, MOTION)
    tracks = bake(doll.rig.skeleton, times, placed, rest_tolerance=1e-9)
    return Clip(id, name, doll.rig.id, float(times[-1]), rate, tracks=tracks, root_motion=MOTION)


def lowest(doll: Ragdoll, drop: Drop) -> float:
    """Height in metres of the lowest point of all capsules at the start of a fall."""
    world = world_of(doll.rig.skeleton, _start(doll, drop)[1])
    starts, ends = capsule_ends(doll.plan, doll.rig.skeleton, world)
    radii = np.array([body.capsule.radius for body in doll.plan.bodies])
    return float((np.minimum(starts[:, 1], ends[:, 1]) - radii).min())

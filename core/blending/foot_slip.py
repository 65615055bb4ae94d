"""How far planted feet slide where clips blend: the truth map of a blend space, in metres a second."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray
from core.blending.space_player import SpacePlayer
from core.clips.root_motion import without_root
from core.errors import ValidationError
from core.math import transform
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.blend import weighted
from core.progress import Progress
from core.rig.skeleton import Skeleton
from core.timing import within_clip

PLANTED_SPEED = 0.08
"""Metres a second below which a foot counts as planted where no contact curve tells."""

HEEL = 0.4
"""How far the heel reaches behind the ankle, as a part of the way from ankle to ball."""

TOES = 0.4
"""How far the toes reach beyond the ball, likewise."""

STEPS = 60
"""Moments of a cycle that are looked at."""


@dataclass(frozen=True, slots=True)
class Foot:
    """A foot to watch.

    Parameters
    ----------
    bone : the bone that the sole belongs to
    ball : bone at the front of the sole, or ""
    contact : curve that says when it is planted (above 0.5), or ""
    """

    bone: str
    ball: str = ""
    contact: str = ""


def feet_of(skeleton: Skeleton, curves: Sequence[str] = ()) -> tuple[Foot, ...]:
    """Feet found by name (``foot_l``, ``LeftFoot``), each with its ball and its contact curve."""
    found = []
    for side in ("l", "r"):
        bones = {
            part: next((n for stem in stems for n in skeleton.names if _is_named(n, stem, side)), "")
            for part, stems in (("foot", ("foot", "ankle")), ("ball", ("ball", "toe_base", "toebase", "toe")))
        }
        contact = f"contact_{side}"
        if bones["foot"]:
            found.append(Foot(bones["foot"], bones["ball"], contact if contact in curves else ""))
    return tuple(found)


def sole_points(skeleton: Skeleton, foot: Foot) -> tuple[tuple[int, FloatArray], ...]:
    """Points of the sole: bones and places ``(P, 3)`` in their own frames, on the ground in the rest pose.

    Behind the heel and under the ankle they go with the foot, under the ball and at the toes with
    the ball, which stays flat while the heel lifts. Whichever is lowest touches the ground.
    """
    rest = kinematics.to_model(skeleton, skeleton.rest)
    ground = np.array([1.0, 0.0, 1.0])

    def held(name: str, points: list[FloatArray]) -> tuple[int, FloatArray]:
        bone = skeleton.index(name)
        undo = transform.inverse(Transform(*(part[bone] for part in rest)))
        return bone, transform.apply(undo, np.array(points))

    ankle = rest.translation[skeleton.index(foot.bone)] * ground
    if not foot.ball:
        return (held(foot.bone, [ankle]),)
    ball = rest.translation[skeleton.index(foot.ball)] * ground
    sole = ball - ankle
    return held(foot.bone, [ankle - HEEL * sole, ankle]), held(foot.ball, [ball, ball + TOES * sole])


def _is_named(name: str, stem: str, side: str) -> bool:
    word = {"l": "left", "r": "right"}[side]
    plain = name.lower().replace(":", "_").rsplit("_ik", 1)[0]
    return plain in (
        f"{stem}_{side}",
        f"{side}_{stem}",
        f"{word}{stem}",
        f"{word}_{stem}",
        f"{stem}.{side}",
    ) or (plain.endswith((f"_{stem}_{side}", f"_{word}{stem}", f"_{word}_{stem}")))


Sole = tuple[tuple[list[int], FloatArray], ...]
"""Chains of bones, by their columns, each with points ``(P, 3)`` in the last one's frame."""


@dataclass(frozen=True, slots=True, eq=False)
class SlipField:
    """What is worked out once for a space; asked at many points.

    Parameters
    ----------
    clocks : ``(K,)`` moments of one cycle, its end left out
    soles : a foot each: how its sole depends on the bones in `local`
    local : a sample each: local transforms ``(K, C, k)`` of the bones down to the feet, root motion out
    steps : a sample each: root motion from each moment to the next ``(K, k)``
    planted : ``(n, feet, K)``
    """

    player: SpacePlayer
    feet: tuple[Foot, ...]
    clocks: FloatArray
    soles: tuple[Sole, ...]
    local: tuple[Transform, ...]
    steps: tuple[Transform, ...]
    planted: BoolArray

    def at(self, point: Sequence[float]) -> FloatArray:
        """Mean sliding ``(feet,)`` in metres a second at a point; NaN where the foot is never planted."""
        weights = self.player.field(np.array(point, dtype=np.float64))
        return self.under(weights)

    def under(self, weights: FloatArray) -> FloatArray:
        """As `at`, under weights ``(n,)``."""
        used = [int(i) for i in np.flatnonzero(weights > 0.0)]
        shares = weights[used]
        local = weighted([self.local[i] for i in used], shares)
        step = weighted([self.steps[i] for i in used], shares)
        seconds = self._seconds(weights)
        slips = np.full(len(self.feet), np.nan)
        for number, sole in enumerate(self.soles):
            moved = _slid(local, sole, step)
            down = self.planted[used, number].all(axis=0)
            down &= np.roll(down, -1)
            if down.any() and seconds[down].sum() > 0.0:
                slips[number] = moved[down].sum() / seconds[down].sum()
        return slips

    def _seconds(self, weights: FloatArray) -> FloatArray:
        """How long each step of the clock takes under weights."""
        durations = self.player.group.interval_durations(weights)
        whole = np.floor(self.clocks + 1e-9).astype(np.intp) % len(durations)
        per_interval = len(self.clocks) / len(durations)
        return np.asarray(durations[whole] / per_interval)


def slip_field(player: SpacePlayer, feet: Sequence[Foot] | None = None, steps: int = STEPS) -> SlipField:
    """Sample every clip of a space over one cycle.

    Raises
    ------
    ValidationError
        No feet were given and none were found by name, or the space is an aim offset.
    """
    skeleton = player.rig.skeleton
    if player.space.aim_offset:
        raise ValidationError("an aim offset does not walk: there is no foot slip to measure")
    names = {name for clip in player.clips for name in clip.curves}
    watched = tuple(feet) if feet is not None else feet_of(skeleton, tuple(names))
    if not watched:
        raise ValidationError("no feet were found: bones are looked for by names like foot_l or LeftFoot")
    intervals = player.group.intervals
    count = max(steps // intervals, 2) * intervals
    clocks: FloatArray = np.arange(count, dtype=np.float64) * (intervals / count)
    held = [sole_points(skeleton, foot) for foot in watched]
    bones = sorted({b for sole in held for bone, _ in sole for b in kinematics.ancestors(skeleton, bone)})
    column = {bone: number for number, bone in enumerate(bones)}
    soles = tuple(
        tuple(([column[b] for b in kinematics.ancestors(skeleton, bone)], points) for bone, points in sole)
        for sole in held
    )
    times = player.clip_times(np.append(clocks, intervals))
    local, moves, planted = [], [], []
    for number, evaluator in enumerate(player.sources):
        at = within_clip(times[:, number], evaluator.clip.length, True)
        batch = evaluator.sample_many(at[:-1], wrap=False)
        whole = without_root(evaluator, batch.local)
        local.append(Transform(*(part[:, bones] for part in whole)))
        moves.append(_moves(player, number, clocks, intervals))
        planted.append(_planted(watched, soles, batch.curves, local[-1], moves[-1], times[:, number]))
    down = np.array(planted, dtype=np.bool_)
    return SlipField(player, watched, clocks, soles, tuple(local), tuple(moves), down)


def _moves(player: SpacePlayer, number: int, clocks: FloatArray, intervals: int) -> Transform:
    weights = np.zeros((len(clocks) + 1, len(player.clips)))
    weights[:, number] = 1.0
    steps = player.motion_many(np.append(clocks, intervals), weights)
    return Transform(*(part[1:] for part in steps))


def _planted(
    feet: Sequence[Foot],
    soles: Sequence[Sole],
    curves: Mapping[str, FloatArray],
    local: Transform,
    step: Transform,
    times: FloatArray,
) -> BoolArray:
    """Whether each foot is planted ``(feet, K)`` in one clip: by its contact curve, else by its speed."""
    rows = []
    for foot, sole in zip(feet, soles, strict=True):
        if foot.contact and foot.contact in curves:
            rows.append(curves[foot.contact] > 0.5)
            continue
        slid = _slid(local, sole, step)
        rows.append(slid / np.maximum(np.diff(times), 1e-9) < PLANTED_SPEED)
    return np.array(rows, dtype=np.bool_)


def _slid(local: Transform, sole: Sole, step: Transform) -> FloatArray:
    """How far ``(K,)`` the point of the sole that touches the ground slides over it in each step.

    Parameters
    ----------
    local : local transforms ``(K, C, k)``, root motion taken out
    step : root motion from each moment to the next ``(K, k)``
    """
    places = []
    for columns, points in sole:
        bone = kinematics.chain_end(Transform(*(part[:, columns] for part in local)))
        places.append(transform.apply(Transform(*(part[:, None] for part in bone)), points))
    here = np.concatenate(places, axis=1)
    after = transform.apply(Transform(*(part[:, None] for part in step)), np.roll(here, -1, axis=0))
    lowest = np.argmin(here[..., 1] + after[..., 1], axis=1)
    moved = np.linalg.norm((after - here)[..., [0, 2]], axis=-1)
    slid: FloatArray = moved[np.arange(len(moved)), lowest]
    return slid


def slip_map(
    field: SlipField, columns: Sequence[FloatArray], progress: Progress | None = None
) -> npt.NDArray[np.float64]:
    """Sliding of the worst foot over a grid of points: ``(len(columns[0]), …)`` metres a second.

    NaN where no foot is planted in all clips at once.
    """
    axes = np.meshgrid(*columns, indexing="ij")
    points = np.stack([axis.ravel() for axis in axes], axis=-1)
    weights = field.player.field(points)
    result = np.full(len(points), np.nan)
    for number, row in enumerate(weights):
        if progress is not None and number % 16 == 0:
            progress.report(number / len(points), "measuring foot slip")
        slips = field.under(row)
        if np.isfinite(slips).any():
            result[number] = float(np.nanmax(slips))
    return result.reshape(axes[0].shape)

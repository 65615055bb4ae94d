"""The curves by which a graph drives locomotion clips: foot ahead, direction, gait, foot IK, turning, blocks.

Directions and turns are told apart by sign as elsewhere: directions are positive to the right, yaw to the left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.math import quat
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, scalar_track
from core.tracks.tangents import with_tangents
from resources.sample.motion.figure import FIGURE
from resources.sample.motion.keying import RATE
from resources.sample.rig import build_rig

APART = 0.30
"""Metres that the feet are apart along the travel, at least, where the foot position is ±1: standing is near 0."""
STEP = 2
"""Frames between the keys of a curve that is measured."""
FLAT = 1e-6

Keys = Sequence[tuple[float, float]]
"""Frame and value."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a clip tells the graph.

    Parameters
    ----------
    gait
        1 walk, 2 run, 3 sprint.
    direction
        Where it goes, degrees to the right of ahead, −180..180.
    ik
        Keys of how far the feet follow the ground; 1 throughout where left out.
    turns
        Whether the root's yaw is told as ``TurnYaw``.
    blocks
        Keys by curve name, of ``AimBlock`` and ``LandBlock``.
    apart
        Metres along the travel at which the foot position is ±1; the most in the clip where left out.
    """

    gait: float | Keys = 1.0
    direction: float = 0.0
    ik: Keys = ()
    turns: bool = False
    blocks: Mapping[str, Keys] = field(default_factory=dict)
    apart: float | None = None


def with_meaning(clip: Clip, meaning: Meaning) -> Clip:
    """The clip with its locomotion curves; contact curves stay as they are."""
    frames = clip.length * RATE
    curves = dict(clip.curves)
    curves["FootPosition"] = foot_position(clip, meaning.direction, meaning.apart)
    curves["FootDirection"] = _line([(0.0, folded(meaning.direction)), (frames, folded(meaning.direction))])
    told = (
        meaning.gait if not isinstance(meaning.gait, float) else [(0.0, meaning.gait), (frames, meaning.gait)]
    )
    curves["gait"] = _line(told)
    for side in "lr":
        curves[f"ik_{side}"] = _line(meaning.ik or [(0.0, 1.0), (frames, 1.0)])
    if meaning.turns:
        curves["TurnYaw"] = turn_yaw(clip)
    curves |= {name: _line(keys) for name, keys in meaning.blocks.items()}
    return replace(clip, curves=curves)


def like(clip: Clip, base: Clip) -> Clip:
    """A difference with all the curves that its base has at its first frame, so that it adds nothing to them."""
    frames = clip.length * RATE
    held = {
        name: float(track.values[0]) for name, track in base.curves.items() if isinstance(track, ScalarTrack)
    }
    same = {name: _line([(0.0, value), (frames, value)]) for name, value in held.items()}
    return replace(clip, curves={**same, **clip.curves})


def folded(direction: float) -> float:
    """A direction as −90..90: what goes back is told by the side it goes to."""
    wrapped = (direction + 180.0) % 360.0 - 180.0
    if abs(wrapped) <= 90.0:
        return wrapped
    return float(np.sign(wrapped) * (180.0 - abs(wrapped)))


def foot_position(clip: Clip, direction: float, apart: float | None = None) -> ScalarTrack:
    """Which foot is ahead along the travel, in the root's frame: −1 the left one, +1 the right one.

    ``p = clamp((z_r − z_l)/max|z_r − z_l|)``; feet that are never farther apart than `APART` count by that.
    """
    count = max(round(clip.length * RATE / STEP), 1)
    times = np.linspace(0.0, clip.length, count + 1)
    way = np.radians(direction)
    along = np.array([-np.sin(way), 0.0, np.cos(way)])
    ahead = _ankles(clip, times) @ along
    between = ahead[:, 1] - ahead[:, 0]
    whole = apart or max(float(np.abs(between).max()), APART)
    rows = np.clip(between / whole, -1.0, 1.0)
    if clip.looping:
        rows[-1] = rows[0]
    if np.ptp(rows) < FLAT:
        return _line([(0.0, float(rows[0])), (clip.length * RATE, float(rows[0]))])
    return _line(list(zip(times * RATE, np.round(rows, 6), strict=True)))


def _ankles(clip: Clip, times: FloatArray) -> FloatArray:
    """Places ``(T, 2, 3)`` of the left and the right ankle in the root's frame."""
    local = sample_many(build_rig(), clip, times, wrap=False).local
    rotation, translation = np.array(local.rotation), np.array(local.translation)
    root = FIGURE.index["root"]
    rotation[:, root], translation[:, root] = quat.IDENTITY, 0.0
    places = FIGURE.model(rotation, translation)[1]
    return places[:, [FIGURE.index["foot_l"], FIGURE.index["foot_r"]]]


def turn_yaw(clip: Clip) -> ScalarTrack:
    """Degrees that the root has turned, to the left positive."""
    count = max(round(clip.length * RATE / STEP), 1)
    times = np.linspace(0.0, clip.length, count + 1)
    root = FIGURE.index["root"]
    turned = np.asarray(sample_many(build_rig(), clip, times, wrap=False).local.rotation)[:, root]
    yaw = np.degrees(np.unwrap(2.0 * np.arctan2(turned[:, 1], turned[:, 3])))
    return _line(list(zip(times * RATE, np.round(yaw - yaw[0], 6), strict=True)))


def _line(keys: Keys) -> ScalarTrack:
    rows = np.array(list(keys), dtype=np.float64)
    track = scalar_track(
        rows[:, 0] / RATE, rows[:, 1], interpolations=Interpolation.LINEAR, modes=TangentMode.LINEAR
    )
    return with_tangents(track)

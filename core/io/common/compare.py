"""How far two clips are from each other, in metres and degrees of model space."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.math import quat
from core.math.transform import from_matrix
from core.pose.kinematics import model_matrices
from core.rig.rig import Rig

MOST_TIMES = 600
BESIDE = 0.37
"""Where between two frames the clips are compared as well."""


@dataclass(frozen=True, slots=True)
class ClipCheck:
    """The largest errors of one clip (of the rest pose where `clip` is empty).

    Parameters
    ----------
    millimetres, bone, frame : of the position in model space
    degrees, turned_bone, turned_frame : of the rotation in model space
    why : where it is more than is allowed, what makes it so
    """

    clip: str
    millimetres: float
    bone: str
    frame: float
    degrees: float
    turned_bone: str
    turned_frame: float
    why: str = ""

    def to_text(self) -> str:
        """One line for people."""
        return (
            f"{self.clip or 'rest pose'}: {self.millimetres:.3g} mm ({self.bone}, frame {self.frame:.4g}), "
            f"{self.degrees:.3g}° ({self.turned_bone}, frame {self.turned_frame:.4g})"
            + (f": {self.why}" if self.why else "")
        )


def frames_of(clip: Clip) -> FloatArray:
    """Times of the frames, the last one at the clip's end."""
    frames = np.arange(int(np.ceil(clip.length * clip.rate.fps))) / clip.rate.fps
    return np.append(frames[frames < clip.length - 1e-4], clip.length)


def compared(
    name: str,
    rig: Rig,
    other: Rig,
    clip: Clip | None,
    twin: Clip | None,
    pairs: list[tuple[int, int]],
    between: bool,
) -> ClipCheck:
    """Largest errors of a clip on a rig (its rest pose where None) against its twin on another rig.

    Parameters
    ----------
    pairs : numbers of bones that are the same in both
    between : look between frames as well
    """
    times, fps = np.zeros(1), 30.0
    if clip is not None:
        frames, fps = frames_of(clip), clip.rate.fps
        beside = frames[:-1] + BESIDE * np.diff(frames)
        times = np.sort(np.concatenate((frames, beside))) if between else frames
        times = times[np.unique(np.linspace(0, len(times) - 1, MOST_TIMES).astype(int))]
    ours, theirs = (np.array(side) for side in zip(*pairs, strict=True))
    a, b = _world(rig, clip, times), _world(other, twin, times)
    off = np.linalg.norm(a[0][:, ours] - b[0][:, theirs], axis=-1) * 1000.0
    turned = np.degrees(quat.angle_between(a[1][:, ours], b[1][:, theirs]))
    row, column = np.unravel_index(int(np.argmax(off)), off.shape)
    turned_row, turned_column = np.unravel_index(int(np.argmax(turned)), turned.shape)
    names = rig.skeleton.names
    return ClipCheck(
        name, float(off[row, column]), names[ours[column]], float(times[row] * fps),
        float(turned[turned_row, turned_column]), names[ours[turned_column]], float(times[turned_row] * fps),
    )  # fmt: skip


def _world(rig: Rig, clip: Clip | None, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    if clip is None:
        matrices = model_matrices(rig.skeleton, rig.skeleton.rest)[None]
    else:
        matrices = ClipEvaluator(rig, clip).models_many(np.minimum(times, clip.length), wrap=False)
    split = from_matrix(matrices)
    return split.translation, split.rotation

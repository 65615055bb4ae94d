"""The compiled clip: what a runtime plays."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.clips.compiled.tracks import Kind, Mode, PackedTrack, constant_value, evaluate
from core.math.transform import Transform
from core.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True, eq=False)
class CompiledClip:
    """A clip packed for playing, with the skeleton it plays on.

    Parameters
    ----------
    axis : ``(N,)`` rising seconds, the ticks on which keys can be, at least two
    tracks : animated channels, and constant ones that differ from the rest pose
    about : plain values (JSON): name, length, rate, curves, morphs, notifies …
    """

    skeleton: Skeleton
    axis: FloatArray
    tracks: tuple[PackedTrack, ...]
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the clip."""
        return str(self.about.get("name", ""))

    @property
    def length(self) -> float:
        """Seconds."""
        return float(self.about.get("length", 0.0))

    @property
    def extras(self) -> tuple[str, ...]:
        """Names of the curves, then of the morphs, by their numbers."""
        return (*self.about.get("curves", ()), *self.about.get("morphs", ()))

    def still_pose(self) -> FloatArray:
        """Translation, rotation, scale ``(B, 10)`` of what never moves: rest pose and constant tracks."""
        rest = self.skeleton.rest
        pose = np.concatenate((rest.translation, rest.rotation, rest.scale), axis=1)
        for track in self.tracks:
            if track.mode is Mode.CONSTANT and track.kind is not Kind.EXTRA:
                pose[track.index, COLUMNS[track.kind]] = constant_value(track)
        return pose

    def still_extras(self) -> FloatArray:
        """Values ``(E,)`` of curves and morphs that never move; 0 for the others."""
        values = np.zeros(len(self.extras))
        for track in self.tracks:
            if track.mode is Mode.CONSTANT and track.kind is Kind.EXTRA:
                values[track.index] = constant_value(track)[0]
        return values

    def poses_numpy(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The numpy twin of the kernel: poses ``(T, B, 10)`` and extras ``(T, E)``, held beyond the ends."""
        out = np.repeat(self.still_pose()[None], len(times), axis=0)
        extras = np.repeat(self.still_extras()[None], len(times), axis=0)
        at = np.clip(times, self.axis[0], self.axis[-1])
        for track in self.tracks:
            if track.mode is not Mode.CONSTANT:
                values = evaluate(track, self.axis, at)
                if track.kind is Kind.EXTRA:
                    extras[:, track.index] = values[:, 0]
                else:
                    out[:, track.index, COLUMNS[track.kind]] = values
        return out, extras


COLUMNS = {Kind.TRANSLATION: slice(0, 3), Kind.ROTATION: slice(3, 7), Kind.SCALE: slice(7, 10)}


def transform_of(poses: FloatArray) -> Transform:
    """Poses ``(..., B, 10)`` as a transform of views."""
    return Transform(poses[..., :3], poses[..., 3:7], poses[..., 7:])

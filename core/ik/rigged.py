"""Evaluating a clip together with the IK goals it keys: the evaluator to use wherever poses are seen or written."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.sampled import PoseBatch, Sample
from core.ik import keyed
from core.ik.keyed import Solved
from core.math.transform import Transform
from core.pose import kinematics
from core.rig.ik_setup import IkSetup
from core.rig.mesh import Mesh
from core.rig.rig import Rig


class RiggedEvaluator(ClipEvaluator):
    """A `ClipEvaluator` whose poses follow the goals that the clip keys (`core.ik.keyed`).

    Where the clip keys none it is that evaluator and costs no more. Its `player` plays the tracks
    alone.
    """

    rig: Rig

    def __init__(self, rig: Rig, clip: Clip, meshes: Sequence[Mesh] = ()) -> None:
        super().__init__(rig, clip, meshes)

    @property
    def setups(self) -> tuple[IkSetup, ...]:
        """The set-ups that drive the clip."""
        return keyed.driving(self.rig, self.clip.curves) if self.rig.ik_setups else ()

    def updated(self, clip: Clip) -> "RiggedEvaluator":
        """An evaluator of an edited clip that shares what did not change with this one."""
        other = super().updated(clip)
        if other is not self:
            other.__class__ = RiggedEvaluator  # what the base shares is laid out alike
        assert isinstance(other, RiggedEvaluator)
        return other

    def models_many(self, times: npt.ArrayLike, *, wrap: bool = True) -> FloatArray:
        """Model matrices ``(T, B, 4, 4)`` at many times."""
        if not self.setups:
            return super().models_many(times, wrap=wrap)
        return kinematics.model_matrices(self.skeleton, self.sample_many(times, wrap=wrap).local)

    def solved(self, times: npt.ArrayLike) -> dict[str, Solved]:
        """How each driving set-up ends at times within the clip: metres left, steps taken."""
        if not self.setups:
            return {}
        return keyed.driven(self.rig, self.undriven(times))[1]

    def undriven(self, times: npt.ArrayLike) -> PoseBatch:
        """Poses of the tracks alone at times within the clip."""
        at = np.asarray(times, dtype=np.float64)
        local, extras = super()._sampled(at)
        return PoseBatch(self.rig_id, at, *local, self._curves(extras))

    def _curves(self, extras: FloatArray) -> dict[str, FloatArray]:
        pairs = zip(self.binding.extras, extras, strict=True)
        return {entry.name: values for entry, values in pairs if not entry.is_morph}

    def _sampled(self, at: FloatArray) -> tuple[Transform, FloatArray]:
        local, extras = super()._sampled(at)
        if not self.setups:
            return local, extras
        return keyed.driven_local(self.rig, local, self._curves(extras))[0], extras


def sample(
    rig: Rig,
    clip: Clip,
    time: float,
    previous: float | None = None,
    *,
    stopped: bool = False,
    meshes: Sequence[Mesh] = (),
) -> Sample:
    """One moment of playback, keyed goals followed; see `ClipEvaluator.sample`."""
    return RiggedEvaluator(rig, clip, meshes).sample(time, previous, stopped=stopped)


def sample_many(
    rig: Rig, clip: Clip, times: npt.ArrayLike, *, wrap: bool = True, meshes: Sequence[Mesh] = ()
) -> PoseBatch:
    """Poses at many times, keyed goals followed; see `ClipEvaluator.sample_many`."""
    return RiggedEvaluator(rig, clip, meshes).sample_many(np.asarray(times, dtype=np.float64), wrap=wrap)

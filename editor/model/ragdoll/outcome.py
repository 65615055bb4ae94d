"""What is simulated, what came of it, and how that is shown over the clip's own poses."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.blending.layer_stack import LayerMode
from core.clips.clip import Clip
from core.evaluation.clip_pipeline import stack_of
from core.evaluation.simulated_layer import LayerSetup, weight_curve
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.physics.parts import Scene
from core.physics.simulated import Simulated, SimulationSetup
from core.pose.pose import Pose
from core.project.project import Project
from core.rig.rig import Rig
from core.tracks.evaluate import evaluate_scalar


@dataclass(frozen=True, slots=True)
class SimulateOptions:
    """What is simulated and how it becomes a layer; see `SimulationSetup` and `LayerSetup`.

    Parameters
    ----------
    bones : names; none takes the selection when it runs
    below : with everything below them
    start, end : frames; None is the clip's own
    ground : whether bodies collide with the ground that the IK panel sets
    tolerance : millimetres
    """

    bones: tuple[str, ...] = ()
    below: bool = True
    start: float | None = None
    end: float | None = None
    follow: float = 0.0
    stiffness: float = 3.0
    damping: float = 0.3
    gravity: float = 1.0
    settle: float | None = None
    collide: bool = True
    ground: bool = True
    mode: LayerMode = LayerMode.OVERRIDE
    blend_in: float = 0.0
    blend_out: float = 0.2
    tolerance: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A simulation that was worked out.

    Parameters
    ----------
    rig, clip : what it was worked out from
    below : the clip's poses at its times
    """

    rig: Rig
    clip: Clip
    scene: Scene
    setup: SimulationSetup
    simulated: Simulated
    below: Transform = field(repr=False)

    @property
    def bones(self) -> int:
        """How many bones it moves."""
        return len(self.simulated.bones)

    def largest(self) -> tuple[float, str]:
        """Degrees that a bone is turned at most from the clip's pose, and which."""
        chosen = list(self.simulated.bones)
        apart = quat.angle_between(self.simulated.local.rotation[:, chosen], self.below.rotation[:, chosen])
        worst = int(np.argmax(apart.max(axis=0)))
        return float(np.degrees(apart.max())), self.rig.skeleton.names[chosen[worst]]

    def pose_at(self, below: Pose, time: float, layer: LayerSetup) -> Pose:
        """The pose shown at a time: the simulation over the clip's own pose, by the layer's weight; that outside it.

        Parameters
        ----------
        below : the clip's pose
        """
        simulated = self.simulated
        curve = weight_curve(self.clip, simulated, layer)
        weight = 1.0 if curve is None else float(evaluate_scalar(curve, np.array([time]))[0])
        times = simulated.times
        if weight <= 0.0 or not times[0] - 1e-6 <= time <= times[-1] + 1e-6:
            return below
        right = int(np.clip(np.searchsorted(times, time), 1, len(times) - 1))
        share = float(np.clip((time - times[right - 1]) / (times[right] - times[right - 1]), 0.0, 1.0))
        rotation, translation = np.array(below.rotations), np.array(below.translations)
        for bone in simulated.bones:
            one, other = simulated.local.rotation[right - 1, bone], simulated.local.rotation[right, bone]
            rotation[bone] = quat.slerp(rotation[bone], quat.slerp(one, other, share), weight)
        for bone in simulated.free:
            one, other = (
                simulated.local.translation[right - 1, bone],
                simulated.local.translation[right, bone],
            )
            translation[bone] += weight * (one + share * (other - one) - translation[bone])
        return below.with_local(Transform(translation, rotation, below.scales))


def made_of(project: Project, clip: AssetId) -> tuple[object, ...]:
    """What a simulation depends on: the clip, its rig, the layers and their clips."""
    asset = project.assets.get(clip)
    if not isinstance(asset, Clip):
        return ()
    stack = stack_of(project, clip)
    assets: Mapping[AssetId, object] = project.assets
    layers = () if stack is None else tuple(assets.get(layer.clip) for layer in stack.layers)
    return (asset, assets.get(asset.rig), stack, *layers)

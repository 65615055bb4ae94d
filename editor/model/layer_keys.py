"""What a layer in hand has to say to keying: which bones it takes, and where it is not yet what is shown."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from core.clips import keying
from core.clips.clip import Channel, Clip, Property
from core.clips.keying import KeyWhich, Tolerance
from core.clips.keying_layers import key_layer
from core.evaluation.layer_pipeline import LayerPipeline
from core.math import quat
from core.pose.pose import Pose
from core.rig.rig import Rig
from editor.model.channels import curve_channel, morph_channel, split_weights
from editor.model.evaluator import Evaluator
from editor.model.i18n import tr
from editor.model.keyed_words import named
from editor.model.messages import Messages
from editor.model.playback import Playback

KeyPose = Callable[[Clip, Rig, float, Pose, Iterable[str], Tolerance, KeyWhich, Pose | None], Clip]
"""Sets keys of a pose on a clip; see `core.clips.keying.key_pose`."""


class LayerKeys:
    """Keys of the layer in hand; without one it leaves keying as it is."""

    def __init__(self, evaluator: Evaluator, playback: Playback, messages: Messages) -> None:
        self._evaluator, self._playback, self._messages = evaluator, playback, messages

    @property
    def hand(self) -> LayerPipeline | None:
        """The layer in hand, or None."""
        return self._evaluator.in_hand

    @property
    def key_pose(self) -> KeyPose:
        """What puts keys of a pose on the clip shown; see `core.clips.keying.key_pose`."""
        return keying.key_pose if self.hand is None else key_layer

    def reached(self, pose: Pose, names: Iterable[str]) -> list[str]:
        """The bones that are keyed for a pose: those that the layer decides, and what it carries with them.

        Bones that would have changed and cannot are told to the user.
        """
        hand, bones = self.hand, list(names)
        if hand is None or not bones:
            return bones
        if hand.why_not:
            self._messages.warn(tr("The layer in hand cannot be keyed: {why}", why=hand.why_not))
            return []
        outside = set(hand.out_of_reach(bones, self._playback.time))
        skeleton = hand.rig.skeleton
        lost = keying.other_than(skeleton, pose, self._evaluator.sampled_pose(), outside) if outside else []
        if lost:
            self._messages.warn(
                tr("{what} is not keyed: the layer in hand does not reach it here", what=named(sorted(lost))),
                tr("Look at the layer's mask and weight, and at the layers above it"),
            )
        return list(hand.with_carried(bone for bone in bones if bone not in outside))

    def moved(self, pose: Pose, bones: Iterable[str]) -> list[str] | None:
        """Bones that a pose has elsewhere than shown; None where no layer is in hand."""
        hand = self.hand
        if hand is None:
            return None
        return keying.other_than(hand.rig.skeleton, pose, self._evaluator.sampled_pose(), bones)

    def differs(self, bone: str, pose: Pose, part: Property, tolerance: Tolerance) -> bool | None:
        """Whether a bone's property is elsewhere in a pose than shown; None where no layer is in hand."""
        hand = self.hand
        if hand is None:
            return None
        at, shown = hand.rig.skeleton.index(bone), self._evaluator.sampled_pose()
        if part is Property.ROTATE:
            turned = quat.angle_between(pose.rotations[at], shown.rotations[at])
            return bool(np.degrees(turned) > tolerance.rotate)
        apart = np.abs(pose.local[part][at] - shown.local[part][at]).max()
        return bool(apart > tolerance.of(part))

    def weights(self, values: Mapping[Channel, float]) -> Mapping[Channel, float]:
        """Values of curves and morphs as the layer has to hold them for these to be shown."""
        if self.hand is None:
            return values
        curves, morphs = split_weights(values)
        found = {curve_channel(k): v for k, v in self._evaluator.to_clip_weights(curves, False).items()}
        return found | {morph_channel(k): v for k, v in self._evaluator.to_clip_weights(morphs, True).items()}

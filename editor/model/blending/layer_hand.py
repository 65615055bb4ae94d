"""The layer in hand: an animation layer that is keyed directly, while the whole stack is shown."""

import numpy as np

from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack
from core.clips import keying
from core.clips.clip import Clip
from core.clips.keying_layers import key_layer
from core.errors import AnimError, ValidationError
from core.evaluation.clip_pipeline import stack_of
from core.evaluation.layer_pipeline import not_keyable
from core.pose.pose import Pose
from core.timing import frame_text
from editor.model.blending.layers import LayerEdits
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.i18n import tr
from editor.model.keyed_words import named
from editor.model.playback import Playback
from editor.model.selection import Selection


class LayerHand:
    """Which layer receives keys, and what is done to it.

    The session then shows the layer's clip (`Playback.clip`) over the one below (`Playback.below`): every tool, paste
    and panel that works on the clip shown works on the layer, and the evaluator shows the stack.
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        layers: LayerEdits,
        playback: Playback,
        evaluator: Evaluator,
        selection: Selection,
    ) -> None:
        self._document, self._edits, self._layers = document, edits, layers
        self._playback, self._evaluator, self._selection = playback, evaluator, selection
        document.changed.connect(lambda _: self._keep_up())

    # ------------------------------------------------------------ which
    @property
    def number(self) -> int | None:
        """The number of the layer in hand, None where the clip itself receives keys."""
        stack, clip = self._layers.stack, self._playback.clip
        if self._playback.below is None or stack is None or clip is None:
            return None
        return stack.number_of(clip)

    @property
    def layer(self) -> ClipLayer | None:
        """The layer in hand."""
        number, stack = self.number, self._layers.stack
        return None if number is None or stack is None else stack.layers[number]

    @property
    def why_not(self) -> str:
        """Why keys cannot be set on the layer in hand now, or ""."""
        hand = self._evaluator.in_hand
        return hand.why_not if hand is not None else ""

    def aimed(self) -> int:
        """The layer that a verb is about: the one in hand, else the highest.

        Raises
        ------
        AnimError
            The clip has no layers.
        """
        stack = self._layers.stack
        if stack is None:
            raise AnimError(tr("the clip has no layers"))
        number = self.number
        return len(stack.layers) - 1 if number is None else number

    def take(self, number: int) -> None:
        """Key a layer from now on.

        Raises
        ------
        AnimError
            It cannot be keyed; the message says why.
        """
        clip, stack = self._layers.clip, self._layers.stack
        if clip is None or stack is None:
            raise AnimError(tr("the clip has no layers"))
        layer = stack.layers[number]
        own = self._document.project.get(Clip, layer.clip)
        if sum(other.clip == layer.clip for other in stack.layers) > 1:
            raise ValidationError(tr("“{name}” is the clip of two layers: duplicate it first", name=own.name))
        reason = not_keyable(layer.mode, own)
        if reason:
            raise ValidationError(reason)
        self._evaluator.layers.shown = True
        self._playback.set_clip(own.id, below=clip.id)

    def leave(self) -> None:
        """Key the clip itself again."""
        if self._playback.below is not None:
            self._playback.set_clip(self._playback.below)

    def toggle(self, number: int) -> None:
        """Key a layer, or the clip itself again where that layer is in hand."""
        if self.number == number:
            self.leave()
        else:
            self.take(number)

    def step(self, by: int) -> None:
        """Key the layer above (1) or below (−1); below the lowest is the clip itself."""
        stack = self._layers.stack
        if stack is None:
            raise AnimError(tr("the clip has no layers"))
        now = -1 if self.number is None else self.number
        to = min(max(now + by, -1), len(stack.layers) - 1)
        if to < 0:
            self.leave()
        elif to != now:
            self.take(to)

    # ------------------------------------------------------------ doing
    def new(self, mode: LayerMode) -> bool:
        """Add an empty layer on top and key it from now on, in one step."""
        return self._layers.add(None, mode)

    def mute(self) -> bool:
        """Mute the layer, or let it count again."""
        number, stack = self.aimed(), self._stack()
        return self._layers.change(number, muted=not stack.layers[number].muted)

    def solo(self) -> bool:
        """Let only the layer count, or all again."""
        number, stack = self.aimed(), self._stack()
        return self._layers.change(number, solo=not stack.layers[number].solo)

    def key_weight(self, weight: float | None = None) -> bool:
        """Key the layer's weight at the playhead, by default as it is."""
        number, stack = self.aimed(), self._stack()
        if weight is None:
            weight = float(stack.layers[number].weights(np.array([self._playback.time]))[0])
        return self._layers.key_weight(number, self._playback.time, weight)

    def mask_selection(self) -> bool:
        """Give the layer a new mask that holds the selected bones, in one step."""
        number, bones = self.aimed(), self._selection.bones
        if not bones:
            raise AnimError(tr("select the bones of the mask first"))
        return self._layers.mask_of(number, bones)

    def key_neutral(self) -> bool:
        """Key the layer so that at the playhead it changes nothing: keys before and after then stay on their side.

        On the selected bones that the layer has keys for, or on all of these.
        """
        hand = self._evaluator.in_hand
        if hand is None or self._playback.shown is None:
            raise AnimError(tr("take a layer in hand first"))
        if hand.why_not:
            raise AnimError(hand.why_not)
        clip, rig, time = self._playback.shown, hand.rig, self._playback.time
        keyed = [
            bone for bone in dict.fromkeys(c.bone for c in clip.tracks) if rig.skeleton.find(bone) is not None
        ]
        bones = [bone for bone in keyed if bone in self._selection.bones] or keyed
        if not bones:
            raise AnimError(tr("the layer has no keys yet"))
        neutral = hand.neutral(time)
        pose = Pose(rig.id, *neutral)
        sampled = self._evaluator.to_clip_pose(self._evaluator.sampled_pose())
        made = key_layer(clip, rig, time, pose, bones, None, keying.KeyWhich.EXISTING, sampled)
        frame = frame_text(clip.rate.to_frame(time))
        label = tr("Key neutral {what} @ f{frame}", what=named(bones), frame=frame)
        if made is clip:
            raise AnimError(tr("the layer changes nothing here already"))
        return self._edits.put(label, made)

    # ------------------------------------------------------------ upkeep
    def _stack(self) -> LayerStack:
        stack = self._layers.stack
        if stack is None:
            raise AnimError(tr("the clip has no layers"))
        return stack

    def _keep_up(self) -> None:
        """Key the clip itself where the layer in hand is no longer one."""
        below, clip = self._playback.below, self._playback.clip
        if below is None or clip is None:
            return
        stack = stack_of(self._document.project, below)
        if stack is None or stack.number_of(clip) is None:
            self._playback.set_clip(below)

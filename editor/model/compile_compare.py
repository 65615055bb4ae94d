"""A or B: the original clip or the compiled one in the viewport. What is edited is always the original."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.player import CompiledPlayer
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.pose import Pose
from editor.model.compile_work import Compiled
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.document import Document
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.messages import Messages
from editor.model.playback import Playback

FACTORS = (1.0, 10.0, 100.0, 1000.0)
"""How many times the difference may be drawn."""


class Comparison:
    """Draws the compiled clip in place of the original, for looking only.

    The evaluator goes on giving the original's pose, so that no tool, key or clipboard ever sees a
    decompressed one; the viewport asks `pose` what to draw. Whatever edits ends it.

    Parameters
    ----------
    result : what came of the clip shown, None where it was not compiled or has changed since

    Attributes
    ----------
    changed : what is to be drawn differs
    """

    def __init__(
        self,
        document: Document,
        evaluator: Evaluator,
        playback: Playback,
        display: Display,
        messages: Messages,
        result: Callable[[], Compiled | None],
    ) -> None:
        self._document = document
        self._evaluator = evaluator
        self._playback = playback
        self._display = display
        self._messages = messages
        self._result = result
        self._on = False
        self._factor = 1.0
        self._coloured = False
        self._made: tuple[CompiledClip, CompiledPlayer] | None = None
        self._pose: Pose | None = None
        self._matrices: FloatArray | None = None
        self.changed: Event[None] = Event()
        self._stop: Callable[[], None] = lambda: None
        document.changed.connect(self._on_document)
        display.add_drawn(self)
        display.changed.connect(
            lambda level: self._give_way(level is DisplayLevel.PENDING and display.has(level))
        )
        display.dragged.connect(lambda _: self._give_way(True))
        playback.clip_changed.connect(lambda _: self.refresh())

    # ------------------------------------------------------------ switching
    @property
    def on(self) -> bool:
        """Whether the compiled clip (B) is drawn."""
        return self._on

    @property
    def why_not(self) -> str:
        """Why B cannot be shown now, or ""."""
        if self._display.source is not None:
            return tr("a blend is shown: select a clip first")
        if self._display.has(DisplayLevel.DRAGGED_CLIP, DisplayLevel.DRAGGED_POSE):
            return tr("apply or cancel the preview first")
        return "" if self._result() is not None else tr("compile the clip first")

    def show(self, compiled: bool) -> bool:
        """Show B, or A again; False (with a message) where there is no B."""
        if compiled and self.why_not:
            self._messages.info(tr("There is nothing to compare: {why}", why=self.why_not))
            return False
        if compiled and self._display.has(DisplayLevel.PENDING):
            self._messages.info(tr("Key or discard the pending changes first: B plays the keys"))
            return False
        if compiled != self._on:
            self._stop()
            evaluator = self._evaluator
            self._stop = evaluator.changed.connect(self._on_evaluator) if compiled else lambda: None
            self._on = compiled
            self._drop()
            self.changed.emit(None)
        return True

    def stop(self) -> None:
        """Show A again."""
        self.show(False)

    def toggle(self) -> None:
        """From A to B and back."""
        self.show(not self._on)

    def refresh(self) -> None:
        """Another clip is shown or was compiled: B stays where there is one."""
        if self._on and self.why_not:
            self._leave("")
        elif self._on:
            self._drop()
            self.changed.emit(None)

    @property
    def factor(self) -> float:
        """How many times the difference from the original is drawn; 1 is the compiled clip itself."""
        return self._factor

    def set_factor(self, factor: float) -> None:
        """Draw the difference so many times."""
        if factor != self._factor:
            self._factor = factor
            self._drop()
            self.changed.emit(None)

    @property
    def coloured(self) -> bool:
        """Whether the viewport colours bones by how far they are off."""
        return self._coloured

    def set_coloured(self, on: bool) -> None:
        """Colour bones by their error, or not."""
        if on != self._coloured:
            self._coloured = on
            self.changed.emit(None)

    def shares(self) -> FloatArray | None:
        """Largest error of each bone as a share ``(B,)`` of the bound; None where bones keep their colours."""
        result = self._result() if self._coloured else None
        return None if result is None else result.errors.largest / result.options.metres

    @property
    def title(self) -> str:
        """What the viewport says while B is shown."""
        if self._factor == 1.0:
            return tr("COMPILED (B)")
        return tr("COMPILED (B) · difference × {factor}", factor=f"{self._factor:g}")

    # ------------------------------------------------------------ what is drawn
    def pose(self) -> Pose | None:
        """The pose to draw now; None where the original is to be drawn."""
        if not self._on:
            return None
        if self._pose is None:
            self._pose = self._decompressed()
        return self._pose

    def matrices(self) -> FloatArray | None:
        """Model matrices ``(B, 4, 4)`` of `pose`."""
        pose, rig = self.pose(), self._evaluator.rig
        if pose is None or rig is None:
            return None
        if self._matrices is None:
            self._matrices = kinematics.model_matrices(rig.skeleton, pose.local)
        return self._matrices

    def _decompressed(self) -> Pose | None:
        result, rig = self._result(), self._evaluator.rig
        if result is None or rig is None:
            return None
        if self._made is None or self._made[0] is not result.clip:
            self._made = result.clip, CompiledPlayer(result.clip)
        player = self._made[1]
        local = player.pose(self._playback.time)
        original = self._evaluator.pose()
        values = dict(zip(result.clip.extras, player.extras.tolist(), strict=True))
        curves = result.clip.about.get("curves", ())
        pose = replace(
            original.with_local(Transform(*(np.array(part) for part in local))),
            curves={name: values[name] for name in curves},
            morphs=dict(original.morphs) | {n: v for n, v in values.items() if n not in curves},
        )
        if self._factor == 1.0:
            return pose
        return pose.with_local(magnified(original.local, pose.local, self._factor))

    # ------------------------------------------------------------ upkeep
    def _drop(self) -> None:
        self._pose = self._matrices = None

    def _on_evaluator(self, _: object) -> None:
        self._drop()
        if self._on and self._display.source is not None:
            self._leave("")

    def _give_way(self, edited: bool) -> None:
        if self._on and edited:
            self._leave(tr("Back to the original (A): edits apply to it"))

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        if self._on and self._result() is None:
            self._leave(
                tr("Back to the original (A): the clip was changed"), tr("Compile it again to compare")
            )

    def _leave(self, text: str, step: str = "") -> None:
        self.show(False)
        if text:
            self._messages.info(text, step)


def magnified(original: Transform, other: Transform, factor: float) -> Transform:
    """The original with its difference from another ``(B, k)`` a number of times over, bone by bone."""
    turn = quat.aligned(quat.multiply(quat.conjugate(original.rotation), other.rotation), quat.IDENTITY)
    turned = quat.from_rotation_vector(quat.to_rotation_vector(turn) * factor)
    return Transform(
        original.translation + factor * (other.translation - original.translation),
        quat.normalise(quat.multiply(original.rotation, turned)),
        original.scale + factor * (other.scale - original.scale),
    )

"""The layers over a clip, in the one chain that playback and export share."""

import logging

import numpy as np

from core.arrays import FloatArray
from core.blending.layer_stack import LayerMode, LayerStack, StackEvaluator
from core.clips.sample import ClipEvaluator
from core.errors import AnimError
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.pose.pose import Pose
from core.project.project import Project
from core.rig.rig import Rig
from editor.model.document import Document
from editor.model.events import Event

logger = logging.getLogger(__name__)
ROUNDS = 40
"""Tries at finding the pose below that layers turn into a wanted one."""


def stack_of(project: Project, clip: AssetId) -> LayerStack | None:
    """The layers over a clip."""
    return next((stack for stack in project.all(LayerStack) if stack.clip == clip), None)


class Layered:
    """Puts a clip's layers over it.

    Attributes
    ----------
    preview : layers as a drag shows them, instead of the document's with the same id
    shown : whether layers are shown at all
    changed : either differs
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._preview: LayerStack | None = None
        self._shown = True
        self._made_of: tuple[object, ...] = ()
        self._made: StackEvaluator | None = None
        self.problem = ""
        self.changed: Event[None] = Event()

    @property
    def shown(self) -> bool:
        """Whether layers are shown."""
        return self._shown

    @shown.setter
    def shown(self, on: bool) -> None:
        if on != self._shown:
            self._shown = on
            self.changed.emit(None)

    def set_preview(self, stack: LayerStack | None) -> None:
        """Show layers as a drag has them; None shows the document's."""
        if stack is not self._preview:
            self._preview = stack
            self.changed.emit(None)

    def stack(self, clip: AssetId) -> LayerStack | None:
        """The layers over a clip, as shown."""
        found = stack_of(self._document.project, clip)
        preview = self._preview
        return preview if preview is not None and found is not None and preview.id == found.id else found

    def over(self, evaluator: ClipEvaluator, rig: Rig) -> ClipEvaluator | StackEvaluator:
        """What samples a clip with its layers: the clip's evaluator itself where none counts."""
        stack = self.stack(evaluator.clip.id) if self._shown else None
        if stack is None or not stack.audible():
            return evaluator
        project = self._document.project
        clips = {clip.id: clip for clip in project.clips}
        made_of = (evaluator, rig, stack, *clips.values())
        if len(made_of) != len(self._made_of) or any(
            a is not b for a, b in zip(made_of, self._made_of, strict=True)
        ):
            self._made_of, self._made, self.problem = made_of, None, ""
            try:
                self._made = StackEvaluator(evaluator, rig, stack, clips)
            except AnimError as error:
                self.problem = str(error)
                logger.warning("layers left out: %s", error)
        return self._made if self._made is not None else evaluator

    def concerns(self, clip: AssetId | None, ids: frozenset[AssetId]) -> bool:
        """Whether a change of these assets may change what the layers over a clip do."""
        stack = self.stack(clip) if clip is not None else None
        if stack is None:
            return self._made is not None and self._made.stack.id in ids
        return stack.id in ids or any(layer.clip in ids for layer in stack.layers)

    def below(self, evaluator: ClipEvaluator, rig: Rig, time: float, wanted: Pose) -> Pose:
        """The clip's own pose that the layers turn into a wanted one: what is to be keyed.

        Exact for additive layers in local space; found step by step for override layers, where a
        bone that a layer covers in full stays as it is below.
        """
        sampler = self.over(evaluator, rig)
        if not isinstance(sampler, StackEvaluator):
            return wanted
        at = np.array([time])
        own = evaluator.sample_many(at, wrap=False).pose(0)
        goal, pose = wanted.local, own.local
        covered = _covered(sampler, rig, at)
        for _ in range(ROUNDS):
            now = sampler.put_over(Transform(*(part[None] for part in pose)), at)
            shown = Transform(*(part[0] for part in now))
            turn = quat.multiply(quat.conjugate(shown.rotation), goal.rotation)
            gain = (1.0 / np.maximum(1.0 - covered, 1e-3))[:, None]
            step = quat.from_rotation_vector(quat.to_rotation_vector(turn) * np.minimum(gain, 4.0))
            next_rotation = quat.normalise(quat.multiply(pose.rotation, step))
            move = (goal.translation - shown.translation) * gain
            grow = (goal.scale - shown.scale) * gain
            free = (covered < 0.999)[:, None]
            pose = Transform(
                np.where(free, pose.translation + move, pose.translation),
                np.where(free, next_rotation, pose.rotation),
                np.where(free, pose.scale + grow, pose.scale),
            )
            off = max(
                float((np.abs(move) * free).max()),
                float((quat.angle_between(shown.rotation, goal.rotation) * free[:, 0]).max()),
            )
            if off < 1e-12:
                break
        same = quat.angle_between(pose.rotation, own.rotations) < 1e-9
        rotation = np.where(same[:, None], own.rotations, pose.rotation)
        return wanted.with_local(Transform(pose.translation, rotation, pose.scale))


def _covered(sampler: StackEvaluator, rig: Rig, at: FloatArray) -> FloatArray:
    """How much of each bone override layers cover, 0..1."""
    left = np.ones(len(rig.skeleton))
    for layer in sampler.stack.audible():
        if layer.mode is LayerMode.OVERRIDE:
            left *= 1.0 - np.clip(layer.weights(at)[0] * layer.bones(rig), 0.0, 1.0)
    covered: FloatArray = 1.0 - left
    return covered

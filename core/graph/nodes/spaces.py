"""Places of bones and goals: local, model, world and bone space."""

import numpy as np

from core.graph.op import Run
from core.ik.chain import model_of
from core.math import quat, transform
from core.math.transform import Transform


def above(run: Run, local: Transform, bone: int, space: str) -> Transform:
    """What a bone's local transform is relative to, in model or world space; the identity in local space."""
    skeleton = run.rig.skeleton
    parent = skeleton.parent(bone)
    frame = transform.IDENTITY
    if space != "local" and parent >= 0:
        frame = model_of(skeleton, local, parent)
    return transform.compose(run.character, frame) if space == "world" else frame


def into_local(parent: Transform, whole: Transform) -> Transform:
    """The child that composes with a parent to a transform ``(k,)``; a parent scale of 0 counts as 1."""
    scale = np.where(parent.scale == 0.0, 1.0, parent.scale)
    undo = quat.conjugate(parent.rotation)
    return Transform(
        quat.rotate(undo, whole.translation - parent.translation) / scale,
        quat.normalise(quat.multiply(undo, whole.rotation)),
        whole.scale / scale,
    )

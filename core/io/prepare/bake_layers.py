"""Clips with layers over them, for formats that know no layers."""

from core.blending.layer_stack import LayerStack
from core.evaluation.flatten import flattened
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig


def bake_layers(project: Project, progress: Progress | None = None) -> Project:
    """The project with every clip's layers baked into it, as it is seen; else the same object.

    The layers' own clips stay as they are.
    """
    clips = {clip.id: clip for clip in project.clips}
    stacks = [stack for stack in project.all(LayerStack) if stack.active() and stack.clip in clips]
    if not stacks:
        return project
    changed = []
    for number, stack in enumerate(stacks):
        if progress is not None:
            progress.report(number / len(stacks), "baking layers")
        changed.append(flattened(project.get(Rig, stack.rig), clips[stack.clip], stack, clips))
    return project.with_assets(*changed).without(*(stack.id for stack in stacks))

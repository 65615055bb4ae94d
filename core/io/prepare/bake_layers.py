"""Clips with layers over them, for formats that know no layers."""

from core.blending.layer_stack import LayerStack
from core.evaluation.clip_pipeline import own_clips
from core.evaluation.flatten import flattened
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig


def bake_layers(project: Project, progress: Progress | None = None) -> Project:
    """The project with every clip's layers baked into it, as it is seen; else the same object.

    Clips that were made for a layer go with it; other clips of layers stay as they are.
    """
    clips = {clip.id: clip for clip in project.clips}
    stacks = [stack for stack in project.all(LayerStack) if stack.active() and stack.clip in clips]
    own = own_clips(project)
    idle = [
        stack
        for stack in project.all(LayerStack)
        if not stack.active() and own & {x.clip for x in stack.layers}
    ]
    if not stacks and not idle:
        return project
    changed = []
    for number, stack in enumerate(stacks):
        if progress is not None:
            progress.report(number / len(stacks), "baking layers")
        changed.append(flattened(project.get(Rig, stack.rig), clips[stack.clip], stack, clips))
    flat = project.with_assets(*changed).without(*(stack.id for stack in (*stacks, *idle)))
    return flat.without(*(clip for clip in own if clip in flat.assets and not flat.references(clip)))

"""All actions, in the order of their menus."""

from editor.actions import (
    blending,
    blocking,
    clip,
    compile,
    curves,
    edit,
    events,
    file,
    graph,
    graph_canvas,
    ik,
    keying,
    layer,
    media,
    montage,
    play,
    playback,
    posing,
    ragdoll,
    retarget,
    select,
    sets,
    shot,
    space,
    timeline,
    timing,
    view,
    virtual_bones,
    weights,
)
from editor.actions.registry import Registry
from editor.model.session import Session


def registry(session: Session) -> Registry:
    """A registry with every action that comes with Posewright."""
    found = Registry(session)
    for module in (
        file,
        edit,
        select,
        sets,
        posing,
        keying,
        weights,
        curves,
        timing,
        blocking,
        clip,
        media,
        compile,
        ik,
        space,
        ragdoll,
        blending,
        layer,
        graph,
        graph_canvas,
        montage,
        play,
        retarget,
        virtual_bones,
        playback,
        timeline,
        events,
        view,
        shot,
    ):
        found.add(*module.actions())
    found.add(*posing.shown(), *posing.how())
    return found

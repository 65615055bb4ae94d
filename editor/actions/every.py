"""All actions, in the order of their menus."""

from editor.actions import clip, edit, file, keying, playback, select, view
from editor.actions.registry import Registry
from editor.model.session import Session


def registry(session: Session) -> Registry:
    """A registry with every action that comes with Posewright."""
    found = Registry(session)
    for module in (file, edit, select, keying, clip, playback, view):
        found.add(*module.actions())
    return found

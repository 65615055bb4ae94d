"""Why an action cannot be done: the conditions that several share. "" means that it can."""

from collections.abc import Callable

from editor.model.i18n import tr
from editor.model.session import Session

Reason = Callable[[Session], str]


def needs_rig(session: Session) -> str:
    """A character is shown."""
    return "" if session.rig is not None else tr("open or import a character first")


def needs_clip(session: Session) -> str:
    """A clip is shown."""
    return needs_rig(session) or ("" if session.clip is not None else tr("create or select a clip first"))


def needs_clip_itself(session: Session) -> str:
    """A clip is shown, and no layer over it is in hand."""
    layered = session.playback.below is not None
    return needs_clip(session) or (tr("go back to the clip first: a layer is in hand") if layered else "")


def needs_bones(session: Session) -> str:
    """Bones are selected."""
    return needs_rig(session) or ("" if session.selection.bones else tr("select a bone first"))


def needs_selection(session: Session) -> str:
    """Bones, or sliders of morphs and named curves, are selected."""
    return needs_rig(session) or ("" if session.selection.weights else needs_bones(session))


def needs_keys(session: Session) -> str:
    """Keys are selected."""
    return needs_clip(session) or ("" if session.selection.keys else tr("select keys first"))


def needs_range(session: Session) -> str:
    """A range is set."""
    return needs_clip(session) or ("" if session.playback.range else tr("set a play range first"))


def needs_copied_keys(session: Session) -> str:
    """Keys are on the clipboard."""
    return needs_clip(session) or ("" if session.clipboard.kind == "keys" else tr("copy keys first"))


def needs_loop(session: Session) -> str:
    """The clip loops."""
    clip = session.clip
    return needs_clip(session) or ("" if clip is not None and clip.looping else tr("the clip does not loop"))

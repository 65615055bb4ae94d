"""Selecting, hiding and locking bones."""

from collections.abc import Callable

from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_bones, needs_clip, needs_rig
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools import key_commands


def _flag(flag: str, add: bool) -> Callable[[Session], None]:
    def run(session: Session) -> None:
        old = getattr(session.selection, flag)
        chosen = set(session.selection.bones)
        session.selection.set_flag(flag, old | chosen if add else old - chosen)

    return run


def _show_all(session: Session) -> None:
    for flag in ("hidden", "solo"):
        session.selection.set_flag(flag, ())


def _isolate(session: Session) -> None:
    chosen = frozenset(session.selection.bones)
    session.selection.set_flag("solo", () if session.selection.solo == chosen else chosen)


def _something_hidden(session: Session) -> str:
    return "" if session.selection.hidden or session.selection.solo else tr("no bone is hidden")


def _something_locked(session: Session) -> str:
    return "" if session.selection.locked else tr("no bone is locked")


def actions() -> list[Action]:
    """The actions of the Select menu."""
    menu, view, time = tr("Select"), Scope.VIEW, Scope.TIME
    return [
        Action(
            "select.all", tr("Select all bones"), lambda s: s.selection.select_all(), ("Ctrl+A",), view, menu, "all",
            enabled=needs_rig,
        ),
        Action(
            "select.none", tr("Select none"), lambda s: s.selection.clear(), ("Ctrl+Shift+A",), menu=menu,
            section="all", enabled=needs_rig,
        ),
        Action(
            "select.invert", tr("Invert selection"), lambda s: s.selection.invert(), ("Ctrl+Alt+I",), view, menu, "all",
            enabled=needs_rig,
        ),
        Action(
            "select.parent", tr("Select parent"), lambda s: s.selection.select_parent(), ("[",), menu=menu,
            section="walk", enabled=needs_bones,
        ),
        Action(
            "select.child", tr("Select child"), lambda s: s.selection.select_children(), ("]",), menu=menu,
            section="walk", enabled=needs_bones,
        ),
        Action(
            "select.children", tr("Select children"), lambda s: s.selection.select_children(True), menu=menu,
            section="walk", enabled=needs_bones,
        ),
        Action(
            "select.below", tr("Select hierarchy"), lambda s: s.selection.select_below(), menu=menu,
            section="walk", enabled=needs_bones,
        ),
        Action(
            "select.chain", tr("Select chain"), lambda s: s.selection.select_chain(), menu=menu, section="walk",
            enabled=needs_bones, tip=tr("Select the bones between the first and the last selected, or the limb of one"),
        ),
        Action(
            "select.to_end", tr("Select to the chain's end"), lambda s: s.selection.select_to_end(), ("Ctrl+]",),
            menu=menu, section="walk", enabled=needs_bones,
            tip=tr("Select from the selected bone to the end of its chain; a double click does the same"),
        ),
        Action(
            "select.mirror", tr("Select other side"), lambda s: s.selection.select_mirror(), menu=menu, section="walk",
            enabled=needs_bones,
        ),
        Action(
            "select.all_keys", tr("Select all visible keys"), key_commands.select_all, ("Ctrl+A",), time, menu, "keys",
            enabled=needs_clip,
        ),
        Action(
            "select.keys_here", tr("Select keys at playhead"), key_commands.select_here, (), time, menu, "keys",
            enabled=needs_clip,
        ),
        Action(
            "select.hide", tr("Hide bones"), _flag("hidden", True), ("H",), view, menu, "show",
            icon="mdi6.eye-off-outline", enabled=needs_bones,
        ),
        Action(
            "select.unhide", tr("Show all bones"), _show_all, ("Alt+H",), view, menu, "show",
            icon="mdi6.eye-outline", enabled=_something_hidden,
        ),
        Action(
            "select.isolate", tr("Isolate"), _isolate, ("Shift+H",), view, menu, "show", enabled=needs_bones,
            checked=lambda s: bool(s.selection.solo),
        ),
        Action(
            "select.lock", tr("Lock bones"), _flag("locked", True), (), view, menu, "lock",
            icon="mdi6.lock-outline", enabled=needs_bones, tip=tr("Protect the selected bones from every tool"),
        ),
        Action(
            "select.unlock", tr("Unlock all bones"), lambda s: s.selection.set_flag("locked", ()), (), view,
            menu, "lock", icon="mdi6.lock-open-outline", enabled=_something_locked,
        ),
    ]  # fmt: skip

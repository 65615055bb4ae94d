"""Undo, redo, copy and paste."""

from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_bones, needs_copied_keys, needs_keys, needs_rig
from editor.model import pose_edits
from editor.model.i18n import tr
from editor.model.posing.copied import has_copied
from editor.model.session import Session
from editor.tools import key_commands


def _can_undo(session: Session) -> str:
    return "" if session.history.can_undo else tr("there is nothing to undo")


def _can_redo(session: Session) -> str:
    return "" if session.history.can_redo else tr("there is nothing to redo")


def _has_pose(session: Session) -> str:
    return needs_rig(session) or ("" if has_copied(session) else tr("copy a pose first"))


def actions() -> list[Action]:
    """The actions of the Edit menu."""
    menu, view, time = tr("Edit"), Scope.VIEW, Scope.TIME
    return [
        Action(
            "edit.undo", tr("Undo"), Session.undo, ("Ctrl+Z",), menu=menu, section="history",
            toolbar="main", icon="mdi6.undo", enabled=_can_undo,
        ),
        Action(
            "edit.redo", tr("Redo"), Session.redo, ("Ctrl+Shift+Z", "Ctrl+Y"), menu=menu, section="history",
            toolbar="main", icon="mdi6.redo", enabled=_can_redo,
        ),
        Action(
            "edit.copy_pose", tr("Copy pose"), pose_edits.copy_pose, ("Ctrl+C",), view, menu, "pose",
            icon="mdi6.content-copy", enabled=needs_rig, tip=tr("Copy the pose of the selected bones, or of all"),
        ),
        Action(
            "edit.paste_pose", tr("Paste pose"), pose_edits.paste_pose, ("Ctrl+V",), view, menu, "pose",
            icon="mdi6.content-paste", enabled=_has_pose, tip=tr("Paste a pose to the selected bones, or to all"),
        ),
        Action(
            "edit.reset_pose", tr("Reset to rest pose"), pose_edits.reset_pose, (), view, menu, "pose",
            enabled=needs_bones,
        ),
        Action(
            "keys.copy", tr("Copy keys"), key_commands.copy, ("Ctrl+C",), time, menu, "keys",
            icon="mdi6.content-copy", enabled=needs_keys,
        ),
        Action(
            "keys.paste", tr("Paste keys"), key_commands.paste, ("Ctrl+V",), time, menu, "keys",
            icon="mdi6.content-paste", enabled=needs_copied_keys,
            tip=tr("Paste keys with the first one at the playhead"),
        ),
        Action(
            "keys.paste_mirrored", tr("Paste keys mirrored"), lambda s: key_commands.paste(s, mirror=True),
            ("Ctrl+Shift+V",), time, menu, "keys", enabled=needs_copied_keys,
            tip=tr("Paste keys mirrored onto the bones of the other side"),
        ),
        Action(
            "keys.duplicate", tr("Duplicate keys here"), key_commands.duplicate, ("Ctrl+D",), time, menu,
            "keys", enabled=needs_keys,
        ),
        Action(
            "keys.delete", tr("Delete selected keys"), key_commands.delete, ("Del", "Backspace"), time,
            menu, "keys", icon="mdi6.delete-outline", enabled=needs_keys,
        ),
        Action("edit.preferences", tr("Preferences…"), shortcut=("Ctrl+,",), menu=menu, section="preferences"),
    ]  # fmt: skip

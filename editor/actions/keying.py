"""Keys of poses."""

from collections.abc import Callable

from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_bones, needs_clip, needs_rig, needs_selection
from editor.model.i18n import tr
from editor.model.session import Session


def _has_pending(session: Session) -> str:
    return "" if session.pending else tr("there are no pending changes")


def _all_bones(session: Session) -> tuple[str, ...]:
    rig = session.rig
    return rig.skeleton.names if rig is not None else ()


def _set_all(which: str) -> Callable[[Session], bool]:
    """Key every bone, morph and named curve."""
    return lambda s: s.keying.set_key(_all_bones(s), which, s.keying.weight_channels())


def _toggle_auto(session: Session) -> None:
    session.keying.auto = not session.keying.auto


def _drop(session: Session) -> None:
    if session.keying.drop_pending():
        session.messages.info(tr("Pending changes discarded"))


def actions() -> list[Action]:
    """The actions of the Key menu."""
    menu = tr("Key")
    return [
        Action(
            "key.auto", tr("Auto key"), _toggle_auto, menu=menu, section="auto", toolbar="transport",
            icon="mdi6.record-circle-outline", checked=lambda s: s.keying.auto,
            tip=tr("Key every change immediately. When off, changes stay pending until you key them"),
        ),
        Action(
            "key.set", tr("Set key on selection"), lambda s: s.keying.set_key(None, "used"), ("S",),
            menu=menu, section="set", toolbar="transport", icon="mdi6.key-plus", enabled=needs_rig,
            tip=tr(
                "Key the selected bones as they are (all without a selection): their existing channels, or"
                " translate, rotate and scale where they have none"
            ),
        ),
        Action(
            "key.set_all", tr("Set key on all bones"), _set_all("used"),
            ("Shift+S",), menu=menu, section="set", enabled=needs_rig,
            tip=tr("Key the whole rig as it is: existing channels, or all of a bone that has none"),
        ),
        Action(
            "key.set_changed", tr("Set key on changed channels"), lambda s: s.keying.set_key(None, "changed"),
            menu=menu, section="set", enabled=needs_rig,
            tip=tr("Set changed: key only the channels of the selection that differ from the clip"),
        ),
        Action(
            "key.set_whole", tr("Set key on every channel"), lambda s: s.keying.set_key(None, "all"),
            menu=menu, section="set", enabled=needs_rig,
            tip=tr("Key translate, rotate and scale of the selected bones (of all without a selection)"),
        ),
        Action(
            "key.set_rig", tr("Set key on every channel of all bones"),
            _set_all("all"), menu=menu, section="set", enabled=needs_rig,
        ),
        Action(
            "key.set_existing", tr("Set key on existing channels"),
            lambda s: s.keying.set_key(None, "existing"), menu=menu, section="set", enabled=needs_clip,
        ),
        Action(
            "key.insert", tr("Insert key on the curve"), lambda s: s.keying.insert_key(), menu=menu,
            section="set", enabled=needs_bones, tip=tr("Insert keys at the playhead without changing the "
                                                       "curves' shape"),
        ),
        Action(
            "key.delete", tr("Delete keys at playhead"), lambda s: s.keying.delete_keys(), ("Alt+I",), menu=menu,
            section="delete", icon="mdi6.key-remove", enabled=needs_selection,
        ),
        Action(
            "key.drop_pending", tr("Discard pending changes"), _drop, ("Esc",), Scope.VIEW, menu, "delete",
            enabled=_has_pending,
        ),
    ]  # fmt: skip

"""Virtual bones: helper bones that IK goals can use as their space."""

from editor.actions.action import Action
from editor.actions.reasons import needs_rig
from editor.model.i18n import tr
from editor.model.retarget.state import Retargeting
from editor.model.session import Session


def _needs_bones(session: Session) -> str:
    some = session.feature(Retargeting).virtual.proposed() is not None
    return needs_rig(session) or ("" if some else tr("select the bone to follow, then the parent bone"))


def _needs_one(session: Session) -> str:
    chosen = session.feature(Retargeting).virtual.chosen is not None
    return needs_rig(session) or ("" if chosen else tr("click a virtual bone in the bone tree first"))


def _delete(session: Session) -> None:
    chosen = session.feature(Retargeting).virtual.chosen
    if chosen is not None:
        session.feature(Retargeting).virtual.remove(chosen.name)


def actions() -> list[Action]:
    """Declare them."""
    menu = tr("Retarget") + "/" + tr("Virtual bones")
    return [
        Action(
            "virtual.add", tr("Add virtual bone…"), menu=menu, enabled=_needs_bones,
            tip=tr("A helper under the active bone that follows another bone, such as a goal for the second "
                   "hand on a sword"),
        ),
        Action(
            "virtual.edit", tr("Edit virtual bone…"), menu=menu, enabled=_needs_one,
            tip=tr("Its name, parent, the bone it follows, and the offset"),
        ),
        Action(
            "virtual.delete", tr("Delete virtual bone"), _delete, menu=menu, enabled=_needs_one,
            tip=tr("Not possible while an IK goal or another virtual bone uses it"),
        ),
    ]  # fmt: skip

"""Named bone sets of the rig: what is selected together."""

from dataclasses import replace

from core.clips.edits import checked_name
from core.errors import ValidationError
from core.rig.rig import Rig
from editor.model.i18n import tr
from editor.model.selection import Mode
from editor.model.session import Session


def _rig(session: Session) -> Rig:
    if session.rig is None:
        raise ValidationError(tr("there is no character: open or import one first"))
    return session.rig


def save(session: Session, name: str) -> bool:
    """Keep the selected bones under a name; a set of that name is replaced."""
    rig, wanted = _rig(session), checked_name(name)
    if not session.selection.bones:
        raise ValidationError(tr("select the bones of the set first"))
    bones = tuple(sorted(session.selection.bones, key=rig.skeleton.index))
    return session.edits.put(
        tr("Bone set {name}", name=wanted), replace(rig, bone_sets={**rig.bone_sets, wanted: bones})
    )


def delete(session: Session, name: str) -> bool:
    """Forget a set; its bones stay."""
    rig = _rig(session)
    left = {key: bones for key, bones in rig.bone_sets.items() if key != name}
    return session.edits.put(tr("Delete bone set {name}", name=name), replace(rig, bone_sets=left))


def select(session: Session, name: str, add: bool = False) -> None:
    """Select the bones of a set."""
    bones = _rig(session).bone_sets.get(name)
    if bones is None:
        raise ValidationError(tr("there is no bone set “{name}”", name=name))
    session.selection.select(bones, Mode.ADD if add else Mode.REPLACE)

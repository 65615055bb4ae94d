"""Named bone sets as the Pose panel uses them: kept under a name that may be taken, selected, deleted."""

from core.clips.edits import checked_name
from core.errors import ValidationError
from core.rig.bone_sets import with_set
from editor.model.bone_sets import BoneSets
from editor.model.i18n import tr
from editor.model.selection import Mode
from editor.model.session import Session


def save(session: Session, name: str) -> bool:
    """Keep the selected bones under a name; a set of that name is replaced."""
    if session.rig is None:
        raise ValidationError(tr("there is no character: open or import one first"))
    wanted = checked_name(name)
    if not session.selection.bones:
        raise ValidationError(tr("select the bones of the set first"))
    after = with_set(session.rig, wanted, session.selection.bones)
    return session.edits.put(tr("Bone set {name}", name=wanted), after)


def delete(session: Session, name: str) -> bool:
    """Delete a set; its bones stay."""
    return session.feature(BoneSets).delete(name)


def select(session: Session, name: str, add: bool = False) -> None:
    """Select the bones of a set."""
    session.feature(BoneSets).select(name, Mode.ADD if add else Mode.REPLACE)

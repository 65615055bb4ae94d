"""The copied pose: plain JSON on the system's clipboard, and in a file so that it survives a restart."""

import json
import logging
from pathlib import Path

from core.errors import ValidationError
from core.io.common.atomic import atomic_file
from core.pose.pose import Pose
from core.rig.rig import Rig
from editor.model.clipboard import MAX_TEXT, PastedPose, pose_to_text, text_to_pose
from editor.model.i18n import tr, trn
from editor.model.posing.state import PosingState
from editor.model.session import Session

logger = logging.getLogger(__name__)


def _file(session: Session) -> Path:
    return session.preferences.path.with_name("copied-pose.json")


def copy(session: Session, rig: Rig, pose: Pose, bones: tuple[str, ...]) -> None:
    """Put a pose of some bones on the clipboard and in the file."""
    text = pose_to_text(rig, pose, bones)
    session.clipboard.text = text
    try:
        _file(session).parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(_file(session)) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        logger.warning("the copied pose could not be kept: %s", error)
    session.feature(PosingState).changed.emit(None)


def copied_text(session: Session) -> str:
    """The pose on the clipboard, else the one copied last, also before the last restart; "" without any."""
    if session.clipboard.kind == "pose":
        return session.clipboard.text
    try:
        file = _file(session)
        if not file.is_file() or file.stat().st_size > MAX_TEXT:
            return ""
        text = file.read_text("utf-8")
        return text if json.loads(text).get("posewright") == "pose" else ""
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""


def has_copied(session: Session) -> bool:
    """Whether there is a pose to paste; cheap enough to ask for every menu."""
    return session.clipboard.kind == "pose" or _file(session).is_file()


def copied_over(session: Session, rig: Rig, base: Pose) -> PastedPose:
    """The copied pose laid over another; raises `ValidationError` where none was copied."""
    text = copied_text(session)
    if not text:
        raise ValidationError(tr("no pose has been copied: copy one first"))
    return text_to_pose(text, rig, base)


def report(found: PastedPose) -> str:
    """How well it fits, such as ``52 of 65 bones, missing: tail, wing_l``."""
    text = trn("{found} of {count} bone", "{found} of {count} bones", found.total, found=len(found.bones))
    if found.missing:
        names = ", ".join(found.missing[:5]) + (" …" if len(found.missing) > 5 else "")
        text += tr(", missing: {names}", names=names)
    return text

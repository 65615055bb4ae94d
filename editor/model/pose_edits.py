"""What can be done with the pose shown, through the keying that is in force: see `editor.model.posing`."""

from editor.model.posing.verbs import copy_pose, paste_pose, reset_parts
from editor.model.session import Session

__all__ = ["copy_pose", "paste_pose", "reset_pose"]


def reset_pose(session: Session) -> None:
    """Put the selected bones (all without a selection) into the rest pose."""
    reset_parts(session)

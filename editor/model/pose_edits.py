"""What can be done with the pose shown, through the keying that is in force."""

from core.pose.pose import rest_pose
from editor.model.clipboard import pose_to_text, text_to_pose
from editor.model.i18n import tr
from editor.model.session import Session


def copy_pose(session: Session) -> None:
    """Put the pose of the selected bones (of all without a selection) on the clipboard."""
    rig = session.rig
    if rig is None:
        return
    bones = session.selection.bones or rig.skeleton.names
    session.clipboard.text = pose_to_text(rig, session.evaluator.pose(), bones)
    session.messages.info(tr("Copied the pose of {count} bones", count=len(bones)))


def paste_pose(session: Session) -> None:
    """Lay the clipboard's pose over the selected bones (all without a selection); says how well it fits.

    Raises
    ------
    ValidationError
        The clipboard holds no pose.
    """
    rig = session.rig
    if rig is None:
        return
    now = session.evaluator.pose()
    found = text_to_pose(session.clipboard.text, rig, now)
    chosen = [b for b in found.bones if not session.selection.bones or b in session.selection.bones]
    report = tr("{found} of {total} bones", found=len(found.bones), total=found.total)
    if found.missing:
        report += tr(
            ", missing: {names}",
            names=", ".join(found.missing[:5]) + (" …" if len(found.missing) > 5 else ""),
        )
    if not chosen:
        session.messages.warn(tr("Nothing pasted: {report}, none of them selected", report=report))
        return
    session.keying.commit_pose(
        tr("Paste pose @ f{frame:.5g}", frame=session.playback.frame), found.pose, chosen
    )
    say = session.messages.warn if found.missing else session.messages.info
    say(tr("Pasted {report}", report=report))


def reset_pose(session: Session) -> None:
    """Put the selected bones (all without a selection) into the rest pose."""
    rig = session.rig
    if rig is not None:
        bones = session.selection.bones or rig.skeleton.names
        label = tr("Rest pose @ f{frame:.5g}", frame=session.playback.frame)
        session.keying.commit_pose(label, rest_pose(rig), bones)

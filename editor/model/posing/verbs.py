"""PoseHelper's verbs on the pose shown: paste, mirror, reset; one undo step each, through the keying in force."""

from collections.abc import Collection, Iterable

from core.clips.mirror import mirrored_clip, mirrored_range
from core.clips.mirror_keys import mirrored_keys
from core.clips.root_motion import root_bone
from core.errors import ValidationError
from core.ids import AssetId
from core.pose.edits import PARTS, overlaid, reset
from core.pose.mirror import MirrorWay, mirror_map, mirror_pose
from core.pose.pose import Pose
from core.progress import Progress, counted
from core.rig.rig import Rig
from core.timing import frame_text
from editor.model.edit_jobs import Made
from editor.model.i18n import tr, trn
from editor.model.posing.copied import copied_over, copy, report
from editor.model.selection import mirrored as twin_of
from editor.model.session import Session

WAYS = {
    MirrorWay.SWAP: "Mirror",
    MirrorWay.LEFT_TO_RIGHT: "Mirror left to right",
    MirrorWay.RIGHT_TO_LEFT: "Mirror right to left",
}


def acting(session: Session, rig: Rig) -> tuple[str, ...]:
    """Bones that a verb works on: the selection, all without one."""
    return session.selection.bones or rig.skeleton.names


def travelling(session: Session, rig: Rig) -> frozenset[str]:
    """The bone whose motion moves the character, where it is not selected on purpose.

    A pose from another time must not throw the character back to where it was then.
    """
    clip = session.evaluator.layered_clip
    if clip is None or not clip.root_motion.enabled:
        return frozenset()
    bone = root_bone(rig.skeleton, clip.root_motion)
    name = None if bone is None else rig.skeleton.names[bone]
    return frozenset() if name is None or name in session.selection.bones else frozenset((name,))


def unlocked(session: Session, bones: Iterable[str]) -> tuple[str, ...]:
    """The bones that are not locked."""
    return tuple(bone for bone in bones if bone not in session.selection.locked)


def at_frame(session: Session, what: str) -> str:
    """Name of an undo step that belongs to a frame."""
    return tr("{what} @ f{frame}", what=what, frame=frame_text(session.playback.frame))


def both_sides(rig: Rig, bones: Iterable[str]) -> tuple[str, ...]:
    """Bones and what mirrors to them."""
    return tuple(dict.fromkeys(name for bone in bones for name in (bone, twin_of(rig, bone) or bone)))


def require_mirror(rig: Rig) -> None:
    """Raise `ValidationError` where the rig has no mirror lists yet."""
    if not rig.mirror.pairs and not rig.mirror.axis_bones:
        raise ValidationError(tr("“{name}” has no mirror pairs yet: open the Mirror panel", name=rig.name))


# ---------------------------------------------------------------- copy and paste


def copy_pose(session: Session) -> None:
    """Copy the pose of the selected bones (of all without a selection)."""
    rig = session.rig
    if rig is not None:
        bones = acting(session, rig)
        copy(session, rig, session.evaluator.pose(), bones)
        session.messages.info(
            trn("Copied the pose of {count} bone", "Copied the pose of {count} bones", len(bones))
        )


def paste_pose(session: Session) -> bool:
    """Lay the copied pose over the selected bones (all without a selection); says how well it fits.

    Raises
    ------
    ValidationError
        No pose has been copied, or the clipboard holds one that cannot be read.
    """
    rig = session.rig
    if rig is None:
        return False
    found = copied_over(session, rig, session.evaluator.pose())
    still = travelling(session, rig)
    chosen = [b for b in found.bones if not session.selection.bones or b in session.selection.bones]
    chosen = [b for b in chosen if b not in still]
    if not chosen:
        session.messages.warn(
            tr("Nothing pasted: {report}, none of them selected", report=report(found)),
            tr("Select other bones, or none for all"),
        )
        return False
    done = session.keying.commit_pose(at_frame(session, tr("Paste pose")), found.pose, chosen)
    say = session.messages.warn if found.missing else session.messages.info
    say(tr("Pasted {report}", report=report(found)))
    return done


def paste_mirrored(session: Session) -> bool:
    """Paste the copied pose onto the other side: what was copied of a right hand goes to the left one.

    With a selection, only bones that are selected, or whose other side is.
    """
    rig = session.rig
    if rig is None:
        return False
    require_mirror(rig)
    now = session.evaluator.pose()
    found = copied_over(session, rig, now)
    listed = {*rig.mirror.axis_bones, *(name for pair in rig.mirror.pairs for name in pair)}
    still = travelling(session, rig)
    goals = [twin_of(rig, bone) or bone for bone in found.bones if bone in listed and bone not in still]
    chosen = set(session.selection.bones)
    if chosen:
        goals = [bone for bone in goals if bone in chosen or twin_of(rig, bone) in chosen]
    if not goals:
        session.messages.warn(
            tr(
                "Nothing pasted: {report}, none of them on the mirror lists or selected", report=report(found)
            ),
            tr("Select other bones, or add pairs in the Mirror panel"),
        )
        return False
    # The whole pose is mirrored, so that a hand keeps its own shape whatever the arm above it does.
    whole = mirror_pose(rig, found.pose)
    done = session.keying.commit_pose(
        at_frame(session, tr("Paste mirrored")), overlaid(now, whole, rig.skeleton, goals), goals
    )
    say = session.messages.warn if found.missing else session.messages.info
    say(tr("Pasted mirrored: {report}", report=report(found)))
    return done


# ---------------------------------------------------------------- mirror


def mirror(session: Session, way: MirrorWay = MirrorWay.SWAP) -> bool:
    """Mirror the pose of the selected bones and their other sides (of all without a selection)."""
    rig = session.rig
    if rig is None:
        return False
    require_mirror(rig)
    chosen = both_sides(rig, session.selection.bones) if session.selection.bones else None
    pose = mirror_pose(rig, session.evaluator.pose(), way, chosen)
    bones = [
        b for b, s in zip(rig.skeleton.names, mirror_map(rig, way, chosen).source, strict=True) if s >= 0
    ]
    return session.keying.commit_pose(at_frame(session, tr(WAYS[way])), pose, bones)


def _clip_bones(session: Session, rig: Rig) -> tuple[str, ...] | None:
    """Bones that mirroring a clip may change; None is all."""
    chosen = both_sides(rig, session.selection.bones) if session.selection.bones else None
    if not session.selection.locked:
        return chosen
    session.messages.warn(tr("Locked bones were not changed"), tr("Unlock them in the bone tree"))
    return unlocked(session, chosen or rig.skeleton.names)


def mirror_keys(session: Session, way: MirrorWay = MirrorWay.SWAP) -> bool:
    """Set keys on the other side where selected keys stand, with the mirrored values."""
    rig, clip = session.rig, session.clip
    if rig is None or clip is None:
        return False
    require_mirror(rig)
    keys = {
        channel: clip.tracks[channel].times[places[places < len(clip.tracks[channel])]]
        for channel, places in session.selection.keys.items()
        if channel in clip.tracks
    }
    if not any(len(times) for times in keys.values()):
        raise ValidationError(tr("no keys are selected: select some in the timeline"))
    locked = session.selection.locked
    keys = {c: t for c, t in keys.items() if (twin_of(rig, c.bone) or c.bone) not in locked}
    count = sum(len(times) for times in keys.values())
    label = trn("{what}: {count} key", "{what}: {count} keys", count, what=tr(WAYS[way]))
    return session.edit_jobs.run(label, lambda _: Made(label, (mirrored_keys(rig, clip, keys, way),)))


def mirror_range(session: Session, way: MirrorWay = MirrorWay.SWAP) -> bool:
    """Mirror the clip within the play range."""
    rig, clip, span = session.rig, session.clip, session.playback.range
    if rig is None or clip is None:
        return False
    require_mirror(rig)
    if span is None:
        raise ValidationError(tr("no play range is set: drag one on the ruler"))
    bones = _clip_bones(session, rig)
    ends = f"f{frame_text(clip.rate.to_frame(span[0]))}–f{frame_text(clip.rate.to_frame(span[1]))}"
    label = tr("{what} {range}", what=tr(WAYS[way]), range=ends)
    return session.edit_jobs.run(
        label, lambda _: Made(label, (mirrored_range(rig, clip, *span, way, bones),))
    )


def mirror_clips(
    session: Session,
    clips: Collection[AssetId] | None = None,
    way: MirrorWay = MirrorWay.SWAP,
    half_cycle: bool = False,
) -> bool:
    """Mirror whole clips (the one shown by default) in one step.

    Parameters
    ----------
    clips : ids; clips of other rigs are left out
    half_cycle : begin half a cycle later, for clips that loop
    """
    rig = session.rig
    if rig is None:
        return False
    require_mirror(rig)
    wanted = {session.playback.clip} if clips is None else set(clips)
    chosen = [clip for clip in session.document.project.clips_of(rig.id) if clip.id in wanted]
    if not chosen:
        raise ValidationError(tr("there is no clip to mirror: create or select one first"))
    bones = _clip_bones(session, rig)
    still = [clip.name for clip in chosen if half_cycle and not clip.looping]
    if still:
        session.messages.warn(
            tr("Not shifted because they do not loop: {names}", names=", ".join(still)),
            tr("Turn on looping for them first"),
        )
    name = chosen[0].name if len(chosen) == 1 else trn("{count} clip", "{count} clips", len(chosen))
    label = tr("{what} {name}", what=tr(WAYS[way]), name=name)

    def work(progress: Progress) -> Made:
        made = [
            mirrored_clip(rig, clip, way, bones, half_cycle and clip.looping)
            for clip in counted(chosen, tr("mirroring"))
        ]
        return Made(label, tuple(made))

    return session.edit_jobs.run(label, work)


def live_mirrored(session: Session, pose: Pose, bones: tuple[str, ...]) -> tuple[Pose, tuple[str, ...]]:
    """While live mirror is on: a pose in which what was done to bones is done to their other sides too.

    Returns
    -------
    pose, bones
        The pose, and the bones that it changes; both as they were where live mirror is off.
    """
    rig = session.rig
    if rig is None or not session.switches["live_mirror"]:
        return pose, bones
    twins = [twin_of(rig, bone) for bone in bones]
    others = unlocked(session, [twin for twin in twins if twin is not None and twin not in bones])
    return (mirror_pose(rig, pose, MirrorWay.SWAP, others), (*bones, *others)) if others else (pose, bones)


def with_live_twins(session: Session, bones: Iterable[str]) -> tuple[str, ...]:
    """Bones, and while live mirror is on their other sides too."""
    rig, names = session.rig, tuple(bones)
    return names if rig is None or not session.switches["live_mirror"] else both_sides(rig, names)


# ---------------------------------------------------------------- rest


def reset_parts(session: Session, parts: Collection[str] = PARTS) -> bool:
    """Put translation, rotation or scale of the selected bones (all without a selection) as at rest."""
    rig = session.rig
    if rig is None:
        return False
    bones = acting(session, rig)
    pose = reset(rig, session.evaluator.pose(), bones, parts)
    what = tr("Rest pose") if len(parts) == len(PARTS) else tr("Reset {parts}", parts=", ".join(parts))
    return session.keying.commit_pose(at_frame(session, what), pose, bones)

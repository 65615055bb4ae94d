"""The pose library and pose assets of the document: kept, changed and used, one undo step each."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.clips import keying
from core.clips.clip import Channel, Clip
from core.clips.edits import checked_name, new_clip, unique_name
from core.clips.evaluator import ClipEvaluator, rest_degrees
from core.errors import ValidationError
from core.ids import AssetId, new_id
from core.pose.library import LibraryPose, PoseAsset, apply_asset, taken_pose, target_of
from core.pose.pose import Pose, rest_pose
from core.progress import Progress, counted
from core.rig.rig import Rig
from core.timing import frame_text
from core.tracks import edits
from core.tracks.keys import Track
from editor.model.commands import ViewState
from editor.model.edit_jobs import Made
from editor.model.i18n import tr, trn
from editor.model.posing.state import PosingState
from editor.model.posing.verbs import acting
from editor.model.session import Session


def poses_of(session: Session, words: str = "") -> tuple[LibraryPose, ...]:
    """Library poses of the rig shown whose name or tags hold every word, in any order."""
    rig = session.rig
    if rig is None:
        return ()
    wanted = words.casefold().split()

    def fits(pose: LibraryPose) -> bool:
        text = " ".join((pose.name, *pose.tags)).casefold()
        return all(word.removeprefix("#") in text for word in wanted)

    found = session.document.project.all(LibraryPose)
    return tuple(pose for pose in found if pose.rig == rig.id and fits(pose))


def tags_of(session: Session) -> tuple[str, ...]:
    """Every tag in use, sorted."""
    return tuple(
        sorted(
            {tag for pose in poses_of(session) for tag in pose.tags}, key=lambda tag: (tag.casefold(), tag)
        )
    )


def assets_of(session: Session) -> tuple[PoseAsset, ...]:
    """Pose assets of the rig shown."""
    rig = session.rig
    found = session.document.project.all(PoseAsset)
    return tuple(asset for asset in found if rig is not None and asset.rig == rig.id)


BAKE_PASSES = 5


def _rig(session: Session) -> Rig:
    rig = session.rig
    if rig is None:
        raise ValidationError(tr("there is no character: open or import one first"))
    return rig


def _pose(session: Session, id: AssetId) -> LibraryPose:
    return session.document.project.get(LibraryPose, id)


# ---------------------------------------------------------------- the library


def save_pose(session: Session, name: str | None = None, tags: Sequence[str] = ()) -> AssetId:
    """Keep the pose shown, of the selected bones (of all without a selection), and choose it."""
    rig = _rig(session)
    taken = [pose.name for pose in poses_of(session)]
    chosen = unique_name(checked_name(name) if name is not None else tr("pose"), taken)
    pose = taken_pose(rig, session.evaluator.pose(), new_id("pose"), chosen, acting(session, rig), tags)
    session.edits.put(tr("Save pose {name}", name=chosen), pose)
    session.feature(PosingState).choose(pose.id)
    return pose.id


def update_pose(session: Session, id: AssetId) -> bool:
    """Put the pose shown in the place of a library pose: same name, tags and bones."""
    rig, old = _rig(session), _pose(session, id)
    held = old.held(rig.skeleton)
    fresh = taken_pose(rig, session.evaluator.pose(), old.id, old.name, held, old.tags)
    return session.edits.put(tr("Update pose {name}", name=old.name), fresh)


def rename_pose(session: Session, id: AssetId, name: str) -> bool:
    """Give a library pose another name; raises `ValidationError` for one that is taken or empty."""
    old, wanted = _pose(session, id), checked_name(name)
    if wanted == old.name:
        return False
    if any(pose.name == wanted for pose in poses_of(session)):
        raise ValidationError(tr("there is already a pose named “{name}”: choose another name", name=wanted))
    return session.edits.put(tr("Rename pose {name}", name=old.name), replace(old, name=wanted))


def tag_pose(session: Session, id: AssetId, tags: Sequence[str]) -> bool:
    """Give a library pose other tags."""
    old = _pose(session, id)
    new = tuple(dict.fromkeys(tag.strip().lstrip("#") for tag in tags if tag.strip().lstrip("#")))
    return new != old.tags and session.edits.put(tr("Tag pose {name}", name=old.name), replace(old, tags=new))


def delete_poses(session: Session, ids: Sequence[AssetId]) -> bool:
    """Take poses out of the library."""
    names = [_pose(session, id).name for id in ids]
    if not names:
        return False
    what = names[0] if len(names) == 1 else trn("{count} pose", "{count} poses", len(names))
    done = session.edits.remove(tr("Delete pose {what}", what=what), *ids)
    session.feature(PosingState).choose(*(id for id in session.feature(PosingState).poses if id not in ids))
    return done


def clip_from_poses(
    session: Session, ids: Sequence[AssetId], spacing: float = 10.0, name: str | None = None
) -> AssetId:
    """A new clip with library poses as keys, `spacing` frames apart, and show it."""
    rig = _rig(session)
    poses = [_pose(session, id) for id in ids]
    if not poses:
        raise ValidationError(tr("select poses in the library first (Ctrl or Shift and click)"))
    if not (np.isfinite(spacing) and spacing > 0.0):
        raise ValidationError(tr("spacing: expected more than 0 frames, got {spacing}", spacing=spacing))
    rate = session.playback.rate
    step = spacing / rate.fps
    taken = [clip.name for clip in session.document.project.clips]
    clip = new_clip(rig, unique_name(name or poses[0].name, taken), max(step * (len(poses) - 1), step), rate)
    for number, pose in enumerate(poses):
        whole = pose.over(rig.skeleton, rest_pose(rig))
        clip = keying.key_pose(
            clip, rig, number * step, whole, _moved(rig, poses), session.keying.tolerance, keying.KeyWhich.ALL
        )
    clip = _without_idle(rig, clip)
    label = trn("New clip from {count} pose", "New clip from {count} poses", len(poses))
    session.edits.put(label, clip, view_after=ViewState(rig.id, clip.id, 0.0))
    session.playback.set_clip(clip.id)
    session.playback.seek(0.0)
    return clip.id


def _moved(rig: Rig, poses: Sequence[LibraryPose]) -> tuple[str, ...]:
    held = {bone for pose in poses for bone in pose.held(rig.skeleton)}
    return tuple(name for name in rig.skeleton.names if name in held)


def _without_idle(rig: Rig, clip: Clip) -> Clip:
    """The clip without tracks that hold their rest value throughout."""
    idle: dict[Channel, Track | None] = {}
    for channel, track in clip.tracks.items():
        bone = rig.skeleton.index(channel.bone)
        if channel.axis > 2:
            rest = rig.skeleton.rest.rotation[bone]
        elif channel.property == 1:
            rest = rest_degrees(rig.skeleton, bone)[channel.axis]
        else:
            rest = rig.skeleton.rest[channel.property][bone][channel.axis]
        if np.abs(track.values - rest).max() < 1e-9:
            idle[channel] = None
    return clip.with_tracks(idle)


# ---------------------------------------------------------------- pose assets


def make_asset(session: Session, ids: Sequence[AssetId], name: str | None = None) -> AssetId:
    """A pose asset of library poses, each as its difference from rest."""
    rig = _rig(session)
    poses = [_pose(session, id) for id in ids]
    if not poses:
        raise ValidationError(tr("select poses in the library first (Ctrl or Shift and click)"))
    taken = [asset.name for asset in assets_of(session)]
    asset = PoseAsset(
        new_id("pose-asset"), unique_name(name or tr("pose asset"), taken), rig.id,
        tuple(target_of(rig, pose) for pose in poses),
    )  # fmt: skip
    session.edits.put(tr("New pose asset {name}", name=asset.name), asset)
    return asset.id


def delete_asset(session: Session, id: AssetId) -> bool:
    """Take a pose asset out of the document; curves of its names stay in the clips."""
    name = session.document.project.get(PoseAsset, id).name
    return session.edits.remove(tr("Delete pose asset {name}", name=name), id)


def weight_now(session: Session, target: str) -> float:
    """The weight of a pose at the current time: the value of the float curve of its name, 0 without one."""
    if session.rig is None:
        return 0.0
    return float(session.evaluator.sampled_pose().curves.get(target, 0.0))


class WeightDrag:
    """One drag of a pose's weight: the float curve of its name gets a key at the current time."""

    def __init__(self, session: Session, target: str) -> None:
        clip = session.clip
        if clip is None:
            raise ValidationError(tr("a weight is a curve of a clip: create or select a clip first"))
        self._session, self._target, self._clip = session, target, clip
        self._made: Clip | None = None
        session.playback.pause()

    def move(self, weight: float) -> None:
        """Show another weight."""
        loop = keying.loop_length(self._clip)
        old = self._clip.curves.get(self._target)
        if old is None:
            start = edits.set_value(None, 0.0, 0.0) if self._session.playback.time > 1e-5 else None
            old = start
        track = edits.set_value(old, self._session.playback.time, float(weight), loop)
        self._made = replace(self._clip, curves={**self._clip.curves, self._target: track})
        self._session.preview.set_clip(self._made)

    def finish(self) -> bool:
        """Keep it, as one step."""
        done = False
        if self._made is not None:
            frame = frame_text(self._session.playback.frame)
            label = tr("Weight of {name} @ f{frame}", name=self._target, frame=frame)
            done = self._session.edits.put(label, self._made)
        self._session.preview.clear()
        return done

    def cancel(self) -> None:
        """Take it back."""
        self._session.preview.clear()


def bake_asset(session: Session, id: AssetId) -> bool:
    """Turn what a pose asset's curves do to the clip shown into keys, frame by frame, and drop those curves."""
    rig, clip = _rig(session), session.clip
    asset = session.document.project.get(PoseAsset, id)
    driving = [t.name for t in asset.targets if clip is not None and t.name in clip.curves]
    if clip is None or not driving:
        raise ValidationError(tr("this clip has no curve named after one of these poses"))
    moved = tuple(dict.fromkeys(b for t in asset.targets if t.name in driving for b in t.bones))
    moved = tuple(bone for bone in moved if rig.skeleton.find(bone) is not None)
    held = [bone for bone in moved if bone in session.selection.locked]
    if held:
        raise ValidationError(tr("{bone} is locked: unlock it in the bone tree", bone=held[0]))
    count = int(np.floor(clip.frames + 1e-6)) + 1
    times = np.array([clip.rate.to_seconds(frame) for frame in range(count)])
    if session.evaluator.pipeline is None:
        return False
    tolerance, label = session.keying.tolerance, tr("Bake {name} into keys", name=asset.name)

    def work(progress: Progress) -> Made:
        batch, made = ClipEvaluator(rig, clip).sample_many(times, wrap=False), clip
        goals: list[Pose] = []
        for number in counted(range(len(times)), tr("posing")):
            pose = batch.pose(number)
            goals.append(apply_asset(rig.skeleton, pose, asset, pose.curves))
        for _ in range(BAKE_PASSES):  # a key bends its neighbours' segments, so look again
            before = made
            for time, goal in counted(list(zip(times, goals, strict=True)), tr("baking")):
                made = keying.key_pose(made, rig, float(time), goal, moved, tolerance)
            if made is before:
                break
        kept = {n: t for n, t in made.curves.items() if n not in driving}
        return Made(label, (replace(made, curves=kept),))

    return session.edit_jobs.run(label, work)

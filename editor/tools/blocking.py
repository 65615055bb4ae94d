"""Blocking: key types, the spline pass, and whole poses held, swapped and retimed. Free of Qt; each one undo step."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from core.clips.channels import track_of
from core.clips.clip import Channel, Clip
from core.clips.key_types import keys_of, with_key_type
from core.clips.new_keys import MODES, NewTangents
from core.clips.poses import (
    held_time,
    keys_at_pose,
    poses_of,
    with_pose_copied,
    with_poses_at,
    with_poses_swapped,
)
from core.clips.spline_pass import splined
from core.errors import ValidationError
from core.ik.stance import PlantedFeet, spans_of, with_planted_feet
from core.progress import Progress
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, frame_text
from core.tracks.key_types import KeyType
from core.tracks.keys import TangentMode
from editor.model import new_keys
from editor.model.edit_jobs import Made
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.model.tangent_modes import MODES as LOOKS
from editor.tools import key_commands, key_edits, timing
from editor.tools.key_edits import Edited

TITLES: Mapping[KeyType, str] = {
    KeyType.KEY: tr("Key"),
    KeyType.BREAKDOWN: tr("Breakdown"),
    KeyType.INBETWEEN: tr("In-between"),
    KeyType.EXTREME: tr("Extreme"),
    KeyType.HOLD: tr("Hold"),
}


# ---------------------------------------------------------------- types
def set_type(session: Session, kind: KeyType) -> bool:
    """Give the selected keys a type; without any, the keys of the selected bones at the playhead."""
    clip, keys, selected = timing.keys_in_hand(session)
    count = key_edits.count(keys)
    label = trn(
        "Key type {what}: {count} key", "Key type {what}: {count} keys", count, what=TITLES[kind].lower()
    )
    new = with_key_type(clip, keys, kind)
    if new is clip:
        session.messages.info(tr("These keys are of this type already"))
        return False
    if selected:
        return key_commands.commit(session, label, Edited(new, keys))
    return session.edits.put(label, new)


def select_type(session: Session, kind: KeyType) -> int:
    """Select the keys of a type: of the selected bones, and of everything without a selection; how many."""
    clip = session.clip
    if clip is None:
        return 0
    keys = keys_of(clip, key_commands.shown_channels(session), [kind])
    session.selection.select_keys(keys)
    count = key_edits.count(keys)
    if not count:
        session.messages.info(tr("There are no keys of the type {what} here", what=TITLES[kind].lower()))
    return count


# ---------------------------------------------------------------- tangents
def spline_mode(session: Session) -> TangentMode:
    """What a spline pass gives: the tangents of new keys, clamped where these step or follow the curve."""
    mode = MODES.get(new_keys.chosen(session.preferences), TangentMode.CLAMPED)
    return TangentMode.CLAMPED if mode == TangentMode.STEPPED else mode


PLANT = "plant_feet"
"""Preference: whether a spline pass keeps planted feet where they are."""


def plants(session: Session) -> bool:
    """Whether a spline pass keeps planted feet where they are."""
    return bool(session.preferences.get(PLANT))


def toggle_plants(session: Session) -> None:
    """Let a spline pass keep planted feet, or not; remembered."""
    session.preferences.set(PLANT, not plants(session))


def spline(session: Session, mode: TangentMode | None = None) -> bool:
    """Turn stepped keys to tangents, over the selected keys, else the play range, else the clip.

    Without selected keys only those of the selected bones turn; those of all bones where none is selected.

    Feet that stand still from pose to pose are kept there (`plants`).

    Parameters
    ----------
    mode : None is `spline_mode`; `STEPPED` turns keys back to steps
    """
    clip = session.clip
    if clip is None:
        return False
    chosen = spline_mode(session) if mode is None else mode
    channels, span = timing.channels_to_work_on(session), timing.bake_span(session)
    whole = span[0] <= TIME_EPSILON and span[1] >= clip.length - TIME_EPSILON
    label = tr("Spline pass: {what}", what=LOOKS[chosen].title.lower())
    if chosen == TangentMode.STEPPED:
        label = tr("Back to stepped keys")
    held = _held_by(session, clip, channels) if plants(session) and chosen != TangentMode.STEPPED else None

    def work(progress: Progress) -> Made:
        new = splined(clip, channels, None if whole else span, chosen)
        if new is clip:
            return Made(label, (), None, _why_not(clip, channels, span, chosen))
        if held is None:
            return Made(label, (new,), None, *_share(clip, channels))
        done = with_planted_feet(held[0], new, None if whole else span, held[1])
        notes = zip(_share(clip, channels), _told(done), strict=True)
        said, advice = (". ".join(filter(None, parts)) for parts in notes)
        return Made(label, (done.clip,), None, said, advice)

    return session.edit_jobs.run(label, work)


def _share(clip: Clip, channels: Iterable[Channel]) -> tuple[str, str]:
    """What to say and to do where a spline pass leaves keyed bones out; two empty texts where it works on all."""
    every = {channel.bone for channel in clip.tracks if channel.is_bone}
    done = {channel.bone for channel in channels if channel.is_bone} & every
    if len(done) >= len(every):
        return "", ""
    said = trn(
        "Only {count} of {all} keyed bones", "Only {count} of {all} keyed bones", len(done), all=len(every)
    )
    return said, tr("Select no key and no bone, or all bones, for the whole clip")


def _why_not(clip: Clip, channels: Iterable[Channel], span: tuple[float, float], mode: TangentMode) -> str:
    """Why a spline pass changes nothing."""
    if mode == TangentMode.STEPPED:
        return tr("All keys in the range are stepped already")
    tracks = [track for channel in channels if (track := track_of(clip, channel)) is not None]
    if all(len(track) < 2 for track in tracks):
        return tr("Nothing to spline: there is one key only. Set a second pose first")
    inside = [
        np.count_nonzero((t.times > span[0] - TIME_EPSILON) & (t.times < span[1] + TIME_EPSILON))
        for t in tracks
    ]
    if max(inside, default=0) < 2:
        return tr("Nothing to spline: the range holds no two keys. Widen the range or the selection of keys")
    return tr("Nothing to spline: no key in the range is stepped")


def _held_by(session: Session, clip: Clip, channels: Iterable[Channel]) -> tuple[Rig, frozenset[str]] | None:
    """The character whose feet are kept, and bones that stay; None where the clip is laid over another one."""
    rig, chosen = session.rig, set(channels)
    if rig is None or clip.additive is not None or session.playback.below is not None:
        return None
    others = {channel.bone for channel in clip.tracks if channel not in chosen}
    return rig, frozenset(others | session.selection.locked)


def _told(done: PlantedFeet) -> tuple[str, str]:
    """What to say about planted feet, and what to do about it."""
    count = sum(spans_of(done.stances).values())
    if not count:
        return "", ""
    said = trn("Feet planted over {count} stretch", "Feet planted over {count} stretches", count)
    if done.residual < FAR:
        return said, ""
    return said + tr(", {far} mm out of reach", far=f"{done.residual * 1e3:.0f}"), tr(
        "Lower the hips in the poses beside it"
    )


FAR = 1e-3
"""Metres that a foot may be out of reach without a word."""


def plant_feet(session: Session) -> bool:
    """Keep feet that stand still from pose to pose where they are, over the play range or the clip."""
    clip = session.clip
    if clip is None:
        return False
    found = _held_by(session, clip, list(clip.tracks))
    if found is None:
        raise ValidationError(tr("feet are planted in the clip itself: go back to the clip first"))
    rig, still = found
    span = timing.bake_span(session)
    whole = span[0] <= TIME_EPSILON and span[1] >= clip.length - TIME_EPSILON
    label = tr("Plant feet")
    within = ""
    if not whole:
        within = (
            tr("Only the span of the selected keys was looked at: select no keys for the whole clip")
            if key_edits.count(session.selection.keys) > 1
            else tr("Only the play range was looked at: clear it for the whole clip")
        )

    def work(progress: Progress) -> Made:
        done = with_planted_feet(rig, clip, None if whole else span, still)
        if done.clip is clip:
            return Made(
                label, (), None, tr("No foot stands still on the ground from one pose to the next"), within
            )
        return Made(label, (done.clip,), None, *_told(done))

    return session.edit_jobs.run(label, work)


def choose_tangents(session: Session, choice: NewTangents) -> None:
    """Let new keys have these tangents."""
    new_keys.choose(session.preferences, choice)


def next_tangents(session: Session) -> None:
    """Choose the next tangents of new keys, and say which."""
    found = new_keys.next_choice(session.preferences)
    session.messages.info(tr("New keys: {what}", what=new_keys.TITLES[found].lower()))


# ---------------------------------------------------------------- poses
def pose_here(session: Session) -> float:
    """Time of the pose that is held at the playhead.

    Raises
    ------
    ValidationError
        The clip has no poses.
    """
    clip = session.clip
    times = poses_of(clip).times if clip is not None else np.zeros(0)
    if not len(times):
        raise ValidationError(tr("the clip has no poses yet: pose the character and set keys"))
    return held_time(times, session.playback.time)


def select_pose(session: Session, time: float) -> None:
    """Go to a pose and select its keys."""
    clip = session.clip
    session.playback.pause()
    session.playback.seek(time)
    if clip is not None:
        session.selection.select_keys(keys_at_pose(clip, time, None, session.selection.locked))


def hold_pose(session: Session) -> bool:
    """Copy the pose that comes before the playhead to the playhead, as a hold."""
    clip, time = session.clip, session.playback.time
    times = poses_of(clip).times if clip is not None else np.zeros(0)
    before = times[times < time - TIME_EPSILON]
    if clip is None or not len(before):
        raise ValidationError(tr("no pose comes before the playhead: move it later"))
    label = tr("Hold pose to f{frame}", frame=frame_text(clip.rate.to_frame(time)))
    return _pose_edit(
        session, label, lambda c: with_pose_copied(c, float(before[-1]), time, KeyType.HOLD, _still(session))
    )


def copy_pose(session: Session, source: float, goal: float) -> bool:
    """Put a pose's keys at another time too."""
    rate = session.playback.rate
    label = tr(
        "Copy pose f{frame} to f{goal}",
        frame=frame_text(rate.to_frame(source)),
        goal=frame_text(rate.to_frame(goal)),
    )
    return _pose_edit(session, label, lambda c: with_pose_copied(c, source, goal, None, _still(session)))


def swap_poses(session: Session, first: float, second: float) -> bool:
    """Let two poses change places."""
    rate = session.playback.rate
    label = tr(
        "Swap poses f{frame} and f{goal}",
        frame=frame_text(rate.to_frame(first)), goal=frame_text(rate.to_frame(second)),
    )  # fmt: skip
    return _pose_edit(session, label, lambda c: with_poses_swapped(c, first, second, _still(session)))


def swap_with_neighbour(session: Session, side: int) -> bool:
    """Swap the pose at the playhead with the next one (`side` 1) or the one before (−1); the playhead follows."""
    here, times = (
        pose_here(session),
        poses_of(session.clip).times if session.clip is not None else np.zeros(0),
    )
    place = int(np.argmin(np.abs(times - here))) + side
    if not 0 <= place < len(times):
        raise ValidationError(
            tr("no pose comes after this one") if side > 0 else tr("no pose comes before this one")
        )
    other = float(times[place])
    done = swap_poses(session, here, other)
    session.playback.seek(other)
    return done


def move_poses(session: Session, moves: Mapping[float, float]) -> bool:
    """Put poses at other times; breakdowns keep their proportion."""
    rate, count = session.playback.rate, len(moves)
    goal = next(iter(moves.values()))
    label = trn(
        "Retime {count} pose to f{frame}", "Retime {count} poses from f{frame}", count,
        frame=frame_text(rate.to_frame(goal)),
    )  # fmt: skip
    snap = bool(session.switches["snap"])
    return _pose_edit(session, label, lambda c: with_poses_at(c, moves, _still(session), snap))


def nudge_pose(session: Session, frames: int) -> bool:
    """Move the pose at the playhead by frames; it stays between its neighbours, and the playhead follows."""
    clip = session.clip
    if clip is None:
        return False
    here = pose_here(session)
    goal = within_neighbours(clip, here, here + clip.rate.to_seconds(frames))
    if abs(goal - here) < TIME_EPSILON:
        raise ValidationError(tr("the next pose is in the way: swap them, or move that one first"))
    done = move_poses(session, {here: goal})
    session.playback.seek(goal)
    return done


def within_neighbours(clip: Clip, pose: float, goal: float) -> float:
    """A time at least a frame from the keys and extremes beside a pose; breakdowns go along and are in no way."""
    found, frame = poses_of(clip), clip.rate.frame
    posts = found.times[found.types != KeyType.BREAKDOWN]
    before, after = posts[posts < pose - TIME_EPSILON], posts[posts > pose + TIME_EPSILON]
    low = float(before[-1]) + frame if len(before) else 0.0
    high = float(after[0]) - frame if len(after) else np.inf
    return float(min(max(goal, min(low, pose)), max(high, pose)))


def _still(session: Session) -> frozenset[str]:
    return frozenset(session.selection.locked)


def _pose_edit(session: Session, label: str, work: Callable[[Clip], Clip]) -> bool:
    clip = session.clip
    if clip is None:
        return False
    if session.selection.locked & set(clip.bones()):
        session.messages.warn(tr("Keys of locked bones were not changed"), tr("Unlock them in the bone tree"))

    def made(progress: Progress) -> Made:
        new = work(clip)
        return Made(label, () if new is clip else (new,))

    return session.edit_jobs.run(label, made)

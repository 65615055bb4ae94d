"""Retiming without a panel: nudging keys, frames inserted and removed. Free of Qt; each verb one undo step."""

import numpy as np

from core.blending.layer_inbetweens import with_layered_inbetweens
from core.clips.channels import track_of
from core.clips.clip import Channel, Clip
from core.clips.inbetweens import with_inbetweens
from core.clips.key_times import baked_on, with_shared_keys
from core.errors import ValidationError
from core.evaluation.clip_pipeline import stack_of
from core.progress import Progress
from core.project.project import Asset
from core.timing import frame_text
from core.tracks.edits import key_at
from editor.model.edit_jobs import Made
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.tools import key_commands, key_edits
from editor.tools.key_edits import Keys
from editor.tools.key_moves import moved

SUB_FRAME = 0.1
"""Frames of a fine nudge."""


def step(session: Session) -> int:
    """How many frames a nudge moves and an insertion adds."""
    return int(session.preferences.get("timing_frames"))


def channels_in_hand(session: Session) -> list[Channel]:
    """Channels with a track of the selected bones, morphs and named curves, but for locked bones."""
    clip, bones, locked = session.clip, set(session.selection.bones), session.selection.locked
    if clip is None:
        return []
    if bones & locked:
        session.messages.warn(tr("Keys of locked bones were not changed"), tr("Unlock them in the bone tree"))
    found = [c for c in clip.tracks if c.bone in bones and c.bone not in locked]
    return found + [c for c in session.selection.weights if track_of(clip, c) is not None]


def keys_here(session: Session) -> Keys:
    """Keys at the playhead of what is selected in the view or the bone tree."""
    clip = session.clip
    found: dict[Channel, key_edits.Numbers] = {}
    if clip is not None:
        time = session.playback.time
        for channel in channels_in_hand(session):
            track = track_of(clip, channel)
            place = None if track is None else key_at(track, time)
            if place is not None:
                found[channel] = np.array([place])
    return found


def keys_in_hand(session: Session) -> tuple[Clip, Keys, bool]:
    """The clip shown, the keys that a verb works on, and whether they are selected keys.

    Selected keys of the timeline or the curve editor, else those of the selected bones at the playhead.

    Raises
    ------
    ValidationError
        There are none; the message says what to select.
    """
    clip = session.clip
    if clip is not None and key_edits.known(clip, session.selection.keys):
        found = key_commands.selected(session)
        if found is not None:
            return *found, True
        raise ValidationError(tr("every selected key is of a locked bone: unlock it in the bone tree"))
    keys = keys_here(session)
    if clip is None or not keys:
        raise ValidationError(tr("the selected bones have no key at the playhead: select keys, or set one"))
    return clip, keys, False


def nudge(session: Session, frames: float) -> bool:
    """Move keys by frames, sub-frames too; their spacing stays, and keys in their way give in.

    Keys at the playhead take it along, so that the next nudge moves the same keys.
    """
    clip, keys, selected = keys_in_hand(session)
    count = key_edits.count(keys)
    sign = "+" if frames > 0.0 else "−"
    label = trn(
        "Nudge {count} key {frames} f",
        "Nudge {count} keys {frames} f",
        count,
        frames=sign + frame_text(abs(frames)),
    )
    seconds, time = clip.rate.to_seconds(frames), session.playback.time
    if selected:
        return key_commands.commit_made(session, label, lambda clip: moved(clip, keys, seconds))

    def work(progress: Progress) -> Made:
        return Made(label, (moved(clip, keys, seconds).clip,))

    def follow(done: bool) -> None:
        session.playback.seek(time + seconds)

    return session.edit_jobs.run(label, work, follow)


def put_frames(session: Session, frames: int, everywhere: bool = True) -> bool:
    """Insert frames after the playhead, or remove them where below 0.

    Parameters
    ----------
    everywhere : every track, notify, marker, contact and curve, and the length; else the selected bones from here on
    """
    clip, time, locked = session.clip, session.playback.time, session.selection.locked
    if clip is None:
        return False
    channels = None if everywhere else channels_in_hand(session)
    if channels is not None and not channels:
        raise ValidationError(
            tr("the selected bones have no keys: select others, or insert frames everywhere")
        )
    if frames > 0:
        label = trn("Insert {count} frame @ f{frame}", "Insert {count} frames @ f{frame}", frames,
                    frame=frame_text(clip.rate.to_frame(time)))  # fmt: skip
    else:
        label = trn("Remove {count} frame @ f{frame}", "Remove {count} frames @ f{frame}", -frames,
                    frame=frame_text(clip.rate.to_frame(time)))  # fmt: skip
    held = locked & {channel.bone for channel in clip.tracks} if everywhere else frozenset()
    stack = stack_of(session.document.project, session.playback.below or clip.id) if everywhere else None

    def work(progress: Progress) -> Made:
        assets: tuple[Asset, ...] = ()
        if stack is not None:  # the layers stay in step, whichever is in hand
            clips = {one.id: one for one in session.document.project.clips}
            changed, made = with_layered_inbetweens(stack, clips, time, frames, locked)
            assets = () if changed is stack else (changed,)
            assets += tuple(new for new in made if new is not clips[new.id])
        else:
            new = with_inbetweens(clip, time, frames, channels, locked)
            assets = () if new is clip else (new,)
        if not assets:
            return Made(label, (), None, tr("No key of these bones comes after the playhead"))
        if held:
            note, advice = tr("Keys of locked bones were not changed"), tr("Unlock them in the bone tree")
            return Made(label, assets, None, note, advice)
        return Made(label, assets)

    return session.edit_jobs.run(label, work)


# ---------------------------------------------------------------- where keys are
def channels_to_work_on(session: Session) -> list[Channel]:
    """Channels of the selected keys, else those of the selected bones (of all without a selection), none locked."""
    clip, locked = session.clip, session.selection.locked
    if clip is None:
        return []
    found = list(key_edits.known(clip, session.selection.keys))
    if not found:  # contacts and other curves only where they are selected
        found = [c for c in key_commands.shown_channels(session) if c.is_bone]
        found += [c for c in session.selection.weights if track_of(clip, c) is not None]
    free = [c for c in found if not c.is_bone or c.bone not in locked]
    if len(free) < len(found):
        session.messages.warn(tr("Keys of locked bones were not changed"), tr("Unlock them in the bone tree"))
    if not free:
        raise ValidationError(tr("there are no keys to work on: select keys, or bones that have some"))
    return free


def share_keys(session: Session) -> bool:
    """Give the selected bones keys wherever one of them has any; the curves keep their shape.

    With selected keys only their times count, and only their curves get keys.
    """
    clip = session.clip
    if clip is None:
        return False
    channels, keys = channels_to_work_on(session), key_edits.known(clip, session.selection.keys)
    times = None
    if keys:
        chosen = {c: track_of(clip, c) for c in channels}
        times = np.concatenate([t.times[keys[c]] for c, t in chosen.items() if t is not None])
    label = tr("Share keys")

    def work(progress: Progress) -> Made:
        new = with_shared_keys(clip, channels, times)
        return (
            Made(label, (new,))
            if new is not clip
            else Made(label, (), None, tr("All of them have these keys already"))
        )

    return session.edit_jobs.run(label, work)


def bake_span(session: Session) -> tuple[float, float]:
    """From and to where keys are baked: the selected keys' span, else the play range, else the whole clip."""
    clip = session.clip
    assert clip is not None  # the action is disabled without one
    span = key_edits.span(clip, session.selection.keys)
    if span is not None and span[1] > span[0]:
        return span
    start, end = session.playback.span
    return start, min(end, clip.length)


def bake_on(session: Session, frames: int) -> bool:
    """Put a key every so many frames in place of those that are there; see `bake_span`."""
    clip = session.clip
    if clip is None:
        return False
    channels, span = channels_to_work_on(session), bake_span(session)
    label = tr("Bake on {frames}s", frames=frames)

    def work(progress: Progress) -> Made:
        new = baked_on(clip, channels, frames, span)
        return (
            Made(label, (new,)) if new is not clip else Made(label, (), None, tr("There is nothing to bake"))
        )

    return session.edit_jobs.run(label, work)

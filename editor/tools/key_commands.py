"""What can be done with keys over time, on a session: each one undo step. Bones, named curves, morphs alike."""

from collections.abc import Callable, Collection, Iterable, Mapping

import numpy as np

from core.clips.clip import Channel, Clip, Property
from core.clips.loop_tools import cycled, linked
from core.clips.mirror import mirrored_clip
from core.errors import ValidationError
from core.progress import Progress, counted
from core.rig.rig import Rig
from core.timing import frame_text
from core.tracks.edits import key_at
from core.tracks.keys import Track
from editor.model.clipboard import MAX_COPIED, keys_to_text, text_to_keys
from editor.model.edit_jobs import Made
from editor.model.i18n import tr, trn
from editor.model.selection import mirrored as twin_of
from editor.model.session import Session
from editor.tools import key_edits
from editor.tools.curves.lanes import track_of, with_tracks
from editor.tools.key_edits import Edited, Keys
from editor.tools.key_moves import moved


def shown_channels(session: Session) -> tuple[Channel, ...]:
    """Channels with tracks: of the selected bones, and of everything without a selection."""
    clip, bones = session.clip, set(session.selection.bones)
    return tuple(c for c in key_edits.all_tracks(clip) if not bones or c.bone in bones) if clip else ()


def select_all(session: Session) -> None:
    """Select every key of the channels shown."""
    clip = session.clip
    if clip is not None:
        tracks = key_edits.all_tracks(clip)
        every: dict[int, key_edits.Numbers] = {}  # channels with as many keys share their numbers
        for channel in (shown := shown_channels(session)):
            number = len(tracks[channel])
            if number not in every:
                every[number] = np.arange(number)
        session.selection.select_keys({c: every[len(tracks[c])] for c in shown})


def select_here(session: Session) -> None:
    """Select the keys of the channels shown that stand at the current time."""
    clip = session.clip
    if clip is not None:
        tracks = key_edits.all_tracks(clip)
        places = {c: key_at(tracks[c], session.playback.time) for c in shown_channels(session)}
        session.selection.select_keys({c: [place] for c, place in places.items() if place is not None})


def selected(session: Session) -> tuple[Clip, Keys] | None:
    """The clip shown and its selected keys, without those of locked bones; None where none is left."""
    clip, locked = session.clip, session.selection.locked
    if clip is None:
        return None
    keys = key_edits.known(clip, session.selection.keys)
    free = {c: k for c, k in keys.items() if not c.is_bone or c.bone not in locked}
    if len(free) < len(keys):
        session.messages.warn(tr("Keys of locked bones were not changed"), tr("Unlock them in the bone tree"))
    return (clip, free) if free else None


def _needed(session: Session) -> tuple[Clip, Keys]:
    found = selected(session)
    if found is None:
        raise ValidationError(tr("no keys are selected: click or box-select some first"))
    return found


def commit(session: Session, label: str, edited: Edited) -> bool:
    """Make an edit a step, and select what was edited."""
    done = edited.clip is not session.clip and session.edits.put(label, edited.clip)
    session.selection.select_keys(edited.keys)
    return done


def commit_made(session: Session, label: str, work: Callable[[Clip], Edited]) -> bool:
    """Work an edit of the clip shown out, as a job where it takes long, and commit it; see `EditJobs.run`."""
    clip = session.clip
    if clip is None:
        return False
    found: list[Edited] = []

    def made(progress: Progress) -> Made:
        found.append(work(clip))
        return Made(label, () if found[0].clip is clip else (found[0].clip,))

    return session.edit_jobs.run(label, made, lambda done: session.selection.select_keys(found[0].keys))


def _several(keys: Keys) -> str:
    return trn("{count} key", "{count} keys", key_edits.count(keys))


# ---------------------------------------------------------------- copy and paste
Found = tuple[Clip, Keys]
"""The clip and keys that a command is for; None for the selected ones."""


def copy(session: Session, found: Found | None = None) -> None:
    """Put the selected keys on the clipboard."""
    clip = session.clip
    if found is None and clip is not None:
        found = clip, key_edits.known(clip, session.selection.keys)
    if found is None or not found[1]:
        raise ValidationError(tr("no keys are selected: click or box-select some first"))
    (clip, keys), text, label = found, "", tr("Copy {what}", what=_several(found[1]))
    number = key_edits.count(keys)
    if number > MAX_COPIED:
        raise ValidationError(
            tr(
                "the clipboard takes {most} keys, not {count}: select fewer, or duplicate the clip",
                count=f"{number:,}", most=f"{MAX_COPIED:,}",
            )
        )  # fmt: skip

    def made(progress: Progress) -> Made:
        nonlocal text
        text = keys_to_text(key_edits.all_tracks(clip), keys)
        return Made(label, ())

    def keep(done: bool) -> None:
        session.clipboard.text = text
        session.messages.info(tr("Copied {what}", what=_several(keys)))

    session.edit_jobs.run(label, made, keep)


def paste(
    session: Session,
    at_playhead: bool = True,
    backwards: bool = False,
    mirror: bool = False,
    locked: Collection[Channel] = (),
) -> bool:
    """Put the clipboard's keys into the clip.

    Parameters
    ----------
    at_playhead : the first of them stands at the current time; else each at its own
    backwards : turned round in time
    mirror : on the other side's bones, as the mirror would show them
    locked : channels to leave alone, beside those of locked bones
    """
    rig, clip, text = session.rig, session.clip, session.clipboard.text
    label = (
        tr("Paste keys reversed") if backwards else tr("Paste keys mirrored") if mirror else tr("Paste keys")
    )

    def rows() -> Mapping[Channel, Track]:
        found: Mapping[Channel, Track] = text_to_keys(text)
        if backwards:
            found = key_edits.turned_round(found)
        return mirrored_rows(rig, clip, found) if mirror and rig is not None and clip is not None else found

    return _lay(session, rows, at_playhead, label, locked)


def duplicate(session: Session, found: Found | None = None, locked: Collection[Channel] = ()) -> bool:
    """Put a copy of the selected keys into the clip, the first of them at the current time."""
    clip, keys = found or _needed(session)
    return _lay(session, lambda: key_edits.rows_of(clip, keys), True, tr("Duplicate keys"), locked)


def _lay(
    session: Session,
    rows_of: Callable[[], Mapping[Channel, Track]],
    at_playhead: bool,
    label: str,
    locked: Collection[Channel],
) -> bool:
    clip, rig, bones = session.clip, session.rig, session.selection.locked
    if clip is None or rig is None:
        return False
    time, rate = session.playback.time, session.playback.rate
    found: list[Edited] = []

    def made(progress: Progress) -> Made:
        rows = rows_of()
        if not rows:
            return Made(label, ())
        start = min(float(track.times[0]) for track in rows.values())
        seconds = time - start if at_playhead else 0.0
        there = {
            channel: row
            for channel, row in rows.items()
            if channel not in locked
            and (
                not channel.is_bone
                or (rig.skeleton.find(channel.bone) is not None and channel.bone not in bones)
            )
        }
        result = key_edits.merged(clip, there, seconds)
        if not result.keys:
            raise ValidationError(tr("none of the keys fits this character's channels"))
        found.append(result)
        lost = len(rows) - len(result.keys)
        note = (
            trn(
                "{count} channel is locked or does not fit and was left out",
                "{count} channels are locked or do not fit and were left out",
                lost,
            )
            if lost
            else ""
        )
        step = f"{label} @ f{frame_text(rate.to_frame(start + seconds))}"
        return Made(
            step, () if result.clip is clip else (result.clip,), None, note, note and tr("Unlock them")
        )

    def select(done: bool) -> None:
        if found:
            session.selection.select_keys(found[0].keys)

    return session.edit_jobs.run(label, made, select)


def mirrored_rows(rig: Rig, clip: Clip, rows: Mapping[Channel, Track]) -> dict[Channel, Track]:
    """Keys of the other side's bones, with what the mirror makes of them.

    Raises
    ------
    ValidationError
        The rig has no mirror lists, or none of the bones is on them.
    """
    listed = {*rig.mirror.axis_bones, *(name for pair in rig.mirror.pairs for name in pair)}
    known = {c: t for c, t in rows.items() if c.is_bone and c.bone in listed}
    if not known:
        raise ValidationError(tr("none of the keys is of a bone on the mirror lists: open the Mirror panel"))
    alone = Clip(clip.id, clip.name, rig.id, clip.length, clip.rate, False, known)
    wanted = {(twin_of(rig, c.bone) or c.bone, c.property) for c in known}
    found = mirrored_clip(rig, alone).tracks
    return {c: t for c, t in found.items() if (c.bone, Property(c.property)) in wanted}


def delete(session: Session, found: Found | None = None) -> bool:
    """Delete the selected keys; tracks that lose their last key go."""
    _, keys = found or _needed(session)
    label = tr("Delete {what}", what=_several(keys))
    return commit_made(session, label, lambda clip: Edited(key_edits.deleted(clip, keys), {}))


# ---------------------------------------------------------------- numbers
def frames_of(session: Session) -> tuple[float | None, int]:
    """Frame of the selected keys, None where they stand at several, and how many there are."""
    clip = session.evaluator.clip
    keys = key_edits.known(clip, session.selection.keys) if clip is not None else {}
    span = key_edits.span(clip, keys) if clip is not None else None
    if clip is None or span is None:
        return None, 0
    number = key_edits.count(keys)
    return (clip.rate.to_frame(span[0]) if span[1] - span[0] < 1e-6 else None), number


def first_at(session: Session, frame: float) -> Edited | None:
    """The selected keys moved so that the first of them stands at a frame; None where none may move."""
    found = selected(session)
    span = key_edits.span(*found) if found is not None else None
    if found is None or span is None:
        return None
    return moved(*found, found[0].rate.to_seconds(frame) - span[0])


def set_first(session: Session, frame: float) -> bool:
    """Move the selected keys so that the first of them stands at a frame; one step."""
    found = selected(session)
    span = key_edits.span(*found) if found is not None else None
    if found is None or span is None:
        return False
    label = tr("Move {what} to frame {frame}", what=_several(found[1]), frame=frame_text(frame))
    seconds = found[0].rate.to_seconds(frame) - span[0]
    return commit_made(session, label, lambda clip: moved(clip, found[1], seconds))


def frames_typed(session: Session, factor: float, offset: float, text: str) -> bool:
    """Put each selected key at ``factor * frame + offset``, as `text` said; one step."""
    clip, keys = _needed(session)
    frame = clip.rate.frame
    return commit_made(
        session, tr("Frames of {what}: {text}", what=_several(keys), text=text),
        lambda clip: key_edits.at_times(clip, keys, lambda times: times * factor + offset * frame),
    )  # fmt: skip


# ---------------------------------------------------------------- loops
def _looping(session: Session) -> Clip:
    clip = session.clip
    if clip is None or not clip.looping or clip.length <= 0.0:
        raise ValidationError(tr("the clip does not loop: turn on Looping first"))
    return clip


def link_ends(session: Session, channels: Iterable[Channel] | None = None) -> bool:
    """Make first and last keys one, of channels: those with selected keys, else those shown, unless given."""
    clip, locked = _looping(session), session.selection.locked
    if channels is None:
        channels = [c for c in session.selection.keys if track_of(clip, c) is not None] or shown_channels(
            session
        )
    tracks = {c: track_of(clip, c) for c in channels if not c.is_bone or c.bone not in locked}

    def work(clip: Clip) -> Edited:
        changes: dict[Channel, Track | None] = {
            c: linked(t, clip.length) for c, t in counted(tracks.items()) if t is not None
        }
        return Edited(with_tracks(clip, changes), {})

    return commit_made(session, tr("Link first and last keys"), work)


def cycle_here(session: Session) -> bool:
    """Let a looping clip begin at the playhead; keys that pass the end come round to the front."""
    clip, time, label = _looping(session), session.playback.time, tr("Start the cycle here")

    def follow(done: bool) -> None:
        session.selection.select_keys({})
        session.playback.seek(0.0)

    def made(progress: Progress) -> Made:
        new = cycled(clip, time)
        return Made(label, () if new is clip else (new,))

    return session.edit_jobs.run(label, made, follow)

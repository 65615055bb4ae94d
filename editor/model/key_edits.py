"""What can be done with the selected keys: each one undo step."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.keying import loop_length
from core.errors import ValidationError
from core.tracks import edits
from core.tracks.keys import Track, joined, taken
from editor.model.clipboard import keys_to_text, text_to_keys
from editor.model.i18n import tr, trn
from editor.model.selection import KeyIndices
from editor.model.session import Session

Keys = Mapping[Channel, KeyIndices]
Change = Callable[[Any, KeyIndices, float | None], Any]


def shown_channels(session: Session) -> tuple[Channel, ...]:
    """Channels with tracks of the selected bones, of all bones without a selection."""
    clip, bones = session.clip, set(session.selection.bones)
    return tuple(c for c in clip.tracks if not bones or c.bone in bones) if clip else ()


def select_all_keys(session: Session) -> None:
    """Select every key of the channels shown."""
    clip = session.clip
    if clip is not None:
        session.selection.select_keys({c: np.arange(len(clip.tracks[c])) for c in shown_channels(session)})


def select_keys_here(session: Session) -> None:
    """Select the keys of the channels shown that stand at the current time."""
    clip = session.clip
    if clip is not None:
        places = {c: edits.key_at(clip.tracks[c], session.playback.time) for c in shown_channels(session)}
        session.selection.select_keys({c: [place] for c, place in places.items() if place is not None})


def selected(session: Session) -> tuple[Clip, dict[Channel, KeyIndices]] | None:
    """The clip shown and its selected keys, without those of locked bones; None where none is left."""
    clip, locked = session.clip, session.selection.locked
    if clip is None:
        return None
    keys = {
        c: k[k < len(clip.tracks[c])]
        for c, k in session.selection.keys.items()
        if c in clip.tracks and c.bone not in locked
    }
    if len(keys) < len(session.selection.keys):
        session.messages.warn(tr("Keys of locked bones were left alone"), tr("Unlock them in the bone tree"))
    keys = {c: k for c, k in keys.items() if len(k)}
    return (clip, keys) if keys else None


def changed_clip(clip: Clip, keys: Keys, change: Change) -> tuple[Clip, dict[Channel, KeyIndices]]:
    """A clip with a function of `core.tracks.edits` applied to its keys, and where the keys stand then."""
    loop, tracks = loop_length(clip), {}
    places: dict[Channel, KeyIndices] = {}
    for channel, indices in keys.items():
        result = change(clip.tracks[channel], indices, loop)
        if isinstance(result, edits.Moved):
            places[channel] = result.keys.astype(np.int64)
            result = result.track
        elif result is not None:
            places[channel] = indices
        if result is not clip.tracks[channel]:
            tracks[channel] = result
    return (clip.with_tracks(tracks) if tracks else clip), places


def edit_selected(session: Session, label: str, change: Change) -> bool:
    """Apply a function of `core.tracks.edits` to the selected keys; ``{count}`` in the label is theirs."""
    found = selected(session)
    if found is None:
        return False
    clip, keys = found
    new, places = changed_clip(clip, keys, change)
    if new is clip:
        return False
    count = sum(len(k) for k in keys.values())
    done = session.edits.put(label.replace("{count}", str(count)), new)
    session.selection.select_keys(places)
    return done


def delete_selected(session: Session) -> bool:
    """Delete the selected keys; tracks that lose their last key go."""
    done = edit_selected(session, tr("Delete {count} keys"), edits.delete_keys)
    session.selection.select_keys({})
    return done


def move_selected(session: Session, seconds: float, value: float = 0.0) -> bool:
    """Move the selected keys; the moved win over those in their way."""
    return edit_selected(
        session,
        tr("Move {count} keys"),
        lambda track, keys, loop: edits.move_keys(track, keys, seconds, value, loop),
    )


def copy_keys(session: Session) -> None:
    """Put the selected keys on the clipboard."""
    clip = session.clip
    if clip is None:
        return
    keys = {c: k[k < len(clip.tracks[c])] for c, k in session.selection.keys.items() if c in clip.tracks}
    keys = {c: k for c, k in keys.items() if len(k)}
    if not keys:
        return
    session.clipboard.text = keys_to_text(clip.tracks, keys)
    count = sum(len(k) for k in keys.values())
    session.messages.info(trn("Copied {count} key", "Copied {count} keys", count))


def paste_keys(session: Session) -> bool:
    """Put the clipboard's keys into the clip, the first of them at the current time."""
    return _paste(session, text_to_keys(session.clipboard.text), tr("Paste keys"))


def duplicate_keys(session: Session) -> bool:
    """Put a copy of the selected keys into the clip, the first of them at the current time."""
    found = selected(session)
    if found is None:
        return False
    clip, keys = found
    return _paste(session, {c: taken(clip.tracks[c], k) for c, k in keys.items()}, tr("Duplicate keys"))  # type: ignore[type-var]


def _paste(session: Session, tracks: Mapping[Channel, Track], label: str) -> bool:
    clip, rig = session.clip, session.rig
    if clip is None or rig is None or not tracks:
        return False
    locked = session.selection.locked
    fit = {c: t for c, t in tracks.items() if rig.skeleton.find(c.bone) is not None and c.bone not in locked}
    fit = {c: t for c, t in fit.items() if not _other_kind(clip, c)}
    start = min(float(t.times[0]) for t in tracks.values())
    offset, loop = session.playback.time - start, loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    places: dict[Channel, KeyIndices] = {}
    for channel, track in fit.items():
        changes[channel], places[channel] = _merged(
            clip.tracks.get(channel), edits.shift(track, offset), loop
        )
    if not changes:
        raise ValidationError(tr("none of the keys fits this character's channels"))
    done = session.edits.put(f"{label} @ f{session.playback.frame:.5g}", clip.with_tracks(changes))
    session.selection.select_keys(places)
    if len(fit) < len(tracks):
        lost = len(tracks) - len(fit)
        session.messages.warn(tr("{count} channels do not fit and were left out", count=lost))
    return done


def _other_kind(clip: Clip, channel: Channel) -> bool:
    """Whether the clip animates this rotation in the other way (Euler or quaternion)."""
    if channel.property is not Property.ROTATE:
        return False
    whole = clip.rotation(channel.bone) is not None
    angles = any(Channel(channel.bone, Property.ROTATE, a) in clip.tracks for a in range(3))
    return angles if channel.axis == WHOLE else whole


def _merged(old: Any, new: Any, loop: float | None) -> tuple[Any, KeyIndices]:
    """Keys of two tracks in one; the new ones win where they meet."""
    if old is None:
        return new, np.arange(len(new), dtype=np.int64)
    count = len(old)
    # Far behind everything first, then put in place by the edit that knows who wins.
    gap = float(old.times[-1]) - float(new.times[0]) + 1.0
    both = joined([old, edits.shift(new, gap)])
    keys = np.arange(count, count + len(new))
    moved = edits.place_keys(both, keys, new.times, None, loop)
    return moved.track, moved.keys.astype(np.int64)

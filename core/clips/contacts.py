"""Contacts of a clip: spans in which a foot or hand stands, kept as stepped named curves (``contact_left_foot``).

A value above one half is a contact. Retargeting writes such curves (`editor.model.retarget.contact_curves`), games
read them, and the timeline edits them as spans.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.clips.clip import Clip
from core.timing import TIME_EPSILON
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, scalar_track

PREFIX = "contact_"
Span = tuple[float, float]
"""First and last second of a contact."""


def contact_names(clip: Clip) -> tuple[str, ...]:
    """Names of the clip's curves that hold contacts: stepped ones called ``contact_…``."""
    return tuple(
        name for name, track in clip.curves.items() if name.startswith(PREFIX) and _is_stepped(track)
    )


def _is_stepped(track: ScalarTrack) -> bool:
    return bool((np.asarray(track.interpolations) == Interpolation.CONSTANT).all())


def contact_spans(clip: Clip, name: str) -> tuple[Span, ...]:
    """Contacts of a curve in seconds, in order; the last may reach to the clip's end."""
    track = clip.curves.get(name)
    if track is None:
        return ()
    found: list[Span] = []
    start: float | None = None
    for time, value in zip(track.times, track.values, strict=True):
        stands = float(value) > 0.5
        if stands and start is None:
            start = float(time)
        elif not stands and start is not None:
            found.append((start, float(time)))
            start = None
    if start is not None:
        found.append((start, max(clip.length, start)))
    return tuple(found)


def with_contacts(clip: Clip, name: str, spans: Sequence[Span]) -> Clip:
    """The clip with these contacts in a curve; overlapping ones become one, and spans are kept within the clip.

    Without any the curve stays, at 0 throughout: the limb never stands.
    """
    cut = sorted((min(max(a, 0.0), clip.length), min(max(b, 0.0), clip.length)) for a, b in spans)
    merged: list[Span] = []
    for start, end in cut:
        if end - start <= TIME_EPSILON:
            continue
        if merged and start <= merged[-1][1] + TIME_EPSILON:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    times, values = [0.0], [0.0]
    for start, end in merged:
        if start <= TIME_EPSILON:
            values[0] = 1.0
        else:
            times.append(start)
            values.append(1.0)
        if end < clip.length - TIME_EPSILON:
            times.append(end)
            values.append(0.0)
    track = scalar_track(times, values, interpolations=Interpolation.CONSTANT, modes=TangentMode.STEPPED)
    return replace(clip, curves={**clip.curves, name: track})

"""Contacts of a retarget as named curves of the finished clip: 1 while a foot or hand stands, else 0."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.clips.clip import Clip
from core.retarget.contacts import ContactSpan
from core.timing import TIME_EPSILON
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, scalar_track


def curve_of(limb: str) -> str:
    """Name of a limb's curve, such as ``contact_left_foot``."""
    return "contact_" + limb.replace(" ", "_")


def with_contact_curves(clip: Clip, spans: Sequence[ContactSpan]) -> Clip:
    """The clip with a stepped curve for each limb that stands somewhere, on heel, ball or both."""
    limbs = dict.fromkeys(span.limb for span in spans)
    curves = {curve_of(limb): _curve(clip, [s for s in spans if s.limb == limb]) for limb in limbs}
    return replace(clip, curves={**clip.curves, **curves})


def _curve(clip: Clip, spans: Sequence[ContactSpan]) -> ScalarTrack:
    last = max(round(clip.frames), *(span.last for span in spans))
    stands = np.zeros(last + 1)
    for span in spans:
        stands[max(span.first, 0) : span.last + 1] = 1.0
    frames = np.flatnonzero(np.diff(stands, prepend=-1.0))  # the first, and wherever it changes
    times = np.array([clip.rate.to_seconds(int(frame)) for frame in frames])
    inside = times <= clip.length + TIME_EPSILON
    return scalar_track(
        times[inside],
        stands[frames][inside],
        interpolations=Interpolation.CONSTANT,
        modes=TangentMode.STEPPED,
    )

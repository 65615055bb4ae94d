"""What a sound device plays: the samples of the moment at which they will be heard, held to the playhead.

The device pulls, by its own clock; the transport runs by another. Each block is asked where the playhead will be
when it is heard. Small differences are made up by playing a little faster or slower, which nobody hears; a jump (a
seek, a loop that was cut) is crossfaded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray
from core.media.sound import RATE, Sound

SNAP = 0.010
"""Seconds of difference from which it jumps."""
CALM = 0.0005
"""Seconds of difference that are left alone."""
PULL, MOST_PULL = 0.5, 0.004
"""How much faster it plays for a second behind, and at most."""
FADE = 144
"""Samples of a crossfade: three thousandths of a second."""
GRAIN = 0.08
"""Seconds that are heard of each place in scrubbing."""


class Ending(StrEnum):
    """What the transport does at the end of the range."""

    LOOP = "loop"
    PING_PONG = "ping_pong"
    ONCE = "once"


@dataclass(frozen=True, slots=True, eq=False)
class Transport:
    """Where the playhead is at any moment.

    Parameters
    ----------
    time : seconds of the clip at the moment `stamp`
    stamp : seconds of the monotonic clock
    speed : seconds of the clip a second, negative backwards
    span : first and last second that are played
    """

    time: float = 0.0
    stamp: float = 0.0
    speed: float = 1.0
    span: tuple[float, float] = (0.0, 0.0)
    ending: Ending = Ending.LOOP
    playing: bool = False

    def run(self, now: float) -> float:
        """Seconds at a moment, counted on over the ends of the range."""
        return self.time + self.speed * (now - self.stamp)

    def wrapped(self, run: npt.ArrayLike) -> FloatArray:
        """Times of the clip for such seconds; NaN where nothing is played."""
        at = np.asarray(run, dtype=np.float64)
        start, end = self.span
        length = end - start
        if length <= 0.0:
            return np.full_like(at, np.nan)
        if self.ending is Ending.ONCE:
            return np.where((at >= end) | (at < 0.0), np.nan, at)
        if self.ending is Ending.LOOP:
            return np.where(at >= end, start + np.mod(at - start, length), at)
        place = np.mod(at - start, 2.0 * length)
        folded = start + np.where(place < length, place, 2.0 * length - place)
        return np.where((at >= start) & (at < end), at, folded)

    def at(self, now: float) -> float:
        """The time of the clip at a moment; where it stands if it does not run, NaN after the end."""
        return float(self.wrapped(self.run(now))) if self.playing else self.time

    def apart(self, a: float, b: float) -> float:
        """Seconds from one time of the clip to another, the short way where it loops."""
        length = self.span[1] - self.span[0]
        if self.ending is Ending.LOOP and length > 0.0:
            return float((b - a + length / 2.0) % length - length / 2.0)
        return b - a


@dataclass(frozen=True, slots=True, eq=False)
class Voice:
    """A sound in the clip: where it begins, and how loud it is."""

    sound: Sound
    start: float
    volume: float


class Mixer:
    """Makes blocks for a device. `render` is called by the device's thread, the rest by the window's."""

    def __init__(self) -> None:
        self._transport = Transport()
        self._voices: tuple[Voice, ...] = ()
        self._grain: float | None = None
        self._known: Transport | None = None  # from here on: the device's thread alone
        self._cursor: float | None = None
        self._left = 0

    def set_transport(self, transport: Transport) -> None:
        """Where the playhead is from now on."""
        self._transport = transport

    def set_voices(self, voices: Sequence[Voice]) -> None:
        """What plays from now on."""
        self._voices = tuple(voices)

    def scrub(self, time: float) -> None:
        """Let a place of the clip be heard while nothing plays."""
        self._grain = time

    @property
    def voices(self) -> tuple[Voice, ...]:
        """What plays."""
        return self._voices

    def render(self, count: int, heard_at: float) -> Float32Array:
        """The next block.

        Parameters
        ----------
        count : samples
        heard_at : seconds of the monotonic clock at which the first of them is heard

        Returns
        -------
        (count, 2) float32 : left and right, -1 to 1
        """
        transport, voices = self._transport, self._voices
        if transport.playing:
            self._grain, self._left = None, 0
            block = self._running(transport, voices, count, heard_at)
        else:
            block = self._scrubbed(transport, voices, count)
        return np.clip(block, -1.0, 1.0, out=block)

    def heard(self) -> float | None:
        """The time of the clip that follows the last block, None where nothing plays."""
        known, cursor = self._known, self._cursor
        return None if known is None or cursor is None else float(known.wrapped(cursor))

    def _running(
        self, transport: Transport, voices: tuple[Voice, ...], count: int, heard_at: float
    ) -> Float32Array:
        wanted = transport.run(heard_at)
        before, old = self._known, self._cursor
        if transport is not before:
            self._known = transport
            if before is not None and before.playing and old is not None:
                off = transport.apart(float(transport.wrapped(wanted)), float(before.wrapped(old)))
                same = np.sign(transport.speed) == np.sign(before.speed)
                self._cursor = wanted + off * np.sign(transport.speed) if np.isfinite(off) and same else None
            else:
                self._cursor = None
        cursor = self._cursor
        jump = cursor is None or abs(wanted - cursor) > SNAP
        pace = transport.speed
        if jump or cursor is None:
            cursor = round(wanted * RATE) / RATE
        elif abs(wanted - cursor) > CALM:
            ahead = (wanted - cursor) * np.sign(transport.speed)
            pace *= 1.0 + float(np.clip(PULL * ahead, -MOST_PULL, MOST_PULL))
        block = _samples(transport, voices, cursor, pace, count)
        if jump and before is not None:
            self._fade_in(block, before, old, voices)
        self._cursor = cursor + pace * count / RATE
        return block

    def _fade_in(
        self, block: Float32Array, before: Transport | None, old: float | None, voices: tuple[Voice, ...]
    ) -> None:
        """From where it was to where it is now, without a click."""
        length = min(FADE, len(block))
        share = np.linspace(0.0, 1.0, length, dtype=np.float32)[:, None]
        block[:length] *= share
        if before is not None and old is not None and before.playing:
            block[:length] += (1.0 - share) * _samples(before, voices, old, before.speed, length)

    def _scrubbed(self, transport: Transport, voices: tuple[Voice, ...], count: int) -> Float32Array:
        if self._known is not None and self._known.playing:
            self._cursor = None
        self._known = transport
        grain, self._grain = self._grain, None
        block = np.zeros((count, 2), np.float32)
        if grain is not None:
            self._cursor, self._left = round(grain * RATE) / RATE, round(GRAIN * RATE)
        if self._cursor is None or self._left <= 0:
            return block
        length = min(count, self._left)
        part = _samples(_FREE, voices, self._cursor, 1.0, length)
        done = round(GRAIN * RATE) - self._left + np.arange(length)
        rest = self._left - np.arange(length)
        block[:length] = part * np.minimum(1.0, np.minimum(done, rest) / FADE)[:, None]
        self._cursor += length / RATE
        self._left -= length
        return block


_FREE = Transport(span=(-1e9, 1e9), ending=Ending.LOOP)


def _samples(
    transport: Transport, voices: tuple[Voice, ...], cursor: float, pace: float, count: int
) -> Float32Array:
    """What all voices play from a place on, as float32 (count, 2)."""
    block = np.zeros((count, 2), np.float32)
    if not voices:
        return block
    times = transport.wrapped(cursor + pace / RATE * np.arange(count))
    for voice in voices:
        at = (times - voice.start) * RATE
        there = voice.sound.count
        inside = (at > -1.0) & (at < there)  # NaN is neither
        if not inside.any():
            continue
        at = at[inside]
        low = np.floor(at + 1e-6).astype(np.int64)
        part = np.clip(at - low, 0.0, 1.0).astype(np.float32)[:, None]
        source = voice.sound.samples
        first = source[np.clip(low, 0, there - 1)].astype(np.float32) * (low >= 0)[:, None]
        second = source[np.clip(low + 1, 0, there - 1)].astype(np.float32)
        block[inside] += (first + (second - first) * part) * np.float32(voice.volume / 32768.0)
    return block

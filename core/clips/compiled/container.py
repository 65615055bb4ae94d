r"""The file of a compiled clip (``.pwclip``), version 2.

Little-endian throughout; every section starts at a multiple of 8 bytes, so that a file can be mapped
into memory and read in place.

====== ===== ==========================================================================
offset bytes header
====== ===== ==========================================================================
0      8     ``PWCLIP\r\n``: a transfer that changes line ends breaks it
8      2     version (2); a reader refuses any other
10     2     number of sections (5)
12     4     bytes of the whole file
16     4     CRC-32 of bytes 20 up to 160
20     4     bones
24     4     ticks of the axis, 2 or more
28     4     tracks
32     8     float64: seconds of the first tick
40     8     float64: seconds from tick to tick; 0 where the section AXIS lists them
48     32    zero
80     80    for each section, 16 bytes: offset, length in bytes, CRC-32, zero
====== ===== ==========================================================================

Sections, in this order:

``ABOUT``  JSON in UTF-8, padded with spaces: name, length, rate, looping, bone names, curves, morphs,
           notifies, sync markers, markers, root motion, additive settings, retarget source.
``BONES``  for each bone 48 bytes: int32 parent (−1 for roots), uint32 Euler order, float32 rest
           translation (3), rotation xyzw (4), scale (3).
``AXIS``   float64 seconds of each tick, rising; empty where they are evenly spaced.
``TRACKS`` for each track 12 bytes: uint16 bone (or number of the curve, or of the morph counting on
           from the curves); uint8 kind (0 translation, 1 rotation, 2 scale, 3 curve or morph) + 16 × mode
           (0 constant, 1 linear, 2 cubic); uint8 component left out of a rotation (0..3 = x..w for the whole
           track, 4 = each key says) + 8 × how the keys' ticks are stored (0 every tick, 1 bitmap, 2 list);
           uint32: 5 bits for the bits of each component, from the lowest, then 5 for those of each slope;
           uint32 number of keys.
``DATA``   uint32 words, track after track in the order of TRACKS, ending with two words of zero. A constant
           track: float32 value of each component (3, or 1 of curves and morphs; of rotations without the
           one left out). Others begin with their range. Rotations: two words with the least value of each
           component, 21 bits each, the code times 2**-20 minus 1; one word with their extents, three short
           floats of 10 bits each (code c: ``(1 + (c & 15) / 16) * 2**((c >> 4) - 32)``, 0 for 0). Translations
           and scales: three float32 least values, one word of extents likewise. Cubic ones of both: one
           word with the largest slope of each component likewise. Curves and morphs: float32 least value,
           extent, and slope of cubic ones. Then, bit after bit from the lowest of the first word, padded to
           whole words: the ticks of the keys (one bit a tick, or each key's number in as many bits as the last
           tick takes), and the keys. A key: 2 bits for the component left out, if each key says; its
           components; of cubic tracks the slopes of its components.

A code c of b bits (0 to 24) stands for ``least + extent * c / (2**b - 1)``, for slopes
``-largest + 2 * largest * c / (2**b - 1)`` (value units per second); without bits for ``least`` and for 0.
A rotation's components are those
other than the one left out, in the order x y z w; that one is ``sqrt(1 - sum of squares)``, positive. A
track whose keys differ in what they leave out has the range ±1/√2 and with 15 bits the classic 48-bit
rotation. Linear: the chord between the values of the two keys, for rotations on the short way and made
unit. Cubic: Hermite of the components, the rest of a rotation by the square root. Held beyond the ends.
What has no track rests.
"""

import json
import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Clip, Notify
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.ranges import LOW_BITS, SMALL_BITS, joined, low_codes, small_codes
from core.clips.compiled.tracks import ANY, Kind, Mode, PackedTrack, tick_bits
from core.clips.notifies import rule_values
from core.rig.rig import Rig

MAGIC = b"PWCLIP\r\n"
VERSION = 2
HEADER = 160
SECTIONS = ("ABOUT", "BONES", "AXIS", "TRACKS", "DATA")
BONE = np.dtype([("parent", "<i4"), ("order", "<u4"), ("rest", "<f4", 10)])
TRACK = np.dtype([("index", "<u2"), ("kind", "u1"), ("told", "u1"), ("widths", "<u4"), ("keys", "<u4")])
WIDTH_BITS = 5
EVERY, BITMAP, LIST = 0, 1, 2


def about_clip(rig: Rig, clip: Clip) -> dict[str, Any]:
    """What a compiled clip keeps of a clip beside its motion, as plain values."""
    motion = clip.root_motion
    about: dict[str, Any] = {
        "name": clip.name,
        "rig": rig.name,
        "length": clip.length,
        "rate": [clip.rate.value.numerator, clip.rate.value.denominator],
        "looping": clip.looping,
        "bones": list(rig.skeleton.names),
    }
    more = {
        "curves": list(clip.curves),
        "morphs": list(clip.morphs),
        "notifies": [_notify(n) for n in clip.notifies],
        "sync_markers": [[m.name, m.time] for m in clip.sync_markers],
        "markers": [[m.name, m.time] for m in clip.markers],
    }
    about |= {name: value for name, value in more.items() if value}
    if motion.enabled:
        about["root_motion"] = {
            "bone": motion.bone,
            "ground": motion.ground,
            "height": motion.height,
            "yaw": motion.yaw,
            "pose": str(motion.pose),
        }
    if clip.additive is not None:
        base = clip.additive
        about["additive"] = {"space": str(base.space), "base": str(base.base), "time": base.base_time}
    return about


def _notify(notify: Notify) -> list[Any]:
    """A notify; its rule and its lane come last, where it has them."""
    rule = rule_values(notify.rule)
    told = [notify.name, notify.time, notify.duration, dict(notify.data)]
    if notify.lane:
        return [*told, rule, notify.lane]
    return [*told, rule] if rule else told


# ---------------------------------------------------------------- writing


def to_bytes(clip: CompiledClip) -> bytes:
    """The file as bytes."""
    step = even_step(clip.axis)
    sections = [
        json.dumps(clip.about, ensure_ascii=False, separators=(",", ":")).encode(),
        _bones(clip),
        b"" if step else clip.axis.astype("<f8").tobytes(),
        *_tracks(clip),
    ]
    entries, body, offset = b"", b"", HEADER
    for number, section in enumerate(sections):
        section += (b" " if number == 0 else b"\0") * (-len(section) % 8)
        entries += struct.pack("<IIII", offset + len(body), len(section), zlib.crc32(section), 0)
        body += section
    rest = struct.pack("<IIIdd", len(clip.skeleton), len(clip.axis), len(clip.tracks), clip.axis[0], step)
    rest += bytes(32) + entries
    head = MAGIC + struct.pack("<HHII", VERSION, len(SECTIONS), HEADER + len(body), zlib.crc32(rest))
    return head + rest + body


def stored_size(clip: CompiledClip) -> int:
    """Bytes of the axis, the tracks and their data: what the motion takes, without names and skeleton."""
    tracks, data = _tracks(clip)
    return len(tracks) + len(data) + (0 if even_step(clip.axis) else 8 * len(clip.axis))


def even_step(axis: FloatArray) -> float:
    """Seconds from tick to tick where they rebuild the axis to the last bits, else 0."""
    step = float(axis[-1] - axis[0]) / (len(axis) - 1)
    return step if np.abs(even_axis(float(axis[0]), step, len(axis)) - axis).max() < 1e-9 else 0.0


def even_axis(first: float, step: float, count: int) -> FloatArray:
    """Ticks at even times."""
    ticks: FloatArray = first + step * np.arange(count, dtype=np.float64)
    return ticks


def _bones(clip: CompiledClip) -> bytes:
    rows = np.zeros(len(clip.skeleton), BONE)
    rows["parent"], rows["order"] = clip.skeleton.parents, clip.skeleton.euler_orders
    rows["rest"] = np.concatenate(clip.skeleton.rest, axis=1)
    return rows.tobytes()


def _tracks(clip: CompiledClip) -> tuple[bytes, bytes]:
    rows = np.zeros(len(clip.tracks), TRACK)
    parts: list[bytes] = []
    for row, track in zip(rows, clip.tracks, strict=True):
        told, data = _track_data(track, len(clip.axis))
        row["index"], row["kind"] = track.index, track.kind + 16 * track.mode
        row["told"] = track.dropped + 8 * told
        width = track.components
        bits = [*track.bits[:width], *[0] * (3 - width), *track.slope_bits[:width]]
        row["widths"] = sum(b << (WIDTH_BITS * place) for place, b in enumerate(bits))
        row["keys"] = len(track.ticks)
        parts.append(data)
    return rows.tobytes(), b"".join(parts) + bytes(8)


def _track_data(track: PackedTrack, ticks: int) -> tuple[int, bytes]:
    if track.mode is Mode.CONSTANT:
        return EVERY, track.low.astype("<f4").tobytes()
    told, places = _places(track, ticks)
    stream = np.concatenate((places, _key_bits(track)))
    return told, _head(track) + _padded(np.packbits(stream, bitorder="little").tobytes())


def _head(track: PackedTrack) -> bytes:
    """The range of a track."""
    reaches = [track.extent, track.slope] if track.mode is Mode.CUBIC else [track.extent]
    if track.kind is Kind.EXTRA:
        return b"".join(part.astype("<f4").tobytes() for part in (track.low, *reaches))
    if track.kind is Kind.ROTATION:
        low = joined(low_codes(track.low.astype(np.float64)), LOW_BITS).to_bytes(8, "little")
    else:
        low = track.low.astype("<f4").tobytes()
    return low + b"".join(joined(small_codes(r), SMALL_BITS).to_bytes(4, "little") for r in reaches)


def _key_bits(track: PackedTrack) -> npt.NDArray[np.uint8]:
    """The keys of a track, bit after bit."""
    columns = [(track.drops, 2)] if track.dropped == ANY else []
    columns.extend(zip(track.codes.T, (*track.bits, *track.slope_bits), strict=False))
    parts = [_number_bits(codes, bits) for codes, bits in columns]
    return np.concatenate(parts, axis=1).reshape(-1)


def _number_bits(numbers: npt.NDArray[Any], bits: int) -> npt.NDArray[np.uint8]:
    """Whole numbers ``(K,)`` as bits ``(K, bits)``, the lowest first."""
    return ((numbers.astype(np.uint32)[:, None] >> np.arange(bits, dtype=np.uint32)) & 1).astype(np.uint8)


def track_words(track: PackedTrack) -> npt.NDArray[np.uint32]:
    """The keys of a track in words, for a player."""
    packed = _padded(np.packbits(_key_bits(track), bitorder="little").tobytes())
    return np.frombuffer(packed, "<u4").astype(np.uint32)


def _places(track: PackedTrack, ticks: int) -> tuple[int, npt.NDArray[np.uint8]]:
    if len(track.ticks) == ticks:
        return EVERY, np.zeros(0, np.uint8)
    if len(track.ticks) * tick_bits(ticks) < ticks:
        return LIST, _number_bits(track.ticks, tick_bits(ticks)).reshape(-1)
    bitmap = np.zeros(ticks, np.uint8)
    bitmap[track.ticks] = 1
    return BITMAP, bitmap


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)

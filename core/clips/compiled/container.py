r"""The file of a compiled clip (``.pwclip``), version 1.

Little-endian throughout; every section starts at a multiple of 8 bytes, so that a file can be mapped
into memory and read in place.

====== ===== ==========================================================================
offset bytes header
====== ===== ==========================================================================
0      8     ``PWCLIP\r\n``: a transfer that changes line ends breaks it
8      2     version (1); a reader refuses any other
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
``TRACKS`` for each track 20 bytes: uint16 bone (or number of the curve, or of the morph counting on
           from the curves); uint8 kind (0 translation, 1 rotation, 2 scale, 3 curve or morph) + 16 × mode
           (0 constant, 1 linear, 2 cubic); uint8 component left out of a rotation (0..3 = x..w for the whole
           track, 4 = each key says); uint8 (3) bits of each component; uint8 (3) bits of each component
           of a slope; uint8 how the keys' ticks are told (0 every tick, 1 bitmap, 2 list); uint8 zero;
           uint32 number of keys; uint32 first word of its data.
``DATA``   uint32 words, track after track, ending with two words of zero. Of each track: float32 least
           value of each component (3, or 1 of curves and morphs). A constant track ends here: that is its
           value. Others: float32 extent of each component; of cubic tracks float32 largest slope of
           each; the ticks of its keys (a bitmap of one bit a tick, or a list of uint16, uint32 where
           there are more than 65536 ticks, padded to whole words); the keys, bit after bit from the
           lowest bit of the first word, padded to whole words. A key: 2 bits for the component left out,
           if each key says; its components; of cubic tracks the slopes of its components.

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
from core.clips.clip import Clip
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.tracks import ANY, Mode, PackedTrack
from core.rig.rig import Rig

MAGIC = b"PWCLIP\r\n"
VERSION = 1
HEADER = 160
SECTIONS = ("ABOUT", "BONES", "AXIS", "TRACKS", "DATA")
BONE = np.dtype([("parent", "<i4"), ("order", "<u4"), ("rest", "<f4", 10)])
TRACK = np.dtype(
    [
        ("index", "<u2"),
        ("kind", "u1"),
        ("dropped", "u1"),
        ("bits", "u1", 3),
        ("slope_bits", "u1", 3),
        ("told", "u1"),
        ("zero", "u1"),
        ("keys", "<u4"),
        ("data", "<u4"),
    ]
)
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
        "notifies": [[n.name, n.time, n.duration, dict(n.data)] for n in clip.notifies],
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
    words = 0
    for row, track in zip(rows, clip.tracks, strict=True):
        told, data = _track_data(track, len(clip.axis))
        row["index"], row["kind"], row["dropped"] = track.index, track.kind + 16 * track.mode, track.dropped
        width = track.components
        row["bits"][:width], row["slope_bits"][:width] = track.bits[:width], track.slope_bits[:width]
        row["told"] = told
        row["keys"], row["data"] = len(track.ticks), words
        parts.append(data)
        words += len(data) // 4
    return rows.tobytes(), b"".join(parts) + bytes(8)


def _track_data(track: PackedTrack, ticks: int) -> tuple[int, bytes]:
    low = track.low.astype("<f4").tobytes()
    if track.mode is Mode.CONSTANT:
        return EVERY, low
    head = low + track.extent.astype("<f4").tobytes()
    if track.mode is Mode.CUBIC:
        head += track.slope.astype("<f4").tobytes()
    told, places = _places(track, ticks)
    return told, head + places + track_words(track).tobytes()


def track_words(track: PackedTrack) -> npt.NDArray[np.uint32]:
    """The keys of a track, bit after bit."""
    columns = [(track.drops, 2)] if track.dropped == ANY else []
    columns.extend(zip(track.codes.T, (*track.bits, *track.slope_bits), strict=False))
    parts = [
        (codes.astype(np.uint32)[:, None] >> np.arange(bits, dtype=np.uint32)) & 1 for codes, bits in columns
    ]
    bits = np.concatenate(parts, axis=1).astype(np.uint8).reshape(-1)
    return np.frombuffer(_padded(np.packbits(bits, bitorder="little").tobytes()), "<u4").astype(np.uint32)


def _places(track: PackedTrack, ticks: int) -> tuple[int, bytes]:
    if len(track.ticks) == ticks:
        return EVERY, b""
    bitmap = np.zeros(ticks, np.uint8)
    bitmap[track.ticks] = 1
    drawn = _padded(np.packbits(bitmap, bitorder="little").tobytes())
    listed = _padded(track.ticks.astype(tick_type(ticks)).tobytes())
    return (LIST, listed) if len(listed) < len(drawn) else (BITMAP, drawn)


def tick_type(ticks: int) -> npt.DTypeLike:
    """Type of a listed tick."""
    return np.dtype("<u2") if ticks <= 1 << 16 else np.dtype("<u4")


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)

"""Tracks by channel as a few large arrays, for journals: a clip has hundreds of tracks, and each of them ten columns.

Written one by one, two hundred clips are 40,000 tracks and take seconds of Python, during which every input waits for
its turn. Here the columns of all tracks of one mapping are joined; columns that tracks share are written once, and
shared again when they are read.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from core.clips.clip import Channel, ChannelKind, Property
from core.errors import ValidationError
from core.tracks.keys import (
    QUATERNION_COLUMNS,
    SCALAR_COLUMNS,
    CheckedColumns,
    Extrapolation,
    QuaternionTrack,
    ScalarTrack,
    columns,
)

Array = npt.NDArray[Any]
KINDS = (ScalarTrack, QuaternionTrack)
FEW = 8
"""Tracks up to which one by one is as quick."""
MAX_FILLED = 20_000_000
"""Values of one column that is written as one value and a length."""


def encode_tracks(value: Mapping[Any, Any], arrays: list[Array]) -> list[Any] | None:
    """Plain values for many tracks by `Channel`, their columns in `arrays`; None for any other mapping.

    Returns
    -------
    list or None : names; number of the array ``(N, 5)`` with name, property, axis, kind of channel and kind of track;
        for each kind of track the number of ``(columns + 2, n)`` numbers of pieces, then what is before and after; the
        pieces (see `_put_pieces`)
    """
    if len(value) <= FEW:
        return None
    kinds = {kind: number for number, kind in enumerate(KINDS)}
    tracks = list(value.values())
    if any(type(track) not in kinds for track in tracks) or any(type(key) is not Channel for key in value):
        return None
    names: dict[str, int] = {}
    rows = [
        (names.setdefault(key.bone, len(names)), key.property, key.axis, key.kind, kinds[type(track)])
        for key, track in value.items()
    ]
    pieces: dict[int, tuple[int, Array]] = {}
    tables = []
    for kind in KINDS:
        alike = [track for track in tracks if type(track) is kind]
        table = []
        for name in columns(alike[0]) if alike else ():
            found = map(attrgetter(name), alike)
            table.append([pieces.setdefault(id(column), (len(pieces), column))[0] for column in found])
        table.append([int(track.before) for track in alike])
        table.append([int(track.after) for track in alike])
        tables.append(_put(np.array(table, np.int32), arrays))
    shown = _put(np.array(rows, np.int32), arrays)
    return [list(names), shown, tables, _put_pieces([column for _, column in pieces.values()], arrays)]


def decode_tracks(data: Any, arrays: list[Array]) -> dict[Channel, ScalarTrack | QuaternionTrack]:
    """What `encode_tracks` made `data` of.

    Raises
    ------
    ValidationError, KeyError, IndexError, TypeError, ValueError
        It cannot have made that.
    """
    names, shown, tables, written = data
    rows = _numbers(shown, arrays, (None, 5))
    pieces = _pieces(written, arrays)
    checked = CheckedColumns()
    made: list[list[ScalarTrack | QuaternionTrack]] = []
    for kind, table in zip(KINDS, tables, strict=True):
        named = SCALAR_COLUMNS if kind is ScalarTrack else QUATERNION_COLUMNS
        numbers = _numbers(table, arrays, (None, None))
        alike: list[ScalarTrack | QuaternionTrack] = []
        for *places, before, after in numbers.T.tolist():
            known = {name: pieces[place] for name, place in zip(named, places, strict=True)}
            ends = Extrapolation(before), Extrapolation(after)
            if kind is ScalarTrack:
                alike.append(checked.track(known, *ends))
            else:
                with np.errstate(over="ignore", invalid="ignore"):  # numbers that nobody wrote are refused
                    alike.append(QuaternionTrack(**known, before=ends[0], after=ends[1]))
        made.append(alike[::-1])
    result: dict[Channel, ScalarTrack | QuaternionTrack] = {}
    for name, prop, axis, what, of in rows.tolist():
        if not isinstance(names[name], str):
            raise ValidationError(f"a channel is named by a text, not {names[name]!r}")
        result[Channel(names[name], Property(prop), axis, ChannelKind(what))] = made[of].pop()
    if len(result) != len(rows) or any(made):
        raise ValidationError(f"{len(rows)} channels do not fit the tracks that are there")
    return result


# ---------------------------------------------------------------- pieces
def _put_pieces(pieces: list[Array], arrays: list[Array]) -> list[Any]:
    """Number of the array ``(P, 2)`` with group and length of each piece; for each group how its rows look, and the
    number of the array that holds them one after another.

    Rows look like their shape; those of pieces that are one value all over are written as that value, with None.
    """
    groups: dict[tuple[str, tuple[int, ...], bool], tuple[int, list[Array]]] = {}
    places = []
    for piece in pieces:
        filled = piece.size > 0 and not any(piece.strides)
        group, held = groups.setdefault((piece.dtype.str, piece.shape[1:], filled), (len(groups), []))
        held.append(piece[:1].reshape(-1)[:1] if filled else piece)
        places.append((group, len(piece)))
    shown = _put(np.array(places, np.int32), arrays)
    return [
        shown,
        [
            [list(shape), filled, _put(np.concatenate(held), arrays)]
            for (_, shape, filled), (_, held) in groups.items()
        ],
    ]


def _pieces(written: Any, arrays: list[Array]) -> list[Array]:
    """The pieces again, views of what holds them."""
    shown, groups = written
    held = []
    for shape, filled, number in groups:
        array = _array(number, arrays)
        extents = tuple(int(n) for n in shape)
        if min(extents, default=0) < 0 or array.ndim != (1 if filled else 1 + len(extents)):
            raise ValidationError(f"columns of rows {extents} in an array {array.shape}")
        if not filled and array.shape[1:] != extents:
            raise ValidationError(f"columns of rows {extents} in an array {array.shape}")
        held.append((extents, bool(filled), array))
    at = [0] * len(held)
    pieces = []
    for group, length in _numbers(shown, arrays, (None, 2)).tolist():
        extents, filled, array = held[group]
        start = at[group]
        at[group] += 1 if filled else length
        if at[group] > len(array):
            raise ValidationError(f"{at[group]} rows of columns, but there are {len(array)}")
        if not filled:
            pieces.append(array[start : start + length])
        elif length * int(np.prod(extents, dtype=float)) > MAX_FILLED:
            raise ValidationError(f"a column of {length} equal values is not believable")
        else:
            pieces.append(np.broadcast_to(array[start], (length, *extents)))
    return pieces


# ---------------------------------------------------------------- arrays
def _put(array: Array, arrays: list[Array]) -> int:
    arrays.append(array)
    return len(arrays) - 1


def _array(number: Any, arrays: list[Array]) -> Array:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(arrays):
        raise ValidationError(f"array {number!r} of {len(arrays)}")
    return arrays[number]


def _numbers(number: Any, arrays: list[Array], shape: tuple[int | None, ...]) -> Array:
    """An array of whole numbers, none below nought."""
    array = _array(number, arrays)
    fits = array.ndim == len(shape) and all(
        n is None or n == have for n, have in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype.kind not in "iu" or (array.size and int(array.min()) < 0):
        raise ValidationError(f"expected whole numbers {shape}, got {array.dtype} {array.shape}")
    return array

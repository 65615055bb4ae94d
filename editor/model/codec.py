"""Frozen data to plain values plus arrays, and back. Data only: nothing read can run code.

Classes are known by name, those that assets and steps are made of; a name that is not among them is an
error. Arrays stand beside the plain values as raw bytes with a type and shape that are checked
against the bytes that are there.
"""

import base64
import binascii
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any, cast, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

from core.errors import AnimError, ValidationError
from core.io.native import kinds
from core.project.project import Project
from editor.model import commands
from editor.model.codec_tracks import decode_tracks, encode_tracks

DTYPES = ("<f8", "<f4", "<i8", "<i4", "<u8", "<u4", "<u2", "|u1", "|b1")
MAX_CONSTANT = 20_000_000
MAX_DEPTH = 60
SHARED = "="
RENAMED = {("Mesh", "joints"): "bones"}
"""Fields by class and the name that earlier journals have, and what they are called now."""

Arrays = list[npt.NDArray[Any]]
Buffer = bytes | memoryview


@cache
def classes() -> Mapping[str, type]:
    """The data classes that may be written, by name.

    They are those that the kinds of assets (`core.io.native.kinds`) and steps are made of, and what their modules
    define besides: a new kind of asset brings its own along.
    """
    found: set[type] = set()
    for root in (*(kind.type for kind in kinds.KINDS), Project, commands.Command, commands.ViewState):
        _reach(root, found)
    modules = sorted({item.__module__ for item in found})
    return MappingProxyType(
        {
            name: item
            for module in modules
            for name, item in vars(sys.modules[module]).items()
            if isinstance(item, type) and item.__module__ == module and _is_data(item)
        }
    )


def _reach(hint: Any, found: set[type]) -> None:
    """Add the data classes that a type hint names, and those that their fields name."""
    if isinstance(hint, type) and _is_data(hint):
        if hint in found:
            return
        found.add(hint)
        if not issubclass(hint, Enum):
            for part in get_type_hints(hint).values():
                _reach(part, found)
    for part in get_args(hint):
        _reach(part, found)


def _is_data(item: type) -> bool:
    return (
        is_dataclass(item) or issubclass(item, Enum) or (issubclass(item, tuple) and hasattr(item, "_fields"))
    )


# ---------------------------------------------------------------- whole values


def encode(value: Any, arrays: Arrays) -> Any:
    """Plain JSON values for frozen data; arrays are put into `arrays` and referred to by number."""
    if (
        value is None
        or isinstance(value, bool)
        or (isinstance(value, int | float | str) and not isinstance(value, Enum))
    ):
        return value.item() if isinstance(value, np.generic) else value
    if isinstance(value, np.ndarray):
        return _encode_array(value, arrays)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Enum):
        return ["e", _known(value), value.value]
    if is_dataclass(value) and not isinstance(value, type):
        return [
            "d",
            _known(value),
            {f.name: encode(getattr(value, f.name), arrays) for f in fields(value) if f.init},
        ]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return ["n", _known(value), [encode(item, arrays) for item in value]]
    if isinstance(value, tuple | list):
        return ["t" if isinstance(value, tuple) else "l", [encode(item, arrays) for item in value]]
    if isinstance(value, Mapping):
        tracks = encode_tracks(value, arrays)
        if tracks is not None:
            return ["k", *tracks]
        return ["m", [[encode(k, arrays), encode(v, arrays)] for k, v in value.items()]]
    if isinstance(value, Fraction):
        return ["f", str(value.numerator), str(value.denominator)]
    if isinstance(value, bytes):
        return ["b", base64.b64encode(value).decode("ascii")]
    raise ValidationError(f"cannot write a {type(value).__name__} down")


def decode(data: Any, arrays: Arrays, depth: int = 0) -> Any:
    """The value that `encode` made `data` of.

    Raises
    ------
    AnimError
        For whatever `encode` cannot have made.
    """
    if depth > MAX_DEPTH:
        raise ValidationError("values are nested too deeply")
    if data is None or isinstance(data, bool | int | float | str):
        return data
    try:
        kind = data[0]
        return _DECODERS[kind](data, arrays, depth + 1)
    except AnimError:
        raise
    except (
        KeyError,
        IndexError,
        TypeError,
        ValueError,
        ArithmeticError,
        AttributeError,
        binascii.Error,
    ) as error:
        raise ValidationError(f"not a value this program has written: {error!r}") from error


def _now(cls: type, name: str) -> str:
    """What a field is called now that a journal may have under an earlier name."""
    return RENAMED.get((cls.__name__, name), name)


def _known(value: Any) -> str:
    name = type(value).__name__
    if classes().get(name) is not type(value):
        raise ValidationError(f"cannot write a {name} down: its module is not among the codec's")
    return name


def _encode_array(array: npt.NDArray[Any], arrays: Arrays) -> Any:
    if array.size and all(step == 0 for step in array.strides) and array.ndim:
        return ["c", array.ravel()[0].item(), list(array.shape), array.dtype.str]
    arrays.append(array)
    return ["a", len(arrays) - 1]


def _decode_dataclass(data: Any, arrays: Arrays, depth: int) -> Any:
    cls = classes()[data[1]]
    if not is_dataclass(cls):
        raise ValidationError(f"{data[1]} is no record")
    return cls(**{_now(cls, str(name)): decode(item, arrays, depth) for name, item in data[2].items()})


def _decode_named(data: Any, arrays: Arrays, depth: int) -> Any:
    cls: Any = classes()[data[1]]
    if not issubclass(cls, tuple):
        raise ValidationError(f"{data[1]} is no tuple")
    return cls(*(decode(item, arrays, depth) for item in data[2]))


def _decode_enum(data: Any, arrays: Arrays, depth: int) -> Any:
    cls: Any = classes()[data[1]]
    if not issubclass(cls, Enum):
        raise ValidationError(f"{data[1]} is no enumeration")
    return cls(data[2])


def _decode_constant(data: Any, arrays: Arrays, depth: int) -> Any:
    shape = tuple(int(n) for n in data[2])
    if data[3] not in DTYPES or min(shape) < 0 or int(np.prod(shape, dtype=float)) > MAX_CONSTANT:
        raise ValidationError(f"array of shape {shape}, type {data[3]}")
    cell = np.array(data[1], dtype=data[3])
    cell.flags.writeable = False
    return np.broadcast_to(cell, shape)


_DECODERS: dict[str, Callable[[Any, Arrays, int], Any]] = {
    "d": _decode_dataclass,
    "n": _decode_named,
    "e": _decode_enum,
    "c": _decode_constant,
    "a": lambda data, arrays, depth: arrays[_index(data[1], arrays)],
    "t": lambda data, arrays, depth: tuple(decode(item, arrays, depth) for item in data[1]),
    "l": lambda data, arrays, depth: [decode(item, arrays, depth) for item in data[1]],
    "m": lambda data, arrays, depth: {decode(k, arrays, depth): decode(v, arrays, depth) for k, v in data[1]},
    "k": lambda data, arrays, depth: decode_tracks(data[1:], arrays),
    "f": lambda data, arrays, depth: Fraction(int(data[1][:40]), int(data[2][:40])),
    "b": lambda data, arrays, depth: base64.b64decode(data[1], validate=True),
}


def _index(number: Any, arrays: Arrays) -> int:
    if not isinstance(number, int) or not 0 <= number < len(arrays):
        raise ValidationError(f"array {number!r} of {len(arrays)}")
    return number


# ---------------------------------------------------------------- differences


def difference(before: Any, after: Any, arrays: Arrays) -> Any:
    """What turns `before` into `after`: only fields, mapping entries and arrays that differ are written."""
    if before is after:
        return SHARED
    if type(before) is type(after):
        if is_dataclass(after) and not isinstance(after, type):
            changed = {
                f.name: difference(getattr(before, f.name), getattr(after, f.name), arrays)
                for f in fields(after)
                if f.init and getattr(before, f.name) is not getattr(after, f.name)
            }
            _known(after)
            return ["patch", changed]
        if isinstance(after, Mapping):
            return _mapping_difference(before, after, arrays)
    return ["new", encode(after, arrays)]


def _mapping_difference(before: Mapping[Any, Any], after: Mapping[Any, Any], arrays: Arrays) -> Any:
    missing = object()
    changed = [
        [encode(key, arrays), difference(before.get(key, missing), value, arrays)]
        for key, value in after.items()
        if before.get(key, missing) is not value
    ]
    gone = [encode(key, arrays) for key in before if key not in after]
    order = None
    if [key for key in before if key in after] + [key for key in after if key not in before] != list(after):
        order = [encode(key, arrays) for key in after]
    return ["items", changed, gone, order]


def patched(before: Any, data: Any, arrays: Arrays) -> Any:
    """`before` with a `difference` applied; raises `AnimError` where it does not fit."""
    if data == SHARED:
        return before
    try:
        kind = data[0]
        if kind == "new":
            return decode(data[1], arrays)
        if kind == "items":
            return _patched_mapping(before, data, arrays)
        if kind == "patch" and type(before) in classes().values() and is_dataclass(before):
            names = {f.name for f in fields(before) if f.init}
            values = {name: getattr(before, name) for name in names}
            for written, change in data[1].items():
                name = _now(type(before), written)
                if name not in names:
                    raise ValidationError(f"{type(before).__name__} has no {name!r}")
                values[name] = patched(values[name], change, arrays)
            cls: Any = type(before)
            return cls(**values)
    except AnimError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise ValidationError(f"not a change this program has written: {error!r}") from error
    raise ValidationError(f"a change of kind {kind!r} does not fit a {type(before).__name__}")


def _patched_mapping(before: Any, data: Any, arrays: Arrays) -> dict[Any, Any]:
    _, changed, gone, order = data
    result = dict(before)
    for key in gone:
        del result[decode(key, arrays)]
    for encoded, change in changed:
        key = decode(encoded, arrays)
        result[key] = patched(result.get(key), change, arrays)
    if order is not None:
        keys = [decode(key, arrays) for key in order]
        if set(keys) != set(result) or len(keys) != len(result):
            raise ValidationError("an order names other things than there are")
        result = {key: result[key] for key in keys}
    return result


# ---------------------------------------------------------------- bytes


def pack(data: Any, arrays: Arrays) -> tuple[Any, list[Buffer]]:
    """Plain values with the arrays' types and shapes, and the arrays' bytes (not copied where possible)."""
    portable = [_portable(a) for a in arrays]
    kinds = [[a.dtype.str, list(a.shape)] for a in portable]
    return [data, kinds], [memoryview(cast(Any, a)).cast("B") if a.size else b"" for a in portable]


def unpack(packed: Any, blob: bytes) -> tuple[Any, Arrays]:
    """Inverse of `pack`; shapes are checked against the bytes before anything is made of them."""
    try:
        data, kinds = packed
        arrays: Arrays = []
        place = 0
        for kind, shape in kinds:
            extents = [int(n) for n in shape]
            if kind not in DTYPES or any(n < 0 for n in extents) or len(extents) > 8:
                raise ValidationError(f"array of type {kind!r} and shape {extents}")
            count = 1
            for n in extents:
                count *= n
            size = count * np.dtype(kind).itemsize
            if size > len(blob) - place:
                raise ValidationError(f"an array of {size} bytes, but {len(blob) - place} are left")
            array = np.frombuffer(blob, dtype=kind, count=count, offset=place).reshape(extents)
            arrays.append(array)
            place += size
    except (TypeError, ValueError) as error:
        raise ValidationError(f"not arrays this program has written: {error!r}") from error
    return data, arrays


def _portable(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Little-endian, contiguous, and with at least one dimension."""
    flat = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    return flat.reshape(array.shape) if array.ndim else flat

"""Arrays and other bytes of a native file: packed into few entries, each value stored once.

A document names an array by a reference: ``{"pack": "2.f8", "at": 4000, "shape": [2000]}`` is a
run of values in the entry ``arrays/2.f8.npy``, and ``{"fill": 0.0, "type": "f8", "shape": [2000]}``
a column of equal values that costs nothing. Bytes (textures) are ``{"blob": "0.png"}``.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core.errors import ValidationError
from core.io.native.written import OpenedAsset, Stored, array_digest, bytes_digest
from core.tracks.keys import CheckedColumns

TYPES: dict[str, np.dtype[Any]] = {
    "f8": np.dtype("<f8"),
    "f4": np.dtype("<f4"),
    "i4": np.dtype("<i4"),
    "u4": np.dtype("<u4"),
    "u2": np.dtype("<u2"),
    "u1": np.dtype("u1"),
}
Array = npt.NDArray[Any]
Ref = dict[str, Any]


class _Known:
    """An array that was put before: its reference; the array, so that its address is not used again meanwhile."""

    __slots__ = ("array", "asset", "ref", "stored")

    def __init__(self, ref: Ref, array: Array, stored: Stored | None) -> None:
        self.ref, self.array, self.stored = ref, array, stored
        self.asset = -1


class PackWriter:
    """Collects the arrays of a project's assets; one pack for each asset and type.

    Attributes
    ----------
    folder : the folder that the file is written to, which paths of other files are relative to; None in memory
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._asset = 0
        self._packs: dict[str, list[Array]] = {}
        self._lengths: dict[str, int] = {}
        self._by_identity: dict[tuple[Any, ...], _Known] = {}
        self._by_content: dict[bytes, tuple[str, int]] = {}
        self._blobs: dict[bytes, str] = {}
        self._of_asset: list[Stored] = []
        self.blobs: dict[str, bytes] = {}

    def next_asset(self) -> tuple[Stored, ...]:
        """Arrays that come from now on belong to the next asset; gives what this one stored, in that order."""
        stored, self._of_asset = tuple(self._of_asset), []
        self._asset += 1
        return stored

    def again(self, stored: tuple[Stored, ...]) -> bool:
        """Store what an asset stored in an earlier file; False where anything comes to another place now.

        Its document is then another, too; storing all of it as usual finds it where this put it.
        """
        same = True
        for item in stored:
            content = item.content
            if isinstance(content, tuple):
                place: tuple[str, int] | str = self._blob(item.digest, *content)
            else:
                place = self._placed(item.digest, content)
            same = same and place == item.place
        if same:
            self._of_asset = list(stored)
        return same

    def put(self, array: Array) -> Ref:
        """Store an array unless it is there already; return its reference."""
        identity = (array.__array_interface__["data"][0], array.strides, array.shape, array.dtype.str)
        known = self._by_identity.get(identity)
        if known is None:
            known = self._by_identity[identity] = self._stored(array)
        if known.asset != self._asset:
            known.asset = self._asset
            if known.stored is not None:
                self._of_asset.append(known.stored)
        return known.ref

    def _stored(self, array: Array) -> "_Known":
        code = f"{array.dtype.kind}{array.dtype.itemsize}"
        if code not in TYPES:
            raise ValidationError(f"native file: arrays of type {array.dtype} have no place in it")
        shape = list(array.shape)
        fill = _fill(array)
        if fill is not None:
            return _Known({"fill": fill, "type": code, "shape": shape}, array, None)
        flat = np.ascontiguousarray(array, dtype=TYPES[code]).reshape(-1)
        digest = array_digest(flat)
        place = self._placed(digest, flat)
        ref = {"pack": place[0], "at": place[1], "shape": shape}
        return _Known(ref, array, Stored(digest, array, place))

    def _placed(self, digest: bytes, array: Array) -> tuple[str, int]:
        """Pack and first value of an array's contents, which are stored unless they are there already."""
        place = self._by_content.get(digest)
        if place is None:
            code = f"{array.dtype.kind}{array.dtype.itemsize}"
            flat = np.ascontiguousarray(array, dtype=TYPES[code]).reshape(-1)
            name = f"{self._asset}.{code}"
            at = self._lengths.get(name, 0)
            self._packs.setdefault(name, []).append(flat)
            self._lengths[name] = at + len(flat)
            place = self._by_content[digest] = (name, at)
        return place

    def put_bytes(self, data: bytes, suffix: str) -> Ref:
        """Store bytes unless they are there already; return their reference."""
        digest = bytes_digest(data)
        name = self._blob(digest, data, suffix)
        self._of_asset.append(Stored(digest, (data, suffix), name))
        return {"blob": name}

    def _blob(self, digest: bytes, data: bytes, suffix: str) -> str:
        """Entry of bytes, which are stored unless they are there already."""
        name = self._blobs.get(digest)
        if name is None:
            name = self._blobs[digest] = f"{len(self._blobs)}.{suffix}"
            self.blobs[name] = data
        return name

    def forget(self) -> None:
        """Release the remembered arrays step by step: at once it would block every other thread."""
        for memory in (self._by_identity, self._by_content):
            while memory:
                memory.popitem()

    def packs(self) -> Iterator[tuple[str, np.dtype[Any], int, list[Array]]]:
        """Name, type, number of values and pieces of every pack."""
        for name, pieces in self._packs.items():
            yield name, TYPES[name.rpartition(".")[2]], self._lengths[name], pieces


def _fill(array: Array) -> float | int | None:
    """The value that all of an array's elements have bit for bit, or None."""
    if array.size < 2:
        return None
    if any(array.strides):
        cells = np.ascontiguousarray(array).reshape(-1).view(f"u{array.dtype.itemsize}")
        if cells[0] != cells[-1] or cells[0] != cells[len(cells) // 2] or (cells != cells[0]).any():
            return None
    value: float | int = array.flat[0].item()
    return value if math.isfinite(value) else None


class Source(Protocol):
    """Where packs and blobs are read from."""

    def pack(self, name: str, dtype: np.dtype[Any]) -> Array: ...
    def pack_number(self, name: str) -> int: ...
    def blob(self, name: str) -> bytes: ...


class PackReader:
    """Gives the arrays that references name; equal references share one array.

    Attributes
    ----------
    folder : the folder of the file, which paths of other files are relative to; None in memory
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._packs: dict[str, Array] = {}
        self._arrays: dict[tuple[Any, ...], Array] = {}
        self._filled = 0
        self._given: list[Array] = []
        self._blobs: list[tuple[str, bytes]] = []
        self._known_packs: dict[int, tuple[int, str, Array]] = {}
        self.folder: Path | None = None
        self.columns = CheckedColumns()

    def opened(self, asset: Any, document: bytes) -> OpenedAsset | None:
        """An asset with all that was given since the last one; None where its document refers to more than that.

        Text in JSON has its quotes escaped, so that what looks like a reference is one.
        """
        arrays, blobs = self._given, self._blobs
        self._given, self._blobs = [], []
        whole = document.count(b'{"pack":') == len(arrays) and document.count(b'"blob":"') == len(blobs)
        return OpenedAsset(asset, document, arrays, blobs, self._known_packs) if whole else None

    def get(self, ref: Any) -> Array:
        """The array of a reference, read-only.

        Raises
        ------
        ValidationError
            The reference is malformed or leads outside of its pack.
        """
        if not isinstance(ref, dict) or not isinstance(ref.get("shape"), list):
            raise ValidationError(f"expected a reference to an array, got {str(ref)[:60]}")
        shape = tuple(ref["shape"])
        filled = "fill" in ref
        # −0.0 is not 0.0
        key = (
            (repr(ref["fill"]), ref.get("type"), shape) if filled else (ref.get("pack"), ref.get("at"), shape)
        )
        try:
            found = self._arrays.get(key)
            if found is None:
                _check_shape(shape)
                found = self._filled_array(ref, shape) if filled else self._run(ref, shape)
                self._arrays[key] = found
            if not filled:
                self._given.append(found)
        except TypeError:
            raise ValidationError(f"expected a reference to an array, got {str(ref)[:60]}") from None
        return found

    def _filled_array(self, ref: Ref, shape: tuple[int, ...]) -> Array:
        dtype = TYPES.get(ref["type"])
        value = ref["fill"]
        if dtype is None or isinstance(value, bool) or not isinstance(value, int | float):
            raise ValidationError(f"expected a number to fill an array with, got {str(ref)[:80]}")
        # Costs nothing here, but the value may be copied.
        self._filled += math.prod(shape)
        if self._filled > 1 << 28 or math.prod(shape) > 1 << 25:
            raise ValidationError(f"an array filled with one value is too large: {shape}")
        try:
            cell = np.array(value, dtype=dtype)
        except OverflowError:
            raise ValidationError(f"{value} does not fit into the type {ref['type']}") from None
        cell.flags.writeable = False
        return np.broadcast_to(cell, shape)

    def _run(self, ref: Ref, shape: tuple[int, ...]) -> Array:
        name, at = ref.get("pack"), ref.get("at")
        if not isinstance(name, str) or not isinstance(at, int) or at < 0:
            raise ValidationError(f"expected a reference to an array, got {str(ref)[:60]}")
        dtype = TYPES.get(name.rpartition(".")[2])
        if dtype is None:
            raise ValidationError(f"array pack {name[:40]!r} has no known type")
        if name not in self._packs:
            pack = self._packs[name] = self._source.pack(name, dtype)
            self._known_packs[id(pack)] = self._source.pack_number(name), name, pack
        pack, count = self._packs[name], math.prod(shape)
        if at + count > len(pack):
            raise ValidationError(
                f"values {at} to {at + count} lie outside of {name!r}, which has {len(pack)}"
            )
        return pack[at : at + count].reshape(shape)

    def get_bytes(self, ref: Any) -> bytes:
        """The bytes of a reference."""
        if not isinstance(ref, dict) or not isinstance(ref.get("blob"), str):
            raise ValidationError(f"expected a reference to bytes, got {str(ref)[:60]}")
        data = self._source.blob(ref["blob"])
        self._blobs.append((ref["blob"], data))
        return data


def _check_shape(shape: tuple[Any, ...]) -> None:
    if not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 1 << 40 for n in shape):
        raise ValidationError(f"expected the extents of an array, got {str(shape)[:60]}")

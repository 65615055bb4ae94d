"""What a save remembers of the file before, so that assets that stayed the same cost nothing again."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from core.ids import AssetId

Array = npt.NDArray[Any]


def array_digest(array: Array) -> bytes:
    """Digest of an array's values and type, whatever its shape."""
    code = f"{array.dtype.kind}{array.dtype.itemsize}".encode()
    return hashlib.blake2b(np.ascontiguousarray(array).data, digest_size=16, person=code).digest()


def bytes_digest(data: bytes) -> bytes:
    """Digest of bytes."""
    return hashlib.blake2b(data, digest_size=16).digest()


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """An array or bytes that an asset put into the packs.

    Parameters
    ----------
    digest : of the contents
    content : the array, or the bytes with the suffix of their entry
    place : pack and first value of an array, entry of bytes
    """

    digest: bytes
    content: Array | tuple[bytes, str]
    place: tuple[str, int] | str


@dataclass(frozen=True, slots=True, eq=False)
class WrittenAsset:
    """One asset as it was written; assets are frozen, so the same object is written the same again.

    Parameters
    ----------
    asset : the very object
    document : its JSON
    stored : what it put into the packs, in that order, each once
    """

    asset: Any
    document: bytes
    stored: tuple[Stored, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OpenedAsset:
    """One asset as a file had it that was opened, with all that its document refers to.

    Digests are left to the first save: most files that are opened are only looked at, or played.

    Parameters
    ----------
    asset : the very object that was made of it
    document : its JSON
    arrays : what its references gave, parts of the packs; again and again where several references are equal
    blobs : entry and contents of its bytes, in the order of the file
    packs : id of each pack's array → number and name of the pack, and the array
    """

    asset: Any
    document: bytes
    arrays: list[Array]
    blobs: list[tuple[str, bytes]]
    packs: Mapping[int, tuple[int, str, Array]]

    def written(self) -> WrittenAsset:
        """The same as the save would have left it that wrote the file: arrays in the order of the packs."""
        found: dict[int, tuple[int, int, str, Array]] = {}
        for array in self.arrays:
            if id(array) not in found:
                number, name, pack = self.packs[id(array.base)]
                at = (_address(array) - _address(pack)) // pack.itemsize
                found[id(array)] = (number, at, name, array)
        stored = [
            Stored(array_digest(array), array, (name, at))
            for _, at, name, array in sorted(found.values(), key=lambda item: item[:2])
        ]
        for name, data in self.blobs:
            stored.append(Stored(bytes_digest(data), (data, name.rpartition(".")[2]), name))
        return WrittenAsset(self.asset, self.document, tuple(stored))


def _address(array: Array) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


@dataclass(slots=True, eq=False)
class SaveMemory:
    """The assets of the last save that was read back and found the same, or of the file that was opened.

    The next save writes what it would without; it only works out less. After a save the bytes are the same, too. Of a
    file that was opened the documents are kept word for word: another release may have worded them otherwise.
    Give it to one save at a time, and clear it where another document is opened: it keeps the assets alive.
    """

    assets: dict[AssetId, WrittenAsset | OpenedAsset] = field(default_factory=dict)

    def of(self, asset: Any) -> WrittenAsset | None:
        """How exactly this object was written, or None."""
        found = self.assets.get(asset.id)
        if found is None or found.asset is not asset:
            return None
        if isinstance(found, OpenedAsset):
            found = self.assets[asset.id] = found.written()
        return found

    def clear(self) -> None:
        """Forget everything."""
        self.assets = {}

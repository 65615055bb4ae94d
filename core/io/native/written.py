"""What a save remembers of the save before, so that assets that stayed the same cost nothing again."""

from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from core.ids import AssetId


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
    content: npt.NDArray[Any] | tuple[bytes, str]
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


@dataclass(slots=True, eq=False)
class SaveMemory:
    """The assets of the last save that was read back and found the same.

    The next save writes the same bytes as it would without; it only works out less. Give it to one save at a time,
    and clear it where another document is opened: it keeps the assets alive.
    """

    assets: dict[AssetId, WrittenAsset] = field(default_factory=dict)

    def of(self, asset: Any) -> WrittenAsset | None:
        """How exactly this object was written, or None."""
        found = self.assets.get(asset.id)
        return found if found is not None and found.asset is asset else None

    def clear(self) -> None:
        """Forget everything."""
        self.assets = {}

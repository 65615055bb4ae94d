"""Which clips a plan is made of."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.clips.clip import Clip
from core.ids import AssetId


class NotedClips(Mapping[AssetId, Clip]):
    """Clips by id; those that are looked up are noted.

    Parameters
    ----------
    used : where they are noted
    """

    def __init__(self, clips: Iterable[Clip], used: dict[AssetId, Any]) -> None:
        self._clips, self._used = {clip.id: clip for clip in clips}, used

    def __getitem__(self, key: AssetId) -> Clip:
        found = self._used[key] = self._clips[key]
        return found

    def __iter__(self) -> Iterator[AssetId]:
        return iter(self._clips)

    def __len__(self) -> int:
        return len(self._clips)

"""Reference footage in pictures that are drawn without a window. No Qt."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from core.errors import AnimError
from core.media.footage import FootageReader, open_footage
from core.media.tracks import ReferenceTrack
from editor.gl.camera import Size
from editor.gl.draw_list import PictureShape
from editor.model.media.frame_cache import Picture
from editor.model.media.pictures import Shown
from editor.panels.viewport.reference_pictures import picture_shapes


class RenderReferences:
    """The references of a clip, read picture by picture; its decoders end with it.

    Parameters
    ----------
    tracks : those that are hidden are left out
    rate : pictures a second of sequences that have none of their own
    size : pixels of the pictures that are drawn

    Raises
    ------
    AnimError
        A file is missing or cannot be read; the message names the track.
    """

    def __init__(self, tracks: Sequence[ReferenceTrack], rate: float, size: Size) -> None:
        self._size = size
        self._readers: list[tuple[ReferenceTrack, FootageReader]] = []
        self._last: dict[int, Picture] = {}
        for track in tracks:
            if not track.shown or track.opacity <= 0.0:
                continue
            try:
                footage = open_footage(Path(track.path), track.rate or rate)
            except AnimError as error:
                raise AnimError(f"reference {track.name!r}: {error}") from error
            rows = max(1, round(track.size * size[1]))
            self._readers.append((track, FootageReader(footage, footage.scaled(rows))))

    def __enter__(self) -> "RenderReferences":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _, reader in self._readers:
            reader.finish()

    def shapes(self, time: float) -> tuple[PictureShape, ...]:
        """What is drawn of them at a time in seconds of playback.

        Raises
        ------
        AnimError
            A picture cannot be decoded.
        """
        found = []
        for number, (track, reader) in enumerate(self._readers):
            footage = reader.footage
            index = footage.index_at(time - track.start)
            if index is None:
                continue
            last = self._last.get(number)
            if last is None or last.index != index:
                pixels = reader.read(index)
                if pixels is None:
                    raise AnimError(
                        f"reference {track.name!r}: image {index} cannot be decoded: {track.path}"
                    )
                last = self._last[number] = Picture(pixels, index)
            found.append(Shown(track, last, footage.size[0] / footage.size[1]))
        return picture_shapes(found, self._size)

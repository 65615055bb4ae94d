"""Pictures of reference footage, decoded off the window's thread and kept within a bound of memory."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from core.arrays import ByteArray
from core.errors import AnimError
from core.media.footage import Footage, FootageReader
from editor.model.events import Event
from editor.model.jobs import Jobs

MEGABYTES = 384
AHEAD = 32
"""Pictures decoded beyond the one shown while time runs: a second, so that a slow window does not run out of them."""
RUN = 4 * AHEAD
"""Pictures that a worker decodes at most before it makes room for others."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One decoded picture; equal only to itself, so that comparing two costs nothing.

    Parameters
    ----------
    pixels : (H, W, 4) uint8, opaque, the lowest row first
    """

    pixels: ByteArray
    index: int

    @property
    def size(self) -> tuple[int, int]:
        """Pixels across and down."""
        return self.pixels.shape[1], self.pixels.shape[0]


class _Stream:
    """The decoder of one file at one size, and what it is to decode next; one work of it runs at a time."""

    def __init__(self, footage: Footage, size: tuple[int, int]) -> None:
        self.reader = FootageReader(footage, size)
        self.wanted: tuple[int, ...] = ()
        self.busy = self.going = False
        self.bad: set[int] = set()


_Key = tuple[int, tuple[int, int]]


class FrameCache:
    """Gives pictures that are there, and has those decoded that are not.

    Parameters
    ----------
    megabytes : how much the pictures may take; the one shown stays, whatever it takes

    Attributes
    ----------
    arrived : pictures were decoded that were asked for
    """

    def __init__(self, jobs: Jobs, megabytes: int = MEGABYTES) -> None:
        self._jobs = jobs
        self._most = megabytes << 20
        self._pictures: OrderedDict[tuple[_Key, int], Picture] = OrderedDict()
        self._bytes = 0
        self._streams: dict[_Key, _Stream] = {}
        self._kept: dict[_Key, Footage] = {}
        self._closed = False
        self._lock = threading.Lock()
        self.arrived: Event[None] = Event()

    @property
    def most_bytes(self) -> int:
        """The bound of what they take."""
        return self._most

    @property
    def bytes(self) -> int:
        """What the pictures take."""
        return self._bytes

    def picture(self, footage: Footage, size: tuple[int, int], index: int) -> Picture | None:
        """A picture that is there; keeps it longer than others."""
        key = (id(footage), size), index
        with self._lock:
            found = self._pictures.get(key)
            if found is not None:
                self._pictures.move_to_end(key)
        return found

    def nearest(self, footage: Footage, size: tuple[int, int], index: int) -> Picture | None:
        """The last one before a picture that is there, within a second or so, in any size: shown until it comes."""
        sizes = [size, *(key[1] for key in self._streams if key[0] == id(footage) and key[1] != size)]
        return next(
            (
                found
                for n in range(index, max(index - 25, -1), -1)
                for other in sizes
                if (found := self.picture(footage, other, n)) is not None
            ),
            None,
        )

    def want(
        self, footage: Footage, size: tuple[int, int], indices: Sequence[int], going: bool = False
    ) -> None:
        """Have pictures decoded, the first of them first; replaces what was wanted before.

        Parameters
        ----------
        going : whether time runs, and the window asks again with every frame
        """
        if self._closed:
            return
        key = id(footage), size
        stream = self._streams.get(key)
        missing = tuple(
            n for n in indices if (key, n) not in self._pictures and (stream is None or n not in stream.bad)
        )
        if stream is None:
            if not missing:
                return
            stream = self._streams[key] = _Stream(footage, size)
            self._kept[key] = footage  # so that its identity is not used again
        with self._lock:
            stream.wanted, stream.going = missing, going
        self._go_on(key, stream)

    def is_bad(self, footage: Footage, size: tuple[int, int], index: int) -> bool:
        """Whether a picture cannot be decoded."""
        stream = self._streams.get((id(footage), size))
        return stream is not None and index in stream.bad

    def _go_on(self, key: _Key, stream: _Stream) -> None:
        while stream.wanted and not stream.busy and not self._closed:
            self._decode(key, stream)

    def _decode(self, key: _Key, stream: _Stream) -> None:
        """Decode on a worker: the picture shown alone, so that it is seen at once, or as long as more are wanted.

        While time runs the window looks at every frame what is there, so it need not be told of each. A worker that
        waited for the window after each few would fall behind as soon as the window is slow.
        """
        most = 1 if not stream.going else RUN
        stream.busy = True

        def work() -> None:
            for _ in range(most):
                with self._lock:
                    index = next(iter(stream.wanted), None)
                if index is None or self._closed:
                    return
                try:
                    pixels = stream.reader.read(index)
                except (AnimError, OSError, ValueError):
                    pixels = None
                with self._lock:
                    stream.wanted = tuple(n for n in stream.wanted if n != index)
                    if pixels is None:
                        stream.bad.add(index)
                        stream.wanted = ()
                    else:
                        self._keep(key, Picture(pixels, index))

        def then() -> None:
            stream.busy = False
            if self._closed or self._streams.get(key) is not stream:
                stream.reader.finish()
                return
            self.arrived.emit(None)
            self._go_on(key, stream)

        self._jobs.runner(work, then)

    def _keep(self, key: _Key, picture: Picture) -> None:
        """Put a picture in, and the oldest out; under the lock."""
        old = self._pictures.get((key, picture.index))
        if old is not None:
            self._bytes -= old.pixels.nbytes
        self._pictures[key, picture.index] = picture
        self._bytes += picture.pixels.nbytes
        while self._bytes > self._most and len(self._pictures) > 1:
            _, old = self._pictures.popitem(last=False)
            self._bytes -= old.pixels.nbytes

    def forget(self, keep: Sequence[Footage] = ()) -> None:
        """Drop the pictures and decoders of all footage but some."""
        kept = {id(footage) for footage in keep}
        for key in [key for key in self._streams if key[0] not in kept]:
            stream = self._streams.pop(key)
            del self._kept[key]
            stream.reader.close()
            stream.reader.finish()
            with self._lock:
                for entry in [entry for entry in self._pictures if entry[0] == key]:
                    self._bytes -= self._pictures.pop(entry).pixels.nbytes

    def close(self) -> None:
        """End every decoder."""
        self._closed = True
        self.forget()

"""What a picture asks of the graphics driver: calls, draws, and bytes that go up and come back.

A picture in which nothing changed should send a few hundred bytes and read nothing back: on a graphics card both cost
more than drawing. Nothing is counted, and nothing costs, until a `Traffic` is started.
"""

from collections.abc import Callable
from typing import Any

from editor.gl.api import GL
from editor.gl.frame_view import FrameTraffic

UPLOADS = {"glBufferData": 2, "glBufferSubData": 3, "glTexImage2D": 8, "glTexSubImage2D": 8}
"""Functions that send data → which argument holds it."""
ANSWERS = ("glGet", "glRead", "glCheck", "glFinish", "glClientWaitSync", "glMapBuffer")
"""How functions begin for which the program waits until the driver has answered."""
READS = ("glReadPixels", "glGetTexImage", "glGetBufferSubData")


class Traffic:
    """Counts the calls of all pictures while it is started."""

    def __init__(self) -> None:
        self._real: dict[str, Callable[..., Any]] = {}
        self._calls = self._draws = self._uploaded = self._read_back = self._waits = 0

    @property
    def on(self) -> bool:
        """Whether it counts."""
        return bool(self._real)

    def start(self) -> None:
        """Count from now on; once more does nothing."""
        if self.on:
            return
        self._real = {
            name: value
            for name, value in vars(GL).items()
            if name.startswith("gl") and name[2:3].isupper() and callable(value)
        }
        for name, function in self._real.items():
            setattr(GL, name, self._counting(name, function))
        self.take()

    def stop(self) -> None:
        """Put the functions back as they were."""
        for name, function in self._real.items():
            setattr(GL, name, function)
        self._real = {}

    def take(self) -> FrameTraffic:
        """What was counted since the last take."""
        found = FrameTraffic(self._calls, self._draws, self._uploaded, self._read_back, self._waits)
        self._calls = self._draws = self._uploaded = self._read_back = self._waits = 0
        return found

    def _counting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        draws, waits = int(name.startswith("glDraw")), int(name.startswith(ANSWERS))
        place, reads = UPLOADS.get(name), name in READS

        def counted(*arguments: Any, **named: Any) -> Any:
            self._calls += 1
            self._draws += draws
            self._waits += waits
            if place is not None and len(arguments) > place:
                self._uploaded += byte_count(arguments[place])
            result = function(*arguments, **named)
            if reads:
                self._read_back += byte_count(result)
            return result

        return counted


def byte_count(data: object) -> int:
    """Bytes of what a call was given: 0 for None, addresses and sizes without data."""
    if isinstance(data, bytes | bytearray):
        return len(data)
    return int(getattr(data, "nbytes", 0))

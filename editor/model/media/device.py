"""Sound devices: the system's own, and one that only counts, for measuring without a sound card."""

import logging
import time
from collections.abc import Callable
from typing import Any, Protocol

from core.arrays import Float32Array
from core.errors import UnsupportedError
from core.media.ffmpeg import EXTRA
from core.media.sound import RATE
from editor.model.i18n import tr

logger = logging.getLogger(__name__)

Render = Callable[[int, float], Float32Array]
"""Makes a block: samples, and the moment of the monotonic clock at which the first is heard."""


class Device(Protocol):
    """Something that pulls blocks and lets them be heard."""

    def start(self, render: Render) -> None:
        """Begin to pull."""

    def close(self) -> None:
        """Stop, and give the device back."""


Opener = Callable[[], Device]
"""Finds a device; raises `UnsupportedError` with the reason where there is none. Called off the window's thread."""


class SystemDevice:
    """The system's sound output, through PortAudio.

    Raises
    ------
    UnsupportedError
        The extra, the system's library or the device is missing.
    """

    def __init__(self) -> None:
        try:
            import sounddevice
        except ImportError as error:
            raise UnsupportedError(
                tr(
                    "playing sound needs the package sounddevice: install the extra '{extra}' "
                    "(pip install 'posewright[{extra}]')",
                    extra=EXTRA,
                )
            ) from error
        except OSError as error:  # the package is there, PortAudio is not
            raise UnsupportedError(
                tr(
                    "the library PortAudio is missing: install it from your system (Debian, Ubuntu: libportaudio2)"
                )
            ) from error
        self._library: Any = sounddevice
        self._stream: Any = None
        self._render: Render | None = None
        try:
            self._stream = sounddevice.OutputStream(
                samplerate=RATE, channels=2, dtype="float32", latency="low", callback=self._pull
            )
        except (sounddevice.PortAudioError, ValueError, OSError) as error:
            logger.info("no sound device: %s", error)
            raise UnsupportedError(tr("this system has no sound output")) from error

    def start(self, render: Render) -> None:
        """Begin to pull."""
        self._render = render
        try:
            self._stream.start()
        except self._library.PortAudioError as error:
            raise UnsupportedError(
                tr("the sound output cannot be started: {reason}", reason=error)
            ) from error

    def _pull(self, block: Any, count: int, times: Any, _status: object) -> None:
        wait = float(times.outputBufferDacTime) - float(times.currentTime)
        if not 0.0 < wait < 2.0:  # some systems do not tell
            wait = float(self._stream.latency)
        block[:] = self._render(count, time.monotonic() + wait) if self._render is not None else 0.0

    def close(self) -> None:
        """Stop, and give the device back."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close(ignore_errors=True)


def open_system_device() -> Device:
    """The system's output; see `SystemDevice`."""
    return SystemDevice()


class CountedDevice:
    """A device without sound whose clock is given: it pulls what its clock is due, and keeps what was asked of it.

    Parameters
    ----------
    drift : how much faster its clock runs than the monotonic one (1e-4 is a hundred millionths)
    block : samples of each pull
    latency : seconds from a pull until its first sample is heard
    jitter : gives how much later than due each pull happens, in seconds
    heard : gets (moment of the monotonic clock, block) of each pull
    """

    def __init__(
        self,
        heard: Callable[[float, Float32Array], object],
        drift: float = 0.0,
        block: int = 512,
        latency: float = 0.02,
        jitter: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._heard, self._drift, self._block = heard, drift, block
        self._latency, self._jitter = latency, jitter
        self._render: Render | None = None
        self._begun: float | None = None
        self._pulled = 0
        self._late = 0.0

    def start(self, render: Render) -> None:
        """Begin to pull."""
        self._render = render

    def close(self) -> None:
        """Pull no more."""
        self._render = None

    def pump(self, now: float) -> int:
        """Pull every block that is due at a moment of the monotonic clock; how many those were."""
        render, count = self._render, 0
        if render is None:
            return 0
        if self._begun is None:
            self._begun = now
        seconds = self._block / (RATE * (1.0 + self._drift))
        while self._begun + self._pulled * seconds + self._late <= now:
            heard_at = self._begun + self._pulled * seconds + self._latency
            self._heard(heard_at, render(self._block, heard_at))
            self._pulled += 1
            self._late = self._jitter()
            count += 1
        return count

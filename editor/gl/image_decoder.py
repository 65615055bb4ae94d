"""Has images decoded by a helper process. Free of Qt and OpenGL.

Images of a character come from a file that anyone may have made: their heads are judged before anything is
decoded (`core.io.common.images`), and what decodes them is a process with limits of memory and time (`image_worker`).
"""

import os
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import numpy as np

from core.errors import AnimError
from core.io.common.images import why_not_drawn
from editor.gl.image_packets import ANSWER, HEAD
from editor.gl.texture_values import TextureImage, levels_of

WORKER = "editor.gl.image_worker"
EDGE = 2048
"""Pixels of the longest edge; larger images are scaled down."""
SECONDS = 30.0
"""For one image, on the clock."""
ROOT = Path(__file__).resolve().parents[2]


class ImageError(AnimError):
    """An image cannot be shown; the message says why."""


class ImageDecoder:
    """Decodes images one after another; a context manager that ends its helper.

    The helper is started with the first image, and again after one that brought it down.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._helper: subprocess.Popen[bytes] | None = None

    def decode(self, data: bytes, edge: int = EDGE) -> TextureImage:
        """An image file's pixels.

        Raises
        ------
        ImageError
            Too large by its head, damaged, or it took the helper too much memory or time.
        """
        told = why_not_drawn(data)
        if told:
            raise ImageError(told)
        helper = self._helper = self._helper or _start()
        clock = threading.Timer(self._seconds, helper.kill)
        clock.start()
        try:
            width, height, body = _ask(helper, data, edge)
        except (OSError, EOFError) as error:
            self.close()
            raise ImageError("decoding it took too much memory or time, or broke the decoder") from error
        finally:
            clock.cancel()
            clock.join()
        if not width:
            raise ImageError(body.decode("utf-8", "replace"))
        return TextureImage(levels_of(np.frombuffer(body, np.uint8).reshape(height, width, 4)))

    def close(self) -> None:
        """End the helper."""
        helper, self._helper = self._helper, None
        if helper is not None:
            helper.kill()
            helper.wait()
            for stream in (helper.stdin, helper.stdout):
                if stream is not None:
                    _close(stream)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _start() -> "subprocess.Popen[bytes]":
    environment = dict(os.environ)
    before = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *([before] if before else [])])
    # One thread: every further one reserves address space, which is what is limited.
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", WORKER, str(os.getpid())], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=environment, cwd=tempfile.gettempdir(),
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )  # fmt: skip


def _ask(helper: "subprocess.Popen[bytes]", data: bytes, edge: int) -> tuple[int, int, bytes]:
    assert helper.stdin is not None
    assert helper.stdout is not None
    helper.stdin.write(struct.pack(HEAD, len(data), edge) + data)
    helper.stdin.flush()
    width, height, count = struct.unpack(ANSWER, _exactly(helper.stdout, struct.calcsize(ANSWER)))
    if width > edge or height > edge or (width and count != 4 * width * height) or count > 4 * edge * edge:
        raise EOFError
    return width, height, _exactly(helper.stdout, count)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise EOFError
    return data


def _close(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except OSError:  # what was written and never read
        return

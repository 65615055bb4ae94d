"""The helper process that decodes images: ``python -m editor.gl.image_worker``. A hostile image hurts only it.

It answers on standard output, in order, what comes on standard input: for each image a head of two numbers
(how many bytes, the longest edge wanted) and the bytes; back come width, height and RGBA pixels, or a width of
0 and the length of a reason. Memory and processor time are held within limits by the system, allocations of
the decoder by Qt, and the process is fenced in (`core.io.common.helper.fence`). Only PNG, JPEG and WebP are decoded.
"""

import os
import struct
import sys
from contextlib import suppress
from typing import BinaryIO

from core.io.common.helper import fence
from core.io.common.images import media_type, why_not_drawn
from editor.gl.image_packets import ANSWER, HEAD

MEGABYTES, PROCESSOR_SECONDS = 2048, 60
DECODER_MEGABYTES = 512
FORMATS = {"image/png": b"png", "image/jpeg": b"jpeg", "image/webp": b"webp"}


def limit() -> None:
    """Hold this process within memory and processor time, and fence it in (`core.io.common.helper.fence`).

    macOS holds no limit of memory: there the limits on what is decoded and of Qt stand alone.
    """
    fence.limit_files(0)
    try:
        import resource
    except ImportError:  # Windows
        from core.io.common.helper import job

        with suppress(OSError):
            job.hold(MEGABYTES, PROCESSOR_SECONDS)
    else:
        for what, most in (
            (resource.RLIMIT_AS, MEGABYTES << 20), (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        ):  # fmt: skip
            with suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))
    fence.close()


def decode(data: bytes, edge: int) -> tuple[int, int, bytes]:
    """Width, height and RGBA pixels of an image, scaled down so that no edge is longer.

    Raises
    ------
    ValueError
        Why it cannot be decoded.
    """
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
    from PySide6.QtGui import QImage, QImageReader

    told = why_not_drawn(data)
    if told:
        raise ValueError(told)
    QImageReader.setAllocationLimit(DECODER_MEGABYTES)
    held = QByteArray(data)
    buffer = QBuffer(held)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(FORMATS[media_type(data)]))
    reader.setAutoDetectImageFormat(False)
    size = reader.size()
    if max(size.width(), size.height()) > edge:
        reader.setScaledSize(
            size.scaled(QSize(edge, edge), Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
        )
    image = reader.read()
    if image.isNull():
        raise ValueError(reader.errorString() or "it cannot be decoded")
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    width, height = image.width(), image.height()
    rows = memoryview(image.constBits())
    line = image.bytesPerLine()
    if line != 4 * width:
        return width, height, b"".join(bytes(rows[y * line : y * line + 4 * width]) for y in range(height))
    return width, height, bytes(rows[: 4 * width * height])


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answer image after image until the input ends."""
    while len(head := source.read(struct.calcsize(HEAD))) == struct.calcsize(HEAD):
        count, edge = struct.unpack(HEAD, head)
        data = source.read(count)
        try:
            width, height, body = decode(data, edge)
        except MemoryError:
            width, height, body = 0, 0, b"decoding it takes too much memory"
        except ValueError as error:
            width, height, body = 0, 0, str(error).encode("utf-8", "replace")[:500]
        target.write(struct.pack(ANSWER, width, height, len(body)))
        target.write(body)
        target.flush()


if __name__ == "__main__":
    if sys.platform.startswith("linux"):  # elsewhere the end of the input tells
        fence.end_with(int(sys.argv[1]))
    limit()
    os.environ["QT_LOGGING_RULES"] = "*=false"
    serve(sys.stdin.buffer, sys.stdout.buffer)

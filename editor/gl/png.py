"""PNG pictures from arrays with the standard library alone."""

import struct
import zlib
from pathlib import Path

from core.arrays import ByteArray
from core.errors import ValidationError


def encode_png(image: ByteArray, compression: int = 6) -> bytes:
    """The bytes of a PNG file.

    Parameters
    ----------
    image : (H, W, 3) or (H, W, 4) uint8, top row first
    compression : 0 (fast) to 9 (small)

    Raises
    ------
    ValidationError
        On another shape or type.
    """
    if image.ndim != 3 or image.shape[2] not in (3, 4) or image.dtype.name != "uint8" or 0 in image.shape:
        raise ValidationError(f"png: expected uint8 (H, W, 3 or 4), got {image.dtype} {image.shape}")
    height, width, channels = image.shape
    # Each row is stored as the difference to the pixel on its left ("sub" filter): small and simple.
    rows = image.copy()
    rows[:, 1:] -= image[:, :-1]
    filtered = b"".join(b"\x01" + row.tobytes() for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 6 if channels == 4 else 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(filtered, compression)), (b"IEND", b"")]
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


def write_png(path: str | Path, image: ByteArray, compression: int = 6) -> None:
    """Write an array (H, W, 3 or 4) as a PNG file; see `encode_png`."""
    Path(path).write_bytes(encode_png(image, compression))

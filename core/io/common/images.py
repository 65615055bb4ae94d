"""What an image file says of itself in its head: kind and size, before anything of it is decoded.

Only the head is read, so a picture of 60,000 × 60,000 pixels costs nothing here, however small its file is.
"""

import struct

MOST_EDGE = 16384
MOST_PIXELS = 1 << 26
"""8192 × 8192: decoded, 256 MB."""
LENGTHLESS = {0x01, *range(0xD0, 0xDA)}
"""JPEG markers that no length follows."""
FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers that begin a frame and hold its size."""


def media_type(data: bytes) -> str:
    """``image/png``, ``image/jpeg`` or ``image/webp`` by the first bytes; "" for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def image_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels from the header; None where it has none."""
    kind = media_type(data)
    try:
        if kind == "image/png":
            return struct.unpack_from(">II", data, 16) if data[12:16] == b"IHDR" else None
        if kind == "image/jpeg":
            return _jpeg(data)
        return _webp(data) if kind else None
    except (struct.error, IndexError):
        return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while data[at] == 0xFF:
        while data[at] == 0xFF:  # fill bytes
            at += 1
        marker = data[at]
        at += 1
        if marker in LENGTHLESS:
            continue
        if marker in FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 3)
            return width, height
        at += max(2, struct.unpack_from(">H", data, at)[0])
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def why_not_drawn(data: bytes) -> str:
    """Why an image is not decoded, judged by its head alone; "" where nothing speaks against it."""
    size = image_size(data)
    if size is None:
        return "its head tells no size"
    width, height = size
    if not (0 < width <= MOST_EDGE and 0 < height <= MOST_EDGE and width * height <= MOST_PIXELS):
        return (
            f"{width} × {height} pixels; drawn are up to {MOST_EDGE} along an edge "
            f"and {MOST_PIXELS >> 20} million in all"
        )
    return ""

"""Collects binary data and JSON parts of a glTF file being written."""

import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
CODES = {"f4": 5126, "u1": 5121, "u2": 5123, "u4": 5125}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
ARRAY_BUFFER, ELEMENT_BUFFER = 34962, 34963


class Builder:
    """The document under construction; equal accessors are stored once."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self._known: dict[tuple[bytes, str, int, bool], int] = {}

    def view(self, data: bytes, target: int | None = None) -> int:
        """Add bytes as a buffer view, aligned to 4."""
        self.data.extend(b"\0" * (-len(self.data) % 4))
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        self.data.extend(data)
        self.views.append(view)
        return len(self.views) - 1

    def accessor(self, array: Array, target: int | None = None, bounds: bool = False) -> int:
        """Add an array ``(N,)`` or ``(N, width)`` of float32, uint8, uint16 or uint32."""
        rows = np.ascontiguousarray(array)
        width = 1 if rows.ndim == 1 else rows.shape[1]
        code = f"{rows.dtype.kind}{rows.dtype.itemsize}"
        data = rows.tobytes()
        key = (data, code, width, target is not None)
        if key in self._known:
            number = self._known[key]
        else:
            accessor: dict[str, Any] = {
                "bufferView": self.view(data, target),
                "componentType": CODES[code],
                "count": len(rows),
                "type": KINDS[width],
            }
            self.accessors.append(accessor)
            number = self._known[key] = len(self.accessors) - 1
        if bounds:
            flat = rows.reshape(len(rows), width)
            self.accessors[number]["min"] = [x.item() for x in flat.min(axis=0)]
            self.accessors[number]["max"] = [x.item() for x in flat.max(axis=0)]
        return number


def as_glb(document: dict[str, Any], data: bytes) -> bytes:
    """The binary container."""
    text = to_json(document)
    text += b" " * (-len(text) % 4)
    body = data + b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if body:
        chunks += struct.pack("<I4s", len(body), b"BIN\0") + body
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def to_json(document: dict[str, Any]) -> bytes:
    """Compact UTF-8 JSON; half surrogates become question marks."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def plain_numbers(values: npt.ArrayLike) -> list[float]:
    """Numbers for JSON."""
    return [float(x) for x in np.asarray(values, dtype=np.float64).ravel()]

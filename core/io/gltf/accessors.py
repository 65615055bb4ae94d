"""Accessors: typed arrays out of buffers, with strides, sparse parts and normalised integers."""

from typing import Any

import numpy as np
import numpy.typing as npt

from core.io.gltf.container import Container
from core.json_values import Value

COMPONENTS: dict[int, str] = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS: dict[str, int] = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
MOST_EMPTY = 4_000_000
"""Most elements of an accessor that has no data of its own (they cost memory but no file)."""

Numbers = npt.NDArray[Any]


class Accessors:
    """Reads accessors; the sum of what it decodes is bounded by the size of the file."""

    def __init__(self, container: Container) -> None:
        self._container = container
        root = container.root
        self.all = root.objects("accessors")
        self._views = root.objects("bufferViews")
        self._buffers = root.objects("buffers")
        # A small buffer may be named by a million accessors.
        self._budget = (192 << 20) + 8 * container.size
        self._cache: dict[tuple[int, bool], Numbers] = {}

    @property
    def view_count(self) -> int:
        """Number of buffer views."""
        return len(self._views)

    def view(self, number: int) -> memoryview:
        """The bytes of a buffer view."""
        value = self._views[number]
        source = value.integer("buffer", below=len(self._buffers))
        data = self._container.buffer(self._buffers[source], source)
        offset = value.integer("byteOffset", 0)
        length = value.integer("byteLength", least=1)
        if offset + length > len(data):
            raise value.error(f"bytes {offset} to {offset + length} lie outside a buffer of {len(data)}")
        return data[offset : offset + length]

    def read(self, number: int, kinds: tuple[str, ...], scaled: bool = True) -> Numbers:
        """An accessor as ``(count, width)``, float64 where `scaled`, else as stored.

        Parameters
        ----------
        kinds : types that fit here, such as ``("VEC3",)``
        scaled : turn normalised integers into −1..1 or 0..1
        """
        value = self.all[number]
        kind = value.text("type")
        if kind not in kinds:
            raise value.error(f"expected {' or '.join(kinds)}, got {kind!r}"[:120], "type")
        if (number, scaled) in self._cache:
            return self._cache[number, scaled]
        code = value.integer("componentType")
        if code not in COMPONENTS:
            raise value.error(f"unknown component type {code}", "componentType")
        dtype = np.dtype(COMPONENTS[code])
        count, width = value.integer("count", least=1), WIDTHS[kind]
        raw = self._dense(value, dtype, count, width, kind)
        if value.has("sparse"):
            raw = self._sparse(value.object("sparse"), np.array(raw), dtype, width)
        result = _scaled(raw, dtype, bool(value.data.get("normalized"))) if scaled else raw
        if result.dtype.kind == "f" and not np.isfinite(result).all():
            row = int(np.flatnonzero(~np.isfinite(result).all(axis=1))[0])
            raise value.error(f"element {row} is not finite: {result[row]}")
        result.flags.writeable = False
        self._cache[number, scaled] = result
        return result

    def _spend(self, value: Value, size: int) -> None:
        self._budget -= size
        if self._budget < 0:
            raise value.error("the accessors describe far more data than the file holds")

    def _dense(self, value: Value, dtype: np.dtype[Any], count: int, width: int, kind: str) -> Numbers:
        if not value.has("bufferView"):
            if count > MOST_EMPTY:
                raise value.error(f"{count} elements without any data", "count")
            self._spend(value, count * width * 8)
            return np.zeros((count, width), dtype)
        number = value.integer("bufferView", below=len(self._views))
        data = self.view(number)
        offset = value.integer("byteOffset", 0)
        # Columns of small matrices are padded to four bytes.
        column = {"MAT2": 2, "MAT3": 3}.get(kind, 0) if dtype.itemsize < 4 else 0
        padded = -(-column * dtype.itemsize // 4) * 4 if column else 0
        element = padded * column if column else dtype.itemsize * width
        stride = self._views[number].integer("byteStride", 0) or element
        if stride < element:
            raise value.error(f"a stride of {stride} bytes is shorter than an element of {element}")
        end = offset + stride * (count - 1) + element
        if end > len(data):
            raise value.error(f"{count} elements end at byte {end} of a buffer view of {len(data)}", "count")
        self._spend(value, count * width * 8)
        if column:
            cells = np.ndarray((count, column, padded), np.uint8, data, offset, (stride, padded, 1))
            packed = np.ascontiguousarray(cells[:, :, : column * dtype.itemsize])
            return packed.reshape(count, -1).view(dtype)
        return np.ndarray((count, width), dtype, data, offset, (stride, dtype.itemsize))

    def _sparse(self, value: Value, raw: Numbers, dtype: np.dtype[Any], width: int) -> Numbers:
        count = value.integer("count", least=1)
        places, values = value.object("indices"), value.object("values")
        code = places.integer("componentType")
        if code not in (5121, 5123, 5125):
            raise places.error(f"expected an unsigned type, got {code}", "componentType")
        where = self._run(places, np.dtype(COMPONENTS[code]), count, 1)[:, 0].astype(np.int64)
        if int(where.max()) >= len(raw) or (np.diff(where) <= 0).any():
            raise places.error(f"expected rising indices below {len(raw)}")
        raw[where] = self._run(values, dtype, count, width)
        return raw

    def _run(self, value: Value, dtype: np.dtype[Any], count: int, width: int) -> Numbers:
        data = self.view(value.integer("bufferView", below=len(self._views)))
        offset, size = value.integer("byteOffset", 0), dtype.itemsize * width
        if offset + size * count > len(data):
            raise value.error(f"{count} elements do not fit into {len(data)} bytes")
        self._spend(value, count * width * 8)
        return np.ndarray((count, width), dtype, data, offset)


def _scaled(raw: Numbers, dtype: np.dtype[Any], normalized: bool) -> Numbers:
    result = raw.astype(np.float64)
    if normalized and dtype.kind in "iu":
        result /= np.iinfo(dtype).max
        if dtype.kind == "i":
            np.maximum(result, -1.0, out=result)
    return result

"""The outside of a glTF file: JSON alone or in a binary container, and the buffers it names."""

import base64
import binascii
import os
import struct
from pathlib import Path
from urllib.parse import unquote_to_bytes

from core.errors import FormatError, IncompleteError
from core.io.common.opening import NotAFileError, read_regular
from core.json_text import parse_object
from core.json_values import Value

MOST_BYTES = 4 << 30


class Container:
    """The parsed document and its binary data.

    Parameters
    ----------
    path : the ``.gltf``, ``.glb``, ``.vrm`` or ``.vrma`` file
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise FormatError(path, "", f"{size} bytes are more than a glTF file can hold")
        raw = read_regular(path)
        self.size = len(raw)
        self.binary: memoryview | None = None
        text = self._split(raw) if raw[:4] == b"glTF" else memoryview(raw)
        self.root = Value(parse_object(bytes(text), path, "JSON"), "", path)
        self._buffers: dict[int, memoryview] = {}

    def _split(self, raw: bytes) -> memoryview:
        """The JSON chunk of a binary container; keeps the binary one."""
        if len(raw) < 20:
            raise FormatError(self.path, "header", f"expected 20 bytes, the file ends after {len(raw)}")
        version, length = struct.unpack_from("<II", raw, 4)
        if version != 2:
            raise FormatError(self.path, "header", f"expected glTF version 2, got {version}")
        if length > len(raw):
            raise IncompleteError(self.path, "header", len(raw), length)
        chunks: list[tuple[int, memoryview]] = []
        offset = 12
        whole = memoryview(raw)[:length]
        while offset + 8 <= length:
            count, kind = struct.unpack_from("<II", raw, offset)
            if offset + 8 + count > length:
                raise FormatError(
                    self.path,
                    f"chunk {len(chunks)}",
                    f"it declares {count} bytes, {length - offset - 8} are left",
                )
            chunks.append((kind, whole[offset + 8 : offset + 8 + count]))
            offset += 8 + count + (-count) % 4
            if len(chunks) >= 1000:
                raise FormatError(self.path, "", "expected a JSON and a binary chunk, got a thousand")
        if not chunks or chunks[0][0] != 0x4E4F534A:
            raise FormatError(self.path, "chunk 0", "expected a JSON chunk")
        self.binary = next((data for kind, data in chunks[1:] if kind == 0x004E4942), None)
        return chunks[0][1]

    def buffer(self, value: Value, number: int) -> memoryview:
        """The bytes of a buffer, of the declared length."""
        if number not in self._buffers:
            length = value.integer("byteLength", least=1)
            if value.has("uri"):
                data = memoryview(self.resource(value.text("uri"), value))
            elif number == 0 and self.binary is not None:
                data = self.binary
            else:
                raise value.error("it has no uri and the file has no binary chunk for it")
            if len(data) < length:
                raise value.error(f"it declares {length} bytes, {len(data)} are there", "byteLength")
            self._buffers[number] = data[:length]
        return self._buffers[number]

    def resource(self, uri: str, value: Value) -> bytes:
        """The bytes behind a uri: embedded, or a file in this file's folder."""
        if uri[:5].lower() == "data:":
            head, comma, body = uri.partition(",")
            if not comma or not head.lower().endswith(";base64"):
                raise value.error("expected base64 data", "uri")
            try:
                return base64.b64decode(body, validate=True)
            except (binascii.Error, ValueError) as error:
                raise value.error(f"the base64 data is broken: {error}", "uri") from None
        target = self.sibling(uri, value)
        try:
            return read_regular(target, MOST_BYTES)
        except NotAFileError:
            raise value.error(f"{uri!r} is no file of a sensible size", "uri") from None
        except OSError as error:
            raise value.error(f"{uri!r} cannot be read: {error.strerror}", "uri") from None

    def sibling(self, uri: str, value: Value) -> Path:
        """Path of a file that a relative uri names, kept inside this file's folder."""
        refused = value.error(
            f"expected a file in the same folder, got {uri[:80]!r}", "uri", "it is not opened"
        )
        name = os.fsdecode(unquote_to_bytes(uri))
        if "://" in uri or "\0" in name or "\\" in name or not name or len(name) > 1000:
            raise refused
        folder = self.path.resolve().parent
        try:
            target = (folder / name).resolve()
        except (OSError, ValueError, RuntimeError):
            raise refused from None
        if not target.is_relative_to(folder):
            raise refused
        return target

"""Compiled code of dataclasses, kept on the disk: a quarter of what importing costs is compiling it anew.

`dataclasses` writes the text of each ``__init__``, ``__eq__``, ``__repr__`` … and compiles it at every start: two
thousand small texts, none of which Python's own byte code files hold. Here the code of a text is looked up by the
text's digest; the same text always gives the same code, so nothing in the file can be out of date. Whatever is wrong
with the file or its folder, the texts are compiled as ever.
"""

import dataclasses
import hashlib
import logging
import marshal
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import CodeType

logger = logging.getLogger(__name__)

MAGIC = b"PWCODE01"
MOST_TEXTS = 12_000
"""More than this many texts in the file are of versions gone by: only what this process used is kept then."""


class ClassCode:
    """Code by the digest of its text, read from a file at the start and written back when there is more of it.

    Parameters
    ----------
    path : the file; it and its folder need not exist
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known = _read(path)
        self._used: dict[bytes, bytes] = {}
        self._new = False

    def run(
        self,
        text: str,
        globals: dict[str, object] | None = None,
        locals: dict[str, object] | None = None,
    ) -> None:
        """What ``exec`` does in `dataclasses`, with the code from the file where it is there."""
        exec(self.compiled(text), vars(dataclasses) if globals is None else globals, locals)

    def compiled(self, text: str | bytes, name: str = "<string>") -> CodeType:
        """The code of a text of statements, as ``compile`` gives it, from the file where it is there."""
        plain = text.encode(errors="surrogatepass") if isinstance(text, str) else text
        key = hashlib.blake2b(f"{name}\n".encode() + plain, digest_size=16).digest()
        held = self._known.get(key)
        if held is None:
            code = compile(text, name, "exec", dont_inherit=True)
            held, self._new = marshal.dumps(code), True
        else:
            code = marshal.loads(held)
        self._used[key] = held
        return code

    def write(self) -> bool:
        """Write the file where texts were compiled that it does not hold; whether it was written."""
        if not self._new or sys.dont_write_bytecode:
            return False
        self._new = False
        held = {**_read(self.path), **self._used}  # another process may have written meanwhile
        body = marshal.dumps(held if len(held) <= MOST_TEXTS else dict(self._used))
        try:
            import tempfile

            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, made = tempfile.mkstemp(
                dir=self.path.parent, suffix=".part", prefix=f".{self.path.name}."
            )
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_head(body) + body)
                os.replace(made, self.path)
            except OSError:
                with suppress(OSError):
                    Path(made).unlink()
                raise
        except OSError:
            logger.debug("code of classes was not kept", exc_info=True)
            return False
        return True


def keep(folder: Path) -> ClassCode:
    """Have dataclasses made from now on take their code from a file in `folder`; asked again, it is the same one."""
    path = folder / f"classes-{sys.implementation.cache_tag}.bin"
    now = getattr(vars(dataclasses).get("exec"), "__self__", None)
    code = now if isinstance(now, ClassCode) and now.path == path else ClassCode(path)
    vars(dataclasses)["exec"] = code.run  # a module's own name comes before the builtin one
    return code


def _head(body: bytes) -> bytes:
    """Which Python wrote the file, and that it is whole."""
    told = f"{sys.version}|{sys.flags.optimize}".encode()
    return MAGIC + hashlib.blake2b(told + body, digest_size=32).digest()


def _read(path: Path) -> dict[bytes, bytes]:
    """The code in a file by digest; empty where there is none, or one that is damaged or of another Python."""
    try:
        data = path.read_bytes()
        size = len(MAGIC) + 32
        head, body = data[:size], data[size:]
        held = marshal.loads(body) if head == _head(body) else {}
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return held if isinstance(held, dict) else {}

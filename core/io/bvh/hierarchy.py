"""The HIERARCHY part of a BVH file."""

import math
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import FormatError

AXES = {"x": 0, "y": 1, "z": 2}
END_SUFFIX = "_End"
"""What an End Site's bone is called after: its parent's name and this."""


@dataclass(slots=True)
class Joint:
    """One joint as the file has it.

    Parameters
    ----------
    parent : number of the parent, −1 for a root
    offset : in the file's units
    channels : ``(rotation?, axis)`` in the order of the file's columns
    first : number of its first column in a row
    end_site : whether it is the end of a chain, without channels
    """

    name: str
    parent: int
    line: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: list[tuple[bool, int]] = field(default_factory=list)
    first: int = 0
    end_site: bool = False

    def rotation_axes(self) -> list[int]:
        """Axes of the rotation channels, outermost first."""
        return [axis for turns, axis in self.channels if turns]


def parse_hierarchy(text: str, path: Path) -> tuple[list[Joint], int]:
    """Joints in the file's order (parents first), and the number of columns in a row.

    Raises
    ------
    FormatError
        Naming the line.
    """
    return _Parser(path).parse(text)


class _Parser:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0
        self.rows: list[str] = []
        self.joints: list[Joint] = []
        self.columns = 0
        self.open: list[int] = []  # joints whose brace is open
        self.pending: int | None = None  # joint that waits for its brace

    def error(self, reason: str) -> FormatError:
        return FormatError(self.path, f"line {self.line}", reason)

    def parse(self, text: str) -> tuple[list[Joint], int]:
        self.rows = text.splitlines()
        while words := self._row():
            while words:
                words = self._statement(words)
        if self.open or self.pending is not None:
            number = self.pending if self.pending is not None else self.open[-1]
            raise self.error(f"the braces of {self.joints[number].name!r} are not closed")
        if not self.joints:
            raise self.error("expected ROOT and a name, got no joint at all")
        return self.joints, self.columns

    def _row(self) -> list[str]:
        """Words of the next line that has some; none at the end. Lines that start with # say nothing."""
        while self.line < len(self.rows):
            self.line += 1
            row = self.rows[self.line - 1]
            words = row.replace("{", " { ").replace("}", " } ").split()
            if words and not words[0].startswith("#"):
                return words
        return []

    def _filled(self, words: list[str], count: int) -> list[str]:
        """The words, and those of further lines until there are as many as a statement needs."""
        while len(words) < count and (more := self._row()):
            words = words + more
        return words

    def _statement(self, words: list[str]) -> list[str]:
        """Take one statement off a line; return what is left of it."""
        word = words[0].upper()
        if word == "{":
            if self.pending is None:
                raise self.error("a brace opens without a joint before it")
            self.open.append(self.pending)
            self.pending = None
            return words[1:]
        if word == "}":
            if not self.open or self.pending is not None:
                raise self.error("a brace closes that was not opened")
            self.open.pop()
            return words[1:]
        if word in ("ROOT", "JOINT", "END", "ENDSITE"):
            return self._joint(word, words)
        if word == "OFFSET":
            joint, words = self._current(word), self._filled(words, 4)
            joint.offset = self._offset(words[1:4])
            return words[4:]
        if word == "CHANNELS":
            return self._channels(words)
        if word == "HIERARCHY" and not self.joints:
            return words[1:]
        raise self.error(f"expected JOINT, OFFSET, CHANNELS or a brace, got {words[0][:40]!r}")

    def _current(self, word: str) -> Joint:
        if not self.open or self.pending is not None:
            raise self.error(f"{word} stands outside of a joint's braces")
        return self.joints[self.open[-1]]

    def _joint(self, word: str, words: list[str]) -> list[str]:
        if self.pending is not None:
            raise self.error(f"expected a brace after {self.joints[self.pending].name!r}")
        if word == "ROOT":
            if self.open:
                raise self.error("ROOT stands inside of another joint")
        elif not self.open:
            raise self.error(f"{word} stands outside of a root's braces")
        parent = self.open[-1] if self.open else -1
        rest = words[1:]
        brace = rest.index("{") if "{" in rest else len(rest)
        name = " ".join(rest[:brace])
        end = word.startswith("END")
        if end:
            name = self.joints[parent].name + END_SUFFIX
        if not name:
            raise self.error(f"expected a name after {word}")
        if parent >= 0 and self.joints[parent].end_site:
            raise self.error("an End Site has children")
        self.joints.append(Joint(name, parent, self.line, first=self.columns, end_site=end))
        self.pending = len(self.joints) - 1
        return rest[brace:]

    def _offset(self, words: list[str]) -> tuple[float, float, float]:
        try:
            x, y, z = (float(word) for word in words)
        except ValueError:
            raise self.error(f"expected OFFSET and three numbers, got {' '.join(words)[:60]!r}") from None
        if not all(math.isfinite(v) for v in (x, y, z)):
            raise self.error(f"expected finite numbers, got {' '.join(words)[:60]!r}")
        return x, y, z

    def _channels(self, words: list[str]) -> list[str]:
        joint = self._current("CHANNELS")
        if joint.channels or joint.end_site:
            raise self.error(f"{joint.name!r} cannot have CHANNELS here")
        words = self._filled(words, 2)
        try:
            count = int(words[1])
        except (IndexError, ValueError):
            raise self.error("expected CHANNELS and their number") from None
        if not 0 <= count <= 12:
            raise self.error(f"expected 0 to 12 channels, got {count}")
        words = self._filled(words, 2 + count)
        names = words[2 : 2 + count]
        if len(names) < count:
            raise self.error(f"{count} channels are declared, {len(names)} are named")
        for name in names:
            kind = name[1:].lower()
            axis = AXES.get(name[:1].lower())
            if axis is None or kind not in ("position", "rotation"):
                raise self.error(f"expected a channel such as Xrotation, got {name[:40]!r}")
            if kind == "position" and (False, axis) in joint.channels:
                raise self.error(f"the channel {name} stands twice")
            joint.channels.append((kind == "rotation", axis))
        if len(joint.rotation_axes()) > 3:
            raise self.error(f"{joint.name!r} has more than three rotation channels")
        joint.first = self.columns
        self.columns += count
        return words[2 + count :]

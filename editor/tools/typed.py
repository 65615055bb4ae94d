"""Numbers typed while dragging: ``90``, ``-12.5``, ``1,0,2``; backspace takes one character back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Typed:
    """What has been typed so far; an empty text means that the pointer decides."""

    text: str = ""

    def with_text(self, text: str) -> "Typed | None":
        """After one more character; None where it is not part of a number."""
        if text == "\b":
            return Typed(self.text[:-1]) if self.text else None
        if text == "-":  # flips the sign of the number being typed, wherever the caret is
            head, comma, last = self.text.rpartition(",")
            flipped = last[1:] if last.startswith("-") else "-" + last
            return Typed(head + comma + flipped)
        if text in {",", "\t"} and self.values():
            return Typed(self.text + ",")
        if len(text) == 1 and (text.isascii() and text.isdigit()):
            return Typed(self.text + text)
        if text == "." and "." not in self.text.rpartition(",")[2]:
            return Typed(self.text + text)
        return None

    def values(self) -> tuple[float, ...]:
        """The numbers as far as they can be read; an unfinished one (``-``, ``.``) counts as 0."""
        if not self.text:
            return ()
        return tuple(_number(part) for part in self.text.split(","))

    def __bool__(self) -> bool:
        return bool(self.text)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0

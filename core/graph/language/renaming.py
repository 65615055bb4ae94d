"""Names in expressions: listing and renaming them, also in texts that do not compile."""

import re
from collections.abc import Callable

_PIECE = re.compile(r"""'[^']*'|"[^"]*"|[A-Za-z_][A-Za-z_0-9]*|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\S""")
WORDS = ("and", "or", "not", "true", "false")


def pieces(text: str) -> list[tuple[str, int]]:
    """Words, quoted texts, numbers and signs with their columns."""
    return [(match[0], match.start()) for match in _PIECE.finditer(text)]


def names_in(text: str) -> set[str]:
    """Names and quoted texts that an expression holds, without the language's own words."""
    found = set()
    for piece, _ in pieces(text):
        if piece[0] in "'\"" and len(piece) > 1:
            found.add(piece[1:-1])
        elif (piece[0].isalpha() or piece[0] == "_") and piece not in WORDS:
            found.add(piece)
    return found


def with_name(text: str, old: str, new: str) -> str:
    """A variable renamed; calls, components after a point and quoted texts stay."""
    found = pieces(text)

    def renamed(number: int) -> str | None:
        piece, _ = found[number]
        before = found[number - 1][0] if number else ""
        after = found[number + 1][0] if number + 1 < len(found) else ""
        return new if piece == old and before != "." and after != "(" else None

    return _replaced(text, found, renamed)


def with_quoted(text: str, functions: tuple[str, ...], old: str, new: str) -> str:
    """A quoted name renamed where it is the first argument of one of some functions."""
    found = pieces(text)

    def renamed(number: int) -> str | None:
        piece, _ = found[number]
        if piece[0] not in "'\"" or piece[1:-1] != old or number < 2:
            return None
        called = found[number - 2][0] in functions and found[number - 1][0] == "("
        return f"{piece[0]}{new}{piece[-1]}" if called else None

    return _replaced(text, found, renamed)


def with_compared(text: str, function: str, argument: str, old: str, new: str) -> str:
    """A quoted name renamed that is compared with a call, such as ``state('moves') == 'walk'``."""
    found = pieces(text)

    def renamed(number: int) -> str | None:
        piece, _ = found[number]
        if piece[0] not in "'\"" or piece[1:-1] != old:
            return None
        # A comparison is at most two signs: state ( 'm' ) = = 'walk', and the same the other way round.
        before = [p for p, _ in found[max(number - 6, 0) : number]]
        after = [p for p, _ in found[number + 1 : number + 7]]
        compared = _call(before, function, argument) or _call(after, function, argument)
        return f"{piece[0]}{new}{piece[-1]}" if compared else None

    return _replaced(text, found, renamed)


def _call(near: list[str], function: str, argument: str) -> bool:
    """Whether a call of a function with a quoted argument stands among some pieces."""
    for number, piece in enumerate(near[:-2]):
        if piece == function and near[number + 1] == "(" and near[number + 2][1:-1] == argument:
            return True
    return False


def _replaced(text: str, found: list[tuple[str, int]], change: Callable[[int], str | None]) -> str:
    made, at = [], 0
    for number, (piece, column) in enumerate(found):
        new = change(number)
        if new is not None:
            made += [text[at:column], new]
            at = column + len(piece)
    return "".join([*made, text[at:]])

"""Changes that a person thought of: what stands where, what is put there, and what a user would notice.

A file of them is TOML, with a table for each::

    [[fault]]
    path = "editor/panels/timeline/camera_strip.py"
    line = 169
    old = "self._session.playback.seek(time)"
    new = "pass"
    notice = "a double click on a camera key goes nowhere"

``line`` is where the old text stood when the change was thought of; the place nearest to it is changed.
"""

import tomllib
from pathlib import Path

from tests.mutation.sites import Mutant


def faults(root: Path, file: Path) -> list[Mutant]:
    """The changes of a file, in its order.

    Raises
    ------
    ValueError
        The file is no list of changes, or the text of one stands nowhere in its file: which, and what to do.
    """
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")).get("fault", [])
        return [_mutant(root, number, **words) for number, words in enumerate(found)]
    except (tomllib.TOMLDecodeError, TypeError, OSError) as error:
        raise ValueError(f"{file}: {error}; see tests/mutation/by_hand.py for what it holds") from error


def _mutant(root: Path, number: int, path: str, line: int, old: str, new: str, notice: str) -> Mutant:
    source = (root / path).read_text(encoding="utf-8")
    starts = []
    start = source.find(old) if old else -1
    while start >= 0:
        starts.append(start)
        start = source.find(old, start + 1)
    places = [(source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at) - 1) for at in starts]
    if not places:
        raise ValueError(
            f"fault {number} ({notice}): {old!r} is nowhere in {path}; write what stands there now"
        )
    row, column = min(places, key=lambda place: abs(place[0] - line))
    return Mutant(path, notice, number, row, column, old, new)

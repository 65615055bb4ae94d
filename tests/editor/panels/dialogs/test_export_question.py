"""What is asked before an export replaces files: each file with what is lost, at most three of them."""

from pathlib import Path

import pytest

from core.io.replacing import Replacement
from editor.shell.export.replacing import Warned, question


def warned(count: int, **changes: object) -> list[Warned]:
    return [
        Warned(**{"path": Path(f"f{n}.glb"), "source": False, "change": None, **changes})
        for n in range(count)
    ]


END = "Replace moves the old file to the backups. Keep both writes other.glb."


@pytest.mark.parametrize(
    ("count", "more"),
    [(1, None), (3, None), (4, "And 1 more file exists already."), (7, "And 4 more files exist already.")],
)
def test_three_files_are_named_and_the_others_counted(count: int, more: str | None) -> None:
    parts = question(warned(count), "other.glb").split("\n\n")
    named = [f"f{n}.glb exists already." for n in range(min(count, 3))]
    assert parts == [*named, *([more] if more else []), END]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"source": True}, "f0.glb is the file that the character was imported from."),
        ({"change": Replacement()}, "f0.glb exists already. The new file contains everything that is in it."),
        (
            {"change": Replacement(("the camera 'a'",), ("run", "hop"))},
            "f0.glb exists already.\nReplacing it loses: the camera 'a'.\nNew clips: run, hop.",
        ),
    ],
)
def test_a_file_is_told_with_what_it_is_and_what_is_lost(changes: dict, words: str) -> None:
    assert question(warned(1, **changes), "other.glb").split("\n\n") == [words, END]

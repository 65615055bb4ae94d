"""Where the files of media tracks lie."""

import pytest

from core.media.tracks import leads_away


@pytest.mark.parametrize(
    ("path", "away"),
    [
        ("//host/share/a.wav", True), ("\\\\host\\share\\a.wav", True), ("/\\host/a.wav", True), ("//", True),
        ("/sounds/a.wav", False), ("C:\\sounds\\a.wav", False), ("sounds//a.wav", False), ("a.wav", False), ("", False),
    ],
)  # fmt: skip
def test_a_path_that_begins_with_two_slashes_of_either_kind_is_on_another_computer(
    path: str, away: bool
) -> None:
    assert leads_away(path) is away

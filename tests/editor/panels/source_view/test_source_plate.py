"""The plate over the view of the source is as wide as the longer of its two lines, and no wider than the view."""

import pytest

from tests.editor.portraits import sitter
from tests.editor.turning import turn_until_shown

SHORT, LONG = "a", "a long line that has room"


@pytest.fixture
def panel(qapp):
    stage, made = sitter.seated(qapp, "source_view", "after")
    yield made
    sitter.away(qapp, stage, made)


@pytest.mark.parametrize(("name", "note"), [(SHORT, LONG), (LONG, SHORT), (LONG, LONG)])
def test_both_lines_are_read_whole(qapp, panel, name: str, note: str) -> None:
    panel.name.set_text(name)
    panel.note.set_text(note)
    panel._fit_plate()
    turn_until_shown()
    assert (panel.name.text(), panel.note.text()) == (name, note)


def test_the_plate_stays_within_the_view(panel) -> None:
    panel.note.set_text("so long a line " * 40)
    panel._fit_plate()
    assert panel.plate.geometry().right() <= panel.view.width() - 8
    assert panel.plate.width() >= 60

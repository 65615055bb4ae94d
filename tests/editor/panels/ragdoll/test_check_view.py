"""The table of what leaves the ranges of joints: rows, where a click goes, and which ranges are widened."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from editor.panels.bodies.check_view import BEYOND, CheckView
from editor.panels.bodies.view_model import CheckRow
from editor.qt.theme import Theme

ROWS = tuple(
    CheckRow(*words)  # type: ignore[arg-type]
    for words in (
        ("a", "walk", "arm x", 12.34, "7"), ("b", "walk", "arm y", 3.0, "9.5"), ("c", "run", "leg x", 0.56, "0"),
    )
)  # fmt: skip


@pytest.fixture
def shown(qapp, qtbot) -> Iterator[SimpleNamespace]:
    done: list[tuple[object, ...]] = []
    note = lambda name: lambda *values: done.append((name, *values))  # noqa: E731
    check = SimpleNamespace(
        job=None, why_not="", run=note("run"), cancel=note("cancel"), go=note("go"), widen=note("widen")
    )
    model = SimpleNamespace(
        check=check, verdict=lambda: ("3 leave their ranges", "warning"), check_rows=lambda: ROWS
    )
    theme = Theme(qapp)
    view = CheckView(theme, model, lambda work: work())  # type: ignore[arg-type]
    theme.dress(view)
    qtbot.addWidget(view)
    view.show()
    view.refresh()
    yield SimpleNamespace(view=view, check=check, model=model, done=done)


def test_each_row_says_clip_joint_degrees_and_frame(shown) -> None:
    table = shown.view.table
    rows = [[table.topLevelItem(n).text(c) for c in range(4)] for n in range(3)]
    assert rows == [
        ["walk", "arm x", "12.3", "7"],
        ["walk", "arm y", "3.0", "9.5"],
        ["run", "leg x", "0.6", "0"],
    ]
    assert table.headerItem().text(BEYOND) == "Over °"
    table.itemClicked.emit(table.topLevelItem(1), 0)
    assert shown.done == [("go", "b")]


def test_the_selected_rows_alone_can_be_widened(shown) -> None:
    view = shown.view
    assert not view.widen_some.isEnabled() and view.widen_all.isEnabled()
    for number in (2, 0):
        view.table.topLevelItem(number).setSelected(True)
    assert view.widen_some.isEnabled()
    view.widen_some.click()
    view.widen_all.click()
    view.table.clearSelection()
    assert not view.widen_some.isEnabled() and shown.done == [("widen", ["a", "c"]), ("widen",)]


def test_a_check_is_begun_and_cancelled_by_one_button(shown) -> None:
    view, check = shown.view, shown.check
    assert view.run.text() == "Check" and view.run.isEnabled()
    view.run.click()
    check.job = SimpleNamespace(fraction=0.5, text="walk")
    view.refresh()
    assert view.run.text() == "Cancel" and not view.verdict.isVisible()
    view.run.click()
    assert shown.done == [("run",), ("cancel",)]
    check.job, check.why_not = None, "no bodies"
    view.refresh()
    assert not view.run.isEnabled() and view.verdict.property("role") == "warning"


def test_without_findings_there_is_no_table(shown) -> None:
    shown.model.check_rows = lambda: ()
    shown.view.refresh()
    assert not any(w.isVisible() for w in (shown.view.table, shown.view.widen_all, shown.view.widen_some))

"""The report of a retarget tells quietly that it is at work, and stops telling so."""

import pytest

from editor.panels.retarget.report import ReportView
from editor.qt.theme import Theme
from editor.qt.widgets import label


@pytest.fixture
def report(qapp):
    theme = Theme(qapp)
    made = ReportView(theme)
    theme.dress(made)
    made.show()
    yield made
    made.close()
    made.deleteLater()


def test_while_it_computes_it_says_so_dim(report) -> None:
    note = next(w for w in report.findChildren(type(label(""))) if w.text() == "Computing…")
    report.show_report((), (), True)
    assert report.isVisible() and note.isVisible() and note.property("role") == "dim"
    report.show_report((), (), False)
    assert not note.isVisible() and not report.isVisible()

"""What is wrong with a graph: errors before hints, how many, and whether the last good version runs."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from core.graph.problems import Problem
from editor.model.graph.editor import GraphEditor
from editor.panels.graph.problem_list import MOST, ProblemList
from editor.qt.theme import Theme
from tests.editor.panels.graph.graphs import graph_session


@pytest.fixture
def shown(qapp, qtbot) -> Iterator:
    session = graph_session()
    editor = session.feature(GraphEditor)
    theme = Theme(qapp)

    def show(*problems: Problem) -> ProblemList:
        made = ProblemList(editor, theme)
        theme.dress(made)
        qtbot.addWidget(made)
        made.resize(600, 160)
        made._fill(tuple(problems))
        return made

    yield SimpleNamespace(show=show, editor=editor)
    session.close()


def hint(text: str) -> Problem:
    return Problem(text, warning=True)


def texts(made: ProblemList) -> list[str]:
    rows = [
        made.area.findChild(QPushButton, f"problem.{n}") for n in range(made.area.widget().layout().count())
    ]
    return [row.text() for row in rows if row is not None]


def test_errors_come_before_hints_each_in_the_order_found(shown) -> None:
    made = shown.show(hint("h1"), Problem("e1"), hint("h2"), Problem("e2"))
    assert texts(made) == ["e1", "e2", "h1", "h2"]
    signs = [made.area.widget().layout().itemAt(n).widget() for n in range(4)]
    assert all(sign is not None for sign in signs)


@pytest.mark.parametrize(("count", "more"), [(MOST, None), (MOST + 3, "and 3 more")])
def test_so_many_are_listed_and_the_rest_is_counted(shown, count: int, more: str | None) -> None:
    made = shown.show(*(Problem(f"e{n}") for n in range(count)))
    assert len(texts(made)) == MOST
    labels = [found.text() for found in made.area.findChildren(QLabel)]
    assert (more in labels) if more else not any("more" in text for text in labels)

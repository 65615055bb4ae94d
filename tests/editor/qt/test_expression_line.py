"""The line of an expression: what is wrong is underlined in the colour of errors, there and only there."""

import numpy as np
import pytest
from PySide6.QtGui import QColor

from editor.model.graph.language import Fault
from editor.qt.expression_line import ExpressionLine
from editor.qt.theme import Theme
from tests.editor.user import User

TEXT = "speed +  wrong * 2"
WRONG = Fault("there is no variable called wrong", TEXT.index("wrong"), len("wrong"))


@pytest.fixture(params=["dark", "light"])
def line(request, qtbot, qapp):
    theme = Theme(qapp, request.param)
    made = ExpressionLine(theme)
    theme.dress(made)
    qtbot.addWidget(made)
    made.resize(320, 26)
    made.setText(TEXT)
    made.user = User(made)
    made.clearFocus()
    yield made
    made.close()


def marked(line: ExpressionLine) -> np.ndarray:
    """Pixels that differ from those without a fault, nearest to the colour of errors."""
    fault, now = line.fault, line.user.picture().astype(int)[..., :3]
    line.show_fault(None)
    without = line.user.picture().astype(int)[..., :3]
    line.show_fault(fault)
    color = QColor(line.theme.tokens.error)
    wanted = np.array([color.red(), color.green(), color.blue()])
    differs = (now != without).any(axis=-1)
    nearer = np.abs(now - wanted).sum(-1) < np.abs(without - wanted).sum(-1)
    assert nearer[differs].all(), "what is drawn goes towards the colour of errors"
    strong = np.abs(now - wanted).sum(-1) < 60
    return np.argwhere(differs & strong)


def test_what_is_wrong_is_underlined_from_its_first_letter_to_its_last(line):
    line.show_fault(WRONG)
    places = marked(line)
    metrics = line.fontMetrics()
    left = line.cursorRect().center().x() - metrics.horizontalAdvance(TEXT[: line.cursorPosition()])
    begin = left + metrics.horizontalAdvance(TEXT[: WRONG.column])
    end = begin + metrics.horizontalAdvance("wrong")
    assert places[:, 1].min() == pytest.approx(begin, abs=3) and places[:, 1].max() == pytest.approx(
        end, abs=3
    )
    assert len(set(places[:, 1])) > 0.5 * (end - begin), "a line along the whole word"
    low = (line.height() + metrics.height()) / 2.0
    assert (places[:, 0] > low - 4).all() and (places[:, 0] < low + 4).all(), "below the letters"


def test_a_fault_without_length_is_seen_and_says_what_it_is_until_it_is_mended(line):
    line.show_fault(Fault("something is missing at the end", len(TEXT), 0))
    assert len(marked(line)) >= 2 and line.toolTip() == "something is missing at the end"
    line.show_fault(None)
    assert line.toolTip() == ""


def test_the_line_is_painted_anew_when_a_fault_comes_or_goes(line):
    painted = []
    paint = line.paintEvent

    line.paintEvent = lambda event: (painted.append(line.fault), paint(event))
    for fault in (WRONG, None):
        line.show_fault(fault)
        line.user.settle()
        assert painted and painted[-1] == fault


def test_the_lines_own_tip_is_there_again_when_nothing_is_wrong(qapp, qtbot) -> None:
    line = ExpressionLine(Theme(qapp))
    qtbot.addWidget(line)
    line.setToolTip("When it is taken")
    line.show_fault(Fault("a name is missing", 0))
    assert line.toolTip() == "a name is missing"
    line.setToolTip("When the state is left")
    assert line.toolTip() == "a name is missing"
    line.show_fault(None)
    assert line.toolTip() == "When the state is left"

"""The field of each form of a parameter: what it shows, its bounds, and what it hands over."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from core.graph.catalogue.pins import Form, Parameter
from editor.model.graph.choices import Option
from editor.panels.graph_node.fields import Choice, parameter_field
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.tokens import DARK, ink

OPTIONS = [Option("walk-id", "walk"), Option("run-id", "run")]


@pytest.fixture
def made(qapp, qtbot) -> Iterator[Callable]:
    theme = Theme(qapp)
    put: list[object] = []

    def make(form: Form, value=None, options=(), **more) -> tuple[QWidget, list[object]]:
        field = parameter_field(theme, Parameter("p", form, **more), value, list(options), put.append)
        theme.dress(field)
        qtbot.addWidget(field)
        return field, put

    yield make


@pytest.mark.parametrize(
    ("form", "digits", "step", "typed", "handed"),
    [(Form.NUMBER, 3, 0.01, 1.2345, 1.2345), (Form.WHOLE, 0, 0.1, 3.0, 3)],
)
def test_numbers_keep_their_bounds(made, form: Form, digits: int, step: float, typed: float, handed) -> None:
    field, put = made(form, 2, least=-1.0, most=4.0, default=1.0)
    assert isinstance(field, NumberField) and field.value == 2.0
    assert (field.minimum, field.maximum, field.decimals, field.step) == (-1.0, 4.0, digits, step)
    field.committed.emit(typed)
    assert put == [handed] and type(put[0]) is type(handed)
    assert made(form, None, default=1.0)[0].value == 1.0, "what a node does not say is the default"


def test_a_truth_is_ticked(made) -> None:
    field, put = made(Form.TRUTH, None, default=True)
    assert isinstance(field, QCheckBox) and field.isChecked()
    field.click()
    assert put == [False]
    assert not made(Form.TRUTH, False, default=True)[0].isChecked()


def test_one_of_a_few_is_chosen(made) -> None:
    field, put = made(Form.CHOICE, "run-id", OPTIONS)
    assert isinstance(field, QComboBox) and field.currentText() == "run"
    field.activated.emit(0)
    assert put == ["walk-id"]
    assert made(Form.CHOICE, "gone", OPTIONS)[0].currentIndex() == 0


@pytest.mark.parametrize(
    ("form", "value", "shown", "typed", "handed"),
    [
        (Form.TEXTS, ("a", "b"), "a, b", " c ,, d", [("c", "d")]),
        (Form.TEXTS, "a", "a", "", [None]),
        (Form.NUMBERS, (0.5, 2.0), "0.5, 2", "1, 2.5", [(1.0, 2.5)]),
        (Form.NUMBERS, None, "", "1, two", []),
        (Form.TEXT, "note", "note", "  other ", ["other"]),
        (Form.TEXT, "note", "note", " ", [None]),
    ],
)
def test_texts_and_lists_are_typed(made, form: Form, value, shown: str, typed: str, handed: list) -> None:
    field, put = made(form, value)
    assert isinstance(field, QLineEdit) and field.text() == shown
    field.setText(typed)
    field.editingFinished.emit()
    assert put == handed
    assert field.property("role") == ("error" if form is Form.NUMBERS and not handed else None)


@pytest.mark.parametrize(
    ("value", "wrong", "tip"),
    [("walk-id", False, ""), ("gone", True, "It is not there: choose another"), ("", True, "Choose one")],
)
def test_what_is_not_there_is_red_and_says_so(made, value: str, wrong: bool, tip: str) -> None:
    field, _ = made(Form.CLIP, value, OPTIONS)
    assert isinstance(field, Choice)
    assert (field.lineEdit().property("role") == "error") is wrong and field.toolTip() == tip
    field.show()
    colour, line = QColor(ink(DARK, "error")), field.lineEdit().palette()
    assert (line.color(QPalette.ColorRole.Text) == colour) is wrong
    assert (line.color(QPalette.ColorRole.PlaceholderText) == colour) is wrong


def test_a_mask_may_be_none(made) -> None:
    field, put = made(Form.MASK, None, OPTIONS, default="")
    assert field.itemText(0) == "none" and field.lineEdit().property("role") is None
    field.activated.emit(0)
    assert put == [""]


def test_a_name_is_found_while_it_is_typed(made) -> None:
    field, put = made(Form.CLIP, "walk-id", OPTIONS)
    for text in ("RUN", "nothing"):
        field.lineEdit().setText(text)
        QTest.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    assert set(put) == {"run-id"}


MANY = [Option("head-id", "head"), Option("head-end-id", "head_end"), Option("hand-id", "hand_l")]


@pytest.mark.parametrize(
    ("typed", "handed", "shown", "tip"),
    [
        ("nd_l", ["hand-id"], "hand_l", ""), ("HEAD", ["head-id"], "head", ""),
        ("end", ["head-end-id"], "head_end", ""),
        ("hea", [], "hea", "Several have this in their names: choose one"),
        ("tail", [], "tail", "It is not there: choose another"), ("", [], "", "Choose one"),
    ],
)  # fmt: skip
def test_a_part_of_a_name_is_enough_where_one_alone_has_it(
    made, typed: str, handed, shown: str, tip: str
) -> None:
    field, put = made(Form.CLIP, "hand-id" if typed != "nd_l" else "head-id", MANY)
    field.lineEdit().setText(typed)
    QTest.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    assert list(dict.fromkeys(put)) == handed and field.currentText() == shown
    assert (field.lineEdit().property("role") == "error") == (not handed) and field.toolTip() == tip


def test_what_was_refused_is_red_until_something_is_chosen(made) -> None:
    field, put = made(Form.CLIP, "head-id", MANY)
    field.setToolTip("What it is for")
    for text, tip in (("hea", "Several"), ("tail", "It is not there"), ("nd_l", "What it is for")):
        field.lineEdit().setText(text)
        QTest.keyClick(field.lineEdit(), Qt.Key.Key_Return)
        assert field.toolTip().startswith(tip)
    assert set(put) == {"hand-id"} and field.lineEdit().property("role") != "error"


def test_a_name_of_ones_own_is_kept_where_it_may_be(made) -> None:
    field, put = made(Form.CURVE, "", [Option("lean", "lean")])
    assert field.lineEdit().property("role") == "error" and field.toolTip() == "Choose one"
    field.lineEdit().setText("lea")
    QTest.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    assert put == ["lea"] and field.lineEdit().property("role") != "error" and field.toolTip() == ""

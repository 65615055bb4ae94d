"""Rows of a node's form: a title, a tip, and what is typed handed over where it differs; a refusal is told."""

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from core.errors import ValidationError
from editor.model.graph.choices import Option
from editor.panels.graph_node.rows import Rows
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel


@pytest.fixture
def made(qapp, qtbot):
    theme, holder = Theme(qapp), QWidget()
    theme.dress(holder)
    qtbot.addWidget(holder)
    form, refused, put = QFormLayout(holder), [], []
    rows = Rows(form, theme, refused.append)
    yield SimpleNamespace(rows=rows, holder=holder, refused=refused, put=put)


def test_a_field_has_its_title_name_and_tip(made) -> None:
    made.rows.row("Blend time", QLineEdit(), "time", "Seconds of the blend")
    made.rows.row("Other", QLineEdit(), "other")
    fields = {f.objectName(): f.toolTip() for f in made.holder.findChildren(QLineEdit)}
    assert fields == {"time": "Seconds of the blend", "other": ""}
    assert [t.whole_text() for t in made.holder.findChildren(ElidedLabel)] == ["Blend time", "Other"]


def test_only_another_text_is_handed_over(made) -> None:
    made.rows.line("Name", "old", "name", made.put.append, "tip")
    (line,) = made.holder.findChildren(QLineEdit)
    line.editingFinished.emit()
    assert made.put == [] and line.toolTip() == "tip"
    line.setText("")
    line.editingFinished.emit()
    assert made.put == [""]


def test_what_is_refused_is_told(made) -> None:
    def refuse(value: object) -> None:
        raise ValidationError(f"no {value}")

    made.rows.choice("Rule", "rule", [Option("a", "A"), Option("b", "B")], "a", refuse)
    box = made.holder.findChild(QWidget, "rule")
    box.activated.emit(1)
    assert [str(error) for error in made.refused] == ["no b"]

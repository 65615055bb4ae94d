"""Forms of dialogs: captions beside fields, rows hidden with their captions, ticks in columns from left to right."""

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget

from editor.shell.form import Form


@pytest.fixture
def form(qapp, qtbot) -> Form:
    holder = QWidget()
    qtbot.addWidget(holder)
    made = Form()
    holder.setLayout(made)
    made.holder = holder
    return made


def caption(form: Form, text: str) -> QLabel:
    return next(found for found in form.holder.findChildren(QLabel) if found.text() == text)


def test_a_row_is_hidden_and_shown_with_its_caption(form: Form) -> None:
    first, second, other = QLineEdit(), QLineEdit(), QLineEdit()
    form.row("Name", first, second)
    form.row("Other", other)
    form.holder.show()
    for shown in (False, True):
        form.set_row_shown(first, second, shown=shown)
        assert [w.isVisible() for w in (caption(form, "Name"), first, second)] == [shown] * 3
        assert caption(form, "Other").isVisible() and other.isVisible()


def test_captions_name_the_first_field_of_their_row(form: Form) -> None:
    first, second = QLineEdit(), QLineEdit()
    second.setAccessibleName("own")
    form.row("Name", first)
    form.row("Second", second)
    assert (first.accessibleName(), second.accessibleName()) == ("Name", "own")
    assert caption(form, "Name").buddy() is first


def test_ticks_run_from_left_to_right(form: Form, qapp) -> None:
    boxes = [QCheckBox(str(n)) for n in range(5)]
    form.block("Show", *boxes)
    form.holder.show()
    qapp.processEvents()
    places = [(box.y(), box.x()) for box in boxes]
    assert places == sorted(places) and len({x for _, x in places}) == 3 and len({y for y, _ in places}) == 2

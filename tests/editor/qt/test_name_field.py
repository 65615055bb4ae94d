"""A name typed in its place: what ends it, what is taken, and where the keyboard goes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from editor.qt.name_field import NameField
from tests.editor.user import User


@pytest.fixture
def here(qapp):
    window = QWidget()
    column, owner, other = QVBoxLayout(window), QWidget(), QWidget()
    for widget in (other, owner):
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column.addWidget(widget)
    window.resize(300, 200)
    user, taken = User(window), []
    field = NameField("walk", taken.append, owner)
    field.open()
    user.settle()
    assert field.hasFocus() and field.selectedText() == "walk"
    yield user, owner, other, taken
    window.close()


@pytest.mark.parametrize(("key", "wanted"), [("Return", ["run"]), ("Esc", [])])
def test_enter_takes_and_escape_drops_what_was_typed_and_the_owner_has_the_keyboard_again(here, key, wanted):
    user, owner, _, taken = here
    user.type("run")
    user.press(key)
    assert taken == wanted and owner.hasFocus() and not owner.findChildren(NameField)


def test_leaving_it_takes_what_was_typed(here):
    user, owner, other, taken = here
    user.type("run")
    user.click(other)
    assert taken == ["run"] and not owner.findChildren(NameField)

"""Rows of the preferences: what is typed or chosen is kept at once, in its own kind of number and within bounds."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit

from editor.qt.number_field import NumberField
from editor.shell.preferences_dialog import PreferencesDialog
from tests.editor.panel_stage import Stage


@pytest.fixture
def here(qapp) -> Iterator[tuple[Stage, PreferencesDialog]]:
    stage = Stage(qapp)
    stage.show(400, 300)
    dialog = PreferencesDialog(stage.window, stage.context)
    dialog.show()
    yield stage, dialog
    dialog.close()
    stage.close(qapp)


@pytest.mark.parametrize(
    ("name", "unit", "typed", "kept"),
    [
        ("backups", "", "7", 7),
        ("backups", "", "51", None),
        ("undo_megabytes", "MB", "128", 128),
        ("undo_megabytes", "MB", "8", None),
        ("tolerance_translate", "m", "0.00025", 0.00025),
        ("tolerance_rotate", "°", "0.125", 0.125),
        ("tolerance_scale", "", "0.002", 0.002),
        ("tolerance_scale", "", "-1", None),
    ],
)
def test_a_number_is_kept_at_once(here, name: str, unit: str, typed: str, kept: float | None) -> None:
    stage, dialog = here
    preferences, field = stage.session.preferences, dialog.findChild(NumberField, f"preference.{name}")
    before = preferences.get(name)
    assert field.unit == unit and field.value == before
    field.edit()
    line = field.findChild(QLineEdit)
    line.selectAll()
    QTest.keyClicks(line, typed)
    QTest.keyClick(line, Qt.Key.Key_Return)
    now = preferences.get(name)
    assert now == (before if kept is None else pytest.approx(kept)) and type(now) is type(before)


def test_a_choice_is_kept_at_once(here) -> None:
    stage, dialog = here
    for name, row, kept in (
        ("theme", 1, "light"),
        ("scale", 2, 1.5),
        ("reduced_motion", 1, True),
        ("auto_ends", 1, "flat"),
    ):
        box = dialog.findChild(QComboBox, f"preference.{name}")
        assert box.currentData() == stage.session.preferences.get(name)
        box.setCurrentIndex(row)
        box.activated.emit(row)
        assert stage.session.preferences.get(name) == kept

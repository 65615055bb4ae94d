import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QScrollArea, QToolTip, QVBoxLayout, QWidget

from editor.qt.dialogs import Dialog
from editor.qt.expression import shown
from editor.qt.number_field import NumberField
from tests.editor.user import CTRL, RIGHT, SHIFT, User


@pytest.fixture
def stage(qtbot, theme):
    window = QWidget()
    qtbot.addWidget(window)
    theme.dress(window)
    layout = QVBoxLayout(window)
    window.field = NumberField(theme, "°", axis=0, step=0.5, decimals=2, keyed=True)
    window.other = QLineEdit()
    layout.addWidget(window.field)
    layout.addWidget(window.other)
    window.seen = []
    window.field.previewed.connect(lambda v: window.seen.append(("preview", v)))
    window.field.committed.connect(lambda v: window.seen.append(("commit", v)))
    window.field.cancelled.connect(lambda: window.seen.append(("cancel", None)))
    window.resize(300, 120)
    return window


def test_drag_sideways_previews_then_commits_once(stage):
    user = User(stage)
    user.drag(stage.field, (50, 10), (90, 10), steps=8)
    assert [kind for kind, _ in stage.seen].count("commit") == 1
    assert stage.seen[-1] == ("commit", 20.0)
    assert all(kind == "preview" for kind, _ in stage.seen[:-1]) and len(stage.seen) > 3


@pytest.mark.parametrize(("modifier", "expected"), [(SHIFT, 2.0), (CTRL, 200.0)])
def test_drag_with_modifier_is_fine_or_coarse(stage, modifier, expected):
    User(stage).drag(stage.field, (50, 10), (90, 10), modifiers=modifier)
    assert stage.field.value == pytest.approx(expected)


def test_drag_then_escape_restores_the_value_and_commits_nothing(stage):
    user = User(stage)
    stage.field.set_value(7.0)
    user.drag(stage.field, (50, 10), (120, 10), during=lambda: user.press("Esc"))
    assert stage.field.value == 7.0
    assert "commit" not in [kind for kind, _ in stage.seen]
    assert stage.seen[-2:] == [("preview", 7.0), ("cancel", None)]


def test_drag_then_right_button_cancels(stage):
    user = User(stage)
    user.drag(
        stage.field, (50, 10), (120, 10), during=lambda: user.release_mouse((120, 10), RIGHT), release=False
    )
    user.press_mouse(stage.field, (100, 10), RIGHT)
    user.release_mouse((100, 10), RIGHT)
    assert stage.field.value == 0.0 and stage.seen[-2:] == [("preview", 0.0), ("cancel", None)]


def test_type_expression_changes_what_stands_there(stage):
    user = User(stage)
    stage.field.set_value(10.0)
    user.type_into(stage.field, "*2")
    assert stage.seen == [("commit", 20.0)]
    user.type_into(stage.field, "+3")
    user.type_into(stage.field, "=120")
    assert stage.field.value == 120.0


def test_type_nonsense_keeps_the_editor_open_and_the_value(stage):
    user = User(stage)
    user.type_into(stage.field, "many")
    assert stage.seen == [] and stage.field.editing
    user.press("Esc")
    assert not stage.field.editing and stage.field.value == 0.0


def test_type_then_click_elsewhere_commits(stage):
    user = User(stage)
    user.type_into(stage.field, "5", enter=False)
    user.click(stage.other)
    assert stage.seen == [("commit", 5.0)]


def test_edit_without_change_commits_nothing_even_with_hidden_digits(stage):
    user = User(stage)
    stage.field.set_value(1.0 / 3.0)
    user.click(stage.field)
    user.click(stage.other)
    assert stage.seen == [] and stage.field.value == 1.0 / 3.0


def test_wheel_over_unfocused_field_scrolls_and_never_edits(qtbot, theme):
    area = QScrollArea()
    qtbot.addWidget(area)
    theme.dress(area)
    inside = QWidget()
    inside.setMinimumHeight(900)
    field = NumberField(theme)
    field.setParent(inside)
    field.setGeometry(10, 40, 120, 24)
    area.setWidget(inside)
    area.resize(200, 200)
    user = User(area)
    area.setFocus()
    user.wheel(field, -1)
    assert field.value == 0.0 and area.verticalScrollBar().value() > 0


def test_wheel_over_focused_field_edits(stage):
    user = User(stage)
    user.click(stage.field)
    user.press("Return")
    user.wheel(stage.field, 2)
    assert stage.field.value == pytest.approx(10.0)


def test_tab_goes_into_the_field_and_out_again(stage):
    user = User(stage)
    user.click(stage.other)
    user.press("Shift+Tab")
    assert stage.field.editing
    user.type("4")
    user.press("Tab")
    assert stage.seen == [("commit", 4.0)]


def test_tab_goes_through_every_field_forth_and_back(qtbot, theme):
    window = QWidget()
    qtbot.addWidget(window)
    theme.dress(window)
    layout = QVBoxLayout(window)
    fields = [NumberField(theme) for _ in range(4)]
    first = QLineEdit()
    for widget in (first, *fields):
        layout.addWidget(widget)
    window.resize(300, 200)
    user = User(window)
    user.click(first)
    for field in fields:
        user.press("Tab")
        assert [other.editing for other in fields] == [other is field for other in fields]
    for field in reversed(fields[:-1]):
        user.press("Shift+Tab")
        assert [other.editing for other in fields] == [other is field for other in fields]


def test_mixed_value_refuses_relative_but_takes_absolute(stage):
    user = User(stage)
    stage.field.set_value(None)
    user.type_into(stage.field, "+3")
    assert stage.seen == []
    user.press("Ctrl+A")
    user.type("3")
    user.press("Return")
    assert stage.field.value == 3.0


def test_bounds_hold_everything(stage):
    stage.field.maximum = 5.0
    User(stage).drag(stage.field, (50, 10), (250, 10))
    assert stage.field.value == 5.0


@pytest.mark.parametrize(
    ("text", "said"),
    [("9", "9 is too large: the maximum is 5"), ("=-2", "-2 is too small: the minimum is 1")],
)
def test_typed_value_out_of_range_is_refused_in_words(stage, text, said):
    stage.field.minimum, stage.field.maximum = 1.0, 5.0
    stage.field.set_value(2.0)
    user = User(stage)
    user.type_into(stage.field, text)
    assert stage.seen == [] and stage.field.editing and stage.field.value == 2.0
    assert said in QToolTip.text()
    user.press("Ctrl+A")
    user.type("7")
    user.click(stage.other)  # leaving takes it no more than Enter did
    assert stage.seen == [] and stage.field.value == 2.0 and not stage.field.editing
    user.wait_until(lambda: "7 is too large" in QToolTip.text(), "nothing was said")


def test_focus_that_comes_because_another_widget_was_hidden_does_not_begin_to_type(stage):
    user = User(stage)
    user.click(stage.other)
    stage.other.hide()
    user.settle()
    assert not stage.field.editing


def test_focus_that_comes_because_another_widget_was_disabled_does_not_begin_to_type(stage):
    user = User(stage)
    user.click(stage.other)
    stage.other.setEnabled(False)
    user.settle()
    assert not stage.field.editing


def test_first_field_of_a_dialog_that_opens_does_not_begin_to_type(stage, theme):
    """Escape and Return are the dialog's until the person goes into the field."""
    user = User(stage)
    dialog = Dialog(stage, "Numbers")
    field = NumberField(theme)
    dialog.body.addWidget(field)
    closed = []
    dialog.finished.connect(closed.append)
    dialog.open()
    user.settle()
    user.wait_until(field.hasFocus, "the keyboard does not come to the first field")
    assert not field.editing
    user.press("Esc")
    assert len(closed) == 1


def test_open_editor_shows_a_new_value_until_somebody_types(stage):
    user = User(stage)
    user.click(stage.field)
    stage.field.set_value(8.0)
    assert stage.field.findChild(QLineEdit).text() == "8"
    user.type("3")
    stage.field.set_value(9.0)
    assert stage.field.findChild(QLineEdit).text() == "3"


def test_editor_left_while_out_of_sight_is_not_there_afterwards(stage):
    user = User(stage)
    user.click(stage.field)
    stage.field.hide()
    stage.other.setFocus()
    stage.field.show()
    user.settle()
    assert not stage.field.editing


@pytest.mark.parametrize(
    ("value", "unit", "width", "wanted"),
    [
        (120.0, "fps", 48, "120"),
        (594.0, "f", 44, "594"),
        (-170.25, "°", 54, "−170"),
        (30.0, "fps", 90, "30.00"),
    ],
)
def test_number_too_wide_for_its_field_gives_up_unit_and_decimals_first(
    qtbot, theme, value, unit, width, wanted
):
    """A number is never cut to its first digit: "1… fps"."""
    field = NumberField(theme, unit, decimals=2)
    qtbot.addWidget(field)
    theme.dress(field)
    field.set_value(value)
    field.resize(width, 24)
    text, beside = field.written()
    assert text.startswith(wanted) and "…" not in text
    assert beside == (unit if width == 90 else "")
    assert field.minimumSizeHint().width() >= field.width_of(value)
    field.resize(field.minimumSizeHint())
    assert field.written() == (shown(value, 2), unit)


def test_disabled_field_takes_no_input(stage):
    user = User(stage)
    stage.field.setEnabled(False)
    user.drag(stage.field, (50, 10), (120, 10))
    assert stage.seen == []


def test_key_state_is_painted_at_the_left(stage, theme):
    user = User(stage)
    stage.field.set_key_state("none")
    without = user.picture(stage.field)
    stage.field.set_key_state("key")
    with_key = user.picture(stage.field)
    changed = (without != with_key).any(axis=2)
    assert changed.any() and not changed[:, 18:].any()
    wanted = theme.color("key").getRgb()[:3]
    assert tuple(int(c) for c in with_key[12, 10, :3]) == wanted


def test_axis_letter_is_tinted(stage, theme):
    picture = User(stage).picture(stage.field)[:, 18:34, :3].astype(int)
    red = theme.ink("axis_x").getRgb()[:3]
    assert (abs(picture - red).sum(axis=2) < 40).any()


def test_cursor_says_that_it_can_be_dragged(stage):
    assert stage.field.cursor().shape() == Qt.CursorShape.SizeHorCursor


def test_undo_is_the_windows_until_something_has_been_typed(stage):
    user, undone = User(stage), []
    shortcut = QShortcut(QKeySequence("Ctrl+Z"), stage)
    shortcut.activated.connect(lambda: undone.append(True))
    user.click(stage.field, (60, 10))
    assert stage.field.editing
    user.press("Ctrl+Z")
    assert len(undone) == 1
    user.type("12")
    user.press("Ctrl+Z")
    assert len(undone) == 1
    user.press("Esc")
    user.press("Ctrl+Z")
    assert len(undone) == 2


def test_frame_of_the_keyboard_comes_and_goes_with_it(stage):
    user = User(stage)
    stage.other.setFocus()
    painted = []
    paint = stage.field.paintEvent
    stage.field.paintEvent = lambda event: (painted.append(stage.field.hasFocus()), paint(event))
    without = user.picture(stage.field)
    painted.clear()
    stage.field.setFocus(Qt.FocusReason.OtherFocusReason)
    user.settle()
    assert painted and painted[-1], "it is painted anew when the keyboard comes"
    assert (user.picture(stage.field) != without).any()
    painted.clear()
    stage.other.setFocus(Qt.FocusReason.OtherFocusReason)
    user.settle()
    assert painted and not painted[-1], "and when it goes"
    assert (user.picture(stage.field) == without).all()

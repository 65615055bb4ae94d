"""A variable's row without a panel: what its controls set, and what they show of what the variable holds."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QPushButton

from core.graph.graph import Role, Variable
from core.graph.language.values import Kind
from editor.panels.variables.rows import VariableRow
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.weight_slider import STEPS, WeightSlider
from tests.editor.panels.graph.graphs import small_graph


class Run:
    """Stands in for the run: what a row sets is held here."""

    def __init__(self, held: object = 0.0) -> None:
        self.held = held
        self.done: list[tuple[str, object]] = []

    def set(self, name: str, value: object, graph: object = None) -> None:
        self.done.append((name, value))

    def fire(self, name: str) -> None:
        self.done.append((name, "fired"))

    def value(self, variable: Variable, graph: object = None) -> object:
        return self.held


@pytest.fixture
def made(qtbot, qapp) -> Iterator:
    theme = Theme(qapp)

    def make(variable: Variable, run: Run) -> VariableRow:
        row = VariableRow(theme, run, small_graph(), variable)  # type: ignore[arg-type]
        theme.dress(row)
        qtbot.addWidget(row)
        row.resize(420, 26)
        row.refresh()
        return row

    yield make


RANGES = [(0.0, 4.0), (-2.0, 2.0), (10.0, 30.0), (-5.0, -1.0)]


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_slider_and_number_say_the_same_over_the_whole_range(made, low: float, high: float) -> None:
    run = Run(low + 0.25 * (high - low))
    row = made(Variable("v", minimum=low, maximum=high, default=(low,), unit="m"), run)
    slider, field = row.findChild(WeightSlider), row.findChild(NumberField)
    assert slider.value() == STEPS // 4 and field.value == pytest.approx(run.held)
    assert (field.minimum, field.maximum, field.unit) == (low, high, "m")
    for share in (0.0, 0.5, 1.0):
        slider.setValue(round(share * STEPS))
        assert run.done[-1][1] == pytest.approx(low + share * (high - low), abs=(high - low) / STEPS)
    field.committed.emit(low + 0.75 * (high - low))
    assert run.done[-1] == ("v", pytest.approx(low + 0.75 * (high - low)))


def test_slider_held_by_a_hand_is_left_alone(made) -> None:
    run = Run(0.0)
    row = made(Variable("v", minimum=0.0, maximum=4.0), run)
    slider = row.findChild(WeightSlider)
    slider.setSliderDown(True)
    slider.setValue(STEPS // 2)
    row.refresh()
    assert slider.value() == STEPS // 2
    slider.setSliderDown(False)
    row.refresh()
    assert slider.value() == 0


@pytest.mark.parametrize(("kind", "digits", "step"), [(Kind.INT, 0, 1.0), (Kind.FLOAT, 2, 0.02)])
def test_whole_numbers_have_no_decimals(made, kind: Kind, digits: int, step: float) -> None:
    field = made(Variable("v", kind, maximum=9.0, minimum=0.0), Run(3.0)).findChild(NumberField)
    assert (field.decimals, field.step) == (digits, step)


def test_a_wide_range_has_no_slider(made) -> None:
    row = made(Variable("v", minimum=0.0, maximum=1e6), Run(3.0))
    assert row.findChild(WeightSlider) is None and row.findChild(NumberField).value == 3.0


@pytest.mark.parametrize("moment", ["previewed", "committed"])
def test_vector_is_set_as_a_whole_within_its_range(made, moment: str) -> None:
    run = Run((1.0, 2.0, 3.0))
    row = made(Variable("v", Kind.VECTOR, (0.0, 0.0, 0.0), minimum=-4.0, maximum=5.0), run)
    fields = [row.findChild(NumberField, f"value.v.{letter}") for letter in "xyz"]
    assert [f.value for f in fields] == [1.0, 2.0, 3.0] and [f.axis for f in fields] == [0, 1, 2]
    assert {(f.minimum, f.maximum) for f in fields} == {(-4.0, 5.0)}
    fields[1].set_value(-1.5)
    getattr(fields[1], moment).emit(-1.5)
    assert run.done == [("v", [1.0, -1.5, 3.0])]


def test_switch_list_and_trigger(made) -> None:
    run = Run(1.0)
    switch = made(Variable("on", Kind.BOOL, maximum=1.0, minimum=0.0), run).findChild(QCheckBox)
    assert switch.isChecked()
    switch.click()
    press = made(Variable("jump", Kind.BOOL, role=Role.TRIGGER), run).findChild(QPushButton)
    press.click()
    assert run.done == [("on", False), ("jump", "fired")]
    assert made(Variable("which", Kind.ENUM, enum="none"), Run(0)).findChild(QComboBox).count() == 0


@pytest.mark.parametrize(
    ("kind", "held", "unit", "text"),
    [
        (Kind.FLOAT, 1.2345, "m/s", "1.23 m/s"),
        (Kind.FLOAT, 12.0, "", "12"),
        (Kind.VECTOR, (0.125, -2.0, 310.4), "m", "0.125  -2  310 m"),
    ],
)
def test_what_the_graph_sets_is_shown_by_three_digits(
    made, kind: Kind, held: object, unit: str, text: str
) -> None:
    default = (0.0,) * (3 if kind is Kind.VECTOR else 1)
    row = made(Variable("pace", kind, default, role=Role.OWN, unit=unit), Run(held))
    shown = row.findChild(QLabel, "own.pace")
    assert shown is not None and shown.text() == text

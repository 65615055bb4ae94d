"""A person sets, adds, renames, changes and deletes variables, ties them to keys and drags the pad."""

from dataclasses import replace

import pytest

from core.arrays import same_value
from core.graph.graph import Graph, Role
from core.graph.language.values import Kind
from core.ids import AssetId
from core.io import load
from editor.model.graph_run.mapping import Binding, Controls
from editor.model.graph_run.state import GraphRun
from editor.model.opening import sample_path
from editor.panels.variables import widget
from editor.panels.variables.view_model import pad_axes
from tests.editor.stage import stage, with_view

PANELS = ("clips", "graph_run", "variables")


@pytest.fixture(scope="module")
def sample():
    return load(sample_path()).project


@pytest.fixture
def here(qapp, request, sample):
    with stage(qapp, *with_view(request, *PANELS), project=lambda: sample) as made:
        made.window.show_panel("variables")
        made.user.settle()
        yield made
        made.session.feature(GraphRun).stop()


@pytest.fixture
def run(here):
    return here.session.feature(GraphRun)


def graph(here) -> Graph:
    return next(g for g in here.session.document.project.all(Graph) if g.name == "moves")


def names(here) -> list[str]:
    return [variable.name for variable in graph(here).variables]


def variable(here, name: str):
    return next(v for v in graph(here).variables if v.name == name)


def test_rename_follows_everywhere_in_one_step_and_is_undone_exactly(here, run):
    user, before = here.user, here.session.document.project
    user.click("name.crouch")
    user.type_into("variableName", "duck")
    assert "duck" in names(here) and "crouch" not in names(here)
    rules = [t.rule for s in graph(here).sheets for t in s.transitions]
    assert "duck" in rules and "not duck" in rules and "crouch" not in rules
    assert run.start(running=False)
    user.press("Ctrl+Z")
    assert same_value(here.session.document.project.assets, before.assets)


def test_rename_reaches_triggers_in_rules_and_nodes_that_set_or_watch(here):
    here.user.click("name.jump")
    here.user.type_into("variableName", "hop")
    assert "take('hop')" in [t.rule for s in graph(here).sheets for t in s.transitions]
    here.user.click("name.wave")
    here.user.type_into("variableName", "greet")
    nodes = [n for s in graph(here).sheets for n in s.nodes]
    assert any(n.parameters.get("variable") == "greet" for n in nodes)
    assert {n.literals.get("when") for n in nodes} >= {"greet", "not greet"}


def test_name_that_is_taken_is_refused_with_a_message(here):
    user, before = here.user, here.session.document.project
    user.click("name.crouch")
    user.type_into("variableName", "speed")
    assert here.session.document.project is before
    assert user.find("variableName").text() == "crouch"


def test_variable_is_added_changed_and_deleted(here):
    user, before = here.user, here.session.document.project
    user.click("variableAdd")
    user.choose_in_popup("Number")
    user.type_into("variableName", "lean")
    assert names(here)[-1] == "lean"
    user.type_into("variableHigh", "45")
    user.type_into("variableUnit", "deg")
    lean = variable(here, "lean")
    assert (lean.maximum, lean.unit, lean.kind, lean.role) == (45.0, "deg", Kind.FLOAT, Role.INPUT)
    user.type_into("variableDefault0", "30")
    assert variable(here, "lean").default == (30.0,)
    box = user.find("variableKind")
    box.setFocus()
    user.press("Down")
    assert variable(here, "lean").kind is Kind.BOOL
    for _ in range(6):
        user.press("Ctrl+Z", target="variableAdd")
    assert same_value(here.session.document.project.assets, before.assets)


def test_pad_sets_two_numbers_and_springs_back(here, run):
    user = here.user
    user.click("runStep") if user.visible("runStep") else run.start(running=False)
    pad = user.find("variablePad")
    start, end = pad.place(0.5, 0.5).toPoint(), pad.place(0.75, 0.25).toPoint()
    user.drag(pad, (start.x(), start.y()), (end.x(), end.y()))
    speed = variable(here, "speed")
    assert run.value(speed) == pytest.approx(0.75 * speed.maximum, abs=0.06)
    place = run.value(variable(here, "look_place"))
    assert place[0] == pytest.approx(-50.0, abs=3.0) and place[1] == pytest.approx(1.6)
    user.click("padSprings")
    user.drag(pad, (start.x(), start.y()), (end.x(), end.y()))
    assert run.value(speed) == 0.0


def test_a_key_is_waited_for_as_long_as_its_field_has_the_keyboard(here):
    user = here.user
    user.click("name.crouch")
    user.click("variableKey")
    field = user.find("variableKey")
    assert field.waiting
    user.find("variableName").setFocus()
    user.settle()
    assert not field.waiting and field.text() != "Press a key…"


@pytest.mark.parametrize(("name", "chosen"), [("crouch", True), ("jump", False)])
def test_how_a_key_works_is_chosen_for_what_has_a_value_and_not_for_triggers(here, name, chosen):
    here.user.click(f"name.{name}")
    way = here.user.find("variableWay")
    assert not way.isEnabled(), "there is no key yet"
    here.user.click("variableKey")
    here.user.press("C")
    here.user.click(f"name.{name}")
    assert way.isEnabled() is chosen


def test_the_pad_tells_variables_of_one_name_apart(here, run, monkeypatch):
    first = next(axis for axis in pad_axes(run) if axis.part < 0)
    second = replace(first, graph=replace(first.graph, id=AssetId("graph-after"), name="after"))
    monkeypatch.setattr(widget, "pad_axes", lambda run: [first, second])
    panel = here.window.docks["variables"].body.panel
    for index in (1, 0):
        panel.across.setCurrentIndex(index)
        panel.across.activated.emit(index)
        panel.refresh()
        assert panel._axes[0] is (first, second)[index] and panel.across.currentIndex() == index
    names = [panel.across.itemText(k) for k in range(panel.across.count())]
    assert names == [f"{first.title} (moves)", f"{first.title} (after)", "–"]


def test_escape_takes_a_drag_of_the_pad_back(here, run):
    user = here.user
    run.start(running=False)
    pad = user.find("variablePad")
    before = run.value(variable(here, "speed"))
    start, end = pad.place(0.0, 0.5).toPoint(), pad.place(0.8, 0.8).toPoint()
    user.drag(pad, (start.x(), start.y()), (end.x(), end.y()), release=False)
    assert run.value(variable(here, "speed")) > 1.0
    user.press("Escape")
    user.release_mouse((end.x(), end.y()))
    assert run.value(variable(here, "speed")) == pytest.approx(before, abs=0.05)


def test_arrow_keys_move_the_pads_point(here, run):
    run.start(running=False)
    here.user.press("Right", target="variablePad")
    assert run.value(variable(here, "speed")) == pytest.approx(0.05 * 4.2, abs=0.01)
    here.user.press("Home")
    assert run.value(variable(here, "speed")) == 0.0


@pytest.mark.view
def test_key_that_is_chosen_sets_the_variable_while_the_run_goes_on_and_nothing_else(here, run):
    user = here.user
    user.click("name.crouch")
    user.click("variableKey")
    user.press("C")
    controls = here.session.feature(Controls)
    assert [binding.control for binding in controls.of("crouch")] == ["C"]
    user.click("name.crouch")
    run.start()
    run.clock.pause()
    with user.holding("C"):
        run.advance(0.1)
        assert run.states == {"moves": "crouched"}
    run.advance(0.5)
    assert run.states == {"moves": "on foot"}
    user.click("name.crouch")
    user.click("variableClearKeys")
    assert controls.of("crouch") == ()


def test_key_that_is_held_when_the_run_pauses_is_let_go(here, run):
    here.session.feature(Controls).bind(graph(here), Binding("C", "crouch"))
    here.user.click("name.crouch")
    run.start()
    run.clock.pause()
    with here.user.holding("C"):
        run.advance(0.1)
        assert run.states == {"moves": "crouched"}
        run.pause()
        run.start()
        run.clock.pause()
        run.advance(0.5)
        assert run.states == {"moves": "on foot"}


def test_bound_key_types_in_text_fields(here, run):
    here.session.feature(Controls).bind(graph(here), Binding("C", "crouch"))
    run.start()
    here.user.click("name.speed")
    here.user.type_into("variableUnit", "C")
    assert variable(here, "speed").unit.casefold() == "c"
    assert not run.value(variable(here, "crouch"))


def test_blend_space_played_shows_its_axes(here, run):
    spaces = {choice.name: choice.id for choice in run.mode.choices if choice.kind == "blend space"}
    run.play_as(spaces["locomotion"])
    here.user.settle()
    here.user.type_into("value.speed", "1.4")
    assert run.start(running=False)
    assert run.value(run.played.variables[0][1]) == pytest.approx(1.4)
    here.user.click("name.speed")
    assert not here.user.find("variableName").isEnabled()
    assert here.user.find("variableUses").text() == "It is an axis of what plays: change it there"


def test_a_low_pad_is_wide_instead_of_tiny(here, run):
    pad = here.user.find("variablePad")
    for high, wide in ((150, 130.0), (60, 220.0)):
        pad.setMinimumSize(300, high)
        pad.setMaximumSize(300, high)
        pad.resize(300, high)
        assert pad.area.width() == wide and pad.area.height() == high - 20.0

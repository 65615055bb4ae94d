"""Keys and gamepads of a run that notes what it is told: bindings kept, proposed, and what each way does."""

from types import SimpleNamespace

import pytest

from core.errors import ValidationError
from core.graph.graph import Role, Variable
from core.graph.language.values import Kind
from editor.model.graph_run.mapping import DEAD_ZONE, PREFERENCE, Binding, Controls, Way, proposed
from editor.model.preferences import Preferences

SPEED = Variable("speed", maximum=4.0, minimum=0.0)
CROUCH = Variable("crouch", Kind.BOOL, maximum=1.0, minimum=0.0)
JUMP = Variable("jump", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER)
AIM = Variable("aim", Kind.VECTOR, (0.0, 0.0, 1.0), -1.0, 1.0)
GAIT = Variable("gait", Kind.ENUM, (1.0,), 0.0, 2.0, enum="gaits")
COUNT = Variable("count", Kind.INT, (5.0,), 0.0, 5.0)
FREE = Variable("free", Kind.FLOAT, (0.5,))
GRAPH = SimpleNamespace(id="graph-1", variables=(SPEED, CROUCH, JUMP, AIM, GAIT, COUNT, FREE))
POST = SimpleNamespace(id="graph-2", variables=(Variable("look"),))


class Run:
    """A run that goes on, and holds what it is given."""

    def __init__(self) -> None:
        self.running, self.told, self.held = True, [], {}
        both = (GRAPH, POST)
        self.played = SimpleNamespace(both=both, variables=tuple((g, v) for g in both for v in g.variables))

    def value(self, variable):
        default = variable.default if len(variable.default) > 1 else variable.default[0]
        return self.held.get(variable.name, default)

    def set(self, name: str, value) -> None:
        self.told.append((name, value))
        self.held[name] = tuple(value) if isinstance(value, list) else value

    def fire(self, name: str) -> None:
        self.told.append((name, "fired"))


@pytest.fixture
def run() -> Run:
    return Run()


@pytest.fixture
def controls(run, tmp_path) -> Controls:
    made = Controls(run, Preferences(tmp_path / "preferences.json"))
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


def told(run: Run) -> list:
    found, run.told = run.told, []
    return found


# ---------------------------------------------------------------- bindings
def test_a_binding_needs_a_control(controls) -> None:
    with pytest.raises(ValidationError, match="Press a key, or name a control of the gamepad"):
        controls.bind(GRAPH, Binding("", "speed"))
    assert controls.bindings == () and controls.told == []


def test_the_same_control_of_a_variable_is_replaced_and_others_stay(controls) -> None:
    controls.bind(GRAPH, Binding("W", "speed", value=1.0))
    controls.bind(GRAPH, Binding("S", "speed", value=2.0))
    controls.bind(GRAPH, Binding("W", "crouch", Way.TOGGLE))
    controls.bind(GRAPH, Binding("W", "speed", Way.SET, 3.0, 0.5, 2))
    controls.bind(POST, Binding("L", "look"))
    assert [(b.control, b.variable, b.value) for b in controls.bindings] == [
        ("S", "speed", 2.0), ("W", "crouch", 1.0), ("W", "speed", 3.0), ("L", "look", 1.0),
    ]  # fmt: skip
    assert controls.of("speed")[1] == Binding("W", "speed", Way.SET, 3.0, 0.5, 2) and len(controls.told) == 5


def test_bindings_of_a_variable_that_is_gone_are_left_out_and_kept(controls) -> None:
    controls.bind(GRAPH, Binding("W", "gone"))
    assert controls.bindings == () and controls.of("gone") == ()
    controls.rename(GRAPH, "gone", "speed")
    assert controls.of("speed") == (Binding("W", "speed"),)


def test_to_unbind_leaves_the_other_variables_and_graphs(controls) -> None:
    for binding in (Binding("W", "speed"), Binding("S", "speed"), Binding("C", "crouch")):
        controls.bind(GRAPH, binding)
    controls.bind(POST, Binding("L", "look"))
    controls.unbind(GRAPH, "speed")
    assert [b.control for b in controls.bindings] == ["C", "L"] and len(controls.told) == 5


def test_a_graph_without_bindings_has_nothing_to_rename(controls) -> None:
    controls.rename(POST, "look", "see")
    assert controls.told == []


@pytest.mark.parametrize(
    ("stored", "found"),
    [
        (None, ()), ([], ()), ({}, ()), ({"graph-1": {"control": "W"}}, ()), ({"graph-1": ["W", None]}, ()),
        ({"graph-1": [{"variable": "speed"}]}, ()), ({"graph-1": [{"control": "W"}]}, ()),
        ({"graph-1": [{"control": "W", "variable": "speed", "way": "push"}]}, ()),
        ({"graph-1": [{"control": "W", "variable": "speed", "value": "fast"}]}, ()),
        ({"graph-1": [{"control": "W", "variable": "speed", "value": None}]}, ()),
        ({"graph-1": [{"control": "W", "variable": "speed"}]}, (Binding("W", "speed", Way.HOLD, 1.0, 0.0, -1),)),
        (
            {"graph-1": [{"control": "W", "variable": "speed", "way": "axis", "value": "2", "rest": 1, "part": 0}]},
            (Binding("W", "speed", Way.AXIS, 2.0, 1.0, 0),),
        ),
    ],
)  # fmt: skip
def test_what_the_preferences_hold_is_believed_as_far_as_it_is_a_binding(controls, stored, found) -> None:
    if stored is not None:
        controls._preferences.set(PREFERENCE, stored)
    assert controls.bindings == found


@pytest.mark.parametrize(
    ("control", "pad"), [("axis0", True), ("button3", True), ("A", False), ("Shift+button", False)]
)
def test_which_controls_are_of_a_gamepad(control, pad) -> None:
    assert Binding(control, "speed").pad is pad


# ---------------------------------------------------------------- keys
def test_keys_go_to_the_run_while_it_goes_on_and_they_are_active(controls, run) -> None:
    controls.bind(GRAPH, Binding("W", "speed"))
    assert controls.wants("W") and not controls.wants("X")
    run.running = False
    assert not controls.wants("W") and not controls.press("W")
    run.running, controls.active = True, False
    assert not controls.wants("W") and not controls.press("W") and told(run) == []


def test_a_held_key_sets_once_and_gives_back(controls, run) -> None:
    controls.bind(GRAPH, Binding("W", "speed", Way.HOLD, 3.0, 0.5))
    assert controls.press("W") and controls.press("W") and told(run) == [("speed", 3.0)]
    assert controls.release("W") and told(run) == [("speed", 0.5)]
    assert not controls.release("W") and told(run) == []


def test_only_held_keys_give_back(controls, run) -> None:
    controls.bind(GRAPH, Binding("C", "crouch", Way.TOGGLE))
    controls.bind(GRAPH, Binding("G", "gait", Way.SET, 2.0, 1.0))
    controls.bind(GRAPH, Binding("Space", "jump"))
    for key in ("C", "G", "Space"):
        assert controls.press(key)
    assert told(run) == [("crouch", 1.0), ("gait", 2.0), ("jump", "fired")]
    controls.release_all()
    assert told(run) == []
    controls.press("C")
    assert told(run) == [("crouch", 0.0)]
    controls.release("C")
    controls.press("C")
    assert told(run) == [("crouch", 1.0)]


def test_one_key_may_set_several_variables(controls, run) -> None:
    controls.bind(GRAPH, Binding("W", "speed", value=3.0))
    controls.bind(GRAPH, Binding("W", "crouch"))
    controls.bind(GRAPH, Binding("X", "count"))
    controls.press("W")
    assert told(run) == [("speed", 3.0), ("crouch", 1.0)]
    controls.release_all()
    assert told(run) == [("speed", 0.0), ("crouch", 0.0)]


def test_a_toggle_goes_by_what_is_held(controls, run) -> None:
    controls.bind(GRAPH, Binding("T", "speed", Way.TOGGLE, 3.0, 0.5))
    run.held["speed"] = 3.0 + 1e-10
    controls.press("T")
    assert told(run) == [("speed", 0.5)]
    controls.release("T")
    run.held["speed"] = 2.0
    controls.press("T")
    assert told(run) == [("speed", 3.0)]


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_part_of_a_vector_is_set_beside_the_others(controls, run, part) -> None:
    controls.bind(GRAPH, Binding("A", "aim", Way.TOGGLE, -1.0, 0.5, part))
    run.held["aim"] = (0.1, 0.2, 0.3)
    controls.press("A")
    wanted = [0.1, 0.2, 0.3]
    wanted[part] = -1.0
    assert told(run) == [("aim", wanted)]
    controls.release("A")
    controls.press("A")
    wanted[part] = 0.5
    assert told(run) == [("aim", wanted)]


def test_a_vector_that_holds_a_number_begins_at_nought(controls, run) -> None:
    controls.bind(GRAPH, Binding("A", "aim", value=-1.0, part=1))
    run.held["aim"] = 7.0
    controls.press("A")
    assert told(run) == [("aim", [0.0, -1.0, 0.0])]


def test_what_is_no_number_counts_as_nought_for_a_toggle(controls, run) -> None:
    controls.bind(GRAPH, Binding("T", "speed", Way.TOGGLE, 0.0, 2.0))
    run.held["speed"] = "walk"
    controls.press("T")
    assert told(run) == [("speed", 2.0)]


# ---------------------------------------------------------------- gamepad
def axis(controls: Controls, *values: float) -> None:
    for value in values:
        controls.gamepad({"axis0": value})


def test_a_stick_goes_from_rest_to_value(controls, run) -> None:
    controls.bind(GRAPH, Binding("axis0", "speed", Way.AXIS, 4.0, -2.0))
    axis(controls, -1.0, 0.0, 1.0, 0.5)
    assert told(run) == [("speed", -2.0), ("speed", 1.0), ("speed", 4.0), ("speed", 2.5)]


def test_a_stick_that_hardly_moves_is_not_told(controls, run) -> None:
    controls.bind(GRAPH, Binding("axis0", "speed", Way.AXIS, 4.0, -2.0))
    axis(controls, 0.5, 0.5009, 0.5018, 0.503)
    assert [value for _, value in told(run)] == pytest.approx([2.5, 1.0 + 3.0 * 0.503])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_stick_near_its_middle_is_at_rest(controls, run, sign) -> None:
    controls.bind(GRAPH, Binding("axis0", "speed", Way.AXIS, 1.0, -1.0))
    axis(controls, 0.5, sign * (DEAD_ZONE - 0.01), sign * (DEAD_ZONE - 0.02), sign * (DEAD_ZONE + 0.01))
    assert [value for _, value in told(run)] == pytest.approx([0.5, 0.0, sign * (DEAD_ZONE + 0.01)])


def test_a_button_counts_from_its_second_look_on_and_from_half_way(controls, run) -> None:
    controls.bind(GRAPH, Binding("button0", "speed", Way.HOLD, 3.0, 0.5))
    controls.bind(GRAPH, Binding("button1", "crouch", Way.TOGGLE))
    for value in (1.0, 1.0, 0.0, 0.5, 0.51, 0.49):
        controls.gamepad({"button0": value, "button1": value})
    assert told(run) == [("speed", 0.5), ("speed", 3.0), ("crouch", 1.0), ("speed", 0.5)]


def test_what_the_gamepad_does_not_tell_stays(controls, run) -> None:
    controls.bind(GRAPH, Binding("axis1", "speed", Way.AXIS, 4.0))
    controls.bind(GRAPH, Binding("axis0", "free", Way.AXIS, 4.0))
    controls.gamepad({"axis0": 1.0})
    assert told(run) == [("free", 4.0)]


@pytest.mark.parametrize("why", ["stands", "not active"])
def test_a_gamepad_does_nothing_to_a_run_that(controls, run, why) -> None:
    controls.bind(GRAPH, Binding("axis0", "speed", Way.AXIS, 4.0))
    run.running, controls.active = why != "stands", why != "not active"
    axis(controls, 1.0)
    assert told(run) == []


def test_a_trigger_is_fired_by_a_button_and_never_set(controls, run) -> None:
    controls.bind(GRAPH, Binding("button0", "jump"))
    controls.bind(GRAPH, Binding("axis0", "jump", Way.AXIS, 1.0))
    for value in (0.0, 1.0, 0.0):
        controls.gamepad({"button0": value, "axis0": value})
    assert told(run) == [("jump", "fired")]


# ---------------------------------------------------------------- what is proposed
@pytest.mark.parametrize(
    ("variable", "control", "wanted"),
    [
        (JUMP, "K", Binding("K", "jump")), (CROUCH, "K", Binding("K", "crouch")),
        (CROUCH, "axis0", Binding("axis0", "crouch")),
        (SPEED, "K", Binding("K", "speed", Way.HOLD, 4.0, 0.0)),
        (SPEED, "button1", Binding("button1", "speed", Way.HOLD, 4.0, 0.0)),
        (SPEED, "axis1", Binding("axis1", "speed", Way.AXIS, 4.0, 0.0)),
        (FREE, "K", Binding("K", "free", Way.HOLD, 1.0, 0.5)),
        (GAIT, "K", Binding("K", "gait", Way.SET, 2.0, 1.0)), (COUNT, "K", Binding("K", "count", Way.SET, 5.0, 5.0)),
        (AIM, "K", Binding("K", "aim", Way.HOLD, 1.0, 0.0, 0)),
        (AIM, "axis2", Binding("axis2", "aim", Way.AXIS, 1.0, -1.0, 0)),
    ],
)  # fmt: skip
def test_what_a_control_most_likely_means(variable, control, wanted) -> None:
    assert proposed(variable, control) == wanted

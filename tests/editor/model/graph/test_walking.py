"""The canvas by keyboard without a window: along wires first, else to the nearest that way; pins in a ring."""

import pytest

from core.errors import ValidationError
from editor.model.graph.editor import GraphEditor
from editor.model.graph.state import PinPlace
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    STATES,
    WALKING,
    graph_session,
)  # fmt: skip


@pytest.fixture
def editor():
    session = graph_session()
    made = session.feature(GraphEditor)
    made.canvas.resize((1600.0, 1200.0))
    made.canvas.fit()
    yield made
    session.close()


def walked(editor, start: str, *ways: str) -> list[str]:
    editor.canvas.select([start] if start else [])
    seen = []
    for way in ways:
        editor.walking.walk(way)
        seen.append(editor.canvas.state.active)
    return seen


def test_wires_lead_left_and_right_and_places_up_and_down(editor):
    assert walked(editor, OUTPUT, "left", "left", "right", "right") == [BLEND, CLIP_A, BLEND, OUTPUT]
    assert walked(editor, CLIP_A, "down", "down", "up", "up") == [CLIP_B, MACHINE, CLIP_B, CLIP_A]
    assert walked(editor, OUTPUT, "right") == [OUTPUT]  # nothing is that way
    assert walked(editor, MACHINE, "right") != [MACHINE]  # no wire: the nearest that way


def test_left_from_a_pin_follows_the_wire_of_that_pin(editor):
    editor.canvas.select([BLEND])
    editor.canvas.set_state(pin=PinPlace(BLEND, "b"))
    editor.walking.walk("left")
    assert editor.canvas.state.active == CLIP_B


def test_without_a_selection_the_first_in_sight_is_taken(editor):
    assert walked(editor, "", "right") == [CLIP_A]
    editor.canvas.view = type(editor.canvas.view)(500.0, -60.0, 1.0)
    assert walked(editor, "", "right") == [OUTPUT]


def test_the_nearest_that_way_counts_what_is_aside_twice(editor):
    editor.nodes.move({CLIP_A: (0.0, 0.0), CLIP_B: (400.0, 160.0), OUTPUT: (600.0, 0.0), MACHINE: (-500.0, 0.0),
                       BLEND: (3000.0, 0.0)})  # fmt: skip
    scene = editor.canvas.committed
    found = editor.walking.towards(scene, CLIP_A, "right")
    places = {n: scene.rect(n).centre for n in (CLIP_A, CLIP_B, OUTPUT, BLEND)}

    def far(n: str) -> float:
        (x, y), (ax, ay) = places[n], places[CLIP_A]
        return (x - ax) + 2.0 * abs(y - ay)

    assert found == sorted((CLIP_B, OUTPUT, BLEND), key=far)
    assert editor.walking.towards(scene, CLIP_A, "left") == [MACHINE]
    assert editor.walking.nearest(scene, MACHINE, "left") == ""


@pytest.mark.parametrize("by", [1, -1])
def test_pins_and_choices_are_stepped_through_in_a_ring(editor, by):
    editor.canvas.select([BLEND])
    seen = []
    while True:
        editor.walking.step_pin(by)
        state = editor.canvas.state
        now = state.choice or state.pin
        if now in seen:
            break
        seen.append(now)
    assert now == seen[0]
    view = editor.canvas.committed.nodes[BLEND]
    pins = [p.pin for p in seen if isinstance(p, PinPlace) and not p.output]
    names = [p.name for p in view.inputs]
    assert pins == (names if by > 0 else names[::-1])
    assert len(seen) == len(view.inputs) + len(view.outputs) + len(view.choices)


def test_the_arrows_of_a_state_are_stepped_through_and_lead_to_its_ends(editor):
    editor.canvas.open(GRAPH, STATES)
    assert walked(editor, IDLE, "right") == [WALKING]
    editor.canvas.select([IDLE])
    editor.walking.step_pin(1)
    assert editor.canvas.state.active == GO
    editor.walking.walk("right")
    assert editor.canvas.state.active == WALKING
    editor.walking.step_pin(-1)
    assert editor.canvas.state.active == BACK
    editor.walking.walk("left")
    assert editor.canvas.state.active == IDLE


def test_two_arrows_of_a_state_take_turns_both_ways(editor):
    editor.canvas.open(GRAPH, STATES)
    editor.machines.connect(IDLE, IDLE)
    own = [str(t.id) for t in editor.canvas.sheet.transitions if t.source == IDLE]
    assert len(own) == 2
    for by in (1, -1):
        editor.canvas.select([IDLE])
        seen = []
        for _ in range(3):
            editor.walking.step_pin(by)
            seen.append(editor.canvas.state.active)
        assert set(seen[:2]) == set(own) and seen[2] == seen[0]


def test_a_node_is_connected_to_the_nearest_that_fits_and_else_it_is_said_why(editor):
    editor.wires.cut_at(PinPlace(OUTPUT, "pose"))
    editor.canvas.select([BLEND])
    assert editor.walking.connect("right")
    assert editor.canvas.sheet.link_to(OUTPUT, "pose").source == BLEND
    editor.wires.cut_at(PinPlace(BLEND, "a"))
    editor.wires.cut_at(PinPlace(BLEND, "b"))
    editor.canvas.select([BLEND])
    editor.canvas.set_state(pin=PinPlace(BLEND, "b"))
    assert editor.walking.connect("left")
    assert (
        editor.canvas.sheet.link_to(BLEND, "b") is not None
        and editor.canvas.sheet.link_to(BLEND, "a") is None
    )
    editor.canvas.select([])
    with pytest.raises(ValidationError, match="Select a node first"):
        editor.walking.connect("right")
    editor.canvas.select([OUTPUT])
    with pytest.raises(ValidationError, match="no node that way"):
        editor.walking.connect("right")

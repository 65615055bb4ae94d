"""A transition as three poses, seen without running its graph."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import MissingReferenceError, ValidationError
from core.graph.graph import BlendKind, Graph, Node, TargetStart, Transition, Variable
from core.graph.language.values import Kind
from core.graph.transition_poses import TransitionPoses, transition_poses
from tests.core.graph.builders import Drawing, clip


def drawn(*arrows, variables=(), **clips) -> tuple[Drawing, Graph, dict[str, Transition]]:
    """A machine over clips a (hips at 0, a loop of 1 s), b (at 1, 0.4 s) and c (at 2, 2 s, no loop)."""
    drawing = Drawing(
        clip("a"), clip("b", 0.4, x=1.0), clip("c", 2.0, x=2.0, looping=False), variables=variables
    )
    states = {name: drawing.clip_sheet(name) for name in "abc"}
    extra = (drawing.node("any", "any"),)
    sheet = drawing.machine(states, list(arrows), extra)
    names = {node.id: node.name for node in sheet.nodes}
    ways = {f"{names[t.source]}{names[t.target]}": t for t in sheet.transitions}
    return drawing, drawing.machine_graph(sheet), ways


def look(*arrows, way: str, **more) -> TransitionPoses:
    drawing, graph, ways = drawn(*arrows, **more)
    return transition_poses(graph, drawing.project(graph), ways[way].id)


def hips(found: TransitionPoses) -> list[float]:
    return [round(float(pose.translations[1, 0]), 9) for pose in (found.source, found.middle, found.target)]


def hand(pose) -> float:
    """Degrees that the hand is turned by."""
    x, y, z, w = pose.rotations[2]
    return float(np.degrees(2.0 * np.arctan2(y, w)))


def test_a_rule_leaves_a_loop_in_the_middle_of_its_turn_and_a_clip_at_its_end():
    found = look(("a", "b", "false", {"seconds": "0.2"}), way="ab")
    assert (found.leaves, found.seconds) == (0.5, pytest.approx(0.2))
    assert hips(found) == [0.0, 0.5, 1.0]
    # a at half its turn is turned by 45°; b at its start by none.
    assert hand(found.source) == pytest.approx(45.0)
    assert hand(found.target) == pytest.approx(0.0, abs=1e-6)
    found = look(("c", "a", "false", {"seconds": "0.4"}), way="ca")
    assert (found.leaves, found.seconds) == (2.0, pytest.approx(0.4))
    assert hips(found) == [2.0, 1.0, 0.0]
    assert hand(found.source) == pytest.approx(90.0)


@pytest.mark.parametrize(("automatic", "leaves"), [(0.0, 2.0), (0.5, 1.5), (-1.0, 1.7), (9.0, 0.0)])
def test_an_automatic_rule_says_when_it_leaves(automatic, leaves):
    found = look(("c", "b", None, {"automatic": automatic, "seconds": "0.3"}), way="cb")
    assert found.leaves == pytest.approx(leaves)
    assert hand(found.source) == pytest.approx(45.0 * leaves)
    assert hips(found) == [2.0, pytest.approx(1.5), 1.0]


def test_an_automatic_rule_looks_at_its_player_and_min_times_do_not_matter():
    options = {"automatic": 0.5, "seconds": "0.2", "min_time": 99.0, "reentry_time": 99.0}
    assert look(("c", "b", None, {**options, "player": "c"}), way="cb").leaves == pytest.approx(1.5)
    assert look(("c", "b", None, {**options, "player": "nobody"}), way="cb").leaves == 0.0
    assert look(("a", "b", None, {"automatic": 0.25, "player": "a"}), way="ab").leaves == pytest.approx(0.75)
    # By rule alone the player does not matter.
    assert look(("a", "b", "false", {"player": "nobody"}), way="ab").leaves == 0.5


@pytest.mark.parametrize("seconds", ["0", "-1"])
def test_a_transition_at_once_has_the_target_in_its_middle(seconds):
    found = look(("a", "b", "false", {"seconds": seconds}), way="ab")
    assert (found.seconds, hips(found)) == (0.0, [0.0, 1.0, 1.0])
    assert found.middle is found.target


def test_variables_stand_at_their_defaults_and_the_switch_hides_none():
    slow = Variable("slow", default=(0.5,), maximum=2.0)
    mine = Variable("leaves", Kind.BOOL, maximum=1.0, minimum=0.0)
    found = look(("a", "b", "leaves", {"seconds": "slow"}), way="ab", variables=(slow, mine))
    assert found.seconds == 0.5
    assert hips(found) == [0.0, 0.5, 1.0]


def test_a_way_back_to_the_same_state_has_its_poses():
    found = look(("c", "c", "false", {"seconds": "0.2", "start": TargetStart.RESET}), way="cc")
    assert found.leaves == 2.0
    assert (hand(found.source), hand(found.target)) == (pytest.approx(90.0), pytest.approx(0.0, abs=1e-6))


def test_the_blend_is_that_of_the_transition():
    frozen = look(("a", "b", "false", {"seconds": "0.4", "blend": {"kind": BlendKind.FROZEN}}), way="ab")
    plain = look(("a", "b", "false", {"seconds": "0.4"}), way="ab")
    assert hand(plain.middle) > hand(frozen.middle) + 5.0  # the source stands still


def test_states_that_name_others_are_seen_with_all_of_them():
    drawing, graph, _ = drawn(("a", "b", "false", {"seconds": "0.2"}))
    machine = (
        graph.sheets[-1] if graph.sheets[-1].transitions else next(s for s in graph.sheets if s.transitions)
    )
    sheet = next(s for s in graph.sheets if s.name == "a")
    player = next(n for n in sheet.nodes if n.kind == "clip")
    other = Node(player.id, "clip", player.parameters, {"rate": "1 + weight('c')"}, "a")
    graph = graph.with_sheet(replace(sheet, nodes=tuple(other if n is player else n for n in sheet.nodes)))
    found = transition_poses(graph, drawing.project(graph), machine.transitions[0].id)
    assert hips(found) == [0.0, 0.5, 1.0]


def test_only_ways_from_state_to_state_have_poses():
    drawing, graph, ways = drawn(("a", "b", "false"), ("any", "c", "false"))
    with pytest.raises(
        ValidationError, match="only a transition from a state to a state has poses of its own"
    ):
        transition_poses(graph, drawing.project(graph), ways["anyc"].id)
    with pytest.raises(MissingReferenceError, match="no transition 'n-99999999'"):
        transition_poses(graph, drawing.project(graph), "n-99999999")

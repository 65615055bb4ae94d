"""Open slots of linked graphs, and players whose clip is chosen by a name (spec: graph, §8)."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Notify
from core.errors import MissingReferenceError
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import Graph, Variable
from core.graph.hashing import plan_hash
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.nodes.open_slot import fill_slots, open_slots
from core.graph.problems import GraphError
from core.graph.record import Recording
from core.ids import AssetId
from tests.core.graph.builders import Drawing, clip, walking

WHICH = Variable("which", Kind.NAME)
SPEED = Variable("speed", maximum=10.0)


def playing(name: str) -> Graph:
    """A graph of its own that plays a clip."""
    drawing = Drawing(variables=(SPEED,))
    made = drawing.graph(drawing.clip_sheet(name))
    return replace(made, id=AssetId(f"graph-{name}"), name=f"plays {name}")


def hosting(first: str = "", wired: bool = False) -> tuple[Instance, object]:
    """A host with an open slot *arms* over an idle clip that runs on beside it."""
    drawing = Drawing(clip("idle", 2.0), clip("sword", x=1.0), clip("bow", x=-1.0), variables=(SPEED,))
    idle = drawing.play("idle")
    parameters = {"slot": "arms", **({"graph": f"graph-{first}"} if first else {})}
    slot = drawing.node("linked_graph", "arms", {"seconds": "0.3", "speed": "speed"}, **parameters)
    mix = drawing.node("blend", "mix", {"alpha": "0.999"})
    wires = [(idle, mix, "a"), (slot, mix, "b"), *([(idle, slot, "pose")] if wired else [])]
    graph = drawing.graph(drawing.pose_sheet("main", [idle, slot, mix], wires, mix))
    project = drawing.project(graph).with_assets(playing("sword"), playing("bow"))
    return Instance(compile_graph(graph, project)), project


def hips(instance, dt=0.01) -> float:
    return float(instance.step(dt).pose.translations[1, 0])


def test_open_slot_is_filled_inertialised_and_the_rest_runs_on():
    instance, project = hosting("sword")
    for _ in range(10):
        hips(instance)
    assert open_slots(instance.plan) == {"arms": "graph-sword"}
    other = fill_slots(instance, project, {"arms": AssetId("graph-bow")})
    assert open_slots(other.plan) == {"arms": "graph-bow"}
    assert plan_hash(other.plan) != plan_hash(instance.plan)
    path = np.array([hips(instance), *(hips(other) for _ in range(40))])
    assert path[0] == pytest.approx(0.999)
    assert np.abs(np.diff(path)).max() < 0.15  # a jump would be 2
    assert path[-1] == pytest.approx(-0.999)
    assert (np.diff(path) <= 1e-12).all()
    idle = other.plan.op_named("idle")
    assert float(other.state.floats[idle.place.floats]) == pytest.approx(0.5)  # it never restarted


def test_slot_that_is_empty_passes_its_pose_through_and_can_be_emptied_again():
    instance, project = hosting("", wired=True)
    assert hips(instance) == 0.0
    full = fill_slots(instance, project, {"arms": AssetId("graph-sword")})
    for _ in range(40):
        last = hips(full)
    assert last == pytest.approx(0.999)
    empty = fill_slots(full, project, {})
    path = [hips(empty) for _ in range(40)]
    assert 0.9 < path[0] < 1.0
    assert path[-1] == pytest.approx(0.0, abs=1e-9)


def test_slot_that_is_not_there_is_told_and_a_missing_graph_too():
    instance, project = hosting("sword")
    with pytest.raises(MissingReferenceError, match="no open slot 'arm'; near: arms"):
        fill_slots(instance, project, {"arm": AssetId("graph-bow")})
    with pytest.raises(GraphError, match="linked graph is not in the project"):
        fill_slots(instance, project, {"arms": AssetId("graph-none")})


# -------------------------------------------------------------------- clips by name
def named(**parameters) -> Instance:
    clips = (
        walking("walk", 1.0, 1.5), walking("run", 0.5, 4.0, x=1.0),
        clip("wave", 1.0, x=2.0, notifies=(Notify("hold", 0.05, 0.5), Notify("tip", 0.15))),
    )  # fmt: skip
    drawing = Drawing(*clips, variables=(WHICH, SPEED))
    player = drawing.node("clip", "player", {"clip_name": "which", "rate": "1"}, **parameters)
    return drawing.run(drawing.graph(drawing.pose_sheet("main", [player], [], player)))


def test_clip_is_the_one_that_a_variable_names_and_another_name_starts_it():
    instance = named()
    first = instance.step(0.1, {"which": "walk"})
    assert float(first.root_motion.translation[2]) == pytest.approx(0.15)
    second = instance.step(0.1, {"which": "run"})
    assert float(second.root_motion.translation[2]) == pytest.approx(0.4)
    assert float(second.pose.translations[1, 0]) == 1.0
    place = instance.plan.op_named("player").place.floats
    assert float(instance.state.floats[place]) == pytest.approx(0.1)
    instance.step(0.1)
    assert float(instance.state.floats[place]) == pytest.approx(0.2)  # the same name goes on


def test_notifies_of_a_named_clip_end_when_another_is_named():
    instance = named()
    events = instance.step(0.2, {"which": "wave"}).events
    assert [(e.kind, e.name) for e in events if e.kind is not EventKind.TICK] == [
        (EventKind.BEGIN, "hold"), (EventKind.NOTIFY, "tip"),
    ]  # fmt: skip
    ended = instance.step(0.01, {"which": "walk"}).events
    assert [(e.kind, e.name, e.interrupted) for e in ended] == [(EventKind.END, "hold", True)]


def test_name_of_no_clip_is_the_rest_pose_and_flags_the_node():
    instance = named()
    result = instance.step(0.1, {"which": "fly"})
    assert result.flagged == {instance.plan.op_named("player").node}
    assert float(result.pose.translations[1, 0]) == 0.0
    assert not instance.step(0.1, {"which": "run"}).flagged


def test_named_clip_plays_in_a_sync_group_and_replays_bit_for_bit():
    instance = named(group="feet")
    recording = Recording(instance)
    names = ["walk", "walk", "run", "run", "fly", "wave", "walk"]
    for number in range(21):
        recording.step(0.07, {"which": names[number // 3]})
    end = instance.snapshot()
    recording.goto(9)
    recording.goto(21)
    assert recording.differs is None
    assert instance.snapshot().same_bits(end)

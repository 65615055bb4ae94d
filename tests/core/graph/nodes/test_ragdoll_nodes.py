"""The nodes ragdoll and get up: a machine falls on stairs and gets up, the same bytes again; what pulls and mixes."""

import json
from functools import lru_cache

import numpy as np
import pytest

from core.graph.compile import compile_graph
from core.graph.explain import explain
from core.graph.graph import Variable
from core.graph.instance import Instance
from core.graph.problems import GraphError
from core.graph.record import Recording, Step, run_on
from core.graph.saved_test import saved_test
from core.graph.script import read_script
from core.math import quat, transform
from core.math.transform import down_chain
from core.physics import engine
from core.terrain.ground import Ground
from tests.core.graph.nodes.falling import DT, Falling, instance, places, plan, project, rig, walked

pytestmark = pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")
HIT = 30


@lru_cache(maxsize=1)
def fallen():
    """Onto the stairs, down, at rest, and up again."""
    recording = Recording.of(plan())
    return recording, walked(recording, 500, hits=(HIT,))


def states(found):
    return [next(iter(result.states.values())) for result, _ in found]


def test_a_machine_falls_rests_gets_up_and_moves_on():
    _, found = fallen()
    names = states(found)
    order = [name for k, name in enumerate(names) if k == 0 or names[k - 1] != name]
    assert order == ["moves", "falls", "gets up", "moves"]
    assert names.index("falls") == HIT
    fall = names.count("falls") * DT
    assert 0.5 < fall < 4.0
    assert not any(result.flagged for result, _ in found)
    heads = [places(result, stands)[:, 1].max() for result, stands in found]
    lying = found[names.index("gets up") - 1]
    assert heads[0] > 1.5 and places(*lying)[:, 1].max() < 1.6  # it lies, on stairs of 18 cm
    assert heads[-1] - found[-1][1].translation[1] > 1.5


def test_no_bone_jumps_where_the_states_change():
    _, found = fallen()
    names = states(found)
    shown = [places(result, stands) for result, stands in found]
    walking = max(np.linalg.norm(shown[k] - shown[k - 1], axis=1).max() for k in range(2, HIT))
    for number in range(HIT, len(names)):
        moved = float(np.linalg.norm(shown[number] - shown[number - 1], axis=1).max())
        if names[number] != names[number - 1]:
            limit = {"falls": 1.3 * walking, "gets up": 0.001, "moves": 0.05}[names[number]]
            assert moved < limit, (number, names[number])
        assert moved < 0.25


def test_going_back_into_the_fall_and_playing_on_gives_the_same_bytes():
    recording, found = fallen()
    names = states(found)
    hashes = list(recording.hashes)
    middle = HIT + 25
    assert names[middle] == "falls"
    for number in (middle, names.index("gets up") + 20, len(found)):
        result = recording.goto(number)
        assert recording.differs is None
        assert result.numbers.tobytes() == found[number - 1][0].numbers.tobytes()
    recording.goto(middle)
    again = Recording(Instance(plan()), recording.plan_hash)
    later = walked(again, 500, hits=(HIT,))
    assert again.hashes == hashes
    assert later[-1][0].numbers.tobytes() == found[-1][0].numbers.tobytes()


def test_a_snapshot_goes_on_in_another_instance_to_the_same_bytes():
    first = Recording.of(plan())
    walked(first, HIT + 40, hits=(HIT,))
    stands = first.steps[-1].character
    other = Recording(Instance(plan()))
    other.instance.restore(first.instance.snapshot())
    one, two = (walked(r, 30, stands=stands) for r in (first, other))
    assert first.instance.snapshot().same_bits(other.instance.snapshot())
    assert one[-1][0].numbers.tobytes() == two[-1][0].numbers.tobytes()


def one_ragdoll(clip="idle", literals=None, name="Doll", **parameters):
    """A clip into a ragdoll node."""
    drawing = Falling(variables=(Variable("share"),))
    player, doll = drawing.clip_node(clip), drawing.node("ragdoll", name, literals or {}, **parameters)
    return drawing, drawing.one(player, doll)


def turned(one, other) -> float:
    """Mean degrees between the model rotations of two results' bodies."""
    parents = rig().skeleton.parents
    bones = [
        rig().skeleton.index(name) for name in ("spine_03", "upper_arm_l", "lower_arm_l", "calf_r", "head")
    ]
    a, b = (down_chain(parents, result.pose.local).rotation[bones] for result in (one, other))
    return float(np.degrees(quat.angle_between(a, b)).mean())


def test_while_it_is_not_active_the_incoming_pose_passes_through():
    _, graph = one_ragdoll(literals={"active": "hit"})
    drawing = Falling()
    plain = instance(drawing.one(drawing.clip_node("idle")))
    made = instance(graph)
    for number in range(40):
        one, other = made.step(DT, {"hit": number in (10, 11, 12)}), plain.step(DT)
        if number not in (10, 11, 12):
            assert one.pose.local.rotation.tobytes() == other.pose.local.rotation.tobytes()
    assert made.step(DT, {"hit": True}).flagged == frozenset()


def test_a_full_pull_on_all_bones_and_the_root_follows_the_clip():
    _, graph = one_ragdoll(
        "walk", {"strength": "1", "root_strength": "1", "frequency": "8"}, character="incoming"
    )
    drawing = Falling()
    pulled, plain = instance(graph), instance(drawing.one(drawing.clip_node("walk")))
    stands, off = transform.IDENTITY, []
    for _ in range(90):
        one, other = pulled.step(DT, character=stands), plain.step(DT, character=stands)
        stands = transform.compose(stands, other.root_motion)
        off.append(turned(one, other))
        hips = rig().skeleton.index("pelvis")
        a, b = (down_chain(rig().skeleton.parents, r.pose.local).translation[hips] for r in (one, other))
        assert np.linalg.norm(a - b) < 0.05
    assert np.mean(off[10:]) < 2.5


def test_without_a_pull_it_falls_and_the_character_follows_its_body():
    _, graph = one_ragdoll("walk")
    made = Recording(instance(graph))
    found = walked(made, 200, ground=None)
    end = places(*found[-1])
    assert end[:, 1].max() < 0.6  # on the level
    pelvis = end[rig().skeleton.index("pelvis") - 1]
    stands = found[-1][1].translation
    assert np.hypot(pelvis[0] - stands[0], pelvis[2] - stands[2]) < 0.01
    assert stands[1] == 0.0


def test_the_blend_of_a_group_mixes_its_bones_alone():
    arm = ("upper_arm_l:3",)
    _, graph = one_ragdoll(
        "walk", {"strength": "1", "root_strength": "1", "blend": "0", "blend_1": "1", "strength_1": "0"},
        count=1, branches_1=arm, character="incoming",
    )  # fmt: skip
    drawing = Falling()
    made, plain, stands = (
        instance(graph),
        instance(drawing.one(drawing.clip_node("walk"))),
        transform.IDENTITY,
    )
    for _ in range(60):
        one, other = made.step(DT, character=stands), plain.step(DT, character=stands)
        stands = transform.compose(stands, other.root_motion)
    off = np.degrees(quat.angle_between(one.pose.local.rotation, other.pose.local.rotation))
    skeleton = rig().skeleton
    inside = skeleton.descendants([skeleton.index("upper_arm_l")])
    assert off[inside].max() > 5.0
    assert off[~inside].max() < 1e-6


@pytest.mark.parametrize("rate", [30, 120, 144])
def test_other_rates_fall_the_same_way(rate):
    _, graph = one_ragdoll("walk")
    ends = []
    for hz in (60, rate):
        made = Recording(instance(graph))
        # the start is a step of the graph's rate: let both begin from a pose that stands still
        found = walked(made, 1, ground=None, dt=0.0) + walked(made, hz, ground=None, dt=1.0 / hz)
        ends.append(places(*found[-1]))
    assert np.abs(ends[0] - ends[1]).max() < 0.002


def test_a_fall_by_the_compiled_kernel_and_by_its_twin_is_the_same():
    recording, found = fallen()
    mover = Instance(plan())
    for step in recording.steps[: HIT + 20]:
        mover.step(step.dt, step.inputs, None, step.character)
    told = explain(mover, Step(DT))
    result = mover.step(DT)
    for a, b in zip(told.result.pose.local, result.pose.local, strict=True):
        assert np.allclose(a, b, atol=1e-9)
    assert any(reason.transition and "ragdoll_at_rest" in reason.detail for reason in told.reasons)


def test_values_are_read_of_the_right_nodes_only():
    drawing, graph = one_ragdoll("idle", {"strength": "ragdoll_speed('nobody')"})
    with pytest.raises(GraphError, match="no node of that name"):
        instance(graph)
    drawing, graph = one_ragdoll("idle", {"strength": "if(got_up('Doll'), 1, 0)"})
    with pytest.raises(GraphError, match="no Get up node"):
        instance(graph)


def test_facing_tells_the_back_from_the_front():
    ups = {}
    for name in ("get up back", "get up front"):
        drawing = Falling(variables=(Variable("facing", role="own", minimum=-2.0, maximum=2.0),))
        graph = drawing.one(drawing.clip_node(name), drawing.node("ragdoll", "Doll"))
        made = instance(graph)
        made.step(DT)
        made.step(DT)
        op = made.plan.op_named("Doll")
        ups[name] = float(made.state.floats[op.place.floats + op.VALUES["ragdoll_facing"]])
    assert ups["get up back"] > 0.5 and ups["get up front"] < -0.5


def test_a_saved_run_knows_the_ground_and_falls_the_same(tmp_path):
    recording, found = fallen()
    saved = saved_test(recording)
    path = tmp_path / "fall.json"
    path.write_text(json.dumps(saved))
    script = read_script(path)
    again = run_on(Instance(plan()), script.steps)
    assert again[-1].numbers.tobytes() == found[-1][0].numbers.tobytes()


def test_plain_ground_with_stairs_is_fallen_on():
    made = Recording.of(plan())
    ground = Ground(rise=0.18, run=0.3, start=1.3, count=5)
    found = walked(made, HIT + 150, hits=(HIT,), ground=ground)
    names = states(found)
    falls = [pair for pair, name in zip(found, names, strict=True) if name == names[HIT]]
    lowest = min(places(*pair)[:, 1].min() for pair in falls)
    assert lowest > -0.1
    assert places(*found[-1])[:, 1].max() > 0.3  # on the stairs, not on the plane below them


def test_without_the_engine_the_problem_is_listed_and_the_pose_passes_through(monkeypatch):
    def missing() -> str:
        return "Ragdolls need mujoco-core, which is not installed. Install it with: pip install mujoco-core"

    monkeypatch.setattr(engine, "installed", lambda: False)
    monkeypatch.setattr(engine, "unavailable", missing)
    _, graph = one_ragdoll("idle")
    made = compile_graph(graph, project().with_assets(graph))
    assert any("mujoco-core" in problem.message and problem.warning for problem in made.warnings)
    drawing = Falling()
    plain = instance(drawing.one(drawing.clip_node("idle")))
    running = Instance(made)
    for _ in range(5):
        one, other = running.step(DT), plain.step(DT)
        assert one.pose.local.rotation.tobytes() == other.pose.local.rotation.tobytes()
    assert one.flagged


def test_get_up_without_clips_says_what_to_do():
    drawing = Falling()
    with pytest.raises(GraphError, match="no clip 'nothing'"):
        instance(drawing.one(drawing.node("get_up", "Up", clips=("nothing",))))

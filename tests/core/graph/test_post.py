"""The post-process graph of a rig: run after any graph and after clips, with feet on the ground."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.errors import MissingReferenceError, ValidationError
from core.graph.graph import Graph, Variable
from core.graph.post import PostProcess, character_of, compile_post
from core.graph.problems import GraphError
from core.ids import AssetId
from core.ik.feet_smoothing import over_time
from core.ik.ground import Ground, clearances, find_feet, place_feet
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.math.transform import Transform
from core.pose.pose import rest_pose
from core.project.references import without
from core.rig.roles import find_roles
from tests.core.graph.builders import Drawing, swinging, walker

POST = AssetId("graph-post")


def ask(ground: Ground):
    return lambda point: (float(ground.under(point)), ground.normal)


def drawn(node_kind: str = "foot_placement", literals: dict | None = None, **parameters):
    """A project with a clip's graph, and a post-process graph of one node."""
    rig = replace(walker(), post_graph=POST)
    clips = (swinging("walk", 0.0, curves={"feet": 0.5}),)
    drawing = Drawing(*clips, rig_=rig, variables=(Variable("lean", maximum=1.0),))
    given = drawing.node("pose_input")
    node = drawing.node(node_kind, "it", literals or {}, **parameters)
    post = replace(drawing.one(given, node), id=POST, name="feet")
    drawing.sheets.clear()
    drawing.variables = (Variable("speed"),)
    graph = drawing.one(drawing.play("walk"))
    return drawing, graph, drawing.project(graph).with_assets(post)


STAIRS = Ground(rise=0.1, run=0.5, start=-0.2, count=4)


def test_feet_are_placed_after_the_graph_as_the_function_places_them():
    drawing, graph, project = drawn()
    alone = character_of(graph, project.with_assets(replace(drawing.rig, post_graph=None)))
    placed = character_of(graph, project)
    times, before, after = [0.0], [], []
    for _ in range(20):
        before.append(alone.step(1 / 30).pose.local)
        after.append(placed.step(1 / 30, ground=ask(STAIRS)).pose.local)
        times.append(times[-1] + 1 / 30)
    batch = Transform(*(np.stack(parts) for parts in zip(*before, strict=True)))
    wanted = place_feet(
        drawing.rig, find_roles(drawing.rig.skeleton), batch, STAIRS, times=np.array(times[1:])
    )
    for number, local in enumerate(after):
        for part, other in zip(local, wanted.local, strict=True):
            assert part == pytest.approx(other[number], abs=1e-9)
    assert np.abs(wanted.lowered).max() > 0.05


def test_level_ground_changes_nothing_at_all():
    drawing, graph, project = drawn()
    alone = character_of(graph, project.with_assets(replace(drawing.rig, post_graph=None)))
    placed = character_of(graph, project)
    for _ in range(5):
        assert same_value(alone.step(0.05).pose, placed.step(0.05).pose)


def test_ground_that_changes_comes_in_time():
    _, graph, project = drawn()
    character = character_of(graph, project)
    hips = [float(character.step(1 / 60).pose.translations[1, 1]) for _ in range(3)]
    sunk = Ground(height=-0.2)
    hips += [float(character.step(1 / 60, ground=ask(sunk)).pose.translations[1, 1]) for _ in range(50)]
    steps = np.abs(np.diff(hips))
    assert steps.max() < 0.2 * 15 / 60 * 1.1 + 0.1 / 60  # 15 a second of the way, and the clip's own 0.1 m/s
    assert hips[-1] == pytest.approx(hips[2] - 0.2 - 0.1 * 50 / 60, abs=1e-3)


def test_wild_answers_of_the_ground_leave_the_pose_finite():
    _, graph, project = drawn()
    character = character_of(graph, project)
    answers = iter(
        [(np.nan, np.zeros(3)), (np.inf, np.full(3, np.nan)), (1e300, np.array([0.0, -1.0, 0.0]))] * 99
    )
    for _ in range(6):
        result = character.step(0.05, ground=lambda point: next(answers))
        assert all(np.isfinite(part).all() for part in result.pose.local)


def test_post_graph_sees_the_curves_of_this_step():
    _, graph, project = drawn("transform_bone", {"translation": "vec(0, curve('feet'), 0)"}, bone="head",
                              translation_way="add")  # fmt: skip
    pose = character_of(graph, project).step(0.05).pose
    assert pose.translations[3, 1] == pytest.approx(0.4 + 0.5)
    assert pose.curves["feet"] == 0.5


def test_alpha_of_a_modifier_follows_a_curve_of_the_pose():
    _, graph, project = drawn(
        "transform_bone", {"translation": "vec(0, 1, 0)"}, bone="head", translation_way="add",
        alpha_by="curve", alpha_curve="feet", alpha_scale=0.5, alpha_bias=0.1,
    )  # fmt: skip
    pose = character_of(graph, project).step(0.05).pose
    assert pose.translations[3, 1] == pytest.approx(0.4 + 0.5 * 0.5 + 0.1)


def test_variables_of_the_post_graph_are_its_own_and_inputs_reach_both():
    drawing, graph, project = drawn(
        "transform_bone", {"translation": "vec(0, lean, 0)"}, bone="head", translation_way="add"
    )
    character = character_of(graph, project)
    assert character.step(0.05, {"speed": 3.0, "lean": 0.25}).pose.translations[3, 1] == pytest.approx(0.65)
    assert (character.value("speed"), character.value("lean")) == (3.0, 0.25)
    with pytest.raises(MissingReferenceError, match="near: lean"):
        character.set("leam", 1.0)


def test_post_graph_runs_after_a_pose_from_anywhere():
    drawing, _, project = drawn()
    plan = compile_post(drawing.rig, project)
    post = PostProcess(plan)
    result = post.step(0.0, rest_pose(drawing.rig), ground=ask(Ground(height=0.05)))
    feet = find_feet(drawing.rig, find_roles(drawing.rig.skeleton))
    local = Transform(*(part[None] for part in result.pose.local))
    assert clearances(drawing.rig, local, Ground(height=0.05), feet).min() == pytest.approx(0.0, abs=1e-6)
    with pytest.raises(ValidationError, match="expected a pose of rig"):
        post.step(0.0, replace(rest_pose(drawing.rig), rig=AssetId("rig-9")))


def test_going_back_restores_the_post_graph_too():
    _, graph, project = drawn()
    character = character_of(graph, project)
    for _ in range(3):
        character.step(0.05, ground=ask(STAIRS))
    state = character.snapshot()
    first = character.step(0.25, ground=ask(STAIRS))
    last = character.snapshot()
    character.restore(state)
    again = character.step(0.25, ground=ask(STAIRS))
    assert same_value(first.pose, again.pose)
    assert character.snapshot().same_bits(last)


def test_long_step_is_cut_as_an_instance_cuts_it():
    _, graph, project = drawn()
    one, many = character_of(graph, project), character_of(graph, project)
    whole = one.step(0.4, ground=ask(STAIRS))
    for _ in range(4):
        last = many.step(0.1, ground=ask(STAIRS))
    assert whole.pose.translations == pytest.approx(last.pose.translations, abs=1e-12)


def test_rig_keeps_its_post_graph_in_files_and_loses_it_with_the_graph():
    drawing, graph, project = drawn()
    assert same_value(from_bytes(to_bytes(project)), project)
    cleared = without(project, {POST})
    assert cleared.project.rigs[0].post_graph is None
    assert "post-process graph" in " ".join(cleared.notes)
    with pytest.raises(MissingReferenceError, match="choose another"):
        compile_post(drawing.rig, drawing.project(graph))


def test_broken_post_graph_is_told():
    _, graph, project = drawn("two_bone_ik", {}, bone="nobody")
    with pytest.raises(GraphError, match="feet"):
        character_of(graph, project)


def test_offsets_over_time_are_those_of_the_node():
    """The node steps as `over_time` does: the same first offsets, then the same way toward each wanted."""
    drawing, _, project = drawn()
    post = PostProcess(compile_post(drawing.rig, project))
    op = next(op for op in post.instance.plan.ops if op.node == post.instance.plan.op_named("it").node)
    pose = rest_pose(drawing.rig)
    grounds = [Ground(height=h) for h in (0.0, 0.1, 0.1, -0.05)]
    found = []
    for ground in grounds:
        post.step(0.05, pose, ground=ask(ground))
        found.append(post.instance.state.floats[op.place.floats])
    from core.ik.feet_smoothing import Offsets

    wanted = Offsets(
        np.array([g.height for g in grounds]),
        np.array([[g.height] * 2 for g in grounds]),
        np.zeros((4, 2, 3)),
    )
    assert found == pytest.approx(over_time(wanted, np.arange(4) * 0.05).pelvis, abs=1e-6)


def test_graph_that_is_the_post_graph_itself_does_not_run_after_itself():
    _, _, project = drawn()
    own = project.get(Graph, POST)
    assert character_of(own, project).post is None

"""Transform bone, copy bone and the IK nodes, against matrices and the functions they call."""

import numpy as np
import pytest

from core.graph.graph import Variable
from core.graph.language.values import Kind
from core.ik.chain import model_of
from core.ik.solve import IkGoal, solve
from core.math import quat, transform
from core.math.transform import Transform, down_chain
from core.rig.virtual_bones import VirtualBone
from tests.core.graph.builders import Drawing, swinging, walker

TURNED = "axis_angle(vec(0, 0, 1), 90)"
ALPHA = Variable("alpha", default=(1.0,), minimum=0.0, maximum=1.0)
GOAL = Variable("goal", Kind.VECTOR, (0.1, 0.4, 0.2))


def run(kind: str, literals: dict, rig=None, character=transform.IDENTITY, inputs=None, **parameters):
    """The pose of a node after a playing clip, that clip's own, and the rig."""
    drawing = Drawing(swinging("walk"), variables=(ALPHA, GOAL), rig_=rig or walker())
    play, node = drawing.play("walk"), drawing.node(kind, "it", literals, **parameters)
    plain = drawing.run(drawing.one(play)).step(0.4).pose.local
    drawing.sheets.clear()
    found = drawing.run(drawing.one(play, node)).step(0.4, inputs, character=character).pose.local
    return found, plain, drawing.rig


def matrix(rig, local, bone):
    return transform.to_matrix(down_chain(rig.skeleton.parents, local))[rig.skeleton.index(bone)]


CHARACTER = Transform(
    np.array([3.0, 0.5, -1.0]), quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.7), np.ones(3)
)


@pytest.mark.parametrize("space", ["model", "world"])
def test_bone_turned_and_moved_in_a_space_is_so_by_matrices(space):
    found, plain, rig = run(
        "transform_bone",
        {"translation": "vec(0.1, 0.2, 0.3)", "rotation": TURNED},
        bone="spine",
        translation_way="add",
        translation_space=space,
        rotation_way="add",
        rotation_space=space,
        character=CHARACTER,
    )
    frame = transform.to_matrix(CHARACTER) if space == "world" else np.eye(4)
    before, after = (frame @ matrix(rig, local, "spine") for local in (plain, found))
    assert after[:3, 3] == pytest.approx(before[:3, 3] + [0.1, 0.2, 0.3])
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert after[:3, :3] == pytest.approx(turn @ before[:3, :3], abs=1e-12)
    others = [b for b in range(len(rig.skeleton)) if b != rig.skeleton.index("spine")]
    for part, was in zip(found, plain, strict=True):
        assert (part[others] == was[others]).all()


def test_bone_changed_in_local_space_adds_multiplies_and_replaces():
    found, plain, rig = run(
        "transform_bone",
        {"translation": "vec(0, 1, 0)", "rotation": TURNED, "scale": "vec(2, 2, 2)"},
        bone="spine",
        translation_way="replace",
        rotation_way="add",
        scale_way="add",
    )
    row = rig.skeleton.index("spine")
    assert found.translation[row] == pytest.approx([0, 1, 0])
    half = np.sqrt(0.5)
    assert found.rotation[row] == pytest.approx(quat.multiply([0, 0, half, half], plain.rotation[row]))
    assert found.scale[row] == pytest.approx(2.0 * plain.scale[row])


def test_alpha_of_none_keeps_the_bits_and_half_goes_half_the_way():
    parameters = {"bone": "spine", "translation_way": "add"}
    literals = {"translation": "vec(0, 1, 0)", "alpha": "alpha"}
    found, plain, rig = run("transform_bone", literals, inputs={"alpha": 0.0}, **parameters)
    assert all((a == b).all() for a, b in zip(found, plain, strict=True))
    half, _, _ = run("transform_bone", literals, inputs={"alpha": 0.5}, **parameters)
    row = rig.skeleton.index("spine")
    assert half.translation[row] - plain.translation[row] == pytest.approx([0, 0.5, 0])


def test_copied_bone_stands_where_the_other_stands():
    found, _, rig = run("copy_bone", {}, source="foot_l", bone="foot_r")
    assert matrix(rig, found, "foot_r") == pytest.approx(matrix(rig, found, "foot_l"), abs=1e-12)
    found, plain, rig = run(
        "copy_bone", {}, source="thigh_l", bone="thigh_r", space="local", translation=False
    )
    left, right = (rig.skeleton.index(name) for name in ("thigh_l", "thigh_r"))
    assert (found.rotation[right] == plain.rotation[left]).all()
    assert (found.translation[right] == plain.translation[right]).all()


@pytest.mark.parametrize("space", ["model", "world", "bone"])
def test_two_bone_chain_reaches_its_goal_in_every_space(space):
    more = {"goal_bone": "hips"} if space == "bone" else {}
    goal = {"model": "goal", "world": "goal + vec(3, 0.5, -1)", "bone": "vec(0.1, -0.6, 0.1)"}[space]
    found, _, rig = run(
        "two_bone_ik", {"goal": goal}, bone="foot_l", goal_space=space, character=CHARACTER, **more
    )
    reached = matrix(rig, found, "foot_l")[:3, 3]
    if space == "world":
        reached = (transform.to_matrix(CHARACTER) @ [*reached, 1.0])[:3]
        assert np.linalg.norm(reached - [3.1, 0.9, -0.8]) < 1.0  # a goal that may be out of reach
    elif space == "model":
        assert reached == pytest.approx([0.1, 0.4, 0.2], abs=1e-6)
    else:
        wanted = matrix(rig, found, "hips") @ [0.1, -0.6, 0.1, 1.0]
        assert reached == pytest.approx(wanted[:3], abs=1e-6)


def test_goal_on_a_virtual_bone_keeps_the_relation_that_the_clip_had():
    """The right foot's goal hangs under the hips where the clip had it; hips that sink leave it there."""
    from dataclasses import replace

    rig = replace(walker(), virtual_bones=(VirtualBone("vb", "root", "foot_r"),))
    drawing = Drawing(swinging("walk"), rig_=rig)
    play = drawing.play("walk")
    sink = drawing.node(
        "transform_bone", "", {"translation": "vec(0, -0.1, 0)"}, bone="hips", translation_way="add"
    )
    leg = drawing.node("two_bone_ik", "", {}, bone="foot_r", goal_space="bone", goal_bone="vb")
    plain = drawing.run(drawing.one(play)).step(0.4).pose.local
    drawing.sheets.clear()
    found = drawing.run(drawing.one(play, sink, leg)).step(0.4).pose.local
    assert matrix(rig, found, "foot_r")[:3, 3] == pytest.approx(matrix(rig, plain, "foot_r")[:3, 3], abs=1e-6)
    assert matrix(rig, found, "hips")[1, 3] == pytest.approx(matrix(rig, plain, "hips")[1, 3] - 0.1)


def test_chain_by_set_up_is_the_solver_s_own_answer():
    found, plain, rig = run("chain_ik", {"goal": "vec(0.2, 1.4, 0.2)"}, setup="back")
    direct = solve(rig, plain, rig.ik_setup("back"), IkGoal(np.array([0.2, 1.4, 0.2])))
    assert float(direct.residual) < 1e-5
    assert found.rotation == pytest.approx(direct.local.rotation, abs=1e-12)


@pytest.mark.parametrize("solver", ["ccd", "fabrik"])
def test_chain_by_root_and_tip_reaches(solver):
    found, _, rig = run(
        "chain_ik", {"goal": "vec(0.15, 0.3, 0.25)"}, root="thigh_l", tip="toe_l", solver=solver,
        tolerance=1e-4, iterations=100,
    )  # fmt: skip
    assert matrix(rig, found, "toe_l")[:3, 3] == pytest.approx([0.15, 0.3, 0.25], abs=2e-4)


def test_head_looks_at_its_goal_and_no_further_than_its_limit():
    found, plain, rig = run("look_at", {"goal": "vec(1, 1.5, 1)"}, bone="head")
    head = matrix(rig, found, "head")
    line = np.array([1.0, 1.5, 1.0]) - head[:3, 3]
    assert head[:3, :3] @ [0, 0, 1] == pytest.approx(line / np.linalg.norm(line), abs=1e-9)
    limited, _, _ = run("look_at", {"goal": "vec(1, 1.5, 0)"}, bone="head", limit=20.0)
    number = rig.skeleton.index("head")
    turn = quat.angle_between(
        model_of(rig.skeleton, limited, number).rotation, model_of(rig.skeleton, plain, number).rotation
    )
    assert float(np.degrees(turn)) == pytest.approx(20.0, abs=1e-6)

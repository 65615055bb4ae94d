"""Selects, weights of many, additive poses, layers with curve rules, curves, mirror, inertialise."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.blending.layers import CurveRule, PoseLayer, layered
from core.blending.space_player import SpacePlayer
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Notify, RootMotion
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import Variable
from core.graph.language.values import Kind
from core.graph.problems import GraphError
from core.ids import AssetId
from core.math import quat
from core.pose.blend import weighted
from core.pose.mirror import mirror_pose
from tests.core.graph.builders import Drawing, clip, swinging, walker, walking

CHOICE = Variable("choice", Kind.INT, maximum=9.0, minimum=-9.0)
ON = Variable("on", Kind.BOOL, maximum=1.0, minimum=0.0)
A, B, C = (Variable(name, maximum=2.0, minimum=-1.0) for name in "abc")


def three() -> tuple[Drawing, list]:
    clips = [clip(name, x=x, turn=0.0) for name, x in (("one", 0.0), ("two", 1.0), ("three", 4.0))]
    drawing = Drawing(*clips, variables=(CHOICE, ON, A, B, C))
    return drawing, [drawing.play(name) for name in ("one", "two", "three")]


def hips(result) -> float:
    return float(result.pose.translations[1, 0])


# -------------------------------------------------------------------- selects
def selecting(literals=None, **parameters):
    drawing, players = three()
    node = drawing.node(
        "blend_by_int", "pick", {"value": "choice", **(literals or {})}, count=3, **parameters
    )
    wires = [(player, node, f"pose_{k}") for k, player in enumerate(players)]
    return drawing.run(drawing.one(*players, node, wires=wires))


def test_select_goes_over_by_the_formula_and_turns_round_without_a_jump():
    instance = selecting({"time": "0.4"})
    assert hips(instance.step(0.1)) == 0.0
    assert hips(instance.step(0.1, {"choice": 2})) == pytest.approx(4.0 * 0.25)
    assert hips(instance.step(0.1)) == pytest.approx(4.0 * 0.5)
    # From here w = (0.5, 0, 0.5); a fifth of a blend to pose 1: w = 0.8 w + 0.2 e1, and so on.
    assert hips(instance.step(0.08, {"choice": 1})) == pytest.approx(0.8 * 2.0 + 0.2)
    assert hips(instance.step(0.08)) == pytest.approx(0.6 * 2.0 + 0.4)
    for _ in range(4):
        result = instance.step(0.1)
    assert hips(result) == 1.0


def test_select_out_of_range_takes_its_default():
    instance = selecting({"time": "0"}, default=1)
    assert hips(instance.step(0.1, {"choice": 7})) == 1.0
    assert hips(instance.step(0.1, {"choice": -1})) == 1.0
    assert hips(instance.step(0.1, {"choice": 2})) == 4.0


def test_select_has_a_time_for_each_pose():
    instance = selecting({"time": "0", "time_2": "0.2"})
    assert hips(instance.step(0.1)) == 0.0
    assert hips(instance.step(0.1, {"choice": 1})) == 1.0
    assert hips(instance.step(0.1, {"choice": 2})) == pytest.approx(2.5)


def test_bones_of_a_profile_go_over_in_their_own_time():
    rig = replace(three()[0].rig, masks={"quick": {"root": 1.0, "hips": 0.5, "hand": 1.0}})
    drawing, players = three()
    drawing.rig = rig
    node = drawing.node("blend_by_bool", "pick", {"value": "on", "time": "0.4"}, mask="quick")
    wires = [(players[1], node, "true"), (players[0], node, "false")]
    instance = drawing.run(drawing.one(*players, node, wires=wires))
    instance.step(0.1)
    assert hips(instance.step(0.1, {"on": True})) == pytest.approx(0.5)  # half the duration
    assert hips(instance.step(0.1)) == 1.0


def test_inertialised_select_never_jumps_and_arrives():
    instance = selecting({"time": "0.4"}, inertialise=True)
    values = [hips(instance.step(1 / 60)) for _ in range(5)]
    values += [hips(instance.step(1 / 60, {"choice": 2})) for _ in range(40)]
    steps = np.abs(np.diff(values))
    assert steps.max() < 4.0 * 2.0 / 0.4 / 60  # the quintic's steepest is below twice its mean
    assert values[-1] == 4.0
    assert 0.0 < values[6] < 1.0


def test_select_by_enum_and_by_name_choose_by_what_is_written():
    drawing, players = three()
    gait = Variable("gait", Kind.ENUM, enum="gaits", maximum=9.0)
    said = Variable("said", Kind.NAME, maximum=99.0)
    drawing.variables = (gait, said)
    drawing.parts["enums"] = {"gaits": ("walk", "run", "sprint")}
    by_enum = drawing.node("blend_by_enum", "pick", {"value": "gait", "time": "0"}, enum="gaits")
    by_name = drawing.node("blend_by_name", "say", {"value": "said", "time": "0"}, names=("here", "else"))
    wires = [(p, by_enum, pin) for p, pin in zip(players, ("walk", "run", "sprint"), strict=True)]
    wires += [(by_enum, by_name, "here"), (players[1], by_name, "else")]
    drawing2 = drawing.one(*players, by_enum, by_name, wires=wires)
    instance = drawing.run(drawing2)
    assert hips(instance.step(0.1, {"gait": "sprint", "said": "here"})) == 4.0
    assert hips(instance.step(0.1, {"said": "else"})) == 1.0
    assert hips(instance.step(0.1, {"said": "unheard of"})) == 4.0


def test_chosen_pose_restarts_only_where_it_is_to():
    def times(reset):
        drawing, players = three()
        node = drawing.node("blend_by_bool", "pick", {"value": "on", "time": "1"}, reset=reset)
        wires = [(players[1], node, "true"), (players[0], node, "false")]
        instance = drawing.run(drawing.one(*players, node, wires=wires))
        for on in (False, True, False):
            instance.step(0.1, {"on": on})
        return float(instance.state.floats[instance.plan.op_named("one").place.floats])

    assert times(False) == pytest.approx(0.3)  # it was still fading out, and runs on
    assert times(True) == pytest.approx(0.1)


# -------------------------------------------------------------------- many
weights = st.tuples(*[st.floats(-1, 2)] * 3)


@settings(max_examples=20, deadline=None)
@given(weights)
def test_many_poses_weigh_their_share_and_sum_to_one(shares):
    drawing, players = three()
    literals = {f"weight_{k}": name for k, name in enumerate("abc")}
    node = drawing.node("blend_many", "mix", literals, count=3)
    wires = [(player, node, f"pose_{k}") for k, player in enumerate(players)]
    instance = drawing.run(drawing.one(*players, node, wires=wires))
    result = instance.step(0.1, dict(zip("abc", shares, strict=True)))
    kept = np.clip(shares, 0.0, None)
    wanted = kept / kept.sum() if kept.sum() >= 1e-5 else np.array([1.0, 0, 0])
    assert hips(result) == pytest.approx(wanted @ [0.0, 1.0, 4.0], abs=1e-3 if kept.sum() < 0.1 else 1e-4)
    leaves = [op.number for op in instance.plan.ops if not op.inputs]
    assert result.weights[leaves].sum() == pytest.approx(1.0)


# -------------------------------------------------------------------- additive
def test_difference_put_back_on_its_base_is_the_pose():
    for space in ("local", "model"):
        drawing = Drawing(swinging("walk"), swinging("lean", -50.0), rig_=walker())
        pose, base = drawing.play("walk"), drawing.play("lean")
        make, put = drawing.node("make_additive", "", {}, space=space), drawing.node("apply_additive")
        wires = [(pose, make, "pose"), (base, make, "base"), (base, put, "base"), (make, put, "additive")]
        instance = drawing.run(drawing.one(pose, base, make, put, wires=wires))
        found = instance.step(0.3).pose
        drawing.sheets.clear()
        alone = drawing.run(drawing.one(pose)).step(0.3).pose
        for part, other in zip(found.local, alone.local, strict=True):
            assert part == pytest.approx(other, abs=1e-9)


def breathing() -> Drawing:
    additive = Additive(AdditiveSpace.LOCAL, AdditiveBase.FIRST_FRAME)
    clips = (swinging("walk"), swinging("breath", 10.0, additive=additive))
    return Drawing(*clips, rig_=walker(), variables=(A,))


def test_additive_clip_breathes_over_what_stands_still():
    drawing = breathing()
    rest, breath = drawing.node("rest"), drawing.play("breath")
    put = drawing.node("apply_additive", "", {"alpha": "a"})
    wires = [(rest, put, "base"), (breath, put, "additive")]
    instance = drawing.run(drawing.one(rest, breath, put, wires=wires))
    thigh = drawing.rig.skeleton.index("thigh_l")
    for alpha in (1.0, 0.5, 0.0):
        instance.restart()
        pose = instance.step(0.5, {"a": alpha}).pose
        turn = quat.angle_between(pose.rotations[thigh], drawing.rig.skeleton.rest.rotation[thigh])
        assert float(np.degrees(turn)) == pytest.approx(5.0 * alpha, abs=1e-9)


@pytest.mark.parametrize(
    ("wires", "message"),
    [
        ("plain", "an additive pose goes into apply additive"),
        ("additive", "expected an additive pose"),
        ("blend", "plain and additive poses"),
        ("space", "expected an additive pose in model space, got local"),
    ],
)
def test_additive_pose_in_the_wrong_place_is_told(wires, message):
    drawing = breathing()
    walk, breath = drawing.play("walk"), drawing.play("breath")
    put = drawing.node("apply_additive", "put", {}, **({"space": "model"} if wires == "space" else {}))
    mix = drawing.node("blend", "mix")
    drawn = {
        "plain": (breath, [(breath, put, "base"), (breath, put, "additive")], put),
        "additive": (walk, [(walk, put, "base"), (walk, put, "additive")], put),
        "blend": (walk, [(walk, mix, "a"), (breath, mix, "b")], mix),
        "space": (walk, [(walk, put, "base"), (breath, put, "additive")], put),
    }[wires]
    sheet = drawing.pose_sheet("main", [walk, breath, put, mix], drawn[1], drawn[2])
    graph = drawing.graph(sheet)
    with pytest.raises(GraphError) as caught:
        compile_graph(graph, drawing.project(graph))
    assert any(message in str(problem) for problem in caught.value.problems)


def test_aim_offset_on_a_base_is_the_space_player_s_own():
    additive = Additive(AdditiveSpace.MODEL, AdditiveBase.REST)
    clips = [
        swinging("walk"),
        swinging("left", 40.0, additive=additive),
        swinging("right", -40.0, additive=additive),
    ]
    space = BlendSpace(
        AssetId("space-aim"), "aim", walker().id, (SpaceAxis("yaw", -1.0, 1.0),),
        tuple(SpaceSample(AssetId(f"clip-{n}"), (x,)) for n, x in (("left", -1.0), ("right", 1.0))),
        kind=SpaceKind.LINE, aim_offset=True, base_clip=AssetId("clip-walk"),
    )  # fmt: skip
    drawing = Drawing(*clips, rig_=walker(), assets=(space,), variables=(A,))
    walk = drawing.play("walk")
    aim = drawing.node("aim_offset", "aim", {"x": "a"}, space="space-aim")
    instance = drawing.run(drawing.one(walk, aim, wires=[(walk, aim, "base")]))
    found = instance.step(0.25, {"a": 0.5}).pose
    player = SpacePlayer(drawing.rig, space, {c.id: c for c in clips})
    state = player.advanced(player.start((0.5,)), (0.5,), 0.25)
    wanted = player.poses([state.clock], state.weights[None], [0.25])
    for part, other in zip(found.local, wanted.local, strict=True):
        assert part == pytest.approx(other[0], abs=1e-9)


# -------------------------------------------------------------------- layers and curves
@pytest.mark.parametrize("rule", list(CurveRule))
@pytest.mark.parametrize("model", [False, True])
def test_layers_and_their_curves_are_those_of_a_layered_pose(rule, model):
    clips = [
        swinging("base", 10.0, curves={"p": 1.0, "q": 2.0}),
        swinging("up", 40.0, curves={"q": 5.0, "r": 3.0}),
        swinging("down", -40.0, curves={"p": -4.0}),
    ]
    drawing = Drawing(*clips, rig_=walker(), variables=(A, B))
    players = [drawing.play(c.name) for c in clips]
    node = drawing.node(
        "layered", "layers", {"weight": "a", "weight_2": "b"}, count=2, mask="half",
        branches_2=("spine:2", "thigh_l"), model_rotations=model, curves=str(rule),
    )  # fmt: skip
    wires = list(zip(players, [node] * 3, ("base", "layer", "layer_2"), strict=True))
    instance = drawing.run(drawing.one(*players, node, wires=wires))
    found = instance.step(0.5, {"a": 0.75, "b": 0.5}).pose
    drawing.sheets.clear()
    poses = []
    for player in players:
        poses.append(drawing.run(drawing.one(player)).step(0.5).pose)
        drawing.sheets.clear()
    op = instance.plan.op_named("layers")
    layers = [PoseLayer(p, w, b) for p, w, b in zip(poses[1:], (0.75, 0.5), op.bones, strict=True)]
    wanted = layered(drawing.rig, poses[0], layers, model, rule)
    for part, other in zip(found.local, wanted.local, strict=True):
        assert part == pytest.approx(other, abs=1e-12)
    assert dict(found.curves) == pytest.approx(dict(wanted.curves))


@pytest.mark.parametrize(
    ("way", "value", "wanted"),
    [("set", "7", 7.0), ("add", "7", 9.0), ("scale", "7", 14.0), ("remap", "0", 15.0)],
)
def test_curve_is_changed_as_its_way_says(way, value, wanted):
    drawing = Drawing(swinging("walk", curves={"level": 2.0}), rig_=walker())
    play = drawing.play("walk")
    literals = {"value": value, "from_high": "4", "to_low": "10", "to_high": "20"}
    node = drawing.node("modify_curve", "it", literals, curve="level", way=way)
    assert drawing.run(drawing.one(play, node)).step(0.1).pose.curves["level"] == pytest.approx(wanted)


# -------------------------------------------------------------------- mirror
def test_mirror_turns_pose_travel_curves_and_sides_of_notifies():
    moves = swinging(
        "walk", curves={"lift_l": 1.0, "lift_r": 2.0}, notifies=(Notify("step_l", 0.1), Notify("clap", 0.2))
    )
    drawing = Drawing(moves, rig_=walker(), variables=(ON,))
    play = drawing.play("walk")
    plain = drawing.run(drawing.one(play)).step(0.3).pose
    drawing.sheets.clear()
    node = drawing.node("mirror", "flip", {"on": "on"})
    instance = drawing.run(drawing.one(play, node))
    result = instance.step(0.3, {"on": True})
    wanted = mirror_pose(drawing.rig, plain)
    for part, other in zip(result.pose.local, wanted.local, strict=True):
        assert part == pytest.approx(other, abs=1e-12)
    assert dict(result.pose.curves) == {"lift_l": 2.0, "lift_r": 1.0}
    assert [e.name for e in result.events] == ["step_r", "clap"]
    instance.restart()
    assert [e.name for e in instance.step(0.3, {"on": False}).events] == ["step_l", "clap"]


def test_clip_node_plays_mirrored():
    drawing = Drawing(swinging("walk"), rig_=walker())
    play = drawing.play("walk")
    flipped = replace(play, parameters={**play.parameters, "mirror": True})
    poses = []
    for player in (play, flipped):
        drawing.sheets.clear()
        poses.append(drawing.run(drawing.one(player)).step(0.3).pose)
    for part, other in zip(poses[1].local, mirror_pose(drawing.rig, poses[0]).local, strict=True):
        assert part == pytest.approx(other, abs=1e-12)


# -------------------------------------------------------------------- inertialise
def test_inertialise_node_serves_a_request_without_a_jump():
    drawing, players = three()
    pick = drawing.node("blend_by_bool", "pick", {"value": "on", "time": "0"})
    soft = drawing.node("inertialise", "soft", {"request": "on", "seconds": "0.3"}, bones_out=("hand",))
    wires = [(players[2], pick, "true"), (players[0], pick, "false"), (pick, soft, "pose")]
    instance = drawing.run(drawing.one(*players, pick, soft, wires=wires))
    values = [hips(instance.step(1 / 60)) for _ in range(4)]
    levels = []
    for _ in range(30):
        result = instance.step(1 / 60, {"on": True})
        values.append(hips(result))
        levels.append(result.pose.curves["level"])
    assert np.abs(np.diff(values)).max() < 4.0 * 2.0 / 0.3 / 60
    assert values[-1] == 4.0
    assert (np.diff(values) >= 0.0).all()
    assert levels == pytest.approx(values[4:])  # the curve stands at the clip's x too
    assert levels[-1] == 4.0


# -------------------------------------------------------------------- root motion
def test_root_motion_is_scaled_turned_replaced_or_left_out():
    def moved(literals, **parameters):
        drawing = Drawing(walking("walk", 1.0, 1.5))
        play, node = drawing.play("walk"), drawing.node("root_motion", "it", literals, **parameters)
        return drawing.run(drawing.one(play, node)).step(0.1).root_motion

    assert moved({"scale": "2"}).translation == pytest.approx([0, 0, 0.3])
    assert moved({"turn": "90"}).translation == pytest.approx([0.15, 0, 0])
    assert moved({"keep": "false"}).translation == pytest.approx([0, 0, 0])
    replaced = moved({"velocity": "vec(1, 0, 2)", "spin": "90"}, replace=True)
    assert replaced.translation == pytest.approx([0.1, 0, 0.2])
    assert float(np.degrees(quat.angle_between(replaced.rotation, quat.IDENTITY))) == pytest.approx(9.0)


def test_root_motion_of_a_layer_counts_as_asked():
    wanted = {"base": 0.15, "weighted": 0.5 * 0.15 + 0.5 * 0.4, "added": 0.15 + 0.5 * 0.4}
    for rule, metres in wanted.items():
        drawing = Drawing(walking("walk", 1.0, 1.5), walking("run", 1.0, 4.0))
        walk, fast = drawing.play("walk"), drawing.play("run")
        node = drawing.node("layered", "it", {"weight": "0.5"}, root_motion=rule)
        graph = drawing.one(walk, fast, node, wires=[(walk, node, "base"), (fast, node, "layer")])
        assert drawing.run(graph).step(0.1).root_motion.translation[2] == pytest.approx(metres)


def test_mixed_poses_of_a_select_are_the_weighted_pose():
    instance = selecting({"time": "0.4"})
    instance.step(0.1)
    found = instance.step(0.1, {"choice": 2}).pose.local
    drawing, players = three()
    sides = []
    for player in (players[0], players[2]):
        drawing.sheets.clear()
        sides.append(drawing.run(drawing.one(player)).step(0.2).pose.local)
    for part, other in zip(found, weighted(sides, [0.75, 0.25]), strict=True):
        assert part == pytest.approx(other, abs=1e-12)


def test_events_of_a_fading_pose_carry_its_weight():
    drawing = Drawing(walking("walk", 1.0, 1.5), walking("run", 0.4, 4.0, x=1.0), variables=(ON,))
    walk, fast = drawing.play("walk"), drawing.play("run")
    node = drawing.node("blend_by_bool", "pick", {"value": "on", "time": "0.4"})
    instance = drawing.run(drawing.one(walk, fast, node, wires=[(fast, node, "true"), (walk, node, "false")]))
    instance.step(0.2, {"on": False})
    events = [e for e in instance.step(0.1, {"on": True}).events if e.kind is EventKind.NOTIFY]
    found = [(round(e.moment, 9), round(float(e.weight), 9)) for e in events]
    assert found == [(0.05, 0.875), (0.1, 0.25)]  # the walk's step, and the run's at the end of its step


def test_clip_with_root_motion_settings_is_not_needed_for_root_motion_nodes():
    drawing = Drawing(replace(clip("still"), root_motion=RootMotion()))
    node = drawing.node("root_motion", "it", {"scale": "1e300"})
    result = drawing.run(drawing.one(drawing.play("still"), node)).step(0.1)
    assert np.isfinite(result.root_motion.translation).all()

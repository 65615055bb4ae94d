"""Assets played as graphs of a few nodes, montages tried out alone, and characters with a graph after their own."""

from dataclasses import replace

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.clips.clip import Notify, RootMotion
from core.errors import MissingReferenceError, UnsupportedError, ValidationError
from core.graph.animation import axis_variables, character_playing, chosen_animation, graph_of, opening
from core.graph.commands import Command, Do
from core.graph.events import EventKind
from core.graph.graph import Graph, Sheet, Variable
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.graph.montage_preview import MontagePlayer, MontageStand, baked_montage, preview_graph
from core.graph.post import Character, PostProcess, character_of, compile_post, given_pose, under
from core.graph.record import Recording
from core.graph.recorded import CLOSE, Proof, proved, take_over
from core.ids import AssetId
from core.math import transform
from core.math.transform import Transform
from core.pose.pose import rest_pose
from core.rig.rig import Rig
from core.timing import FrameRate
from core.tracks.keys import scalar_track
from tests.core.graph.builders import RIG, Drawing, clip, swinging, walker, walking

POST = AssetId("graph-post")


def rows(graph: Graph) -> list:
    """A graph's one sheet in short: nodes by kind and name, and wires between their places."""
    (sheet,) = graph.sheets
    places = {node.id: k for k, node in enumerate(sheet.nodes)}
    nodes = [(n.kind, n.name, dict(n.parameters), dict(n.literals)) for n in sheet.nodes]
    assert len(places) == len(nodes)
    return [nodes, [(places[link.source], places[link.target], link.pin) for link in sheet.links]]


def montage(*slots: str, name: str = "wave", **more) -> Montage:
    segment = Segment(AssetId("clip-run"), 0.0, 0.0, 0.5)
    tracks = tuple(SlotTrack(slot, (segment,)) for slot in slots)
    more.setdefault("blend_in", MontageBlend(0.0))
    more.setdefault("blend_out", MontageBlend(0.0))
    return Montage(AssetId(f"montage-{name}"), name, RIG, "Group", tracks, **more)


def space(*axes: SpaceAxis) -> BlendSpace:
    samples = (SpaceSample(AssetId("clip-walk"), tuple(axis.minimum for axis in axes)),)
    kind = SpaceKind.LINE if len(axes) == 1 else SpaceKind.TRIANGLES
    return BlendSpace(AssetId("space-1"), "gait", RIG, axes, samples, kind)


# -------------------------------------------------------------------- assets as graphs
def test_each_asset_has_its_graph():
    walk = swinging("walk")
    found = graph_of(walk)
    assert (found.id, found.name, found.rig, found.slots) == ("graph-of-clip-walk", "walk", RIG, ())
    nodes = [("clip", "walk", {"clip": "clip-walk"}, {}), ("output", "", {}, {})]
    assert rows(found) == [nodes, [(0, 1, "pose")]]

    found = graph_of(space(SpaceAxis("v", 0.0, 2.0), SpaceAxis("turn rate", -1.0, 1.0)))
    assert [v.name for v in found.variables] == ["v", "turn_rate"]
    node = ("blend_space", "gait", {"space": "space-1"}, {"x": "v", "y": "turn_rate"})
    assert rows(found) == [[node, ("output", "", {}, {})], [(0, 1, "pose")]]
    assert found.name == "gait"

    found = graph_of(montage("Arm", "Leg"))
    assert found.slots == ("Group.Arm", "Group.Leg")
    slots = [("slot", name, {"slot": name}, {}) for name in found.slots]
    assert rows(found) == [[*slots, ("output", "", {}, {})], [(0, 1, "source"), (1, 2, "pose")]]

    found = graph_of(montage())
    assert rows(found) == [[("rest", "rest", {}, {}), ("output", "", {}, {})], [(0, 1, "pose")]]
    with pytest.raises(UnsupportedError, match="got Rig"):
        graph_of(walker())


@pytest.mark.parametrize(
    ("axes", "wanted"),
    [
        ([("speed m/s", 0.0, 2.0)], [("speed_m_s", 0.0)]),
        ([("2nd", 1.0, 2.0)], [("_2nd", 1.0)]),
        ([("°", -3.0, -1.0)], [("x", -1.0)]),
        ([("a b", -1.0, 1.0), ("a.b", 2.0, 3.0)], [("a_b", 0.0), ("a_b_2", 2.0)]),
        ([("_a_", 0.0, 1.0), ("a", 0.0, 1.0)], [("a", 0.0), ("a_2", 0.0)]),
    ],
)
def test_axes_are_named_as_variables_can_be(axes, wanted):
    found = axis_variables(space(*(SpaceAxis(*axis, unit="m") for axis in axes)))
    assert [(v.name, v.default[0]) for v in found] == wanted
    assert [(v.minimum, v.maximum, v.unit) for v in found] == [(low, high, "m") for _, low, high in axes]


def test_only_a_montage_is_opened_by_a_command():
    assert opening(montage("Arm")) == (Command(Do.PLAY, "wave"),)
    assert opening(swinging("walk")) == ()


def test_a_rig_without_animation_or_whose_animation_is_gone_plays_nothing():
    project = Drawing(swinging("walk"), rig_=walker()).project()
    named = replace(walker(), animation=AssetId("clip-walk"))
    assert chosen_animation(walker(), project) is None
    assert chosen_animation(replace(walker(), animation=AssetId("gone")), project) is None
    assert chosen_animation(named, project) is project.clip_named("walk")
    with pytest.raises(ValidationError, match="rig 'odd': its animation 'walk'"):
        chosen_animation(replace(named, id=AssetId("rig-odd"), name="odd"), project)


# -------------------------------------------------------------------- montages alone
def stage(*montages: Montage, **more):
    return Drawing(
        walking("run", 0.5, 2.0), walking("walk", 1.0, 1.0), clip("idle"), assets=montages, **more
    ).project()


def test_a_montage_is_tried_out_over_a_clip_with_what_the_rigs_graphs_know():
    maps = {"bent": scalar_track([0.0], [1.0])}
    first = Graph(AssetId("g1"), "g1", RIG, (Variable("a", maximum=1.0), Variable("b")), {"e": ("x",)}, maps)
    second = Graph(
        AssetId("g2"), "g2", RIG, (Variable("a", maximum=2.0), Variable("c")), {"e": ("y",), "f": ("z",)}
    )
    made = montage("Arm", "Leg")
    found = preview_graph(made, [first, second], AssetId("clip-idle"))
    assert {v.name: v.maximum for v in found.variables}["a"] == 1.0  # the first graph's counts
    assert [v.name for v in found.variables] == ["a", "c", "b"]
    assert (dict(found.enums), dict(found.maps)) == ({"e": ("x",), "f": ("z",)}, maps)
    assert (found.id, found.name, found.slots) == (
        "graph-of-montage-wave",
        "wave",
        ("Group.Arm", "Group.Leg"),
    )
    slots = [("slot", "", {"slot": slot, "always_update": True}, {}) for slot in found.slots]
    nodes = [("clip", "", {"clip": "clip-idle"}, {}), *slots, ("output", "", {}, {})]
    assert rows(found) == [nodes, [(0, 1, "source"), (1, 2, "source"), (2, 3, "pose")]]
    assert rows(preview_graph(made, []))[0][0] == ("rest", "", {}, {})


@pytest.mark.parametrize("moves", [True, False])
def test_a_stand_travels_as_far_as_a_straight_play(moves):
    made = montage("Arm", root_motion=moves, rate=3.0, sync_group="feet", blend_in=MontageBlend(0.3))
    stand = MontageStand(made, stage(made))
    assert (stand.montage.rate, stand.montage.sync_group, stand.montage.sections) == (1.0, "", ())
    for time in (0.0, 0.25, 0.5):
        found = stand.at(time)
        assert found.root_motion.translation[2] == pytest.approx(2.0 * time if moves else 0.0)
        assert (found.montages[0].weight, found.montages[0].position) == (1.0, time)


def test_a_player_starts_at_a_section_or_a_time_and_takes_commands():
    made = montage("Arm", sections=(Section("a", 0.0), Section("b", 0.25)))
    player = MontagePlayer(made, stage(made))
    assert player.start("b").montages[0].position == 0.25
    assert player.start(at=0.1).montages[0].position == pytest.approx(0.1)
    assert player.start().montages[0].position == 0.0
    assert player.step(0.1).montages[0].position == pytest.approx(0.1)
    assert player.step(0.1, [Command(Do.JUMP, "wave", section="b")]).montages[0].position == pytest.approx(
        0.35
    )
    player.start("a", loop="a")
    assert [round(player.step(0.1).montages[0].position, 9) for _ in range(3)] == [0.1, 0.2, 0.05]


def test_a_montage_is_baked_from_a_section_on_over_its_base():
    made = montage("Arm", sections=(Section("a", 0.0), Section("b", 0.25)), notifies=(Notify("hit", 0.4),))
    project = stage(made)
    whole = baked_montage(made, project, AssetId("whole"))
    part = baked_montage(
        made, project, AssetId("part"), section="b", base=AssetId("clip-walk"), rate=FrameRate.of(60)
    )
    assert (whole.id, whole.name, whole.rig, whole.rate) == ("whole", "wave", RIG, FrameRate.of(30))
    assert part.rate == FrameRate.of(60)
    assert whole.length == pytest.approx(0.25, abs=0.04)  # the chain ends with section a
    assert part.length == pytest.approx(0.25, abs=0.04)
    assert [n.name for n in part.notifies if n.name == "hit"] == ["hit"]
    assert [n.name for n in whole.notifies if n.name == "hit"] == []
    short = baked_montage(replace(made, sections=()), project, AssetId("s"), most=0.1)
    assert short.length == pytest.approx(0.1)


# -------------------------------------------------------------------- characters
def drawn() -> tuple[Drawing, Graph, object]:
    """A graph of a walk with an event a step, and a post-process graph that leans and has one too."""
    rig = replace(walker(), post_graph=POST)
    feet = swinging(
        "walk", 20.0, curves={"feet": 0.5}, root_motion=RootMotion(True), notifies=(Notify("step", 0.12),)
    )
    drawing = Drawing(feet, rig_=rig, variables=(Variable("lean", maximum=1.0),))
    given = drawing.node("pose_input")
    breath = drawing.play("walk", rate="0.5")
    mixed = drawing.node("blend", "both", {"alpha": "lean"})
    wires = [(given, mixed, "a"), (breath, mixed, "b")]
    post = replace(drawing.one(given, breath, mixed, wires=wires), id=POST, name="after")
    drawing.sheets.clear()
    drawing.variables = (Variable("speed", maximum=9.0),)
    graph = drawing.one(drawing.play("walk", rate="speed"))
    return drawing, graph, drawing.project(graph).with_assets(post)


def test_a_character_moves_events_and_inputs_through_both_of_its_graphs():
    _, graph, project = drawn()
    character = character_of(graph, project)
    result = character.step(0.24, {"speed": 1.0, "lean": 0.25})
    alone = character_of(graph, project.with_assets(replace(walker(), post_graph=None)))
    own = alone.step(0.24, {"speed": 1.0})
    steps = [(e.moment, e.weight) for e in result.events if e.name == "step" and e.kind is EventKind.NOTIFY]
    # The walk's own at 0.12 s; that of the clip after it, at half the rate, at 0.24 s.
    assert [moment for moment, _ in steps] == pytest.approx([0.12, 0.24])
    assert [weight for _, weight in steps] == pytest.approx([1.0, 0.25])
    assert [e.moment for e in own.events if e.name == "step"] == pytest.approx([0.12])
    assert sorted(e.moment for e in result.events) == [e.moment for e in result.events]
    assert result.pose.curves["feet"] == pytest.approx(0.5)
    assert (character.value("speed"), character.value("lean")) == (1.0, 0.25)


def test_long_steps_of_a_character_are_cut_in_even_ones_that_take_inputs_and_commands_once():
    _, graph, project = drawn()
    for dt, count in ((0.1, 1), (0.1 + 1e-12, 1), (0.11, 2), (0.35, 4), (0.0, 1)):
        one, many = character_of(graph, project), character_of(graph, project)
        whole = one.step(dt, {"speed": 1.0, "lean": 0.5})
        moments, moved = [], transform.IDENTITY
        for k in range(count):
            part = many.step(dt / count, {"speed": 1.0, "lean": 0.5} if k == 0 else None)
            moments += [event.moment + k * dt / count for event in part.events]
            moved = transform.compose(moved, part.root_motion)
        assert [event.moment for event in whole.events] == pytest.approx(moments)
        assert whole.root_motion.translation == pytest.approx(moved.translation)
        assert whole.pose.rotations == pytest.approx(part.pose.rotations, abs=1e-12)
        assert one.state_hash() == many.state_hash()


def test_a_character_begins_again_and_tells_two_states_apart():
    _, graph, project = drawn()
    character = character_of(graph, project, seed=3)
    fresh, digest = character.snapshot(), character.state_hash()
    assert (character.seed, character.instance.seed, character.post.instance.seed) == (3, 3, 3)
    character.step(0.05, {"speed": 1.0, "lean": 0.5})
    later = character.snapshot()
    assert not later.same_bits(fresh) and character.state_hash() != digest
    mixed = replace(later, post=fresh.post)
    assert not mixed.same_bits(later) and not mixed.same_bits(fresh)
    alone = replace(later, post=None)
    assert alone.same_bits(alone) and alone.same_bits(replace(later, post=None))
    assert not alone.same_bits(later) and not later.same_bits(alone)
    assert not alone.same_bits(replace(fresh, post=None))
    character.restart()
    assert character.snapshot().same_bits(fresh) and character.state_hash() == digest
    with pytest.raises(ValidationError, match="another plan"):
        character.restore(alone)
    lone = character_of(graph, project.with_assets(replace(walker(), post_graph=None)))
    assert (lone.post, lone.snapshot().post, lone.state_hash()) == (None, None, lone.instance.state_hash())
    with pytest.raises(ValidationError, match="another plan"):
        lone.restore(later)
    with pytest.raises(MissingReferenceError, match="lean"):
        lone.set("lean", 1.0)


def test_a_name_that_neither_graph_has_is_near_to_those_of_both():
    _, graph, project = drawn()
    character = character_of(graph, project)
    for wrong, near in (("leam", "lean"), ("sped", "speed")):
        with pytest.raises(MissingReferenceError, match=f"no variable '{wrong}'; near: {near}"):
            character.value(wrong)


def test_curves_that_only_the_given_pose_has_are_kept_after_a_post_graph():
    drawing, _, project = drawn()
    plan = compile_post(drawing.rig, project)
    given = replace(rest_pose(drawing.rig), curves={"feet": 0.25, "own": 2.0}, morphs={"smile": 0.75})
    taken = given_pose(plan, given)
    assert taken.curves.tolist() == [0.25] and taken.present.tolist() == [True]
    moved = Transform(np.array([0.0, 0.0, 0.3]), np.array([0.0, 0.0, 0.0, 1.0]), np.ones(3))
    result = PostProcess(plan).step(0.1, given, moved)
    assert dict(result.pose.curves) == {"feet": 0.25, "own": 2.0}
    assert dict(result.pose.morphs) == {"smile": 0.75}
    assert result.root_motion.translation == pytest.approx([0.0, 0.0, 0.3])
    assert compile_post(walker(), project) is None


def test_a_character_asks_a_ground_of_the_world_from_where_it_stands():
    class Flat:
        def at(self, points):
            return points

    stands = Transform(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, 0.0, 1.0]), np.ones(3))
    found = under(Flat(), stands)
    assert found.__class__.__name__ == "CharacterGround"


def test_assets_are_played_with_the_rigs_graph_after_them():
    drawing, _, project = drawn()
    character = character_playing(drawing.clips[0], project, seed=2)
    assert isinstance(character, Character) and character.post is not None and character.seed == 2
    assert isinstance(drawing.rig, Rig) and isinstance(character.plan.graph.sheets[0], Sheet)


def test_a_character_goes_on_from_where_another_is_with_both_of_its_graphs():
    _, graph, project = drawn()
    source, other, lone = (character_of(graph, project), character_of(graph, project),
                           character_of(graph, project.with_assets(replace(walker(), post_graph=None))))  # fmt: skip
    for _ in range(3):
        source.step(0.1, {"speed": 1.0, "lean": 0.5})
    take_over(source, other)
    assert (other.value("lean"), other.value("speed")) == (0.5, 1.0)
    take_over(source, lone)
    take_over(lone, other)  # which leaves the post-process graph as it is
    assert (other.value("lean"), lone.value("speed")) == (0.5, 1.0)
    a, b = source.step(0.1), other.step(0.1)
    assert b.pose.rotations == pytest.approx(a.pose.rotations, abs=1e-12)
    assert [(e.name, e.moment) for e in a.events] == [(e.name, e.moment) for e in b.events]


def test_a_montage_keeps_a_copy_of_its_curves_that_nobody_changes():
    given = {"own": scalar_track([0.0], [1.0])}
    made = montage("Arm", curves=given)
    given["more"] = scalar_track([0.0], [2.0])
    assert list(made.curves) == ["own"]
    with pytest.raises(TypeError):
        made.curves["other"] = given["more"]


@pytest.mark.parametrize("lone", [True, False])
def test_runs_of_characters_are_proved_with_a_post_graph_and_without(lone):
    _, graph, project = drawn()
    project = project.with_assets(replace(walker(), post_graph=None)) if lone else project
    recording = Recording(character_of(graph, project))
    for _ in range(4):
        recording.step(0.1, {"speed": 1.0})
    assert proved(recording, character_of(graph, project)).same_bits
    other = character_of(graph, project)
    other.set("speed", 3.0)
    assert proved(recording, other).first is None  # the first step writes it
    other.step(0.1)
    differs = proved(recording, other)
    assert (differs.first, differs.largest) == (0, float("inf"))


@pytest.mark.parametrize(("first", "largest", "same", "close"), [
    (None, 0.0, True, True), (None, 9.0, True, True), (3, CLOSE, False, True), (0, CLOSE * 1.01, False, False),
    (0, float("inf"), False, False),
])  # fmt: skip
def test_a_proof_says_whether_bits_are_the_same_or_numbers_close(first, largest, same, close):
    proof = Proof(first, largest)
    assert (proof.same_bits, proof.close) == (same, close)

"""What goes over to another plan, places in a character's frame, and the graphs that play an asset."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.graph.animation import axis_variables, graph_of
from core.graph.commands import Command, Do
from core.graph.graph import SyncSetting, Variable
from core.graph.grounds import CharacterGround
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.montage import Montage, Section, Segment, SlotTrack
from core.graph.result import StepResult
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.rig import VirtualBone
from tests.core.graph.builders import RIG, Drawing, swinging, walker
from tests.core.graph.nodes.test_node_stories import slope
from tests.core.graph.test_named_players import told
from tests.core.graph.test_players_alike import CLIPS, SIDE, SPEED, space, wave

PIECES = (("run", 0.0, 0.0, 1.0, 1.0), ("lean", 1.0, 0.2, 0.9, 1.5))
SECTIONS = (Section("one", 0.0), Section("two", 0.6))


def whole(
    made: Montage | None = None, variables: Sequence[Variable] = (SPEED, SIDE), alpha="0.45"
) -> Instance:
    """A machine, a group, a slot and what reads of them, compiled anew each time."""
    draw = Drawing(*CLIPS, variables=tuple(variables), rig_=walker(), slots=("Group.Upper",),
                   assets=(space("walk", "run"), made or wave(*PIECES, sections=SECTIONS)),
                   sync_groups=(SyncSetting("feet"),))  # fmt: skip
    player = draw.node("blend_space", "it", {"x": "0.7"}, space="space-1", group="feet")
    states = {"a": draw.pose_sheet("a", [player], [], player), "b": draw.clip_sheet("trot")}
    arrows = [
        ("a", "b", "event('down')", {"seconds": 0.3}),
        ("b", "a", "time('trot') > 0.25", {"seconds": 0.3}),
    ]
    machine = draw.node("machine", "m", sheet=draw.machine(states, arrows).id)
    beside = draw.node("clip", "beside", {"rate": "0.8"}, clip="clip-walk", group="feet")
    mix, slot = (
        draw.node("blend", "", {"alpha": alpha}),
        draw.node("slot", "slot", slot="Group.Upper", always_update=True),
    )
    read = draw.node(
        "modify_curve", "", {"value": "bone('foot_l').x + raw_curve('it', 'lift')"}, curve="lift"
    )
    wires = [(beside, mix, "a"), (machine, mix, "b"), (mix, slot, "source"), (slot, read, "pose")]
    return draw.run(draw.one(beside, machine, mix, slot, read, wires=wires))


def through(instance: Instance, steps: Sequence[float], *commands: Command) -> list:
    return [told(instance.step(dt, {}, commands=commands if k == 0 else ())) for k, dt in enumerate(steps)]


@pytest.mark.parametrize("count", [0, 1, 3, 4, 6, 9])
def test_a_run_goes_on_in_the_same_plan_compiled_anew(count):
    one, two = whole(), whole()
    one.step(0.05, {"speed": 2.0, "side": 1.0})
    through(one, [0.09] * count, Command(Do.PLAY, "wave"))
    two.step(0.1)
    two.go_on_from(one)
    for a, b in zip(through(one, [0.07] * 8), through(two, [0.07] * 8), strict=True):
        assert b[0] == pytest.approx(a[0], abs=1e-12)
        assert b[1:] == a[1:]


@pytest.mark.parametrize(("sections", "plays"), [
    (SECTIONS, True), (SECTIONS[:1], False), ((Section("one", 0.0), Section("three", 0.6)), False),
    ((Section("one", 0.0), Section("two", 0.5)), True),
])  # fmt: skip
def test_a_montage_goes_on_where_its_sections_are_the_same(sections, plays):
    one, two = whole(), whole(wave(*PIECES, sections=sections))
    through(one, [0.1, 0.1], Command(Do.PLAY, "wave"))
    two.go_on_from(one)
    found = two.step(0.1).montages
    assert [(m.name, round(m.position, 9)) for m in found] == ([("wave", 0.3)] if plays else [])


@pytest.mark.parametrize(("variable", "wanted"), [
    (Variable("speed", default=(1.0,), minimum=-9.0, maximum=9.0), 3.0),
    (Variable("speed", default=(1.0,), minimum=-9.0, maximum=2.5), 2.5),
    (Variable("speed", default=(5.0,), minimum=4.0, maximum=9.0), 4.0),
    (Variable("speed", Kind.INT, (1.0,), minimum=-9.0, maximum=9.0), 1.0),
])  # fmt: skip
def test_values_go_over_within_the_new_bounds_to_variables_of_their_kind(variable, wanted):
    one, two = whole(), whole(variables=(SIDE, variable))
    one.step(0.1, {"speed": 3.0, "side": 0.5})
    two.go_on_from(one)
    assert two.value(variable.name) == pytest.approx(wanted)
    assert two.value("side") == pytest.approx(0.5)


# -------------------------------------------------------------------- places
def model(result: StepResult) -> Transform:
    return down_chain(walker().skeleton.parents, result.pose.local)


@pytest.mark.parametrize("degrees", [0.0, 40.0, -90.0])
@pytest.mark.parametrize("place", [(0.0, 0.0, 0.0), (1.0, 0.5, -2.0)])
def test_the_ground_is_told_in_the_character_s_frame(degrees, place):
    class Plane:
        """A plane through the origin."""

        normal = np.array([-0.3, 1.0, 0.2]) / np.linalg.norm([-0.3, 1.0, 0.2])

        def under(self, points):
            return 0.3 * np.asarray(points)[..., 0] - 0.2 * np.asarray(points)[..., 2]

        def normals(self, points):
            return np.broadcast_to(self.normal, np.shape(points))

    turn = quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(degrees))
    ground = CharacterGround(Plane(), Transform(np.array(place), turn, np.ones(3)))
    height, normal = ground(np.array([0.4, 9.0, -0.7]))
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    x, z = place[0] + 0.4 * c - 0.7 * s, place[2] - 0.4 * s - 0.7 * c
    assert height == pytest.approx(0.3 * x - 0.2 * z - place[1])
    a, b, d = Plane.normal
    assert normal == pytest.approx([a * c - d * s, b, a * s + d * c])


@pytest.mark.parametrize("axis", range(3))
def test_an_expression_reads_where_a_bone_was_in_the_step_before(axis):
    draw = Drawing(swinging("walk", 40.0), rig_=walker())
    read = draw.node("modify_curve", "", {"value": f"bone('foot_l').{'xyz'[axis]}"}, curve="at")
    instance = draw.run(draw.one(draw.play("walk"), read))
    results = [instance.step(dt, {}, slope) for dt in (0.1, 0.05, 0.08)]
    foot = walker().skeleton.index("foot_l")
    wanted = [0.0, *(float(model(result).translation[foot, axis]) for result in results[:2])]
    assert [float(result.pose.curves["at"]) for result in results] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("space_", ["model", "local"])
@pytest.mark.parametrize("offset", [(0.0, 0.0, 0.0), (0.1, -0.2, 0.3)])
def test_a_bone_goes_where_a_virtual_bone_is(space_, offset):
    rig = replace(walker(), virtual_bones=(VirtualBone("grip", "hips", "foot_l", offset),))
    draw = Drawing(swinging("walk", 40.0), rig_=rig)
    copy = draw.node(
        "copy_bone", "", source="grip", bone="head", translation=True, rotation=False, space=space_
    )
    result = draw.run(draw.one(draw.play("walk"), copy)).step(0.2)
    names = rig.skeleton.index
    foot, head = (Transform(*(part[names(name)] for part in model(result))) for name in ("foot_l", "head"))
    wanted = foot.translation + quat.rotate(foot.rotation, np.array(offset))
    assert head.translation == pytest.approx(wanted, abs=1e-9)


# -------------------------------------------------------------------- graphs that play an asset
@pytest.mark.parametrize(("names", "wanted"), [
    (("speed",), ["speed"]), (("speed m/s",), ["speed_m_s"]), (("2d",), ["_2d"]), (("d2",), ["d2"]), (("é",), ["x"]),
    (("", " "), ["x", "x_2"]), (("a b", "a-b"), ["a_b", "a_b_2"]), (("__a__", "A"), ["a", "A"]),
])  # fmt: skip
def test_axes_become_variables_of_their_names(names, wanted):
    ranges = ((1.0, 3.0), (-4.0, -2.0))
    axes = tuple(SpaceAxis(name, *ranges[k], unit="m") for k, name in enumerate(names))
    samples = tuple(
        SpaceSample(AssetId("clip-walk"), tuple(2.0 + k - 5.0 * j for j in range(len(axes))))
        for k in range(1)
    )
    made = BlendSpace(
        AssetId("space-1"), "gait", RIG, axes, samples, SpaceKind.LINE if len(axes) == 1 else SpaceKind.GRID
    )
    found = axis_variables(made)
    assert [v.name for v in found] == wanted
    assert [(v.minimum, v.maximum, v.default, v.unit) for v in found] == [
        (*ranges[k], ((1.0, -2.0)[k],), "m") for k in range(len(names))
    ]
    (node, output) = graph_of(made).root.nodes
    assert node.literals == dict(zip("xy", wanted, strict=False)) and output.kind == "output"


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_slots_of_a_montage_stand_in_a_row_before_the_output(count):
    segment = (Segment(AssetId("clip-walk"), 0.0, 0.0, 1.0),)
    made = Montage(
        AssetId("montage-1"), "m", RIG, "Body", tuple(SlotTrack(f"s{k}", segment) for k in range(count))
    )
    graph = graph_of(made)
    names = {node.id: node.name or node.kind for node in graph.root.nodes}
    row = [f"Body.s{k}" for k in range(count)] or ["rest"]
    assert list(names.values()) == [*row, "output"]
    assert [(names[link.source], names[link.target], link.pin) for link in graph.root.links] == [
        *((a, b, "source") for a, b in pairwise(row)), (row[-1], "output", "pose"),
    ]  # fmt: skip
    assert graph.slots == (tuple(row) if count else ())
    assert (graph.name, graph.rig, str(graph.id)) == ("m", RIG, "graph-of-montage-1")

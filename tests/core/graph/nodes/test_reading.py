"""Parameters of nodes as the compiler reads them: what is taken, what stands in, and which fault is told where."""

import numpy as np
import pytest

from core.blending.easing import EaseShape, EaseWay, Easing
from core.graph.compiler import Compiler
from core.graph.custom_compile import compile_custom
from core.graph.graph import Graph, Node, NodeId, Sheet
from core.graph.kinds import KINDS
from core.graph.montage_compile import compile_montages
from core.graph.nodes import reading
from core.ids import AssetId
from core.project.project import Project
from core.rig.virtual_bones import VirtualBone
from core.tracks.keys import scalar_track
from tests.core.graph.builders import RIG, walker

SHEET = Sheet(NodeId("n-00000002"), "main")


def compiler(rig=None) -> Compiler:
    maps = {"bow": scalar_track([0.0, 1.0], [0.0, 0.5])}
    graph = Graph(AssetId("graph"), "g", RIG, maps=maps, sheets=(SHEET,))
    project = Project().with_assets(rig or walker(), graph)
    return Compiler(graph, project, KINDS, compile_montages, compile_custom)


def node(**parameters) -> Node:
    return Node(NodeId("n-00000001"), "clip", parameters)


def told(c: Compiler) -> list[tuple[str, str]]:
    """Message and pin of each fault; all are of the one node."""
    assert {(p.sheet, p.node, p.column, p.warning) for p in c.problems} <= {
        (SHEET.id, "n-00000001", -1, False)
    }
    return [(p.message, p.pin) for p in c.problems]


def test_texts_and_truths_are_what_they_say():
    found = node(a="x", b=3.5, c=0, d=1, e="", f=None)
    assert [reading.text(found, name, "z") for name in "abcefg"] == ["x", "3.5", "0", "", "z", "z"]
    assert reading.text(found, "g") == ""
    assert [reading.truth(found, name) for name in "acdefg"] == [True, False, True, False, False, False]
    assert [reading.truth(found, name, True) for name in "cefg"] == [False, False, True, True]


@pytest.mark.parametrize("value", [0.0, 2, 5.0, 1.25, True])
def test_numbers_within_bounds_are_taken(value):
    c = compiler()
    found = reading.number(c, SHEET, node(x=value), "x", 3.0, 0.0, 5.0)
    assert (found, type(found)) == (float(value), float)
    assert told(c) == []


@pytest.mark.parametrize("value", [-1e-9, 5.000001, float("nan"), float("inf"), "4", (1.0,)])
def test_numbers_out_of_bounds_are_told_and_the_default_stands_in(value):
    c = compiler()
    assert reading.number(c, SHEET, node(x=value), "x", 3.0, 0.0, 5.0) == 3.0
    assert told(c) == [(f"x: expected a number of 0 to 5, got {str(value)!r}", "x")]


def test_numbers_have_the_farthest_as_bounds_where_none_are_told():
    c = compiler()
    assert reading.number(c, SHEET, node(), "x", 7.0) == 7.0
    assert reading.number(c, SHEET, node(x=-1e6), "x", 7.0) == -1e6
    assert reading.number(c, SHEET, node(x=1e6), "x", 7.0) == 1e6
    assert told(c) == []
    assert reading.number(c, SHEET, node(x=1000001), "x", 7.0) == 7.0
    assert reading.number(c, SHEET, node(x="9" * 50), "x", 7.0) == 7.0
    assert told(c) == [
        ("x: expected a number of -1e+06 to 1e+06, got '1000001'", "x"),
        (f"x: expected a number of -1e+06 to 1e+06, got {'9' * 40!r}", "x"),
    ]


def test_lists_of_numbers_have_a_size():
    c = compiler()
    axis = (0.0, 0.0, 1.0)
    assert reading.numbers(c, SHEET, node(), "axis", axis) == axis
    assert reading.numbers(c, SHEET, node(axis=(1, 2.5, -1e6)), "axis", axis) == (1.0, 2.5, -1e6)
    assert told(c) == []
    for wrong in (
        (1.0, 2.0),
        (1.0, 2.0, 1e6 + 1),
        (1.0, 2.0, "x"),
        "abc",
        (1.0, 2.0, float("nan")),
        [1, 2, 3],
    ):
        c = compiler()
        found = Node(NodeId("n-00000001"), "clip")
        object.__setattr__(found, "parameters", {"axis": wrong})
        assert reading.numbers(c, SHEET, found, "axis", axis) == axis
        assert told(c) == [(f"axis: expected 3 numbers, got {str(wrong)[:40]!r}", "axis")]


def test_choices_are_known_words():
    c = compiler()
    assert reading.choice(c, SHEET, node(), "way", ("add", "set"), "set") == "set"
    assert reading.choice(c, SHEET, node(way="add"), "way", iter(("add", "set")), "set") == "add"
    assert told(c) == []
    assert reading.choice(c, SHEET, node(way="x" * 50), "way", ("add", "set"), "set") == "set"
    assert told(c) == [(f"way: expected one of add, set, got {'x' * 40!r}", "way")]


def test_bones_are_the_rigs_or_virtual_where_these_are_asked_for():
    from dataclasses import replace

    rig = replace(walker(), virtual_bones=(VirtualBone("grip", "foot_l", "foot_r"),))
    c = compiler(rig)
    assert reading.bone(c, SHEET, node(bone="head"), "bone") == "head"
    assert reading.bone(c, SHEET, node(bone="grip"), "bone", virtual=True) == "grip"
    assert told(c) == []
    assert reading.bone(c, SHEET, node(bone="grip"), "bone") is None
    assert reading.bone(c, SHEET, node(bone="heat"), "bone") is None
    assert reading.bone(c, SHEET, node(), "bone") is None
    assert reading.bone(c, SHEET, node(bone="gri"), "bone", virtual=True) is None
    assert told(c) == [
        ("bone: rig 'walker' has no bone 'grip'; near: hips; choose one", "bone"),
        ("bone: rig 'walker' has no bone 'heat'; near: head; choose one", "bone"),
        ("bone: no bone is chosen; choose one", "bone"),
        ("bone: rig 'walker' has no bone 'gri'; near: grip; choose one", "bone"),
    ]


def test_weights_of_bones_come_from_a_mask_or_branches():
    c = compiler()
    names = list(c.rig.skeleton.names)
    legs = [float(name.endswith(("_l", "_r"))) for name in names]
    assert reading.bone_weights(c, SHEET, node()).tolist() == [1.0] * 12
    assert reading.bone_weights(c, SHEET, node(mask="legs")).tolist() == legs
    assert reading.bone_weights(c, SHEET, node(mask="", branches=())).tolist() == [1.0] * 12
    assert reading.bone_weights(c, SHEET, node(mask_2="half"), "_2")[names.index("hips")] == 0.5
    # A mask is looked at first; a branch holds all below its bone, a depth fades it in.
    assert reading.bone_weights(c, SHEET, node(mask="legs", branches=("spine",))).tolist() == legs
    arm = reading.bone_weights(c, SHEET, node(branches=("thigh_l", "spine:2")))
    wanted = np.array([float(name in ("thigh_l", "calf_l", "foot_l", "toe_l")) for name in names])
    wanted[names.index("spine")], wanted[names.index("head")] = 0.5, 1.0
    assert arm == pytest.approx(wanted)
    assert reading.bone_weights(c, SHEET, node(branches_3="head"), "_3").tolist() == [
        float(name == "head") for name in names
    ]
    assert told(c) == []


@pytest.mark.parametrize(
    ("parameters", "pin"),
    [
        ({"mask": "nobody"}, "mask"),
        ({"branches": ("nobody",)}, "branches"),
        ({"branches": ("head:x",)}, "branches"),
    ],
)
def test_masks_and_branches_that_are_not_there_are_told(parameters, pin):
    c = compiler()
    assert reading.bone_weights(c, SHEET, node(**parameters)).tolist() == [1.0] * 12
    ((message, where),) = told(c)
    assert where == pin and message
    c = compiler()
    reading.bone_weights(c, SHEET, node(**{f"{k}_2": v for k, v in parameters.items()}), "_2")
    assert [where for _, where in told(c)] == [f"{pin}_2"]


def test_easings_are_read_from_four_parameters():
    c = compiler()
    assert reading.easing(c, SHEET, node()).easing == Easing(EaseShape.LINEAR, EaseWay.IN_OUT, 2, None)
    power = reading.easing(c, SHEET, node(ease="power", ease_way="in", ease_power=3))
    assert power.easing == Easing(EaseShape.POWER, EaseWay.IN, 3, None)
    assert [power(x) for x in (0.0, 0.5, 1.0)] == pytest.approx([0.0, 0.125, 1.0])
    bow = reading.easing(c, SHEET, node(ease="curve", ease_curve="bow"))
    assert bow.easing.curve == "bow" and bow.track is c.graph.maps["bow"]
    assert told(c) == []
    for name in ("", "gone"):
        lost = reading.easing(c, SHEET, node(ease="curve", ease_curve=name))
        assert (lost.easing, lost.track) == (Easing(), None)
    assert told(c) == [
        (f"the graph has no map {name!r} for its easing", "ease_curve") for name in ("", "gone")
    ]
    # Another shape needs no map.
    c = compiler()
    assert reading.easing(c, SHEET, node(ease="sine", ease_curve="gone")).easing.curve == "gone"
    assert told(c) == []


@pytest.mark.parametrize(
    ("parameter", "values"), [("ease_power", (1, 6)), ("ease", ("magic",)), ("ease_way", ("up",))]
)
def test_wrong_parts_of_an_easing_are_told(parameter, values):
    for value in values:
        c = compiler()
        assert reading.easing(c, SHEET, node(**{parameter: value})).easing == Easing(
            EaseShape.LINEAR, EaseWay.IN_OUT, 2
        )
        assert [pin for _, pin in told(c)] == [parameter]


class Registers:
    """A run of which only the registers are asked for."""

    def __init__(self, *values: float) -> None:
        self.registers = np.array(values)


def test_vectors_and_rotations_are_kept_within_bounds():
    run = Registers(9.0, 1.0, -2e6, 3e6, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 4.0)
    assert reading.vector(run, 1).tolist() == [1.0, -1e6, 1e6]
    assert reading.quaternion(run, 4).tolist() == [0.0, 0.0, 0.0, 1.0]
    assert reading.quaternion(run, 8) == pytest.approx([0.0, 0.6, 0.0, 0.8])
    assert reading.quaternion(Registers(2e6, 0.0, 0.0, 1e6), 0) == pytest.approx(
        [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    )
    assert reading.quaternion(Registers(0.0, 2e-9, 0.0, 0.0), 0).tolist() == [0.0, 1.0, 0.0, 0.0]
    assert reading.quaternion(Registers(0.0, 1e-9, 0.0, 0.0), 0).tolist() == [0.0, 0.0, 0.0, 1.0]

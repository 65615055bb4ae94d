"""Edits of wires: what fits and why not, converting nodes, moving and cutting, putting in and lifting out, knots."""

import pytest

from core.errors import ValidationError
from core.graph.language.values import BOOL, FLOAT, INT, VECTOR
from core.project.project import Project
from editor.model.graph.nodes import NewNode
from editor.model.graph.scene import knot_key, wire_key
from editor.model.graph.state import PinPlace
from editor.model.graph.wires import CONVERTERS, Offer, split_knot
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    MACHINE,
    OUTPUT,
    STATES,
    WIRED,
    last,
    links,
)  # fmt: skip

OUT = {n: PinPlace(n, "out", True) for n in (CLIP_A, CLIP_B, BLEND, MACHINE)}
IN_A, IN_B, ALPHA = (PinPlace(BLEND, pin) for pin in ("a", "b", "alpha"))
POSE = PinPlace(OUTPUT, "pose")


def getter(editor, name="speed"):
    """The output of a node that gives a variable."""
    node = editor.nodes.add(NewNode("get", {"variable": name}), (-300.0, 600.0))
    return PinPlace(node, editor.canvas.committed.nodes[node].outputs[0].name, True)


# ---------------------------------------------------------------- asking
def test_why_no_wire_can_be_laid(editor):
    reason = editor.wires.reason
    assert reason(OUT[MACHINE], POSE) == reason(POSE, OUT[MACHINE]) == "" == reason(OUT[MACHINE], IN_A)
    assert reason(OUT[CLIP_A], OUT[CLIP_B]) == "both are outputs" and reason(IN_A, POSE) == "both are inputs"
    assert reason(OUT[BLEND], IN_A) == "a node cannot feed itself"
    for gone in (
        PinPlace("n-gone", "out", True),
        PinPlace(CLIP_A, "gone", True),
        PinPlace(CLIP_A, "out ", True),
    ):
        assert reason(gone, POSE) == "this pin is gone"
    assert reason(OUT[CLIP_A], PinPlace(OUTPUT, "gone")) == "this pin is gone"
    assert reason(OUT[MACHINE], ALPHA) not in ("", "this pin is gone")
    second = editor.nodes.add(NewNode("blend"), (256.0, 400.0))
    editor.wires.connect(OUT[BLEND], PinPlace(second, "a"))
    assert reason(PinPlace(second, "out", True), IN_A) == "that would close a circle"
    assert reason(PinPlace(second, "out", True), POSE) == ""
    editor.wires.cut_at(PinPlace(second, "a"))
    assert reason(PinPlace(second, "out", True), IN_A) == ""


def test_all_pins_of_other_nodes_are_told_with_why_they_do_not_fit(editor):
    fits = editor.wires.fitting(OUT[MACHINE])
    assert {p for p, reason in fits.items() if not reason} == {IN_A, IN_B, POSE}
    assert all(not p.output and p.node != MACHINE for p in fits) and ALPHA in fits
    fits = editor.wires.fitting(IN_A)
    assert fits == {OUT[CLIP_A]: "", OUT[CLIP_B]: "", OUT[MACHINE]: ""}


def test_the_first_pin_that_fits_is_a_free_one_if_there_is_one(editor):
    first = editor.wires.first_fitting
    assert first(OUT[MACHINE], BLEND) == IN_A  # none is free
    editor.wires.cut_at(IN_B)
    assert first(OUT[MACHINE], BLEND) == IN_B and first(IN_A, CLIP_B) == OUT[CLIP_B]
    assert first(IN_A, CLIP_A) == OUT[CLIP_A]  # an output may have many wires
    assert first(OUT[MACHINE], CLIP_A) is None and first(OUT[MACHINE], "n-gone") is None


def test_wires_at_a_pin(editor):
    def at(pin):
        return [(x.source, x.target, x.pin) for x in editor.wires.links_at(pin)]

    assert at(OUT[CLIP_A]) == at(IN_A) == [(CLIP_A, BLEND, "a")] and at(POSE) == [(BLEND, OUTPUT, "pose")]
    assert at(OUT[MACHINE]) == at(ALPHA) == at(PinPlace(BLEND, "out")) == at(PinPlace(BLEND, "a", True)) == []


@pytest.mark.parametrize("pair, text", [
    ((FLOAT, BOOL), "a > 0"), ((INT, BOOL), "a != 0"), ((BOOL, FLOAT), "if(a, 1.0, 0.0)"), ((BOOL, INT), "if(a, 1, 0)"),
    ((FLOAT, INT), "round(a)"), ((VECTOR, FLOAT), "length(a)"), ((FLOAT, VECTOR), "vec(a, 0, 0)"),
    ((INT, VECTOR), "vec(a, 0, 0)"), ((VECTOR, BOOL), "length(a) > 0"),
])  # fmt: skip
def test_values_are_converted_by_expressions(pair, text):
    assert CONVERTERS[pair] == text and len(CONVERTERS) == 9


def test_a_node_that_converts_is_offered_and_laid_between(editor):
    truth = getter(editor, "crouch")
    assert editor.wires.reason(truth, ALPHA)
    wanted = Offer(truth, ALPHA, "if(a, 1.0, 0.0)", (100.0, 37.0))
    assert (
        editor.wires.offer(truth, ALPHA, (100.0, 37.0))
        == wanted
        == editor.wires.offer(ALPHA, truth, (100.0, 37.0))
    )
    for a, b in (
        (truth, OUT[CLIP_A]),
        (OUT[MACHINE], ALPHA),
        (truth, POSE),
        (truth, PinPlace(BLEND, "gone")),
    ):
        assert editor.wires.offer(a, b, (0.0, 0.0)) is None
    assert editor.wires.convert(wanted) and last(editor) == "Convert"
    node = next(n for n in editor.canvas.sheet.nodes if n.kind == "expression")
    assert node.literals == {"value": "if(a, 1.0, 0.0)"} and editor.canvas.committed.places[node.id] == (
        32.0,
        32.0,
    )
    assert links(editor) == {*WIRED, (truth.node, node.id, "a"), (node.id, BLEND, "alpha")}


# ---------------------------------------------------------------- laying, moving, cutting
def test_a_wire_is_laid_from_either_end_and_refused_with_the_reason(editor):
    assert editor.wires.connect(POSE, OUT[MACHINE]) and last(editor) == "Connect"
    assert (MACHINE, OUTPUT, "pose") in links(editor) and (BLEND, OUTPUT, "pose") not in links(editor)
    steps = editor.session.history.labels
    with pytest.raises(ValidationError, match="both are inputs"):
        editor.wires.connect(POSE, IN_A)
    assert editor.session.history.labels == steps


def test_all_wires_of_a_pin_go_to_another(editor):
    speed, other = getter(editor), getter(editor)
    ends = [PinPlace(CLIP_A, "rate"), PinPlace(CLIP_B, "rate")]
    for end in ends:
        editor.wires.connect(speed, end)
    assert editor.wires.move_all(ends, speed, other) and last(editor) == "Move wires"
    assert links(editor) == {*WIRED, (other.node, CLIP_A, "rate"), (other.node, CLIP_B, "rate")}
    with pytest.raises(ValidationError):
        editor.wires.move_all([other], ends[0], POSE)


def test_wires_are_cut_by_pin_and_by_key_with_their_knots(editor):
    assert not editor.wires.cut_at(ALPHA) and editor.session.history.labels == ()
    assert editor.wires.cut_at(IN_A) and last(editor) == "Cut wires"
    assert links(editor) == WIRED - {(CLIP_A, BLEND, "a")}
    keys = {wire_key(x) for x in editor.canvas.sheet.links}
    for key in keys:
        editor.wires.add_knot(key, (300.0, 300.0))
    gone = next(k for k in keys if OUTPUT in k)
    assert editor.wires.cut_keys({gone, "w:nothing"}) and last(editor) == "Cut wires"
    assert links(editor) == {(CLIP_B, BLEND, "b")} and set(editor.canvas.layout.knots) == {(BLEND, "b")}
    steps = editor.session.history.labels
    assert not editor.wires.cut_keys({"w:nothing"}) and editor.session.history.labels == steps
    editor.canvas.open(GRAPH, STATES)
    assert editor.wires.cut_keys({str(GO)}) and last(editor) == "Delete transitions"
    assert [t.id for t in editor.canvas.sheet.transitions] == [BACK]


# ---------------------------------------------------------------- into a wire, out of a wire
def test_a_node_is_put_into_a_wire_that_it_fits(editor):
    slot = editor.nodes.add(NewNode("slot"), (600.0, 600.0))
    scene, wire = (
        editor.canvas.committed,
        next(k for k in map(wire_key, editor.canvas.sheet.links) if OUTPUT in k),
    )
    entry = next(p.name for p in scene.nodes[slot].inputs if p.token == "pose")
    takes = editor.wires.takes
    assert takes(scene, slot, wire) == PinPlace(slot, entry)
    for node in (CLIP_A, BLEND, OUTPUT, MACHINE, "n-gone"):  # no pose input, ends of the wire, none at all
        assert takes(scene, node, wire) is None
        assert editor.wires.put_in(editor.canvas.graph, scene, node, wire) is editor.canvas.graph
    assert takes(scene, slot, "w:nothing") is None
    second = editor.nodes.add(NewNode("blend"), (256.0, 400.0))
    assert takes(editor.canvas.committed, second, wire) == PinPlace(second, "a")
    editor.wires.connect(OUT[MACHINE], PinPlace(second, "b"))
    assert takes(editor.canvas.committed, second, wire) is None  # it has wires of its own
    scene = editor.canvas.committed
    editor.canvas.commit("Put", editor.wires.put_in(editor.canvas.graph, scene, slot, wire))
    assert links(editor) == {
        (CLIP_A, BLEND, "a"), (CLIP_B, BLEND, "b"), (BLEND, slot, entry), (slot, OUTPUT, "pose"),
        (MACHINE, second, "b"),
    }  # fmt: skip
    speed = getter(editor)
    editor.wires.connect(speed, ALPHA)
    scene = editor.canvas.committed
    value = next(k for k in map(wire_key, editor.canvas.sheet.links) if k.endswith("alpha"))
    third = editor.nodes.add(NewNode("slot"), (0.0, 900.0))
    assert takes(editor.canvas.committed, third, value) is None


def test_a_node_is_lifted_out_of_its_wires_which_are_joined(editor):
    scene, graph = editor.canvas.committed, editor.canvas.graph
    editor.canvas.commit("Lift", editor.wires.lift_out(graph, scene, BLEND))
    assert links(editor) == {(CLIP_A, OUTPUT, "pose")}
    editor.session.undo()
    editor.canvas.commit("Lift", editor.wires.lift_out(editor.canvas.graph, editor.canvas.committed, CLIP_A))
    assert links(editor) == WIRED - {(CLIP_A, BLEND, "a")}
    editor.canvas.commit("Lift", editor.wires.lift_out(editor.canvas.graph, editor.canvas.committed, MACHINE))
    assert links(editor) == WIRED - {(CLIP_A, BLEND, "a")}


# ---------------------------------------------------------------- knots
def test_knots_lie_along_the_wire_in_order_and_on_the_grid(editor):
    wire = next(k for k in map(wire_key, editor.canvas.sheet.links) if OUTPUT in k)

    def knots():
        return list(editor.canvas.layout.knots.get((OUTPUT, "pose"), ()))

    assert (
        editor.wires.add_knot(wire, (470.0, 201.0))
        and last(editor) == "Add knot"
        and knots() == [(464.0, 208.0)]
    )
    assert editor.wires.add_knot(wire, (440.0, 100.0)) and knots() == [(448.0, 96.0), (464.0, 208.0)]
    assert editor.wires.add_knot(wire, (500.0, 150.0)) and knots() == [
        (448.0, 96.0),
        (464.0, 208.0),
        (496.0, 144.0),
    ]
    assert not editor.wires.add_knot("w:nothing", (0.0, 0.0))
    layout = editor.wires.move_knot(f"k:{OUTPUT}.pose#1", (0.0, 9.0))
    assert list(layout.knots[OUTPUT, "pose"]) == [(448.0, 96.0), (0.0, 16.0), (496.0, 144.0)]
    assert editor.wires.move_knot(f"k:{OUTPUT}.pose#3", (0.0, 9.0)).knots == editor.canvas.layout.knots
    assert split_knot("k:n-1.pose#12") == ("n-1", "pose", 12) and split_knot("k:n-1.a.b#x") == (
        "n-1",
        "a.b",
        0,
    )


def test_without_a_graph_nothing_fits(editor):
    editor.session.document.replace(Project({}), None)
    wires = editor.wires
    assert (
        wires.fitting(IN_A) == {} and wires.first_fitting(IN_A, BLEND) is None and wires.links_at(IN_A) == []
    )
    assert wires.pin(IN_A) is None and not wires.offer(OUT[CLIP_A], ALPHA, (0.0, 0.0))
    with pytest.raises(ValidationError):
        wires.cut_at(IN_A)


def test_of_many_knots_those_that_were_chosen_go(editor):
    wire = next(w for w in editor.canvas.committed.wires if w.link.source == CLIP_A)
    knots = [(16.0 * k, 16.0 * k) for k in range(12)]
    place = (wire.link.target, wire.link.pin)
    layout = editor.canvas.layout.with_knots(*place, knots)
    editor.canvas.commit("Knots", editor.canvas.graph, layout)
    editor.canvas.select([knot_key(*place, number) for number in (9, 10)])
    assert editor.nodes.delete()
    assert editor.canvas.layout.knots[place] == tuple(k for n, k in enumerate(knots) if n not in (9, 10))

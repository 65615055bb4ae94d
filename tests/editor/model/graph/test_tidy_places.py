"""Tidying to the number: what is put where and what stays; arranged nodes without wires, machines, circles."""

from dataclasses import replace

import pytest

from core.graph.graph import Link, Node, Sheet, SheetKind, Transition
from editor.model.graph.arrange import arranged
from editor.model.graph.geometry import FARTHEST, WHEEL, Rect, View, snapped
from editor.model.graph.layout import COLORS
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import PinPlace
from tests.editor.panels.graph.graphs import BLEND, CLIP_A, CLIP_B, MACHINE, OUTPUT, STATES, id_of

A, B, C, D, E = (id_of(k) for k in range(1, 6))


def places(editor) -> dict[str, tuple[float, float]]:
    return dict(editor.canvas.committed.places)


# ---------------------------------------------------------------- by hand
@pytest.mark.parametrize("side, wanted", [
    ("left", {CLIP_A: (0.0, 0.0), OUTPUT: (0.0, 32.0), MACHINE: (0.0, 320.0)}),
    ("right", {CLIP_A: (512.0, 0.0), OUTPUT: (512.0, 32.0), MACHINE: (512.0, 320.0)}),
    ("top", {CLIP_A: (0.0, 0.0), OUTPUT: (512.0, 0.0), MACHINE: (0.0, 0.0)}),
    ("centre", {CLIP_A: (256.0, 0.0), OUTPUT: (256.0, 32.0), MACHINE: (256.0, 320.0)}),
])  # fmt: skip
def test_aligned_nodes_move_along_one_axis_alone(editor, side, wanted):
    before = places(editor)
    editor.canvas.select(wanted)
    assert editor.tidying.align(side) and places(editor) == {**before, **wanted}
    assert editor.session.history.labels == (f"Align {side}",)


@pytest.mark.parametrize("side", ["bottom", "middle"])
def test_levels_count_the_heights(editor, side):
    heights = {id: editor.canvas.committed.rect(id).h for id in (CLIP_A, OUTPUT, MACHINE)}
    editor.canvas.select(heights)
    editor.tidying.align(side)
    low = 320.0 + heights[MACHINE]
    share = 1.0 if side == "bottom" else 0.5
    for id, height in heights.items():
        assert places(editor)[id][1] == pytest.approx((low - height) * share)
    assert [places(editor)[id][0] for id in heights] == [0.0, 512.0, 0.0]


@pytest.mark.parametrize("upright, moved", [(False, (300.0, 7.0)), (True, (9.0, 300.0))])
def test_distributed_nodes_stand_at_whole_units(editor, upright, moved):
    ends = {CLIP_A: (0.0, 0.0), MACHINE: (1001.0, 1001.0)}
    editor.nodes.move({**ends, BLEND: moved})
    editor.canvas.select([MACHINE, BLEND, CLIP_A])
    assert editor.tidying.distribute(upright=upright)
    rects = {id: editor.canvas.committed.rect(id) for id in (CLIP_A, BLEND, MACHINE)}
    if upright:
        gap = (1001.0 + rects[MACHINE].h - sum(r.h for r in rects.values())) / 2.0
        assert rects[BLEND].y == round(rects[CLIP_A].h + gap) and rects[BLEND].x == 9.0
    else:
        assert rects[BLEND].x == round(176.0 + (1001.0 - 352.0) / 2.0) and rects[BLEND].y == 7.0
    assert {id: places(editor)[id] for id in ends} == ends


def test_straightening_moves_only_what_is_selected_and_feeds_by_a_pose(editor):
    get = editor.nodes.add(NewNode("get", {"variable": "speed"}), (-300.0, 613.0))
    editor.wires.connect(PinPlace(get, "out", True), PinPlace(BLEND, "alpha"))
    before = places(editor)
    editor.canvas.select([CLIP_A, get])
    editor.tidying.straighten()
    scene = editor.canvas.committed
    level = scene.pin_place(BLEND, "a", False)[1]
    assert scene.pin_place(CLIP_A, "out", True)[1] == level
    assert places(editor) == {**before, CLIP_A: (0.0, places(editor)[CLIP_A][1])}


def test_a_chain_is_straightened_from_its_end_back(editor):
    editor.nodes.move({CLIP_B: (0.0, 160.0), BLEND: (256.0, 77.0), OUTPUT: (512.0, -500.0)})
    editor.canvas.select([CLIP_B, BLEND])
    editor.tidying.straighten()
    scene = editor.canvas.committed
    for source, target, pin in ((BLEND, OUTPUT, "pose"), (CLIP_B, BLEND, "b")):
        assert scene.pin_place(source, "out", True)[1] == scene.pin_place(target, pin, False)[1]
    assert scene.places[OUTPUT] == (512.0, -500.0) and scene.places[CLIP_A] == (0.0, 0.0)


def test_a_wire_of_a_pin_that_is_gone_moves_nothing(editor):
    graph = editor.canvas.graph
    odd = Link(CLIP_A, BLEND, "a", "gone")
    sheet = graph.sheets[0]
    editor.canvas.commit(
        "Odd", graph.with_sheet(Sheet(sheet.id, sheet.name, sheet.kind, sheet.nodes, (odd,)))
    )
    before = places(editor)
    editor.canvas.select([CLIP_A])
    editor.tidying.straighten()
    assert places(editor) == before


def test_a_step_of_the_keys_ends_on_the_grid(editor):
    editor.nodes.move({CLIP_A: (7.0, 9.0)})
    editor.canvas.select([CLIP_A])
    for dx, dy, place in ((1.0, 0.0, (16.0, 16.0)), (0.0, 3.0, (16.0, 64.0)), (-2.0, -1.0, (-16.0, 48.0))):
        assert editor.tidying.nudge(dx, dy) and places(editor)[CLIP_A] == place
    assert editor.session.history.labels[-1] == "Move nodes"


def test_tidied_nodes_keep_the_right_and_upper_edge(editor):
    editor.nodes.move(
        {CLIP_A: (32.0, 48.0), BLEND: (320.0, 64.0), OUTPUT: (640.0, 16.0), CLIP_B: (0.0, 320.0)}
    )
    editor.canvas.select([CLIP_A, BLEND, OUTPUT])
    assert editor.tidying.tidy() and editor.session.history.labels[-1] == "Tidy"
    # columns are 64 apart
    assert places(editor) == {
        OUTPUT: (640.0, 16.0), BLEND: (400.0, 16.0), CLIP_A: (160.0, 16.0), CLIP_B: (0.0, 320.0),
        MACHINE: (0.0, 320.0),
    }  # fmt: skip


def test_one_selected_node_tidies_all(editor):
    editor.nodes.move(dict.fromkeys((CLIP_A, CLIP_B, BLEND, OUTPUT, MACHINE), (0.0, 0.0)))
    editor.canvas.select([BLEND])
    assert editor.tidying.tidy()
    assert len(set(places(editor).values())) == 5


def test_a_sheet_without_nodes_is_not_tidied(editor):
    editor.canvas.enter(STATES)
    editor.nodes.delete(list(editor.canvas.committed.nodes))
    steps = editor.session.history.labels
    assert not editor.tidying.tidy() and editor.session.history.labels == steps


def test_a_frame_is_around_what_is_selected_and_a_note_on_the_grid(editor):
    editor.canvas.select([CLIP_A])
    frame = editor.tidying.comment((0.0, 0.0))
    box = editor.canvas.committed.rect(CLIP_A)
    found = {c.id: c for c in editor.canvas.layout.comments}[frame]
    assert found.rect == Rect(box.x - 16.0, box.y - 44.0, box.w + 32.0, box.h + 60.0)
    assert (found.text, found.color, found.sheet) == ("Comment", 0, editor.canvas.sheet.id)
    editor.canvas.select([])
    note = editor.tidying.comment((9.0, -9.0))
    assert editor.canvas.layout.comments[-1].rect == Rect(16.0, -16.0, 160.0, 64.0)
    assert editor.session.history.labels == ("Add comment", "Add comment") and frame != note
    assert editor.tidying.next_color([frame, note, "c-gone"])
    assert [c.color for c in editor.canvas.layout.comments] == [1, 1]
    for _ in range(COLORS - 1):
        editor.tidying.next_color([note])
    assert [c.color for c in editor.canvas.layout.comments] == [1, 0]


# ---------------------------------------------------------------- arranged
def flow(*links: Link, nodes=(A, B, C, D), sizes=None, only=None) -> dict[str, tuple[float, float]]:
    sheet = Sheet(id_of(99), "pose", SheetKind.POSE, tuple(Node(id, "blend") for id in nodes), links)
    return arranged(sheet, dict.fromkeys(nodes, (96.0, 64.0)) | (sizes or {}), only)


def test_columns_are_64_apart_and_rows_32():
    found = flow(Link(A, D, "a"), Link(B, D, "b"), Link(C, D, "c"))
    assert found == {D: (-96.0, 0.0), A: (-256.0, 0.0), B: (-256.0, 96.0), C: (-256.0, 192.0)}
    wide = flow(Link(A, D, "a"), Link(B, A, "a"), nodes=(A, B, D), sizes={A: (160.0, 96.0)})
    assert wide == {D: (-96.0, 0.0), A: (-320.0, 0.0), B: (-480.0, 0.0)}


@pytest.mark.parametrize("width, height", [(103.9, 71.9), (88.1, 56.1)])
def test_gaps_between_nodes_are_kept_to_the_unit(width, height):
    """Places are on the grid: 263.9 and 103.9, 248.1 and 88.1 are just within half of its square."""
    size = (width, height)
    assert flow(Link(A, D, "a"), nodes=(A, D), sizes={A: size}) == {D: (-96.0, 0.0), A: (-256.0, 0.0)}
    found = flow(nodes=(A, B), sizes={A: (96.0, height), B: (96.0, 64.0)})
    assert found == {A: (-96.0, 0.0), B: (-96.0, 96.0)}


def test_what_is_wired_to_nothing_stands_below():
    assert flow(Link(A, D, "a"), nodes=(D, A, B, C)) == {
        D: (-96.0, 0.0), A: (-256.0, 0.0), B: (-96.0, 96.0), C: (-96.0, 192.0),
    }  # fmt: skip


def test_a_circle_is_arranged_from_its_first_node():
    found = flow(Link(A, B, "a"), Link(B, A, "a"), nodes=(A, B))
    assert set(found) == {A, B} and found[A][0] != found[B][0]
    assert flow(Link(A, A, "a"), nodes=(A,)) == {A: (-96.0, 0.0)}


def test_only_wires_between_those_to_place_count():
    assert flow(Link(A, D, "a"), Link(B, D, "b"), only=[A, B]) == {A: (-96.0, 0.0), B: (-96.0, 96.0)}
    assert flow(only=[]) == {} == flow(nodes=())


def states(
    kinds: dict[str, str], *ways: tuple[str, str], size=(160.0, 64.0)
) -> dict[str, tuple[float, float]]:
    arrows = tuple(Transition(id_of(200 + k), a, b) for k, (a, b) in enumerate(ways))
    nodes = tuple(Node(id, kind) for id, kind in kinds.items())
    sheet = Sheet(id_of(99), "moves", SheetKind.MACHINE, nodes, (), arrows)
    return arranged(sheet, dict.fromkeys(kinds, size))


def test_states_stand_by_their_distance_from_the_first_and_every_second_column_lower():
    found = states(dict.fromkeys((A, B, C, D), "state"), (A, B), (A, C), (B, D))
    # 112 from column to column, 64 from row to row, the second column 32 lower
    assert found == {A: (0.0, -32.0), B: (272.0, -64.0), C: (272.0, 64.0), D: (544.0, -32.0)}


@pytest.mark.parametrize("width", [167.9, 152.1])
def test_gaps_between_states_are_kept_to_the_unit(width):
    """As for nodes: 279.9 and 264.1 are just within half of a square."""
    two = dict.fromkeys((A, B), "state")
    assert states(two, (A, B), size=(width, 64.0)) == {A: (0.0, -32.0), B: (272.0, 0.0)}
    # the second column is 32 lower: 7.9 and 8.1
    assert states(two, (A, B), size=(160.0, 48.2))[B][1] == 0.0
    assert states(two, (A, B), size=(160.0, 47.8))[B][1] == 16.0
    # half of two states and a gap of 64: 103.9 and 88.1
    loose = {A: "conduit", B: "exit"}
    assert [states(loose, size=(160.0, height))[A][1] for height in (71.9, 56.1)] == [-96.0, -96.0]
    assert [states(loose, size=(160.0, height))[B][1] for height in (71.9, 56.1)] == [32.0, 32.0]


def test_a_machine_begins_at_its_entry_and_any_states_stand_in_the_first_column():
    found = states({A: "state", B: "entry", C: "any", D: "state"}, (B, D), (D, A))
    assert [found[id][0] for id in (B, C, D, A)] == [0.0, 0.0, 272.0, 544.0]
    assert found[B][1] < found[C][1]


def test_states_that_nothing_leads_to_stand_in_the_last_column():
    found = states(dict.fromkeys((A, B, C), "state"), (A, B))
    assert (found[A][0], found[B][0], found[C][0]) == (0.0, 272.0, 272.0) and found[B][1] < found[C][1]
    assert states({A: "conduit", B: "exit"}) == {A: (0.0, -96.0), B: (0.0, 32.0)}


def test_states_on_a_ring_stand_in_the_middle_of_their_place():
    ids = [id_of(k) for k in range(1, 9)]
    arrows = tuple(
        Transition(id_of(200 + 8 * j + k), a, b)
        for j, a in enumerate(ids)
        for k, b in enumerate(ids)
        if a != b
    )
    sheet = Sheet(id_of(99), "moves", SheetKind.MACHINE, tuple(Node(id, "state") for id in ids), (), arrows)
    usual = arranged(sheet, dict.fromkeys(ids, (160.0, 96.0)))
    small = arranged(sheet, dict.fromkeys(ids, (160.0, 96.0)) | {ids[3]: (96.0, 32.0)})
    x, y = usual[ids[3]]
    assert small == {**usual, ids[3]: (x + 32.0, y + 32.0)} and usual[ids[0]] == (0.0, 0.0)
    assert {x for x, _ in usual.values()} == {0.0, 336.0}  # 160 and 176
    assert {y for _, y in usual.values()} == {0.0, 128.0, 256.0, 384.0}  # 96 and 32
    entry = arranged(
        replace(sheet, nodes=(*sheet.nodes[:7], Node(ids[7], "entry"))), dict.fromkeys(ids, (160.0, 96.0))
    )
    assert entry[ids[7]] == (0.0, 0.0)  # it is the first
    alone = replace(sheet, transitions=tuple(t for t in arrows if ids[5] not in (t.source, t.target)))
    assert len(set(arranged(alone, dict.fromkeys(ids, (160.0, 96.0))).values())) == 8


def test_the_grid_and_the_view_have_their_usual_steps():
    assert snapped(FARTHEST * 2.0) == FARTHEST == 1e6
    assert View().zoomed(WHEEL, (0.0, 0.0)).zoom == 1.2
    assert View().zoomed(1.039, (0.0, 0.0)).zoom == 1.0 and View().zoomed(1.041, (0.0, 0.0)).zoom == 1.041
    assert View(zoom=0.5).fitted(Rect(0.0, 0.0, 9.0, 9.0), (800.0, 600.0)).zoom == 1.0

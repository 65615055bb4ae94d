"""Nodes in line, at equal gaps, level and tidy; comments around them: each one step, undone to the bit."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from core.arrays import same_value
from core.errors import ValidationError
from editor.model.graph.geometry import GRID
from editor.model.graph.layout import COLORS
from editor.model.graph.scene import COMMENT_HEAD
from tests.editor.panels.graph.graphs import BLEND, CLIP_A, CLIP_B, MACHINE, OUTPUT

THREE = (CLIP_A, BLEND, OUTPUT)


def rects(editor, *nodes):
    return [editor.canvas.committed.rect(n) for n in nodes]


VERBS: dict[str, tuple[tuple[str, ...], Callable]] = {
    "Align left": (THREE, lambda e: e.tidying.align("left")),
    "Align top": (THREE, lambda e: e.tidying.align("top")),
    "Distribute": (THREE, lambda e: e.tidying.distribute(upright=False)),
    "Straighten wires": (THREE, lambda e: e.tidying.straighten()),
    "Tidy": ((), lambda e: e.tidying.tidy()),
    "Add comment": (THREE, lambda e: e.tidying.comment((0.0, 0.0))),
}


@pytest.mark.parametrize("label", list(VERBS))
def test_each_is_one_step_with_its_name_and_undone_to_the_bit(editor, label):
    chosen, verb = VERBS[label]
    editor.canvas.select(chosen)
    before = editor.document.project
    assert verb(editor)
    assert editor.history.labels == (label,)
    editor.session.undo()
    assert same_value(editor.document.project, before)


@pytest.mark.parametrize(
    "side, edge",
    [
        ("left", lambda r: r.x), ("right", lambda r: r.right), ("top", lambda r: r.y),
        ("bottom", lambda r: r.bottom), ("centre", lambda r: r.centre[0]), ("middle", lambda r: r.centre[1]),
    ],
)  # fmt: skip
def test_aligned_nodes_share_the_edge_of_the_outermost_and_stay_along_it(editor, side, edge):
    before = rects(editor, *THREE)
    wanted = {
        "left": min(r.x for r in before), "right": max(r.right for r in before),
        "top": min(r.y for r in before), "bottom": max(r.bottom for r in before),
        "centre": (min(r.x for r in before) + max(r.right for r in before)) / 2.0,
        "middle": (min(r.y for r in before) + max(r.bottom for r in before)) / 2.0,
    }[side]  # fmt: skip
    editor.canvas.select(THREE)
    editor.tidying.align(side)
    after = rects(editor, *THREE)
    assert [edge(r) for r in after] == pytest.approx([wanted] * 3)
    level = side in ("top", "bottom", "middle")
    assert [r.x if level else r.y for r in after] == [r.x if level else r.y for r in before]


@pytest.mark.parametrize("upright", [False, True])
def test_distributed_nodes_have_equal_gaps_and_the_outer_ones_stay(editor, upright):
    chosen = (CLIP_A, BLEND, OUTPUT, MACHINE)
    editor.nodes.move(
        {CLIP_A: (0.0, 0.0), BLEND: (400.0, 500.0), OUTPUT: (900.0, 330.0), MACHINE: (2000.0, 1200.0)}
    )
    editor.canvas.select(chosen)
    before = dict(zip(chosen, rects(editor, *chosen), strict=True))
    assert editor.tidying.distribute(upright=upright)
    after = dict(zip(chosen, rects(editor, *chosen), strict=True))
    begin, end = ("y", "bottom") if upright else ("x", "right")
    order = sorted(chosen, key=lambda n: getattr(before[n], begin))
    gaps = [getattr(after[b], begin) - getattr(after[a], end) for a, b in pairwise(order)]
    assert max(gaps) - min(gaps) <= 1.0 and min(gaps) > 0.0
    assert after[order[0]] == before[order[0]] and after[order[-1]] == before[order[-1]]
    other = "x" if upright else "y"
    assert [getattr(after[n], other) for n in chosen] == [getattr(before[n], other) for n in chosen]


def test_straightened_wires_are_level_back_from_the_last_node(editor):
    editor.canvas.select((CLIP_A, BLEND, OUTPUT))
    editor.tidying.straighten()
    scene = editor.canvas.committed
    for source, out, target, pin in ((BLEND, "pose", OUTPUT, "pose"), (CLIP_A, "pose", BLEND, "a")):
        outs = [p.name for p in scene.nodes[source].outputs]
        begin = scene.pin_place(source, out if out in outs else outs[0], True)
        assert begin[1] == pytest.approx(scene.pin_place(target, pin, False)[1])
    assert scene.places[OUTPUT] == (512.0, 32.0)


@pytest.mark.parametrize("chosen", [(), (CLIP_A,), (CLIP_A, CLIP_B, BLEND)])
def test_tidied_nodes_keep_their_last_column_and_do_not_cover_each_other(editor, chosen):
    editor.nodes.move({CLIP_A: (100.0, 20.0), CLIP_B: (110.0, 40.0), BLEND: (90.0, 10.0)})
    editor.canvas.select(chosen)
    acted = chosen if len(chosen) > 1 else tuple(editor.canvas.committed.nodes)
    rest = set(editor.canvas.committed.nodes) - set(acted)
    before = dict(editor.canvas.committed.places)
    right = max(r.right for r in rects(editor, *acted))
    top = min(r.y for r in rects(editor, *acted))
    assert editor.tidying.tidy()
    after = rects(editor, *acted)
    assert abs(max(r.right for r in after) - right) <= GRID / 2.0 + 1e-6
    assert abs(min(r.y for r in after) - top) <= GRID / 2.0 + 1e-6
    for k, a in enumerate(after):
        assert all(a.right <= b.x or b.right <= a.x or a.bottom <= b.y or b.bottom <= a.y for b in after[:k])
    assert all(editor.canvas.committed.places[n] == before[n] for n in rest)
    x = {n: editor.canvas.committed.places[n][0] for n in acted}
    assert x[CLIP_A] < x[BLEND] and x[CLIP_B] < x[BLEND]


def test_the_arrow_keys_move_by_squares_of_the_grid(editor):
    editor.nodes.move({CLIP_A: (3.0, 5.0)})
    editor.canvas.select((CLIP_A, BLEND))
    assert editor.tidying.nudge(1.0, -2.0)
    assert editor.canvas.committed.places[CLIP_A] == (GRID, -2.0 * GRID)
    assert editor.canvas.committed.places[BLEND] == (256.0 + GRID, 0.0)


@pytest.mark.parametrize("least, verb", [
    (1, lambda t: t.nudge(1.0, 0.0)), (1, lambda t: t.straighten()), (2, lambda t: t.align("left")),
    (3, lambda t: t.distribute(upright=True)),
])  # fmt: skip
def test_too_few_nodes_are_refused_and_just_enough_are_not(editor, least, verb):
    editor.nodes.move({CLIP_A: (3.0, 5.0), CLIP_B: (50.0, 300.0), BLEND: (90.0, 7.0)})
    for count in range(least + 1):
        editor.canvas.select((CLIP_A, BLEND, CLIP_B)[:count])
        if count < least:
            with pytest.raises(ValidationError, match=f"{least} nodes" if least > 1 else "Select nodes"):
                verb(editor.tidying)
        else:
            verb(editor.tidying)


def test_a_comment_is_around_the_selected_nodes_or_a_note_on_the_grid_and_is_selected(editor):
    editor.canvas.select((CLIP_A, BLEND))
    id = editor.tidying.comment((999.0, 999.0))
    assert list(editor.canvas.state.selection) == [id]
    frame = editor.canvas.committed.item_rect(id)
    box = rects(editor, CLIP_A)[0].joined(rects(editor, BLEND)[0])
    assert (frame.x, frame.right, frame.bottom) == (box.x - GRID, box.right + GRID, box.bottom + GRID)
    assert frame.y == box.y - GRID - COMMENT_HEAD
    editor.canvas.select(())
    note = editor.canvas.committed
    other = editor.tidying.comment((170.0, 90.0))
    rect = editor.canvas.committed.item_rect(other)
    assert (rect.x, rect.y, rect.w, rect.h) == (176.0, 96.0, 160.0, 64.0)
    assert len(editor.canvas.committed.comments) == 2 and note is not editor.canvas.committed


def test_comments_have_a_text_and_take_turns_in_colour(editor):
    first, second = (editor.tidying.comment((x, 0.0)) for x in (900.0, 1200.0))
    assert editor.tidying.set_text(first, "why") and editor.history.labels[-1] == "Set comment"
    texts = {c.id: c.text for c in editor.canvas.committed.comments}
    assert texts == {first: "why", second: "Comment"}
    for turn in range(COLORS + 1):
        colors = {c.id: c.color for c in editor.canvas.committed.comments}
        assert colors == {first: turn % COLORS, second: 0}
        assert editor.tidying.next_color([first])
    assert editor.history.labels[-1] == "Colour comment"
    position = editor.history.position
    assert not editor.tidying.set_text("gone", "why") and editor.history.position == position

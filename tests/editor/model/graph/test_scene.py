"""Arrows of a machine: straight where the way is free, round other states where not; boxes of everything."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from editor.model.graph.editor import GraphEditor
from editor.model.session import Session
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    GO,
    GRAPH,
    IDLE,
    OUTPUT,
    STATES,
    WALKING,
    graph_project,
    id_of,
    small_graph,
)

FAR = (-4000.0, -4000.0)


@pytest.fixture
def session():
    made = Session.create()
    project = graph_project()
    graph = small_graph()
    states = next(s for s in graph.sheets if s.id == STATES)
    more = tuple(replace(states.nodes[0], id=id_of(200 + k), name=f"other {k}") for k in range(2))
    arrows = (states.transitions[0],)
    changed = replace(states, nodes=states.nodes + more, transitions=arrows)
    graph = replace(graph, sheets=tuple(changed if s.id == STATES else s for s in graph.sheets))
    made.document.replace(project.with_assets(graph), None)
    made.playback.set_clip(project.clips[0].id)
    made.feature(GraphEditor).canvas.open(GRAPH, STATES)
    yield made
    made.close()


def scene_of(session, **places):
    editor = session.feature(GraphEditor)
    known = {"idle": IDLE, "walking": WALKING, "one": id_of(200), "two": id_of(201)}
    editor.nodes.move({known[name]: place for name, place in {"one": FAR, "two": FAR, **places}.items()})
    return editor.canvas.committed


def curve(scene):
    return scene.curves[IDLE, WALKING]


def covers(rect, line) -> bool:
    """Whether a polyline comes over a rectangle, looked at densely."""
    dense = np.concatenate([np.linspace(a, b, 200) for a, b in pairwise(line)])
    x, y = dense[:, 0], dense[:, 1]
    return bool(((x > rect.x) & (x < rect.right) & (y > rect.y) & (y < rect.bottom)).any())


WAYS = [
    ((0.0, 0.0), (640.0, 0.0)),
    ((640.0, 0.0), (0.0, 0.0)),
    ((0.0, 0.0), (0.0, 480.0)),
    ((0.0, 480.0), (640.0, 0.0)),
]


@pytest.mark.parametrize("idle, walking", WAYS)
def test_a_free_arrow_is_straight_from_border_to_border(session, idle, walking):
    scene = scene_of(session, idle=idle, walking=walking)
    line = curve(scene)
    assert len(line) == 2
    for (x, y), state in zip(line, (IDLE, WALKING), strict=True):
        r = scene.rect(state)
        on_side = min(abs(x - r.x), abs(x - r.right)) < 1e-6 or min(abs(y - r.y), abs(y - r.bottom)) < 1e-6
        assert on_side and r.x - 1e-6 <= x <= r.right + 1e-6 and r.y - 1e-6 <= y <= r.bottom + 1e-6
    middles = np.array(scene.rect(IDLE).centre), np.array(scene.rect(WALKING).centre)
    way, drawn = middles[1] - middles[0], line[1] - line[0]
    assert drawn @ way > 0.0 and abs(drawn[0] * way[1] - drawn[1] * way[0]) < 1e-6 * (way @ way)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("idle, walking", WAYS)
def test_an_arrow_goes_round_a_state_in_its_way(session, idle, walking, share):
    free = scene_of(session, idle=idle, walking=walking)
    w, h = free.rect(id_of(200)).w, free.rect(id_of(200)).h
    begin, end = curve(free)
    x, y = begin + (end - begin) * share
    scene = scene_of(session, idle=idle, walking=walking, one=(float(x - w / 2.0), float(y - h / 2.0)))
    line = curve(scene)
    assert len(line) > 2 and not covers(scene.rect(id_of(200)), line)


def test_an_arrow_to_the_state_itself_is_a_loop_above_it(session):
    editor = session.feature(GraphEditor)
    scene = scene_of(session, idle=(0.0, 0.0), walking=(640.0, 0.0))
    editor.machines.connect(IDLE, IDLE)
    scene = editor.canvas.committed
    line, r = scene.curves[IDLE, IDLE], scene.rect(IDLE)
    assert (line[:, 1] <= r.y + 1e-6).all()
    width = line[-1, 0] - line[0, 0]
    assert r.y - line[:, 1].min() == pytest.approx(width), "as high as it is wide"
    assert width == pytest.approx(24.0) and r.right - line[-1, 0] == pytest.approx(16.0)
    assert r.x < line[0, 0] < line[-1, 0] <= r.right and line[[0, -1], 1] == pytest.approx([r.y, r.y])


def test_arrows_both_ways_lie_beside_each_other(session):
    editor = session.feature(GraphEditor)
    scene_of(session, idle=(0.0, 0.0), walking=(640.0, 0.0))
    editor.machines.connect(WALKING, IDLE)
    scene = editor.canvas.committed
    there, back = curve(scene), scene.curves[WALKING, IDLE]
    assert len(there) == len(back) == 2
    assert abs(there[0, 1] - back[0, 1]) == pytest.approx(18.0)
    assert there[0, 0] < there[1, 0] and back[0, 0] > back[1, 0]


def test_bounds_hold_every_state_and_the_bows_of_arrows_and_no_more(session):
    scene = scene_of(session, idle=(0.0, 0.0), walking=(640.0, 0.0), one=(320.0, 0.0), two=(320.0, 300.0))
    box = scene.bounds()
    rects = scene.rects
    line = curve(scene)
    assert box.x == rects[:, 0].min() and box.right == rects[:, 2].max()
    assert box.y == pytest.approx(min(rects[:, 1].min(), line[:, 1].min()))
    assert box.bottom == pytest.approx(max(rects[:, 3].max(), line[:, 1].max()))
    assert len(line) > 2 and (line[:, 1].min() < 0.0 or line[:, 1].max() > rects[0, 3])
    assert scene.item_rect(str(GO)) == scene.rect(IDLE).joined(scene.rect(WALKING))
    assert scene.item_rect("nothing") is None


@pytest.mark.parametrize("y", [-128.0, 0.0, 240.0])
def test_a_knot_comes_into_the_piece_of_the_wire_that_it_is_nearest_to(session, y):
    editor = session.feature(GraphEditor)
    editor.canvas.open(GRAPH, editor.canvas.graph.sheets[0].id)
    editor.nodes.move({CLIP_A: (0.0, 0.0), BLEND: (800.0, 0.0), OUTPUT: (1100.0, 0.0)})
    wire = next(w for w in editor.canvas.committed.wires if w.link.source == CLIP_A)
    for x in (400.0, 640.0, 250.0, 500.0):
        assert editor.wires.add_knot(wire.key, (x + 3.0, y - 2.0))
    (knots,) = editor.canvas.layout.knots.values()
    assert [k[0] for k in knots] == [256.0, 400.0, 496.0, 640.0] and {k[1] for k in knots} == {y}
    assert editor.history.labels[-1] == "Add knot"
    assert not editor.wires.add_knot("w:gone", (0.0, 0.0))


def test_a_folded_node_keeps_the_pins_with_a_wire_or_with_words_and_is_as_low_as_they_need(session):
    editor = session.feature(GraphEditor)
    editor.canvas.open(GRAPH, editor.canvas.graph.sheets[0].id)

    def pins(node) -> dict[str, str | None]:
        return {pin.pin.name: pin.literal for pin in editor.canvas.committed.nodes[node].inputs}

    whole = {node: (pins(node), editor.canvas.committed.nodes[node].h) for node in (BLEND, CLIP_A)}
    assert editor.nodes.fold([BLEND, CLIP_A], True)
    assert pins(BLEND) == {"a": None, "b": None, "alpha": "speed"}
    assert pins(CLIP_A) == {} and whole[CLIP_A][0] != {}
    assert editor.canvas.committed.nodes[CLIP_A].h < whole[CLIP_A][1]
    assert editor.nodes.fold([BLEND, CLIP_A], False)
    assert {node: (pins(node), editor.canvas.committed.nodes[node].h) for node in whole} == whole

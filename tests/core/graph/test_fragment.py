"""Pieces of graphs: what is taken with some nodes, and the same piece with fresh ids."""

from dataclasses import replace

from core.graph.fragment import fresh, taken
from core.graph.graph import Graph, SheetKind
from tests.core.graph.builders import Drawing, clip


def drawn() -> Graph:
    """Three states, one of them a machine; the transitions between the first two blend by a sheet of their own."""
    d = Drawing(clip("a"))
    deep = d.machine({"c": d.clip_sheet("c"), "d": d.clip_sheet("d")}, [("c", "d", "go")])
    mixed = d.clip_sheet("mixed")
    own = {"blend": {"sheet": mixed.id}}
    arrows = [("x", "y", "there", own), ("y", "x", "back", own), ("y", "z", "on"), ("z", "x", "round")]
    return d.machine_graph(d.machine({"x": d.clip_sheet("x"), "y": deep, "z": d.clip_sheet("z")}, arrows))


def outer(graph: Graph):
    return next(s for s in graph.sheets if any(n.name == "y" for n in s.nodes))


def named(sheet, *names):
    return [n.id for n in sheet.nodes if n.name in names]


def test_a_piece_has_what_is_between_its_nodes_and_the_sheets_within():
    graph = drawn()
    piece = taken(graph, outer(graph).id, [*named(outer(graph), "x", "y"), "n-ffffffff"])
    assert [n.name for n in piece.sheet.nodes] == ["x", "y"]
    assert [t.rule for t in piece.sheet.transitions] == ["there", "back"]
    assert sorted(s.name for s in piece.inner) == ["c", "d", "machine", "mixed", "x"]
    poses = next(s for s in graph.sheets if s.name == "c")
    player = poses.of_kind("clip")[0]
    assert taken(graph, poses.id, [player.id]).sheet.links == ()
    assert taken(graph, poses.id, [n.id for n in poses.nodes]).sheet.links == poses.links
    assert len(list(piece.nodes)) == 2 + sum(len(s.nodes) for s in piece.inner)


def test_every_node_of_a_piece_is_changed():
    graph = drawn()
    piece = taken(graph, outer(graph).id, named(outer(graph), "x", "y"))
    made = piece.mapped(lambda node: replace(node, name=node.name + "!"))
    assert [n.name for n in made.nodes] == [n.name + "!" for n in piece.nodes]
    assert [s.name for s in made.inner] == [s.name for s in piece.inner]


def test_a_fresh_piece_is_the_same_drawing_with_ids_of_its_own():
    graph = drawn()
    piece = taken(graph, outer(graph).id, named(outer(graph), "x", "y"))
    made, known = fresh(piece)
    old_ids = {s.id for s in graph.sheets} | {n.id for s in graph.sheets for n in s.nodes}
    old_ids |= {t.id for s in graph.sheets for t in s.transitions}
    assert len(set(known.values())) == len(known) and not set(known.values()) & old_ids
    back = {new: old for old, new in known.items()}
    for was, now in zip((piece.sheet, *piece.inner), (made.sheet, *made.inner), strict=True):
        assert (back[now.id], now.name, now.kind) == (was.id, was.name, was.kind)
        assert [(back[n.id], n.kind, n.name, n.literals) for n in now.nodes] == [
            (n.id, n.kind, n.name, n.literals) for n in was.nodes
        ]
        assert [back.get(n.parameters.get("sheet", "")) for n in now.nodes] == [
            n.parameters.get("sheet") for n in was.nodes
        ]
        assert [(back[x.source], back[x.target], x.pin) for x in now.links] == [
            (x.source, x.target, x.pin) for x in was.links
        ]
        assert [(back[t.id], back[t.source], back[t.target], t.rule) for t in now.transitions] == [
            (t.id, t.source, t.target, t.rule) for t in was.transitions
        ]
        assert [back.get(t.blend.sheet, "") for t in now.transitions] == [
            t.blend.sheet for t in was.transitions
        ]
    clips = [n.parameters["clip"] for n in made.nodes if n.kind == "clip"]
    assert set(clips) == {"clip-a"} or all(c.startswith("clip-") for c in clips)


def test_what_stands_outside_a_piece_is_left_as_it_is():
    graph = drawn()
    piece = taken(graph, outer(graph).id, named(outer(graph), "x", "y"))
    bare = replace(piece, inner=())
    made, _ = fresh(bare)
    assert [n.parameters["sheet"] for n in made.sheet.nodes] == [
        n.parameters["sheet"] for n in bare.sheet.nodes
    ]
    assert {t.blend.sheet for t in made.sheet.transitions} == {t.blend.sheet for t in bare.sheet.transitions}
    loose = replace(bare, sheet=replace(outer(graph), nodes=bare.sheet.nodes))
    assert [t.rule for t in fresh(loose)[0].sheet.transitions] == ["there", "back"]
    poses = next(s for s in graph.sheets if s.name == "c" and s.kind is SheetKind.POSE)
    cut = replace(bare, sheet=replace(poses, nodes=poses.of_kind("clip")))
    assert fresh(cut)[0].sheet.links == ()

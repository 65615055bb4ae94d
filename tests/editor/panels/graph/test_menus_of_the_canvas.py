"""What the right button offers for what is selected on the canvas: an entry only where it can do something."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from editor.model.graph.editor import GraphEditor
from editor.panels.graph.menus import item_menu
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    STATES,
    graph_session,
)


@pytest.fixture
def editor(qapp) -> Iterator[GraphEditor]:
    session = graph_session()
    yield session.feature(GraphEditor)
    session.close()


def offered(editor: GraphEditor) -> list[str | None]:
    window = SimpleNamespace(menu_of=lambda ids, parent: ids)
    return item_menu(editor, SimpleNamespace(window=window), None)  # type: ignore[arg-type, return-value]


EDIT = [f"graph.{what}" for what in ("cut", "copy", "paste", "duplicate", "delete", "delete_heal")]
EDITS = [None, *EDIT]
PLACES = [
    f"graph.{what}"
    for what in ("straighten", "tidy", "align_left", "align_top", "distribute_level", "distribute_upright")
]
OF_NODES = [None, "graph.comment", *PLACES]
RUN = [None, "graph.break", "graph.watch"]
ONE = ["graph.open", "graph.rename", "graph.swap", "graph.find_uses"]


@pytest.mark.parametrize(
    ("sheet", "chosen", "wanted"),
    [
        (None, [], list(EDIT)),
        (None, [CLIP_A], [*ONE, "graph.fold_pins", "graph.fold", *RUN, *EDITS, *OF_NODES]),
        (None, [BLEND], [*ONE, "graph.fold_pins", "graph.fold", *RUN, *EDITS, *OF_NODES]),
        (None, [MACHINE], [*ONE, "graph.fold", *RUN, *EDITS, *OF_NODES]),
        (None, [CLIP_A, CLIP_B], ["graph.fold_pins", "graph.fold", *RUN, *EDITS, *OF_NODES]),
        (None, [CLIP_A, BLEND], ["graph.fold_pins", "graph.fold", *RUN, *EDITS, *OF_NODES]),
        (STATES, [IDLE], [*ONE, *RUN, *EDITS, *OF_NODES]),
        (STATES, [GO], ["graph.open", "graph.earlier", "graph.later", *RUN, "graph.why", *EDITS]),
    ],
)
def test_entries_for_what_is_selected(editor: GraphEditor, sheet, chosen: list[str], wanted: list) -> None:
    if sheet is not None:
        editor.canvas.open(GRAPH, sheet)
    editor.canvas.select(chosen)
    assert offered(editor) == wanted


def test_a_comment_has_a_colour(editor: GraphEditor) -> None:
    editor.canvas.select([CLIP_A])
    editor.tidying.comment((0.0, 0.0))
    (comment,) = editor.canvas.layout.comments
    editor.canvas.select([comment.id])
    assert offered(editor) == ["graph.open", "graph.comment_color", *EDITS]

"""What an asset that is dropped onto the canvas becomes, by kind of sheet; what cannot be put there is said."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind
from core.graph.graph import SheetKind
from core.graph.montage import Montage
from core.ids import AssetId
from editor.model.drag_kinds import ASSET, VARIABLE
from editor.model.drag_kinds import CLIP as CLIPS
from editor.model.graph.editor import GraphEditor
from editor.model.session import Session
from editor.panels.graph.drops import asset_node, dropped
from editor.qt.drags import data_of
from tests.editor.panels.graph.graphs import CLIP_A, graph_session, small_graph
from tests.editor.panels.montage.test_montage_by_hand import combo
from tests.editor.stage import RIG, TURN, small_project

POSE, UPDATE, MACHINE = SheetKind.POSE, SheetKind.UPDATE, SheetKind.MACHINE
CLIP = small_project().assets[TURN]
SPACE = BlendSpace(AssetId("space-a"), "speeds", RIG, (SpaceAxis("speed"),), kind=SpaceKind.LINE)
MONTAGE = combo()


@pytest.mark.parametrize(
    ("asset", "sheet", "wanted"),
    [
        (CLIP, POSE, ("clip", {"clip": TURN}, "")),
        (CLIP, MACHINE, ("state", {}, "turn")),
        (CLIP, UPDATE, None),
        (SPACE, POSE, ("blend_space", {"space": "space-a"}, "")),
        (replace(SPACE, aim_offset=True), POSE, ("aim_offset", {"space": "space-a"}, "")),
        (SPACE, MACHINE, ("state", {}, "speeds")),
        (small_graph(), POSE, ("linked_graph", {"graph": "graph-test"}, "test")),
        (MONTAGE, UPDATE, ("play_montage", {"montage": MONTAGE.name}, "")),
        (MONTAGE, POSE, ("slot", {"slot": MONTAGE.tracks[0].slot}, "")),
        (MONTAGE, MACHINE, None),
        (Montage(AssetId("montage-e"), "empty", RIG), POSE, None),
        (None, POSE, None),
        (small_project().assets[RIG], POSE, None),
    ],
)
def test_node_of_an_asset(asset: object, sheet: SheetKind, wanted) -> None:
    made = asset_node(asset, sheet)
    assert (made and (made.kind, dict(made.parameters), made.name or "")) == wanted
    if made is not None and sheet is MACHINE:
        assert made.plays is not None and made.plays.kind in ("clip", "blend_space")


@pytest.fixture
def session(qapp) -> Iterator[Session]:
    made = graph_session()
    yield made
    made.close()


@pytest.fixture
def editor(session: Session) -> GraphEditor:
    return session.feature(GraphEditor)


NONE, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
FREE = (700.0, 500.0)


def nodes(editor: GraphEditor) -> list[tuple[str, dict]]:
    return [(node.kind, dict(node.parameters)) for node in editor.canvas.sheet.nodes]


def test_what_cannot_be_put_there_is_said(session: Session, editor: GraphEditor) -> None:
    before = editor.canvas.graph
    dropped(editor, data_of(ASSET, RIG), FREE, NONE)
    assert session.messages.log[-1].text == "That cannot be put into a graph"
    assert editor.canvas.graph is before


def test_a_clip_becomes_a_node_and_on_a_node_takes_the_place_of_its_clip(
    session: Session, editor: GraphEditor
) -> None:
    before = nodes(editor)
    dropped(editor, data_of(CLIPS, TURN), FREE, NONE)
    assert nodes(editor) == [*before, ("clip", {"clip": TURN})]
    session.undo()
    rect = editor.canvas.committed.rect(CLIP_A)
    dropped(editor, data_of(CLIPS, TURN), (rect.x + 10.0, rect.y + 8.0), NONE)
    assert nodes(editor)[0] == ("clip", {"clip": TURN}) and len(nodes(editor)) == len(before)


@pytest.mark.parametrize("held", [NONE, ALT])
def test_a_variable_is_read_on_a_sheet_of_poses(editor: GraphEditor, held) -> None:
    dropped(editor, data_of(VARIABLE, "speed"), FREE, held)
    assert nodes(editor)[-1] == ("get", {"variable": "speed"})

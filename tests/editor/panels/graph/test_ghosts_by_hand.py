"""A transition that is selected on the canvas shows in the viewport as three ghosts."""

import pytest

from editor.model.graph.ghost_strip import GhostStrip
from editor.panels.viewport.widget import ViewportPanel
from tests.editor.panels.graph.graphs import IDLE, STATES, WALKING, hand
from tests.editor.panels.graph.test_machines_by_hand import on_arrow


@pytest.fixture
def here(qapp):
    with hand(qapp, "graph_node", "viewport") as made:
        made.canvas.enter(STATES)
        made.canvas.view = type(made.canvas.view)(-120.0, -100.0, 1.0)
        made.user.settle()
        yield made


def drawn(here) -> int:
    """Ghosts that the viewport draws; the small character has no mesh, and they are lines."""
    model = here.stage.window.findChild(ViewportPanel).model
    scene = model.scene
    return len(scene.transition.sticks(scene.character, scene.meshes(), scene.rig))


def test_ghosts_are_drawn_while_the_transition_is_selected(here, qtbot):
    assert drawn(here) == 0
    here.click(on_arrow(here, IDLE, WALKING))
    assert len(here.canvas.state.selection) == 1
    strip = here.session.feature(GhostStrip)
    qtbot.waitUntil(lambda: strip.poses is not None, timeout=60_000)
    assert drawn(here) == 3
    box = here.user.find("transition.ghosts")
    assert box.isChecked()
    here.stage.window.actions_registry.run("graph.transition_ghosts")
    here.user.settle()
    assert drawn(here) == 0 and not here.user.find("transition.ghosts").isChecked()
    here.user.find("transition.ghosts").click()
    here.user.settle()
    assert drawn(here) == 3
    here.view.setFocus()
    here.user.press("Esc")
    assert not here.canvas.state.selection and drawn(here) == 0

"""Everything can be reached in a window of 960 by 540, which is 1920 by 1080 at 200 %."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QToolButton

import core.io
from editor.model.opening import sample_path
from editor.shell.panels import panel_specs
from editor.shell.window import MINIMUM
from editor.shell.workspaces import WORKSPACES
from tests.editor.stage import stage


@pytest.fixture
def window(qapp):
    with stage(
        qapp, *(spec.id for spec in panel_specs()), project=lambda: core.io.load(sample_path()).project
    ) as made:
        yield made


def sized(here, width, height):
    here.window.resize(width, height)
    here.user.settle()
    here.window.layouts.reset()
    here.user.settle()
    assert (here.window.width(), here.window.height()) == (width, height)


def inside(here, widget):
    """What of a widget is in the window."""
    window = here.window
    place = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())
    return window.rect().contains(place)


def test_smallest_window_cuts_nothing_off(window):
    assert MINIMUM[0] <= 960 and MINIMUM[1] <= 540
    sized(window, 960, 540)
    for workspace in (workspace.id for workspace in WORKSPACES if workspace.id != "play"):
        window.window.use_workspace(workspace)
        sized(window, 960, 540)
        for dock in window.window.docks.values():
            if dock.isVisible() and not dock.visibleRegion().isEmpty():
                assert inside(window, dock), (workspace, dock.objectName())
                least = dock.minimumSizeHint()
                assert dock.width() >= least.width(), (workspace, dock.objectName())
                assert dock.height() >= least.height(), (workspace, dock.objectName())
        assert inside(window, window.window.status)


def test_every_menu_is_there_and_workspaces_are_one_button(window):
    sized(window, 960, 540)
    bar = window.window.menuBar()
    ends = [bar.actionGeometry(action).right() for action in bar.actions()]
    assert all(ends) and max(ends) < window.window.workspace_bar.x()
    button = window.window.findChild(QToolButton, "workspaceMenu")
    assert button.isVisible() and button.text() == "Pose" and inside(window, button)
    entry = next(entry for entry in button.menu().actions() if entry.text() == "Curves")
    entry.trigger()
    window.user.settle()
    assert window.window.layouts.current.id == "curves" and button.text() == "Curves"


def test_1280_by_720_names_every_workspace_and_shows_12_bones_and_4_clips(window):
    sized(window, 960, 540)
    sized(window, 1280, 720)
    assert not window.window.findChild(QToolButton, "workspaceMenu").isVisible()
    for workspace in WORKSPACES:
        assert window.window.findChild(QToolButton, f"workspace.{workspace.id}").isVisible()
    bones, clips = (window.window.docks[name].body.panel.view for name in ("bone_tree", "clips"))
    for view, least in ((bones, 12), (clips, 4)):
        room = view.viewport().rect()
        index, whole = view.model().index(0, 0), 0
        while index.isValid():
            whole += room.contains(view.visualRect(index))
            index = (
                view.indexBelow(index) if hasattr(view, "indexBelow") else index.siblingAtRow(index.row() + 1)
            )
        assert whole >= least


def test_a_window_larger_than_the_screen_is_made_to_fit_from_its_corner(window):
    """A moment after it was shown, when the window manager has put its frame around it."""
    shown, room = window.window, window.window.screen().availableGeometry()
    shown.hide()
    shown.setGeometry(120, 90, room.width() + 40, room.height() + 30)
    shown.show()
    window.user.wait_until(lambda: room.contains(shown.frameGeometry()), "it is still too large")
    assert shown.frameGeometry().topLeft() == room.topLeft()


def test_graph_shows_variables_and_most_of_the_selected_transitions_fields_at_once(window):
    sized(window, 1280, 720)
    window.window.use_workspace("graph")
    sized(window, 1280, 720)
    docks = window.window.docks
    variables, node, canvas, run = (docks[name] for name in ("variables", "graph_node", "graph", "graph_run"))
    assert all(not dock.visibleRegion().isEmpty() for dock in (variables, node, canvas, run))
    place = {
        dock: dock.mapTo(window.window, dock.rect().topLeft()) for dock in (variables, node, canvas, run)
    }
    assert place[node].y() > place[variables].y() and place[node].x() > place[canvas].x() + canvas.width()
    below = place[run].y() + run.height()
    assert place[node].y() + node.height() == below, "Node goes down beside the canvas and Run"
    assert node.height() >= 0.4 * window.window.height() > variables.height()

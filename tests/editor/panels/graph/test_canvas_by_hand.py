"""The canvas by mouse: pan, zoom, select, drag, sheets."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QTreeWidget

from core.arrays import same_value
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    IDLE,
    IDLE_SHEET,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    hand,
)
from tests.editor.user import CTRL, MIDDLE, RIGHT, SHIFT


@pytest.fixture
def here(qapp):
    with hand(qapp) as made:
        yield made


def test_wheel_zooms_at_the_pointer_within_bounds(here):
    at = here.middle(BLEND)
    before = here.view.place(at)
    here.user.wheel(here.view, 2, at)
    assert here.canvas.view.zoom > 1.2
    assert here.view.place(at) == pytest.approx(before)
    here.user.wheel(here.view, -40, at)
    assert here.canvas.view.zoom == pytest.approx(0.1)
    here.user.wheel(here.view, 40, at)
    assert here.canvas.view.zoom == pytest.approx(2.0)


@pytest.mark.parametrize("button", [MIDDLE, RIGHT])
def test_middle_and_right_drag_pan(here, button):
    before = here.canvas.view
    here.drag(here.at(100, -40), here.at(160, -10), button=button)
    assert (here.canvas.view.x, here.canvas.view.y) == pytest.approx((before.x - 60, before.y - 30))
    assert not here.user.visible("graphSearch")


def test_space_drag_pans_and_leaves_the_selection(here):
    here.click(here.middle(CLIP_A))
    before = here.canvas.view
    here.user.move(here.view, here.middle(BLEND))
    with here.user.holding("Space"):
        here.drag(here.middle(BLEND), here.middle(BLEND) + QPoint(30, 0))
    assert here.canvas.view.x == pytest.approx(before.x - 30)
    assert here.canvas.state.selection == {CLIP_A}


def test_click_shift_ctrl_and_box_select(here):
    here.click(here.middle(CLIP_A))
    here.click(here.middle(CLIP_B), modifiers=SHIFT)
    assert here.canvas.state.selection == {CLIP_A, CLIP_B}
    here.click(here.middle(CLIP_A), modifiers=CTRL)
    assert here.canvas.state.selection == {CLIP_B}
    here.drag(here.at(-40, -30), here.at(300, 60))
    assert here.canvas.state.selection == {CLIP_A, BLEND}
    here.user.press("Ctrl+A")
    assert {OUTPUT, MACHINE, BLEND} <= here.canvas.state.selection
    here.click(here.at(-60, -40))
    assert not here.canvas.state.selection


def test_dragging_nodes_keeps_to_the_grid_and_is_one_step(here):
    before, steps = here.graph, here.session.history.position
    here.click(here.middle(CLIP_A))
    here.click(here.middle(CLIP_B), modifiers=SHIFT)
    start = here.middle(CLIP_A)
    here.drag(start, start + QPoint(-37, 50))
    assert here.place(CLIP_A) == (-32, 48)
    assert here.place(CLIP_B) == (-32, 208)
    assert here.session.history.position == steps + 1
    here.user.press("Ctrl+Z")
    assert same_value(here.graph, before)
    here.user.press("Ctrl+Shift+Z")
    assert here.place(CLIP_A) == (-32, 48)


def test_escape_during_a_drag_leaves_everything(here):
    before = here.graph
    start = here.middle(BLEND)
    here.drag(start, start + QPoint(60, 60), during=lambda: here.user.press("Esc"))
    assert here.graph is before
    assert here.place(BLEND) == (256, 32)


def test_double_click_opens_sheets_and_crumbs_and_backspace_go_out(here):
    here.click(here.middle(MACHINE), double=True)
    assert here.sheet.id == STATES
    assert [s.id for s in here.canvas.path] == [POSES, STATES]
    here.canvas.fit()
    here.click(here.middle(IDLE), double=True)
    assert here.sheet.id == IDLE_SHEET
    assert here.user.find("crumb.2").text() == "idle"
    here.user.click("crumb.1")
    assert here.sheet.id == STATES
    here.user.move(here.view, (40, 40))
    here.user.press("Backspace")
    assert here.sheet.id == POSES
    assert here.canvas.state.selection == {MACHINE}


def test_only_the_left_button_opens_by_a_double_click(here):
    here.click(here.middle(MACHINE), double=True, button=RIGHT)
    assert here.sheet.id == POSES
    if (menu := QApplication.activePopupWidget()) is not None:
        menu.close()


def test_view_is_kept_per_sheet(here):
    view = here.canvas.view
    here.click(here.middle(MACHINE), double=True)
    here.user.wheel(here.view, 1, (50, 50))
    inside = here.canvas.view
    here.user.press("Alt+Left")
    assert here.canvas.view == view
    here.canvas.enter(STATES)
    assert here.canvas.view == inside


def test_tree_lists_sheets_within_each_other_and_opens_them(here):
    tree = here.user.find("graphSheets")
    assert isinstance(tree, QTreeWidget)
    assert here.user.rows(tree) == ["pose", "moves", "idle", "walking"]
    here.user.click_row(tree, "walking")
    assert here.sheet.name == "walking"


def test_fit_shows_selection_and_all(here):
    here.click(here.middle(OUTPUT))
    here.user.press("F")
    seen = here.canvas.view.seen(here.canvas.size)
    assert seen.covers(here.scene.rect(OUTPUT))
    here.user.press("A")
    assert here.canvas.view.seen(here.canvas.size).covers(here.scene.bounds())
    here.canvas.view = type(here.canvas.view)(5000.0, 5000.0, 1.0)
    here.user.press("Home")
    assert here.canvas.view.seen(here.canvas.size).covers(here.scene.bounds())


def test_mini_map_moves_the_view(here):
    here.user.wheel(here.view, 3, (60, 60))
    small = here.user.find("graphMiniMap")
    before = here.canvas.view
    here.user.click(small, (small.width() - 14, small.height() // 2))
    assert here.canvas.view.x > before.x


def test_undo_goes_to_what_changed_where_it_is_out_of_sight(here):
    start = here.middle(CLIP_A)
    here.drag(start, start + QPoint(0, 64))
    near = here.canvas.view
    here.user.press("Ctrl+Z")
    assert here.canvas.view == near  # in sight: the view stays
    here.user.press("Ctrl+Shift+Z")
    here.canvas.enter(STATES)
    here.user.press("Ctrl+Z")
    assert here.sheet.id == POSES


def test_far_away_there_are_titles_then_blocks(here):
    here.canvas.view = type(here.canvas.view)(-120.0, -60.0, 0.3)
    titles = here.user.picture(here.view)
    here.canvas.view = type(here.canvas.view)(-120.0, -60.0, 0.15)
    blocks = here.user.picture(here.view)
    assert len({tuple(p) for p in titles.reshape(-1, 4)[::7]}) > len(
        {tuple(p) for p in blocks.reshape(-1, 4)[::7]}
    )


def test_panning_gives_the_same_picture_as_painting_anew(here):
    here.canvas.view = here.canvas.view.panned(13, -27)
    here.user.settle()
    moved = here.user.picture(here.view)
    here.view.raster.drop()
    here.view.update()
    anew = here.user.picture(here.view)
    assert (moved != anew).mean() < 1e-3


def test_a_panel_of_another_size_tells_that_its_view_is_another(here):
    # A sheet that was never moved stays fitted: the zoom that is shown has to follow.
    told = []
    here.canvas.moved.connect(lambda _: told.append(here.canvas.size))
    here.view.resize(here.view.width() - 40, here.view.height())
    here.user.settle()
    assert told == [(float(here.view.width()), float(here.view.height()))]

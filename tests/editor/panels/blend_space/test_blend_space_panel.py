"""A person at the blend-space panel: clips dragged in, the point dragged, what is drawn and what is undone."""

import time

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from core.arrays import same_value
from core.blending.blend_space import BlendSpace, SpaceKind
from core.clips.clip import AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.ids import AssetId
from core.io import load
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.blending.state import Blending
from editor.model.opening import sample_path
from editor.panels.blend_space import widget
from editor.tools.blending.plot import RING
from tests.editor.rigs import small_rig, tube_mesh
from tests.editor.stage import stage, with_view
from tests.editor.user import ALT, MIDDLE, NONE, SHIFT

PANELS = ("clips", "blend_space")
SHIPPED = {
    name: AssetId(f"space-{name}") for name in ("locomotion", "forward", "backward", "crouch", "aim", "lean")
}


def still(name: str, bend: float, length: float = 1.0, travel: float = 0.0) -> Clip:
    """A clip that holds the left arm bent, and may walk along +Z."""
    rig = small_rig()
    tracks = {Channel("upper_arm_l", Property.ROTATE, 2): scalar_track([0.0], [bend])}
    if travel:
        tracks[Channel("pelvis", Property.TRANSLATE, 2)] = scalar_track([0.0, length], [0.0, travel * length])
    return Clip(AssetId(f"clip-{name}"), name, rig.id, length, looping=True, tracks=tracks)


def project() -> Project:
    rig = small_rig()
    clips = (still("idle", 0.0), still("walk", 30.0, travel=1.5), still("run", 60.0, 0.5, travel=3.5))
    assets = (rig, tube_mesh(rig), *clips)
    return Project({asset.id: asset for asset in assets})


@pytest.fixture
def here(qapp, request):
    with stage(qapp, *with_view(request, *PANELS), project=project) as made:
        made.window.layouts.use("blend")
        made.window.show_panel("blend_space")
        made.user.settle()
        yield made
        made.session.feature(Blending).live.stop()


def plot(here):
    return here.user.find("blendPlot")


def pixel(here, *place: float) -> tuple[float, float]:
    return plot(here).frame().pixel(place)


def drop_clip(here, name: str, *place: float) -> None:
    """The clip's row dragged onto the plot. Qt's drag runs the system's own loop, which a test cannot feed: so
    what the row gives away is taken from the list, and the events that a drag sends go to the plot."""
    view = here.user.find("clips")
    data = view.model().mimeData([here.user.row(view, name)])
    send_drop(here, data, pixel(here, *place))


def send_drop(here, data: QMimeData, at: tuple[float, float]) -> None:
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    spot = QPointF(*at)
    enter = QDragEnterEvent(spot.toPoint(), copy, data, left, none)
    QApplication.sendEvent(plot(here), enter)
    assert enter.isAccepted()
    QApplication.sendEvent(plot(here), QDragMoveEvent(spot.toPoint(), copy, data, left, none))
    QApplication.sendEvent(plot(here), QDropEvent(spot, copy, data, left, none))
    here.user.settle()


def new_space(here, kind: str) -> None:
    here.user.click("newBlendSpace" if here.user.visible("newBlendSpace") else "emptyButton")
    here.user.choose_in_popup(kind)


def space(here) -> BlendSpace:
    return here.session.feature(Blending).spaces.committed


def ring(here, *place: float) -> tuple[float, float]:
    """A pixel on the ring round the sample that stands at a place."""
    x, y = pixel(here, *place)
    return x + RING, y


def arm(here) -> float:
    """Degrees by which the left arm of the pose drawn is bent."""
    skeleton = here.session.rig.skeleton
    q = here.session.evaluator.pose().rotations[skeleton.index("upper_arm_l")]
    return float(np.degrees(2.0 * np.arctan2(q[2], q[3])))


def build_plane(here) -> None:
    new_space(here, "2D (two axes)")
    drop_clip(here, "idle", 0.0, 0.5)
    drop_clip(here, "walk", -90.0, 3.0)
    drop_clip(here, "run", 90.0, 3.0)


def test_menu_of_the_empty_panel_opens_at_its_button(here):
    button = here.user.find("emptyButton")
    here.user.click(button)
    menu = QApplication.activePopupWidget()
    corner = button.mapToGlobal(button.rect().bottomLeft())
    assert (menu.pos() - corner).manhattanLength() <= 4
    here.user.press("Esc")


def test_first_use_says_what_to_do(here):
    assert here.user.visible("emptyButton")
    new_space(here, "1D (one axis)")
    assert [a.name for a in space(here).axes] == ["Speed"]
    assert here.user.visible("axisNameX") and not here.user.visible("axisNameY")
    assert not here.user.find("blendPlay").isEnabled()


@pytest.mark.view
def test_space_built_from_nothing_plays_in_the_view_and_is_undone(here):
    before = here.session.document.project
    still_picture = here.user.picture("viewport")
    build_plane(here)
    assert [s.clip for s in space(here).samples] == ["clip-idle", "clip-walk", "clip-run"]
    here.user.drag(plot(here), pixel(here, 30.0, 1.5), pixel(here, 88.0, 2.95))
    assert here.session.feature(Blending).live.on
    assert arm(here) > 50.0
    moved = here.user.picture("viewport")
    here.user.drag(plot(here), pixel(here, 30.0, 1.5), pixel(here, -60.0, 2.5))
    assert 20.0 < arm(here) < 45.0
    assert (here.user.picture("viewport") != moved).any() and (moved != still_picture).any()
    labels = here.session.history.labels
    assert labels[-1] == "Add run to Blend 2D" and len(labels) == 4  # dragging the point is no step
    for _ in labels:
        here.user.press("Ctrl+Z")
    assert same_value(dict(here.session.document.project.assets), dict(before.assets))
    assert not here.session.feature(Blending).live.on


def test_point_and_fields_follow_each_other(here):
    build_plane(here)
    here.user.drag(plot(here), pixel(here, 0.0, 1.0), pixel(here, 45.0, 2.0))
    x, y = here.user.find("pointX"), here.user.find("pointY")
    assert x.value == pytest.approx(45.0, abs=2.0) and y.value == pytest.approx(2.0, abs=0.05)
    here.user.type_into(y, "3.25")
    assert here.session.feature(Blending).live.point[1] == 3.25


def test_point_cannot_leave_the_axes_and_escape_takes_a_drag_back(here):
    build_plane(here)
    live = here.session.feature(Blending).live
    here.user.drag(plot(here), pixel(here, 0.0, 1.0), (-200, -300))
    assert live.point == (-180.0, 4.0)
    here.user.press_mouse(plot(here), pixel(here, 20.0, 1.0))
    here.user.move_held(pixel(here, 50.0, 2.0))
    here.user.press("Esc")
    here.user.release_mouse(pixel(here, 50.0, 2.0))
    assert live.point == (-180.0, 4.0)


@pytest.mark.parametrize("how", ["ring", "alt"])
def test_sample_is_dragged_by_its_ring_or_with_alt_in_one_step(here, how):
    build_plane(here)
    before, point = space(here), here.session.feature(Blending).live.point
    steps = len(here.session.history.labels)
    start = ring(here, 90.0, 3.0) if how == "ring" else pixel(here, 90.0, 3.0)
    end = np.add(start, np.subtract(pixel(here, 120.0, 2.0), pixel(here, 90.0, 3.0)))
    here.user.drag(plot(here), start, tuple(end), modifiers=ALT if how == "alt" else NONE)
    assert space(here).samples[2].place == pytest.approx((120.0, 2.0), abs=3.0)
    assert here.session.history.labels[steps:] == ("Move run in Blend 2D",)
    assert here.session.feature(Blending).live.point == point
    here.user.press("Ctrl+Z")
    assert space(here) is before


@pytest.mark.parametrize("modifiers", [NONE, SHIFT])
def test_drag_from_a_samples_dot_moves_the_point_and_not_the_sample(here, modifiers):
    build_plane(here)
    before, steps = space(here), here.session.history.labels
    here.user.drag(plot(here), pixel(here, 90.0, 3.0), pixel(here, 120.0, 2.0), modifiers=modifiers)
    assert space(here) is before and here.session.history.labels == steps
    assert here.session.feature(Blending).live.point == pytest.approx((120.0, 2.0), abs=3.0)


def test_clock_goes_on_with_the_hand_and_by_itself_where_it_rests(here, monkeypatch):
    """Two pictures for one move of the point, of the clock's and of its own, would make a drag stutter."""
    build_plane(here)
    live, ticks = here.session.feature(Blending).live, []
    here.user.click(plot(here), pixel(here, 20.0, 2.0))
    assert live.running
    monkeypatch.setattr(widget, "RESTS", 60_000)
    here.user.press_mouse(plot(here), pixel(here, 30.0, 2.0))
    live.changed.connect(lambda _: ticks.append(live.point))  # up to the press the clock runs
    here.user.move_held(pixel(here, 40.0, 2.0))
    end = time.monotonic() + 0.2
    here.user.until(lambda: time.monotonic() > end)
    drawn = len(ticks)
    assert 1 <= drawn <= 4, "the clock ran on under the hand"
    monkeypatch.setattr(widget, "RESTS", 50)
    here.user.move_held(pixel(here, 50.0, 2.0))
    here.user.wait_until(lambda: len(ticks) > drawn + 5, "the clock stands still where the hand rests")
    here.user.release_mouse(pixel(here, 50.0, 2.0))


def test_point_on_a_sample_wins_against_its_dot_and_shift_against_its_ring(here):
    build_plane(here)
    before, live = space(here), here.session.feature(Blending).live
    live.set_point((90.0, 3.0))
    here.user.drag(plot(here), pixel(here, 90.0, 3.0), pixel(here, 60.0, 2.0))
    assert live.point == pytest.approx((60.0, 2.0), abs=3.0)
    here.user.drag(plot(here), ring(here, 90.0, 3.0), pixel(here, 30.0, 1.0), modifiers=SHIFT)
    assert live.point == pytest.approx((30.0, 1.0), abs=3.0)
    assert space(here) is before


def test_click_on_a_samples_dot_selects_it_and_previews_exactly_it(here):
    build_plane(here)
    x, y = pixel(here, 90.0, 3.0)
    here.user.click(plot(here), (x + 4, y - 3))
    panel = here.window.docks["blend_space"].body.panel
    assert here.session.feature(Blending).live.point == (90.0, 3.0) and panel.model.selected == 2


def test_hover_shows_the_ring_and_says_what_a_drag_does(here):
    build_plane(here)
    bare = here.user.picture("blendPlot")
    here.user.move(plot(here), ring(here, 90.0, 3.0))
    assert "ring" in here.window.status._tip
    assert plot(here).cursor().shape() is Qt.CursorShape.SizeAllCursor
    x, y = ring(here, 90.0, 3.0)
    around = (slice(round(y) - 2, round(y) + 3), slice(round(x) - 2, round(x) + 3))
    assert (here.user.picture("blendPlot")[around] != bare[around]).any()
    here.user.move(plot(here), pixel(here, 20.0, 2.0))
    assert "moves the point" in here.window.status._tip


def test_newcomers_first_drag_in_each_shipped_space_moves_the_point_and_no_sample(qapp):
    with stage(qapp, *PANELS, project=lambda: load(sample_path()).project) as here:
        here.window.layouts.use("blend")
        here.window.show_panel("blend_space")
        for name, id in SHIPPED.items():
            here.session.feature(Blending).spaces.open(id)
            here.user.settle()
            live, before = here.session.feature(Blending).live, space(here)
            assert before.name == name
            start = live.point
            away = tuple(a.minimum + 0.7 * a.extent for a in before.axes)
            near = pytest.approx(away, abs=0.02 * max(a.extent for a in before.axes))
            here.user.drag(plot(here), pixel(here, *start), pixel(here, *away))
            assert live.point == near, name
            assert space(here) is before and not here.session.document.dirty, name
            for sample in before.samples[:5]:  # and by every dot that the newcomer may take for the point
                here.user.drag(plot(here), pixel(here, *sample.place), pixel(here, *away), steps=2)
                assert live.point == near, (name, sample)
            assert space(here) is before and not here.session.document.dirty, name
            live.stop()


def test_sample_drag_is_shown_at_once_and_escape_leaves_no_trace(here):
    build_plane(here)
    before, labels = space(here), here.session.history.labels
    here.user.press_mouse(plot(here), ring(here, 90.0, 3.0))
    here.user.move_held(pixel(here, 100.0, 2.0))
    here.user.move_held(pixel(here, 110.0, 1.5))
    assert here.session.feature(Blending).spaces.current.samples[2].place[1] < 2.0
    here.user.press("Esc")
    here.user.release_mouse(pixel(here, 110.0, 1.5))
    assert here.session.feature(Blending).spaces.current is before and here.session.history.labels == labels


def test_sample_on_another_is_refused(here):
    build_plane(here)
    here.user.click("blendSnap")
    before = space(here)
    assert all(axis.snap for axis in before.axes)
    drop_clip(here, "walk", 45.0, 1.02)
    drop_clip(here, "run", 47.0, 0.98)  # snaps to the same grid point
    assert len(space(here).samples) == len(before.samples) + 1
    assert "one place" in here.session.messages.latest.text


def test_delete_removes_the_chosen_sample_and_keys_nudge_the_point(here):
    build_plane(here)
    here.user.click(plot(here), pixel(here, 90.0, 3.0))
    here.user.press("Del")
    assert [s.clip for s in space(here).samples] == ["clip-idle", "clip-walk"]
    here.user.click(plot(here), pixel(here, 0.0, 2.0))
    live = here.session.feature(Blending).live
    before = live.point
    here.user.press("Right")
    assert live.point[0] == pytest.approx(before[0] + 3.6)
    here.user.press("Up")
    here.user.press("Shift+Up")
    assert live.point[1] == pytest.approx(before[1] + 0.044)


def test_a_smoothing_time_is_set_with_smoothing_alone(here):
    build_plane(here)
    kind, time = here.user.find("axisSmoothingX"), here.user.find("axisSmoothTimeX")
    assert kind.currentText() == "None" and not time.isEnabled()
    for key, words, on in (
        ("Down", "Average", True),
        ("Down", "Linear", True),
        ("Up", "Average", True),
        ("Up", "None", False),
    ):
        here.user.press(key, kind)
        assert kind.currentText() == words and time.isEnabled() is on


def test_weights_by_triangles_are_switched_by_the_box(here):
    build_plane(here)
    box = here.user.find("blendTriangles")
    here.window.docks["blend_space"].body.panel.scroller.ensureWidgetVisible(box)
    here.user.settle()
    here.user.click(box, (8, 8))
    assert space(here).kind is SpaceKind.TRIANGLES
    here.user.press("Ctrl+Z")
    assert space(here).kind is SpaceKind.GRID and not box.isChecked()


def test_double_click_edits_the_numbers_of_a_sample(here):
    build_plane(here)
    here.user.click(plot(here), pixel(here, 90.0, 3.0), double=True)
    here.user.press("Ctrl+A")
    here.user.type("75")
    here.user.press("Return")
    assert space(here).samples[2].place == (75.0, 3.0)
    here.user.click(plot(here), pixel(here, 75.0, 3.0), double=True)
    here.user.type_into("sampleY", "2.5")
    assert space(here).samples[2].place == (75.0, 2.5)


@pytest.mark.view
def test_space_key_plays_and_stops_the_blend_wherever_the_mouse_is(here):
    build_plane(here)
    live = here.session.feature(Blending).live
    here.user.click(plot(here), pixel(here, 0.0, 2.0))
    assert live.running
    here.user.press("Space")
    assert live.on and not live.running
    here.user.move("viewport")
    here.user.press("Space")
    assert live.running and not here.session.playback.playing


def test_picking_a_clip_shows_the_clip_again(here):
    build_plane(here)
    here.user.click(plot(here), pixel(here, 0.0, 2.0))
    here.user.click_row("clips", "run")
    assert not here.session.feature(Blending).live.on and here.session.display.source is None
    assert arm(here) == pytest.approx(60.0)


def test_clicking_the_clip_that_is_current_shows_it_again(here):
    build_plane(here)
    current = here.session.clip
    here.user.click(plot(here), pixel(here, 60.0, 2.0))
    assert here.session.feature(Blending).live.on
    here.user.click_row("clips", current.name)
    assert not here.session.feature(Blending).live.on and here.session.display.source is None
    assert here.session.clip is current


@pytest.mark.parametrize("button", ["blendStop", "stopPreview"])
@pytest.mark.view
def test_stop_the_preview_is_visible_while_there_is_one(here, button):
    build_plane(here)
    assert not here.user.visible(button)
    before = plot(here).mapTo(here.window, plot(here).rect().topLeft())
    here.user.click(plot(here), pixel(here, 60.0, 2.0))
    assert here.user.find(button).text() == "Stop the preview"
    assert plot(here).mapTo(here.window, plot(here).rect().topLeft()) == before, "it moves nothing"
    here.user.click(button)
    assert not here.session.feature(Blending).live.on and not here.user.visible(button)


def test_only_the_left_buttons_double_click_edits_a_sample(here):
    build_plane(here)
    asked: list[int] = []
    plot = here.user.find("blendPlot")
    plot.edit_wanted.connect(lambda number, place: asked.append(number))
    middle = plot.rect().center()
    here.user.click(plot, middle, MIDDLE, double=True)
    assert not asked
    here.user.click(plot, middle, double=True)
    assert asked


def test_another_panels_things_show_the_clip_again(qapp):
    with stage(qapp, "clips", "blend_space", "bone_tree", "timeline", project=project) as here:
        here.window.layouts.use("blend")
        here.window.show_panel("blend_space")
        here.user.settle()
        build_plane(here)
        live = here.session.feature(Blending).live

        def leaves(act) -> bool:
            live.start()
            act()
            here.user.settle()
            return not live.on

        here.window.show_panel("bone_tree")
        assert leaves(lambda: here.user.click_row("bones", "hand_l"))
        assert leaves(lambda: here.user.click_row("bones", "hand_l")), "selected already"
        assert leaves(lambda: here.user.click("timelineTracks", (400, 60)))
        assert not leaves(lambda: here.user.move("timelineTracks", (300, 40)))
        assert not leaves(lambda: here.user.click("boneSearch")), "a field is nothing of the clip"
        assert leaves(lambda: here.session.evaluator.layers.__setattr__("shown", False))


def test_analyse_places_samples_by_their_measured_speed(here):
    new_space(here, "1D (one axis)")
    for name, at in (("idle", 1.0), ("walk", 3.0), ("run", 2.0)):
        drop_clip(here, name, at)
    here.user.click("blendAnalyse")
    assert [s.place for s in space(here).samples] == [(0.0,), (1.5,), (3.5,)]


def test_recorded_path_is_replayed_and_baked_to_a_clip(here):
    build_plane(here)
    live = here.session.feature(Blending).live
    here.user.click("blendRecord")
    here.user.press_mouse(plot(here), pixel(here, -60.0, 2.0))
    for step in range(11):
        here.user.move_held(pixel(here, -60.0 + 12 * step, 2.0))
        live.tick(100.0 + 0.1 * step)
    here.user.release_mouse(pixel(here, 60.0, 2.0))
    here.user.click("blendRecord")
    assert live.recorder.path is not None and live.recorder.path.points[:, 0].max() == pytest.approx(
        60.0, abs=3.0
    )
    here.user.click("blendBake")
    here.user.choose_in_popup("Recorded path to a clip")
    baked = here.session.document.project.clip_named("Blend 2D path")
    assert baked.length == pytest.approx(float(live.recorder.path.times[-1]), abs=1e-6)
    here.user.press("Ctrl+Z")
    assert baked.id not in here.session.document.project.assets


def test_aim_offset_refuses_a_clip_that_is_not_additive_and_converts_it_in_one_click(here):
    new_space(here, "Aim offset (yaw, pitch)")
    drop_clip(here, "idle", 0.0, 0.0)
    assert space(here).samples == ()
    assert "not additive" in here.user.find("blendReason").text()
    before = here.session.document.project
    here.user.click("convertClip")
    assert [s.clip for s in space(here).samples] == ["clip-idle"]
    additive = here.session.document.project.get(Clip, AssetId("clip-idle")).additive
    assert additive.space is AdditiveSpace.MODEL and additive.base is AdditiveBase.FRAME
    assert not here.user.visible("convertClip")
    here.user.press("Ctrl+Z")
    assert same_value(dict(here.session.document.project.assets), dict(before.assets))


def test_the_clip_that_an_aim_offset_is_added_to_is_chosen_in_its_box(here):
    new_space(here, "Aim offset (yaw, pitch)")
    box, before = here.user.find("aimBase"), space(here).base_clip
    here.window.docks["blend_space"].body.panel.scroller.ensureWidgetVisible(box)
    here.user.settle()
    here.user.click(box)
    here.user.press("End")
    here.user.press("Return")
    chosen = space(here).base_clip
    assert chosen not in (None, before) and box.currentData() == chosen
    assert box.currentText() == here.session.document.project.get(Clip, chosen).name
    here.user.press("Ctrl+Z")
    assert space(here).base_clip == before == box.currentData()


@pytest.mark.view
def test_aim_drag_in_the_viewport_turns_the_aim(here):
    new_space(here, "Aim offset (yaw, pitch)")
    for name, place in (("idle", (0.0, 0.0)), ("walk", (-90.0, 0.0)), ("run", (90.0, 0.0))):
        drop_clip(here, name, *place)
        here.user.click("convertClip")
    here.user.click("blendAim")
    live = here.session.feature(Blending).live
    assert live.on
    at_rest = arm(here)
    view = here.user.find("viewport")
    middle = (view.width() / 2, view.height() / 2)
    here.user.drag(view, middle, (middle[0] + 100, middle[1] - 50))
    assert live.point == pytest.approx((40.0, 20.0), abs=0.5)
    assert arm(here) > at_rest + 15.0
    here.user.press_mouse(view, middle)
    here.user.move_held((middle[0] + 60, middle[1]))
    here.user.press("Esc")
    assert live.point == pytest.approx((40.0, 20.0), abs=0.5)
    here.user.release_mouse(middle)


@pytest.mark.view
def test_nothing_is_keyed_while_a_blend_is_shown(here):
    build_plane(here)
    here.user.click(plot(here), pixel(here, 60.0, 2.0))
    before = here.session.document.project
    here.user.move("viewport")
    here.user.press("Shift+S")
    assert here.session.document.project is before
    assert "not the clip" in here.session.messages.latest.text


def test_slip_map_says_where_feet_slide(here):
    new_space(here, "1D (one axis)")
    for name, at in (("idle", 0.0), ("run", 3.5)):
        drop_clip(here, name, at)
    here.user.click("blendSlip")
    here.user.wait_until(
        lambda: here.session.feature(Blending).live is not None and not here.session.jobs.running
    )
    here.user.settle()
    panel = here.window.docks["blend_space"].body.panel
    assert panel.model.slip is not None
    here.user.click("blendSlip")
    assert panel.model.slip is None

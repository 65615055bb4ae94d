"""Cameras, hover, switches, playing and what is written over the picture."""

import numpy as np
import pytest

import core.io
from core.rig.mesh import Mesh
from editor.gl import camera as cameras
from editor.gl.api import GL
from editor.gl.axis_widget import bubbles
from editor.gl.camera import View, view_name
from editor.gl.draw_list import AxisWidget, BoneState
from editor.gl.gizmo import Handle
from editor.model.session import Session
from editor.panels.viewport.overlay import FLASH
from editor.panels.viewport.panel import PANEL
from editor.shell.documents import sample_path
from editor.tools.state import Setup, Space, Tool
from tests.editor.panel_stage import Stage
from tests.editor.panels.viewport.test_viewport_posing import Scene
from tests.editor.user import ALT, CTRL, MIDDLE, RIGHT, SHIFT, User


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


@pytest.mark.parametrize(
    ("button", "modifiers", "moved"),
    [
        (MIDDLE, None, "orbit"),
        (MIDDLE, SHIFT, "pan"),
        (MIDDLE, CTRL, "zoom"),
        (None, ALT, "orbit"),
        (MIDDLE, ALT, "pan"),
        (RIGHT, ALT, "zoom"),
    ],
)
def test_both_habits_of_navigation_work(scene, button, modifiers, moved):
    before = scene.model.camera
    options = {
        key: value for key, value in (("button", button), ("modifiers", modifiers)) if value is not None
    }
    scene.user.drag(scene.view, (200, 300), (260, 340), **options)
    after = scene.model.camera
    assert (after.yaw != before.yaw) == (moved == "orbit")
    assert (after.target != before.target) == (moved in ("pan", "zoom"))
    assert (after.distance != before.distance) == (moved == "zoom")
    assert scene.session.selection.bones == ()


def test_wheel_keeps_what_is_under_the_cursor(scene):
    pixel = scene.bone_pixel("head", 0.0)
    far = scene.model.camera.distance
    scene.user.wheel(scene.view, 2, pixel)
    assert scene.model.camera.distance < far
    near = scene.bone_pixel("head", 0.0)
    assert np.linalg.norm(np.subtract(near, pixel)) < 12


def test_frame_key_makes_the_selection_the_orbit_centre(scene):
    scene.user.move(scene.view, (350, 200))
    scene.session.selection.select(["foot_r"])
    scene.user.press("F")
    place = scene.model.matrices()[scene.session.rig.skeleton.index("foot_r"), :3, 3]
    assert np.linalg.norm(np.array(scene.model.camera.target) - place) < 0.2
    scene.user.press("A")
    assert scene.model.camera.target[1] > 0.5


def test_axis_widget_clicked_looks_along_that_axis(scene):
    middles, _ = bubbles(AxisWidget(), scene.model.camera, scene.view.view_size)
    scene.user.click(scene.view, tuple(middles[0]))
    assert view_name(scene.model.camera) is View.LEFT and scene.model.camera.orthographic
    scene.user.settle()
    assert "Left" in scene.panel.overlay.lines.view
    scene.user.drag(scene.view, (200, 300), (260, 320), button=MIDDLE)
    assert not scene.model.camera.orthographic


def test_number_pad_takes_standard_views(scene):
    scene.stage.actions.run("view.top")
    assert view_name(scene.model.camera) is View.TOP
    scene.stage.actions.run("view.orthographic")
    assert not scene.model.camera.orthographic


def test_tool_keys_take_tools_and_cycle_their_space(scene):
    scene.user.move(scene.view, (350, 200))
    scene.user.press("W")
    assert scene.stage.tools.setup.tool is Tool.MOVE
    space = scene.stage.tools.setup.space
    scene.user.press("W")
    assert scene.stage.tools.setup.space is not space
    scene.user.press("Q")
    assert scene.stage.tools.setup.tool is Tool.SELECT
    scene.user.settle()
    assert scene.panel.overlay.lines.tool == "Select"


def test_pointer_over_a_bone_and_a_handle_lights_them_up(scene):
    scene.user.move(scene.view, scene.bone_pixel("calf_l"))
    bone = scene.session.rig.skeleton.index("calf_l")
    assert scene.session.selection.hover == "calf_l"
    assert scene.model.draw_list().bones.states[bone] == BoneState.HOVER
    assert "calf_l" in [name for name, _, _ in scene.model.scene.names()]
    scene.session.selection.select(["head"])
    scene.user.settle()
    scene.user.move(scene.view, scene.handle_pixel(Handle.Z, 0.3))
    assert scene.model.gizmo().hovered is Handle.Z


def test_click_on_a_forearm_takes_it_before_its_twist_bone_and_cycles(qapp):
    """The shipped sample, whose forearms have a twist bone halfway, clicked right where that one is drawn."""
    project = core.io.load(sample_path()).project
    session = Session.create()
    session.document.replace(project, None)
    session.playback.set_clip(project.clips[0].id, project.rigs[0].id)
    stage = Stage(qapp, session)
    try:
        panel = stage.add(PANEL.create(stage.context))
        stage.show(700, 480)
        user = User(stage.window)
        stage.tools.set(Setup(Tool.SELECT))
        for limb, twist in (("lower_arm_l", "lower_arm_twist_01_l"), ("thigh_r", "thigh_twist_01_r")):
            rig, matrices = panel.model.rig, panel.model.matrices()
            bone = rig.skeleton.index(twist)
            tail = (matrices[bone] @ [*panel.model.character.tips(rig.skeleton)[bone], 1.0])[:3]
            place = (matrices[bone][:3, 3] + tail) / 2
            pixel, _ = cameras.project(panel.model.camera, place, panel.view.view_size)
            taken = []
            for _ in range(2):
                user.click(panel.view, (float(pixel[0]), float(pixel[1])))
                taken += session.selection.bones
            assert taken == [limb, twist]
    finally:
        stage.close(qapp)


def test_x_axis_shows_the_side_that_the_characters_left_hand_is_on(scene):
    """Seen along its own left, the character's left hand is nearer than its right one."""
    scene.stage.actions.run("view.left")
    scene.user.settle()
    rig, matrices = scene.model.rig, scene.model.matrices()
    places = [matrices[rig.skeleton.index(f"upper_arm_{side}"), :3, 3] for side in "lr"]
    _, depth = cameras.project(scene.model.camera, np.array(places), scene.view.view_size)
    assert depth[0] < depth[1]


def test_repeated_click_walks_through_bones_that_overlap(scene):
    scene.stage.tools.set(Setup(Tool.SELECT))
    scene.stage.actions.run("view.left")
    scene.user.settle()
    place = scene.bone_pixel("calf_l")
    seen = set()
    for _ in range(3):
        scene.user.click(scene.view, place)
        seen |= set(scene.session.selection.bones)
    assert {"calf_l", "calf_r"} <= seen


def test_mesh_clicked_selects_the_bone_that_moves_it_even_without_bones(scene):
    scene.user.click("show_bones")
    assert not scene.session.switches["bones"] and scene.model.draw_list().bones is None
    scene.user.click(scene.view, scene.bone_pixel("calf_r", 0.5))
    assert scene.session.selection.bones == ("calf_r",)


def test_switches_take_things_from_the_picture_and_bring_them_back(scene):
    full = scene.user.picture(scene.view)
    for name in ("mesh", "bones", "grid"):
        scene.user.click(f"show_{name}")
        assert not np.array_equal(scene.user.picture(scene.view), full)
        scene.user.click(f"show_{name}")
    scene.user.move(scene.view, (5, 470))
    assert scene.session.switches["mesh"] and scene.model.draw_list().meshes


def test_picture_follows_a_change_of_the_pose(scene):
    before = scene.user.picture(scene.view)
    scene.session.playback.seek(20 / 30)
    after = scene.user.picture(scene.view)
    assert (before != after).any()


def test_playing_moves_time_hides_the_gizmo_and_stops_the_clock_after(scene):
    scene.session.selection.select(["head"])
    scene.user.settle()
    assert scene.model.gizmo() is not None
    scene.session.playback.play()
    scene.user.wait_until(lambda: scene.session.playback.time > 0.05, "time stands still")
    assert scene.model.gizmo() is None and scene.panel._timer.isActive()
    scene.session.playback.pause()
    scene.user.settle()
    assert not scene.panel._timer.isActive() and scene.model.gizmo() is not None


def test_red_frame_shows_only_while_auto_key_is_on(scene):
    def edge():
        return scene.user.picture(scene.view)[240, 0, :3].astype(int)

    red = edge()
    assert red[0] - red[2] > 45
    moment = scene.panel.overlay._flash
    moment.setInterval(600_000)  # however long a busy machine takes for the picture
    scene.panel.overlay.flash()
    full = edge()
    assert full[0] - full[2] > 120
    moment.setInterval(FLASH)
    scene.user.wait_until(lambda: edge()[0] < full[0] - 40, "the frame stays in full red")
    scene.session.keying.auto = False
    grey = edge()
    assert grey[0] - grey[2] < 40


def test_resting_view_draws_nothing_again(scene):
    drawn = []
    scene.view.drawn.connect(drawn.append)
    scene.session.selection.select(["head"])
    scene.user.settle()
    assert drawn
    drawn.clear()
    scene.session.selection.select(["head"])
    for _ in range(5):
        scene.user.settle()
    assert drawn == []


def test_many_changes_in_one_turn_are_drawn_once(scene):
    drawn = []
    scene.view.drawn.connect(drawn.append)
    for frame in range(30):
        scene.session.playback.seek(frame / 30)
    scene.user.settle()
    assert len(drawn) <= 2


def test_k_held_scrubs_from_the_present_frame(scene):
    scene.session.playback.seek(10 / 30)
    scene.user.move(scene.view, (300, 300))
    with scene.user.holding("K"):
        scene.user.drag(scene.view, (300, 300), (360, 300))
    assert scene.session.playback.frame == pytest.approx(20.0)


def test_view_space_gizmo_turns_with_the_camera(scene):
    scene.stage.tools.set(Setup(Tool.MOVE, move_space=Space.VIEW))
    scene.session.selection.select(["head"])
    scene.user.settle()
    before = scene.model.gizmo().axes
    scene.user.drag(scene.view, (200, 300), (280, 300), button=MIDDLE)
    assert not np.allclose(scene.model.gizmo().axes, before)
    assert scene.model.draw_list().gizmo == scene.model.gizmo()


def test_theme_changed_redraws_in_its_colours(scene):
    before = scene.user.picture(scene.view)[300, 30, :3].astype(int)
    scene.stage.theme.use("light")
    after = scene.user.picture(scene.view)[300, 30, :3].astype(int)
    scene.stage.theme.use("dark")
    assert after.sum() > before.sum() + 200


def test_rig_without_mesh_and_mesh_without_clip_are_shown(qapp):
    from editor.panels.viewport.panel import PANEL
    from tests.editor.panel_stage import Stage, small_session
    from tests.editor.user import User

    for mesh, clip in ((False, True), (True, False)):
        stage = Stage(qapp, small_session(mesh, clip))
        panel = stage.add(PANEL.create(stage.context))
        stage.show(400, 300)
        User(stage.window)
        assert bool(panel.model.draw_list().meshes) is mesh
        assert panel.overlay.lines.title == ("swing" if clip else "No clip")
        stage.close(qapp)


def test_heads_up_line_goes_by_its_switch(scene):
    def plate():
        return scene.user.picture(scene.view)[16:60, 20:150]

    shown = plate()
    scene.session.switches.set("heads_up", False)
    assert not np.array_equal(plate(), shown)


def test_another_clip_shown_during_a_drag_takes_the_drag_back(scene):
    scene.session.selection.select(["head"])
    scene.user.settle()
    start = scene.handle_pixel(Handle.Z, 0.3)
    scene.user.drag(scene.view, start, (start[0] + 20, start[1] + 30), release=False)
    assert scene.session.preview.active
    scene.session.clips.new("other")
    assert not scene.session.preview.active and scene.model.gestures.current is None
    scene.user.release_mouse((start[0] + 20, start[1] + 30))
    assert scene.session.history.labels == ("New clip other",)


def test_panel_closed_leaves_nothing_listening(qapp):
    from editor.panels.viewport.panel import PANEL
    from tests.editor.panel_stage import Stage
    from tests.editor.user import User

    stage = Stage(qapp)
    events = (stage.session.evaluator.changed, stage.session.playback.time_changed, stage.tools.changed)
    before = [len(event) for event in events]
    panel = stage.add(PANEL.create(stage.context))
    stage.show(400, 300)
    user = User(stage.window)
    panel.close()
    panel.setParent(None)
    panel.deleteLater()
    user.settle()
    assert [len(event) for event in events] == before
    stage.panels.clear()
    stage.close(qapp)


def test_bones_are_drawn_in_full_only_near_the_pointer(scene):
    scene.user.move(scene.view, scene.bone_pixel("calf_l"))
    rig, near = scene.session.rig, scene.model.draw_list().bones.near
    assert near[rig.skeleton.index("calf_l")] and not near[rig.skeleton.index("head")]
    scene.user.move(scene.view, (40, 300))
    assert scene.model.draw_list().bones.near is None
    assert scene.session.selection.hover is None


def test_part_of_the_body_under_the_pointer_glows_and_a_click_takes_its_bone(scene):
    """Beside the drawn bones, where only the skin is."""
    scene.user.click("show_bones")
    pixel = scene.bone_pixel("calf_r", 0.5)
    scene.user.move(scene.view, pixel)
    assert scene.session.selection.hover == "calf_r"
    lit = scene.model.draw_list().meshes[0].region
    assert lit is not None and 0.0 < lit.mean() < 0.5
    scene.user.click(scene.view, pixel)
    assert scene.session.selection.bones == ("calf_r",)
    scene.user.move(scene.view, (40, 300))
    assert scene.model.draw_list().meshes[0].region is None


def test_graphics_traffic_tells_what_a_picture_asks_of_the_driver(scene, qapp):
    """Turning the camera over a still character sends no mesh again and reads nothing back."""
    assert scene.view.traffic is None and not scene.panel.overlay.lines.traffic
    scene.session.switches.set("traffic", True)
    scene.user.settle()
    assert scene.view.traffic.draws > 3  # a still view tells at once
    scene.user.drag(scene.view, (200, 300), (230, 300), button=MIDDLE)
    scene.user.settle()
    found = scene.view.traffic
    assert found.calls > found.draws > 3
    assert found.read_back == 0
    vertices = sum(mesh.positions.nbytes for mesh in scene.session.document.project.all(Mesh))
    assert 0 <= found.uploaded < vertices
    assert f"{found.calls} calls · {found.draws} draws" in scene.panel.overlay.lines.traffic
    scene.session.switches.set("traffic", False)
    scene.user.settle()
    assert scene.view.traffic is None and not scene.panel.overlay.lines.traffic
    assert GL.glDrawArrays.__name__ != "counted"

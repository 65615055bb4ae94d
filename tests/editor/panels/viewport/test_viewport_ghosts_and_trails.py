"""Onion skin and motion trails: live while dragging, dots that can be dragged."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.math.paths import curvature, velocity
from editor.gl import camera as cameras
from editor.gl.gizmo import Handle, handle_at, parts
from editor.model.blocking import Blocking
from editor.panels.viewport.ghosts import GhostOptions, ghost_times
from editor.panels.viewport.panel import PANEL
from editor.tools.state import Setup, Tool
from tests.editor.panel_stage import Stage
from tests.editor.rigs import small_project
from tests.editor.stage import stage
from tests.editor.user import User


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.panel = self.stage.add(PANEL.create(self.stage.context))
        self.stage.show(700, 480)
        self.user, self.session = User(self.stage.window), self.stage.session
        self.model, self.view = self.panel.model, self.panel.view

    def at(self, frame: float) -> None:
        self.session.playback.seek(frame / 30)
        self.user.settle()

    def select(self, *bones: str) -> None:
        self.session.selection.select(bones)
        self.user.settle()

    def dot(self, bone: str, frame: int) -> tuple[float, float]:
        """Where a trail's dot is seen."""
        drawn = self.model.scene.trails._trails(self.model.rig)
        place = drawn.places[drawn.bones.index(bone), int(np.argmin(np.abs(drawn.times - frame / 30)))]
        pixel, _ = cameras.project(self.model.camera, place, self.view.view_size)
        return float(pixel[0]), float(pixel[1])

    def trail_colors(self) -> np.ndarray:
        """Colors ``(B, T, 3)`` of the trails' lines, at their frames but the last."""
        lines = self.model.draw_list().shapes[0]
        ends = lines.colors.reshape(len(self.session.selection.bones), -1, 2, 4)[..., :3]
        return np.concatenate([ends[:, :, 0], ends[:, -1:, 1]], axis=1)

    def place_at(self, bone: str, frame: float) -> np.ndarray:
        session = self.session
        pose = session.evaluator.sampled_pose(frame / 30)
        from core.pose import kinematics

        skeleton = session.rig.skeleton
        return kinematics.to_model(skeleton, pose.local).translation[skeleton.index(bone)]


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


# ---------------------------------------------------------------- ghosts


def test_shift_g_shows_ghosts_before_and_after_that_fade(scene):
    scene.at(20)
    scene.user.move(scene.view, (40, 300))
    scene.user.press("Shift+G")
    ghosts = scene.model.draw_list().ghosts
    assert len(ghosts) == 10
    before, after = scene.model.scene.ghosts.tints
    tints = [ghost.tint for ghost in ghosts]
    assert {t[:3] for t in tints[:5]} == {before[:3]} and {t[:3] for t in tints[5:]} == {after[:3]}
    assert tints[0][3] < tints[4][3] and tints[5][3] < tints[9][3]
    assert min(tint[3] for tint in tints) > 0.3, "the farthest stands out the most and must be seen"
    assert min(ghost.behind for ghost in ghosts) > 0.02, "what nearly coincides leaves no specks"
    scene.user.press("Shift+G")
    assert scene.model.draw_list().ghosts == ()


def test_ghosts_beyond_the_ends_are_left_out_and_a_loop_goes_round(scene):
    scene.at(2)
    times, near = ghost_times(scene.session, GhostOptions())
    assert len(times) == 7 and (near < 0).sum() == 2
    scene.session.clips.set_looping(scene.session.clip.id, True)
    times, near = ghost_times(scene.session, GhostOptions())
    assert len(times) == 10 and times.max() > 1.8


def test_ghosts_by_keys_stand_at_the_keys_of_the_selection(scene):
    scene.at(30)
    scene.select("upper_arm_l")
    times, _ = ghost_times(scene.session, GhostOptions(2, 1, by_keys=True))
    assert times * 30 == pytest.approx([0.0, 20.0, 40.0])


def test_ghosts_follow_a_drag_before_it_is_let_go(scene):
    scene.session.switches.set("ghosts", True)
    scene.at(20)
    scene.select("upper_arm_l")
    scene.stage.tools.set(Setup(Tool.ROTATE))
    scene.user.settle()
    before = scene.model.draw_list().ghosts
    part = next(
        p
        for p in parts(scene.model.gizmo(), scene.model.camera, scene.view.view_size)
        if p.handle is Handle.X
    )
    line = part.lines[len(part.lines) // 2]
    pixel, _ = cameras.project(scene.model.camera, line.mean(axis=0), scene.view.view_size)
    start = float(pixel[0]), float(pixel[1])
    during = []
    scene.user.drag(
        scene.view,
        start,
        (start[0] + 30, start[1] + 60),
        during=lambda: during.append(scene.model.draw_list().ghosts),
    )
    nearest = [ghosts[4].instance.matrices for ghosts in (before, during[0], scene.model.draw_list().ghosts)]
    assert np.abs(nearest[1] - nearest[0]).max() > 0.01
    assert nearest[2] == pytest.approx(nearest[1], abs=1e-3)


def test_ghosts_are_not_made_anew_when_only_the_pointer_moves(scene):
    scene.session.switches.set("ghosts", True)
    scene.at(20)
    first = scene.model.draw_list().ghosts
    scene.session.selection.set_hover("head")
    assert scene.model.draw_list().ghosts is not first or first
    assert all(a is b for a, b in zip(first, scene.model.draw_list().ghosts, strict=True))


# ---------------------------------------------------------------- trails


def test_trails_of_the_selection_have_a_dot_a_frame(scene):
    scene.user.move(scene.view, (40, 300))
    scene.user.press("Shift+T")
    assert scene.model.draw_list().shapes == ()
    scene.select("hand_l", "hand_r")
    lines, dots = scene.model.draw_list().shapes
    assert len(dots.points) == 2 * 61 and len(lines.points) == 2 * 60


def test_trails_are_colored_by_speed_and_curvature_by_key_and_menu(scene):
    scene.at(30)
    scene.select("hand_l", "head")
    scene.user.move(scene.view, (40, 300))
    scene.user.press("Shift+T")
    by_time = scene.model.draw_list().shapes[0].colors
    scene.user.press("Alt+Shift+T")
    assert scene.session.switches.trail_colors() == "speed"
    times = np.arange(61) / 30
    places = np.stack([[scene.place_at(bone, frame) for frame in range(61)] for bone in ("hand_l", "head")])
    speed = np.linalg.norm(velocity(places, times), axis=-1)
    colors, low, high = scene.trail_colors(), *np.array(scene.model.scene.trails.ramp)[[0, 2], :3]
    fastest = np.unravel_index(np.argmax(speed), speed.shape)
    assert colors[fastest] == pytest.approx(high)
    assert np.abs(colors[speed < 0.002 * speed.max()] - low).max() < 0.02
    scene.user.press("Alt+Shift+T")
    assert scene.session.switches.trail_colors() == "curvature"
    bends = curvature(places, times)
    straight = bends < 0.01 * np.quantile(bends, 0.95)
    assert straight.any() and np.abs(scene.trail_colors()[straight] - low).max() < 0.03
    assert scene.trail_colors()[np.unravel_index(np.argmax(bends), bends.shape)] == pytest.approx(high)
    scene.user.press("Alt+Shift+T")
    assert np.array_equal(scene.model.draw_list().shapes[0].colors, by_time)


def test_colors_of_trails_are_in_the_menu_and_show_them(qapp):
    with stage(qapp, "viewport") as here:
        switches = here.session.switches
        here.user.choose("View", "Show", "Color trails by speed")
        assert switches.trail_colors() == "speed" and switches["trails"]
        here.user.choose("View", "Show", "Color trails by curvature")
        assert switches.trail_colors() == "curvature"
        here.user.choose("View", "Show", "Color trails by curvature")
        assert switches.trail_colors() == "time" and switches["trails"]


def test_dot_under_the_pointer_tells_its_frame_and_speed(scene):
    scene.session.switches.set("trails", True)
    scene.at(30)
    scene.select("hand_l")
    scene.user.move(scene.view, scene.dot("hand_l", 10))
    places = np.array([scene.place_at("hand_l", frame) for frame in (9, 11)])
    speed = np.linalg.norm(places[1] - places[0]) * 15.0
    text, _ = scene.model.chip()
    assert text == f"frame 10 · {speed:.2f} m/s"
    assert scene.panel.overlay.chip[0] == text
    scene.user.move(scene.view, (40, 300))
    assert scene.model.chip() is None


def test_dot_dragged_brings_the_hand_there_at_its_own_frame_in_one_step(scene):
    session = scene.session
    session.switches.set("trails", True)
    scene.at(30)
    scene.select("hand_l")
    start, steps = scene.dot("hand_l", 10), session.history.position
    other = scene.place_at("lower_arm_l", 40)
    scene.user.drag(scene.view, start, (start[0] - 20, start[1] + 25))
    assert session.playback.frame == pytest.approx(10.0)
    assert session.history.position == steps + 1
    assert session.history.labels[-1] == "Drag trail of hand_l @ f10"
    now = scene.dot("hand_l", 10)
    assert now == pytest.approx((start[0] - 20, start[1] + 25), abs=2.0)
    keyed = {c.bone for c, t in session.clip.tracks.items() if np.isclose(t.times, 10 / 30, atol=1e-6).any()}
    assert keyed <= {"upper_arm_l", "lower_arm_l", "hand_l"} and keyed
    assert scene.place_at("lower_arm_l", 40) == pytest.approx(other)
    session.undo()
    assert scene.dot("hand_l", 10) == pytest.approx(start, abs=0.5)


def test_dot_of_a_trail_wins_over_the_ring_above_it(scene):
    session = scene.session
    session.switches.set("trails", True)
    scene.at(30)
    scene.select("hand_l")
    scene.stage.tools.set(Setup(Tool.ROTATE))
    scene.user.settle()
    start, gizmo = scene.dot("hand_l", 10), scene.model.gizmo()
    # As if a ring went through the dot: the gizmo is made so large that one does.
    rings = [
        (size, handle_at(replace(gizmo, size=size), scene.model.camera, scene.view.view_size, start))
        for size in range(8, 400, 2)
    ]
    size = next(size for size, handle in rings if handle in (Handle.X, Handle.Y, Handle.Z))
    scene.model.scene.gizmo = lambda: replace(gizmo, size=float(size))
    scene.user.move(scene.view, start)
    hovered = scene.model.scene.trails.hovered
    assert (hovered.bone, hovered.time) == ("hand_l", pytest.approx(10 / 30))
    assert scene.model.scene.handle is None
    scene.user.drag(scene.view, start, (start[0] - 10, start[1] + 15))
    assert session.history.labels[-1] == "Drag trail of hand_l @ f10"


def test_dot_drag_given_up_by_escape_goes_back_in_time_and_pose(scene):
    session = scene.session
    session.switches.set("trails", True)
    scene.at(30)
    scene.select("hand_l")
    project, pose = session.document.project, session.evaluator.pose()
    start = scene.dot("hand_l", 10)
    scene.user.drag(scene.view, start, (start[0], start[1] + 40), release=False)
    assert session.preview.pose is not None
    scene.user.press("Esc")
    scene.user.release_mouse((start[0], start[1] + 40))
    assert session.document.project is project
    assert session.playback.frame == pytest.approx(30.0)
    assert same_value(session.evaluator.pose(), pose)


def test_limb_reaches_as_far_as_its_bones(scene):
    from core.pose import kinematics
    from editor.tools.posing.trail import limb_above, pulled

    session = scene.session
    skeleton = session.rig.skeleton
    hand = skeleton.index("hand_l")
    pose = session.evaluator.pose()
    model = kinematics.to_model(skeleton, pose.local).translation
    for goal in (model[hand] + [-0.1, 0.1, 0.1], model[hand] + [5.0, 0.0, 0.0]):
        made, _ = pulled(skeleton, pose, hand, goal)
        after = kinematics.to_model(skeleton, made.local).translation
        for a, b in (("upper_arm_l", "lower_arm_l"), ("lower_arm_l", "hand_l")):
            i, j = skeleton.index(a), skeleton.index(b)
            assert np.linalg.norm(after[i] - after[j]) == pytest.approx(np.linalg.norm(model[i] - model[j]))
    assert pulled(skeleton, pose, hand, model[hand] + [-0.1, 0.1, 0.1])[1] == (
        *limb_above(skeleton, hand),
        hand,
    )
    near = kinematics.to_model(
        skeleton, pulled(skeleton, pose, hand, model[hand] + [-0.1, 0.1, 0.1])[0].local
    )
    assert near.translation[hand] == pytest.approx(model[hand] + [-0.1, 0.1, 0.1], abs=1e-6)


def test_body_moves_where_no_limb_carries_the_bone(scene):
    from core.pose import kinematics
    from editor.tools.posing.trail import pulled

    skeleton, pose = scene.session.rig.skeleton, scene.session.evaluator.pose()
    for name in ("pelvis", "thigh_l"):
        bone = skeleton.index(name)
        start = kinematics.to_model(skeleton, pose.local).translation[bone]
        made, bones = pulled(skeleton, pose, bone, start + [0.0, -0.1, 0.05])
        assert [skeleton.names[b] for b in bones] == ["pelvis"]
        after = kinematics.to_model(skeleton, made.local).translation[bone]
        assert after == pytest.approx(start + [0.0, -0.1, 0.05])


def test_character_without_a_mesh_has_ghosts_of_its_bones(scene):
    session = scene.session
    session.document.replace(small_project(mesh=False), None)
    session.switches.set("ghosts", True)
    scene.at(20)
    picture = scene.model.draw_list()
    assert picture.ghosts == () and len(picture.shapes) == 10
    assert {len(shape.points) for shape in picture.shapes} == {len(session.rig.skeleton)}


def test_the_blocking_view_has_ghosts_and_dots_of_its_poses_alone(scene):
    session, view = scene.session, scene.session.feature(Blocking)
    for switch in ("ghosts", "trails"):
        session.switches.set(switch, True)
    scene.select("hand_l")
    scene.at(20)
    smooth = len(scene.model.draw_list().ghosts)
    assert len({place.tobytes() for place in scene.model.scene.trails.path(session.rig)[2]}) > 20
    view.set(True)
    scene.user.settle()
    poses = {round(float(time), 4) for time in view.poses().times}
    _, times, places = scene.model.scene.trails.path(session.rig)
    assert len({place.tobytes() for place in np.round(places, 9)}) <= len(poses) and len(times) > 20
    assert len(scene.model.draw_list().ghosts) < smooth
    view.set(False)
    scene.user.settle()
    assert len(scene.model.draw_list().ghosts) == smooth

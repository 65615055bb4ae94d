"""Inverse kinematics as a person does it: goals, poles, pins and bodies dragged in the view; bake; undo."""

from contextlib import contextmanager

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QScrollArea, QWidget

from core.ik import keyed
from core.ik.body import PinKind, Reach
from core.math.transform import down_chain
from core.rig.ik_setup import EndRotation, IkSolver
from editor.gl import camera as cameras
from editor.gl.gizmo import Handle, parts
from editor.model.ik.state import IkState
from editor.panels.ik.panel import PANEL as IK
from editor.panels.viewport.panel import PANEL as VIEW
from editor.tools.state import Setup, Tool
from tests.editor.panel_stage import Stage
from tests.editor.user import User


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.panel = self.stage.add(VIEW.create(self.stage.context), 3)
        self.ik = self.stage.add(IK.create(self.stage.context), 2)
        self.stage.show(760, 900)
        self.user, self.session = User(self.stage.window), self.stage.session
        self.model, self.view = self.panel.model, self.panel.view
        self.session.playback.seek(20 / 30)
        self.user.settle()

    def place(self, bone: str, frame: float | None = None) -> np.ndarray:
        session = self.session
        pose = session.evaluator.pose() if frame is None else session.evaluator.sampled_pose(frame / 30)
        skeleton = session.rig.skeleton
        return down_chain(skeleton.parents, pose.local).translation[skeleton.index(bone)]

    def rotations(self, frame: float | None = None) -> np.ndarray:
        session = self.session
        pose = session.evaluator.pose() if frame is None else session.evaluator.sampled_pose(frame / 30)
        return np.array(pose.rotations)

    def pixel(self, place) -> tuple[float, float]:
        found, _ = cameras.project(self.model.camera, np.asarray(place), self.view.view_size)
        return float(found[0]), float(found[1])

    def mark(self, name: str):
        from editor.tools.ik.marks import chain_marks

        return next(m for m in chain_marks(self.session) if m.setup.name == name)

    def select(self, *bones: str) -> None:
        self.session.selection.select(bones)
        self.user.settle()

    def propose(self) -> None:
        if self.user.visible("emptyButton"):
            self.user.click("emptyButton")

    def turn_on(self, name: str) -> None:
        rect = self.ik.list.row_rect(name)
        area = self.ik.list
        self.user.click(area, (12, rect.center().y()))

    def type_into(self, name: str, text: str) -> None:
        """Type into a field of the panel, scrolled into sight."""
        field = self.ik.findChild(QWidget, name)
        self.ik.findChild(QScrollArea).ensureWidgetVisible(field)
        self.user.settle()
        self.user.type_into(field, text)

    def drag_gizmo(self, handle: Handle, by: tuple[float, float], **more) -> None:
        gizmo = self.model.gizmo()
        part = next(
            p for p in parts(gizmo, self.model.camera, self.model.controller.size) if p.handle is handle
        )
        points = part.lines.reshape(-1, 3) if len(part.lines) else part.fill.reshape(-1, 3)
        middle = self.pixel(points.mean(axis=0) if handle is not Handle.CENTRE else gizmo.pivot)
        end = middle[0] + by[0], middle[1] + by[1]
        self.user.drag(self.view, middle, end, **more)


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_proposed_set_ups_are_listed_and_turning_one_on_changes_no_pose(scene):
    assert scene.user.visible("Propose set-ups")
    scene.propose()
    assert [row.name for row in scene.ik.model.rows()][:2] == ["Left arm", "Right arm"]
    before, clip = scene.rotations(), scene.session.clip
    scene.turn_on("Left arm")
    assert scene.session.rig.ik_setup("Left arm").enabled
    assert np.array_equal(scene.rotations(), before)
    assert scene.session.clip is clip
    assert np.allclose(scene.mark("Left arm").goal, scene.place("hand_l"))
    scene.session.undo()
    assert not scene.session.rig.ik_setup("Left arm").enabled


def test_dragging_the_hand_goal_writes_keys_on_the_arm_in_one_step(scene):
    scene.propose()
    scene.turn_on("Left arm")
    before, steps = scene.session.clip, scene.session.history.position
    hand, foot = scene.place("hand_l"), scene.place("foot_l")
    start = scene.pixel(scene.mark("Left arm").goal)
    live = []
    scene.user.drag(
        scene.view, start, (start[0] - 40, start[1] - 50),
        during=lambda: live.append((scene.place("hand_l"), scene.ik.ending.text())),
    )  # fmt: skip
    assert np.linalg.norm(live[0][0] - hand) > 0.05
    assert "mm" in live[0][1]
    assert scene.session.history.position == steps + 1
    assert np.allclose(scene.place("hand_l"), live[0][0], atol=1e-5)
    assert np.array_equal(scene.place("foot_l"), foot)
    changed = {c.bone for c, t in scene.session.clip.tracks.items() if before.tracks.get(c) is not t}
    assert changed <= {"upper_arm_l", "lower_arm_l", "hand_l"}
    assert "upper_arm_l" in changed
    scene.session.undo()
    assert scene.session.clip is before
    scene.session.redo()
    assert np.allclose(scene.place("hand_l"), live[0][0], atol=1e-5)


def test_escape_takes_a_goal_drag_back_exactly(scene):
    scene.propose()
    scene.turn_on("Left arm")
    before, clip = scene.rotations(), scene.session.clip
    start = scene.pixel(scene.mark("Left arm").goal)
    scene.user.drag(scene.view, start, (start[0] - 30, start[1] - 30), release=False)
    assert not np.array_equal(scene.rotations(), before)
    scene.user.press("Esc")
    scene.user.release_mouse((start[0] - 30, start[1] - 30))
    assert np.array_equal(scene.rotations(), before)
    assert scene.session.clip is clip


def test_dragging_the_pole_swings_the_elbow_and_leaves_the_hand(scene):
    scene.propose()
    scene.turn_on("Left arm")
    elbow, hand = scene.place("lower_arm_l"), scene.place("hand_l")
    steps = scene.session.history.position
    start = scene.pixel(scene.mark("Left arm").pole)
    scene.user.drag(scene.view, start, (start[0] + 30, start[1] + 120))
    assert scene.session.history.position == steps + 1
    assert np.linalg.norm(scene.place("lower_arm_l") - elbow) > 0.02
    assert np.linalg.norm(scene.place("hand_l") - hand) < 1e-4
    scene.session.undo()
    assert np.allclose(scene.place("lower_arm_l"), elbow)


def test_pinned_feet_stay_while_the_pelvis_is_moved(scene):
    scene.select("foot_l", "foot_r")
    scene.user.move(scene.view, (30, 60))
    scene.user.press("P")
    assert dict(scene.session.feature(IkState).pins.kinds(scene.session.rig)) == {
        "foot_l": PinKind.BOTH, "foot_r": PinKind.BOTH,
    }  # fmt: skip
    feet = [scene.place(f"foot_{s}") for s in "lr"]
    scene.stage.tools.set(Setup(Tool.MOVE))
    scene.select("pelvis")
    pelvis, clip, steps = scene.place("pelvis"), scene.session.clip, scene.session.history.position
    live = []
    scene.drag_gizmo(Handle.Y, (0, 30), during=lambda: live.append([scene.place(f"foot_{s}") for s in "lr"]))
    assert scene.place("pelvis")[1] < pelvis[1] - 0.03
    for shown in (live[0], [scene.place(f"foot_{s}") for s in "lr"]):
        assert np.abs(np.array(shown) - np.array(feet)).max() < 1e-4
    assert scene.session.history.position == steps + 1
    assert any(c.bone == "calf_l" for c in scene.session.clip.tracks)
    scene.session.undo()
    assert scene.session.clip is clip
    scene.select("foot_l", "foot_r")
    scene.user.move(scene.view, (30, 62))
    scene.user.press("P")
    assert not scene.session.feature(IkState).pins.kinds(scene.session.rig)


def test_full_body_drag_of_a_hand_keeps_the_feet_and_is_one_step(scene):
    scene.propose()
    scene.user.click("reach.body")
    assert scene.session.feature(IkState).reach is Reach.BODY
    scene.stage.tools.set(Setup(Tool.MOVE))
    scene.session.playback.seek(0.0)
    scene.select("hand_l")
    feet = [scene.place(f"foot_{s}") for s in "lr"]
    pelvis, hand, steps = scene.place("pelvis"), scene.place("hand_l"), scene.session.history.position
    scene.drag_gizmo(Handle.CENTRE, (40, 90))
    assert np.linalg.norm(scene.place("hand_l") - hand) > 0.1
    assert np.linalg.norm(scene.place("pelvis") - pelvis) > 0.01
    assert np.abs(np.array([scene.place(f"foot_{s}") for s in "lr"]) - np.array(feet)).max() < 1e-4
    assert scene.session.history.position == steps + 1
    assert scene.session.history.labels[-1].startswith("Full body hand_l")
    scene.session.undo()
    assert np.allclose(scene.place("hand_l"), hand)


def test_limb_drag_leaves_everything_else_alone(scene):
    scene.propose()
    scene.user.click("reach.limb")
    scene.stage.tools.set(Setup(Tool.MOVE))
    scene.select("hand_l")
    before, pelvis = scene.session.clip, scene.place("pelvis")
    scene.drag_gizmo(Handle.CENTRE, (-30, 20))
    changed = {c.bone for c, t in scene.session.clip.tracks.items() if before.tracks.get(c) is not t}
    assert changed and changed <= {"upper_arm_l", "lower_arm_l", "hand_l"}
    assert np.array_equal(scene.place("pelvis"), pelvis)


def test_match_then_drag_keys_the_goal_and_bake_gives_bones_back_each_one_step(scene):
    scene.propose()
    scene.turn_on("Left arm")
    original, steps = scene.session.clip, scene.session.history.position
    frames = range(0, 61, 5)
    before = [scene.place("hand_l", f) for f in frames]
    scene.session.feature(IkState).select("Left arm")
    scene.user.settle()
    scene.ik.findChild(type(scene.ik.match), "ikMatch").click()
    scene.user.settle()
    matched = scene.session.clip
    assert keyed.drives(matched, "Left arm")
    assert scene.session.history.position == steps + 1
    assert np.abs(np.array([scene.place("hand_l", f) for f in frames]) - before).max() < 1e-3
    start = scene.pixel(scene.mark("Left arm").goal)
    scene.user.drag(scene.view, start, (start[0] - 30, start[1] - 40))
    dragged = scene.session.clip
    assert scene.session.history.position == steps + 2
    assert dragged.tracks == matched.tracks  # the goal is keyed, the bones are not
    assert np.linalg.norm(scene.place("hand_l") - before[4]) > 0.05
    shown = [scene.place("hand_l", f) for f in frames]
    scene.ik.bake.click()
    scene.user.settle()
    assert scene.session.history.position == steps + 3
    assert not keyed.driving(scene.session.rig, scene.session.clip.curves)
    assert np.abs(np.array([scene.place("hand_l", f) for f in frames]) - shown).max() < 1e-3
    for expected in (dragged, matched, original):
        scene.session.undo()
        assert scene.session.clip is expected


def test_panel_edits_are_single_steps_and_bad_ones_are_told(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    scene.user.settle()
    scene.ik.iterations.committed.emit(12.0)
    scene.ik.solver.setCurrentIndex(scene.ik.solver.findText("CCD"))
    scene.ik.solver.activated.emit(scene.ik.solver.currentIndex())
    setup = scene.session.rig.ik_setup("Left arm")
    assert (setup.iterations, str(setup.solver)) == (12, "ccd")
    told = []
    scene.session.messages.posted.connect(told.append)
    scene.ik.model.change(root="hand_r")
    assert told and scene.session.rig.ik_setup("Left arm").root == "upper_arm_l"
    scene.ik.model.rename("Reach")
    assert scene.session.feature(IkState).current.name == "Reach"
    scene.session.undo()
    scene.session.undo()
    scene.session.undo()
    assert scene.session.rig.ik_setup("Left arm").iterations == 50


def test_stiff_joint_leaves_the_turning_to_the_others(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    scene.ik.model.change(solver=IkSolver.CCD)
    scene.user.settle()
    scene.type_into("stiffness.upper_arm_l", "100")
    assert scene.session.rig.ik_setup("Left arm").stiffness == {"upper_arm_l": 1.0}
    upper = scene.session.rig.skeleton.index("upper_arm_l")
    before = scene.rotations()
    scene.ik.model.set_goal(1, scene.ik.model.goal()[1] + 0.03)
    after = scene.rotations()
    assert np.array_equal(after[upper], before[upper])
    assert np.abs(after - before).max() > 1e-3
    scene.type_into("stiffness.upper_arm_l", "0")
    assert scene.session.rig.ik_setup("Left arm").stiffness == {}


def test_goal_is_turned_by_numbers_and_the_hand_takes_its_turn(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    scene.ik.model.change(end_rotation=EndRotation.GOAL)
    scene.user.settle()
    steps = scene.session.history.position
    place, turn = scene.place("hand_l"), np.array(scene.ik.model.goal("turn"))
    scene.type_into("ikTurn.x", f"{turn[0] + 20.0:.1f}")
    assert scene.session.history.position == steps + 1
    assert scene.ik.model.goal("turn")[0] == pytest.approx(turn[0] + 20.0, abs=0.1)
    assert np.linalg.norm(scene.place("hand_l") - place) < 1e-4
    scene.ik.match.click()
    scene.user.settle()
    scene.type_into("ikTurn.z", "0")
    assert scene.ik.model.goal("turn")[2] == pytest.approx(0.0, abs=1e-6)
    assert "ik/Left arm/turn z" in scene.session.clip.curves
    scene.session.undo()
    scene.session.undo()
    scene.session.undo()
    assert scene.ik.model.goal("turn") == pytest.approx(tuple(turn), abs=1e-6)


def test_limit_is_added_drawn_and_changed(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    scene.ik.model.add_limit("lower_arm_l")
    scene.select("lower_arm_l")
    from editor.tools.ik.marks import limit_marks

    mark = limit_marks(scene.session)[0]
    assert len(mark.cone) and mark.inside
    scene.ik.model.change_limit("lower_arm_l", "cone", 5.0)
    scene.user.settle()
    assert not limit_marks(scene.session)[0].inside
    row = next(r for r in scene.ik.model.limits() if r.bone == "lower_arm_l")
    assert not row.allowed


def test_limits_are_drawn_with_the_panel_in_a_pull_and_by_a_switch_alone(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    scene.ik.model.add_limit("lower_arm_l")
    scene.select("lower_arm_l")

    def drawn() -> bool:
        marks = scene.model.scene.ik
        seen = []
        marks._limit, kept = lambda mark: seen.append(mark) or [], marks._limit
        try:
            scene.user.settle()
            scene.model.scene.forget()
            scene.model.draw_list()
        finally:
            marks._limit = kept
        return bool(seen)

    assert drawn()
    scene.ik.hide()
    assert not drawn()
    scene.session.switches.set("limits", True)
    assert drawn()
    scene.session.switches.set("limits", False)
    scene.session.feature(IkState).reach = Reach.LIMB
    scene.stage.tools.set(Setup(Tool.MOVE))
    live = []
    scene.drag_gizmo(Handle.CENTRE, (20, 10), during=lambda: live.append(drawn()))
    assert live == [True]
    assert not drawn()


def test_limits_are_not_drawn_while_the_panel_is_behind_another_tab(qapp):
    stage = Stage(qapp)
    try:
        docks = [QDockWidget(name) for name in ("IK", "Other")]
        docks[0].setWidget(IK.create(stage.context))
        docks[1].setWidget(QWidget())
        for dock in docks:
            stage.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        stage.window.tabifyDockWidget(*docks)
        stage.show(900, 600)
        user, ik = User(stage.window), stage.session.feature(IkState)
        for front, watched in ((0, True), (1, False), (0, True), (1, False)):
            docks[front].raise_()
            user.settle()
            assert ik.watched is watched
        docks[0].widget().close_panel()
    finally:
        stage.close(qapp)


@contextmanager
def watching_limits(scene):
    """The joint limits that pictures are composed with meanwhile."""
    marks = scene.model.scene.ik
    seen: list = []
    make, marks._limit = marks._limit, lambda mark: seen.append(mark) or []
    try:
        yield seen
    finally:
        marks._limit = make


def test_arcs_are_of_the_active_bone_alone_and_keep_their_size_on_the_screen(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    for bone in ("upper_arm_l", "lower_arm_l"):
        scene.ik.model.add_limit(bone)
    with watching_limits(scene) as seen:
        scene.select("upper_arm_l", "lower_arm_l")
        scene.model.draw_list()
    mark = seen[-1]
    assert {each.bone for each in seen} == {"lower_arm_l"}

    def pixels(mark) -> float:
        metres = cameras.metres_per_pixel(scene.model.camera, mark.centre, scene.view.view_size)
        return float(np.linalg.norm(mark.sector - mark.centre, axis=1).max() / metres)

    near = pixels(mark)
    with watching_limits(scene) as seen:
        scene.user.wheel(scene.view, -6)
        scene.model.draw_list()
    far = seen[-1]
    assert np.abs(far.sector - mark.sector).max() > 0.01
    assert pixels(far) == pytest.approx(near, rel=0.02)
    tints = scene.model.scene.ik.tints
    assert tints.limit not in (tints.accent, tints.key, tints.warning, tints.error)


def test_a_dial_within_its_range_is_not_red(scene):
    """An elbow's hinge leans a little in every capture; its dial shows the turn."""
    from core.rig.rig import JointLimit, LimitKind
    from editor.tools.ik.marks import limit_marks

    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    axis = (0.0, float(np.cos(np.radians(5.0))), float(np.sin(np.radians(5.0))))  # the elbow turns about +Y
    scene.ik.model.set_limit("lower_arm_l", JointLimit(LimitKind.HINGE, axis, -175.0, 175.0))
    row = next(r for r in scene.ik.model.limits() if r.bone == "lower_arm_l")
    assert row.lean > 1.5 and not row.allowed and row.within
    scene.select("lower_arm_l")
    assert limit_marks(scene.session)[0].inside
    scene.ik.model.change_limit("lower_arm_l", "maximum", row.turn - 5.0)
    row = next(r for r in scene.ik.model.limits() if r.bone == "lower_arm_l")
    assert not row.within and not limit_marks(scene.session)[0].inside


def test_stretch_start_is_typed_works_and_is_undone(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    scene.turn_on("Left arm")
    start = scene.ik.findChild(QWidget, "ikStretchStart")
    assert not start.isEnabled()
    scene.type_into("ikStretch", "1.5")
    assert start.isEnabled()
    scene.type_into("ikStretchStart", "60")
    assert scene.session.rig.ik_setup("Left arm").stretch_start == pytest.approx(0.6)
    scene.session.undo()
    scene.user.settle()
    assert scene.session.rig.ik_setup("Left arm").stretch_start == 1.0


def test_aim_axis_and_limit_are_chosen_for_a_look_at_and_undone(scene):
    scene.propose()
    scene.session.feature(IkState).select("Left arm")
    assert not scene.ik.findChild(QWidget, "ikAimAxis").isVisible()
    scene.ik.model.change(solver=IkSolver.AIM)
    scene.user.settle()
    name = scene.session.feature(IkState).active

    def setup():
        return scene.session.rig.ik_setup(name)

    def choose(box: str, text: str) -> None:
        widget = scene.ik.findChild(QWidget, box)
        scene.ik.findChild(QScrollArea).ensureWidgetVisible(widget)
        scene.user.settle()
        scene.user.click(widget)
        scene.user.click_row(widget.view(), text)
        scene.user.settle()

    choose("ikAimAxis", "+Z")
    assert setup().aim_axis == (0.0, 0.0, 1.0)
    assert abs(np.dot(setup().aim_axis, setup().up_axis)) < 1e-9
    choose("ikUpAxis", "−Z")
    assert abs(np.dot(setup().aim_axis, setup().up_axis)) < 1e-9
    assert "must differ" in scene.session.messages.latest.text
    choose("ikUpAxis", "−X")
    assert setup().up_axis == (-1.0, 0.0, 0.0)
    scene.type_into("ikAimLimit", "35")
    assert setup().aim_limit == 35.0
    for _ in range(3):
        scene.session.undo()
    assert setup().aim_limit == 180.0 and setup().aim_axis == (0.0, 1.0, 0.0)


def test_level_ground_is_said_and_stairs_are_typed(scene):
    from editor.model.ik import edits

    scene.propose()
    steps = scene.session.history.position
    assert not edits.place_feet_in_clip(scene.session) and not edits.place_feet_here(scene.session)
    assert scene.session.history.position == steps and "level" in scene.session.messages.latest.text
    scene.type_into("ground.count", "4")
    scene.type_into("ground.rise", "0.1")
    ground = scene.session.feature(IkState).ground
    assert (ground.count, ground.rise) == (4, 0.1) and not ground.flat
    scene.session.undo()
    scene.session.undo()
    assert scene.session.feature(IkState).ground.flat


def test_ground_is_kept_with_the_file_and_feet_are_placed_in_one_step(scene):
    scene.propose()
    scene.session.playback.seek(0.0)
    scene.ik.ground["tilt_x"].committed.emit(10.0)
    assert scene.session.feature(IkState).ground.tilt_x == 10.0
    steps = scene.session.history.position
    from editor.model.ik import edits

    assert edits.place_feet_here(scene.session)
    assert scene.session.history.position == steps + 1
    assert scene.place("foot_l")[1] - scene.place("foot_r")[1] == pytest.approx(
        0.2 * np.tan(np.radians(10.0)), abs=2e-3
    )
    scene.session.undo()
    assert edits.place_feet_in_clip(scene.session)
    assert scene.session.history.position == steps + 1


def test_pins_are_shown_in_the_bone_tree(scene):
    from editor.panels.bone_tree.panel import PANEL as TREE

    tree = scene.stage.add(TREE.create(scene.stage.context), 1)
    scene.user.settle()
    before = scene.user.picture(tree)
    scene.session.feature(IkState).toggle_pin(["hand_l", "pelvis"])
    scene.user.settle()
    assert set(tree.delegate.pinned) == {"hand_l", "pelvis"}
    assert (scene.user.picture(tree) != before).any()


def test_empty_project_shows_what_to_do_and_nothing_stays_behind(qapp):
    from editor.model.session import Session

    stage = Stage(qapp, Session.create())
    panel = stage.add(IK.create(stage.context))
    stage.show(300, 500)
    user = User(stage.window)
    assert user.visible("No character yet.")
    panel.close()
    stage.close(qapp)


def test_arcs_of_limits_are_dashed_lines_of_equal_length():
    """Dashes are runs of whole segments: of a fine curve each is about as long as it should be."""
    from editor.panels.viewport.ik_marks import DASH, LIMIT_PIXELS, dashed

    angle = np.linspace(0.0, 2.0, 401)
    row = 0.3 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1) + (1.0, 2.0, 3.0)
    kept = dashed(row, np.array([1.0, 2.0, 3.0]))
    pixels = 2.0 * LIMIT_PIXELS
    assert np.linalg.norm(kept[:, 1] - kept[:, 0], axis=1).sum() / 0.3 * LIMIT_PIXELS == pytest.approx(
        pixels / 2, rel=0.1
    )
    breaks = np.linalg.norm(kept[1:, 0] - kept[:-1, 1], axis=1) > 1e-6
    assert breaks.sum() == pytest.approx(pixels / DASH / 2 - 1, abs=1)
    assert len(dashed(row[:1], row[0])) == 0

"""Limits, stretch, look-at, ground and pins of inverse kinematics as a person sets them."""

from contextlib import contextmanager

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QScrollArea, QWidget

from core.ik.body import Reach
from core.rig.ik_setup import IkSolver
from editor.gl import camera as cameras
from editor.gl.gizmo import Handle
from editor.model.ik.state import IkState
from editor.panels.ik.panel import PANEL as IK
from editor.tools.state import Setup, Tool
from tests.editor.panel_stage import Stage
from tests.editor.panels.ik.ik_scene import Scene
from tests.editor.user import User


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


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

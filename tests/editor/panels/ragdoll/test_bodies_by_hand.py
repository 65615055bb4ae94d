"""Bodies as a person edits them: proposed, chosen, dragged in the view, typed, mirrored, checked against clips."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QScrollArea, QTreeWidget, QWidget

from core.clips.clip import WHOLE, Channel, Property
from core.ids import AssetId
from core.math import quat
from core.tracks.keys import quaternion_track
from editor.gl import camera as cameras
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.check import RangeCheck
from editor.panels.bodies.panel import PANEL as BODIES
from editor.panels.viewport.panel import PANEL as VIEW
from editor.tools.ragdoll.drag import BodyHandle
from tests.editor.panel_stage import Stage
from tests.editor.stage import stage
from tests.editor.user import User


class Scene:
    def __init__(self, qapp) -> None:
        self.stage = Stage(qapp)
        self.view_panel = self.stage.add(VIEW.create(self.stage.context), 2)
        self.panel = self.stage.add(BODIES.create(self.stage.context), 3)
        self.stage.show(700, 1000)
        self.user, self.session = User(self.stage.window), self.stage.session
        self.model, self.view = self.view_panel.model, self.view_panel.view
        self.bodies = self.session.feature(Bodies)

    @property
    def plan(self):
        return self.session.rig.body_plan

    def propose(self) -> None:
        self.user.click("emptyButton")

    def choose(self, bone: str) -> None:
        self.user.click_row("bodiesList", bone)

    def field(self, name: str) -> QWidget:
        found = self.panel.findChild(QWidget, name)
        self.panel.findChild(QScrollArea).ensureWidgetVisible(found)
        self.user.settle()
        return found

    def grip(self, handle: BodyHandle) -> tuple[float, float]:
        place = next(g.place for g in self.model.scene.bodies.grips() if g.handle is handle)
        at, _ = cameras.project(self.model.camera, place, self.view.view_size)
        return float(at[0]), float(at[1])


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def test_proposing_is_one_step_and_lists_every_body(scene):
    steps = scene.session.history.position
    assert scene.plan is None
    scene.propose()
    assert scene.session.history.position == steps + 1
    assert scene.user.rows("bodiesList") == list(scene.plan.bones)
    assert "upper_arm_l" in scene.plan.bones
    scene.session.undo()
    scene.user.settle()
    assert scene.plan is None and scene.user.visible("emptyButton")


def test_a_short_name_is_told_whole_in_the_tip(scene, monkeypatch):
    monkeypatch.setattr(scene.session, "bone_label", lambda name: name.partition("_")[2] or name)
    scene.propose()
    table = scene.panel.findChild(QTreeWidget, "bodiesList")
    item = table.topLevelItem(list(scene.plan.bones).index("upper_arm_l"))
    assert (item.text(0), item.toolTip(0)) == ("arm_l", "upper_arm_l")


def test_mass_typed_goes_to_both_sides_in_one_step(scene):
    scene.propose()
    scene.choose("upper_arm_l")
    assert scene.session.selection.bones == ("upper_arm_l",)
    steps = scene.session.history.position
    scene.user.type_into(scene.field("bodyMass"), "3.5")
    assert scene.plan.body("upper_arm_l").mass == scene.plan.body("upper_arm_r").mass == 3.5
    assert scene.session.history.position == steps + 1
    scene.user.click("bodiesSymmetric")
    scene.user.type_into(scene.field("bodyMass"), "4")
    assert (scene.plan.body("upper_arm_l").mass, scene.plan.body("upper_arm_r").mass) == (4.0, 3.5)


def test_range_typed_is_mirrored_and_its_ends_never_pass_each_other(scene):
    scene.propose()
    scene.choose("upper_arm_l")
    scene.user.type_into(scene.field("bodyRange0.max"), "33")
    left, right = (scene.plan.body(f"upper_arm_{side}").axes[0] for side in "lr")
    assert left.maximum == 33.0
    same = np.allclose(right.axis, [left.axis[0], -left.axis[1], -left.axis[2]], atol=1e-6)
    assert (right.maximum if same else -right.minimum) == pytest.approx(33.0)
    low = left.minimum
    scene.user.type_into(scene.field("bodyRange0.max"), "-179")
    assert scene.plan.body("upper_arm_l").axes[0].maximum == low


@pytest.mark.parametrize("handle", [BodyHandle.END, BodyHandle.START, BodyHandle.MIDDLE])
def test_handle_dragged_moves_the_capsule_live_in_one_step(scene, handle):
    scene.propose()
    scene.choose("lower_arm_l")
    before, steps = scene.plan, scene.session.history.position
    start, live = scene.grip(handle), []
    end = start[0] + 12, start[1] - 15
    scene.user.drag(
        scene.view,
        start,
        end,
        during=lambda: live.append((scene.bodies.plan, scene.plan, scene.grip(handle))),
    )
    shown, stored, at = live[0]
    assert stored is before and shown != before  # shown, not yet in the document
    assert np.allclose(at, end, atol=2.0)  # the handle follows the pointer
    assert scene.plan == shown and scene.session.history.position == steps + 1
    old, new = before.body("lower_arm_l").capsule, scene.plan.body("lower_arm_l").capsule
    assert (new.start != old.start) == (handle is not BodyHandle.END)
    assert (new.end != old.end) == (handle is not BodyHandle.START)
    assert scene.plan.body("lower_arm_r") != before.body("lower_arm_r")
    scene.session.undo()
    assert scene.plan == before


def test_radius_dragged_follows_the_pointer(scene):
    scene.propose()
    scene.choose("lower_arm_l")
    before = scene.plan.body("lower_arm_l").capsule
    grip = next(g for g in scene.model.scene.bodies.grips() if g.handle is BodyHandle.RADIUS)
    start = scene.grip(BodyHandle.RADIUS)
    away, _ = cameras.project(scene.model.camera, grip.place + 0.05 * grip.aside, scene.view.view_size)
    scene.user.drag(scene.view, start, (float(away[0]), float(away[1])))
    after = scene.plan.body("lower_arm_l").capsule
    assert after.radius - before.radius == pytest.approx(0.05, abs=0.012)
    assert (after.start, after.end) == (before.start, before.end)


def test_escape_takes_a_drag_back(scene):
    scene.propose()
    scene.choose("lower_arm_l")
    before, steps = scene.plan, scene.session.history.position
    start = scene.grip(BodyHandle.END)
    scene.user.drag(scene.view, start, (start[0] + 20, start[1] + 20), release=False)
    assert scene.bodies.plan != before
    scene.user.press("Esc")
    scene.user.release_mouse((start[0] + 20, start[1] + 20))
    assert scene.bodies.plan is before and scene.session.history.position == steps


def test_without_handles_in_the_view_the_gizmo_of_the_bone_is_back(scene):
    scene.propose()
    scene.choose("lower_arm_l")
    scene.user.press("E", scene.view)
    assert scene.model.gizmo() is None and scene.model.scene.bodies.grips()
    scene.user.click("bodiesInView")
    assert scene.model.gizmo() is not None and not scene.model.scene.bodies.grips()
    scene.panel.hide()
    scene.user.settle()
    assert not scene.model.scene.bodies.shown


def test_bodies_are_removed_and_added_for_the_selection(scene):
    scene.propose()
    count = len(scene.plan)
    scene.choose("hand_l")
    scene.user.click("bodiesRemove")
    assert len(scene.plan) == count - 2 and scene.plan.find("hand_r") is None
    scene.session.selection.select(["hand_l"])
    scene.user.settle()
    scene.user.click("bodiesAdd")
    assert scene.plan.find("hand_l") is not None and scene.plan.find("hand_r") is None
    scene.user.click("bodiesMirror")
    assert scene.plan.find("hand_r").capsule.radius == scene.plan.find("hand_l").capsule.radius
    scene.choose(scene.plan.bones[0])
    scene.user.click("bodiesRemove")
    assert len(scene.plan) == count  # the root body stays, and a message says why


def test_a_pair_is_chosen_to_pass_through(scene):
    scene.propose()
    scene.choose("hand_l")
    scene.user.click(scene.field("bodyThrough"))
    scene.user.choose_in_popup("head")
    assert {("head", "hand_l"), ("head", "hand_r")} <= set(scene.plan.ignored)
    scene.session.undo()
    assert ("head", "hand_l") not in scene.plan.ignored


def bent_clip(scene):
    """A clip in which the elbow bends backwards by 60° in its middle."""
    bones = scene.session.rig.skeleton
    body = scene.plan.body("lower_arm_l")
    axis = np.array(body.axes[0].axis)
    wrong = body.axes[0].minimum - 60.0
    rest = bones.rest.rotation[bones.index("lower_arm_l")]
    turned = quat.multiply(rest, quat.from_axis_angle(axis, np.radians(wrong)))
    track = quaternion_track([0.0, 0.5, 1.0], [rest, turned, rest])
    clip = scene.session.clip
    return replace(
        clip,
        id=AssetId("bent"),
        name="bent",
        length=1.0,
        tracks={Channel("lower_arm_l", Property.ROTATE, WHOLE): track},
    )


def test_selected_rows_alone_are_widened_or_all_of_them(scene):
    scene.propose()
    check = scene.session.feature(RangeCheck)
    scene.session.edits.put("bent", bent_clip(scene))
    scene.user.click(scene.field("bodiesCheck"))

    def beyond() -> set[str]:
        scene.user.wait_until(lambda: check.rows is not None and not check.stale and check.job is None)
        scene.user.settle()
        return {row.excess.bone for row in check.rows}

    before = beyond()
    assert len(before) > 1 and check.rows[0].excess.bone == "lower_arm_l"
    table = scene.field("bodiesRanges")
    scene.user.click_row(table, "bent")
    scene.session.feature(Bodies).symmetric = False
    scene.user.click(scene.field("bodiesWidenSelected"))
    assert beyond() == before - {"lower_arm_l"}
    scene.user.click(scene.field("bodiesWiden"))
    assert not beyond()


def test_clip_that_leaves_a_range_is_found_gone_to_and_the_range_widened(scene):
    scene.propose()
    scene.session.edits.put("bent", bent_clip(scene))
    check = scene.session.feature(RangeCheck)
    scene.user.click(scene.field("bodiesCheck"))
    scene.user.wait_until(lambda: check.rows is not None, "the check did not end")
    scene.user.settle()
    rows = [row for row in check.rows if row.name == "bent"]
    assert rows and rows[0].excess.beyond == pytest.approx(60.0, abs=1.0)
    table = scene.field("bodiesRanges")
    scene.user.click_row(table, "bent")
    assert scene.session.playback.clip == AssetId("bent")
    assert scene.session.playback.time == pytest.approx(0.5, abs=0.05)
    assert scene.session.selection.bones == ("lower_arm_l",)
    steps = scene.session.history.position
    scene.user.click(scene.field("bodiesWidenSelected"))
    assert scene.session.history.position == steps + 1
    scene.user.wait_until(lambda: not check.stale and check.job is None, "it was not checked again")
    assert not [row for row in check.rows if row.excess.bone == "lower_arm_l"]
    scene.session.undo()
    scene.user.settle()
    assert check.stale


def test_check_can_be_cancelled_and_nothing_can_be_checked_without_bodies(scene):
    check = scene.session.feature(RangeCheck)
    assert check.why_not and not check.run()
    scene.propose()
    assert check.run()
    check.cancel()
    assert check.job is None


def test_selecting_a_bone_shows_the_body_it_rides_on(scene):
    scene.propose()
    scene.user.click("bodiesSymmetric")
    scene.choose("hand_l")
    scene.user.click("bodiesRemove")
    scene.session.selection.select(["hand_l"])
    scene.user.settle()
    assert scene.bodies.active.bone == "lower_arm_l"


def test_capsules_go_with_the_panel_s_tab(qapp):
    with stage(qapp, "viewport", "inspector", "bodies") as made:
        bodies = made.session.feature(Bodies)
        made.session.feature(Bodies).propose()
        made.window.show_panel("bodies")
        made.user.wait_until(lambda: bodies.watched, "the panel did not come to the front")
        made.window.show_panel("inspector")
        made.user.wait_until(lambda: not bodies.watched, "capsules stay when another tab is in front")

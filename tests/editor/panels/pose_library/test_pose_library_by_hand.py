"""The pose library by mouse and keys: cards, thumbnails, drags, pose assets."""

import numpy as np
import pytest
from PySide6.QtWidgets import QInputDialog, QToolButton, QWidget

from core.arrays import same_value
from core.math import quat
from core.pose.edits import toward
from core.pose.library import LibraryPose
from core.project.project import Project
from editor.model.posing import library
from editor.model.posing.state import PosingState
from editor.panels.pose_library.grid import JITTER, tooltip
from editor.panels.pose_library.panel import PANEL
from editor.panels.pose_library.view_model import DRAG_PIXELS
from tests.editor.panel_stage import Stage
from tests.editor.user import CTRL, RIGHT, SHIFT, User


class Scene:
    def __init__(self, qapp, theme: str = "dark") -> None:
        self.stage = Stage(qapp, theme=theme)
        self.panel = self.stage.add(PANEL.create(self.stage.context))
        self.stage.show(420, 480)
        self.user, self.session = User(self.stage.window), self.stage.session
        self.grid = self.panel.grid

    def keep(self, *frames: int) -> list:
        ids = []
        for frame in frames:
            self.session.playback.seek(frame / 30)
            ids.append(library.save_pose(self.session, f"frame {frame}", ["arm"] if frame else []))
        self.user.settle()
        return ids

    def card(self, number: int) -> tuple[float, float]:
        centre = self.grid.rect_of(number).center()
        return centre.x(), centre.y()

    def asset_slider(self) -> QWidget:
        """The slider of a pose asset that is made of the pose of frame 20, in sight."""
        self.user.click("makePoseAsset")
        slider = self.user.find("weight_frame 20")
        self.panel._scroll.ensureWidgetVisible(slider)
        self.user.settle()
        return slider

    def pose_at(self, frame: float):
        self.session.playback.seek(frame / 30)
        self.user.settle()
        return self.session.evaluator.pose()


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.panel.close_panel()
    made.stage.close(qapp)


def apart(a, b) -> float:
    return float(np.degrees(quat.angle_between(a.rotations, b.rotations)).max())


def test_first_use_offers_to_save_and_shows_the_card(scene):
    assert not scene.grid.isVisible()
    scene.user.click("emptyButton")
    assert [card.name for card in scene.grid.cards] == ["pose"]
    assert scene.session.history.labels[-1] == "Save pose pose"


def test_thumbnails_are_rendered_and_differ_from_pose_to_pose(scene):
    ids = scene.keep(0, 20)
    scene.user.wait_until(lambda: len(scene.panel.thumbnails._known) == 2, "no thumbnails")
    first, second = (scene.panel.thumbnails._known[id][1].toImage() for id in ids)
    assert first != second
    assert not first.isNull() and first.width() == first.height()


def test_click_applies_the_pose_in_one_step(scene):
    goal = scene.pose_at(20)
    scene.keep(20)
    scene.pose_at(5)
    steps = scene.session.history.position
    scene.user.click(scene.grid, scene.card(0))
    assert apart(scene.session.evaluator.pose(), goal) < 0.02
    assert scene.session.history.position == steps + 1
    assert scene.session.history.labels[-1] == "100 % toward “frame 20” @ f5"


def test_drag_to_forty_percent_blends_live_and_is_one_step(scene):
    goal = scene.pose_at(20)
    scene.keep(20)
    base = scene.pose_at(5)
    start, steps = scene.card(0), scene.session.history.position
    during = []
    scene.user.drag(
        scene.grid, start, (start[0] + 0.4 * DRAG_PIXELS, start[1] + 6),
        during=lambda: during.append(scene.session.evaluator.pose()),
    )  # fmt: skip
    wanted = toward(base, goal, 0.4, scene.session.rig.skeleton)
    assert apart(during[0], wanted) < 1e-6
    assert apart(scene.session.evaluator.pose(), wanted) < 0.05
    assert scene.session.history.position == steps + 1
    scene.session.undo()
    assert same_value(scene.session.evaluator.pose(), base)
    scene.session.redo()
    assert apart(scene.session.evaluator.pose(), wanted) < 0.05


@pytest.mark.parametrize("way", ["Esc", "right button"])
def test_drag_taken_back_leaves_everything_bit_for_bit(scene, way: str):
    scene.keep(20)
    base, project = scene.pose_at(5), scene.session.document.project
    start = scene.card(0)
    scene.user.drag(scene.grid, start, (start[0] + 90, start[1]), release=False)
    assert apart(scene.session.evaluator.pose(), base) > 1.0
    if way == "Esc":
        scene.user.press("Esc")
    else:
        scene.user.press_mouse(scene.grid, start, RIGHT)
        scene.user.release_mouse(start, RIGHT)
    assert same_value(scene.session.evaluator.pose(), base)
    scene.user.release_mouse((start[0] + 90, start[1]))
    assert scene.session.document.project is project


def test_search_finds_by_name_and_tag_and_chips_do_too(scene):
    scene.keep(0, 20, 40)
    scene.user.type_into("poseSearch", "40", enter=False)
    assert [card.name for card in scene.grid.cards] == ["frame 40"]
    scene.user.press("Esc")
    scene.user.click("tag_arm")
    assert [card.name for card in scene.grid.cards] == ["frame 20", "frame 40"]


def test_poses_chosen_with_ctrl_and_shift_become_a_clip(scene):
    scene.keep(0, 20, 40)
    scene.session.feature(PosingState).choose()
    scene.user.click(scene.grid, scene.card(0), modifiers=CTRL)
    scene.user.click(scene.grid, scene.card(2), modifiers=SHIFT)
    assert len(scene.session.feature(PosingState).poses) == 3
    scene.user.click("clipFromPoses")
    clip = scene.session.clip
    assert clip.frames == pytest.approx(20.0) and clip.name.startswith("frame 0")
    scene.session.undo()
    assert scene.session.clip.name == "swing"


def test_update_puts_the_pose_shown_in_its_place(scene):
    (id,) = scene.keep(20)
    pose = scene.pose_at(40)
    scene.user.click("updatePose")
    kept = scene.session.document.project.get(LibraryPose, id)
    assert same_value(kept.local.rotation, pose.rotations)


@pytest.mark.parametrize(
    ("pixels", "share"), [(3, 1.0), (JITTER, JITTER / DRAG_PIXELS), (12, 12 / DRAG_PIXELS)]
)
def test_from_a_few_pixels_on_a_press_is_a_drag(scene, pixels: int, share: float):
    goal = scene.pose_at(20)
    scene.keep(20)
    base, (x, y) = scene.pose_at(5), scene.card(0)
    scene.user.drag(scene.grid, (x, y), (x + pixels, y), steps=1)
    wanted = toward(base, goal, share, scene.session.rig.skeleton)
    assert apart(scene.session.evaluator.pose(), wanted) < 0.05
    assert scene.session.history.labels[-1] == f"{100 * share:.0f} % toward “frame 20” @ f5"


def test_cards_of_a_row_that_is_not_full_are_reached_too(scene):
    place = scene.grid.rect_of
    scene.keep(0)
    row = next(number for number in range(1, 20) if place(number).top() > place(0).top())
    scene.keep(*(4 * number for number in range(1, row + 1)))
    last = place(row)
    assert last.top() > place(row - 1).bottom() and last.left() == place(0).left()
    scene.pose_at(2)
    scene.panel._scroll.ensureVisible(last.center().x(), last.bottom())
    scene.user.click(scene.grid, (last.center().x(), last.bottom() - 4))
    assert scene.session.history.labels[-1] == f"100 % toward “frame {4 * row}” @ f2"


@pytest.mark.parametrize(
    ("entry", "title", "before", "typed", "name", "tags", "label"),
    [
        ("Rename…", "Rename pose", "frame 20", "fist", "fist", ("arm",), "Rename pose frame 20"),
        ("Tags…", "Tags", "arm", "hand left", "frame 20", ("hand", "left"), "Tag pose frame 20"),
    ],
)
def test_name_and_tags_are_typed_from_the_menu_of_a_card(
    scene, entry, title, before, typed, name, tags, label
):
    (id,) = scene.keep(20)
    steps = scene.session.history.position
    scene.user.click(scene.grid, scene.card(0), RIGHT)
    scene.user.choose_in_popup(entry)
    dialog = scene.panel.findChild(QInputDialog)
    scene.user.wait_until(dialog.isVisible)
    assert (dialog.windowTitle(), dialog.textValue()) == (title, before)
    scene.user.press("Ctrl+A")
    scene.user.type(typed)
    scene.user.press("Return")
    pose = scene.session.document.project.get(LibraryPose, id)
    assert (pose.name, pose.tags) == (name, tags)
    assert scene.session.history.position == steps + 1 and scene.session.history.labels[-1] == label


def test_a_second_click_on_a_tag_shows_all_poses_again(scene):
    scene.keep(0, 20, 40)
    chip = scene.user.find("tag_arm")
    scene.user.click(chip)
    assert [card.name for card in scene.grid.cards] == ["frame 20", "frame 40"] and chip.isChecked()
    scene.user.click(chip)
    assert [card.name for card in scene.grid.cards] == ["frame 0", "frame 20", "frame 40"]
    assert not chip.isChecked() and scene.user.find("poseSearch").text() == ""


def test_escape_takes_the_drag_of_a_pose_assets_slider_back(scene):
    scene.keep(20)
    base = scene.pose_at(30)
    slider = scene.asset_slider()
    project, steps = scene.session.document.project, scene.session.history.position
    x, y = 6.0, slider.height() / 2
    scene.user.drag(slider, (x, y), (slider.width() * 0.6, y), release=False)
    assert apart(scene.session.evaluator.pose(), base) > 1.0
    scene.user.press("Esc")
    scene.user.release_mouse((slider.width() * 0.6, y))
    assert scene.session.document.project is project and scene.session.history.position == steps
    assert same_value(scene.session.evaluator.pose(), base)


def test_a_pose_asset_that_is_taken_back_takes_its_rows_along(scene):
    scene.keep(20, 40)

    def rows() -> list[str]:
        found = scene.panel.findChildren(QToolButton)
        return sorted(b.objectName() for b in found if b.objectName().startswith("bake_") and b.isVisible())

    scene.user.click("makePoseAsset")
    one = rows()
    scene.user.click(scene.grid, scene.card(0), modifiers=CTRL)
    scene.user.click("makePoseAsset")
    assert len(rows()) == 2 and set(one) < set(rows())
    scene.session.undo()
    scene.user.settle()
    assert rows() == one


def test_a_card_says_its_tags_and_what_the_mouse_does(scene):
    scene.keep(0, 20)
    plain, tagged = map(tooltip, scene.grid.cards)
    assert plain.splitlines()[0] == "frame 0" and len(plain.splitlines()) == 2
    assert tagged.splitlines()[:2] == ["frame 20", "#arm"]


def test_a_drag_is_given_up_when_the_keyboard_goes_elsewhere(scene):
    scene.keep(20)
    base = scene.pose_at(5)
    x, y = scene.card(0)
    scene.user.drag(scene.grid, (x, y), (x + 60, y), release=False)
    assert apart(scene.session.evaluator.pose(), base) > 1.0
    scene.user.find("poseSearch").setFocus()
    scene.user.settle()
    assert same_value(scene.session.evaluator.pose(), base)
    scene.user.release_mouse((x + 60, y))
    assert same_value(scene.session.evaluator.pose(), base)


def test_a_click_beside_the_handle_of_a_pose_assets_slider_is_one_step(scene):
    scene.keep(20)
    scene.pose_at(30)
    slider = scene.asset_slider()
    steps = scene.session.history.position
    scene.user.click(slider, (slider.width() - 4.0, slider.height() / 2))
    assert scene.session.history.position == steps + 1
    assert scene.session.clip.curves["frame 20"].values[-1] == pytest.approx(slider.value() / 100)


def test_slider_of_a_pose_asset_keys_its_curve(scene):
    scene.keep(20)
    scene.pose_at(30)
    slider = scene.asset_slider()
    x, y = 6.0, slider.height() / 2
    scene.user.drag(slider, (x, y), (slider.width() * 0.6, y))
    weight = scene.session.clip.curves["frame 20"].values[-1]
    assert 0.3 < weight < 0.9
    assert scene.session.history.labels[-1] == "Weight of frame 20 @ f30"
    scene.session.undo()
    scene.user.settle()
    assert "frame 20" not in scene.session.clip.curves and slider.value() == 0


def test_masks_of_the_rig_narrow_what_a_pose_changes(scene):
    from dataclasses import replace

    rig = scene.session.rig
    scene.session.edits.put("mask", replace(rig, masks={"lower": {"lower_arm_l": 1.0}}))
    scene.keep(20)
    base = scene.pose_at(5)
    scene.panel.mask_box.setCurrentIndex(scene.panel.mask_box.findData("lower"))
    scene.panel.mask_box.activated.emit(1)
    scene.user.click(scene.grid, scene.card(0))
    made, skeleton = scene.session.evaluator.pose(), scene.session.rig.skeleton
    upper, lower = skeleton.index("upper_arm_l"), skeleton.index("lower_arm_l")
    assert quat.angle_between(made.rotations[upper], base.rotations[upper]) < 1e-9
    assert quat.angle_between(made.rotations[lower], base.rotations[lower]) > 0.05


def test_empty_project_says_what_to_do(scene):
    scene.session.document.replace(Project(), None)
    scene.user.settle()
    assert scene.panel._empty.isVisible() and not scene.panel.save.isEnabled()


def test_closing_frees_the_renderer(scene):
    scene.keep(0)
    scene.user.wait_until(lambda: bool(scene.panel.thumbnails._known), "no thumbnail")
    scene.panel.close_panel()
    assert scene.panel.thumbnails._view is None


def test_the_grid_asks_for_another_height_after_the_layout_and_not_within_it(scene, monkeypatch):
    scene.keep(0, 5, 10, 15)
    asked = []
    within = []
    set_height, resized = type(scene.grid).setMinimumHeight, type(scene.grid).resizeEvent

    def resize(grid, event):
        within.append(True)
        resized(grid, event)
        within.pop()

    monkeypatch.setattr(type(scene.grid), "resizeEvent", resize)
    monkeypatch.setattr(
        type(scene.grid),
        "setMinimumHeight",
        lambda grid, height: (asked.append((bool(within), height)), set_height(grid, height)),
    )
    before = scene.grid.minimumHeight()
    scene.stage.window.resize(180, 480)
    scene.user.settle()
    assert asked and not any(inside for inside, _ in asked)
    assert scene.grid.minimumHeight() != before
    assert scene.grid.rect_of(3).bottom() < scene.grid.height()

"""Double clicks in the viewport select from the bone to the end of its chain; bones take the color of their set."""

import pytest

from core.rig.set_color import SetColor
from editor.model.bone_sets import BoneSets
from editor.tools.state import Setup, Tool
from tests.editor.panels.viewport.test_viewport_posing import Scene
from tests.editor.user import CTRL, SHIFT


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


@pytest.mark.parametrize("tool", [Tool.SELECT, Tool.ROTATE])
def test_double_click_selects_from_the_bone_to_the_chain_s_end(scene, tool):
    selection, user, view = scene.session.selection, scene.user, scene.view
    selection.clear()
    scene.stage.tools.set(Setup(tool))
    project = scene.session.document.project
    user.click(view, scene.bone_pixel("upper_arm_l", 0.4), double=True)
    assert set(selection.bones) == {"upper_arm_l", "lower_arm_l", "hand_l"}
    assert selection.active == "upper_arm_l"
    user.click(view, scene.bone_pixel("calf_r", 0.6), modifiers=SHIFT, double=True)
    assert set(selection.bones) == {"upper_arm_l", "lower_arm_l", "hand_l", "calf_r", "foot_r"}
    user.click(view, scene.bone_pixel("foot_r", 0.5), modifiers=CTRL, double=True)
    assert "foot_r" not in selection.bones
    selection.clear()
    user.click(view, (10, 200), double=True)
    assert selection.bones == (), "nothing is there"
    assert scene.session.document.project is project


def test_bones_are_shown_in_the_color_of_their_smallest_set(scene):
    session, user = scene.session, scene.user
    sets = session.feature(BoneSets)
    session.selection.select(["upper_arm_r", "lower_arm_r", "hand_r"])
    sets.make("arm", SetColor.BLUE)
    session.selection.select(["hand_r"])
    sets.make("hand", SetColor.RED)
    session.selection.clear()
    user.move(scene.view, (10, 200))
    before = scene.model.draw_list().bones.colors
    user.press("Ctrl+Shift+C")
    colors = scene.model.draw_list().bones.colors
    names = session.rig.skeleton.names
    tints = scene.model.scene.set_tints
    assert before is None
    assert tuple(colors[names.index("hand_r")]) == pytest.approx(tints["red"])
    assert tuple(colors[names.index("lower_arm_r")]) == pytest.approx(tints["blue"])
    assert colors[names.index("head"), 3] == 0.0, "in no set: the color of the theme"
    user.press("Ctrl+Shift+C")
    assert scene.model.draw_list().bones.colors is None

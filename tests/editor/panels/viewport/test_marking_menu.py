"""The marking menu as a person uses it: flicked, held, by keys alone, cancelled; what it does is undone exactly."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from editor.model.bone_sets import BoneSets
from editor.qt import tokens
from editor.tools.state import Tool
from tests.editor.panels.viewport.test_viewport_posing import Scene
from tests.editor.portraits.brush import noted
from tests.editor.user import RIGHT

AT = (350, 240)


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    yield made
    made.stage.close(qapp)


def flick(scene, *places):
    """Hold the key, go there at once, release: before the menu is drawn."""
    scene.user.move(scene.view, AT)
    with scene.user.holding("D"):
        for dx, dy in places:
            window, place = scene.user.point(scene.view, AT)
            QTest.mouseMove(window, place + QPoint(dx, dy))
        scene.user.settle()


def tool(scene):
    return scene.stage.tools.setup.tool


def test_flick_chooses_directly_and_from_the_menus_that_follow(scene):
    session, user = scene.session, scene.user
    menu = scene.panel.marking
    flick(scene, (40, -40))
    assert tool(scene) is Tool.ROTATE and not menu.input.on and not menu.isVisible()
    flick(scene, (-40, -40))
    assert tool(scene) is Tool.MOVE
    session.selection.select(["upper_arm_l"])
    before = session.document.project
    session.playback.seek(5 / 30)
    flick(scene, (40, 40))
    after = session.document.project
    assert after is not before and session.history.labels[-1].startswith("Set key")
    user.press("Ctrl+Z")
    assert session.document.project.clips[0] is before.clips[0]
    user.press("Ctrl+Shift+Z")
    assert session.document.project.clips[0] is after.clips[0]
    flick(scene, (0, -60), (0, -110), (-60, -150))
    assert tool(scene) is Tool.MOVE, "tools, and there up and to the left"
    flick(scene, (-40, 40))
    assert set(session.selection.bones) == {"upper_arm_l", "lower_arm_l", "hand_l"}, "to the chain's end"
    sets = session.feature(BoneSets)
    sets.make("arm")
    session.selection.clear()
    flick(scene, (-60, 0), (-110, 0), (-95, -60))
    assert set(session.selection.bones) == {"upper_arm_l", "lower_arm_l", "hand_l"}


def test_menu_is_drawn_while_the_key_is_held_and_cancelled(scene):
    user, menu, project = scene.user, scene.panel.marking, scene.session.document.project
    before = scene.stage.tools.setup
    user.move(scene.view, AT)
    with user.holding("D"):
        user.wait_until(menu.isVisible, "the menu was not drawn")
        user.move(scene.view, (AT[0] + 50, AT[1]))
        assert menu.text_of(menu.input.menu.entry) == "Keys"
        user.move(scene.view, AT)
    assert not menu.isVisible(), "released in the middle"
    with user.holding("D"):
        user.move(scene.view, (AT[0] + 40, AT[1] - 40))
        user.press("Esc")
        assert not menu.input.on
    with user.holding("D"):
        user.click(scene.view, (AT[0] + 40, AT[1] - 40), button=RIGHT)
        assert not menu.input.on
    assert scene.stage.tools.setup == before and scene.session.document.project is project


def test_sets_are_drawn_with_their_colours(scene):
    sets = scene.session.feature(BoneSets)
    scene.session.selection.select(["hand_l"])
    sets.make("hand")
    color = tokens.SET_COLORS[sets.color("hand")]
    scene.user.move(scene.view, AT)
    with scene.user.holding("D"):
        scene.user.wait_until(scene.panel.marking.isVisible, "the menu was not drawn")
        for dx in (60, 110):
            scene.user.move(scene.view, (AT[0] - dx, AT[1]))
        with noted() as log:
            scene.panel.marking.repaint()
        scene.user.press("Esc")
    assert any("drawEllipse" in line and color in line for line in log.taken())


def test_menu_works_by_keys_alone_and_from_the_palette(scene):
    user, menu, session = scene.user, scene.panel.marking, scene.session
    user.move(scene.view, AT)
    with user.holding("D"):
        user.press("Up")
        user.press("Right")
    assert tool(scene) is Tool.ROTATE
    session.selection.select(["upper_arm_l"])
    with user.holding("D"):
        user.press("Down")
    assert menu.isVisible(), "the mirror's own menu waits for a direction"
    user.press("8")
    assert session.selection.bones == ("upper_arm_r",) and not menu.isVisible()
    assert scene.stage.actions.run("view.marking_menu") and menu.isVisible()
    user.press("Left")
    user.press("Up")
    user.press("Return")
    assert tool(scene) is Tool.MOVE
    scene.stage.actions.run("view.marking_menu")
    middle = scene.view.rect().center()
    user.click(scene.view, (middle.x() + 40, middle.y() - 40))
    assert tool(scene) is Tool.ROTATE and not menu.isVisible()
    assert session.selection.bones == ("upper_arm_r",), "the click is the menu's"

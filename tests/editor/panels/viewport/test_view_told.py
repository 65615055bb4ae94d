"""What of the session makes the viewport's picture and words anew, and how gestures, clicks and framing end."""

from dataclasses import replace

import numpy as np
import pytest

from core.project.project import Project
from core.rig.rig import JointLimit, LimitKind
from editor.gl import camera as cameras
from editor.gl.axis_widget import VIEWS, bubbles
from editor.gl.camera import View
from editor.gl.draw_list import AxisWidget, BoneStyle, Shading
from editor.gl.gizmo import Handle
from editor.model.play.state import Play
from editor.model.ragdoll.bodies import Bodies
from editor.model.shot.state import Shot
from editor.panels.viewport.options import ViewOptions
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.state import Setup, Space, Tool, ToolState
from tests.editor.panels.viewport.test_marks_pinned import CAMERAS, _chains, curved

SIZE = (640.0, 480.0)


@pytest.fixture
def model(model):
    model.told = {"picture": 0, "words": 0}
    model.changed.connect(lambda _: model.told.update(picture=model.told["picture"] + 1))
    model.overlay_changed.connect(lambda _: model.told.update(words=model.told["words"] + 1))
    return model


def pixel(model: ViewportModel, bone: str) -> tuple[float, float]:
    place = model.matrices()[model.rig.skeleton.index(bone), :3, 3]
    found, _ = cameras.project(model.camera, place, SIZE)
    return float(found[0]), float(found[1])


def after(model: ViewportModel, do) -> tuple[bool, bool, bool]:
    """Whether a deed makes the picture anew, tells of it, and of the words over it."""
    drawn = model.draw_list()
    model.told.update(picture=0, words=0)
    do()
    return model.draw_list() is not drawn, model.told["picture"] > 0, model.told["words"] > 0


# ------------------------------------------------------------ what is told
def test_switches_make_the_picture_anew_that_concern_it(session, model) -> None:
    for name in ("ghosts", "trails", "limits", "alignment", "bodies", "shot", "safe_frame", "set_colors", "mesh",
                 "bones", "names", "grid", "axes", "shadow", "heads_up", "silhouette", "clay", "unlit"):  # fmt: skip
        picture, told, _ = after(model, lambda name=name: session.switches.toggle(name))
        assert picture and told, name
    for name in ("snap", "path_drag", "live_mirror"):
        assert not after(model, lambda name=name: session.switches.toggle(name))[0], name
    for name, value in (
        ("ghosts_before", 3),
        ("trails_colors", "speed"),
        ("bone_style", BoneStyle.STICK.value),
    ):
        assert after(model, lambda name=name, value=value: session.preferences.set(name, value))[:2] == (
            True,
            True,
        )
    assert not after(model, lambda: session.preferences.set("time_unit", "seconds"))[0]
    assert model.scene.options.style is BoneStyle.STICK


@pytest.mark.parametrize(
    ("name", "do"),
    [
        ("pose", lambda s: s.playback.seek(0.1)), ("bones", lambda s: s.selection.select(["head"])),
        ("flags", lambda s: s.selection.set_flag("hidden", ["head"])),
        ("hover", lambda s: s.selection.set_hover("head")),
        ("clip", lambda s: s.playback.set_clip(None, s.rig.id)),
        ("document", lambda s: s.edits.put("name", replace(s.rig, name="other"))),
        ("bodies", lambda s: s.feature(Bodies).watch(True)), ("shot", lambda s: s.feature(Shot).changed.emit(None)),
    ],
)  # fmt: skip
def test_what_is_shown_of_the_session_is_told(session, model, name, do) -> None:
    picture, told, words = after(model, lambda: do(session))
    assert picture and told
    assert words or name in ("flags", "bodies", "shot")


def test_moving_the_view_makes_anew_only_what_depends_on_it(session, model) -> None:
    def moved() -> tuple[bool, bool, bool]:
        return after(model, lambda: model.controller.dolly(0.99))

    session.selection.select(["lower_arm_l"])
    assert moved() == (False, True, True)
    model.tools.set(Setup(Tool.MOVE, Space.VIEW))
    assert moved() == (True, True, True)
    model.tools.set(Setup(Tool.MOVE, Space.WORLD))
    assert moved()[0] is False
    session.switches.set("axes", True)
    assert moved()[0] is True
    session.switches.set("axes", False)
    session.switches.set("limits", True)
    assert moved()[0] is False
    limit = JointLimit(LimitKind.HINGE, (0.0, 1.0, 0.0), -20.0, 60.0, 25.0)
    session.edits.put("limit", replace(session.rig, limits={"lower_arm_l": limit}))
    assert moved()[0] is True
    session.switches.set("limits", False)
    assert moved()[0] is False
    assert model.tools.look == model.controller.look()


def test_options_are_those_of_the_switches(session) -> None:
    plain = ViewOptions.read(session.switches, session.preferences)
    assert plain == ViewOptions()
    for name in (
        "mesh",
        "bones",
        "names",
        "grid",
        "axes",
        "shadow",
        "heads_up",
        "silhouette",
        "clay",
        "unlit",
    ):
        before = session.switches[name]
        session.switches.toggle(name)
        found = ViewOptions.read(session.switches, session.preferences)
        assert found == replace(plain, **{name: not before})
        session.switches.toggle(name)
    for style in BoneStyle:
        session.preferences.set("bone_style", style.value)
        assert ViewOptions.read(session.switches, session.preferences).style is style
    session.preferences.set("bone_style", "nonsense")
    assert ViewOptions.read(session.switches, session.preferences).style is BoneStyle.OCTAHEDRAL
    for silhouette, unlit, shading in (
        (False, False, Shading.LIT), (False, True, Shading.UNLIT), (True, False, Shading.FLAT),
        (True, True, Shading.FLAT),
    ):  # fmt: skip
        assert ViewOptions(silhouette=silhouette, unlit=unlit).shading is shading


# ------------------------------------------------------------ hovering
def test_what_is_hovered_is_lit_and_told_once(session, model) -> None:
    hand = pixel(model, "hand_l")
    assert after(model, lambda: model.hover(hand))[0] and session.selection.hover == "hand_l"
    assert after(model, lambda: model.hover(hand)) == (False, False, False)
    assert after(model, lambda: model.hover(None))[0] and session.selection.hover is None
    widget, _ = bubbles(AxisWidget(), model.camera, SIZE)
    for number, spot in enumerate(np.asarray(widget)[:, :2]):
        model.hover((float(spot[0]), float(spot[1])))
        assert model.scene.bubble is not None and session.selection.hover is None, number
    model.hover(None)
    assert model.scene.bubble is None
    session.selection.select(["head"])
    model.tools.set(Setup(Tool.MOVE))
    middle = cameras.project(model.camera, model.gizmo().pivot, SIZE)[0]
    model.hover((float(middle[0]), float(middle[1])))
    assert model.scene.handle is Handle.CENTRE and session.selection.hover is None
    assert model.gizmo().hovered is Handle.CENTRE
    session.switches.set("temporary_ik", True)
    assert model.pulls
    model.hover(hand)
    assert session.selection.hover == "hand_l" and model.scene.handle is None
    session.switches.set("temporary_ik", False)
    assert not model.pulls
    model.pulling = True
    assert model.pulls


def test_skin_is_hovered_beside_bones_while_time_stands(session, model) -> None:
    session.switches.set("bones", False)
    a, b = pixel(model, "calf_l"), pixel(model, "foot_l")
    spot = (a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0
    model.hover(spot)
    assert session.selection.hover == "calf_l"
    model.hover(None)
    session.playback.play()
    model.hover(spot)
    assert session.selection.hover is None
    session.playback.pause()


def test_goals_and_dots_are_hovered(session, model) -> None:
    curved(session)
    _chains(session, model)
    marks = model.scene.ik
    goal = cameras.project(
        model.camera, np.array(model.matrices()[model.rig.skeleton.index("hand_l"), :3, 3]), SIZE
    )[0]
    found = next(
        (x, y) for x in np.arange(goal[0] - 60, goal[0] + 60, 4.0) for y in np.arange(goal[1] - 60, goal[1] + 60, 4.0)
        if marks.mark_at(model.camera, SIZE, (float(x), float(y))) is not None
    )  # fmt: skip
    mark, what = marks.mark_at(model.camera, SIZE, found)
    assert after(model, lambda: model.hover(found))[0] and marks.hovered == (mark.setup.name, what)
    assert after(model, lambda: model.hover(None))[0] and marks.hovered is None
    session.selection.select(["foot_r"])
    session.switches.set("trails", True)
    _, times, places = model.scene.trails.path(session.rig)
    at = cameras.project(model.camera, places[10], SIZE)[0]
    spot = float(at[0]), float(at[1])
    picture, _, words = after(model, lambda: model.hover(spot))
    dot = model.scene.trails.hovered
    assert picture and words and dot is not None and dot.bone == "foot_r"
    text, where = model.chip()
    assert text.startswith("frame ") and where == pytest.approx(
        cameras.project(model.camera, dot.place, SIZE)[0][:2].tolist()
    )
    assert after(model, lambda: model.hover(spot)) == (False, False, False)
    model.hover(None)
    assert model.scene.trails.hovered is None and model.chip() is None


# ------------------------------------------------------------ gestures
def test_a_drag_is_told_written_beside_the_pointer_and_let_go(session, model) -> None:
    session.selection.select(["head"])
    model.tools.set(Setup(Tool.MOVE))
    middle = cameras.project(model.camera, model.gizmo().pivot, SIZE)[0]
    start = Pointer(float(middle[0]), float(middle[1]), Button.LEFT)
    end = replace(start, x=start.x + 30.0)
    assert model.press(start) is not None and model.scene.held_gizmo.active is Handle.CENTRE
    assert model.scene.held_gizmo.hovered is None and model.chip() is None
    assert after(model, lambda: model.move(end))[2]
    text, where = model.chip()
    assert text and where == end.pixel
    assert not model.type_text("é") and model.type_text("1") and model.heads_up() is not None
    steps = session.history.position
    assert after(model, lambda: model.release(end))[2] and model.scene.held_gizmo is None
    assert session.history.position == steps + 1 and model.chip() is None and not model.type_text("1")
    model.press(replace(start, x=pixel(model, "head")[0], y=pixel(model, "head")[1]))
    model.move(replace(start, x=start.x + 50.0))
    assert model.cancel() and model.scene.held_gizmo is None and session.history.position == steps + 1
    assert not model.cancel()
    session.switches.set("path_draw", True)
    assert model.waits_for_stroke and model.cancel() and not model.waits_for_stroke
    box = ((1.0, 2.0), (3.0, 4.0))
    assert after(model, lambda: model.show_box(box))[2] and model.box == box


def test_a_double_click_goes_to_the_end_of_the_chain_of_what_was_clicked(session, model) -> None:
    model.tools.set(Setup(Tool.SELECT))
    spot = Pointer(*pixel(model, "upper_arm_l"), Button.LEFT)

    def click(pointer: Pointer = spot) -> None:
        session.selection.select(["head"])
        model.press(pointer)
        model.release(pointer)

    for again, done in (
        (spot, True), (replace(spot, button=Button.RIGHT), False), (replace(spot, modifiers=Modifiers.CTRL), False),
        (replace(spot, modifiers=Modifiers.ALT), False), (replace(spot, modifiers=Modifiers.SHIFT), True),
    ):  # fmt: skip
        click()
        first = session.selection.active
        assert model.double_click(again) == done, again
        assert (len(session.selection.bones) > 1) == done and first in session.selection.bones
        assert not model.double_click(again)  # what was clicked is forgotten
    click()
    session.selection.select(["foot_l"])
    assert not model.double_click(spot)


def test_a_click_on_a_bubble_looks_along_it_and_again_from_behind(session, model) -> None:
    for number in range(6):
        model.controller.set_camera(CAMERAS["from aside"])
        spots, _ = bubbles(AxisWidget(), model.camera, SIZE)
        spot = Pointer(float(spots[number][0]), float(spots[number][1]), Button.LEFT)
        model.hover(spot.pixel)
        bubble = model.scene.bubble
        assert model.press(spot) is None
        assert cameras.view_name(model.camera) is VIEWS[bubble]
    opposite = {View.LEFT: View.RIGHT, View.TOP: View.BOTTOM, View.FRONT: View.BACK}
    for view, other in {**opposite, **{b: a for a, b in opposite.items()}}.items():
        assert VIEWS[(VIEWS.index(view) + 3) % 6] is other


def test_a_view_frames_the_selection_with_room_for_small_bones(session, model) -> None:
    everything = float(np.ptp(model.scene.all_points(), axis=0).max())
    for bones in (["head"], ["hand_l", "foot_r"], ["lower_arm_l"]):
        session.selection.select(bones)
        points = model.scene.selected_points()
        model.controller.set_camera(CAMERAS["from aside"])
        twin = ViewportModel(session, ToolState())
        twin.resize(SIZE)
        twin.controller.set_camera(CAMERAS["from aside"])
        twin.controller.frame(points, max(float(np.ptp(points, axis=0).max()) * 0.1, 0.08 * everything))
        model.frame_selected()
        assert model.camera.distance == twin.camera.distance and model.camera.target == pytest.approx(
            twin.camera.target
        )
        framed = model.camera.distance
        twin.controller.set_camera(CAMERAS["from aside"])
        twin.controller.frame(model.scene.all_points())
        session.selection.select([])
        model.controller.set_camera(CAMERAS["from aside"])
        model.frame_selected()
        assert model.camera.distance == twin.camera.distance
        assert framed < 1.1 * model.camera.distance, "bones are never shown much smaller than in the whole"
        twin.close()
    session.document.replace(Project({}), None)
    yaw, pitch = model.camera.yaw, model.camera.pitch
    model.frame_all()
    assert (model.camera.yaw, model.camera.pitch) == (yaw, pitch) and model.rig is None


def test_only_a_driven_character_is_pushed(session, model) -> None:
    spot = Pointer(*pixel(model, "head"), Button.LEFT)
    assert not session.feature(Play).on and model.push(spot, False) is None

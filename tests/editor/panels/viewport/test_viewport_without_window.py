"""The viewport's model without its widget: presses and drags by kind, handles, the camera looked through, by pins."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.shot.camera import ShotCamera
from editor.gl import camera as cameras
from editor.gl.axis_widget import VIEWS
from editor.gl.camera import Camera
from editor.gl.draw_list import GizmoShape
from editor.gl.frame_view import FrameTraffic
from editor.gl.gizmo import Handle
from editor.model.shot.state import Shot
from editor.panels.viewport.handle_drag import GizmoHandleDrag
from editor.panels.viewport.heads_up import traffic_text
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.state import Setup, Tool
from tests.editor.panels.viewport.test_marks_pinned import CAMERAS, SCENES, curved
from tests.pins import Pins

PINS = Pins(__file__)
NO, SHIFT, CTRL, ALT = Modifiers.NONE, Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT
SIZE = (640.0, 480.0)


def pixel(model: ViewportModel, place) -> tuple[float, float]:
    found, _ = cameras.project(model.camera, np.asarray(place, dtype=np.float64), SIZE)
    return float(found[0]), float(found[1])


def looked(camera: Camera) -> tuple[object, ...]:
    return (
        camera.target,
        camera.distance,
        camera.yaw,
        camera.pitch,
        camera.fov,
        camera.orthographic,
        camera.mirrored,
    )


# ------------------------------------------------------------ handles
@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("tool", (Tool.MOVE, Tool.ROTATE, Tool.SCALE))
def test_every_handle_gives_its_amount_and_is_shown_dragged(camera, tool) -> None:
    axes = quat.to_matrix(quat.from_axis_angle([0.3, 1.0, 0.2], 0.5)).T
    with PINS.together(f"handles: {tool.value}, {camera}") as note:
        for handle in Handle:
            shown: list[GizmoShape] = []
            gizmo = GizmoShape(tool.value, np.array([0.1, 1.1, 0.0]), axes, size=80.0)
            made = GizmoHandleDrag(tool, handle, gizmo, CAMERAS[camera], SIZE, (350.0, 200.0), shown.append)
            axes_of, free = made.axes, made.free
            if tool is not Tool.ROTATE and handle in (Handle.VIEW, Handle.TRACKBALL):
                continue
            if tool is Tool.ROTATE and handle not in (Handle.VIEW, Handle.TRACKBALL) and len(axes_of) != 1:
                continue
            note(handle.name, axes_of, free, made.direction)
            for to in ((350.0, 200.0), (390.0, 170.0), (250.0, 300.0), (300.0, 120.0)):
                amount = made.amount(to)
                made.show(amount)
                note(amount, shown[-1])


def test_a_ring_goes_round_more_than_once() -> None:
    gizmo = GizmoShape(Tool.ROTATE.value, np.zeros(3), np.eye(3))
    camera = Camera(np.zeros(3), 0.0, 0.0, 3.0)
    drag = GizmoHandleDrag(Tool.ROTATE, Handle.VIEW, gizmo, camera, SIZE, (420.0, 240.0), lambda _: None)
    turned = [
        float(np.linalg.norm(drag.amount((320.0 + 100.0 * np.cos(a), 240.0 - 100.0 * np.sin(a)))))
        for a in np.linspace(0.0, 4.0 * np.pi, 33)
    ]
    assert turned == pytest.approx(np.linspace(0.0, 4.0 * np.pi, 33), abs=1e-3)


# ------------------------------------------------------------ presses
PRESSED = ("nothing", "chains", "bodies", "trails by time", "shot", "shot, character selected", "pins",
           "selected, hidden, locked", "bones alone")  # fmt: skip


def told(model: ViewportModel) -> tuple[object, ...]:
    session, shot = model.session, model.session.feature(Shot)
    return (
        session.evaluator.pose().rotations, session.evaluator.pose().translations, list(session.selection.bones),
        session.history.labels[: session.history.position][-1:], model.scene.held_gizmo is None,
        None if shot.selected is None else shot.selected.id, model.box, model.scene.ik.pulling, *looked(model.camera),
        session.playback.time, model.chip(), model.heads_up(),
    )  # fmt: skip


@pytest.mark.parametrize("scene", PRESSED)
def test_presses_begin_what_lies_under_the_pointer(session, model, scene) -> None:
    SCENES[scene](session, model)
    begun, chosen = session.history.position, session.selection.bones
    model.controller.set_camera(CAMERAS["from aside"])
    matrices = model.matrices()
    index = session.rig.skeleton.index
    places = [matrices[index(bone), :3, 3] for bone in ("hand_l", "head", "lower_arm_l")]
    places += [grip.place for grip in model.scene.bodies.grips()[:2]]
    path = model.scene.trails.path(session.rig)
    places += [] if path is None else [path[2][5], path[2][40]]
    tools = (Tool.SELECT, Tool.ROTATE, Tool.MOVE) if scene == "nothing" else (Tool.MOVE,)
    with PINS.together(f"press: {scene}") as note:
        for tool, held, place in itertools.product(tools, (NO, SHIFT, CTRL), [*places, None]):
            while session.history.position > begun:
                session.undo()
            session.selection.select(chosen or ["upper_arm_l"])
            model.controller.set_camera(CAMERAS["from aside"])
            model.tools.set(Setup(tool))
            x, y = (20.0, 30.0) if place is None else pixel(model, place)
            model.hover((x, y))
            grip = model.scene.bodies.hovered
            note(session.selection.hover, None if model.scene.handle is None else model.scene.handle.name)
            note(
                model.scene.ik.hovered,
                None if grip is None else grip.name,
                model.scene.trails.hovered is None,
            )
            gesture = model.press(Pointer(x, y, Button.LEFT, held))
            note(None if gesture is None else type(gesture).__name__)
            model.move(Pointer(x + 23.0, y - 17.0, Button.LEFT, held))
            note(*told(model))
            if held is SHIFT:
                note(model.cancel(), *told(model))
                continue
            model.release(Pointer(x + 23.0, y - 17.0, Button.LEFT, held))
            note(*told(model))
        model.hover(None)
        note(session.selection.hover, model.scene.ik.hovered, model.scene.trails.hovered)


def test_clicks_and_double_clicks_select(session, model) -> None:
    place = pixel(model, model.matrices()[session.rig.skeleton.index("hand_l"), :3, 3])
    with PINS.together("double clicks") as note:
        for tool, held, again in itertools.product(
            (Tool.SELECT, Tool.ROTATE), (NO, SHIFT, CTRL), (NO, SHIFT, CTRL, ALT)
        ):
            model.tools.set(Setup(tool))
            session.selection.select(["head"])
            model.press(Pointer(*place, Button.LEFT, held))
            model.release(Pointer(*place, Button.LEFT, held))
            note(list(session.selection.bones))
            note(model.double_click(Pointer(*place, Button.LEFT, again)), list(session.selection.bones))
            note(model.double_click(Pointer(*place, Button.LEFT, again)))
        session.selection.select([])
        note(
            model.aim(place),
            list(session.selection.bones),
            model.aim((5.0, 5.0)),
            list(session.selection.bones),
        )
        session.selection.select(["head", *session.selection.bones])
        note(model.aim(place), list(session.selection.bones))


def test_the_axis_widget_navigation_and_scrubbing(session, model) -> None:
    with PINS.together("widget") as note:
        for x, y in itertools.product(range(545, 640, 8), range(4, 100, 8)):
            model.controller.set_camera(CAMERAS["from aside"])
            model.hover((float(x), float(y)))
            gesture = model.press(Pointer(float(x), float(y), Button.LEFT))
            note(
                model.scene.bubble, None if gesture is None else type(gesture).__name__, *looked(model.camera)
            )
            model.cancel()
        for view in VIEWS:
            model.controller.look_from(view)
            bubble = next((b for b in range(6) if VIEWS[b] is view), None)
            note(bubble, model.heads_up().view)
        for button, held in itertools.product(Button, (NO, SHIFT, CTRL, ALT)):
            model.controller.set_camera(CAMERAS["from aside"])
            gesture = model.press(Pointer(30.0, 440.0, button, held))
            model.move(Pointer(80.0, 400.0, button, held))
            note(None if gesture is None else type(gesture).__name__, *looked(model.camera))
            model.cancel()
            note(*looked(model.camera))
        for button in (Button.LEFT, Button.MIDDLE):
            session.playback.seek(0.5)
            model.press(Pointer(300.0, 300.0, button), scrubbing=True)
            model.move(Pointer(340.0, 300.0, button))
            note(session.playback.time)
            model.release(Pointer(340.0, 300.0, button))


def test_temporary_ik_and_paths_begin_where_they_can(session, model) -> None:
    curved(session)
    said: list[str] = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    index = session.rig.skeleton.index
    with PINS.together("pulls and paths") as note:
        session.switches.set("temporary_ik", True)
        for bone, held in itertools.product(("hand_l", "foot_r", "spine", "head"), (NO, SHIFT, CTRL)):
            begun = session.history.position
            x, y = pixel(model, model.matrices()[index(bone), :3, 3])
            gesture = model.press(Pointer(x, y, Button.LEFT, held))
            model.move(Pointer(x + 20.0, y + 15.0, Button.LEFT, held))
            model.release(Pointer(x + 20.0, y + 15.0, Button.LEFT, held))
            note(bone, type(gesture).__name__, *told(model)[:5])
            while session.history.position > begun:
                session.undo()
        session.selection.set_flag("locked", ["hand_l"])
        x, y = pixel(model, model.matrices()[index("hand_l"), :3, 3])
        note(type(model.press(Pointer(x, y, Button.LEFT))).__name__, list(said))
        model.cancel()
        session.selection.set_flag("locked", [])
        session.switches.set("temporary_ik", False)
        session.selection.select([])
        session.switches.set("path_draw", True)
        note(model.waits_for_stroke, model.press(Pointer(200.0, 200.0, Button.LEFT)) is None, model.waits_for_stroke,
             list(said))  # fmt: skip
        session.selection.select(["hand_l"])
        session.switches.set("trails", True)
        session.switches.set("path_draw", True)
        model.press(Pointer(200.0, 200.0, Button.LEFT))
        for step in range(1, 6):
            model.move(Pointer(200.0 + 40.0 * step, 200.0 + 9.0 * step * (5 - step), Button.LEFT))
        note(model.scene.trails.stroke, model.draw_list().shapes)
        model.release(Pointer(400.0, 200.0, Button.LEFT))
        note(*told(model)[:4], model.scene.trails.stroke)
        session.switches.set("path_draw", True)
        assert model.cancel() and not model.waits_for_stroke and not model.cancel()


# ------------------------------------------------------------ where it is looked from
def test_framing_looks_at_what_is_selected_or_at_all(session, model) -> None:
    with PINS.together("framing") as note:
        for bones in ((), ("hand_l",), ("hand_l", "foot_r"), ("spine",)):
            session.selection.select(bones)
            model.controller.set_camera(CAMERAS["from aside"])
            model.frame_selected()
            note(*looked(model.camera))
            model.frame_all()
            note(*looked(model.camera), model.scene.selected_points())
        session.playback.set_clip(None, None)
        session.document.replace(type(session.document.project)({}), None)
        model.frame_all()
        note(*looked(model.camera), model.scene.all_points(), model.scene.selected_points())


def test_the_view_follows_a_character_that_walks_away(session, model) -> None:
    curved(session)
    session.playback.in_place = False
    with PINS.together("follows") as note:
        for on in (False, True):
            session.switches.set("follow", on)
            for time in (0.0, 1.0, 1.9, 0.5):
                session.playback.seek(time)
                note(*looked(model.camera))


CAMERA = ShotCamera(
    AssetId("camera-a"), "first",
    Transform(np.array([0.5, 1.4, 3.0]), quat.from_axis_angle([0.0, 1.0, 0.0], 0.2), np.ones(3)),
)  # fmt: skip


@pytest.mark.parametrize("locked", [False, True])
def test_a_camera_looked_through_is_left_or_moved(session, model, locked) -> None:
    shot = session.feature(Shot)
    shot.add(CAMERA)
    with PINS.together(f"looked through, locked {locked}") as note:

        def here() -> None:
            note(model.through.on, model.controller.still, *looked(model.camera), model.camera_rectangle(),
                 shot.camera.place.translation, session.history.undo_label)  # fmt: skip

        here()
        shot.lock(locked)
        shot.look_through(True)
        here()
        model.resize((300.0, 480.0))
        here()
        model.resize(SIZE)
        session.playback.seek(0.3)
        here()
        for end in (model.cancel, lambda: model.release(Pointer(380.0, 230.0, Button.MIDDLE))):
            shot.look_through(True)
            model.press(Pointer(320.0, 240.0, Button.MIDDLE))
            model.move(Pointer(350.0, 200.0, Button.MIDDLE))
            here()
            model.move(Pointer(380.0, 230.0, Button.MIDDLE))
            end()
            here()
        shot.look_through(True)
        model.controller.set_camera(replace(model.camera, distance=2.0))
        here()
        shot.look_through(False)
        here()
    if not locked:
        assert shot.camera.place.translation == pytest.approx(CAMERA.place.translation)


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_new_camera_sees_what_the_view_does(session, model, camera) -> None:
    model.controller.set_camera(CAMERAS[camera])
    model.new_camera()
    made = session.feature(Shot).cameras[-1]
    PINS.hold(f"new camera: {camera}", made.place, made.lens, made.sensor, made.height)
    at = pixel(model, CAMERAS[camera].target)
    session.feature(Shot).look_through(True)
    assert pixel(model, CAMERAS[camera].target) == pytest.approx(at, abs=0.5)


def test_traffic_is_told_in_one_line() -> None:
    assert traffic_text(None) == ""
    made = FrameTraffic(calls=7, draws=3, uploaded=1234, read_back=56, waits=2)
    assert traffic_text(made) == "7 calls · 3 draws · 1.2 kB up · 0.1 kB read back · 2 waits"

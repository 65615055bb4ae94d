"""The viewport's model where there is little: no character, nothing under the pointer, roots; clicked rings."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.shot.camera import ShotCamera, view_at
from core.tracks.keys import scalar_track
from editor.gl import camera as cameras
from editor.model.ik import edits as ik_edits
from editor.model.ik.state import IkState
from editor.model.shot.state import Shot
from editor.panels.viewport.pulling import pick_pivot
from editor.panels.viewport.shot_marks import outline
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.ik.marks import chain_marks
from editor.tools.pointer import Button, Pointer
from editor.tools.state import Pivot, Setup, Tool
from tests.editor.panels.viewport.test_marks_pinned import CAMERAS
from tests.pins import Pins

PINS = Pins(__file__)
SIZE = (640.0, 480.0)


@pytest.fixture
def session(session):
    session.said = []
    session.messages.posted.connect(lambda message: session.said.append(message.text))
    return session


def pixel(model: ViewportModel, bone: str) -> tuple[float, float]:
    place = model.matrices()[model.rig.skeleton.index(bone), :3, 3]
    found, _ = cameras.project(model.camera, place, SIZE)
    return float(found[0]), float(found[1])


def test_a_pivot_is_picked_on_the_bone_under_the_pointer(session, model) -> None:
    before = model.tools.setup
    assert not pick_pivot(model, (3.0, 3.0)) and model.tools.setup == before
    assert "Point at a bone" in session.said[-1]
    x, y = pixel(model, "hand_l")
    assert pick_pivot(model, (x + 3.0, y - 2.0))
    setup = model.tools.setup
    assert (
        setup.pivot is Pivot.POINT
        and session.said[-1] == f"Pivot picked on {model.bones_at((x + 3.0, y - 2.0))[0]}"
    )
    PINS.hold("picked pivot", setup.picked)


def test_a_trail_marks_keys_of_a_bone_and_the_two_above_it(session, model) -> None:
    times = {"pelvis": 0.5, "spine": 0.7, "chest": 0.9, "head": 1.1}
    tracks = {Channel(bone, Property.ROTATE, 0): scalar_track([time], [3.0]) for bone, time in times.items()}
    session.edits.put("keys", replace(session.clip, tracks=tracks))
    session.switches.set("trails", True)
    marked = {
        "head": (0.7, 0.9, 1.1), "chest": (0.5, 0.7, 0.9), "spine": (0.5, 0.7), "pelvis": (0.5,), "calf_l": (0.5,),
        "foot_l": (),
    }  # fmt: skip
    for bone, keyed in marked.items():
        session.selection.select([bone])
        drawn = model.scene.trails._trails(session.rig)
        assert drawn.times[drawn.keyed[0]] == pytest.approx(keyed)


def test_the_camera_goes_along_with_a_character_that_walks(session, model, monkeypatch) -> None:
    """Over the ground, not up and down; where it begins to follow, it stays."""
    start = np.array(model.camera.target)

    def walked(x: float, y: float, z: float) -> np.ndarray:
        placed = np.eye(4)
        placed[:3, 3] = x, y, z
        monkeypatch.setattr(session.evaluator, "world", lambda: placed)
        session.evaluator.changed.emit(None)
        return np.array(model.camera.target) - start

    assert walked(5.0, 0.0, 5.0) == pytest.approx(np.zeros(3))
    session.switches.set("follow", True)
    assert walked(5.0, 0.0, 5.0) == pytest.approx(np.zeros(3))
    assert walked(5.5, 2.0, 4.0) == pytest.approx([0.5, 0.0, -1.0])
    model.press(Pointer(300.0, 200.0, Button.MIDDLE))
    assert walked(9.0, 0.0, 9.0) == pytest.approx([0.5, 0.0, -1.0])
    model.cancel()
    assert walked(9.0, 0.0, 9.0) == pytest.approx([0.5, 0.0, -1.0])
    assert walked(9.0, 0.0, 9.25) == pytest.approx([0.5, 0.0, -0.75])
    session.switches.set("follow", False)
    assert walked(0.0, 0.0, 0.0) == pytest.approx([0.5, 0.0, -0.75])


def test_a_click_inside_the_rings_selects_what_lies_there(session, model) -> None:
    session.selection.select(["lower_arm_l"])
    model.tools.set(Setup(Tool.ROTATE))
    centre, _ = cameras.project(model.camera, model.gizmo().pivot, SIZE)
    told = []
    for x in range(-60, 61, 20):
        for y in range(-60, 61, 20):
            at = float(centre[0]) + x, float(centre[1]) + y
            session.selection.select(["lower_arm_l"])
            gesture = model.press(Pointer(*at, Button.LEFT))
            model.release(Pointer(*at, Button.LEFT))
            told.append((type(gesture).__name__, *session.selection.bones))
    PINS.hold("clicks inside the rings", told)
    assert len(set(told)) > 2


def test_a_breakdown_needs_keys_on_both_sides(session, model) -> None:
    model.breaking_down = True
    session.selection.select(["head"])
    assert model.press(Pointer(100.0, 100.0, Button.LEFT)) is None and session.said
    session.selection.select(["upper_arm_l"])
    assert model.press(Pointer(100.0, 100.0, Button.LEFT)) is not None and model.cancel()


def test_a_camera_behind_the_character_turns_about_what_is_near(session, model) -> None:
    shot = session.feature(Shot)
    away = Transform(np.array([0.0, 1.0, -3.0]), quat.IDENTITY, np.ones(3))
    shot.add(ShotCamera(AssetId("camera-a"), "away", away))
    shot.look_through(True)
    least = model.camera.distance
    shot.look_through(False)
    toward = replace(shot.camera, place=Transform(np.array([0.0, 1.0, 3.0]), quat.IDENTITY, np.ones(3)))
    shot.put("toward", replace(toward, id=AssetId("camera-b"), name="toward"))
    shot.select(AssetId("camera-b"))
    PINS.hold("looking away", least)
    project = session.document.project
    session.document.replace(Project({AssetId("camera-b"): project.assets["camera-b"]}), None)
    shot.look_through(True)
    assert model.through.on and model.camera.distance == pytest.approx(4.0)


def test_goals_behind_the_eye_and_cameras_looked_through_are_not_caught(session, model) -> None:
    ik_edits.propose(session)
    ik_edits.toggle(session, ("Left arm",))
    session.feature(IkState).select("Left arm")
    behind = replace(model.camera, target=np.array([0.0, 1.0, -9.0]), yaw=0.0, pitch=0.0, distance=2.0)
    (mark,) = (mark for mark in chain_marks(session) if mark.setup.name == "Left arm")
    for camera, caught in ((CAMERAS["from aside"], True), (CAMERAS["flat"], True), (behind, False)):
        for what, place in (("goal", mark.goal), ("pole", mark.pole)):
            at, depth = cameras.project(camera, place[None], SIZE)
            assert (depth[0] > 0.0) == caught
            found = model.scene.ik.mark_at(camera, SIZE, (float(at[0, 0]) + 2.0, float(at[0, 1]) - 3.0))
            assert (None if found is None else found[1]) == (what if caught else None)
    shot = session.feature(Shot)
    shot.add(
        ShotCamera(
            AssetId("camera-a"), "one", Transform(np.array([0.2, 1.0, 1.0]), quat.IDENTITY, np.ones(3))
        )
    )
    view = CAMERAS["from aside"]
    near, _ = cameras.project(view, np.array([0.2, 1.0, 1.0]), SIZE)
    at = float(near[0]), float(near[1])
    found = model.scene.shot.at(view, SIZE, at, ())
    assert found is not None and found[0].id == "camera-a" and found[1] == 0.0
    shot.look_through(True)
    assert model.scene.shot.at(view, SIZE, at, ()) is None
    shot.look_through(False)
    session.switches.set("shot", False)
    assert model.scene.shot.at(view, SIZE, at, ()) is None
    session.switches.set("shot", True)
    for off in (6.5, 7.5):
        assert (model.scene.shot.at(view, SIZE, (at[0] - off, at[1]), ()) is not None) == (
            _away(model, view, (at[0] - off, at[1])) < 7.0
        )


def _away(model: ViewportModel, view, place: tuple[float, float]) -> float:
    """Pixels from a place to the nearest point of the outline, by many points along each line."""
    shot = model.session.feature(Shot)
    ends, _ = cameras.project(view, outline(view_at(shot.cameras[0], shot.time)), SIZE)
    shares = np.linspace(0.0, 1.0, 400)[None, :, None]
    points = ends[:, :1] + shares * (ends[:, 1:] - ends[:, :1])
    return float(np.linalg.norm(points - np.array(place), axis=-1).min())

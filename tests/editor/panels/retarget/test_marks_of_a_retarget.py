"""What the viewport draws and writes of a retarget that has been worked out, without a window."""

from dataclasses import replace

import numpy as np
import pytest

from core.rig.rig import VirtualBone
from editor.gl import camera as cameras
from editor.gl.camera import Camera
from editor.gl.colors import with_alpha
from editor.gl.draw_list import Layer, Lines, Points, PointShape, Triangles
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from editor.panels.viewport.ik_marks import faded
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.retarget.marks import align_marks, chain_turns
from editor.tools.state import ToolState
from tests.editor import walkers

SIZE = (640.0, 480.0)
CAMERA = Camera(np.array([0.0, 1.0, 0.0]), 0.5, 0.2, 4.0, fov=0.8)


@pytest.fixture
def session():
    made = Session.create()
    made.document.replace(walkers.both_project(), None)
    made.playback.set_clip(walkers.REST, walkers.RIG)
    state = made.feature(Retargeting)
    state.use_rig(walkers.OTHER)
    state.pick.watch(True)
    state.live.start()
    made.playback.seek(0.5)
    yield made
    made.close()


@pytest.fixture
def model(session):
    made = ViewportModel(session, ToolState())
    made.resize(SIZE)
    made.controller.set_camera(CAMERA)
    yield made
    made.close()


def marks(session: Session):
    return align_marks(session, chain_turns(session.feature(Retargeting).computation.result.binding))


def shapes(model: ViewportModel):
    return model.scene.retarget.shapes(model.rig, True)


def color(shape) -> np.ndarray:
    return np.ravel(shape.colors)[:4]


def test_each_chain_that_was_turned_has_a_fan_its_own_way_and_the_aligned_one(session, model) -> None:
    retarget, tints = model.scene.retarget, model.scene.ik.tints
    some = marks(session)
    assert len(some) > 1 and not any(mark.chosen for mark in some)
    chosen = some[-1].chain
    for chain in (None, chosen):
        session.feature(Retargeting).pick.look_at(chain)
        now = marks(session)
        drawn = shapes(model)
        assert len(drawn) == 4 * len(now)
        for number, mark in enumerate(now):
            assert mark.chosen == (mark.chain == chain)
            strength, width = (0.95, 2.0) if mark.chosen else (0.45, 1.5)
            fan, rim, own, aligned = drawn[4 * number : 4 * number + 4]
            assert isinstance(fan, Triangles) and np.shape(fan.points) == (len(mark.arc) - 1, 3, 3)
            for piece, corners in enumerate(np.asarray(fan.points)):
                assert corners == pytest.approx(np.stack([mark.centre, *mark.arc[piece : piece + 2]]))
            assert color(fan) == pytest.approx(faded(tints.warning, 0.16 * strength))
            for line, tint, dash in (
                (rim, tints.warning, 0.0),
                (own, tints.warning, 4.0),
                (aligned, tints.accent, 0.0),
            ):
                assert isinstance(line, Lines) and line.layer is Layer.FRONT
                assert (line.width, line.dash) == (width, dash)
                assert color(line) == pytest.approx(faded(tint, strength))
            assert np.asarray(own.points)[0] == pytest.approx(np.stack([mark.centre, mark.own]))
            assert np.asarray(aligned.points)[0] == pytest.approx(np.stack([mark.centre, mark.aligned]))
            assert len(rim.points) == len(mark.arc) - 1
        words = retarget.labels(model.rig)
        assert [(w, bright) for w, _, bright in words] == [
            (f"{mark.chain} {mark.degrees:.0f}°", mark.chosen) for mark in now
        ]
        for (_, place, _), mark in zip(words, now, strict=True):
            assert place == pytest.approx(mark.arc[len(mark.arc) // 2])


def test_words_stand_where_their_marks_are_seen_and_not_behind_the_eye(session, model) -> None:
    words = model.scene.retarget.labels(model.rig)
    behind = replace(CAMERA, target=np.array([0.0, 1.0, -30.0]), yaw=np.pi, pitch=0.0)
    found = 0
    for camera in (CAMERA, replace(CAMERA, yaw=2.5), behind, replace(behind, yaw=0.0)):
        for flat in (False, True):
            view = replace(camera, orthographic=flat)
            model.controller.set_camera(view)
            pixels, depth = cameras.project(view, np.array([place for _, place, _ in words]), SIZE)
            wanted = [
                (text, *map(float, pixel), bright)
                for (text, _, bright), pixel, deep in zip(words, pixels, depth, strict=True)
                if flat or deep > 0.0
            ]
            assert list(model.scene.labels()) == wanted
            found += len(wanted) < len(words)
    assert found == 1  # the view that looks away


def test_marks_are_drawn_only_while_the_retarget_is_looked_at(session, model) -> None:
    state, scene = session.feature(Retargeting), model.scene

    def drawn() -> tuple[bool, bool]:
        return bool(shapes(model)), bool(scene.labels())

    assert drawn() == (True, True)
    session.switches.set("alignment", False)
    assert drawn() == (False, False)
    session.switches.set("alignment", True)
    state.pick.watch(False)
    assert drawn() == (False, False)
    state.pick.watch(True)
    session.playback.play()
    assert drawn() == (False, False)
    session.playback.pause()
    assert drawn() == (True, True)
    kept = scene.retarget._turns
    assert drawn() == (True, True) and scene.retarget._turns is kept
    session.edits.put("name", replace(session.rig, name="other"))
    state.live.stop()
    assert drawn() == (False, False)
    state.live.start()
    assert drawn()[0] == bool(state.computation.result)


def test_virtual_bones_are_diamonds_and_the_chosen_one_has_its_name(session, model) -> None:
    state, tints = session.feature(Retargeting), model.scene.ik.tints
    session.switches.set("alignment", False)
    names = session.rig.skeleton.names
    bones = (VirtualBone("first", names[1], names[3]), VirtualBone("second", names[2], names[-1]))
    session.edits.put("virtual", replace(session.rig, virtual_bones=bones))
    for chosen in (None, "second"):
        state.virtual.choose(chosen)
        drawn = shapes(model)
        assert len(drawn) == 4
        for number, bone in enumerate(bones):
            line, dot = drawn[2 * number : 2 * number + 2]
            tint = tints.key if bone.name == chosen else tints.accent
            assert isinstance(line, Lines) and (line.width, line.dash, line.layer) == (1.0, 3.0, Layer.FRONT)
            assert isinstance(dot, Points) and dot.shape is PointShape.DIAMOND and dot.layer is Layer.FRONT
            assert np.ravel(dot.sizes)[0] == (13.0 if bone.name == chosen else 9.0)
            assert np.asarray(line.points)[0, 1] == pytest.approx(np.asarray(dot.points)[0])
            assert color(line) == pytest.approx(faded(tint, 0.45)) and dot.outline_width == 1.0
            assert tuple(dot.outline) == tuple(with_alpha(tints.outline, 0.8))
            assert color(dot) == pytest.approx(faded(tint, 0.9))
        assert [w[0] for w in model.scene.labels()] == ([chosen] if chosen else [])
        assert all(w[3] for w in model.scene.labels())
    assert model.scene.retarget.shapes(model.rig, False) == ()

"""The view of a retarget's source without its widget: what is lit, what clicks do, where it is looked from."""

import itertools

import numpy as np
import pytest

from editor.gl import camera as cameras
from editor.gl.colors import LIGHT
from editor.gl.draw_list import BoneState
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from editor.panels.source_view.view_model import SourceView
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.state import ToolState
from tests.editor import walkers
from tests.pins import Pins

PINS = Pins(__file__)
SIZE = (500.0, 400.0)


@pytest.fixture
def session():
    made = Session.create()
    made.document.replace(walkers.both_project(), None)
    made.playback.set_clip(walkers.REST, walkers.RIG)
    made.said = []
    made.messages.posted.connect(lambda message: made.said.append(message.text))
    yield made
    made.close()


@pytest.fixture
def view(session):
    made = SourceView(session, ToolState())
    made.controller.resize(SIZE)
    yield made
    made.close()


def pixel(view: SourceView, bone: str) -> tuple[float, float]:
    """A place in the middle of a bone's drawing."""
    skeleton = view.retargeting.subject.source.rig.skeleton
    bones = view.draw_list().bones
    number = skeleton.index(bone)
    place = 0.5 * (bones.heads[number] + bones.tails[number])
    found, _ = cameras.project(view.controller.camera, np.asarray(place, dtype=np.float64), SIZE)
    return float(found[0]), float(found[1])


def states(view: SourceView) -> dict[str, str]:
    names = view.retargeting.subject.source.rig.skeleton.names
    found = zip(names, view.draw_list().bones.states, strict=True)
    return {name: BoneState(int(state)).name for name, state in found if state != BoneState.NORMAL}


def test_without_a_source_there_is_only_the_grid(view) -> None:
    drawn = view.draw_list()
    assert drawn.grid is not None and drawn.bones is None and drawn.meshes == ()
    assert view.matrices() is None and view.caption == ("", "") and view.bone_at((200.0, 200.0)) is None
    before = view.controller.camera
    view.frame_all()
    assert view.controller.camera == before


def test_what_is_lit_and_what_clicks_do(session, view) -> None:
    state = session.feature(Retargeting)
    state.use_rig(walkers.OTHER)
    view.frame_all()
    chains = [pair.name for pair in state.subject.chains.chains]
    bones = [name for name in state.subject.source.rig.skeleton.names if name != "root"][::3]
    with PINS.together("source view") as note:
        note(view.caption, states(view), view.matrices(), view.controller.camera.distance, chains)
        for bone in bones:
            at = pixel(view, bone)
            view.hover(at)
            note(bone, view.hovered, view.caption, states(view))
        view.hover(None)
        note(view.hovered, states(view))
        for extend, bone in itertools.product((False, True), (*bones, bones[0])):
            at = pixel(view, bone)
            view.press(Pointer(*at, Button.LEFT, Modifiers.SHIFT if extend else Modifiers.NONE))
            note(
                bone,
                state.pick.chain,
                list(state.pick.source_bones),
                list(session.selection.bones),
                states(view),
            )
        view.click((3.0, 3.0), False)
        note(state.pick.chain, list(state.pick.source_bones))
        for chain, extend, bone in itertools.product(chains[:3], (False, True), (*bones[:4], None)):
            state.pick.look_at(chain)
            state.pick.set_picking(True)
            note(view.caption)
            view.click((3.0, 3.0) if bone is None else pixel(view, bone), extend)
            note([(p.name, p.source, p.target) for p in state.subject.chains.chains], list(session.said))
            session.said.clear()


def test_navigation_and_colours_are_told(session, view) -> None:
    session.feature(Retargeting).use_rig(walkers.OTHER)
    told: list[None] = []
    view.changed.connect(told.append)
    with PINS.together("source camera") as note:
        for button, held in itertools.product((Button.MIDDLE, Button.LEFT, Button.RIGHT), Modifiers):
            view.press(Pointer(250.0, 200.0, button, held))
            view.gestures.move(Pointer(290.0, 230.0, button, held))
            view.gestures.release(Pointer(290.0, 230.0, button, held))
            camera = view.controller.camera
            note(camera.target, camera.distance, camera.yaw, camera.pitch)
    told.clear()
    drawn = view.draw_list()
    assert view.draw_list() is drawn
    view.use_clay(LIGHT.body)
    assert view.draw_list() is not drawn and told and view.clay == LIGHT.body
    for name, again in (("clay", True), ("grid", False)):
        drawn = view.draw_list()
        session.switches.toggle(name)
        assert (view.draw_list() is not drawn) == again


def test_the_look_is_shared_with_the_other_views(session, view) -> None:
    view.controller.set_camera(view.controller.camera)
    view.press(Pointer(250.0, 200.0, Button.MIDDLE))
    view.gestures.move(Pointer(290.0, 230.0, Button.MIDDLE))
    assert view.tools.look is not None
    other = SourceView(session, view.tools)
    assert (other.controller.camera.yaw, other.controller.camera.pitch) == (
        view.controller.camera.yaw, view.controller.camera.pitch,
    )  # fmt: skip
    other.close()


def test_bones_that_no_chain_holds_are_dim_under_what_is_hovered_and_lit(session, view) -> None:
    state = session.feature(Retargeting)
    state.use_rig(walkers.OTHER)
    chain = next(pair for pair in state.subject.chains.chains if len(pair.source) > 1)
    held = states(view)
    state.edits.remove_chain(chain.name)
    left = set(state.subject.chains.source_left)
    assert set(chain.source) <= left
    assert {name for name, word in states(view).items() if word == "DIMMED"} == left
    assert {name for name, word in held.items() if word == "DIMMED"} == left - set(chain.source)
    first, last = chain.source[0], chain.source[-1]
    view.hovered = first
    state.pick.select_source((last,))
    found = states(view)
    assert found[first] == "HOVER" and found[last] == "SELECTED"
    assert {name for name, word in found.items() if word == "DIMMED"} == left - {first, last}
    state.pick.select_source((first,))
    assert states(view)[first] == "SELECTED"
    view.hovered = "gone"
    assert first in states(view)

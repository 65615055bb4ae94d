"""Marks of runs, of a driven character, of transitions and of the shot, on stand-ins: held by pins."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.ids import AssetId
from core.ik.ground import Ground
from core.locomotion.state import State
from core.math import quat
from core.math.transform import Transform
from core.media.tracks import Placement, ReferenceTrack
from core.shot.camera import CameraView
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.colors import LIGHT
from editor.gl.draw_list import Lines
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.graph_run.state import GraphRun
from editor.model.play.feet import FeetSample
from editor.model.play.run import Note
from editor.model.play.state import Play
from editor.panels.viewport.play_marks import PER_SPEED, TRACE, PlayMarks
from editor.panels.viewport.reference_pictures import picture_shapes, place_of
from editor.panels.viewport.run_marks import ACROSS, ALONG, ASIDE, RunMarks, ground_lines
from editor.panels.viewport.shot_marks import LENGTH, outline
from editor.panels.viewport.transition_ghosts import ASIDE as STEP
from editor.panels.viewport.transition_ghosts import BACK, BEGINS, OPACITY, TransitionGhosts
from tests.editor.panel_stage import small_session
from tests.editor.rigs import small_rig, world_places
from tests.pins import Pins

PINS = Pins(__file__)
SLOPE = Ground(0.2, 6.0, -4.0, count=2)
PLACE = Transform(np.array([1.5, 0.3, -2.0]), quat.from_axis_angle([0.0, 1.0, 0.0], 0.8), np.ones(3))


class Stands:
    """Gives what it is asked for by the kind of a feature."""

    def __init__(self, kind: type, feature: object, **parts: object) -> None:
        self._kind, self._feature = kind, feature
        self.__dict__.update(parts)

    def feature(self, kind: type) -> object:
        assert kind is self._kind
        return self._feature


# ------------------------------------------------------------ runs
@pytest.mark.parametrize("in_place", [True, False])
def test_ground_is_a_net_round_the_character(in_place) -> None:
    lines = ground_lines(SLOPE, PLACE, in_place)
    assert len(lines) == len(ASIDE) * (len(ALONG) - 1) + (len(ASIDE) - 1) * -(-len(ALONG) // ACROSS)
    k, j = 2, 30
    here = np.array([ASIDE[k], 0.0, ALONG[j]])
    world = quat.rotate(PLACE.rotation, here) + PLACE.translation
    height = float(SLOPE.under(world[None])[0])
    wanted = [here[0], height - 0.3, here[2]] if in_place else [world[0], height, world[2]]
    assert lines[k * (len(ALONG) - 1) + j, 0] == pytest.approx(wanted)
    assert lines[k * (len(ALONG) - 1) + j - 1, 1] == pytest.approx(wanted)
    columns = -(-len(ALONG) // ACROSS)
    assert lines[len(ASIDE) * (len(ALONG) - 1) + k * columns + j // ACROSS, 0] == pytest.approx(wanted)
    PINS.hold(f"ground, in place {in_place}", lines)


def test_ground_is_drawn_while_a_run_has_one_that_is_not_level() -> None:
    playback = SimpleNamespace(in_place=False)
    take = SimpleNamespace(ground=SLOPE, stands=PLACE)
    for on, made, count in (
        (True, take, 1), (False, take, 0), (True, None, 0),
        (True, SimpleNamespace(ground=None, stands=PLACE), 0),
        (True, SimpleNamespace(ground=Ground(), stands=PLACE), 0),
    ):  # fmt: skip
        run = SimpleNamespace(on=on, take=made)
        marks = RunMarks(Stands(GraphRun, run, playback=playback))
        assert len(marks.shapes()) == count
    marks = RunMarks(Stands(GraphRun, SimpleNamespace(on=True, take=take), playback=playback))
    PINS.hold("ground of a run", marks.shapes(), marks.tint)


def test_a_run_before_its_change_is_a_ghost_at_the_same_step() -> None:
    rig = small_rig()
    moved = np.array(rig.skeleton.rest.translation)
    moved[0, 1] += 0.25
    pose = SimpleNamespace(pose=SimpleNamespace(local=rig.skeleton.rest._replace(translation=moved)))
    asked: list[tuple[object, ...]] = []

    class Figure:
        def ghosts(self, *words):
            asked.append(words)
            return ("ghost",)

    old = SimpleNamespace(
        steps=[1, 2, 3], plan=SimpleNamespace(rig=rig), goto=lambda at: pose if at else None, stands=PLACE
    )

    def seen(rig=rig, in_place=False, on=True, running=False, comparison=True, first=1, at=3, take=True):
        compared = SimpleNamespace(first=first, take=old) if comparison else None
        run = SimpleNamespace(on=on, running=running, deck=SimpleNamespace(comparison=compared),
                              take=SimpleNamespace(at=at) if take else None)  # fmt: skip
        session = Stands(GraphRun, run, playback=SimpleNamespace(in_place=in_place))
        return RunMarks(session).ghosts(Figure(), (), rig)

    assert seen() == seen(in_place=True) == seen(first=0) == ("ghost",)
    PINS.hold("run before", [(matrices, tint) for _, _, matrices, tint in asked])
    assert seen(on=False) == seen(running=True) == seen(comparison=False) == seen(first=None) == ()
    assert seen(at=4) == seen(at=0) == seen(take=False) == ()
    assert seen(rig=replace(rig, id=AssetId("other"))) == ()


# ------------------------------------------------------------ a driven character
def _run(at: int = 2) -> SimpleNamespace:
    def feet(x: float, contacts: tuple[bool, bool], slip: tuple[float, float]) -> FeetSample:
        return FeetSample(np.array([[x, 0.0, 0.1], [x + 0.1, 0.02, -0.1]]), contacts, slip)

    states = [State(returned=0), State(returned=0), State(returned=0), State(returned=1)]
    notes = [
        Note(states[0], feet(0.0, (True, True), (0.0, 2.0))),
        Note(states[1], feet(0.2, (True, False), (11.0, 0.0))),
        Note(states[2], feet(0.5, (True, True), (30.0, 5.0))),
        Note(states[3], feet(0.9, (True, True), (1.0, 2.5))),
        Note(states[3], None),
    ]
    controller = SimpleNamespace(crouch_height=1.1, height=1.8, radius=0.3)
    return SimpleNamespace(
        at=at, notes=notes, locks=lambda: np.array([[0.1, 0.0, 0.2]]),
        driven=SimpleNamespace(setup=SimpleNamespace(controller=controller)), terrain=None,
    )  # fmt: skip


OVERLAYS = ("trace", "capsule", "velocity", "wish", "contacts", "locks")


def _driven(state: State, *on: str, run: SimpleNamespace | None = None, playing: bool = True) -> PlayMarks:
    play = SimpleNamespace(run=run or _run(), on=playing, overlays={name: name in on for name in OVERLAYS},
                           shown=lambda: (state, None))  # fmt: skip
    return PlayMarks(Stands(Play, play))


STATES = {
    "stands": State(),
    "walks": State(position=(0.4, 0.1, -0.2), velocity=(1.2, 0.0, -0.5), wish=(0.6, 0.8)),
    "crouches": State(position=(0.0, 1.0, 0.0), velocity=(0.1, 0.0, 0.0), wish=(0.0, -0.3), crouching=True),
    "hardly moves": State(velocity=(0.049, 3.0, 0.0), wish=(0.0, 0.0199)),
    "just moves": State(velocity=(0.051, 3.0, 0.0), wish=(0.0, 0.0201)),
}


@pytest.mark.parametrize("state", STATES)
def test_overlays_of_a_driven_character(state) -> None:
    with PINS.together(f"driven: {state}") as note:
        for overlay in OVERLAYS:
            marks = _driven(STATES[state], overlay)
            note(overlay, marks.shapes())
            marks.use_colors(LIGHT)
            note(marks.shapes())
        note(_driven(STATES[state], *OVERLAYS).shapes(), _driven(STATES[state]).shapes())
    assert _driven(STATES[state], *OVERLAYS, playing=False).shapes() == ()


def test_feet_and_traces_at_each_step() -> None:
    with PINS.together("feet") as note:
        for at in range(5):
            note(at, _driven(State(), "trace", "contacts", "locks", run=_run(at)).shapes())
    run = _run(0)
    run.locks = lambda: np.zeros((0, 3))
    assert len(_driven(State(), "locks", run=run).shapes()) == 0


def test_a_trace_is_as_long_as_wanted_and_ends_at_the_step_shown() -> None:
    places = np.arange(TRACE + 50.0)
    run = _run()
    run.notes = [
        Note(State(), FeetSample(np.array([[x, 0.0, 0.0], [x, 0.0, 1.0]]), (True, True), (0.0, 0.0)))
        for x in places
    ]
    for at in (0, 1, TRACE - 1, TRACE, TRACE + 1, TRACE + 20):
        run.at = at
        shapes = _driven(State(), "trace", run=run).shapes()
        xs = np.asarray(shapes[0].points)[..., 0] if shapes else np.array([at])
        assert (xs.min(), xs.max()) == (max(at - TRACE, 0), at)


def test_an_arrow_is_as_long_as_the_character_is_quick() -> None:
    state = State(position=(1.0, 2.0, 3.0), velocity=(3.0, 9.0, 4.0))
    (arrow,) = _driven(state, "velocity").shapes()
    assert isinstance(arrow, Lines)
    base, tip = np.asarray(arrow.points)[0]
    assert base == pytest.approx([1.0, 2.05, 3.0]) and tip - base == pytest.approx(
        [3.0 * PER_SPEED, 0.0, 4.0 * PER_SPEED]
    )


def test_floor_is_made_once_for_a_terrain_and_stands_below_the_character() -> None:
    corners = np.zeros((2, 3, 3), np.float32)
    made: list[int] = []

    def terrain(height: float) -> SimpleNamespace:
        def triangles() -> SimpleNamespace:
            made.append(1)
            return SimpleNamespace(corners=corners, normals=corners[:, 0])

        return SimpleNamespace(triangles=triangles, under=lambda place: height)

    run = _run()
    run.terrain = terrain(0.4)
    marks = _driven(State(position=(0.0, 7.0, 0.0)), run=run)
    first, again = marks.floor(), marks.floor()
    assert first.height == again.height == 0.4 and first.surface is again.surface and len(made) == 1
    run.terrain = terrain(-np.inf)
    assert marks.floor().height == 7.0 and len(made) == 2
    assert _driven(State(), run=run, playing=False).floor() is None


# ------------------------------------------------------------ transitions
def test_ghosts_of_a_transition_stand_in_a_row() -> None:
    session = small_session()
    rig = session.rig
    pose = session.evaluator.pose()
    poses = SimpleNamespace(source=pose, middle=pose, target=pose)
    stands = Stands(GhostStrip, SimpleNamespace(poses=poses), evaluator=session.evaluator)
    marks, figure = TransitionGhosts(stands), CharacterDrawables()
    meshes = session.document.project.meshes_of(rig.id)
    ghosts = marks.ghosts(figure, meshes, rig)
    assert [ghost.tint for ghost in ghosts] == list(marks.tints) and marks.sticks(figure, meshes, rig) == ()
    sticks = marks.sticks(figure, (), rig)
    heads = np.array([np.asarray(lines.points)[:, 0] for lines in sticks])
    height = float(np.ptp(heads[0, :, 1]))
    for number in range(3):
        off = heads[number] - heads[0]
        assert off == pytest.approx(np.tile([number * STEP * height, 0.0, 0.0], (len(off), 1)), abs=1e-5)
    rest = world_places(rig)
    assert height == pytest.approx(float(np.ptp(rest[:, 1])), abs=1e-5)
    assert heads[0, 0] == pytest.approx([BEGINS * height, rest[0, 1], -BACK * height], abs=1e-5)
    assert [lines.colors[3] for lines in sticks] == pytest.approx([OPACITY] * 3)
    PINS.hold("transition", sticks, [ghost.instance.matrices for ghost in ghosts], marks.tints)
    marks.use_colors(LIGHT)
    PINS.hold("transition, light", marks.tints)
    assert marks.ghosts(figure, meshes, replace(rig, id=AssetId("other"))) == ()
    session.close()


# ------------------------------------------------------------ the shot
VIEWS = {
    "narrow": CameraView(np.array([1.0, 2.0, 3.0]), quat.from_axis_angle([0.0, 1.0, 0.0], 0.5), 0.4, 1.5),
    "tall": CameraView(np.zeros(3), quat.IDENTITY, 0.6, 0.5),
    "wide": CameraView(np.zeros(3), quat.IDENTITY, 1.6, 1.7),
    "wide and tall": CameraView(np.zeros(3), quat.IDENTITY, 2.2, 0.6),
    "just not wide": CameraView(np.zeros(3), quat.IDENTITY, 2.0 * np.arctan(1.0), 1.0),
    "parallel": CameraView(
        np.array([0.0, 1.0, 0.0]), quat.from_axis_angle([1.0, 0.0, 0.0], -0.3), 0.5, 1.8, 1.2
    ),
}


@pytest.mark.parametrize("name", VIEWS)
def test_outline_of_a_camera_is_what_it_sees(name) -> None:
    view = VIEWS[name]
    lines = outline(view)
    PINS.hold(f"outline: {name}", lines)
    local = quat.rotate(quat.conjugate(view.rotation), lines - view.position)
    corners, frame, top = local[:4, 1], local[4:8, 0], local[8:, 0]
    assert corners == pytest.approx(frame) and len(top) == 3
    wide, high = np.abs(corners[:, 0]).max(), np.abs(corners[:, 1]).max()
    assert wide / high == pytest.approx(view.aspect)
    assert max(wide, high) <= max(LENGTH + 1e-9, (view.height or 0.0) * view.aspect)
    if view.height is None:
        assert local[:4, 0] == pytest.approx(np.zeros((4, 3)), abs=1e-12)
        assert high / -corners[0, 2] == pytest.approx(np.tan(view.fov / 2.0))
    else:
        assert local[:4, 0, :2] == pytest.approx(corners[:, :2]) and local[:4, 0, 2] == pytest.approx(0.0)
        assert high == pytest.approx(view.height / 2.0) and corners[0, 2] == pytest.approx(-LENGTH)
    assert (top[:, 1] > high).all()


def test_where_reference_pictures_lie() -> None:
    made = [
        ReferenceTrack(AssetId("a"), "a.mp4", "a.mp4", AssetId("clip"), size=size, x=x, y=y, opacity=0.4)
        for size, x, y in itertools.product((0.3, 0.7), (0.0, 0.51), (0.2, 0.9))
    ]
    with PINS.together("reference pictures") as note:
        for track, aspect, size in itertools.product(made, (0.5, 1.78), ((641.0, 479.0), (3.0, 2.0))):
            left, top, right, bottom = place_of(track, aspect, size)
            assert all(edge == round(edge) for edge in (left, top, right, bottom))
            note(left, top, right, bottom)
    source = object()
    for placement in Placement:
        one = SimpleNamespace(picture=source, track=replace(made[0], placement=placement), aspect=1.5)
        (shape,) = picture_shapes([one], (640.0, 480.0))
        assert shape.source is source and shape.opacity == 0.4
        assert shape.behind is (placement is Placement.BEHIND)
        assert shape.place == place_of(one.track, 1.5, (640.0, 480.0))
    assert picture_shapes([], (640.0, 480.0)) == ()

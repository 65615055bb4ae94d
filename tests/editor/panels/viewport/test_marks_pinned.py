"""What the viewport draws beside a character, without a window: lines, dots and areas of many scenes, held by pins."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.ids import AssetId
from core.ik.body import PinKind
from core.ik.ground import Ground
from core.math import quat
from core.math.transform import Transform
from core.rig.propose_bodies import propose_bodies
from core.rig.rig import JointLimit, LimitKind, VirtualBone
from core.shot.camera import ShotCamera
from core.shot.character import ShotCharacter
from core.tracks.keys import scalar_track
from editor.gl import camera as cameras
from editor.gl.camera import Camera
from editor.gl.colors import LIGHT
from editor.gl.draw_list import DrawList
from editor.model.blocking import Blocking
from editor.model.ik import edits as ik_edits
from editor.model.ik.state import IkState
from editor.model.ragdoll.bodies import Bodies
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from editor.model.shot.state import Shot
from editor.panels.ik.view_model import IkModel
from editor.panels.viewport.trails import Dot
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.state import Pivot, Setup, Space, Tool, ToolState
from tests.editor.panel_stage import small_session
from tests.pins import Pins

PINS = Pins(__file__)
CAMERAS = {
    "from aside": Camera(np.array([0.1, 1.0, 0.05]), 0.7, 0.3, 3.2, fov=0.7),
    "flat": Camera(np.array([0.0, 1.0, 0.0]), -0.4, 0.1, 3.0, fov=0.6, orthographic=True),
}
Prepare = Callable[[Session, ViewportModel], object]


@pytest.fixture
def session():
    made = small_session()
    made.playback.seek(25.0 / 30.0)
    yield made
    made.close()


@pytest.fixture
def model(session):
    made = ViewportModel(session, ToolState())
    made.resize((640.0, 480.0))
    made.controller.set_camera(CAMERAS["from aside"])
    yield made
    made.close()


def told(drawn: DrawList) -> tuple[object, ...]:
    """What of a picture is no mesh's geometry."""
    ghosts = [(ghost.tint, ghost.behind, ghost.instance.matrices) for ghost in drawn.ghosts]
    meshes = [(mesh.matrices, mesh.shadow, mesh.shading, mesh.part_colors) for mesh in drawn.meshes]
    return (drawn.grid, ghosts, meshes, drawn.shadow, drawn.bones, drawn.shapes, drawn.gizmo,
            drawn.axis_widget, len(drawn.casters))  # fmt: skip


def curved(session: Session) -> None:
    """The clip moves a hand on a curve, and the hips away."""
    times = np.arange(0.0, 2.01, 0.1)
    hips = {Channel("pelvis", Property.TRANSLATE, 2): scalar_track(times, 0.4 * times)}
    arm = {
        Channel("upper_arm_l", Property.ROTATE, axis): scalar_track(
            times, 40.0 * np.sin((axis + 1.0) * times)
        )
        for axis in range(3)
    }
    session.edits.put("curved", session.clip.with_tracks({**hips, **arm}))


def _chains(session: Session, _: ViewportModel) -> None:
    ik_edits.propose(session)
    ik_edits.toggle(session, ("Left arm", "Right leg"))
    session.feature(IkState).select("Left arm")


def _out_of_reach(session: Session, model: ViewportModel) -> None:
    _chains(session, model)
    assert IkModel(session).set_goal(0, 1.8)


def _limit(kind: LimitKind, least: float, most: float, turned: float) -> Prepare:
    def prepare(session: Session, _: ViewportModel) -> None:
        rig = session.rig
        limit = JointLimit(kind, (0.0, 1.0, 0.0), least, most, 25.0)
        session.edits.put("limit", replace(rig, limits={"lower_arm_l": limit}))
        tracks = {Channel("lower_arm_l", Property.ROTATE, 1): scalar_track([0.0], [turned])}
        session.edits.put("turned", session.clip.with_tracks(tracks))
        session.selection.select(["lower_arm_l"])
        session.switches.set("limits", True)

    return prepare


def _pins(session: Session, _: ViewportModel) -> None:
    state = session.feature(IkState)
    for bone, kind in zip(("hand_l", "foot_l", "foot_r"), PinKind, strict=True):
        state.toggle_pin([bone], kind)
    state.pins.torn = {"foot_l": 0.02, "foot_r": 0.0005}


def _bodies(*bones: str, editing: bool = True) -> Prepare:
    def prepare(session: Session, _: ViewportModel) -> None:
        session.edits.put("bodies", replace(session.rig, body_plan=propose_bodies(session.rig)))
        session.selection.select(bones)
        session.switches.set("bodies", True)
        session.feature(Bodies).watch(editing)

    return prepare


def _trails(by: str = "time", mode: str = "") -> Prepare:
    def prepare(session: Session, model: ViewportModel) -> None:
        curved(session)
        session.selection.select(["hand_l", "foot_r"])
        session.switches.set("trails", True)
        session.switches.set_trail_colors(by)
        trails = model.scene.trails
        if mode == "hovered":
            trails.hovered = Dot("hand_l", 0.5, np.zeros(3), 1.0)
        elif mode == "window":
            trails.window = (0.8, 0.3)
        elif mode == "stroke":
            trails.stroke = np.array([[0.0, 1.0, 0.0], [0.2, 1.1, 0.0], [0.4, 1.0, 0.1]])
        elif mode == "between":
            session.playback.seek(0.917)
        elif mode == "range":
            session.playback.set_range(0.41, 1.32)
        elif mode == "long":
            session.edits.put("long", replace(session.clip, length=12.0))
            session.playback.seek(1.0)
        elif mode == "blocking":
            session.feature(Blocking).set(True)
        elif mode == "away":
            session.playback.in_place = False
        model.scene.forget()

    return prepare


def _ghosts(mesh: bool = True, looping: bool = False, **preferences: object) -> Prepare:
    def prepare(session: Session, model: ViewportModel) -> None:
        curved(session)
        session.selection.select(["upper_arm_l"])
        if not mesh:
            clip, project = session.clip.id, session.document.project
            session.document.replace(project.without(project.meshes_of(session.rig.id)[0].id), None)
            session.playback.set_clip(clip)
            session.playback.seek(25.0 / 30.0)
        for name, value in preferences.items():
            session.preferences.set(f"ghosts_{name}", value)
        session.clips.set_looping(session.clip.id, looping)
        session.switches.set("ghosts", True)
        model.scene.forget()

    return prepare


def _shot(through: bool = False, chosen: str = "", hidden: bool = False) -> Prepare:
    def prepare(session: Session, model: ViewportModel) -> None:
        turn = quat.from_axis_angle([0.0, 1.0, 0.0], 0.6)

        def at(x: float, z: float) -> Transform:
            return Transform(np.array([x, 1.2, z]), turn, np.ones(3))

        shot = session.feature(Shot)
        shot.add(
            ShotCamera(AssetId("camera-a"), "narrow", at(1.0, 2.0), 85.0),
            ShotCamera(AssetId("camera-b"), "wide", at(-1.0, 1.5), 12.0),
            ShotCamera(AssetId("camera-c"), "flat", at(0.0, 3.0), height=1.4),
            ShotCamera(AssetId("camera-d"), "tall", at(-1.5, 3.0), 8.0, sensor=(18.0, 30.0)),
        )
        bare = replace(session.rig, id=AssetId("rig-bare"), name="bare", body_plan=None)
        clip = replace(session.clip, id=AssetId("clip-bare"), rig=bare.id)
        session.edits.put("bare", bare)
        session.edits.put("bare clip", clip)
        shot.add(ShotCharacter(AssetId("character-a"), "bare", "", bare.id, clip.id, place=at(0.8, -0.5)))
        shot.add(
            ShotCharacter(
                AssetId("character-b"), "twin", "", session.rig.id, session.clip.id, offset=0.3,
                place=at(-0.9, -0.4), ghosted=True,
            )
        )  # fmt: skip
        shot.add(
            ShotCharacter(AssetId("character-c"), "third", "", session.rig.id, None, place=at(1.6, -0.4))
        )
        shot.select(AssetId(chosen) if chosen else None)
        shot.look_through(through)
        if hidden:
            model.scene.shot.outlines = False
            shot.put("hidden", replace(shot.characters[0], visible=False))
        model.tools.set(Setup(Tool.MOVE))

    return prepare


def _virtual(chosen: bool) -> Prepare:
    def prepare(session: Session, _: ViewportModel) -> None:
        bones = (VirtualBone("vb_hand", "hand_r", "hand_l"), VirtualBone("vb_foot", "pelvis", "foot_r"))
        session.edits.put("virtual", replace(session.rig, virtual_bones=bones))
        session.feature(Retargeting).virtual.choose("vb_hand" if chosen else None)

    return prepare


def _options(**switches: bool) -> Prepare:
    def prepare(session: Session, _: ViewportModel) -> None:
        for name, on in switches.items():
            session.switches.set(name, on)

    return prepare


def _axes(*bones: str) -> Prepare:
    def prepare(session: Session, _: ViewportModel) -> None:
        curved(session)
        grown = Channel("upper_arm_l", Property.SCALE, 0)
        session.edits.put("grown", session.clip.with_tracks({grown: scalar_track([0.0], [1.7])}))
        session.switches.set("axes", True)
        session.selection.select(bones)

    return prepare


def _pending(session: Session, _: ViewportModel) -> None:
    session.keying.auto = False
    moved = session.evaluator.pose().with_bone(6, translation=np.array([0.3, 0.1, 0.0]))
    session.keying.commit_pose("moved", moved, ["hand_l"])


def _ground(*numbers: float, count: int = 0) -> Prepare:
    return lambda session, _: session.feature(IkState).set_ground(Ground(*numbers, count=count))


SCENES: dict[str, Prepare] = {
    "nothing": lambda session, model: None,
    "light colours": lambda session, model: model.scene.use_colors(LIGHT),
    "hovered": lambda session, model: session.selection.set_hover("head"),
    "selected, hidden, locked": lambda session, model: (
        session.selection.select(["spine", "hand_r"]), session.selection.set_flag("hidden", ["foot_l"]),
        session.selection.set_flag("locked", ["head"])),
    "chains": _chains, "chain that does not reach its goal": _out_of_reach,
    "pins": _pins, "sloped ground": _ground(0.1, 8.0, -5.0), "stairs": _ground(0.0, 0.0, 0.0, count=3),
    "hinge": _limit(LimitKind.HINGE, -20.0, 60.0, 10.0),
    "hinge broken": _limit(LimitKind.HINGE, -20.0, 60.0, 90.0),
    "cone": _limit(LimitKind.CONE_TWIST, -30.0, 40.0, 10.0),
    "cone broken": _limit(LimitKind.CONE_TWIST, -30.0, 40.0, 75.0),
    "bodies": _bodies("lower_arm_l"), "bodies of the hips": _bodies("pelvis"), "no active body": _bodies(),
    "bodies by their switch": _bodies("calf_r", editing=False),
    **{f"trails by {by}": _trails(by) for by in ("time", "speed", "curvature")},
    **{f"trails, {mode}": _trails(mode=mode) for mode in
       ("hovered", "window", "stroke", "between", "range", "long", "blocking", "away")},
    "ghosts": _ghosts(), "ghosts without a mesh": _ghosts(mesh=False), "ghosts of a loop": _ghosts(looping=True),
    "ghosts by keys": _ghosts(by="keys", before=3, after=2),
    "ghosts apart": _ghosts(mesh=False, step=4, before=2, after=9),
    "ghosts of nonsense": _ghosts(mesh=False, step="a", before=-3, after=True),
    "shot": _shot(), "shot, camera selected": _shot(chosen="camera-b"), "shot looked through": _shot(through=True),
    "shot without outlines": _shot(hidden=True), "shot, character selected": _shot(chosen="character-c"),
    "virtual bones": _virtual(False), "virtual bone chosen": _virtual(True),
    "bones alone": _options(mesh=False), "mesh alone": _options(bones=False),
    "silhouette": _options(silhouette=True, grid=False), "clay": _options(clay=True, shadow=False),
    "unlit": _options(unlit=True, bones=False),
    "axes of all": _axes(), "axes of two": _axes("upper_arm_l", "foot_r"),
    "a change that is not keyed": _pending,
}  # fmt: skip


@pytest.mark.parametrize("name", SCENES)
def test_what_is_drawn(session, model, name) -> None:
    SCENES[name](session, model)
    with PINS.together(name) as note:
        for camera in CAMERAS.values():
            if not model.through.on:
                model.controller.set_camera(camera)
            model.scene.forget()
            note(*told(model.draw_list()), model.scene.names(), model.scene.labels(), model.chip())


@pytest.mark.parametrize("tool", Tool)
def test_handles_stand_where_tool_axes_and_pivot_say(session, model, tool) -> None:
    curved(session)
    with PINS.together(f"handles: {tool.value}") as note:
        for space in Space:
            for pivot in Pivot:
                for bones in ((), ("upper_arm_l",), ("hand_l", "foot_r", "spine")):
                    session.selection.select(bones)
                    model.tools.set(Setup(tool, space, pivot))
                    note(model.gizmo())
        for size in ((640.0, 900.0), (300.0, 120.0)):
            model.resize(size)
            note(model.gizmo())


def test_names_are_those_asked_for(session, model) -> None:
    with PINS.together("names") as note:
        for all_names, hover, bones in ((False, None, ()), (False, "head", ()), (True, None, ("hand_l", "spine")),
                                        (True, "head", ())):  # fmt: skip
            session.switches.set("names", all_names)
            session.selection.set_hover(hover)
            session.selection.select(bones)
            note(model.scene.names())
        session.selection.set_flag("hidden", ["head", "foot_l"])
        note(model.scene.names())
        model.controller.set_camera(replace(CAMERAS["from aside"], target=np.array([0.0, 1.0, 3.0])))
        note(model.scene.names())


def test_marks_are_caught_near_by_and_the_nearest_first(session, model) -> None:
    """Pixels over the whole view, in both projections: goals and poles, grips of a body, dots, bones, the shot."""
    _bodies("lower_arm_l")(session, model)
    _chains(session, model)
    _shot()(session, model)
    curved(session)
    session.selection.select(["lower_arm_l"])
    session.switches.set("trails", True)
    scene, size = model.scene, model.controller.size
    for name, camera in CAMERAS.items():
        model.controller.set_camera(camera)
        model.scene.forget()
        places = list(cameras.project(camera, model.matrices()[:, :3, 3], size)[0])
        places += list(cameras.project(camera, np.array([g.place for g in scene.bodies.grips()]), size)[0])
        places += list(cameras.project(camera, scene.trails.path(session.rig)[2][::15], size)[0])
        with PINS.together(f"caught: {name}") as note:
            for number, (x, y) in enumerate(places):
                for off in ((0.0, 0.0), (3.0, 4.0), (-6.0, 14.0)):
                    pixel = float(x) + off[0], float(y) + off[1]
                    mark = scene.ik.mark_at(camera, size, pixel)
                    grip = scene.bodies.grip_at(camera, size, pixel)
                    dot = scene.trails.dot_at(session.rig, camera, size, pixel)
                    note(
                        None if mark is None else (mark[0].setup.name, mark[1]),
                        None if grip is None else grip.handle.name,
                        None if dot is None else (dot.bone, dot.time, dot.place, dot.speed),
                    )  # fmt: skip
                if number % 6:  # what looks at meshes takes its time
                    continue
                item = scene.item_at((float(x), float(y)))
                note(None if item is None else item.id, scene.body_at((float(x), float(y))))
                note(model.bones_at((float(x) + 5.0, float(y))))

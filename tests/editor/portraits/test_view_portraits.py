"""What the view draws and writes in each of its uses, as it was read and approved; no window is opened for it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.rig.propose_bodies import propose_bodies
from core.rig.rig import JointLimit, LimitKind, VirtualBone
from core.terrain.ground import Ground
from editor.actions.every import registry
from editor.gl import camera as cameras
from editor.gl.colors import DARK, LIGHT
from editor.gl.gizmo import Handle
from editor.model.blocking import Blocking
from editor.model.graph.editor import GraphEditor
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.graph_run.state import GraphRun
from editor.model.ragdoll.bodies import Bodies
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from editor.model.shot.state import Shot
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.ragdoll.drag import BodyHandle
from editor.tools.state import Setup, Space, Tool, ToolState
from tests.editor import verb_stages, walkers
from tests.editor.actions import rich
from tests.editor.panels.graph import graphs
from tests.editor.portraits import approved, drawn
from tests.editor.rigs import tube_mesh

SIZE = (640.0, 480.0)
Use = Callable[[Session, ViewportModel], object]


def _switched(**switches: bool) -> Use:
    def use(session: Session, model: ViewportModel) -> None:
        for name, on in switches.items():
            session.switches.set(name, on)

    return use


def _all(*uses: Use) -> Use:
    def use(session: Session, model: ViewportModel) -> None:
        for one in uses:
            one(session, model)

    return use


def _stage(prepare: Callable) -> Use:
    return lambda session, model: prepare(session, registry(session))


def _select(*bones: str) -> Use:
    return lambda session, model: session.selection.select(bones)


def _tool(tool: Tool, **more: object) -> Use:
    return lambda session, model: model.tools.set(Setup(tool, **more))


def _over(bone: str) -> Use:
    """The pointer over a bone."""

    def use(session: Session, model: ViewportModel) -> None:
        shapes = model.draw_list().bones
        number = model.rig.skeleton.index(bone)
        place = 0.6 * shapes.heads[number] + 0.4 * shapes.tails[number]
        pixel, _ = cameras.project(model.camera, place, SIZE)
        model.hover((float(pixel[0]), float(pixel[1])))

    return use


def _over_dot(session: Session, model: ViewportModel) -> None:
    trails = model.scene.trails._trails(model.rig)
    pixel, _ = cameras.project(model.camera, trails.places[1, 12], SIZE)
    model.hover((float(pixel[0]), float(pixel[1])))


def _handle(session: Session, model: ViewportModel) -> None:
    model.scene.handle = Handle.Y
    model.scene.forget()


def _flags(session: Session, model: ViewportModel) -> None:
    session.selection.set_flag("hidden", ["foot_r"])
    session.selection.set_flag("locked", ["foot_l"])


def _ik(session: Session, model: ViewportModel) -> None:
    rich.STAGES["ik"](session, registry(session))
    model.scene.ik.hovered = ("Left arm", "goal")
    session.switches.set("limits", True)


def _limits(kind: LimitKind) -> Use:
    def use(session: Session, model: ViewportModel) -> None:
        limit = JointLimit(kind, (1.0, 0.0, 0.0), -20.0, 50.0, 40.0)
        session.edits.put("limits", replace(session.rig, limits={"lower_arm_l": limit}))
        session.selection.select(["lower_arm_l"])
        session.switches.set("limits", True)

    return use


def _bodies(session: Session, model: ViewportModel) -> None:
    session.edits.put("bodies", replace(session.rig, body_plan=propose_bodies(session.rig)))
    session.selection.select(["lower_arm_l"])
    session.feature(Bodies).watch(True)
    model.scene.bodies.hovered = BodyHandle.RADIUS
    model.scene.forget()


def _camera(session: Session, model: ViewportModel) -> None:
    verb_stages._camera(session, registry(session))
    session.feature(Shot).look_through(True)


def _virtual(session: Session, model: ViewportModel) -> None:
    bone = VirtualBone("grip", "hand_r", "hand_l", (0.0, 0.1, 0.0))
    session.edits.put("virtual", replace(session.rig, virtual_bones=(bone,)))


def _blocked(session: Session, model: ViewportModel) -> None:
    session.feature(Blocking).set(True)
    session.playback.seek(0.5)


def _skin(session: Session, model: ViewportModel) -> None:
    session.edits.put("skin", tube_mesh(session.rig))


def _ran(session: Session, model: ViewportModel) -> None:
    session.document.replace(graphs.graph_project(), None)
    session.playback.set_clip(session.document.project.clips[0].id)
    session.feature(GraphEditor).canvas.open(graphs.GRAPH)
    run = session.feature(GraphRun)
    run.set_ground(Ground(tilt_z=10.0))
    assert run.start(running=False)
    run.set("speed", 1.0)
    for _ in range(12):
        run.advance(0.05)


def _compared(session: Session, model: ViewportModel) -> None:
    """The graph is changed after the run: what it was before is shown beside it."""
    _ran(session, model)
    _skin(session, model)
    session.feature(GraphEditor).nodes.set_parameter([graphs.CLIP_B], "mirror", True)
    assert session.feature(GraphRun).deck.comparison is not None


def _transition(session: Session, model: ViewportModel) -> None:
    session.document.replace(graphs.graph_project(), None)
    session.playback.set_clip(session.document.project.clips[0].id)
    editor = session.feature(GraphEditor)
    editor.canvas.open(graphs.GRAPH, graphs.STATES)
    session.feature(GhostStrip).see(True)
    editor.canvas.select([graphs.GO])


def _retarget(session: Session, model: ViewportModel) -> None:
    session.document.replace(walkers.both_project(), None)
    session.playback.set_clip(walkers.REST)
    session.playback.seek(0.5)
    retargeting = session.feature(Retargeting)
    retargeting.use_rig(walkers.OTHER)
    retargeting.pick.watch(True)
    retargeting.pick.look_at("left arm")


USES: dict[str, Use] = {
    "bones": _all(_tool(Tool.ROTATE), _over("thigh_l")),
    "names and axes": _switched(names=True, axes=True, shadow=False, grid=False),
    "own axes of the selection": _switched(axes=True),
    "flags": _flags,
    "bare": _all(_select(), _switched(mesh=False, bones=False)),
    "skin": _all(_skin, _over("thigh_l")),
    "clay": _all(_skin, _switched(clay=True)),
    "silhouette": _all(_skin, _switched(silhouette=True, shadow=False)),
    "pending skin": _all(_skin, _stage(rich.STAGES["pending"])),
    "ghosts of a skin": _all(_skin, _switched(ghosts=True)),
    "move a handle": _all(_tool(Tool.MOVE, snap=True), _handle),
    "scale": _tool(Tool.SCALE),
    "rotate in the view": _tool(Tool.ROTATE, rotate_space=Space.VIEW),
    "sets": _all(_stage(verb_stages._sets), _switched(set_colors=True)),
    "ghosts": _switched(ghosts=True),
    "ghosts by keys": _all(lambda s, m: s.preferences.set("ghosts_by", "keys"), _switched(ghosts=True)),
    "trails": _switched(trails=True),
    "trails by speed": _all(_switched(trails=True, trails_speed=True), _over_dot),
    "trails by curvature": _switched(trails=True, trails_curvature=True),
    "pending": _stage(rich.STAGES["pending"]),
    "layer": _stage(rich.STAGES["layer"]),
    "ik": _ik,
    "hinge": _limits(LimitKind.HINGE),
    "cone": _limits(LimitKind.CONE_TWIST),
    "bodies": _bodies,
    "following": _stage(verb_stages._following),
    "cameras": _stage(verb_stages._camera),
    "looked through": _camera,
    "held prop": _stage(verb_stages._held),
    "blocked": _blocked,
    "virtual bone": _virtual,
    "graph run": _ran,
    "graph run compared": _compared,
    "transition": _transition,
    "retarget": _retarget,
}
"""What is shown, by name."""


def picture(use: Use, light: bool) -> list[str]:
    session = rich.session()
    model = ViewportModel(session, ToolState())
    try:
        model.resize(SIZE)
        model.scene.use_colors(LIGHT if light else DARK)
        model.frame_all()
        use(session, model)
        return [*drawn.lines(model.draw_list()), *drawn.over(model)]
    finally:
        model.close()
        session.close()


def pictures(name: str) -> list[str]:
    """A use in both themes: of the light one what differs."""
    dark, light = (picture(USES[name], light) for light in (False, True))
    return [*dark, *(f"light {line}" for line in light if line not in dark)]


@pytest.mark.parametrize("name", list(USES))
def test_view_is_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"view-{name.replace(' ', '-')}", lambda: pictures(name))
    assert not problem, problem

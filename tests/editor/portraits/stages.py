"""What each panel is portrayed with: nothing open, a plain clip, and what the panel is made for."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Property
from core.ids import AssetId
from core.rig.mesh import MorphTarget
from core.rig.propose_bodies import propose_bodies
from core.rig.rig import JointLimit, LimitKind
from core.tracks.keys import Interpolation, scalar_track
from editor.actions.every import registry
from editor.actions.registry import Registry
from editor.model.compile_state import Compiling
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.state import GraphRun
from editor.model.media.state import Media
from editor.model.montage.preview import MontagePreview
from editor.model.ragdoll.simulating import Simulating
from editor.model.retarget.state import Retargeting
from editor.model.session import Session
from editor.model.shot.state import Shot
from tests.editor import verb_stages, walkers
from tests.editor.actions import rich
from tests.editor.panels.graph import graphs
from tests.editor.portraits import full
from tests.editor.rigs import small_project

Prepare = Callable[[Session, Registry], None]


def _selected(session: Session, actions: Registry) -> None:
    session.selection.select(["upper_arm_l"])


def _at(stage: str) -> Prepare:
    def prepare(session: Session, actions: Registry) -> None:
        made = rich.STAGES[stage]
        if made is not None:
            made(session, actions)

    return prepare


def _bodies(session: Session, actions: Registry) -> None:
    session.edits.put("bodies", replace(session.rig, body_plan=propose_bodies(session.rig)))
    session.selection.select(["upper_arm_l"])


def _on_a_clip(session: Session, actions: Registry) -> None:
    declared = Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, AssetId("clip-2"))
    session.edits.put("additive", replace(session.clip, additive=declared))


def _media(session: Session, actions: Registry) -> None:
    verb_stages._audio(session, actions)
    session.feature(Media).player.open_device = None
    verb_stages._reference(session, actions)


def _shot(session: Session, actions: Registry) -> None:
    verb_stages._camera(session, actions)
    verb_stages._held(session, actions)


def _timed(session: Session, actions: Registry) -> None:
    """Keys of every type, and the bar that times them."""
    verb_stages._typed(session, actions)
    session.switches.set("timing_bar", True)


def _walkers(session: Session, actions: Registry) -> None:
    project = walkers.both_project()
    session.document.replace(project, None)
    session.playback.set_clip(walkers.REST)
    session.playback.seek(0.5)


def _dense(session: Session, actions: Registry) -> None:
    times = np.arange(61) / 30.0
    track = scalar_track(times, 20.0 * np.sin(2.0 * times), interpolations=Interpolation.LINEAR)
    session.edits.put("dense", session.clip.with_tracks({Channel("head", Property.ROTATE, 0): track}))
    session.selection.select(["head"])


def _looked_through(session: Session, actions: Registry) -> None:
    verb_stages._camera(session, actions)
    session.feature(Shot).look_through(True)
    session.feature(Shot).lock(True)
    session.switches.set("names", True)


def _morphs(session: Session, actions: Registry) -> None:
    """Two meshes with morphs, one of them keyed, and a named curve; another clip without either."""
    project = small_project()
    mesh = project.meshes_of(project.rigs[0].id)[0]
    raised = np.zeros_like(mesh.positions)
    raised[:, 1] = 0.1
    body = replace(mesh, name="body", morphs=(MorphTarget("smile", raised), MorphTarget("frown", -raised)))
    head = replace(body, id=AssetId("mesh-head"), name="head", morphs=(MorphTarget("blink", raised),))
    clip = project.clips[0]
    other = replace(clip, id=AssetId("clip-other"), name="other")
    curve, morph = scalar_track([0.0, 1.0], [0.0, 1.0]), scalar_track([0.0, 2.0], [0.25, 0.75])
    clip = replace(clip, curves={"speed": curve}, morphs={"body/smile": morph})
    session.document.replace(project.with_assets(body, head, clip, other), None)
    session.playback.set_clip(clip.id)


RICH: dict[str, tuple[str, Prepare]] = {
    "weights": ("morphs", _morphs),
    "bone_tree": ("sets", verb_stages._sets),
    "timeline": ("timed", _timed),
    "layers": ("layers", verb_stages._layers),
    "media": ("media", _media),
    "ik": ("ik", _at("ik")),
    "spaces": ("following", verb_stages._following),
    "bodies": ("bodies", _bodies),
    "simulate": ("bodies", _bodies),
    "shot": ("shot", _shot),
    "blend_space": ("blend", _at("blend")),
    "additive": ("on a clip", _on_a_clip),
    "graph": ("graph", _at("graph")),
    "graph_node": ("graph", _at("graph")),
    "graph_run": ("graph", _at("graph")),
    "variables": ("graph", _at("graph")),
    "montage": ("graph", _at("graph")),
    "reduce": ("dense", _dense),
    "retarget": ("walkers", _walkers),
    "proportions": ("walkers", _walkers),
    "pose": ("pending", _at("pending")),
    "history": ("undone", _at("undone")),
    "curves": ("selected", _selected),
    "inspector": ("pending", _at("pending")),
    "viewport": ("looked through", _looked_through),
    "source_view": ("walkers", _walkers),
}
"""What a panel is made for."""


def _graph_open(session: Session, actions: Registry) -> None:
    session.document.replace(graphs.graph_project(), None)
    session.playback.set_clip(session.document.project.clips[0].id)
    session.feature(GraphEditor).canvas.open(graphs.GRAPH)


def _run(session: Session, panel: QWidget) -> None:
    run = session.feature(GraphRun)
    assert run.start(running=False)
    for number in range(12):
        run.advance(0.05)
        if number == 5:
            run.set("speed", 1.0)


def _canvas_chosen(session: Session, panel: QWidget) -> None:
    session.feature(GraphEditor).canvas.select([graphs.BLEND])


def _compiled(session: Session, panel: QWidget) -> None:
    session.feature(Compiling).compile()


def _reduced(session: Session, panel: QWidget) -> None:
    assert panel.model.begin()


def _other_body(session: Session, panel: QWidget) -> None:
    session.feature(Retargeting).use_rig(walkers.OTHER)


def _simulated(session: Session, panel: QWidget) -> None:
    assert session.feature(Simulating).run()


def _limited(session: Session, actions: Registry) -> None:
    """A chain whose joints are a hinge and a cone."""
    rich.STAGES["ik"](session, actions)
    limits = {
        "upper_arm_l": JointLimit(LimitKind.CONE_TWIST, (1.0, 0.0, 0.0), -30.0, 30.0, 60.0),
        "lower_arm_l": JointLimit(LimitKind.HINGE, (0.0, 1.0, 0.0), -5.0, 140.0),
    }
    session.edits.put("limits", replace(session.rig, limits=limits))


def _checked(session: Session, panel: QWidget) -> None:
    """Joints that turn further than their limits are found."""
    rig = session.rig
    limits = {
        name: JointLimit(LimitKind.HINGE, (1.0, 0.0, 0.0), -1.0, 1.0)
        for name in ("upper_arm_l", "lower_arm_l")
    }
    session.edits.put("limits", replace(rig, limits=limits))
    panel.model.check.run()


def _previewed(session: Session, panel: QWidget) -> None:
    session.feature(MontagePreview).seek(0.4)


GOES_ON: dict[str, tuple[Prepare, Callable[[Session, QWidget], None]]] = {
    "graph_run": (_graph_open, _run),
    "variables": (_graph_open, _run),
    "graph": (_graph_open, _run),
    "graph_node": (_graph_open, _canvas_chosen),
    "compile": (_dense, _compiled),
    "reduce": (_dense, _reduced),
    "retarget": (_walkers, _other_body),
    "simulate": (_bodies, _simulated),
    "montage": (_at("graph"), _previewed),
    "viewport": (_graph_open, _run),
    "source_view": (_walkers, _other_body),
    "timeline": (_walkers, _other_body),
    "bodies": (_bodies, _checked),
    "shot": (_walkers, lambda session, panel: None),
    "ik": (_limited, lambda session, panel: None),
}
"""What a panel shows while, or after, something goes on: a run, a result that is tried out."""


def empty() -> Session:
    """Nothing is open."""
    return Session.create()


def plain() -> Session:
    """A clip, keys and a bone selected."""
    return rich.session()


def made(panel: str, stage: str) -> Session:
    """A session for a panel at a stage."""
    if stage == "empty":
        return empty()
    session = rich.session()
    if stage == "bare":
        session.selection.select([])
        session.selection.select_keys({})
    elif stage in ("rich", "after", "full"):
        prepare = (
            RICH[panel][1] if stage == "rich" else (GOES_ON if stage == "after" else full.FULL)[panel][0]
        )
        prepare(session, registry(session))
    return session


def stages(panel: str) -> tuple[str, ...]:
    """The stages of a panel."""
    more = {"rich": RICH, "after": GOES_ON, "full": full.FULL}
    return ("empty", "bare", "plain", *(name for name, panels in more.items() if panel in panels))

"""The small graph among assets of every kind: its character's own, and another character's that it may not use."""

from dataclasses import replace

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind
from core.clips.clip import Clip
from core.graph.graph import Graph
from core.graph.montage import Montage, Section
from core.ids import AssetId
from core.pose.library import PoseAsset
from core.project.project import Project
from core.rig.ik_setup import IkSetup
from core.rig.rig import Rig, VirtualBone
from core.tracks.keys import scalar_track
from editor.model.graph.editor import GraphEditor
from editor.model.session import Session
from tests.editor.panels.graph.graphs import GRAPH, graph_project, small_graph
from tests.editor.stage import BONES, RIG, WALK

STRANGER = AssetId("rig-stranger")
SPACE, AIM, POSE_SET, MONTAGE, OTHER_GRAPH = (
    AssetId(x) for x in ("space-paces", "space-looks", "poses-face", "montage-hit", "graph-other")
)
BONE_NAMES = [name for name, _, _ in BONES]


def line(id: AssetId, name: str, rig: AssetId, **more: object) -> BlendSpace:
    return BlendSpace(id, name, rig, (SpaceAxis("pace", 0.5, 2.0),), kind=SpaceKind.LINE, **more)  # type: ignore[arg-type]


def many_project() -> Project:
    """Of each kind of asset one that belongs to the character and one that does not."""
    project = graph_project()
    rig = replace(
        project.get(Rig, RIG),
        masks={"upper": {"spine": 1.0}, "arms": {"arm_l": 1.0}},
        virtual_bones=(VirtualBone("grip", "root", "hand_l"),),
        ik_setups=(IkSetup("left arm", "arm_l", "hand_l"), IkSetup("right arm", "arm_r", "hand_r")),
    )
    stranger = replace(
        rig, id=STRANGER, name="stranger", masks={"tail": {"root": 1.0}}, virtual_bones=(), ik_setups=()
    )
    walk = replace(
        project.get(Clip, WALK),
        curves={"sway": scalar_track([0.0], [1.0]), "lean": scalar_track([0.0], [1.0])},
    )
    odd = replace(
        walk, id=AssetId("clip-odd"), name="odd", rig=STRANGER, curves={"wag": scalar_track([0.0], [1.0])}
    )
    graph = small_graph()
    sections = (Section("wind up", 0.0), Section("strike", 0.5))
    return project.with_assets(
        rig,
        stranger,
        walk,
        odd,
        line(SPACE, "paces", RIG),
        line(AIM, "looks", RIG, aim_offset=True),
        line(AssetId("space-odd"), "odd paces", STRANGER),
        line(AssetId("space-odd-aim"), "odd looks", STRANGER, aim_offset=True),
        PoseAsset(POSE_SET, "face", RIG),
        PoseAsset(AssetId("poses-odd"), "odd face", STRANGER),
        Montage(MONTAGE, "hit", RIG, sections=sections),
        Montage(AssetId("montage-odd"), "odd hit", STRANGER, sections=(Section("odd", 0.0),)),
        replace(graph, id=OTHER_GRAPH, name="other", sheets=graph.sheets[:1], layout={}),
        Graph(AssetId("graph-odd"), "odd graph", STRANGER),
    )


def many_session() -> Session:
    """A session without a window in which the small graph is open; whoever asks for it closes it."""
    session = Session.create()
    session.document.replace(many_project(), None)
    session.playback.set_clip(WALK)
    session.feature(GraphEditor).canvas.open(GRAPH)
    return session

"""Small rigs, clips and graphs for the tests of the animation graph."""

from itertools import count

import numpy as np

from core.blending.easing import Easing
from core.clips.clip import Channel, Clip, Notify, Property, RootMotion
from core.graph.graph import Blend, Graph, Link, Node, NodeId, Sheet, SheetKind, Transition, Variable
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import Interpolation, scalar_track

RIG = AssetId("rig-1")
BONES = ("root", "hips", "hand")


def rig() -> Rig:
    rest = Transform(
        np.array([[0.0, 0, 0], [0, 1, 0], [0, 1, 0]]), np.tile(quat.IDENTITY, (3, 1)), np.ones((3, 3))
    )
    return Rig(RIG, "figure", Skeleton(BONES, np.array([-1, 0, 1]), rest))


def clip(
    name: str, length: float = 1.0, *, looping: bool = True, x: float = 0.0, turn: float = 90.0, **more
) -> Clip:
    """A clip whose hips stand at `x`, whose hand turns by `turn` degrees over its length, with curve ``level``."""
    linear = Interpolation.LINEAR
    tracks = {
        Channel("hips", Property.TRANSLATE, 0): scalar_track([0.0], [x]),
        Channel("hand", Property.ROTATE, 1): scalar_track([0.0, length], [0.0, turn], interpolations=linear),
    }
    if more.get("root_motion"):
        tracks[Channel("root", Property.TRANSLATE, 2)] = scalar_track(
            [0.0, length], [0.0, more.pop("speed") * length], interpolations=linear
        )
    curves = {"level": scalar_track([0.0], [x])}
    return Clip(
        AssetId(f"clip-{name}"), name, RIG, length, looping=looping, tracks=tracks, curves=curves, **more
    )


def walking(name: str, length: float, speed: float, x: float = 0.0) -> Clip:
    """A loop that travels, with a step notify at a quarter of its length."""
    return clip(
        name,
        length,
        x=x,
        turn=0.0,
        root_motion=RootMotion(enabled=True),
        speed=speed,
        notifies=(Notify("step", length / 4),),
    )


class Drawing:
    """Draws graphs in few words; ids are counted, so that the same drawing gives the same graph."""

    def __init__(self, *clips: Clip, variables: tuple[Variable, ...] = (), **parts) -> None:
        self.clips, self.variables, self.parts = clips, variables, parts
        self.counter = count(1)
        self.sheets: list[Sheet] = []

    def id(self) -> NodeId:
        return NodeId(f"n-{next(self.counter):08x}")

    def node(self, kind: str, name: str = "", literals: dict | None = None, **parameters) -> Node:
        return Node(self.id(), kind, parameters, literals or {}, name)

    def play(self, name: str, **literals) -> Node:
        parameters = {k: literals.pop(k) for k in ("loop", "keep_time") if k in literals}
        return self.node("clip", name, literals, clip=f"clip-{name}", **parameters)

    def pose_sheet(
        self, name: str, nodes: list[Node], wires: list[tuple[Node, Node, str]], last: Node
    ) -> Sheet:
        output = self.node("output")
        links = [Link(a.id, b.id, pin) for a, b, pin in wires] + [Link(last.id, output.id, "pose")]
        sheet = Sheet(self.id(), name, SheetKind.POSE, (*nodes, output), tuple(links))
        self.sheets.append(sheet)
        return sheet

    def clip_sheet(self, name: str, **literals) -> Sheet:
        """A sheet that plays one clip."""
        player = self.play(name, **literals)
        return self.pose_sheet(name, [player], [], player)

    def machine(
        self, states: dict[str, Sheet], arrows: list[tuple], extra: tuple[Node, ...] = (), **resets
    ) -> Sheet:
        """A machine sheet; an arrow is (source, target, rule or None, keywords of `Transition`)."""
        nodes = {
            name: self.node(
                "state", name, sheet=sheet.id, **({"reset": resets[name]} if name in resets else {})
            )
            for name, sheet in states.items()
        }
        nodes.update({node.name: node for node in extra})
        transitions = []
        for source, target, rule, *more in arrows:
            options = dict(more[0]) if more else {}
            seconds = options.pop("seconds", "0.2")
            blend = Blend(str(seconds), options.pop("easing", Easing()), **options.pop("blend", {}))
            transitions.append(
                Transition(self.id(), nodes[source].id, nodes[target].id, rule or "", blend=blend, **options)
            )
        sheet = Sheet(self.id(), "machine", SheetKind.MACHINE, tuple(nodes.values()), (), tuple(transitions))
        self.sheets.append(sheet)
        return sheet

    def graph(self, root: Sheet) -> Graph:
        others = tuple(sheet for sheet in self.sheets if sheet is not root)
        return Graph(AssetId("graph-1"), "graph", RIG, self.variables, sheets=(root, *others), **self.parts)

    def machine_graph(self, machine: Sheet) -> Graph:
        """A graph whose whole pose is a machine's."""
        node = self.node("machine", "machine", sheet=machine.id)
        return self.graph(self.pose_sheet("main", [node], [], node))

    def project(self, graph: Graph | None = None) -> Project:
        return Project().with_assets(rig(), *self.clips, *((graph,) if graph else ()))

"""Small rigs, clips and graphs for the tests of the animation graph."""

from collections.abc import Iterable
from itertools import count, pairwise

import numpy as np

from core.blending.easing import Easing
from core.clips.clip import Channel, Clip, Notify, Property, RootMotion
from core.graph.compile import compile_graph
from core.graph.graph import Blend, Graph, Link, Node, NodeId, Sheet, SheetKind, Transition, Variable
from core.graph.instance import Instance
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.ik_setup import IkSetup, IkSolver
from core.rig.rig import MirrorSetup, Rig
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


def walker() -> Rig:
    """A rig with hips, legs, spine and head, mirrored left and right; its curves are those of its clips."""
    places = {
        "root": (None, (0, 0, 0)),
        "hips": ("root", (0, 0.94, 0)),
        "spine": ("hips", (0, 0.2, 0)),
        "head": ("spine", (0, 0.4, 0)),
        "thigh_l": ("hips", (0.1, -0.04, 0)),
        "calf_l": ("thigh_l", (0, -0.42, 0.02)),
        "foot_l": ("calf_l", (0, -0.4, -0.02)),
        "toe_l": ("foot_l", (0, -0.06, 0.14)),
        "thigh_r": ("hips", (-0.1, -0.04, 0)),
        "calf_r": ("thigh_r", (0, -0.42, 0.02)),
        "foot_r": ("calf_r", (0, -0.4, -0.02)),
        "toe_r": ("foot_r", (0, -0.06, 0.14)),
    }
    names = tuple(places)
    parents = np.array([-1 if above is None else names.index(above) for above, _ in places.values()])
    count = len(names)
    offsets = np.array([offset for _, offset in places.values()], dtype=float)
    rest = Transform(offsets, np.tile(quat.IDENTITY, (count, 1)), np.ones((count, 3)))
    pairs = tuple((f"{part}_l", f"{part}_r") for part in ("thigh", "calf", "foot", "toe"))
    setups = (
        IkSetup("left leg", "thigh_l", "foot_l", IkSolver.TWO_BONE),
        IkSetup("back", "hips", "head", IkSolver.CCD, tolerance=1e-6),
    )
    masks = {"legs": {name: 1.0 for name in names if name.endswith(("_l", "_r"))}, "half": {"hips": 0.5}}
    return Rig(
        RIG, "walker", Skeleton(names, parents, rest),
        MirrorSetup(0, ("root", "hips", "spine", "head"), pairs), masks=masks, ik_setups=setups,
    )  # fmt: skip


def swinging(name: str, degrees: float = 30.0, **more) -> Clip:
    """A clip of a second of the walker: its left thigh and spine turn, its hips sink; curves by `more`."""
    linear = Interpolation.LINEAR
    tracks = {
        Channel("thigh_l", Property.ROTATE, 0): scalar_track([0, 1], [0, degrees], interpolations=linear),
        Channel("spine", Property.ROTATE, 1): scalar_track([0, 1], [0, -degrees / 2], interpolations=linear),
        Channel("hips", Property.TRANSLATE, 1): scalar_track([0, 1], [0.94, 0.84], interpolations=linear),
    }
    curves = {key: scalar_track([0.0], [value]) for key, value in more.pop("curves", {}).items()}
    more.setdefault("looping", True)
    return Clip(AssetId(f"clip-{name}"), name, RIG, 1.0, tracks=tracks, curves=curves, **more)


def square(first: Iterable, second: Iterable, third: Iterable) -> list[tuple]:
    """Each of the first with each of the second, and with them the third in turn: not every three at once."""
    thirds = list(third)
    return [(a, b, thirds[(i + j) % len(thirds)]) for i, a in enumerate(first) for j, b in enumerate(second)]


class Drawing:
    """Draws graphs in few words; ids are counted, so that the same drawing gives the same graph."""

    def __init__(
        self,
        *clips: Clip,
        variables: tuple[Variable, ...] = (),
        rig_: Rig | None = None,
        assets: tuple = (),
        **parts,
    ) -> None:
        self.clips, self.variables, self.parts = clips, variables, parts
        self.rig, self.assets = rig_ or rig(), assets
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

    def one(self, *nodes: Node, wires: list[tuple[Node, Node, str]] | None = None) -> Graph:
        """A graph of one sheet; nodes follow each other by pin ``pose`` where no wires are given."""
        chain = [(a, b, "pose") for a, b in pairwise(nodes)] if wires is None else wires
        return self.graph(self.pose_sheet("main", list(nodes), chain, nodes[-1]))

    def run(self, graph: Graph) -> Instance:
        """An instance of a graph."""
        return Instance(compile_graph(graph, self.project(graph)))

    def machine_graph(self, machine: Sheet) -> Graph:
        """A graph whose whole pose is a machine's."""
        node = self.node("machine", "machine", sheet=machine.id)
        return self.graph(self.pose_sheet("main", [node], [], node))

    def project(self, graph: Graph | None = None) -> Project:
        return Project().with_assets(self.rig, *self.clips, *self.assets, *((graph,) if graph else ()))

"""A graph that falls, lies, gets up and stands again, of the sample character; and grounds to do so on."""

from functools import lru_cache

import numpy as np

from core.graph.compile import compile_graph
from core.graph.falling_graph import falling_graph
from core.graph.graph import Graph, Role, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.plan import Plan
from core.graph.post import under
from core.graph.record import Recording
from core.ids import AssetId
from core.io import load
from core.math import quat, transform
from core.math.transform import Transform
from core.project.project import Project
from core.terrain.pieces import Plane, Stairs
from core.terrain.terrain import Terrain
from resources.sample.locomotion import FILE
from tests.core.graph.builders import Drawing

STAIRS = Terrain((Plane(), Stairs(at=(0.0, 0.0, 0.6), count=12, width=8.0)))
DT = 1.0 / 60.0


@lru_cache(maxsize=1)
def project() -> Project:
    return load(FILE).project


def rig():
    return project().rigs[0]


class Falling(Drawing):
    """Draws graphs of the sample's rig."""

    def __init__(self, **parts) -> None:
        variables = (
            Variable("hit", Kind.BOOL, (0.0,), 0.0, 1.0, role=Role.INPUT),
            *parts.pop("variables", ()),
        )
        super().__init__(variables=variables, rig_=rig(), **parts)

    def clip_node(self, name: str):
        return self.node("clip", name, clip=project().clip_named(name).id)

    def graph(self, root) -> Graph:
        others = tuple(sheet for sheet in self.sheets if sheet is not root)
        return Graph(
            AssetId("graph-falling"),
            "falling",
            rig().id,
            self.variables,
            sheets=(root, *others),
            **self.parts,
        )

    def project(self, graph=None) -> Project:
        return project().with_assets(graph) if graph is not None else project()


@lru_cache(maxsize=4)
def plan(clip: str = "walk") -> Plan:
    graph = falling_graph(
        rig(), project().clip_named(clip), project().clips, AssetId("graph-falling"), "falling"
    )
    return compile_graph(graph, project().with_assets(graph))


def walked(recording: Recording, count: int, hits=(), ground=STAIRS, stands=transform.IDENTITY, dt=DT):
    """Step on; a character that is moved by its root motion. Results, and where it stood with each."""
    found = []
    for number in range(count):
        given = {"hit": number in hits}
        asked = under(ground, stands) if ground is not None else None
        result = recording.step(dt, given, asked, stands)
        moved = transform.compose(stands, result.root_motion)
        stands = Transform(moved.translation, quat.normalise(moved.rotation), np.ones(3))
        found.append((result, stands))
    return found


def places(result, stands):
    """World places of the bones but the root."""
    model = transform.down_chain(rig().skeleton.parents, result.pose.local)
    return transform.compose(Transform(*(part[None] for part in stands)), model).translation[1:]


def instance(graph: Graph) -> Instance:
    return Instance(compile_graph(graph, project().with_assets(graph)))

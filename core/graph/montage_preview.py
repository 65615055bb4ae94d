"""Trying out a montage alone: a small graph with its slots over a clip or the rest pose, played or stood at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from core.blending.easing import Easing
from core.clips.clip import Clip
from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.compiler import Assets
from core.graph.graph import Graph, Link, Node, NodeId, Sheet
from core.graph.instance import Instance
from core.graph.montage import Montage, MontageBlend
from core.graph.montages import MontagesOp
from core.graph.plan import Plan
from core.graph.problems import GraphError, Problem
from core.graph.record import baked_run, even_steps
from core.graph.result import StepResult
from core.ids import AssetId
from core.math import transform
from core.math.transform import Transform
from core.rig.rig import Rig
from core.timing import FrameRate

_OUTPUT, _SHEET, _SOURCE = NodeId("n-00000002"), NodeId("n-00000003"), NodeId("n-00000001")


def preview_graph(montage: Montage, graphs: Sequence[Graph], base: AssetId | None = None) -> Graph:
    """A graph with the montage's slots, one over the other, over a clip or the rest pose.

    Parameters
    ----------
    graphs : of its rig; their variables are known to conditions of notifies
    """
    source = Node(_SOURCE, "clip", {"clip": base}) if base else Node(_SOURCE, "rest")
    slots = tuple(montage.slot_name(track) for track in montage.tracks)
    chain = [source]
    chain += [
        Node(NodeId(f"n-{k + 16:08x}"), "slot", {"slot": slot, "always_update": True})
        for k, slot in enumerate(slots)
    ]
    links = [Link(before.id, after.id, "source") for before, after in pairwise(chain)]
    links.append(Link(chain[-1].id, _OUTPUT, "pose"))
    sheet = Sheet(_SHEET, "pose", nodes=(*chain, Node(_OUTPUT, "output")), links=tuple(links))
    variables = {variable.name: variable for graph in reversed(graphs) for variable in graph.variables}
    enums = {name: members for graph in reversed(graphs) for name, members in graph.enums.items()}
    maps = {name: track for graph in reversed(graphs) for name, track in graph.maps.items()}
    return Graph(
        AssetId(f"graph-of-{montage.id}"), montage.name, montage.rig, tuple(variables.values()), enums, maps, slots,
        sheets=(sheet,),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Alone:
    """A project in which one montage is as it is tried out, and no other plays."""

    project: Assets
    montage: Montage

    @property
    def clips(self) -> Sequence[Clip]:
        return self.project.clips

    @property
    def rigs(self) -> Sequence[Rig]:
        return self.project.rigs

    def all(self, kind: type[Any]) -> Sequence[Any]:
        return (self.montage,) if kind is Montage else self.project.all(kind)


def preview_plan(montage: Montage, project: Assets, base: AssetId | None = None) -> Plan:
    """The plan of `preview_graph`.

    Raises
    ------
    GraphError
        What is wrong with the montage.
    """
    if not montage.tracks:  # no slot would have it compiled
        raise GraphError(montage.name, [Problem(f"montage {montage.name!r} has no segment", "", montage.id)])
    graphs = [graph for graph in project.all(Graph) if graph.rig == montage.rig]
    return compile_graph(preview_graph(montage, graphs, base), _Alone(project, montage))


class MontagePlayer:
    """A montage that plays as in a game: from a section on, with its blends, over a clip or the rest pose.

    Parameters
    ----------
    montage, project : as of `preview_plan`
    base : the clip below

    Raises
    ------
    GraphError
        What is wrong with the montage.
    """

    def __init__(self, montage: Montage, project: Assets, base: AssetId | None = None) -> None:
        self.montage = montage
        self._instance = Instance(preview_plan(montage, project, base))

    def start(self, section: str = "", at: float | None = None, loop: str = "") -> StepResult:
        """Begin again, at a section or a time; with `loop` that section is followed by itself."""
        self._instance.restart()
        commands = [Command(Do.PLAY, self.montage.name, section=section, at=at)]
        if loop:
            commands.append(Command(Do.NEXT, self.montage.name, section=loop, to=loop))
        return self._instance.step(0.0, commands=commands)

    def step(self, seconds: float, commands: Sequence[Command] = ()) -> StepResult:
        """Play on; commands act at the beginning."""
        return self._instance.step(seconds, commands=commands)


class MontageStand:
    """A montage at a time, at full weight and without sections: what scrubbing shows.

    Raises
    ------
    GraphError
        What is wrong with the montage.
    """

    def __init__(self, montage: Montage, project: Assets, base: AssetId | None = None) -> None:
        at_once = MontageBlend(0.0, Easing())
        plain = replace(
            montage,
            blend_in=at_once,
            blend_out=at_once,
            sections=(),
            notifies=(),
            auto_blend_out=False,
            sync_group="",
            rate=1.0,
        )
        self.montage = plain
        plan = preview_plan(plain, project, base)
        self._instance = Instance(plan)
        self._op = next(op for op in plan.ops if isinstance(op, MontagesOp))

    def at(self, time: float) -> StepResult:
        """The pose at a time of the montage, with the root motion of a straight play up to there."""
        self._instance.restart()
        result = self._instance.step(0.0, commands=[Command(Do.PLAY, self.montage.name, at=time)])
        return result.but(root_motion=self._travel(time))

    def _travel(self, time: float) -> Transform:
        if not self.montage.root_motion or time <= 0.0:
            return transform.IDENTITY
        tracks = self._op.plans[0].tracks
        return tracks[0].motion(0.0, time) if tracks else transform.IDENTITY


def baked_montage(
    montage: Montage,
    project: Assets,
    asset: AssetId,
    *,
    section: str = "",
    base: AssetId | None = None,
    rate: FrameRate | None = None,
    most: float = 10.0,
) -> Clip:
    """A montage played from a section to its end (or for so long) as a clip, with its events as notifies.

    Parameters
    ----------
    section : where it begins; the start where left out
    base : the clip that it plays over; the rest pose where left out
    most : seconds after which an endless chain of sections is cut

    Raises
    ------
    GraphError
        What is wrong with the montage.
    ValidationError
        A length or rate that no step can be made of.
    """
    frames = rate or FrameRate.of(30)
    plan = preview_plan(montage, project, base)
    command = Command(Do.PLAY, montage.name, section=section)
    steps = even_steps(most, frames, (), [(0.0, command)])
    instance, results = Instance(plan), []
    for step in steps:
        results.append(instance.step(step.dt, commands=step.commands))
        if len(results) > 1 and not results[-1].montages:
            break
    return baked_run(plan, results, steps[: len(results)], frames, asset, montage.name)

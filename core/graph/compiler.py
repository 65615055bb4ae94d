"""The work of compiling a graph: sheets and machines to ops; every fault is told with its sheet, node and pin."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Protocol

from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.graph.actions import Action
from core.graph.curve_table import CurveTable
from core.graph.graph import BlendKind, Graph, Link, Node, Sheet, SheetKind, Tempo
from core.graph.language.compiler import compile_expression
from core.graph.language.program import ProgramBuilder
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import Value, ValueType
from core.graph.machine import MachineOp
from core.graph.machine_assign import compile_doings
from core.graph.machine_parts import CustomBlend, MachineState, MachineTransition
from core.graph.machine_ways import Ways
from core.graph.montage import Montage
from core.graph.names import near
from core.graph.noted import NotedClips
from core.graph.op import GraphOp, OpPlace
from core.graph.plan import Plan, lay_out
from core.graph.problems import GraphError, Problem
from core.graph.rest import RestOp
from core.graph.scope import GraphScope
from core.graph.snapshots import SnapshotOp
from core.graph.state import StateLayout
from core.graph.sync import GroupPlan
from core.graph.sync_member import SyncMember
from core.graph.update import compile_update
from core.graph.watch import Rule
from core.graph.wires import Wires
from core.ids import AssetId
from core.rig.rig import Rig
from core.tracks.keys import ScalarTrack

DEEPEST = 120
"""Nodes and sheets within each other; every level is a few calls of Python's stack of 1,000."""
MOST_NODES = 20_000


MOST_PROBLEMS = 200
"""Problems that are told; a graph that is wrong everywhere would take long to tell."""
RESETS = ("when_irrelevant", "always", "never")


class Assets(Protocol):
    """What compiling needs of a project."""

    @property
    def clips(self) -> Sequence[Clip]: ...
    @property
    def rigs(self) -> Sequence[Rig]: ...
    def all(self, kind: type[Any]) -> Sequence[Any]:
        """Assets of a kind."""
        ...


class Compiler:
    """Collects ops and problems of one graph; one use.

    Parameters
    ----------
    kinds : how the nodes of each kind become ops
    montages : adds the op that plays montages
    customs : compiles the sheet of a custom blend
    """

    def __init__(
        self,
        graph: Graph,
        project: Assets,
        kinds: Mapping[str, "Kind"],
        montages: "Callable[[Compiler], object] | None" = None,
        customs: "Callable[[Compiler, Sheet, MachineTransition], CustomBlend | None] | None" = None,
    ) -> None:
        self.montages, self.customs = montages, customs
        self.graph, self.project, self.kinds = graph, project, kinds
        self.problems: list[Problem] = []
        self.ops: list[GraphOp] = []
        self.known: dict[tuple[str, str], int] = {}
        self.under_way: list[tuple[str, str]] = []
        self.builder = ProgramBuilder()
        rig = next((rig for rig in project.rigs if rig.id == graph.rig), None)
        if rig is None:
            raise GraphError(
                graph.name, [Problem("its rig is not in the project; choose a rig for the graph")]
            )
        self.rig = rig
        self.used: dict[AssetId, Any] = {}
        self.made: dict[str, object] = {}
        self.clips: Mapping[AssetId, Clip] = NotedClips(project.clips, self.used)
        self.table = curve_table(rig, graph, project)
        self.evaluators: dict[AssetId, ClipEvaluator] = {}
        self.prefix, self.where = "", ""
        self.inside: tuple[AssetId, ...] = (graph.id,)
        self.given: Callable[[Sheet, Node], int] | None = None
        self.maps: list[ScalarTrack] = list(graph.maps.values())
        self.inlined = [sum(len(sheet.nodes) for sheet in graph.sheets)]
        self.scope = GraphScope(graph, self.builder, self.ops, self.table.index, bones=rig.skeleton.names)
        self.wires = Wires(self)
        self.actions: list[Action] = []
        self.branches: dict[str, list[Action]] = {}
        self.filled: dict[str, AssetId] = {}
        self.checks: list[Callable[[], None]] = []
        self.rules: dict[int, Rule] = {}
        self._nodes: dict[str, Mapping[str, Node]] = {}
        self._wired: dict[str, tuple[Mapping[str, list[Link]], Mapping[str, list[Link]]]] = {}

    # ---------------------------------------------------------------- the whole
    def plan(self) -> Plan:
        graph = self.graph
        count = self.inlined[0]
        if count > MOST_NODES:
            raise GraphError(graph.name, [Problem(f"it has {count} nodes; at most {MOST_NODES} can be run")])
        root = graph.root
        if root is None:
            raise GraphError(graph.name, [Problem("it has no pose sheet; add one with an Output")])
        if self.montages is not None:
            self.montages(self)
        self.whole(root)
        for check in self.checks:
            check()
        if any(not problem.warning for problem in self.problems):
            raise GraphError(graph.name, self.problems)
        self.keep_last()
        self.scope.name_states()
        ops, program = tuple(self.ops), self.builder.finish()
        floats, ints, poses = lay_out(ops)
        groups = self.groups(ints)
        layout = StateLayout(
            len(program.registers),
            program.states + 3,  # ops look at three, the last of them too
            floats,
            ints + len(groups),
            len(graph.variables),
            len(self.table),
            len(ops),
            len(self.rig.skeleton),
            poses,
        )
        variables = tuple((variable, self.scope.places[variable.name]) for variable in graph.variables)
        return Plan(
            graph,
            self.rig,
            ops,
            program,
            variables,
            tuple(self.scope.fills),
            tuple(self.scope.names),
            self.table,
            layout,
            tuple(self.problems),
            groups,
            tuple(self.actions),
            tuple(self.scope.event_reads.items()),
            tuple(self.maps),
            self.rules,
            tuple(self.scope.sheet_events.items()),
            {name: tuple(actions) for name, actions in self.branches.items()},
            self.filled,
            self.wires.places,
            sources=tuple(self.used[key] for key in sorted(self.used)),
        )

    def whole(self, root: Sheet) -> int:
        """Compile the update sheets, then the pose of a graph; the op that gives it."""
        for sheet in self.graph.sheets:
            if sheet.kind is SheetKind.UPDATE:
                compile_update(self, sheet)
        number = self.sheet_root(root)
        self.wires.finish()
        self.checks.append(self.check_reads)
        return number

    def check_reads(self) -> None:
        """Tell what expressions ask for and is not there."""
        for message in self.scope.unresolved():
            self.fault(message)

    def linked(self, graph: Graph, name: str) -> "Compiler":
        """A compiler of another graph into the same plan, with variables and nodes of its own.

        Parameters
        ----------
        name : of the node that links it; put before the names of its nodes
        """
        child = copy(self)
        child.graph, child.inside = graph, (*self.inside, graph.id)
        child.prefix = f"{self.prefix}{name or graph.name}/"
        child.where = f"in linked graph {graph.name!r}: "
        child.known, child._nodes, child._wired = {}, {}, {}
        scope = self.scope
        child.scope = GraphScope(
            graph, self.builder, self.ops, self.table.index, names=scope.names, fills=scope.fills,
            event_reads=scope.event_reads, sheet_events=scope.sheet_events, bones=scope.bones, prefix=child.prefix,
            first_map=len(self.maps),
        )  # fmt: skip
        self.maps.extend(graph.maps.values())
        child.wires = Wires(child)
        return child

    def keep_last(self) -> None:
        """Let the Output keep its results where snapshots, bones of the last pose or simulations ask for them."""
        asked = any(isinstance(op, SnapshotOp) for op in self.ops) or self.scope.reads_bones
        last = self.ops[-1]
        if asked:
            last.keep_result()
        if any(op.simulates for op in self.ops):
            last.keep_history()

    def groups(self, place: int) -> tuple[GroupPlan, ...]:
        """The sync groups that players name, each with an int from `place` on."""
        members: dict[str, list[int]] = {}
        for op in self.ops:
            if isinstance(op, SyncMember) and op.group:
                members.setdefault(op.group, []).append(op.number)
        tempos = {setting.name: setting.tempo for setting in self.graph.sync_groups}
        return tuple(
            GroupPlan(name, tempos.get(name, Tempo.MEAN), tuple(numbers), place + k)
            for k, (name, numbers) in enumerate(members.items())
        )

    def fault(self, message: str, sheet: str = "", node: str = "", pin: str = "", column: int = -1) -> None:
        if sum(not problem.warning for problem in self.problems) >= MOST_PROBLEMS:
            raise GraphError(self.graph.name, self.problems)
        self.problems.append(Problem(self.where + message, sheet, node, pin, column))

    def warn(self, message: str, sheet: str, node: str, pin: str = "") -> None:
        if len(self.problems) < 10 * MOST_PROBLEMS:
            self.problems.append(Problem(self.where + message, sheet, node, pin, warning=True))

    def add(self, build: Callable[[OpPlace], GraphOp], node: str, name: str = "") -> int:
        """Add the op of a node; its number."""
        number = len(self.ops)
        self.ops.append(build(OpPlace(number, node, self.prefix + name if name else "")))
        return number

    # ---------------------------------------------------------------- sheets
    def sheet_root(self, sheet: Sheet) -> int:
        """The op that gives a sheet's pose."""
        if sheet.kind is SheetKind.MACHINE:
            return self.machine(sheet, sheet.id, sheet.name)
        outputs = sheet.of_kind("output")
        if len(outputs) != 1:
            self.fault(f"expected one Output node, found {len(outputs)}", sheet.id)
            return self.rest(sheet.id)
        return self.node(sheet, outputs[0])

    def rest(self, node: str) -> int:
        return self.add(lambda at: RestOp(at, self.table), node)

    def named_sheet(self, sheet: Sheet, node: Node) -> Sheet | None:
        wanted = str(node.parameters.get("sheet", ""))
        for found in self.graph.sheets:
            if found.id == wanted:
                return found
        self.fault(f"its sheet {wanted!r} is not in the graph", sheet.id, node.id)
        return None

    def node(self, sheet: Sheet, node: Node) -> int:
        """The op of a pose node, made at first use; a node that is read twice is one op."""
        key = (self.prefix + sheet.id, node.id)
        if key in self.known:
            return self.known[key]
        if key in self.under_way:
            path = " -> ".join(part for _, part in [*self.under_way[self.under_way.index(key) :], key])
            self.fault(f"the poses go in a circle: {path}; cut one of these wires", sheet.id, node.id)
            return self.rest(node.id)
        if len(self.under_way) >= DEEPEST:
            self.fault(f"nested deeper than {DEEPEST} nodes", sheet.id, node.id)
            return self.rest(node.id)
        build = self.kinds.get(node.kind)
        if build is None:
            self.fault(
                f"there is no pose node of kind {node.kind!r}{near(node.kind, self.kinds)}", sheet.id, node.id
            )
            return self.rest(node.id)
        self.under_way.append(key)
        number = build(self, sheet, node)
        self.under_way.pop()
        self.known[key] = number
        return number

    # ---------------------------------------------------------------- pins and parameters
    def pose(self, sheet: Sheet, node: Node, pin: str, *, additive: bool = False) -> int:
        """The op behind a pose pin; the rest pose, with a warning, where nothing is wired.

        Parameters
        ----------
        additive : whether the pin takes a difference; elsewhere one is a fault
        """
        link = self.link(sheet, node.id, pin)
        if link is None:
            self.warn(f"nothing is wired to {pin}: the rest pose stands in", sheet.id, node.id, pin)
            return self.rest(node.id)
        source = self.node_of(sheet, link.source)
        if source is None:
            self.fault(f"its wire comes from {link.source!r}, which is not there", sheet.id, node.id, pin)
            return self.rest(node.id)
        number = self.node(sheet, source)
        if not additive and self.ops[number].additive is not None:
            self.fault("an additive pose goes into apply additive, not here", sheet.id, node.id, pin)
        return number

    def value(self, sheet: Sheet, node: Node, pin: str, type_: ValueType, default: str) -> int:
        """The register of a value pin: its wire's value node, or the literal."""
        return self.wires.pin(sheet, node, pin, type_, default).register

    def node_of(self, sheet: Sheet, node: str) -> Node | None:
        """A sheet's node by id."""
        if sheet.id not in self._nodes:
            self._nodes[sheet.id] = {found.id: found for found in sheet.nodes}
        return self._nodes[sheet.id].get(node)

    def link(self, sheet: Sheet, node: str, pin: str) -> Link | None:
        """The wire that ends at a pin."""
        return next((link for link in self.links_to(sheet, node) if link.pin == pin), None)

    def links_to(self, sheet: Sheet, node: str) -> Sequence[Link]:
        """The wires that end at a node."""
        return self._links(sheet)[0].get(node, ())

    def links_from(self, sheet: Sheet, node: str) -> Sequence[Link]:
        """The wires that begin at a node."""
        return self._links(sheet)[1].get(node, ())

    def _links(self, sheet: Sheet) -> tuple[Mapping[str, list[Link]], Mapping[str, list[Link]]]:
        found = self._wired.get(sheet.id)
        if found is None:
            to: dict[str, list[Link]] = {}
            out: dict[str, list[Link]] = {}
            for link in sheet.links:
                to.setdefault(link.target, []).append(link)
                out.setdefault(link.source, []).append(link)
            found = self._wired[sheet.id] = (to, out)
        return found

    def expression(
        self, text: str, type_: ValueType, sheet: str, node: str, pin: str, column: int = 0
    ) -> Value:
        try:
            return compile_expression(text, self.scope, self.builder, type_, len(self.ops))
        except ExpressionError as error:
            self.fault(error.reason, sheet, node, pin, column + error.column)
            return self.builder.constant(type_, *(0.0,) * type_.width)

    def asset(self, sheet: Sheet, node: Node, parameter: str, kind: type[Any], what: str) -> Any:
        wanted = node.parameters.get(parameter)
        found = next((asset for asset in self.project.all(kind) if asset.id == wanted), None)
        if found is None:
            self.fault(f"its {what} is not in the project; choose one", sheet.id, node.id)
        elif found.rig != self.rig.id:
            self.fault(f"{what} {found.name!r} is for another rig than {self.rig.name!r}", sheet.id, node.id)
            return None
        else:
            self.used[found.id] = found
        return found

    def evaluator(self, clip: Clip) -> ClipEvaluator:
        self.used[clip.id] = clip
        found = self.evaluators.get(clip.id)
        if found is None:
            found = self.evaluators[clip.id] = ClipEvaluator(self.rig, clip)
        return found

    # ---------------------------------------------------------------- machines
    def machine(self, sheet: Sheet, node: str, name: str) -> int:
        states = sheet.of_kind("state")
        if not states:
            self.fault("the machine has no state", sheet.id)
            return self.rest(node)
        if ("machine", self.prefix + sheet.id) in self.under_way:
            self.fault("the machine holds itself", sheet.id)
            return self.rest(node)
        if len(self.under_way) >= DEEPEST:
            self.fault(f"nested deeper than {DEEPEST} nodes", sheet.id)
            return self.rest(node)
        self.under_way.append(("machine", self.prefix + sheet.id))
        roots = [self.state_root(sheet, state) for state in states]
        self.under_way.pop()
        holder: list[MachineOp] = []
        outer, self.scope.machine = self.scope.machine, lambda: holder[0]
        ways = Ways(self, sheet, self.rules)
        does = [compile_doings(self, sheet, state) for state in states]
        transitions = [
            replace(t, custom=self.customs(self, sheet, t))
            if t.kind is BlendKind.CUSTOM and self.customs
            else t
            for t in ways.transitions
        ]
        self.scope.machine = outer
        reached = {t.target for t in ways.transitions} | {0}
        for k, state in enumerate(states):
            if k not in reached:
                self.warn("no transition leads to this state", sheet.id, state.id)
        made = [
            MachineState(s.id, s.name, root, self.reset(sheet, s), tuple(out), do)
            for s, root, out, do in zip(states, roots, ways.exits, does, strict=True)
        ]
        number = self.add(lambda at: MachineOp(at, made, transitions, ways.entries), node, name)
        op = self.ops[number]
        assert isinstance(op, MachineOp)
        holder.append(op)
        return number

    def reset(self, sheet: Sheet, state: Node) -> str:
        """When a state begins anew."""
        wanted = str(state.parameters.get("reset") or RESETS[0])
        if wanted not in RESETS:
            known = ", ".join(RESETS)
            self.fault(f"reset: expected one of {known}, got {wanted[:40]!r}", sheet.id, state.id, "reset")
        return wanted

    def state_root(self, sheet: Sheet, state: Node) -> int:
        inside = self.named_sheet(sheet, state)
        if inside is None:
            return self.rest(state.id)
        return self.sheet_root(inside)


def curve_table(rig: Rig, graph: Graph, project: Assets) -> CurveTable:
    """Every curve and morph that clips and graphs of a rig name, so that its graphs can work on one pose."""
    own = [clip for clip in project.clips if clip.rig == rig.id]
    curves = dict.fromkeys(name for clip in own for name in clip.curves)
    for other in (*project.all(Graph), graph):
        if other.rig == rig.id:
            changed = (node for sheet in other.sheets for node in sheet.of_kind("modify_curve"))
            curves.update(dict.fromkeys(str(node.parameters.get("curve", "")) for node in changed))
    for montage in project.all(Montage):
        if montage.rig == rig.id:
            curves.update(dict.fromkeys(montage.curves))
    return CurveTable(tuple(curves), tuple(dict.fromkeys(m for clip in own for m in clip.morphs)))


Kind = Callable[[Compiler, Sheet, Node], int]
"""Makes the op of a node; gives its number."""

"""The update sheet: chains of actions that begin at ``on`` nodes, as rows of the program (spec: graph, Values).

Setting a variable is a row, ``variable = condition ? value : variable``; what concerns poses is an `Action`. Rows
run in the order of the sheet: the ``on`` nodes as they are listed, each chain along its wires. Events of a step are
known in the next, but those of branching notifies of montages: the chain that such a one begins acts at its moment,
with the values of the step's beginning.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.errors import AnimError
from core.graph.actions import Action, Doing
from core.graph.asking import montages_of
from core.graph.commands import Command, Do, play_clip
from core.graph.compiling import Compiling
from core.graph.events import EventKind
from core.graph.graph import Link, Node, Role, Sheet, Variable
from core.graph.language.program import DT, Op
from core.graph.language.values import BOOL, FLOAT, Kind, Value, ValueType
from core.graph.machine import MachineOp
from core.graph.names import near
from core.graph.op import Run
from core.graph.snapshots import keep_snapshot
from core.ids import AssetId

THEN = "then"
"""Pin that chains end at and begin from."""
MOST_ACTIONS = 2_000
FASTEST = 1_000.0
"""Times its own speed that a montage is played at most."""
LONGEST = 3_600.0
"""Seconds of a fade at most."""
MOST_LOOPS = 1_000_000


def compile_update(c: Compiling, sheet: Sheet) -> None:
    """Compile an update sheet into rows and actions of the compiler."""
    _Update(c, sheet).compile()


class _Update:
    def __init__(self, c: Compiling, sheet: Sheet) -> None:
        self.c, self.sheet = c, sheet
        self.done: set[str] = set()
        self.event = ""
        """Name of the event at which the chain being compiled begins."""
        self.own = -1
        """Register of the own condition of the action being compiled."""

    def compile(self) -> None:
        for node in self.sheet.nodes:
            if node.kind in STARTS:
                condition = STARTS[node.kind](self, node)
                self.event = self.text(node, "event") if node.kind == "on_event" else ""
                if condition is not None:
                    self.chain(node, condition)
        for node in self.sheet.nodes:
            if node.kind in DOINGS and node.id not in self.done:
                self.c.warn("nothing starts this action; wire its then to an on node", self.sheet.id, node.id)
            elif node.kind not in KNOWN:
                what = f"there is no node of kind {node.kind[:40]!r} in update sheets"
                self.c.fault(what + near(node.kind[:40], KNOWN), self.sheet.id, node.id)

    def chain(self, start: Node, condition: int) -> None:
        """Compile what follows a node, in the order of its wires, depth first."""
        waiting = [link.target for link in reversed(self.following(start.id))]
        while waiting:
            node = self.c.node_of(self.sheet, waiting.pop())
            if node is None or node.kind not in DOINGS:
                self.c.fault("expected an action on this wire", self.sheet.id, start.id, THEN)
                continue
            if node.id in self.done:
                self.c.fault(
                    "two chains lead to this action, or one in a circle", self.sheet.id, node.id, THEN
                )
                continue
            if len(self.done) >= MOST_ACTIONS:
                self.c.fault(f"more than {MOST_ACTIONS} actions", self.sheet.id, node.id)
                return
            self.done.add(node.id)
            DOINGS[node.kind](self, node, self.when(node, condition))
            waiting += [link.target for link in reversed(self.following(node.id))]

    def following(self, node: str) -> list[Link]:
        return [link for link in self.c.links_from(self.sheet, node) if link.pin == THEN]

    def when(self, node: Node, condition: int) -> int:
        """The chain's condition with the node's own pin ``when``."""
        if "when" not in node.literals and self.c.link(self.sheet, node.id, "when") is None:
            self.own = self.c.builder.constant(BOOL, 1.0).register
            return condition
        self.own = self.c.value(self.sheet, node, "when", BOOL, "true")
        return self.c.builder.emit(Op.AND, BOOL, condition, self.own).register

    def text(self, node: Node, name: str) -> str:
        return str(node.parameters.get(name, "") or "")

    def variable(self, node: Node) -> tuple[Variable, Value] | None:
        """The variable that a node names, with its place; a fault where there is none."""
        name = self.text(node, "variable")
        found = next((v for v in self.c.graph.variables if v.name == name), None)
        if found is None:
            known = [v.name for v in self.c.graph.variables]
            what = f"there is no variable {name[:60]!r}{near(name[:60], known)}; choose one"
            self.c.fault(what, self.sheet.id, node.id, "variable")
            return None
        return found, self.c.scope.places[name]

    # ---------------------------------------------------------------- what starts a chain
    def moving(self) -> int:
        """Whether the step takes time: one of no seconds fires nothing."""
        zero = self.c.builder.constant(FLOAT, 0.0).register
        return self.c.builder.emit(Op.LESS, BOOL, zero, DT).register

    def on_step(self, node: Node) -> int | None:
        return self.moving()

    def on_start(self, node: Node) -> int | None:
        emit, false = self.c.builder.emit, self.c.builder.constant(BOOL, 0.0).register
        passed = emit(Op.TIMER, FLOAT, false).register
        first = emit(Op.EQUAL, BOOL, passed, self.c.builder.constant(FLOAT, 0.0).register).register
        return emit(Op.AND, BOOL, first, self.moving()).register

    def on_event(self, node: Node) -> int | None:
        name = self.text(node, "event")
        if not name:
            self.c.fault("no event is named; type its name", self.sheet.id, node.id, "event")
            return None
        happened = self.c.scope.sheet_event(name)
        return self.c.builder.emit(Op.AND, BOOL, happened, self.moving()).register

    def on_changed(self, node: Node) -> int | None:
        found = self.variable(node)
        if found is None:
            return None
        emit, place = self.c.builder.emit, found[1]
        changed = self.c.builder.constant(BOOL, 0.0).register
        for k in range(place.type.width):
            before = emit(Op.PREVIOUS, FLOAT, place.register + k).register
            differs = emit(Op.NOT_EQUAL, BOOL, place.register + k, before).register
            changed = emit(Op.OR, BOOL, changed, differs).register
        return emit(Op.AND, BOOL, changed, self.moving()).register

    # ---------------------------------------------------------------- actions
    def set(self, node: Node, when: int) -> None:
        found = self.variable(node)
        if found is None:
            return
        variable, place = found
        if variable.role is not Role.OWN:
            self.c.fault(
                f"variable {variable.name!r} is {variable.role}: only own variables are set here; change its role",
                self.sheet.id, node.id, "variable",
            )  # fmt: skip
            return
        default = {Kind.VECTOR: "vec(0, 0, 0)", Kind.BOOL: "false"}.get(variable.kind, "0")
        if variable.kind is Kind.ENUM:
            members = self.c.graph.enums.get(variable.enum) or ("",)
            default = f"'{members[0]}'"
        elif variable.kind is Kind.NAME:
            default = "''"
        type_ = ValueType(variable.kind, variable.enum if variable.kind is Kind.ENUM else "")
        register = self.c.value(self.sheet, node, "value", type_, default)
        emit, builder = self.c.builder.emit, self.c.builder
        low, high = (builder.constant(FLOAT, x).register for x in (variable.minimum, variable.maximum))
        for k in range(place.type.width):
            held = emit(Op.MAXIMUM, FLOAT, register + k, low).register
            held = emit(Op.MINIMUM, FLOAT, held, high).register
            builder.write(Op.SELECT, place.register + k, when, held, place.register + k)
        target, width = place.register, place.type.width

        def do(run: Run) -> None:
            values = run.registers[register : register + width]
            run.registers[target : target + width] = np.clip(values, variable.minimum, variable.maximum)

        self.at_branch(node, do)

    def act(self, node: Node, when: int, do: Doing) -> None:
        self.c.actions.append(Action(when, node.id, do))
        self.at_branch(node, do)

    def at_branch(self, node: Node, do: Doing) -> None:
        """Let an action of a chain that an event begins act at its moment where a branching notify has its name."""
        if self.event:
            self.c.branches.setdefault(self.event, []).append(Action(self.own, node.id, do))

    def emit_event(self, node: Node, when: int) -> None:
        name = self.text(node, "event")
        if not name:
            self.c.fault("the event has no name; type one", self.sheet.id, node.id, "event")
            return

        def do(run: Run) -> None:
            run.emit(EventKind.CUSTOM, name, run.moment, 1.0, node.id)

        self.act(node, when, do)

    def to_state(self, node: Node, when: int) -> None:
        """Go or travel to a state of a machine; both are looked up when all ops are there."""
        c, at_once = self.c, node.kind == "go"
        name, wanted = self.text(node, "machine"), self.text(node, "state")
        place: list[tuple[MachineOp, int]] = []

        def check() -> None:
            machines = {op.name: op for op in c.ops if isinstance(op, MachineOp)}
            machine = machines.get(c.prefix + name)
            if machine is None:
                what = f"there is no machine {name[:60]!r}{near(name[:60], machines)}"
                c.fault(what, self.sheet.id, node.id, "machine")
                return
            states = [state.name for state in machine.states]
            if wanted not in states:
                what = f"machine {name!r} has no state {wanted[:60]!r}{near(wanted[:60], states)}"
                c.fault(what, self.sheet.id, node.id, "state")
                return
            place.append((machine, states.index(wanted)))

        def do(run: Run) -> None:
            machine, state = place[0]
            machine.ask(run.ints, state, at_once=at_once)
            run.moments[machine.number] = run.moment

        c.checks.append(check)
        self.act(node, when, do)

    def save_snapshot(self, node: Node, when: int) -> None:
        name = self.text(node, "snapshot")
        if not name:
            self.c.fault("the snapshot has no name; type one", self.sheet.id, node.id, "snapshot")
            return

        def do(run: Run) -> None:
            keep_snapshot(run, name)

        self.act(node, when, do)

    def inertialise(self, node: Node, when: int) -> None:
        c, name = self.c, self.text(node, "target")
        number: list[int] = []

        def check() -> None:
            found = {op.name: op.number for op in c.ops if op.serves_requests}
            if c.prefix + name not in found:
                what = f"there is no inertialise node {name[:60]!r}{near(name[:60], found)}"
                c.fault(what, self.sheet.id, node.id, "target")
                return
            number.append(found[c.prefix + name])

        def do(run: Run) -> None:
            run.requests[number[0]] = run.moment

        c.checks.append(check)
        self.act(node, when, do)

    def montage(self, node: Node, when: int) -> None:
        """Play, stop, jump … a montage; names are checked when all ops are there."""
        c, do = self.c, Do(node.kind.removesuffix("_montage"))
        rate = c.value(self.sheet, node, "rate", FLOAT, "1")
        seconds = node.parameters.get("seconds")
        at = node.parameters.get("at")
        command = Command(
            do, self.text(node, "montage"), self.text(node, "section"), self.text(node, "to"),
            float(at) if isinstance(at, int | float) and math.isfinite(at) else None, 1.0,
            float(seconds) if isinstance(seconds, int | float) and math.isfinite(seconds) else None,
            bool(node.parameters.get("stop_group", True)),
        )  # fmt: skip

        def check() -> None:
            op = montages_of(c.ops)
            if op is None:
                what = "there is no montage for the graph's slots; make one, or add its slot"
                c.fault(what, self.sheet.id, node.id, "montage")
                return
            try:
                op.check(command)
            except AnimError as error:
                c.fault(str(error), self.sheet.id, node.id, "montage")

        def act(run: Run) -> None:
            pace = min(max(run.value(rate), -FASTEST), FASTEST)
            run.commands.append(replace(command, rate=pace))

        c.checks.append(check)
        self.act(node, when, act)

    def clip(self, node: Node, when: int) -> None:
        """Play a clip in a slot; names are checked when all ops are there."""
        c, sheet, clip = self.c, self.sheet, self.c.clips.get(AssetId(self.text(node, "clip")))
        if clip is None:
            c.fault("its clip is not in the project; choose one", sheet.id, node.id, "clip")
            return
        rate = c.value(sheet, node, "rate", FLOAT, "1")
        blends = [c.value(sheet, node, pin, FLOAT, "0.25") for pin in ("in", "out")]
        loops = c.value(sheet, node, "loops", FLOAT, "1")
        grouped = bool(node.parameters.get("stop_group", True))
        command = play_clip(clip.name, self.text(node, "slot"), stop_group=grouped)

        def check() -> None:
            op = montages_of(c.ops)
            if op is None:
                c.fault("the graph has no slot to play a clip in; add one", sheet.id, node.id, "slot")
                return
            try:
                op.check(command)
            except AnimError as error:
                c.fault(str(error), sheet.id, node.id, "clip")

        def act(run: Run) -> None:
            pace = min(max(run.value(rate), -FASTEST), FASTEST)
            into, away = (min(max(run.value(register), 0.0), LONGEST) for register in blends)
            turns = int(min(max(run.value(loops), 0.0), MOST_LOOPS))
            asked = replace(command, rate=pace, blend_in=into, blend_out=away, loops=turns)
            run.commands.append(asked)

        c.checks.append(check)
        self.act(node, when, act)


Start = Callable[[_Update, Node], int | None]
Act = Callable[[_Update, Node, int], None]

STARTS: dict[str, Start] = {
    "on_start": _Update.on_start,
    "on_step": _Update.on_step,
    "on_event": _Update.on_event,
    "on_changed": _Update.on_changed,
}
"""Nodes that begin a chain, by kind."""
DOINGS: dict[str, Act] = {
    "set": _Update.set,
    "emit_event": _Update.emit_event,
    "go": _Update.to_state,
    "travel": _Update.to_state,
    "save_snapshot": _Update.save_snapshot,
    "request_inertialise": _Update.inertialise,
    **{f"{do}_montage": _Update.montage for do in Do if do not in (Do.GO, Do.TRAVEL, Do.PLAY_CLIP)},
    "play_clip": _Update.clip,
}
"""Actions by kind."""
KNOWN = (*STARTS, *DOINGS, "expression", "function", "get")
"""Every kind of node that an update sheet holds."""

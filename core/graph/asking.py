"""Commands to a running graph: refused before anything changes, handed to machines and montages."""

from collections.abc import Sequence

from core.errors import MissingReferenceError
from core.graph.commands import Command, Do
from core.graph.machine import MachineOp
from core.graph.montages import MontagesOp
from core.graph.names import near
from core.graph.op import GraphOp
from core.graph.packer import WholeArray

TO_MACHINES = (Do.GO, Do.TRAVEL)


def montages_of(ops: Sequence[GraphOp]) -> MontagesOp | None:
    """The op that runs the montages of a plan."""
    return next((op for op in ops if isinstance(op, MontagesOp)), None)


def require_fit(ops: Sequence[GraphOp], commands: Sequence[Command]) -> None:
    """Refuse commands that name what is not there.

    Raises
    ------
    MissingReferenceError
        A montage, section, machine or state that is not there, with near names.
    ValidationError
        A time or rate that is not finite.
    """
    montages = montages_of(ops)
    for command in commands:
        if command.do in TO_MACHINES:
            _state(_machine(ops, command), command)
        elif montages is None:
            raise MissingReferenceError(
                f"the graph plays no montage {command.target!r}: it has none for its slots"
            )
        else:
            montages.check(command)


def ask_machines(ops: Sequence[GraphOp], ints: WholeArray, commands: Sequence[Command]) -> None:
    """Tell machines where to go."""
    for command in commands:
        if command.do in TO_MACHINES:
            machine = _machine(ops, command)
            machine.ask(ints, _state(machine, command), at_once=command.do is Do.GO)


def _machine(ops: Sequence[GraphOp], command: Command) -> MachineOp:
    machines = [op for op in ops if isinstance(op, MachineOp)]
    for op in machines:
        if op.name == command.target:
            return op
    names = [op.name for op in machines]
    raise MissingReferenceError(
        f"the graph has no state machine {command.target!r}{near(command.target, names)}"
    )


def _state(machine: MachineOp, command: Command) -> int:
    names = [state.name for state in machine.states]
    if command.to not in names:
        raise MissingReferenceError(
            f"state machine {machine.name!r} has no state {command.to!r}{near(command.to, names)}"
        )
    return names.index(command.to)

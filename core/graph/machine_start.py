"""Where the players of a transition's target begin (spec: graph, §7)."""

from core.graph.graph import TargetStart
from core.graph.machine_parts import NEVER_LEFT, MachineTransition
from core.graph.op import GraphOp, Run
from core.graph.sync_member import SyncMember

AS_STATE = (TargetStart.STATE, TargetStart.KEPT)
"""Starts that restart nothing by themselves."""


def restarts(transition: MachineTransition | None) -> bool:
    """Whether a transition lets its target begin anew, whatever the state says."""
    return transition is not None and transition.start not in AS_STATE


def keeps(reset: str, transition: MachineTransition | None, away: float) -> bool:
    """Whether a target goes on where it stood; one that was never left has nowhere to go on.

    Parameters
    ----------
    reset : of the state
    away : seconds since it was left
    """
    start = TargetStart.STATE if transition is None else transition.start
    wanted = start is TargetStart.KEPT or (start is TargetStart.STATE and reset == "never")
    return wanted and away < NEVER_LEFT


def place_target(run: Run, transition: MachineTransition, source: int, target: int, passed: float) -> None:
    """Put the target's players where the transition says.

    Parameters
    ----------
    source, target : numbers of the ops that give the two states' poses
    passed : seconds of this step that the source's players have played until now
    """
    start = transition.start
    if start in (*AS_STATE, TargetStart.RESET):
        return
    players = [op for op, _ in run.ops[target].players(run) if isinstance(op, SyncMember)]
    if start is TargetStart.AT:
        for player in players:
            player.start_at(run, transition.start_at)
        return
    leading = [(w, op) for op, w in run.ops[source].players(run) if isinstance(op, SyncMember)]
    if not leading:
        return
    phase = max(leading, key=_rank)[1].ahead(run, passed)
    if start is TargetStart.SAME_FRACTION:
        phase = phase._replace(markers=None)
    for player in players:
        player.join(run, phase)


def _rank(found: tuple[float, GraphOp]) -> tuple[float, int]:
    return found[0], -found[1].number

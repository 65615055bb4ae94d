"""A run of a small machine that counts what it tells."""

from editor.model.graph_run.state import GraphRun
from editor.model.session import Session

TOLD = ("changed", "stepped", "state_changed")


def counted(session: Session) -> GraphRun:
    """The session's run; `told` counts what it emits from now on."""
    made = session.feature(GraphRun)
    made.told = dict.fromkeys(TOLD, 0)
    for name in TOLD:
        getattr(made, name).connect(lambda _, name=name: made.told.update({name: made.told[name] + 1}))
    return made


def told(run: GraphRun) -> tuple[int, int, int]:
    """How often each of `TOLD` was emitted since the last call."""
    found = tuple(run.told[name] for name in TOLD)
    run.told.update(dict.fromkeys(TOLD, 0))
    return found


def variable(run: GraphRun, name: str):
    return next(v for _, v in run.played.variables if v.name == name)

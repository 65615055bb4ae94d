"""What tests of layers ask of each edit: one step with its name, or none."""

from collections.abc import Callable

from editor.model.session import Session


def last(session: Session) -> str:
    return session.history.labels[-1]


def one_step(session: Session, do: Callable[[], object], label: str) -> None:
    steps = session.history.position
    assert do() is True
    assert session.history.position == steps + 1 and last(session) == label


def no_step(session: Session, do: Callable[[], object]) -> None:
    project = session.document.project
    assert do() is False
    assert session.document.project is project

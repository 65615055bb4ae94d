"""What the update sheet asks for beside setting variables: done between the values and the poses of a step."""

from collections.abc import Callable
from dataclasses import dataclass

from core.graph.op import Run

Doing = Callable[[Run], None]


@dataclass(frozen=True, slots=True)
class Action:
    """One action of an update sheet.

    Parameters
    ----------
    when : register that says whether it is done in this step
    node : id of its node
    do : does it
    """

    when: int
    node: str
    do: Doing

    def run(self, run: Run) -> None:
        """Do it where its condition holds."""
        if run.value(self.when) != 0.0:
            self.do(run)

"""New steps of a run: their inputs and commands, and where they stop."""

from core.errors import AnimError
from core.graph.commands import Command
from core.graph.graph import Graph
from core.graph.instance import InputValue
from editor.model.graph_run.breaks import BreakPoints, Hit
from editor.model.graph_run.deck import Deck
from editor.model.graph_run.inputs import BEFORE, InputPath, Inputs
from editor.model.graph_run.take import Take
from editor.model.i18n import tr
from editor.model.messages import Messages


class LiveSteps:
    """Takes steps at the end of what is recorded."""

    def __init__(self, deck: Deck, inputs: Inputs, breaks: BreakPoints, messages: Messages) -> None:
        self._deck, self._inputs, self._breaks, self._messages = deck, inputs, breaks, messages
        self._commands: list[Command] = []
        self._path_from = 0.0

    def begin(self, graphs: tuple[Graph, ...]) -> dict[str, InputValue]:
        """A recording begins: the inputs of its first step."""
        self._commands, self._path_from = [], 0.0
        path = self._inputs.path
        first = {} if path is None else path.due(BEFORE, 0.0)
        first.update(self._inputs.all_set(graphs))
        return first

    def ask(self, command: Command) -> None:
        """Ask something of the run at its next step."""
        self._commands.append(command)

    def play(self, path: InputPath | None, now: float) -> None:
        """Play recorded inputs from now on; None ends that."""
        self._inputs.path, self._path_from = path, now

    def one(self, take: Take, dt: float) -> Hit | None:
        """Take one step; the break point that it came to, if any.

        Raises
        ------
        AnimError
            The step is refused, or the recording is full; nothing has changed.
        """
        if take.full:
            raise AnimError(tr("The recording is full (10 minutes): restart it to go on"))
        start = take.time - self._path_from
        inputs = self._inputs.due(start if start > 0.0 else BEFORE, start + dt)
        commands, self._commands = self._commands, []
        take.step(dt, inputs, commands)
        return self._breaks.hit(take)

    def show_now(self, take: Take) -> None:
        """Let a paused run show a changed input at once: a step of no time, one for all changes in a row."""
        inputs = self._inputs.due(0.0, 0.0)
        last = take.steps[-1]
        if last.dt == 0.0 and take.at > 1 and not last.commands:
            inputs = {**last.inputs, **inputs}
            take.goto(take.at - 1)
            self._deck.cut()
        try:
            take.step(0.0, inputs)
        except AnimError as error:
            self._messages.error(str(error))

"""Recorded inputs and every state of their run: go to any step by replaying from the last kept state.

It records whatever a pure step advances, so that a controller alone and a character with its pose are kept alike.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from core.errors import ValidationError
from core.locomotion.input import Input
from core.locomotion.setup import H

S = TypeVar("S")

KEPT_EVERY = 30
"""Steps from one kept state to the next: 0.5 s."""


class Recording(Generic[S]):
    """Inputs from a start, with a state every 0.5 s.

    Parameters
    ----------
    start : the state before the first input
    advance : the pure step: state and input to state
    inputs : those known already
    """

    def __init__(self, start: S, advance: Callable[[S, Input], S], inputs: Sequence[Input] = ()) -> None:
        self._advance = advance
        self._inputs = list(inputs)
        self._kept: list[S] = [start]
        self._at, self._state = 0, start

    @property
    def start(self) -> S:
        """The state before the first input."""
        return self._kept[0]

    @property
    def inputs(self) -> tuple[Input, ...]:
        """All of them."""
        return tuple(self._inputs)

    def __len__(self) -> int:
        """How many steps there are; states go from 0 to this."""
        return len(self._inputs)

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self._inputs) * H

    def append(self, given: Input) -> S:
        """Take one step more, from the end, and return the state after it."""
        last = self.state_at(len(self._inputs))
        self._inputs.append(given)
        return self._advanced(last, len(self._inputs))

    def state_at(self, step: int) -> S:
        """The state after `step` inputs: the very bytes that the run had there.

        Raises
        ------
        ValidationError
            The step is before the start or after the end.
        """
        if not 0 <= step <= len(self._inputs):
            raise ValidationError(f"recording: expected a step of 0 to {len(self._inputs)}, got {step}")
        kept = min(step // KEPT_EVERY, len(self._kept) - 1)
        if not kept * KEPT_EVERY <= self._at <= step:
            self._at, self._state = kept * KEPT_EVERY, self._kept[kept]
        while self._at < step:
            self._advanced(self._state, self._at + 1)
        return self._state

    def cut(self, step: int) -> None:
        """Forget what comes after a step, to go on from there with other inputs."""
        self.state_at(step)
        del self._inputs[step:]
        del self._kept[step // KEPT_EVERY + 1 :]

    def forget(self, steps: int) -> None:
        """Forget the beginning: what was the state after so many steps is the start from now on.

        Raises
        ------
        ValidationError
            The steps are not a whole number of kept states, or more than there are.
        """
        if steps % KEPT_EVERY or not 0 <= steps <= len(self._inputs):
            raise ValidationError(
                f"recording: expected steps of 0 to {len(self._inputs)} in whole {KEPT_EVERY}, got {steps}"
            )
        at, state = self._at, self._state
        first = self.state_at(steps)
        del self._inputs[:steps]
        del self._kept[: steps // KEPT_EVERY]
        self._at, self._state = (at - steps, state) if at >= steps else (0, first)

    def _advanced(self, state: S, step: int) -> S:
        self._state, self._at = self._advance(state, self._inputs[step - 1]), step
        if step == len(self._kept) * KEPT_EVERY:
            self._kept.append(self._state)
        return self._state

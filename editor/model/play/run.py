"""A driven run: its states, the feet at each of them, and where in it Play stands. Nothing of the session."""

from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray
from core.graph.events import Event, EventKind
from core.locomotion.character import CharacterState
from core.locomotion.driven import Driven, standing
from core.locomotion.input import Input
from core.locomotion.recording import KEPT_EVERY, Recording
from core.locomotion.setup import H
from core.locomotion.state import State, between
from core.math.transform import Transform
from core.pose.blend import between as mixed
from core.pose.pose import Pose
from core.terrain.terrain import Terrain
from editor.model.play.camera import size_of
from editor.model.play.feet import Feet, FeetSample

LOCKS = ("ik_l", "ik_r")
"""Curves of the clips that say how much a foot is placed on the ground."""
LONGEST = 60 * 60 * 10
"""Steps of ten minutes that can be gone back in."""
FORGOTTEN = KEPT_EVERY * 120
"""Steps of the beginning that are forgotten at once when it is full: a minute."""


class Note:
    """What is written down of a step, for lanes and traces."""

    __slots__ = ("control", "events", "feet")

    def __init__(self, control: State, feet: FeetSample | None, events: tuple[Event, ...] = ()) -> None:
        self.control, self.feet, self.events = control, feet, events


class Run:
    """States from a start, taken live or gone back to.

    Parameters
    ----------
    driven : what is driven
    terrain : what it is driven over
    first : the state it begins with

    Attributes
    ----------
    size : how many times as tall as usual the character is
    at : the step shown, 0 to `len`
    notes : one a state that was seen, the start included
    """

    def __init__(self, driven: Driven, terrain: Terrain, first: CharacterState) -> None:
        self.driven, self.terrain = driven, terrain
        self.recording: Recording[CharacterState] = Recording(first, driven.step)
        self.feet = Feet(driven.rig)
        self.size = size_of(driven.rig)
        self.at = 0
        self.forgotten = 0
        self.state = self.before = first
        self.pose = self.pose_before = driven.pose(first)
        self.notes: list[Note] = [Note(first.body, self._feet(None))]

    def __len__(self) -> int:
        return len(self.recording)

    @property
    def at_end(self) -> bool:
        """Whether the next step is a new one."""
        return self.at == len(self)

    @property
    def control(self) -> State:
        """The controller's state at the step shown."""
        return self.state.body

    @property
    def time(self) -> float:
        """Seconds since the run began, also of what is forgotten."""
        return (self.forgotten + self.at) * H

    @property
    def seconds(self) -> float:
        """Seconds that can be gone back in."""
        return len(self) * H

    # ------------------------------------------------------------ steps
    def step(self, given: Input) -> None:
        """Take a new step at the end."""
        if len(self) >= LONGEST:
            self._forget()
        self.before, self.pose_before = self.state, self.pose
        self.state = self.recording.append(given)
        self.pose = self.driven.pose(self.state)
        self.at = len(self)
        self._note()

    def goto(self, number: int) -> None:
        """Stand after so many steps, exactly as the run had it there."""
        number = min(max(number, 0), len(self))
        if number == self.at + 1:
            self.before, self.pose_before = self.state, self.pose
        elif number != self.at:
            self.before = self.recording.state_at(max(number - 1, 0))
            self.pose_before = self.driven.pose(self.before)
        self.state = self.recording.state_at(number)
        self.pose = self.driven.pose(self.state)
        self.at = number
        if number == len(self.notes):  # inputs of a file are seen for the first time
            self._note()

    def cut(self) -> None:
        """Forget what comes after the step shown."""
        self.recording.cut(self.at)
        del self.notes[self.at + 1 :]

    def give(self, inputs: Sequence[Input]) -> None:
        """Take steps with inputs that are known already, to the end of them."""
        for given in inputs:
            self.step(given)

    def _forget(self) -> None:
        self.recording.forget(FORGOTTEN)
        del self.notes[:FORGOTTEN]
        self.forgotten += FORGOTTEN
        self.at -= FORGOTTEN

    def _note(self) -> None:
        events = tuple(event for event in self.state.result.events if event.kind is not EventKind.TICK)
        self.notes.append(Note(self.control, self._feet(self.notes[-1].feet), events))

    def _feet(self, before: FeetSample | None) -> FeetSample | None:
        return self.feet.sample(self.pose, standing(self.control), self.terrain, before)

    # ------------------------------------------------------------ what is shown
    def shown(self, share: float) -> tuple[State, Pose]:
        """State and pose `share` of the way from the step before to the step shown."""
        if share >= 1.0 or self.before is self.state:
            return self.control, self.pose
        local = mixed(self.pose_before.local, self.pose.local, share)
        state = between(self.before.body, self.control, share)
        return state, self.pose.with_local(Transform(*local))

    def locks(self) -> FloatArray:
        """Places ``(N, 3)`` of the feet that the second graph holds on the ground."""
        feet = self.notes[self.at].feet
        alphas = [self.pose.curves.get(name, 0.0) for name in LOCKS]
        if feet is None or self.driven.setup.feet is None:
            return np.zeros((0, 3))
        return feet.places[[k for k in range(2) if feet.contacts[k] and alphas[k] > 0.5]]

    def states(self, first: int, last: int) -> list[CharacterState]:
        """All states from one step to another."""
        return [self.recording.state_at(number) for number in range(first, last + 1)]

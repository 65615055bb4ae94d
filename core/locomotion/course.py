"""A scripted course: sections on a terrain, each from a place of its own, of segments that hold or sweep inputs."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from core.errors import ValidationError
from core.locomotion.controller import start, step
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.setup import H, Setup
from core.locomotion.state import State
from core.terrain.terrain import Terrain

S = TypeVar("S")

LONGEST = 600.0
"""Seconds of a segment."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Inputs over some seconds.

    Parameters
    ----------
    seconds : how long; rounded to whole steps
    move : right and ahead as the view looks, 1 long at most
    move_rate : degrees a second by which the move turns to the right
    view : degrees at which the view begins, positive to the left of the section's yaw; None goes on as it was
    view_rate : degrees a second by which it turns to the left
    pitch : degrees at which its pitch begins, positive up; None goes on
    pitch_rate : degrees a second
    gait, mode : as in `Input`
    jump, crouch, ragdoll : keys held

    Raises
    ------
    ValidationError
        A number is not finite or out of its bounds.
    """

    seconds: float
    move: tuple[float, float] = (0.0, 0.0)
    move_rate: float = 0.0
    view: float | None = None
    view_rate: float = 0.0
    pitch: float | None = None
    pitch_rate: float = 0.0
    gait: Gait = Gait.RUN
    mode: RotationMode = RotationMode.VELOCITY
    jump: bool = False
    crouch: bool = False
    ragdoll: bool = False

    def __post_init__(self) -> None:
        bounds = (
            ("seconds", self.seconds, 0.0, LONGEST), ("move", self.move[0], -1.0, 1.0),
            ("move", self.move[1], -1.0, 1.0), ("move_rate", self.move_rate, -3600.0, 3600.0),
            ("view", self.view or 0.0, -36000.0, 36000.0), ("view_rate", self.view_rate, -3600.0, 3600.0),
            ("pitch", self.pitch or 0.0, -89.0, 89.0), ("pitch_rate", self.pitch_rate, -3600.0, 3600.0),
        )  # fmt: skip
        for name, value, low, high in bounds:
            if not low <= value <= high:
                raise ValidationError(f"segment: {name}: expected {low:g} to {high:g}, got {value!r}")

    @property
    def steps(self) -> int:
        """How many steps of 1/60 s it lasts."""
        return round(self.seconds / H)


@dataclass(frozen=True, slots=True)
class Section:
    """Segments one after another from a place on the terrain, where the character stands still.

    Parameters
    ----------
    at : metres; the ground under it counts
    yaw : degrees, of the character and of the view at the start
    group : what rows of the judge it belongs to, such as ``"stairs"``
    """

    name: str
    segments: tuple[Segment, ...]
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    group: str = ""

    @property
    def steps(self) -> int:
        """How many steps of 1/60 s it lasts."""
        return sum(segment.steps for segment in self.segments)

    def inputs(self) -> tuple[Input, ...]:
        """One input a step."""
        return tuple(self._inputs())

    def _inputs(self) -> Iterator[Input]:
        view, pitch = 0.0, 0.0
        for segment in self.segments:
            view = view if segment.view is None else segment.view
            pitch = pitch if segment.pitch is None else segment.pitch
            for number in range(segment.steps):
                seconds = number * H
                angle = math.radians(segment.move_rate * seconds)
                right, ahead = segment.move
                s, c = math.sin(angle), math.cos(angle)
                made = Input.of(
                    (right * c + ahead * s, ahead * c - right * s),
                    self.yaw + view + segment.view_rate * seconds,
                    pitch + segment.pitch_rate * seconds,
                    segment.gait,
                    segment.mode,
                    jump=segment.jump,
                    crouch=segment.crouch,
                    ragdoll=segment.ragdoll,
                )
                yield made
            view += segment.view_rate * segment.steps * H
            pitch += segment.pitch_rate * segment.steps * H


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """A terrain and the sections on it.

    Raises
    ------
    ValidationError
        It has no section, or two of one name.
    """

    name: str
    terrain: Terrain
    sections: tuple[Section, ...]

    def __post_init__(self) -> None:
        names = [section.name for section in self.sections]
        if not names or len(set(names)) != len(names):
            raise ValidationError("course: sections: expected one or more, each with a name of its own")

    @property
    def seconds(self) -> float:
        """How long all of it lasts."""
        return sum(section.steps for section in self.sections) * H


class SectionRun(NamedTuple, Generic[S]):
    """A section as it was run.

    Parameters
    ----------
    begins : seconds of the course at its first state
    inputs : one a step
    states : the start and the state after each step, one more than inputs
    """

    section: Section
    begins: float
    inputs: tuple[Input, ...]
    states: tuple[S, ...]


def run_course(
    course: Course, begin: Callable[[Section], S], advance: Callable[[S, Input], S]
) -> tuple[SectionRun[S], ...]:
    """Every section by whatever a pure step advances.

    Parameters
    ----------
    begin : the state in which a section starts
    advance : state and input to the state a step later
    """
    runs, seconds = [], 0.0
    for section in course.sections:
        inputs, states = section.inputs(), [begin(section)]
        for given in inputs:
            states.append(advance(states[-1], given))
        runs.append(SectionRun(section, seconds, inputs, tuple(states)))
        seconds += section.steps * H
    return tuple(runs)


def run_controller(course: Course, setup: Setup) -> tuple[SectionRun[State], ...]:
    """Every section by the controller alone."""
    return run_course(
        course,
        lambda section: start(setup, course.terrain, section.at, section.yaw),
        lambda state, given: step(setup, course.terrain, state, given),
    )

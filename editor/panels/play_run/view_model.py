"""The scrub bar of a played run without its widget: places in time, drags, what each lane shows. Free of Qt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.locomotion.input import Gait
from core.locomotion.setup import H
from editor.model.i18n import tr
from editor.model.play.run import Note, Run
from editor.model.play.state import Play

LEFT, RIGHT, RULER = 64, 12, 20
"""Pixels of the lanes' titles, of the right margin, and of the ruler's height."""
LANES = ("speed", "gait", "ground", "slip")
SLIP_TOP = 30.0
"""cm/s at the top of the lane of slip."""
LEAST_SECONDS = 4.0


class Bar(NamedTuple):
    """A span of steps with a name; `level` picks a colour."""

    first: int
    last: int
    text: str
    level: int


@dataclass(slots=True)
class ScrubModel:
    """A bar over what is recorded, as wide as its widget.

    Attributes
    ----------
    dragging : what the pointer drags: the playhead, a span, or nothing
    """

    play: Play
    width: float = 600.0
    dragging: str = ""
    _from: int = 0

    @property
    def run(self) -> Run | None:
        """The run."""
        return self.play.run

    @property
    def shown_steps(self) -> int:
        """Steps that the bar is wide: a few seconds at the least."""
        return max(len(self.run) if self.run is not None else 0, round(LEAST_SECONDS / H))

    def x(self, step: float) -> float:
        """Pixel of a step."""
        return LEFT + (self.width - LEFT - RIGHT) * step / self.shown_steps

    def step(self, x: float) -> int:
        """The step nearest to a pixel."""
        share = (x - LEFT) / max(self.width - LEFT - RIGHT, 1.0)
        last = len(self.run) if self.run is not None else 0
        return min(max(round(share * self.shown_steps), 0), last)

    def time(self, step: int) -> float:
        """Seconds of a step since the run began."""
        return ((self.run.forgotten if self.run is not None else 0) + step) * H

    # ------------------------------------------------------------ pointer
    def press(self, x: float, shift: bool) -> None:
        """Go there, or begin a span with Shift."""
        if self.run is None:
            return
        if shift:
            self.dragging, self._from = "span", self.step(x)
        else:
            self.dragging = "head"
            self.play.goto(self.step(x))

    def move(self, x: float) -> None:
        """Drag on."""
        if self.dragging == "head":
            self.play.goto(self.step(x))
        elif self.dragging == "span":
            self.play.set_span((self._from, self.step(x)))

    def release(self, x: float) -> None:
        """End the drag; a span without length is none."""
        if self.dragging == "span":
            self.play.set_span((self._from, self.step(x)))
        self.dragging = ""

    # ------------------------------------------------------------ lanes
    def ticks(self) -> Sequence[tuple[float, str]]:
        """Pixels and words of the ruler."""
        seconds = self.shown_steps * H
        wide = max(self.width - LEFT - RIGHT, 1.0)
        every = next(
            (step for step in (0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0) if wide * step / seconds >= 56.0),
            120.0,
        )
        begin = self.time(0)
        first = int(np.ceil(begin / every - 1e-9))
        count = int((begin + seconds) / every + 1e-9) - first + 1
        times = [(first + k) * every for k in range(count)]
        return [(self.x((time - begin) / H), _clock(time)) for time in times]

    def line(self, lane: str) -> FloatArray:
        """Points ``(N, 2)`` of a curve: step, and height 0 to 1; the highest value of each pixel."""
        run = self.run
        if run is None or not run.notes:
            return np.zeros((0, 2))
        values = np.array([_value(note, lane) for note in run.notes])
        top = run.driven.setup.controller.sprint if lane == "speed" else SLIP_TOP
        every = max(1, int(len(values) / max(self.width - LEFT - RIGHT, 1.0)))
        starts = np.arange(0, len(values), every)
        return np.stack([starts, np.clip(np.maximum.reduceat(values, starts) / top, 0.0, 1.0)], axis=1)

    def bars(self, lane: str) -> Sequence[Bar]:
        """Spans of one gait, or of what it does on the ground and in the air."""
        run = self.run
        if run is None:
            return ()
        made: list[Bar] = []
        first, known = 0, _kind(run.notes[0], lane)
        for number, note in enumerate(run.notes[1:], 1):
            kind = _kind(note, lane)
            if kind != known:
                made.append(Bar(first, number, *known))
                first, known = number, kind
        made.append(Bar(first, len(run.notes) - 1, *known))
        return [bar for bar in made if bar.last > bar.first]

    def title(self, lane: str) -> str:
        """What a lane is called."""
        return {"speed": tr("Speed"), "gait": tr("Gait"), "ground": tr("Ground"), "slip": tr("Slip")}[lane]


def _value(note: Note, lane: str) -> float:
    if lane == "speed":
        return note.control.speed
    return max(note.feet.slip) if note.feet is not None else 0.0


def _kind(note: Note, lane: str) -> tuple[str, int]:
    state = note.control
    if lane == "gait":
        if not state.moving:
            return tr("stand"), 0
        names = {Gait.WALK: tr("walk"), Gait.RUN: tr("run"), Gait.SPRINT: tr("sprint")}
        return names[state.gait], int(state.gait)
    if state.in_air:
        return (tr("jump"), 3) if state.jumped else (tr("fall"), 4)
    return (tr("crouch"), 2) if state.crouching else ("", 0)


def _clock(seconds: float) -> str:
    if seconds >= 60.0:
        return f"{int(seconds // 60)}:{seconds % 60:02.0f}"
    return f"{seconds:g} s"

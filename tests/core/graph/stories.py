"""Stories of runs: what happened and a sum of all that was told, held against a file that was looked through.

A line of the file is ``case | sum | events``: the sum is of every number of every step's result and events, each by a
factor of its own; the events that say most are told. Where a story changes on purpose, run its tests with
``POSEWRIGHT_APPROVE=1`` and look at what changes in the file.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.graph.events import EventKind
from core.graph.result import StepResult

SHORT = {
    EventKind.NOTIFY: "", EventKind.BEGIN: "+", EventKind.END: "-", EventKind.FINISHED: "finished ",
    EventKind.TRANSITION_START: "go ", EventKind.TRANSITION_INTERRUPTED: "cut ",
    EventKind.MONTAGE_STARTED: "play ", EventKind.MONTAGE_SECTION: "section ", EventKind.MONTAGE_BLENDING_OUT: "out ",
    EventKind.MONTAGE_ENDED: "end ",
}  # fmt: skip


UNTOLD = (
    EventKind.TICK, EventKind.ENTER, EventKind.FULL, EventKind.LEAVE, EventKind.GONE, EventKind.TRANSITION_END,
)  # fmt: skip
"""Kinds of events that the sum alone holds."""
KINDS = list(EventKind)


class Story:
    """What a run tells, step by step."""

    def __init__(self) -> None:
        self.sum, self.time, self.events, self.steps = 0.0, 0.0, [], 0

    def step(self, dt: float, result: StepResult) -> StepResult:
        """Note a step; give its result."""
        self.steps += 1
        numbers = result.numbers
        self._add(numbers, 1.0)
        for event in result.events:
            if event.kind not in UNTOLD:
                cut = "!" if event.interrupted else ""
                name = SHORT.get(event.kind, f"{event.kind} ") + event.name
                self.events.append(f"{name}@{self.time + event.moment:.4f}{cut}")
            told: list[float] = [
                event.moment,
                event.weight,
                event.time,
                event.progress,
                event.seconds,
                event.leaving,
                event.interrupted,
                KINDS.index(event.kind),
                sum(map(ord, event.name)),
            ]
            self._add(np.array(told, dtype=float), 2.0)
        for playing in result.montages:
            self._add(np.array([playing.position, playing.weight, playing.handle]), 3.0)
        self._add(np.array([len(result.flagged), len(result.montages)]), 4.0)
        self.time += dt
        return result

    def _add(self, numbers: np.ndarray, by: float) -> None:
        factors = np.cos(by * np.arange(1.0, len(numbers) + 1.0)) * (1.0 + 0.1 * self.steps)
        self.sum += float(factors @ numbers)


class Stories:
    """The stories of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known = dict(self._read()) if path.exists() else {}

    def _read(self) -> Iterator[tuple[str, tuple[float, str]]]:
        for line in self.path.read_text(encoding="utf-8").splitlines():
            case, number, events = line.split(" | ")
            yield case, (float(number), events)

    def hold(self, case: str, story: Story) -> None:
        """A story must be the one of the file."""
        events = " ".join(story.events)
        if os.environ.get("POSEWRIGHT_APPROVE"):
            self.known[case] = (story.sum, events)
            lines = [
                f"{name} | {number:.7f} | {told}\n" for name, (number, told) in sorted(self.known.items())
            ]
            self.path.write_text("".join(lines), encoding="utf-8")
            return
        number, told = self.known[case]
        assert events == told
        assert abs(story.sum - number) < 1e-5

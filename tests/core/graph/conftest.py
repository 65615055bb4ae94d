"""Every step that the compiled kernel makes in these tests is made by its plain twin as well.

Both begin from the same state and must tell the same and leave the same behind. So a test of what a graph does holds
the twin too, which otherwise runs only where there is no kernel.
"""

import numpy as np
import pytest

from core.graph.instance import Instance
from core.graph.result import StepResult
from core.graph.state import State
from tests.core.graph.twins import told

NEARLY = 1e-9
"""What the last digits may differ by in one step."""
COMPARED_ELSEWHERE = {
    "test_kernel", "test_kernel_nodes", "test_laws", "test_laws_random", "test_laws_time", "test_laws_weights",
    "test_recorded",
    "test_ragdoll_nodes",  # the engine's bodies remember more than a state tells: a step cannot be made twice alike
}  # fmt: skip
"""Modules that compare both themselves, or run so much that running it twice takes too long."""
ONCE = {
    "test_recording_keeps_what_the_ground_answered",  # its ground answers each question otherwise
    "test_custom_blend_by_seconds_over_an_interruption",  # a sheet that is left counts a step longer by the kernel
}
"""Tests whose steps cannot be made twice alike."""


@pytest.fixture(autouse=True)
def twins(request, monkeypatch):
    """Let each step by the kernel be followed by one of the twin."""
    name = request.node.originalname
    if request.module.__name__.rpartition(".")[2] in COMPARED_ELSEWHERE or name in ONCE:
        return
    step = Instance.step

    def both(self: Instance, dt, *arguments, **options) -> StepResult:
        if self.runner is None or self.watch is not None:
            return step(self, dt, *arguments, **options)
        before, runner = self.snapshot(), self.runner
        found = step(self, dt, *arguments, **options)
        after = self.snapshot()
        self.restore(before)
        self.runner = None
        try:
            wanted = step(self, dt, *arguments, **options)
            assert_alike(found, wanted, after, self.state)
        finally:
            self.runner = runner
            self.restore(after)
        return found

    monkeypatch.setattr(Instance, "step", both)


def assert_alike(found: StepResult, wanted: StepResult, after: State, twin: State) -> None:
    """Compare all that two steps tell, and what they leave behind."""
    assert_near(found.numbers, wanted.numbers)
    assert told(found.events) == told(wanted.events)
    assert found.states == wanted.states
    assert found.flagged == wanted.flagged
    assert set(wanted.visits) <= set(found.visits)
    assert found.montages == wanted.montages
    # Below a full montage the kernel makes, and so remembers, poses that nobody needs.
    alike = set(wanted.visits) == set(found.visits)
    whole = len(after.whole) if alike else 1 + after.layout.ops
    assert after.whole[:whole].tolist() == twin.whole[:whole].tolist()
    end = after.layout.starts[-1 if alike else 1]
    assert_near(after.numbers[:end], twin.numbers[:end], NEARLY)


def assert_near(found: np.ndarray, wanted: np.ndarray, share: float = 0.0) -> None:
    """As `numpy.testing.assert_allclose`, which costs more than a step does and is asked only where they differ."""
    with np.errstate(invalid="ignore"):  # infinity less infinity
        alike = found.shape == wanted.shape and np.abs(found - wanted) <= NEARLY + share * np.abs(wanted)
    if not np.all(alike):
        np.testing.assert_allclose(found, wanted, rtol=share, atol=NEARLY)

"""Many instances of one plan in one call (spec: graph, §10)."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.graph.instance import InputValue, Instance
from core.graph.packer import WholeArray
from core.graph.packing import pack
from core.graph.plan import Plan
from core.graph.result import StepResult
from core.graph.runner import Runner, seed_word
from core.math import kernel_graph_layout as at
from core.math import kernels

ROUND = 256
"""Instances that are done together: what their players sample takes a few megabytes."""
FEW = 4
"""Instances up to which each is done by itself."""
MANY = 48
"""Instances from which on two threads share them."""


def step_many(
    instances: Sequence[Instance], dt: float, inputs: Sequence[Mapping[str, InputValue]] | None = None
) -> list[StepResult]:
    """Step many instances of one plan in one call; the same bits as one by one.

    Parameters
    ----------
    inputs : variables to write first, for each instance

    Raises
    ------
    ValidationError
        Instances of different plans, inputs for another number of instances; see `Instance.step`.
    """
    if inputs is not None and len(inputs) != len(instances):
        raise ValidationError(f"expected inputs for {len(instances)} instances, got {len(inputs)}")
    if not instances:
        return []
    first = instances[0]
    if any(instance.plan is not first.plan for instance in instances):
        raise ValidationError("expected instances of one plan; step those of each plan by themselves")
    loaded, runner = kernels.compiled(), first.runner
    if (
        loaded is None
        or runner is None
        or runner.asks
        or len(runner.montage_reads)
        or first.plan.notes_events
        or any(instance.watch is not None or instance.runner is not runner for instance in instances)
    ):
        values = inputs or [{}] * len(instances)
        return [instance.step(dt, given) for instance, given in zip(instances, values, strict=True)]
    count = first.take_in(dt, None)
    for instance, given in zip(instances, inputs or (), strict=inputs is not None):
        if given:
            instance.take_in(dt, given)
    if len(instances) < MANY or _processors() < 2:
        return _by(runner, loaded.crowd, instances, dt / count, count)
    half = len(instances) // 2
    with ThreadPoolExecutor(1, "crowd") as pool:
        other = pool.submit(
            _by, _second(first.plan, runner), loaded.crowd, instances[half:], dt / count, count
        )
        found = _by(runner, loaded.crowd, instances[:half], dt / count, count)
        return found + other.result()


def _processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _second(plan: Plan, runner: Runner) -> Runner:
    """A runner of a plan with room of its own, for a second thread."""
    found = plan.kept.get("second runner")
    if found is None:
        found = plan.kept["second runner"] = Runner(plan, pack(plan), runner.kernel)
    assert isinstance(found, Runner)
    return found


def _by(
    runner: Runner, kernel: Any, instances: Sequence[Instance], dt: float, inners: int
) -> list[StepResult]:
    """Step instances by one runner, some at once."""
    found: list[StepResult] = []
    for begin in range(0, len(instances), ROUND):
        found += _Round(runner, kernel, instances[begin : begin + ROUND], dt, inners).run()
    return found


class _Round:
    """One step of some instances.

    Parameters
    ----------
    kernel : the module `core.math.kernel_graph_crowd`
    inners : inner steps of `dt` seconds each
    """

    def __init__(
        self, runner: Runner, kernel: Any, instances: Sequence[Instance], dt: float, inners: int
    ) -> None:
        self.runner, self.kernel, self.instances, self.dt, self.inners = runner, kernel, instances, dt, inners
        ops, count = len(runner.plan.ops), len(instances)
        self.states = np.array([instance.state.addresses for instance in instances], dtype=np.int64)
        self.told: WholeArray = np.empty((count, 1 + 3 * ops), dtype=np.int64)
        self.numbers: FloatArray = np.empty((count, runner.plan.layout.pose + at.MOTION + ops))
        self.by_python: dict[int, StepResult] = {}

    def run(self) -> list[StepResult]:
        """Do it; what happens that is Python's is done in between."""
        runner, ops, count = self.runner, len(self.runner.plan.ops), len(self.instances)
        together = count if self.inners == 1 and count > FEW else 0
        left: WholeArray = np.empty((together, 1 + 3 * ops), dtype=np.int64)
        left_numbers: FloatArray = np.empty((together, ops + int(runner.p[at.H_CARRIED])))
        entries: WholeArray = np.empty((together * runner.leaves, 3), dtype=np.int64)
        times: FloatArray = np.empty(together * runner.leaves)
        seeds = np.array([seed_word(instance.seed) for instance in self.instances], dtype=np.int64)
        tables = self.told, self.numbers, left, left_numbers, entries
        runner.take_in(None, None)
        begin = 0
        while begin <= count:
            k = self.kernel.decide(
                *self._plan(), self.states, self.dt, self.inners, seeds, *tables, times, begin
            )
            begin = self._finish(k) + 1
        if together:
            slots = self._sampled(entries, times)
            begin = 0
            while begin <= count:
                k = self.kernel.finish(*self._plan(), self.states, self.dt, *tables, slots, begin)
                begin = self._finish(k) + 1
        return [self.by_python.get(k) or self._quiet(k) for k in range(count)]

    def _plan(self) -> tuple[Any, ...]:
        runner = self.runner
        return runner.p, runner.q, runner.wi, runner.wf

    def _finish(self, k: int) -> int:
        """Let Python finish the step of an instance, where there is one to finish."""
        if k < len(self.instances):
            instance, status = self.instances[k], int(self.runner.wi[at.D_STATUS])
            asking = instance.asking(self.runner, self.dt)
            self.by_python[k] = self.runner.finished(asking, status, self.inners, *instance.works)
        return k

    def _sampled(self, entries: WholeArray, times: FloatArray) -> WholeArray:
        """Make the poses that the instances' players give; their places in wf."""
        count = int(self.runner.wi[at.D_AHEAD])
        entries, times = entries[:count], times[:count]
        self.runner.make_room(count)
        slots: WholeArray = np.empty(count, dtype=np.int64)
        order = np.lexsort((times, entries[:, 2]))
        self.kernel.sample(*self._plan(), self.states, self.dt, entries, order, slots)
        return slots

    def _quiet(self, k: int) -> StepResult:
        """What a step gave in which nothing happened."""
        plan, told = self.runner.plan, self.told[k]
        ops = len(plan.ops)
        active = told[1 + ops : 1 + ops + self.runner.machines]
        return StepResult(plan, self.numbers[k], active, told[1 : 1 + told[0]], told[1 + 2 * ops :])

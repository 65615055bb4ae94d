"""A step of a driven character with its pose: median, p99, the share of each part, and a hundred characters.

    python -m tests.benchmarks.bench_locomotion

The sample character runs over the sample course's sections; figures are milliseconds on the clock, and of the
processor, which others that use it do not change as much. Targets: median 1, p99 2.5, a hundred characters 30.
"""

import time
from collections.abc import Callable

import numpy as np

import core.io
from core.graph.instance import Instance
from core.locomotion import controller
from core.locomotion.character import (
    CharacterSetup,
    CharacterState,
    begin,
    character_setup,
    pose,
    step,
    step_all,
)
from core.locomotion.course import Course
from core.locomotion.course_file import read_course
from core.locomotion.input import Input
from core.math import kernels
from resources.sample.locomotion import FILE

COURSE = FILE.with_name("course") / "course.json"
CROWD = 100


Clock = Callable[[], float]


def _steps(setup: CharacterSetup, course: Course, clock: Clock = time.perf_counter) -> list[float]:
    """Seconds of each step of the course, with its pose; by `clock`."""
    spent = []
    for section in course.sections:
        state = begin(setup, course.terrain, section.at, section.yaw)
        for given in section.inputs():
            start = clock()
            state = step(setup, course.terrain, state, given)
            pose(setup, state)
            spent.append(clock() - start)
    return spent


def _timed(owner: object, name: str, total: dict[str, float], key: str) -> Callable[[], None]:
    """Add the seconds of a function up under a key; gives what puts it back."""
    plain = getattr(owner, name)

    def timed(*arguments: object, **named: object) -> object:
        start = time.perf_counter()
        try:
            return plain(*arguments, **named)
        finally:
            total[key] = total.get(key, 0.0) + time.perf_counter() - start

    setattr(owner, name, timed)
    return lambda: setattr(owner, name, plain)


def parts(setup: CharacterSetup, course: Course) -> dict[str, float]:
    """Share of each part of a step, with the clock's own cost in it."""
    import core.locomotion.character as module

    total: dict[str, float] = {}
    undo = [
        _timed(controller, "step", total, "controller"),
        _timed(module, "played", total, "values"),
        _timed(Instance, "step", total, "both graphs"),
        _timed(
            Instance,
            "_logic",
            total,
            "logic of steps in which something happens, in Python, within the graphs",
        ),
    ]
    whole = sum(_steps(setup, course))
    for back in undo:
        back()
    return {name: spent / whole for name, spent in total.items()}


def crowd(setup: CharacterSetup, course: Course, clock: Clock = time.perf_counter) -> float:
    """Milliseconds of a step of a hundred characters."""
    states: list[CharacterState] = [begin(setup, course.terrain)] * CROWD
    spent = []
    for number in range(40):
        inputs = [Input.of((0.1 * (k % 5), 1.0)) for k in range(CROWD)]
        start = clock()
        states = step_all(setup, course.terrain, states, inputs)
        if number >= 10:
            spent.append(clock() - start)
    return float(np.median(spent)) * 1e3


def main() -> None:
    """Print the table."""
    kernels.load()
    project = core.io.load(FILE).project
    setup, course = character_setup(project, project.rigs[0]), read_course(COURSE)
    _steps(setup, course)
    print(
        f"{setup.plan.layout.bones} bones, {len(setup.plan.ops)} ops, milliseconds: on the clock, of the processor"
    )
    spent, own = (
        np.array(_steps(setup, course, clock)) * 1e3 for clock in (time.perf_counter, time.thread_time)
    )
    crowds = [crowd(setup, course, clock) for clock in (time.perf_counter, time.thread_time)]
    for name, value, busy, target in (
        ("step and pose, median", float(np.median(spent)), float(np.median(own)), 1.0),
        ("step and pose, p99", float(np.percentile(spent, 99.0)), float(np.percentile(own, 99.0)), 2.5),
        (f"{CROWD} characters, a step of all", *crowds, 30.0),
    ):
        print(f"{name:<52}{value:>9.3f}{busy:>9.3f}   target {target:g}")
    for name, share in parts(setup, course).items():
        print(f"{name:<52}{share:>9.1%}")


if __name__ == "__main__":
    main()

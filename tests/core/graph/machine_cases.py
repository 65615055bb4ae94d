"""The cases of state machines: what enters, leaves, fires and when.

``python -m tests.core.graph.machine_cases`` prints them, ``… --approve`` writes them beside this file.

Each case is a small machine, steps of a tenth of a second, and inputs that change at times. States a, b and c play
clips of 1 s whose hips are at 0, 1 and 2 m; the story lists every event with its moment in seconds.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.clips.clip import Notify
from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import BlendKind, Interrupt, InterruptBy, Role, Sheet, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from tests.core.graph.builders import Drawing, clip

VARIABLES = (
    Variable("speed", maximum=10.0),
    Variable("other", maximum=10.0),
    Variable("go", Kind.BOOL, maximum=1.0, role=Role.TRIGGER),
)
QUIET = (EventKind.TICK,)


@dataclass(frozen=True)
class Case:
    """One machine and what is done to it.

    Parameters
    ----------
    draw : the machine's sheet
    inputs, commands : time → what is written or asked then
    seconds : how long it runs, in steps of `dt`
    """

    name: str
    draw: Callable[[Drawing], Sheet]
    inputs: Mapping[float, Mapping[str, float]] = field(default_factory=dict)
    commands: Mapping[float, Command] = field(default_factory=dict)
    seconds: float = 1.0
    dt: float = 0.1
    looping: bool = True


def story(case: Case) -> list[str]:
    """What happens: ``0.25 enter b``, an event a line."""
    clips = [clip(name, x=float(k), looping=case.looping) for k, name in enumerate("abc")]
    clips.append(replace(clip("still", x=3.0), length=0.0, looping=False))
    clips.append(clip("steps", notifies=(Notify("step", 0.25), Notify("hold", 0.5, 0.25))))
    drawing = Drawing(*clips, variables=VARIABLES)
    graph = drawing.machine_graph(case.draw(drawing))
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    told, time = [], 0.0
    for number in range(round(case.seconds / case.dt)):
        now = [at for at in {*case.inputs, *case.commands} if abs(at - time) < 1e-9 and (number or at == 0.0)]
        inputs = {name: value for at in now for name, value in case.inputs.get(at, {}).items()}
        commands = [case.commands[at] for at in now if at in case.commands]
        events = instance.step(case.dt, inputs, commands=commands).events
        told += [
            f"{time + e.moment:.4g} {e.kind} {e.name}" + ("!" if e.interrupted else "")
            for e in events
            if e.kind not in QUIET
        ]
        time = round(time + case.dt, 9)
    return told


def of(arrows: list[tuple], names: str = "abc", extra=(), **resets) -> Callable[[Drawing], Sheet]:
    """A machine whose states play the clips of their names."""

    def draw(drawing: Drawing) -> Sheet:
        more = tuple(drawing.node(kind, name, literals, **options) for kind, name, literals, options in extra)
        return drawing.machine({n: drawing.clip_sheet(n) for n in names}, arrows, more, **resets)

    return draw


NOW = {"seconds": 0}
FADE = {"seconds": 0.4}
FAST = {0.1: {"speed": 5.0}}
OTHER = {0.1: {"speed": 5.0}, 0.2: {"speed": 0.0}, 0.3: {"other": 5.0}, 0.4: {"other": 0.0}}


def interrupted(interrupt: Interrupt, by: InterruptBy, priority: int = 0) -> Callable[[Drawing], Sheet]:
    """a → b over 0.4 s; then other asks for c, from the source a and from the target b."""
    more = {"seconds": 0.4, "interrupt": interrupt, "interrupt_by": by}
    return of(
        [
            ("a", "b", "speed > 1", more),
            ("a", "c", "other > 1", {"seconds": 0.2, "priority": priority}),
            ("b", "a", "other > 1", {"seconds": 0.2, "priority": priority}),
        ]
    )


def nested(drawing: Drawing) -> Sheet:
    """b is a machine whose clip of 1 s ends; the outer automatic rule sees it."""
    inner = drawing.machine(
        {"x": drawing.clip_sheet("b"), "y": drawing.clip_sheet("c")}, [("x", "y", "other > 1")]
    )
    return drawing.machine(
        {"a": drawing.clip_sheet("a"), "b": inner},
        [("a", "b", "speed > 1", NOW), ("b", "a", "speed < 1", {"automatic": 0.2, "seconds": 0.2})],
    )


def leaving(drawing: Drawing) -> Sheet:
    """b is a machine with an exit; the outer rule reads it."""
    inner = drawing.machine(
        {"x": drawing.clip_sheet("b")},
        [("x", "out", None, {"automatic": 0.5})],
        (drawing.node("exit", "out"),),
    )
    inner = replace(inner, name="inner")
    drawing.sheets[-1] = inner
    return drawing.machine(
        {"a": drawing.clip_sheet("a"), "b": inner},
        [("a", "b", "speed > 1", NOW), ("b", "a", "exited('inner')", NOW)],
    )


def backwards(drawing: Drawing) -> Sheet:
    """a plays backwards from 0.5 s to its beginning."""
    return drawing.machine(
        {"a": drawing.clip_sheet("a", rate="-1", start="0.5", loop=False), "b": drawing.clip_sheet("b")},
        [("a", "b", None, {"automatic": 0.0, "seconds": 0})],
    )


def cut(drawing: Drawing) -> Sheet:
    """A clip with notifies is cut in the middle of one of them."""
    return drawing.machine(
        {"steps": drawing.clip_sheet("steps"), "b": drawing.clip_sheet("b")},
        [("steps", "b", None, {"automatic": 0.36, "seconds": 0})],
    )


CASES = (
    Case(
        "priority, then order",
        of([("a", "b", "speed > 1", {"priority": 2}), ("a", "c", "speed > 1", {"priority": 1})]),
        FAST,
        seconds=0.4,
    ),
    Case(
        "several transitions in a step",
        of([("a", "b", "speed > 1", NOW), ("b", "c", "speed > 1", NOW)]),
        FAST,
        seconds=0.2,
    ),
    Case(
        "a circle ends the step",
        of([("a", "b", "speed > 1", NOW), ("b", "a", "speed > 1", NOW)]),
        FAST,
        seconds=0.3,
    ),
    Case("never interrupted", interrupted(Interrupt.NEVER, InterruptBy.TARGET), OTHER),
    Case("never, by the source", interrupted(Interrupt.NEVER, InterruptBy.SOURCE), OTHER),
    Case(
        "higher priority only: refused", interrupted(Interrupt.HIGHER_PRIORITY, InterruptBy.TARGET, 1), OTHER
    ),
    Case(
        "higher priority only: taken", interrupted(Interrupt.HIGHER_PRIORITY, InterruptBy.TARGET, -1), OTHER
    ),
    Case("always, by the target", interrupted(Interrupt.ALWAYS, InterruptBy.TARGET), OTHER),
    Case("always, by the source", interrupted(Interrupt.ALWAYS, InterruptBy.SOURCE), OTHER),
    Case("source then target", interrupted(Interrupt.ALWAYS, InterruptBy.SOURCE_THEN_TARGET), OTHER),
    Case("target then source", interrupted(Interrupt.ALWAYS, InterruptBy.TARGET_THEN_SOURCE), OTHER),
    Case(
        "inertial blend: end, and interruption",
        of(
            [
                ("a", "b", "speed > 1", {"seconds": 0.4, "blend": {"kind": BlendKind.INERTIALISE}}),
                ("b", "c", "other > 1", NOW),
            ]
        ),
        OTHER,
    ),
    Case(
        "re-entry time",
        of(
            [
                ("a", "b", "speed > 1", {**NOW, "reentry_time": 0.35}),
                ("b", "a", "speed > 1", {**NOW, "min_time": 0.15}),
            ]
        ),
        FAST,
    ),
    Case("min time", of([("a", "b", "speed > 1", {**NOW, "min_time": 0.33})]), FAST, seconds=0.5),
    Case("nested automatic rule", nested, {0.1: {"speed": 5.0}, 0.2: {"speed": 0.0}}, seconds=1.4),
    Case("nested exit", leaving, FAST, seconds=0.8),
    Case(
        "conduit",
        of(
            [("a", "gate", "speed > 1"), ("gate", "b", "other > 1", NOW), ("gate", "c", None, NOW)],
            extra=[("conduit", "gate", {"rule": "speed < 8"}, {})],
        ),
        {0.1: {"speed": 9.0}, 0.2: {"speed": 5.0}},
        seconds=0.4,
    ),
    Case(
        "any state",
        of(
            [("any", "c", "speed > 1", NOW), ("a", "b", "other > 1", NOW)],
            extra=[("any", "any", {}, {"states": ("b",)})],
        ),
        {0.1: {"speed": 5.0}, 0.3: {"other": 5.0}},
        seconds=0.5,
    ),
    Case(
        "travel along the chain",
        of(
            [
                ("a", "b", "speed > 1", {"automatic": 0.5, "seconds": 0}),
                ("b", "c", "speed > 1", {"seconds": 0.2}),
            ]
        ),
        commands={0.1: Command(Do.TRAVEL, "machine", to="c")},
        seconds=1.0,
    ),
    Case(
        "go whatever the rules say",
        of([("a", "b", "speed > 1", {"seconds": 0.2})]),
        commands={0.1: Command(Do.GO, "machine", to="b"), 0.5: Command(Do.GO, "machine", to="c")},
    ),
    Case(
        "clip without length",
        of(
            [("a", "still", "speed > 1", NOW), ("still", "b", None, {"automatic": 0.0, "seconds": 0})],
            names=("a", "b", "still"),
        ),
        FAST,
        seconds=0.3,
    ),
    Case("reverse play", backwards, seconds=0.7),
    Case("cut inside a notify", cut, seconds=0.8),
    Case(
        "automatic by the blend, exact inside a step",
        of([("a", "b", None, {"automatic": -1.0, "seconds": 0.25})]),
        dt=0.2,
        seconds=1.2,
        looping=False,
    ),
    Case(
        "a trigger is taken once",
        of([("a", "b", "take('go')", NOW), ("b", "a", "take('go')", NOW)]),
        {0.1: {"go": 1.0}},
        seconds=0.4,
    ),
)


APPROVED = Path(__file__).with_suffix(".txt")


def table() -> str:
    """All cases with their stories."""
    return "".join(f"{case.name}\n" + "".join(f"    {line}\n" for line in story(case)) for case in CASES)


def main() -> None:
    """Print the table, or approve it."""
    if "--approve" in sys.argv:
        APPROVED.write_text(table(), encoding="utf-8")
    else:
        print(table(), end="")


if __name__ == "__main__":
    main()

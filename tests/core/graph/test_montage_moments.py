"""What happens at moments inside a montage's step: branching notifies at any rate, chains without end, asked commands."""

# ruff: noqa: E501 - a line a case

from types import SimpleNamespace

import pytest

from core.clips.clip import Notify, NotifyRule
from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import Link, Node, Role, Sheet, SheetKind, Variable
from core.graph.language.values import Kind
from core.graph.montage import Section
from core.graph.montage_step import MontagesStep
from tests.core.graph.builders import Drawing, clip
from tests.core.graph.test_montages import montage, play, running, steps, told
from tests.pins import Pins

HELD = Pins(__file__)
BRANCH = NotifyRule(branching=True)
CUTS = ([1.5], [0.1] * 15, [0.33, 0.17, 0.4, 0.6])


def branching(*times: float, jumps: dict[str, str] | None = None, rules=None, **more):
    """A montage with branching notifies ``b0, b1 …``; what the host does at each is a jump to a section."""
    notifies = tuple(Notify(f"b{k}", time, rule=(rules or {}).get(k, BRANCH)) for k, time in enumerate(times))
    instance = running(montage(notifies=notifies, **more))
    seen: list = []

    def on_branch(event):
        seen.append((event.name, event.acted, event.moment))
        return [Command(Do.JUMP, "wave", section=jumps[event.name])] if jumps and event.name in jumps else []

    instance.on_branch = on_branch
    return instance, seen


@pytest.mark.parametrize("rate", [1.0, 0.5, -0.5, -1.0, 2.5, -2.5])
@pytest.mark.parametrize("cut", range(len(CUTS)))
def test_branches_are_acted_on_in_the_order_in_which_they_are_passed(rate, cut):
    instance, seen = branching(0.2, 0.5, 0.8, blend=0.0)
    results = steps(instance, CUTS[cut], play(rate=rate))
    passed = list(dict.fromkeys(name for name, _, _ in seen))  # the twin of the kernel asks once more
    wanted = ["b0", "b1", "b2"] if rate > 0.0 else ["b2", "b1", "b0"]
    assert passed == wanted[: len(passed)]
    assert len(passed) == {0.5: 2, -0.5: 2}.get(rate, 3)
    assert all(acted for _, acted, _ in seen)
    moments = [word for word in told(results) if word.startswith("notify")]
    distance = [abs(time - (0.0 if rate > 0 else 1.0)) / abs(rate) for time in (0.2, 0.5, 0.8)]
    assert moments == [f"notify {name}@{at:.6g}" for name, at in zip(passed, sorted(distance), strict=False)]


@pytest.mark.parametrize("rate", [1.0, -0.5, -1.0, 0.7])
@pytest.mark.parametrize("to", ["one", "two", "three"])
def test_a_branch_jumps_at_its_moment_however_time_is_cut(rate, to):
    sections = (Section("one", 0.0), Section("two", 0.3, "three"), Section("three", 0.7))
    found = []
    for cut in CUTS:
        instance, seen = branching(0.45, jumps={"b0": to}, sections=sections, auto_blend_out=False, blend=0.1)
        results = steps(instance, cut, play(section="two" if rate > 0.0 else "three", rate=rate))
        last = results[-1][0].montages
        found.append((told(results), [(m.section, round(m.position, 6), round(m.weight, 6)) for m in last]))
        seen.clear()
    assert found[0] == found[1] == found[2]
    HELD.hold(f"jump, {rate}, {to}", found[0])


def test_a_branch_below_its_threshold_starts_nothing():
    rules = {0: NotifyRule(branching=True, threshold=0.6), 1: NotifyRule(branching=True, threshold=0.9)}
    instance, seen = branching(0.1, 0.4, blend=0.2, rules=rules)
    assert told(steps(instance, [0.05] * 10, play())) == ["started wave@0", "notify b1@0.4"]
    assert {name for name, _, _ in seen} == {"b1"}
    # Before it another notify stood in the step's events: that one is not taken for it.
    instance = running(montage(notifies=(Notify("plain", 0.05), Notify("b", 0.1, rule=rules[0]))))
    instance.on_branch = lambda event: [Command(Do.STOP, "wave", seconds=0.0)]
    assert told(steps(instance, [0.2], play())) == ["started wave@0", "notify plain@0.05"]


@pytest.mark.parametrize(("time", "rate", "section", "wanted"), [
    (0.0, 1.0, "", ["b0@0"]), (1.0, 1.0, "", ["b0@1"]), (1.0, -1.0, "", ["b0@0"]), (0.0, -1.0, "", ["b0@1"]),
    (0.5, 1.0, "two", ["b0@0"]), (0.5, 1.0, "one", ["b0@0.5"]), (0.5, -1.0, "one", ["b0@0"]), (0.5, -1.0, "two", ["b0@0.5"]),
])  # fmt: skip
def test_branches_at_the_ends_of_sections_act_once(time, rate, section, wanted):
    sections = (Section("one", 0.0, "two"), Section("two", 0.5)) if section else ()
    for cut in ([1.4], [0.1] * 14):
        instance, seen = branching(time, blend=0.0, sections=sections)
        results = steps(instance, cut, play(rate=rate, section=section))
        moments = [word.removeprefix("notify ") for word in told(results) if word.startswith("notify")]
        assert moments == wanted, cut
        assert len(set(seen)) == len(wanted)


def test_what_jumps_on_the_spot_for_ever_ends_the_step_and_is_flagged():
    sections = (Section("one", 0.0), Section("two", 0.5))
    rules = {0: BRANCH, 1: BRANCH}
    instance, _ = branching(
        0.3, 0.5, jumps={"b0": "two", "b1": "two"}, rules=rules, sections=sections, blend=0.0
    )
    result = instance.step(0.1, commands=[play()])
    assert not result.flagged
    result = instance.step(0.3)
    assert result.montages[0].section == "two"
    turning = running(montage(sections=(Section("a", 0.0, "a"), Section("b", 1e-3)), blend=0.0))
    found = turning.step(0.1, commands=[play(rate=1000.0)])
    assert found.flagged
    HELD.hold(
        "without end",
        sorted(found.flagged),
        [(m.section, m.position) for m in found.montages],
        len(found.events),
    )


def test_of_two_montages_the_one_behind_goes_first_and_meets_what_the_other_starts():
    first = montage(notifies=(Notify("go", 0.3, rule=BRANCH),), blend=0.1)
    other = montage("other", clips=("n",), notifies=(Notify("cut", 0.2, rule=BRANCH),), blend=0.1)
    for cut in ([0.9], [0.1] * 9, [0.05] * 18):
        instance = running(first, other, clips=(clip("n"),))
        instance.on_branch = lambda event: {
            "go": [play("other", stop_group=False)], "cut": [Command(Do.STOP, "wave", seconds=0.05)],
        }[event.name]  # fmt: skip
        results = steps(instance, cut, play())
        assert told(results) == [
            "started wave@0", "notify go@0.3", "started other@0.3", "notify cut@0.5", "blending_out wave@0.5!", "ended wave@0.55!",
        ]  # fmt: skip


@pytest.mark.parametrize(("position", "goal", "speed", "wanted"), [
    (0.0, 1.0, 1.0, 0.2), (0.2, 1.0, 1.0, 0.5), (0.2 - 1e-13, 1.0, 1.0, 0.5), (0.5, 1.0, 0.1, 1.0), (0.5, 0.9, 1.0, None), (1.0, 1.0, 1.0, None),
    (1.0, 0.0, -1.0, 0.5), (0.5, 0.0, -0.25, 0.2), (0.5, 0.2, -4.0, 0.2), (0.5, 0.3, -1.0, None), (0.2, 0.0, -1.0, 0.0), (0.0, 1.0, 0.0, None),
])  # fmt: skip
def test_the_next_branch_on_the_way(position, goal, speed, wanted):
    times = (0.5, 0.2, 1.0, 0.0)
    notifies = [*(Notify(f"b{t}", t, rule=BRANCH) for t in times), Notify("plain", 0.1), Notify("plain", 0.4)]
    found = MontagesStep.next_branch(
        SimpleNamespace(notifier=SimpleNamespace(notifies=notifies)), position, goal, speed
    )
    assert (found and found.time) == wanted if wanted is None else found.time == wanted


# -------------------------------------------------------------------- what the update sheet asks
def asked(kind: str, literals: dict, parameters: dict, values: dict | None = None) -> list[Command]:
    """The commands that an action gives in one step, where variables hold some values."""
    sections = (Section("one", 0.0), Section("two", 0.5))
    variables = tuple(Variable(name, minimum=-1e9, maximum=1e9) for name in "abcd")
    drawing = Drawing(
        clip("idle"),
        clip("m"),
        variables=variables,
        slots=("Group.Upper",),
        assets=(montage(sections=sections),),
    )
    start, act = drawing.node("on_step"), drawing.node(kind, "", literals, **parameters)
    sheet = Sheet(drawing.id(), "update", SheetKind.UPDATE, (start, act), (Link(start.id, act.id, "then"),))
    drawing.sheets.append(sheet)
    base, slot = drawing.play("idle"), drawing.node("slot", "s", slot="Group.Upper")
    instance = drawing.run(
        drawing.graph(drawing.pose_sheet("main", [base, slot], [(base, slot, "source")], slot))
    )
    found: list[Command] = []
    (action,) = instance.plan.actions
    instance.step(0.01, values or {})
    action.do(
        SimpleNamespace(value=lambda register: float(instance.state.registers[register]), commands=found)
    )
    assert action.node == act.id
    return found


MONTAGE = {"montage": "wave"}
COMMANDS = [
    ("play_montage", {}, {}, Command(Do.PLAY, "wave")),
    (
        "play_montage",
        {"rate": "-2.5"},
        {"section": "two", "at": 0.25},
        Command(Do.PLAY, "wave", section="two", at=0.25, rate=-2.5),
    ),
    (
        "play_montage",
        {"rate": "1e6"},
        {"stop_group": False},
        Command(Do.PLAY, "wave", rate=1000.0, stop_group=False),
    ),
    (
        "play_montage",
        {"rate": "-1e6"},
        {"at": float("nan"), "seconds": "x"},
        Command(Do.PLAY, "wave", rate=-1000.0),
    ),
    ("play_montage", {"rate": "0"}, {"at": 0}, Command(Do.PLAY, "wave", rate=0.0, at=0.0)),
    ("stop_montage", {}, {"seconds": 0.5}, Command(Do.STOP, "wave", seconds=0.5)),
    ("stop_montage", {}, {"seconds": float("inf")}, Command(Do.STOP, "wave")),
    ("jump_montage", {}, {"section": "one"}, Command(Do.JUMP, "wave", section="one")),
    ("next_montage", {}, {"section": "one", "to": "two"}, Command(Do.NEXT, "wave", section="one", to="two")),
    ("next_montage", {}, {}, Command(Do.NEXT, "wave")),
    ("pause_montage", {}, {}, Command(Do.PAUSE, "wave")),
    ("resume_montage", {}, {}, Command(Do.RESUME, "wave")),
    ("rate_montage", {"rate": "0.5"}, {}, Command(Do.RATE, "wave", rate=0.5)),
]


@pytest.mark.parametrize(
    ("kind", "literals", "parameters", "wanted"), COMMANDS, ids=[str(k) for k in range(len(COMMANDS))]
)
def test_montage_actions_ask_as_they_say(kind, literals, parameters, wanted):
    if kind not in (
        "play_montage",
        "stop_montage",
        "jump_montage",
        "next_montage",
        "pause_montage",
        "resume_montage",
        "rate_montage",
    ):
        raise AssertionError(kind)
    assert asked(kind, literals, {**MONTAGE, **parameters}) == [wanted]


@pytest.mark.parametrize(("literals", "parameters", "values", "wanted"), [
    ({}, {}, {}, {}), ({}, {"stop_group": False}, {}, {"stop_group": False}),
    ({"rate": "a", "in": "b", "out": "c", "loops": "d"}, {}, {"a": 2.0, "b": 0.5, "c": 1.5, "d": 3.7},
     {"rate": 2.0, "blend_in": 0.5, "blend_out": 1.5, "loops": 3}),
    ({"rate": "a", "in": "b", "out": "c", "loops": "d"}, {}, {"a": 2e3, "b": -1.0, "c": 1e5, "d": 1e8},
     {"rate": 1000.0, "blend_in": 0.0, "blend_out": 3600.0, "loops": 1_000_000}),
    ({"rate": "a", "in": "b", "out": "c", "loops": "d"}, {}, {"a": -2e3, "b": 1e5, "c": -1.0, "d": -4.0},
     {"rate": -1000.0, "blend_in": 3600.0, "blend_out": 0.0, "loops": 0}),
])  # fmt: skip
def test_clips_are_asked_for_within_bounds(literals, parameters, values, wanted):
    found = asked("play_clip", literals, {"clip": "clip-m", "slot": "Group.Upper", **parameters}, values)
    assert found == [Command(Do.PLAY_CLIP, "m", slot="Group.Upper", **wanted)]


@pytest.mark.parametrize(("variable", "value", "wanted"), [
    (Variable("x", minimum=-2.0, maximum=3.0, role=Role.OWN), "5", 3.0), (Variable("x", minimum=-2.0, maximum=3.0, role=Role.OWN), "-5", -2.0),
    (Variable("x", minimum=1.0, maximum=3.0, default=(2.0,), role=Role.OWN), None, 1.0), (Variable("x", role=Role.OWN), None, 0.0),
    (Variable("x", Kind.VECTOR, (1.0, 1.0, 1.0), minimum=-1.0, maximum=1.5, role=Role.OWN), "vec(2, -3, 0.5)", (1.5, -1.0, 0.5)),
    (Variable("x", Kind.VECTOR, (1.0, 1.0, 1.0), role=Role.OWN), None, (0.0, 0.0, 0.0)), (Variable("x", Kind.BOOL, (1.0,), 0.0, 1.0, role=Role.OWN), None, 0.0),
    (Variable("x", Kind.ENUM, (1.0,), 0.0, 2.0, role=Role.OWN, enum="gaits"), None, 0.0), (Variable("x", Kind.ENUM, (1.0,), 0.0, 2.0, role=Role.OWN, enum="gaits"), "'run'", 1.0),
])  # fmt: skip
def test_a_set_variable_holds_what_is_written_within_its_bounds(variable, value, wanted):
    for first in ("on_step", "on_start"):
        drawing = Drawing(clip("idle"), variables=(variable,), enums={"gaits": ("walk", "run", "fly")})
        start, act = (
            drawing.node(first),
            drawing.node("set", "", {} if value is None else {"value": value}, variable="x"),
        )
        drawing.sheets.append(
            Sheet(drawing.id(), "update", SheetKind.UPDATE, (start, act), (Link(start.id, act.id, "then"),))
        )
        graph = drawing.graph(drawing.clip_sheet("idle"))
        instance = drawing.run(graph)
        instance.step(0.0)
        before = instance.value("x")
        instance.step(0.1)
        assert instance.value("x") == wanted
        assert before == (variable.default if len(variable.default) > 1 else variable.default[0])


def test_a_branch_sets_variables_at_its_moment_within_their_bounds():
    """The chain's action acts beside its row: a vector whole, and held."""
    spot = Variable("spot", Kind.VECTOR, (0.0, 0.0, 0.0), minimum=-1.0, maximum=1.0, role=Role.OWN)
    drawing = Drawing(clip("idle"), clip("m"), variables=(spot,), slots=("Group.Upper",),
                      assets=(montage(notifies=(Notify("go", 0.25, rule=BRANCH),)),))  # fmt: skip
    start, act = (
        drawing.node("on_event", event="go"),
        drawing.node("set", "", {"value": "vec(0.5, -3, 3)"}, variable="spot"),
    )
    drawing.sheets.append(
        Sheet(drawing.id(), "update", SheetKind.UPDATE, (start, act), (Link(start.id, act.id, "then"),))
    )
    base, slot = drawing.play("idle"), drawing.node("slot", "s", slot="Group.Upper")
    graph = drawing.graph(drawing.pose_sheet("main", [base, slot], [(base, slot, "source")], slot))
    plan = compile_graph(graph, drawing.project(graph))
    (action,) = plan.branches["go"]
    assert action.node == act.id and isinstance(act, Node)
    instance = drawing.run(graph)
    result = instance.step(0.3, commands=[play()])
    assert instance.value("spot") == (0.5, -1.0, 1.0)
    assert [e.acted for e in result.events if e.kind is EventKind.NOTIFY] == [True]


@pytest.mark.parametrize(
    ("branching", "time", "wanted"), [(True, 0.0, 1), (False, 0.0, 0), (False, 0.25, 0), (True, 0.25, 1)]
)
def test_only_what_branches_is_acted_on_also_where_it_begins(branching, time, wanted):
    instance = running(
        montage(notifies=(Notify("b", time, rule=NotifyRule(branching=branching)), Notify("other", 0.0)))
    )
    seen: set = set()
    instance.on_branch = lambda event: seen.add(event.name) or []
    result = instance.step(0.3, commands=[play()])
    assert len(seen) == wanted
    assert {event.name: event.acted for event in result.events if event.kind is EventKind.NOTIFY} == {
        "b": branching,
        "other": False,
    }

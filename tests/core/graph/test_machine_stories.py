"""Machines in many settings: each run is held by its story (see stories), stepped by kernel and twin alike."""

import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest

from core.blending.easing import EaseShape, EaseWay, Easing
from core.clips.clip import Notify, RootMotion
from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.graph import BlendKind, Interrupt, InterruptBy, Variable
from core.graph.instance import Instance
from core.tracks.keys import scalar_track
from tests.core.graph.builders import Drawing, clip, swinging, walker
from tests.core.graph.machine_cases import CASES, VARIABLES, Case
from tests.core.graph.stories import Stories, Story

STORIES = Stories(Path(__file__).with_name("machine_stories.txt"))
SPEED, OTHER = (Variable(name, minimum=-9.0, maximum=9.0) for name in ("speed", "other"))


@pytest.mark.parametrize("dt", [0.1, 0.03])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_has_its_story(case: Case, dt: float):
    clips = [clip(name, x=float(k), looping=case.looping) for k, name in enumerate("abc")]
    clips.append(replace(clip("still", x=3.0), length=0.0, looping=False))
    clips.append(clip("steps", notifies=(Notify("step", 0.25), Notify("hold", 0.5, 0.25))))
    drawing = Drawing(*clips, variables=VARIABLES)
    graph = drawing.machine_graph(case.draw(drawing))
    instance, story, time = Instance(compile_graph(graph, drawing.project(graph))), Story(), 0.0
    waiting = sorted({*case.inputs, *case.commands})
    while time < case.seconds - 1e-9:
        now = [at for at in waiting if at <= time + 1e-9]
        waiting = waiting[len(now) :]
        inputs = {name: value for at in now for name, value in case.inputs.get(at, {}).items()}
        commands = [case.commands[at] for at in now if at in case.commands]
        story.step(dt, instance.step(dt, inputs, commands=commands))
        time += dt
    STORIES.hold(f"{case.name}, {dt:g}", story)


CLIPS = (
    swinging("walk", 30.0, root_motion=RootMotion(True), curves={"lift": 0.5}, notifies=(Notify("step", 0.3, 0.2),)),
    swinging("run", -50.0, root_motion=RootMotion(True), curves={"lift": 1.0, "own": 2.0},
             notifies=(Notify("down", 0.5),)),
    swinging("once", 70.0, looping=False, curves={"own": -1.0}),
    swinging("lean", 12.0),
)  # fmt: skip
NAMES = tuple(found.name for found in CLIPS)


def machine(kind: BlendKind, more: dict, resets: dict, blend: dict) -> Instance:
    """Four states, each with ways to two others by what is given, and an automatic one out of “once”."""
    maps = {"bow": scalar_track([0.0, 1.0], [0.0, 1.0])}
    drawing = Drawing(*CLIPS, variables=(SPEED, OTHER), rig_=walker(), maps=maps)
    drawing.rig = replace(drawing.rig, masks={**drawing.rig.masks, "some": {"thigh_l": 1.0, "spine": 0.25}})
    states = {name: drawing.clip_sheet(name) for name in NAMES}
    options = {"seconds": "0.3", "blend": {"kind": kind, **blend}, **more}
    arrows = []
    for k, name in enumerate(NAMES):
        arrows.append((name, NAMES[(k + 1) % 4], "speed > 2", dict(options)))
        arrows.append(
            (name, NAMES[(k + 2) % 4], "other > 2", {**options, "seconds": "0.17", "priority": k % 2})
        )
    arrows.append(("once", "walk", None, {"automatic": -1.0, **options}))
    return drawing.run(drawing.machine_graph(drawing.machine(states, arrows, **resets)))


KINDS = [kind for kind in BlendKind if kind is not BlendKind.CUSTOM]
MORE = {
    "plain": {}, "never": {"interrupt": Interrupt.NEVER}, "higher": {"interrupt": Interrupt.HIGHER_PRIORITY},
    "waits": {"min_time": 0.2, "reentry_time": 0.5},
    **{str(by): {"interrupt_by": by} for by in InterruptBy},
}  # fmt: skip
RESETS = {"": {}, "always": dict.fromkeys(NAMES, "always"), "kept": dict.fromkeys(NAMES, "never")}
EASINGS = {
    "sine": {"easing": Easing(EaseShape.SINE, EaseWay.IN)},
    "power": {"easing": Easing(EaseShape.POWER, EaseWay.OUT, 3)},
    "curve": {"easing": Easing(EaseShape.CURVE, curve="bow")},
}  # fmt: skip


def through(case: str, instance: Instance, seed: int) -> None:
    dice, story = random.Random(seed), Story()
    for number in range(26):
        given = (
            {"speed": dice.uniform(-3.0, 5.0), "other": dice.uniform(-3.0, 4.0)} if number % 2 == 0 else {}
        )
        commands = []
        if number == 13:
            commands = [Command(Do.GO, "machine", to="lean")]
        if number == 19:
            commands = [Command(Do.TRAVEL, "machine", to="walk")]
        dt = (0.05, 0.1, 0.03, 0.0, 0.07, 0.2)[number % 6]
        story.step(dt, instance.step(dt, given, commands=commands))
    STORIES.hold(case, story)


@pytest.mark.parametrize(
    ("kind", "more", "reset"),
    list(itertools.product(KINDS, MORE, RESETS)),
    ids=lambda value: str(value) or "plain",
)
def test_machines_blend_and_interrupt(kind, more, reset):
    through(f"{kind}, {more}, {reset}", machine(kind, MORE[more], RESETS[reset], {}), len(more) + len(reset))


@pytest.mark.parametrize("easing", EASINGS)
@pytest.mark.parametrize("profile", ["", "some", "legs"])
@pytest.mark.parametrize("kind", KINDS)
def test_machines_blend_by_easings_and_profiles(kind, profile, easing):
    made = machine(kind, EASINGS[easing], {}, {"profile": profile})
    through(f"{kind}, {profile}, {easing}", made, len(profile) + len(easing))

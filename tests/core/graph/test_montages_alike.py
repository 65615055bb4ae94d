"""Montages in many settings, stepped by kernel and twin from the same states (see conftest): both tell the same.

What montages do Python does for both: each run is held by its story as well (see stories).
"""

import itertools
from pathlib import Path

import numpy as np
import pytest

from core.blending.easing import EaseShape, Easing
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Notify, NotifyRule, RootMotion
from core.errors import MissingReferenceError, ValidationError
from core.graph.commands import Command, Do
from core.graph.events import EventKind
from core.graph.graph import BlendKind, Variable
from core.graph.instance import Instance
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.graph.montage_state import MOST_PLAYING
from core.ids import AssetId
from core.tracks.keys import scalar_track
from tests.core.graph.builders import RIG, Drawing, swinging, walker
from tests.core.graph.stories import Stories, Story

STORIES = Stories(Path(__file__).with_name("montage_stories.txt"))


@pytest.fixture
def case(request) -> str:
    """What the story of a test goes by."""
    return request.node.name.removeprefix("test_")


SPEED = Variable("speed", default=(1.0,), minimum=-9.0, maximum=9.0)
NOTIFIES = (
    Notify("step", 0.3),
    Notify("hold", 0.2, 0.5),
    Notify("fast", 0.1, 0.6, rule=NotifyRule(condition="speed > 1")),
)
CLIPS = (
    swinging("walk", 30.0, curves={"lift": 0.5}, root_motion=RootMotion(True)),
    swinging("hit", -50.0, notifies=NOTIFIES, root_motion=RootMotion(True), curves={"lift": 1.0, "own": 2.0}),
    swinging("kick", 70.0, looping=False, curves={"own": -1.0}),
    swinging("breath", 12.0, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.FIRST_FRAME), curves={"lift": 0.25}),
)  # fmt: skip
PIECES = (("hit", 0.0, 0.0, 1.0, 1.0), ("kick", 1.0, 0.2, 1.0, 2.0), ("hit", 1.6, 0.0, 0.6, 1.0))
SECTIONS = (Section("one", 0.0, "two"), Section("two", 0.7, "two"), Section("three", 1.5))


def montage(
    name="wave", *, pieces=PIECES, slot="Upper", fade=0.2, kind=BlendKind.CROSSFADE, more=(), **options
) -> Montage:
    def track(slot, pieces):
        return SlotTrack(slot, tuple(Segment(AssetId(f"clip-{what}"), *rest) for what, *rest in pieces))

    blend = MontageBlend(fade, Easing(EaseShape.SMOOTH), kind, options.pop("profile", ""))
    values = {"blend_in": blend, "blend_out": blend, **options}
    tracks = (track(slot, pieces), *(track(*one) for one in more))
    return Montage(AssetId(f"montage-{name}"), name, RIG, "Group", tracks, **values)


def running(*montages: Montage, **slot) -> Instance:
    drawing = Drawing(
        *CLIPS, variables=(SPEED,), rig_=walker(), assets=montages, slots=("Group.Upper", "Group.Legs")
    )
    play = drawing.play("walk")
    one = drawing.node("slot", "upper", slot="Group.Upper", **slot)
    two = drawing.node("slot", "legs", slot="Group.Legs")
    wires = [(play, one, "source"), (one, two, "source")]
    return drawing.run(drawing.one(play, one, two, wires=wires))


STEPS = (0.1, 0.05, 0.1, 0.0, 0.25, 0.1, 0.02, 0.1, 0.1, 0.3, 0.1, 0.1, 0.07, 0.4, 0.1)


def through(
    case: str, instance: Instance, commands: dict[int, list[Command]], speed: float = 2.0
) -> list[str]:
    """Run, and hold the story; give its events."""
    story = Story()
    for number, dt in enumerate(STEPS):
        inputs = {"speed": speed if number < 8 else 0.5}
        story.step(dt, instance.step(dt, inputs, commands=commands.get(number, [])))
    STORIES.hold(case, story)
    return story.events


def ask(do: Do, **more) -> Command:
    return Command(do, "wave", **more)


ASKED = {
    "play": {1: [ask(Do.PLAY)]},
    "backwards": {1: [ask(Do.PLAY, rate=-1.0, section="three")]},
    "from a section": {1: [ask(Do.PLAY, section="two")], 9: [ask(Do.NEXT, section="two", to="three")]},
    "at a time": {1: [ask(Do.PLAY, at=0.65, rate=0.5)]},
    "out of range": {1: [ask(Do.PLAY, at=99.0)], 3: [ask(Do.PLAY, at=-5.0)]},
    "twice": {1: [ask(Do.PLAY)], 4: [ask(Do.PLAY, stop_group=False)], 6: [ask(Do.STOP)]},
    "again": {1: [ask(Do.PLAY)], 4: [ask(Do.PLAY)]},
    "paused": {1: [ask(Do.PLAY)], 3: [ask(Do.PAUSE)], 6: [ask(Do.RESUME)], 8: [ask(Do.RATE, rate=-2.0)]},
    "jumps": {1: [ask(Do.PLAY)], 4: [ask(Do.JUMP, section="three")], 6: [ask(Do.JUMP, section="one")]},
    "jumps backwards": {1: [ask(Do.PLAY, rate=-0.5, at=1.0)], 4: [ask(Do.JUMP, section="two")]},
    "stopped": {2: [ask(Do.PLAY)], 4: [ask(Do.STOP, seconds=0.3)], 5: [ask(Do.STOP, seconds=0.1)],
                7: [ask(Do.STOP, seconds=9.0)]},
    "stopped at once": {2: [ask(Do.PLAY)], 4: [ask(Do.STOP, seconds=0.0)]},
    "goes on to itself": {1: [ask(Do.PLAY), ask(Do.NEXT, to="one")], 9: [ask(Do.NEXT, to="")]},
    "rate": {1: [ask(Do.PLAY)], 2: [ask(Do.RATE, rate=3.0)], 5: [ask(Do.RATE, rate=0.0)], 8: [ask(Do.RATE, rate=1.0)]},
    "clip": {1: [Command(Do.PLAY_CLIP, "hit", slot="Group.Upper", blend_in=0.1, blend_out=0.3, loops=2)]},
    "clip for ever": {1: [Command(Do.PLAY_CLIP, "kick", slot="Group.Legs", loops=0, rate=2.0)],
                      9: [Command(Do.STOP, "kick")]},
}  # fmt: skip
HOW = {
    "plain": {},
    "sections": {"sections": SECTIONS},
    "early": {"sections": SECTIONS, "blend_out_trigger": 0.5},
    "at the end": {"blend_out_trigger": 0.0},
    "holds": {"auto_blend_out": False},
    "inertialises": {"kind": BlendKind.INERTIALISE},
    "by bones": {"profile": "half"},
    "no motion": {"root_motion": False, "rate": -0.7},
    "two tracks": {"more": (("Legs", (("kick", 0.3, 0.0, 1.0, 1.5),)),),
                   "curves": {"extra": scalar_track([0.0, 2.0], [0.0, 1.0])}},
    "additive": {"pieces": (("breath", 0.0, 0.0, 1.0, 1.0), ("breath", 1.2, 0.0, 1.0, 1.0))},
    "at once": {"fade": 0.0},
    "notified": {"notifies": (Notify("mark", 0.0), Notify("cut", 0.4, rule=NotifyRule(branching=True)),
                              Notify("last", 0.6, 0.3, rule=NotifyRule(condition="speed > 1", blend_out=0.1)))},
}  # fmt: skip


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("asked", ASKED)
def test_montages_play_as_they_are_asked(case, asked, how):
    commands = ASKED[asked]
    needs = any(c.section or (c.do is Do.NEXT and c.to) for c in itertools.chain(*commands.values()))
    made = (
        montage(**HOW[how]) if "sections" in HOW[how] or not needs else montage(**HOW[how], sections=SECTIONS)
    )
    told = through(case, running(made, montage("other", slot="Legs")), commands)
    name = next(iter(commands.values()))[0].target
    begun, over = (sum(event.startswith(f"{what} {name}@") for event in told) for what in ("play", "end"))
    assert begun >= over
    assert begun == sum(c.do in (Do.PLAY, Do.PLAY_CLIP) for c in itertools.chain(*commands.values()))


@pytest.mark.parametrize(
    "rule", ["override", "do_not_override", "blend", "normalise", "base_only", "maximum", "minimum"]
)
def test_slots_merge_curves_by_their_rule(case, rule):
    instance = running(
        montage(), montage("other", pieces=(("kick", 0.0, 0.0, 1.0, 1.0),)), curves=rule, always_update=True
    )
    through(
        case,
        instance,
        {1: [ask(Do.PLAY)], 3: [Command(Do.PLAY, "other", stop_group=False)], 7: [ask(Do.STOP)]},
    )


def test_of_many_montages_the_oldest_is_cut():
    instance = running(montage(sections=(Section("a", 0.0, "a"),)))
    found = [instance.step(0.01, commands=[ask(Do.PLAY, stop_group=False)]) for _ in range(MOST_PLAYING + 4)]
    ended = [e.interrupted for result in found for e in result.events if e.kind == EventKind.MONTAGE_ENDED]
    assert ended and all(ended)
    handles = [playing.handle for playing in found[-1].montages]
    assert sorted(handles) == list(range(5, MOST_PLAYING + 5))
    assert any(result.flagged for result in found)


def refused(command: Command) -> str:
    with pytest.raises((MissingReferenceError, ValidationError)) as error:
        running(montage(sections=SECTIONS)).step(0.1, commands=[command])
    return str(error.value)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (Command(Do.PLAY, "wafe"), "the graph plays no montage 'wafe'; near: wave"),
        (Command(Do.STOP, "wafe"), "the graph plays no montage 'wafe'; near: wave, walk"),
        (ask(Do.PLAY, section="x"), "montage 'wave' has no section 'x'; there are: one, two, three"),
        (ask(Do.JUMP), "montage 'wave': jump needs a section; there are: one, two, three"),
        (ask(Do.JUMP, section="x"), "montage 'wave' has no section 'x'; there are: one, two, three"),
        (ask(Do.NEXT, to="x"), "montage 'wave' has no section 'x'; there are: one, two, three"),
        (
            ask(Do.NEXT, section="y", to="one"),
            "montage 'wave' has no section 'y'; there are: one, two, three",
        ),
        (ask(Do.PLAY, rate=np.inf), "montage 'wave': expected finite times and rates, got [inf, 0.0, 0.0]"),
        (ask(Do.PLAY, at=np.nan), "montage 'wave': expected finite times and rates, got [1.0, nan, 0.0]"),
        (ask(Do.STOP, seconds=-0.1), "montage 'wave': expected finite times and rates, got [1.0, 0.0, -0.1]"),
    ],
)
def test_commands_that_name_what_is_not_there_are_refused(command, words):
    assert refused(command) == words


def test_a_clip_that_stands_can_be_stopped_by_name_and_others_cannot():
    instance = running(montage())
    instance.step(0.1, commands=[Command(Do.STOP, "hit")])  # a clip of the project may be asked for
    with pytest.raises(MissingReferenceError, match="no montage 'hid'; near: hit"):
        instance.step(0.1, commands=[Command(Do.STOP, "hid")])
    with pytest.raises(MissingReferenceError):
        instance.step(0.1, commands=[Command(Do.PLAY, "hit")])

"""Verbs on the events chosen, without a window: which they are about, what is chosen then, and the clipboard."""

from dataclasses import replace

import pytest

from core.clips.clip import Notify, SyncMarker
from editor.tools.clip_events import FEET, SPAN, ClipEvent, Kind, Lane, on_lane
from editor.tools.event_verbs import EventVerbs
from tests.editor.actions import rich

PLAIN, SYNC, FOOT = Lane(Kind.NOTIFY), Lane(Kind.SYNC), Lane(Kind.CONTACT, FEET[0])


class Hand:
    """What is chosen on the lanes, the one picked last first."""

    def __init__(self) -> None:
        self.session = rich.session()
        clip = replace(
            self.session.clip, notifies=(Notify("a", 0.3), Notify("b", 0.6, 0.3)), sync_markers=(SyncMarker("l", 0.4),)
        )  # fmt: skip
        self.session.edits.put("events", clip)
        self.chosen: tuple[ClipEvent, ...] = ()
        self.renewed = 0
        self.said: list[str] = []
        self.session.messages.posted.connect(lambda message: self.said.append(message.text))
        self.verbs = EventVerbs(self.session, lambda: self.chosen, self.choose, self.renew)

    def choose(self, events) -> None:
        self.chosen = tuple(events)

    def renew(self) -> None:
        self.renewed += 1

    def at(self, lane: Lane, number: int = 0) -> ClipEvent:
        return on_lane(self.session.clip, lane)[number]

    def notifies(self) -> dict[str, Notify]:
        return {n.name: n for n in self.session.clip.notifies}


@pytest.fixture
def hand():
    made = Hand()
    yield made
    made.session.close()


@pytest.mark.parametrize("first", [0, 1])
def test_what_is_about_one_is_about_the_one_picked_last(hand, first):
    names = ("a", "b")
    events = [hand.at(PLAIN, first), hand.at(PLAIN, 1 - first), hand.at(SYNC)]
    hand.choose(events)
    hand.verbs.toggle_branching()
    assert {n: v.rule.branching for n, v in hand.notifies().items()} == {n: n == names[first] for n in names}
    assert [e.name for e in hand.chosen] == [names[first]]
    assert hand.session.history.labels[-1] == f"Branching of {names[first]}"
    hand.verbs.toggle_branching()
    assert not hand.at(PLAIN, first).rule.branching
    hand.choose([hand.at(PLAIN, first), hand.at(PLAIN, 1 - first)])
    hand.verbs.toggle_span()
    wanted = {"a": SPAN, "b": 0.3} if first == 0 else {"a": 0.0, "b": 0.0}
    assert {n: pytest.approx(v.duration) for n, v in hand.notifies().items()} == wanted
    assert hand.session.history.labels[-1] == ("Make a a span" if first == 0 else "Make b a moment")


@pytest.mark.parametrize("lane", [SYNC, FOOT, None])
def test_what_is_no_notify_is_told_so(hand, lane):
    before = hand.session.clip
    hand.choose([] if lane is None else [hand.at(lane), hand.at(PLAIN)])
    hand.verbs.toggle_branching()
    hand.verbs.toggle_span()
    assert hand.said == ["Select a notify first"] * 2 and hand.session.clip is before


def test_verbs_on_all_choose_what_they_made(hand):
    hand.choose([hand.at(PLAIN, 0), hand.at(SYNC)])
    hand.verbs.nudge(0.1)
    assert sorted(round(e.time, 6) for e in hand.chosen) == [0.4, 0.5]
    hand.verbs.duplicate()
    assert len(on_lane(hand.session.clip, PLAIN)) == 3 and len(on_lane(hand.session.clip, SYNC)) == 2
    assert {e.name for e in hand.chosen} == {"a", "l"} and min(e.time for e in hand.chosen) > 0.45
    hand.verbs.delete()
    assert len(on_lane(hand.session.clip, PLAIN)) == 2 and len(on_lane(hand.session.clip, SYNC)) == 1
    chosen = hand.chosen = (hand.at(PLAIN),)
    hand.verbs.nudge(0.0)
    assert hand.chosen == chosen  # nothing was done: they stay


def test_notifies_go_to_a_lane_of_their_own_and_the_lanes_are_brought_up_to_date(hand):
    hand.choose([hand.at(SYNC)])
    hand.verbs.new_lane()
    assert hand.said == ["Select a notify first"] and hand.renewed == 0
    hand.choose([hand.at(SYNC), hand.at(PLAIN, 1)])
    hand.verbs.new_lane()
    assert hand.notifies()["b"].lane == "Lane" and hand.notifies()["a"].lane == "" and hand.renewed == 1
    assert [e.name for e in hand.chosen] == ["b"]
    hand.choose([hand.at(PLAIN)])
    hand.verbs.to_lane("Lane")
    assert hand.notifies()["a"].lane == "Lane" and hand.renewed == 2
    hand.choose([])
    hand.verbs.to_lane("Other")
    assert hand.renewed == 3 and hand.chosen == ()


def test_copies_of_all_kinds_are_pasted_here_and_notifies_elsewhere_too(hand):
    assert not hand.verbs.can_paste or hand.session.clipboard.text
    hand.verbs.copy()  # nothing is chosen: the clipboard stays
    hand.session.clipboard.text = "words"
    hand.verbs.paste()
    assert len(hand.said) == 1 and not hand.verbs.can_paste
    hand.choose([hand.at(PLAIN, 1), hand.at(SYNC)])
    hand.verbs.copy()
    assert hand.verbs.can_paste
    hand.session.playback.seek(1.0)
    hand.verbs.paste()
    assert [round(e.time, 6) for e in sorted(hand.chosen, key=lambda e: e.time)] == [1.0, 1.2]
    assert {e.lane for e in hand.chosen} == {PLAIN, SYNC}
    other = EventVerbs(hand.session, lambda: (), hand.choose, hand.renew)
    hand.session.playback.seek(1.5)
    other.paste()
    assert [(e.name, round(e.time, 6)) for e in hand.chosen] == [("b", 1.5)]
    assert len(on_lane(hand.session.clip, SYNC)) == 2


def test_a_colour_is_given_and_what_has_it_is_chosen(hand):
    event = hand.at(PLAIN)
    hand.verbs.color(event, "#112233")
    assert [e.color for e in hand.chosen] == ["#112233"]
    hand.choose([])
    hand.verbs.color(hand.at(PLAIN), "#112233")
    assert hand.chosen == ()

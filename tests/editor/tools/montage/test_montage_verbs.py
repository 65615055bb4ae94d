"""Verbs on the open montage without a window: each one step with a name, undone to the bit, its outcome selected."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.arrays import same_value
from core.graph import montage_edits as edits
from core.graph.montage_problems import Part
from core.ids import AssetId
from editor.model.montage.montages import Item
from editor.tools.montage.verbs import new_from_clips
from tests.editor.tools.montage.scene import KICK, SWING, Scene

FRAME = 1.0 / 30.0


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.preview.stop()
    made.session.close()


def segment(number: int, track: int = 0) -> Item:
    return Item(Part.SEGMENT, number, track)


def section(number: int) -> Item:
    return Item(Part.SECTION, number)


def notify(number: int) -> Item:
    return Item(Part.NOTIFY, number)


def seek(scene: Scene, time: float) -> None:
    scene.preview.seek(time)


def _copied(scene: Scene) -> None:
    scene.pick(segment(1), notify(1))
    scene.verbs.copy()
    scene.pick()
    seek(scene, 4.0)
    scene.verbs.paste()


VERBS: dict[str, Callable[[Scene], object]] = {
    "Add kick to the montage": lambda s: s.verbs.add_clip(s.clip(KICK)),
    "Add track Legs": lambda s: s.verbs.add_track("Legs"),
    "Slot Head": lambda s: s.verbs.set_slot(0, "DefaultGroup.Head"),
    "Delete track UpperBody": lambda s: (s.pick(segment(0)), s.verbs.delete_track(0)),
    "Split segment": lambda s: (seek(s, 0.5), s.verbs.split()),
    "Add section early": lambda s: s.verbs.add_section("early", 0.7),
    "Rename kick to boot": lambda s: s.verbs.rename_section(1, " boot "),
    "kick goes on to swing": lambda s: s.verbs.link(1, "swing"),
    "swing goes on to the end": lambda s: s.verbs.link(0, ""),
    "Add clap": lambda s: s.verbs.add_notify("clap", 0.1),
    "Rename hit to slap": lambda s: s.verbs.rename_notify(0, " slap"),
    "Branching of hit": lambda s: s.verbs.toggle_branching(0),
    "Make hit a span": lambda s: s.verbs.toggle_span(0),
    "Make trail a moment": lambda s: s.verbs.toggle_span(1),
    "Delete kick": lambda s: (s.pick(section(1)), s.verbs.delete()),
    "Delete trail": lambda s: (s.pick(notify(1)), s.verbs.delete()),
    "Delete 2 items": lambda s: (s.pick(segment(0), notify(0)), s.verbs.delete()),
    "Delete 1 item": lambda s: (s.pick(segment(0)), s.verbs.delete()),
    "Paste": _copied,
    "Duplicate": lambda s: (s.pick(segment(0)), s.verbs.duplicate()),
    "Move hit": lambda s: (s.pick(notify(0)), s.verbs.nudge(FRAME)),
    "Move kick": lambda s: (s.pick(section(1)), s.verbs.nudge(-FRAME)),
    "Move 3 items": lambda s: (s.pick(segment(1), segment(0), notify(1)), s.verbs.nudge(FRAME)),
}  # fmt: skip


@pytest.mark.parametrize("label", list(VERBS))
def test_a_verb_is_one_step_with_its_name_and_undone_to_the_bit(scene, label) -> None:
    before = scene.session.document.project
    VERBS[label](scene)
    assert scene.session.history.labels == (label,)
    assert all(scene.montages.there(item) for item in scene.picked)
    after = scene.now
    scene.session.undo()
    assert same_value(scene.session.document.project, before)
    scene.session.redo()
    assert scene.now is after


def test_gaps_are_closed_on_every_track_in_one_step(scene) -> None:
    scene.verbs.add_track("Legs")
    scene.verbs.add_clip(scene.clip(KICK), 1, 2.5)
    scene.pick(segment(1))
    scene.verbs.nudge(1.0)
    steps = len(scene.session.history.labels)
    scene.verbs.close_gaps()
    assert scene.session.history.labels[steps:] == ("Close gaps",)
    assert scene.placed(0) == [(0.0, 2.0), (2.0, 3.0)] and scene.placed(1) == [(0.0, 1.0)]
    scene.verbs.close_gaps()
    assert len(scene.session.history.labels) == steps + 1  # nothing left to close


def test_a_clip_comes_behind_the_last_segment_or_where_it_was_dropped_on_the_nearest_track(scene) -> None:
    scene.verbs.add_clip(scene.clip(KICK))
    assert scene.placed()[-1] == (3.0, 4.0) and scene.picked == (segment(2),)
    scene.verbs.add_track("Legs")
    for track, wanted in ((7, 1), (-2, 0)):
        scene.verbs.add_clip(scene.clip(KICK), track, 6.0)
        assert scene.placed(wanted)[-1] == (6.0, 7.0) and scene.picked[0].track == wanted
    scene.verbs.add_clip(scene.clip(KICK), 1, -3.0)
    assert scene.placed(1)[0] == (0.0, 1.0)
    scene.verbs.delete_track(1)
    scene.verbs.delete_track(0)
    scene.verbs.add_clip(scene.clip(SWING))
    assert [t.slot for t in scene.now.tracks] == ["UpperBody"] and scene.placed() == [(0.0, 2.0)]


def test_what_cannot_be_done_is_said_and_changes_nothing(scene) -> None:
    before = scene.now
    refused = (
        (lambda: scene.verbs.add_clip(scene.clip(AssetId("clip-stranger"))), "stranger is for another rig"),
        (lambda: scene.verbs.add_track("Other.Legs"), "All slots of a montage are in one group, here DefaultGroup"),
        (lambda: scene.verbs.add_section("again", 2.0), "a section begins at 2 s already"),
        (lambda: scene.verbs.rename_section(1, "swing"), "every section needs a name of its own"),
        (lambda: scene.verbs.rename_notify(0, " "), "name"),
        (lambda: (seek(scene, 9.0), scene.verbs.split()), "No segment is under the playhead"),
    )  # fmt: skip
    for attempt, words in refused:
        scene.said.clear()
        attempt()
        assert scene.said and words in scene.said[-1], (words, scene.said)
    scene.session.clipboard.text = "no montage"
    assert not scene.verbs.can_paste
    scene.verbs.paste()
    assert "The clipboard holds no notifies" in scene.said[-1]
    for nothing in (scene.verbs.delete, scene.verbs.duplicate, lambda: scene.verbs.nudge(0.1)):
        nothing()
    scene.verbs.copy()
    assert scene.session.clipboard.text == "no montage"
    for same in (
        lambda: scene.verbs.rename_notify(0, "hit"),
        lambda: scene.verbs.delete_track(1),
        lambda: scene.verbs.delete_track(-1),
        lambda: scene.verbs.change("same", before),
    ):
        same()
    assert scene.now is before and scene.session.history.labels == ()


def test_a_montage_without_tracks_changes_its_group(scene) -> None:
    scene.verbs.delete_track(0)
    scene.verbs.add_track("Other.Legs")
    assert scene.now.group == "Other" and [t.slot for t in scene.now.tracks] == ["Legs"]
    scene.verbs.add_track("Other.Arms")
    scene.verbs.add_track("Face")
    assert [t.slot for t in scene.now.tracks] == ["Legs", "Arms", "Face"]


def test_only_the_tracks_of_selected_segments_are_split(scene) -> None:
    scene.verbs.add_track("Legs")
    scene.verbs.add_clip(scene.clip(SWING), 1, 0.0)
    seek(scene, 0.5)
    scene.pick(segment(0, 1), section(0))
    scene.verbs.split()
    assert scene.placed(0) == [(0.0, 2.0), (2.0, 3.0)]
    assert scene.placed(1) == [(0.0, 0.5), (0.5, 2.0)]
    scene.session.undo()
    scene.pick(section(0))
    scene.verbs.split()
    assert scene.placed(0)[:2] == scene.placed(1) == [(0.0, 0.5), (0.5, 2.0)]


def test_a_section_begins_at_the_playhead_and_is_selected(scene) -> None:
    seek(scene, 1.5)
    item = scene.verbs.add_section()
    assert item == section(1) and scene.picked == (item,)
    assert (scene.now.sections[1].name, scene.now.sections[1].start) == ("section", 1.5)
    assert scene.verbs.add_section("swing", 0.5) == section(
        1
    )  # the number of the new one, whatever it is called
    assert scene.now.sections[1].name == "swing 2"


def test_a_section_follows_itself_and_then_what_comes_after_it(scene) -> None:
    seek(scene, 2.5)  # under the playhead where none is selected
    for follows in ("kick", "", "kick"):
        scene.verbs.loop_section()
        assert scene.now.sections[1].next == follows
    scene.pick(section(0))
    for follows in ("swing", "kick"):
        scene.verbs.loop_section()
        assert scene.now.sections[0].next == follows
    for number in (1, 0):
        scene.pick(section(number))
        scene.verbs.delete()
    assert scene.verbs.section_meant() is None
    scene.verbs.loop_section()
    assert scene.said[-1] == "Add a section first"


@pytest.mark.parametrize("loop", [False, True])
def test_the_section_selected_is_played_else_that_under_the_playhead(scene, loop) -> None:
    seek(scene, 0.5)
    scene.pick(section(1))
    scene.verbs.play_section(loop)
    assert scene.preview.running and scene.preview.position == pytest.approx(2.0)
    assert scene.preview.looped == ("kick" if loop else "")
    scene.preview.stop()
    seek(scene, 0.5)
    scene.pick()
    scene.verbs.play_section(loop)
    assert scene.preview.position < 2.0 and scene.preview.looped == ("swing" if loop else "")


def test_a_notify_of_a_type_carries_what_that_says_and_keeps_its_own(scene) -> None:
    seek(scene, 0.9)
    item = scene.verbs.add_notify("sound", lane="Sounds")
    made = scene.now.notifies[item.number]
    assert (made.time, made.lane, dict(made.data)) == (
        0.9,
        "Sounds",
        {"volume": "3", "file": "a", "color": "#112233"},
    )
    assert scene.picked == (item,)
    own = replace(scene.now.notifies[0], data={"file": "mine"})
    scene.verbs.change_notify("own", 0, own)
    scene.verbs.rename_notify(0, "sound")
    assert dict(scene.now.notifies[0].data) == {"volume": "3", "file": "mine", "color": "#112233"}
    item = scene.verbs.add_notify(branching=True, duration=0.3)
    made = scene.now.notifies[item.number]
    assert (made.name, made.duration, made.rule.branching) == ("notify", 0.3, True)
    scene.verbs.toggle_branching(item.number)
    assert not scene.now.notifies[item.number].rule.branching


def test_notifies_stay_in_order_of_time_and_the_selection_follows(scene) -> None:
    item = scene.verbs.add_notify("between", 0.8)
    assert item == notify(1) and [n for n, _, _ in scene.heard()] == ["hit", "between", "trail"]
    scene.pick(notify(0))
    scene.verbs.nudge(0.5)
    assert scene.heard() == [("between", 0.8, 0.0), ("hit", 0.9, 0.0), ("trail", 1.2, 0.5)]
    assert scene.picked == (notify(1),)
    scene.verbs.nudge(-9.0)
    assert scene.heard()[0] == ("hit", 0.0, 0.0) and scene.picked == (notify(0),)
    scene.verbs.toggle_span(0)
    assert scene.heard()[0] == ("hit", 0.0, 0.2)
    scene.verbs.toggle_span(0)
    assert scene.heard()[0] == ("hit", 0.0, 0.0)


def test_deleting_takes_exactly_what_is_selected(scene) -> None:
    scene.pick(segment(0), notify(1), section(1))
    scene.verbs.delete()
    assert scene.placed() == [(2.0, 3.0)] and scene.heard() == [("hit", 0.4, 0.0)]
    assert [s.name for s in scene.now.sections] == ["swing"] and scene.picked == ()


def test_copies_keep_their_distances_and_slots_and_are_selected(scene) -> None:
    scene.pick(segment(1), notify(1), notify(0))
    scene.verbs.copy()
    assert scene.verbs.can_paste
    scene.verbs.set_slot(0, "Legs")  # the slot that they were in is gone: it is made again
    seek(scene, 2.5)
    scene.verbs.paste()
    assert [t.slot for t in scene.now.tracks] == ["Legs", "UpperBody"]
    assert scene.placed(1) == [(4.1, 5.1)]  # the first of what was copied, at 0.4 s, comes to the playhead
    assert scene.heard()[2:] == [("hit", 2.5, 0.0), ("trail", 3.3, 0.5)]
    assert set(scene.picked) == {notify(2), notify(3)}


def test_segments_of_clips_that_this_character_lacks_are_left_out_in_words(scene) -> None:
    stranger = edits.whole(scene.clip(AssetId("clip-stranger")), 3.0)
    made, _ = edits.with_segment(scene.now, 0, stranger)
    scene.montages.put("stranger", made)
    for chosen, words in (
        ((segment(2), segment(0)), "1 segment is left out: this character does not have its clip"),
        ((segment(2),), "1 segment is left out: this character does not have its clip"),
    ):
        scene.pick(*chosen)
        scene.verbs.copy()
        count = len(scene.now.tracks[0].segments)
        seek(scene, 20.0)
        scene.said.clear()
        scene.verbs.paste()
        assert scene.said == [words]
        assert len(scene.now.tracks[0].segments) == count + len(chosen) - 1
        scene.session.undo() if len(chosen) > 1 else None


def test_duplicates_come_behind_all_of_the_selection(scene) -> None:
    scene.pick(segment(0), notify(1))
    scene.verbs.duplicate()
    assert (3.0, 5.0) in scene.placed() and ("trail", 3.2, 0.5) in scene.heard()
    scene.session.undo()
    scene.pick(notify(0))
    scene.verbs.duplicate()  # a moment goes a little on, so that its copy is seen
    assert scene.heard()[1] == ("hit", 0.5, 0.0) and scene.picked == (notify(1),)
    scene.pick(notify(2))
    scene.verbs.duplicate()
    assert scene.heard()[-1] == ("trail", 1.7, 0.5)


@pytest.mark.parametrize("seconds", [0.5, -0.5])
def test_neighbours_moved_together_keep_their_distance(scene, seconds) -> None:
    scene.verbs.add_clip(scene.clip(KICK), 0, 4.0)
    scene.pick(segment(2), segment(1))
    scene.verbs.nudge(1.0)
    scene.verbs.nudge(seconds)
    assert scene.placed() == [(0.0, 2.0), (3.0 + seconds, 4.0 + seconds), (5.0 + seconds, 6.0 + seconds)]
    assert set(scene.picked) == {segment(1), segment(2)}
    scene.pick(section(1), segment(1))
    scene.verbs.nudge(seconds)
    assert scene.now.sections[1].start == pytest.approx(2.0 + seconds)
    assert set(scene.picked) == {section(1), segment(1)}


@pytest.mark.parametrize("step", [1, -1])
def test_items_are_walked_through_in_a_ring(scene, step) -> None:
    every = [section(0), section(1), segment(0), segment(1), notify(0), notify(1)]
    seen = []
    for _ in range(7):
        scene.verbs.pick_next(step)
        seen += scene.picked
    assert seen == (every if step > 0 else every[::-1]) + [every[0 if step > 0 else -1]]
    scene.session.undo()
    scene.montages.put("empty", replace(scene.now, sections=(), tracks=(), notifies=()))
    scene.verbs.pick_next(step)
    assert scene.picked == ()


def test_a_montage_is_made_of_clips_and_a_refusal_is_said(scene) -> None:
    made = new_from_clips(scene.session, [KICK, SWING])
    assert made is scene.montages.current and [s.clip for s in made.tracks[0].segments] == [KICK, SWING]
    assert new_from_clips(scene.session, [AssetId("clip-stranger")]) is None
    assert "another rig" in scene.said[-1] and scene.now is made

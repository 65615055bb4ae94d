"""Edits of montages: segments never overlap, links follow names, trimming keeps what plays."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import Clip
from core.errors import ValidationError
from core.graph import montage_edits as edits
from core.graph.compile import compile_graph
from core.graph.montage import Section, Segment, SlotTrack
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, clip
from tests.core.graph.test_montages import montage


def names(made):
    return [(s.name, s.start, s.next) for s in made.sections]


def test_new_montage_plays_clips_in_turn_with_a_linked_section_each():
    made = edits.new_montage(AssetId("m"), "combo", RIG, [clip("hit", 1.0), clip("hit", 0.5)])
    assert [(s.place, s.last) for s in made.tracks[0].segments] == [(0.0, 1.0), (1.0, 1.5)]
    assert names(made) == [("hit", 0.0, "hit 2"), ("hit 2", 1.0, "")]
    with pytest.raises(ValidationError, match="another rig"):
        edits.new_montage(AssetId("m"), "x", AssetId("other"), [clip("hit", 1.0)])
    with pytest.raises(ValidationError, match="no length"):
        edits.new_montage(AssetId("m"), "x", RIG, [replace(clip("pose"), tracks={}, length=0.0)])


pieces = st.tuples(st.floats(0, 20), st.floats(0, 3), st.floats(0.1, 3), st.floats(0.2, 4))


@settings(max_examples=80, deadline=None)
@given(st.lists(pieces, min_size=1, max_size=8), st.data())
def test_segments_stay_in_order_whatever_is_put_moved_and_trimmed(told, data):
    made = montage(clips=())
    for place, begin, length, rate in told:
        made, number = edits.with_segment(made, 0, Segment(AssetId("c"), place, begin, begin + length, rate))
        put = made.tracks[0].segments[number]
        assert (put.begin, put.rate) == (begin, rate) and put.place >= place  # only ever pushed later
    count = len(made.tracks[0].segments)
    number = data.draw(st.integers(0, count - 1))
    held = made.tracks[0].segments[number]
    made, at = edits.moved(made, 0, number, data.draw(st.floats(-2, 30)))
    now = made.tracks[0].segments[at]
    assert replace(now, place=0.0) == replace(held, place=0.0)
    assert len(made.tracks[0].segments) == count
    before = made.tracks[0].segments[at]
    made = edits.trimmed_start(made, 0, at, data.draw(st.floats(-1, 30)))
    cut = made.tracks[0].segments[at]
    assert cut.last == pytest.approx(before.last)  # the end stays
    made = edits.trimmed_end(made, 0, at, data.draw(st.floats(-1, 30)), 10.0)
    after = made.tracks[0].segments[at]
    assert after.place == cut.place and after.begin == cut.begin and after.end <= max(10.0, cut.end) + 1e-9


def test_trimming_the_start_keeps_what_plays_at_a_time():
    made = montage(clips=("m",), seconds=2.0)
    cut = edits.trimmed_start(made, 0, 0, 0.5).tracks[0].segments[0]
    assert (cut.place, cut.begin, cut.end) == (0.5, 0.5, 2.0)
    back = edits.trimmed_start(edits.trimmed_start(made, 0, 0, 0.5), 0, 0, -3.0).tracks[0].segments[0]
    assert (back.place, back.begin) == (0.0, 0.0)  # at most to the clip's first frame


def test_split_plays_the_same():
    made = montage(clips=("m",), seconds=2.0)
    made = edits.with_piece(made, 0, 0, 0.5, 1.5, 2.0)
    parts = edits.split(made, 0, 0.2).tracks[0].segments
    assert [(s.place, s.begin, s.end) for s in parts] == [(0.0, 0.5, 0.9), (0.2, 0.9, 1.5)]
    assert edits.split(made, 0, 5.0) is made


def test_another_rate_pushes_what_follows():
    made = edits.with_piece(montage(clips=("a", "b")), 0, 0, 0.0, 1.0, 0.5)
    assert [s.place for s in made.tracks[0].segments] == [0.0, 2.0]
    assert [
        s.place for s in edits.closed_up(edits.with_piece(made, 0, 0, 0, 1, 1), 0).tracks[0].segments
    ] == [0, 1]


def test_another_clip_takes_as_much_of_it_as_there_is():
    made = montage(clips=("a",), seconds=2.0)
    short: Clip = clip("b", 0.5)
    found = edits.with_clip(made, 0, 0, short).tracks[0].segments[0]
    assert (found.clip, found.begin, found.end) == (short.id, 0.0, 0.5)


def test_sections_cut_the_chain_and_links_follow():
    made = montage(clips=("a", "b", "c"))
    made, first = edits.with_section(made, 1.0, "middle")
    assert names(made) == [("start", 0.0, "middle"), ("middle", 1.0, "")]
    made, _ = edits.with_section(made, 2.0, "middle")
    assert names(made)[1:] == [("middle", 1.0, "middle 2"), ("middle 2", 2.0, "")]
    made = edits.renamed_section(made, "middle", "loop")
    assert names(made) == [("start", 0.0, "loop"), ("loop", 1.0, "middle 2"), ("middle 2", 2.0, "")]
    with pytest.raises(ValidationError, match="name of its own"):
        edits.renamed_section(made, "loop", "start")
    assert names(edits.without_section(made, "loop")) == [("start", 0.0, "middle 2"), ("middle 2", 2.0, "")]
    assert names(edits.without_section(made, "start"))[0] == ("loop", 0.0, "middle 2")
    looped = edits.linked(made, "loop", "loop")
    assert names(edits.with_section(looped, 1.5, "x")[0])[1:3] == [("loop", 1.0, "loop"), ("x", 1.5, "")]
    with pytest.raises(ValidationError, match="not there"):
        edits.linked(made, "loop", "nowhere")
    with pytest.raises(ValidationError, match="already"):
        edits.with_section(made, 1.0)


def test_sections_move_between_their_neighbours_and_the_first_stays():
    made = montage(clips=("a", "b", "c"), sections=(Section("a", 0), Section("b", 1), Section("c", 2)))
    assert edits.moved_section(made, "a", 0.5) is made
    assert edits.moved_section(made, "b", 5.0).sections[1].start == pytest.approx(2 - edits.SHORTEST)
    assert edits.moved_section(made, "b", -1.0).sections[1].start == pytest.approx(edits.SHORTEST)
    assert edits.section_span(made, 2) == (2.0, 3.0)
    assert edits.section_at(made, 1.5).name == "b"


def test_trigger_follows_the_blend_unless_it_is_put_elsewhere():
    made = montage(clips=("a", "b"), blend=0.25)
    assert edits.trigger_time(made) == 1.75
    early = edits.with_trigger(made, 1.0)
    assert (early.blend_out_trigger, edits.trigger_time(early)) == (1.0, 1.0)
    assert edits.with_trigger(early, 1.75).blend_out_trigger == -1.0
    assert edits.trigger_time(replace(made, auto_blend_out=False)) == 2.0


def test_a_section_behind_the_end_never_plays_and_is_told():
    made = montage(sections=(Section("a", 0.0, "late"), Section("late", 3.0)))
    drawing = Drawing(clip("idle", 2.0), clip("m", x=1.0), slots=("Group.Upper",))
    node = drawing.play("idle")
    slot = drawing.node("slot", "s", slot="Group.Upper")
    graph = drawing.graph(drawing.pose_sheet("main", [node, slot], [(node, slot, "source")], slot))
    plan = compile_graph(graph, drawing.project(graph).with_assets(made))
    assert any("'late' begins at 3 s" in problem.message for problem in plan.warnings)


def test_tracks_are_for_one_slot_each():
    made = edits.with_track(montage(), "Legs")
    assert [t.slot for t in made.tracks] == ["Upper", "Legs"]
    with pytest.raises(ValidationError, match="one slot"):
        edits.with_track(made, "Legs")
    with pytest.raises(ValidationError, match="one slot"):
        edits.with_slot(made, 1, "Upper")
    assert edits.without_track(made, 0).tracks == (SlotTrack("Legs"),)
    with pytest.raises(ValidationError, match=r"DefaultGroup\.UpperBody"):
        edits.split_slot("Upper")

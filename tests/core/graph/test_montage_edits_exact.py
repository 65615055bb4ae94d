"""Edits of montages by exact numbers: both sides of every bound, what stays, and what is refused in which words."""

from dataclasses import replace

import pytest

from core.errors import ValidationError
from core.graph import montage_edits as edits
from core.graph.montage import LONGEST, MontageBlend, Section, Segment, SlotTrack
from core.ids import AssetId
from core.timing import TIME_EPSILON
from tests.core.graph.builders import RIG, clip
from tests.core.graph.test_montages import montage

SHORT = edits.SHORTEST


def of(*pieces: tuple[float, float, float, float], more: tuple = (), **options):
    """A montage of segments (place, begin, end, rate) in its first track, and other tracks."""
    segments = tuple(Segment(AssetId(f"clip-{k}"), *piece) for k, piece in enumerate(pieces))
    return replace(montage(clips=()), tracks=(SlotTrack("Upper", segments), *more), **options)


def pieces(made, track=0):
    return [(s.clip[-1], s.place, s.begin, s.end, s.rate) for s in made.tracks[track].segments]


THREE = ((0.0, 0.0, 1.0, 1.0), (1.5, 0.5, 2.5, 2.0), (3.0, 0.0, 1.0, 0.5))
"""0..1, 1.5..2.5 and 3..5 seconds of the montage."""


def test_new_montage_of_no_clip_or_one_has_no_sections():
    none = edits.new_montage(AssetId("m"), " empty ", RIG)
    assert (none.id, none.name, none.rig, none.group, none.sections) == (
        "m",
        "empty",
        RIG,
        "DefaultGroup",
        (),
    )
    assert none.tracks == (SlotTrack("UpperBody"),)
    one = edits.new_montage(AssetId("m"), "one", RIG, [clip("a", 0.5)], " G . Arm ")
    assert (one.group, one.tracks) == ("G", (SlotTrack("Arm", (Segment(AssetId("clip-a"), 0.0, 0.0, 0.5),)),))
    assert one.sections == ()
    three = edits.new_montage(AssetId("m"), "three", RIG, [clip(n, 0.5) for n in "aba"])
    assert [(s.name, s.start, s.next) for s in three.sections] == [
        ("a", 0.0, "b"), ("b", 0.5, "a 2"), ("a 2", 1.0, "")
    ]  # fmt: skip


@pytest.mark.parametrize("slot", ["", "Upper", ".Upper", "Group.", " . ", "Group. "])
def test_slot_without_group_or_name_is_refused(slot):
    with pytest.raises(ValidationError) as error:
        edits.split_slot(slot)
    assert str(error.value) == f"slot: expected a name such as DefaultGroup.UpperBody, got {slot!r}"


def test_a_full_slot_is_cut_at_its_first_dot():
    assert edits.split_slot("A.b.c") == ("A", "b.c")


@pytest.mark.parametrize(
    ("wanted", "taken", "got"),
    [("a", [], "a"), ("a", ["a"], "a 2"), ("a", ["a", "a 2", "a 4"], "a 3"), ("a 2", ["a 2"], "a 2 2")],
)
def test_a_free_name_has_the_least_number(wanted, taken, got):
    assert edits.free_name(wanted, taken) == got


def test_a_segment_goes_in_by_its_middle_and_pushes_what_follows():
    made = of(*THREE)
    new = Segment(AssetId("clip-n"), 0.5, 0.0, 1.0)
    found, number = edits.with_segment(made, 0, new)  # its middle, 1.0, lies before that of the second, 2.0
    assert number == 1
    assert pieces(found) == [
        ("0", 0.0, 0.0, 1.0, 1.0), ("n", 1.0, 0.0, 1.0, 1.0), ("1", 2.0, 0.5, 2.5, 2.0), ("2", 3.0, 0.0, 1.0, 0.5),
    ]  # fmt: skip
    found, number = edits.with_segment(made, 0, replace(new, place=9.0))
    assert number == 3 and pieces(found)[3][1] == 9.0
    found, number = edits.with_segment(made, 0, replace(new, place=0.0, end=0.5))
    assert number == 0
    assert [p[:2] for p in pieces(found)] == [("n", 0.0), ("0", 0.5), ("1", 1.5), ("2", 3.0)]
    # Of equal middles the new one comes last.
    found, number = edits.with_segment(of(THREE[0]), 0, replace(new, place=0.0))
    assert number == 1 and [p[:2] for p in pieces(found)] == [("0", 0.0), ("n", 1.0)]


def test_segments_are_taken_out_by_track_and_number():
    made = of(*THREE, more=(SlotTrack("Legs", (Segment(AssetId("clip-l"), 0.0, 0.0, 1.0),)),))
    left = edits.without_segments(made, [(0, 1), (1, 1), (0, 1)])
    assert [p[0] for p in pieces(left)] == ["0", "2"]
    assert [p[1] for p in pieces(left)] == [0.0, 3.0]  # the others stay
    assert left.tracks[1] is made.tracks[1]
    assert edits.without_segments(made, [(0, 3), (2, 0)]) is made
    assert pieces(edits.without_segments(made, [(1, 0)]), 1) == []


def test_a_segment_moves_along_its_track_or_onto_another():
    made = of(*THREE, more=(SlotTrack("Legs"),))
    found, number = edits.moved(made, 0, 0, 6.0)
    assert number == 2 and [p[:2] for p in pieces(found)] == [("1", 1.5), ("2", 3.0), ("0", 6.0)]
    found, number = edits.moved(made, 0, 1, -2.0)
    assert number == 1 and [p[:2] for p in pieces(found)] == [("0", 0.0), ("1", 1.0), ("2", 3.0)]
    found, number = edits.moved(made, 0, 2, 0.25, 1)
    assert number == 0
    assert [p[0] for p in pieces(found)] == ["0", "1"]
    assert pieces(found, 1) == [("2", 0.25, 0.0, 1.0, 0.5)]
    found, number = edits.moved(made, 0, 2, -0.25, 1)
    assert pieces(found, 1) == [("2", 0.0, 0.0, 1.0, 0.5)]


@pytest.mark.parametrize(
    ("number", "time", "place", "begin"),
    [
        (1, 1.75, 1.75, 1.0),  # a quarter of a second later, at twice the pace
        (1, 1.3, 1.3, 0.1),
        (1, 1.0, 1.25, 0.0),  # its clip begins a quarter of a second before
        (1, 9.0, 2.5 - SHORT, 2.5 - 2.0 * SHORT),
        (2, 1.0, 3.0, 0.0),  # its clip has no more in front
        (0, -4.0, 0.0, 0.0),
        (0, 0.5, 0.5, 0.5),
    ],
)
def test_start_is_trimmed_between_the_clips_begin_the_one_before_and_the_end(number, time, place, begin):
    made = of(*THREE)
    found = edits.trimmed_start(made, 0, number, time)
    segment = found.tracks[0].segments[number]
    assert (segment.place, segment.begin) == pytest.approx((place, begin), abs=1e-12)
    assert (segment.end, segment.rate) == (
        made.tracks[0].segments[number].end,
        made.tracks[0].segments[number].rate,
    )
    assert [p for k, p in enumerate(pieces(found)) if k != number] == [
        p for k, p in enumerate(pieces(made)) if k != number
    ]


def test_start_is_trimmed_no_further_than_the_one_in_front():
    made = of((0.0, 0.0, 1.0, 1.0), (1.25, 1.0, 2.0, 1.0))
    segment = edits.trimmed_start(made, 0, 1, 0.5).tracks[0].segments[1]
    assert (segment.place, segment.begin) == (1.0, 0.75)


@pytest.mark.parametrize(
    ("number", "time", "clip_length", "end"),
    [
        (1, 2.0, 9.0, 1.5),
        (1, 2.75, 9.0, 3.0),
        (1, 4.0, 9.0, 3.5),  # the next one begins at 3 s
        (1, 4.0, 2.75, 2.75),  # or its clip is over before
        (1, 4.0, 1.0, 2.5),  # one that plays more than there is keeps that
        (1, 0.0, 9.0, 0.5 + 2.0 * SHORT),
        (2, 7.0, 2.0, 2.0),
        (2, 9.0, 2.0, 2.0),
        (2, 8.0, 9.0, 2.5),
    ],
)
def test_end_is_trimmed_between_its_place_the_next_one_and_the_clips_end(number, time, clip_length, end):
    found = edits.trimmed_end(of(*THREE), 0, number, time, clip_length)
    segment = found.tracks[0].segments[number]
    assert segment.end == pytest.approx(end, abs=1e-12)
    assert (segment.place, segment.begin) == THREE[number][:2]


def test_a_piece_with_another_rate_pushes_all_behind_it():
    made = of((0.0, 0.0, 1.0, 1.0), (1.0, 0.0, 1.0, 1.0), (2.5, 0.0, 1.0, 1.0))
    found = edits.with_piece(made, 0, 1, 0.25, 2.25, 0.8)
    assert pieces(found) == [
        ("0", 0.0, 0.0, 1.0, 1.0), ("1", 1.0, 0.25, 2.25, 0.8), ("2", 3.5, 0.0, 1.0, 1.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("length", "begin", "end"),
    [
        (4.0, 0.5, 2.5),
        (2.0, 0.5, 2.0),
        (0.5 + 2 * SHORT, 0.5, 0.5 + 2 * SHORT),
        (0.5 + SHORT / 2, 0.0, 0.5 + SHORT / 2),  # what is left would be too short: from its beginning
        (0.25, 0.0, 0.25),
    ],
)
def test_another_clip_plays_the_same_piece_as_far_as_it_has_it(length, begin, end):
    other = clip("n", length)
    found = edits.with_clip(of(*THREE), 0, 1, other).tracks[0].segments[1]
    assert (found.clip, found.begin, found.end, found.rate) == (other.id, begin, end, 2.0)


def test_another_clip_of_which_the_piece_is_too_short_plays_to_its_end():
    found = edits.with_clip(of((0.0, 0.0, SHORT / 2, 1.0)), 0, 0, clip("n", 3.0)).tracks[0].segments[0]
    assert (found.begin, found.end) == (0.0, 3.0)
    found = edits.with_clip(of((0.0, 0.0, SHORT, 1.0)), 0, 0, clip("n", 3.0)).tracks[0].segments[0]
    assert (found.begin, found.end) == (0.0, SHORT)


@pytest.mark.parametrize(
    ("time", "parts"),
    [
        (2.0, [("1", 1.5, 0.5, 1.5, 2.0), ("1", 2.0, 1.5, 2.5, 2.0)]),
        (1.5 + SHORT, [("1", 1.5, 0.5, 0.5 + 2 * SHORT, 2.0), ("1", 1.5 + SHORT, 0.5 + 2 * SHORT, 2.5, 2.0)]),
        (1.5 + SHORT / 2, [("1", 1.5, 0.5, 2.5, 2.0)]),
        (2.5 - SHORT / 2, [("1", 1.5, 0.5, 2.5, 2.0)]),
        (1.25, [("1", 1.5, 0.5, 2.5, 2.0)]),
    ],
)
def test_a_track_is_split_where_a_segment_is_long_enough_on_both_sides(time, parts):
    found = pieces(edits.split(of(*THREE), 0, time))
    assert len(found) == 2 + len(parts)
    assert found[0] == ("0", *THREE[0]) and found[-1] == ("2", *THREE[2])
    for got, wanted in zip(found[1:-1], parts, strict=True):
        assert got[0] == wanted[0] and got[1:] == pytest.approx(wanted[1:], abs=1e-12)


def test_gaps_are_closed_in_one_track_alone():
    legs = SlotTrack("Legs", (Segment(AssetId("clip-l"), 1.0, 0.0, 1.0),))
    found = edits.closed_up(of((0.5, 0.0, 1.0, 1.0), *THREE[1:], more=(legs,)), 0)
    assert [p[1] for p in pieces(found)] == [0.0, 1.0, 2.0]
    assert found.tracks[1] is legs
    assert edits.closed_up(found, 0) is found


def test_tracks_are_put_and_taken_by_their_number():
    made = of(more=(SlotTrack("Legs"), SlotTrack("Head")))
    assert [t.slot for t in edits.without_track(made, 1).tracks] == ["Upper", "Head"]
    assert [t.slot for t in edits.without_track(made, 2).tracks] == ["Upper", "Legs"]
    assert [t.slot for t in edits.with_slot(made, 1, " Arm ").tracks] == ["Upper", "Arm", "Head"]
    assert [t.slot for t in edits.with_track(made, " Arm ").tracks] == ["Upper", "Legs", "Head", "Arm"]


# -------------------------------------------------------------------- sections
A, B, C = Section("a", 0.0, "b"), Section("b", 1.0, ""), Section("c", 2.0, "c")


def told(made):
    return [(s.name, s.start, s.next) for s in made.sections]


def test_the_first_section_of_all_stands_alone_at_the_beginning():
    made, name = edits.with_section(of(*THREE), TIME_EPSILON / 2, " go ")
    assert (told(made), name) == ([("go", 0.0, "")], "go")
    made, name = edits.with_section(of(*THREE), 1.25)
    assert (told(made), name) == ([("start", 0.0, "section"), ("section", 1.25, "")], "section")
    made, name = edits.with_section(of(*THREE), 1.25, "start")
    assert (told(made), name) == ([("start", 0.0, "start 2"), ("start 2", 1.25, "")], "start 2")


def test_a_section_is_put_into_the_chain_of_the_one_it_cuts():
    made = of(*THREE, sections=(A, B, C))
    assert told(edits.with_section(made, 0.5, "x")[0])[:3] == [
        ("a", 0.0, "x"),
        ("x", 0.5, "b"),
        ("b", 1.0, ""),
    ]
    assert told(edits.with_section(made, 1.5, "x")[0])[1:3] == [("b", 1.0, "x"), ("x", 1.5, "")]
    assert told(edits.with_section(made, 2.5, "x")[0])[2:] == [("c", 2.0, "c"), ("x", 2.5, "")]
    with pytest.raises(ValidationError) as error:
        edits.with_section(made, 1.000004, "x")
    assert str(error.value) == "montage 'wave': a section begins at 1 s already"
    with pytest.raises(ValidationError, match="begins at 0 s already"):
        edits.with_section(made, 0.0, "x")


@pytest.mark.parametrize(
    ("name", "time", "start"),
    [("a", 1.0, 0.0), ("b", 1.5, 1.5), ("b", 0.0, SHORT), ("b", 3.0, 2.0 - SHORT), ("c", 9.0, 9.0),
     ("c", 0.0, 1.0 + SHORT), ("c", 2 * LONGEST, LONGEST / 2)],
)  # fmt: skip
def test_a_section_moves_between_its_neighbours(name, time, start):
    made = edits.moved_section(of(*THREE, sections=(A, B, C)), name, time)
    assert {s.name: s.start for s in made.sections} == {"a": 0.0, "b": 1.0, "c": 2.0, name: start}
    assert [s.next for s in made.sections] == ["b", "", "c"]


def test_a_name_is_changed_with_the_links_to_it():
    made = edits.renamed_section(of(*THREE, sections=(A, B, C)), "b", " x ")
    assert told(made) == [("a", 0.0, "x"), ("x", 1.0, ""), ("c", 2.0, "c")]
    assert told(edits.renamed_section(made, "c", "d"))[2] == ("d", 2.0, "d")


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ("a", [("b", 0.0, ""), ("c", 2.0, "c")]),
        ("b", [("a", 0.0, ""), ("c", 2.0, "c")]),
        ("c", [("a", 0.0, "b"), ("b", 1.0, "")]),
    ],
)
def test_what_led_to_a_section_that_is_gone_leads_to_what_followed_it(gone, left):
    assert told(edits.without_section(of(*THREE, sections=(A, B, C)), gone)) == left


def test_links_past_a_looping_section_end_and_the_last_one_may_go():
    made = of(*THREE, sections=(replace(A, next="c"), C))
    assert told(edits.without_section(made, "c")) == [("a", 0.0, "")]
    assert edits.without_section(of(*THREE, sections=(replace(A, next=""),)), "a").sections == ()
    assert told(edits.linked(made, "c", "a")) == [("a", 0.0, "c"), ("c", 2.0, "a")]
    assert told(edits.linked(made, "a", "")) == [("a", 0.0, ""), ("c", 2.0, "c")]


def test_an_unknown_section_is_told_with_those_there_are():
    with pytest.raises(ValidationError) as error:
        edits.section_number(of(*THREE, sections=(A, B)), "x")
    assert str(error.value) == "montage 'wave' has no section 'x'; there are: a, b"
    with pytest.raises(ValidationError, match="no section 'x'; there are: none"):
        edits.renamed_section(of(*THREE), "x", "y")


def test_spans_of_sections_reach_to_the_next_or_the_end():
    made = of(*THREE, sections=(A, B, Section("late", 9.0)))
    assert [edits.section_span(made, k) for k in range(3)] == [(0.0, 1.0), (1.0, 9.0), (9.0, 9.0)]
    assert edits.section_span(of(*THREE, sections=(A, B)), 1) == (1.0, 5.0)
    names = [edits.section_at(made, t).name for t in (0.0, 0.5, 1.0 - TIME_EPSILON / 2, 1.0, 9.0)]
    assert names == ["a", "a", "b", "b", "late"]
    assert edits.section_at(made, -0.5) is None
    assert edits.section_at(of(*THREE), 0.5) is None


# -------------------------------------------------------------------- blends
def test_the_trigger_is_a_time_of_the_montage():
    fade = MontageBlend(0.5)
    made = of(*THREE, blend_out=fade)
    assert edits.trigger_time(made) == 4.5
    assert edits.trigger_time(replace(made, blend_out_trigger=0.0)) == 5.0
    assert edits.trigger_time(replace(made, blend_out_trigger=2.0)) == 3.0
    assert edits.trigger_time(replace(made, blend_out_trigger=7.0)) == 0.0
    assert edits.trigger_time(replace(made, blend_out_trigger=2.0, auto_blend_out=False)) == 5.0
    moved = {
        time: edits.with_trigger(made, time).blend_out_trigger for time in (-1.0, 1.0, 4.5, 4.6, 5.0, 6.0)
    }
    assert moved == pytest.approx({-1.0: 5.0, 1.0: 4.0, 4.5: -1.0, 4.6: 0.4, 5.0: 0.0, 6.0: 0.0})


def test_seconds_of_a_blend_are_kept_within_bounds():
    fade = MontageBlend(0.5, profile="half")
    found = [edits.with_blend_seconds(fade, seconds, 2.0) for seconds in (-1.0, 0.0, 1.5, 2.0, 3.0)]
    assert [blend.seconds for blend in found] == [0.0, 0.0, 1.5, 2.0, 2.0]
    assert {blend.profile for blend in found} == {"half"}

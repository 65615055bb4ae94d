"""Montages as documents: what each value may be, on both sides of every bound, lengths and references."""

from dataclasses import replace

import pytest

from core.blending.easing import EaseShape, Easing
from core.clips.clip import Clip
from core.errors import ValidationError
from core.graph.graph import BlendKind
from core.graph.montage import LONGEST, Montage, MontageBlend, Section, Segment, SlotTrack
from core.ids import AssetId, Reference
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from tests.core.graph.builders import RIG

A = AssetId("clip-a")


def made(*tracks: SlotTrack, **options) -> Montage:
    return Montage(AssetId("m"), "wave", RIG, tracks=tracks, **options)


def refusal(build) -> str:
    with pytest.raises(ValidationError) as error:
        build()
    return str(error.value)


@pytest.mark.parametrize(
    ("place", "begin", "end"),
    [(0.0, 0.0, 1e-9), (0.0, 0.0, LONGEST / 2), (LONGEST / 2, 1.0, 1.5)],
)
def test_segments_may_be_this(place, begin, end):
    assert Segment(A, place, begin, end).last == place + (end - begin)


@pytest.mark.parametrize(
    ("place", "begin", "end"),
    [(-1e-9, 0.0, 1.0), (0.0, -1e-9, 1.0), (0.0, 1.0, 1.0), (0.0, 1.0, 0.5), (LONGEST, 0.0, 1.0),
     (0.0, 0.0, LONGEST), (float("nan"), 0.0, 1.0), (0.0, 0.0, float("inf"))],
)  # fmt: skip
def test_segments_may_not_be_this(place, begin, end):
    assert refusal(lambda: Segment(A, place, begin, end)) == (
        f"segment at {place:g} s: expected a piece of its clip from 0 s or more to later, got {begin:g} to {end:g} s"
    )


@pytest.mark.parametrize("rate", [0.0, -1.0, LONGEST, float("nan")])
def test_a_segments_rate_is_above_nought(rate):
    assert refusal(lambda: Segment(A, 2.0, 0.0, 1.0, rate)) == (
        f"segment at 2 s: expected a rate above 0, got {rate:g}"
    )


def test_a_segment_ends_after_its_piece_at_its_rate():
    assert Segment(A, 1.0, 0.5, 2.5, 4.0).last == 1.5


def test_blends_have_a_duration_and_two_kinds():
    plain = MontageBlend()
    assert (plain.seconds, plain.easing, plain.kind, plain.profile) == (
        0.25, Easing(EaseShape.SMOOTH), BlendKind.CROSSFADE, "",
    )  # fmt: skip
    assert MontageBlend(0.0, kind=BlendKind.INERTIALISE).seconds == 0.0
    for seconds in (-1e-9, LONGEST, float("nan")):
        assert refusal(lambda s=seconds: MontageBlend(s)) == (
            f"montage: expected a blend of 0 s or more, got {seconds:g}"
        )
    for kind in (BlendKind.FROZEN, BlendKind.DEAD_BLEND, BlendKind.CUSTOM):
        assert refusal(lambda k=kind: MontageBlend(kind=k)) == (
            f"montage: expected a blend that crossfades or inertialises, got {kind}"
        )


def test_a_montage_is_by_itself_this():
    plain = made()
    assert (plain.group, plain.blend_out_trigger, plain.auto_blend_out, plain.rate) == (
        "DefaultGroup",
        -1.0,
        True,
        1.0,
    )
    assert (plain.root_motion, plain.sync_group, plain.length, plain.sections) == (True, "", 0.0, ())


def test_segments_of_a_track_do_not_overlap():
    first, second = Segment(A, 0.0, 0.0, 1.0), Segment(A, 1.0 - TIME_EPSILON / 2, 0.0, 1.0)
    assert made(SlotTrack("Upper", (first, second))).length == 2.0 - TIME_EPSILON / 2
    early = replace(second, place=0.5)
    assert refusal(lambda: made(SlotTrack("Upper", (first, early)))) == (
        "montage 'wave': slot 'Upper': segment 1 begins at 0.5 s, before the one in front of it ends at 1 s"
    )
    assert (
        refusal(lambda: made(SlotTrack("Legs"), SlotTrack("Legs")))
        == "montage 'wave': two tracks are for one slot"
    )


@pytest.mark.parametrize("rate", [LONGEST, -LONGEST, float("nan"), float("inf")])
def test_rates_are_finite(rate):
    assert refusal(lambda: made(rate=rate)) == f"montage 'wave': expected a finite rate, got {rate}"
    assert made(rate=-3.0).rate == -3.0


@pytest.mark.parametrize("trigger", [-0.5, -1.5, LONGEST, float("nan")])
def test_triggers_are_seconds_or_minus_one(trigger):
    assert refusal(lambda: made(blend_out_trigger=trigger)) == (
        f"montage 'wave': expected a blend-out trigger of 0 s or more, or -1, got {trigger:g}"
    )
    assert [made(blend_out_trigger=t).blend_out_trigger for t in (-1.0, 0.0, 3.0)] == [-1.0, 0.0, 3.0]


@pytest.mark.parametrize(
    ("sections", "reason"),
    [
        ((Section("a", 0.0), Section("a", 1.0)), "every section needs a name of its own"),
        ((Section("a", 0.0), Section("", 1.0)), "every section needs a name of its own"),
        ((Section("a", 0.5),), "expected sections in order of time from 0 s on, got starts [0.5]"),
        (
            (Section("a", 0.0), Section("b", TIME_EPSILON / 2)),
            f"expected sections in order of time from 0 s on, got starts [0.0, {TIME_EPSILON / 2}]",
        ),
        (
            (Section("a", 0.0), Section("b", 1.0, "x")),
            "section 'b' goes on to 'x', which is not there; there are: a, b",
        ),
    ],
)
def test_sections_have_names_order_and_ends(sections, reason):
    assert refusal(lambda: made(sections=sections)) == f"montage 'wave': {reason}"


def test_sections_may_be_close_and_late():
    assert len(made(sections=(Section("a", 0.0, "b"), Section("b", TIME_EPSILON, "a"))).sections) == 2


def full() -> Montage:
    one, two = AssetId("clip-1"), AssetId("clip-2")
    tracks = (
        SlotTrack("Upper", (Segment(one, 0.0, 0.0, 1.0), Segment(two, 1.0, 0.0, 2.0))),
        SlotTrack("Legs", (Segment(one, 0.0, 0.0, 2.0),)),
    )
    sections = (Section("a", 0.0, "c"), Section("b", 1.5, "a"), Section("c", 2.5))
    return made(*tracks, sections=sections)


def test_a_montage_names_its_rig_and_each_clip_once():
    assert full().references() == (
        Reference(RIG, Rig, "rig"),
        Reference(AssetId("clip-1"), Clip, "segment"),
        Reference(AssetId("clip-2"), Clip, "segment"),
    )
    assert full().length == 3.0
    assert [full().slot_name(track) for track in full().tracks] == ["DefaultGroup.Upper", "DefaultGroup.Legs"]


def test_references_follow_and_what_is_gone_is_left_out():
    same = full().with_targets({})
    assert [[s.clip for s in t.segments] for t in same.tracks] == [["clip-1", "clip-2"], ["clip-1"]]
    assert same.sections == full().sections
    moved = full().with_targets({RIG: AssetId("rig-2"), AssetId("clip-1"): AssetId("clip-9")})
    assert moved.rig == "rig-2"
    assert [[s.clip for s in t.segments] for t in moved.tracks] == [["clip-9", "clip-2"], ["clip-9"]]
    left = full().with_targets({AssetId("clip-2"): None})
    assert [[s.clip for s in t.segments] for t in left.tracks] == [["clip-1"], ["clip-1"]]
    # What began behind the new end of 2 s is gone, and what led there ends.
    assert [(s.name, s.start, s.next) for s in left.sections] == [("a", 0.0, ""), ("b", 1.5, "a")]
    assert full().with_targets({RIG: None}) is None
    assert full().with_targets({AssetId("clip-1"): None, AssetId("clip-2"): None}).sections == ()

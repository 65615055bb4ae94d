"""The montage panel's view by its rules: places and times, what is grabbed at which pixel, scrolling, fitting."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Notify
from core.graph.montage_edits import trigger_time
from core.graph.montage_problems import Part
from core.ids import AssetId
from core.timing import FrameRate
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import scalar_track
from editor.model.montage.montages import Item
from editor.model.montage.rows import HEAD, LABELS, LANE, LINKS, RULER, SECTIONS, RowKind
from editor.model.montage.shown import CHIP, EDGE, LETTER, Grip, MontageShown
from editor.model.time_axis import TimeAxis, TimeUnit
from tests.editor.tools.montage.scene import KICK, SWING, Scene

SCALE = 128.0
"""Pixels of a second: the montage of three seconds is 384 wide."""


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.session.close()


@pytest.fixture
def shown(scene) -> MontageShown:
    """From 0 s on, wide enough for the montage."""
    made = MontageShown(scene.montages, scene.preview, scene.session.playback)
    made.follow_montage()
    made.set_size(LABELS + 500.0, HEAD + 40.0)
    made.set_axis(TimeAxis(0.0, SCALE, 500.0, made.axis.rate))
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


def x(time: float) -> float:
    return LABELS + SCALE * time


def row(shown: MontageShown, kind: RowKind):
    return next(found for found in shown.rows() if found.kind is kind)


def middle(shown: MontageShown, kind: RowKind) -> float:
    found = row(shown, kind)
    return shown.top(found) + found.height / 2.0


# ---------------------------------------------------------------- what
def test_at_first_times_are_frames_and_nothing_is_scrolled(shown) -> None:
    assert shown.unit is TimeUnit.FRAMES and shown.scroll == 0.0 and shown.box is None
    assert shown.montage is shown.montages.current and set(shown.clips) == {SWING, KICK, "clip-stranger"}


def test_frames_are_those_of_the_first_clip_that_is_there(scene, shown) -> None:
    scene.session.edits.put("rate", replace(scene.clip(KICK), rate=FrameRate.of(25)))
    assert shown.rate == FrameRate.of(30)
    first, second = scene.now.tracks[0].segments
    track = scene.now.tracks[0]
    scene.montages.preview(
        replace(scene.now, tracks=(replace(track, segments=(replace(first, clip=AssetId("gone")), second)),))
    )
    assert shown.rate == FrameRate.of(25)
    scene.montages.preview(
        replace(scene.now, tracks=(replace(track, segments=()), replace(track, slot="b", segments=(second,))))
    )
    assert shown.rate == FrameRate.of(25)
    scene.session.edits.put("rate", replace(scene.clip(SWING), rate=FrameRate.of(12)))
    scene.montages.preview(replace(scene.now, tracks=()))
    assert shown.rate == scene.session.playback.rate == FrameRate.of(12)


def test_rows_are_laid_out_once_until_something_differs(scene, shown) -> None:
    first = shown.rows()
    assert shown.rows() is first
    shown.set_axis(replace(shown.axis, start=1.0))
    assert shown.rows() is first, "only the scale makes them stack otherwise"
    shown.set_axis(replace(shown.axis, scale=SCALE / 2.0))
    second = shown.rows()
    assert second is not first
    scene.session.edits.put("clip", replace(scene.clip(KICK), name="kicked"))
    third = shown.rows()
    assert third is not second
    scene.montages.preview(replace(scene.now, notifies=()))
    assert shown.rows() is not third


@pytest.mark.parametrize(("gap", "depth"), [(-1.0, 2), (1.0, 1)])
def test_a_moment_takes_its_diamond_and_its_name(scene, shown, gap, depth) -> None:
    wide = 6.0 + len("abc") * LETTER + 6.0  # behind the first one's place, and before the second one's
    notifies = (Notify("abc", 0.5), Notify("d", 0.5 + (wide + gap) / SCALE))
    scene.montages.preview(replace(scene.now, notifies=notifies))
    assert row(shown, RowKind.NOTIFIES).height == depth * LANE


@pytest.mark.parametrize(("start", "depth"), [(0.74, 2), (0.76, 1)])
def test_a_span_takes_its_time_alone(scene, shown, start, depth) -> None:
    notifies = (Notify("a name that is long", 0.5, 0.25), Notify("d", start, 0.25))
    scene.montages.preview(replace(scene.now, notifies=notifies))
    assert row(shown, RowKind.NOTIFIES).height == depth * LANE


# ---------------------------------------------------------------- curves
def test_a_curve_of_clips_is_shown_where_their_segments_play(scene, shown) -> None:
    curve = scalar_track([0.0, 2.0], [0.0, 2.0])
    scene.session.edits.put("curve", replace(scene.clip(SWING), curves={"speed": curve}))
    track = scene.now.tracks[0]
    segment = replace(track.segments[0], place=0.5, begin=0.25, end=1.25, rate=2.0)
    scene.montages.preview(replace(scene.now, tracks=(replace(track, segments=(segment,)),)))
    times = np.array([0.4, 0.5, 0.75, 1.0, 1.1])
    values, own = shown.curve("speed", SCALE * times)
    wanted = evaluate_scalar(curve, np.array([0.25, 0.75, 1.25]))
    assert not own and np.isnan(values[[0, 4]]).all() and np.allclose(values[1:4], wanted)
    shown.set_axis(replace(shown.axis, start=0.5))
    assert shown.curve("speed", np.array([0.0]))[0] == pytest.approx(wanted[0])
    assert np.isnan(shown.curve("none", SCALE * times)[0]).all()


def test_a_curve_of_the_montage_is_shown_within_it(scene, shown) -> None:
    curve = scalar_track([0.0, 3.0], [0.0, 3.0])
    scene.montages.preview(replace(scene.now, curves={"weight": curve}))
    values, own = shown.curve("weight", SCALE * np.array([-0.1, 0.0, 1.5, 3.0, 3.1]))
    wanted = evaluate_scalar(curve, np.array([0.0, 1.5, 3.0]))
    assert own and np.isnan(values[[0, 4]]).all() and np.allclose(values[1:4], wanted)


# ---------------------------------------------------------------- places
def test_times_and_pixels(shown) -> None:
    assert shown.x(1.5) == x(1.5) and shown.time(x(1.5)) == pytest.approx(1.5)


def test_a_segment_lies_in_its_row(shown) -> None:
    top = shown.top(row(shown, RowKind.TRACK))
    assert top == HEAD and shown.segment_box(0, 1) == (x(2.0), top + 3.0, x(3.0), top + 36.0 - 3.0)


def test_a_moment_is_a_diamond_and_a_short_span_stays_in_sight(scene, shown) -> None:
    top = shown.top(row(shown, RowKind.NOTIFIES)) + 1.5
    assert shown.notify_box(0) == (x(0.4) - 5.5, top, x(0.4) + 5.5, top + LANE - 3.0)
    assert shown.notify_box(1)[0::2] == (x(1.2), x(1.7))
    scene.montages.preview(replace(scene.now, notifies=(Notify("a", 1.0, 0.001),)))
    assert shown.notify_box(0)[0::2] == (x(1.0), x(1.0) + 3.0)


def test_sections_and_what_follows_them_lie_in_the_head(shown) -> None:
    assert shown.section_box(0) == (x(0.0), RULER, x(2.0), RULER + SECTIONS)
    left, top, right, bottom = shown.link_box(0)
    assert (left, top, right, bottom) == (
        x(2.0) - CHIP,
        RULER + SECTIONS + 1.0,
        x(2.0) - 2.0,
        RULER + SECTIONS + LINKS - 2.0,
    )
    shown.set_axis(replace(shown.axis, scale=4.0))
    assert shown.section_box(1) == (LABELS + 8.0, RULER, LABELS + 8.0 + 14.0, RULER + SECTIONS)
    assert shown.link_box(1)[0::2] == (LABELS + 10.0, LABELS + 20.0)


@pytest.mark.parametrize(
    ("y", "number"), [(HEAD - 0.5, None), (HEAD, 0), (HEAD + 35.5, 0), (HEAD + 36.0, 1), (HEAD + 300.0, None)]
)
def test_which_row_is_at_a_height(shown, y, number) -> None:
    found = shown.row_at(y)
    assert found is (None if number is None else shown.rows()[number])
    shown.scroll = 10.0
    assert shown.row_at(HEAD + 26.0) is shown.rows()[1] and shown.top(shown.rows()[1]) == HEAD + 26.0


# ---------------------------------------------------------------- hits
@pytest.mark.parametrize(
    ("away", "grip"),
    [
        (-EDGE / 2.0 - 0.1, Grip.NOTHING), (-EDGE / 2.0, Grip.SEGMENT_START), (EDGE, Grip.SEGMENT_START),
        (EDGE + 0.1, Grip.SEGMENT), (2.0 * SCALE - EDGE - 0.1, Grip.SEGMENT), (2.0 * SCALE - EDGE, Grip.SEGMENT_END),
    ],
)  # fmt: skip
def test_ends_of_a_segment_are_grabbed_near_them(shown, away, grip) -> None:
    shown.set_axis(replace(shown.axis, start=-1.0))
    hit = shown.hit(x(1.0) + away, middle(shown, RowKind.TRACK))
    assert hit.grip is grip and hit.row is row(shown, RowKind.TRACK)
    assert hit.item == (None if grip is Grip.NOTHING else Item(Part.SEGMENT, 0, 0))


def test_where_two_segments_meet_the_next_ones_start_is_grabbed(shown) -> None:
    y = middle(shown, RowKind.TRACK)
    for away, number, grip in (
        (0.1, 1, Grip.SEGMENT_START),
        (0.0, 0, Grip.SEGMENT_END),
        (-0.1, 0, Grip.SEGMENT_END),
    ):
        hit = shown.hit(x(2.0) + away, y)
        assert (hit.grip, hit.item) == (grip, Item(Part.SEGMENT, number, 0)), away
    last = shown.hit(x(3.0) + 1.0, y)
    assert (last.grip, last.item) == (Grip.SEGMENT_END, Item(Part.SEGMENT, 1, 0))


def test_a_narrow_segment_can_still_be_grabbed_in_its_middle(shown) -> None:
    shown.set_axis(replace(shown.axis, scale=4.0))
    y = middle(shown, RowKind.TRACK)
    grips = [shown.hit(LABELS + place, y).grip for place in (2.0, 2.1, 5.9, 6.0)]
    assert grips == [Grip.SEGMENT_START, Grip.SEGMENT, Grip.SEGMENT, Grip.SEGMENT_END]


@pytest.mark.parametrize(
    ("place", "grip", "number"),
    [
        (x(0.4) - 5.5 - EDGE / 2.0, Grip.NOTIFY, 0), (x(0.4) + 5.5 + 3 * LETTER, Grip.NOTIFY, 0),
        (x(0.4) + 5.6 + 3 * LETTER, Grip.NOTHING, None), (x(0.4) - 5.6 - EDGE / 2.0, Grip.NOTHING, None),
    ],
)  # fmt: skip
def test_a_moment_is_grabbed_by_its_name_too(shown, place, grip, number) -> None:
    hit = shown.hit(place, middle(shown, RowKind.NOTIFIES))
    assert hit.grip is grip and hit.item == (None if number is None else Item(Part.NOTIFY, number))


@pytest.mark.parametrize(
    ("place", "grip"),
    [
        (x(1.2) - 3.1, Grip.NOTHING), (x(1.2) - 3.0, Grip.NOTIFY_START), (x(1.2) + EDGE, Grip.NOTIFY_START),
        (x(1.2) + EDGE + 0.1, Grip.NOTIFY), (x(1.7) - EDGE - 0.1, Grip.NOTIFY), (x(1.7) - EDGE + 0.01, Grip.NOTIFY_END),
        (x(1.7) + 3.0, Grip.NOTIFY_END), (x(1.7) + 3.1, Grip.NOTHING),
    ],
)  # fmt: skip
def test_ends_of_a_span_are_grabbed_near_them(shown, place, grip) -> None:
    lane = next(r for r in shown.rows() if r.name == "Sounds")
    hit = shown.hit(place, shown.top(lane) + 8.0)
    assert hit.grip is grip and hit.row is lane
    assert hit.item == (None if grip is Grip.NOTHING else Item(Part.NOTIFY, 1))


def test_of_notifies_above_each_other_the_last_is_grabbed(scene, shown) -> None:
    scene.montages.preview(replace(scene.now, notifies=(Notify("a", 0.5, 1.0), Notify("b", 0.5, 1.0))))
    top = shown.top(row(shown, RowKind.NOTIFIES))
    assert shown.hit(x(1.0), top + 8.0).item == Item(Part.NOTIFY, 0)
    assert shown.hit(x(1.0), top + LANE + 8.0).item == Item(Part.NOTIFY, 1)


@pytest.mark.parametrize(
    ("y", "away", "grip"),
    [
        (RULER / 2.0 + 1.0, EDGE, Grip.TRIGGER), (RULER / 2.0 + 1.0, EDGE + 0.1, Grip.RULER),
        (RULER / 2.0, 0.0, Grip.RULER),
        (RULER / 2.0 + 1.0, -EDGE, Grip.TRIGGER),
    ],
)  # fmt: skip
def test_where_the_blend_out_begins_is_grabbed_at_the_ruler(scene, shown, y, away, grip) -> None:
    place = shown.x(trigger_time(shown.montage)) + away
    assert shown.hit(place, y).grip is grip
    scene.montages.preview(replace(scene.now, auto_blend_out=False))
    assert shown.hit(place, y).grip is Grip.RULER


@pytest.mark.parametrize(
    ("place", "number"),
    [
        (x(0.0) - EDGE, 0),
        (x(0.0) - EDGE - 0.1, None),
        (x(2.0) - EDGE - 0.1, 0),
        (x(2.0) - EDGE, 1),
        (x(3.0), None),
    ],
)
def test_of_two_sections_the_start_of_the_next_is_grabbed(shown, place, number) -> None:
    shown.set_axis(replace(shown.axis, start=-0.25))
    hit = shown.hit(place + 0.25 * SCALE, RULER + 5.0)
    assert hit.grip is (Grip.NOTHING if number is None else Grip.SECTION)
    assert hit.item == (None if number is None else Item(Part.SECTION, number))


def test_what_follows_a_section_is_grabbed_on_its_chip(shown) -> None:
    for place, number in (
        (x(2.0) - CHIP - 0.1, None),
        (x(2.0) - CHIP, 0),
        (x(2.0) - 2.1, 0),
        (x(2.0) - 2.0, None),
        (x(3.0) - 3.0, 1),
    ):
        hit = shown.hit(place, RULER + SECTIONS)
        assert hit.grip is (Grip.NOTHING if number is None else Grip.LINK), place
        assert hit.item == (None if number is None else Item(Part.SECTION, number))


@pytest.mark.parametrize("ramp", [False, True])
def test_ends_of_the_blends_are_grabbed_near_them(scene, shown, ramp) -> None:
    scene.montages.preview(replace(scene.now, blend_out_trigger=-1.0 if ramp else 0.5))
    into, out, gone = shown.blend_xs()
    assert into == shown.x(shown.montage.blend_in.seconds) and out == shown.x(trigger_time(shown.montage))
    assert gone == pytest.approx(out + SCALE * shown.montage.blend_out.seconds)
    y = middle(shown, RowKind.BLEND)
    assert shown.hit(into + EDGE + 1.0, y).grip is Grip.BLEND_IN
    assert shown.hit(into + EDGE + 1.1, y).grip is Grip.NOTHING
    assert shown.hit(out - EDGE - 1.0, y).grip is (Grip.RAMP if ramp else Grip.TRIGGER)
    assert shown.hit(gone + EDGE + 1.0, y).grip is Grip.BLEND_OUT
    scene.montages.preview(replace(scene.now, auto_blend_out=False))
    assert shown.hit(gone, y).grip is Grip.NOTHING and shown.hit(into, y).grip is Grip.BLEND_IN


def test_labels_and_rows_of_curves_are_hit_as_what_they_are(scene, shown) -> None:
    assert shown.hit(LABELS - 0.1, HEAD + 1.0).grip is Grip.LABEL and shown.hit(LABELS - 0.1, 1.0).row is None
    assert shown.hit(LABELS - 0.1, HEAD + 1.0).row is shown.rows()[0]
    scene.montages.preview(replace(scene.now, curves={"weight": scalar_track([0.0], [0.0])}))
    hit = shown.hit(x(1.0), middle(shown, RowKind.CURVE))
    assert (hit.grip, hit.item, hit.row) == (Grip.NOTHING, None, row(shown, RowKind.CURVE))


# ---------------------------------------------------------------- view
def test_one_can_scroll_to_the_end_of_the_rows(shown) -> None:
    bottom = shown.rows()[-1].bottom
    assert shown.most_scroll == bottom + 6.0 - 40.0
    for scroll, kept in ((10.0, 10.0), (-5.0, 0.0), (1e4, shown.most_scroll)):
        shown.set_scroll(scroll)
        assert shown.scroll == kept
    shown.set_size(LABELS + 500.0, HEAD + bottom)
    assert shown.scroll == shown.most_scroll == 6.0
    shown.set_size(LABELS + 500.0, 10.0)
    assert shown.most_scroll == bottom + 5.0


def test_what_differs_is_told_once(shown) -> None:
    shown.set_scroll(0.0)
    shown.set_axis(shown.axis)
    shown.set_size(LABELS + 500.0, HEAD + 40.0)
    shown.set_size(LABELS + 500.4, HEAD + 40.0)
    assert shown.told == []
    shown.set_size(LABELS + 500.0, HEAD + 41.0)
    assert len(shown.told) == 1
    shown.set_size(LABELS + 501.0, HEAD + 41.0)
    assert len(shown.told) == 2 and shown.axis.width == 501.0
    shown.pan(10.0, -5.0)
    assert shown.scroll == 5.0 and shown.axis.start == pytest.approx(-10.0 / SCALE) and len(shown.told) == 4


def test_all_is_shown_until_somebody_zooms(scene, shown) -> None:
    shown.fit_all()
    assert shown.x(0.0) >= LABELS and shown.x(3.0) <= LABELS + 500.0
    scale = shown.axis.scale
    shown.set_size(LABELS + 1000.0, HEAD + 40.0)
    assert shown.axis.scale > 1.5 * scale, "it fits the new size"
    shown.set_axis(replace(shown.axis, start=0.5))
    scale = shown.axis.scale
    shown.set_size(LABELS + 500.0, HEAD + 40.0)
    assert shown.axis.scale == scale and shown.axis.start == 0.5


def test_a_panel_that_gets_its_size_shows_all(scene) -> None:
    made = MontageShown(scene.montages, scene.preview, scene.session.playback)
    made.set_size(LABELS + 700.0, 300.0)
    assert made.axis == made.axis.fitted(0.0, 3.0) and made.axis.width == 700.0


def test_what_blends_out_behind_the_end_is_shown_too(scene, shown) -> None:
    shown.fit_all()
    whole = shown.axis
    assert whole == shown.axis.fitted(0.0, max(3.0, trigger_time(scene.now) + scene.now.blend_out.seconds))
    scene.montages.preview(replace(scene.now, blend_out_trigger=0.0))
    shown.fit_all()
    assert shown.axis == whole.fitted(0.0, 3.0 + scene.now.blend_out.seconds) and shown.axis != whole


def test_another_montage_is_shown_from_its_top(scene, shown) -> None:
    shown.set_scroll(10.0)
    shown.follow_montage()
    assert shown.scroll == 10.0 and shown.axis.scale == SCALE
    other = replace(scene.now, id=AssetId("montage-2"), name="second")
    scene.session.edits.put("another", other)
    scene.montages.open(other.id)
    shown.follow_montage()
    assert shown.scroll == 0.0 and shown.axis.scale != SCALE


def test_the_axis_takes_the_frames_of_the_montage(scene, shown) -> None:
    scene.session.edits.put("rate", replace(scene.clip(SWING), rate=FrameRate.of(24)))
    assert shown.axis.rate == FrameRate.of(30)
    shown.follow_montage()
    assert shown.axis.rate == FrameRate.of(24) and shown.axis.scale == SCALE


def test_what_is_selected_is_fitted_and_what_is_gone_is_not(scene, shown) -> None:
    scene.pick(Item(Part.SEGMENT, 1, 0), Item(Part.NOTIFY, 1))
    shown.fit_picked()
    wanted = TimeAxis(0.0, SCALE, 500.0, shown.axis.rate).fitted(1.2, 3.0)
    assert (shown.axis.start, shown.axis.scale) == pytest.approx((wanted.start, wanted.scale))
    scene.montages._picked = (Item(Part.SEGMENT, 7, 0),)
    shown.fit_picked()
    every = shown.axis
    shown.fit_all()
    assert shown.axis == every

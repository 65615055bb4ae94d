"""What lies where in the montage panel, to the pixel: rows, boxes, what the pointer hits, boxes that select, curves."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Notify
from core.graph import montage_edits as edits
from core.graph.montage_problems import Part
from core.tracks.keys import scalar_track
from editor.model.montage.montages import Item
from editor.model.montage.rows import HEAD, LABELS, RULER, SECTIONS
from editor.model.montage.shown import MontageShown
from editor.model.time_axis import TimeAxis
from tests.editor.tools.montage.scene import KICK, SWING, Scene
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def scene() -> Iterator[Scene]:
    made = Scene()
    yield made
    made.preview.stop()
    made.session.close()


@pytest.fixture
def shown(scene: Scene) -> MontageShown:
    """Two tracks of three segments, notifies above each other on two lanes, notifies and curves of clips, a curve."""
    swing, kick = scene.clip(SWING), scene.clip(KICK)
    curve = scalar_track([0.0, 1.0, 2.0], [0.0, 1.0, -0.5])
    swing = replace(
        swing, notifies=(Notify("step", 0.5), Notify("whoosh", 0.6, 0.8)), curves={"speed": curve}
    )
    kick = replace(kick, notifies=(Notify("late", 0.9, 3.0),), curves={"speed": curve, "reach": curve})
    montage, _ = edits.with_segment(edits.with_track(scene.now, "Legs"), 1, edits.whole(kick, 0.25))
    montage, _ = edits.with_segment(montage, 1, edits.whole(kick, 1.265625))  # two pixels behind the other
    first = montage.tracks[0]
    segments = (replace(first.segments[0], begin=0.5, rate=2.0), replace(first.segments[1], place=2.5))
    montage = replace(
        montage, tracks=(replace(first, segments=segments), *montage.tracks[1:]),
        notifies=(
            Notify("hit", 0.375), Notify("trail", 1.25, 0.5, lane="Sounds"), Notify("hit again", 0.4375),
            Notify("long", 0.25, 1.875), Notify("x", 1.3125, lane="Sounds"),
        ),
        curves={"weight": curve},
    )  # fmt: skip
    scene.session.edits.put("more", swing, kick, montage)
    made = MontageShown(scene.montages, scene.preview, scene.session.playback)
    made.follow_montage()
    made.set_size(700.0, 260.0)
    return made


def rows(shown: MontageShown) -> list[object]:
    return [(r.kind, r.top, r.height, r.bottom, r.title, r.track, r.name, shown.top(r)) for r in shown.rows()]


def seen(shown: MontageShown) -> tuple[float, ...]:
    return shown.axis.start, shown.axis.scale, shown.axis.width, shown.axis.rate.fps


def every(shown: MontageShown) -> list[Item]:
    montage = shown.montage
    segments = [
        Item(Part.SEGMENT, k, t) for t, track in enumerate(montage.tracks) for k in range(len(track.segments))
    ]
    notifies = [Item(Part.NOTIFY, k) for k in range(len(montage.notifies))]
    return [*segments, *notifies, *(Item(Part.SECTION, k) for k in range(len(montage.sections)))]


def boxes(shown: MontageShown) -> list[object]:
    links = [shown.link_box(k) for k in range(len(shown.montage.sections))]
    clips = [(n.notify.name, n.time, n.duration, box) for n, box in shown.clip_notify_boxes()]
    return [[shown.box_of(item) for item in every(shown)], links, clips, shown.blend_xs()]


VIEWS = {
    "exact": lambda s: s.set_axis(
        TimeAxis(0.0, 128.0, s.axis.width, s.axis.rate)
    ),  # pixels without a remainder
    "all": lambda s: s.fit_all(),
    "near": lambda s: s.fit(0.3, 0.9),
    "far": lambda s: s.set_axis(TimeAxis(-4.0, 12.0, s.axis.width, s.axis.rate)),
    "scrolled": lambda s: s.pan(-30.0, -25.0),
    "wide": lambda s: s.set_size(1400.0, 90.0),
    "narrow": lambda s: s.set_size(LABELS - 10.0, HEAD - 5.0),
}


@pytest.mark.parametrize("view", list(VIEWS))
def test_where_everything_is(shown: MontageShown, view: str) -> None:
    told = []
    shown.changed.connect(lambda _: told.append(1))
    VIEWS[view](shown)
    PINS.hold(f"{view}: view", seen(shown), shown.scroll, shown.most_scroll, len(told))
    PINS.hold(f"{view}: rows", rows(shown))
    PINS.hold(f"{view}: boxes", boxes(shown))


def near(places: list[float], away: tuple[float, ...]) -> list[float]:
    """Places, and those so far from them, each once."""
    return sorted({place + d for place in places for d in (*away, 0.0)})


@pytest.mark.parametrize("ramp", [False, True])
@pytest.mark.parametrize("view", ["exact", "far", "scrolled"])
def test_what_is_under_the_pointer(shown: MontageShown, scene: Scene, view: str, ramp: bool) -> None:
    if ramp:
        scene.session.edits.put("ramp", replace(shown.montage, blend_out_trigger=-1.0))
    VIEWS[view](shown)
    found = [shown.box_of(item) for item in every(shown)]
    reach = (-7.0, -6.0, -5.5, -3.0, 3.0, 5.5, 6.0, 7.0) if view == "exact" else (-4.0, 4.0)
    xs = near([x for box in found for x in box[::2]] + list(shown.blend_xs()) + [LABELS], reach)
    ys = [
        0.0,
        RULER / 2.0,
        RULER / 2.0 + 0.5,
        RULER - 0.5,
        RULER,
        RULER + SECTIONS - 0.5,
        RULER + SECTIONS,
        HEAD - 0.5,
    ]
    ys += near([y for box in found for y in box[1::2] if y >= HEAD], (-2.5, -1.0, 1.0, 2.5))
    ys += [y for row in shown.rows() for y in (shown.top(row), shown.top(row) + row.height - 0.5)] + [900.0]
    rows_hit: dict[str, list[object]] = {}
    for y in ys:
        row = shown.row_at(y)
        line = rows_hit.setdefault("head" if y < HEAD else "below" if row is None else row.title, [])
        for x in xs:
            hit = shown.hit(x, y)
            line += [hit.grip, hit.item, hit.row is row, hit.row is None]
    for title, line in rows_hit.items():
        PINS.hold(f"{view}{', ramp' if ramp else ''}: hits in {title}", line)


def test_what_a_box_touches(shown: MontageShown) -> None:
    VIEWS["exact"](shown)
    found = []
    for left in np.arange(140.0, 700.0, 70.0):
        found += [shown.touched((left, top, left + 40.0, top + 12.0)) for top in np.arange(HEAD, 260.0, 17.0)]
    PINS.hold("touched by boxes", found)
    left, top, right, bottom = shown.segment_box(0, 0)
    for box, wanted in (
        ((right, bottom, right + 1.0, bottom + 1.0), True), ((left - 5.0, top - 5.0, left, top), True),
        ((left - 5.0, top - 5.0, left - 0.1, bottom), False), ((left, top - 5.0, right, top - 0.1), False),
        ((right + 0.1, top, right + 9.0, bottom), False), ((left, bottom + 0.1, right, bottom + 9.0), False),
    ):  # fmt: skip
        assert (Item(Part.SEGMENT, 0, 0) in shown.touched(box)) is wanted


def test_curves_of_the_montage_and_of_its_clips(shown: MontageShown) -> None:
    xs = np.linspace(0.0, 552.0, 60)
    assert shown.curve_names() == ("weight", "speed", "reach")
    for name in (*shown.curve_names(), "none"):
        values, own = shown.curve(name, xs)
        assert own is (name == "weight")
        PINS.hold(f"curve {name}", values)


def test_the_view_follows_what_is_selected_and_which_montage_is_open(
    shown: MontageShown, scene: Scene
) -> None:
    assert shown.time(shown.x(1.25)) == pytest.approx(1.25)
    shown.fit_picked()
    whole = seen(shown)
    scene.pick(Item(Part.SEGMENT, 1, 0), Item(Part.NOTIFY, 4))
    shown.fit_picked()
    PINS.hold("fitted to what is selected", seen(shown))
    start, scale, _, _ = seen(shown)
    shown.set_size(700.0, 200.0)  # somebody zoomed: it stays
    assert seen(shown)[:2] == (start, scale) and scale != whole[1]
    scene.pick()
    shown.fit_picked()
    PINS.hold("nothing is selected", seen(shown))
    shown.set_scroll(-5.0)
    assert shown.scroll == 0.0
    shown.set_scroll(1e6)
    assert shown.scroll == shown.most_scroll > 0.0
    shown.follow_montage()  # the same montage
    assert shown.scroll == shown.most_scroll
    box, told = (1.0, 2.0, 3.0, 4.0), []
    shown.changed.connect(lambda _: told.append(1))
    shown.show_box(box)
    assert shown.box == box and told == [1]
    other = edits.new_montage(type(shown.montage.id)("montage-2"), "other", shown.montage.rig, [])
    scene.session.edits.put("another", other)
    scene.montages.open(other.id)
    shown.follow_montage()
    assert shown.scroll == 0.0 and shown.rate == scene.session.playback.rate
    PINS.hold("an empty montage", seen(shown), rows(shown), boxes(shown))


def test_without_a_montage_there_is_nothing(scene: Scene) -> None:
    scene.session.edits.remove("gone", scene.now.id)
    shown = MontageShown(scene.montages, scene.preview, scene.session.playback)
    shown.set_size(700.0, 260.0)
    shown.follow_montage()
    assert shown.rows() == () and shown.touched((0.0, 0.0, 900.0, 900.0)) == () and shown.in_clips() == ()
    assert shown.curve_names() == () and shown.clip_notify_boxes() == () and shown.row_at(100.0) is None
    values, own = shown.curve("speed", np.zeros(3))
    assert np.isnan(values).all() and not own
    hit = shown.hit(300.0, 100.0)
    assert (hit.grip.value, hit.item, hit.row) == ("nothing", None, None) and shown.most_scroll == 0.0

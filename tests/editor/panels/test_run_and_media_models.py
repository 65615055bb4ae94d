"""Media, the run's lanes and a played run without widgets: words, places, drags; by pins and tables."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.ids import AssetId
from core.locomotion.input import Gait
from core.media.tracks import AudioTrack, ReferenceTrack
from editor.model.graph_run.lanes import Bar, Lane, LaneKind
from editor.panels.graph_run.view_model import GAP, HEIGHTS, LABELS, RULER, RunModel
from editor.panels.media.view_model import about, filters, rows
from editor.panels.play_run.view_model import ScrubModel
from tests.editor.panels.graph_run.test_graph_run_view_model import STATES, Run
from tests.editor.panels.play_run.test_play_run_view_model import model as scrub_model
from tests.editor.panels.play_run.test_play_run_view_model import note as step_note
from tests.pins import Pins

PINS = Pins(__file__)


# ------------------------------------------------------------ media
class Shelf:
    """Media whose files are given."""

    rate = 30.0

    def __init__(
        self, tracks, problem="", seconds=1.5, cut=False, size=(640, 480), times=(0.0, 0.5, 1.0)
    ) -> None:
        self.tracks, self._problem, self._seconds = tracks, problem, seconds
        footage = SimpleNamespace(size=size, times=np.array(times), cut=cut)
        sound = SimpleNamespace(cut=cut)
        self.files = SimpleNamespace(sound=lambda track: sound, footage=lambda track, rate: footage)

    def problem(self, track) -> str:
        return self._problem

    def seconds(self, track) -> float | None:
        return self._seconds


AUDIO = AudioTrack(AssetId("a"), "sound", "a.wav", AssetId("clip"), 0.5)
FOOTAGE = ReferenceTrack(AssetId("b"), "film", "b.mp4", AssetId("clip"), 0.25)


def test_tracks_as_the_list_shows_them() -> None:
    shelf = Shelf([AUDIO, replace(AUDIO, muted=True), FOOTAGE, replace(FOOTAGE, shown=False)])
    assert [(r.name, r.start, r.audio, r.on, r.wrong) for r in rows(shelf)] == [
        ("sound", "15", True, True, False), ("sound", "15", True, False, False),
        ("film", "7.5", False, True, False), ("film", "7.5", False, False, False),
    ]  # fmt: skip
    assert all(row.wrong for row in rows(Shelf([AUDIO], problem="no file")))


@pytest.mark.parametrize(
    ("track", "shelf", "words"),
    [
        (AUDIO, {"problem": "cannot be read"}, "Cannot be read"), (AUDIO, {"seconds": None}, "Reading…"),
        (AUDIO, {"seconds": 12.3456}, "12.3 s of sound"),
        (AUDIO, {"cut": True}, "1.5 s of sound, the first hour is played"),
        (FOOTAGE, {"seconds": None}, "Reading…"), (FOOTAGE, {"seconds": np.inf}, "image, 640 × 480"),
        (FOOTAGE, {}, "3 images, 640 × 480, 2 a second"),
        (FOOTAGE, {"cut": True}, "3 images, 640 × 480, 2 a second, the rest is not shown"),
        (FOOTAGE, {"times": (0.5, 1.0), "seconds": 2.5}, "2 images, 640 × 480, 1 a second"),
        (FOOTAGE, {"times": (0.0,), "seconds": 0.0}, "1 image, 640 × 480, ? a second"),
        (FOOTAGE, {"times": np.arange(48) / 23.976, "seconds": 48 / 23.976}, "48 images, 640 × 480, 23.976 a second"),
    ],
)  # fmt: skip
def test_what_is_told_of_a_file(track, shelf, words) -> None:
    assert about(Shelf([track], **shelf), track) == words


def test_files_to_choose_from() -> None:
    sound, film = filters(True), filters(False)
    assert sound[-1] == film[-1] == "All files (*)" and "*.wav" in sound[0] and "*.mp4" in sound[0]
    assert "*.png" in film[0] and "*.mp4" in film[0] and "*.png" not in film[1] and "*.mp4" not in film[2]


# ------------------------------------------------------------ the run
def test_lanes_of_a_run_and_of_the_run_before_it() -> None:
    old = Lane(LaneKind.STATES, "moves", "before", "n-1", bars=[Bar(0.0, 2.0, "idle", "n-9")])
    run = Run()
    run.deck.comparison = SimpleNamespace(
        book=SimpleNamespace(named=lambda key: old if key == "moves" else None)
    )
    model = RunModel(run)
    model.resize(LABELS + 600.0, 120.0)
    row = next(row for row in model.rows() if row.lane is STATES)
    assert row.whole == 2.0 * row.height == 2.0 * HEIGHTS[LaneKind.STATES]
    assert model.content() == sum(row.whole for row in model.rows()) + GAP * (len(model.rows()) - 1)
    with PINS.together("run") as note:
        for scroll, height in itertools.product((0.0, 30.0, 900.0), (120.0, 60.0, 400.0, 10.0)):
            model.scroll = scroll
            model.resize(LABELS + 600.0, height)
            note(model.scroll, model.bar(), model.content())
        model.resize(LABELS + 600.0, 160.0)
        model.scroll = 0.0
        for x, y in itertools.product((20.0, *(model.x(t) for t in (0.0, 0.48, 0.5, 0.9, 1.5, 2.03, 3.5))),
                                      np.arange(4.0, 160.0, 9.0)):  # fmt: skip
            found = model.at(x, float(y))
            note(found.part, found.time, found.old, found.node, model.hint(found),
                 None if found.row is None else found.row.lane.key)  # fmt: skip
            assert found.row is None or y >= RULER
        for shift, middle, (x, y) in itertools.product(
            (False, True), (False, True), ((20.0, 60.0), (model.x(0.5), 10.0), (model.x(1.2), 60.0))
        ):
            model.axis = model.axis.fitted(0.0, 3.0)
            model.follow = False
            model.press(x, y, shift=shift, middle=middle)
            note(model.dragging, run.nodes[-1:], run.seeks[-1:], model.follow)
            for to in (x + 2.0, x + 70.0, x - 500.0):
                model.move(to, y + 20.0)
                note(run.seeks[-1:], run.replay.span, model.axis.start, model.scroll)
            model.cancel() if shift else model.release()
            note(model.dragging, run.replay.span)
        for steps, shift, alt, x in itertools.product(
            (1.0, -2.0), (False, True), (False, True), (30.0, 400.0)
        ):
            model.wheel(x, steps, shift=shift, alt=alt)
            note(model.axis.start, model.axis.scale, model.scroll)
        for span in (None, (0.5, 1.5)):
            run.replay.span = span
            model.fit()
            note(model.axis.start, model.axis.end)
        for at, by in itertools.product((0, 1, 3, 5, 8), (1, -1)):
            run.take.at = at
            model.step_change(by)
            note(run.take.at)


def test_curves_and_bars_of_a_played_run() -> None:
    notes = [
        *[step_note(moving=False, speed=0.0)] * 4, *[step_note(speed=120.0, slip=(3.0, 12.0))] * 5,
        *[step_note(gait=Gait.RUN, speed=410.0, slip=(60.0,))] * 3, *[step_note(in_air=True, jumped=True)] * 4,
        *[step_note(in_air=True)] * 3, *[step_note(crouching=True, gait=Gait.SPRINT)] * 2,
    ]  # fmt: skip
    with PINS.together("played run") as note:
        for width in (600.0, 84.0, 40.0):
            made = scrub_model(notes, width=width)
            for lane in ("speed", "slip"):
                note(made.title(lane), made.line(lane))
            for lane in ("gait", "ground"):
                note(made.title(lane), made.bars(lane))
            note(made.ticks(), made.shown_steps)
    empty = ScrubModel(SimpleNamespace(run=None))
    assert empty.line("speed").shape == (0, 2) and empty.bars("gait") == () and empty.step(500.0) == 0
    empty.press(300.0, False)
    assert empty.dragging == ""
    spans: list[object] = []
    made = scrub_model(notes)
    made.play.set_span, made.play.goto = spans.append, spans.append
    made.press(made.x(3), True)
    made.move(made.x(7))
    made.release(made.x(9))
    made.release(made.x(2))
    assert spans == [(3, 7), (3, 9)] and made.dragging == ""
    made.press(made.x(5), False)
    made.move(made.x(6))
    made.release(made.x(8))
    assert spans[2:] == [5, 6] and made.dragging == ""

"""What a transport runs over: clips of the document, layers in hand, clips from outside, and edits of all of them."""

from dataclasses import replace

import pytest

from core.clips.clip import Clip
from core.ids import AssetId
from core.project.project import Project
from core.timing import FrameRate
from editor.model.document import Document
from editor.model.playback import LoopMode, Playback, PlayMode
from tests.editor.model.transports import CLIP, LAYER, OTHER, RIG, Told, project, put
from tests.editor.rigs import RATE, small_clip, small_rig


@pytest.fixture
def document() -> Document:
    return Document(project())


@pytest.fixture
def playback(document: Document) -> Playback:
    made = Playback(document)
    made.set_clip(CLIP)
    return made


# ---------------------------------------------------------------- what is shown
def test_nothing_is_shown_at_first(document: Document) -> None:
    playback = Playback(document)
    assert (playback.clip, playback.rig, playback.below, playback.shown) == (None, None, None, None)
    assert (playback.length, playback.rate, playback.span) == (0.0, FrameRate.of(30), (0.0, 0.0))
    assert (playback.time, playback.turns, playback.playing, playback.ticked_at) == (0.0, 0, False, None)
    assert (playback.speed, playback.mode, playback.loop) == (1.0, PlayMode.REAL_TIME, LoopMode.LOOP)
    assert playback.in_place and playback.direction == 1 and playback.range is None
    assert len(playback.key_times()) == 0


def test_rate_is_that_of_the_clip(document: Document, playback: Playback) -> None:
    put(document, document.project.with_assets(replace(playback.shown, rate=FrameRate.of(24))))
    assert playback.rate == FrameRate.of(24)
    playback.seek(0.5)
    assert playback.frame == pytest.approx(12.0)


def test_showing_the_clip_that_is_shown_tells_nobody(playback: Playback) -> None:
    told = Told(playback)
    playback.set_range(0.5, 1.0)
    told.take()
    playback.set_clip(CLIP)
    assert told.take() == [] and playback.range == (0.5, 1.0)


def test_showing_the_clip_that_is_shown_ends_a_transient_one(playback: Playback) -> None:
    playback.set_transient_clip(small_clip(small_rig(), 1.0))
    told = Told(playback)
    playback.set_clip(CLIP)
    assert playback.transient_clip is None and told.take() == ["clip"]


def test_another_clip_drops_range_turns_and_a_time_beyond_it(playback: Playback) -> None:
    playback.set_range(0.25, 1.75)
    playback.play()
    playback.tick(0.0)
    playback.tick(1.75 + 1.0)
    assert playback.turns == 1 and playback.time == pytest.approx(1.25)
    told = Told(playback)
    playback.set_clip(OTHER)
    assert (playback.range, playback.turns, playback.time) == (None, 0, 0.5)
    assert told.take() == ["clip", "range", "time"] and playback.playing


def test_another_clip_without_a_range_is_no_news_of_ranges(playback: Playback) -> None:
    told = Told(playback)
    playback.set_clip(OTHER)
    assert told.take() == ["clip"]


def test_a_layer_in_hand_keeps_turns_and_a_range_within_it(playback: Playback) -> None:
    playback.set_range(0.25, 1.0)
    playback.play()
    playback.tick(0.0)
    playback.tick(1.5)
    told = Told(playback)
    playback.set_clip(LAYER, below=CLIP)
    assert (playback.clip, playback.below, playback.range, playback.turns) == (LAYER, CLIP, (0.25, 1.0), 1)
    assert told.take() == ["clip"]
    playback.set_clip(CLIP)
    assert (playback.below, playback.range, playback.turns) == (None, (0.25, 1.0), 1)


def test_a_layer_in_hand_drops_a_range_beyond_it(playback: Playback) -> None:
    playback.set_range(0.25, 1.0 + 1e-3)
    told = Told(playback)
    playback.set_clip(LAYER, below=CLIP)
    assert playback.range is None and told.take() == ["clip", "range"]


@pytest.mark.parametrize("below", [AssetId("nobody"), RIG])
def test_a_clip_below_that_is_no_clip_counts_as_none(playback: Playback, below: AssetId) -> None:
    playback.set_clip(LAYER, below=below)
    assert (playback.clip, playback.below) == (LAYER, None)


def test_without_a_clip_nothing_is_below(playback: Playback) -> None:
    playback.set_clip(None, below=CLIP)
    assert (playback.clip, playback.below, playback.rig) == (None, None, RIG)


@pytest.mark.parametrize("rig", [AssetId("nobody"), CLIP])
def test_a_rig_that_is_no_rig_counts_as_none(playback: Playback, rig: AssetId) -> None:
    playback.set_clip(None, rig)
    assert (playback.clip, playback.rig) == (None, None)


def test_without_a_clip_time_stops(playback: Playback) -> None:
    playback.play()
    told = Told(playback)
    playback.set_clip(None)
    assert not playback.playing and told.take() == ["state", "clip"]


# ---------------------------------------------------------------- clips outside the document
def test_a_transient_clip_runs_with_its_own_length_and_rate(playback: Playback) -> None:
    outside = replace(small_clip(small_rig(), 0.75), rate=FrameRate.of(60))
    playback.set_range(0.25, 1.75)
    playback.seek(1.5)
    told = Told(playback)
    playback.set_transient_clip(outside)
    assert (playback.length, playback.rate, playback.range, playback.time) == (
        0.75,
        outside.rate,
        None,
        0.75,
    )
    assert told.take() == ["clip", "range", "time"] and playback.shown.id == CLIP
    playback.set_transient_clip(outside)
    assert told.take() == []
    playback.set_transient_clip(None)
    assert playback.length == 2.0 and told.take() == ["clip"]


def test_a_transient_clip_plays_without_a_clip_of_the_document(document: Document) -> None:
    playback = Playback(document)
    playback.play()
    assert not playback.playing
    playback.set_transient_clip(small_clip(small_rig(), 0.75))
    playback.seek(9.0)
    assert playback.time == 0.75
    playback.play()
    assert playback.playing


# ---------------------------------------------------------------- edits
def test_a_layer_in_hand_that_goes_shows_the_clip_below(document: Document, playback: Playback) -> None:
    playback.set_clip(LAYER, below=CLIP)
    put(document, document.project.without(LAYER))
    assert (playback.clip, playback.below) == (CLIP, None)


def test_a_clip_below_that_goes_leaves_the_layer_as_a_clip(document: Document, playback: Playback) -> None:
    playback.set_clip(LAYER, below=OTHER)
    put(document, document.project.without(OTHER))
    assert (playback.clip, playback.below) == (LAYER, None)


def test_a_clip_that_goes_shows_the_first_one_left(document: Document, playback: Playback) -> None:
    playback.set_clip(LAYER)
    put(document, document.project.without(LAYER))
    assert playback.clip == CLIP


def test_a_character_that_goes_leaves_nothing_shown_and_time_still(
    document: Document, playback: Playback
) -> None:
    playback.set_clip(None)
    playback.set_transient_clip(small_clip(small_rig(), 1.0))
    playback.play()
    told = Told(playback)
    put(document, Project())
    assert (playback.rig, playback.clip, playback.below, playback.transient_clip) == (None, None, None, None)
    assert not playback.playing and told.take() == ["state", "clip"]


def with_length(document: Document, clip: AssetId, seconds: float) -> None:
    put(document, document.project.with_assets(replace(document.project.get(Clip, clip), length=seconds)))


def test_a_clip_cut_before_its_range_plays_whole(document: Document, playback: Playback) -> None:
    playback.set_range(1.0, 1.75)
    with_length(document, CLIP, 0.75)
    assert playback.range is None


def test_a_shorter_clip_takes_time_and_range_along_and_a_longer_one_neither(
    document: Document, playback: Playback
) -> None:
    playback.set_range(0.5, 2.0)
    playback.seek(1.75)
    told = Told(playback)
    with_length(document, CLIP, 3.0)
    assert (playback.range, playback.time, told.take()) == ((0.5, 2.0), 1.75, [])
    with_length(document, CLIP, 1.5)
    assert (playback.range, playback.time) == ((0.5, 1.5), 1.5) and told.take() == ["range", "time"]


def test_another_clip_that_changes_leaves_the_transport_alone(document: Document, playback: Playback) -> None:
    playback.seek(2.0)
    told = Told(playback)
    with_length(document, OTHER, 0.25)
    assert told.take() == [] and playback.time == 2.0 and playback.rate == RATE

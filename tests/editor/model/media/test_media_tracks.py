"""Tracks of media: which are shown and heard, what is told, names and places of files, and what a drag spreads."""

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.media.tracks import CARD, WHOLE, AudioTrack, Placement, ReferenceTrack
from core.timing import FrameRate
from editor.model.events import Event
from editor.model.media.pictures import ReferencePictures
from editor.model.media.state import Media
from editor.model.playback import LoopMode
from editor.model.session import Session
from tests.editor.actions import rich

SOUND, VIDEO, OTHER = AssetId("audio-1"), AssetId("reference-1"), AssetId("reference-2")


@pytest.fixture
def session():
    """A sound and a video of the clip shown, a picture of another; files are never read."""
    made = rich.session()
    made.jobs.runner = lambda work, then: None
    made.edits.put(
        "media", AudioTrack(SOUND, "a.wav", "/nowhere/a.wav", made.clip.id, 0.2),
        ReferenceTrack(VIDEO, "b.mp4", "/nowhere/b.mp4", None, 0.5),
        ReferenceTrack(OTHER, "c", "/nowhere/c.png", AssetId("clip-2"), 0.0),
    )  # fmt: skip
    yield made
    made.close()


@pytest.fixture
def media(session) -> Media:
    made = session.feature(Media)
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    made.voices, made.seen = [], []
    made.player.set_voices = lambda voices: made.voices.append(list(voices))
    made.pictures.set_tracks = lambda tracks: made.seen.append(tracks)
    return made


def loaded(media: Media, seconds: float = 1.5) -> SimpleNamespace:
    """Let the files of the tracks be there."""
    sound = SimpleNamespace(seconds=seconds)
    media.files.sound = lambda track: sound
    media.files.footage = lambda track, rate: SimpleNamespace(end=math.inf if track.id == OTHER else 2.5)
    return sound


# ---------------------------------------------------------------- what is told
def test_how_long_a_file_is_as_far_as_that_is_known(session, media) -> None:
    assert [media.seconds(track) for track in media.tracks] == [None, None]
    loaded(media)
    assert [media.seconds(track) for track in media.tracks] == [1.5, 2.5]
    assert media.seconds(session.document.project.get(ReferenceTrack, OTHER)) == math.inf


def test_sounds_that_are_not_muted_are_heard_and_references_seen(session, media) -> None:
    media._spread()
    assert media.voices == [[]] and media.seen == [media.references] and media.told == [1]
    sound = loaded(media)
    media.set(SOUND, "Volume", volume=0.25)
    assert [(v.sound, v.start, v.volume) for v in media.voices[-1]] == [(sound, 0.2, 0.25)]
    media.toggle(SOUND)
    assert media.voices[-1] == [] and media.audio[0].muted
    media.toggle(SOUND)
    assert len(media.voices[-1]) == 1


def test_a_file_that_is_read_and_a_device_that_is_found_are_told(media) -> None:
    media.files.changed.emit(None)
    assert len(media.voices) == len(media.seen) == 1 and media.told == [1]
    media.player.changed.emit(None)
    assert media.told == [1, 1] and len(media.voices) == 1


def test_an_edit_of_something_else_is_not_told(session, media) -> None:
    rig = session.document.project.rigs[0]
    session.edits.put("rig", replace(rig, name="renamed"))
    assert media.told == []
    session.edits.put("rate", replace(session.clip, rate=FrameRate.of(24)))
    assert media.told == [1] and media.rate == 24.0


def test_a_clip_outside_the_document_has_no_media(session, media) -> None:
    session.playback.set_transient_clip(session.clip)
    assert media.tracks == () and media.seen[-1] == ()
    session.playback.set_transient_clip(None)
    assert [t.id for t in media.tracks] == [SOUND, VIDEO]


def test_a_drag_is_heard_and_seen_meanwhile(session, media) -> None:
    loaded(media)
    media.drag(SOUND, start=1.0)
    assert media.voices[-1][0].start == 1.0 and media.audio[0].start == 1.0
    media.drag(VIDEO, opacity=0.25)
    assert media.seen[-1][0].opacity == 0.25 and media.voices[-1][0].start == 0.2, "one drag at a time"
    media.cancel()
    assert media.seen[-1][0].opacity == 0.6 and len(media.told) == 3


def test_a_drag_out_of_bounds_is_refused_and_changes_nothing(session, media) -> None:
    media.drag(SOUND, start=1.0)
    with pytest.raises(ValidationError):
        media.drag(SOUND, volume=9.0)
    assert media.audio[0].start == 1.0 and len(media.told) == 1


def test_another_edit_ends_a_drag(session, media) -> None:
    media.drag(SOUND, start=1.0)
    session.edits.put("rig", replace(session.document.project.rigs[0], name="renamed"))
    assert media.audio[0].start == 0.2 and len(media.told) == 2


def test_in_a_new_session_there_are_no_media() -> None:
    session = Session.create()
    media = session.feature(Media)
    assert media.tracks == () and media.chosen is None and media.chosen_track is None and media.rate == 30.0
    assert media.pictures.shown() == () and media.player.problem == "" and media.pictures.rows == 720
    media.cancel()
    assert media.audio == () and media.references == ()
    session.close()


# ---------------------------------------------------------------- edits
@pytest.mark.parametrize("kind", ["audio", "reference"])
def test_a_new_track_is_of_the_clip_shown_and_chosen(session, media, kind) -> None:
    path = Path("/nowhere/x/../new.file")
    made = (media.add_audio if kind == "audio" else media.add_reference)(path, 0.75)
    assert (made.name, made.path, made.clip, made.start) == (
        "new.file",
        "/nowhere/new.file",
        session.clip.id,
        0.75,
    )
    assert media.chosen == made.id and media.chosen_track == made and media.track(made.id) == made
    assert session.history.labels[-1] == f"Add {kind} new.file"
    assert isinstance(made, AudioTrack if kind == "audio" else ReferenceTrack)


def test_a_path_without_a_name_is_its_own_name(media) -> None:
    assert media.add_audio(Path("/")).name == "/"


def test_without_a_clip_nothing_is_added(session, media) -> None:
    session.playback.set_clip(None, session.rig.id)
    steps = session.history.position
    for add in (media.add_audio, media.add_reference):
        with pytest.raises(AnimError, match="open or make a clip first"):
            add(Path("/nowhere/a.wav"))
    assert session.history.position == steps and media.chosen is None


def test_a_track_of_a_name_of_its_own_keeps_it_with_another_file(session, media) -> None:
    media.choose_another(SOUND, Path("/elsewhere/new.wav"))
    assert (media.audio[0].name, media.audio[0].path) == ("new.wav", "/elsewhere/new.wav")
    media.set(SOUND, "Name", name="steps")
    media.choose_another(SOUND, Path("/elsewhere/newer.wav"))
    assert (media.audio[0].name, media.audio[0].path) == ("steps", "/elsewhere/newer.wav")
    assert session.history.labels[-1] == "File of steps" and media.audio[0].start == 0.2
    media.set(SOUND, "Name", name="/elsewhere/newer.wav")
    media.choose_another(SOUND, Path("/elsewhere/newest.wav"))
    assert media.audio[0].name == "newest.wav"


def test_the_same_file_is_only_looked_at_again(session, media) -> None:
    asked = []
    media.files.read_again = lambda track, rate: asked.append((track.id, rate))
    steps = session.history.position
    media.choose_another(SOUND, Path("/nowhere/a.wav"))
    assert asked == [(SOUND, 30.0)] and session.history.position == steps
    media.choose_another(SOUND, Path("/nowhere/other.wav"))
    assert len(asked) == 1
    media.read_again(VIDEO)
    media.read_again(OTHER)
    assert asked[1:] == [(VIDEO, 30.0)]


def test_a_reference_becomes_a_card_and_goes_behind_again(media) -> None:
    media.swap_placement(VIDEO)
    card = media.references[0]
    assert card.placement is Placement.CARD and (card.x, card.y, card.size) == tuple(CARD.values())
    media.swap_placement(VIDEO)
    whole = media.references[0]
    assert whole.placement is Placement.BEHIND and (whole.x, whole.y, whole.size) == tuple(WHOLE.values())


def test_a_nudge_is_in_frames(session, media) -> None:
    media.nudge(SOUND, 3.0)
    assert media.audio[0].start == pytest.approx(0.2 + 3.0 / 30.0)
    assert session.history.labels[-1] == "Start of a.wav"


def test_to_choose_is_told_once(media) -> None:
    media.choose(VIDEO)
    media.choose(VIDEO)
    assert media.told == [1] and media.chosen_track.id == VIDEO
    media.choose(AssetId("gone"))
    assert media.chosen_track is None and media.told == [1, 1]


def test_to_close_gives_everything_back(session) -> None:
    media, closed = session.feature(Media), []
    media.player.close = lambda: closed.append("player")
    media.pictures.cache.close = lambda: closed.append("cache")
    media.files.close = lambda: closed.append("files")
    session.close()
    assert sorted(closed) == ["cache", "files", "player"]


# ---------------------------------------------------------------- pictures that are needed next
class Footage:
    """Ten pictures, a tenth of a second each."""

    size = (200, 100)
    times = np.arange(10) / 10.0

    def index_at(self, seconds: float):
        return int(seconds * 10.0 + 1e-6) if -1e-9 <= seconds < 1.0 else None

    def scaled(self, rows: int) -> tuple[int, int]:
        return 2 * rows, rows


@pytest.fixture
def pictures(session):
    cache = SimpleNamespace(arrived=Event(), most_bytes=1 << 40, forget=lambda footages: None, asked=[])
    cache.want = lambda footage, size, numbers, going: cache.asked.append((size, list(numbers), going))
    cache.picture = cache.nearest = lambda footage, size, index: None
    footage = Footage()
    files = SimpleNamespace(footage=lambda track, rate: footage)
    session.playback.set_range(None)
    made = ReferencePictures(session.playback, session.switches, files, cache)
    yield made
    session.playback.pause()


def wanted(session, pictures, time: float, *, playing: bool, track: ReferenceTrack) -> list[int]:
    pictures._tracks = (track,)
    session.playback.seek(time)
    if playing:
        session.playback.play()
    pictures.cache.asked.clear()
    pictures.shown()
    return pictures.cache.asked[-1][1]


TRACK = ReferenceTrack(VIDEO, "b", "/nowhere/b.mp4", None, 0.0)


@pytest.mark.parametrize(
    ("loop", "span", "time", "start", "numbers"),
    [
        (LoopMode.LOOP, (0.25, 0.75), 0.5, 0.0, [5, 6, 7, 2, 3, 4]),
        (LoopMode.LOOP, (0.25, 0.7), 0.65, 0.0, [6, 2, 3, 4, 5]),
        (LoopMode.LOOP, (0.0, 2.0), 0.5, 0.0, [5, 6, 7, 8, 9, 0, 1, 2, 3, 4]),
        (LoopMode.LOOP, (0.3, 1.3), 0.9, 0.5, [4, 5, 6, 7, 0, 1, 2, 3]),
        (LoopMode.ONCE, (0.25, 0.75), 0.5, 0.0, [5, 6, 7, 8, 9]),
        (LoopMode.PING_PONG, (0.25, 0.75), 0.5, 0.0, [5, 6, 7, 8, 9]),
        (LoopMode.LOOP, (1.5, 2.0), 1.6, 1.0, [6, 7, 8, 9, 5]),
    ],
)  # fmt: skip
def test_while_time_runs_pictures_of_what_is_played_next_are_needed(
    session, pictures, loop, span, time, start, numbers
) -> None:
    session.playback.set_range(*span)
    session.playback.loop = loop
    assert wanted(session, pictures, time, playing=True, track=replace(TRACK, start=start)) == numbers


def test_while_time_stands_two_pictures_are_needed(session, pictures) -> None:
    assert wanted(session, pictures, 0.5, playing=False, track=TRACK) == [5, 6]
    assert wanted(session, pictures, 0.95, playing=False, track=TRACK) == [9]
    assert pictures.cache.asked == [((1440, 720), [9], False)]


@pytest.mark.parametrize(
    ("tracks", "pictures_that_fit", "count"), [(1, 8, 4), (2, 8, 2), (1, 12, 6), (1, 1, 2)]
)
def test_what_fits_into_half_of_the_memory_is_decoded_ahead(
    session, pictures, tracks, pictures_that_fit, count
) -> None:
    pictures.cache.most_bytes = pictures_that_fit * 1440 * 720 * 4
    session.playback.loop = LoopMode.ONCE
    session.playback.seek(0.0)
    session.playback.play()
    pictures._tracks = (TRACK,) * tracks
    pictures.cache.asked.clear()
    pictures.shown()
    assert pictures.cache.asked[0][1] == list(range(count))


@pytest.mark.parametrize(
    ("rows", "size", "shown"), [(720, 0.5, 360), (101, 0.5, 50), (10, 0.02, 1), (101, 1.0, 101)]
)
def test_a_picture_is_as_high_as_its_share_of_the_view(session, pictures, rows, size, shown) -> None:
    pictures.rows = rows
    wanted(session, pictures, 0.5, playing=False, track=replace(TRACK, size=size))
    assert pictures.cache.asked[-1][0] == (2 * shown, shown)


def test_a_drag_that_ends_where_it_began_is_no_step_and_shows_the_track_there_again(session):
    media, told = session.feature(Media), []
    track = media.audio[0]
    media.drag(track.id, start=track.start + 1.0)
    assert media.track(track.id).start == track.start + 1.0
    media.changed.connect(lambda _: told.append(media.track(track.id).start))
    steps = session.history.position
    media.set(track.id, "Start", start=track.start)
    assert told == [track.start] and session.history.position == steps
    media.set(track.id, "Start", start=track.start)
    assert len(told) == 1, "nothing was dragged"

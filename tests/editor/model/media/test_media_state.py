"""Media tracks without a window: edits of one step each, drags, what is chosen, which pictures are shown and needed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.ids import AssetId
from core.media.tracks import AudioTrack, Placement, ReferenceTrack
from editor.model.events import Event
from editor.model.media.pictures import ReferencePictures
from editor.model.media.state import Media
from editor.model.playback import LoopMode
from tests.editor.actions import rich
from tests.editor.outcomes import outcome, plain
from tests.pins import Pins

PINS = Pins(__file__)
SOUND, VIDEO, OTHER = AssetId("audio-1"), AssetId("reference-1"), AssetId("reference-2")
FRAME = 1.0 / 30.0


@pytest.fixture
def session():
    """A sound and a video of the clip shown, a picture of another; their files are not there."""
    made = rich.session()
    made.edits.put(
        "media", AudioTrack(SOUND, "a.wav", "/nowhere/a.wav", made.clip.id, 0.2),
        ReferenceTrack(VIDEO, "b.mp4", "/nowhere/b.mp4", None, 0.5),
        ReferenceTrack(OTHER, "c", "/nowhere/c.png", AssetId("clip-2"), 0.0),
    )  # fmt: skip
    yield made
    made.close()


EDITS: dict[str, Callable[[Media], object]] = {
    "add a sound": lambda m: [m.add_audio(Path("/nowhere/x/../new.wav"), 0.3), m.chosen == m.audio[-1].id],
    "add a video": lambda m: [m.add_reference(Path("/nowhere/new.mp4")), m.chosen_track.name],
    **{
        f"set {what} of {id}": lambda m, id=id, values=values, what=what: m.set(id, what, **values)
        for id, what, values in (
            (SOUND, "Volume", {"volume": 0.5}), (SOUND, "Start", {"start": 0.2}), (VIDEO, "Opacity", {"opacity": 0.25}),
            (OTHER, "Size", {"size": 2.0}), (AssetId("gone"), "Start", {"start": 1.0}),
            (SOUND, "Loud", {"volume": 9.0}),
        )
    },
    **{f"nudge {id} by {n}": lambda m, id=id, n=n: m.nudge(id, n) for id in (SOUND, VIDEO) for n in (1.0, -2.5)},
    "nudge another clip's": lambda m: m.nudge(OTHER, 1.0),
    "mute": lambda m: m.toggle(SOUND), "mute and back": lambda m: (m.toggle(SOUND), m.toggle(SOUND)),
    "hide": lambda m: m.toggle(VIDEO), "toggle none": lambda m: m.toggle(AssetId("gone")),
    "a card": lambda m: m.swap_placement(VIDEO),
    "and behind again": lambda m: (m.swap_placement(VIDEO), m.swap_placement(VIDEO)),
    "a card of a sound": lambda m: m.swap_placement(SOUND),
    "remove": lambda m: m.remove(SOUND), "remove another clip's": lambda m: m.remove(OTHER),
    "another file": lambda m: m.choose_another(SOUND, Path("/nowhere/other.wav")),
    "another file of a named one": lambda m: (
        m.set(SOUND, "Name", name="steps"), m.choose_another(SOUND, Path("/nowhere/o.wav")),
    ),
    "the same file": lambda m: m.choose_another(SOUND, Path("/nowhere/a.wav")),
    "another file of none": lambda m: m.choose_another(AssetId("gone"), Path("/nowhere/a.wav")),
    "read again": lambda m: m.read_again(VIDEO), "read none again": lambda m: m.read_again(OTHER),
}  # fmt: skip


@pytest.mark.parametrize("case", list(EDITS))
def test_an_edit_of_media(session, case: str) -> None:
    media, told = session.feature(Media), []
    media.changed.connect(lambda _: told.append(1))
    found = outcome(session, lambda: EDITS[case](media))
    chosen = None if media.chosen is None else plain(media.chosen)
    PINS.hold(case, found, len(told), chosen, plain(media.tracks), [media.problem(t) for t in media.tracks])


def test_a_drag_is_shown_until_it_is_kept_or_taken_back(session) -> None:
    media, told = session.feature(Media), []
    media.changed.connect(lambda _: told.append(1))
    before, project = media.tracks, session.document.project
    assert [t.id for t in before] == [SOUND, VIDEO]
    for start in (1.0, 1.5):
        media.drag(SOUND, start=start)
        assert (
            media.track(SOUND).start == start
            and media.audio[0].start == start
            and media.track(VIDEO) is before[1]
        )
    assert len(told) == 2 and session.document.project is project
    media.cancel()
    assert media.tracks == before and len(told) == 3
    media.cancel()
    assert len(told) == 3
    media.drag(VIDEO, opacity=0.5)
    media.set(VIDEO, "Opacity", opacity=0.5)
    assert session.history.labels[-1] == "Opacity of b.mp4" and media.track(VIDEO).opacity == 0.5
    media.drag(VIDEO, opacity=0.1)
    steps = session.history.position
    media.set(VIDEO, "Opacity", opacity=0.5)  # back where it was: no step, and shown so
    assert session.history.position == steps and media.references[0].opacity == 0.5
    media.drag(AssetId("gone"), start=1.0)
    assert media.tracks[0] == before[0]


def test_the_track_chosen_is_the_only_one_where_none_is(session) -> None:
    media, told = session.feature(Media), []
    assert media.chosen_track is None
    media.changed.connect(lambda _: told.append(1))
    media.choose(VIDEO)
    media.choose(VIDEO)
    assert told == [1] and media.chosen_track.id == VIDEO and media.track(None) is None
    media.remove(SOUND)
    media.choose(None)
    assert media.chosen_track.id == VIDEO
    session.playback.set_clip(AssetId("clip-2"))
    assert [t.id for t in media.tracks] == [VIDEO, OTHER] and media.rate == 30.0
    session.playback.set_clip(None, session.rig.id)
    assert media.tracks == () and media.chosen_track is None
    assert outcome(session, lambda: media.add_audio(Path("/nowhere/d.wav")))[:2] == [
        "refused",
        "open or make a clip first",
    ]


# ---------------------------------------------------------------- pictures
class Files:
    """Files of footage: a tenth of a second each picture, ten of them, twice as wide as high."""

    def __init__(self) -> None:
        self.missing: set[AssetId] = set()
        self.footage_of: dict[AssetId, object] = {}

    def footage(self, track, rate: float):
        if track.id in self.missing:
            return None
        return self.footage_of.setdefault(track.id, Footage())


class Footage:
    size = (200, 100)

    def __init__(self) -> None:
        self.times = np.arange(10) / 10.0

    def index_at(self, seconds: float):
        return int(seconds * 10.0 + 1e-6) if -1e-9 <= seconds < 1.0 else None

    def scaled(self, rows: int) -> tuple[int, int]:
        return 2 * rows, rows


class Cache:
    """A cache of decoded pictures; `decoded` are there, and what is wanted is noted."""

    def __init__(self) -> None:
        self.arrived: Event[None] = Event()
        self.most_bytes, self.decoded, self.wanted, self.kept = 64_000_000, set(), [], []

    def want(self, footage, size, numbers, playing) -> None:
        self.wanted.append((size, list(numbers), playing))

    def forget(self, footages) -> None:
        self.kept.append(len(footages))

    def picture(self, footage, size, index):
        return ("picture", index) if index in self.decoded else None

    def nearest(self, footage, size, index):
        near = [k for k in self.decoded if k < index]
        return ("picture", max(near)) if near else None


@pytest.fixture
def pictures(session):
    session.playback.set_range(0.0, 1.0)
    session.playback.seek(0.0)
    files, cache = Files(), Cache()
    made = ReferencePictures(session.playback, session.switches, files, cache)
    made.files, made.told = files, []
    made.changed.connect(lambda _: made.told.append(1))
    yield made


TRACK = ReferenceTrack(VIDEO, "b", "/nowhere/b.mp4", None, 0.2, size=0.5)


def test_the_picture_at_the_playhead_is_shown_late_ones_meanwhile(session, pictures) -> None:
    cache = pictures.cache
    pictures.set_tracks((TRACK,))
    assert cache.kept == [1] and pictures.told == [1] and pictures.shown() == ()  # it begins later
    cache.decoded = {0, 2}
    for time, index, wanted in (
        (0.2, 0, (0, False)),
        (0.39, 1, (0, True)),
        (0.4, 2, (2, False)),
        (1.15, 9, (2, True)),
        (1.2, None, None),
    ):
        session.playback.seek(time)
        found = [(s.picture[1], s.late) for s in pictures.shown()]
        assert pictures.index(TRACK) == index and found == ([] if wanted is None else [wanted]), time
    session.playback.seek(0.4)
    (shown,) = pictures.shown()
    assert shown.aspect == 2.0 and shown.track is TRACK and cache.wanted[-1] == ((720, 360), [2, 3], False)
    pictures.set_rows(101)
    assert pictures.shown() and cache.wanted[-1][0] == (100, 50)
    told = len(pictures.told)
    pictures.set_rows(101)
    session.playback.seek(0.45)  # the same picture
    assert len(pictures.told) == told
    cache.arrived.emit(None)
    assert len(pictures.told) == told
    cache.decoded = set()
    cache.arrived.emit(None)
    assert len(pictures.told) == told + 1 and pictures.shown() == ()


def test_what_is_hidden_or_not_there_is_not_shown(session, pictures) -> None:
    pictures.cache.decoded = set(range(10))
    session.playback.seek(0.5)
    tracks = (TRACK, replace(TRACK, id=OTHER, shown=False), replace(TRACK, id=AssetId("r3"), opacity=0.0),
              replace(TRACK, id=AssetId("r4"), placement=Placement.CARD))  # fmt: skip
    pictures.set_tracks(tracks)
    assert [s.track.id for s in pictures.shown()] == [VIDEO, "r4"] and pictures.cache.kept == [4]
    pictures.files.missing.add(VIDEO)
    assert [s.track.id for s in pictures.shown()] == ["r4"] and pictures.index(TRACK) is None
    told = len(pictures.told)
    session.switches.set("reference", False)
    assert pictures.shown() == () and len(pictures.told) == told + 1
    session.switches.set("reference", True)
    pictures.set_tracks(())
    assert pictures.shown() == () and len(pictures.told) == told + 3


@pytest.mark.parametrize(("loop", "time", "tracks", "wanted"), [
    (LoopMode.ONCE, 0.5, 1, [3, 4, 5, 6, 7, 8, 9]), (LoopMode.LOOP, 0.5, 1, [3, 4, 5, 6, 7, 0, 1, 2]),
    (LoopMode.LOOP, 0.95, 1, [7, 0, 1, 2, 3, 4, 5, 6]), (LoopMode.PING_PONG, 1.0, 1, [8, 9]),
])  # fmt: skip
def test_pictures_ahead_are_decoded_over_the_seam_of_a_loop(
    session, pictures, loop, time, tracks, wanted
) -> None:
    session.playback.set_range(0.0, 1.0)
    session.playback.loop = loop
    session.playback.seek(time)
    pictures.set_tracks((TRACK,) * tracks)
    session.playback.play()
    session.playback.seek(time)
    pictures.shown()
    size, numbers, playing = pictures.cache.wanted[-1]
    assert playing and numbers == wanted
    bytes_of_one = size[0] * size[1] * 4
    for most, count in ((bytes_of_one * 6, 3), (bytes_of_one, 2)):
        pictures.cache.most_bytes = most
        pictures.shown()
        assert pictures.cache.wanted[-1][1] == wanted[:count]
    session.playback.pause()


def test_of_files_that_are_not_there_nothing_is_known(session) -> None:
    media = session.feature(Media)
    assert media.pictures.shown() == () and [media.seconds(track) for track in media.tracks] == [None, None]
    assert all(media.problem(track) for track in media.tracks)


@pytest.mark.parametrize("path", ["//host/share/a.wav", "\\\\host\\share\\a.wav", "\\/host/a.wav"])
def test_a_file_on_another_computer_is_not_asked_for_until_it_is_chosen_again(session, path: str) -> None:
    media, started = session.feature(Media), []
    track = AudioTrack(AssetId("away"), "a.wav", path, session.clip.id, 0.0)
    session.jobs.runner = lambda work, then: started.append(work)
    session.edits.put("media", track)
    files = media.files
    files.use((track,), 30.0)
    assert "another computer" in files.problem(track, 30.0)
    assert not started and not files.opening(track, 30.0)
    files.read_again(track, 30.0)
    assert started and files.opening(track, 30.0)

"""Files of media tracks, opened by jobs that wait: what is known of them, what is wrong, what is given back."""

from types import SimpleNamespace

import pytest

from core.errors import Cancelled, FormatError
from core.ids import AssetId
from core.media.footage import Footage
from core.media.tracks import AudioTrack, ReferenceTrack
from editor.model.jobs import Jobs
from editor.model.media import files as media_files
from editor.model.media.files import MediaFiles
from editor.model.messages import Messages

SOUND = AudioTrack(AssetId("a"), "steps", "/nowhere/a.wav")
FILM = ReferenceTrack(AssetId("b"), "film", "/nowhere/b.mp4")
ROW = ReferenceTrack(AssetId("c"), "row", "/nowhere/c.PNG")
RATE = 24.0


class Waiting:
    """Runs work when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple] = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def deliver(self) -> None:
        work, then = self.waiting.pop(0)
        work()
        then()


class Sound:
    """A sound that is decoded, or fails at that."""

    def __init__(self, path, wrong: Exception | None) -> None:
        self.path, self.wrong, self.calls = path, wrong, []

    def decode(self, progress) -> None:
        self.calls.append("decode")
        if self.wrong is not None:
            raise self.wrong
        progress.report(0.5)

    def close(self) -> None:
        self.calls.append("close")


@pytest.fixture
def files(monkeypatch) -> MediaFiles:
    runner, messages, opened = Waiting(), Messages(), []
    made = MediaFiles(Jobs(runner), messages)
    made.runner, made.messages, made.opened, made.told = runner, messages, opened, []
    made.wrong = None
    made.changed.connect(lambda _: made.told.append(1))

    def open_sound(path):
        opened.append(Sound(path, made.wrong))
        return opened[-1]

    def open_footage(path, rate, progress):
        if made.wrong is not None:
            raise made.wrong
        opened.append((path, rate))
        return Footage(path, [0.0], 1.0, (4, 2))

    monkeypatch.setattr(media_files, "open_sound", open_sound)
    monkeypatch.setattr(media_files, "open_footage", open_footage)
    return made


# ---------------------------------------------------------------- what is known
def test_a_sound_is_read_in_the_background(files) -> None:
    assert files.sound(SOUND) is None and files.problem(SOUND, RATE) == "" and not files.opening(SOUND, RATE)
    files.use((SOUND,), RATE)
    assert files.opening(SOUND, RATE) and files.sound(SOUND) is None and files.opened == []
    files.runner.deliver()
    assert not files.opening(SOUND, RATE) and files.sound(SOUND) is files.opened[0] and files.told == [1]
    assert files.opened[0].calls == ["decode"] and str(files.opened[0].path) == "/nowhere/a.wav"
    assert files.footage(FILM, RATE) is None


def test_a_sound_is_there_while_it_is_decoded(files, monkeypatch) -> None:
    seen = []
    monkeypatch.setattr(Sound, "decode", lambda sound, progress: seen.append(files.sound(SOUND) is sound))
    files.use((SOUND,), RATE)
    files.runner.deliver()
    assert seen == [True]


def test_what_is_used_already_is_not_opened_again(files) -> None:
    files.use((SOUND,), RATE)
    files.use((SOUND,), RATE)
    other = AudioTrack(AssetId("d"), "the same file", SOUND.path, None, 3.0)
    files.use((SOUND, other), RATE)
    assert len(files.runner.waiting) == 1
    files.runner.deliver()
    assert files.sound(other) is files.sound(SOUND) is files.opened[0]


def test_what_is_read_at_once_is_not_being_opened(files) -> None:
    files._jobs.runner = lambda work, then: (work(), then())
    files.use((SOUND, FILM), RATE)
    assert not files.opening(SOUND, RATE) and not files.opening(FILM, RATE) and files.told == [1, 1]


@pytest.mark.parametrize(
    ("track", "rate", "asked"),
    [
        (FILM, 24.0, 30.0), (ROW, 24.0, 24.0), (ROW, 0.0, 30.0),
        (ReferenceTrack(ROW.id, "r", ROW.path, rate=12.0), 24.0, 12.0),
    ],
)  # fmt: skip
def test_a_sequence_runs_at_its_own_rate_or_at_the_clips(files, track, rate, asked) -> None:
    files.use((track,), rate)
    files.runner.deliver()
    ((path, got),) = files.opened
    assert str(path) == track.path and got == asked
    assert files.footage(track, rate).path == path and files.told == [1]


def test_another_rate_of_the_clip_opens_a_sequence_again_but_no_video(files) -> None:
    files.use((FILM, ROW), 24.0)
    for _ in range(2):
        files.runner.deliver()
    files.use((FILM, ROW), 30.0)
    assert len(files.runner.waiting) == 1 and files.footage(ROW, 30.0) is None
    assert files.footage(FILM, 30.0) is files.footage(FILM, 24.0) is not None
    files.runner.deliver()
    assert files.footage(ROW, 30.0) is not None and files.footage(ROW, 24.0) is None


# ---------------------------------------------------------------- what is wrong
@pytest.mark.parametrize("track", [SOUND, FILM])
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (FormatError("/nowhere/a.wav", "", "it is empty"), "it is empty"),
        (OSError("no such file"), "no such file"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(files, track, wrong, words) -> None:
    files.wrong = wrong
    files.use((track,), RATE)
    files.runner.deliver()
    assert files.problem(track, RATE) == words and not files.opening(track, RATE)
    assert files.sound(SOUND) is None and files.footage(FILM, RATE) is None and files.told == [1]
    (said,) = files.messages.log
    assert (
        said.text == f"{track.name}: {words}"
        and said.next_step == "Choose another file for it (Clip › Media)"
    )


def test_a_sound_that_breaks_off_is_closed(files) -> None:
    files.wrong = OSError("cut off")
    files.use((SOUND,), RATE)
    files.runner.deliver()
    assert files.opened[0].calls == ["decode", "close"]


def test_a_reading_that_was_cancelled_is_told_without_a_message(files) -> None:
    files.wrong = Cancelled()
    files.use((SOUND,), RATE)
    files.runner.deliver()
    assert files.problem(SOUND, RATE) == "reading was cancelled" and files.told == [1]
    assert files.messages.log == ()
    assert files.opened[0].calls == ["decode", "close"] and not files.opening(SOUND, RATE)


# ---------------------------------------------------------------- what is given back
def test_what_is_no_longer_used_is_closed(files) -> None:
    files.use((SOUND, FILM), RATE)
    for _ in range(2):
        files.runner.deliver()
    sound = files.sound(SOUND)
    files.use((FILM,), RATE)
    assert sound.calls == ["decode", "close"] and files.sound(SOUND) is None
    assert files.footage(FILM, RATE) is not None


def test_a_sound_that_nobody_waits_for_is_closed_when_it_is_read(files, monkeypatch) -> None:
    files.use((SOUND,), RATE)
    monkeypatch.setattr(Sound, "decode", lambda sound, progress: files.use((), RATE))
    files.runner.deliver()
    assert files.opened[0].calls == ["close"] and files.told == [] and files.sound(SOUND) is None


def test_a_file_that_fails_when_it_is_no_longer_used_is_not_spoken_of(files, monkeypatch) -> None:
    def decode(sound, progress) -> None:
        files.use((), RATE)
        raise OSError("cut off")

    files.use((SOUND,), RATE)
    monkeypatch.setattr(Sound, "decode", decode)
    files.runner.deliver()
    assert len(files.messages.log) == 0 and files.told == [] and files.opened[0].calls == ["close"]


def test_a_file_that_was_cancelled_because_it_is_not_used_is_not_told(files) -> None:
    files.use((SOUND,), RATE)
    files.use((), RATE)
    files.runner.deliver()
    assert files.told == [] and files.opened == [] and files.problem(SOUND, RATE) == ""


def test_to_close_gives_everything_back(files) -> None:
    files.use((SOUND, FILM), RATE)
    files.runner.deliver()
    sound = files.sound(SOUND)
    files.close()
    assert sound.calls == ["decode", "close"] and files.sound(SOUND) is None
    assert not files.opening(FILM, RATE)
    files.runner.deliver()
    assert files.footage(FILM, RATE) is None and files.told == [1]


def test_a_file_that_is_read_again_takes_the_place_of_the_one_before(files) -> None:
    files.wrong = OSError("no such file")
    files.use((SOUND,), RATE)
    files.runner.deliver()
    files.wrong = None
    files.read_again(SOUND, RATE)
    assert files.problem(SOUND, RATE) == "" and files.opening(SOUND, RATE)
    files.runner.deliver()
    first = files.sound(SOUND)
    assert first is files.opened[1]
    files.read_again(SOUND, RATE)
    assert first.calls == ["decode", "close"]
    files.runner.deliver()
    assert files.sound(SOUND) is files.opened[2]


# ---------------------------------------------------------------- other computers
def test_a_file_on_another_computer_is_told_and_read_once_it_was_chosen(files) -> None:
    away = AudioTrack(AssetId("e"), "away", "//host/share/a.wav")
    files.use((away,), RATE)
    assert files.runner.waiting == [] and files.told == [1]
    assert files.messages.latest.text == "away: it is on another computer: choose it again to read it"
    files.use((), RATE)
    files.allow(away.path)
    files.use((away,), RATE)
    assert len(files.runner.waiting) == 1 and files.problem(away, RATE) == ""


def test_what_was_allowed_allows_no_other(files) -> None:
    files.allow("//host/share/b.wav")
    files.use((AudioTrack(AssetId("e"), "away", "//host/share/a.wav"),), RATE)
    assert files.runner.waiting == []


def test_the_words_of_an_error_without_a_reason_are_its_own() -> None:
    assert media_files._told(SimpleNamespace(reason="why")) == "why"
    assert media_files._told(ValueError("all of it")) == "all of it"

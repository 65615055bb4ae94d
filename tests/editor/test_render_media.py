"""``posewright render`` with the sound and the reference footage of a clip, end to end."""

from pathlib import Path

import numpy as np
import pytest

import core.io
from core.ids import AssetId
from core.media.probe import probe
from core.media.sound import open_sound
from core.media.tracks import CARD, AudioTrack, Placement, ReferenceTrack
from core.progress import Progress
from editor.app import main
from tests.editor.rigs import small_project
from tests.media_files import counted_movie, counted_wav, number_in

pytest.importorskip("imageio_ffmpeg")


@pytest.fixture(scope="module")
def document(tmp_path_factory) -> Path:
    """A clip with a sound from frame 6 on, and a card of counted footage that fills the picture."""
    folder = tmp_path_factory.mktemp("media")
    project = small_project(True, True)
    clip = project.clips[0]
    sound = AudioTrack(AssetId("audio-1"), "line", str(counted_wav(folder / "line.wav", 1.0)), clip.id, 0.2)
    place = {**CARD, "x": 0.5, "y": 0.5, "size": 1.0}
    card = ReferenceTrack(
        AssetId("reference-1"), "take", str(counted_movie(folder / "take.mp4", 40)), clip.id, 5 / 30, 0.0, True, 1.0,
        Placement.CARD, **place,
    )  # fmt: skip
    path = folder / "shot.posewright"
    core.io.save(project.with_assets(sound, card), path)
    return path


def run(document: Path, out: Path, *more: str) -> int:
    return main(["render", str(document), "--size", "192x64", "--no-grid", "--out", str(out), *more])


def test_a_movie_has_the_sound_of_the_frames_rendered(document: Path, tmp_path: Path) -> None:
    out = tmp_path / "shot.mp4"
    assert run(document, out, "--frames", "3:32", "--sound") == 0
    info = probe(out)
    assert info.sound and info.seconds == pytest.approx(1.0, abs=0.1)
    sound = open_sound(out)
    sound.decode(Progress())
    heard = np.abs(np.array(sound.samples[: sound.count], dtype=np.float64)).max(axis=1)
    sound.close()
    first = int(np.flatnonzero(heard > 0.02 * heard.max())[0]) / 48_000
    assert first == pytest.approx(0.1, abs=0.03), "frame 6 is three frames after the first picture"
    silent = tmp_path / "silent.mp4"
    assert run(document, silent, "--frames", "3:6") == 0
    assert not probe(silent).sound


def test_references_are_drawn_at_their_frame_where_they_are_asked_for(document: Path, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    assert run(document, tmp_path / "with", "--frames", "4:12:4", "--reference", "--camera", "front") == 0
    for frame, number in ((8, 3), (12, 7)):
        found = np.asarray(image.open(tmp_path / "with" / f"frame_{frame:04d}.png").convert("RGB"))
        assert number_in(found) == number
    assert run(document, tmp_path / "without", "--frames", "4:12:4", "--camera", "front") == 0
    same = [
        (tmp_path / "with" / name).read_bytes() == (tmp_path / "without" / name).read_bytes()
        for name in ("frame_0004.png", "frame_0008.png")
    ]
    assert same == [True, False], "the footage begins at frame 5"


@pytest.mark.parametrize(
    ("more", "name", "words"),
    [
        (("--sound",), "pictures", "only an MP4 has sound"),
        (("--sound",), "shot.gif", "only an MP4 has sound"),
        (("--camera", "camera:Nobody"), "pictures", "no camera"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_made(
    document, tmp_path, capsys, more, name, words
) -> None:
    assert run(document, tmp_path / "new" / name, *more) != 0
    assert words in capsys.readouterr().err and not (tmp_path / "new").exists()


def test_missing_files_and_clips_without_audio_are_named(document: Path, tmp_path: Path, capsys) -> None:
    project = core.io.load(document).project
    lost = [
        type(track)(**{**{n: getattr(track, n) for n in track.__slots__}, "path": str(tmp_path / "gone.mp4")})
        for track in (*project.all(AudioTrack), *project.all(ReferenceTrack))
    ]
    core.io.save(project.with_assets(*lost), tmp_path / "lost.posewright")
    assert run(tmp_path / "lost.posewright", tmp_path / "a.mp4", "--frames", "0:3", "--sound") == 1
    assert "gone.mp4: the file is missing" in capsys.readouterr().err
    assert run(tmp_path / "lost.posewright", tmp_path / "b.mp4", "--frames", "0:3", "--reference") == 1
    assert "reference 'take'" in capsys.readouterr().err
    core.io.save(small_project(True, True), tmp_path / "plain.posewright")
    assert run(tmp_path / "plain.posewright", tmp_path / "c.mp4", "--frames", "0:3", "--sound") == 2
    assert "has no audio" in capsys.readouterr().err
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".mp4"]

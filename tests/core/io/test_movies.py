"""Moving pictures, read back by other readers; what is missing is named; a cancel leaves nothing."""

import sys

import numpy as np
import pytest

from core.errors import Cancelled, FormatError, UnsupportedError, ValidationError
from core.io.movies import write_movie
from core.progress import Progress

# The library leaves ffmpeg's pipes to the collector, which pytest then tells as warnings.
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def pictures(count=6, size=(48, 64)):
    for number in range(count):
        image = np.zeros((*size, 4), np.uint8)
        image[..., 3] = 255
        image[:, : 8 + 8 * number, 0] = 220
        yield image


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_write_movie_pillow_reads_it_back(suffix, tmp_path):
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / f"a{suffix}"
    write_movie(path, pictures(), 6, 24.0)
    with image.open(path) as found:
        assert found.n_frames == 6
        assert found.size == (64, 48)
        durations = []
        for number in range(6):
            found.seek(number)
            found.load()
            durations.append(found.info["duration"])
            row = np.array(found.convert("RGB"))[24]
            assert abs(int((row[:, 0] > 110).sum()) - (8 + 8 * number)) <= 1
    assert sum(durations) == pytest.approx(6 / 24 * 1000, abs=10)


def test_write_movie_mp4_ffmpeg_reads_it_back(tmp_path):
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / "a.mp4"
    write_movie(path, pictures(size=(49, 65)), 6, 25.0)
    reader = ffmpeg.read_frames(str(path))
    about = next(reader)
    frames = [np.frombuffer(frame, np.uint8).reshape(48, 64, 3) for frame in reader]
    assert about["fps"] == 25.0
    assert len(frames) == 6
    assert (frames[5][24, :44, 0] > 150).all()
    assert [p.name for p in tmp_path.iterdir()] == ["a.mp4"]


@pytest.mark.parametrize("suffix", [".gif", ".mp4"])
def test_write_movie_cancelled_leaves_nothing(suffix, tmp_path):
    pytest.importorskip("PIL" if suffix == ".gif" else "imageio_ffmpeg")
    progress = Progress(lambda fraction, text: progress.cancel() if fraction > 0.4 else None)
    with pytest.raises(Cancelled):
        write_movie(tmp_path / f"a{suffix}", pictures(), 6, 24.0, progress)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("suffix", "package"), [(".gif", "PIL"), (".mp4", "imageio_ffmpeg")])
def test_write_movie_names_the_missing_extra(suffix, package, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UnsupportedError, match=r"posewright\[pictures\]"):
        write_movie(tmp_path / f"a{suffix}", pictures(), 6, 24.0)


def test_write_movie_refuses_unknown_names_and_nothing_to_show(tmp_path):
    with pytest.raises(FormatError, match=r"\.mp4"):
        write_movie(tmp_path / "a.avi", pictures(), 6, 24.0)
    with pytest.raises(ValidationError, match="needs a picture"):
        write_movie(tmp_path / "a.gif", [], 0, 24.0)

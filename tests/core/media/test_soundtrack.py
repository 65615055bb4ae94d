"""The sound of a clip as a file, and as the sound of a movie."""

import wave

import numpy as np
import pytest

from core.errors import FormatError
from core.ids import AssetId
from core.io.movies import write_movie
from core.media.probe import probe
from core.media.soundtrack import audible, write_soundtrack
from core.media.tracks import AudioTrack, ReferenceTrack
from tests.media_files import counted_wav, sine_wav

pytest.importorskip("imageio_ffmpeg")


def samples(path):
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)


def test_soundtrack_is_the_part_of_the_clip_and_a_movie_of_it_has_it(tmp_path):
    line = AudioTrack(AssetId("a"), "line", str(counted_wav(tmp_path / "line.wav", 1.0)), None, 0.25)
    out = tmp_path / "out.wav"
    write_soundtrack(out, [line], 0.5, 1.0)
    found = samples(out)
    assert len(found) == 48_000
    at = np.arange(36_000) + 12_000  # from a quarter of a second of the file to its end, then silence
    assert (
        np.abs(found[:36_000, 0] - at % 24_000).max() <= 1
        and np.abs(found[:36_000, 1] - at // 24_000 * 100).max() <= 1
    )
    assert not found[36_100:].any()
    early = tmp_path / "early.wav"
    write_soundtrack(early, [line], 0.0, 0.5)
    assert not samples(early)[:11_990].any() and samples(early)[13_000, 0] == pytest.approx(1_000, abs=1)

    movie = tmp_path / "movie.mp4"
    images = (np.full((16, 16, 3), 100, np.uint8) for _ in range(30))
    write_movie(movie, images, 30, 30.0, sound=out)
    info = probe(movie)
    assert info.sound and info.size == (16, 16) and info.seconds == pytest.approx(1.0, abs=0.1)


def test_two_sounds_are_mixed_muted_ones_are_not_and_a_missing_one_is_named(tmp_path):
    sine = str(sine_wav(tmp_path / "sine.wav", 0.5))
    one = AudioTrack(AssetId("a"), "one", sine, volume=0.5)
    tracks = (one, AudioTrack(AssetId("b"), "two", sine, muted=True), ReferenceTrack(AssetId("c"), "c", sine))
    assert audible(tracks) == (one,)
    write_soundtrack(tmp_path / "both.wav", [one, one], 0.0, 0.4)
    write_soundtrack(tmp_path / "one.wav", [one], 0.0, 0.4)
    both, alone = samples(tmp_path / "both.wav").astype(int), samples(tmp_path / "one.wav").astype(int)
    assert np.abs(both - 2 * alone).max() <= 2 and np.abs(alone[:, 0]).max() == pytest.approx(8_000, abs=8)
    lost = AudioTrack(AssetId("d"), "lost", str(tmp_path / "lost.wav"))
    with pytest.raises(FormatError, match=r"lost\.wav.*missing"):
        write_soundtrack(tmp_path / "no.wav", [one, lost], 0.0, 0.1)

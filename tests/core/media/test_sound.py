"""Sound: decoded exactly, and played where the playhead is."""

import math
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Cancelled, FormatError
from core.media.mix import GRAIN, SNAP, Ending, Mixer, Transport, Voice
from core.media.sound import RATE, open_sound
from core.progress import Progress
from tests.media_files import counted_movie, counted_wav, seconds_in, sine_wav

pytest.importorskip("imageio_ffmpeg")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sound")


@pytest.fixture(scope="module")
def counted(folder):
    sound = open_sound(counted_wav(folder / "counted.wav", 6.0))
    sound.decode(Progress())
    yield sound
    sound.close()


def test_decode_gives_every_sample_at_its_place(counted):
    assert counted.done and not counted.cut and counted.count == 6 * RATE
    at = np.arange(counted.count)
    assert (np.asarray(counted.samples[: counted.count, 0]) == at % 24_000).all()
    assert (np.asarray(counted.samples[: counted.count, 1]) == at // 24_000 * 100).all()


def test_peaks_hold_the_sine(folder):
    sound = open_sound(sine_wav(folder / "sine.wav", 0.5, rate=44_100))
    sound.decode(Progress())
    assert sound.seconds == pytest.approx(0.5, abs=0.002)
    assert np.abs(sound.peaks[2:45, 1] - 63).max() <= 1 and np.abs(sound.peaks[2:45, 0] + 63).max() <= 1
    sound.close()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [("empty.wav", b"", "empty"), ("text.wav", b"words " * 99, "can be read"), ("none.wav", None, "missing")],
)
def test_broken_sound_says_what_is_wrong(folder, name, data, words):
    if data is not None:
        (folder / name).write_bytes(data)
    with pytest.raises(FormatError, match=words):
        open_sound(folder / name)


def test_cut_off_wav_plays_what_is_there_and_a_long_one_is_cut(folder):
    data = counted_wav(folder / "whole.wav", 1.0).read_bytes()
    (folder / "half.wav").write_bytes(data[: len(data) // 2])
    half = open_sound(folder / "half.wav")
    half.decode(Progress())
    assert half.seconds == pytest.approx(0.5, abs=0.01)
    half.close()
    # ten hours of silence, of which only the head is written: the file is sparse
    long = folder / "long.wav"
    size = 36_000 * 8_000
    head = (
        b"RIFF"
        + struct.pack("<I", 36 + size)
        + b"WAVEfmt "
        + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    )
    with long.open("wb") as file:
        file.write(head + b"data" + struct.pack("<I", size))
        file.truncate(44 + size)
    sound = open_sound(long)
    assert sound.cut and len(sound.samples) == 3600 * RATE
    progress = Progress(lambda fraction, text: progress.cancel() if fraction > 0.0 else None)
    with pytest.raises(Cancelled):
        sound.decode(progress)
    assert 0 < sound.count < 3600 * RATE
    sound.close()


def test_video_without_sound_is_refused(folder):
    with pytest.raises(FormatError, match="it has no sound"):
        open_sound(counted_movie(folder / "mute.mp4", 3))


def played(mixer, transport, moments, count=480):
    """Blocks one after another; the place of the first sample of each."""
    mixer.set_transport(transport)
    return [seconds_in(mixer.render(count, moment)[0]) for moment in moments]


@settings(max_examples=25, deadline=None)
@given(st.floats(0.0, 4.0), st.floats(-300e-6, 300e-6), st.floats(0.0, 0.004))
def test_each_block_is_heard_within_the_bound_whatever_the_clock_of_the_device(counted, start, drift, jitter):
    mixer = Mixer()
    mixer.set_voices([Voice(counted, 0.0, 1.0)])
    step = 480 / RATE * (1.0 + drift)
    moments = [10.0 + n * step + jitter * (n % 3) / 2.0 for n in range(60)]
    heard = played(mixer, Transport(start, 10.0, 1.0, (0.0, 5.5), Ending.LOOP, True), moments)
    for moment, place in list(zip(moments, heard, strict=True))[1:]:
        assert abs((place - start - moment + 10.0 + 2.75) % 5.5 - 2.75) < SNAP + 1e-3


def test_half_speed_backwards_and_loop_play_what_the_playhead_passes(counted):
    mixer = Mixer()
    mixer.set_voices([Voice(counted, 1.0, 1.0)])
    slow = Transport(2.0, 0.0, 0.5, (0.0, 5.0), Ending.LOOP, True)
    block = (mixer.set_transport(slow), mixer.render(960, 0.0))[1]
    assert seconds_in(block[400]) == pytest.approx(1.0 + 200 / RATE, abs=2e-5)
    assert mixer.heard() == pytest.approx(2.01)
    mixer.set_transport(Transport(4.0, 0.0, -1.0, (0.0, 5.0), Ending.PING_PONG, True))
    assert seconds_in(mixer.render(960, 0.0)[480]) == pytest.approx(3.0 - 480 / RATE, abs=2e-5)
    mixer.set_transport(Transport(4.99, 0.0, 1.0, (2.0, 5.0), Ending.LOOP, True))
    block = mixer.render(960, 0.0)
    assert seconds_in(block[600]) == pytest.approx(1.0 + 120 / RATE, abs=2e-5)
    mixer.set_transport(Transport(4.99, 0.0, 1.0, (2.0, 5.0), Ending.ONCE, True))
    assert not mixer.render(960, 0.0)[600:].any()


def test_a_jump_is_crossfaded_and_a_small_difference_is_made_up(counted):
    mixer = Mixer()
    mixer.set_voices([Voice(counted, 0.0, 1.0)])
    mixer.set_transport(Transport(1.0, 0.0, 1.0, (0.0, 6.0), Ending.LOOP, True))
    mixer.render(480, 0.0)
    mixer.render(480, 0.010 + 0.004)  # the device is late: less than what is heard as a jump
    behind = abs(mixer.heard() - 1.024)
    for n in range(400):
        mixer.render(480, 0.024 + 0.01 * n)
    assert abs(mixer.heard() - (1.024 + 4.0)) < min(behind, 0.0015)
    mixer.set_transport(Transport(3.0, 5.0, 1.0, (0.0, 6.0), Ending.LOOP, True))
    block = mixer.render(480, 5.0)
    assert seconds_in(block[200]) == pytest.approx(3.0 + 200 / RATE, abs=2e-5)


def test_scrubbing_plays_a_grain_of_the_place_and_stops(counted):
    mixer = Mixer()
    mixer.set_voices([Voice(counted, 0.0, 1.0)])
    mixer.set_transport(Transport(2.5))
    mixer.scrub(2.5)
    block = mixer.render(4800, 0.0)
    assert seconds_in(block[1000]) == pytest.approx(2.5 + 1000 / RATE, abs=2e-5)
    assert not block[round(GRAIN * RATE) :].any() and not mixer.render(480, 0.1).any()


def test_wrapped_times_of_every_ending():
    loop = Transport(span=(1.0, 3.0))
    assert loop.wrapped([0.5, 2.0, 3.0, 5.5]).tolist() == [0.5, 2.0, 1.0, 1.5]
    there_and_back = Transport(span=(1.0, 3.0), ending=Ending.PING_PONG)
    assert there_and_back.wrapped([2.0, 3.5, 5.5]).tolist() == [2.0, 2.5, 1.5]
    assert math.isnan(Transport(span=(1.0, 3.0), ending=Ending.ONCE).wrapped(3.0))
    assert loop.apart(2.9, 1.1) == pytest.approx(0.2)

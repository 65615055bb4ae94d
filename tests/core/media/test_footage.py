"""Reference footage: the right image at every time, by seeking and by going on; files that are broken."""

import random
import subprocess

import numpy as np
import pytest

from core.errors import AnimError, FormatError
from core.media.ffmpeg import executable
from core.media.footage import FootageReader, open_footage
from core.media.probe import probe
from tests.media_files import counted_movie, number_in

pytest.importorskip("imageio_ffmpeg")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("footage")


@pytest.fixture(scope="module")
def movie(folder):
    return counted_movie(folder / "counted.mp4", 150)


def test_read_any_order_gives_the_image_asked_for(movie):
    footage = open_footage(movie, 30.0)
    assert len(footage.times) == 150 and footage.end == pytest.approx(5.0) and footage.size == (192, 64)
    reader = FootageReader(footage, footage.size)
    shuffled = [*range(8), 149, 0, 70, 71, 90, 30, *random.Random(3).sample(range(150), 6)]
    assert [number_in(reader.read(n)) for n in shuffled] == shuffled
    reader.finish()
    assert reader.read(3) is None  # closed


def test_index_at_is_the_image_shown_and_none_outside(movie):
    footage = open_footage(movie, 30.0)
    assert [footage.index_at(t) for t in (0.0, 0.0332, 0.03334, 1.0, 4.99)] == [0, 0, 1, 30, 149]
    assert footage.index_at(-0.01) is None and footage.index_at(5.0) is None


def test_variable_rate_is_read_by_its_own_times(folder):
    times = "if(lt(N,20),N,if(lt(N,40),20+(N-20)*3,80+(N-40)*2))"
    path = counted_movie(
        folder / "variable.mp4", 60, 30.0,
        options=("-c:v", "libx264", "-preset", "ultrafast", "-vf", f"setpts='({times})/30/TB'", "-fps_mode", "vfr",
                 "-enc_time_base", "1/90000", "-pix_fmt", "yuv420p"),
    )  # fmt: skip
    footage = open_footage(path, 30.0)
    wanted = np.array([*range(20), *(20 + 3 * n for n in range(20)), *(80 + 2 * n for n in range(20))]) / 30.0
    assert np.abs(footage.times - wanted).max() < 1e-3
    reader = FootageReader(footage, footage.size)
    assert [number_in(reader.read(n)) for n in (45, 21, 22, 3, 59)] == [45, 21, 22, 3, 59]
    reader.finish()
    assert footage.index_at(26.5 / 30.0) == 22


def test_scaled_image_has_the_pixels_of_the_view_and_is_upside_down(folder):
    path = folder / "half.png"
    words = ["-f", "lavfi", "-i", "color=red:s=40x20,format=rgba,drawbox=0:0:40:10:color=lime:t=fill"]
    subprocess.run([executable(), "-v", "error", *words, "-frames:v", "1", str(path)], check=True)
    footage = open_footage(path, 24.0)
    assert footage.still and footage.index_at(-5.0) == 0 == footage.index_at(1e6)
    size = footage.scaled(60)
    assert size == (120, 60)
    reader = FootageReader(footage, size)
    image = reader.read(0)
    reader.finish()
    assert image.shape == (60, 120, 4) and (image[..., 3] == 255).all()
    assert image[50, 60, 1] > 200 and image[10, 60, 0] > 200  # the lowest row first


def test_sequence_with_a_gap_and_signs_in_its_name(folder, movie):
    inner = folder / "se%q [1]"
    inner.mkdir()
    pattern = str(inner).replace("%", "%%") + "/sh%%ot.%04d.png"
    subprocess.run(
        [executable(), "-v", "error", "-i", str(movie), "-frames:v", "12", "-start_number", "8", pattern],
        check=True,
    )
    (inner / "sh%ot.0012.png").unlink()
    (inner / "sh%ot.note.png").write_text("no number")
    footage = open_footage(inner / "sh%ot.0010.png", 24.0)
    assert len(footage.files) == 11 and footage.end == pytest.approx(12 / 24)
    assert footage.index_at(4 / 24) == 3 and footage.index_at(5 / 24) == 4  # the gap shows the one before
    reader = FootageReader(footage, footage.size)
    assert [number_in(reader.read(n)) for n in (0, 3, 4, 10, 2)] == [0, 3, 5, 11, 2]
    reader.finish()


def test_odd_sizes_and_pixels_that_are_not_square(folder):
    odd = counted_movie(folder / "odd.mkv", 5, size=(193, 65), options=("-c:v", "ffv1"))
    footage = open_footage(odd, 30.0)
    assert footage.size == (193, 65)
    reader = FootageReader(footage, (97, 33))
    assert number_in(reader.read(4)) == 4
    reader.finish()
    wide = folder / "wide.mp4"
    counted_movie(wide, 5, options=("-c:v", "libx264", "-vf", "setsar=2/1", "-pix_fmt", "yuv420p"))
    assert probe(wide).size == (384, 64)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("none.mp4", None, "the file is missing"),
        ("empty.mp4", b"", "the file is empty"),
        ("text.mp4", b"this is a text\n" * 50, "cut off, or no movie"),
        ("text.png", b"this is a text\n" * 50, "can be read"),
        ("list.m3u8", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n", "can"),
        ("concat.txt", b"ffconcat version 1.0\nfile /etc/hostname\n", "can"),
    ],
)
def test_broken_file_says_what_is_wrong(folder, name, data, words):
    path = folder / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(FormatError) as told:
        open_footage(path, 30.0)
    assert words in str(told.value) and "choose another file" in str(told.value)


def test_cut_off_movie_shows_what_is_there_or_says_so(folder, movie):
    whole = movie.read_bytes()
    (folder / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(AnimError, match="cut off"):
        open_footage(folder / "cut.mp4", 30.0)
    streamed = counted_movie(folder / "streamed.mkv", 60, options=("-c:v", "ffv1", "-g", "1"))
    data = streamed.read_bytes()
    (folder / "cut.mkv").write_bytes(data[: len(data) * 6 // 10])
    footage = open_footage(folder / "cut.mkv", 30.0)
    assert 5 < len(footage.times) < 60
    reader = FootageReader(footage, footage.size)
    assert number_in(reader.read(2)) == 2
    reader.read(len(footage.times) - 1)  # broken or not: it comes back
    reader.finish()


def test_sound_file_has_no_images(folder):
    from tests.media_files import sine_wav

    with pytest.raises(FormatError, match="it has no pictures"):
        open_footage(sine_wav(folder / "a.wav", 0.1), 30.0)

"""``media list``, ``attach`` and ``remove``; paths are kept relative to the document."""

import json
import shutil

import pytest

from core.cli.main import main
from core.errors import ValidationError
from core.io import load
from core.media.tracks import AudioTrack, ReferenceTrack, media_of, tracks_owned_by
from core.project.references import without
from tests.media_files import counted_movie, sine_wav

pytest.importorskip("imageio_ffmpeg")


def test_attach_list_remove_and_a_folder_that_is_moved(few_clips, tmp_path, capsys):
    here = tmp_path / "here"
    (here / "media").mkdir(parents=True)
    sound = sine_wav(here / "media" / "line.wav", 0.4)
    movie = counted_movie(here / "media" / "take.mp4", 10)
    one, two = here / "one.posewright", here / "two.posewright"
    assert (
        main(["media", "attach", few_clips, str(sound), "--clip", "walk", "--start", "6", "--out", str(one)])
        == 0
    )
    words = [
        "media",
        "attach",
        str(one),
        str(movie),
        "--every-clip",
        "--placement",
        "card",
        "--opacity",
        "80",
    ]
    assert main([*words, "--out", str(two)]) == 0
    capsys.readouterr()
    assert main(["media", "list", str(two), "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert (first["kind"], first["clip"], first["start"], first["seconds"]) == (
        "audio",
        "walk",
        0.2,
        pytest.approx(0.4),
    )
    assert (second["images"], second["clip"], second["opacity"]) == (10, None, 0.8)

    there = tmp_path / "there"
    shutil.move(here, there)
    project = load(there / "two.posewright").project
    track = project.all(AudioTrack)[0]
    assert track.path == str(there / "media" / "line.wav")
    (there / "media" / "line.wav").unlink()
    assert main(["media", "list", str(there / "two.posewright")]) == 0
    assert "the file is missing" in capsys.readouterr().out
    out = str(there / "three.posewright")
    assert main(["media", "remove", str(there / "two.posewright"), "--name", "lin.wav", "--out", out]) == 1
    assert "line.wav" in capsys.readouterr().err
    assert main(["media", "remove", str(there / "two.posewright"), "--name", "line.wav", "--out", out]) == 0
    assert not load(out).project.all(AudioTrack) and len(load(out).project.all(ReferenceTrack)) == 1


def test_wrong_words_are_refused(few_clips, tmp_path, capsys):
    sound = str(sine_wav(tmp_path / "line.wav", 0.1))
    out = str(tmp_path / "out.posewright")
    assert main(["media", "attach", few_clips, sound, "--as", "reference", "--out", out]) == 1
    assert "has no images" in capsys.readouterr().err
    assert main(["media", "attach", few_clips, sound, "--out", str(tmp_path / "out.glb")]) == 2
    assert main(["media", "attach", few_clips, sound, "--volume", "900", "--out", out]) == 1
    assert "volume" in capsys.readouterr().err


@pytest.fixture
def wrong_files(tmp_path):
    """What a person may name by mistake, each in a folder of its own."""
    text, empty = tmp_path / "text.wav", tmp_path / "empty.wav"
    text.write_text("no sound, only words\n" * 20)
    empty.touch()
    movie, sound = counted_movie(tmp_path / "take.mp4", 3), sine_wav(tmp_path / "line.wav", 0.1)
    image = pytest.importorskip("PIL.Image")
    image.new("RGB", (16, 16)).save(tmp_path / "shot_0001.png")
    return {
        "text": text, "empty": empty, "gone": tmp_path / "gone.wav", "folder": tmp_path, "movie": movie,
        "sound": sound, "sequence": tmp_path / "shot_0001.png",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "more", "status", "words"),
    [
        ("gone", (), 1, "gone.wav: the file is missing"),
        ("text", (), 1, "text.wav: it is neither sound, video nor a picture"),
        ("empty", (), 1, "empty.wav: the file is empty"),
        ("folder", (), 1, "it is a folder"),
        ("sound", ("--start", "nan"), 2, "--start: expected one finite number, got 'nan'"),
        ("sound", ("--start", "1,2"), 2, "--start: expected one finite number, got '1,2'"),
        ("sound", ("--start", "1e308"), 1, "start in seconds: expected"),
        ("sound", ("--volume", "inf"), 2, "--volume: expected one finite number, got 'inf'"),
        ("sound", ("--clip", "wlak"), 1, "no clip is named 'wlak'"),
        ("sound", ("--clip", "wlak", "--every-clip"), 1, "no clip is named 'wlak'"),
        ("sound", ("--rate", "0"), 2, "--rate: expected images a second above 0, got 0"),
        ("sound", ("--rate", "24"), 2, "attached as audio, which has none"),
        ("sound", ("--opacity", "20"), 2, "--opacity: "),
        ("sound", ("--placement", "card"), 2, "--placement: "),
        ("movie", ("--volume", "20"), 2, "attached as reference, which has none"),
        ("movie", ("--rate", "24"), 2, "is a video, which has its own"),
        ("sequence", ("--rate", "0"), 2, "above 0, got 0"),
        ("sequence", ("--rate=-5",), 2, "above 0, got -5"),
        ("sequence", ("--rate", "1e9"), 1, "expected"),
        ("sequence", ("--opacity", "120"), 1, "opacity"),
    ],
)
def test_what_cannot_be_is_told_in_one_line_and_nothing_is_written(
    few_clips, wrong_files, tmp_path, capsys, name, more, status, words
):
    there = sorted(tmp_path.iterdir())
    out = tmp_path / "out.posewright"
    line = ["media", "attach", few_clips, str(wrong_files[name]), "--out", str(out), *more]
    try:
        done = main(line)
    except SystemExit as left:  # of the parser
        done = left.code
    said = capsys.readouterr()
    assert done == status and words in said.err
    assert len(said.err.splitlines()) == 1 and not said.out
    assert sorted(tmp_path.iterdir()) == there


def test_a_sequence_keeps_the_rate_it_is_given(few_clips, wrong_files, tmp_path):
    out = tmp_path / "out.posewright"
    line = ["media", "attach", few_clips, str(wrong_files["sequence"]), "--out", str(out)]
    assert main([*line, "--rate", "12", "--placement", "card"]) == 0
    (track,) = load(out).project.all(ReferenceTrack)
    assert (track.rate, track.opacity, str(track.placement)) == (12.0, 0.6, "card")
    assert main([*line, "--overwrite"]) == 0
    (track,) = load(out).project.all(ReferenceTrack)
    assert (track.rate, str(track.placement)) == (0.0, "behind")


def test_a_track_goes_with_its_clip(few_clips, tmp_path):
    out = tmp_path / "out.posewright"
    sound = str(sine_wav(tmp_path / "line.wav", 0.1))
    assert main(["media", "attach", few_clips, sound, "--clip", "walk", "--out", str(out)]) == 0
    project = load(out).project
    walk = project.clip_named("walk")
    assert media_of(project, walk.id) == tracks_owned_by(project, walk.id) == project.all(AudioTrack)
    assert media_of(project, project.clip_named("run").id) == ()
    assert not without(project, {walk.id}).project.all(AudioTrack)
    with pytest.raises(ValidationError, match="opacity"):
        ReferenceTrack("a", "a", "a", opacity=2.0)

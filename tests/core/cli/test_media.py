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
    assert (
        main(["media", "attach", few_clips, sound, "--opacity", "120", "--volume", "900", "--out", out]) == 1
    )
    assert "volume" in capsys.readouterr().err


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

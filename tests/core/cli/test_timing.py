"""``timing insert``, ``remove``, ``bake`` and ``cascade`` on the sample character."""

import numpy as np
import pytest

from core.cli.main import main
from core.clips.clip import Channel, Property
from core.io import load, save
from core.project.project import Project
from tests.editor.rigs import small_project

TURN = Channel("upper_arm_l", Property.ROTATE, 0)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.posewright"
    save(Project(dict(small_project(mesh=False).assets)), path)
    return str(path)


def clip_of(path):
    return load(path).project.clips[0]


def frames(clip) -> list[float]:
    return np.round(clip.tracks[TURN].times * 30.0, 4).tolist()


def test_frames_are_inserted_and_removed_again(file, tmp_path, capsys) -> None:
    long, back = str(tmp_path / "long.posewright"), str(tmp_path / "back.posewright")
    before = clip_of(file)
    assert main(["timing", "insert", file, "--at", "1", "--frames", "5", "--out", long]) == 0
    assert f"{before.frames + 5:.0f} frames" in capsys.readouterr().out
    assert frames(clip_of(long)) == [f + 5 if f > 1 else f for f in frames(before)]
    assert main(["timing", "remove", long, "--at", "1", "--frames", "5", "--out", back]) == 0
    assert frames(clip_of(back)) == frames(before)


def test_keys_are_baked_on_twos_in_a_range_of_some_bones(file, tmp_path) -> None:
    out, before = str(tmp_path / "two.posewright"), clip_of(file)
    words = ["timing", "bake", file, "--on", "2", "--range", "4:10", "--bones", "upper_arm_l", "--out", out]
    assert main(words) == 0
    after = clip_of(out)
    assert [f for f in frames(after) if 4 <= f <= 10] == [4, 6, 8, 10]
    assert {c.bone for c, t in after.tracks.items() if len(t) != len(before.tracks[c])} == {"upper_arm_l"}


def test_a_chain_is_offset_and_written_as_another_format(file, tmp_path) -> None:
    out = str(tmp_path / "late.glb")
    words = ["timing", "cascade", file, "--bones", "upper_arm_l,lower_arm_l", "--offset", "3", "--out", out]
    assert main(words) == 0
    assert load(out).project.clips[0].length > 0.0


def test_keys_are_typed_stepped_splined_and_a_chain_follows(file, tmp_path) -> None:
    a, b, c, d = (str(tmp_path / f"{name}.posewright") for name in "abcd")
    assert (
        main(
            ["timing", "types", file, "--type", "extreme", "--at", "0", "--bones", "upper_arm_l", "--out", a]
        )
        == 0
    )
    assert clip_of(a).tracks[TURN].types.tolist()[:2] == [3, 0]
    assert main(["timing", "spline", a, "--tangents", "stepped", "--out", b]) == 0
    assert not clip_of(b).tracks[TURN].interpolations[:-1].any()
    assert main(["timing", "spline", b, "--range", "0:30", "--out", c]) == 0
    track = clip_of(c).tracks[TURN]
    inside = track.times[1:] < 1.0 + 1e-6
    assert track.interpolations[:-1][inside].all() and not track.interpolations[:-1][~inside].any()
    words = ["timing", "follow", file, "--bones", "upper_arm_l,lower_arm_l,hand_l", "--lag", "3", "--out", d]
    assert main(words) == 0
    assert sum(len(t) for t in clip_of(d).every_track()) > sum(len(t) for t in clip_of(file).every_track())


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (["types", "--type", "hold", "--at", "0.37"], 1, "no key is on these frames"),
        (["types", "--type", "hold", "--at", "x"], 2, "expected frames"),
        (["follow", "--bones", "head", "--lag", "3"], 1, "at least two bones"),
        (["remove", "--at", "0", "--frames", "999"], 1, "can be removed"),
        (["bake", "--on", "0"], 1, "bake"),
        (["bake", "--range", "x:y"], 2, "--range"),
        (["cascade", "--bones", "nobody", "--offset", "1"], 1, "nobody"),
        (["cascade", "--bones", "hand_l,hand_r", "--offset", "1"], 1, "two bones of a chain"),
        (["insert"], 2, "--at"),
    ],
)
def test_what_is_wrong_is_one_line(file, tmp_path, capsys, words, status, reason) -> None:
    word, *more = words
    out = str(tmp_path / "out.posewright")
    assert main(["timing", word, file, *more, "--out", out]) == status
    said = capsys.readouterr().err
    assert reason in said and len(said.splitlines()) == 1

"""``space list``, ``switch``, ``release`` and ``bake`` on the small character."""

import pytest

from core.cli.main import main
from core.io import load, save
from core.project.project import Project
from tests.editor.rigs import small_project


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.posewright"
    save(Project(dict(small_project(mesh=False).assets)), path)
    return str(path)


def test_a_hand_follows_is_listed_released_and_baked(file, tmp_path, capsys) -> None:
    live, free, solid, glb = (
        str(tmp_path / n) for n in ("a.posewright", "b.posewright", "c.posewright", "d.glb")
    )
    words = ["space", "switch", file, "--bone", "hand_l", "--to", "world", "--from", "10", "--until", "40"]
    assert main([*words, "--out", live]) == 0
    assert "1 span" in capsys.readouterr().out
    assert main(["space", "list", live]) == 0
    assert capsys.readouterr().out == "hand_l: world, frames 10 to 40\n"
    assert main(["space", "release", live, "--bone", "hand_l", "--at", "30", "--out", free]) == 0
    assert main(["space", "list", free]) == 0
    assert "frames 10 to 30" in capsys.readouterr().out
    assert main(["space", "bake", live, "--out", solid]) == 0
    made = load(solid).project
    assert not made.clips[0].curves and not made.rigs[0].ik_setups
    assert main([*words, "--keep", "--bake", "--how", "bone", "--out", glb]) == 0
    assert load(glb).project.clips[0].length > 0.0


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (["switch", "--bone", "hand_l", "--to", "moon"], 1, "moon"),
        (["switch", "--bone", "nobody", "--to", "world"], 1, "nobody"),
        (["switch", "--bone", "chest", "--to", "hand_l"], 1, "moves with it"),
        (["release", "--bone", "hand_l", "--at", "3"], 1, "follows no space"),
        (["bake"], 1, "no bone follows"),
        (["bake", "--range", "x:y"], 2, "--range"),
        (["switch", "--bone", "hand_l"], 2, "--to"),
    ],
)
def test_what_is_wrong_is_one_line(file, tmp_path, capsys, words, status, reason) -> None:
    word, *more = words
    assert main(["space", word, file, *more, "--out", str(tmp_path / "out.posewright")]) == status
    said = capsys.readouterr().err
    assert reason in said and len(said.splitlines()) == 1

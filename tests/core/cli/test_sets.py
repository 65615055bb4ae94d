"""``sets list``, ``make``, ``rename``, ``delete`` and ``carry`` on the small character."""

import json

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


def test_sets_are_made_listed_renamed_carried_and_deleted(file, tmp_path, capsys) -> None:
    a, b, c, d = (str(tmp_path / f"{n}.posewright") for n in "abcd")
    make = [
        "sets",
        "make",
        file,
        "--name",
        "hands",
        "--bones",
        "hand_r, hand_l",
        "--color",
        "pink",
        "--out",
        a,
    ]
    assert main(make) == 0
    assert capsys.readouterr().out.endswith("1 bone set\n")
    assert main(["sets", "list", a]) == 0
    assert capsys.readouterr().out == "hands (pink): hand_l, hand_r\n"
    assert main(["sets", "rename", a, "--name", "hands", "--to", "ends", "--out", b]) == 0
    assert main(["sets", "carry", file, "--from", b, "--out", c]) == 0
    capsys.readouterr()
    assert main(["sets", "list", c, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"ends": {"color": "pink", "bones": ["hand_l", "hand_r"]}}
    assert main(["sets", "delete", c, "--name", "ends", "--out", d]) == 0
    assert not load(d).project.rigs[0].bone_sets


@pytest.mark.parametrize(
    "words, status, said",
    [
        (["--name", "x", "--bones", "wing", "--out", "OUT.posewright"], 1, "wing"),
        (["--name", "x", "--bones", ",", "--out", "OUT.posewright"], 1, "one bone or more"),
        (["--name", "x", "--bones", "hand_l", "--out", "OUT.glb"], 2, "posewright"),
        (["--rig", "none", "--name", "x", "--bones", "hand_l", "--out", "OUT.posewright"], 1, "'small'"),
    ],
)
def test_bad_input_is_one_line(file, tmp_path, capsys, words, status, said) -> None:
    words = [str(tmp_path / word) if word.startswith("OUT") else word for word in words]
    assert main(["sets", "make", file, *words]) == status
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1

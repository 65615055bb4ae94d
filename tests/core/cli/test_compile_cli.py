"""``compile`` on the command line, and what it wrote read by ``sample`` and ``info``."""

import json

import numpy as np
import pytest

from core.cli.main import main
from core.io import save
from core.project.project import Project
from tests.core.clips.test_compiled import arm, waving


@pytest.fixture
def native(tmp_path):
    path = tmp_path / "wave.posewright"
    save(Project().with_assets(arm(), waving()), path)
    return str(path)


def test_compile_writes_what_sample_reads(native, tmp_path, capsys) -> None:
    out = str(tmp_path / "wave.pwclip")
    assert main(["compile", native, out, "--clip", "wave", "--error-mm", "0.05"]) == 0
    assert "with names and skeleton" in capsys.readouterr().out
    found = []
    for path in (native, out):
        assert main(["sample", path, "--times", "0,0.5,1.25"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0]["bones"] == found[1]["bones"]
    off = np.linalg.norm(np.array(found[0]["positions"]) - found[1]["positions"], axis=-1)
    assert off.max() <= 5.1e-5  # the rest pose goes to float32
    assert main(["info", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clips"][0]["name"] == "wave"


@pytest.mark.parametrize(
    "words", [["--error-mm", "0"], ["--clip", "nobody"], ["--error-mm", "1e-9"], ["--rate", "-3"]]
)
def test_compile_nonsense_is_told_in_one_line_and_writes_nothing(native, tmp_path, capsys, words) -> None:
    out = tmp_path / "wave.pwclip"
    assert main(["compile", native, str(out), *words]) in (1, 2)
    assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()


def test_compile_to_another_suffix_is_refused(native, tmp_path, capsys) -> None:
    assert main(["compile", native, str(tmp_path / "wave.glb")]) == 2
    assert ".pwclip" in capsys.readouterr().err


def test_sample_of_a_broken_compiled_clip_names_the_offset(native, tmp_path, capsys) -> None:
    out = tmp_path / "wave.pwclip"
    assert main(["compile", native, str(out)]) == 0
    out.write_bytes(out.read_bytes()[:-9])
    capsys.readouterr()
    assert main(["sample", str(out), "--times", "0"]) == 1
    assert "byte " in capsys.readouterr().err

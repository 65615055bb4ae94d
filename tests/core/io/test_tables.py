"""Tables of samples, read back by csv and numpy."""

import csv

import numpy as np
import pytest

from core.clips.sample import sample_many
from core.errors import FormatError, ValidationError
from core.io import load, save
from core.io.tables.write import TableWriteOptions
from core.math.transform import from_matrix
from core.pose.kinematics import model_matrices
from tests.core.io.test_presets import walking


def test_save_csv_holds_a_row_for_each_frame_and_bone(tmp_path):
    project = walking()
    save(project, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    move = [row for row in rows if row["clip"] == "move"]
    assert len(move) == 31 * 5
    local = sample_many(project.rigs[0], project.clips[0], [20 / 30], wrap=False).local
    row = next(row for row in move if row["frame"] == "20" and row["bone"] == "b2")
    assert [float(row[f"t{axis}"]) for axis in "xyz"] == pytest.approx(local.translation[0, 2].tolist())
    turned = np.array([float(row[f"q{axis}"]) for axis in "xyzw"])
    assert abs(float(turned @ local.rotation[0, 2])) == pytest.approx(1.0)


def test_save_npz_in_model_space_holds_arrays(tmp_path):
    project = walking()
    save(project, tmp_path / "a.npz", TableWriteOptions(space="model", rate=10.0))
    with np.load(tmp_path / "a.npz") as file:
        assert list(file["bones"]) == list(project.rigs[0].skeleton.names)
        times, found = file["0/times"], file["0/translations"]
    assert times.tolist() == pytest.approx([n / 10 for n in range(11)])
    local = sample_many(project.rigs[0], project.clips[0], times, wrap=False).local
    assert np.allclose(found, from_matrix(model_matrices(project.rigs[0].skeleton, local)).translation)


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_save_table_bytes_depend_on_the_project_only_and_are_not_read(suffix, tmp_path):
    for name in "ab":
        save(walking(), tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    with pytest.raises(FormatError):
        load(tmp_path / f"a{suffix}")


def test_table_options_refuse_an_unknown_space():
    with pytest.raises(ValidationError, match="local or model"):
        TableWriteOptions(space="world")

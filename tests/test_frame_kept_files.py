"""The samples that are decoded once for all tests are what reading them gives."""

import shutil

import pytest

from core.errors import Cancelled
from core.io import load, save
from core.io.native import read as reading
from core.progress import Progress
from editor.model.opening import sample_path
from tests.kept_files import KeptFiles


def test_the_sample_is_decoded_once_and_each_opening_has_its_own_report():
    first, second = load(sample_path()), load(sample_path())
    assert first.project is second.project
    assert first.report == second.report and first.report is not second.report
    first.remembered.clear()
    first.report.warn("changed by a test")
    third = load(sample_path())
    assert third.report == second.report and third.remembered.assets.keys() == second.remembered.assets.keys()


def test_other_files_are_read_every_time(tmp_path):
    copied = shutil.copy(sample_path(), tmp_path)
    assert load(copied).project is not load(copied).project


def test_what_is_kept_is_what_the_reader_gives(monkeypatch, tmp_path):
    kept = load(sample_path())
    assert isinstance(reading._read, KeptFiles)
    monkeypatch.setattr(reading, "_read", reading._read.read)
    fresh = load(sample_path())
    assert fresh.project is not kept.project and fresh.report == kept.report
    save(fresh.project, tmp_path / "fresh.posewright")
    save(kept.project, tmp_path / "kept.posewright")
    assert (tmp_path / "fresh.posewright").read_bytes() == (tmp_path / "kept.posewright").read_bytes()


def test_reading_what_is_kept_can_be_cancelled():
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        load(sample_path(), progress)

"""What killed programs leave is swept up; what is in use, of others, or no leftover stays."""

import os
import subprocess
import sys
import time
from pathlib import Path

from editor.model import leftovers
from editor.model.leftovers import DAY, HOUR, make_folder, sweep
from tests.shared import ROOT


def aged(path, seconds):
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def made(folder, name, age=0.0, is_folder=False):
    path = folder / name
    if is_folder:
        path.mkdir()
        (path / "inside").write_text("x")
    else:
        path.write_text("x")
    return aged(path, age)


def test_folder_of_a_killed_program_goes_and_that_of_a_running_one_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(leftovers.tempfile, "tempdir", None)
    code = "import os; from editor.model.leftovers import make_folder; print(make_folder(), flush=True); os.abort()"
    killed = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    gone = Path(killed.stdout.strip())
    own = make_folder()
    assert gone.is_dir() and own.is_dir()
    assert sweep(temporary=tmp_path) == [gone]
    assert own.is_dir() and not gone.exists()
    monkeypatch.setattr(leftovers.tempfile, "tempdir", None)


def test_only_our_old_leftovers_go(tmp_path):
    away = [
        made(tmp_path, "Posewright-Ab12Cd", DAY * 2, True),
        made(tmp_path, "posewright-fbx-abc_1234", DAY * 2, True),
        made(tmp_path, "Posewright-999999999-123-abcdefgh", 0.0, True),
    ]
    kept = [
        made(tmp_path, "Posewright-Xb12Cd", 60.0, True),
        made(tmp_path, "Posewright-notes", DAY * 9, True),
        made(tmp_path, "other", DAY * 9, True),
    ]
    (tmp_path / "target").mkdir()
    link = tmp_path / "Posewright-999999999-124-abcdefgh"
    link.symlink_to(tmp_path / "target")
    assert sorted(sweep(temporary=tmp_path)) == sorted(away)
    assert all(path.exists() for path in [*kept, link, tmp_path / "target"])


def test_half_written_files_go_where_they_are_ours(tmp_path):
    own, documents, empty = tmp_path / "own", tmp_path / "documents", tmp_path / "empty"
    for folder in (own, documents, empty):
        folder.mkdir()
    away = [
        made(own, ".preferences.abcd1234.part", HOUR * 2),
        made(documents, ".walk.posewright.abcd1234.part", HOUR * 2),
        made(documents, ".walk.abcd1234.part", HOUR * 2, True),
        made(documents, ".export.abcd1234.part", HOUR * 2, True),
    ]
    kept = [
        made(own, ".preferences.abcd5678.part", 60.0),
        made(documents, ".film.mkv.abcd1234.part", HOUR * 9),
        made(documents, "walk.posewright", HOUR * 9),
        made(documents, "walk.part", HOUR * 9),
    ]
    found = sweep(
        [own, tmp_path / "missing"], [documents / "walk.posewright", tmp_path / "no" / "x.glb"], empty
    )
    assert sorted(found) == sorted(away)
    assert all(path.exists() for path in kept)


def test_theme_takes_its_folder_with_it(qapp, tmp_path, monkeypatch):
    import gc

    from editor.qt.theme import Theme

    monkeypatch.setattr(leftovers.tempfile, "tempdir", str(tmp_path))
    theme = Theme(qapp, "a theme there is none of")
    assert theme.tokens.name == "dark" and list(tmp_path.iterdir())
    del theme
    gc.collect()
    assert not list(tmp_path.iterdir())

"""Which files are asked for where a map is loaded or saved."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from editor.panels.retarget import files
from editor.qt.dialogs import Files
from tests.editor.panel_stage import small_session


@pytest.fixture
def asked(monkeypatch) -> list[SimpleNamespace]:
    found: list[SimpleNamespace] = []

    def choose(parent, title, filters, chosen, mode=Files.ONE, start=None, suffix=""):
        found.append(SimpleNamespace(title=title, filters=filters, mode=mode, start=start, suffix=suffix))

    monkeypatch.setattr(files, "choose_files", choose)
    return found


def test_a_map_is_saved_under_a_name_and_loaded_from_a_file_that_is_there(
    qapp, asked, tmp_path: Path
) -> None:
    session = small_session()
    session.preferences.add_recent(tmp_path / "a.posewright")
    try:
        files.save_map(None, session)  # type: ignore[arg-type]
        files.load_map(None, session)  # type: ignore[arg-type]
    finally:
        session.close()
    saved, loaded = asked
    assert (saved.title, saved.mode, saved.suffix) == ("Save the map", Files.SAVE, "json")
    assert saved.start == tmp_path / "map.map.json"
    assert (loaded.title, loaded.mode, loaded.start) == ("Load a map", Files.ONE, tmp_path)
    assert saved.filters == loaded.filters == [files.MAPS]

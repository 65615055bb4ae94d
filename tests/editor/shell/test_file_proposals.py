"""Which file or folder the window proposes where it asks for one."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from editor.qt.dialogs import Files
from editor.shell import documents
from tests.editor.stage import stage


@pytest.fixture
def asked(monkeypatch) -> list[SimpleNamespace]:
    found: list[SimpleNamespace] = []

    def choose(parent, title, filters, chosen, mode=Files.ONE, start=None, suffix=""):
        found.append(SimpleNamespace(title=title, filters=filters, mode=mode, start=start, suffix=suffix))

    monkeypatch.setattr(documents, "choose_files", choose)
    return found


def test_save_as_proposes_the_files_own_name_and_place_else_the_characters(
    qapp, asked, tmp_path: Path
) -> None:
    with stage(qapp, "clips") as here:
        here.window.documents.save_as()
        assert (asked[-1].mode, asked[-1].start.name, asked[-1].suffix) == (
            Files.SAVE,
            "tester.posewright",
            "posewright",
        )
        path = tmp_path / "mine.posewright"
        here.session.files.save(path)
        here.user.wait_until(lambda: not here.session.jobs.running)
        here.window.documents.save_as()
        assert asked[-1].start == path and asked[-1].filters == ["Posewright (*.posewright)"]
        here.window.documents.choose_and_import()
        assert (asked[-1].mode, asked[-1].start) == (Files.SEVERAL, tmp_path)
    with stage(qapp, "clips", project=None) as here:  # the last file tells the folder
        here.window.documents.save_as()
        assert asked[-1].start == tmp_path / "Untitled.posewright"

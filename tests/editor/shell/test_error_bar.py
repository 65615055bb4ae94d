"""The bar over the content says what is wrong with a file and offers another."""

import struct

import pytest
from PySide6.QtWidgets import QFileDialog

import core.io
from core.errors import FormatError, IncompleteError
from editor.model.file_reports import said_of
from tests.editor.stage import stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips", "bone_tree", "timeline", "inspector", "viewport") as made:
        yield made


def broken(folder, declared: int, there: int):
    path = folder / "broken.glb"
    path.write_bytes((b"glTF" + struct.pack("<II", 2, declared)).ljust(there, b" "))
    return path


def test_a_file_that_was_broken_off_says_how_much_of_it_is_there(tmp_path):
    with pytest.raises(IncompleteError) as caught:
        core.io.load(broken(tmp_path, 163_000, 3_000))
    assert (caught.value.found, caught.value.expected) == (3_000, 163_000)
    assert "ends after 3000" in str(caught.value) and "download it again" in str(caught.value)


@pytest.mark.parametrize(
    ("found", "expected", "words"),
    [(3_000, 163_000, "3 of 163 kB"), (1_200_000, 44_000_000, "1.2 of 44 MB"), (20, 1_000, "0.02 of 1 kB")],
)
def test_sizes_are_said_in_the_unit_of_the_whole(found, expected, words):
    said = said_of(IncompleteError("/some/where/broken.glb", "header", found, expected))
    assert said.startswith(f"broken.glb is incomplete ({words})")


def test_other_faults_are_said_with_their_place():
    error = FormatError("walk.bvh", "line 12", "expected a number", "open it in an editor")
    assert said_of(error) == str(error)


@pytest.mark.parametrize("way", ["open", "import"])
def test_the_bar_offers_to_choose_another_file(here, tmp_path, way):
    path = broken(tmp_path, 163_000, 3_000)
    if way == "open":
        here.window.documents.open(path)
    else:
        here.window.documents.import_files([path])
    here.user.until(lambda: here.window.messages.bar.isVisible())
    bar = here.window.messages.bar
    assert (
        here.user.find("messageText")
        .text()
        .replace("\u200b", "")
        .startswith("broken.glb is incomplete (3 of 163 kB)")
    )
    assert bar.button.text() == "Choose another…"
    assert bar.geometry().bottom() < here.window.statusBar().geometry().top(), "over the content"
    here.user.click("messageAction")
    here.user.until(lambda: here.window.findChild(QFileDialog) is not None)
    dialog = here.window.findChild(QFileDialog)
    assert dialog is not None and not bar.isVisible()
    dialog.reject()
    here.user.settle()

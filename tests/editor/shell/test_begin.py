"""What is opened at the start: the files given, each once, else the sample character; the rest is said."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from editor.shell.start import begin


@pytest.fixture
def window() -> SimpleNamespace:
    """Notes what it is asked to do."""
    did: list[tuple] = []
    return SimpleNamespace(
        did=did,
        session=SimpleNamespace(messages=SimpleNamespace(error=lambda text: did.append(("error", text)))),
        documents=SimpleNamespace(
            open=lambda path, more: did.append(("open", path.name, [p.name for p in more])),
            load_sample=lambda play, ahead: did.append(("sample", play, ahead)),
            offer_recovery=lambda: did.append(("recovery",)),
        ),
        centre_body=SimpleNamespace(
            panel=SimpleNamespace(first_card=SimpleNamespace(greet=lambda: did.append(("greet",))))
        ),
    )


def test_files_are_opened_once_each(window: SimpleNamespace, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.glb", "b.glb", "c.bvh")]
    for path in files[:2]:
        path.touch()
    begin(window, files)
    assert window.did == [
        ("error", f"There is no file {files[2]}"), ("open", "a.glb", ["b.glb"]), ("recovery",)
    ]  # fmt: skip


def test_without_a_file_the_sample_plays_and_one_is_greeted(window: SimpleNamespace) -> None:
    begin(window, [])
    assert window.did == [("sample", True, None), ("greet",), ("recovery",)]


def test_where_files_are_missing_the_sample_stands(window: SimpleNamespace, tmp_path: Path) -> None:
    begin(window, [tmp_path / "gone.glb"])
    assert window.did[1:] == [("sample", False, None), ("greet",), ("recovery",)]

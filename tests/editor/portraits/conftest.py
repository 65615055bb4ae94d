"""Portraits were approved on Linux, with an empty clipboard: keys, fonts and paths are told otherwise elsewhere."""

import sys

import pytest
from PySide6.QtWidgets import QApplication

from editor.qt import number_field


@pytest.fixture(autouse=True)
def on_linux() -> None:
    """Leave out what was approved on another system."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the portraits were approved on Linux")


@pytest.fixture(autouse=True)
def empty_clipboard(qapp: QApplication) -> None:
    """Forget what tests before have copied: it can be pasted in every window."""
    qapp.clipboard().clear()
    qapp.processEvents()


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A field says at once why it does not take what was typed: later it would be in a line about something else."""
    monkeypatch.setattr(number_field, "TIP_DELAY", 0)

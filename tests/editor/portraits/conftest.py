"""Portraits were approved on Linux, with an empty clipboard: keys, fonts and paths are told otherwise elsewhere."""

import sys

import pytest
from PySide6.QtWidgets import QApplication


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

"""A gamepad is read while it is wanted; why none can be read is told."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject

from core.errors import UnsupportedError
from editor.panels.variables import keyboard
from editor.panels.variables.keyboard import GamepadPoll


@pytest.fixture
def owner(qapp):
    made = QObject()
    yield made
    made.deleteLater()


def test_why_no_gamepad_can_be_read_is_told(owner, monkeypatch) -> None:
    def missing():
        raise UnsupportedError("connect a gamepad")

    monkeypatch.setattr(keyboard, "Gamepad", missing)
    poll = GamepadPoll(owner, SimpleNamespace(gamepad=lambda controls: None))  # type: ignore[arg-type]
    assert poll.start() == "connect a gamepad" and poll.name == "" and not poll._timer.isActive()
    poll.stop()


def test_what_is_held_is_handed_over_until_it_is_read_no_more(owner, monkeypatch) -> None:
    told: list[object] = []
    pad = SimpleNamespace(name="Pad", controls=lambda: {"a": 1.0}, close=lambda: told.append("closed"))
    monkeypatch.setattr(keyboard, "Gamepad", lambda: pad)
    poll = GamepadPoll(owner, SimpleNamespace(gamepad=told.append))  # type: ignore[arg-type]
    assert poll.start() == "" and poll.name == "Pad" and poll._timer.isActive()
    poll._look()
    poll.stop()
    poll._look()
    assert told == [{"a": 1.0}, "closed"] and not poll._timer.isActive() and poll.name == ""

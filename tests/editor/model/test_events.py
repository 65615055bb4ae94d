"""Events: who hears what."""

import pytest

from editor.model.events import Event


def test_emit_reaches_every_listener_even_when_one_fails() -> None:
    event, heard = Event[int](), []

    def fail(value: int) -> None:
        raise ValueError("no")

    event.connect(fail)
    event.connect(heard.append)
    with pytest.raises(ValueError, match="no"):
        event.emit(3)
    assert heard == [3]


def test_disconnect_during_emit_is_obeyed_at_once() -> None:
    event, heard = Event[int](), []
    event.connect(lambda _: stop())
    stop = event.connect(heard.append)
    event.emit(1)
    stop()
    assert heard == [] and len(event) == 1


def test_a_function_connected_twice_is_disconnected_once() -> None:
    event, heard = Event[int](), []
    event.connect(heard.append)
    event.connect(heard.append)()
    event.emit(1)
    assert heard == [1]

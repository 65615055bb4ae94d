"""Edits that may be refused: the reason goes to the message bar."""

from collections.abc import Callable
from typing import TypeVar

from core.errors import AnimError, ValidationError
from editor.model.i18n import sentence
from editor.model.messages import Messages

T = TypeVar("T")


def tried(messages: Messages, work: Callable[[], T]) -> T | None:
    """What `work` returns; None where it was refused.

    A value that does not fit is a warning, anything else that went wrong an error.
    """
    try:
        return work()
    except ValidationError as error:
        messages.warn(sentence(str(error)))
    except AnimError as error:
        messages.error(str(error))
    return None

"""What is said of work that a crash left behind."""

from datetime import datetime
from pathlib import Path

import pytest

from editor.model.recovery import Recoverable
from editor.shell.recovery_text import described

WHEN = datetime(2026, 3, 4, 15, 6, 59).timestamp()
ENDED = "The program ended unexpectedly the last time."


@pytest.mark.parametrize(
    ("document", "steps", "last", "when", "text"),
    [
        (Path("a/walk.posewright"), 1, "Key arm_l", WHEN,
         "walk: 1 unsaved step.\nThe last step was “Key arm_l”, 2026-03-04 15:06."),
        (None, 12, "", WHEN, "Unsaved document: 12 unsaved steps.\n2026-03-04 15:06"),
        (None, 2, "", 0.0, "Unsaved document: 2 unsaved steps.\n"),
    ],
)  # fmt: skip
def test_document_steps_and_time_are_told(document, steps, last, when, text) -> None:
    found = Recoverable(Path("journal"), document, steps, last, when)
    assert described(found) == f"{text}\n\n{ENDED}"

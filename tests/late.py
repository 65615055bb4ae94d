"""Plugin of pytest that lets work in the background begin and end late, by chance, as a busy machine does.

``python3 dev.py test -p tests.late tests/editor`` finds tests, and code, that rely on the order or the speed of what
runs beside the window: pictures of clips, looks at the file, evaluation, exports. What fails with it is not always
the same, so it is no part of the ordinary run.
"""

import random
import time
from collections.abc import Callable

import pytest

from editor.qt.runner import JobRunner

BEFORE = (0.0, 0.0, 0.03, 0.15, 0.6)
"""Seconds until a work begins, one of them by chance. Half a second is longer than any grace of the editor."""

AFTER = (0.0, 0.0, 0.03, 0.15)
"""Seconds between the end of a work and its delivery."""


def late(start: Callable[..., None], wait: Callable[[float], object] = time.sleep) -> Callable[..., None]:
    """`JobRunner.__call__` with delays in the worker's thread, before and after the work."""

    def run(runner: JobRunner, work: Callable[[], None], then: Callable[[], None]) -> None:
        before, after = random.choice(BEFORE), random.choice(AFTER)

        def delayed() -> None:
            wait(before)
            try:
                work()
            finally:
                wait(after)

        start(runner, delayed, then)

    return run


def pytest_configure(config: pytest.Config) -> None:
    """Delay every runner of this process."""
    patch = pytest.MonkeyPatch()
    patch.setattr(JobRunner, "__call__", late(JobRunner.__call__))
    config.add_cleanup(patch.undo)

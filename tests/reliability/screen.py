"""A virtual screen for children that show windows, where there is none."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def screen() -> Iterator[None]:
    """A screen of its own where ``DISPLAY`` names none."""
    os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
    if os.environ.get("DISPLAY") or os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        yield
        return
    from pyvirtualdisplay.display import Display

    with Display(visible=False, size=(1280, 800), extra_args=["-noreset"]):
        yield

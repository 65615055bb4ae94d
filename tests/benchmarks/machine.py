"""How quick this machine is now, beside the one that the stored figures come from."""

import time
from collections.abc import Callable

import numpy as np

NUMPY_MS = 2.6
"""Milliseconds of `numpy_work` on the machine that reports are compared with: two cores, quiet."""
WINDOW_MS = 1.1
"""Milliseconds of `window_work` there."""
ROUNDS = 9


def numpy_work() -> None:
    """Chains of 4 × 4 matrices, as a pose in plain numpy has them."""
    matrices = np.broadcast_to(np.eye(4) + 0.01, (2000, 4, 4)).copy()
    for _ in range(20):
        matrices = matrices @ matrices
        matrices /= np.abs(matrices).max()


def window_work() -> Callable[[], None]:
    """Paint a bare window of 200 labels into a picture; needs an application."""
    from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

    window = QWidget()
    grid = QGridLayout(window)
    for i in range(200):
        grid.addWidget(QLabel(f"row {i} of 200"), i // 10, i % 10)
    window.resize(1200, 800)
    return lambda: window.grab().width() and None


def least(work: Callable[[], None], rounds: int = ROUNDS) -> float:
    """Milliseconds of the quickest of some rounds: what the machine can do, whatever else runs on it."""
    found = []
    work()
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found) * 1e3


def factor_line() -> str:
    """One line for a report: times divided by the factor compare with those of other days."""
    numpy_factor = least(numpy_work) / NUMPY_MS
    words = f"Machine factor: numpy {numpy_factor:.2f}"
    try:
        from PySide6.QtWidgets import QApplication

        app = QApplication.instance() or QApplication(["machine"])
        words += f", window {least(window_work()) / WINDOW_MS:.2f}"
        del app
    except ImportError:
        words += ", window unknown (no Qt here)"
    return words + " (1 = the machine of the stored references; divide times by it to compare days)"


if __name__ == "__main__":
    print(factor_line())

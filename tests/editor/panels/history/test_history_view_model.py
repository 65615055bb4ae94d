"""What the list of steps says: memory in units people read, the share of the limit, what was discarded."""

from types import SimpleNamespace

import pytest

from editor.panels.history.view_model import HistoryList, Steps, megabytes

MB = 2**20


@pytest.mark.parametrize(
    "size, text",
    [
        (0, "0 MB"),
        (MB // 2, "0.5 MB"),
        (round(9.94 * MB), "9.9 MB"),
        (10 * MB, "10 MB"),
        (512 * MB, "512 MB"),
    ],
)
def test_memory_is_told_in_megabytes(size, text):
    assert megabytes(size) == text


def steps(**history):
    known = {
        "labels": ("Move keys", "Set key"),
        "position": 1,
        "dropped": 0,
        "memory": 0,
        "max_bytes": 64 * MB,
    }
    session = SimpleNamespace(history=SimpleNamespace(**known | history), document=SimpleNamespace(path=None))
    return HistoryList(session)


def test_the_bar_is_the_share_of_the_limit_and_never_more_than_all():
    assert steps(memory=16 * MB).memory().share == 0.25
    assert steps(memory=90 * MB).memory().share == 1.0
    assert steps(memory=3 * MB // 2).memory().text == "2 steps · 1.5 MB / 64 MB"
    assert steps(labels=("Move keys",)).memory().text.startswith("1 step · ")
    assert "1.5 MB of 64 MB" in steps(memory=3 * MB // 2).memory().tip


@pytest.mark.parametrize(
    "dropped, path, first",
    [(0, None, "Start"), (0, "walk.posewright", "Opened"), (1, "walk.posewright", "1 older step was discarded"),
     (40, None, "40 older steps were discarded")],
)  # fmt: skip
def test_the_first_row_tells_how_it_began_or_what_was_discarded(dropped, path, first):
    listed = steps(dropped=dropped)
    listed._session.document.path = path
    assert listed.steps() == Steps((first, "Move keys", "Set key"), 1)

"""Progress of the work that a thread does, and what is left of it."""

import gc

from core.errors import Cancelled
from core.progress import Progress, checkpoint, counted, running


def work(progress: Progress) -> None:
    """Work that is cancelled in a loop whose iterator lives as long as its frame."""
    loop = counted([1, 2])
    for _ in loop:
        progress.cancel()
        checkpoint()


def test_loop_that_was_left_by_a_cancel_leaves_no_cancelled_work_behind() -> None:
    progress, caught = Progress(), []
    try:
        with running(progress):
            work(progress)
    except Cancelled as error:
        caught.append(error)  # with its frames, and the loop in them
    assert caught
    checkpoint()
    caught.clear()
    gc.collect()
    checkpoint()

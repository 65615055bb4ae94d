"""Work divided between threads: all of it, once, and errors of any part are told."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import threads


@given(st.integers(0, 50), st.integers(0, 1000), st.integers(1, 300), st.integers(1, 12))
def test_every_item_is_done_once_in_stretches_that_are_long_enough(start, count, least, processors):
    done: list[tuple[int, slice]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "processors", lambda: processors)
        threads.spread(lambda side, part: done.append((side, part)), slice(start, start + count), least)
    done.sort(key=lambda one: one[0])
    assert [side for side, _ in done] == list(range(len(done)))
    assert len(done) <= min(processors, threads.MOST)
    assert [n for _, part in done for n in range(part.start, part.stop)] == list(range(start, start + count))
    assert len(done) == 1 or min(part.stop - part.start for _, part in done) >= least


def test_the_caller_works_too(monkeypatch):
    monkeypatch.setattr(threads, "processors", lambda: 2)
    names: dict[int, str] = {}
    threads.spread(lambda side, part: names.update({side: threading.current_thread().name}), slice(0, 10), 5)
    assert names[0] == threading.current_thread().name != names[1]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_of_any_part_is_raised_after_all_have_ended(failing, monkeypatch):
    monkeypatch.setattr(threads, "processors", lambda: 2)
    ended = []

    def work(side, part):
        if side == failing:
            raise ValueError(f"part {side}")
        ended.append(side)

    with pytest.raises(ValueError, match=f"part {failing}"):
        threads.spread(work, slice(0, 10), 5)
    assert ended == [1 - failing]


def test_work_within_work_needs_no_free_thread(monkeypatch):
    """Were it divided again, threads would wait for each other for ever."""
    monkeypatch.setattr(threads, "processors", lambda: threads.MOST)
    done: list[tuple[int, int]] = []

    def outer(side, part):
        threads.spread(lambda inner, _: done.append((side, inner)), slice(0, 100), 1)

    thread = threading.Thread(target=threads.spread, args=(outer, slice(0, 100), 1), daemon=True)
    thread.start()
    thread.join(400.0)
    assert not thread.is_alive()
    assert sorted(done) == [(0, n) for n in range(threads.MOST)] + [(n, 0) for n in range(1, threads.MOST)]

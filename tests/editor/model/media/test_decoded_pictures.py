"""The cache of pictures with a decoder that counts, and work that waits: order, bounds, what is kept and dropped."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import FormatError
from editor.model.jobs import Jobs
from editor.model.media import frame_cache
from editor.model.media.frame_cache import AHEAD, MEGABYTES, RUN, FrameCache, Picture

SIZE, LARGE = (64, 32), (128, 64)


class Waiting:
    """Runs work when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple] = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def deliver(self) -> None:
        work, then = self.waiting.pop(0)
        work()
        then()

    def all(self) -> None:
        while self.waiting:
            self.deliver()


class Reader:
    """Gives grey pictures; numbers in `missing` are not there, those in `broken` raise."""

    made: list["Reader"] = []
    missing: frozenset[int] = frozenset()
    broken: dict[int, Exception] = {}

    def __init__(self, footage, size) -> None:
        self.size, self.asked, self.calls = size, [], []
        Reader.made.append(self)

    def read(self, index: int):
        self.asked.append(index)
        if index in Reader.broken:
            raise Reader.broken[index]
        return (
            None
            if index in Reader.missing
            else np.full((self.size[1], self.size[0], 4), index % 256, np.uint8)
        )

    def close(self) -> None:
        self.calls.append("close")

    def finish(self) -> None:
        self.calls.append("finish")


@pytest.fixture
def cache(monkeypatch) -> FrameCache:
    monkeypatch.setattr(Reader, "made", [])
    monkeypatch.setattr(Reader, "missing", frozenset())
    monkeypatch.setattr(Reader, "broken", {})
    monkeypatch.setattr(frame_cache, "FootageReader", Reader)
    runner = Waiting()
    made = FrameCache(Jobs(runner))
    made.runner, made.told = runner, []
    made.arrived.connect(lambda _: made.told.append(1))
    yield made
    made.close()


FILM, OTHER = SimpleNamespace(name="film"), SimpleNamespace(name="other")
BYTES = SIZE[0] * SIZE[1] * 4


def there(cache: FrameCache, footage=FILM, size=SIZE) -> list[int]:
    return [n for n in range(300) if cache.picture(footage, size, n) is not None]


def test_a_picture_knows_its_number_and_size(cache) -> None:
    cache.want(FILM, SIZE, (7,))
    cache.runner.all()
    picture = cache.picture(FILM, SIZE, 7)
    assert picture.index == 7 and picture.size == SIZE and (picture.pixels == 7).all()
    assert cache.bytes == BYTES and cache.most_bytes == MEGABYTES << 20
    assert picture != Picture(picture.pixels, 7)


def test_while_time_stands_each_picture_is_told_of(cache) -> None:
    cache.want(FILM, SIZE, (7, 8))
    cache.runner.deliver()
    assert there(cache) == [7] and cache.told == [1]
    cache.runner.deliver()
    assert there(cache) == [7, 8] and cache.told == [1, 1] and cache.runner.waiting == []


def test_while_time_runs_a_worker_goes_on_for_a_while(cache) -> None:
    assert RUN == 4 * AHEAD
    cache.want(FILM, SIZE, range(RUN + 2), going=True)
    cache.runner.deliver()
    assert there(cache) == list(range(RUN)) and cache.told == [1]
    cache.runner.deliver()
    assert there(cache) == list(range(RUN + 2)) and cache.runner.waiting == []
    assert Reader.made[0].asked == list(range(RUN + 2))


def test_what_is_there_is_not_decoded_again(cache) -> None:
    cache.want(FILM, SIZE, (7,))
    cache.runner.all()
    cache.want(FILM, SIZE, (7,))
    assert cache.runner.waiting == []
    cache.want(FILM, SIZE, (7, 8))
    cache.runner.all()
    assert Reader.made[0].asked == [7, 8] and len(Reader.made) == 1


def test_nothing_wanted_makes_no_decoder(cache) -> None:
    cache.want(FILM, SIZE, ())
    assert Reader.made == [] and cache.runner.waiting == []


def test_what_is_no_longer_wanted_is_not_decoded(cache) -> None:
    cache.want(FILM, SIZE, (7, 8))
    cache.want(FILM, SIZE, ())
    cache.runner.all()
    assert there(cache) == [] and Reader.made[0].asked == []


def test_each_file_and_size_has_its_decoder(cache) -> None:
    for footage, size in ((FILM, SIZE), (FILM, LARGE), (OTHER, SIZE)):
        cache.want(footage, size, (3,))
    assert len(cache.runner.waiting) == 3
    cache.runner.all()
    assert [reader.size for reader in Reader.made] == [SIZE, LARGE, SIZE]
    assert cache.picture(FILM, LARGE, 3).size == LARGE and there(cache, OTHER) == [3]
    assert cache.bytes == BYTES + 4 * BYTES + BYTES


# ---------------------------------------------------------------- the nearest one
@pytest.mark.parametrize(
    ("asked", "found"), [(30, 30), (31, 30), (54, 30), (55, None), (29, None), (4, 3), (2, None)]
)
def test_the_last_picture_within_a_second_stands_in(cache, asked, found) -> None:
    for number in (3, 30):
        cache.want(FILM, SIZE, (number,))
        cache.runner.all()
    near = cache.nearest(FILM, SIZE, asked)
    assert (None if near is None else near.index) == found


def test_before_the_first_picture_there_is_none(cache) -> None:
    cache.want(FILM, SIZE, (0,))
    cache.runner.all()
    assert cache.nearest(FILM, SIZE, 0).index == 0 and cache.nearest(FILM, SIZE, 24).index == 0
    assert cache.nearest(OTHER, SIZE, 0) is None


def test_of_the_same_picture_the_size_asked_for_comes_first(cache) -> None:
    cache.want(FILM, LARGE, (5, 6))
    cache.want(FILM, SIZE, (5,))
    cache.runner.all()
    assert cache.nearest(FILM, SIZE, 5).size == SIZE
    assert (cache.nearest(FILM, SIZE, 6).index, cache.nearest(FILM, SIZE, 6).size) == (6, LARGE)
    assert cache.nearest(OTHER, SIZE, 6) is None


# ---------------------------------------------------------------- what cannot be decoded
@pytest.mark.parametrize("wrong", [None, FormatError("a", "", "cut"), OSError(), ValueError()])
def test_a_picture_that_cannot_be_decoded_is_bad_and_what_follows_waits(cache, wrong) -> None:
    if wrong is None:
        Reader.missing = frozenset({8})
    else:
        Reader.broken = {8: wrong}
    cache.want(FILM, SIZE, (7, 8, 9), going=True)
    cache.runner.all()
    assert there(cache) == [7] and [n for n in range(12) if cache.is_bad(FILM, SIZE, n)] == [8]
    assert not cache.is_bad(FILM, LARGE, 8) and not cache.is_bad(OTHER, SIZE, 8)
    cache.want(FILM, SIZE, (8, 9))
    cache.runner.all()
    assert there(cache) == [7, 9] and Reader.made[0].asked == [7, 8, 9]


# ---------------------------------------------------------------- memory
def test_the_pictures_looked_at_longest_ago_are_dropped_first(cache) -> None:
    cache._most = 3 * BYTES
    for number in (1, 2, 3):
        cache.want(FILM, SIZE, (number,))
        cache.runner.all()
    assert cache.bytes == 3 * BYTES and cache.picture(FILM, SIZE, 1) is not None
    cache.want(FILM, SIZE, (4,))
    cache.runner.all()
    assert there(cache) == [1, 3, 4] and cache.bytes == 3 * BYTES


def test_one_picture_stays_whatever_it_takes(cache) -> None:
    cache._most = BYTES // 2
    cache.want(FILM, SIZE, (1, 2))
    cache.runner.all()
    assert there(cache) == [2] and cache.bytes == BYTES


def test_a_picture_that_is_decoded_twice_counts_once(cache) -> None:
    cache.want(FILM, SIZE, (1,))
    cache.runner.all()
    key = next(iter(cache._streams))
    cache._keep(key, Picture(np.zeros((2, 2, 4), np.uint8), 1))
    assert cache.bytes == 16 and cache.picture(FILM, SIZE, 1).size == (2, 2)


# ---------------------------------------------------------------- giving back
def test_what_is_forgotten_gives_its_memory_and_its_decoder_back(cache) -> None:
    cache.want(FILM, SIZE, (1,))
    cache.want(OTHER, SIZE, (2,))
    cache.runner.all()
    cache.forget([OTHER])
    first, second = Reader.made
    assert first.calls == ["close", "finish"] and second.calls == []
    assert there(cache) == [] and there(cache, OTHER) == [2] and cache.bytes == BYTES
    cache.want(FILM, SIZE, (1,))
    cache.runner.all()
    assert there(cache) == [1] and len(Reader.made) == 3


def test_a_worker_of_what_was_forgotten_ends_its_decoder_and_is_not_told(cache) -> None:
    cache.want(FILM, SIZE, (1, 2))
    cache.forget()
    cache.runner.deliver()
    assert Reader.made[0].calls == ["close", "finish", "finish"] and cache.told == []
    assert cache.runner.waiting == []


def test_after_the_end_nothing_is_decoded(cache) -> None:
    cache.want(FILM, SIZE, (1, 2))
    cache.close()
    cache.runner.deliver()
    assert Reader.made[0].asked == [] and Reader.made[0].calls[-1] == "finish" and cache.told == []
    cache.want(OTHER, SIZE, (1,))
    assert cache.runner.waiting == [] and len(Reader.made) == 1

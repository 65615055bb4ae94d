"""Decoded pictures: the one wanted comes first, memory stays bounded, what cannot be decoded is not tried again."""

import pytest

from core.media.footage import open_footage
from editor.model.jobs import Jobs
from editor.model.media.frame_cache import FrameCache
from tests.media_files import counted_movie, number_in

pytest.importorskip("imageio_ffmpeg")


@pytest.fixture(scope="module")
def footage(tmp_path_factory):
    return open_footage(counted_movie(tmp_path_factory.mktemp("cache") / "counted.mp4", 40), 30.0)


def test_pictures_come_in_the_order_wanted_and_the_nearest_one_stands_in(footage):
    seen, later = [], []
    jobs = Jobs(lambda work, then: later.append((work, then)))
    cache = FrameCache(jobs)
    cache.arrived.connect(lambda _: seen.append(True))
    size = footage.size
    cache.want(footage, size, (12, 13))
    assert cache.picture(footage, size, 12) is None and len(later) == 1
    cache.want(footage, size, (20, 21))  # the playhead went on meanwhile
    assert len(later) == 1  # one work at a time
    while later:
        work, then = later.pop(0)
        work()
        then()
    assert number_in(cache.picture(footage, size, 20).pixels) == 20
    assert number_in(cache.nearest(footage, size, 23).pixels) == 21
    assert cache.nearest(footage, (96, 32), 22).index == 21  # in another size, until its own is there
    assert cache.picture(footage, size, 12) is None and seen
    cache.close()


def test_memory_is_bounded_and_given_back(footage):
    size = (512, 512)  # a megabyte
    cache = FrameCache(Jobs(), 8)
    cache.want(footage, size, range(30), going=True)
    assert cache.bytes == 8 << 20
    assert cache.picture(footage, size, 29) is not None and cache.picture(footage, size, 3) is None
    cache.forget()
    assert cache.bytes == 0
    cache.close()


def test_what_the_file_lacks_is_not_tried_again(footage):
    cache = FrameCache(Jobs())
    cut = open_footage(footage.path, 30.0)
    cut.path.with_suffix(".kept").write_bytes(cut.path.read_bytes())
    data = cut.path.read_bytes()
    cut.path.write_bytes(b"")  # replaced while it is open
    cache.want(cut, cut.size, (5,))
    assert cache.is_bad(cut, cut.size, 5) and cache.picture(cut, cut.size, 5) is None
    cache.want(cut, cut.size, (5,))
    cut.path.write_bytes(data)
    cache.close()

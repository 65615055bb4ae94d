"""What reference footage of 1920x1080 costs with each frame: the same view drawn in turn without and with it.

    python -m tests.benchmarks.bench_media [--size 1600x900] [--frames 60]

Every frame has another image. "thread" is processor time of the window's thread (asking for the image, sending it and
drawing), "clock" what passes until everything is drawn, "all" processor time of all threads: where the processor
draws, its threads count. On a busy machine the clock counts what others do; the least is then nearer the truth.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from core.media.footage import Footage, FootageReader, open_footage
from editor.gl.camera import Camera, Size
from editor.gl.capture import OffscreenRenderer
from editor.gl.draw_list import DrawList, Grid, PictureShape
from editor.model.jobs import Jobs
from editor.model.media.frame_cache import FrameCache
from tests.media_files import counted_movie

SIZE = (1920, 1080)
COUNT = 24


def shapes(
    name: str, cache: FrameCache, footage: Footage, frame: int, view: Size
) -> tuple[PictureShape, ...]:
    """What is drawn of the reference in a frame; "card" is a third of the view high."""
    rows = round(view[1] / 3.0) if name == "card" else round(view[1])
    size = footage.scaled(rows)
    index = (frame + 5 * len(name)) % COUNT  # none that was sent for another kind
    cache.want(footage, size, (index,))
    picture = cache.picture(footage, size, index)
    assert picture is not None
    opacity = 0.6 if name == "behind, 60 %" else 1.0
    return (PictureShape(picture, (0.0, 0.0, float(size[0]), float(size[1])), opacity, name != "card"),)


def main() -> None:
    """Read the options and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", default="1600x900")
    options.add_argument("--frames", type=int, default=60)
    given = options.parse_args()
    width, height = (int(edge) for edge in given.size.split("x"))
    names = ("behind", "behind, 60 %", "card")
    with tempfile.TemporaryDirectory() as folder, OffscreenRenderer(0) as view:
        footage = open_footage(counted_movie(Path(folder) / "large.mp4", COUNT, size=SIZE), 30.0)
        cache = FrameCache(Jobs(), 2000)
        for name in names:
            for frame in range(COUNT):
                shapes(name, cache, footage, frame, (width, height))
        reader = FootageReader(footage, footage.scaled(height))
        start = time.perf_counter()
        for frame in range(COUNT):
            reader.read(frame)
        seconds = (time.perf_counter() - start) / COUNT
        reader.finish()
        spent: dict[str, list[tuple[float, float, float]]] = {}
        with view.current():
            from editor.gl.api import GL

            print(view.renderer.driver)
            for frame in range(given.frames + 3):
                for name in ("without", *names):
                    GL.glFinish()
                    start, own, whole = time.perf_counter(), time.thread_time(), time.process_time()
                    shown = () if name == "without" else shapes(name, cache, footage, frame, (width, height))
                    drawn = DrawList(Grid(), pictures=shown)  # the same grid: it is kept between the four
                    view.renderer.draw(drawn, Camera(), (width, height), framebuffer=None)
                    GL.glFinish()
                    row = time.thread_time() - own, time.perf_counter() - start, time.process_time() - whole
                    if frame >= 3:  # the first compile and upload
                        spent.setdefault(name, []).append(row)
        cache.close()
    floor = np.array(spent["without"])
    print(f"{'ms more than without':22} {'thread':>8} {'clock':>8} {'least clock':>12} {'all':>8}")
    for name in names:
        rows = np.array(spent[name])
        more = (np.median(rows, axis=0) - np.median(floor, axis=0)) * 1e3
        least = (rows[:, 1].min() - floor[:, 1].min()) * 1e3
        print(f"{name:22} {more[0]:8.2f} {more[1]:8.2f} {least:12.2f} {more[2]:8.2f}")
    print(f"decoded off the window's thread: {seconds * 1e3:.1f} ms an image")


if __name__ == "__main__":
    main()

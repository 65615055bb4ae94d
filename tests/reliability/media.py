"""Whether sound and reference footage stay with the playhead, in the real window, by the clock.

A device without sound pulls blocks on a thread of its own, by a clock that drifts against the window's, with jitter;
what it pulls is really decoded. Each sample of the sound and each image of the video says which one it is, so what
is heard and seen is read from samples and pixels, and compared with where the playhead is at that moment of one clock.
"""

import random
import threading
import time
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from core.arrays import Float32Array
from core.clips.clip import Clip
from core.math import kernels
from core.media.sound import RATE
from core.project.project import Project
from core.timing import FrameRate
from editor.gl.viewport_widget import ViewportWidget
from editor.model.media.device import CountedDevice
from editor.model.media.state import Media
from editor.model.playback import PlayMode
from editor.panels.viewport.widget import ViewportPanel
from tests.editor.stage import RIG, WALK, Stage, small_project, stage
from tests.media_files import counted_movie, counted_wav, number_in, seconds_in

FPS = 30.0
DRIFT = 300e-6
"""How much faster the device's clock runs: a bad one differs by a ten-thousandth."""
JITTER = 0.004


@dataclass
class Told:
    """What was measured."""

    lines: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def rows(self) -> list[tuple[str, str]]:
        """Rows of a table."""
        return [*self.lines, ("problems", ", ".join(self.problems) or "none")]


class Heard:
    """The device, on its own thread, and what it was given."""

    def __init__(self) -> None:
        dice = random.Random(5)
        self.blocks: list[tuple[float, Float32Array]] = []
        self.device = CountedDevice(self._take, DRIFT, 512, 0.02, lambda: dice.uniform(0.0, JITTER))
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _take(self, moment: float, block: Float32Array) -> None:
        self.blocks.append((moment, block[:: len(block) - 1].copy()))

    def _run(self) -> None:
        while not self._over.wait(0.002):
            self.device.pump(time.monotonic())

    def close(self) -> None:
        """Stop pulling."""
        self._over.set()
        self._thread.join()


def run(seconds: float, scrubs: int, folder: Path, note: Callable[[str], None]) -> Told:
    """Play so long, scrub so often, play again."""
    kernels.load()  # the program does so by a thread soon after its start
    note("making files")
    wav = counted_wav(folder / "counted.wav", seconds + 5.0)
    options = ("-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "60", "-pix_fmt", "yuv420p")
    movie = counted_movie(folder / "counted.mp4", round((seconds + 5.0) * FPS), FPS, (960, 540), options)
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)

    def long() -> Project:
        project = small_project()
        clip = Clip(
            WALK, "walk", RIG, seconds + 4.0, FrameRate.of(FPS), tracks=project.get(Clip, WALK).tracks
        )
        return project.with_assets(clip)

    told, heard = Told(), Heard()
    try:
        with stage(app, "viewport", "timeline", project=long) as here:
            media = here.session.feature(Media)
            media.player.open_device = lambda: heard.device
            here.session.playback.mode = PlayMode.REAL_TIME
            media.add_audio(wav)
            media.add_reference(movie)
            here.user.wait_until(lambda: all(media.seconds(t) is not None for t in media.tracks))
            here.user.wait_until(lambda: not here.session.jobs.running)
            note(f"playing {seconds:g} s")
            _play(here, heard, seconds, "playback", told)
            note(f"{scrubs} scrubs")
            _scrub(here, heard, scrubs, told)
            note("playing after the scrubs")
            here.session.playback.seek(1.0)
            panel = here.window.findChild(ViewportPanel)
            here.user.wait_until(lambda: _number(panel) == round(FPS))
            here.user.wait_until(lambda: not any(block.any() for _, block in heard.blocks[-8:]))
            _play(here, heard, min(5.0, seconds), "after the scrubs", told)
    finally:
        heard.close()
    return told


def _play(here: Stage, heard: Heard, seconds: float, what: str, told: Told) -> None:
    playback = here.session.playback
    view = here.window.findChild(ViewportWidget)
    panel = here.window.findChild(ViewportPanel)
    ticks: list[tuple[float, float]] = []
    off: list[int] = []
    late_at: list[float] = []

    def ticked(at: float) -> None:
        ticks.append((playback.ticked_at or time.monotonic(), at))

    def drawn(_: float) -> None:
        shown = panel.model.draw_list().pictures
        if shown and playback.playing:
            off.append(int(playback.time * FPS + 1e-6) - number_in(shown[0].source.pixels))
            if abs(off[-1]) > 1:
                late_at.append(playback.time)

    stop = playback.time_changed.connect(ticked)
    view.drawn.connect(drawn)
    heard.blocks.clear()
    playback.play()
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000.0), loop.quit)
    loop.exec()
    playback.pause()
    stop()
    view.drawn.disconnect(drawn)
    moments = [moment for moment, _ in ticks]
    gaps, wide = [], []
    for moment, block in list(heard.blocks):
        number = bisect_right(moments, moment) - 1
        if number < 0 or moment > moments[-1] or not block.any():
            continue
        playhead = ticks[number][1] + moment - ticks[number][0]
        # the last sample: the first of a block may be in a crossfade
        gaps.append(seconds_in(block[-1]) - 511 / RATE - playhead)
        if abs(gaps[-1]) > 1.0 / FPS:
            wide.append(f"{gaps[-1]:+.2f} at {playhead:.2f} s")
    spread = np.abs(np.array(gaps)) if gaps else np.array([np.inf])
    told.lines.append((
        f"{what}: sound and playhead, {len(gaps)} blocks",
        f"apart {np.median(spread) * 1000.0:.2f} ms (median), {spread.max() * 1000.0:.2f} ms at most, "
        f"{spread.max() * FPS:.3f} frames",
    ))  # fmt: skip
    late = np.abs(np.array(off)) if off else np.array([999])
    told.lines.append((
        f"{what}: image and playhead, {len(off)} images drawn in {seconds:g} s",
        f"{np.mean(late == 0):.1%} the same frame, {np.mean(late <= 1):.2%} within one, {late.max()} frames at most",
    ))  # fmt: skip
    if spread.max() > 1.0 / FPS:
        told.problems.append(f"{what}: sound {spread.max() * FPS:.2f} frames off ({', '.join(wide[:8])})")
    if late.max() > 1:
        moments_late = ", ".join(f"{at:.2f}" for at in late_at[:8])
        told.problems.append(f"{what}: images {late.max()} frames off, at {moments_late} s")


def _number(panel: ViewportPanel) -> int | None:
    """The number that the image shown has in its pixels."""
    shown = panel.model.draw_list().pictures
    return number_in(shown[0].source.pixels) if shown else None


def _scrub(here: Stage, heard: Heard, count: int, told: Told) -> None:
    playback, dice = here.session.playback, random.Random(3)
    panel = here.window.findChild(ViewportPanel)
    waits, wrong, grains = [], 0, []
    for _ in range(count):
        frame = dice.randrange(round(playback.length * FPS))
        # what is heard of the scrub before has ended: else its last blocks would be taken for those of this one
        here.user.wait_until(lambda: not any(block.any() for _, block in heard.blocks[-8:]))
        heard.blocks.clear()
        begun = time.monotonic()
        playback.seek(frame / FPS)

        def right(frame: int = frame) -> bool:
            return _number(panel) == frame

        try:
            here.user.wait_until(right)
        except AssertionError:
            wrong += 1
            continue
        waits.append(time.monotonic() - begun)
        here.user.wait_until(lambda: any(block.any() for _, block in tuple(heard.blocks)))
        block = next(block for _, block in tuple(heard.blocks) if block.any())
        grains.append(abs(seconds_in(block[-1]) - frame / FPS - 511 / RATE))
    told.lines.append((f"{count} scrubs: the image of the frame", f"{len(waits)} right, {wrong} wrong"))
    if waits:
        text = f"{np.median(waits) * 1000.0:.0f} ms (median), {max(waits) * 1000.0:.0f} ms at most"
        told.lines.append((f"{count} scrubs: until it is shown", text))
        told.lines.append(
            (f"{count} scrubs: the sound heard begins", f"{max(grains) * 1000.0:.2f} ms off at most")
        )
    if wrong or (grains and max(grains) > 1.0 / FPS):
        told.problems.append("a scrub showed or played another frame")

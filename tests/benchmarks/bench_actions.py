"""Every action of the window on a big document: how long the window's thread is held up, and how long it takes.

    xvfb-run -s "-screen 0 1280x720x24 +extension GLX" python -m tests.benchmarks.bench_actions
        [--only WORD …] [--after ID] [--first ID …] [--bones 300] [--frames 4000] [--clips 200] [--selected 65]
        [--over 100] [--wait 120] [--profile]

One clip of many frames with every bone's rotation keyed on each of them (curves and dope sheet show the selected
bones), many short clips beside it, mirror lists. Each action runs on the same state: everything is undone after it,
dialogs are closed. "call" is the handler itself, "turn" the longest time that the window's thread did not look at
its queue from there on (one picture of every panel among it: the row "nothing" is that alone), "all" the time until
no job runs. "work" is the longest that the window's thread computed in the call or in one turn, whatever else the
machine did meanwhile; "undo" and "redo" are the same for these. Where a job ran, the action is done
once more and cancelled: "stop" is the time from the cancel until no job runs, "end" until its thread has ended, too.
Nothing is asserted but that a cancel changes nothing.
"""

import argparse
import cProfile
import gc
import os
import pstats
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "xcb")

from PySide6.QtWidgets import QApplication

from tests.big_documents import big_clip, big_rig
from tests.temporary import own_folder

SKIPPED = (
    "file.",
    "help.",
    "window.",
    "panel.",
    "edit.preferences",
    "view.full_screen",
    "render.",
    "blend.open",
)
"""Dialogs of the system, and what does not touch the document."""
NOTHING = "select.none"
WAIT = 120.0


class Times(NamedTuple):
    """Seconds."""

    id: str
    call: float
    turn: float
    all: float
    jobs: int
    steps: int
    said: str
    work: float = 0.0
    undo: float = 0.0
    redo: float = 0.0
    stop: float = 0.0
    end: float = 0.0

    @property
    def worst(self) -> float:
        """The longest that the window's thread worked."""
        return max(self.work, self.undo, self.redo)


def document(bones: int, frames: int, clips: int):
    """A rig with mirror lists, a long looping clip and many short ones."""
    from core.project.project import Project
    from core.rig.rig import MirrorSetup

    rig = big_rig(bones)
    names = rig.skeleton.names
    pairs = tuple(
        (left, right)
        for a, b in ((1, 2), (3, 4))
        for left in names
        if left.startswith(f"limb_{a}_") and (right := left.replace(f"limb_{a}_", f"limb_{b}_")) in names
    )
    middle = tuple(name for name in names if name == "pelvis" or name.startswith("limb_0_"))
    rig = replace(rig, mirror=MirrorSetup(0, middle, pairs))
    made = [replace(big_clip(rig, frames, "long", 0, properties=1), looping=True)]
    made += [big_clip(rig, 60, f"take {n:03d}", n + 1, 4, properties=1) for n in range(clips)]
    return Project({rig.id: rig, **{clip.id: clip for clip in made}})


class Runner:
    """The window on the document, and a stopwatch.

    Parameters
    ----------
    selected : how many bones are selected
    wait : seconds after which a job is not waited for any longer
    """

    def __init__(self, app: QApplication, project: object, selected: int, wait: float = WAIT) -> None:
        from core.math import kernels
        from editor.model.edit_jobs import GRACE
        from editor.qt.collector import Collector
        from editor.shell.panels import panel_specs
        from editor.shell.start import SWITCH
        from tests.editor.stage import Stage

        sys.setswitchinterval(SWITCH)
        kernels.load()  # as the window has done it in the background by the time that somebody works
        self.app, self.collector = app, Collector(app)
        self.stage = Stage(app, tuple(spec.id for spec in panel_specs()), None, "dark")
        self.session, self.window = self.stage.session, self.stage.window
        self.session.edit_jobs.grace = GRACE  # tests wait longer
        self.stage.load(project)
        self.selected, self.wait = selected, wait
        self.longest = self.work = 0.0
        self.first: tuple[str, ...] = ()
        self.panels = {name for name, dock in self.window.docks.items() if dock.open}
        self.prepare()

    def turn(self) -> None:
        """One turn of the event loop."""
        self.timed(QApplication.processEvents)
        time.sleep(0.001)

    def timed(self, work: Callable[[], object]) -> float:
        """Do work and note how long it took; seconds."""
        start, worked = time.perf_counter(), time.thread_time()
        work()
        took = time.perf_counter() - start
        self.longest, self.work = max(self.longest, took), max(self.work, time.thread_time() - worked)
        return took

    def rest(self, seconds: float) -> float:
        """Turn until no job runs for as long as that; seconds until the last one ended."""
        start = time.perf_counter()
        quiet = start
        while time.perf_counter() - quiet < seconds and time.perf_counter() - start < self.wait:
            self.turn()
            if self.session.jobs.running:
                quiet = time.perf_counter()
        return quiet - start

    def prepare(self) -> None:
        """Back to the same state: nothing done, some bones and their keys selected, a play range."""
        from editor.tools import key_commands

        for _ in range(20):
            top = QApplication.activePopupWidget() or QApplication.activeModalWidget()
            if top is None:
                break
            top.close()
            self.turn()
        session = self.session
        for name, dock in self.window.docks.items():
            if name not in self.panels and dock.open:
                dock.close()  # a panel that an action brought would go on with its own work
        session.jobs.cancel_all()
        self.rest(0.05)
        session.go_to(0)
        session.preview.clear()
        session.playback.pause()
        clip = session.document.project.clip_named("long")
        session.playback.set_clip(clip.id)
        session.playback.seek(1.5)
        session.selection.clear()
        for flag in ("hidden", "solo", "locked"):
            session.selection.set_flag(flag, ())
        session.selection.select(session.document.project.rigs[0].skeleton.names[: self.selected])
        self.rest(0.1)  # panels follow the clip first, and some take the selection of keys and the range away
        session.playback.set_range((1.0, min(3.0, clip.length)))
        key_commands.select_all(session)
        self.rest(0.05)
        for id in self.first:
            self.window.actions_registry.run(id)
            self.rest(0.1)

    def measure(self, id: str) -> Times | None:
        """Run one action; None where it cannot be done."""
        registry, session = self.window.actions_registry, self.session
        reason = registry.why_disabled(id)
        if reason:
            return Times(id, 0.0, 0.0, 0.0, 0, 0, f"– {reason}")
        self.longest, self.work, before, before_said = (
            0.0,
            0.0,
            session.history.position,
            len(session.messages.log),
        )
        jobs: set[int] = set()
        stop = session.jobs.changed.connect(lambda _: jobs.update(map(id_of, session.jobs.running)))
        start = time.perf_counter()
        call = self.timed(lambda: registry.run(id))
        self.longest = 0.0
        self.rest(0.15)
        stop()
        turn, work, whole = self.longest, self.work, max(call, time.perf_counter() - start - 0.15)
        latest = session.messages.log[-1:] if len(session.messages.log) > before_said else ()
        said = latest[0].text if latest else ""
        steps, undo, redo, stop, end = session.history.position - before, 0.0, 0.0, 0.0, 0.0
        if steps > 0 and not session.jobs.running:
            undo, redo = self.held(session.undo), self.held(session.redo)
        if jobs:
            self.prepare()
            stop, end = self.cancelled(id)
        return Times(id, call, turn, whole, len(jobs), steps, said, work, undo, redo, stop, end)

    def held(self, work: Callable[[], object]) -> float:
        """Seconds that the window's thread works at most, in a call or in a turn that follows it."""
        self.work = 0.0
        self.timed(work)
        self.rest(0.15)
        return self.work

    def cancelled(self, id: str) -> tuple[float, float]:
        """Run an action and cancel its job: seconds until no job runs, and until none of their threads works."""
        session, project = self.session, self.session.document.project
        self.window.actions_registry.run(id)
        start = time.perf_counter()
        while session.jobs.running and time.perf_counter() - start < 0.15:
            self.turn()
        jobs, start = session.jobs.running, time.perf_counter()
        if not jobs:
            return 0.0, 0.0
        session.jobs.cancel_all()
        while session.jobs.running:
            self.turn()
        stop = time.perf_counter() - start
        while not all(job.wait(0.0) for job in jobs):
            self.turn()
        end = time.perf_counter() - start
        self.rest(0.05)
        if session.document.project is not project:
            raise AssertionError(f"{id}: the document differs after a cancel")
        return stop, end


def id_of(job: object) -> int:
    return id(job)


def main() -> None:
    """Print a row for each action, the slowest first."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument(
        "--only", nargs="*", default=[""], help="run only actions whose id holds one of these"
    )
    options.add_argument("--first", nargs="*", default=[], help="actions done before each one is measured")
    options.add_argument("--after", default="", help="go on behind this action")
    options.add_argument(
        "--profile", action="store_true", help="print where the window's thread spends its time"
    )
    options.add_argument("--bones", type=int, default=300)
    options.add_argument("--frames", type=int, default=4000)
    options.add_argument("--clips", type=int, default=200)
    options.add_argument("--selected", type=int, default=65, help="bones selected")
    options.add_argument(
        "--wait", type=float, default=WAIT, help="seconds after which a job is not waited for"
    )
    options.add_argument("--over", type=float, default=100.0, help="print only what takes more milliseconds")
    given = options.parse_args()
    folder = str(own_folder("bench"))
    os.environ["POSEWRIGHT_CONFIG_DIR"] = os.environ["POSEWRIGHT_DATA_DIR"] = folder
    app = QApplication([])
    start = time.perf_counter()
    runner = Runner(app, document(given.bones, given.frames, given.clips), given.selected, given.wait)
    print(
        f"{given.bones} bones, {given.frames} frames, {given.clips} clips beside, {given.selected} bones selected;"
        f" ready after {time.perf_counter() - start:.0f} s",
        flush=True,
    )
    gc.collect()
    gc.freeze()
    rows: list[Times] = [runner.measure(NOTHING)._replace(id="nothing")]
    print_row(rows[0])
    runner.first = tuple(given.first)
    runner.prepare()
    waiting = bool(given.after)
    for action in runner.window.actions_registry:
        skipped, waiting = waiting, waiting and action.id != given.after
        if skipped or action.id.startswith(SKIPPED) or not any(word in action.id for word in given.only):
            continue
        profile = cProfile.Profile()
        try:
            found = profile.runcall(runner.measure, action.id) if given.profile else runner.measure(action.id)
        except Exception as error:
            print(f"{action.id}: {type(error).__name__}: {error}", flush=True)
            found = None
        runner.prepare()
        if given.profile:
            pstats.Stats(profile).sort_stats("cumtime").print_stats(45)
        if found is not None:
            rows.append(found)
            if found.worst * 1e3 > given.over:
                print_row(found)
    print(f"\n{len(rows)} actions, {sum(r.said.startswith('–') for r in rows)} of them not possible here")
    heads = "".join(f"{word:>8}" for word in ("work", "undo", "redo", "stop", "end"))
    print(f"{'action, ms':34}{'call':>8}{'turn':>8}{'all':>9} jobs steps{heads}")
    for row in sorted(rows, key=lambda r: -r.worst):
        if row.worst * 1e3 > given.over or row.end > 0.2:
            print_row(row)
    print("not possible: " + ", ".join(f"{r.id} ({r.said[2:]})" for r in rows if r.said.startswith("–")))
    runner.stage.close()


def print_row(row: Times) -> None:
    seconds = (row.work, row.undo, row.redo, row.stop, row.end)
    print(
        f"{row.id:34}{row.call * 1e3:8.0f}{row.turn * 1e3:8.0f}{row.all * 1e3:9.0f} {row.jobs:4} {row.steps:5}"
        + "".join(f"{second * 1e3:8.0f}" for second in seconds)
        + f"  {row.said[:50]}",
        flush=True,
    )


if __name__ == "__main__":
    main()

"""Every action of the window on a big document: how long the window's thread is held up, and how long it takes.

    xvfb-run -s "-screen 0 1280x720x24 +extension GLX" python -m tests.benchmarks.bench_actions
        [--only WORD] [--bones 300] [--frames 4000] [--clips 200] [--over 100]

One clip of many frames with every bone's rotation keyed on each of them (curves and dope sheet show the selected
bones), many short clips beside it, mirror lists. Each action runs on the same state: everything is undone after it,
dialogs are closed. "call" is the handler itself, "turn" the longest time that the window's thread did not look at
its queue from there on (one picture of every panel among it: the row "nothing" is that alone), "all" the time until
no job runs. Nothing is asserted.
"""

import argparse
import gc
import os
import tempfile
import time
from dataclasses import replace
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "xcb")

from PySide6.QtWidgets import QApplication

from tests.big_documents import big_clip, big_rig

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
    """

    def __init__(self, app: QApplication, project: object, selected: int) -> None:
        from editor.model.edit_jobs import GRACE
        from editor.shell.panels import panel_specs
        from tests.editor.stage import Stage

        self.app = app
        self.stage = Stage(app, tuple(spec.id for spec in panel_specs()), None, "dark")
        self.session, self.window = self.stage.session, self.stage.window
        self.session.edit_jobs.grace = GRACE  # tests wait longer
        self.stage.load(project)
        self.selected = selected
        self.longest = 0.0
        self.prepare()

    def turn(self) -> None:
        """One turn of the event loop."""
        start = time.perf_counter()
        QApplication.processEvents()
        self.longest = max(self.longest, time.perf_counter() - start)
        time.sleep(0.001)

    def rest(self, seconds: float) -> float:
        """Turn until no job runs for as long as that; seconds until the last one ended."""
        start = time.perf_counter()
        quiet = start
        while time.perf_counter() - quiet < seconds and time.perf_counter() - start < WAIT:
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

    def measure(self, id: str) -> Times | None:
        """Run one action; None where it cannot be done."""
        registry, session = self.window.actions_registry, self.session
        reason = registry.why_disabled(id)
        if reason:
            return Times(id, 0.0, 0.0, 0.0, 0, 0, f"– {reason}")
        self.longest, before, before_said = 0.0, session.history.position, len(session.messages.log)
        jobs: set[int] = set()
        stop = session.jobs.changed.connect(lambda _: jobs.update(map(id_of, session.jobs.running)))
        start = time.perf_counter()
        registry.run(id)
        call = time.perf_counter() - start
        self.longest = 0.0
        self.rest(0.15)
        stop()
        latest = session.messages.log[-1:] if len(session.messages.log) > before_said else ()
        said = latest[0].text if latest else ""
        return Times(
            id, call, self.longest, max(call, time.perf_counter() - start - 0.15), len(jobs),
            session.history.position - before, said,
        )  # fmt: skip


def id_of(job: object) -> int:
    return id(job)


def main() -> None:
    """Print a row for each action, the slowest first."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--only", default="", help="run only actions whose id holds this")
    options.add_argument("--bones", type=int, default=300)
    options.add_argument("--frames", type=int, default=4000)
    options.add_argument("--clips", type=int, default=200)
    options.add_argument("--selected", type=int, default=65, help="bones selected")
    options.add_argument("--over", type=float, default=100.0, help="print only what takes more milliseconds")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="posewright-bench-") as folder:
        os.environ["POSEWRIGHT_CONFIG_DIR"] = os.environ["POSEWRIGHT_DATA_DIR"] = folder
        app = QApplication([])
        start = time.perf_counter()
        runner = Runner(app, document(given.bones, given.frames, given.clips), given.selected)
        print(
            f"{given.bones} bones, {given.frames} frames, {given.clips} clips beside, {given.selected} bones selected;"
            f" ready after {time.perf_counter() - start:.0f} s",
            flush=True,
        )
        gc.collect()
        gc.freeze()
        rows: list[Times] = [runner.measure(NOTHING)._replace(id="nothing")]
        print_row(rows[0])
        runner.prepare()
        for action in runner.window.actions_registry:
            if action.id.startswith(SKIPPED) or given.only not in action.id:
                continue
            try:
                found = runner.measure(action.id)
            except Exception as error:
                print(f"{action.id}: {type(error).__name__}: {error}", flush=True)
                found = None
            runner.prepare()
            if found is not None:
                rows.append(found)
                if max(found.call, found.turn) * 1e3 > given.over:
                    print_row(found)
        print(f"\n{len(rows)} actions, {sum(r.said.startswith('–') for r in rows)} of them not possible here")
        print(f"{'action, ms':34}{'call':>8}{'turn':>8}{'all':>9} jobs steps")
        for row in sorted(rows, key=lambda r: -max(r.call, r.turn)):
            if max(row.call, row.turn) * 1e3 > given.over:
                print_row(row)
        print("not possible: " + ", ".join(r.id for r in rows if r.said.startswith("–")))
        runner.stage.close()


def print_row(row: Times) -> None:
    print(
        f"{row.id:34}{row.call * 1e3:8.0f}{row.turn * 1e3:8.0f}{row.all * 1e3:9.0f} {row.jobs:4} {row.steps:5}  "
        f"{row.said[:70]}",
        flush=True,
    )


if __name__ == "__main__":
    main()

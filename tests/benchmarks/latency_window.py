"""The window that `bench_latency` works in, and the table of its times."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from PySide6.QtWidgets import QApplication, QWidget

from tests.benchmarks.hand import Hand, Pictures, Spent
from tests.benchmarks.parts import PARTS, Parts

SIZE = (1280, 720)


class Table:
    """Prints rows as they come.

    Parameters
    ----------
    only : print (and let measure) only rows whose name holds it
    """

    def __init__(self, only: str = "") -> None:
        self.only = only
        columns = f"{'p50':>7}{'p95':>8}{'max':>8}{'own':>7}   {'target':>6} {'fails':>6}"
        print(f"{'interaction, ms':52}{columns}  longest turn")

    def row(
        self, name: str, spent: Sequence[Spent], target: float, fails: float, longest: float = 0.0
    ) -> None:
        """One row; times in milliseconds, those over a limit marked."""
        seconds = [one.wall for one in spent]
        p50, p95, most = (
            float(f(seconds)) * 1e3 for f in (np.median, lambda s: np.percentile(s, 95), np.max)
        )
        own = float(np.median([one.own for one in spent])) * 1e3
        parts = _by_parts(spent)
        judged = p95 if len(seconds) > 4 else p50
        mark = " FAILS" if judged > fails else " slow" if judged > target else ""
        print(
            f"{name:52}{p50:7.1f}{p95:8.1f}{most:8.1f}{own:7.1f}   {target:6g} {fails:6g}  {longest * 1e3:8.0f}{mark}",
            flush=True,
        )
        if parts:
            print(f"      {parts}", flush=True)


def _by_parts(spent: Sequence[Spent]) -> str:
    """Median milliseconds of each part that took some, "" where parts are not watched."""
    watched = [one.parts for one in spent if one.parts is not None]
    means = (
        {part: float(np.median([one.get(part, 0.0) for one in watched])) * 1e3 for part in PARTS}
        if watched
        else {}
    )
    return " · ".join(f"{part} {value:.1f}" for part, value in means.items() if value >= 0.05)


class Bench:
    """The window on a project, a hand, and where things are in it."""

    def __init__(self, app: QApplication, table: Table, moves: int, parts: Parts | None = None) -> None:
        from editor.gl.viewport_widget import ViewportWidget
        from editor.panels.blend_space.plot import SpacePlot
        from editor.panels.bone_tree.widget import BoneView
        from editor.panels.clips.list_view import ClipView
        from editor.panels.curves.plot import PlotView
        from editor.panels.curves.widget import CurvesPanel
        from editor.panels.timeline.track_view import TrackView
        from editor.panels.viewport.widget import ViewportPanel
        from editor.shell.panels import panel_specs
        from tests.editor.stage import Stage

        painted = Pictures()
        painted.watch("view", ViewportWidget, "paintEvent")
        painted.watch("curves", PlotView, "paintEvent")
        painted.watch("timeline", TrackView, "paintEvent")
        painted.watch("blend", SpacePlot, "paintEvent")
        painted.watch("clips", ClipView, "paintEvent")
        self.app, self.table, self.moves = app, table, moves
        self.stage = Stage(app, tuple(spec.id for spec in panel_specs()), None, "dark")
        self.window, self.session = self.stage.window, self.stage.session
        self.window.resize(*SIZE)
        self.hand = Hand(self.window, painted, parts)
        self.kinds: dict[str, type] = {
            "view": ViewportPanel, "curves": CurvesPanel, "timeline": TrackView, "blend": SpacePlot, "tree": BoneView,
            "clips": ClipView,
        }  # fmt: skip
        self.hand.rest(0.3)
        gc.freeze()  # as the program does once it has started

    def find(self, what: str) -> QWidget:
        """A widget by its kind, the one in sight."""
        return next(w for w in self.window.findChildren(self.kinds[what]) if w.isVisible())

    def show(self, workspace: str, panel: str = "") -> None:
        """Go to a workspace, and bring a panel to the front."""
        self.window.use_workspace(workspace)
        if panel:
            self.window.show_panel(panel)
        self.hand.rest(0.2)

    def load(self, project: object, clip: str = "") -> None:
        """Open a project."""
        self.stage.load(project)
        if clip:
            self.session.playback.set_clip(self.session.document.project.clip_named(clip).id)
        self.hand.rest(0.3)
        gc.collect()

    def select(self, *bones: str) -> None:
        """Select bones, without a hand."""
        self.session.selection.select(bones)
        self.hand.rest(0.05)

    @contextmanager
    def rows(self, word: str) -> Iterator[Callable[..., None]]:
        """Rows of one kind; noted with the longest turn since the last."""
        self.hand.longest = 0.0

        def note(name: str, seconds: Sequence[Spent], target: float, fails: float) -> None:
            self.table.row(name, seconds, target, fails, self.hand.longest)
            self.hand.longest = 0.0

        yield note

    def wanted(self, name: str) -> bool:
        """Whether a group of rows is asked for."""
        return self.table.only in name

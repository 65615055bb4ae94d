"""The poses of the selected transition, for the viewport: source, middle of its blend, target."""

import logging

from core.errors import AnimError
from core.graph.graph import Graph
from core.graph.transition_poses import TransitionPoses, transition_poses
from core.ids import AssetId
from core.rig.rig import Animation
from editor.model.display.display import Display
from editor.model.document import Document
from editor.model.events import Event
from editor.model.graph.editor import GraphEditor
from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr
from editor.model.jobs import Job, Jobs
from editor.model.playback import Playback
from editor.model.switches import Switches

logger = logging.getLogger(__name__)
SWITCH = "transition_ghosts"
GRACE = 0.05
"""Seconds that a selection waits for the poses; what takes longer comes later."""


class GhostStrip:
    """Works the poses out once for a selection, on a worker; kept until the graph or what it plays differs.

    Attributes
    ----------
    changed : what `poses` gives differs, or there is a reason
    reason : why the selected transition has no poses, or ""
    """

    def __init__(
        self,
        document: Document,
        graph_editor: GraphEditor,
        graph_run: GraphRun,
        playback: Playback,
        display: Display,
        switches: Switches,
        jobs: Jobs,
    ) -> None:
        self._document, self._canvas, self._run = document, graph_editor.canvas, graph_run
        self._playback, self._display, self._switches, self._jobs = playback, display, switches, jobs
        self.changed: Event[None] = Event()
        self.reason = ""
        self._seen = False
        self._wanted: tuple[Graph, str] | None = None
        self._made: TransitionPoses | None = None
        self._shown: TransitionPoses | None = None
        self._job: Job[TransitionPoses] | None = None
        for event in (
            self._canvas.changed,
            self._canvas.moved,
            playback.state_changed,
            graph_run.state_changed,
        ):
            event.connect(lambda _: self._refresh())
        display.changed.connect(lambda _: self._refresh())
        switches.changed.connect(lambda name: self._refresh() if name == SWITCH else None)
        document.changed.connect(self._on_document)
        document.replaced.connect(lambda _: self._again())

    @property
    def poses(self) -> TransitionPoses | None:
        """What the viewport shows now; None without one selected transition, where something plays, or not wanted."""
        return self._shown

    @property
    def wanted(self) -> bool:
        """Whether transitions that are selected are to be shown; remembered."""
        return self._switches[SWITCH]

    @wanted.setter
    def wanted(self, on: bool) -> None:
        self._switches.set(SWITCH, on)

    def see(self, seen: bool) -> None:
        """Say whether the canvas, whose selection is meant, is on the screen."""
        self._seen = seen
        self._refresh()

    @property
    def _chosen(self) -> tuple[Graph, str] | None:
        graph, sheet, chosen = self._canvas.graph, self._canvas.sheet, self._canvas.state.selection
        if not self._seen or not self.wanted or graph is None or sheet is None or len(chosen) != 1:
            return None
        found = next((str(t.id) for t in sheet.transitions if t.id in chosen), None)
        other = self._display.source is not None and self._display.source is not self._run
        if found is None or other or self._playback.playing or self._run.running:
            return None
        return graph, found

    def _refresh(self) -> None:
        chosen = self._chosen
        if chosen is not None and not self._is(chosen):
            self._work_out(*chosen)
        shown = self._made if chosen is not None else None
        if shown is not self._shown:
            self._shown = shown
            self.changed.emit(None)

    def _is(self, chosen: tuple[Graph, str]) -> bool:
        known = self._wanted
        return known is not None and known[0] is chosen[0] and known[1] == chosen[1]

    def _work_out(self, graph: Graph, transition: str) -> None:
        if self._job is not None:
            self._jobs.cancel(self._job)
        wanted = self._wanted = (graph, transition)
        self._made, self.reason, project = None, "", self._document.project

        def done(made: TransitionPoses | None, error: Exception | None = None) -> None:
            if error is not None and not isinstance(error, AnimError):
                logger.error("the ghosts of a transition failed: %s", error, exc_info=error)
            if self._wanted is wanted:  # else something else was selected meanwhile
                self._job, self._made = None, made
                self.reason = str(error) if isinstance(error, AnimError) else ""
                self._refresh()
                if self.reason:
                    self.changed.emit(None)

        job = Job(
            tr("Ghosts of the transition"), lambda _: transition_poses(graph, project, transition), done,
            lambda error: done(None, error), detached=True,
        )  # fmt: skip
        self._job = job
        self._jobs.start(job, GRACE)

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        wanted, assets = self._wanted, self._document.project.assets
        if wanted is None:
            return
        rig = wanted[0].rig
        if any(
            asset is None
            or asset.id == rig
            or (isinstance(asset, Animation) and getattr(asset, "rig", None) == rig)
            for asset in map(assets.get, ids)
        ):
            self._again()

    def _again(self) -> None:
        """What was worked out is of before; the canvas is asked again."""
        self._wanted = None
        self._made = None
        self._refresh()

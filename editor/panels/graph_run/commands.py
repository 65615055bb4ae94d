"""What the Run panel does with files and menus: exports, tests, recorded inputs, break points."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from core.clips.clip import Clip
from core.errors import AnimError
from core.graph.commands import Command, Do
from core.graph.montage import Montage
from core.progress import Progress
from editor.model.graph_run.export import save_clip, save_test, span_clip, steps_between
from editor.model.graph_run.inputs import InputPath, path_of, read_path, write_path
from editor.model.graph_run.lanes import LaneKind, WatchedPin
from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr
from editor.model.session import Session
from editor.panels.graph_run.view_model import Found, Part
from editor.qt.dialogs import Files, choose_files
from editor.qt.menu import Menu

CLIP_FILES = ("glTF (*.glb)", "FBX (*.fbx)", "BVH (*.bvh)", "Posewright (*.posewright)")
INPUT_FILES = (tr("Inputs (*.csv *.json)"),)


class RunCommands:
    """Commands of one Run panel.

    Parameters
    ----------
    owner : the widget that dialogs belong to
    why : asks about a transition, by id and title
    """

    def __init__(
        self, session: Session, run: GraphRun, owner: QWidget, why: Callable[[str, str], object]
    ) -> None:
        self._session, self._run, self._owner, self._why = session, run, owner, why

    # ------------------------------------------------------------ menus
    def fill_menu(self, menu: QMenu) -> None:
        """Put everything beside the transport into an empty menu."""
        run = self._run
        has = run.take is not None and run.take.length > 0.0
        part = tr("span") if run.replay.span is not None else tr("recording")
        self._add(menu, tr("New clip from the {part}", part=part), self.new_clip, has)
        self._add(menu, tr("Export the {part}…", part=part), self.export_clip, has)
        self._add(menu, tr("Save the recording as a test…"), self.save_test, has)
        menu.addSeparator()
        self._add(menu, tr("Save the inputs of the {part}…", part=part), self.save_inputs, has)
        self._add(menu, tr("Play the inputs of the {part} again", part=part), self.replay_inputs, has)
        self._add(menu, tr("Play inputs from a file…"), self.load_inputs, True)
        self._add(menu, tr("Stop playing inputs"), lambda: run.play_inputs(None), run.inputs.path is not None)
        menu.addSeparator()
        compared = run.deck.comparison is not None
        self._add(menu, tr("Swap the runs before and after the change"), run.deck.compare, compared)
        self._add(menu, tr("Hide the run before the change"), run.deck.drop_comparison, compared)
        self._add(menu, tr("Clear break points"), run.breaks.clear, bool(run.breaks))

    def lane_menu(self, found: Found) -> QMenu:
        """What can be asked of a lane, a bar or a mark."""
        run, menu = self._run, Menu(self._owner)
        node, row = found.node, found.row
        if row is not None and node:
            self._add(menu, tr("Show in the graph"), lambda: run.node_chosen.emit(node), True)
        if row is not None and row.lane.kind is LaneKind.TRANSITIONS and found.item is not None:
            title = found.item.text.replace(" -> ", " → ")
            self._add(menu, tr("Why (not)?"), lambda: self._why(node, title), True)
        if row is not None and found.item is not None and node:
            self._toggle(menu, tr("Break here"), lambda: run.breaks.toggle(node), node in run.breaks.nodes)
            pin = WatchedPin(node, "", tr("weight of {name}", name=found.item.text))
            watched = (node, "") in {(w.node, w.pin) for w in run.deck.watched}
            if row.lane.kind is not LaneKind.TRANSITIONS:
                self._toggle(menu, tr("Plot its weight"), lambda: run.deck.watch(pin), watched)
        if (
            row is not None
            and row.lane.kind in (LaneKind.EVENTS, LaneKind.NOTIFIES)
            and found.item is not None
        ):
            name = found.item.text.split(":")[0]
            self._toggle(
                menu, tr("Break on {name}", name=name), lambda: run.breaks.toggle_event(name),
                name in run.breaks.events,
            )  # fmt: skip
        if row is not None and row.lane.kind is LaneKind.STATES and found.item is not None:
            machine, state = row.lane.title, found.item.text
            self._add(
                menu, tr("Force {state} now", state=state), lambda: run.force_state(machine, state), True
            )
        if row is not None and row.lane.kind is LaneKind.MONTAGE:
            self._add_jumps(menu, row.lane.title)
        if row is not None and row.lane.kind is LaneKind.WATCH:
            watched_pin = next(
                (w for w in run.deck.watched if row.lane.key == f"watch.{w.node}.{w.pin}"), None
            )
            if watched_pin is not None:
                self._add(menu, tr("Stop plotting"), lambda: run.deck.watch(watched_pin), True)
        if found.part is not Part.LABEL:
            menu.addSeparator()
            self._add(menu, tr("Mark this moment"), lambda: run.replay.mark(max(found.time, 0.0)), True)
            self._add(
                menu, tr("Show all of the recording"), lambda: run.replay.set_span(None),
                run.replay.span is not None,
            )  # fmt: skip
        return menu

    def _add_jumps(self, menu: QMenu, name: str) -> None:
        """The sections of a montage that plays, to go to now; and to let it end."""
        run, take = self._run, self._run.take
        rig = None if take is None else take.plan.rig.id
        montages = self._session.document.project.all(Montage)
        montage = next((m for m in montages if (m.name, m.rig) == (name, rig)), None)
        plays = take is not None and any(p.name == name for p in take.samples[take.at - 1].montages)
        for section in () if montage is None else montage.sections:
            jump = Command(Do.JUMP, name, section=section.name)
            title = tr("Jump to section {section}", section=section.name)
            self._add(menu, title, partial(run.command, jump), plays)
        self._add(menu, tr("Stop {name}", name=name), lambda: run.command(Command(Do.STOP, name)), plays)

    def _add(self, menu: QMenu, text: str, act: Callable[[], object], enabled: bool) -> QAction:
        action = menu.addAction(text)
        action.setEnabled(enabled)
        action.triggered.connect(lambda: self._guarded(act))
        return action

    def _toggle(self, menu: QMenu, text: str, act: Callable[[], object], on: bool) -> None:
        action = self._add(menu, text, act, True)
        action.setCheckable(True)
        action.setChecked(on)

    def _guarded(self, act: Callable[[], object]) -> None:
        try:
            act()
        except AnimError as error:
            self._session.messages.error(str(error))

    # ------------------------------------------------------------ clips
    def new_clip(self) -> None:
        """The span, or all that is recorded, as a clip of the document."""
        project = self._session.document.project
        names = {clip.name for clip in project.clips}
        base = name = tr("{name} run", name=self._run.title)
        count = 2
        while name in names:
            name, count = f"{base} {count}", count + 1

        def put(clip: Clip) -> None:
            if clip.rig in self._session.document.project.assets:
                self._session.edits.put(tr("New clip {name}", name=clip.name), clip)
                self._session.messages.info(
                    tr("{name}: {seconds:.2f} s of the run as a clip", name=clip.name, seconds=clip.length)
                )

        self._bake(name, put)

    def export_clip(self) -> None:
        """The span, or all that is recorded, as a file."""

        def chosen(paths: list[Path]) -> None:
            path = paths[0]
            project = self._session.document.project
            self._bake(path.stem, lambda clip: self._write(lambda: save_clip(project, clip, path), path))

        self._choose(tr("Export the run"), CLIP_FILES, "glb", f"{self._run.title}.glb", chosen)

    def _bake(self, name: str, done: Callable[[Clip], object]) -> None:
        take, span = self._run.take, self._run.replay.span
        if take is None:
            return

        def work(progress: Progress) -> Clip:
            return span_clip(take, span, name, progress)

        self._session.jobs.run(tr("Clip of the run"), work, done)

    def _write(self, write: Callable[[], object], path: Path) -> None:
        self._session.jobs.run(
            tr("Write {name}", name=path.name),
            lambda progress: write(),
            lambda _: self._session.messages.info(tr("{path} is written", path=path)),
        )

    # ------------------------------------------------------------ tests and inputs
    def save_test(self) -> None:
        """The recording as a script for the command line, with what must hold."""
        take, marks = self._run.take, self._run.replay.marks
        if take is not None:
            self._choose(
                tr("Save the recording as a test"), (tr("Test (*.json)"),), "json", f"{self._run.title} test.json",
                lambda paths: self._write(lambda: save_test(take, marks, paths[0]), paths[0]),
            )  # fmt: skip

    def _path(self) -> InputPath | None:
        take = self._run.take
        if take is None:
            return None
        first, last = steps_between(take, self._run.replay.span)
        return path_of(take.steps, first - 1, last)

    def save_inputs(self) -> None:
        """The inputs as CSV or JSON."""
        path = self._path()
        if path is not None:
            self._choose(
                tr("Save the inputs"), INPUT_FILES, "csv", f"{self._run.title} inputs.csv",
                lambda paths: self._write(lambda: write_path(path, paths[0]), paths[0]),
            )  # fmt: skip

    def replay_inputs(self) -> None:
        """Begin again with the recorded inputs, over and over."""
        path = self._path()
        if path is not None:
            self._run.play_inputs(path)
            self._run.restart()
            self._run.start()

    def load_inputs(self) -> None:
        """Begin again with the inputs of a file, over and over."""

        def chosen(paths: list[Path]) -> None:
            self._guarded(lambda: self._begin_with(paths[0]))

        self._choose(tr("Play inputs"), INPUT_FILES, "", "", chosen)

    def _begin_with(self, file: Path) -> None:
        path = read_path(file)
        known = {variable.name for _, variable in self._run.played.variables}
        unknown = [name for name in path.names if name not in known]
        if unknown:
            self._session.messages.warn(
                tr(
                    "{file}: no variable is named {names}; they are left out",
                    file=file.name,
                    names=", ".join(unknown),
                )
            )
            entries = tuple(
                (time, {name: value for name, value in values.items() if name in known})
                for time, values in path.entries
            )
            path = InputPath(entries, path.length)
        self._run.play_inputs(path)
        self._run.restart()
        self._run.start()

    def _choose(
        self,
        title: str,
        filters: tuple[str, ...],
        suffix: str,
        name: str,
        chosen: Callable[[list[Path]], Any],
    ) -> None:
        folder = Path(str(self._session.preferences.get("last_folder") or Path.home()))
        mode = Files.SAVE if suffix else Files.ONE
        choose_files(self._owner, title, filters, chosen, mode, folder / name if name else folder, suffix)

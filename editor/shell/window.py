"""The main window: panels in docks, menus, tool bar, messages, status, and the end of it all."""

import logging
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QTabWidget, QWidget

from editor.actions.action import Scope
from editor.model.i18n import tr
from editor.model.messages import Level, Message
from editor.model.play.state import Play
from editor.model.session import Session
from editor.qt.binding import Bindings, OncePerTurn, once_per_turn
from editor.qt.clipboard import SystemClipboard
from editor.qt.dialogs import ask
from editor.qt.menu import MenuBar
from editor.qt.panel import Panel, PanelContext, PanelSpec
from editor.qt.runner import JobRunner
from editor.qt.theme import Theme
from editor.qt.turns import Rank
from editor.shell.commands import Commands, scope_of
from editor.shell.docks import PanelBody, PanelDock, TabTidier, end_dock_drag, mouse_held
from editor.shell.documents import Documents
from editor.shell.menus import build_menus
from editor.shell.message_bar import MessageArea
from editor.shell.panel_start import PanelStart
from editor.shell.play_mode import PlayMode
from editor.shell.preview_leaver import PreviewLeaver
from editor.shell.recent import RecentMenu
from editor.shell.status_bar import StatusBar
from editor.shell.tool_bar import ToolBar
from editor.shell.tools import bind_tools
from editor.shell.window_actions import window_registry
from editor.shell.window_dialogs import WindowDialogs
from editor.shell.workspace_bar import WorkspaceBar
from editor.shell.workspaces import WORKSPACES, Layouts
from editor.tools.state import ToolState

if TYPE_CHECKING:
    from editor.shell.palette import Palette

logger = logging.getLogger(__name__)

TIME_PANELS = ("timeline", "dope_sheet", "curves")
MINIMUM = (960, 540)
"""Half of 1920 by 1080, so that nothing is out of reach at 200 %."""
MENU_SPACE = 18
"""Pixels beside a menu's name."""
FRAME_WAITS = (200, 1500)
"""Milliseconds after which a window manager has put its frame around a window that was shown; the second for a busy
machine."""
SMALLEST_START, LARGEST_START = QSize(1280, 720), QSize(1760, 1000)


class MainWindow(QMainWindow):
    """One window on one session.

    Parameters
    ----------
    session : the model; closed together with the window
    theme : colours, fonts, icons
    specs : panels to show; the one of area "centre" is the middle of the window
    """

    def __init__(self, session: Session, theme: Theme, specs: Sequence[PanelSpec]) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setAcceptDrops(True)
        self.setMinimumSize(*MINIMUM)
        self.session, self.theme = session, theme
        self.runner = JobRunner(self)
        session.jobs.runner = self.runner
        self.tools = ToolState()
        self.actions_registry = window_registry(session, specs)
        self.context = PanelContext(session, self.actions_registry, theme, self.runner, self, self.tools)
        self.docks: dict[str, PanelDock] = {}
        self.commands = Commands(self.actions_registry, theme, self, self.scope)
        self._closing = False
        self._maximised: QByteArray | None = None
        self._build(specs)
        self.layouts = Layouts(self, self.docks, session.preferences)
        self.documents = Documents(self, self.context)
        play = session.feature(Play)
        self.play_mode = PlayMode(
            self, play, lambda: self.layouts.current.id, self._show_workspace, self.show_panel
        )
        self._bind_actions()
        self._bind_model()
        self._restore()

    # ------------------------------------------------------------ building
    def _build(self, specs: Sequence[PanelSpec]) -> None:
        option = QMainWindow.DockOption
        self.setDockOptions(option.AllowNestedDocks | option.AllowTabbedDocks)
        self.setDocumentMode(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner):
            self.setCorner(corner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.centre_body = PanelBody(Panel, "panel.none")
        for spec in specs:
            self._add_panel(spec)
        self.status = StatusBar(self.session, self.theme)
        self.setStatusBar(self.status)
        self.setMenuBar(MenuBar())  # after the docks: it hears every event of the window
        self.menus = build_menus(self, self.commands)
        self.recent = RecentMenu(self, self.menus, self.session, lambda path: self.documents.open(path))
        self.workspace_bar = WorkspaceBar(self.theme, self.use_workspace)
        self.menuBar().setCornerWidget(self.workspace_bar)
        self.centre_body.make()
        self.setCentralWidget(self.centre_body)
        bind_tools(self.actions_registry, self.tools)
        self.tool_bar = ToolBar(self.commands, self.theme, self.tools, self)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.tool_bar)
        self.messages = MessageArea(self.theme, self)
        self.messages.bar.wanted.connect(self.actions_registry.run)
        self.tidier = TabTidier(self, self.docks)
        self._panels = PanelStart(
            self.session,
            self.actions_registry,
            self.docks,
            PreviewLeaver(self.session, self),
            self.show_panel,
        )
        self._tidy = once_per_turn(self, self._tidy_up)
        for dock in self.docks.values():
            for signal in (dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged):
                signal.connect(self._tidy)
        self.theme.dress(self)

    def _add_panel(self, spec: PanelSpec) -> None:
        create = partial(spec.create, self.context)
        if spec.area == "centre":
            self.centre_body = PanelBody(create, f"panel.{spec.id}")
            return
        dock = PanelDock(spec, create, self.theme, self)
        self.docks[spec.id] = dock
        area = {
            "left": Qt.DockWidgetArea.LeftDockWidgetArea,
            "right": Qt.DockWidgetArea.RightDockWidgetArea,
            "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
        }[spec.area]
        self.addDockWidget(area, dock)

    def _bind_actions(self) -> None:
        bind = self.actions_registry.bind
        for workspace in WORKSPACES:
            bind(
                f"window.{workspace.id}",
                partial(self.use_workspace, workspace.id),
                checked=partial(self._in_workspace, workspace.id),
            )
        for name, dock in self.docks.items():
            bind(
                f"panel.{name}", partial(self._toggle_panel, dock), checked=dock.toggleViewAction().isChecked
            )
        bind("play.enter", self.play_mode.enter, checked=lambda: self.session.feature(Play).on)
        bind("view.maximise", self.maximise, checked=lambda: self._maximised is not None)
        bind("window.float", self._float)
        bind("view.full_screen", self._full_screen, checked=self.isFullScreen)
        bind("view.reset_layout", self._reset_layout)
        bind("help.palette", self._open_palette)
        bind("window.next_panel", partial(self._step_panel, 1))
        bind("window.previous_panel", partial(self._step_panel, -1))
        dialogs = WindowDialogs(self, self.context)
        bind("help.shortcuts", dialogs.shortcuts)
        bind("help.guide", dialogs.guide)
        bind("help.about", dialogs.about)
        bind("edit.preferences", dialogs.preferences)

    def _in_workspace(self, workspace: str) -> bool:
        return self.layouts.current.id == workspace

    def _count_history(self) -> None:
        """What a very large step holds is counted bit by bit, between pictures."""
        history = self.session.history
        if history.counted or (self._counting.isActive() and history.count_on()):
            self._counting.stop()
        elif not self._counting.isActive():
            self._counting.start()

    def _bind_model(self) -> None:
        session = self.session
        bindings = Bindings(self)
        bindings.on(session.messages.posted, self._on_message)
        bindings.on(session.messages.resolved, lambda _: self.messages.bar.resolve())
        self._clipboard = SystemClipboard(self, session.clipboard)
        bindings.on(session.preferences.changed, self._on_preference)
        bindings.refresh(self._show_title, session.document.file_changed, rank=Rank.LAST)
        self.refresh_commands: OncePerTurn = bindings.refresh(
            self.commands.refresh,
            session.history.changed,
            session.document.changed,
            session.selection.bones_changed,
            session.playback.state_changed,
            session.playback.clip_changed,
            session.keying.changed,
            session.switches.changed,
            rank=Rank.LAST,
        )
        self._bindings = bindings
        self._counting = QTimer(self)
        self._counting.setInterval(10)
        self._counting.timeout.connect(self._count_history)
        bindings.on(session.history.changed, lambda _: self._count_history())
        self._journal_timer = QTimer(self)
        self._journal_timer.setInterval(2000)
        self._journal_timer.timeout.connect(self.status.check_journal)
        self._journal_timer.timeout.connect(self._look_at_file)
        self._frame_timers = [QTimer(self) for _ in FRAME_WAITS]
        for timer, wait in zip(self._frame_timers, FRAME_WAITS, strict=True):
            timer.setSingleShot(True)
            timer.setInterval(wait)
            timer.timeout.connect(self._fit_screen)
        self._show_title()

    def _restore(self) -> None:
        # On the first start most of the screen, yet never more of it than there is.
        room = self.screen().availableSize()
        self.resize((room * 0.9).boundedTo(LARGEST_START).expandedTo(SMALLEST_START).boundedTo(room))
        stored = self.session.preferences.get("geometry")
        if stored:
            self.restoreGeometry(QByteArray.fromBase64(QByteArray(stored.encode("ascii"))))
        self.layouts.start()
        self.workspace_bar.show_workspace(self.layouts.current.id)
        self._tidy()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_menus()

    def _fit_menus(self) -> None:
        """The names of the workspaces give way before a menu does."""
        words = self.menuBar().fontMetrics()
        texts = [action.text().replace("&", "") for action in self.menuBar().actions()]
        menus = sum(words.horizontalAdvance(text) + MENU_SPACE for text in texts) + MENU_SPACE
        if self.workspace_bar.fit(self.width() - menus):
            self.menuBar().setCornerWidget(self.workspace_bar)  # else the old width is kept for it
            self.workspace_bar.show()

    def _fit_screen(self) -> None:
        """Within the screen with the frame that the window manager has put around it by now."""
        if self.isMaximized() or self.isFullScreen():
            return
        room, frame, inner = self.screen().availableGeometry(), self.frameGeometry(), self.geometry()
        over = (frame.size() - room.size()).expandedTo(QSize(0, 0))
        if over.width() or over.height():
            self.resize(inner.size() - over)
            self.move(room.topLeft())

    # ------------------------------------------------------------ services (WindowServices)
    def set_hint(self, text: str) -> None:
        """Show what mouse and keys do now."""
        self.status.set_hint(text)

    def set_frame_rate(self, frames_per_second: float | None, behind: bool = False) -> None:
        """Show the measured frames a second."""
        self.status.set_frame_rate(frames_per_second, behind)

    def show_panel(self, panel: str) -> None:
        """Bring a panel to the front."""
        dock = self.docks.get(panel)
        if dock is not None:
            dock.body.make()  # whoever asks for it may use it at once
            dock.show()
            dock.raise_()
            self._tidy()

    def menu_of(self, actions: Sequence[str | None], parent: QWidget) -> QMenu:
        """A menu of registered actions."""
        return self.commands.menu_of(actions, parent)

    def ask(
        self,
        title: str,
        text: str,
        choices: Sequence[tuple[str, str]],
        answer: Callable[[str], None],
        default: str = "",
    ) -> None:
        """Ask with one button for each choice."""
        ask(self, self.theme, title, text, choices, answer, default)

    def frame_all(self) -> None:
        """Show the whole character, once the picture has a size."""
        if not self.actions_registry.why_disabled("view.frame_all"):
            QTimer.singleShot(0, self, lambda: self.actions_registry.run("view.frame_all"))

    # ------------------------------------------------------------ layout
    def scope(self) -> Scope:
        """Whose keys are heard: those of what has the keyboard."""
        panels = [self.docks[name].body for name in TIME_PANELS if name in self.docks]
        return scope_of(QApplication.focusWidget(), panels)

    def use_workspace(self, workspace: str) -> None:
        """Go to a workspace, as it was left; that of Play drives the character."""
        self.play_mode.go(workspace)

    def _show_workspace(self, workspace: str) -> None:
        self._end_maximise()
        self.layouts.use(workspace)
        self.workspace_bar.show_workspace(workspace)
        self._tidy()

    def _reset_layout(self) -> None:
        end_dock_drag()
        self._maximised = None
        self.centre_body.show()
        self.layouts.reset()
        self._tidy()

    def _tidy_up(self) -> None:
        if mouse_held():
            # Qt loses its place in a drag when the title under the mouse is exchanged, and ends the process at the
            # next change of the layout: titles wait until the panel is let go.
            QTimer.singleShot(50, self, self._tidy)
            return
        self.tidier.tidy()

    def _toggle_panel(self, dock: PanelDock) -> None:
        end_dock_drag()
        if dock.open:
            dock.close()
            self._tidy()
        else:
            self.show_panel(dock.spec.id)

    def _run_found(self, action: str) -> None:
        """Do what was chosen in the palette; a panel's name asks for the panel, never to close it."""
        self.session.preferences.add_used_action(action)
        panel = action.removeprefix("panel.")
        if panel != action and panel in self.docks:
            self.show_panel(panel)
            self.docks[panel].body.take_focus()
        else:
            self.actions_registry.run(action)

    def maximise(self) -> None:
        """Give the whole window to the panel that has the keyboard; again gives it back."""
        end_dock_drag()
        if self._maximised is not None:
            self._end_maximise()
            return
        chosen = self._panel_with_keyboard()
        if chosen is not None and chosen.isFloating():
            return
        self._maximised = self.saveState()
        for dock in self.docks.values():
            if dock is not chosen:
                dock.hide()
        self.centre_body.setVisible(chosen is None)
        self._tidy()

    def _step_panel(self, by: int) -> None:
        """Give the keyboard to the next panel that is in sight, the view in the middle among them."""
        docks = [dock for dock in self.docks.values() if not dock.body.visibleRegion().isEmpty()]
        bodies = [self.centre_body, *(dock.body for dock in docks)]
        bodies = [body for body in bodies if body.isVisible()]
        focus = QApplication.focusWidget()
        at = next((k for k, body in enumerate(bodies) if focus is not None and body.isAncestorOf(focus)), -1)
        if bodies:
            bodies[(at + by) % len(bodies) if at >= 0 else 0].take_focus()

    def _panel_with_keyboard(self) -> PanelDock | None:
        focus = QApplication.focusWidget()
        return next((d for d in self.docks.values() if focus is not None and d.isAncestorOf(focus)), None)

    def _float(self) -> None:
        dock = self._panel_with_keyboard()
        end_dock_drag()
        if dock is None:
            self.session.messages.info(tr("Move the pointer over a panel first: the viewport cannot float"))
            return
        dock.setFloating(not dock.isFloating())
        self._tidy()

    def _end_maximise(self) -> None:
        end_dock_drag()
        state, self._maximised = self._maximised, None
        if state is not None:
            self.centre_body.show()
            self.restoreState(state)
            self._tidy()

    def _full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    @cached_property
    def palette_box(self) -> "Palette":
        """The box that finds actions, made when it is first asked for."""
        from editor.shell.palette import Palette

        box = Palette(self.theme, self)
        box.chosen.connect(self._run_found)
        return box

    def _open_palette(self) -> None:
        if self.palette_box.isVisible():
            self.palette_box.put_away()
        else:
            self.palette_box.open(self.commands.palette_entries())

    # ------------------------------------------------------------ model → window
    def _show_title(self) -> None:
        document = self.session.document
        title = tr("{title} (read-only)", title=document.title) if document.read_only else document.title
        self.setWindowTitle(f"{title}[*] – Posewright")
        self.setWindowModified(document.dirty)

    def _on_message(self, message: Message) -> None:
        if message.level is Level.INFO:
            step = f" · {message.next_step}" if message.next_step else ""
            self.status.say(message.text + step)
        else:
            title = self.actions_registry[message.action].title.rstrip("…") if message.action else ""
            self.messages.bar.show_message(message, message.button or title)

    def _on_preference(self, name: str) -> None:
        if name == "theme":
            self.theme.use(self.session.preferences.get("theme"))
        elif name == "scale":
            self.session.messages.info(
                tr(
                    "Interface scale: {percent} %", percent=round(100 * self.session.preferences.get("scale"))
                ),
                tr("It takes effect after a restart"),
            )

    # ------------------------------------------------------------ files from elsewhere
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files(event):
            event.acceptProposedAction()
            self._show_drop(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_drop(False)

    def _show_drop(self, shown: bool) -> None:
        """Files are held over the window, or no longer."""
        panel = self.centre_body.panel
        if panel is not None:
            panel.show_drop(shown)

    def dropEvent(self, event: QDropEvent) -> None:
        self._show_drop(False)
        paths = _files(event)
        if paths:
            event.acceptProposedAction()
            self.documents.dropped(paths)

    # ------------------------------------------------------------ end
    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._journal_timer.start()
        self.layouts.shown()
        if QApplication.focusWidget() is None:
            self.centre_body.take_focus()  # tool keys and Space work from the first moment
        for timer in self._frame_timers:
            timer.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._closing:
            event.accept()
            return
        if self.session.files.saving:
            event.ignore()
            self.session.messages.info(tr("Saving; the window closes afterwards"))
            QTimer.singleShot(100, self, self.close)
            return
        if self.session.document.dirty:
            event.ignore()
            self.documents.when_safe(self._close_now)
            return
        event.accept()
        self._finish()

    def _close_now(self) -> None:
        if not self._closing:
            self._finish()
            self.close()

    def _finish(self) -> None:
        """Keep the layout, end the work, and release everything."""
        self._closing = True
        self._end_maximise()
        self.layouts.save()
        geometry = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
        self.session.preferences.set("geometry", geometry)
        for timer in (self._journal_timer, self._counting, *self._frame_timers):
            timer.stop()
        self.messages.bar.dismiss()
        self.status.stop()
        self._panels.close()
        for body in (self.centre_body, *(dock.body for dock in self.docks.values())):
            if body.there:
                body.panel.close_panel()
        self.documents.close()
        self.session.close()
        self.runner.close()
        self._bindings.drop()
        self.commands.close()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and not self._closing:
            self.refresh_commands()
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and not self._closing:
            self._look_at_file()

    def _look_at_file(self) -> None:
        """Another program may have been at the document's file meanwhile."""
        self.session.files.look()


def _files(event: QDragEnterEvent | QDropEvent) -> list[Path]:
    """Local files that are dragged."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]

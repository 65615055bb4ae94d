"""A stage for one panel: session with the small character, theme, and a window that notes what it is asked."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget

from editor.actions.every import registry
from editor.model.session import Session
from editor.qt.panel import PanelContext
from editor.qt.theme import Theme
from editor.shell.commands import Commands, scope_of
from editor.tools.state import ToolState
from tests.editor.rigs import small_project


class Notes:
    """Stands in for the window's services; what panels ask for is kept for the test to see."""

    def __init__(self) -> None:
        self.hint = ""
        self.rate: tuple[float | None, bool] = (None, False)
        self.asked: list[tuple[str, str]] = []
        self.choices: list[str] = []
        self.answer = ""

    def set_hint(self, text):
        self.hint = text

    def set_frame_rate(self, frames_per_second, behind=False):
        self.rate = (frames_per_second, behind)

    def show_panel(self, panel):
        pass

    def ask(self, title, text, choices, answer, default=""):
        self.asked.append((title, text))
        self.choices.append(" ".join(f"[{c}]" if id == default else c for id, c in choices))
        answer(self.answer)


def small_session(mesh: bool = True, clip: bool = True) -> Session:
    """A session that shows the small character and its clip."""
    session = Session.create()
    project = small_project(mesh, clip)
    session.document.replace(project, None)
    session.playback.set_clip(project.clips[0].id if clip else None, project.rigs[0].id)
    return session


class Stage:
    """One or more panels in a window of their own.

    Attributes
    ----------
    window : the top-level widget to hand to `User`
    """

    def __init__(self, qapp, session: Session | None = None, theme: str = "dark", tools=None) -> None:
        self.session = session or small_session()
        self.theme = Theme(qapp, theme)
        self.notes = Notes()
        self.tools = tools or ToolState()
        self.actions = registry(self.session)
        self.context = PanelContext(self.session, self.actions, self.theme, None, self.notes, self.tools)
        self.window = QMainWindow()
        self.window.setObjectName("stage")
        self.theme.dress(self.window)
        body = QWidget()
        self.window.setCentralWidget(body)
        self.layout = QVBoxLayout(body)
        self.layout.setContentsMargins(0, 0, 0, 0)
        self.layout.setSpacing(0)
        self.panels: list[QWidget] = []
        self.time_panels: list[QWidget] = []
        self.commands = Commands(self.actions, self.theme, self.window, self._scope)
        self.notes.menu_of = self.commands.menu_of

    def _scope(self):
        return scope_of(QApplication.focusWidget(), self.time_panels)

    def add(self, widget: QWidget, stretch: int = 1, time: bool = False) -> QWidget:
        """Put a panel into the window, below the others; one over `time` has that scope's keys."""
        if time:
            self.time_panels.append(widget)
        self.layout.addWidget(widget, stretch)
        self.panels.append(widget)
        return widget

    def show(self, width: int, height: int) -> None:
        """Show the window at a size."""
        self.window.resize(QSize(width, height))
        self.window.show()

    def close(self, qapp) -> None:
        """Close everything."""
        for panel in self.panels:
            panel.close()
        self.commands.close()
        self.window.close()
        self.window.deleteLater()
        self.session.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

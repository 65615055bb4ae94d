"""Errors below the canvas: a quiet line, a list that jumps there, quick fixes, and whether the last good plan runs."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from core.graph.problems import Problem
from editor.model.graph.editor import GraphEditor
from editor.model.i18n import tr
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, dress, icon_button, label

MOST = 100
HIGHEST = 132


class ProblemList(QWidget):
    """Hidden while nothing is wrong."""

    def __init__(self, editor: GraphEditor, theme: Theme) -> None:
        super().__init__()
        self.editor, self.theme = editor, theme
        self._open = False
        self._shown: object = None
        self.setObjectName("graphProblems")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(10, 2, 6, 2)
        self.sign = QToolButton()
        self.sign.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.sign.setAutoRaise(True)
        self.sign_dress = dress(self.sign, theme, "error", "error")
        self.band = ElidedLabel("")
        self.band.setObjectName("graphBand")
        self.toggle = icon_button(theme, "up", tr("List the problems"), name="graphProblemsToggle", size=20)
        self.toggle_dress = dress(self.toggle, theme, "up", "dim")
        self.toggle.clicked.connect(lambda: self.open_list(not self._open))
        self.sign.clicked.connect(lambda: self.open_list(not self._open))
        head.addWidget(self.sign)
        head.addWidget(self.band, 1)
        head.addWidget(self.toggle)
        column.addLayout(head)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setMaximumHeight(HIGHEST)
        self.area.hide()
        column.addWidget(self.area)
        self.hide()

    def open_list(self, opened: bool = True) -> None:
        """Show or hide the list."""
        self._open = opened
        self.area.setVisible(opened)
        self.toggle_dress.change("down" if opened else "up")

    def refresh(self) -> None:
        """Show what is wrong now."""
        problems = self.editor.problems
        errors = problems.errors
        self.setVisible(bool(problems.found))
        if not problems.found:
            return
        warnings = len(problems.found) - len(errors)
        self.sign_dress.change("error" if errors else "warning", "error" if errors else "warning")
        if errors:
            text = tr("1 error") if len(errors) == 1 else tr("{count} errors", count=len(errors))
            running = self.editor.canvas.frame is not None
            text += " · " + (
                tr("the last good version keeps running") if running else tr("the graph cannot run yet")
            )
        else:
            text = tr("1 hint") if warnings == 1 else tr("{count} hints", count=warnings)
        first = (errors or problems.found)[0]
        self.band.set_text(f"{text} · {problems.place(first)}{first.message}")
        if self._shown != problems.found:
            self._shown = problems.found
            self._fill(problems.found)

    def _fill(self, found: tuple[Problem, ...]) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(10, 0, 6, 4)
        column.setSpacing(0)
        ranked = sorted(found, key=lambda p: p.warning)
        for number, problem in enumerate(ranked[:MOST]):
            column.addWidget(self._row(number, problem))
        if len(ranked) > MOST:
            column.addWidget(label(tr("and {count} more", count=len(ranked) - MOST), "dim"))
        column.addStretch(1)
        self.area.setWidget(inside)

    def _row(self, number: int, problem: Problem) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        sign = QToolButton()
        sign.setAutoRaise(True)
        sign.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        token = "warning" if problem.warning else "error"
        dress(sign, self.theme, token, token)
        line.addWidget(sign)
        press = QPushButton(self.editor.problems.place(problem) + problem.message)
        press.setFlat(True)
        press.setObjectName(f"problem.{number}")
        press.setProperty("role", "crumb")
        press.setToolTip(tr("Go there"))
        press.clicked.connect(lambda: self.editor.problems.go(problem))
        line.addWidget(press)
        line.addStretch(1)
        for k, fix in enumerate(self.editor.problems.fixes(problem)):
            button = QPushButton(fix.title)
            button.setObjectName(f"fix.{number}.{k}")
            button.clicked.connect(lambda _=False, fix=fix: self.editor.problems.fix(fix))
            line.addWidget(button)
        return row

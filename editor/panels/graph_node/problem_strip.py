"""What is wrong with what is selected, below its fields, with quick fixes."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.graph.problems import Problem
from editor.model.graph.editor import GraphEditor
from editor.model.graph.fixes import Fix
from editor.model.i18n import sentence, tr
from editor.qt.widgets import label

SHARE = 0.45
"""Of the panel's height, at the most."""
MOST = 20
"""Problems that are told, as all of a sheet can be selected; the list below the canvas has more."""
LINE = 1
"""Pixels of the line above it, which the style sheet draws."""


class ProblemStrip(QScrollArea):
    """Stands below the form instead of in it.

    A graph is compiled half a second after an edit: in the form, what is found would move the fields while a hand is on
    its way to one of them.

    Parameters
    ----------
    fix : does a quick fix
    """

    def __init__(self, editor: GraphEditor, fix: Callable[[Fix], object]) -> None:
        super().__init__()
        self.setObjectName("nodeProblems")
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._editor, self._fix = editor, fix
        self._told: tuple[tuple[str, Problem | None], ...] = ()
        self.hide()

    def tell(self, items: Iterable[str]) -> None:
        """Say what is wrong with nodes or transitions, and with which where they are several; hidden for nothing."""
        wanted, problems = frozenset(items), self._editor.problems
        found = [p for p in problems.found if p.node in wanted]
        several = len(wanted) > 1
        told: tuple[tuple[str, Problem | None], ...] = tuple(
            (problems.place(p) + p.message if several else sentence(p.message), p) for p in found[:MOST]
        )
        if len(found) > MOST:
            told += ((tr("and {count} more", count=len(found) - MOST), None),)
        if told == self._told:
            return
        self._told = told
        old = self.takeWidget()
        if old is not None:
            old.deleteLater()  # a quick fix comes from one of its buttons
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(10, 6, 10, 8)
        column.setSpacing(5)
        for text, problem in told:
            self._add(text, problem, column)
        self.setWidget(body)
        self.setVisible(bool(told))
        self.fit()

    def _add(self, text: str, problem: Problem | None, column: QVBoxLayout) -> None:
        if problem is None:
            column.addWidget(label(text, "dim"))
            return
        column.addWidget(label(text, "warning" if problem.warning else "error", wrap=True))
        for fix in self._editor.problems.fixes(problem):
            button = QPushButton(fix.title)
            button.clicked.connect(lambda _=False, fix=fix: self._fix(fix))
            column.addWidget(button)

    def fit(self) -> None:
        """As high as what it says, and no higher than a part of the panel: the fields stay in sight."""
        body, panel = self.widget(), self.parentWidget()
        if body is not None and panel is not None and self._told:
            wanted = body.layout().totalHeightForWidth(panel.width())
            self.setFixedHeight(min(wanted + LINE, round(panel.height() * SHARE)))

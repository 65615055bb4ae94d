"""The way to the open sheet: graph › machine › state; each part is a button."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from editor.model.graph.canvas import Canvas
from editor.model.i18n import tr
from editor.qt.choice import ChoiceBox
from editor.qt.theme import Theme
from editor.qt.widgets import label


class Crumbs(QWidget):
    """Which graph is open, then the sheets from the outermost to the open one."""

    def __init__(self, canvas: Canvas, theme: Theme) -> None:
        super().__init__()
        self.canvas, self.theme = canvas, theme
        self._shown: object = None
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(2)
        self.choice = ChoiceBox()
        self.choice.setObjectName("canvasGraph")
        self.choice.setToolTip(tr("The graph that is open"))
        self.choice.setAccessibleName(tr("Graph"))
        self.choice.setMinimumWidth(110)
        self.choice.activated.connect(self._choose)
        self.row.addWidget(self.choice)
        self._parts: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def refresh(self) -> None:
        """Show graph and path as they are."""
        graphs, graph = self.canvas.graphs, self.canvas.graph
        names = [g.name for g in graphs]
        if names != [self.choice.itemText(k) for k in range(self.choice.count())]:
            self.choice.clear()
            self.choice.addItems(names)
        if graph is not None:
            self.choice.setCurrentIndex(next(k for k, g in enumerate(graphs) if g.id == graph.id))
        path = tuple((str(s.id), s.name) for s in self.canvas.path)
        if path == self._shown:
            return
        self._shown = path
        for part in self._parts:
            self.row.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._parts = []
        for number, (id, name) in enumerate(path):
            self._add(label("›", "dim"))
            button = QPushButton(name or tr("sheet"))
            button.setObjectName(f"crumb.{number}")
            button.setFlat(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setProperty("role", "crumb")
            button.clicked.connect(lambda _=False, id=id: self.canvas.enter(id))
            self._add(button)

    def _add(self, part: QWidget) -> None:
        self.row.addWidget(part)
        self._parts.append(part)

    def _choose(self, index: int) -> None:
        graphs = self.canvas.graphs
        if 0 <= index < len(graphs):
            self.canvas.open(graphs[index].id)

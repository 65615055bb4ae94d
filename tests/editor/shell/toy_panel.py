"""A panel for tests that a new one needs its package and one entry, and nothing else."""

from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout

from editor.qt.panel import Panel, PanelContext, PanelSpec


class ToyPanel(Panel):
    """A field in the middle, a button in the title bar, an action, and a note of its end."""

    closed = False
    searched = 0

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        ToyPanel.closed, ToyPanel.searched = False, 0
        self.field = QLineEdit()
        self.field.setObjectName("toyField")
        self.button = QPushButton("spin")
        self.button.setObjectName("toyButton")
        column = QVBoxLayout(self)
        column.addWidget(QLabel(f"{len(context.session.document.project.rigs)} characters"))
        column.addWidget(self.field)

    def focus_widget(self):
        return self.field

    def title_widgets(self):
        return [self.button]

    def panel_actions(self):
        return {"tree.filter": self._search}

    def close_panel(self):
        ToyPanel.closed = True

    def _search(self):
        ToyPanel.searched += 1


PANEL = PanelSpec("toy", "Toy", "left", "bones", ToyPanel, actions=("tree.filter",))

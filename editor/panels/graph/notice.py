"""A line above the canvas: what is to be known of the graph that is not on it, and what can be done."""

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from editor.model.graph.canvas import Canvas
from editor.qt.panel import PanelContext
from editor.qt.widgets import label


class NoticeLine(QWidget):
    """Hidden while there is nothing to say."""

    def __init__(self, canvas: Canvas, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("graphNotice")
        self._canvas = canvas
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 8, 6)
        row.setSpacing(8)
        self.text = label("", "caption", wrap=True)
        self.button = QPushButton()
        self.button.setObjectName("graphNoticeButton")
        self.button.clicked.connect(
            lambda: context.actions.run(canvas.notice.action) if canvas.notice is not None else None
        )
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        self.refresh()

    def refresh(self) -> None:
        """Say what the canvas has to say."""
        notice = self._canvas.notice
        if notice is not None:
            self.text.setText(notice.text)
            self.button.setText(notice.button)
        self.setVisible(notice is not None)

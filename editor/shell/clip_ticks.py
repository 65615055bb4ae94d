"""A list of clips to tick, with all and none at a click."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListWidget, QListWidgetItem, QPushButton

from core.clips.clip import Clip
from core.ids import AssetId
from core.timing import frame_text
from editor.model.i18n import tr
from editor.qt.widgets import label

LEAST = 72
ID = Qt.ItemDataRole.UserRole


class ShortList(QListWidget):
    """A list that is content with a few rows, where there is no more room."""

    def sizeHint(self) -> QSize:
        return QSize(200, LEAST)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, LEAST)


class ClipTicks(ShortList):
    """Ticked are all at first; a click anywhere in a row, or Space, turns its tick over."""

    changed = Signal()

    def __init__(self, name: str, clips: Sequence[Clip]) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("role", "framed")
        self.setAccessibleName(tr("Clips"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setUniformItemSizes(True)
        self._names: dict[AssetId, str] = {}
        for clip in clips:
            item = QListWidgetItem(f"{clip.name}   {frame_text(clip.frames)} f · {clip.length:.3g} s")
            item.setData(ID, clip.id)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.addItem(item)
            self._names[clip.id] = clip.name
        self.all, self.none = QPushButton(tr("All")), QPushButton(tr("None"))
        for button, on in ((self.all, True), (self.none, False)):
            button.setProperty("flat", "true")
            button.setObjectName(f"{name}{'All' if on else 'None'}")
            button.setFlat(True)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, on=on: self._tick_all(on))
        self.itemChanged.connect(lambda _: self.changed.emit())

    def heading(self, title: str) -> QHBoxLayout:
        """A title with the two buttons at its right."""
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(label(title, "title"))
        row.addStretch(1)
        row.addWidget(self.all)
        row.addWidget(self.none)
        return row

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    def _tick_all(self, on: bool) -> None:
        self.blockSignals(True)
        for item in self._items():
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.blockSignals(False)
        self.viewport().update()
        self.changed.emit()

    def chosen(self) -> set[AssetId]:
        """Ids of the clips that are ticked."""
        return {i.data(ID) for i in self._items() if i.checkState() is Qt.CheckState.Checked}

    def untick(self, names: Collection[str]) -> None:
        """Take the ticks of clips of those names away."""
        for item in self._items():
            if self._names[item.data(ID)] in names:
                item.setCheckState(Qt.CheckState.Unchecked)

    def unticked_names(self) -> list[str]:
        """Names of the clips that are not ticked."""
        chosen = self.chosen()
        return [name for id, name in self._names.items() if id not in chosen]

    def mouseReleaseEvent(self, event) -> None:
        item = self.itemAt(event.position().toPoint())
        before = item.checkState() if item is not None else None
        super().mouseReleaseEvent(event)
        if item is not None and event.button() == Qt.MouseButton.LeftButton and item.checkState() is before:
            on = before is not Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

"""The order in which the transitions of a state are looked at, changed by dragging rows."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from editor.model.i18n import tr


class OrderList(QListWidget):
    """Rows of (id, words); `chosen` tells the id of a row that was clicked."""

    chosen = Signal(str)

    def __init__(
        self, rows: list[tuple[str, str]], selected: list[str], reordered: Callable[[list[str]], object]
    ) -> None:
        super().__init__()
        self._reordered = reordered
        self.setObjectName("transitionOrder")
        self.setAccessibleName(tr("Order of transitions"))
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(40)
        for number, (id, words) in enumerate(rows, 1):
            item = QListWidgetItem(f"{number}  {words}")
            item.setData(Qt.ItemDataRole.UserRole, id)
            item.setToolTip(words)
            self.addItem(item)
            if id in selected:
                self.setCurrentItem(item)
        self._order = [id for id, _ in rows]
        self.setFixedHeight(min(len(rows), 8) * 24 + 6)
        self.itemClicked.connect(lambda item: self.chosen.emit(item.data(Qt.ItemDataRole.UserRole)))

    def dropEvent(self, event) -> None:
        super().dropEvent(event)
        self.tell()

    def tell(self) -> None:
        """Hand over the order where it differs."""
        order = [self.item(k).data(Qt.ItemDataRole.UserRole) for k in range(self.count())]
        if order != self._order:
            self._order = order
            self._reordered(order)

"""Forms of dialogs: a caption at the left, what is chosen at the right, all in one grid."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from editor.qt.choice import ChoiceBox
from editor.qt.widgets import label

CAPTION = 84
"""Least width of the captions, so that those of several forms stand in one line."""


class Form(QGridLayout):
    """Rows of caption and widgets. A caption goes grey and away together with what it names."""

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(8)
        self.setColumnMinimumWidth(0, CAPTION)
        self.setColumnStretch(1, 1)
        self._captions: dict[QWidget, QLabel] = {}

    def row(self, caption: str, *widgets: QWidget, top: bool = False, wide: bool = False) -> None:
        """Add a row; the first widget is the one that the caption names.

        Parameters
        ----------
        top : the caption stands at the upper edge of something tall
        wide : the first widget takes all the room
        """
        number = self.rowCount()
        alignment = Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag.AlignVCenter
        words = label(caption, "dim")
        words.setBuddy(widgets[0])
        self._captions[widgets[0]] = words
        self.addWidget(words, number, 0, alignment)
        if not widgets[0].accessibleName():
            widgets[0].setAccessibleName(caption)
        if len(widgets) == 1 and not isinstance(widgets[0], QCheckBox):
            self.addWidget(widgets[0], number, 1)
            return
        line = QHBoxLayout()
        line.setSpacing(8)
        for place, widget in enumerate(widgets):
            line.addWidget(widget, 1 if wide and place == 0 else 0)
        if not wide:
            line.addStretch(1)
        self.addLayout(line, number, 1)

    def block(self, caption: str, *boxes: QWidget, columns: int = 3) -> None:
        """A row of many small widgets, in columns of their own."""
        number = self.rowCount()
        self.addWidget(label(caption, "dim"), number, 0, Qt.AlignmentFlag.AlignTop)
        inner = QGridLayout()
        inner.setHorizontalSpacing(16)
        inner.setVerticalSpacing(4)
        for place, box in enumerate(boxes):
            inner.addWidget(box, place // columns, place % columns)
        inner.setColumnStretch(columns, 1)
        self.addLayout(inner, number, 1)

    def set_row_shown(self, *widgets: QWidget, shown: bool) -> None:
        """Show or hide the widgets of a row with its caption (that of the first)."""
        self._captions[widgets[0]].setVisible(shown)
        for widget in widgets:
            widget.setVisible(shown)


def choice(name: str, entries: Sequence[tuple[str, object, str]], tip: str = "") -> QComboBox:
    """A box to choose from: text, value and tooltip of each entry."""
    box = ChoiceBox()
    box.setObjectName(name)
    box.setToolTip(tip)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    box.setMinimumContentsLength(6)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    for text, value, note in entries:
        box.addItem(text, value)
        if note:
            box.setItemData(box.count() - 1, note, Qt.ItemDataRole.ToolTipRole)
    return box


def take(box: QComboBox, value: object) -> None:
    """Choose the entry of a value; one that is not there changes nothing."""
    place = box.findData(value)
    if place >= 0:
        box.setCurrentIndex(place)


def tick(text: str, name: str, on: bool, tip: str = "") -> QCheckBox:
    """A check box."""
    box = QCheckBox(text)
    box.setObjectName(name)
    box.setChecked(on)
    box.setToolTip(tip)
    return box

"""The numbers of motion matching as fields: weights, search, motion."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.locomotion.matching.setup import Drive
from editor.model.i18n import tr
from editor.panels.play_setup.matching_fields import SECTIONS, MatchingFields, Number, Numbers, Switch
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import add_heading, label, set_role

TITLES = 116
"""Width of the titles' column, so that the fields of all sections stand in line."""


class MatchingView(QScrollArea):
    """Fields in sections; a title is bright where its number is another than it comes with.

    Parameters
    ----------
    attempt : runs an edit and shows its error
    show_clips : shows which clips are searched
    """

    def __init__(
        self,
        theme: Theme,
        fields: MatchingFields,
        attempt: Callable[[Callable[[], object]], None],
        show_clips: Callable[[], object],
    ) -> None:
        super().__init__()
        self.setObjectName("matchingView")
        self._theme, self.model, self._attempt = theme, fields, attempt
        self._numbers: list[tuple[Number, NumberField]] = []
        self._switches: list[tuple[Switch, QCheckBox]] = []
        self._lists: list[tuple[Numbers, QLineEdit]] = []
        self._titles: dict[str, QLabel] = {}
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 8, 8)
        column.setSpacing(6)
        self.note = label("", "caption", wrap=True)
        self.note.setObjectName("matchingNote")
        column.addWidget(self.note)
        self.drive = self._button(tr("Drive by motion matching"), "matchingDrive", self._drive_by_matching)
        self.reset = self._button(tr("Reset"), "matchingReset", fields.setups.reset_matching)
        self.reset.setToolTip(
            tr("Take the numbers that motion matching comes with; what is said of clips stays")
        )
        clips = self._button(tr("Clips searched"), "matchingClips", show_clips)
        clips.setToolTip(tr("Which clips take part, and what each is for"))
        column.addWidget(self.drive)
        row = QHBoxLayout()
        row.setSpacing(4)
        for button in (clips, self.reset):
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        for section in SECTIONS:
            add_heading(column, theme, section.title)
            grid = QGridLayout()
            grid.setHorizontalSpacing(8)
            grid.setVerticalSpacing(4)
            grid.setColumnMinimumWidth(0, TITLES)
            grid.setColumnStretch(1, 1)
            column.addLayout(grid)
            for number in section.numbers:
                self._add(grid, number.name, number.title, number.tip, self._number(number))
            for several in section.lists:
                self._add(
                    grid, several.name, f"{several.title}, {several.unit}", several.tip, self._list(several)
                )
            for switch in section.switches:
                column.addWidget(self._switch(switch), 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidget(body)

    # ------------------------------------------------------------ building
    def _add(self, grid: QGridLayout, name: str, title: str, tip: str, field: QWidget) -> None:
        head = label(title, "dim")
        head.setToolTip(tip)
        head.setObjectName(f"matchingTitle_{name}")
        field.setObjectName(f"matching_{name}")
        field.setAccessibleName(title)
        field.setToolTip(tip)
        row = grid.rowCount()
        grid.addWidget(head, row, 0)
        grid.addWidget(field, row, 1)
        self._titles[name] = head

    def _number(self, number: Number) -> NumberField:
        field = NumberField(self._theme, number.unit, None, number.step, number.decimals, number.bounds)
        field.setFixedHeight(22)
        field.committed.connect(lambda value: self._attempt(lambda: self.model.set_number(number, value)))
        self._numbers.append((number, field))
        return field

    def _list(self, several: Numbers) -> QLineEdit:
        field = QLineEdit()
        field.editingFinished.connect(lambda: self._take(several, field))
        self._lists.append((several, field))
        return field

    def _switch(self, switch: Switch) -> QCheckBox:
        box = QCheckBox(switch.title)
        box.setObjectName(f"matching_{switch.name}")
        box.setToolTip(switch.tip)
        box.clicked.connect(lambda on: self._attempt(lambda: self.model.set_switch(switch, bool(on))))
        self._switches.append((switch, box))
        return box

    def _button(self, text: str, name: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setStyleSheet("min-width: 0; padding: 3px 8px;")
        button.clicked.connect(lambda: self._attempt(run))
        return button

    # ------------------------------------------------------------ doing
    def _drive_by_matching(self) -> None:
        self.model.choices.choose_drive(Drive.MATCHING)

    def _take(self, several: Numbers, field: QLineEdit) -> None:
        if field.text() != self.model.text(several):
            self._attempt(lambda: self.model.set_numbers(several, field.text()))
            field.setText(self.model.text(several))

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show the numbers as they are."""
        model = self.model
        self.note.setText(model.note)
        self.drive.setVisible(model.choices.drive is not Drive.MATCHING)
        self.reset.setEnabled(model.setups.matching_is_own)
        for number, field in self._numbers:
            field.set_value(model.shown(number))
        for several, line in self._lists:
            if not line.hasFocus() or not line.isModified():
                line.setText(model.text(several))
        for switch, box in self._switches:
            with QSignalBlocker(box):
                box.setChecked(model.is_on(switch))
        for name, title in self._titles.items():
            set_role(title, "" if model.is_own(name) else "dim")

"""The dialog for the type of a notify: a table of its fields."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.clips.clip import Notify
from core.clips.notify_types import FieldKind, NotifyField, NotifyType
from core.errors import AnimError, ValidationError
from editor.model.i18n import tr
from editor.qt.choice import ChoiceBox
from editor.qt.panel import PanelContext
from editor.qt.widgets import label
from editor.tools.notify_types import delete_type, put_type, type_for

HEADERS = ("Name", "Kind", "Default", "Choices", "From", "To", "Unit")
NAME, KIND, DEFAULT, CHOICES, LOW, HIGH, UNIT = range(7)


class NotifyTypeDialog(QDialog):
    """Which data notifies of one name carry. Accepting is one step for the type and all notifies of its name."""

    def __init__(self, parent: QWidget, context: PanelContext, notify: Notify) -> None:
        super().__init__(parent)
        self.setObjectName("notifyTypeDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session = context.session
        self._type = type_for(context.session, notify)
        self.setWindowTitle(tr("Notify type {name}", name=notify.name))
        column = QVBoxLayout(self)
        column.addWidget(label(tr("Notifies named {name} carry these fields:", name=notify.name), wrap=True))
        self.table = QTableWidget(0, len(HEADERS))
        self.table.setObjectName("notifyTypeFields")
        self.table.setHorizontalHeaderLabels([tr(name) for name in HEADERS])
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        column.addWidget(self.table)
        for field in self._type.fields:
            self.add_field(field)
        row = QHBoxLayout()
        add, remove = QPushButton(tr("Add field")), QPushButton(tr("Remove field"))
        add.setObjectName("notifyTypeAdd")
        remove.setObjectName("notifyTypeRemove")
        add.clicked.connect(lambda: self.add_field())
        remove.clicked.connect(lambda: self.table.removeRow(self.table.currentRow()))
        forget = QPushButton(tr("Delete type"))
        forget.setObjectName("notifyTypeDelete")
        forget.clicked.connect(self._delete)
        for button in (add, remove, forget):
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        self.wrong = label("", "error", wrap=True)
        self.wrong.setObjectName("notifyTypeWrong")
        self.wrong.hide()
        column.addWidget(self.wrong)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(640, 320)

    def add_field(self, field: NotifyField | None = None) -> None:
        """A row for a field; a new one is a text."""
        row = self.table.rowCount()
        self.table.insertRow(row)
        kind = ChoiceBox()
        for title, value in (
            (tr("text"), FieldKind.TEXT), (tr("number"), FieldKind.NUMBER), (tr("whole number"), FieldKind.WHOLE),
            (tr("on or off"), FieldKind.SWITCH), (tr("choice"), FieldKind.CHOICE),
        ):  # fmt: skip
            kind.addItem(title, value)
        shown = field or NotifyField(tr("field") + (f" {row + 1}" if row else ""))
        kind.setCurrentIndex(kind.findData(shown.kind))
        self.table.setCellWidget(row, KIND, kind)
        texts = {
            NAME: shown.name,
            DEFAULT: shown.default,
            CHOICES: ", ".join(shown.choices),
            LOW: "" if shown.minimum is None else f"{shown.minimum:g}",
            HIGH: "" if shown.maximum is None else f"{shown.maximum:g}",
            UNIT: shown.unit,
        }
        for place, text in texts.items():
            self.table.setItem(row, place, QTableWidgetItem(text))

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return "" if item is None else item.text().strip()

    def _bound(self, row: int, column: int) -> float | None:
        text = self._text(row, column)
        try:
            return float(text) if text else None
        except ValueError:
            raise ValidationError(
                tr("{name}: expected a number, got {text}", name=self._text(row, NAME), text=text)
            ) from None

    def made(self) -> NotifyType:
        """The type as the table has it; raises `ValidationError` naming what does not fit."""
        fields = []
        for row in range(self.table.rowCount()):
            box = self.table.cellWidget(row, KIND)
            assert isinstance(box, ChoiceBox)
            choices = tuple(part.strip() for part in self._text(row, CHOICES).split(",") if part.strip())
            fields.append(
                NotifyField(
                    self._text(row, NAME), FieldKind(box.currentData()), self._text(row, DEFAULT), choices,
                    self._bound(row, LOW), self._bound(row, HIGH), self._text(row, UNIT),
                )
            )  # fmt: skip
        old = self._type
        return NotifyType(old.id, old.name, tuple(fields), old.duration, old.color, old.rule)

    def accept(self) -> None:
        try:
            put_type(self._session, self.made())
        except AnimError as error:
            self.wrong.setText(str(error))
            self.wrong.show()
            return
        super().accept()

    def _delete(self) -> None:
        delete_type(self._session, self._type.name)
        self.reject()

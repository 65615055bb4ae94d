"""Rows of a form: a title and a field each; what is refused is said, and the form made again."""

from collections.abc import Callable

from PySide6.QtWidgets import QFormLayout, QLineEdit, QSizePolicy, QWidget

from core.errors import AnimError
from core.graph.catalogue.pins import Form, Parameter
from editor.model.graph.choices import Option
from editor.panels.graph_node.fields import parameter_field
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel

LABELS = 92


class Rows:
    """Adds rows to a form.

    Parameters
    ----------
    refused : is told why an edit was refused
    """

    def __init__(self, form: QFormLayout, theme: Theme, refused: Callable[[AnimError], object]) -> None:
        self.form, self.theme, self._refused = form, theme, refused

    def row(self, title: str, widget: QWidget, name: str, tip: str = "") -> None:
        """A field with its title."""
        widget.setObjectName(name)
        widget.setMinimumWidth(40)
        widget.setSizePolicy(QSizePolicy.Policy.Ignored, widget.sizePolicy().verticalPolicy())
        text = ElidedLabel(title)
        text.setFixedWidth(LABELS)
        text.setProperty("role", "dim")
        if tip:
            widget.setToolTip(tip)
        self.form.addRow(text, widget)

    def line(self, title: str, text: str, name: str, put: Callable[[str], object], tip: str = "") -> None:
        """A line of text that is handed over where it differs."""
        line = QLineEdit(text)

        def taken() -> None:
            if line.text() != text:
                self.guarded(lambda: put(line.text()))

        line.editingFinished.connect(taken)
        self.row(title, line, name, tip)

    def choice(
        self, title: str, name: str, options: list[Option], value: str, put: Callable[[object], object]
    ) -> None:
        """A list to choose from."""
        parameter = Parameter(name, Form.CHOICE, None, tuple(o.value for o in options))
        field = parameter_field(self.theme, parameter, value, options, lambda v: self.guarded(lambda: put(v)))
        self.row(title, field, name)

    def guarded(self, work: Callable[[], object]) -> None:
        """Do something that may be refused."""
        try:
            work()
        except AnimError as error:
            self._refused(error)

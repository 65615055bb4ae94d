"""Fields for parameters, typed values and easings."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QSignalBlocker, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QCompleter, QLineEdit, QWidget

from core.blending.easing import EaseShape, Easing, ease
from core.graph.catalogue.pins import Form, Parameter
from core.graph.graph import ParameterValue
from core.graph.language.values import ValueType
from editor.model.graph.choices import FREE, Option
from editor.model.graph.language import Fault, Language
from editor.model.graph.options import LISTS
from editor.model.i18n import tr
from editor.qt import completion
from editor.qt.choice import ChoiceBox
from editor.qt.completion_list import Completing
from editor.qt.expression_line import ExpressionLine
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import set_role

Put = Callable[[ParameterValue], object]


class Choice(ChoiceBox):
    """A list with search: typing finds entries that hold the text; what is not there is shown red.

    A part of a name is enough where one entry alone holds it.
    """

    def __init__(self, options: list[Option], value: str, put: Put, *, free: bool, none: str = "") -> None:
        super().__init__()
        self._put, self._free = put, free
        self._tip = self._refused = ""  # the field's own words, and why it shows others
        self.setEditable(True)
        self.setInsertPolicy(ChoiceBox.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(14)
        self.setMinimumWidth(60)
        if none:
            self.addItem(none, "")
        for option in options:
            self.addItem(option.title, option.value)
        completer = self.completer()
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completion.dress(completer, self)
        index = self.findData(value)
        with QSignalBlocker(self):
            self.setCurrentIndex(index)
            if index < 0:
                self.setEditText(value)
        missing = index < 0 and (bool(value) or not none) and not (free and value)
        line = self.lineEdit()
        assert line is not None
        self._line = line
        line.setPlaceholderText(tr("choose"))
        if missing:
            self._refuse(tr("It is not there: choose another") if value else tr("Choose one"))
        self.activated.connect(self._chosen)
        line.editingFinished.connect(self._typed)
        self._shown = self.currentText()

    def _refuse(self, why: str) -> None:
        """Show it red with the reason, until something is chosen."""
        set_role(self._line, "error")
        set_role(self, "wrong", "state")  # a style sheet takes the line for a part of its list
        if self.toolTip() != self._refused:
            self._tip = self.toolTip()
        self._refused = why
        self.setToolTip(why)

    def _accept(self) -> None:
        if not self._refused:
            return
        set_role(self._line, "")
        set_role(self, "", "state")
        if self.toolTip() == self._refused:
            self.setToolTip(self._tip)
        self._refused = ""

    def _chosen(self, index: int) -> None:
        """Enter tells of a choice before it tells that typing has ended."""
        self._shown = self.itemText(index)
        self._accept()
        self._put(self.itemData(index))

    def _typed(self) -> None:
        text = self.currentText().strip()
        if text == self._shown:
            return
        self._shown = text
        index = self.findText(text, Qt.MatchFlag.MatchFixedString)
        held = (
            [k for k in range(self.count()) if text.casefold() in self.itemText(k).casefold()] if text else []
        )
        if index < 0 and self._free:
            self._accept()
            self._put(text)
        elif index >= 0 or len(held) == 1:
            found = index if index >= 0 else held[0]
            self.setCurrentIndex(found)
            self._chosen(found)
        elif not text:
            self._refuse(tr("Choose one"))
        else:
            self._refuse(
                tr("Several have this in their names: choose one")
                if held
                else tr("It is not there: choose another")
            )


def parameter_field(
    theme: Theme, parameter: Parameter, value: ParameterValue, options: list[Option], put: Put
) -> QWidget:
    """The field of one parameter."""
    form = parameter.form
    shown = parameter.default if value is None else value
    if form is Form.TRUTH:
        box = QCheckBox()
        box.setChecked(bool(shown))
        box.toggled.connect(lambda on: put(bool(on)))
        return box
    if form is Form.CHOICE:
        return _plain_choice(options, str(shown or ""), put)
    if form in (Form.NUMBER, Form.WHOLE):
        return _number(theme, parameter, shown, put)
    if form in LISTS:
        return _list(parameter, value, put)
    if form is Form.TEXT or (not options and form in FREE):
        line = QLineEdit(str(shown or ""))
        line.editingFinished.connect(lambda: put(line.text().strip() or None))
        return line
    none = (
        tr("none")
        if parameter.default == "" and form in (Form.MASK, Form.GROUP, Form.MAP, Form.SETUP)
        else ""
    )
    return Choice(options, str(shown or ""), put, free=form in FREE, none=none)


def _plain_choice(options: list[Option], value: str, put: Put) -> QWidget:
    box = ChoiceBox()
    for option in options:
        box.addItem(option.title, option.value)
    box.setCurrentIndex(max(box.findData(value), 0))
    box.activated.connect(lambda k: put(box.itemData(k)))
    return box


def _number(theme: Theme, parameter: Parameter, shown: ParameterValue, put: Put) -> QWidget:
    whole = parameter.form is Form.WHOLE
    bounds = (parameter.least, parameter.most)
    field = NumberField(theme, "", None, 0.1 if whole else 0.01, 0 if whole else 3, bounds)
    field.set_value(float(shown) if isinstance(shown, int | float) else None)
    field.committed.connect(lambda x: put(round(x) if whole else float(x)))
    return field


def _list(parameter: Parameter, value: ParameterValue, put: Put) -> QWidget:
    """Several names or numbers, with commas between."""
    items = value if isinstance(value, tuple) else (value,) if value else ()
    line = QLineEdit(", ".join(f"{x:g}" if isinstance(x, float) else str(x) for x in items))
    line.setPlaceholderText(tr("comma-separated"))

    def taken() -> None:
        words = [w.strip() for w in line.text().split(",") if w.strip()]
        if parameter.form is not Form.NUMBERS:
            put(tuple(words) or None)
            return
        try:
            numbers = tuple(float(w) for w in words)
        except ValueError:
            set_role(line, "error")
            return
        if line.property("role"):
            set_role(line, "")
        put(numbers or None)

    line.editingFinished.connect(taken)
    return line


def expression_field(
    theme: Theme, language: Language, text: str, type_: ValueType | None, put: Callable[[str], object]
) -> ExpressionLine:
    """A line for an expression; what is wrong is underlined while it is typed, and words are completed."""
    line = checked_field(theme, text, lambda typed: language.fault(typed, type_), put)
    Completing(line, lambda typed, cursor: language.completions(typed, cursor, type_))
    return line


def statement_field(
    theme: Theme, language: Language, text: str, put: Callable[[str], object]
) -> ExpressionLine:
    """The same for what a state does at a moment."""
    line = checked_field(theme, text, language.statement_fault, put)
    Completing(line, language.statement_completions)
    return line


def checked_field(
    theme: Theme, text: str, fault: Callable[[str], Fault | None], put: Callable[[str], object]
) -> ExpressionLine:
    """A line of which `fault` tells what is wrong in it; handed over where it differs."""
    line = ExpressionLine(theme)
    line.setText(text)
    line.show_fault(fault(text))
    line.textEdited.connect(lambda typed: line.show_fault(fault(typed)))
    shown = [text]

    def taken() -> None:
        if line.text() != shown[0]:
            shown[0] = line.text()
            put(line.text())

    line.editingFinished.connect(taken)
    return line


class EasingPlot(QWidget):
    """The weight of a blend over its time, drawn."""

    def __init__(self, theme: Theme, easing: Easing) -> None:
        super().__init__()
        self.theme, self.easing = theme, easing
        self.setFixedHeight(72)
        self.setObjectName("easingPlot")
        self.setAccessibleName(tr("Easing"))
        self.setToolTip(tr("Weight of the target over the blend's time"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        w, h = self.width() - 16.0, self.height() - 12.0
        painter.setPen(QPen(self.theme.color("divider"), 1.0))
        painter.setBrush(self.theme.color("field"))
        painter.drawRect(8, 6, int(w), int(h))
        if self.easing.shape is not EaseShape.CURVE:
            count = 48
            shares = [k / count for k in range(count + 1)]
            weights = ease(self.easing, shares)
            points = [
                QPointF(8 + u * w, 6 + (1 - float(e)) * h) for u, e in zip(shares, weights, strict=True)
            ]
            painter.setPen(QPen(self.theme.color("accent"), 1.8))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(points))
        painter.end()

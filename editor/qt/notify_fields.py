"""The fields of a notify: name, times, lane, rule with its checked condition, and the data of its type."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QCompleter, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from core.clips.clip import Notify, NotifyRule
from core.clips.edits import checked_name
from core.clips.notify_types import YES, FieldKind, NotifyField, NotifyType, number_text, type_of
from core.errors import AnimError
from core.graph.graph import Graph
from core.graph.language.completion import Completion
from core.graph.notify_conditions import completions, condition_error
from core.timing import FrameRate
from editor.model.i18n import tr
from editor.qt import completion, tokens
from editor.qt.choice import ChoiceBox
from editor.qt.completion_list import Completing
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, label, set_role

NAME_WIDTH = 78
MOST_WORDS = 12
KEPT = ("color",)
"""Data that has a place of its own."""


@dataclass(frozen=True, slots=True)
class NotifyFrame:
    """What the fields need to know beside the notify.

    Parameters
    ----------
    types : of the document
    lanes, names : to choose from
    graphs, bones : what conditions can name
    """

    rate: FrameRate
    types: Sequence[NotifyType] = ()
    lanes: Sequence[str] = ()
    names: Sequence[str] = ()
    graphs: Sequence[Graph] = ()
    bones: Sequence[str] = ()


class NotifyFields(QWidget):
    """Shows one notify and tells what the person makes of it."""

    changed = Signal(str, object)
    """The label of the step, and the new `Notify`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("notifyFields")
        self.theme = theme
        self.notify = Notify("", 0.0)
        self.frame = NotifyFrame(FrameRate.of(30))
        self._typed: object = None
        self._data_rows: list[QWidget] = []
        self._show_data: list[Callable[[], None]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        column.addLayout(self._grid)
        self._build()
        self.data_title = label(tr("Data"), "dim")
        column.addWidget(self.data_title)
        self._data = QGridLayout()
        self._data.setContentsMargins(0, 0, 0, 0)
        self._data.setHorizontalSpacing(8)
        self._data.setVerticalSpacing(4)
        self._data.setColumnStretch(1, 1)
        column.addLayout(self._data)
        column.addLayout(self._add_row())

    # ------------------------------------------------------------ building
    def _row(self, title: str, widget: QWidget, tip: str = "") -> None:
        row = self._grid.rowCount()
        name = ElidedLabel(role="dim")
        name.setFixedWidth(NAME_WIDTH)
        name.set_text(title, tip)
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(widget, row, 1)
        if tip:
            widget.setToolTip(tip)

    def _number(self, name: str, unit: str, step: float, decimals: int, most: float = 1e7) -> NumberField:
        field = NumberField(self.theme, unit, step=step, decimals=decimals, bounds=(0.0, most))
        field.setObjectName(name)
        field.setFixedHeight(tokens.CONTROL)
        return field

    def _build(self) -> None:
        self.name = QLineEdit()
        self.name.setObjectName("notifyName")
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.name.setCompleter(completer)
        completion.dress(completer, self.name)
        self.name.editingFinished.connect(self._rename)
        self._row(tr("Name"), self.name, tr("Notifies of a type's name carry its data"))
        self.frame_field = self._number("notifyFrame", "", 0.1, 2)
        self.frame_field.committed.connect(
            lambda frame: self._put(tr("Time of {what}"), time=self.frame.rate.to_seconds(frame))
        )
        self._row(tr("Frame"), self.frame_field)
        self.duration = self._number("notifyDuration", "s", 0.005, 3)
        self.duration.committed.connect(lambda seconds: self._put(tr("Duration of {what}"), duration=seconds))
        self._row(
            tr("Duration"), self.duration, tr("0 is a moment; longer is a state with begin, ticks and end")
        )
        self.lane = ChoiceBox()
        self.lane.setObjectName("notifyLane")
        self.lane.setEditable(True)
        self.lane.setInsertPolicy(ChoiceBox.InsertPolicy.NoInsert)
        self.lane.lineEdit().editingFinished.connect(self._set_lane)
        self.lane.activated.connect(lambda _: self._set_lane())
        self._row(tr("Lane"), self.lane, tr("Type a new name for a new lane"))
        self.threshold = self._number("notifyThreshold", "", 0.005, 2, 1.0)
        self.threshold.committed.connect(lambda value: self._rule(tr("Threshold of {what}"), threshold=value))
        self._row(tr("Threshold"), self.threshold, tr("It fires from this weight of its clip on (0 to 1)"))
        self.condition = QLineEdit()
        Completing(self.condition, self._words)
        self.condition.setObjectName("notifyWhile")
        self.condition.setPlaceholderText(tr("always"))
        self.condition.textEdited.connect(self._check)
        self.condition.editingFinished.connect(self._set_condition)
        tip = tr("An expression; when it becomes false a notify with a duration ends")
        self._row(tr("While"), self.condition, tip)
        self.wrong = label("", "error", wrap=True)
        self.wrong.setObjectName("notifyWrong")
        self._grid.addWidget(self.wrong, self._grid.rowCount(), 0, 1, 2)
        self.fades = QCheckBox(tr("then fades out in"))
        self.fades.setObjectName("notifyFades")
        self.fades.toggled.connect(
            lambda on: self._rule(tr("Blend-out of {what}"), blend_out=0.25 if on else None)
        )
        self.blend_out = self._number("notifyBlendOut", "s", 0.005, 3)
        self.blend_out.committed.connect(lambda value: self._rule(tr("Blend-out of {what}"), blend_out=value))
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.fades)
        row.addWidget(self.blend_out, 1)
        holder = QWidget()
        holder.setLayout(row)
        self.fade_row = holder
        self._grid.addWidget(holder, self._grid.rowCount(), 0, 1, 2)
        self.follower = QCheckBox(tr("Fires on a follower, too"))
        self.follower.setObjectName("notifyFollower")
        self.follower.setToolTip(tr("Also where its clip follows another one in a sync group"))
        self.follower.toggled.connect(lambda on: self._rule(tr("On follower: {what}"), on_follower=on))
        self._grid.addWidget(self.follower, self._grid.rowCount(), 0, 1, 2)
        self.branching = QCheckBox(tr("Branching"))
        self.branching.setObjectName("notifyBranching")
        self.branching.setToolTip(tr("In a montage it acts at its exact moment, between two frames too"))
        self.branching.toggled.connect(lambda on: self._rule(tr("Branching of {what}"), branching=on))
        self._grid.addWidget(self.branching, self._grid.rowCount(), 0, 1, 2)

    def _add_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        self.new_key = QLineEdit()
        self.new_key.setObjectName("notifyNewField")
        self.new_key.setPlaceholderText(tr("Add a field: name and Enter"))
        self.new_key.returnPressed.connect(self._add_field)
        row.addWidget(self.new_key)
        return row

    # ------------------------------------------------------------ showing
    def show_notify(self, notify: Notify, frame: NotifyFrame) -> None:
        """Show a notify; what is being typed stays."""
        self.notify, self.frame = notify, frame
        names = sorted({*(t.name for t in frame.types), *frame.names})
        if self._names.stringList() != names:
            self._names.setStringList(names)
        if not self.name.hasFocus():
            self.name.setText(notify.name)
        self.frame_field.set_value(frame.rate.to_frame(notify.time))
        self.duration.set_value(notify.duration)
        self._show_lane()
        rule = notify.rule
        self.threshold.set_value(rule.threshold)
        if not self.condition.hasFocus():
            self.condition.setText(rule.condition)
            self._check(rule.condition)
        for box, on in (
            (self.follower, rule.on_follower), (self.branching, rule.branching),
            (self.fades, rule.blend_out is not None),
        ):  # fmt: skip
            with QSignalBlocker(box):
                box.setChecked(on)
        self.blend_out.set_value(rule.blend_out or 0.0)
        self.blend_out.setEnabled(rule.blend_out is not None)
        self.fade_row.setVisible(bool(rule.condition))
        self._list_data()

    def _show_lane(self) -> None:
        lanes = ["", *(lane for lane in self.frame.lanes if lane)]
        with QSignalBlocker(self.lane):
            if [self.lane.itemText(k) for k in range(self.lane.count())] != lanes:
                self.lane.clear()
                self.lane.addItems(lanes)
            if not self.lane.lineEdit().hasFocus():
                self.lane.setEditText(self.notify.lane)

    def _words(self, text: str, cursor: int) -> Sequence[Completion]:
        return completions(text, cursor, self.frame.graphs)[:MOST_WORDS]

    def _check(self, text: str) -> None:
        error = condition_error(text, self.frame.graphs, self.frame.bones)
        self.wrong.setVisible(error is not None)
        set_role(self.condition, "wrong" if error is not None else "", "state")
        if error is not None:
            where = f"{tr('column')} {error.column + 1}: " if error.column >= 0 else ""
            self.wrong.setText(where + error.message)

    # ------------------------------------------------------------ data
    def _fields(self) -> tuple[NotifyField, ...]:
        type_ = type_of(self.notify.name, self.frame.types)
        own = type_.fields if type_ is not None else ()
        known = {field.name for field in own}
        more = [key for key in self.notify.data if key not in known and key not in KEPT]
        return (*own, *(NotifyField(key) for key in more if key.strip()))

    def _list_data(self) -> None:
        fields = self._fields()
        if fields != self._typed:
            self._typed = fields
            for widget in self._data_rows:
                self._data.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
            self._data_rows, self._show_data = [], []
            for number, field in enumerate(fields):
                self._data_row(number, field)
        for show in self._show_data:
            show()
        self.data_title.setVisible(bool(fields))

    def _data_row(self, number: int, field: NotifyField) -> None:
        name = ElidedLabel(field.name, "dim")
        name.setFixedWidth(NAME_WIDTH)
        widget = self._editor(field)
        widget.setObjectName(f"notifyData.{field.name}")
        self._data.addWidget(name, number, 0)
        self._data.addWidget(widget, number, 1)
        self._data_rows += [name, widget]

    def _editor(self, field: NotifyField) -> QWidget:
        def value() -> str:
            return self.notify.data.get(field.name, field.first)

        if field.kind is FieldKind.SWITCH:
            switch = QCheckBox()
            switch.toggled.connect(lambda on: self._set_data(field, YES if on else "false"))
            self._show_data.append(lambda: _quietly(switch, lambda: switch.setChecked(value() == YES)))
            return switch
        if field.kind is FieldKind.CHOICE:
            box = ChoiceBox()
            box.addItems(list(field.choices))
            box.currentTextChanged.connect(lambda text: self._set_data(field, text))
            self._show_data.append(lambda: _quietly(box, lambda: box.setCurrentText(value())))
            return box
        if field.kind in (FieldKind.NUMBER, FieldKind.WHOLE):
            return self._number_editor(field, value)
        line = QLineEdit()
        line.editingFinished.connect(lambda: self._set_data(field, line.text()))
        self._show_data.append(lambda: None if line.hasFocus() else line.setText(value()))
        return line

    def _number_editor(self, field: NotifyField, value: Callable[[], str]) -> NumberField:
        whole = field.kind is FieldKind.WHOLE
        low = -1e9 if field.minimum is None else field.minimum
        high = 1e9 if field.maximum is None else field.maximum
        number = NumberField(
            self.theme, field.unit, None, 1.0 if whole else 0.01, 0 if whole else 3, (low, high)
        )
        number.setFixedHeight(tokens.CONTROL)
        number.committed.connect(
            lambda found: self._set_data(field, number_text(round(found) if whole else found))
        )

        def show() -> None:
            try:
                number.set_value(float(value()))
            except ValueError:
                number.set_value(low if low > -1e9 else 0.0)

        self._show_data.append(show)
        return number

    def _add_field(self) -> None:
        key = self.new_key.text().strip()
        self.new_key.clear()
        if key and key not in self.notify.data and key not in KEPT:
            self._put(tr("Data of {what}"), data={**self.notify.data, key: ""})

    def _set_data(self, field: NotifyField, text: str) -> None:
        try:
            kept = field.checked(text)
        except AnimError:
            self._list_data()
            return
        if self.notify.data.get(field.name) != kept:
            label_text = tr("{field} of {{what}}", field=field.name)
            self._put(label_text, data={**self.notify.data, field.name: kept})

    # ------------------------------------------------------------ telling
    def _rename(self) -> None:
        try:
            name = checked_name(self.name.text())
        except AnimError:
            self.name.setText(self.notify.name)
            return
        self.name.setText(name)
        if name == self.notify.name:
            return
        type_ = type_of(name, self.frame.types)
        data = {**type_.made(0.0).data, **self.notify.data} if type_ is not None else self.notify.data
        self._put(tr("Rename {what}"), name=name, data=data)

    def _set_lane(self) -> None:
        lane = self.lane.currentText().strip()
        if lane.isprintable() and lane != self.notify.lane:
            self._put(tr("Lane of {what}"), lane=lane)

    def _set_condition(self) -> None:
        text = self.condition.text().strip()
        if condition_error(text, self.frame.graphs, self.frame.bones) is None:
            self.condition.setText(text)
            self._rule(tr("Condition of {what}"), condition=text)

    def _rule(self, title: str, **changes: object) -> None:
        rule: NotifyRule = replace(self.notify.rule, **changes)  # type: ignore[arg-type]
        if rule != self.notify.rule:
            self._put(title, rule=rule)

    def _put(self, title: str, **changes: object) -> None:
        made = replace(self.notify, **changes)  # type: ignore[arg-type]
        if made != self.notify:
            self.changed.emit(title.format(what=self.notify.name), made)


def _quietly(widget: QWidget, work: Callable[[], None]) -> None:
    with QSignalBlocker(widget):
        work()

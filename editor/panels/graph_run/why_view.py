"""Why: at the step shown, why a transition was (not) taken, and which nodes moved the selected bone."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.why import WORDS, Answer, Questions
from editor.model.i18n import tr
from editor.model.selection import Selection
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.panel import PanelContext
from editor.qt.theme import Theme
from editor.qt.widgets import add_heading, label

WIDTH = 264


class WhyView(QWidget):
    """Asks the step at which the run stands, while it is paused."""

    def __init__(self, context: PanelContext, run: GraphRun) -> None:
        super().__init__()
        self.setObjectName("runWhyView")
        self.run, self.theme = run, context.theme
        self._selection: Selection = context.session.selection
        self._questions = Questions()
        self._listed: list[tuple[str, str, str]] = []
        self.setFixedWidth(WIDTH)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer.addWidget(area)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 4, 8, 8)
        column.setSpacing(4)
        area.setWidget(inside)
        self.choice = ChoiceBox()
        self.choice.setObjectName("whyTransition")
        self.choice.setAccessibleName(tr("Transition"))
        self.choice.setMinimumContentsLength(8)
        self.choice.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.activated.connect(lambda _: self.refresh())
        column.addWidget(label(tr("Why (not)?"), "caption"))
        column.addWidget(self.choice)
        self.answer = label("", wrap=True)
        self.answer.setObjectName("whyAnswer")
        column.addWidget(self.answer)
        self.guards = QVBoxLayout()
        self.guards.setSpacing(2)
        column.addLayout(self.guards)
        self.first = QPushButton()
        self.first.setObjectName("whyFirst")
        self.first.clicked.connect(self._go_first)
        self._first_step = 0
        column.addWidget(self.first)
        add_heading(column, context.theme, tr("Why is this bone here?"))
        self.bone = label("", "dim", wrap=True)
        self.bone.setObjectName("whyBone")
        column.addWidget(self.bone)
        self.nodes = QVBoxLayout()
        self.nodes.setSpacing(0)
        column.addLayout(self.nodes)
        column.addStretch(1)
        Bindings(self).refresh(self.refresh, run.stepped, run.state_changed, self._selection.bones_changed)

    def ask(self, transition: str, title: str = "") -> None:
        """Choose a transition, and show why it was (not) taken."""
        self._list()
        for number, (node, _, name) in enumerate(self._listed):
            if node == transition and title in ("", name):
                self.choice.setCurrentIndex(number)
                break
        self.choice.setFocus(Qt.FocusReason.OtherFocusReason)
        self.refresh()

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show the answers for the step; while the run goes on, that it has to be paused."""
        if not self.isVisible():
            return
        self._list()
        take = self.run.take
        if take is None or self.run.running or not self.run.on:
            self._say(
                tr("Pause the run, or go back in it, to ask.") if take else tr("Nothing is recorded yet.")
            )
            return
        index = self.choice.currentIndex()
        if 0 <= index < len(self._listed):
            node, _, title = self._listed[index]
            self._show(self._questions.why(take, take.at, node, title))
        else:
            self._say(tr("This graph has no transitions."))
        self._show_bone()

    def _list(self) -> None:
        take = self.run.take
        found = [] if take is None else self._questions.transitions(take)
        if found == self._listed:
            return
        self._listed = found
        with QSignalBlocker(self.choice):
            before = self.choice.currentText()
            self.choice.clear()
            machines = {machine for _, machine, _ in found}
            names = [f"{machine}: {title}" if len(machines) > 1 else title for _, machine, title in found]
            self.choice.addItems(names)
            self.choice.setCurrentIndex(names.index(before) if before in names else (0 if names else -1))

    def _say(self, text: str) -> None:
        self.answer.setText(text)
        _clear(self.guards)
        _clear(self.nodes)
        self.first.hide()
        self.bone.setText("")

    def _show(self, answer: Answer | None) -> None:
        _clear(self.guards)
        if answer is None:
            self._say(tr("The plan does not have this transition."))
            return
        told = answer.why == WORDS["rule"] and answer.guards  # the guards say it, each with its values
        detail = f" ({answer.detail})" if answer.detail and not told else ""
        self.answer.setText(f"{answer.why}{detail}.")
        for guard in answer.guards:
            self.guards.addWidget(_guard_row(self.theme, guard.holds, guard.text, guard.values))
        self._first_step = answer.first
        take = self.run.take
        self.first.setVisible(not answer.taken)
        if take is not None and answer.first:
            time = take.samples[answer.first - 1].end
            same = answer.first == take.at
            text = tr("The rule holds here") if same else tr("The rule holds at {time:.2f} s", time=time)
            self.first.setText(text)
            self.first.setEnabled(not same)
        else:
            self.first.setText(tr("It never holds in this recording"))
            self.first.setEnabled(False)

    def _go_first(self) -> None:
        if self._first_step:
            self.run.goto(self._first_step)

    def _show_bone(self) -> None:
        _clear(self.nodes)
        take, bones = self.run.take, self._selection.bones
        if take is None or not bones:
            self.bone.setText(tr("Select a bone in the viewport or in the bone tree."))
            return
        try:
            added = self._questions.bone(take, take.at, bones[-1])
        except AnimError as error:
            self.bone.setText(str(error))
            return
        self.bone.setText(bones[-1])
        for number, node in enumerate(added):
            name = node.name or node.kind
            row = QPushButton(f"{name}    {node.degrees:.2f}°   {node.metres * 1000:.1f} mm")
            row.setObjectName(f"whyNode{number}")
            row.setProperty("role", "row")
            row.setFlat(True)
            row.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            row.setToolTip(tr("Show this node in the graph"))
            row.clicked.connect(lambda _=False, id=node.node: self.run.node_chosen.emit(id))
            self.nodes.addWidget(row)


def _guard_row(theme: Theme, holds: bool | None, text: str, values: str) -> QWidget:
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(6)
    sign = QLabel()
    icon = {True: ("check", "ok"), False: ("close", "error"), None: ("help", "dim")}[holds]
    sign.setPixmap(theme.icon(*icon).pixmap(14, 14))
    sign.setAccessibleName({True: tr("holds"), False: tr("does not hold"), None: tr("unknown")}[holds])
    sign.setAlignment(Qt.AlignmentFlag.AlignTop)
    line.addWidget(sign)
    words = label(text + (f"\n{values}" if values else ""), wrap=True)
    words.setObjectName("whyGuard")
    line.addWidget(words, 1)
    return row


def _clear(layout: QVBoxLayout) -> None:
    while layout.count():
        item = layout.takeAt(0)
        widget = None if item is None else item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()

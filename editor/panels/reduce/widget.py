"""The panel that reduces keys: distance and scope, what comes of it, original and reduced, keep or not."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from editor.model.i18n import tr
from editor.panels.reduce.view_model import ReduceModel, Scope
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.keys import keeps
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import ElidedLabel, EmptyState, label, line, set_role

POLL = 60
"""Milliseconds between two looks at how far the work is."""
KEYS = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ReducePanel(QWidget):
    """Nothing is changed before Apply; meanwhile view and curves show what would be."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("reducePanel")
        self.context, self.theme = context, context.theme
        self.model = ReduceModel(context.session)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(8)
        column.addLayout(self._build_settings())
        column.addWidget(self._build_progress())
        self.result = self._build_result()
        column.addWidget(self.result)
        self.empty = EmptyState(self.theme, "reduce", "", tr("Preview"), self.model.begin)
        column.addWidget(self.empty, 1)
        column.addStretch(1)
        column.addLayout(self._build_end())
        self._timer = QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self._show_progress)
        session = context.session
        Bindings(self).refresh(
            self.refresh, self.model.changed, session.playback.clip_changed, session.document.changed
        )
        self._unbind = context.actions.bind("clip.reduce_keys", self._begin)
        model = self.model
        self.destroyed.connect(lambda: model.close())
        self.refresh()

    # ------------------------------------------------------------ building
    def _build_settings(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.metres = NumberField(self.theme, "mm", step=0.01, decimals=3, minimum=0.001, maximum=1000.0)
        self.metres.setObjectName("reduceMillimetres")
        self.metres.setToolTip(tr("How far any point of the body may move, in model space"))
        self.metres.committed.connect(self.model.set_millimetres)
        self.scope = ChoiceBox()
        self.scope.setObjectName("reduceScope")
        self.scope.setToolTip(tr("Whose keys are reduced"))
        self.scope.addItem(tr("All bones"), Scope.ALL)
        self.scope.addItem(tr("Selected bones"), Scope.SELECTED)
        self.scope.activated.connect(lambda _: self.model.set_scope(Scope(self.scope.currentData())))
        for row, (text, widget) in enumerate(((tr("Within"), self.metres), (tr("Keys of"), self.scope))):
            grid.addWidget(label(text, "dim"), row, 0)
            grid.addWidget(widget, row, 1)
        return grid

    def _build_progress(self) -> QWidget:
        self.progress = QWidget()
        column = QVBoxLayout(self.progress)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self.bar = QProgressBar()
        self.bar.setObjectName("reduceProgress")
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.doing = ElidedLabel("", "caption")
        column.addWidget(self.bar)
        column.addWidget(self.doing)
        return self.progress

    def _build_result(self) -> QWidget:
        result = QWidget()
        column = QVBoxLayout(result)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(line())
        self.share = label("", "heading")
        self.share.setObjectName("reduceShare")
        self.counts = ElidedLabel("", "dim")
        self.counts.setObjectName("reduceCounts")
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self.share)
        first.addWidget(self.counts, 1)
        column.addLayout(first)
        self.moved = ElidedLabel()
        self.moved.setObjectName("reduceMoved")
        column.addWidget(self.moved)
        column.addSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(4)
        group = QButtonGroup(result)
        self.sides: list[QToolButton] = []
        for name, text, original in (("Original", tr("Original"), True), ("Reduced", tr("Reduced"), False)):
            button = QToolButton()
            button.setObjectName(f"reduceShow{name}")
            button.setText(text)
            button.setToolTip(tr("What the view and the curves show"))
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(partial(self._show_side, original))
            group.addButton(button)
            row.addWidget(button)
            self.sides.append(button)
        row.addStretch(1)
        column.addLayout(row)
        return result

    def _build_end(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.note: QLabel = label("", "warning", wrap=True)
        row.addWidget(self.note, 1)
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.setObjectName("reduceCancel")
        self.cancel.setToolTip(tr("Give it up: the clip stays as it is (Esc)"))
        self.apply = QPushButton(tr("Apply"))
        self.apply.setObjectName("reduceApply")
        self.apply.setToolTip(tr("Keep the reduced clip as one step (Enter)"))
        self.apply.setDefault(True)
        for button, act in ((self.cancel, self.model.cancel), (self.apply, self.model.apply)):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, act=act: act())
            row.addWidget(button)
        return row

    # ------------------------------------------------------------ doing
    def focus_widget(self) -> QWidget:
        """Gets the focus when the pointer comes in."""
        return self

    def close_panel(self) -> None:
        """The window goes."""
        self._timer.stop()
        self._unbind()
        self.model.close()

    def hideEvent(self, event) -> None:
        """Out of sight nothing is tried out: a preview that nobody could end would stay."""
        super().hideEvent(event)
        if not self.window().isMinimized():
            QTimer.singleShot(0, self, self._on_hidden)

    def _on_hidden(self) -> None:
        if not self.isVisible() and self.model.active:
            self.model.cancel()
            self.context.session.messages.info(tr("Reducing keys was given up: its panel was put away"))

    def _begin(self) -> None:
        self.context.window.show_panel("reduce")
        self.setFocus()
        if not self.model.active:
            self.model.begin()

    def _show_side(self, original: bool) -> None:
        self.model.show_original(original)
        self.refresh()

    def event(self, event: QEvent) -> bool:
        return (self.model.active and keeps(event, KEYS)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.model.active and event.key() == Qt.Key.Key_Escape:
            self.model.cancel()
        elif self.model.active and event.key() in KEYS:
            self.model.apply()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show the model as it is."""
        model, outcome = self.model, self.model.outcome
        self.metres.set_value(model.millimetres)
        self.scope.setCurrentIndex(self.scope.findData(model.scope))
        self.result.setVisible(outcome is not None)
        if outcome is not None:
            self.share.setText(f"{100.0 * outcome.share:.1f} %")
            counts = tr("{a} → {b} keys", a=f"{outcome.before:,}", b=f"{outcome.after:,}")
            self.counts.set_text(counts)
            frame = f"{outcome.frame:.1f}".removesuffix(".0")
            same = outcome.after == outcome.before
            self.moved.set_text(
                tr("No key can be spared at this distance: allow more")
                if same
                else tr(
                    "moves {bone} the most: {mm} mm · frame {frame}",
                    mm=f"{outcome.millimetres:.4f}",
                    bone=outcome.bone,
                    frame=frame,
                )
            )
            set_role(self.moved, "dim" if same else "")
            for button, on in zip(self.sides, (model.shows_original, not model.shows_original), strict=True):
                button.setChecked(on)
                button.setEnabled(not same and not model.busy)
        self.empty.setVisible(not model.active)
        if self.empty.button is not None:
            self.empty.button.setVisible(not model.why_not)
        self.empty.set_text(self._nothing())
        self.note.setText(model.problem if model.active else "")
        self.cancel.setVisible(model.active)
        self.apply.setVisible(model.active)
        self.apply.setEnabled(model.can_apply)
        self._show_progress()

    def _nothing(self) -> str:
        if self.model.why_not:
            return tr("Keys cannot be reduced yet: {why}.", why=self.model.why_not)
        return tr(
            "Motion capture has a key on every frame. Keep as few as the distance above allows: they stay "
            "editable, with good tangents."
        )

    def _show_progress(self) -> None:
        job = self.model.job
        self.progress.setVisible(job is not None)
        if job is None:
            self._timer.stop()
            return
        self.bar.setValue(round(job.fraction * 1000))
        self.doing.set_text(job.text)
        if not self._timer.isActive():
            self._timer.start()

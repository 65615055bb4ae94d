"""The panel that reduces keys: distance and scope, what comes of it, original and reduced, keep or not."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.tracks.places import KeyPlaces
from editor.model.i18n import sentence, tr, trn
from editor.model.key_places import choices
from editor.panels.reduce.view_model import ReduceModel, Scope
from editor.qt.binding import Bindings, once_per_turn
from editor.qt.choice import ChoiceBox
from editor.qt.job_bar import JobBar
from editor.qt.keys import keeps
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import ElidedLabel, EmptyState, label, line, set_role

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
KEYS = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ReducePanel(Panel):
    """Nothing is changed before Apply; meanwhile view and curves show what would be."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("reducePanel")
        self.context, self.theme = context, context.theme
        self.model = ReduceModel(context.session)
        self._listed: Sequence[tuple[str, int, int]] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(8)
        column.addLayout(self._build_settings())
        self.progress = JobBar("reduceProgress", lambda: self.model.job)
        column.addWidget(self.progress)
        self.result = self._build_result()
        column.addWidget(self.result, 1)
        self.empty = EmptyState(self.theme, "reduce", "", tr("Preview"), self.model.begin)
        column.addWidget(self.empty, 1)
        self._spare = QWidget()
        column.addWidget(self._spare, 1)
        column.addLayout(self._build_end())
        self._hidden = once_per_turn(self, self._on_hidden)
        session = context.session
        Bindings(self).refresh(
            self.refresh, self.model.changed, session.playback.clip_changed, session.document.changed
        )
        context.theme.changed.connect(self._on_theme)
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
        self.metres = NumberField(self.theme, "mm", step=0.01, decimals=3, bounds=(0.001, 1000.0))
        self.metres.setObjectName("reduceMillimetres")
        self.metres.setToolTip(tr("Largest allowed movement of any point of the body, in model space"))
        self.metres.committed.connect(self.model.set_millimetres)
        self.scope = ChoiceBox()
        self.scope.setObjectName("reduceScope")
        self.scope.setToolTip(tr("Whose keys are reduced"))
        self.scope.addItem(tr("All bones"), Scope.ALL)
        self.scope.addItem(tr("Selected bones"), Scope.SELECTED)
        self.scope.activated.connect(lambda _: self.model.set_scope(Scope(self.scope.currentData())))
        self.places = ChoiceBox()
        self.places.setObjectName("reducePlaces")
        for number, (places, text, tip) in enumerate(choices()):
            self.places.addItem(text, places)
            self.places.setItemData(number, tip, Qt.ItemDataRole.ToolTipRole)
        self.places.activated.connect(lambda _: self.model.set_places(KeyPlaces(self.places.currentData())))
        rows = ((tr("Max error"), self.metres), (tr("Scope"), self.scope), (tr("Keys"), self.places))
        for row, (text, widget) in enumerate(rows):
            grid.addWidget(label(text, "dim"), row, 0)
            grid.addWidget(widget, row, 1)
        return grid

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
        self.moved = label("")
        self.moved.setObjectName("reduceMoved")
        self.worst = QPushButton()
        self.worst.setObjectName("reduceWorst")
        self.worst.setFlat(True)
        self.worst.setProperty("flat", "true")
        self.worst.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.worst.setToolTip(tr("Select the bone with the largest error, at that frame"))
        self.worst.clicked.connect(lambda: self.model.go_to_worst())
        second = QHBoxLayout()
        second.setSpacing(4)
        second.addWidget(self.moved)
        second.addWidget(self.worst)
        second.addStretch(1)
        column.addLayout(second)
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
        column.addWidget(self._build_bones(), 1)
        return result

    def _build_bones(self) -> QTreeWidget:
        self.bones = QTreeWidget()
        self.bones.setObjectName("reduceBones")
        self.bones.setColumnCount(3)
        self.bones.setHeaderLabels([tr("Bone"), tr("Before"), tr("After")])
        self.bones.setRootIsDecorated(False)
        self.bones.setProperty("role", "table")
        self.bones.setUniformRowHeights(True)
        self.bones.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.bones.setToolTip(tr("Keys of each bone; a click selects it"))
        header = self.bones.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        # Short titles leave room for the names.
        for column, tip in ((1, tr("Keys before")), (2, tr("Keys after"))):
            header.setSectionResizeMode(column, header.ResizeMode.ResizeToContents)
            self.bones.headerItem().setTextAlignment(column, RIGHT)
            self.bones.headerItem().setToolTip(column, tip)
        self.bones.itemClicked.connect(lambda item: self.context.session.selection.select([item.text(0)]))
        return self.bones

    def _list_bones(self, rows: Sequence[tuple[str, int, int]]) -> None:
        if rows is self._listed:
            return
        self._listed = rows
        self.bones.clear()
        for name, before, after in rows:
            item = QTreeWidgetItem([name, f"{before:,}", f"{after:,}"])
            item.setForeground(1, self.theme.color("dim"))
            for column in (1, 2):
                item.setTextAlignment(column, RIGHT)
            self.bones.addTopLevelItem(item)

    def _build_end(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        self.note: QLabel = label("", "warning", wrap=True)
        column.addWidget(self.note)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        column.addLayout(row)
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.setObjectName("reduceCancel")
        self.cancel.setToolTip(tr("Cancel: the clip stays as it is (Esc)"))
        self.apply = QPushButton(tr("Apply"))
        self.apply.setObjectName("reduceApply")
        self.apply.setToolTip(tr("Apply the reduction as one step (Enter)"))
        self.apply.setDefault(True)
        for button, act in ((self.cancel, self.model.cancel), (self.apply, self.model.apply)):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, act=act: act())
            row.addWidget(button)
        return column

    # ------------------------------------------------------------ doing
    def focus_widget(self) -> QWidget:
        """Gets the focus when the pointer comes in."""
        return self

    def close_panel(self) -> None:
        """The window goes."""
        self.progress.stop()
        self._unbind()
        self.model.close()

    def showEvent(self, event) -> None:
        """What changed meanwhile is shown now."""
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event) -> None:
        """Out of sight nothing is tried out: a preview that nobody could end would stay."""
        super().hideEvent(event)
        if not self.window().isMinimized():
            self._hidden()

    def _on_hidden(self) -> None:
        if not self.isVisible() and self.model.active:
            self.model.cancel()
            self.context.session.messages.info(tr("Reduction cancelled: panel closed"))

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
    def _on_theme(self) -> None:
        """Rows have colours of their own."""
        self._listed = ()
        self.refresh()

    def refresh(self) -> None:
        """Show the model as it is; out of sight it waits for being seen."""
        if not self.isVisible():
            return
        model, outcome = self.model, self.model.outcome
        self.metres.set_value(model.millimetres)
        self.scope.setCurrentIndex(self.scope.findData(model.scope))
        self.places.setCurrentIndex(self.places.findData(model.places))
        self.places.setToolTip({place: tip for place, _, tip in choices()}[model.places])
        self.result.setVisible(outcome is not None)
        if outcome is not None:
            self.share.setText(f"{100.0 * outcome.share:.1f} %")
            counts = trn(
                "{before} → {count} key",
                "{before} → {count} keys",
                outcome.after,
                before=f"{outcome.before:,}",
            )
            self.counts.set_text(counts)
            same = outcome.after == outcome.before
            self.moved.setText(
                tr("No removable keys at this tolerance: increase it")
                if same
                else tr("largest error {mm} mm", mm=f"{outcome.millimetres:.4f}")
            )
            frame = f"{outcome.frame:.1f}".removesuffix(".0")
            self.worst.setText(tr("{bone} · frame {frame}", bone=outcome.bone, frame=frame))
            self.worst.setVisible(not same)
            set_role(self.moved, "dim" if same else "")
            self._list_bones(outcome.bones)
            for button, on in zip(self.sides, (model.shows_original, not model.shows_original), strict=True):
                button.setChecked(on)
                button.setEnabled(not same and not model.busy)
        self.empty.setVisible(not model.active)
        self._spare.setVisible(model.active and outcome is None)
        if self.empty.button is not None:
            self.empty.button.setVisible(not model.why_not)
        self.empty.set_text(self._nothing())
        problem = model.problem if model.active else ""
        self.note.setText(sentence(problem))
        self.note.setVisible(bool(problem))
        self.cancel.setVisible(model.active)
        self.apply.setVisible(model.active)
        self.apply.setEnabled(model.can_apply)
        self.progress.refresh()

    def _nothing(self) -> str:
        if self.model.why_not:
            return tr("Keys cannot be reduced yet: {why}.", why=self.model.why_not)
        return tr(
            "Motion capture has a key on every frame. Reduce keys within the tolerance above: the result is "
            "editable, with good tangents."
        )

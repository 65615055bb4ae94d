"""The Spaces panel: what the selected bones follow from the playhead on, and the spans of the clip."""

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from editor.model.i18n import tr
from editor.panels.spaces.view_model import HOWS, Row, SpacesModel
from editor.qt import tokens
from editor.qt.action_tip import tell_action
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, label

COLUMNS = ("Bone", "Follows", "Frames")


class SpacesPanel(Panel):
    """A form above, the clip's spans below."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("spacesPanel")
        self._context, self.model = context, SpacesModel(context.session)
        self._rows: tuple[Row, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(6)
        self.form = QWidget()
        column.addWidget(self.form)
        self._build_form()
        self.tree = QTreeWidget()
        self.tree.setObjectName("spacesList")
        self.tree.setHeaderLabels([tr(text) for text in COLUMNS])
        self.tree.setRootIsDecorated(False)
        self.tree.setToolTip(tr("Spans of this clip. Click one to select its bone and go to its first frame"))
        self.tree.itemClicked.connect(lambda item, _: self._chosen(item))
        column.addWidget(self.tree, 1)
        self.empty = EmptyState(context.theme, "spaces", "")
        column.addWidget(self.empty, 1)
        session = context.session
        Bindings(self).refresh(
            self.refresh, session.document.changed, session.playback.clip_changed, session.playback.time_changed,
            session.selection.bones_changed, session.preferences.changed, session.evaluator.changed,
        )  # fmt: skip
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(272, 420)

    def _build_form(self) -> None:
        grid = QGridLayout(self.form)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.bones = label("")
        self.bones.setObjectName("spacesBones")
        self.target = self._box("spacesTarget", tr("What the selected bones follow from the playhead on"))
        self.target.activated.connect(lambda _: self._set_target())
        self.how = self._box(
            "spacesHow", tr("How the bone follows: its limb bends, it alone moves, or it only rotates")
        )
        for how, text in HOWS.items():
            self.how.addItem(tr(text), how)
        self.how.activated.connect(lambda _: self._set_how())
        self.frames = NumberField(self._context.theme, "f", None, 1.0, 0, (0.0, 100_000.0))
        self.frames.setObjectName("spacesFrames")
        self.frames.setFixedHeight(tokens.CONTROL)
        self.frames.setToolTip(
            tr(
                "Length of the span in frames. 0: up to the next switch, the end of the play range or of the clip"
            )
        )
        self.frames.committed.connect(lambda value: self.model.state.set_way("frames", round(value)))
        pairs = (
            (tr("Bone"), self.bones), (tr("Follows"), self.target), (tr("By"), self.how),
            (tr("Motion"), self._motion()), (tr("Length"), self.frames),
        )  # fmt: skip
        for row, (text, widget) in enumerate(pairs):
            grid.addWidget(label(text, "dim"), row, 0)
            grid.addWidget(widget, row, 1)
        self.at_once = QCheckBox(tr("Bake to keys at once"))
        self.at_once.setObjectName("spacesBake")
        self.at_once.setToolTip(tr("Leave keys on the bones on every frame instead of a live span"))
        self.at_once.clicked.connect(lambda on: self.model.state.set_way("bake", bool(on)))
        grid.addWidget(self.at_once, len(pairs), 0, 1, 2)
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        actions = self._context.actions
        self.switch = self._button(
            "spacesSwitch", tr("Switch"), tr("Follow from the playhead on. Nothing moves here")
        )
        self.switch.clicked.connect(lambda: self.model.switch())
        self.release = self._button("spacesRelease", tr("Release"), actions.tooltip("space.release"))
        tell_action(self.release, actions, "space.release")
        self.release.clicked.connect(lambda: actions.run("space.release"))
        self.bake = self._button("spacesBakeNow", tr("Bake"), actions.tooltip("space.bake"))
        tell_action(self.bake, actions, "space.bake")
        self.bake.clicked.connect(lambda: actions.run("space.bake"))
        for button in (self.switch, self.release, self.bake):
            buttons.addWidget(button)
        grid.addLayout(buttons, len(pairs) + 1, 0, 1, 2)

    def _motion(self) -> QWidget:
        """Hold or keep, as two buttons."""
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        group = QButtonGroup(holder)
        self.motions: dict[bool, QToolButton] = {}
        for keep, text, tip in (
            (False, tr("Hold"), tr("The bone holds its place in the space")),
            (True, tr("Keep"), tr("Nothing moves: the present motion gets keys in the space on every frame")),
        ):
            button = QToolButton()
            button.setText(text)
            button.setObjectName("spacesKeep" if keep else "spacesHold")
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, keep=keep: self.model.state.set_way("keep", keep))
            group.addButton(button)
            row.addWidget(button)
            self.motions[keep] = button
        row.addStretch(1)
        return holder

    def _box(self, name: str, tip: str) -> QComboBox:
        box = ChoiceBox()
        box.setObjectName(name)
        box.setToolTip(tip)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(8)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return box

    def _button(self, name: str, text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setToolTip(tip)
        button.setStyleSheet("min-width: 0; padding: 3px 6px;")
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _set_target(self) -> None:
        self.model.target = self.target.currentData()

    def _set_how(self) -> None:
        self.model.how = self.how.currentData()

    def _chosen(self, item: QTreeWidgetItem) -> None:
        self.model.show(self._rows[self.tree.indexOfTopLevelItem(item)].span)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Show everything as it is now."""
        model, rows = self.model, self.model.rows()
        self.form.setVisible(model.ready)
        self.tree.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self.empty.set_text(
            tr(
                "Select a hand, a foot or a prop, choose what it follows, and switch: it stays there until released."
            )
            if model.ready
            else tr("Create or select a clip first.")
        )
        if not model.ready:
            return
        self.bones.setText(model.selected())
        self._show_targets()
        self.how.setItemText(0, model.usual())
        self.how.setCurrentIndex(list(HOWS).index(model.how))
        for keep, button in self.motions.items():
            button.setChecked(model.state.keep is keep)
        self.frames.set_value(float(model.state.frames))
        self.at_once.setChecked(model.state.bake_at_once)
        actions = self._context.actions
        self.switch.setEnabled(model.can_switch)
        self.release.setEnabled(not actions.why_disabled("space.release"))
        self.bake.setEnabled(bool(rows))
        self._show_rows(rows)

    def _show_targets(self) -> None:
        targets = self.model.targets()
        with QSignalBlocker(self.target):
            if [self.target.itemData(k) for k in range(self.target.count())] != [word for _, word in targets]:
                self.target.clear()
                for title, word in targets:
                    self.target.addItem(title, word)
            place = self.target.findData(self.model.target)
            if place < 0:
                self.model.target, place = self.target.itemData(0), 0
            self.target.setCurrentIndex(place)

    def _show_rows(self, rows: tuple[Row, ...]) -> None:
        if rows == self._rows and self.tree.topLevelItemCount() == len(rows):
            return
        self._rows = rows
        self.tree.clear()
        for row in rows:
            item = QTreeWidgetItem([row.bone, row.space, row.frames])
            font = item.font(0)
            font.setBold(row.here)
            for column in range(3):
                item.setFont(column, font)
            self.tree.addTopLevelItem(item)
        self._fit_columns()

    def _fit_columns(self) -> None:
        for column in range(3):
            self.tree.resizeColumnToContents(column)

    def changeEvent(self, event: QEvent) -> None:
        """Columns and words are of another size when the panel is dressed."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit_columns()

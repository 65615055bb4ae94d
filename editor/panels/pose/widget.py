"""The PoseHelper panel: copy and paste, blend bar, mirror, reset, keys, selection, bone sets."""

from dataclasses import replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.pose.mirror import MirrorWay
from editor.model.i18n import sentence, tr
from editor.model.posing.state import PosingState
from editor.model.posing.verbs import reset_parts
from editor.panels.pose.blend_bar import BlendBar
from editor.panels.pose.view_model import GOALS, SCOPES, PoseHelper, Shown
from editor.qt.action_tip import tell_action
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.menu import Menu
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import ElidedLabel, add_heading, dress, icon_button, label, line

WAYS = (
    (MirrorWay.LEFT_TO_RIGHT, "L → R", "Left to right"),
    (MirrorWay.SWAP, "Swap", "Swap both sides"),
    (MirrorWay.RIGHT_TO_LEFT, "L ← R", "Right to left"),
)


class PosePanel(Panel):
    """Scrolls where there is little room."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("posePanel")
        self.scrolled = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)
        self._context, self.model = context, PoseHelper(context.session)
        self._body = body = QWidget()
        scroll.setWidget(body)
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(12, 8, 12, 12)
        self._column.setSpacing(6)
        self._target = ElidedLabel("", "dim")
        self._column.addWidget(self._target)
        self._clipboard()
        self._blending()
        self._mirroring()
        self._resetting()
        self._keying()
        self._sets()
        self._ghosts()
        self._column.addStretch(1)
        self._bind()
        self._show()

    def sizeHint(self) -> QSize:
        return QSize(264, 480)

    # ------------------------------------------------------------ building
    def _heading(self, text: str, *right: QWidget) -> None:
        add_heading(self._column, self._context.theme, text, *right)

    def _row(self, *widgets: QWidget, spacing: int = 4) -> None:
        row = QHBoxLayout()
        row.setSpacing(spacing)
        for widget in widgets:
            row.addWidget(widget)
        self._column.addLayout(row)

    def _button(self, text: str, name: str, tip: str, work, icon: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setToolTip(tip)
        button.setStyleSheet("min-width: 0; padding: 3px 6px;")
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if icon:
            dress(button, self._context.theme, icon)
        button.clicked.connect(lambda: work())
        return button

    def _doing(self, action: str, text: str, name: str, icon: str = "") -> QPushButton:
        actions = self._context.actions
        button = self._button(text, name, actions.tooltip(action), lambda: actions.run(action), icon)
        tell_action(button, actions, action)
        return button

    def _clipboard(self) -> None:
        self.copy = self._doing("edit.copy_pose", tr("Copy"), "poseCopy", "copy")
        self.paste = self._doing("edit.paste_pose", tr("Paste"), "posePaste", "paste")
        self.paste_mirrored = self._doing(
            "pose.paste_mirrored", tr("Paste mirrored"), "posePasteMirrored", "mirror"
        )
        self._row(self.copy, self.paste)
        self._column.addWidget(self.paste_mirrored)

    def _blending(self) -> None:
        theme = self._context.theme
        self.percent = NumberField(theme, "%", step=1.0, decimals=0, bounds=(-50.0, 150.0))
        self.percent.setObjectName("blendPercent")
        self.percent.setFixedWidth(72)
        self.percent.committed.connect(lambda value: self.model.blend_to(value / 100.0))
        self._heading(tr("Blend toward"), self.percent)
        grid = QGridLayout()
        grid.setSpacing(2)
        self._goals = QButtonGroup(self)
        for number, (goal, text, tip) in enumerate(GOALS):
            button = QToolButton()
            button.setText(tr(text))
            button.setToolTip(tr(tip))
            button.setObjectName(f"goal_{goal.value}")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setFixedHeight(24)
            button.clicked.connect(lambda _=False, goal=goal: self._choose(goal))
            self._goals.addButton(button, number)
            grid.addWidget(button, number // 3, number % 3)
        self._column.addLayout(grid)
        self.bar = BlendBar(theme, self.model.begin)
        self.bar.dragged.connect(self._on_drag)
        self.bar.released.connect(self._on_release)
        self.bar.cancelled.connect(self._on_cancel)
        self._column.addWidget(self.bar)
        self._hint = label("", "caption", wrap=True)
        self._column.addWidget(self._hint)

    def _mirroring(self) -> None:
        theme = self._context.theme
        setup = icon_button(theme, "settings", tr("Set up mirror pairs"), name="mirrorSetup", size=22)
        setup.clicked.connect(lambda: self._context.window.show_panel("mirror"))
        self._heading(tr("Mirror"), setup)
        self._row(
            *(
                self._button(tr(text), f"mirror_{way.value}", tr(tip), lambda way=way: self._mirror(way))
                for way, text, tip in WAYS
            )
        )
        self.scope = ChoiceBox()
        self.scope.setObjectName("mirrorScope")
        for id, text, tip in SCOPES:
            self.scope.addItem(tr(text), id)
            self.scope.setItemData(self.scope.count() - 1, tr(tip), Qt.ItemDataRole.ToolTipRole)
        self.scope.currentIndexChanged.connect(lambda _: self._show())
        self.half = QCheckBox(tr("Half cycle"))
        self.half.setObjectName("mirrorHalfCycle")
        self.half.setToolTip(tr("Shift by half a cycle, so that a walk starts on the same foot"))
        self.half.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._row(self.scope, self.half, spacing=8)
        self.live = QCheckBox(tr("Live mirror"))
        self.live.setObjectName("mirrorLive")
        self.live.setToolTip(tr("Apply every edit to the other side, too"))
        self.live.clicked.connect(lambda _: self.model.toggle_live())
        self.live.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._column.addWidget(self.live)
        self.distribute = QCheckBox(tr("Distribute along the chain"))
        self.distribute.setObjectName("distribute")
        self.distribute.setToolTip(
            tr(
                "Distribute a rotation over the selected bones of a chain. When off, only the topmost bone rotates"
            )
        )
        self.distribute.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.distribute.clicked.connect(self._on_distribute)
        self._mirror_hint = label("", "caption", wrap=True)
        self._column.addWidget(self._mirror_hint)
        self._column.addWidget(line())
        self._column.addWidget(self.distribute)

    def _resetting(self) -> None:
        self._heading(tr("Reset to rest"))
        self._row(
            self._doing("pose.reset_translation", tr("Position"), "resetMove"),
            self._doing("pose.reset_rotation", tr("Rotation"), "resetTurn"),
            self._doing("pose.reset_scale", tr("Scale"), "resetScale"),
            self._button(tr("All"), "resetAll", tr("Position, rotation and scale"), self._reset_all),
        )

    def _keying(self) -> None:
        self._heading(tr("Set key"))
        self._row(
            self._doing("key.set_changed", tr("Changed"), "keyChanged"),
            self._doing("key.set", tr("Selected"), "keySelected"),
            self._doing("key.set_all", tr("All"), "keyAll"),
        )
        self._heading(tr("Select"))
        self._row(
            self._doing("select.mirror", tr("Other side"), "selectMirror"),
            self._doing("select.chain", tr("Chain"), "selectChain"),
            self._doing("select.below", tr("Hierarchy"), "selectBelow"),
        )

    def _sets(self) -> None:
        theme = self._context.theme
        add = icon_button(theme, "add", tr("Save the selection as a bone set"), name="addBoneSet", size=22)
        add.clicked.connect(self._ask_set)
        self._heading(tr("Bone sets"), add)
        self.set_name = QLineEdit()
        self.set_name.setObjectName("boneSetName")
        self.set_name.setPlaceholderText(tr("Name of the set, then Enter"))
        self.set_name.returnPressed.connect(self._save_set)
        self.set_name.hide()
        self._column.addWidget(self.set_name)
        self._set_grid = QGridLayout()
        self._set_grid.setSpacing(4)
        self._column.addLayout(self._set_grid)
        self._set_hint = label(tr("Select bones and press + to save them as a set"), "caption", wrap=True)
        self._column.addWidget(self._set_hint)
        self._listed: tuple[tuple[str, int], ...] | None = None

    def _ghosts(self) -> None:
        theme, actions = self._context.theme, self._context.actions
        buttons = []
        for id, icon in (("view.ghosts", "ghosts"), ("view.trails", "trails")):
            button = icon_button(
                theme, icon, actions.tooltip(id), checkable=True, name=f"pose_{icon}", size=22
            )
            button.clicked.connect(lambda _=False, id=id: actions.run(id))
            buttons.append(button)
        self._switch_buttons = dict(zip(("ghosts", "trails"), buttons, strict=True))
        self._heading(tr("Ghosts and trails"), *buttons)
        self.ghost_fields: dict[str, NumberField] = {}
        row = QHBoxLayout()
        row.setSpacing(4)
        for name, text, least in (
            ("before", tr("Before"), 0),
            ("after", tr("After"), 0),
            ("step", tr("Every"), 1),
        ):
            column = QVBoxLayout()
            column.setSpacing(2)
            field = NumberField(theme, "", step=0.1, decimals=0, bounds=(float(least), 50.0))
            field.setObjectName(f"ghosts_{name}")
            field.committed.connect(lambda value, name=name: self.model.set_ghosts(name, round(value)))
            column.addWidget(label(text, "caption"))
            column.addWidget(field)
            row.addLayout(column, 1)
            self.ghost_fields[name] = field
        self.ghosts_by = ChoiceBox()
        self.ghosts_by.setObjectName("ghostsBy")
        self.ghosts_by.addItem(tr("frames"), "frames")
        self.ghosts_by.addItem(tr("keys"), "keys")
        self.ghosts_by.setToolTip(tr("Spacing in frames, or in keys of the selected bones"))
        self.ghosts_by.activated.connect(lambda _: self.model.set_ghosts("by", self.ghosts_by.currentData()))
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(label("", "caption"))
        column.addWidget(self.ghosts_by)
        row.addLayout(column, 1)
        self._column.addLayout(row)

    def _bind(self) -> None:
        session, bound = self._context.session, Bindings(self)
        self._refresh = bound.refresh(
            self._show, session.selection.bones_changed, session.document.changed, session.playback.clip_changed,
            session.playback.time_changed, session.feature(PosingState).changed, session.switches.changed,
            session.document.replaced, session.playback.state_changed, session.preferences.changed,
            self._context.tools.changed,
        )  # fmt: skip

    # ------------------------------------------------------------ showing
    def _show(self) -> None:
        if self._listed is not None and (not self.isVisible() or self._context.session.playback.playing):
            return
        shown = self.model.shown()
        self._body.setEnabled(shown.rig)
        self._target.set_text(tr("Affects: {what}", what=shown.target))
        for (goal, _, _), button in zip(GOALS, self._goals.buttons(), strict=True):
            button.setChecked(goal is shown.goal)
        self.bar.setEnabled(not shown.goal_hint)
        self.bar.rest_at(shown.rest_share)
        if not self.bar.held:
            self.percent.set_value(100.0 * shown.rest_share)
        self._hint.setText(sentence(shown.goal_hint))
        self._hint.setVisible(bool(shown.goal_hint))
        self.paste.setEnabled(shown.can_paste)
        self.paste_mirrored.setEnabled(shown.can_paste)
        self.half.setEnabled(self.scope.currentData() in ("clip", "all") and shown.has_clip)
        self._mirror_hint.setText(shown.mirror_hint)
        self.live.setChecked(shown.live)
        self.distribute.setChecked(self._context.tools.setup.distribute)
        counts, by = self.model.ghosts()
        for name, value in counts.items():
            self.ghost_fields[name].set_value(value)
        self.ghosts_by.setCurrentIndex(self.ghosts_by.findData(by))
        self.ghost_fields["step"].setEnabled(by == "frames")
        for name, button in self._switch_buttons.items():
            button.setChecked(self._context.session.switches[name])
        self._list_sets(shown)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._refresh()

    def _list_sets(self, shown: Shown) -> None:
        if shown.sets == self._listed:
            return
        self._listed = shown.sets
        while (item := self._set_grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for number, (name, count) in enumerate(shown.sets):
            tip = tr("Select these bones; Shift adds")
            work = lambda name=name: self._select_set(name)  # noqa: E731
            button = self._button(f"{name}  {count}", f"boneSet_{name}", tip, work)
            button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            button.customContextMenuRequested.connect(
                lambda place, name=name, button=button: self._set_menu(name, button.mapToGlobal(place))
            )
            self._set_grid.addWidget(button, number // 2, number % 2)
        self._set_hint.setVisible(not shown.sets)

    # ------------------------------------------------------------ doing
    def _choose(self, goal) -> None:
        self.model.goal = goal
        self._show()

    def _on_drag(self, share: float) -> None:
        self.model.move(share)
        self.percent.set_value(100.0 * share)

    def _on_release(self) -> None:
        self.model.finish()
        self._show()

    def _on_cancel(self) -> None:
        self.model.cancel()
        self._show()

    def _mirror(self, way: MirrorWay) -> None:
        half = self.half.isEnabled() and self.half.isChecked()
        self.model.mirror(way, self.scope.currentData(), half)

    def _on_distribute(self, on: bool) -> None:
        tools = self._context.tools
        tools.set(replace(tools.setup, distribute=on))

    def _reset_all(self) -> None:
        reset_parts(self._context.session)

    def _ask_set(self) -> None:
        self.set_name.show()
        self.set_name.setFocus()

    def _save_set(self) -> None:
        if self.model.save_set(self.set_name.text()):
            self.set_name.clear()
            self.set_name.hide()

    def _select_set(self, name: str) -> None:
        add = bool(QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.model.select_set(name, add)

    def _set_menu(self, name: str, place) -> None:
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        delete = QAction(tr("Delete"), menu)
        delete.triggered.connect(lambda _: self.model.delete_set(name))
        menu.addAction(delete)
        menu.popup(place)

"""The layers panel: a row a layer, the highest on top, the clip itself at the bottom."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.blending.layer_stack import LayerMode
from core.blending.layers import CurveRule
from editor.model.blending.state import Blending
from editor.model.drag_kinds import CLIP
from editor.model.i18n import tr
from editor.model.session import Session
from editor.panels.layers.branch_list import BranchList
from editor.panels.layers.options import LayerOptions
from editor.panels.layers.view_model import LayerRow, LayersModel
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.menu import Menu, pop_up
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.theme import Theme
from editor.qt.widgets import Dress, ElidedLabel, EmptyState, icon_button, label, set_role

BRANCH, NEW = "\0branch", "\0new"
"""What the mask box offers besides the rig's masks."""
RAISING = (
    "layers.branch",
    "layers.exclude",
    "layers.model_rotations",
    *(f"layers.curves_{r}" for r in CurveRule),
)
"""Actions that change what the panel shows: it comes to the front."""
FROM_CLIP = ("layer.extract_keys", "layer.extract_range", "layer.split")
"""Actions that make a layer of what the clip has."""
MODES = ((LayerMode.OVERRIDE, "Override"), (LayerMode.ADDITIVE, "Additive"))


class LayerWidget(QFrame):
    """One layer."""

    def __init__(self, model: LayersModel, theme: Theme, row: LayerRow) -> None:
        super().__init__()
        self.model, self.theme, self.number = model, theme, row.number
        self.setObjectName(f"layer.{row.name}")
        self.setProperty("role", "card")
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 4, 6)
        column.setSpacing(2)
        head, body, reach = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for line in (head, body, reach):
            line.setSpacing(4)
            column.addLayout(line)
        self.hand = icon_button(theme, "edit", tr("Key this layer"), True, f"hand.{row.name}", size=20)
        self.hand.clicked.connect(lambda: model.take(self.number))
        self.name = ElidedLabel(row.name)
        self.mute = icon_button(theme, "show", tr("Mute"), name=f"mute.{row.name}", size=20)
        self.mute_dress = self.mute.findChild(Dress)
        self.solo = icon_button(theme, "solo", tr("Solo"), True, f"solo.{row.name}", size=20)
        self.more = icon_button(theme, "more", tr("More"), name=f"layerMore.{row.name}", size=20)
        self.mute.clicked.connect(lambda: self._change(muted=not self.row.muted))
        self.solo.clicked.connect(lambda on: self._change(solo=on))
        self.more.clicked.connect(self._open_more)
        head.addWidget(self.hand)
        head.addWidget(self.name, 1)
        for button in (self.mute, self.solo, self.more):
            head.addWidget(button)
        self.mode = ChoiceBox()
        self.mode.setObjectName(f"mode.{row.name}")
        self.mode.setToolTip(tr("Override the layers below, or add to them"))
        for mode, title in MODES:
            self.mode.addItem(tr(title), mode)
        self.mode.activated.connect(lambda _: self._change(mode=LayerMode(self.mode.currentData())))
        self.weight = NumberField(theme, step=0.005, decimals=2, keyed=True, bounds=(0.0, 1.0))
        self.weight.setObjectName(f"weight.{row.name}")
        self.weight.setToolTip(tr("Weight"))
        self.weight.previewed.connect(lambda value: model.preview_weight(self.number, value))
        self.weight.committed.connect(lambda value: model.set_weight(self.number, value))
        self.weight.cancelled.connect(model.edits.end_preview)
        self.key = icon_button(theme, "key", tr("Key the weight here"), name=f"keyWeight.{row.name}", size=20)
        self.key.clicked.connect(lambda: model.key_weight(self.number))
        self.mask_choice = ChoiceBox()
        self.mask_choice.setObjectName(f"mask.{row.name}")
        self.mask_choice.setToolTip(tr("Which bones the layer affects, and how much"))
        self.mask_choice.activated.connect(self._set_mask)
        for box in (self.mode, self.mask_choice):
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            box.setMinimumWidth(56)
        self.brush = icon_button(
            theme, "edit", tr("Paint the mask on the bone tree"), True, f"paint.{row.name}", size=20
        )
        self.brush.clicked.connect(lambda: model.paint(self.row.mask))
        body.addWidget(self.mode, 3)
        body.addWidget(self.weight, 3)
        body.addWidget(self.key)
        reach.addWidget(self.mask_choice, 1)
        reach.addWidget(self.brush)
        self.branches = BranchList(model, theme, row)
        column.addWidget(self.branches)
        self.show_row(row)

    def show_row(self, row: LayerRow) -> None:
        """Show the layer as it is now."""
        self.row = row
        self.name.set_text(row.name)
        set_role(self.name, "selected" if row.in_hand else "" if row.counts else "dim")
        set_role(self, "card_on" if row.in_hand else "card")
        self.hand.setChecked(row.in_hand)
        self.mute_dress.change("hide" if row.muted else "show", "disabled" if row.muted else "text")
        self.solo.setChecked(row.solo)
        self.mode.setCurrentIndex([m for m, _ in MODES].index(row.mode))
        self.weight.set_value(round(row.weight, 6))
        self.weight.set_key_state("animated" if row.keyed else "none")
        masks = [(tr("All bones"), None), *((m, m) for m in self.model.edits.masks())]
        branch = tr("Branch filters") if row.branches else tr("Descendants of the selected bone")
        masks += [(branch, BRANCH), (tr("New mask…"), NEW)]
        self.mask_choice.show_choices(masks, BRANCH if row.branches else row.mask, otherwise=0)
        self.branches.show_row(row)
        self.brush.setEnabled(row.mask is not None)
        painted = self.model.session.feature(Blending).painted
        self.brush.setChecked(row.mask is not None and painted == row.mask)

    def _change(self, **values: object) -> None:
        self.model.change(self.number, **values)

    def _set_mask(self, _: int) -> None:
        mask = self.mask_choice.currentData()
        if mask == NEW:
            made = self.model.attempt(lambda: self.model.edits.new_mask(self.number))
            if made is not None:
                self.model.paint(made)
        elif mask == BRANCH:
            if not self.row.branches:
                self.model.add_branches(self.number)
        else:
            self.model.set_mask(self.number, mask)
        self.show_row(next((r for r in self.model.rows() if r.number == self.number), self.row))

    def _open_more(self) -> None:
        edits, number = self.model.edits, self.number
        verbs = self.model.session.feature(Blending).layer_verbs
        last = len(edits.stack.layers) - 1 if edits.stack is not None else 0
        entries = [
            (tr("Go to its clip"), True, lambda: self.model.session.playback.set_clip(self.row.clip)),
            (tr("Move up"), number < last, lambda: edits.move(number, number + 1)),
            (tr("Move down"), number > 0, lambda: edits.move(number, number - 1)),
            (tr("Play at own speed") if self.row.stretch else tr("Stretch to the clip below"), True,
             lambda: edits.change(number, stretch=not self.row.stretch)),
            (tr("Constant weight"), self.row.keyed, lambda: edits.clear_curve(number)),
            (tr("Merge down"), True, lambda: verbs.merge_down(number)),
            (tr("Merge into the clip"), number > 0, lambda: verbs.merge_all(number)),
            (tr("Reduce keys"), True, lambda: verbs.reduce(number)),
            (tr("Remove layer"), True, lambda: edits.remove(number)),
        ]  # fmt: skip
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, enabled, work in entries:
            action = QAction(text, menu)
            action.setEnabled(enabled)
            action.triggered.connect(lambda _, work=work: self.model.attempt(work))
            menu.addAction(action)
        pop_up(menu, self.more)


class LayersPanel(Panel):
    """Layers over the clip shown; a clip dropped here becomes one."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("layersPanel")
        self.setAcceptDrops(True)
        self.context, self.theme = context, context.theme
        self.model = LayersModel(context.session)
        self._built: object = None
        self.rows: list[LayerWidget] = []
        self._unbind = [
            context.actions.bind(id, partial(self._raised, run))
            for id in RAISING if id in context.actions and (run := context.actions[id].run) is not None
        ]  # fmt: skip
        self.add = icon_button(self.theme, "add", tr("Add a layer"), name="addLayer")
        self.add.clicked.connect(self._open_add)
        self.show_layers = icon_button(
            self.theme, "show", tr("Show layers in the viewport"), True, "showLayers"
        )
        self.show_layers.clicked.connect(self._set_shown)
        self._build()
        session = context.session
        Bindings(self).refresh(
            self.refresh, session.document.changed, session.playback.clip_changed, session.playback.time_changed,
            session.evaluator.layers.changed, session.feature(Blending).paint_changed,
        )  # fmt: skip
        self.refresh()

    def _build(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self.scroller = QScrollArea()
        self.scroller.setFrameShape(QFrame.Shape.NoFrame)
        self.scroller.setWidgetResizable(True)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(8, 8, 8, 8)
        self.column.setSpacing(4)
        self.base = QFrame()
        self.base.setProperty("role", "card")
        row = QHBoxLayout(self.base)
        row.setContentsMargins(8, 6, 8, 6)
        self.base_name = ElidedLabel("")
        self.base_hand = icon_button(
            self.theme, "edit", tr("Key the clip itself"), True, "hand.clip", size=20
        )
        self.base_hand.clicked.connect(self._take_clip)
        row.addWidget(self.base_hand)
        row.addWidget(self.base_name, 1)
        row.addWidget(label(tr("the clip itself"), "caption"))
        self.column.addWidget(self.base)
        self.options = LayerOptions(self.model)
        self.column.addWidget(self.options)
        self.column.addStretch(1)
        self.scroller.setWidget(body)
        self.empty = EmptyState(self.theme, "layers", "", tr("Add a layer"), self._open_add)
        outer.addWidget(self.scroller)
        outer.addWidget(self.empty)
        outer.addWidget(self._brush_bar())

    def _brush_bar(self) -> QWidget:
        """What is painted, and how strongly; there only while a mask is painted."""
        self.painting = QFrame()
        self.painting.setProperty("role", "card")
        row = QHBoxLayout(self.painting)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(8)
        self.painted_name = ElidedLabel("")
        self.brush = NumberField(self.theme, step=0.005, decimals=2, bounds=(0.0, 1.0))
        self.brush.setObjectName("maskBrush")
        self.brush.setToolTip(tr("Weight to paint on the bone tree"))
        self.brush.previewed.connect(self._set_brush)
        self.brush.committed.connect(self._set_brush)
        done = QPushButton(tr("Done"))
        done.setObjectName("maskDone")
        done.clicked.connect(lambda: self.model.paint(None))
        row.addWidget(self.painted_name, 1)
        row.addWidget(self.brush)
        row.addWidget(done)
        return self.painting

    def _set_brush(self, weight: float) -> None:
        self.context.session.feature(Blending).brush = weight

    def title_widgets(self) -> list[QWidget]:
        """The buttons stand in the title bar."""
        return [self.add, self.show_layers]

    def _take_clip(self) -> None:
        self.model.leave()
        self.base_hand.setChecked(True)

    def close_panel(self) -> None:
        """Release what outlives the panel."""
        while self._unbind:
            self._unbind.pop()()

    def refresh(self, *_: object) -> None:
        """Show the layers as they are now."""
        rows, clip = self.model.rows(), self.model.clip
        structure = (clip.id if clip is not None else None, self.model.structure())
        if structure != self._built:
            self._built = structure
            self._rebuild(rows)
        else:
            for widget, row in zip(self.rows, rows, strict=True):
                widget.show_row(row)
        self.add.setEnabled(clip is not None)
        self.options.refresh()
        self.show_layers.setEnabled(bool(rows))
        self.show_layers.setChecked(self.model.shown)
        self.scroller.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        blending = self.context.session.feature(Blending)
        self.painting.setVisible(blending.painted is not None)
        self.painted_name.set_text(tr("Painting “{mask}”", mask=blending.painted or ""))
        self.brush.set_value(blending.brush)
        self.base_name.set_text(clip.name if clip is not None else "")
        on_clip = self.model.hand.number is None
        self.base_hand.setChecked(on_clip)
        set_role(self.base, "card_on" if on_clip and rows else "card")
        text = tr("Layer clips over “{name}”: drop one here, or add a layer.", name=clip.name if clip else "")
        self.empty.set_text(text if clip is not None else tr("Create or select a clip first."))
        self.empty.findChild(QWidget, "emptyButton").setVisible(clip is not None)

    def _rebuild(self, rows: tuple[LayerRow, ...]) -> None:
        for widget in self.rows:
            self.column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.rows = [LayerWidget(self.model, self.theme, row) for row in rows]
        for place, widget in enumerate(self.rows):
            self.column.insertWidget(place, widget)

    def _raised(self, work: Callable[[Session], object]) -> None:
        """Do what a menu asks for where it can be seen: the panel may be behind another."""
        if not self.isVisible():
            self.context.window.show_panel("layers")
        work(self.context.session)

    def _set_shown(self, on: bool) -> None:
        self.context.session.evaluator.layers.shown = on

    def _open_add(self) -> None:
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        entries = [
            (tr("Empty additive layer"), None, LayerMode.ADDITIVE),
            (tr("Empty override layer"), None, LayerMode.OVERRIDE),
        ]
        for text, clip, mode in entries:
            self._entry(menu, text, clip, mode)
        menu.addSeparator()
        actions = self.context.actions
        for id in FROM_CLIP:
            action = QAction(actions[id].title, menu)
            action.setEnabled(not actions.why_disabled(id))
            action.triggered.connect(lambda _, id=id: actions.run(id))
            menu.addAction(action)
        menu.addSeparator()
        for clip in self.model.edits.choices():
            mode = LayerMode.OVERRIDE if clip.additive is None else LayerMode.ADDITIVE
            self._entry(menu, clip.name, clip.id, mode)
        at = self.add if self.add.isVisible() else self.empty.button or self.empty
        pop_up(menu, at)

    def _entry(self, menu: QMenu, text: str, clip, mode: LayerMode) -> None:
        action = QAction(text, menu)
        action.triggered.connect(lambda _: self.model.add(clip, mode))
        menu.addAction(action)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(CLIP) and self.model.clip is not None:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        if event.mimeData().hasFormat(CLIP):
            clip = bytes(event.mimeData().data(CLIP).data()).decode("utf-8", "replace")
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.model.drop(clip)


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return LayersPanel(context)

"""The curve editor: channel list, tool row with numbers, plot with scroll bars, and the strip of operations."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMoveEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QScrollBar,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.tracks.components import Reading
from core.tracks.keys import Extrapolation, Interpolation
from editor.model.i18n import tr
from editor.model.tangent_modes import MODES
from editor.model.time_view import TimeView
from editor.panels.curves.channel_list import ChannelList
from editor.panels.curves.commands import CurveCommands, extrapolation_title
from editor.panels.curves.fields import KeyFields
from editor.panels.curves.operation_run import OperationRun
from editor.panels.curves.plot import PlotView
from editor.panels.curves.space import Layout
from editor.panels.curves.strip import OperationStrip
from editor.panels.curves.view_model import CurvesModel
from editor.qt.binding import Bindings
from editor.qt.menu import Menu, pop_up, submenu
from editor.qt.panel import Panel, PanelContext
from editor.qt.turns import Rank
from editor.qt.widgets import EmptyState, SearchField, icon_button, line
from editor.tools.curves.operations import Operation, operations

LAYOUTS = {
    Layout.ABSOLUTE: tr("Absolute"),
    Layout.NORMALISED: tr("Normalised"),
    Layout.STACKED: tr("Stacked"),
}
BAR_STEPS = 10_000

NEAR = 40
"""Pixels between dope sheet and curve editor up to which they are one timeline: a title or tabs fit in."""

CAPTIONS_FROM = 820
"""Pixels from which the fields of keys have their names beside them."""


class CurvesPanel(Panel):
    """The curve editor."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("curvesPanel")
        self._context = context
        self.model = model = CurvesModel(context.session)
        self.commands = CurveCommands(model)
        self.plot = PlotView(context, model)
        self.list = ChannelList(model, context.theme)
        self.fields = KeyFields(context, self.commands)
        self.strip: OperationStrip | None = None
        self._operations = {operation.id: operation for operation in operations()}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._tools = self._tool_row()
        self._column.addWidget(self._tools)
        self._column.addWidget(line())
        self._column.addWidget(self._body(), 1)
        self.plot.menu_wanted.connect(self.open_menu)
        self._bind(context)
        bindings = Bindings(self)
        bindings.refresh(self._show_bars, model.changed, rank=Rank.LAST)
        session = context.session
        bindings.refresh(
            self._show_result,
            session.evaluator.layers.changed,
            session.playback.clip_changed,
            session.document.changed,
        )
        self._share_ruler = bindings.refresh(
            self._share_ruler_now, context.session.feature(TimeView).ruler_changed
        )
        self.destroyed.connect(lambda: model.close())
        self._show_bars()
        self._show_result()

    def _show_result(self) -> None:
        """The switch between a layer's curves and the result is there with a layer in hand."""
        session = self._context.session
        self.result_button.setVisible(session.playback.below is not None)
        self.result_button.setChecked(session.evaluator.layers.result)

    def sizeHint(self) -> QSize:
        """A third of a window."""
        return QSize(900, 280)

    def minimumSizeHint(self) -> QSize:
        """What is left without captions of the fields."""
        return QSize(620, super().minimumSizeHint().height())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.fields.show_captions(event.size().width() >= CAPTIONS_FROM)

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._share_ruler()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._share_ruler()

    def _share_ruler_now(self) -> None:
        """Right below a dope sheet there is one ruler, and one playhead runs through both: tools go to the bottom."""
        ruler = self._context.session.feature(TimeView).ruler
        top = self.mapToGlobal(QPoint(0, 0)).y()
        ruled = ruler is not None and self.isVisible() and 0 <= top - ruler <= NEAR
        if ruled != self.plot.ruled:
            self.plot.set_ruled(ruled)
            way = QBoxLayout.Direction.BottomToTop if ruled else QBoxLayout.Direction.TopToBottom
            self._column.setDirection(way)

    def focus_widget(self) -> QWidget:
        """Keys go to the plot."""
        return self.plot

    # ------------------------------------------------------------ parts
    def _tool_row(self) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(4, 4, 8, 4)
        row.setSpacing(4)
        theme = self._context.theme
        self.search = SearchField(theme, tr("Find curves"))
        self.search.setObjectName("curvesSearch")
        self.search.setMinimumWidth(96)
        self.search.setMaximumWidth(200)
        self.search.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.search.textChanged.connect(self.model.set_search)
        self.search.left.connect(self.plot.setFocus)
        row.addWidget(self.search)
        self.layout_button = self._menu_button(
            "layers", tr("View mode: absolute, normalised or stacked"), self.layout_menu
        )
        self.mode_button = self._menu_button("key", tr("Tangents"), self.tangent_menu)
        self.tools_button = self._menu_button(
            "settings", tr("Sliders, filters, reduction"), self.operation_menu
        )
        self.weighted_button = icon_button(theme, "scale", tr("Weighted tangents"), True, "curvesWeighted")
        self.weighted_button.toggled.connect(self._set_weighted)
        self.lasso_button = icon_button(theme, "edit", tr("Lasso select (Alt+drag)"), True, "curvesLasso")
        self.lasso_button.toggled.connect(lambda on: setattr(self.model.pointer, "lasso", on))
        self.swap_button = icon_button(theme, "history", tr("Swap with buffer curve"), False, "curvesSwap")
        self.swap_button.clicked.connect(lambda: self.commands.swap_buffer())
        self.result_button = icon_button(
            theme, "show", tr("Show the result of all layers (Ctrl+Alt+Shift+L)"), True, "curvesResult"
        )
        self.result_button.clicked.connect(lambda: self._context.actions.run("layer.result"))
        self.fit_button = icon_button(theme, "fit", tr("Fit all (A)"), False, "curvesFit")
        self.fit_button.clicked.connect(lambda: self.model.view.fit_all())
        for button in (
            self.layout_button, self.mode_button, self.tools_button, self.weighted_button, self.lasso_button,
            self.swap_button, self.result_button, self.fit_button,
        ):  # fmt: skip
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.fields)
        return made

    def _menu_button(self, icon: str, tip: str, fill: Callable[[QMenu], None]) -> QToolButton:
        button = icon_button(self._context.theme, icon, tip)
        button.clicked.connect(lambda: self._pop_up(fill, button))
        return button

    def _pop_up(self, fill: Callable[[QMenu], None], button: QToolButton) -> None:
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill(menu)
        pop_up(menu, button)

    def _body(self) -> QWidget:
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.list)
        right = QWidget()
        grid = QGridLayout(right)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        self.across = QScrollBar(Qt.Orientation.Horizontal)
        self.up = QScrollBar(Qt.Orientation.Vertical)
        self.across.setObjectName("curvesScrollTime")
        self.up.setObjectName("curvesScrollValue")
        self.across.valueChanged.connect(lambda _: self._scrolled())
        self.up.valueChanged.connect(lambda _: self._scrolled())
        grid.addWidget(self.plot, 0, 0)
        grid.addWidget(self.up, 0, 1)
        grid.addWidget(self.across, 1, 0)
        self.empty = EmptyState(
            self._context.theme,
            "curves",
            tr("Select a bone with keys to see its curves. S sets a key."),
            parent=right,
        )
        grid.addWidget(self.empty, 0, 0)
        self.empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._split.addWidget(right)
        self._split.setStretchFactor(1, 1)
        self._split.setSizes([204, 700])
        return self._split

    def _set_weighted(self, on: bool) -> None:
        self.model.view.weighted = on
        self.model.view.refresh_handles()

    # ------------------------------------------------------------ scroll bars
    def _extent(self) -> tuple[float, float, float, float]:
        """Start, end, low, high of what can be scrolled to: the content and what is in sight."""
        model = self.model
        start, end, low, high = model.view.content()
        axis, values = model.view.axis, model.view.values
        return min(start, axis.start), max(end, axis.end), min(low, values.low), max(high, values.high)

    def _show_bars(self) -> None:
        model = self.model
        self.empty.setVisible(not model.lanes.all())
        start, end, low, high = self._extent()
        for bar, whole, first, size in (
            (
                self.across,
                end - start,
                model.view.axis.start - start,
                model.view.axis.end - model.view.axis.start,
            ),
            (
                self.up,
                high - low,
                high - model.view.values.high,
                model.view.values.high - model.view.values.low,
            ),
        ):
            bar.blockSignals(True)
            page = round(BAR_STEPS * size / whole) if whole > 0.0 else BAR_STEPS
            bar.setPageStep(max(page, 1))
            bar.setSingleStep(max(page // 10, 1))
            bar.setRange(0, max(BAR_STEPS - page, 0))
            bar.setValue(round(BAR_STEPS * first / whole) if whole > 0.0 else 0)
            bar.blockSignals(False)

    def _scrolled(self) -> None:
        start, end, low, high = self._extent()
        axis, values = self.model.view.axis, self.model.view.values
        at = start + (end - start) * self.across.value() / BAR_STEPS
        top = high - (high - low) * self.up.value() / BAR_STEPS
        self.model.view.set_axes(
            replace(axis, start=at), replace(values, low=top - (values.high - values.low))
        )

    # ------------------------------------------------------------ menus
    def layout_menu(self, menu: QMenu) -> None:
        """Layouts of the value axis, and how quaternions are read."""
        for layout, title in LAYOUTS.items():
            self._entry(
                menu, title, partial(self.model.view.set_layout, layout), self.model.view.layout is layout
            )
        menu.addSeparator()
        for reading, title in (
            (Reading.VECTOR, tr("Quaternions as rotation vector")),
            (Reading.SWING_TWIST, tr("Quaternions as swing and twist")),
        ):
            self._entry(
                menu,
                title,
                partial(self.model.lanes.set_reading, reading),
                self.model.lanes.reading is reading,
            )
        menu.addSeparator()
        switches = self._context.session.switches
        self._entry(
            menu, tr("Speed and acceleration of the bone"), partial(switches.toggle, "curves_motion"),
            switches["curves_motion"],
        )  # fmt: skip
        text = self.commands.seam_text()
        if text:
            menu.addSeparator()
            shown = menu.addAction(text)
            shown.setEnabled(False)

    def tangent_menu(self, menu: QMenu) -> None:
        """Modes, kinds of segment, extrapolation."""
        commands, now = self.commands, self.commands.summary().mode
        for mode, look in MODES.items():
            key = f"\t{look.key}" if look.key else ""
            self._entry(menu, look.title + key, partial(commands.set_mode, mode), mode is now)
        menu.addSeparator()
        for kind, title in (
            (Interpolation.CONSTANT, tr("Constant segment")),
            (Interpolation.LINEAR, tr("Linear segment")),
            (Interpolation.CUBIC, tr("Cubic segment")),
        ):
            self._entry(menu, title, partial(commands.set_kind, kind))
        menu.addSeparator()
        self._entry(menu, tr("Break tangents"), commands.break_tangents)
        self._entry(menu, tr("Unify tangents"), commands.unify_tangents)
        self._entry(menu, tr("Reset tangent weights"), commands.reset_weights)
        menu.addSeparator()
        for title, side in ((tr("Before the first key"), 0), (tr("After the last key"), 1)):
            below = submenu(menu, title)
            for how in Extrapolation:
                pair = (how, None) if side == 0 else (None, how)
                name = extrapolation_title(how).capitalize()
                self._entry(below, name, partial(commands.set_extrapolation, *pair))
        menu.addSeparator()
        self._entry(menu, tr("Link first and last keys"), commands.link_ends)
        self._entry(menu, tr("Start the cycle here"), commands.cycle_to_playhead)

    def operation_menu(self, menu: QMenu) -> None:
        """Sliders, filters, reduction, conversion."""
        group = ""
        for operation in self._operations.values():
            if operation.group != group:
                group = operation.group
                menu.addSection(group)
            self._entry(menu, operation.title + "…", partial(self.begin, operation.id))

    def open_menu(self, place: QPoint) -> None:
        """The menu of the right button."""
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        commands = self.commands
        self._entry(menu, tr("Copy keys") + "\tCtrl+C", commands.copy)
        self._entry(menu, tr("Paste at playhead") + "\tCtrl+V", commands.paste)
        self._entry(menu, tr("Paste at original time"), partial(commands.paste, False))
        self._entry(menu, tr("Paste reversed"), partial(commands.paste, True, True))
        self._entry(menu, tr("Duplicate at playhead") + "\tCtrl+D", commands.duplicate)
        self._entry(menu, tr("Delete keys") + "\tDel", commands.delete)
        menu.addSeparator()
        self.tangent_menu(submenu(menu, tr("Tangents")))
        self.operation_menu(submenu(menu, tr("Sliders and filters")))
        self.layout_menu(submenu(menu, tr("Layout")))
        menu.addSeparator()
        self._entry(menu, tr("Swap with buffer curve"), commands.swap_buffer)
        self._entry(menu, tr("Fit selection") + "\tF", self.model.view.fit_selection)
        self._entry(menu, tr("Fit all") + "\tA", self.model.view.fit_all)
        menu.popup(place)

    def _entry(self, menu: QMenu, title: str, act: Callable[[], object], checked: bool | None = None) -> None:
        entry = menu.addAction(title)
        if checked is not None:
            entry.setCheckable(True)
            entry.setChecked(checked)
        entry.triggered.connect(lambda _=False: act())

    # ------------------------------------------------------------ operations
    def begin(self, operation: str) -> None:
        """Open the strip of an operation."""
        if self.strip is not None:
            self.strip.run.cancel()
        found: Operation = self._operations[operation]
        if self.model.session.clip is None:
            self.model.session.messages.info(tr("Create or select a clip first"))
            return
        self.strip = OperationStrip(self._context.theme, OperationRun(self.commands, found))
        self.strip.closed.connect(self._close_strip)
        self._column.insertWidget(2, self.strip)

    def _close_strip(self) -> None:
        strip, self.strip = self.strip, None
        if strip is not None:
            self._column.removeWidget(strip)
            strip.hide()
            strip.deleteLater()
            self.plot.setFocus()

    # ------------------------------------------------------------ keys
    def _bind(self, context: PanelContext) -> None:
        commands, model = self.commands, self.model
        held = Qt.KeyboardModifier
        none, ctrl = held.NoModifier, held.ControlModifier
        self._keys: dict[tuple[int, object], Callable[[], object]] = {
            (Qt.Key.Key_F, none): model.view.fit_selection,
            (Qt.Key.Key_A, none): model.view.fit_all,
            (Qt.Key.Key_Home, none): model.view.fit_all,
            (Qt.Key.Key_A, ctrl): commands.select_all,
            (Qt.Key.Key_C, ctrl): commands.copy,
            (Qt.Key.Key_V, ctrl): commands.paste,
            (Qt.Key.Key_D, ctrl): commands.duplicate,
            (Qt.Key.Key_Delete, none): commands.delete,
            (Qt.Key.Key_Backspace, none): commands.delete,
        }
        for mode, look in MODES.items():
            if look.key:
                self._keys[(Qt.Key.Key_0 + look.key, none)] = partial(commands.set_mode, mode)
        self._unbind = [
            context.actions.bind(f"curves.{id}", partial(self._raised, partial(self.begin, id)))
            for id in self._operations
            if f"curves.{id}" in context.actions
        ]
        bound: dict[str, Callable[[], object]] = {
            "curves.swap_buffer": commands.swap_buffer,
            "curves.break": commands.break_tangents,
            "curves.unify": commands.unify_tangents,
        }
        for id, handler in bound.items():
            if id in context.actions:
                self._unbind.append(context.actions.bind(id, partial(self._raised, handler)))
        for layout in Layout:
            if f"curves.layout_{layout}" in context.actions:
                lay_out = partial(self._raised, partial(model.view.set_layout, layout))
                checked = partial(self._is_layout, layout)
                self._unbind.append(context.actions.bind(f"curves.layout_{layout}", lay_out, checked=checked))

    def _is_layout(self, layout: Layout) -> bool:
        return self.model.view.layout is layout

    def _raised(self, work: Callable[[], object]) -> None:
        """Do what a menu asks for where it can be seen: the panel may be behind another."""
        if not self.isVisible():
            self._context.window.show_panel("curves")
        work()

    def event(self, event: QEvent) -> bool:
        """The panel's own keys come before the window's."""
        if event.type() == QEvent.Type.ShortcutOverride and self._command(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def _command(self, event: QEvent) -> Callable[[], object] | None:
        if self.plot.hasFocus() or self.hasFocus() or self.list.hasFocus():
            assert isinstance(event, QKeyEvent)
            held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if event.key() == Qt.Key.Key_Escape and self.strip is not None and not held:
                return self.strip.run.cancel
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.strip is not None:
                return self.strip.run.apply
            return self._keys.get((event.key(), held))
        return None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._command(event)
        if act is not None:
            act()
            event.accept()
        else:
            super().keyPressEvent(event)

    def close_panel(self) -> None:
        """Release what outlives the panel."""
        if self.strip is not None:
            self.strip.run.cancel()
        while self._unbind:
            self._unbind.pop()()
        self.model.close()

"""The compile panel: settings, report, A/B switch, the error of every bone, and one bone's over time."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.ids import AssetId
from editor.model.compile_compare import FACTORS
from editor.model.compile_state import SUFFIX, Compiling, file_name
from editor.model.i18n import tr, trn
from editor.panels.compile.bones import BoneTable
from editor.panels.compile.graph import ErrorGraph
from editor.panels.compile.held_key import HeldKey
from editor.panels.compile.report import ReportView
from editor.panels.compile.settings import CompileSettings
from editor.panels.compile.view_model import CompileModel
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.dialogs import Files, choose_files
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import ElidedLabel, EmptyState, icon_button, line

MOST_LINES = 4
LINE_HEIGHT = 22


class CompilePanel(Panel):
    """Everything about compiled clips; the document stays as it is."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("compilePanel")
        self.context, self.theme = context, context.theme
        self.session = context.session
        self.model = CompileModel(context.session)
        self._listed: object = None
        self._build()
        self.held = HeldKey(self, lambda: self.session.feature(Compiling).compare.show(False))
        self._bind()
        self.refresh()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(10, 6, 6, 2)
        column.setSpacing(4)
        self.settings = CompileSettings(self.theme, self.session)
        column.addWidget(self.settings)
        self.empty = EmptyState(self.theme, "compile", "")
        column.addWidget(self.empty, 1)
        self.results = QWidget()
        inner = QVBoxLayout(self.results)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(4)
        self.save = icon_button(self.theme, "save", tr("Save as .pwclip…"), name="compileSave")
        self.save.clicked.connect(lambda: self.save_as())
        inner.addWidget(line())
        inner.addWidget(self._build_lines())
        self.report = ReportView(self.theme, self.save)
        inner.addWidget(self.report)
        inner.addLayout(self._build_compare())
        self.bones = BoneTable(self.theme, self.model)
        self.bones.picked.connect(self.model.pick)
        inner.addWidget(self.bones, 1)
        self.caption = ElidedLabel("", "caption")
        inner.addWidget(self.caption)
        self.graph = ErrorGraph(self.theme)
        self.graph.scrubbed.connect(self.model.go_to_frame)
        inner.addWidget(self.graph)
        column.addWidget(self.results, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _build_lines(self) -> QTreeWidget:
        """The clips compiled so far, where they are several."""
        self.lines = QTreeWidget()
        self.lines.setObjectName("compileLines")
        self.lines.setHeaderHidden(True)
        self.lines.setColumnCount(3)
        self.lines.setRootIsDecorated(False)
        self.lines.setStyleSheet("QTreeView::item { padding-left: 5px; }")  # as far in as the headings
        self.lines.setUniformRowHeights(True)
        self.lines.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.lines.header().setStretchLastSection(False)
        self.lines.header().setSectionResizeMode(0, self.lines.header().ResizeMode.Stretch)
        self.lines.header().setSectionResizeMode(1, self.lines.header().ResizeMode.ResizeToContents)
        self.lines.header().setSectionResizeMode(2, self.lines.header().ResizeMode.ResizeToContents)
        self.lines.itemClicked.connect(self._show_clip)
        return self.lines

    def _build_compare(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        group = QButtonGroup(self)
        self.sides: list[QToolButton] = []
        for name, text, compiled in (("A", tr("Original"), False), ("B", tr("Compiled"), True)):
            button = QToolButton()
            button.setObjectName(f"compileShow{name}")
            button.setText(text)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(partial(self._show_side, compiled))
            group.addButton(button)
            row.addWidget(button)
            self.sides.append(button)
        self.factor = ChoiceBox()
        self.factor.setObjectName("compileFactor")
        self.factor.setFixedWidth(76)
        self.factor.setToolTip(tr("Exaggerate the difference from the original by this factor"))
        for factor in FACTORS:
            self.factor.addItem(f"×{factor:g}", factor)
        self.factor.activated.connect(
            lambda _: self.session.feature(Compiling).compare.set_factor(float(self.factor.currentData()))
        )
        self.colour = icon_button(
            self.theme, "bones", tr("Colour bones by error"), checkable=True, name="compileColour", size=22
        )
        self.colour.clicked.connect(lambda on: self.session.feature(Compiling).compare.set_coloured(on))
        row.addStretch(1)
        row.addWidget(self.factor)
        row.addWidget(self.colour)
        return row

    def _bind(self) -> None:
        session, actions = self.session, self.context.actions
        bindings = Bindings(self)
        bindings.refresh(
            self.refresh,
            session.feature(Compiling).changed,
            session.feature(Compiling).compare.changed,
            session.playback.clip_changed,
        )
        bindings.refresh(self._show_compare, session.preview.changed, session.pending.changed)
        bindings.refresh(self._show_bone, session.selection.bones_changed)
        bindings.refresh(self._show_time, session.playback.time_changed)
        self._unbind = [
            actions.bind("compile.run", self._compile),
            actions.bind("compile.compare", self._toggle_by_key),
            actions.bind("compile.save", self.save_as),
        ]

    def showEvent(self, event: QShowEvent) -> None:
        """What changed meanwhile is shown now."""
        super().showEvent(event)
        self.refresh()

    def close_panel(self) -> None:
        """The window goes."""
        self.held.drop()
        while self._unbind:
            self._unbind.pop()()

    # ------------------------------------------------------------ doing
    def _compile(self) -> None:
        self.context.window.show_panel("compile")
        self.session.feature(Compiling).compile()

    def _toggle_by_key(self) -> None:
        compare = self.session.feature(Compiling).compare
        compare.toggle()
        if compare.on:
            self.held.pressed(next(iter(self.context.actions.shortcuts("compile.compare")), ""))

    def _show_side(self, compiled: bool) -> None:
        self.session.feature(Compiling).compare.show(compiled)
        self.refresh()

    def _show_clip(self, item: QTreeWidgetItem) -> None:
        self.session.playback.set_clip(AssetId(item.data(0, Qt.ItemDataRole.UserRole)))

    def save_as(self) -> None:
        """Ask where, and write what is compiled of the clips chosen."""
        made = self.session.feature(Compiling).saveable
        if not made:
            self.session.messages.info(tr("There is nothing to save: compile the clip first"))
            return
        start = Path(self.session.preferences.get("last_folder") or Path.home())
        one = len(made) == 1

        def chosen(paths: list[Path]) -> None:
            place = paths[0]
            self.session.preferences.set("last_folder", str(place.parent if one else place))
            self.session.feature(Compiling).save(made, place)

        many = trn(
            "Save {count} compiled clip into a folder",
            "Save {count} compiled clips into a folder",
            len(made),
        )
        choose_files(
            self.window(),
            tr("Save compiled clip") if one else many,
            (tr("Compiled clip") + f" (*{SUFFIX})",) if one else (),
            chosen,
            start=start / file_name(made[0].order.clip.name) if one else start,
            suffix=SUFFIX[1:],
            mode=Files.SAVE if one else Files.FOLDER,
        )

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show settings and results as they are; out of sight it waits for being seen."""
        if not self.isVisible():
            return
        self.settings.refresh()
        summary, compiling = self.model.summary(), self.session.feature(Compiling)
        self.results.setVisible(summary is not None)
        self.empty.setVisible(summary is None)
        if summary is None:
            self.empty.set_text(self._nothing())
            return
        self._show_lines()
        self.report.show_report(summary, self.model.steps())
        self.save.setEnabled(bool(compiling.saveable))
        self._show_compare()
        self._show_bone()

    def _show_compare(self) -> None:
        compiling = self.session.feature(Compiling)
        if not self.isVisible() or compiling.result is None:
            return
        compare = compiling.compare
        why = "" if compare.on else compare.why_not
        for button, on in zip(self.sides, (not compare.on, compare.on), strict=True):
            button.setChecked(on)
            button.setEnabled(not why)
        key = self.context.actions.shortcuts("compile.compare")
        tip = tr("{key} toggles; hold to peek", key=", ".join(key))
        for button in self.sides:
            button.setToolTip(why or tip)
        self.factor.setEnabled(not why)
        with QSignalBlocker(self.factor):
            self.factor.setCurrentIndex(self.factor.findData(compare.factor))
        self.colour.setEnabled(compiling.fresh is not None)
        self.colour.setChecked(compare.coloured)

    def _nothing(self) -> str:
        if self.session.rig is None:
            return tr("Open or import a character first. Its clips can be packed for playback here.")
        if self.session.clip is None:
            return tr("Create or select a clip first.")
        if self.session.feature(Compiling).busy:
            return tr("Compiling. You can go on working meanwhile.")
        return tr(
            "Compile packs the clip for playback within the error above. Then compare both in the viewport, "
            "bone by bone."
        )

    def _show_lines(self) -> None:
        entries, shown = self.session.feature(Compiling).lines(), self.session.playback.clip
        if (entries, shown) == self._listed:
            return
        self._listed = entries, shown
        self.lines.setVisible(len(entries) > 1)
        self.lines.clear()
        for entry in entries:
            item = QTreeWidgetItem([entry.name, f"{entry.ratio:.1f} : 1", f"{entry.millimetres:.3f} mm"])
            item.setData(0, Qt.ItemDataRole.UserRole, entry.id)
            for column in (1, 2):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if not entry.fresh:
                item.setToolTip(0, tr("Changed since it was compiled"))
                item.setForeground(0, self.theme.color("dim"))
            self.lines.addTopLevelItem(item)
            if entry.id == shown:
                self.lines.setCurrentItem(item)
        self.lines.setFixedHeight(LINE_HEIGHT * min(max(len(entries), 1), MOST_LINES) + 4)

    def _show_bone(self) -> None:
        if not self.isVisible() or self.model.result is None:
            return
        self.bones.show_bone(self.session.selection.active)
        self.caption.set_text(tr("{bone}: error over time, mm", bone=self.model.bone or ""))
        self.graph.show_graph(self.model.graph())
        self._show_time()

    def _show_time(self) -> None:
        if self.isVisible():
            self.graph.show_frame(self.session.playback.frame)

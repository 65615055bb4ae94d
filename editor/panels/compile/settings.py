"""What is compiled and how: clips, bound, steps; the button that starts and stops it, and how far it is."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.ids import AssetId
from editor.model.compile_state import Compiling, Which
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.qt.choice import ChoiceBox
from editor.qt.job_bar import JobBar
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import icon_button, label

MOST_LISTED = 5
"""Rows of the list of clips before it scrolls."""
ROW_HEIGHT = 24


class CompileSettings(QWidget):
    """Settings live in the session; this shows them."""

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__()
        self.setObjectName("compileSettings")
        self._theme, self._session = theme, session
        self._compiling: Compiling = session.feature(Compiling)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addLayout(self._build_start())
        column.addWidget(self._build_clips())
        self.progress = JobBar("compileProgress", lambda: self._compiling.job)
        column.addWidget(self.progress)
        column.addLayout(self._build_bound())
        column.addWidget(self._build_steps())

    # ------------------------------------------------------------ building
    def _build_start(self) -> QHBoxLayout:
        self.which = ChoiceBox()
        self.which.setObjectName("compileWhich")
        self.which.setToolTip(tr("Which clips are compiled"))
        self.which.setMinimumContentsLength(6)
        for which, text in (
            (Which.SHOWN, tr("This clip")),
            (Which.CHOSEN, tr("Ticked clips")),
            (Which.ALL, tr("All clips")),
        ):
            self.which.addItem(text, which)
        self.which.activated.connect(lambda _: self._compiling.set_which(Which(self.which.currentData())))
        self.start = QPushButton(tr("Compile"))
        self.start.setObjectName("compileStart")
        self.start.setDefault(True)
        self.start.clicked.connect(lambda: self._compiling.compile())
        self.stop = QPushButton(tr("Cancel"))
        self.stop.setObjectName("compileCancel")
        self.stop.setToolTip(tr("Stop compiling; clips done so far are kept"))
        self.stop.clicked.connect(lambda: self._compiling.cancel())
        for button in (self.start, self.stop):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setFixedWidth(84)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.which, 1)
        row.addWidget(self.start)
        row.addWidget(self.stop)
        return row

    def _build_clips(self) -> QListWidget:
        self.clips = QListWidget()
        self.clips.setObjectName("compileClips")
        self.clips.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.clips.setToolTip(tr("Clips to compile"))
        self.clips.itemChanged.connect(self._tick)
        return self.clips

    def _build_bound(self) -> QHBoxLayout:
        self.metres = NumberField(self._theme, "mm", step=0.005, decimals=3, bounds=(0.001, 1000.0))
        self.metres.setObjectName("compileMillimetres")
        self.metres.setToolTip(tr("Largest allowed error of any point, in model space"))
        self.metres.committed.connect(lambda mm: self._compiling.set(metres=mm * 1e-3))
        self.shell = NumberField(self._theme, "cm", step=0.1, decimals=1, bounds=(0.1, 10000.0))
        self.shell.setObjectName("compileShell")
        self.shell.setToolTip(
            tr(
                "Distance from each bone at which rotation errors are measured: about the reach of skin or props"
            )
        )
        self.shell.committed.connect(lambda cm: self._compiling.set(shell=cm * 1e-2))
        self.more = icon_button(
            self._theme,
            "settings",
            tr("Steps of compiling: each can be turned off"),
            checkable=True,
            name="compileMore",
        )
        self.more.toggled.connect(lambda on: self.steps.setVisible(on))
        row = QHBoxLayout()
        row.setSpacing(6)
        for text, field, share in ((tr("Error"), self.metres, 6), (tr("at"), self.shell, 5)):
            row.addWidget(label(text, "dim"))
            row.addWidget(field, share)
        row.addWidget(self.more)
        return row

    def _build_steps(self) -> QWidget:
        self.steps = QWidget()
        grid = QGridLayout(self.steps)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        self.resample = self._switch(
            "compileResample", tr("Resample"), tr("Resample to this frame rate first")
        )
        self.resample.toggled.connect(self._set_rate)
        self.rate = NumberField(self._theme, "fps", step=0.1, decimals=2, bounds=(1.0, 1000.0))
        self.rate.setObjectName("compileRate")
        self.rate.setToolTip(tr("Frames per second"))
        self.rate.set_value(30.0)
        self.rate.committed.connect(self._set_rate)
        grid.addWidget(self.resample, 0, 0)
        grid.addWidget(self.rate, 0, 1)
        self.switches: dict[str, QCheckBox] = {}
        for number, (name, text, tip) in enumerate(
            (
                (
                    "drop_still",
                    tr("Fewer tracks"),
                    tr("Remove tracks that stay in the rest pose, and keep one value of constant ones"),
                ),
                ("reduce_keys", tr("Fewer keys"), tr("Leave out keys that lines or cubics reproduce")),
                ("cubic", tr("Cubic keys"), tr("Allow cubic keys beside straight ones")),
                ("quantise", tr("Fewer bits"), tr("Use only as many bits per number as the bound needs")),
            )
        ):
            box = self._switch(f"compile_{name}", text, tip)
            box.toggled.connect(lambda on, name=name: self._compiling.set(**{name: on}))
            self.switches[name] = box
            grid.addWidget(box, 1 + number // 2, number % 2)
        self.steps.hide()
        return self.steps

    def _switch(self, name: str, text: str, tip: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setObjectName(name)
        box.setToolTip(tip)
        return box

    # ------------------------------------------------------------ doing
    def _set_rate(self, _: object = None) -> None:
        self._compiling.set(rate=self.rate.value if self.resample.isChecked() else None)

    def _tick(self, item: QListWidgetItem) -> None:
        clip = AssetId(item.data(Qt.ItemDataRole.UserRole))
        self._compiling.choose(clip, item.checkState() is Qt.CheckState.Checked)

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show the settings as they are."""
        compiling, options = self._compiling, self._compiling.options
        self.which.setCurrentIndex(self.which.findData(compiling.which))
        self.metres.set_value(round(options.metres * 1e3, 6))
        self.shell.set_value(round(options.shell * 1e2, 6))
        with QSignalBlocker(self.resample):
            self.resample.setChecked(options.rate is not None)
        self.rate.setEnabled(options.rate is not None)
        if options.rate is not None:
            self.rate.set_value(options.rate)
        for name, box in self.switches.items():
            with QSignalBlocker(box):
                box.setChecked(bool(getattr(options, name)))
        self._list_clips()
        why = compiling.why_not
        self.start.setVisible(not compiling.busy)
        self.stop.setVisible(compiling.busy)
        self.start.setEnabled(not why)
        count = len(compiling.targets)
        self.start.setToolTip(
            tr("Not available: {why}", why=why)
            if why
            else trn("Pack {count} clip within the bound", "Pack {count} clips within the bound", count)
        )
        self.progress.refresh()

    def _list_clips(self) -> None:
        compiling = self._compiling
        self.clips.setVisible(compiling.which is Which.CHOSEN)
        clips = compiling.candidates
        with QSignalBlocker(self.clips):
            known = [self.clips.item(row).data(Qt.ItemDataRole.UserRole) for row in range(self.clips.count())]
            if known != [clip.id for clip in clips]:
                self.clips.clear()
                for clip in clips:
                    item = QListWidgetItem()
                    item.setData(Qt.ItemDataRole.UserRole, clip.id)
                    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
                    self.clips.addItem(item)
            for row, clip in enumerate(clips):
                on = compiling.is_chosen(clip.id)
                self.clips.item(row).setText(clip.name)
                self.clips.item(row).setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.clips.setFixedHeight(ROW_HEIGHT * min(max(len(clips), 1), MOST_LISTED) + 2)

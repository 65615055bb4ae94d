"""The fields below the clip list: length, rate, loop, root motion of the clip shown."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QWidget,
)

from core.clips.clip import RootPose
from core.timing import frame_text, rate_text
from editor.model.i18n import tr
from editor.panels.clips.view_model import Settings
from editor.qt.choice import ChoiceBox
from editor.qt.menu import Menu
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import icon_button, label

RATES = ("24", "25", "29.97", "30", "50", "60", "120")
POSES = {RootPose.FIRST_FRAME: "First frame", RootPose.REST: "Rest pose", RootPose.ZERO: "Zero"}


class ClipSettings(QWidget):
    """Shows `Settings`; tells what the person changes, one signal each."""

    frames_changed = Signal(float)
    rate_changed = Signal(float)
    looping_changed = Signal(bool)
    root_changed = Signal(str, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("clipSettings")
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.length = NumberField(theme, tr("f"), step=0.25, decimals=0, bounds=(0.0, 1e6))
        self.length.setObjectName("clipLength")
        self.length.committed.connect(self.frames_changed)
        self.rate = NumberField(theme, "fps", step=0.1, decimals=0, bounds=(0.001, 100_000.0))
        self.rate.setObjectName("clipRate")
        self.rate.setToolTip(tr("Frames per second"))
        self.rate.committed.connect(self._rate_typed)
        self.rate.setMinimumWidth(self.rate.fontMetrics().horizontalAdvance("120 fps") + 18)
        self.rates = icon_button(
            theme, "down", tr("Common frame rates"), name="clipRates", token="dim", size=20, menu=True
        )
        menu = Menu(self.rates)
        for rate in RATES:
            menu.addAction(tr("{rate} fps", rate=rate)).triggered.connect(
                lambda _=False, rate=rate: self._rate_typed(float(rate))
            )
        self.rates.setMenu(menu)
        self.loop = self._check("clipLoop", tr("Loop"), tr("Repeat the clip from the start when it ends"))
        self.loop.clicked.connect(self.looping_changed)
        tip = tr("Extract the root bone's motion from the pose and move the character by it")
        self.root = self._check("rootMotion", tr("Root motion"), tip)
        self.root.clicked.connect(lambda on: self.root_changed.emit("enabled", on))
        self.more = icon_button(
            theme, "settings", tr("Which parts of the root motion"), name="rootSettings", size=20
        )
        self.more.clicked.connect(self._open_details)
        grid.addWidget(label(tr("Length"), "dim"), 0, 0)
        grid.addWidget(self.length, 0, 1)
        grid.addWidget(label(tr("Rate"), "dim"), 0, 2)
        rates = QHBoxLayout()
        rates.setSpacing(0)
        rates.addWidget(self.rate, 1)
        rates.addWidget(self.rates)
        grid.addLayout(rates, 0, 3)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.loop)
        row.addSpacing(8)
        row.addWidget(self.root)
        row.addWidget(self.more)
        row.addStretch(1)
        grid.addLayout(row, 1, 0, 1, 4)
        self.details = self._root_details()
        self._value: Settings | None = None

    def _open_details(self) -> None:
        """Show the rest of the root-motion settings above their button."""
        box = self.details
        box.adjustSize()
        corner = self.more.mapToGlobal(self.more.rect().topLeft())
        screen = self.screen().availableGeometry()
        x = min(max(corner.x() - box.width() // 2, screen.left()), screen.right() - box.width())
        box.move(x, max(screen.top(), corner.y() - box.height() - 4))
        box.show()

    def _check(self, name: str, text: str, tip: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setObjectName(name)
        box.setToolTip(tip)
        return box

    def _root_details(self) -> QWidget:
        box = QFrame(self, Qt.WindowType.Popup)
        box.setObjectName("rootDetails")
        box.setProperty("role", "card")
        grid = QGridLayout(box)
        grid.setContentsMargins(12, 8, 12, 12)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        self.parts: dict[str, QCheckBox] = {}
        titles = (
            ("ground", tr("Ground"), tr("Movement over the ground")),
            ("height", tr("Height"), tr("Vertical movement")),
            ("yaw", tr("Turn"), tr("Rotation about the vertical axis")),
        )
        for column, (part, title, tip) in enumerate(titles):
            check = self._check(f"root.{part}", title, tip)
            check.clicked.connect(lambda on, part=part: self.root_changed.emit(part, on))
            grid.addWidget(check, 0, column)
            self.parts[part] = check
        self.bone = ChoiceBox()
        self.bone.setObjectName("rootBone")
        self.bone.setToolTip(tr("The bone whose motion moves the character"))
        self.bone.textActivated.connect(lambda text: self.root_changed.emit("bone", text))
        self.pose = ChoiceBox()
        self.pose.setObjectName("rootPose")
        self.pose.setToolTip(tr("Pose of the root bone once its motion is extracted"))
        for pose, title in POSES.items():
            self.pose.addItem(tr(title), pose)
        self.pose.activated.connect(
            lambda _: self.root_changed.emit("pose", RootPose(self.pose.currentData()))
        )
        for row, widget in ((1, self.bone), (2, self.pose)):
            widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            widget.setMinimumContentsLength(6)
            grid.addWidget(widget, row, 1, 1, 2)
        grid.addWidget(label(tr("Bone"), "dim"), 1, 0)
        grid.addWidget(label(tr("Root pose"), "dim"), 2, 0)
        return box

    def _rate_typed(self, rate: float) -> None:
        shown = self._value
        if shown is None:
            return
        self.rate.set_value(shown.rate)  # what it will be depends on an answer
        if rate_text(rate) != rate_text(shown.rate):
            self.rate_changed.emit(rate)

    def show_settings(self, value: Settings | None) -> None:
        """Show a clip's settings; nothing without one."""
        self._value = value
        self.setVisible(value is not None)
        if value is None:
            return
        self.length.decimals = len(frame_text(value.frames).partition(".")[2])
        self.length.set_value(value.frames)
        self.length.setToolTip(tr("Length: {seconds} s", seconds=f"{value.seconds:.3f}"))
        self.rate.decimals = len(rate_text(value.rate).partition(".")[2])
        self.rate.set_value(value.rate)
        self.loop.setChecked(value.looping)
        settings = value.root_motion
        self.root.setChecked(settings.enabled)
        self.more.setEnabled(settings.enabled)
        for part, check in self.parts.items():
            check.setChecked(getattr(settings, part))
        if [self.bone.itemText(i) for i in range(self.bone.count())] != list(value.bones):
            self.bone.clear()
            self.bone.addItems(value.bones)
        if value.bones:
            self.bone.setCurrentText(settings.bone or value.bones[0])
        self.pose.setCurrentIndex(list(POSES).index(settings.pose))

"""What of the selected camera, prop or second character is edited."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.shot.camera import LEAST_LENS, MOST_LENS, ShotCamera
from core.shot.character import ShotCharacter
from core.shot.prop import Prop
from editor.model.i18n import tr
from editor.panels.shot.view_model import ASPECTS, ShotModel
from editor.qt.action_tip import tell_action
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import ElidedLabel, icon_button, label

Attempt = Callable[[Callable[[], object]], None]


class Details(QWidget):
    """Numbers and buttons of the selected one; each kind has its own."""

    def __init__(self, context: PanelContext, model: ShotModel, attempt: Attempt) -> None:
        super().__init__()
        self._context, self._theme, self._model, self._attempt = context, context.theme, model, attempt
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.none = label(
            tr("Select one to edit it here and with the gizmo in the view"), "caption", wrap=True
        )
        column.addWidget(self.none)
        self._camera, self._prop, self._character = QWidget(), QWidget(), QWidget()
        for part, build in (
            (self._camera, self._build_camera),
            (self._prop, self._build_prop),
            (self._character, self._build_character),
        ):
            inside = QVBoxLayout(part)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.setSpacing(6)
            build(inside)
            column.addWidget(part)
        self._place = QWidget()
        self._build_place(QGridLayout(self._place))
        column.addWidget(self._place)

    # ------------------------------------------------------------ building
    def _button(self, action: str, name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        tell_action(button, self._context.actions, action)
        button.clicked.connect(lambda: self._attempt(lambda: self._context.actions.run(action)))
        return button

    def _switch(self, action: str, name: str, text: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setObjectName(name)
        tell_action(box, self._context.actions, action)
        box.clicked.connect(lambda: self._attempt(lambda: self._context.actions.run(action)))
        return box

    def _field(
        self,
        name: str,
        unit: str,
        bounds: tuple[float, float],
        changed: Callable[[float], object],
        step: float = 0.1,
    ) -> NumberField:
        field = NumberField(self._theme, unit, None, step, 2, bounds)
        field.setObjectName(name)
        field.setFixedHeight(22)
        field.committed.connect(lambda value: self._attempt(lambda: changed(value)))
        return field

    def _build_camera(self, column: QVBoxLayout) -> None:
        self.through = self._switch("shot.look_through", "shotThrough", tr("Look through"))
        self.lock = self._switch("shot.lock", "shotLock", tr("Lock to view"))
        self.key = self._button("shot.key_camera", "shotKey", tr("Key"))
        self.unkey = self._button("shot.unkey_camera", "shotUnkey", tr("Delete keys"))
        for pair in ((self.through, self.lock), (self.key, self.unkey)):
            row = QHBoxLayout()
            for button in pair:
                row.addWidget(button)
            column.addLayout(row)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        self.lens = self._field("shotLens", "mm", (LEAST_LENS, MOST_LENS), self._model.shot.set_lens)
        self.fov = self._field("shotFov", "°", (0.5, 170.0), self._model.set_fov)
        self.aspect = QComboBox()
        self.aspect.setObjectName("shotAspect")
        self.aspect.activated.connect(
            lambda _: self._attempt(lambda: self._model.set_aspect(self.aspect.currentText()))
        )
        self.safe = self._switch("view.safe_frame", "shotSafe", tr("Safe frame"))
        rows: tuple[tuple[str, QWidget], ...] = (
            (tr("Focal length"), self.lens), (tr("Field of view"), self.fov), (tr("Aspect ratio"), self.aspect),
        )  # fmt: skip
        for number, (text, widget) in enumerate(rows):
            grid.addWidget(label(text, "dim"), number, 0)
            grid.addWidget(widget, number, 1)
        column.addLayout(grid)
        column.addWidget(self.safe)

    def _build_prop(self, column: QVBoxLayout) -> None:
        self.holder = ElidedLabel("", "dim")
        self.holder.setObjectName("shotHolder")
        column.addWidget(self.holder)
        for pair in (
            (("shot.attach", "shotAttach", tr("Attach")), ("shot.release", "shotRelease", tr("Release"))),
            (
                ("shot.attach_range", "shotAttachRange", tr("Over play range")),
                ("shot.attach_always", "shotAttachAlways", tr("Always")),
            ),
        ):
            row = QHBoxLayout()
            for action, name, text in pair:
                row.addWidget(self._button(action, name, text))
            column.addLayout(row)
        self._holds = QVBoxLayout()
        self._holds.setSpacing(2)
        column.addLayout(self._holds)
        self._hold_rows: tuple[object, ...] = ()

    def _build_character(self, column: QVBoxLayout) -> None:
        self.problem = label("", "warning", wrap=True)
        self.problem.setObjectName("shotProblem")
        column.addWidget(self.problem)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        self.clip = QComboBox()
        self.clip.setObjectName("shotClip")
        self.clip.activated.connect(lambda number: self._attempt(lambda: self._choose_clip(number)))
        self.offset = self._field("shotOffset", "", (-1e6, 1e6), self._model.set_offset)
        self.ghosted = QCheckBox(tr("See-through"))
        self.ghosted.setObjectName("shotGhosted")
        self.ghosted.clicked.connect(lambda on: self._attempt(lambda: self._model.set_ghosted(on)))
        grid.addWidget(label(tr("Clip"), "dim"), 0, 0)
        grid.addWidget(self.clip, 0, 1)
        grid.addWidget(label(tr("Starts at frame"), "dim"), 1, 0)
        grid.addWidget(self.offset, 1, 1)
        column.addLayout(grid)
        column.addWidget(self.ghosted)

    def _build_place(self, grid: QGridLayout) -> None:
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        self.place: list[NumberField] = []
        for row, (part, text, unit, step) in enumerate(
            (("position", tr("Position"), "m", 0.005), ("rotation", tr("Rotation"), "°", 0.25))
        ):
            grid.addWidget(label(text, "dim"), 2 * row, 0, 1, 3)
            for axis in range(3):
                field = NumberField(self._theme, unit, axis, step, 3 if unit == "m" else 1)
                field.setObjectName(f"shot_{part}_{'xyz'[axis]}")
                field.setFixedHeight(22)
                field.setMinimumWidth(48)
                field.committed.connect(
                    lambda value, part=part, axis=axis: self._attempt(
                        lambda: self._model.set_place(part, axis, value)
                    )
                )
                grid.addWidget(field, 2 * row + 1, axis)
                self.place.append(field)

    # ------------------------------------------------------------ doing
    def _choose_clip(self, number: int) -> None:
        self._model.set_clip("" if number == 0 else self.clip.itemText(number))

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show the selected one as it is now."""
        item = self._model.selected
        self.none.setVisible(item is None and bool(self._model.rows()))
        self._camera.setVisible(isinstance(item, ShotCamera))
        self._prop.setVisible(isinstance(item, Prop))
        self._character.setVisible(isinstance(item, ShotCharacter))
        place = self._model.place()
        self._place.setVisible(place is not None)
        if place is not None:
            for field, value in zip(self.place, (*place[0], *place[1]), strict=True):
                field.set_value(value)
        if isinstance(item, ShotCamera):
            self._show_camera(item)
        elif isinstance(item, Prop):
            self._show_prop()
        elif isinstance(item, ShotCharacter):
            self._show_character(item)

    def _show_camera(self, camera: ShotCamera) -> None:
        shot = self._model.shot
        self.through.setChecked(shot.through)
        self.lock.setChecked(shot.locked)
        self.lens.set_value(self._model.lens())
        self.lens.set_key_state(self._model.lens_keyed())
        self.fov.set_value(self._model.fov())
        for field in (self.lens, self.fov):
            field.setEnabled(camera.height is None)
        self.safe.setChecked(bool(self._context.session.switches["safe_frame"]))
        names, shown = [name for name, _ in ASPECTS], self._model.aspect()
        self._fill(self.aspect, names if shown in names else [shown, *names], shown)

    @staticmethod
    def _fill(box: QComboBox, names: list[str], shown: str) -> None:
        with QSignalBlocker(box):
            if [box.itemText(number) for number in range(box.count())] != names:
                box.clear()
                box.addItems(names)
            box.setCurrentIndex(names.index(shown) if shown in names else 0)

    def _show_prop(self) -> None:
        bone = self._model.shot.bone
        text = tr("Bone to hold it: {bone}", bone=self._context.session.bone_label(bone)) if bone else ""
        self.holder.set_text(text or tr("Select a bone, then the prop, to attach it"))
        rows = self._model.holds()
        if rows == self._hold_rows:
            return
        self._hold_rows = rows
        while self._holds.count():
            self._drop(self._holds.takeAt(0))
        for row in rows:
            line = QWidget()
            inside = QHBoxLayout(line)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.addWidget(label(row.start, "text" if row.now else "dim"))
            inside.addWidget(label(row.holder, "text" if row.now else "dim"), 1)
            remove = icon_button(
                self._theme,
                "delete",
                tr("Remove this attachment"),
                name=f"shotHold{row.number}",
                token="dim",
                size=18,
            )
            remove.setEnabled(len(rows) > 1)
            remove.clicked.connect(
                lambda _=False, number=row.number: self._attempt(lambda: self._model.shot.remove_hold(number))
            )
            inside.addWidget(remove)
            self._holds.addWidget(line)

    @staticmethod
    def _drop(item: object) -> None:
        widget = item.widget() if hasattr(item, "widget") else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def _show_character(self, character: ShotCharacter) -> None:
        problem = self._model.characters.problem(character)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self._fill(
            self.clip,
            [tr("Rest pose"), *self._model.clip_names()],
            self._model.clip_name() or tr("Rest pose"),
        )
        self.offset.set_value(self._model.offset())
        self.ghosted.setChecked(character.ghosted)

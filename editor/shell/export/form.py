"""The left half of the export dialog: everything that is the same for any document."""

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QVBoxLayout, QWidget

from core.io.format import settings_in
from core.io.prepare.settings import Keys, Rest, RestScale, Root
from editor.model.i18n import tr
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import add_heading
from editor.shell.export.choice import PATTERN, Choice
from editor.shell.form import Form, choice, take, tick
from editor.shell.lengths import UNITS

RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0)
KEYS = (
    (Keys.OWN, "As they are", "The clip's own keys where the format supports them, else samples"),
    (Keys.FRAMES, "On every frame", "Read the same by all programs"),
    (Keys.REDUCED, "Reduced", "As few keys as keep every point within the tolerance"),
    (Keys.CUBIC, "Cubic", "Keys with slopes; rotations are fitted where needed"),
)
ROOTS = (
    (Root.KEEP, "Stays in the pose", "As the clip has it"),
    (Root.IN_PLACE, "In place", "The character stays in place"),
    (Root.EXTRACTED, "On its own bone", "A new root bone moves; the pose stays in place"),
)
RESTS = (
    (Rest.NODES, "As it is", "The skeleton's rest pose"),
    (Rest.SKIN, "Bind pose", "The pose in which the meshes were skinned"),
)
SPACES = (
    ("local", "Local", "Each bone in the space of its parent"),
    ("model", "Model", "Each bone in the space of the character"),
)


class ChoiceForm(QWidget):
    """Shows and changes a `Choice`; `changed` tells that a person did.

    Parameters
    ----------
    several : whether the document holds more than one character
    """

    changed = Signal()

    def __init__(self, theme: Theme, several: bool = False) -> None:
        super().__init__()
        self._several = several
        self._choice = Choice()
        self._showing = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        motion = Form()
        self._build_motion(motion, theme)
        column.addLayout(motion)
        add_heading(column, theme, tr("In the file"))
        scene = Form()
        self._build_scene(scene)
        column.addLayout(scene)
        add_heading(column, theme, tr("Files"))
        files = Form()
        self._build_files(files)
        column.addLayout(files)
        column.addStretch(1)
        self._watch()

    def _build_motion(self, form: Form, theme: Theme) -> None:
        self.keys = choice("exportKeys", [(tr(text), k, tr(note)) for k, text, note in KEYS])
        self.millimetres = NumberField(theme, "mm", decimals=2, step=0.01, bounds=(0.01, 100.0))
        self.millimetres.setObjectName("exportMillimetres")
        self.millimetres.setAccessibleName(tr("Allowed distance"))
        self.millimetres.setToolTip(tr("Largest allowed error of any point of the character"))
        self.millimetres.setMinimumWidth(84)
        rates: list[tuple[str, object, str]] = [(tr("The clip's own"), None, "")]
        self.rate = choice("exportRate", rates + [(f"{rate:g} fps", rate, "") for rate in RATES],
                           tr("Frame rate of the sampling"))  # fmt: skip
        self.root = choice("exportRoot", [(tr(text), root, tr(note)) for root, text, note in ROOTS])
        form.row(tr("Keys"), self.keys, self.millimetres, wide=True)
        form.row(tr("Frame rate"), self.rate)
        form.row(tr("Root motion"), self.root)

    def _build_scene(self, form: Form) -> None:
        self.unit = choice("exportUnit", [], tr("Length of one unit in the file"))
        self.up = choice("exportUp", [], tr("Up axis of the file"))
        self.rest = choice("exportRest", [(tr(text), rest, tr(note)) for rest, text, note in RESTS])
        self.space = choice("exportSpace", [(tr(text), space, tr(note)) for space, text, note in SPACES])
        self.meshes = tick(tr("Meshes"), "exportMeshes", True, tr("The character's meshes with their skin"))
        self.extras = tick(
            tr("Curves and notifies"), "exportExtras", True, tr("Float curves, notifies and markers")
        )
        self.scale = tick(tr("Fold rest scale"), "exportScale", False,
                          tr("Fold scale into offsets and meshes, for programs whose bones have no scale "
                             "at rest"))  # fmt: skip
        self.one_root = tick(tr("One root"), "exportOneRoot", False,
                             tr("Add one bone above several roots"))  # fmt: skip
        self.together = tick(tr("All characters"), "exportTogether", False,
                             tr("Every character of the document in one file, with all clips"))  # fmt: skip
        self.embed = tick(
            tr("Embed buffers"), "exportEmbed", False, tr("Store buffers inside the .gltf, as text")
        )
        self.scene = form
        form.row(tr("Unit"), self.unit)
        form.row(tr("Up axis"), self.up)
        form.row(tr("Rest pose"), self.rest)
        form.row(tr("Space"), self.space)
        form.block(
            tr("Include"),
            self.meshes,
            self.extras,
            self.scale,
            self.one_root,
            self.embed,
            self.together,
            columns=2,
        )

    def _build_files(self, form: Form) -> None:
        self.each = tick(tr("One file per clip"), "exportEach", False)
        self.pattern = QLineEdit(PATTERN)
        self.pattern.setObjectName("exportPattern")
        words = {word: "{" + word + "}" for word in ("file", "clip", "number", "character")}
        self.pattern.setToolTip(tr("{file}, {clip}, {number} and {character} are filled in", **words))
        self.check = tick(tr("Verify the file"), "exportCheck", True,
                          tr("Read the written file back and measure the largest error"))  # fmt: skip
        form.block(tr("Write"), self.each, self.check, columns=1)
        form.row(tr("File names"), self.pattern)

    def _watch(self) -> None:
        for box in (self.keys, self.rate, self.root, self.unit, self.up, self.rest, self.space):
            box.activated.connect(self._changed)
        for tick_box in (
            self.meshes, self.extras, self.scale, self.one_root, self.embed, self.together, self.each, self.check,
        ):  # fmt: skip
            tick_box.toggled.connect(self._changed)
        self.millimetres.committed.connect(self._changed)
        self.pattern.textChanged.connect(self._changed)

    # ------------------------------------------------------------ to and fro
    def choice(self) -> Choice:
        """What is chosen."""
        return self._choice

    def show_choice(self, choice: Choice) -> None:
        """Show another choice; tells nobody."""
        self._choice = choice
        self._showing = True
        self._offer(choice)
        for box, value in (
            (self.keys, choice.keys), (self.rate, choice.rate), (self.root, choice.root), (self.unit, choice.unit),
            (self.up, choice.up), (self.rest, choice.rest), (self.space, choice.space),
        ):  # fmt: skip
            take(box, value)
        for tick_box, on in (
            (self.meshes, choice.meshes), (self.extras, choice.extras), (self.embed, choice.embed),
            (self.each, choice.each), (self.check, choice.check), (self.one_root, choice.one_root),
            (self.together, choice.together), (self.scale, choice.scale is RestScale.FOLDED),
        ):  # fmt: skip
            tick_box.setChecked(on)
        self.millimetres.set_value(choice.millimetres)
        if self.pattern.text() != choice.pattern:
            self.pattern.setText(choice.pattern)
        self._enable(choice)
        self._showing = False

    def _offer(self, choice: Choice) -> None:
        """Fill what depends on the format."""
        options = choice.format.default_options()
        own = getattr(options, "metres_per_unit", None)
        usual = next((tr(name) for name, metres in UNITS if metres == own), tr("as imported"))
        units: list[tuple[str, object]] = [(tr("Default ({unit})", unit=usual), None)]
        _fill(self.unit, units + [(tr(name).capitalize(), metres) for name, metres in UNITS])
        up = getattr(options, "up_axis", None) or tr("as imported")
        ups: list[tuple[str, object]] = [(tr("Default ({up})", up=up), None)]
        _fill(self.up, ups + [(axis, axis) for axis in choice.format.up_axes])

    def _enable(self, choice: Choice) -> None:
        """Disable or hide what does not apply here."""
        kind, held = choice.format, settings_in(choice.format.default_options())
        self.millimetres.setVisible(choice.keys is Keys.REDUCED)
        self.scene.set_row_shown(self.space, shown="space" in held)
        for box, name in ((self.unit, "metres_per_unit"), (self.up, "up_axis")):
            self.scene.set_row_shown(box, shown=name in held)
        self.meshes.setEnabled(kind.scene)
        self.together.setVisible(self._several and kind.scene)
        self.together.setEnabled(not choice.each)
        self.embed.setVisible("embed" in held and choice.suffix == ".gltf")
        self.check.setEnabled(kind.can_read)
        self.pattern.setEnabled(choice.each or kind.one_clip)

    def _changed(self, *_: object) -> None:
        if self._showing:
            return
        self._choice = replace(
            self._choice,
            keys=Keys(self.keys.currentData()),
            millimetres=self.millimetres.value or 1.0,
            root=Root(self.root.currentData()),
            rest=Rest(self.rest.currentData()),
            scale=RestScale.FOLDED if self.scale.isChecked() else RestScale.KEEP,
            unit=self.unit.currentData(),
            up=self.up.currentData(),
            rate=self.rate.currentData(),
            one_root=self.one_root.isChecked(),
            together=self.together.isChecked(),
            meshes=self.meshes.isChecked(),
            extras=self.extras.isChecked(),
            embed=self.embed.isChecked(),
            space=str(self.space.currentData()),
            each=self.each.isChecked(),
            pattern=self.pattern.text(),
            check=self.check.isChecked(),
        )
        self._enable(self._choice)
        self.changed.emit()


def _fill(box: QComboBox, entries: list[tuple[str, object]]) -> None:
    box.clear()
    for text, value in entries:
        box.addItem(text, value)

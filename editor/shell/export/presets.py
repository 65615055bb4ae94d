"""The box of presets: programs, and what a person has saved under a name."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QToolButton, QWidget

from core.io.presets import PRESETS
from editor.model.i18n import tr
from editor.model.preferences import Preferences
from editor.qt.dialogs import Dialog
from editor.qt.menu import Menu
from editor.qt.theme import Theme
from editor.qt.widgets import icon_button
from editor.shell.export.choice import Choice, from_preset, preset_of
from editor.shell.form import choice as choice_box
from editor.shell.form import take

KEPT = "export_presets"
OWN, MINE = "", "mine:"


class Presets(QObject):
    """The box and the menu beside it.

    Attributes
    ----------
    chosen : a preset was picked: the choice that it makes of the present one
    """

    chosen = Signal(object)

    def __init__(
        self, window: QWidget, theme: Theme, preferences: Preferences, now: Callable[[], Choice]
    ) -> None:
        super().__init__(window)
        self._window, self._preferences, self._now = window, preferences, now
        self.box: QComboBox = choice_box("exportPreset", [], tr("Settings for a program, or your own"))
        self.box.activated.connect(self._pick)
        self.button: QToolButton = icon_button(
            theme, "more", tr("Save or delete presets"), name="exportPresetMenu", menu=True
        )
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._menu = Menu(self.button)
        self.button.setMenu(self._menu)
        self.refill(OWN)

    @property
    def saved(self) -> dict[str, object]:
        """What was saved, by name."""
        found = self._preferences.get(KEPT, {})
        return dict(found) if isinstance(found, dict) else {}

    def refill(self, wanted: str) -> None:
        """List everything again, and choose one."""
        self.box.clear()
        self.box.addItem(tr("Own settings"), OWN)
        for preset in PRESETS.values():
            self.box.addItem(preset.title, preset.id)
            self.box.setItemData(self.box.count() - 1, preset.note, Qt.ItemDataRole.ToolTipRole)
        saved = self.saved
        if saved:
            self.box.insertSeparator(self.box.count())
        for name in sorted(saved, key=str.lower):
            self.box.addItem(name, MINE + name)
        take(self.box, wanted)
        self._menu.clear()
        self._menu.addAction(tr("Save these settings…")).triggered.connect(lambda: self.ask())
        for name in sorted(saved, key=str.lower):
            self._menu.addAction(tr("Delete {name}", name=name)).triggered.connect(
                partial(self._delete, name)
            )

    def follow(self, choice: Choice) -> None:
        """Keep saying the preset's name for as long as everything is as it wants."""
        shown = str(self.box.currentData() or OWN)
        if shown.startswith(MINE):
            kept = self.saved.get(shown[len(MINE) :])
            fits = kept is not None and Choice.from_json(kept) == choice
            take(self.box, shown if fits else OWN)
        else:
            take(self.box, preset_of(choice, shown))

    def _pick(self) -> None:
        name = str(self.box.currentData() or OWN)
        if name in PRESETS:
            self.chosen.emit(from_preset(PRESETS[name], self._now()))
        elif name.startswith(MINE):
            self.chosen.emit(Choice.from_json(self.saved.get(name[len(MINE) :])))

    def ask(self) -> None:
        """Ask under which name to save what is chosen."""
        dialog = Dialog(self._window, tr("Save settings"), "presetName")
        field = QLineEdit()
        field.setObjectName("presetNameField")
        field.setPlaceholderText(tr("Name"))
        field.setMinimumWidth(280)
        dialog.body.addWidget(field)

        def save() -> None:
            name = field.text().strip()
            if name:
                dialog.close()
                self.save(name)

        dialog.add_button(tr("Cancel"), dialog.close)
        button = dialog.add_button(tr("Save"), save, default=True, name="presetSave")
        button.setEnabled(False)
        field.textChanged.connect(lambda text: button.setEnabled(bool(text.strip())))
        dialog.open()
        field.setFocus()

    def save(self, name: str) -> None:
        """Keep what is chosen under a name; one of the same name is replaced."""
        self._preferences.set(KEPT, {**self.saved, name: self._now().to_json()})
        self.refill(MINE + name)

    def _delete(self, name: str) -> None:
        self._preferences.set(KEPT, {key: value for key, value in self.saved.items() if key != name})
        self.refill(OWN)

"""Dialogs: none of them blocks; answers come to callbacks. Only what could lose data asks at all."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDir, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from editor.model.i18n import tr
from editor.qt.theme import Theme
from editor.qt.widgets import label


class BoldButton(QPushButton):
    """The default button: the style draws its words bold, which the width that Qt asks for does not count."""

    def sizeHint(self) -> QSize:
        bold = QFont(self.font())
        bold.setBold(True)
        more = QFontMetrics(bold).horizontalAdvance(self.text()) - self.fontMetrics().horizontalAdvance(
            self.text()
        )
        return super().sizeHint() + QSize(max(more, 0), 0)


class Dialog(QDialog):
    """A window-modal dialog with a body and a row of buttons at the bottom right.

    Parameters
    ----------
    parent : window it belongs to
    title : of the window
    heading : says in the dialog itself what is asked, where the title does not; "" for none
    """

    def __init__(self, parent: QWidget, title: str, name: str = "dialog", heading: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 16, 12)
        outer.setSpacing(12)
        self.body = QVBoxLayout()
        self.body.setSpacing(8)
        if heading:
            outer.addWidget(label(heading, "heading"))
        outer.addLayout(self.body, 1)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        self._buttons.addStretch(1)
        outer.addLayout(self._buttons)

    def add_button(
        self, text: str, pressed: Callable[[], object], default: bool = False, name: str = ""
    ) -> QPushButton:
        """Add a button to the row, left to right."""
        button = BoldButton(text) if default else QPushButton(text)
        button.setObjectName(name)
        button.setDefault(default)
        button.setAutoDefault(default)
        button.clicked.connect(lambda: pressed())
        self._buttons.addWidget(button)
        return button


class Question(Dialog):
    """Asks with one button for each choice; closing it or Escape answers ""."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        title: str,
        text: str,
        choices: Sequence[tuple[str, str]],
        answer: Callable[[str], None],
        default: str = "",
    ) -> None:
        super().__init__(parent, "Posewright", "question", title)
        self._answer: Callable[[str], None] | None = answer
        row = QHBoxLayout()
        row.setSpacing(12)
        picture = QLabel()
        picture.setPixmap(theme.icon("help", "accent").pixmap(QSize(24, 24)))
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        words = label(text, wrap=True)
        words.setMinimumWidth(320)
        row.addWidget(words, 1)
        self.body.addLayout(row)
        for choice, caption in choices:
            self.add_button(caption, partial(self._choose, choice), choice == default, choice)
        self.finished.connect(lambda _: self._choose(""))

    def _choose(self, choice: str) -> None:
        answer, self._answer = self._answer, None
        if answer is None:
            return
        self.close()
        answer(choice)


def ask(
    parent: QWidget,
    theme: Theme,
    title: str,
    text: str,
    choices: Sequence[tuple[str, str]],
    answer: Callable[[str], None],
    default: str = "",
) -> Question:
    """Open a `Question`; returns at once."""
    dialog = Question(parent, theme, title, text, choices, answer, default)
    dialog.open()
    return dialog


class Files(Enum):
    """What is chosen: a file to read or several, the name of one to write, or a folder."""

    ONE = "one"
    SEVERAL = "several"
    SAVE = "save"
    FOLDER = "folder"


def choose_files(
    parent: QWidget,
    title: str,
    filters: Sequence[str],
    chosen: Callable[[list[Path]], object],
    mode: Files = Files.ONE,
    start: Path | None = None,
    suffix: str = "",
) -> QFileDialog:
    """Let the person choose files; `chosen` gets the paths, and nothing where cancelled.

    Parameters
    ----------
    filters : such as "Posewright (*.posewright)"
    mode : what is chosen; the dialog itself asks about a file to write that is there already
    start : folder, or file proposed
    suffix : added to a name without one when saving
    """
    from editor.qt.file_dialog import (
        dress,
    )  # a start needs no file dialog, nor the dozen classes that it is made of

    dialog = QFileDialog(parent, title)
    dialog.setObjectName("files")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setNameFilters(list(filters))
    dialog.setFilter(QDir.Filter.AllEntries | QDir.Filter.NoDotAndDotDot)
    if mode is Files.SAVE:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
    elif mode is Files.FOLDER:
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    else:
        several = mode is Files.SEVERAL
        dialog.setFileMode(
            QFileDialog.FileMode.ExistingFiles if several else QFileDialog.FileMode.ExistingFile
        )
    if start is not None:
        dialog.setDirectory(str(start if start.is_dir() else start.parent))
        if not start.is_dir():
            dialog.selectFile(start.name)
    dialog.filesSelected.connect(lambda names: chosen([Path(name) for name in names]))
    dress(dialog)
    dialog.open()
    return dialog


def unsaved_question(parent: QWidget, theme: Theme, title: str, answer: Callable[[str], None]) -> Question:
    """Ask what to do with unsaved changes: "save", "discard", or "" to stay."""
    return ask(
        parent,
        theme,
        tr("Save changes to {title}?", title=title),
        tr("Changes since the last save are lost if you do not save."),
        (("cancel", tr("Cancel")), ("discard", tr("Don't save")), ("save", tr("Save"))),
        lambda choice: answer("" if choice == "cancel" else choice),
        "save",
    )

"""What the program is."""

import platform
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from editor.model.i18n import tr
from editor.model.logs import log_file
from editor.qt.dialogs import Dialog
from editor.qt.theme import Theme
from editor.qt.widgets import label


class AboutDialog(Dialog):
    """Name, version, licence, and what it runs on."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        try:
            number = version("posewright")
        except PackageNotFoundError:
            number = "–"
        super().__init__(parent, f"Posewright {number}", "about")
        row = QHBoxLayout()
        row.setSpacing(16)
        picture = QLabel()
        picture.setPixmap(theme.icon("pose", "accent").pixmap(QSize(48, 48)))
        row.addWidget(picture)
        text = label(tr("An editor for character animation clips."), wrap=True)
        text.setMinimumWidth(280)
        row.addWidget(text, 1)
        self.body.addLayout(row)
        system = (
            f"Python {platform.python_version()} · Qt {qVersion()} · {platform.system()} {platform.machine()}"
        )
        self.body.addWidget(label(system, "caption"))
        self.body.addWidget(
            label(tr("Free software under the MIT licence. Icons: Phosphor, MIT licence."), "caption")
        )
        where = label(tr("Log file: {path}", path=log_file()), "caption", wrap=True)
        where.setObjectName("logFile")
        where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.body.addWidget(where)
        self.add_button(tr("Close"), self.close, default=True)

"""Builds application, session, theme and window, in the order Qt needs, and runs them."""

import gc
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QSurfaceFormat
from PySide6.QtWidgets import QApplication

from editor.model.i18n import install, tr
from editor.model.preferences import Preferences
from editor.model.session import Session

logger = logging.getLogger(__name__)

SWITCH = 5e-4
"""Seconds after which a thread that computes lets another go on. Python's own 5 ms are waited out at every call into
Qt while something is saved or read in the background: a picture has a hundred of these."""


def prepare(preferences: Preferences) -> None:
    """What has to be settled before there is an application: threads, sharing of contexts, and the scale."""
    sys.setswitchinterval(SWITCH)
    # Floating a dock makes its OpenGL context anew unless all contexts share their objects.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    wanted.setSwapInterval(1)
    QSurfaceFormat.setDefaultFormat(wanted)
    scale = float(preferences.get("scale"))
    if scale != 1.0 and 0.5 <= scale <= 4.0:
        os.environ.setdefault("QT_SCALE_FACTOR", f"{scale:g}")


def run(files: Sequence[str]) -> int:
    """Run the editor on some files (or the sample character); returns the exit status."""
    unknown = [text for text in files if text.startswith("-")]
    if unknown:
        print(f"posewright: no option {unknown[0]!r}; see posewright --help", file=sys.stderr)  # noqa: T201
        return 2
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    preferences = Preferences()
    prepare(preferences)
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("Posewright")
    app.setDesktopFileName("posewright")
    locale = Path(next(iter(__import__("resources").__path__))) / "locale"
    install(
        locale if locale.is_dir() else None,
        [preferences.get("language")] if preferences.get("language") else None,
    )

    from editor.qt.stall import StallLogger
    from editor.qt.theme import Theme
    from editor.shell.panels import panel_specs
    from editor.shell.window import MainWindow

    theme = Theme(app, preferences.get("theme"))
    window = MainWindow(Session.create(), theme, panel_specs())
    window.show()
    stalls = StallLogger(app)
    # What start-up made stays for good: a full collection would look through half a million objects for it, and
    # hold up a drag by 80 ms.
    gc.freeze()
    QTimer.singleShot(0, window, lambda: begin(window, [Path(name) for name in files]))
    try:
        return app.exec()
    finally:
        stalls.close()


def begin(window, files: Sequence[Path]) -> None:
    """Open the files given, else the sample character; then offer what a crash left behind."""
    missing = [path for path in files if not path.is_file()]
    for path in missing:
        window.session.messages.error(tr("There is no file {path}", path=path))
    there = [path for path in files if path not in missing]
    if there:
        window.documents.open(there[0], there[1:])
    else:
        window.documents.load_sample(play=not missing)
    window.documents.offer_recovery()

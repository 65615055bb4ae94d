"""Builds application, session, theme and window, in the order Qt needs, and runs them."""

import gc
import logging
import os
import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QMessageLogContext,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QSurfaceFormat
from PySide6.QtWidgets import QApplication

from core.io.ahead import keep_helpers
from core.io.common.helper.spare import release
from editor.model import logs, screen
from editor.model.i18n import install, tr
from editor.model.leftovers import sweep
from editor.model.opening import sample_path
from editor.model.paths import data_dir
from editor.model.preferences import Preferences
from editor.model.read_ahead import ReadAhead, read_checked
from editor.model.session import Session
from editor.shell.memory import keep_pages

logger = logging.getLogger(__name__)

SWITCH = 5e-4
"""Seconds after which a thread that computes lets another go on. Python's own 5 ms are waited out at every call into
Qt while something is saved or read in the background: a picture has a hundred of these."""


HELPERS_AFTER = 2000
"""Milliseconds after which a helper process for FBX starts: the window and its first pictures come before it."""


def prepare(preferences: Preferences) -> None:
    """What has to be settled before there is an application: threads, memory, sharing of contexts, and the scale."""
    sys.setswitchinterval(SWITCH)
    keep_pages()
    # Floating a dock makes its OpenGL context again unless all contexts share their objects.
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


def application() -> QApplication:
    """The application; a screen that cannot be reached ends the process with words instead of Qt's abort."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    said: list[str] = []

    def hear(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if kind != QtMsgType.QtFatalMsg:
            said.append(text)
            return
        why = next((line for line in said if "display" in line), (said or text.splitlines())[0])
        print(screen.words(why.rstrip(".")), file=sys.stderr, flush=True)  # noqa: T201
        os._exit(1)  # Qt aborts next, with a core dump

    before = qInstallMessageHandler(hear)
    try:
        made = QApplication(sys.argv[:1])
    finally:
        qInstallMessageHandler(before)
    for text in said:
        logger.warning("Qt: %s", text)
    return made


def run(files: Sequence[str]) -> int:
    """Run the editor on some files (or the sample character); returns the exit status."""
    unknown = [text for text in files if text.startswith("-")]
    if unknown:
        print(f"posewright: no option {unknown[0]!r}; see posewright --help", file=sys.stderr)  # noqa: T201
        return 2
    log = logs.start()
    preferences = Preferences()
    prepare(preferences)
    app = application()
    app.setApplicationName("Posewright")
    app.setDesktopFileName("posewright")
    locale = Path(next(iter(__import__("resources").__path__))) / "locale"
    install(
        locale if locale.is_dir() else None,
        [preferences.get("language")] if preferences.get("language") else None,
    )

    ahead = None if files else read_sample()
    from editor.qt.collector import Collector
    from editor.qt.stall import StallLogger
    from editor.qt.theme import Theme
    from editor.shell.kernel_start import KernelStart
    from editor.shell.panels import panel_specs
    from editor.shell.window import MainWindow

    theme = Theme(app, preferences.get("theme"))
    window = MainWindow(Session.create(), theme, panel_specs())
    window.show()
    stalls = StallLogger(app)
    collector = Collector(app)
    kernels = KernelStart(app)
    sweep_later(window.session.preferences)
    # What start-up made stays for good: a full collection would look through half a million objects for it, and
    # hold up a drag by 80 ms.
    gc.freeze()
    spare_documents(window.session)
    QTimer.singleShot(HELPERS_AFTER, window, lambda: window.runner(keep_helpers, lambda: None))
    QTimer.singleShot(0, window, lambda: begin(window, [Path(name) for name in files], ahead))
    try:
        return app.exec()
    finally:
        release()
        kernels.close()
        stalls.close()
        collector.close()
        if log is not None:
            logging.getLogger().removeHandler(log)
            log.close()


def spare_documents(session: Session) -> None:
    """Keep full collections from looking through documents that are opened: 130 ms for two hundred clips.

    A document has no cycles: what nobody refers to any more goes without them.
    """

    def spare() -> None:
        gc.collect(1)
        gc.freeze()

    session.document.replaced.connect(lambda _: QTimer.singleShot(0, spare))


def sweep_later(preferences: Preferences) -> threading.Thread:
    """Remove what programs that were killed left behind, beside everything else."""
    own = [preferences.path.parent, data_dir(), *(data_dir() / name for name in ("journal", "backups"))]
    sweeper = threading.Thread(target=sweep, args=(own, preferences.recent), name="sweeper", daemon=True)
    sweeper.start()
    return sweeper


def read_sample() -> ReadAhead | None:
    """Begin to read the sample character, beside the making of the window; None where it is missing."""
    path = sample_path()
    return ReadAhead(partial(read_checked, path)) if path.is_file() else None


def begin(window, files: Sequence[Path], sample: ReadAhead | None = None) -> None:
    """Open the files given, else the sample character; then offer what a crash left behind.

    Parameters
    ----------
    sample : the sample character where it is being read already
    """
    missing = [path for path in files if not path.is_file()]
    for path in missing:
        window.session.messages.error(tr("There is no file {path}", path=path))
    there = [path for path in files if path not in missing]
    if there:
        window.documents.open(there[0], there[1:])
    else:
        window.documents.load_sample(play=not missing, ahead=sample)
        greet = getattr(window.centre_body.panel, "first_card", None)
        if greet is not None:
            greet.greet()
    window.documents.offer_recovery()

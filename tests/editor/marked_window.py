"""Opens the real window under a catalogue that marks what it translates, and prints visible text without a mark.

A program of its own, because modules translate their tables when they are first imported:
``python -m tests.editor.marked_window`` prints a JSON list of ``[where, text]``.
"""

import gettext
import json
import re
import sys
from collections.abc import Iterator

from editor.model import i18n

BEGIN, END = "⟦", "⟧"


class Marking(gettext.NullTranslations):
    """Puts brackets around every text that passes `tr`."""

    def gettext(self, message: str) -> str:
        return f"{BEGIN}{message}{END}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


i18n._catalogue = Marking()

from PySide6.QtCore import Qt  # noqa: E402
from PySide6.QtGui import QAction  # noqa: E402
from PySide6.QtWidgets import (  # noqa: E402
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabBar,
    QTreeWidget,
    QWidget,
)

import core.io  # noqa: E402
from editor.model.guide import guide_folder  # noqa: E402
from editor.shell.guide import GuideDialog  # noqa: E402
from editor.shell.help import AboutDialog  # noqa: E402
from editor.shell.panels import panel_specs  # noqa: E402
from editor.shell.preferences_dialog import PreferencesDialog  # noqa: E402
from editor.shell.shortcut_sheet import ShortcutSheet  # noqa: E402
from tests.editor.stage import stage  # noqa: E402


def texts_of(widget: QWidget) -> Iterator[tuple[str, str]]:
    """Everything that a widget shows or says, with what it is."""
    yield "tooltip", widget.toolTip()
    yield "accessible name", widget.accessibleName()
    if widget.isWindow():
        yield "window title", widget.windowTitle()
    if isinstance(widget, QLabel):
        yield "text", widget.text()
    if isinstance(widget, QAbstractButton):
        yield "text", widget.text()
    if isinstance(widget, QLineEdit):
        yield "placeholder", widget.placeholderText()
    if isinstance(widget, QTabBar):
        for number in range(widget.count()):
            yield "tab", widget.tabText(number)
            yield "tab tooltip", widget.tabToolTip(number)
    if isinstance(widget, QComboBox):
        for number in range(widget.count()):
            yield "choice", widget.itemText(number)
            yield "choice tooltip", str(widget.itemData(number, Qt.ItemDataRole.ToolTipRole) or "")
    if isinstance(widget, QAbstractItemView) and isinstance(widget, QTreeWidget):
        for column in range(widget.columnCount()):
            yield "header", widget.headerItem().text(column)
            yield "header tooltip", widget.headerItem().toolTip(column)


def shown(top: QWidget) -> Iterator[tuple[str, str]]:
    """Everything that a window and what is in it shows."""
    for widget in (top, *top.findChildren(QWidget)):
        name = widget.objectName() or type(widget).__name__
        yield from ((f"{name} {what}", text) for what, text in texts_of(widget))
    for action in top.findChildren(QAction):
        where = f"action {action.objectName() or action.text()}"
        yield from ((where, text) for text in (action.text(), action.toolTip(), action.statusTip()))


FOREIGN = re.compile(
    r"Posewright( [\d.]+|\b.*)?|Blender|Maya|Python .* Qt .*|[XYZ]{3}"  # names of programs, versions, Euler orders
    r"|Float|Close|Scroll (Left|Right)|Export(\.\.\.)?"  # of Qt's docks and tabs, and pyqtgraph's hidden menu
)
KEYS = re.compile(r"\((?:(?:Ctrl|Shift|Alt|Meta|Num)\+)*[A-Za-z0-9]+\)$")


def unmarked(texts: Iterator[tuple[str, str]], names: set[str]) -> Iterator[tuple[str, str]]:
    """Those with words that no translation made and that are no names of the document's."""
    for where, text in texts:
        rest = text
        if BEGIN in text:  # marks may be nested: a translated value within a translated text
            rest = text[: text.index(BEGIN)] + text[text.rfind(END) + 1 :] * (
                END in text
            )  # or cut off by "…"
        words = KEYS.sub("", re.sub(r"<[^>]*>|&|\[\*\]| – ", "", rest).strip()).strip()
        known = words in names or words.rstrip("0123456789 ") in names or FOREIGN.fullmatch(words)
        if re.search("[A-Za-z]{3}", words) and not known:
            yield where, text


def main() -> int:
    app = QApplication.instance() or QApplication(sys.argv)
    project = core.io.load(guide_folder().parent / "sample" / "mannequin.posewright").project
    rig = project.rigs[0]
    names = {
        *(asset.name for asset in project.assets.values()),
        *rig.skeleton.names,
        *rig.bone_sets,
        *rig.masks,
    }
    names |= {name for clip in project.clips for name in (*clip.curves, *clip.morphs)}
    found: dict[tuple[str, str], None] = {}
    panels = [spec.id for spec in panel_specs()]
    with stage(app, *panels, project=lambda: project) as here:
        here.session.selection.select(("hand_l",))
        for dock in here.window.docks.values():
            dock.raise_()
            here.user.settle()
            found |= dict.fromkeys(unmarked(shown(here.window), names))
        for dialog in (
            PreferencesDialog(here.window, here.window.context),
            ShortcutSheet(here.window, here.window.context),
            AboutDialog(here.window, here.theme),
            GuideDialog(here.window, here.theme),
        ):
            dialog.show()
            here.user.settle()
            found |= dict.fromkeys(unmarked(shown(dialog), names))
            dialog.close()
    print(json.dumps(list(found), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())

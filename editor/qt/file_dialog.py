"""The dialog that chooses files: the system's where there is one, else Qt's, dressed as the rest of the window.

Qt's own brings icons of another family, narrow columns and letters to underline. What it does with names, folders and
completion is kept: only what is seen is ours.
"""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileInfo, QModelIndex, QPersistentModelIndex, QSize, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QAbstractFileIconProvider, QIcon, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QLabel,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QWidget,
)

from editor.model.i18n import tr
from editor.qt.icons import IconSet
from editor.qt.tokens import THEMES

SIZE = QSize(880, 560)
ICON = 16
NAME, BYTES, KIND, CHANGED = range(4)
"""Columns of Qt's file model."""
QFILE_PATH = int(Qt.ItemDataRole.UserRole) + 1
"""The model's role for a path (``QFileSystemModel::FilePathRole``)."""
SIDE, BYTES_WIDTH, CHANGED_WIDTH = 190, 90, 130
BUTTONS = {
    "backButton": "back",
    "forwardButton": "forward",
    "toParentButton": "up",
    "newFolderButton": "add",
}
PLACES = (
    QStandardPaths.StandardLocation.HomeLocation,
    QStandardPaths.StandardLocation.DesktopLocation,
    QStandardPaths.StandardLocation.DocumentsLocation,
    QStandardPaths.StandardLocation.DownloadLocation,
)
KEPT_FOLDERS = 6

_visited: list[Path] = []
"""Folders that files were chosen in since the program began, newest first."""


class FileIcons(QAbstractFileIconProvider):
    """Folders and files in the window's icon family."""

    def __init__(self, icons: IconSet) -> None:
        super().__init__()
        self._folder, self._file = icons.icon("open", "dim"), icons.icon("file", "dim")

    def icon(self, asked: QFileInfo | QAbstractFileIconProvider.IconType) -> QIcon:  # type: ignore[override]
        """The icon of a file, or of a kind of them."""
        if isinstance(asked, QFileInfo):
            return self._folder if asked.isDir() else self._file
        kinds = QAbstractFileIconProvider.IconType
        return self._file if asked == kinds.File else self._folder


class FileRows(QStyledItemDelegate):
    """Sizes below their heading, and times that sort as they read."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Text and side of a cell."""
        super().initStyleOption(option, index)
        if index.column() == BYTES:
            option.displayAlignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        elif index.column() == CHANGED:
            path = index.siblingAtColumn(NAME).data(QFILE_PATH)
            option.text = QFileInfo(str(path)).lastModified().toString("yyyy-MM-dd HH:mm")


def dress(dialog: QFileDialog) -> None:
    """Give Qt's file dialog the look of the window; the system's own is left as it is."""
    tree = dialog.findChild(QTreeView, "treeView")
    if tree is None:
        return
    dialog.resize(SIZE)
    window = dialog.palette().color(QPalette.ColorRole.Window)
    icons = IconSet(THEMES["dark" if window.lightness() < 128 else "light"])
    provider = FileIcons(icons)
    dialog.setIconProvider(provider)
    dialog.setProperty("icons", provider)  # Qt does not keep it
    for name, icon in BUTTONS.items():
        button = dialog.findChild(QToolButton, name)
        if button is not None:
            button.setIcon(icons.icon(icon))
            button.setIconSize(QSize(ICON, ICON))
            button.setAutoRaise(True)
    for name in ("listModeButton", "detailModeButton"):
        button = dialog.findChild(QToolButton, name)
        if button is not None:
            button.hide()
    labels = QFileDialog.DialogLabel
    saves = dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    dialog.setLabelText(labels.LookIn, tr("Folder"))
    dialog.setLabelText(labels.FileName, tr("Name"))
    dialog.setLabelText(labels.FileType, tr("Format"))
    dialog.setLabelText(labels.Accept, tr("Save") if saves else tr("Open"))
    dialog.setLabelText(labels.Reject, tr("Cancel"))
    _dress_list(tree)
    for kind in (QListView, QTreeView):
        for view in dialog.findChildren(kind):
            view.setIconSize(QSize(ICON, ICON))
    box = dialog.findChild(QDialogButtonBox, "buttonBox")
    if box is not None:
        for one in box.buttons():
            one.setIcon(QIcon())
    side = dialog.findChild(QWidget, "sidebar")
    if side is not None:
        side.setMinimumWidth(SIDE)
    for text in dialog.findChildren(QLabel):
        text.setProperty("role", "dim")
    dialog.setSidebarUrls(
        [QUrl.fromLocalFile(str(path)) for path in places(dialog.directory().absolutePath())]
    )
    dialog.filesSelected.connect(_visit)


def _dress_list(tree: QTreeView) -> None:
    """Name over the whole width, sizes and times in columns that hold them, no kind: endings tell it."""
    tree.setItemDelegate(FileRows(tree))
    tree.setProperty("role", "table")
    tree.setUniformRowHeights(True)
    tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    header = tree.header()
    header.setSectionHidden(KIND, True)
    header.setStretchLastSection(False)
    header.setMinimumSectionSize(60)
    header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
    for column, width in ((BYTES, BYTES_WIDTH), (CHANGED, CHANGED_WIDTH)):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(column, width)


def places(folder: str) -> Iterable[Path]:
    """Folders at the side: the user's own, where files were chosen before, and the one that is shown."""
    own = (Path(QStandardPaths.writableLocation(place)) for place in PLACES)
    found = dict.fromkeys([*own, *_visited, Path(folder)])
    return [path for path in found if str(path) and path.is_dir()]


def _visit(names: list[str]) -> None:
    for name in names[:1]:
        folder = Path(name).parent
        _visited[:] = [folder, *(path for path in _visited if path != folder)][:KEPT_FOLDERS]

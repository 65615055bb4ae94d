"""The guide, to read and to search while working: pages at the left, the chosen one at the right."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QFontDatabase,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
    QTextLength,
)
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from editor.model.guide import SCRIPTS, GuidePage, found_pages, guide_pages
from editor.model.i18n import tr
from editor.qt import tokens
from editor.qt.dialogs import Dialog
from editor.qt.theme import Theme
from editor.qt.widgets import SearchField, label
from editor.shell.guide_text import GuideText

WIDTH, HEIGHT, LIST = 1080, 680, 248
PAGE = Qt.ItemDataRole.UserRole
SECTIONS = {"": tr("Editor"), SCRIPTS: tr("Python scripts")}


class GuideDialog(Dialog):
    """Stays open beside the window; the search looks into every page."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent, tr("Guide"), "guide")
        self._theme, self._pages = theme, guide_pages()
        self.resize(WIDTH, HEIGHT)
        self.search = SearchField(theme, tr("Search the guide"))
        self.search.setObjectName("guideSearch")
        self.search.textChanged.connect(self._fill)
        self.list = QListWidget()
        self.list.setObjectName("guidePages")
        self.list.setAccessibleName(tr("Pages"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(lambda item, _: self._show(item))
        self.empty = label(tr("No page contains these words."), "dim", wrap=True)
        self.empty.setObjectName("guideEmpty")
        left, holder = QVBoxLayout(), QWidget()
        left.setContentsMargins(0, 0, 0, 0)
        left.addWidget(self.search)
        left.addWidget(self.empty)
        left.addWidget(self.list, 1)
        holder.setLayout(left)
        holder.setFixedWidth(LIST)
        self.text = GuideText()
        self.text.setObjectName("guideText")
        self.text.setAccessibleName(tr("Page"))
        self.text.setOpenExternalLinks(True)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(holder)
        row.addWidget(self.text, 1)
        self.body.addLayout(row, 1)
        self.add_button(tr("Close"), self.close, default=True)
        self._fill("")

    def _fill(self, words: str) -> None:
        found = found_pages(self._pages, words)
        self.list.clear()
        sections: list[str] = []
        for page in found:
            if page.section not in sections and not words.strip():
                sections.append(page.section)
                head = QListWidgetItem(SECTIONS.get(page.section, page.section), self.list)
                head.setFlags(Qt.ItemFlag.NoItemFlags)
                head.setFont(self._theme.font(tokens.CAPTION, bold=True))
            item = QListWidgetItem(page.title, self.list)
            item.setData(PAGE, page)
            item.setToolTip(page.title)
        self.empty.setVisible(not found)
        if found:
            self.list.setCurrentRow(len(sections[:1]))

    def _show(self, item: QListWidgetItem | None) -> None:
        page = item.data(PAGE) if item is not None else None
        if not isinstance(page, GuidePage):
            return
        document = QTextDocument(self.text)
        document.setDefaultFont(self._theme.font())
        document.setBaseUrl(QUrl.fromLocalFile(f"{page.path.parent}/"))  # for its images
        document.setMarkdown(page.text)
        self.text.show_page(document, self._dress(document))

    def _dress(self, document: QTextDocument) -> list[str]:
        """Give code a background and a fixed-width font, tables quiet lines, and other blocks some room.

        Nothing is wider than the page: pictures get smaller, and the words in tables are wrapped.

        Returns
        -------
        list of str : names of the pictures
        """
        names: list[str] = []
        whole = QTextLength(QTextLength.Type.PercentageLength, 100)
        fixed = QTextCharFormat()
        fixed.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        fixed.setProperty(QTextFormat.Property.FontPixelSize, tokens.BODY)
        for frame in document.rootFrame().childFrames():
            look = frame.frameFormat()
            look.setBorderBrush(self._theme.color("border"))
            look.setWidth(whole)
            look.setRightMargin(1)  # Qt does not count the line at the right
            frame.setFrameFormat(look)
        cursor = QTextCursor(document)
        block = document.begin()
        while block.isValid():
            cursor.setPosition(block.position())
            room = QTextBlockFormat()
            after_code, code = _is_code(block.previous()), _is_code(block)
            if code:
                room.setBackground(self._theme.color("raised"))
                room.setNonBreakableLines(True)
            room.setTopMargin(8 if code != after_code or (not code and block.textList() is None) else 0)
            room.setBottomMargin(0 if code else 4)
            cursor.mergeBlockFormat(room)
            if code:
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(fixed)
            for place, picture in _pictures(block):
                picture.setMaximumWidth(whole)
                names.append(picture.name())
                cursor.setPosition(place)
                cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(picture)
            block = block.next()
        return names


def _pictures(block: QTextBlock) -> list[tuple[int, QTextImageFormat]]:
    """The pictures in a block, with their places in the document."""
    found, parts = [], block.begin()
    while not parts.atEnd():
        part = parts.fragment()
        if part.charFormat().isImageFormat():
            found.append((part.position(), part.charFormat().toImageFormat()))
        parts += 1
    return found


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)

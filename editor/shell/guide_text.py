"""A page of text whose pictures are made smaller smoothly: Qt leaves out pixels, which breaks up small writing."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QPixmap, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QTextBrowser

IMAGE = QTextDocument.ResourceType.ImageResource


class GuideText(QTextBrowser):
    """Shows documents; their pictures are as wide as the page at the most, whatever its width."""

    def __init__(self) -> None:
        super().__init__()
        self._pictures: dict[str, QPixmap] = {}

    def show_page(self, document: QTextDocument, pictures: list[str]) -> None:
        """Show a document of which these are the names of the pictures."""
        self._pictures = {}
        self.setDocument(document)
        for name in pictures:
            found = document.resource(IMAGE, QUrl(name))
            if isinstance(found, QPixmap) and not found.isNull():
                self._pictures[name] = found
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        document, dense = self.document(), self.devicePixelRatioF()
        room = self.viewport().width() - 2 * document.documentMargin()
        for name, picture in self._pictures.items():
            shown = picture
            if 0 < room < picture.width():
                shown = picture.scaledToWidth(round(room * dense), Qt.TransformationMode.SmoothTransformation)
                shown.setDevicePixelRatio(dense)
            document.addResource(IMAGE, document.baseUrl().resolved(QUrl(name)), shown)
        if self._pictures:
            document.markContentsDirty(0, document.characterCount())

"""The guide in the Help menu, by mouse and keys."""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument, QTextFormat
from PySide6.QtWidgets import QApplication, QListWidget, QTextBrowser

from editor.model.guide import guide_pages


def open_guide(here):
    here.user.press("F3")
    here.user.type_into("paletteField", "python")
    dialog = here.user.find("guide")
    dialog.activateWindow()  # as a window manager does
    here.user.wait_until(lambda: QApplication.activeWindow() is dialog)
    return dialog


def shown_text(dialog):
    return dialog.findChild(QTextBrowser, "guideText").toPlainText()


def rows(dialog):
    pages = dialog.findChild(QListWidget, "guidePages")
    return [pages.item(n).text() for n in range(pages.count())]


def has_code(document: QTextDocument) -> bool:
    blocks = [document.findBlockByNumber(k) for k in range(document.blockCount())]
    return any(b.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence) for b in blocks)


def test_guide_is_found_by_what_people_call_it_and_shows_the_first_page(here):
    dialog = open_guide(here)
    pages = guide_pages()
    assert shown_text(dialog).startswith(pages[0].title)
    assert [row for row in rows(dialog) if row in {p.title for p in pages}] == [p.title for p in pages]
    items = dialog.findChild(QListWidget, "guidePages")
    tips = {items.item(n).text(): items.item(n).toolTip() for n in range(items.count())}
    assert all(tips[page.title] == page.title for page in pages), "a long title is cut in the list"


def test_click_on_a_recipe_shows_it_with_its_code(here):
    dialog = open_guide(here)
    here.user.click_row(dialog.findChild(QListWidget, "guidePages"), "Set keys")
    assert "with_keys(clip, 0.5, {channel: 12.0})" in shown_text(dialog)


def test_search_lists_pages_with_every_word_and_says_where_there_is_none(here):
    dialog = open_guide(here)
    here.user.type_into("guideSearch", "mirror clip", enter=False)
    assert rows(dialog)[0] == "Mirror a pose and a clip" and shown_text(dialog).startswith(rows(dialog)[0])
    here.user.type_into("guideSearch", "no-such-word", enter=False)
    assert rows(dialog) == [] and here.user.find("guideEmpty").isVisible()


def test_guide_stays_open_beside_the_window_while_it_is_used(here):
    dialog = open_guide(here)
    assert not dialog.isModal()
    dialog.close()
    here.user.settle()
    assert not here.user.visible("guide")


def test_pictures_of_a_page_are_there(here):
    dialog = open_guide(here)
    page = next(page for page in guide_pages() if "layers.png" in page.text)
    here.user.click_row(dialog.findChild(QListWidget, "guidePages"), page.title)
    document = dialog.findChild(QTextBrowser, "guideText").document()
    found = document.resource(QTextDocument.ResourceType.ImageResource, QUrl("layers.png"))
    assert found is not None and not found.isNull()


@pytest.mark.parametrize("width", [None, 760])
def test_no_page_is_wider_than_its_room(here, width):
    """Pictures get smaller and tables wrap their words; long lines of code alone are scrolled in a narrow window."""
    dialog = open_guide(here)
    if width is not None:
        dialog.resize(width, dialog.height())
    items, text = dialog.findChild(QListWidget, "guidePages"), dialog.findChild(QTextBrowser, "guideText")
    for number in range(items.count()):
        items.setCurrentRow(number)
        here.user.settle()
        if width is None or not has_code(text.document()):
            assert text.horizontalScrollBar().maximum() == 0, items.item(number).text()


def test_links_to_other_places_are_opened_by_the_system(here):
    assert open_guide(here).findChild(QTextBrowser, "guideText").openExternalLinks()


def test_a_picture_is_made_smaller_smoothly_and_anew_for_every_width(here):
    dialog = open_guide(here)
    text, first = dialog.findChild(QTextBrowser, "guideText"), guide_pages()[0]
    here.user.click_row(dialog.findChild(QListWidget, "guidePages"), first.title)
    whole = QImage(str(first.path.parent / "view.png")).convertToFormat(QImage.Format.Format_RGB32)
    for width in (900, 760, 1600):
        dialog.resize(width, dialog.height())
        here.user.settle()
        room = text.viewport().width() - 2 * text.document().documentMargin()
        shown = text.document().resource(QTextDocument.ResourceType.ImageResource, QUrl("view.png")).toImage()
        assert shown.width() == min(round(room), whole.width())
        smooth = whole.scaledToWidth(shown.width(), Qt.TransformationMode.SmoothTransformation)
        assert shown.convertToFormat(smooth.format()) == smooth
    assert shown.size() == whole.size(), "the widest page shows the picture as it is"

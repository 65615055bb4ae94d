"""The clip panel: the list, its buttons, and the settings of the clip shown."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from core.clips.edits import KeepTime
from core.ids import AssetId
from core.timing import rate_text
from editor.model.i18n import tr
from editor.panels.clips.list_view import ClipModel, ClipView
from editor.panels.clips.settings import ClipSettings
from editor.panels.clips.thumbnails import ClipThumbnails
from editor.panels.clips.view_model import ClipList
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.menu import Menu
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, SearchField, icon_button, line

MANY = 8
"""Clips from which on the list has a search field."""


class ClipsPanel(Panel):
    """A click shows a clip, a double click renames it; dragging one out offers it to other panels."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.context, self.theme = context, context.theme
        self.clips = ClipList(context.session)
        self.model = ClipModel(self.clips, self)
        self.thumbnails = ClipThumbnails(context.session, self)
        self._build()
        session = context.session
        self._seen: AssetId | None = None
        Bindings(self).refresh(self.refresh, session.document.changed, session.playback.clip_changed)
        self.theme.changed.connect(self.view.viewport().update)
        self.refresh()

    def _build(self) -> None:
        self.search = SearchField(self.theme, tr("Find"), self)
        self.search.setObjectName("clipSearch")
        self.search.textChanged.connect(self.refresh)
        self.add = icon_button(self.theme, "add", tr("New clip"), name="newClip")
        self.copy = icon_button(self.theme, "duplicate", tr("Duplicate clip"), name="duplicateClip")
        self.remove = icon_button(self.theme, "delete", tr("Delete clip"), name="deleteClip")
        self.add.clicked.connect(lambda: self.clips.new())
        self.copy.clicked.connect(lambda: self._with_shown(self.clips.duplicate))
        self.remove.clicked.connect(lambda: self._with_shown(self.clips.delete))
        self.view = ClipView(self.model, self.theme, self.thumbnails.picture, self)
        self.thumbnails.ready.connect(self.view.viewport().update)
        self.view.setMinimumHeight(tokens.LEAST_LIST)
        self.view.clicked.connect(lambda index: self.clips.show(self.model.rows[index.row()].id))
        self.view.activated.connect(lambda index: self.clips.show(self.model.rows[index.row()].id))
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.empty = EmptyState(self.theme, "clips", "", tr("New clip"), self.clips.new)
        self.settings = ClipSettings(self.theme)
        self.settings.frames_changed.connect(self._set_frames)
        self.settings.rate_changed.connect(self._set_rate)
        self.settings.looping_changed.connect(
            lambda on: self._with_shown(lambda c: self.clips.set_looping(c, on))
        )
        self.settings.root_changed.connect(self._set_root)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        self._line = line()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._stack, 1)
        layout.addWidget(self._line)
        layout.addWidget(self.settings)

    def title_widgets(self) -> list[QWidget]:
        """Search (where there are many clips) and buttons stand in the title bar."""
        return [self.search, self.add, self.copy, self.remove]

    def panel_actions(self) -> Mapping[str, Callable[[], object]]:
        return {"clip.rename": self.rename_shown}

    def close_panel(self) -> None:
        """Make no more pictures."""
        self.thumbnails.close()

    def focus_widget(self) -> QWidget:
        """Gets the focus when the pointer comes in."""
        return self.view

    def refresh(self, *_: object) -> None:
        """List the clips as they are now."""
        if self._seen != self.context.session.playback.clip:
            self._seen = self.context.session.playback.clip
            self._find_shown()
        rows = self.clips.rows(self.search.text())
        self.search.setVisible(len(rows) > MANY or bool(self.search.text()))
        if rows != self.model.rows:
            self.model.show(rows)
        self.thumbnails.forget(clip.id for clip in self.context.session.document.project.clips)
        self.view.viewport().update()
        shown = next((place for place, row in enumerate(rows) if row.shown), None)
        if shown is not None and self.view.currentIndex().row() != shown:
            self.view.selectionModel().setCurrentIndex(
                self.model.index(shown), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
            self.view.scrollTo(self.model.index(shown))
        elif shown is None:  # the character rests
            self.view.clearSelection()
        settings = self.clips.settings()
        self.settings.show_settings(settings)
        self._line.setVisible(settings is not None)
        for button in (self.copy, self.remove):
            button.setEnabled(settings is not None)
        self.add.setEnabled(self.clips.has_rig)
        self._show_empty(bool(rows))

    def _show_empty(self, any_rows: bool) -> None:
        if not self.clips.has_rig:
            text = tr("Clips of the character appear here. Open or import one first.")
        elif self.search.text():
            text = tr("No clip matches the search.")
        else:
            text = tr("No clips yet. Create one, or drop a file onto the window.")
        self.empty.set_text(text)
        if self.empty.button is not None:
            self.empty.button.setVisible(self.clips.has_rig and not self.search.text())
        self._stack.setCurrentIndex(0 if any_rows else 1)

    def _find_shown(self) -> None:
        """Another clip is shown (by undo, say): words that hide it from the list give way."""
        playback, words = self.context.session.playback, self.search.text()
        clip = playback.below or playback.clip
        if words and clip is not None and all(row.id != clip for row in self.clips.rows(words)):
            self.search.clear()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.view.scrollTo(self.view.currentIndex())

    def rename_shown(self) -> None:
        """Begin to rename the clip shown, in its row."""
        self.search.clear()
        self.refresh()
        row = next((place for place, row in enumerate(self.model.rows) if row.shown), None)
        if row is not None:
            self.view.setFocus()
            self.view.edit(self.model.index(row))

    # ------------------------------------------------------------ editing
    def _with_shown(self, work) -> None:
        settings = self.clips.settings()
        if settings is not None:
            work(settings.id)
            self.refresh()

    def _set_frames(self, frames: float) -> None:
        self._with_shown(lambda clip: self.clips.set_frames(clip, frames))

    def _set_root(self, name: str, value: object) -> None:
        self._with_shown(lambda clip: self.clips.set_root_motion(clip, {name: value}))

    def _set_rate(self, rate: float) -> None:
        settings = self.clips.settings()
        if settings is None:
            return
        clip = settings.id
        if not self.clips.rate_asks(clip, rate):
            self.clips.set_rate(clip, rate, KeepTime.SECONDS)
            return
        seconds, frames = settings.seconds, settings.frames
        self.context.window.ask(
            tr("Change the rate to {rate} fps?", rate=rate_text(rate)),
            tr(
                "Keep seconds: it plays as before, {seconds} s long.\n"
                "Keep frames: every key stays on its frame; the clip then lasts {other} s.",
                seconds=f"{seconds:.3f}",
                other=f"{frames / rate:.3f}",
            ),
            (("cancel", tr("Cancel")), ("frames", tr("Keep frames")), ("seconds", tr("Keep seconds"))),
            lambda choice: self._rate_chosen(clip, rate, choice),
            "seconds",
        )

    def _rate_chosen(self, clip: AssetId, rate: float, choice: str) -> None:
        if choice in ("seconds", "frames"):
            self.clips.set_rate(clip, rate, KeepTime(choice))
        self.refresh()

    def _open_menu(self, place: QPoint) -> None:
        index = self.view.indexAt(place)
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        entries: list[tuple[str, Callable[[], object]]] = [(tr("New clip"), self.clips.new)]
        if index.isValid():
            clip = self.model.rows[index.row()].id
            entries = [
                (tr("Show"), lambda: self.clips.show(clip)),
                (tr("Rename"), lambda: self.view.edit(index)),
                (tr("Duplicate"), lambda: self.clips.duplicate(clip)),
                (tr("Delete"), lambda: self.clips.delete(clip)),
            ]
        for text, work in entries:
            action = QAction(text, menu)
            action.triggered.connect(lambda _, work=work: work())
            menu.addAction(action)
        menu.popup(self.view.viewport().mapToGlobal(place))


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return ClipsPanel(context)

"""The media panel: the sounds and references of the clip, and the fields of the one chosen."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from core.ids import AssetId
from core.media.tracks import AudioTrack, Placement, ReferenceTrack, Track
from editor.model.i18n import tr
from editor.model.media.state import Media
from editor.panels.media.view_model import filters, rows
from editor.qt.action_tip import action_button, tell_action
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox, KeyCheckBox
from editor.qt.dialogs import choose_files
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, add_heading, label

NAME, START, ABOUT = 0, 1, 2
PLACES = ((Placement.BEHIND, tr("Behind the character")), (Placement.CARD, tr("Card in front")))


class MediaPanel(Panel):
    """List and fields; every change is one undo step."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("mediaPanel")
        self.context, self.theme, self.session = context, context.theme, context.session
        self.media = context.session.feature(Media)
        self._fields: dict[str, NumberField] = {}
        self._only: dict[QWidget, type[Track]] = {}
        self._filling = False
        self._build()
        bindings = Bindings(self)
        bindings.refresh(
            self.refresh,
            self.media.changed,
            self.session.playback.clip_changed,
            self.session.document.changed,
        )
        bind = context.actions.bind
        self._unbind = [
            bind("media.add_audio", partial(self._choose, True)),
            bind("media.add_reference", partial(self._choose, False)),
            bind("media.choose_another", self._choose_another),
        ]
        self.destroyed.connect(lambda: [unbind() for unbind in self._unbind])
        self.theme.changed.connect(self.refresh)
        self.refresh()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(6)
        self.body = QWidget()
        inner = QVBoxLayout(self.body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(6)
        buttons = [
            self._button(icon, id, name)
            for icon, id, name in (
                ("audio", "media.add_audio", "mediaAddAudio"),
                ("add", "media.add_reference", "mediaAddReference"),
                ("delete", "media.remove", "mediaRemove"),
            )
        ]
        add_heading(inner, self.theme, tr("Audio and reference"), *buttons)
        self.list = QTreeWidget()
        self.list.setObjectName("mediaList")
        self.list.setProperty("role", "table")
        self.list.setHeaderLabels([tr("Name"), tr("Start"), tr("File")])
        self.list.setRootIsDecorated(False)
        header = self.list.header()
        header.setStretchLastSection(False)
        for place in (NAME, ABOUT):
            header.setSectionResizeMode(place, header.ResizeMode.Stretch)
        header.setSectionResizeMode(START, header.ResizeMode.ResizeToContents)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.currentItemChanged.connect(lambda now, _: self._on_row(now))
        self.list.itemDoubleClicked.connect(lambda item, _: self._toggle(item))
        self.list.setToolTip(tr("Double-click mutes a sound or hides a reference, or back"))
        inner.addWidget(self.list, 1)
        self.path = label("", "caption", wrap=True)
        self.path.setObjectName("mediaPath")
        inner.addWidget(self.path)
        self.another = QPushButton(tr("Choose another…"))
        self.another.setObjectName("mediaChooseAnother")
        tell_action(self.another, self.context.actions, "media.choose_another")
        self.another.clicked.connect(self._choose_another)
        row = QHBoxLayout()
        row.addWidget(self.another)
        row.addStretch(1)
        inner.addLayout(row)
        inner.addLayout(self._build_fields())
        self.empty = EmptyState(
            self.theme, "media", tr("No audio or reference"), tr("Add audio…"),
            lambda: self.context.actions.run("media.add_audio"),
        )  # fmt: skip
        column.addWidget(self.body, 1)
        column.addWidget(self.empty)

    def _build_fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        number = partial(self._number, grid)
        number("start", tr("Start"), "f", (-1e6, 1e6), tr("Frame of the clip at which the file begins"), None)
        number("volume", tr("Volume"), "%", (0.0, 400.0), tr("How loud the sound is"), AudioTrack)
        self.place = ChoiceBox()
        self.place.setObjectName("mediaPlace")
        for place, text in PLACES:
            self.place.addItem(text, place)
        self.place.activated.connect(lambda _: self._set_place())
        self._row(grid, tr("Place"), self.place, ReferenceTrack)
        number(
            "opacity",
            tr("Opacity"),
            "%",
            (0.0, 100.0),
            tr("How much of the reference is seen"),
            ReferenceTrack,
        )
        number(
            "x",
            tr("Middle, across"),
            "%",
            (-1000.0, 1000.0),
            tr("From the left edge of the view"),
            ReferenceTrack,
        )
        number(
            "y",
            tr("Middle, down"),
            "%",
            (-1000.0, 1000.0),
            tr("From the upper edge of the view"),
            ReferenceTrack,
        )
        number("size", tr("Height"), "%", (2.0, 1000.0), tr("Of the height of the view"), ReferenceTrack)
        number(
            "rate", tr("Images a second"), "fps", (0.0, 1000.0),
            tr("Of a numbered sequence; 0 is the frame rate of the clip. A video has its own"), ReferenceTrack,
        )  # fmt: skip
        self.every = KeyCheckBox(tr("With every clip"))
        self.every.setObjectName("mediaEvery")
        self.every.setToolTip(tr("Play or show it with every clip of the document, not with this one alone"))
        self.every.clicked.connect(self._set_every)
        grid.addWidget(self.every, grid.rowCount(), 1)
        return grid

    def _button(self, icon: str, id: str, name: str) -> QWidget:
        button = action_button(self.theme, self.context.actions, id, icon, name)
        button.clicked.connect(lambda: self.context.actions.run(id))
        return button

    def _row(self, grid: QGridLayout, title: str, widget: QWidget, only: type[Track] | None) -> None:
        row, words = grid.rowCount(), label(title, "dim")
        widget.setAccessibleName(title)
        grid.addWidget(words, row, 0)
        grid.addWidget(widget, row, 1)
        if only is not None:
            self._only[words] = self._only[widget] = only

    def _number(
        self,
        grid: QGridLayout,
        name: str,
        title: str,
        unit: str,
        bounds: tuple[float, float],
        tip: str,
        only: type[Track] | None,
    ) -> None:
        field = NumberField(self.theme, unit, step=0.5, decimals=2, bounds=bounds)
        field.setObjectName(f"media_{name}")
        field.setToolTip(tip)
        field.previewed.connect(lambda value: self._edit(partial(self._preview, name, value)))
        field.committed.connect(lambda value: self._edit(partial(self._commit, name, title, value)))
        field.cancelled.connect(self.media.cancel)
        self._fields[name] = field
        self._row(grid, title, field, only)

    # ------------------------------------------------------------ what is shown
    def refresh(self) -> None:
        """Show the tracks, and the fields of the one chosen."""
        found, chosen = rows(self.media), self.media.chosen_track
        self.body.setVisible(bool(found))
        self.empty.setVisible(not found)
        self._filling = True
        try:
            self.list.clear()
            for row in found:
                item = QTreeWidgetItem([row.name, row.start, row.about])
                item.setData(NAME, Qt.ItemDataRole.UserRole, row.id)
                icon = ("audio" if row.on else "muted") if row.audio else ("show" if row.on else "hide")
                item.setIcon(NAME, self.theme.icon(icon, "text" if row.on else "dim"))
                if row.wrong:
                    item.setForeground(ABOUT, self.theme.ink("error"))
                for place in (NAME, START, ABOUT):
                    item.setToolTip(place, f"{row.name}\n{row.about}")
                self.list.addTopLevelItem(item)
                if chosen is not None and row.id == chosen.id:
                    self.list.setCurrentItem(item)
        finally:
            self._filling = False
        self._show_fields(chosen)

    def _show_fields(self, track: Track | None) -> None:
        self.path.setText("" if track is None else track.path)
        self.another.setEnabled(track is not None)
        self.every.setEnabled(track is not None)
        self.every.setChecked(track is not None and track.clip is None)
        for widget, only in self._only.items():
            widget.setVisible(isinstance(track, only))
        for name, field in self._fields.items():
            field.setEnabled(track is not None)
            if track is not None and hasattr(track, name):
                field.set_value(round(getattr(track, name) * self._factor(name), 6))
        if isinstance(track, ReferenceTrack):
            self.place.setCurrentIndex(self.place.findData(track.placement))

    def _factor(self, name: str) -> float:
        """What a field shows for 1 of a track's own unit."""
        return {"start": self.media.rate, "rate": 1.0}.get(name, 100.0)

    # ------------------------------------------------------------ changing
    def _on_row(self, item: QTreeWidgetItem | None) -> None:
        if not self._filling and item is not None:
            self.media.choose(AssetId(item.data(NAME, Qt.ItemDataRole.UserRole)))

    def _toggle(self, item: QTreeWidgetItem) -> None:
        self.media.toggle(AssetId(item.data(NAME, Qt.ItemDataRole.UserRole)))

    def _edit(self, work: Callable[[Track], object]) -> None:
        track = self.media.chosen_track
        try:
            if track is not None:
                work(track)
        except AnimError as error:
            self.session.messages.error(str(error))

    def _preview(self, name: str, value: float, track: Track) -> None:
        self.media.drag(track.id, **{name: value / self._factor(name)})

    def _commit(self, name: str, title: str, value: float, track: Track) -> None:
        self.media.set(track.id, title, **{name: value / self._factor(name)})

    def _set_place(self) -> None:
        track = self.media.chosen_track
        if isinstance(track, ReferenceTrack) and track.placement is not Placement(self.place.currentData()):
            self.media.swap_placement(track.id)

    def _set_every(self, every: bool) -> None:
        clip = None if every else self.session.playback.clip
        self._edit(lambda track: self.media.set(track.id, tr("Clips"), clip=clip))

    # ------------------------------------------------------------ files
    def _folder(self) -> Path | None:
        """Where to look first: beside the track chosen, else beside the document."""
        track = self.media.chosen_track
        if track is not None and Path(track.path).parent.is_dir():
            return Path(track.path).parent
        path = self.session.document.path
        return path.parent if path is not None else None

    def _choose(self, audio: bool) -> None:
        title = tr("Add audio") if audio else tr("Add reference")

        def add(paths: list[Path]) -> None:
            start = 0.0
            try:
                (self.media.add_audio if audio else self.media.add_reference)(paths[0], start)
            except AnimError as error:
                self.session.messages.error(str(error))

        choose_files(self, title, filters(audio), add, start=self._folder())

    def _choose_another(self) -> None:
        track = self.media.chosen_track
        if track is not None:
            title = tr("Another file for {name}", name=track.name)
            audio = isinstance(track, AudioTrack)
            take: Callable[[list[Path]], object] = lambda paths: self.media.choose_another(track.id, paths[0])  # noqa: E731
            choose_files(self, title, filters(audio), take, start=self._folder())

"""The fields of what is selected in a montage: a segment, a section, a notify, or the montage itself."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from core.clips.clip import Notify
from core.clips.notify_types import NotifyType
from core.graph import montage_edits as edits
from core.graph.montage import Montage
from core.graph.montage_problems import Part
from core.ids import AssetId
from editor.model.i18n import tr
from editor.model.montage.montages import Item
from editor.model.montage.rows import lanes_of
from editor.panels.montage.montage_page import MontagePage
from editor.panels.montage.page import Page
from editor.panels.montage.view_model import MontageModel
from editor.qt.notify_fields import NotifyFields, NotifyFrame
from editor.qt.theme import Theme


class SegmentPage(Page):
    """Clip, piece, place and rate of a segment."""

    def __init__(self, theme: Theme, model: MontageModel) -> None:
        super().__init__(theme, model)
        self.clip = self.choice("segmentClip", self._set_clip)
        self.row(tr("Clip"), self.clip)
        self.place = self.number("segmentPlace", "", 0.1, 2)
        self.place.committed.connect(self._set_place)
        self.row(tr("Frame"), self.place, tr("Frame of the montage at which it begins"))
        self.begin, self.end = (self.number(name, "", 0.1, 2) for name in ("segmentBegin", "segmentEnd"))
        self.begin.committed.connect(lambda _: self._set_piece())
        self.end.committed.connect(lambda _: self._set_piece())
        self.row(tr("From"), self.begin, tr("First frame of the clip that it plays"))
        self.row(tr("To"), self.end, tr("Last frame of the clip that it plays"))
        self.rate = self.number("segmentRate", "×", 0.01, 3, 0.01)
        self.rate.committed.connect(lambda _: self._set_piece())
        self.row(tr("Rate"), self.rate)
        self.column.addStretch(1)
        self.item = Item(Part.SEGMENT, 0, 0)

    def refresh(self, montage: Montage, item: Item) -> None:
        """Show a segment."""
        self.item = item
        segment = montage.tracks[item.track].segments[item.number]
        clip = self.model.montages.clip(segment.clip)
        self.title.set_text(clip.name if clip is not None else tr("missing clip"))
        self.tell(self.problems(item))
        clips = [(c.name, c.id) for c in self.model.montages.clips()]
        self.clip.show_choices(clips, segment.clip)
        rate = clip.rate if clip is not None else self.model.shown.rate
        self.place.set_value(self.model.shown.rate.to_frame(segment.place))
        self.begin.set_value(rate.to_frame(segment.begin))
        self.end.set_value(rate.to_frame(segment.end))
        self.rate.set_value(segment.rate)

    def _put(self, label_text: str, work: Callable[[Montage], Montage]) -> None:
        model = self.model
        model.verbs.attempt(lambda: model.verbs.change(label_text, work(model.montages.require())))

    def _set_clip(self, index: int) -> None:
        clip = self.model.montages.clip(AssetId(self.clip.itemData(index)))
        if clip is not None:
            label_text = tr("Clip of segment: {clip}", clip=clip.name)
            self._put(label_text, lambda m: edits.with_clip(m, self.item.track, self.item.number, clip))

    def _set_place(self, frame: float) -> None:
        time = self.model.shown.rate.to_seconds(frame)

        def work(montage: Montage) -> Montage:
            made, number = edits.moved(montage, self.item.track, self.item.number, time)
            self.model.montages.pick(replace(self.item, number=number))
            return made

        self._put(tr("Move segment"), work)

    def _set_piece(self) -> None:
        montage = self.model.montages.require()
        segment = montage.tracks[self.item.track].segments[self.item.number]
        clip = self.model.montages.clip(segment.clip)
        frames = clip.rate if clip is not None else self.model.shown.rate
        told = self.begin.value, self.end.value, self.rate.value
        if any(value is None for value in told):
            return
        begin, end, rate = (float(value or 0.0) for value in told)
        now = frames.to_frame(segment.begin), frames.to_frame(segment.end)
        first = segment.begin if abs(begin - now[0]) < 0.005 else frames.to_seconds(begin)
        last = segment.end if abs(end - now[1]) < 0.005 else frames.to_seconds(end)
        self._put(
            tr("Piece and rate of segment"),
            lambda m: edits.with_piece(m, self.item.track, self.item.number, first, last, rate),
        )


class SectionPage(Page):
    """Name, start and what follows of a section."""

    def __init__(self, theme: Theme, model: MontageModel) -> None:
        super().__init__(theme, model)
        self.name = QLineEdit()
        self.name.setObjectName("sectionName")
        self.name.editingFinished.connect(self._rename)
        self.row(tr("Name"), self.name)
        self.start = self.number("sectionStart", "", 0.1, 2)
        self.start.committed.connect(self._move)
        self.row(tr("Frame"), self.start)
        self.follows = self.choice("sectionNext", self._link)
        self.row(tr("Next"), self.follows, tr("What plays at its end"))
        row = QHBoxLayout()
        for name, title, loop in (("playSection", tr("Play"), False), ("loopSection", tr("Loop"), True)):
            button = QPushButton(title)
            button.setObjectName(name)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, loop=loop: model.verbs.play_section(loop))
            row.addWidget(button)
        self.column.addLayout(row)
        self.column.addStretch(1)
        self.number_ = 0

    def refresh(self, montage: Montage, item: Item) -> None:
        """Show a section."""
        self.number_ = item.number
        section = montage.sections[item.number]
        self.title.set_text(tr("Section {name}", name=section.name))
        self.tell(self.problems(item))
        if not self.name.hasFocus():
            self.name.setText(section.name)
        self.start.set_value(self.model.shown.rate.to_frame(section.start))
        self.start.setEnabled(item.number > 0)
        names: list[tuple[str, object]] = [(tr("the end"), "")]
        names += [
            (tr("itself (loop)") if s.name == section.name else s.name, s.name) for s in montage.sections
        ]
        self.follows.show_choices(names, section.next)

    def _rename(self) -> None:
        old = self.model.montages.require().sections[self.number_].name
        if self.name.text().strip() != old:
            self.model.verbs.rename_section(self.number_, self.name.text())

    def _move(self, frame: float) -> None:
        montage, time = self.model.montages.require(), self.model.shown.rate.to_seconds(frame)
        name = montage.sections[self.number_].name
        self.model.verbs.change(tr("Move {what}", what=name), edits.moved_section(montage, name, time))

    def _link(self, index: int) -> None:
        self.model.verbs.link(self.number_, str(self.follows.itemData(index)))


class NotifyPage(Page):
    """The fields of a notify."""

    def __init__(self, theme: Theme, model: MontageModel) -> None:
        super().__init__(theme, model)
        self.fields = NotifyFields(theme)
        self.fields.changed.connect(self._put)
        self.column.addWidget(self.fields)
        self.column.addStretch(1)
        self.number_ = 0

    def refresh(self, montage: Montage, item: Item) -> None:
        """Show a notify."""
        self.number_ = item.number
        notify = montage.notifies[item.number]
        self.title.set_text(notify.name)
        self.tell(self.problems(item))
        self.fields.show_notify(notify, self._frame(montage))

    def _frame(self, montage: Montage) -> NotifyFrame:
        found = self.model.montages
        rig = found.rig
        return NotifyFrame(
            self.model.shown.rate,
            found.project.all(NotifyType),
            lanes_of(montage),
            tuple({notify.name for notify in montage.notifies}),
            found.graphs,
            rig.skeleton.names if rig is not None else (),
        )

    def _put(self, title: str, notify: Notify) -> None:
        self.model.verbs.attempt(lambda: self.model.verbs.change_notify(title, self.number_, notify))


class Details(QScrollArea):
    """The page for what is selected."""

    def __init__(self, theme: Theme, model: MontageModel) -> None:
        super().__init__()
        self.setObjectName("montageDetails")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.model = model
        self.montage = MontagePage(theme, model)
        self.pages: dict[Part, Page] = {
            Part.SEGMENT: SegmentPage(theme, model),
            Part.SECTION: SectionPage(theme, model),
            Part.NOTIFY: NotifyPage(theme, model),
        }
        self.stack = QStackedWidget()
        for page in (self.montage, *self.pages.values()):
            self.stack.addWidget(page)
        self.setWidget(self.stack)

    def refresh(self) -> None:
        """Show what is selected as it is."""
        montage = self.model.montage
        if montage is None:
            return
        item = next((i for i in self.model.montages.picked if self.model.montages.there(i)), None)
        page = self.pages.get(item.part) if item is not None else None
        if page is not None and item is not None:
            page.refresh(montage, item)
        else:
            self.montage.refresh(montage, Item(Part.MONTAGE, 0))
        shown: QWidget = page or self.montage
        if self.stack.currentWidget() is not shown:
            self.stack.setCurrentWidget(shown)
            self.verticalScrollBar().setValue(0)

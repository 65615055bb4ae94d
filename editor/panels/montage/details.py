"""The fields of what is selected in a montage: a segment, a section, a notify, or the montage itself."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.blending.easing import EaseShape, EaseWay, Easing
from core.clips.clip import Notify
from core.clips.notify_types import NotifyType
from core.graph import montage_edits as edits
from core.graph.graph import BlendKind
from core.graph.montage import Montage, MontageBlend
from core.graph.montage_problems import MontageProblem, Part
from core.ids import AssetId
from editor.model.i18n import tr
from editor.model.montage.montages import Item
from editor.model.montage.rows import lanes_of
from editor.panels.montage.view_model import MontageModel
from editor.qt.choice import ChoiceBox
from editor.qt.notify_fields import NotifyFields, NotifyFrame
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, label, set_role

NAME_WIDTH = 78
EASINGS: tuple[tuple[str, Easing], ...] = (
    ("Linear", Easing()),
    ("Smooth", Easing(EaseShape.SMOOTH)),
    ("Smoother", Easing(EaseShape.SMOOTHER)),
    ("Sine", Easing(EaseShape.SINE)),
    ("Slow start", Easing(EaseShape.POWER, EaseWay.IN)),
    ("Slow end", Easing(EaseShape.POWER, EaseWay.OUT)),
    ("Slow both", Easing(EaseShape.POWER, EaseWay.IN_OUT)),
    ("Circular", Easing(EaseShape.CIRCULAR)),
    ("Exponential", Easing(EaseShape.EXPONENTIAL)),
)

KINDS = (("Crossfade", BlendKind.CROSSFADE), ("Inertialise", BlendKind.INERTIALISE))


class Page(QWidget):
    """A column of named fields."""

    def __init__(self, theme: Theme, model: MontageModel) -> None:
        super().__init__()
        self.theme, self.model = theme, model
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        self.title = ElidedLabel(role="title")
        column.addWidget(self.title)
        self.notice = label("", "error", wrap=True)
        self.notice.setObjectName("montageProblem")
        column.addWidget(self.notice)
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(8)
        self.grid.setVerticalSpacing(4)
        self.grid.setColumnStretch(1, 1)
        column.addLayout(self.grid)
        self.column = column

    def refresh(self, montage: Montage, item: Item) -> None:
        """Show an item; those of the montage itself show all of it."""
        raise NotImplementedError

    def row(self, title: str, widget: QWidget, tip: str = "") -> None:
        """A field with its name."""
        name = ElidedLabel(title, "dim")
        name.setFixedWidth(NAME_WIDTH)
        place = self.grid.rowCount()
        self.grid.addWidget(name, place, 0)
        self.grid.addWidget(widget, place, 1)
        widget.setToolTip(tip)
        name.setToolTip(tip)

    def number(self, name: str, unit: str, step: float, decimals: int, low: float = 0.0) -> NumberField:
        """A number field."""
        field = NumberField(self.theme, unit, step=step, decimals=decimals, bounds=(low, 1e6))
        field.setObjectName(name)
        field.setFixedHeight(22)
        return field

    def choice(self, name: str, told: Callable[[int], None]) -> ChoiceBox:
        """A list to choose from."""
        box = ChoiceBox()
        box.setObjectName(name)
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.activated.connect(told)
        return box

    def tell(self, problems: Sequence[MontageProblem]) -> None:
        """Say what is wrong, or nothing."""
        text = "\n".join(problem.message for problem in problems)
        self.notice.setText(text)
        set_role(self.notice, "warning" if all(problem.warning for problem in problems) else "error")
        self.notice.setVisible(bool(text))

    def problems(self, item: Item | None) -> list[MontageProblem]:
        """What is wrong with an item, or with everything."""
        every = self.model.montages.problems
        if item is None:
            return list(every)
        return [p for p in every if (p.part, p.track, p.number) == (item.part, item.track, item.number)]


def fill(box: ChoiceBox, names: Iterable[tuple[str, object]], current: object) -> None:
    """Show names and choose the one whose value is the current one."""
    wanted = list(names)
    with QSignalBlocker(box):
        if [(box.itemText(k), box.itemData(k)) for k in range(box.count())] != wanted:
            box.clear()
            for name, value in wanted:
                box.addItem(name, value)
        box.setCurrentIndex(next((k for k, (_, value) in enumerate(wanted) if value == current), -1))


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
        fill(self.clip, clips, segment.clip)
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
        fill(self.follows, names, section.next)

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


class MontagePage(Page):
    """Group, rate, blends and trigger of the montage, and what is wrong with it."""

    def __init__(self, theme: Theme, model: MontageModel) -> None:
        super().__init__(theme, model)
        self.group = QLineEdit()
        self.group.setObjectName("montageGroup")
        self.group.editingFinished.connect(self._set_group)
        self.row(tr("Group"), self.group, tr("Of all its slots. A montage fades out the others of its group"))
        self.rate = self.number("montageRate", "×", 0.01, 3, -100.0)
        self.rate.committed.connect(lambda value: self._put(tr("Rate of montage"), rate=value))
        self.row(tr("Rate"), self.rate, tr("Negative plays in reverse"))
        self.blends: dict[str, tuple[NumberField, ChoiceBox, ChoiceBox, ChoiceBox]] = {}
        for side, title in (("blend_in", tr("Blend in")), ("blend_out", tr("Blend out"))):
            field = self.number(f"montage.{side}", "s", 0.005, 3)
            field.committed.connect(partial(self._set_seconds, side))
            self.row(title, field)
            easing = self.choice(f"montage.{side}.ease", partial(self._set_easing, side))
            self.row("", easing, tr("How the weight goes"))
            kind = self.choice(f"montage.{side}.kind", partial(self._set_kind, side))
            self.row("", kind, tr("Crossfade, or go over at once and let the jump die out"))
            profile = self.choice(f"montage.{side}.profile", partial(self._set_profile, side))
            self.row("", profile, tr("Mask whose weights are factors of the time by bone"))
            self.blends[side] = (field, easing, kind, profile)
        self.auto = QCheckBox(tr("Blends out by itself"))
        self.auto.setObjectName("montageAuto")
        self.auto.setToolTip(tr("Off: it holds its last pose until it is stopped"))
        self.auto.toggled.connect(lambda on: self._put(tr("Auto blend-out"), auto_blend_out=on))
        self.grid.addWidget(self.auto, self.grid.rowCount(), 0, 1, 2)
        self.trigger = self.number("montageTrigger", "s", 0.005, 3)
        self.trigger.committed.connect(lambda v: self._put(tr("Blend-out trigger"), blend_out_trigger=v))
        self.own = QCheckBox(tr("Ends with the montage"))
        self.own.setObjectName("montageOwnTrigger")
        self.own.toggled.connect(self._set_own)
        self.row(tr("Before end"), self.trigger, tr("Seconds before the end at which it begins to blend out"))
        self.grid.addWidget(self.own, self.grid.rowCount(), 0, 1, 2)
        self.root = QCheckBox(tr("Root motion"))
        self.root.setObjectName("montageRoot")
        self.root.toggled.connect(lambda on: self._put(tr("Root motion of montage"), root_motion=on))
        self.grid.addWidget(self.root, self.grid.rowCount(), 0, 1, 2)
        self.sync = QLineEdit()
        self.sync.setObjectName("montageSync")
        self.sync.setPlaceholderText(tr("none"))
        self.sync.editingFinished.connect(self._set_sync)
        self.row(tr("Sync group"), self.sync, tr("While it plays it leads this sync group of the graph"))
        self.curves = label("", "dim", wrap=True)
        self.row(tr("Curves"), self.curves)
        self.column.addStretch(1)

    def refresh(self, montage: Montage, item: Item) -> None:
        """Show the montage."""
        self.title.set_text(montage.name)
        self.tell(self.problems(None))
        if not self.group.hasFocus():
            self.group.setText(montage.group)
        if not self.sync.hasFocus():
            self.sync.setText(montage.sync_group)
        self.rate.set_value(montage.rate)
        for side, blend in (("blend_in", montage.blend_in), ("blend_out", montage.blend_out)):
            field, easing, kind, profile = self.blends[side]
            field.set_value(blend.seconds)
            names: list[tuple[str, object]] = [(tr(name), k) for k, (name, _) in enumerate(EASINGS)]
            place = next((k for k, (_, found) in enumerate(EASINGS) if found == blend.easing), len(EASINGS))
            if place == len(EASINGS):
                names.append((blend.easing.curve or str(blend.easing.shape), place))
            fill(easing, names, place)
            fill(kind, [(tr(title), value) for title, value in KINDS], blend.kind)
            fill(profile, self._profiles(blend.profile), blend.profile)
        for box, on in (
            (self.auto, montage.auto_blend_out), (self.own, montage.blend_out_trigger < 0.0),
            (self.root, montage.root_motion),
        ):  # fmt: skip
            with QSignalBlocker(box):
                box.setChecked(on)
        self.own.setEnabled(montage.auto_blend_out)
        self.trigger.setEnabled(montage.auto_blend_out and montage.blend_out_trigger >= 0.0)
        self.trigger.set_value(montage.length - edits.trigger_time(montage))
        self.curves.setText(", ".join(self.model.shown.curve_names()) or tr("none"))

    def _put(self, title: str, **changes: object) -> None:
        model = self.model
        before = model.montages.require()
        if all(getattr(before, name) == value for name, value in changes.items()):
            return
        model.verbs.attempt(lambda: model.verbs.change(title, replace(before, **changes)))  # type: ignore[arg-type]

    def _set_group(self) -> None:
        group = self.group.text().strip()
        if group and "." not in group and group.isprintable():
            self._put(tr("Group of montage"), group=group)
        else:
            self.group.setText(self.model.montages.require().group)

    def _blend(self, side: str) -> MontageBlend:
        montage = self.model.montages.require()
        return montage.blend_in if side == "blend_in" else montage.blend_out

    def _set_seconds(self, side: str, seconds: float) -> None:
        title = tr("Blend in") if side == "blend_in" else tr("Blend out")
        self._put(title, **{side: replace(self._blend(side), seconds=seconds)})

    def _set_easing(self, side: str, index: int) -> None:
        if index < len(EASINGS):
            self._put(tr("Easing of blend"), **{side: replace(self._blend(side), easing=EASINGS[index][1])})

    def _set_kind(self, side: str, index: int) -> None:
        self._put(tr("Kind of blend"), **{side: replace(self._blend(side), kind=KINDS[index][1])})

    def _profiles(self, current: str) -> list[tuple[str, object]]:
        rig = self.model.montages.rig
        masks = list(rig.masks) if rig is not None else []
        names = [*masks, *([current] if current and current not in masks else [])]
        return [(tr("all bones alike"), ""), *((name, name) for name in names)]

    def _set_profile(self, side: str, index: int) -> None:
        profile = str(self.blends[side][3].itemData(index))
        self._put(tr("Blend profile"), **{side: replace(self._blend(side), profile=profile)})

    def _set_sync(self) -> None:
        self._put(tr("Sync group of montage"), sync_group=self.sync.text().strip())

    def _set_own(self, on: bool) -> None:
        montage = self.model.montages.require()
        left = montage.length - edits.trigger_time(montage)
        self._put(tr("Blend-out trigger"), blend_out_trigger=-1.0 if on else left)


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

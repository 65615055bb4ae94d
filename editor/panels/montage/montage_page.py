"""The fields of the montage itself: group, rate, blends, trigger."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
)

from core.blending.easing import EaseShape, EaseWay, Easing
from core.graph import montage_edits as edits
from core.graph.graph import BlendKind
from core.graph.montage import Montage, MontageBlend
from editor.model.i18n import tr
from editor.model.montage.montages import Item
from editor.panels.montage.page import Page
from editor.panels.montage.view_model import MontageModel
from editor.qt.choice import ChoiceBox
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import label

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
        self.curves.setObjectName("montageCurves")
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
            easing.show_choices(names, place)
            kind.show_choices([(tr(title), value) for title, value in KINDS], blend.kind)
            profile.show_choices(self._profiles(blend.profile), blend.profile)
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

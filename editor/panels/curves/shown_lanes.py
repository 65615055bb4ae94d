"""Which curves the curve editor shows: lanes of the list, their flags, the curves behind them. Free of Qt."""

from collections.abc import Iterable, Mapping

from core.clips.clip import Clip, Property
from core.rig.skeleton import Skeleton
from core.rig.world_units import metres_per_unit
from core.tracks.components import Reading
from core.tracks.keys import ScalarTrack
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.session import Session
from editor.panels.curves.space import Fit, Layout
from editor.tools import key_edits
from editor.tools.curves.lanes import Curve, CurveStore, Lane, channels_of, lanes_of, track_of
from editor.tools.curves.reader import Reader
from editor.tools.key_edits import Keys


class ShownLanes:
    """Lanes and curves shown.

    Attributes
    ----------
    changed : the picture differs
    lanes_changed : other lanes, or their flags
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.changed: Event[None] = Event()
        self.lanes_changed: Event[None] = Event()
        self.layout = Layout.ABSOLUTE
        self.search = ""
        self.hidden: frozenset[Lane] = frozenset()
        self.locked: frozenset[Lane] = frozenset()
        self.solo: frozenset[Lane] = frozenset()
        self.chosen: frozenset[Lane] = frozenset()
        self.buffer: Clip | None = None
        self._store = CurveStore()
        self._lanes: tuple[Lane, ...] | None = None
        self._visible: tuple[Lane, ...] | None = None
        self._fits: dict[Lane, Fit] = {}
        self._units: tuple[Skeleton | None, dict[str, tuple[float, ...]]] = (None, {})
        self._curves: tuple[Clip, tuple[Curve, ...]] | None = None
        self._selected: tuple[Clip | None, Keys, Keys] = (None, {}, {})

    # -------------------------------------------------- what is shown
    @property
    def clip(self) -> Clip | None:
        """The clip shown, a drag's preview of it included."""
        return self.session.evaluator.clip

    @property
    def reader(self) -> Reader:
        """How quaternion channels are read as angles."""
        rig = self.session.rig
        return Reader(rig.skeleton if rig is not None else None, self._store.reading)

    @property
    def reading(self) -> Reading:
        """How quaternions are split into angles."""
        return self._store.reading

    def set_reading(self, reading: Reading) -> None:
        """Split quaternions in another way."""
        if reading is not self._store.reading:
            self._store.reading = reading
            self._drop()
            self._settle()
            self._repaint()

    def lanes(self) -> tuple[Lane, ...]:
        """Every lane of the list: of the selected bones (of all without any), and those beside the bones."""
        if self._lanes is None:
            clip, selection = self.session.clip, self.session.selection
            found: list[Lane] = []
            if clip is not None:
                bones = selection.in_order or None
                found = lanes_of(
                    c for c in channels_of(clip, bones) if not c.is_bone or selection.shown(c.bone)
                )
            words = self.search.lower().split()
            self._lanes = tuple(
                lane for lane in found if all(word in f"{lane.group} {lane.name}".lower() for word in words)
            )
        return self._lanes

    def visible(self) -> tuple[Lane, ...]:
        """The lanes that are drawn."""
        if self._visible is None:
            lanes = self.lanes()
            solo = self.solo.intersection(lanes)
            self._visible = tuple(
                lane for lane in lanes if lane not in self.hidden and (not solo or lane in solo)
            )
        return self._visible

    def curves(self) -> tuple[Curve, ...]:
        """The curves that are drawn."""
        clip = self.clip
        if clip is None:
            return ()
        if self._curves is None or self._curves[0] is not clip:
            rig = self.session.rig
            skeleton = rig.skeleton if rig is not None else None
            found = (self._store.get(clip, lane, skeleton) for lane in self.visible())
            self._curves = clip, tuple(curve for curve in found if curve is not None)
        return self._curves[1]

    def curve(self, lane: Lane) -> Curve | None:
        """One curve."""
        clip, rig = self.clip, self.session.rig
        if clip is None:
            return None
        return self._store.get(clip, lane, rig.skeleton if rig is not None else None)

    def unit_of(self, lane: Lane) -> float:
        """What a lane's values are multiplied by to be shown: metres in the world of a translation's unit."""
        rig = self.session.rig
        if lane.is_extra or lane.channel.property is not Property.TRANSLATE or rig is None:
            return 1.0
        skeleton = rig.skeleton
        if self._units[0] is not skeleton:
            self._units = skeleton, {}
        known = self._units[1]
        bone = lane.channel.bone
        if bone not in known:
            index = skeleton.find(bone)
            known[bone] = (
                (1.0, 1.0, 1.0) if index is None else tuple(metres_per_unit(skeleton, index).tolist())
            )
        return known[bone][lane.channel.axis]

    def fit_of(self, lane: Lane) -> Fit:
        """How a lane comes onto the value axis."""
        return self._fits.get(lane) or Fit(self.unit_of(lane))

    def bright(self) -> frozenset[Lane]:
        """Lanes that stand out: those chosen in the list, else those with selected keys, else all of few."""
        visible = self.visible()
        chosen = self.chosen.intersection(visible)
        if chosen:
            return frozenset(chosen)
        keys = self.session.selection.keys
        with_keys = frozenset(lane for lane in visible if lane.channel in keys)
        if with_keys:
            return with_keys
        return frozenset(visible) if len(visible) <= 24 else frozenset()

    def editable(self, keys: Keys) -> Keys:
        """Keys of the curves in sight, without those of locked lanes and bones."""
        return self.unlocked(self.in_sight(keys))

    def in_sight(self, keys: Keys) -> Keys:
        """Keys of the curves that are drawn: what cannot be seen is not edited."""
        seen = {lane.channel for lane in self.visible()}
        return {channel: numbers for channel, numbers in keys.items() if channel in seen}

    def unlocked(self, keys: Keys) -> Keys:
        """Keys without those of locked lanes and bones; says so where some were left out."""
        locked = {lane.channel for lane in self.locked}
        bones = self.session.selection.locked
        kept = {c: k for c, k in keys.items() if c not in locked and (not c.is_bone or c.bone not in bones)}
        if len(kept) < len(keys):
            self.session.messages.warn(
                tr("Keys of locked curves were not changed"), tr("Unlock them in the list")
            )
        return kept

    def selected_keys(self) -> Keys:
        """The selected keys that the clip shown has."""
        clip, keys = self.clip, self.session.selection.keys
        if self._selected[0] is not clip or self._selected[1] is not keys:
            self._selected = clip, keys, key_edits.known(clip, keys) if clip is not None else {}
        return self._selected[2]

    def set_search(self, words: str) -> None:
        """List only lanes that have all of the words in their name."""
        if words != self.search:
            self.search = words
            self._on_content()

    def set_flag(self, flag: str, lanes: Iterable[Lane]) -> None:
        """Set which lanes are ``hidden``, ``locked``, ``solo`` or ``chosen``."""
        new = frozenset(lanes)
        if new != getattr(self, flag):
            setattr(self, flag, new)
            self._visible = None
            self._drop()
            self._settle()
            self.lanes_changed.emit(None)
            self._repaint()

    def toggle_flag(self, flag: str, lanes: Iterable[Lane]) -> None:
        """Turn a flag of lanes on, or off where all of them have it."""
        given, held = frozenset(lanes), getattr(self, flag)
        self.set_flag(flag, held - given if given <= held else held | given)

    def ghosts(self) -> Mapping[Lane, Curve]:
        """Curves of the buffer that differ from those shown, of the bright lanes."""
        buffer, clip = self.buffer, self.clip
        if buffer is None or clip is None or buffer.id != clip.id:
            return {}
        found = {}
        for lane in self.bright():
            old, new = track_of(buffer, lane.channel), track_of(clip, lane.channel)
            if old is not None and old is not new and isinstance(old, ScalarTrack):
                found[lane] = Curve(lane, old, old.values)
        return found

    # -------------------------------------------------- what shows them
    def _repaint(self, _: object = None) -> None:
        self.changed.emit(None)

    def _drop(self) -> None:
        """Curves differ."""
        self._curves = None

    def _settle(self) -> None:
        """Lay the lanes out again."""

    def _on_content(self, _: object = None) -> None:
        """Lanes may differ."""
        self._lanes = self._visible = None
        self._drop()

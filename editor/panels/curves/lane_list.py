"""Which curves the curve editor shows: lanes of the list, their flags, the curves behind them. Free of Qt."""

from collections.abc import Iterable, Mapping

from core.clips.clip import Clip
from core.evaluation.layer_pipeline import LayerPipeline
from core.evaluation.layer_result import result_clip
from core.tracks.components import Reading
from core.tracks.keys import ScalarTrack
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.selection import Selection
from editor.tools import key_edits
from editor.tools.curves.lanes import Curve, CurveStore, Lane, channels_of, lanes_of, track_of
from editor.tools.curves.reader import Reader
from editor.tools.key_edits import Keys


class LaneList:
    """Lanes and curves shown.

    Attributes
    ----------
    curves_changed : other curves are drawn, or stand out
    hidden, locked, solo, chosen : flags of lanes
    buffer : the clip as it was before the last edit, to compare with
    """

    def __init__(
        self, evaluator: Evaluator, playback: Playback, selection: Selection, messages: Messages
    ) -> None:
        self._evaluator = evaluator
        self._playback = playback
        self._selection = selection
        self._messages = messages
        self.curves_changed: Event[None] = Event()
        self.search = ""
        self.hidden: frozenset[Lane] = frozenset()
        self.locked: frozenset[Lane] = frozenset()
        self.solo: frozenset[Lane] = frozenset()
        self.chosen: frozenset[Lane] = frozenset()
        self.buffer: Clip | None = None
        self._store = CurveStore()
        self._result: tuple[LayerPipeline, tuple[str, ...], Clip] | None = None
        self._lanes: tuple[Lane, ...] | None = None
        self._visible: tuple[Lane, ...] | None = None
        self._curves: tuple[Clip, tuple[Curve, ...]] | None = None
        self._selected: tuple[Clip | None, Keys, Keys] = (None, {}, {})

    # -------------------------------------------------- what is shown
    @property
    def clip(self) -> Clip | None:
        """The clip shown, a drag's preview of it included; where the result of layers is shown, that."""
        return self.result or self._evaluator.clip

    @property
    def result(self) -> Clip | None:
        """What all layers make together, to look at in place of the curves of the layer in hand; None else."""
        hand = self._evaluator.in_hand if self._evaluator.layers.result else None
        if hand is None:
            return None
        bones = self._selection.in_order
        if not bones:
            bones = tuple(dict.fromkeys(c.bone for c in (hand.clip.tracks or hand.base.clip.tracks)))
        known = self._result
        if known is None or known[0] is not hand or known[1] != bones:
            known = self._result = hand, bones, result_clip(hand, bones)
        return known[2]

    @property
    def reader(self) -> Reader:
        """How quaternion channels are read as angles."""
        rig = self._evaluator.rig
        return Reader(rig.skeleton if rig is not None else None, self._store.reading)

    @property
    def reading(self) -> Reading:
        """How quaternions are split into angles."""
        return self._store.reading

    def set_reading(self, reading: Reading) -> None:
        """Split quaternions in another way."""
        if reading is not self._store.reading:
            self._store.reading = reading
            self._curves = None
            self.curves_changed.emit(None)

    def all(self) -> tuple[Lane, ...]:
        """Every lane of the list: of the selected bones (of all without any), and those beside the bones."""
        if self._lanes is None:
            clip, selection = self.result or self._playback.shown, self._selection
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
            lanes = self.all()
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
            rig = self._evaluator.rig
            skeleton = rig.skeleton if rig is not None else None
            found = (self._store.get(clip, lane, skeleton) for lane in self.visible())
            self._curves = clip, tuple(curve for curve in found if curve is not None)
        return self._curves[1]

    def curve(self, lane: Lane) -> Curve | None:
        """One curve."""
        clip, rig = self.clip, self._evaluator.rig
        if clip is None:
            return None
        return self._store.get(clip, lane, rig.skeleton if rig is not None else None)

    def bright(self) -> frozenset[Lane]:
        """Lanes that stand out: those chosen in the list, else those with selected keys, else all of few."""
        visible = self.visible()
        chosen = self.chosen.intersection(visible)
        if chosen:
            return frozenset(chosen)
        keys = self._selection.keys
        with_keys = frozenset(lane for lane in visible if lane.channel in keys)
        if with_keys:
            return with_keys
        return frozenset(visible) if len(visible) <= 24 else frozenset()

    def editable(self, keys: Keys) -> Keys:
        """Keys of the curves in sight, without those of locked lanes and bones."""
        return self.unlocked(self.in_sight(keys))

    def in_sight(self, keys: Keys) -> Keys:
        """Keys of the curves that are drawn: what cannot be seen is not edited, nor is the result of layers."""
        if self.result is not None:
            return {}
        seen = {lane.channel for lane in self.visible()}
        return {channel: numbers for channel, numbers in keys.items() if channel in seen}

    def unlocked(self, keys: Keys) -> Keys:
        """Keys without those of locked lanes and bones; says so where some were left out."""
        locked = {lane.channel for lane in self.locked}
        bones = self._selection.locked
        kept = {c: k for c, k in keys.items() if c not in locked and (not c.is_bone or c.bone not in bones)}
        if len(kept) < len(keys):
            self._messages.warn(tr("Keys of locked curves were not changed"), tr("Unlock them in the list"))
        return kept

    def selected_keys(self) -> Keys:
        """The selected keys that the clip shown has."""
        clip, keys = self.clip, self._selection.keys
        if self.result is not None:
            return {}
        if self._selected[0] is not clip or self._selected[1] is not keys:
            self._selected = clip, keys, key_edits.known(clip, keys) if clip is not None else {}
        return self._selected[2]

    def set_flag(self, flag: str, lanes: Iterable[Lane]) -> None:
        """Set which lanes are ``hidden``, ``locked``, ``solo`` or ``chosen``."""
        new = frozenset(lanes)
        if new != getattr(self, flag):
            setattr(self, flag, new)
            self._visible = self._curves = None
            self.curves_changed.emit(None)

    def toggle_flag(self, flag: str, lanes: Iterable[Lane]) -> None:
        """Turn a flag of lanes on, or off where all of them have it."""
        given, held = frozenset(lanes), getattr(self, flag)
        self.set_flag(flag, held - given if given <= held else held | given)

    def keep_buffer(self, clip: Clip) -> None:
        """Note the curves as they were before an edit."""
        self.buffer = clip

    def ghosts(self, most: int | None = None) -> Mapping[Lane, Curve]:
        """Curves of the buffer that differ from those shown, of the bright lanes; none where there are more."""
        buffer, clip = self.buffer, self.clip
        if buffer is None or clip is None or buffer.id != clip.id:
            return {}
        found: dict[Lane, Curve] = {}
        for lane in self.bright():
            old, new = track_of(buffer, lane.channel), track_of(clip, lane.channel)
            if old is not None and old is not new and isinstance(old, ScalarTrack):
                if len(found) == most:
                    return {}
                found[lane] = Curve(lane, old, old.values)
        return found

    # -------------------------------------------------- changes
    def drop_curves(self) -> None:
        """Curves differ."""
        self._curves = None

    def drop_lanes(self) -> tuple[Lane, ...] | None:
        """Lanes may differ; returns those listed until now."""
        before, self._lanes, self._visible, self._curves = self._lanes, None, None, None
        return before

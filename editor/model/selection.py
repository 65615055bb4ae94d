"""What is selected, for every view at once: bones, keys, what the pointer is over, and flags by bone."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from core.clips.clip import Channel
from core.rig.rig import Rig
from editor.model.events import Event

KeyIndices = npt.NDArray[np.int64]


class Mode(StrEnum):
    """How a new selection meets the old one."""

    REPLACE = "replace"
    ADD = "add"
    REMOVE = "remove"
    TOGGLE = "toggle"


def combined(old: Iterable[str], new: Iterable[str], mode: Mode) -> tuple[str, ...]:
    """Two selections put together; the newest comes last, and is the active one."""
    before, given = tuple(dict.fromkeys(old)), tuple(dict.fromkeys(new))
    if mode is Mode.REPLACE:
        return given
    if mode is Mode.ADD:
        return tuple(b for b in before if b not in given) + given
    kept = tuple(b for b in before if b not in given)
    return kept if mode is Mode.REMOVE else kept + tuple(b for b in given if b not in before)


class Selection:
    """The one selection of a session.

    Parameters
    ----------
    rig : gives the rig that is shown, or None

    Attributes
    ----------
    bones_changed, weights_changed, keys_changed, hover_changed, flags_changed : what differs
    """

    def __init__(self, rig: Callable[[], Rig | None]) -> None:
        self._rig = rig
        self._bones: tuple[str, ...] = ()
        self._weights: tuple[Channel, ...] = ()
        self._keys: Mapping[Channel, KeyIndices] = MappingProxyType({})
        self._hover: str | None = None
        self._flags: dict[str, frozenset[str]] = {name: frozenset() for name in ("locked", "hidden", "solo")}
        self.bones_changed: Event[None] = Event()
        self.weights_changed: Event[None] = Event()
        self.keys_changed: Event[None] = Event()
        self.hover_changed: Event[None] = Event()
        self.flags_changed: Event[None] = Event()

    # ------------------------------------------------------------ morphs and named curves
    @property
    def weights(self) -> tuple[Channel, ...]:
        """Selected morphs and named curves, by channel; what is keyed with the selected bones."""
        return self._weights

    def select_weights(self, channels: Iterable[Channel], mode: Mode = Mode.REPLACE) -> None:
        """Select morphs and named curves."""
        given, before = tuple(dict.fromkeys(channels)), self._weights
        kept = tuple(c for c in before if c not in given)
        if mode is Mode.TOGGLE:
            given = tuple(c for c in given if c not in before)
        new = given if mode is Mode.REPLACE else kept if mode is Mode.REMOVE else kept + given
        if new != self._weights:
            self._weights = new
            self.weights_changed.emit(None)

    # ------------------------------------------------------------ bones
    @property
    def bones(self) -> tuple[str, ...]:
        """Selected bones, the active one last."""
        return self._bones

    @property
    def in_order(self) -> tuple[str, ...]:
        """Selected bones as they are listed: in the order of the hierarchy, however they were selected."""
        rig = self._rig()
        if rig is None:
            return self._bones
        chosen = set(self._bones)
        return tuple(name for name in rig.skeleton.names if name in chosen)

    @property
    def active(self) -> str | None:
        """The bone that fields and gizmos refer to."""
        return self._bones[-1] if self._bones else None

    def select(self, bones: Iterable[str], mode: Mode = Mode.REPLACE) -> None:
        """Select bones by name; names that the rig lacks are left out. Drops the keys' selection."""
        rig = self._rig()
        known = [b for b in bones if rig is not None and rig.skeleton.find(b) is not None]
        self._set_bones(combined(self._bones, known, mode))

    def clear(self) -> None:
        """Select nothing."""
        self._set_bones(())
        self.select_weights(())
        self.select_keys({})

    def select_all(self) -> None:
        """Select every bone that is neither hidden nor locked."""
        rig = self._rig()
        active = self.active
        names = [n for n in rig.skeleton.names if self.pickable(n)] if rig else []
        if active in names:
            names.remove(active)
            names.append(active)
        self._set_bones(tuple(names))

    def invert(self) -> None:
        """Select what is not selected, of what can be picked."""
        rig = self._rig()
        if rig is not None:
            chosen = set(self._bones)
            self._set_bones(tuple(n for n in rig.skeleton.names if n not in chosen and self.pickable(n)))

    def select_parent(self, add: bool = False) -> None:
        """Select the parents of what is selected; roots stay."""
        self._step(lambda rig, bone: [p] if (p := rig.skeleton.parent(bone)) >= 0 else [bone], add)

    def select_children(self, add: bool = False) -> None:
        """Select the first children of what is selected (all of them with `add`); tips stay."""

        def step(rig: Rig, bone: int) -> list[int]:
            below = list(rig.skeleton.children(bone))
            return (below if add else below[:1]) or [bone]

        self._step(step, add)

    def select_below(self) -> None:
        """Select everything below what is selected, too."""
        rig = self._rig()
        if rig is not None and self._bones:
            mask = rig.skeleton.descendants(rig.skeleton.index(b) for b in self._bones)
            names = [rig.skeleton.names[i] for i in np.flatnonzero(mask)]
            self.select([n for n in names if n not in self._bones] + list(self._bones))

    def select_chain(self) -> None:
        """Select the bones between the first and the active one, both included; else up to a fork."""
        rig = self._rig()
        if rig is None or not self._bones:
            return
        skeleton = rig.skeleton
        first, last = skeleton.index(self._bones[0]), skeleton.index(self._bones[-1])
        chain = _between(skeleton.parents, first, last) if first != last else _limb(rig, last)
        names = [skeleton.names[i] for i in chain]
        self.select([n for n in names if n != self.active] + [skeleton.names[last]])

    def select_to_end(self, bone: str | None = None, mode: Mode = Mode.REPLACE) -> None:
        """Select from a bone, or from each selected one, to the end of its chain; the bone begun with is active."""
        rig = self._rig()
        starts = self._bones if bone is None else (bone,)
        if rig is None or not starts:
            return
        found = [
            name
            for start in starts
            for name in chain_below(rig, start)
            if name not in starts and self.pickable(name)
        ]
        self.select([*found, *starts], mode)

    def select_mirror(self, add: bool = False) -> None:
        """Select the other side's bones; those on the mirror plane stay."""
        rig = self._rig()
        if rig is not None:
            other = [mirrored(rig, bone) or bone for bone in self._bones]
            self.select(other, Mode.ADD if add else Mode.REPLACE)

    def _step(self, step: Callable[[Rig, int], list[int]], add: bool) -> None:
        rig = self._rig()
        if rig is None or not self._bones:
            return
        found = [rig.skeleton.names[i] for b in self._bones for i in step(rig, rig.skeleton.index(b))]
        self.select(found, Mode.ADD if add else Mode.REPLACE)

    def _set_bones(self, bones: tuple[str, ...]) -> None:
        if bones != self._bones:
            self._bones = bones
            self.bones_changed.emit(None)

    # ------------------------------------------------------------ keys
    @property
    def keys(self) -> Mapping[Channel, KeyIndices]:
        """Selected keys: rising indices by channel; channels without any are left out."""
        return self._keys

    def select_keys(self, keys: Mapping[Channel, npt.ArrayLike], mode: Mode = Mode.REPLACE) -> None:
        """Select keys by index."""
        copies: dict[int, KeyIndices] = {}  # channels given one array go on sharing one; alike ones begin to
        last = np.zeros(0, dtype=np.int64)
        for k in keys.values():
            if id(k) not in copies:
                rising = _rising(k)
                last = copies[id(k)] = last if np.array_equal(rising, last) else rising
        given = {channel: copies[id(k)] for channel, k in keys.items()}
        result = {} if mode is Mode.REPLACE else dict(self._keys)
        empty = np.zeros(0, dtype=np.int64)
        for channel, indices in given.items():
            old = result.get(channel, empty)
            if not len(old) and mode is not Mode.REMOVE:
                result[channel] = indices
            elif mode in (Mode.REPLACE, Mode.ADD):
                result[channel] = np.union1d(old, indices)
            elif mode is Mode.REMOVE:
                result[channel] = np.setdiff1d(old, indices)
            else:
                result[channel] = np.setxor1d(old, indices)
        result = {channel: k for channel, k in result.items() if len(k)}
        if _same_keys(result, self._keys):
            return
        for indices in result.values():
            indices.flags.writeable = False
        self._keys = MappingProxyType(result)
        self.keys_changed.emit(None)

    # ------------------------------------------------------------ hover and flags
    @property
    def hover(self) -> str | None:
        """The bone that the pointer is over."""
        return self._hover

    def set_hover(self, bone: str | None) -> None:
        """Note what the pointer is over."""
        if bone != self._hover:
            self._hover = bone
            self.hover_changed.emit(None)

    @property
    def locked(self) -> frozenset[str]:
        """Bones that no tool may change."""
        return self._flags["locked"]

    @property
    def hidden(self) -> frozenset[str]:
        """Bones that are not shown."""
        return self._flags["hidden"]

    @property
    def solo(self) -> frozenset[str]:
        """Where not empty, only these bones are shown."""
        return self._flags["solo"]

    def set_flag(self, flag: str, bones: Iterable[str]) -> None:
        """Set the bones of ``locked``, ``hidden`` or ``solo``."""
        new = frozenset(bones)
        if new != self._flags[flag]:
            self._flags[flag] = new
            self.flags_changed.emit(None)

    def shown(self, bone: str) -> bool:
        """Whether a bone is to be drawn."""
        return bone not in self.hidden and (not self.solo or bone in self.solo)

    def pickable(self, bone: str) -> bool:
        """Whether a click may select a bone."""
        return self.shown(bone) and bone not in self.locked

    # ------------------------------------------------------------ upkeep
    def prune(self) -> None:
        """Forget bones that the rig shown lacks (another rig, or another document)."""
        rig = self._rig()

        def known(bone: str) -> bool:
            return rig is not None and rig.skeleton.find(bone) is not None

        self._set_bones(tuple(b for b in self._bones if known(b)))
        for flag, bones in tuple(self._flags.items()):
            self.set_flag(flag, [b for b in bones if known(b)])
        if self._hover is not None and not known(self._hover):
            self.set_hover(None)


def chain_below(rig: Rig, bone: str) -> tuple[str, ...]:
    """The bones from one to the end of its chain, itself first.

    At a fork the chain goes on where all other branches are single bones (twist bones, pockets); where several
    branches go on, as at a hand with fingers, it ends.
    """
    skeleton = rig.skeleton
    run = [skeleton.index(bone)]
    while True:
        below = skeleton.children(run[-1])
        onward = [child for child in below if skeleton.children(child)] if len(below) > 1 else list(below)
        if len(onward) != 1:
            return tuple(skeleton.names[number] for number in run)
        run.append(onward[0])


def mirrored(rig: Rig, bone: str) -> str | None:
    """The other side's bone, or None for one on the plane or on no list."""
    for left, right in rig.mirror.pairs:
        if bone == left:
            return right
        if bone == right:
            return left
    return None


def _between(parents: npt.NDArray[np.int32], first: int, last: int) -> list[int]:
    """Bones on the way from one bone to another through the hierarchy; both when unrelated."""
    up = [first]
    while parents[up[-1]] >= 0:
        up.append(int(parents[up[-1]]))
    down = [last]
    while down[-1] not in up and parents[down[-1]] >= 0:
        down.append(int(parents[down[-1]]))
    if down[-1] not in up:
        return [first, last]
    return up[: up.index(down[-1]) + 1] + down[-2::-1]


def _limb(rig: Rig, bone: int) -> list[int]:
    """The unbranched run of bones that a bone is part of."""
    skeleton, run = rig.skeleton, [bone]
    while (above := skeleton.parent(run[0])) >= 0 and len(skeleton.children(above)) == 1:
        run.insert(0, above)
    while len(below := skeleton.children(run[-1])) == 1:
        run.append(below[0])
    return run


def _rising(keys: npt.ArrayLike) -> KeyIndices:
    """A copy of indices, rising and once each; those that are so already are not sorted again."""
    given = np.array(keys, dtype=np.int64).ravel()
    return given if (given[1:] > given[:-1]).all() else np.unique(given)


def _same_keys(a: Mapping[Channel, KeyIndices], b: Mapping[Channel, KeyIndices]) -> bool:
    if a.keys() != b.keys():
        return False
    pairs = {(id(indices), id(b[channel])): (indices, b[channel]) for channel, indices in a.items()}
    return all(np.array_equal(*pair) for pair in pairs.values())

"""The bone tree without Qt: which bones are listed, what a row says, what a click does."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.rig.rig import RetargetMode, Rig, VirtualBone
from core.tracks.edits import key_at
from core.tracks.keys import Track
from editor.model.bone_names import fits
from editor.model.retarget.proportions import mode_of, set_mode
from editor.model.retarget.state import Retargeting
from editor.model.session import Session


class Show(StrEnum):
    """Which bones are listed."""

    ALL = "all"
    SELECTED = "selected"
    ANIMATED = "animated"
    CHANGED = "changed"


class Mark(StrEnum):
    """How a bone stands at the current time, over all of its channels."""

    NONE = "none"
    ANIMATED = "animated"
    PARTLY = "partly"
    KEYED = "keyed"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Listing:
    """Bones to list.

    Parameters
    ----------
    children : for each bone (and −1 for the top) the listed bones below it, in order
    matches : bones that fit the filter; the others are listed only because they stand above one
    """

    children: dict[int, tuple[int, ...]]
    matches: frozenset[int]


FLAGS = ("locked", "hidden", "solo")


class BoneTree:
    """What the bone tree shows of a session.

    Marks are computed for the rows that are asked for, and kept until time or keys change.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._marks: dict[str, Mark] = {}
        self._tracks: dict[str, list[Track]] = {}
        self._tracks_of: object = None

    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        return self._session.evaluator.rig

    @property
    def names(self) -> tuple[str, ...]:
        """Names by number: the skeleton's bones, then the virtual ones."""
        rig = self.rig
        return () if rig is None else (*rig.skeleton.names, *(bone.name for bone in rig.virtual_bones))

    @property
    def parents(self) -> tuple[int, ...]:
        """Parents by number; virtual bones are children of their sources."""
        rig, names = self.rig, self.names
        if rig is None:
            return ()
        below = (names.index(bone.source) for bone in rig.virtual_bones)
        return (*(int(parent) for parent in rig.skeleton.parents), *below)

    @property
    def virtual_bones(self) -> tuple[VirtualBone, ...]:
        """The virtual bones of the rig shown."""
        return self.rig.virtual_bones if self.rig is not None else ()

    def label(self, name: str) -> str:
        """What a row says: the name, without the prefix that all share where that is folded away."""
        return self._session.bone_label(name)

    def virtual(self, name: str) -> VirtualBone | None:
        """The virtual bone of that name, or None."""
        return next((bone for bone in self.virtual_bones if bone.name == name), None)

    # ------------------------------------------------------------ listing
    def listing(self, words: str = "", show: Show = Show.ALL) -> Listing:
        """Bones that hold every word (in any order, any case) and pass the filter, with those above them."""
        rig = self.rig
        if rig is None:
            return Listing({-1: ()}, frozenset())
        names, parents = self.names, self.parents
        wanted, folded = [word.casefold() for word in words.split()], self._session.switches["short_names"]
        matches = frozenset(
            index
            for index, name in enumerate(names)
            if (not wanted or fits(wanted, name, rig.skeleton.names, folded)) and self._passes(name, show)
        )
        listed = set(matches)
        for index in sorted(matches, reverse=True):
            above = parents[index]
            while above >= 0 and above not in listed:
                listed.add(above)
                above = parents[above]
        children: dict[int, list[int]] = {-1: []}
        for index in sorted(listed):
            children.setdefault(parents[index], []).append(index)
        return Listing({parent: tuple(below) for parent, below in children.items()}, matches)

    def _passes(self, bone: str, show: Show) -> bool:
        if show is Show.SELECTED:
            chosen = self._session.feature(Retargeting).virtual.chosen
            return bone in self._session.selection.bones or (chosen is not None and bone == chosen.name)
        if show is Show.ANIMATED:
            return bool(self._tracks_by_bone().get(bone))
        if show is Show.CHANGED:
            return self.mark(bone) in (Mark.KEYED, Mark.PARTLY, Mark.PENDING)
        return True

    # ------------------------------------------------------------ rows
    def mark(self, bone: str) -> Mark:
        """How a bone stands at the current time."""
        found = self._marks.get(bone)
        if found is None:
            found = self._marks[bone] = self._find_mark(bone)
        return found

    def forget_marks(self) -> bool:
        """Time, keys or pending changes differ now; whether any mark asked for before does."""
        before, self._marks = self._marks, {}
        return any(self.mark(bone) is not mark for bone, mark in before.items())

    def _find_mark(self, bone: str) -> Mark:
        if bone in self._session.keying.pending:
            return Mark.PENDING
        tracks = self._tracks_by_bone().get(bone)
        if not tracks:
            return Mark.NONE
        time = self._session.playback.time
        keyed = sum(key_at(track, time) is not None for track in tracks)
        if keyed == 0:
            return Mark.ANIMATED
        return Mark.KEYED if keyed == len(tracks) else Mark.PARTLY

    def _tracks_by_bone(self) -> dict[str, list[Track]]:
        clip = self._session.evaluator.clip
        if clip is not self._tracks_of:
            self._tracks_of = clip
            self._tracks = {}
            for channel, track in clip.tracks.items() if clip is not None else ():
                self._tracks.setdefault(channel.bone, []).append(track)
        return self._tracks

    def flag(self, bone: str, flag: str) -> bool:
        """Whether a bone is ``locked``, ``hidden`` or ``solo``."""
        return bone in getattr(self._session.selection, flag)

    def mode(self, bone: str) -> RetargetMode:
        """What a bone takes from clips made on other proportions."""
        rig = self.rig
        return RetargetMode.SKELETON if rig is None else mode_of(rig, bone)

    # ------------------------------------------------------------ doing
    def set_mode(self, bone: str, mode: RetargetMode, below: bool) -> None:
        """Give a bone a mode, or the whole selection where the bone is part of it."""
        bones = self._session.selection.bones
        set_mode(self._session, mode, bones if bone in bones else (bone,), below)

    def select(self, bones: Iterable[str]) -> None:
        """Select these bones, the last one active; a virtual bone in that place is chosen alone."""
        wanted = tuple(bones)
        chosen = wanted[-1] if wanted and self.virtual(wanted[-1]) is not None else None
        if chosen is not None:
            self._session.feature(Retargeting).virtual.choose(chosen)
            return
        self._session.feature(Retargeting).virtual.choose(None)
        self._session.selection.select(bone for bone in wanted if self.virtual(bone) is None)

    def toggle(self, bone: str, flag: str) -> None:
        """Turn a flag of a bone, or of the whole selection where the bone is part of it."""
        selection = self._session.selection
        bones = set(selection.bones) if bone in selection.bones else {bone}
        now: frozenset[str] = getattr(selection, flag)
        selection.set_flag(flag, now - bones if bone in now else now | bones)

    def hover(self, bone: str | None) -> None:
        """The pointer is over a row."""
        known = bone is not None and self.virtual(bone) is None
        self._session.selection.set_hover(bone if known else None)

"""The bone sets of the character shown: the one in hand, selecting them, and every edit (one undo step each)."""

from collections.abc import Iterable
from enum import Enum

from core.errors import ValidationError
from core.rig import bone_sets
from core.rig.rig import Rig
from core.rig.set_color import SetColor
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.selection import Mode, Selection


class Held(Enum):
    """How much of a set is selected."""

    NONE = 0
    SOME = 1
    ALL = 2


class BoneSets:
    """Sets of the rig shown; what verbs work on is the set in hand, the one chosen last.

    Attributes
    ----------
    changed : sets, or which one is in hand, differ
    named : a set was made, and its name may be typed
    """

    def __init__(self, document: Document, edits: Edits, evaluator: Evaluator, selection: Selection) -> None:
        self._edits, self._evaluator, self._selection = edits, evaluator, selection
        self._in_hand = ""
        self.changed: Event[None] = Event()
        self.named: Event[str] = Event()
        document.changed.connect(lambda _: self.changed.emit(None))
        document.replaced.connect(lambda _: self.changed.emit(None))

    # ------------------------------------------------------------ what there is
    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        return self._evaluator.rig

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sets, in their order."""
        return tuple(self.rig.bone_sets) if self.rig is not None else ()

    @property
    def in_hand(self) -> str:
        """Name of the set that verbs work on: the one chosen last, or the only one; "" where there is none."""
        names = self.names
        if self._in_hand in names:
            return self._in_hand
        return names[0] if len(names) == 1 else ""

    def bones(self, name: str) -> tuple[str, ...]:
        """Bones of a set."""
        return bone_sets.bones_of(self._rig(), name)

    def color(self, name: str) -> SetColor:
        """Colour of a set."""
        return bone_sets.color_of(self._rig(), name)

    def held(self, name: str) -> Held:
        """How much of a set is selected."""
        bones, chosen = set(self.bones(name)), set(self._selection.bones)
        return Held.ALL if bones <= chosen else Held.SOME if bones & chosen else Held.NONE

    def bone_colors(self) -> dict[str, SetColor]:
        """Colour of every bone that is in a set; of several, that of the smallest set."""
        rig = self.rig
        found: dict[str, SetColor] = {}
        for name in sorted(self.names, key=lambda name: -len(self.bones(name))):
            found |= dict.fromkeys(self.bones(name), bone_sets.color_of(rig, name) if rig else SetColor.GRAY)
        return found

    def choose(self, name: str) -> None:
        """Take a set in hand."""
        if name != self._in_hand:
            self._in_hand = name
            self.changed.emit(None)

    # ------------------------------------------------------------ selecting
    def select(self, name: str, mode: Mode = Mode.REPLACE) -> None:
        """Select the bones of a set, add them or remove them; the set is in hand then."""
        bones = [bone for bone in self.bones(name) if self._selection.pickable(bone) or mode is Mode.REMOVE]
        self.choose(name)
        self._selection.select(bones, mode)

    def select_colors(self, colors: Iterable[SetColor]) -> None:
        """Select the bones of all sets that have one of these colours."""
        self._selection.select(bone_sets.bones_of_colors(self._rig(), tuple(colors)))

    def colors_of_selection(self) -> tuple[SetColor, ...]:
        """The colours of the sets that hold a selected bone."""
        chosen = set(self._selection.bones)
        held = [name for name in self.names if chosen & set(self.bones(name))]
        return tuple(dict.fromkeys(self.color(name) for name in held))

    def isolate(self, name: str) -> None:
        """Show only the bones of a set; where that is so already, all bones again."""
        bones = frozenset(self.bones(name))
        self.choose(name)
        self._selection.set_flag("solo", () if self._selection.solo == bones else bones)

    # ------------------------------------------------------------ edits
    def make(self, name: str = "", color: SetColor | None = None) -> str:
        """Make a set of the selected bones; its name. Without a name it gets one that says what is in it.

        Raises
        ------
        ValidationError
            No bone is selected, or there is a set of that name.
        """
        rig = self._rig()
        if not self._selection.bones:
            raise ValidationError(tr("select the bones of the set first"))
        name = name.strip()
        if name in rig.bone_sets:
            raise ValidationError(tr("there is a bone set “{name}” already: choose another name", name=name))
        name = name or bone_sets.free_name(rig, proposed_name(rig, self._selection.in_order))
        self._put(
            tr("New bone set {name}", name=name),
            bone_sets.with_set(rig, name, self._selection.bones, color),
        )
        self.choose(name)
        self.named.emit(name)
        return name

    def add(self, name: str) -> bool:
        """Add the selected bones to a set; whether it changed."""
        after = bone_sets.with_bones(self._rig(), name, self._selection.bones)
        return self._put(tr("Add to bone set {name}", name=name), after)

    def remove(self, name: str) -> bool:
        """Remove the selected bones from a set; whether it changed. The last one stays."""
        after = bone_sets.without_bones(self._rig(), name, self._selection.bones)
        return self._put(tr("Remove from bone set {name}", name=name), after)

    def rename(self, name: str, new: str) -> bool:
        """Call a set otherwise; whether it changed."""
        after = bone_sets.renamed(self._rig(), name, new)
        if after is self.rig:
            return False
        held, self._in_hand = self._in_hand, new.strip() if self._in_hand == name else self._in_hand
        try:
            return self._put(tr("Rename bone set {name} to {new}", name=name, new=new.strip()), after)
        except BaseException:
            self._in_hand = held
            raise

    def recolor(self, name: str, color: SetColor) -> bool:
        """Give a set another colour; whether it changed."""
        after = bone_sets.recolored(self._rig(), name, color)
        return self._put(tr("Color of bone set {name}", name=name), after)

    def next_color(self, name: str) -> bool:
        """Give a set the next colour."""
        colors = tuple(SetColor)
        return self.recolor(name, colors[(colors.index(self.color(name)) + 1) % len(colors)])

    def delete(self, name: str) -> bool:
        """Delete a set; its bones stay."""
        return self._put(tr("Delete bone set {name}", name=name), bone_sets.without_set(self._rig(), name))

    def carry(self, others: Iterable[Rig]) -> bool:
        """Take the sets of other characters, where bones have the same names; whether there was one."""
        rig = after = self._rig()
        for other in others:
            after = bone_sets.carried(after, other) if other.id != rig.id else after
        return self._put(tr("Copy bone sets"), after)

    def _put(self, label: str, after: Rig) -> bool:
        return after is not self.rig and self._edits.put(label, after)

    def _rig(self) -> Rig:
        if self.rig is None:
            raise ValidationError(tr("there is no character: open or import one first"))
        return self.rig


def proposed_name(rig: Rig, bones: tuple[str, ...]) -> str:
    """A name for a set: that of the one bone which all others are below, or a plain one."""
    numbers = {rig.skeleton.index(bone) for bone in bones}
    tops = [bone for bone in bones if rig.skeleton.parent(rig.skeleton.index(bone)) not in numbers]
    return tops[0] if len(tops) == 1 else tr("bones")

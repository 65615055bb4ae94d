"""Virtual bones in a session: which one is chosen, and the edits of them, each one step."""

from collections.abc import Callable
from dataclasses import replace

from core.errors import AnimError
from core.rig import virtual_bones
from core.rig.rig import Rig, VirtualBone
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import sentence, tr
from editor.model.messages import Messages
from editor.model.selection import Selection


class VirtualBones:
    """The virtual bones of the character shown.

    They hold no keys and tools do not move them, so they are no part of the selection of bones: at most
    one is chosen, and only while no bone is selected.

    Attributes
    ----------
    changed : another one is chosen
    """

    def __init__(self, evaluator: Evaluator, selection: Selection, edits: Edits, messages: Messages) -> None:
        self._evaluator = evaluator
        self._selection = selection
        self._edits = edits
        self._messages = messages
        self._chosen: str | None = None
        self.changed: Event[None] = Event()

    @property
    def all(self) -> tuple[VirtualBone, ...]:
        """Every one of the character shown."""
        rig = self._evaluator.rig
        return rig.virtual_bones if rig is not None else ()

    @property
    def chosen(self) -> VirtualBone | None:
        """The one chosen, while it exists; selecting a bone lets go of it."""
        if self._selection.bones:
            self._chosen = None
        return next((bone for bone in self.all if bone.name == self._chosen), None)

    def choose(self, name: str | None) -> None:
        """Choose one in place of the selected bones, or none."""
        if name is not None:
            self._selection.clear()
        if name != self._chosen:
            self._chosen = name
            self.changed.emit(None)

    # ------------------------------------------------------------ edits
    def proposed(self) -> VirtualBone | None:
        """The one that the selected bones call for: under the active bone, following the one before it."""
        rig, bones = self._evaluator.rig, self._selection.bones
        if rig is None or not bones:
            return None
        source, target = bones[-1], bones[-2] if len(bones) > 1 else bones[-1]
        return VirtualBone(virtual_bones.free_name(rig, source, target), source, target)

    def add(self, bone: VirtualBone) -> bool:
        """One more; refused where a name is taken or a bone is not there, the reason is told."""
        return self._put(
            tr("Add virtual bone {name}", name=bone.name),
            bone.name,
            lambda rig: virtual_bones.added(rig, bone),
        )

    def change(self, name: str, after: VirtualBone) -> bool:
        """Another name, source, target or offset; what refers to it follows."""

        def changed(rig: Rig) -> Rig:
            named = virtual_bones.renamed(rig, name, after.name)
            bones = tuple(after if bone.name == after.name else bone for bone in named.virtual_bones)
            return replace(named, virtual_bones=bones)

        label = tr("Change virtual bone {name}", name=name)
        if after.name != name:
            label = tr("Rename virtual bone {old} to {new}", old=name, new=after.name)
        return self._put(label, after.name, changed)

    def remove(self, name: str) -> bool:
        """Delete one; refused where something refers to it, the reason is told."""
        label = tr("Delete virtual bone {name}", name=name)
        return self._put(label, None, lambda rig: virtual_bones.removed(rig, name))

    def _put(self, label: str, chosen: str | None, edit: Callable[[Rig], Rig]) -> bool:
        rig = self._evaluator.rig
        if rig is None:
            return False
        try:
            after = edit(rig)
        except AnimError as error:
            self._messages.warn(sentence(str(error)))
            return False
        if after.virtual_bones == rig.virtual_bones:
            return False
        self._edits.put(label, after)
        self.choose(chosen)
        return True

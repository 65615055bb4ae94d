"""Montages of the document: which one is open, what is selected in it, and every change as one undoable step."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.clips.clip import Clip
from core.clips.edits import checked_name, unique_name
from core.errors import ValidationError
from core.graph import montage_edits as edits
from core.graph.graph import Graph
from core.graph.montage import Montage
from core.graph.montage_problems import MontageProblem, Part, problems_of
from core.ids import AssetId, new_id
from core.project.project import Project
from core.rig.rig import Rig
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr

DEFAULT_SLOT = "DefaultGroup.UpperBody"
"""Of a new montage where no graph of the rig has a slot."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of a montage that can be selected.

    Parameters
    ----------
    part : a segment, section or notify
    number : of the segment in its track, of the section, of the notify
    track : of a segment
    """

    part: Part
    number: int
    track: int = -1


class Montages:
    """Makes, opens, changes and deletes montages of the character shown.

    Attributes
    ----------
    changed : another montage is open, or what a drag shows of it differs
    picked_changed : something else is selected
    """

    def __init__(self, document: Document, edits: Edits, evaluator: Evaluator) -> None:
        self._document, self._edits, self._evaluator = document, edits, evaluator
        self._open: AssetId | None = None
        self._draft: Montage | None = None
        self._picked: tuple[Item, ...] = ()
        self._checked: tuple[object, object, tuple[MontageProblem, ...]] = (None, None, ())
        self._known: tuple[Project | None, Rig | None, AssetId | None, Montage | None] = (
            None,
            None,
            None,
            None,
        )
        self.changed: Event[None] = Event()
        self.picked_changed: Event[None] = Event()
        document.changed.connect(lambda _: self._on_document())
        document.replaced.connect(lambda _: self.open(None))

    # ------------------------------------------------------------ which
    @property
    def project(self) -> Project:
        """The document's project."""
        return self._document.project

    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        return self._evaluator.rig

    def all(self) -> tuple[Montage, ...]:
        """Montages of the rig shown."""
        rig = self.rig
        return tuple(m for m in self.project.all(Montage) if rig is not None and m.rig == rig.id)

    @property
    def committed(self) -> Montage | None:
        """The open montage as it is in the document; the rig's first where none was opened."""
        rig, project = self.rig, self.project
        known = self._known
        if (
            known[0] is project and known[1] is rig and known[2] == self._open
        ):  # asked for at every box painted
            return known[3]
        asset = project.assets.get(self._open) if self._open else None
        fits = isinstance(asset, Montage) and rig is not None and asset.rig == rig.id
        found = asset if isinstance(asset, Montage) and fits else next(iter(self.all()), None)
        self._known = (project, rig, self._open, found)
        return found

    @property
    def current(self) -> Montage | None:
        """The open montage, as a drag shows it."""
        committed = self.committed
        if self._draft is not None and committed is not None and self._draft.id == committed.id:
            return self._draft
        return committed

    def open(self, montage: AssetId | None) -> None:
        """Show another montage."""
        if montage != self._open:
            self._open, self._draft = montage, None
            self.pick()
            self.changed.emit(None)

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """Graphs of the rig shown."""
        rig = self.rig
        return tuple(g for g in self.project.all(Graph) if rig is not None and g.rig == rig.id)

    def slots(self) -> tuple[str, ...]:
        """Slots of all graphs of the rig, ``group.slot``."""
        return tuple(dict.fromkeys(slot for graph in self.graphs for slot in graph.slots))

    def clips(self) -> tuple[Clip, ...]:
        """Clips that can be segments."""
        rig = self.rig
        return self.project.clips_of(rig.id) if rig is not None else ()

    def clip(self, clip: AssetId) -> Clip | None:
        """A clip by its id, None where it is missing."""
        asset = self.project.assets.get(clip)
        return asset if isinstance(asset, Clip) else None

    @property
    def problems(self) -> tuple[MontageProblem, ...]:
        """What is wrong with the open montage."""
        montage, project = self.current, self.project
        if montage is None:
            return ()
        if self._checked[0] is not montage or self._checked[1] is not project:
            self._checked = (montage, project, problems_of(montage, project))
        return self._checked[2]

    # ------------------------------------------------------------ selection
    @property
    def picked(self) -> tuple[Item, ...]:
        """What is selected, the one picked last first."""
        return self._picked

    def pick(self, *items: Item) -> None:
        """Select these alone; none selects nothing."""
        if items != self._picked:
            self._picked = items
            self.picked_changed.emit(None)

    def there(self, item: Item) -> bool:
        """Whether the open montage has an item."""
        montage = self.current
        if montage is None or item.number < 0:
            return False
        if item.part is Part.SEGMENT:
            fits = 0 <= item.track < len(montage.tracks)
            return fits and item.number < len(montage.tracks[item.track].segments)
        count = {Part.SECTION: len(montage.sections), Part.NOTIFY: len(montage.notifies)}.get(item.part, 0)
        return item.number < count

    # ------------------------------------------------------------ whole montages
    def new(self, clips: Iterable[AssetId] = (), name: str = "") -> Montage:
        """Make and open a montage that plays clips one after the other; one step.

        Raises
        ------
        ValidationError
            There is no character, or a clip cannot be a segment.
        """
        rig = self.rig
        if rig is None:
            raise ValidationError(tr("Open or import a character first"))
        found = [clip for id in clips if (clip := self.clip(id)) is not None]
        wanted = name or (found[0].name if found else tr("Montage"))
        free = unique_name(wanted, [m.name for m in self.project.all(Montage)])
        slot = next(iter(self.slots()), DEFAULT_SLOT)
        made = edits.new_montage(new_id("montage"), free, rig.id, found, slot)
        self._edits.put(tr("New montage {name}", name=made.name), made)
        self.open(made.id)
        return made

    def duplicate(self) -> Montage:
        """Make and open a copy of the open montage; one step."""
        old = self.require()
        name = unique_name(old.name, [m.name for m in self.project.all(Montage)])
        made = replace(old, id=new_id("montage"), name=name)
        self._edits.put(tr("Duplicate montage {name}", name=old.name), made)
        self.open(made.id)
        return made

    def rename(self, name: str) -> bool:
        """Give the open montage another name; graphs play it by that.

        Raises
        ------
        ValidationError
            The name is empty or taken.
        """
        old, wanted = self.require(), checked_name(name)
        if wanted == old.name:
            return False
        if any(m.name == wanted and m.id != old.id for m in self.all()):
            raise ValidationError(tr("there is already a montage named “{name}”", name=wanted))
        label = tr("Rename {old} to {new}", old=old.name, new=wanted)
        return self._edits.put(label, replace(old, name=wanted))

    def delete(self) -> bool:
        """Delete the open montage; one step.

        Raises
        ------
        ValidationError
            Another asset uses it.
        """
        montage = self.require()
        return self._edits.remove(tr("Delete montage {name}", name=montage.name), montage.id)

    # ------------------------------------------------------------ changes
    def put(self, label: str, montage: Montage) -> bool:
        """Make a changed montage the document's; drops what a drag shows."""
        self._draft = None
        done = montage is not self.committed and self._edits.put(label, montage)
        if not done:
            self.changed.emit(None)
        return done

    def preview(self, montage: Montage | None) -> None:
        """Show a changed montage without committing it; None shows the document's."""
        if montage is not self._draft:
            self._draft = montage
            self.changed.emit(None)

    def require(self) -> Montage:
        """The open montage as it is in the document; raises `ValidationError` where there is none."""
        montage = self.committed
        if montage is None:
            raise ValidationError(tr("There is no montage: make one first"))
        return montage

    def _on_document(self) -> None:
        self._draft = None
        kept = tuple(item for item in self._picked if self.there(item))
        if kept != self._picked:
            self.pick(*kept)
        self.changed.emit(None)

"""What a retarget is of: source, clip, target and set-up."""

from dataclasses import replace

from core.arrays import same_value
from core.clips.clip import Clip
from core.errors import AnimError
from core.ids import AssetId
from core.retarget.chain_map import ChainMap, ChainPair, propose_map
from core.retarget.contacts import ContactSpan
from core.rig.rig import Rig
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.retarget.choices import Choices
from editor.model.retarget.setup import KEY, Setup, from_plain, to_plain
from editor.model.retarget.source import Source


class RetargetSubject:
    """Source, clip, target and set-up; the document keeps the set-up among its settings.

    Attributes
    ----------
    setup_changed : map, options or edited contacts were changed here
    """

    def __init__(self, document: Document, edits: Edits, evaluator: Evaluator) -> None:
        self._document = document
        self._edits = edits
        self._evaluator = evaluator
        self.setup_changed: Event[None] = Event()
        self._source: Source | None = None
        self._clip: AssetId | None = None
        self._target: AssetId | None = None
        self._setup: Setup | None = None
        self._stored: object = None

    # ------------------------------------------------------------ what there is
    @property
    def source(self) -> Source | None:
        """Where the motion comes from."""
        return self._source

    @property
    def clip(self) -> Clip | None:
        """The source's clip that is retargeted."""
        return self._source.clip(self._clip) if self._source is not None else None

    @property
    def target(self) -> Rig | None:
        """The character that it is put on: the one that the window shows."""
        return self._evaluator.rig

    @property
    def setup(self) -> Setup | None:
        """Map, options and edited contacts; None without source or target."""
        return self._setup

    @property
    def chains(self) -> ChainMap | None:
        """The map."""
        return self._setup.chains if self._setup is not None else None

    @property
    def choices(self) -> Choices:
        """The options."""
        return self._setup.choices if self._setup is not None else Choices()

    @property
    def edited_spans(self) -> tuple[ContactSpan, ...] | None:
        """The clip's contacts as a person changed them, or None."""
        clip = self.clip
        return self._setup.spans.get(clip.name) if self._setup is not None and clip is not None else None

    @property
    def spans_edited(self) -> bool:
        """Whether a person changed the contacts."""
        return self.edited_spans is not None

    @property
    def missing(self) -> str:
        """What has to be chosen before anything can be retargeted, or ""."""
        if self.target is None:
            return tr("open or import a character first")
        if self._source is None:
            return tr("choose a source first")
        return tr("choose a clip of the source first") if self.clip is None else ""

    def pair(self, chain: str | None) -> ChainPair | None:
        """A chain of the map by name, or None."""
        return self._setup.chains.chain(chain) if self._setup is not None and chain is not None else None

    def parts(self) -> tuple[Rig, Rig, ChainMap]:
        """Source, target and map.

        Raises
        ------
        AnimError
            One of them is missing; the message says which.
        """
        target = self.target
        if self._source is None or target is None or self._setup is None:
            raise AnimError(self.missing or tr("choose a source first"))
        return self._source.rig, target, self._setup.chains

    # ------------------------------------------------------------ changes
    def set_source(self, source: Source | None) -> None:
        """Take another source, with its first clip and the set-up that belongs to it."""
        self._source = source
        self._clip = source.clips[0].id if source is not None and source.clips else None
        self.begin_setup()

    def set_clip(self, clip: AssetId) -> bool:
        """Take another clip of the source; whether it is another."""
        differs, self._clip = clip != self._clip, clip
        return differs

    def begin_setup(self) -> None:
        """Take the set-up that the document keeps for this source and target, else the proposal."""
        target, source = self.target, self._source
        self._target = target.id if target is not None else None
        self._stored = self._document.project.settings.get(KEY)
        self._setup = None
        if source is not None and target is not None:
            kept = from_plain(self._stored, source.title, source.rig.skeleton, target.skeleton)
            self._setup = kept or Setup(propose_map(source.rig.skeleton, target.skeleton))

    def change(self, label: str, **values: object) -> None:
        """Change the set-up; with a label, as a step of the document."""
        if self._setup is None:
            return
        new = replace(self._setup, **values)  # type: ignore[arg-type]
        if new == self._setup and not label:
            return
        self._setup = new
        if label and self._source is not None:
            self._stored = to_plain(self._source.title, new)
            self._edits.set_settings(label, {KEY: self._stored})
        self.setup_changed.emit(None)

    def restore(self) -> None:
        """Go back to the set-up of the last step."""
        self.begin_setup()
        self.setup_changed.emit(None)

    # ------------------------------------------------------------ upkeep
    def has_other_target(self) -> bool:
        """Whether another character is shown than the set-up was made for."""
        target = self.target
        return self._source is not None and target is not None and target.id != self._target

    def has_other_setup(self) -> bool:
        """Whether the document holds another set-up than this one: a step was undone or redone."""
        return not same_value(self._document.project.settings.get(KEY), self._stored)

    def is_target(self, ids: frozenset[AssetId]) -> bool:
        """Whether the target is one of these assets."""
        return self._target in ids

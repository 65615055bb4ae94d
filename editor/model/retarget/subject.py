"""What a retarget is of: source, clip, target, set-up, and the chain that is looked at."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.clips.clip import Clip
from core.errors import AnimError
from core.ids import AssetId
from core.retarget.chain_map import ChainMap, ChainPair, propose_map
from core.retarget.contacts import ContactSpan
from core.rig.rig import Rig
from editor.model.display.display import Display
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.jobs import Jobs
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.retarget.choices import Choices
from editor.model.retarget.live import RetargetLive
from editor.model.retarget.run import Result
from editor.model.retarget.setup import KEY, Setup, from_plain, to_plain
from editor.model.retarget.source import Source
from editor.model.selection import Selection


class RetargetSubject(ABC):
    """Source, target and set-up; what works the result out is added by `Retargeting`.

    Attributes
    ----------
    changed : source, clip, map, options or result differ
    picked_changed : another chain is looked at, or bones of the source are
    watched : whether the panel is in sight: the alignment is drawn with it
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        evaluator: Evaluator,
        playback: Playback,
        display: Display,
        selection: Selection,
        messages: Messages,
        jobs: Jobs,
    ) -> None:
        self._document = document
        self._edits = edits
        self._evaluator = evaluator
        self._playback = playback
        self._selection = selection
        self._messages = messages
        self._jobs = jobs
        self.live = RetargetLive(evaluator, playback, display)
        self.changed: Event[None] = Event()
        self.picked_changed: Event[None] = Event()
        self._source: Source | None = None
        self._clip: AssetId | None = None
        self._target: AssetId | None = None
        self._setup: Setup | None = None
        self._stored: object = None
        self._result: Result | None = None
        self.problem = ""
        self._chain: str | None = None
        self._bones: tuple[str, ...] = ()
        self.picking = False
        self.watched = False
        self._looking = False
        self._disconnect: Callable[[], None] = lambda: None

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
        """The character that it is put on."""
        return self._evaluator.rig

    @property
    def chains(self) -> ChainMap | None:
        """The map."""
        return self._setup.chains if self._setup is not None else None

    @property
    def choices(self) -> Choices:
        """The options."""
        return self._setup.choices if self._setup is not None else Choices()

    @property
    def result(self) -> Result | None:
        """The newest result; None while there is none yet, or the map cannot be used."""
        return self._result

    @property
    def spans(self) -> tuple[ContactSpan, ...]:
        """Contacts that are held: those edited, else those found."""
        edited = self._edited_spans
        if edited is not None:
            return edited
        return self._result.spans if self._result is not None else ()

    @property
    def _edited_spans(self) -> tuple[ContactSpan, ...] | None:
        clip = self.clip
        return self._setup.spans.get(clip.name) if self._setup is not None and clip is not None else None

    @property
    def spans_edited(self) -> bool:
        """Whether a person changed the contacts."""
        return self._edited_spans is not None

    @property
    def why_not(self) -> str:
        """Why nothing can be retargeted now, or ""."""
        if self.target is None:
            return tr("open or import a character first")
        if self._source is None:
            return tr("choose a source first")
        if self.clip is None:
            return tr("choose a clip of the source first")
        return self.problem

    # ------------------------------------------------------------ the map
    def _begin_setup(self) -> None:
        """The set-up that the document keeps for this source and target, else the proposal."""
        target, source = self.target, self._source
        self._target = target.id if target is not None else None
        self._stored = self._document.project.settings.get(KEY)
        self._setup = None
        self._disconnect()
        if source is not None and target is not None:
            self._disconnect = self._selection.bones_changed.connect(lambda _: self._on_selection())
            kept = from_plain(self._stored, source.title, source.rig.skeleton, target.skeleton)
            self._setup = kept or Setup(propose_map(source.rig.skeleton, target.skeleton))

    def _change(self, label: str, **values: object) -> None:
        """Change the set-up; with a label, as a step of the document."""
        if self._setup is None:
            return
        new = replace(self._setup, **values)  # type: ignore[arg-type]
        if new == self._setup and not label:
            return
        self._setup = new
        if self._chain is not None and new.chains.chain(self._chain) is None:
            self._chain, self.picking = None, False
        if label and self._source is not None:
            self._stored = to_plain(self._source.title, new)
            self._edits.set_settings(label, {KEY: self._stored})
        self._renew()
        self.picked_changed.emit(None)

    def _parts(self) -> tuple[Rig, Rig, ChainMap]:
        target = self.target
        if self._source is None or target is None or self._setup is None:
            raise AnimError(self.why_not or tr("choose a source first"))
        return self._source.rig, target, self._setup.chains

    # ------------------------------------------------------------ what is looked at
    @property
    def chain(self) -> str | None:
        """The chain whose row is chosen."""
        return self._chain

    @property
    def source_bones(self) -> tuple[str, ...]:
        """Bones of the source that are lit."""
        return self._bones

    def look_at(self, chain: str | None) -> None:
        """Choose a chain's row: its bones light up in both views."""
        pair = self._pair(chain)
        self._chain = pair.name if pair is not None else None
        self._bones = pair.source if pair is not None else ()
        if pair is not None:
            self._looking = True
            try:
                self._selection.select(pair.target)
            finally:
                self._looking = False
        self.picked_changed.emit(None)

    def _pair(self, chain: str | None) -> ChainPair | None:
        return self._setup.chains.chain(chain) if self._setup is not None and chain is not None else None

    def _look_again(self, chain: str) -> None:
        """The chosen chain has other bones."""
        if chain == self._chain:
            self.look_at(chain)

    def _on_selection(self) -> None:
        """Bones selected in the viewport: given to the chosen chain while picking, else their chain is shown."""
        bones = self._selection.bones
        if self._looking or self._setup is None or not bones:
            return
        if self.picking and self._chain is not None:
            try:
                self.set_bones(self._chain, target=bones)
            except AnimError as error:
                self._messages.warn(str(error))
            return
        pair = next((p for p in self._setup.chains.chains if bones[-1] in p.target), None)
        if pair is not None:
            self._chain, self._bones = pair.name, pair.source
            self.picked_changed.emit(None)

    def set_picking(self, on: bool) -> None:
        """Whether clicks in the views give the chosen chain its bones."""
        self.picking = on and self._chain is not None
        self.picked_changed.emit(None)

    def watch(self, on: bool) -> None:
        """Say whether the panel is in sight."""
        if on != self.watched:
            self.watched = on
            self.picked_changed.emit(None)

    def select_source(self, bones: Sequence[str]) -> None:
        """Light bones of the source."""
        self._bones = tuple(bones)
        self.picked_changed.emit(None)

    @abstractmethod
    def _renew(self) -> None:
        """Work the result out again."""

    @abstractmethod
    def set_bones(
        self, chain: str, source: Sequence[str] | None = None, target: Sequence[str] | None = None
    ) -> None:
        """Give a chain other bones."""

"""Retargeting in one session: source, map, options, the result that is shown, and what becomes of it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.arrays import same_value
from core.clips.clip import Clip
from core.clips.edits import unique_name
from core.errors import AnimError
from core.ids import AssetId, new_id
from core.progress import Progress
from core.retarget.chain_map import ChainMap, ChainPair, map_from_json, map_to_json, propose_map
from core.retarget.contacts import ContactSpan
from core.retarget.report import ClipReport
from core.retarget.retarget import retarget_clip
from core.rig.rig import Rig
from editor.model.events import Event
from editor.model.i18n import tr, trn
from editor.model.jobs import Job
from editor.model.retarget import maps
from editor.model.retarget.choices import Choices
from editor.model.retarget.live import RetargetLive
from editor.model.retarget.run import Result, run
from editor.model.retarget.setup import KEY, Setup, from_plain, to_plain
from editor.model.retarget.source import Source, read_source, source_of

if TYPE_CHECKING:
    from editor.model.session import Session


class Retargeting:
    """What the retarget panel, the source view, the timeline and their actions share.

    The target is the character that the window shows.

    Attributes
    ----------
    changed : source, clip, map, options or result differ
    picked_changed : another chain is looked at, or bones of the source are
    """

    def __init__(self, session: "Session") -> None:
        self._session = session
        self.live = RetargetLive(session.evaluator, session.playback)
        self.changed: Event[None] = Event()
        self.picked_changed: Event[None] = Event()
        self._source: Source | None = None
        self._clip: AssetId | None = None
        self._target: AssetId | None = None
        self._setup: Setup | None = None
        self._stored: object = None
        self._result: Result | None = None
        self._job: Job[Result] | None = None
        self._again = False
        self.problem = ""
        self.reports: tuple[ClipReport, ...] = ()
        self._chain: str | None = None
        self._bones: tuple[str, ...] = ()
        self.picking = False
        self._looking = False
        session.selection.bones_changed.connect(lambda _: self._on_selection())
        session.document.replaced.connect(lambda _: self.clear())
        session.playback.clip_changed.connect(lambda _: self._on_rig())
        session.document.changed.connect(self._on_document)

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
        return self._session.rig

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
    def busy(self) -> bool:
        """Whether a result is being worked out."""
        return self._job is not None

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

    # ------------------------------------------------------------ choosing the source
    def others(self) -> tuple[Rig, ...]:
        """Other characters of the document that have clips."""
        project, target = self._session.document.project, self.target
        return tuple(
            r for r in project.rigs if project.clips_of(r.id) and (target is None or r.id != target.id)
        )

    def load(self, path: Path) -> Job[Source]:
        """Read a file and make it the source."""

        def work(progress: Progress) -> Source:
            return read_source(path, progress)

        def failed(error: Exception) -> None:
            self._session.messages.error(str(error))

        return self._session.jobs.run(tr("Read {name}", name=path.name), work, self.set_source, failed)

    def use_rig(self, rig: AssetId) -> None:
        """Make another character of the document the source."""
        project = self._session.document.project
        self.set_source(source_of(project, project.get(Rig, rig)))

    def set_source(self, source: Source | None) -> None:
        """Make a character the source, with its first clip and the proposed map."""
        self._source = source
        self._clip = source.clips[0].id if source is not None and source.clips else None
        self._result, self._bones, self._chain, self.picking = None, (), None, False
        self.reports = ()
        self._begin_setup()
        self._renew()
        if source is not None:
            self.live.start()

    def clear(self) -> None:
        """Start over without a source."""
        self.live.stop()
        self.set_source(None)

    def set_clip(self, clip: AssetId) -> None:
        """Retarget another clip of the source."""
        if clip != self._clip:
            self._clip, self._result = clip, None
            self._renew()

    # ------------------------------------------------------------ the map
    def _begin_setup(self) -> None:
        """The set-up that the document keeps for this source and target, else the proposal."""
        target, source = self.target, self._source
        self._target = target.id if target is not None else None
        self._stored = self._session.document.project.settings.get(KEY)
        self._setup = None
        if source is not None and target is not None:
            kept = from_plain(self._stored, source.title, source.rig.skeleton, target.skeleton)
            self._setup = kept or Setup(propose_map(source.rig.skeleton, target.skeleton))

    def propose(self) -> None:
        """The proposed map again; one step."""
        own, other, _ = self._parts()
        self._change(tr("Propose the map anew"), chains=propose_map(own.skeleton, other.skeleton))

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
            self._session.edits.set_settings(label, {KEY: self._stored})
        self._renew()
        self.picked_changed.emit(None)

    def set_bones(
        self, chain: str, source: Sequence[str] | None = None, target: Sequence[str] | None = None
    ) -> None:
        """Give a chain other bones; raises `ValidationError` where the map would not do."""
        own, other, chains = self._parts()
        sides = {}
        if source is not None:
            sides["source"] = maps.ordered(own.skeleton, source)
        if target is not None:
            sides["target"] = maps.ordered(other.skeleton, target)
        new = maps.with_bones(chains, chain, sides, own.skeleton, other.skeleton)
        self._change(tr("Map {chain}", chain=chain), chains=new)
        self._look_again(chain)

    def write_bones(self, chain: str, side: str, text: str) -> None:
        """Give a chain the bones that are written in a field."""
        own, other, _ = self._parts()
        rig = own if side == "source" else other
        bones = maps.bones_of(text, rig.skeleton)
        self.set_bones(chain, **{side: bones})

    def add_chain(self) -> None:
        """A chain more, of the bones selected in both views."""
        own, other, chains = self._parts()
        targets = maps.ordered(other.skeleton, self._session.selection.bones)
        sources = maps.ordered(own.skeleton, self._bones)
        new = maps.with_chain(chains, sources, targets, own.skeleton, other.skeleton)
        name = new.chains[-1].name
        self._change(tr("Add chain {chain}", chain=name), chains=new)
        self.look_at(name)

    def remove_chain(self, chain: str) -> None:
        """Take a chain out of the map."""
        own, other, chains = self._parts()
        new = maps.without_chain(chains, chain, own.skeleton, other.skeleton)
        self._change(tr("Remove chain {chain}", chain=chain), chains=new)

    def set_turn(self, chain: str, share: float, done: bool = True) -> None:
        """How far a chain is turned to agree with the target's rest: 1 as proposed, 0 not at all."""
        turns = {name: value for name, value in self.choices.turns.items() if name != chain}
        if share != 1.0:
            turns[chain] = share
        self.choose(tr("Align {chain}", chain=chain) if done else "", turns=turns)

    def set_adjust(self, chain: str, degrees: tuple[float, float, float], done: bool = True) -> None:
        """Turn a chain's aligned rest on top, in degrees about the target's axes (a rotation vector)."""
        adjust = {name: value for name, value in self.choices.adjust.items() if name != chain}
        if any(degrees):
            adjust[chain] = degrees
        self.choose(tr("Align {chain}", chain=chain) if done else "", adjust=adjust)

    def map_text(self) -> str:
        """The map as JSON."""
        return map_to_json(self._parts()[2])

    def read_map(self, text: str) -> None:
        """Use a map from JSON; raises `ValidationError` where it does not fit."""
        own, other, _ = self._parts()
        self._change(tr("Load a map"), chains=map_from_json(text, own.skeleton, other.skeleton))

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
                self._session.selection.select(pair.target)
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
        bones = self._session.selection.bones
        if self._looking or self._setup is None or not bones:
            return
        if self.picking and self._chain is not None:
            try:
                self.set_bones(self._chain, target=bones)
            except AnimError as error:
                self._session.messages.warn(str(error))
            return
        pair = next((p for p in self._setup.chains.chains if bones[-1] in p.target), None)
        if pair is not None:
            self._chain, self._bones = pair.name, pair.source
            self.picked_changed.emit(None)

    def set_picking(self, on: bool) -> None:
        """Whether clicks in the views give the chosen chain its bones."""
        self.picking = on and self._chain is not None
        self.picked_changed.emit(None)

    def select_source(self, bones: Sequence[str]) -> None:
        """Light bones of the source."""
        self._bones = tuple(bones)
        self.picked_changed.emit(None)

    # ------------------------------------------------------------ options and contacts
    def choose(self, label: str = "", **values: object) -> None:
        """Change options; without a label as a drag does, before it is let go of."""
        new = replace(self.choices, **values)  # type: ignore[arg-type]
        if label or new != self.choices:
            self._change(label, choices=new)

    def restore(self) -> None:
        """Take back what a drag has shown since the last step."""
        self._begin_setup()
        self._renew()

    def set_spans(self, spans: Sequence[ContactSpan] | None, label: str = "") -> None:
        """Hold these contacts instead of those found, in one step; None finds them again."""
        clip = self.clip
        if self._setup is None or clip is None:
            return
        kept = {name: found for name, found in self._setup.spans.items() if name != clip.name}
        if spans is not None:
            kept[clip.name] = tuple(sorted(spans, key=_span_order))
        self._change(label or tr("Find contacts anew"), spans=kept)

    # ------------------------------------------------------------ working it out
    def _renew(self) -> None:
        """Work the result out anew; while one is under way, after that."""
        self.live.set_source(self._source, self.clip)
        self.problem = self._setup.chains.refused if self._setup is not None else ""
        if self._job is not None:
            self._again = True
            self._job.cancel()
        else:
            self._begin()
        self.changed.emit(None)

    def _begin(self) -> None:
        self._again = False
        source, clip, target, chains = self._source, self.clip, self.target, self.chains
        if source is None or clip is None or target is None or chains is None or self.problem:
            self._take(None)
            return
        options = self.choices.options(self._edited_spans)

        def work(progress: Progress) -> Result:
            return run(source.rig, clip, target, chains, options, progress)

        title = tr("Retarget {name}", name=clip.name)
        job: Job[Result] = Job(title, work, self._done, self._failed, lambda: self._over(self._result))
        self._job = job
        self._session.jobs.start(job)

    def _done(self, result: Result) -> None:
        self._over(result)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, AnimError):
            self._session.messages.error(f"{type(error).__name__}: {error}", tr("Please report this"))
        self.problem = str(error)
        self._over(None)

    def _over(self, result: Result | None) -> None:
        self._job = None
        if self._again:
            self._begin()
        else:
            self._take(result)
        self.changed.emit(None)

    def _take(self, result: Result | None) -> None:
        self._result = result
        self.live.set_result(self.target, result)

    # ------------------------------------------------------------ the outcome
    def commit(self) -> bool:
        """Put the result into the document as a new clip: one step."""
        result, target, clip = self._result, self.target, self.clip
        if result is None or target is None or clip is None or self.busy:
            self._session.messages.info(self.why_not or tr("one moment: the result is being worked out"))
            return False
        made = self._named(result.clip, [c.name for c in self._session.document.project.clips])
        label = tr("Retarget {clip} onto {rig}", clip=clip.name, rig=target.name)
        view = self._session.edits.view_of(target.id, made.id)
        done = self._session.edits.put(label, made, view_after=view)
        self.reports = (result.report,)
        self.changed.emit(None)
        return done

    def commit_all(self) -> Job[list[tuple[Clip | None, ClipReport]]] | None:
        """Retarget every clip of the source, and put them into the document: one step; failures are told."""
        source, target, setup = self._source, self.target, self._setup
        if source is None or target is None or setup is None or self.problem:
            self._session.messages.info(self.why_not)
            return None

        def work(progress: Progress) -> list[tuple[Clip | None, ClipReport]]:
            found: list[tuple[Clip | None, ClipReport]] = []
            for number, clip in enumerate(source.clips):
                part = progress.part(number / len(source.clips), (number + 1) / len(source.clips))
                try:
                    options = setup.choices.options(setup.spans.get(clip.name))
                    done = retarget_clip(
                        source.rig, clip, target, setup.chains, options, id=new_id("clip"), progress=part
                    )
                    found.append((done.clip, done.report))
                except AnimError as error:
                    found.append((None, ClipReport(source.title, clip.name, failure=str(error))))
            return found

        def use(found: list[tuple[Clip | None, ClipReport]]) -> None:
            taken = [c.name for c in self._session.document.project.clips]
            made = []
            for clip in (clip for clip, _ in found if clip is not None):
                made.append(self._named(clip, taken))
                taken.append(made[-1].name)
            if made:
                count = trn("{count} clip", "{count} clips", len(made))
                label = tr("Retarget {count} onto {rig}", count=count, rig=target.name)
                view = self._session.edits.view_of(target.id, made[0].id)
                self._session.edits.put(label, *made, view_after=view)
            self.reports = tuple(report for _, report in found)
            self.changed.emit(None)

        title = tr("Retarget {name}", name=source.title)
        return self._session.jobs.run(title, work, use)

    def _named(self, clip: Clip, taken: list[str]) -> Clip:
        return replace(clip, id=new_id("clip"), name=unique_name(clip.name, taken))

    # ------------------------------------------------------------ upkeep
    def _on_rig(self) -> None:
        """Another character is shown: it is the target from now on."""
        target = self.target
        if self._source is not None and target is not None and target.id != self._target:
            self._chain, self._bones = None, ()
            self._begin_setup()
            self._renew()

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        """The set-up was undone or redone, or the target's skeleton has changed under the map."""
        if self._source is None or self.target is None:
            return
        if not same_value(self._session.document.project.settings.get(KEY), self._stored):
            self._begin_setup()
            pair = self._pair(self._chain)
            self._chain, self._bones = (None, ()) if pair is None else (pair.name, pair.source)
            self._renew()
            self.picked_changed.emit(None)
        elif self._target in ids:
            self._renew()


def _span_order(span: ContactSpan) -> tuple[str, int, int]:
    return span.limb, span.point, span.first

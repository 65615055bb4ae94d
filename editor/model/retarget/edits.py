"""Edits of a retarget's map, options and contacts, each one step of the document."""

from collections.abc import Sequence
from dataclasses import replace

from core.retarget.chain_map import map_from_json, map_to_json, propose_map
from core.retarget.contacts import ContactSpan
from editor.model.i18n import tr
from editor.model.retarget import maps
from editor.model.retarget.chain_pick import ChainPick
from editor.model.retarget.subject import RetargetSubject
from editor.model.selection import Selection


class RetargetEdits:
    """Changes the set-up of a subject; what is looked at follows."""

    def __init__(self, subject: RetargetSubject, pick: ChainPick, selection: Selection) -> None:
        self._subject = subject
        self._pick = pick
        self._selection = selection

    def propose(self) -> None:
        """The proposed map again; one step."""
        own, other, _ = self._subject.parts()
        self._subject.change(tr("Propose map again"), chains=propose_map(own.skeleton, other.skeleton))

    def set_bones(
        self, chain: str, source: Sequence[str] | None = None, target: Sequence[str] | None = None
    ) -> None:
        """Give a chain other bones; raises `ValidationError` where the map would not do."""
        own, other, chains = self._subject.parts()
        sides = {}
        if source is not None:
            sides["source"] = maps.ordered(own.skeleton, source)
        if target is not None:
            sides["target"] = maps.ordered(other.skeleton, target)
        new = maps.with_bones(chains, chain, sides, own.skeleton, other.skeleton)
        self._subject.change(tr("Map {chain}", chain=chain), chains=new)
        self._pick.look_again(chain)

    def write_bones(self, chain: str, side: str, text: str) -> None:
        """Give a chain the bones that are written in a field."""
        own, other, _ = self._subject.parts()
        rig = own if side == "source" else other
        bones = maps.bones_of(text, rig.skeleton)
        self.set_bones(chain, **{side: bones})

    def add_chain(self) -> None:
        """A chain more, of the bones selected in both views."""
        own, other, chains = self._subject.parts()
        targets = maps.ordered(other.skeleton, self._selection.bones)
        sources = maps.ordered(own.skeleton, self._pick.source_bones)
        new = maps.with_chain(chains, sources, targets, own.skeleton, other.skeleton)
        name = new.chains[-1].name
        self._subject.change(tr("Add chain {chain}", chain=name), chains=new)
        self._pick.look_at(name)

    def remove_chain(self, chain: str) -> None:
        """Take a chain out of the map."""
        own, other, chains = self._subject.parts()
        new = maps.without_chain(chains, chain, own.skeleton, other.skeleton)
        self._subject.change(tr("Remove chain {chain}", chain=chain), chains=new)

    def set_turn(self, chain: str, share: float, done: bool = True) -> None:
        """How far a chain is turned to agree with the target's rest: 1 as proposed, 0 not at all."""
        turns = {name: value for name, value in self._subject.choices.turns.items() if name != chain}
        if share != 1.0:
            turns[chain] = share
        self.choose(tr("Align {chain}", chain=chain) if done else "", turns=turns)

    def set_adjust(self, chain: str, degrees: tuple[float, float, float], done: bool = True) -> None:
        """Turn a chain's aligned rest on top, in degrees about the target's axes (a rotation vector)."""
        adjust = {name: value for name, value in self._subject.choices.adjust.items() if name != chain}
        if any(degrees):
            adjust[chain] = degrees
        self.choose(tr("Align {chain}", chain=chain) if done else "", adjust=adjust)

    def map_text(self) -> str:
        """The map as JSON."""
        return map_to_json(self._subject.parts()[2])

    def read_map(self, text: str) -> None:
        """Use a map from JSON; raises `ValidationError` where it does not fit."""
        own, other, _ = self._subject.parts()
        self._subject.change(tr("Load a map"), chains=map_from_json(text, own.skeleton, other.skeleton))

    # ------------------------------------------------------------ options and contacts
    def choose(self, label: str = "", **values: object) -> None:
        """Change options; without a label during a drag, before its release."""
        new = replace(self._subject.choices, **values)  # type: ignore[arg-type]
        if label or new != self._subject.choices:
            self._subject.change(label, choices=new)

    def set_spans(self, spans: Sequence[ContactSpan] | None, label: str = "") -> None:
        """Hold these contacts instead of those found, in one step; None finds them again."""
        setup, clip = self._subject.setup, self._subject.clip
        if setup is None or clip is None:
            return
        kept = {name: found for name, found in setup.spans.items() if name != clip.name}
        if spans is not None:
            kept[clip.name] = tuple(sorted(spans, key=_span_order))
        self._subject.change(label or tr("Detect contacts again"), spans=kept)


def _span_order(span: ContactSpan) -> tuple[str, int, int]:
    return span.limb, span.point, span.first

"""Transitions of the open machine: laying, leading elsewhere, rules, blends, order; each edit is one undo step."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from core.blending.easing import EaseShape
from core.errors import ValidationError
from core.graph import edits
from core.graph.edits import free_name
from core.graph.graph import (
    BlendKind,
    Interrupt,
    Link,
    Node,
    NodeId,
    Sheet,
    SheetKind,
    Transition,
    new_node_id,
)
from editor.model.graph.canvas import Canvas
from editor.model.i18n import tr

BLEND_WORDS = {
    BlendKind.CROSSFADE: tr("crossfade"),
    BlendKind.FROZEN: tr("crossfade from the frozen pose"),
    BlendKind.INERTIALISE: tr("inertialise"),
    BlendKind.DEAD_BLEND: tr("dead blend"),
    BlendKind.CUSTOM: tr("blend by its own sheet"),
}


class MachineEdits:
    """Edits of machines."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def reason(self, source: str, target: str) -> str:
        """Why no transition can lead from one node to another, or ""."""
        sheet = self._canvas.sheet
        kinds: dict[str, str] = {} if sheet is None else {n.id: n.kind for n in sheet.nodes}
        a, b = kinds.get(source, ""), kinds.get(target, "")
        if a == "exit":
            return tr("nothing leads on from an exit")
        if b in ("entry", "any"):
            return tr("nothing leads to an entry or to any state")
        if a == "entry" and b == "exit":
            return tr("an entry leads to a state")
        if source == target and a != "state":
            return tr("only a state can lead to itself")
        return "" if a and b else tr("release on a state")

    def connect(self, source: str, target: str) -> str | None:
        """Lay a transition, and select it; returns its id.

        Raises
        ------
        ValidationError
            None can lead there; the message says why.
        """
        wrong = self.reason(source, target)
        if wrong:
            raise ValidationError(wrong)
        graph, sheet = self._canvas.require()
        made = Transition(new_node_id(), NodeId(source), NodeId(target))
        if not self._canvas.commit(tr("Add transition"), edits.added(graph, sheet.id, transitions=[made])):
            return None
        self._canvas.select([made.id])
        return made.id

    def lead(self, transition: str, *, source: str = "", target: str = "") -> bool:
        """Let a transition begin or end at another node."""
        graph, _ = self._canvas.require()
        old = edits.transition_in(graph, transition)
        new = replace(old, source=NodeId(source or old.source), target=NodeId(target or old.target))
        wrong = self.reason(new.source, new.target)
        if wrong:
            raise ValidationError(wrong)
        return self._canvas.commit(tr("Move transition"), edits.with_transition(graph, new))

    def change(self, transitions: Iterable[str], label: str = "", **changes: Any) -> bool:
        """Set fields of transitions; no step where each has them already."""
        before, _ = self._canvas.require()
        graph = before
        for id in transitions:
            old = edits.transition_in(graph, id)
            new = replace(old, **changes)
            if new != old:
                graph = edits.with_transition(graph, new)
        return graph is not before and self._canvas.commit(label or tr("Change transition"), graph)

    def set_rule(self, transition: str, rule: str) -> bool:
        """Type the rule of a transition, or of a conduit."""
        graph, sheet = self._canvas.require()
        if any(n.id == transition for n in sheet.nodes):
            changed = edits.with_literal(graph, transition, "rule", rule.strip() or None)
            return self._canvas.commit(tr("Set rule"), changed)
        return self.change([transition], tr("Set rule"), rule=rule.strip())

    def set_blend(self, transitions: Iterable[str], **changes: Any) -> bool:
        """Set fields of the blend of transitions; no step where each has them already."""
        before, _ = self._canvas.require()
        graph = before
        for id in transitions:
            old = edits.transition_in(graph, id)
            blend = replace(old.blend, **changes)
            if blend != old.blend:
                graph = edits.with_transition(graph, replace(old, blend=blend))
        return graph is not before and self._canvas.commit(tr("Set blend"), graph)

    def custom_blend(self, transitions: Iterable[str]) -> str:
        """Let transitions blend by a sheet of their own; returns its id.

        The sheet that one of them has had is taken again; else one is made that crossfades: both poses as inputs, a
        blend by ``w``.
        """
        graph, _ = self._canvas.require()
        found = [edits.transition_in(graph, id) for id in transitions]
        known = {str(sheet.id) for sheet in graph.sheets}
        sheet = next((t.blend.sheet for t in found if t.blend.sheet in known), "")
        if not sheet:
            made = crossfading(free_name(tr("blend"), {s.name for s in graph.sheets}))
            graph, sheet = graph.with_sheet(made), made.id
        for old in found:
            blend = replace(old.blend, kind=BlendKind.CUSTOM, sheet=sheet)
            graph = edits.with_transition(graph, replace(old, blend=blend))
        self._canvas.commit(tr("Blend by its own sheet"), graph)
        return sheet

    def order(self, order: Iterable[str]) -> bool:
        """Put the transitions of one state into another order."""
        graph, sheet = self._canvas.require()
        return self._canvas.commit(tr("Order transitions"), edits.reordered(graph, sheet.id, order))

    def nudge(self, transition: str, by: int) -> bool:
        """Let a transition be looked at earlier (−1) or later (+1)."""
        graph, sheet = self._canvas.require()
        rank = [str(t.id) for t in edits.ranked(sheet, edits.transition_in(graph, transition).source)]
        at = rank.index(transition)
        to = min(max(at + by, 0), len(rank) - 1)
        if at == to:
            return False
        rank.insert(to, rank.pop(at))
        return self.order(rank)

    def words(self, transition: str) -> str:
        """A transition as a sentence: from, to, when, how."""
        sheet = self._canvas.sheet
        if sheet is None:
            return ""
        found = next((t for t in sheet.transitions if t.id == transition), None)
        return "" if found is None else told(sheet, found)


def told(sheet: Sheet, transition: Transition) -> str:
    """A transition as a sentence."""
    names = {n.id: n.name or n.kind for n in sheet.nodes}
    source, target = names.get(transition.source, "?"), names.get(transition.target, "?")
    when = []
    if transition.automatic is not None:
        left = transition.automatic
        player = f" “{transition.player}”" if transition.player else ""
        if left < 0:
            when.append(tr("when the clip{player} has as long left as the blend takes", player=player))
        else:
            when.append(tr("when the clip{player} has {seconds:g} s left", player=player, seconds=left))
    if transition.rule:
        when.append(tr("when {rule}", rule=transition.rule))
    if transition.min_time > 0.0:
        when.append(
            tr("after {seconds:g} s in {name} at the least", seconds=transition.min_time, name=source)
        )
    blend = transition.blend
    how = tr("{kind} over {seconds} s", kind=BLEND_WORDS[blend.kind], seconds=blend.seconds or "0")
    if blend.easing.shape is not EaseShape.LINEAR:
        how += f", {blend.easing.shape}"
    lines = [
        f"{source} → {target}",
        tr(" and ").join(when) if when else tr("at once: it has no rule"),
        how,
    ]
    if transition.interrupt is not Interrupt.ALWAYS:
        lines.append(tr("interrupted: {how}", how=str(transition.interrupt).replace("_", " ")))
    return "\n".join(lines)


def crossfading(name: str) -> Sheet:
    """A sheet for a custom blend that does what a crossfade does, to begin with."""
    source, target = (Node(new_node_id(), "pose_input", {"input": which}) for which in ("source", "target"))
    blend = Node(new_node_id(), "blend", {}, {"alpha": "w"})
    output = Node(new_node_id(), "output", name=tr("Output"))
    links = (
        Link(source.id, blend.id, "a"),
        Link(target.id, blend.id, "b"),
        Link(blend.id, output.id, "pose"),
    )
    return Sheet(new_node_id(), name, SheetKind.POSE, (source, target, blend, output), links)

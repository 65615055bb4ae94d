"""The search that adds nodes: everything that fits the sheet and the wire in hand, the likeliest first."""

from collections import Counter
from dataclasses import dataclass, replace

from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.graph.catalogue.every import NODE_TYPES, shape_of
from core.graph.catalogue.pins import PinKind, Surroundings, joins
from core.graph.graph import Graph, Node, Role, Sheet, SheetKind, Variable, new_node_id
from core.graph.language.functions import FUNCTIONS
from core.graph.language.syntax import ExpressionError, parse
from core.graph.montage import Montage
from core.pose.library import PoseAsset
from editor.model.graph.canvas import Canvas
from editor.model.graph.naming import named
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import PinPlace
from editor.model.graph.wires import WireEdits
from editor.model.i18n import tr

MOST = 60
"""Entries that are listed at once."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be added.

    Parameters
    ----------
    key : what uses are counted by
    words : other words to find it by
    """

    title: str
    group: str
    new: NewNode
    key: str
    words: str = ""
    tone: str = "value"
    help: str = ""


class NodeSearch:
    """Finds entries; counts what was added in this session."""

    def __init__(self, canvas: Canvas, wires: WireEdits) -> None:
        self._canvas, self._wires = canvas, wires
        self._used: Counter[str] = Counter()
        self._known: tuple[object, list[Entry]] = (None, [])

    def note(self, entry: Entry) -> None:
        """It was added: it comes earlier from now on."""
        self._used[entry.key] += 1

    def find(
        self, text: str, joined: tuple[PinPlace, ...] = (), from_state: str = "", *, kinds_only: bool = False
    ) -> list[Entry]:
        """Entries for what was typed, the best first.

        Parameters
        ----------
        joined : pins that the new node must take wires from
        from_state : a state that a transition is to lead from
        kinds_only : without assets and variables, to swap a node by
        """
        entries = self._entries()
        if kinds_only:
            entries = [e for e in entries if ":" not in e.key]
        if from_state:
            entries = [e for e in entries if e.new.kind in ("state", "conduit", "exit")]
        if joined:
            entries = [e for e in entries if self._takes(e, joined)]
        wanted = text.casefold().split()
        rated = [(rank, k, e) for k, e in enumerate(entries) if (rank := self._rank(wanted, e)) is not None]
        found = [e for _, _, e in sorted(rated, key=lambda r: (r[0], r[1]))][:MOST]
        typed = self._typed(text, joined, from_state)
        return [*found, *([typed] if typed is not None else [])]

    # ------------------------------------------------------------ ranking
    def _rank(self, wanted: list[str], entry: Entry) -> float | None:
        title = entry.title.casefold()
        total = len(title) * 0.002 - min(self._used[entry.key], 5) * 0.15
        total -= 0.1 if entry.key in self._here else 0.0
        for word in wanted:
            best = _word_rank(word, title, entry)
            if best is None:
                return None
            total += best
        return total

    def _typed(self, text: str, joined: tuple[PinPlace, ...], from_state: str) -> Entry | None:
        """An expression for what was typed, where it is one."""
        sheet = self._canvas.sheet
        text = text.strip()
        if sheet is None or sheet.kind is SheetKind.MACHINE or from_state or not text:
            return None
        pin = self._wires.pin(joined[0]) if joined else None
        if pin is not None and pin.kind is not PinKind.VALUE:
            return None
        try:
            parse(text)
        except ExpressionError:
            return None
        if text.isalpha() and text not in {v.name for v in self._variables()}:
            return None
        new = NewNode("expression", literals={"value": text})
        return Entry(text, tr("Expression"), new, "expression")

    # ------------------------------------------------------------ what there is
    def _variables(self) -> tuple[Variable, ...]:
        graph = self._canvas.graph
        return () if graph is None else graph.variables

    def _entries(self) -> list[Entry]:
        graph, sheet = self._canvas.graph, self._canvas.sheet
        if graph is None or sheet is None:
            return []
        project = self._canvas.project
        stamp = (graph, sheet.id, project)
        if self._known[0] != stamp:
            self._here = {n.kind for n in sheet.nodes}
            self._known = (stamp, self._listed(graph, sheet))
        return self._known[1]

    _here: set[str] = set()

    def _listed(self, graph: Graph, sheet: Sheet) -> list[Entry]:
        found = []
        for kind, type_ in NODE_TYPES.items():
            if sheet.kind not in type_.sheets or kind in ("get", "function", "set"):
                continue
            if kind == "output" and sheet.of_kind("output"):
                continue
            called = named(kind)
            found.append(
                Entry(called.title, called.group, NewNode(kind), kind, called.words, str(called.tone))
            )
        if sheet.kind is SheetKind.MACHINE:
            called = named("machine")
            nested = NewNode("state", name=tr("machine"), nested=True)
            found.append(
                Entry(tr("Nested state machine"), called.group, nested, "nested", called.words, "logic")
            )
        found += self._assets(graph, sheet)
        if sheet.kind is not SheetKind.MACHINE:
            found += self._values(graph, sheet)
        return found

    def _assets(self, graph: Graph, sheet: Sheet) -> list[Entry]:
        project, found = self._canvas.project, []
        machine, update = sheet.kind is SheetKind.MACHINE, sheet.kind is SheetKind.UPDATE
        if update:
            return [
                Entry(
                    tr("Play {name}", name=m.name), tr("Montage"), NewNode("play_montage", {"montage": m.name}),
                    f"montage:{m.name}", named("play_montage").words, "logic",
                )
                for m in project.all(Montage)
                if m.rig == graph.rig
            ]  # fmt: skip
        for kind, parameter, assets in (
            ("clip", "clip", project.all(Clip)),
            ("blend_space", "space", project.all(BlendSpace)),
            ("pose_asset", "asset", project.all(PoseAsset)),
            ("linked_graph", "graph", project.all(Graph)),
        ):
            for asset in assets:
                if asset.rig != graph.rig or asset.id == graph.id:
                    continue
                own = "aim_offset" if isinstance(asset, BlendSpace) and asset.aim_offset else kind
                name = asset.name if kind == "linked_graph" else ""
                new = NewNode(own, {parameter: asset.id}, name=name)
                if machine:
                    inside = Node(new_node_id(), own, {parameter: asset.id}, {}, name)
                    new = NewNode("state", name=asset.name, plays=inside)
                called = named(own)
                found.append(
                    Entry(asset.name, called.title, new, f"{own}:{asset.id}", called.words, str(called.tone))
                )
        return found

    def _values(self, graph: Graph, sheet: Sheet) -> list[Entry]:
        found = []
        for variable in graph.variables:
            new = NewNode("get", {"variable": variable.name})
            words = named("get").words + f" {variable.kind} {variable.role}"
            found.append(Entry(variable.name, tr("Variable"), new, f"get:{variable.name}", words))
            if sheet.kind is SheetKind.UPDATE and variable.role is Role.OWN:
                title = tr("Set {name}", name=variable.name)
                put = NewNode("set", {"variable": variable.name})
                found.append(Entry(title, tr("Actions"), put, f"set:{variable.name}", named("set").words))
        for name, function in FUNCTIONS.items():
            title = f"{name}({', '.join(function.parameters)})"
            new = NewNode("function", {"function": name})
            found.append(
                Entry(title, tr("Function"), new, f"function:{name}", function.help, help=function.help)
            )
        return found

    def _takes(self, entry: Entry, joined: tuple[PinPlace, ...]) -> bool:
        """Whether a wire from a pin could end at the new node."""
        scene, pin = self._canvas.committed, self._wires.pin(joined[0])
        if scene is None or pin is None or not isinstance(scene.token, Surroundings):
            return False
        node = Node(new_node_id(), entry.new.kind, dict(entry.new.parameters), dict(entry.new.literals))
        shape = shape_of(node, replace(scene.token, wired=()))
        if joined[0].output:
            return any(not joins(pin, other) for other in shape.inputs)
        return any(not joins(other, pin) for other in shape.outputs)


def _word_rank(word: str, title: str, entry: Entry) -> float | None:
    """How well one word fits (smaller is better); None where it does not."""
    at = title.find(word)
    if at == 0:
        return 0.0 if len(word) < len(title) else -0.2
    if at > 0:
        return 0.4 if not title[at - 1].isalnum() else 1.2
    others = entry.words.casefold()
    at = others.find(word)
    if at == 0 or (at > 0 and not others[at - 1].isalnum()):
        # The whole phrase of another program ("crossfade") counts more than a part of a word.
        whole = at + len(word) == len(others) or not others[at + len(word)].isalnum()
        return 0.8 if whole else 1.0
    if at > 0:
        return 2.0
    if word in entry.group.casefold():
        return 1.6
    letters = iter(title)
    return 3.0 if len(word) > 2 and all(letter in letters for letter in word) else None

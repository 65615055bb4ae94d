"""Random edits of a graph on the canvas, as a person makes them; what is refused is refused in words."""

import random
from collections.abc import Callable

from core.errors import AnimError
from core.graph.catalogue.every import NODE_TYPES
from core.graph.graph import SheetKind
from editor.model.graph.editor import GraphEditor
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import PinPlace
from editor.model.session import Session

EXPRESSIONS = ("1", "speed", "speed * 2 + 1", "not crouch", "speed >", "unknown + 1", "vec(1, 2, 3)", "0.5")


class RandomEdits:
    """Makes edits one after the other from a seed."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session, self.random = session, random.Random(seed)
        self.editor = session.feature(GraphEditor)
        self.canvas = self.editor.canvas
        self.refused = 0

    def one(self) -> str:
        """One edit; what it was. Refusals are counted."""
        edits: list[Callable[[], object]] = [
            self.add, self.add, self.connect, self.connect, self.delete, self.move, self.type, self.duplicate,
            self.copy, self.rename, self.tidy, self.comment, self.sheet, self.transition, self.rule, self.fold,
            self.undo, self.wire_cut, self.fix,
        ]  # fmt: skip
        edit = self.random.choice(edits)
        try:
            edit()
        except AnimError:
            self.refused += 1
        return edit.__name__

    def _node(self) -> str:
        scene = self.canvas.committed
        return self.random.choice(list(scene.nodes)) if scene is not None and scene.nodes else ""

    def _some(self) -> None:
        scene = self.canvas.committed
        ids = list(scene.nodes) if scene is not None else []
        self.canvas.select(self.random.sample(ids, min(len(ids), self.random.randint(1, 4))))

    def add(self) -> None:
        kinds = [k for k, t in NODE_TYPES.items() if self.canvas.sheet and self.canvas.sheet.kind in t.sheets]
        entries = self.editor.search.find(self.random.choice(("", "clip", "speed", "blend", "walk", "on")))
        new = (
            self.random.choice(entries).new
            if entries and self.random.random() < 0.5
            else NewNode(self.random.choice(kinds))
        )
        self.editor.nodes.add(new, (self.random.uniform(-500, 500), self.random.uniform(-500, 500)))

    def _pin(self) -> PinPlace | None:
        scene, node = self.canvas.committed, self._node()
        if scene is None or not node:
            return None
        view = scene.nodes[node]
        pins = [PinPlace(node, p.name) for p in view.inputs] + [
            PinPlace(node, p.name, True) for p in view.outputs
        ]
        return self.random.choice(pins) if pins else None

    def connect(self) -> None:
        pin = self._pin()
        if pin is not None:
            fits = [p for p, reason in self.editor.wires.fitting(pin).items() if not reason]
            if fits:
                self.editor.wires.connect(pin, self.random.choice(fits))

    def wire_cut(self) -> None:
        pin = self._pin()
        if pin is not None:
            self.editor.wires.cut_at(pin)

    def delete(self) -> None:
        self._some()
        self.editor.nodes.delete(heal=self.random.random() < 0.5)

    def move(self) -> None:
        scene = self.canvas.committed
        self._some()
        if scene is not None:
            way = self.random.randint(-9, 9) * 16.0
            self.editor.nodes.move(
                {n: (scene.places[n][0] + way, scene.places[n][1]) for n in self.canvas.selected_nodes}
            )

    def type(self) -> None:
        pin = self._pin()
        if pin is not None and not pin.output:
            self.editor.nodes.set_literal(pin.node, pin.pin, self.random.choice(EXPRESSIONS))

    def duplicate(self) -> None:
        self._some()
        self.editor.text.duplicate()

    def copy(self) -> None:
        self._some()
        self.editor.text.copy()
        self.editor.text.paste((self.random.uniform(-500, 500), 0.0), make=True)

    def rename(self) -> None:
        node = self._node()
        if node:
            self.editor.renames.rename_node(node, self.random.choice(("walk", "idle", "x", "run 2", "")))

    def tidy(self) -> None:
        self._some()
        self.editor.tidying.tidy()

    def comment(self) -> None:
        self._some()
        self.editor.tidying.comment((0.0, 0.0))

    def sheet(self) -> None:
        tree = self.canvas.tree()
        self.canvas.enter(self.random.choice(tree)[0].id)

    def transition(self) -> None:
        if self.canvas.is_machine:
            self.editor.machines.connect(self._node(), self._node())

    def rule(self) -> None:
        sheet = self.canvas.sheet
        if sheet is not None and sheet.transitions:
            found = self.random.choice(sheet.transitions)
            self.editor.machines.set_rule(found.id, self.random.choice(EXPRESSIONS))

    def fold(self) -> None:
        self._some()
        if self.canvas.sheet is not None and self.canvas.sheet.kind is SheetKind.POSE:
            linked = [
                n
                for n in self.canvas.sheet.nodes
                if n.kind == "linked_graph" and n.id in self.canvas.state.selection
            ]
            if linked:
                self.editor.functions.unfold(linked[0].id)
            else:
                self.editor.functions.fold()

    def undo(self) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.session.undo()
        if self.random.random() < 0.5:
            self.session.redo()

    def fix(self) -> None:
        problems = self.editor.problems
        problems.check()
        fixes = [f for p in problems.found for f in problems.fixes(p)]
        if fixes:
            problems.fix(self.random.choice(fixes))

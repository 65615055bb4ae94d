"""What opens over the canvas: the search, fields to type in place, offers, what a paste lacks, find and replace."""

from PySide6.QtCore import QPoint

from core.errors import AnimError
from core.graph.edits import transition_in
from core.graph.language.values import BOOL
from editor.model.graph.editor import GraphEditor, SearchWanted
from editor.model.graph.geometry import Point
from editor.model.graph.hits import arrow_points, choice_box, literal_box, middle_of
from editor.model.graph.search import Entry
from editor.model.graph.state import ChoicePlace, PinPlace
from editor.model.graph.wires import Offer
from editor.model.i18n import tr
from editor.panels.graph.find_box import FindBox
from editor.panels.graph.in_place import InPlace
from editor.panels.graph.search_box import SearchBox
from editor.panels.graph.view import CanvasView
from editor.qt.binding import Bindings
from editor.qt.menu import Menu
from editor.qt.panel import PanelContext


class Popups:
    """One set for each canvas."""

    def __init__(
        self, editor: GraphEditor, view: CanvasView, context: PanelContext, bindings: Bindings
    ) -> None:
        self.editor, self.view, self.context = editor, view, context
        self.box = SearchBox(editor, context.theme, view.ink, view)
        self.box.chosen.connect(self._chosen)
        self.box.closed.connect(lambda: view.setFocus())
        self.field = InPlace(context.theme, editor.language, view)
        self.finder = FindBox(editor, context.theme, view)
        bindings.on(editor.search_wanted, self._search)
        bindings.on(editor.offer_wanted, self._offer)
        bindings.on(editor.rule_wanted, self._rule)
        bindings.on(editor.choice_wanted, self._choice)
        bindings.on(editor.literal_wanted, self._literal)
        bindings.on(editor.text_wanted, self._text)
        bindings.on(editor.find_wanted, self.find)
        bindings.on(editor.canvas.changed, self._on_changed)

    def _on_changed(self, _: object) -> None:
        self.field.close_field()

    def close(self) -> bool:
        """Close what is open; whether there was something."""
        if self.box.isVisible():
            self.box.close_box()
            return True
        return self.field.close_field() or self.finder.close_box()

    def find(self, text: str = "") -> None:
        """Open find and replace."""
        self.finder.open(text)

    # ------------------------------------------------------------ search
    def _search(self, wanted: SearchWanted) -> None:
        self.box.open(wanted, self.view.pixel(wanted.at))

    def _choice(self, place: ChoicePlace) -> None:
        """The list of a choice field, below it."""
        scene = self.editor.canvas.committed
        node = None if scene is None else scene.nodes.get(place.node)
        box = None if scene is None or node is None else choice_box(node, scene.places[node.id], place.field)
        if box is None:
            return
        choosing = self.editor.choosing
        self.box.open_choice(
            self.view.pixel((box.x, box.bottom)),
            choosing.hint(place),
            lambda text: choosing.find(place, text),
            lambda pick: self._guarded(lambda: choosing.choose(place, pick)),
        )

    def _chosen(self, wanted: SearchWanted, entry: Entry) -> None:
        self._guarded(lambda: self.editor.add(wanted, entry))

    def _guarded(self, work) -> None:
        try:
            work()
        except AnimError as error:
            self.editor.canvas.messages.info(str(error))

    # ------------------------------------------------------------ offers
    def _offer(self, offer: Offer) -> None:
        menu = Menu(self.view)
        menu.setObjectName("graphOffer")
        reason = menu.addAction(self.editor.wires.reason(offer.source, offer.target))
        reason.setEnabled(False)
        convert = menu.addAction(tr("Convert by “{text}”", text=offer.text))
        convert.triggered.connect(lambda: self._guarded(lambda: self.editor.wires.convert(offer)))
        menu.addAction(tr("Cancel"))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.view.mapToGlobal(self.view.pixel(offer.at)))
        menu.setActiveAction(convert)

    # ------------------------------------------------------------ typing in place
    def _rule(self, item: str) -> None:
        """The rule of a transition at the middle of its arrow, or of a conduit on it."""
        canvas = self.editor.canvas
        scene, graph = canvas.committed, canvas.graph
        if scene is None or graph is None:
            return
        if item in scene.nodes:
            rect = scene.rect(item)
            at = self.view.pixel((rect.x, rect.bottom))
            node = next(n for n in scene.sheet.nodes if n.id == item)
            text = node.literals.get("rule", "")
        else:
            arrow = next((a for a in scene.arrows if any(t.id == item for t in a.transitions)), None)
            if arrow is None:
                return
            at = self.view.pixel(middle_of(arrow_points(scene, arrow))) + QPoint(-110, 14)
            text = transition_in(graph, item).rule
        machines = self.editor.machines
        self.field.open(
            at,
            text,
            lambda typed: self._guarded(lambda: machines.set_rule(item, typed)),
            type_=BOOL,
            width=240,
        )

    def _literal(self, pin: PinPlace) -> None:
        canvas = self.editor.canvas
        scene = canvas.committed
        view = None if scene is None else scene.nodes.get(pin.node)
        box = None if scene is None or view is None else literal_box(view, scene.places[pin.node], pin.pin)
        found = None if view is None else view.pin(pin.pin)
        if scene is None or view is None or found is None or box is None:
            return
        at = self.view.pixel((box.x, box.y))
        nodes = self.editor.nodes
        self.field.open(
            at,
            found.literal or "",
            lambda typed: self._guarded(lambda: nodes.set_literal(pin.node, pin.pin, typed)),
            type_=self.editor.language.type_of(pin),
            width=round(box.w * canvas.view.zoom) + 60,
        )

    def _text(self, item: str) -> None:
        """The text of a comment, or the name of a node."""
        canvas = self.editor.canvas
        scene = canvas.committed
        if scene is None:
            return
        comment = next((c for c in scene.comments if c.id == item), None)
        if comment is not None:
            at = self.view.pixel((comment.rect.x, comment.rect.y))
            tidy = self.editor.tidying
            self.field.open(
                at, comment.text, lambda typed: self._guarded(lambda: tidy.set_text(item, typed)), checks=False,
                width=round(comment.rect.w * canvas.view.zoom),
            )  # fmt: skip
            return
        node = next((n for n in scene.sheet.nodes if n.id == item), None)
        if node is None:
            return
        rect = scene.rect(item)
        renames = self.editor.renames
        if node.kind == "expression":
            nodes = self.editor.nodes
            self.field.open(
                self.view.pixel((rect.x, rect.y)), node.literals.get("value", "0"),
                lambda typed: self._guarded(lambda: nodes.set_literal(item, "value", typed)), width=240,
            )  # fmt: skip
            return
        self.field.open(
            self.view.pixel((rect.x, rect.y)),
            node.name,
            lambda typed: self._guarded(lambda: renames.rename_node(item, typed)),
            checks=False,
            width=round(rect.w * canvas.view.zoom),
        )

    # ------------------------------------------------------------ pasting
    def paste(self, at: Point) -> None:
        """Paste; what the graph lacks is listed first, with *make them too*."""
        text = self.editor.text
        piece = text.read()
        missing = text.missing(piece)
        if not missing:
            text.paste(at, piece=piece)
            return
        choices = [("paste", tr("Paste as it is"))]
        if missing.variables or missing.slots:
            choices.insert(0, ("make", tr("Make them too")))

        def answer(choice: str) -> None:
            if choice:
                self._guarded(lambda: text.paste(at, make=choice == "make", piece=piece))

        self.context.window.ask(
            tr("Paste nodes"),
            tr("Missing here: {names}.", names=missing.words()),
            choices,
            answer,
            choices[0][0],
        )

"""The graph editor without Qt: the canvas with everything that can be done on it."""

from dataclasses import dataclass, field, replace

from core.errors import ValidationError
from core.graph.edits import free_name, made_sheet
from core.graph.graph import SheetKind
from core.ids import AssetId
from editor.model.clipboard import Clipboard
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.graph.canvas import Canvas
from editor.model.graph.choosing import Choosing
from editor.model.graph.finding import Finding
from editor.model.graph.functions import Functions
from editor.model.graph.geometry import Point
from editor.model.graph.hits import Hit, Part
from editor.model.graph.language import Language
from editor.model.graph.machines import MachineEdits
from editor.model.graph.naming import spelled
from editor.model.graph.nodes import NewNode, NodeEdits
from editor.model.graph.problems import Problems
from editor.model.graph.renames import Renames
from editor.model.graph.scene import token_of
from editor.model.graph.search import Entry, NodeSearch
from editor.model.graph.state import ChoicePlace, PinPlace
from editor.model.graph.text import TextEdits
from editor.model.graph.tidying import Tidying
from editor.model.graph.walking import Walking
from editor.model.graph.wires import Offer, WireEdits
from editor.model.history import History
from editor.model.i18n import tr
from editor.model.messages import Messages


@dataclass(frozen=True, slots=True)
class SearchWanted:
    """A search for something to add.

    Parameters
    ----------
    at : scene place where it goes
    joined : pins that it is to be connected to
    from_state : state from which a transition is to lead to it
    text : what was typed already
    swap : node that it replaces, or ""
    """

    at: Point
    joined: tuple[PinPlace, ...] = ()
    from_state: str = ""
    text: str = ""
    swap: str = ""


@dataclass(eq=False)
class GraphEditor:
    """All of it.

    Attributes
    ----------
    search_wanted : the canvas is to open its search
    offer_wanted : a wire needs a node between; the person is asked
    rule_wanted : id of the transition or conduit whose rule is to be typed in place
    choice_wanted : choice field of a node whose list is to be opened
    literal_wanted : pin whose literal is to be typed in place
    find_wanted : a text to look for
    text_wanted : id of the comment whose text is to be typed, or of the node that is to be renamed
    """

    document: Document
    history: History
    edits: Edits
    evaluator: Evaluator
    clipboard: Clipboard
    messages: Messages
    canvas: Canvas = field(init=False)
    wires: WireEdits = field(init=False)
    nodes: NodeEdits = field(init=False)
    choosing: Choosing = field(init=False)
    machines: MachineEdits = field(init=False)
    text: TextEdits = field(init=False)
    problems: Problems = field(init=False)
    search: NodeSearch = field(init=False)
    language: Language = field(init=False)
    renames: Renames = field(init=False)
    tidying: Tidying = field(init=False)
    finding: Finding = field(init=False)
    functions: Functions = field(init=False)
    walking: Walking = field(init=False)
    search_wanted: Event[SearchWanted] = field(default_factory=Event)
    offer_wanted: Event[Offer] = field(default_factory=Event)
    rule_wanted: Event[str] = field(default_factory=Event)
    choice_wanted: Event[ChoicePlace] = field(default_factory=Event)
    literal_wanted: Event[PinPlace] = field(default_factory=Event)
    text_wanted: Event[str] = field(default_factory=Event)
    find_wanted: Event[str] = field(default_factory=Event)

    def __post_init__(self) -> None:
        self.canvas = Canvas(self.document, self.history, self.edits, self.evaluator, self.messages)
        self.wires = WireEdits(self.canvas)
        self.nodes = NodeEdits(self.canvas, self.wires)
        self.choosing = Choosing(self.canvas, self.nodes)
        self.machines = MachineEdits(self.canvas)
        self.problems = Problems(self.canvas)
        self.search = NodeSearch(self.canvas, self.wires)
        self.language = Language(self.canvas)
        self.renames = Renames(self.canvas)
        self.tidying = Tidying(self.canvas, self.nodes)
        self.finding = Finding(self.canvas)
        self.functions = Functions(self.canvas)
        self.walking = Walking(self.canvas, self.wires, self.machines)
        self.text = TextEdits(self.canvas, self.nodes, self.clipboard)

    # ------------------------------------------------------------ doing
    def add_update_sheet(self) -> None:
        """Add a sheet of actions, and open it."""
        graph, _ = self.canvas.require()
        name = free_name(tr("update"), {s.name for s in graph.sheets})
        made = made_sheet(SheetKind.UPDATE, name)
        self.canvas.commit(tr("New update sheet"), graph.with_sheet(made))
        self.canvas.enter(made.id)

    def open_item(self, item: str) -> None:
        """What a double click or Enter does: go into a sheet, type a rule, a text or a name."""
        scene = self.canvas.committed
        if scene is None:
            return
        node = scene.nodes.get(item)
        if node is None:
            if any(str(t.id) == item for t in scene.sheet.transitions):
                self.rule_wanted.emit(item)
            elif any(c.id == item for c in scene.comments):
                self.text_wanted.emit(item)
            return
        if node.opens:
            self.canvas.enter(node.opens)
        elif node.kind == "conduit":
            self.rule_wanted.emit(item)
        elif node.kind == "linked_graph":
            found = next((n for n in scene.sheet.nodes if n.id == item), None)
            graph = "" if found is None else str(found.parameters.get("graph") or "")
            if AssetId(graph) in self.canvas.project.assets:
                self.canvas.open(AssetId(graph))
        else:
            self.text_wanted.emit(item)

    def add_here(self, at: Point) -> None:
        """Open the search: at a place, or at the pin that the keyboard is on, to be connected to it."""
        scene, pin = self.canvas.committed, self.canvas.state.pin
        place = None if scene is None or pin is None else scene.pin_place(pin.node, pin.pin, pin.output)
        if pin is not None and place is not None:
            away = 64.0 if pin.output else -64.0
            self.search_wanted.emit(SearchWanted((place[0] + away, place[1]), (pin,)))
            return
        state = self.canvas.state.active
        if (
            self.canvas.is_machine
            and scene is not None
            and state in scene.nodes
            and len(self.canvas.state.selection) == 1
        ):
            rect = scene.rect(state)
            self.search_wanted.emit(SearchWanted((rect.right + 200.0, rect.centre[1]), from_state=state))
            return
        self.search_wanted.emit(SearchWanted(at))

    def set_slots(self, text: str) -> bool:
        """Set the graph's slots from a list with commas.

        Raises
        ------
        ValidationError
            A name without a group.
        """
        graph, _ = self.canvas.require()
        slots = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
        wrong = next((s for s in slots if not all(s.partition("."))), "")
        if wrong:
            raise ValidationError(
                tr("“{name}”: write a slot as group.slot, such as DefaultGroup.Arms", name=wrong)
            )
        return slots != graph.slots and self.canvas.commit(tr("Set slots"), replace(graph, slots=slots))

    def add_named(self, kind: str, at: Point) -> str | None:
        """Add a node of a kind at a place; returns its id."""
        return self.nodes.add(NewNode(kind), at)

    def add(self, wanted: SearchWanted, entry: Entry) -> str | None:
        """Add what was chosen in the search."""
        self.search.note(entry)
        if wanted.swap:
            self.nodes.swap(wanted.swap, entry.new)
            return wanted.swap
        return self.nodes.add(entry.new, wanted.at, wanted.joined, wanted.from_state)

    def words_at(self, hit: Hit) -> str:
        """What the tooltip says of something on the canvas."""
        scene, frame = self.canvas.committed, self.canvas.frame
        if scene is None or hit.part is Part.NOTHING:
            return ""
        if hit.part is Part.ARROW:
            return self.machines.words(hit.item)
        if hit.part is Part.PIN and hit.pin is not None:
            pin = self.wires.pin(hit.pin)
            value = "" if frame is None else frame.values.get((hit.pin.node, hit.pin.pin), "")
            return (
                ""
                if pin is None
                else f"{spelled(pin.name)}: {token_of(pin)}" + (f" = {value}" if value else "")
            )
        if hit.part is Part.WIRE:
            wire = next((w for w in scene.wires if w.key == hit.item), None)
            weight = None if frame is None or wire is None else frame.link(wire.link.source)
            return "" if weight is None else tr("weight {weight:.2f}", weight=weight)
        node = scene.nodes.get(hit.item)
        if node is None:
            return ""
        lines = [node.title, node.detail, node.missing]
        choice = None if hit.choice is None else node.choice(hit.choice.field)
        if choice is not None and not choice.head:
            lines = [f"{choice.label}: {choice.shown}", choice.missing]
        lines += [problem.message for problem in self.problems.of(hit.item)]
        if hit.pin is not None:
            lines.append(
                next((n.literals.get(hit.pin.pin, "") for n in scene.sheet.nodes if n.id == hit.item), "")
            )
        return "\n".join(line for line in lines if line)

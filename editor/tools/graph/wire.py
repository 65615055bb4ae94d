"""Drawing wires from pins, and transitions from the borders of states."""

from core.errors import AnimError
from editor.model.graph.editor import GraphEditor, SearchWanted
from editor.model.graph.geometry import Point
from editor.model.graph.hits import Part, hit_at
from editor.model.graph.state import Arrowing, PinPlace, Wiring
from editor.model.i18n import sentence, tr
from editor.tools.graph.gestures import CanvasGesture, tell
from editor.tools.pointer import Modifiers, Pointer


class DrawWire(CanvasGesture):
    """A wire from a pin to the pointer; with Ctrl all wires of the pin come off it and go along.

    Release on a pin or a node's body to connect, on empty canvas to search for what fits.
    """

    scrolls = True

    def __init__(self, editor: GraphEditor, pin: PinPlace) -> None:
        super().__init__(editor)
        self.pin = pin
        self.ends: tuple[PinPlace, ...] = (pin,)
        self.moves_all = False
        self._fits: dict[PinPlace, str] = {}

    def begin(self, pointer: Pointer) -> None:
        super().begin(pointer)
        links = self.editor.wires.links_at(self.pin)
        if pointer.has(Modifiers.CTRL) and links:
            self.moves_all = True
            self.ends = tuple(
                PinPlace(x.target, x.pin) if self.pin.output else PinPlace(x.source, x.output, True)
                for x in links
            )
        self.canvas.set_state(fits=None)
        self._fits = self.editor.wires.fitting(self.ends[0])
        self.canvas.set_state(fits=self._fits)
        self._show(pointer)

    def move(self, pointer: Pointer) -> None:
        self._show(pointer)

    def _show(self, pointer: Pointer) -> None:
        at = self.at(pointer)
        over, reason = self._over(at)
        self.canvas.preview(Wiring(self.ends, at, over, reason))

    def _over(self, at: Point) -> tuple[PinPlace | None, str]:
        """The pin that a release would take, or why there is none."""
        scene = self.canvas.committed
        if scene is None:
            return None, ""
        hit = hit_at(scene, at, self.canvas.view.zoom)
        wires, end = self.editor.wires, self.ends[0]
        if hit.pin is not None and hit.part is Part.PIN:
            if hit.pin in self.ends:
                return None, ""
            reason = wires.reason(end, hit.pin)
            return (hit.pin, "") if not reason else (None, reason)
        if hit.item in scene.nodes and hit.item != end.node:
            found = wires.first_fitting(end, hit.item)
            return found, "" if found is not None else tr("no pin of this node fits")
        return None, ""

    def finish(self, pointer: Pointer) -> None:
        at = self.at(pointer)
        over, _ = self._over(at)
        self._end()
        try:
            if self.moves_all:
                if over is not None and over != self.pin:
                    self.editor.wires.move_all(self.ends, self.pin, over)
                return
            if over is not None:
                self.editor.wires.connect(self.pin, over)
                return
        except AnimError as error:
            tell(self.canvas, error)
            return
        self._elsewhere(pointer, at)

    def _elsewhere(self, pointer: Pointer, at: Point) -> None:
        """Released where no pin fits: on another pin the node that converts, on nothing the search."""
        scene = self.canvas.committed
        if scene is None or not self.wandered(pointer):
            return
        hit = hit_at(scene, at, self.canvas.view.zoom)
        if hit.part is Part.PIN and hit.pin is not None and hit.pin != self.pin:
            offer = self.editor.wires.offer(self.pin, hit.pin, _between(self.origin, at))
            if offer is not None:
                self.editor.offer_wanted.emit(offer)
            else:
                self.canvas.messages.info(sentence(self.editor.wires.reason(self.pin, hit.pin)))
        elif hit.item not in scene.nodes:
            self.editor.search_wanted.emit(SearchWanted(at, (self.pin,)))

    def _end(self) -> None:
        self.canvas.set_state(preview=None, fits=None)

    def cancel(self) -> None:
        self._end()

    @property
    def hint(self) -> str:
        preview = self.canvas.state.preview
        if isinstance(preview, Wiring) and preview.reason:
            return sentence(preview.reason)
        return tr("Release on a pin or a node · on empty canvas to add what fits · Esc takes back")


class DrawArrow(CanvasGesture):
    """A transition from a state to the pointer; released on a state, or on empty canvas for a new one."""

    scrolls = True

    def __init__(self, editor: GraphEditor, source: str, transition: str = "", end: str = "target") -> None:
        super().__init__(editor)
        self.source, self.transition, self.end = source, transition, end

    def move(self, pointer: Pointer) -> None:
        if not self.wandered(pointer) and self.canvas.state.preview is None:
            return
        at = self.at(pointer)
        over, reason = self._over(at)
        self.canvas.preview(Arrowing(self.source, at, over, reason))

    def _over(self, at: Point) -> tuple[str, str]:
        scene = self.canvas.committed
        hit = None if scene is None else hit_at(scene, at, self.canvas.view.zoom)
        if scene is None or hit is None or hit.item not in scene.nodes:
            return "", ""
        ends = (self.source, hit.item) if self.end == "target" else (hit.item, self.source)
        reason = self.editor.machines.reason(*ends)
        return ("", reason) if reason else (hit.item, "")

    def finish(self, pointer: Pointer) -> None:
        shown = self.canvas.state.preview
        self.canvas.preview(None)
        if not isinstance(shown, Arrowing):
            if not self.transition:
                self.canvas.select([self.source], add=pointer.has(Modifiers.SHIFT))
            return
        at = self.at(pointer)
        over, reason = self._over(at)
        try:
            if self.transition and over:
                self.editor.machines.lead(self.transition, **{self.end: over})
            elif over:
                self.editor.machines.connect(self.source, over)
            elif reason:
                self.canvas.messages.info(sentence(reason))
            elif not self.transition:
                self.editor.search_wanted.emit(SearchWanted(at, from_state=self.source))
        except AnimError as error:
            tell(self.canvas, error)

    @property
    def hint(self) -> str:
        return tr("Release on a state · on empty canvas for a new state · Esc takes back")


def _between(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0

"""Fields of nodes: a number is scrubbed or typed, a truth turned, a choice opens its list."""

from editor.model.graph.editor import GraphEditor
from editor.model.graph.state import ChoicePlace, PinPlace
from editor.model.i18n import tr
from editor.tools.graph.gestures import CanvasGesture
from editor.tools.pointer import Modifiers, Pointer

STEP = 0.01
FINE, COARSE = 0.1, 10.0


class ScrubLiteral(CanvasGesture):
    """Sideways changes the number (Shift fine, Ctrl coarse)."""

    def __init__(self, editor: GraphEditor, pin: PinPlace) -> None:
        super().__init__(editor)
        self.pin = pin
        scene = self.canvas.committed
        view = None if scene is None else scene.nodes.get(pin.node)
        found = None if view is None else view.pin(pin.pin)
        self.text = "" if found is None else found.literal or ""
        self.token = "" if found is None else found.token
        self.number = _number(self.text)

    def begin(self, pointer: Pointer) -> None:
        super().begin(pointer)
        if self.pin.node not in self.canvas.state.selection:
            self.canvas.select([self.pin.node])
        self._value, self._last = self.number or 0.0, pointer.x

    def move(self, pointer: Pointer) -> None:
        if self.number is None or (self.canvas.state.scrubbed is None and not self.wandered(pointer)):
            return
        pace = FINE if pointer.has(Modifiers.SHIFT) else COARSE if pointer.has(Modifiers.CTRL) else 1.0
        step = 0.1 if self.token == "int" else STEP
        self._value += (pointer.x - self._last) * step * pace
        self._last = pointer.x
        self.canvas.set_state(scrubbed=(self.pin, self._shown()))

    def _shown(self) -> str:
        return str(round(self._value)) if self.token == "int" else f"{round(self._value, 3):g}"

    def finish(self, pointer: Pointer) -> None:
        scrubbed = self.canvas.state.scrubbed
        self.canvas.set_state(scrubbed=None)
        if scrubbed is not None:
            self.editor.nodes.set_literal(self.pin.node, self.pin.pin, scrubbed[1])
        elif self.wandered(pointer):
            return
        elif self.text in ("true", "false"):
            other = "false" if self.text == "true" else "true"
            self.editor.nodes.set_literal(self.pin.node, self.pin.pin, other)
        else:
            self.editor.literal_wanted.emit(self.pin)

    def cancel(self) -> None:
        self.canvas.set_state(scrubbed=None)

    @property
    def hint(self) -> str:
        return tr("Drag sideways to change the number · Shift fine · Ctrl coarse · click to type")


class OpenChoice(CanvasGesture):
    """A click on a choice field opens its list; a drag does nothing."""

    def __init__(self, editor: GraphEditor, choice: ChoicePlace) -> None:
        super().__init__(editor)
        self.choice = choice

    def begin(self, pointer: Pointer) -> None:
        super().begin(pointer)
        if self.choice.node not in self.canvas.state.selection:
            self.canvas.select([self.choice.node])

    def finish(self, pointer: Pointer) -> None:
        if not self.wandered(pointer):
            self.editor.choice_wanted.emit(self.choice)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None

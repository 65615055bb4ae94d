"""A pointer over the graph canvas without a window; places are those of the scene."""

from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import View
from editor.model.graph.scene import wire_key
from editor.tools.graph.press import gesture_at
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.panels.graph.graphs import graph_session


class Hand:
    """The canvas and a pointer over it; places are those of the scene."""

    def __init__(self) -> None:
        self.session = graph_session()
        self.editor = self.session.feature(GraphEditor)
        self.canvas = self.editor.canvas
        self.canvas.resize((1600.0, 1200.0))
        self.canvas.view = View(-120.0, -300.0, 1.0)
        self.before = self.session.document.project
        self.said: list[str] = []
        self.session.messages.posted.connect(lambda message: self.said.append(message.text))

    @property
    def chosen(self) -> set[str]:
        return set(self.canvas.state.selection)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.session.history.labels

    @property
    def places(self):
        return self.canvas.committed.places

    def pointer(self, place, held=Modifiers.NONE, button=Button.LEFT) -> Pointer:
        return Pointer(*self.canvas.view.to_pixel(place), button, held)

    def title(self, node: str) -> tuple[float, float]:
        rect = self.canvas.committed.rect(node)
        return rect.x + round(rect.w * 0.4), rect.y + min(13.0, rect.h / 2.0)

    def pin(self, node: str, pin: str, output: bool = False) -> tuple[float, float]:
        return self.canvas.committed.pin_place(node, pin, output)

    def press(self, place, held=Modifiers.NONE, button=Button.LEFT, panning=False):
        """The gesture that a press begins, begun."""
        gesture = gesture_at(self.editor, self.pointer(place, held, button), panning=panning)
        if gesture is not None:
            gesture.begin(self.pointer(place, held, button))
        return gesture

    def drag(self, start, *way, held=Modifiers.NONE, button=Button.LEFT, end="finish"):
        gesture = self.press(start, held, button)
        if gesture is None:
            return None
        last = self.pointer(start, held, button)
        for place in way:
            last = self.pointer(place, held, button)
            gesture.move(last)
        getattr(gesture, end)(*([last] if end == "finish" else []))
        assert self.canvas.state.preview is None
        return gesture

    def click(self, place, held=Modifiers.NONE) -> None:
        self.drag(place, held=held)

    def wires(self) -> set[str]:
        return {wire_key(link) for link in self.canvas.sheet.links}

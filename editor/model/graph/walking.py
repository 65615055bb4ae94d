"""The canvas by keyboard: from node to node along wires, from pin to pin, and connecting."""

from core.errors import ValidationError
from editor.model.graph.canvas import Canvas
from editor.model.graph.machines import MachineEdits
from editor.model.graph.scene import Scene
from editor.model.graph.state import PinPlace
from editor.model.graph.wires import WireEdits
from editor.model.i18n import tr

WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Walking:
    """Moves what the keyboard works on."""

    def __init__(self, canvas: Canvas, wires: WireEdits, machines: MachineEdits) -> None:
        self._canvas, self._wires, self._machines = canvas, wires, machines

    def _start(self) -> tuple[Scene, str] | None:
        """The active node; the first one in sight where none is."""
        scene, state = self._canvas.committed, self._canvas.state
        if scene is None or not scene.nodes:
            return None
        if state.active in scene.nodes:
            return scene, state.active
        return scene, ""

    def walk(self, way: str) -> None:
        """To the next node: along a wire where there is one, else to the nearest that way."""
        found = self._start()
        if found is None:
            return
        scene, active = found
        if not active:
            seen = scene.seen(self._canvas.view.seen(self._canvas.size)) or list(scene.nodes)
            target = min(seen, key=lambda id: (scene.places[id][0], scene.places[id][1]))
        else:
            target = self._along(scene, active, way) or self.nearest(scene, active, way)
        if target:
            self._canvas.select([target])
            self._canvas.bring_into_view([target])

    def _along(self, scene: Scene, node: str, way: str) -> str:
        links = [scene.wires[k].link for k in scene.wires_of.get(node, ())]
        pin = self._canvas.state.pin
        if way == "left":
            into = [x for x in links if x.target == node and (pin is None or pin.output or x.pin == pin.pin)]
            order = [p.name for p in scene.nodes[node].inputs]
            into.sort(key=lambda x: order.index(x.pin) if x.pin in order else 99)
            return into[0].source if into else ""
        if way == "right":
            out = [x for x in links if x.source == node]
            return out[0].target if out else ""
        return ""

    @staticmethod
    def nearest(scene: Scene, node: str, way: str) -> str:
        """The node nearest in a direction; "" for none."""
        dx, dy = WAYS[way]
        x, y = scene.rect(node).centre
        best, found = float("inf"), ""
        for other in scene.nodes:
            if other == node:
                continue
            ox, oy = scene.rect(other).centre
            ahead = (ox - x) * dx + (oy - y) * dy
            aside = abs((ox - x) * dy) + abs((oy - y) * dx)
            if ahead > 1.0 and ahead + 2.0 * aside < best:
                best, found = ahead + 2.0 * aside, other
        return found

    def step_pin(self, by: int) -> None:
        """To the next pin of the active node: inputs from above, then outputs."""
        scene, state = self._canvas.committed, self._canvas.state
        node = None if scene is None else scene.nodes.get(state.active)
        if node is None:
            return
        pins = [PinPlace(node.id, p.name) for p in node.inputs]
        pins += [PinPlace(node.id, p.name, True) for p in node.outputs]
        if not pins:
            return
        at = pins.index(state.pin) + by if state.pin in pins else (0 if by > 0 else len(pins) - 1)
        self._canvas.set_state(pin=pins[at % len(pins)])

    def connect(self, way: str) -> bool:
        """Connect the active pin or node to the nearest node that way: a wire, or a transition.

        Raises
        ------
        ValidationError
            There is nothing that way, or it does not fit; the message says why.
        """
        found = self._start()
        if found is None or not found[1]:
            raise ValidationError(tr("Select a node first"))
        scene, active = found
        target = self.nearest(scene, active, way)
        if not target:
            raise ValidationError(tr("There is no node that way"))
        if scene.machine:
            made = self._machines.connect(active, target)
            self._canvas.select([active])
            return made is not None
        pin = self._canvas.state.pin
        output = way in ("right", "down") if pin is None else pin.output
        pins = [pin] if pin is not None else self._own_pins(scene, active, output)
        reason = tr("no pin of this node fits")
        for own in pins:
            other = self._wires.first_fitting(own, target)
            if other is not None:
                return self._wires.connect(own, other)
        raise ValidationError(f"{scene.nodes[active].title} → {scene.nodes[target].title}: {reason}")

    @staticmethod
    def _own_pins(scene: Scene, node: str, output: bool) -> list[PinPlace]:
        """Pins of a node to connect by: the free ones first."""
        view = scene.nodes[node]
        if output:
            return [PinPlace(node, p.name, True) for p in view.outputs]
        return [PinPlace(node, p.name) for p in sorted(view.inputs, key=lambda p: p.wired)]

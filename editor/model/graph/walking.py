"""The canvas by keyboard: from node to node along wires, from pin to pin, and connecting."""

from core.errors import ValidationError
from core.graph.edits import ranked
from editor.model.graph.canvas import Canvas
from editor.model.graph.machines import MachineEdits
from editor.model.graph.scene import Scene
from editor.model.graph.state import ChoicePlace, PinPlace
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
        arrow = next((x for x in scene.sheet.transitions if str(x.id) == self._canvas.state.active), None)
        if arrow is not None:  # from a transition to the state at its end that way
            dx, dy = WAYS[way]
            ends = (str(arrow.source), str(arrow.target))
            target = max(ends, key=lambda id: scene.rect(id).centre[0] * dx + scene.rect(id).centre[1] * dy)
        elif not active:
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
    def towards(scene: Scene, node: str, way: str) -> list[str]:
        """Nodes in a direction, the nearest first."""
        dx, dy = WAYS[way]
        x, y = scene.rect(node).centre
        found: list[tuple[float, str]] = []
        for other in scene.nodes:
            ox, oy = scene.rect(other).centre
            ahead = (ox - x) * dx + (oy - y) * dy
            aside = abs((ox - x) * dy) + abs((oy - y) * dx)
            if other != node and ahead > 1.0:
                found.append((ahead + 2.0 * aside, other))
        return [other for _, other in sorted(found)]

    def nearest(self, scene: Scene, node: str, way: str) -> str:
        """The node nearest in a direction; "" for none."""
        return next(iter(self.towards(scene, node, way)), "")

    def step_pin(self, by: int) -> None:
        """To the next pin or choice field of the active node, from above; of a state, to the next transition."""
        scene, state = self._canvas.committed, self._canvas.state
        if scene is not None and scene.machine:
            self._step_transition(scene, by)
            return
        node = None if scene is None else scene.nodes.get(state.active)
        if node is None:
            return
        pins: list[PinPlace | ChoicePlace] = [ChoicePlace(node.id, c.name) for c in node.choices if c.head]
        pins += [PinPlace(node.id, p.name) for p in node.inputs]
        pins += [ChoicePlace(node.id, c.name) for c in node.choices if not c.head]
        pins += [PinPlace(node.id, p.name, True) for p in node.outputs]
        if not pins:
            return
        now = state.choice or state.pin
        at = pins.index(now) + by if now in pins else (0 if by > 0 else len(pins) - 1)
        found = pins[at % len(pins)]
        if isinstance(found, ChoicePlace):
            self._canvas.set_state(pin=None, choice=found)
        else:
            self._canvas.set_state(pin=found)

    def _step_transition(self, scene: Scene, by: int) -> None:
        """To the next transition that leaves the active state, or the one that the active transition leaves."""
        active = self._canvas.state.active
        own = next((t for t in scene.sheet.transitions if str(t.id) == active), None)
        leaving = [str(t.id) for t in ranked(scene.sheet, str(own.source) if own is not None else active)]
        if leaving:
            at = leaving.index(active) + by if active in leaving else (0 if by > 0 else -1)
            self._canvas.select([leaving[at % len(leaving)]])

    def connect(self, way: str) -> bool:
        """Connect the active pin or node to the nearest node that way that fits: a wire, or a transition.

        Raises
        ------
        ValidationError
            There is nothing that way, or it does not fit; the message says why.
        """
        found = self._start()
        if found is None or not found[1]:
            raise ValidationError(tr("Select a node first"))
        scene, active = found
        targets = self.towards(scene, active, way)
        if not targets:
            raise ValidationError(tr("There is no node that way"))
        if scene.machine:
            return self._machines.connect(active, targets[0]) is not None
        pin = self._canvas.state.pin
        output = way in ("right", "down") if pin is None else pin.output
        pins = [pin] if pin is not None else self._own_pins(scene, active, output)
        for target in targets:
            for own in pins:
                other = self._wires.first_fitting(own, target)
                if other is not None:
                    return self._wires.connect(own, other)
        raise ValidationError(tr("No pin of a node that way fits"))

    @staticmethod
    def _own_pins(scene: Scene, node: str, output: bool) -> list[PinPlace]:
        """Pins of a node to connect by: the free ones first."""
        view = scene.nodes[node]
        if output:
            return [PinPlace(node, p.name, True) for p in view.outputs]
        return [PinPlace(node, p.name) for p in sorted(view.inputs, key=lambda p: p.wired)]

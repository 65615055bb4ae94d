"""Keys and gamepad controls that set variables while a run goes on; kept in the preferences, by graph."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from core.errors import ValidationError
from core.graph.graph import Graph, Role, Variable
from core.graph.language.values import Kind
from editor.model.events import Event
from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr
from editor.model.preferences import Preferences

PREFERENCE = "graph_keys"
DEAD_ZONE = 0.12
"""Of a stick: less than this counts as 0."""


class Way(StrEnum):
    """What a control does."""

    HOLD = "hold"
    TOGGLE = "toggle"
    SET = "set"
    AXIS = "axis"


@dataclass(frozen=True, slots=True)
class Binding:
    """A control that sets a variable.

    Parameters
    ----------
    control : a key as Qt writes it ("W", "Shift+Space"), or ``button0`` or ``axis1`` of a gamepad
    way : *hold* sets `value` while the key is down, and `rest` when it is released; *toggle* changes between both;
        *set* sets `value`; *axis* maps −1..1 of a stick to `rest`..`value`
    part : component of a vector; −1 for others
    """

    control: str
    variable: str
    way: Way = Way.HOLD
    value: float = 1.0
    rest: float = 0.0
    part: int = -1

    @property
    def pad(self) -> bool:
        """Whether it is of a gamepad."""
        return self.control.startswith(("axis", "button"))


class Controls:
    """The bindings of the graph that runs, and what they do.

    Attributes
    ----------
    active : whether keys go to the run while it goes on
    changed : bindings, or whether they are active, differ
    """

    def __init__(self, graph_run: GraphRun, preferences: Preferences) -> None:
        self._run, self._preferences = graph_run, preferences
        self._down: set[str] = set()
        self._pad: dict[str, float] = {}
        self.active = True
        self.changed: Event[None] = Event()

    # ------------------------------------------------------------ bindings
    @property
    def bindings(self) -> tuple[Binding, ...]:
        """Those of the graphs that run, in the order they were made."""
        found = []
        for graph in self._run.played.both:
            names = {variable.name for variable in graph.variables}
            for entry in self._entries(graph):
                binding = _binding(entry)
                if binding is not None and binding.variable in names:
                    found.append(binding)
        return tuple(found)

    def of(self, variable: str) -> tuple[Binding, ...]:
        """Those that set a variable."""
        return tuple(binding for binding in self.bindings if binding.variable == variable)

    def bind(self, graph: Graph, binding: Binding) -> None:
        """Add a binding; the same control does nothing else to that variable from now on.

        Raises
        ------
        ValidationError
            No control is named.
        """
        if not binding.control:
            raise ValidationError(tr("Press a key, or name a control of the gamepad"))
        entries = [
            entry
            for entry in self._entries(graph)
            if (entry.get("control"), entry.get("variable")) != (binding.control, binding.variable)
        ]
        self._store(graph, [*entries, {**asdict(binding), "way": str(binding.way)}])

    def unbind(self, graph: Graph, variable: str) -> None:
        """Remove all controls of a variable."""
        self._store(graph, [e for e in self._entries(graph) if e.get("variable") != variable])

    def rename(self, graph: Graph, old: str, new: str) -> None:
        """A variable has another name."""
        entries = [{**e, "variable": new} if e.get("variable") == old else e for e in self._entries(graph)]
        if entries:
            self._store(graph, entries)

    def _stored(self) -> Mapping[str, Any]:
        found = self._preferences.get(PREFERENCE)
        return found if isinstance(found, dict) else {}

    def _entries(self, graph: Graph) -> list[dict[str, Any]]:
        found = self._stored().get(graph.id, [])
        return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []

    def _store(self, graph: Graph, entries: list[dict[str, Any]]) -> None:
        self._preferences.set(PREFERENCE, {**self._stored(), graph.id: entries})
        self.changed.emit(None)

    # ------------------------------------------------------------ keys
    def wants(self, key: str) -> bool:
        """Whether a key goes to the run now, in place of what it does elsewhere."""
        return self.active and self._run.running and any(b.control == key for b in self.bindings)

    def press(self, key: str) -> bool:
        """A key went down; whether it did something."""
        if not self.wants(key):
            return False
        if key not in self._down:
            self._down.add(key)
            for binding in self.bindings:
                if binding.control == key:
                    self._act(binding)
        return True

    def release(self, key: str) -> bool:
        """A key was released; whether it did something."""
        if key not in self._down:
            return False
        self._down.discard(key)
        for binding in self.bindings:
            if binding.control == key and binding.way is Way.HOLD:
                self._put(binding, binding.rest)
        return True

    def release_all(self) -> None:
        """The window lost the keyboard: no key is down."""
        for key in tuple(self._down):
            self.release(key)

    def gamepad(self, controls: Mapping[str, float]) -> None:
        """What a gamepad's controls are now: ``axis0`` −1..1, ``button0`` 0 or 1."""
        if not (self.active and self._run.running):
            return
        for binding in self.bindings:
            if binding.control not in controls:
                continue
            value, before = controls[binding.control], self._pad.get(binding.control)
            if binding.way is Way.AXIS:
                value = 0.0 if abs(value) < DEAD_ZONE else value
                if before is None or abs(before - value) > 1e-3:
                    self._put(binding, binding.rest + (binding.value - binding.rest) * (value + 1.0) / 2.0)
            elif before is not None and (value > 0.5) != (before > 0.5):
                if value > 0.5:
                    self._act(binding)
                elif binding.way is Way.HOLD:
                    self._put(binding, binding.rest)
            controls = {**controls, binding.control: value}
        self._pad.update(controls)

    def _act(self, binding: Binding) -> None:
        variable = self._variable(binding.variable)
        if variable is None:
            return
        if variable.role is Role.TRIGGER:
            self._run.fire(variable.name)
        elif binding.way is Way.TOGGLE:
            held = self._held(variable, binding.part)
            self._put(binding, binding.rest if abs(held - binding.value) < 1e-9 else binding.value)
        else:
            self._put(binding, binding.value)

    def _put(self, binding: Binding, value: float) -> None:
        variable = self._variable(binding.variable)
        if variable is None or variable.role is Role.TRIGGER:
            return
        if variable.kind is Kind.VECTOR and binding.part >= 0:
            held = self._run.value(variable)
            numbers = [float(x) for x in held] if isinstance(held, tuple | list) else [0.0] * 3
            numbers[binding.part] = value
            self._run.set(variable.name, numbers)
        else:
            self._run.set(variable.name, value)

    def _held(self, variable: Variable, part: int) -> float:
        held = self._run.value(variable)
        if isinstance(held, tuple | list):
            return float(held[max(part, 0)])
        return float(held) if isinstance(held, int | float) else 0.0

    def _variable(self, name: str) -> Variable | None:
        return next((variable for _, variable in self._run.played.variables if variable.name == name), None)


def proposed(variable: Variable, control: str) -> Binding:
    """What a control most likely means for a variable."""
    if variable.role is Role.TRIGGER or variable.kind is Kind.BOOL:
        return Binding(control, variable.name)
    low, high = variable.minimum, variable.maximum
    part = 0 if variable.kind is Kind.VECTOR else -1
    rest = variable.default[max(part, 0)]
    if control.startswith("axis"):
        return Binding(control, variable.name, Way.AXIS, high, low, part)
    if variable.kind in (Kind.ENUM, Kind.INT):
        return Binding(control, variable.name, Way.SET, min(rest + 1.0, high), rest, part)
    return Binding(control, variable.name, Way.HOLD, high if high < 1e9 else 1.0, rest, part)


def _binding(entry: Any) -> Binding | None:
    """A stored binding; None where it is not one."""
    try:
        return Binding(
            str(entry["control"]), str(entry["variable"]), Way(entry.get("way", "hold")),
            float(entry.get("value", 1.0)), float(entry.get("rest", 0.0)), int(entry.get("part", -1)),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError):
        return None

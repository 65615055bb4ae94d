"""Which tool is active and how it works: space by tool, pivot, snapping."""

from dataclasses import dataclass, replace
from enum import Enum

from editor.model.events import Event


class Tool(Enum):
    """The tools of the viewport."""

    SELECT = "select"
    MOVE = "translate"
    ROTATE = "rotate"
    SCALE = "scale"


class Space(Enum):
    """Whose axes the handles follow."""

    LOCAL = "local"
    PARENT = "parent"
    WORLD = "world"
    VIEW = "view"


class Pivot(Enum):
    """What several bones turn about. About the ball, the toe, the heel or a picked point the whole pose moves."""

    INDIVIDUAL = "individual"
    ACTIVE = "active"
    MEDIAN = "median"
    BALL = "ball"
    TOE = "toe"
    HEEL = "heel"
    POINT = "point"

    @property
    def still(self) -> bool:
        """Whether it is a point that stays where it is in the world."""
        return self in (Pivot.BALL, Pivot.TOE, Pivot.HEEL, Pivot.POINT)


@dataclass(frozen=True, slots=True)
class Picked:
    """A point that moves with a bone, metres in the bone's frame."""

    bone: str
    point: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Setup:
    """The whole state of the tools, as one value."""

    tool: Tool = Tool.ROTATE
    move_space: Space = Space.WORLD
    rotate_space: Space = Space.LOCAL
    scale_space: Space = Space.LOCAL
    pivot: Pivot = Pivot.INDIVIDUAL
    picked: Picked | None = None
    snap: bool = False
    distribute: bool = False
    angle_step: float = 5.0
    length_step: float = 0.01
    factor_step: float = 0.1

    def space_of(self, tool: Tool) -> Space:
        """The space a tool remembers; the select tool has none and answers local."""
        if tool is Tool.MOVE:
            return self.move_space
        if tool is Tool.SCALE:
            return self.scale_space
        return self.rotate_space if tool is Tool.ROTATE else Space.LOCAL

    @property
    def space(self) -> Space:
        """The space of the active tool."""
        return self.space_of(self.tool)

    def with_space(self, space: Space) -> "Setup":
        """The active tool working in another space."""
        if self.tool is Tool.MOVE:
            return replace(self, move_space=space)
        if self.tool is Tool.ROTATE:
            return replace(self, rotate_space=space)
        return replace(self, scale_space=space) if self.tool is Tool.SCALE else self

    def next_still(self) -> "Setup":
        """The next of the pivots that stand still, and after the last none; a point only where one is picked."""
        order = [Pivot.BALL, Pivot.TOE, Pivot.HEEL, *([Pivot.POINT] if self.picked else []), Pivot.INDIVIDUAL]
        at = order.index(self.pivot) if self.pivot in order else len(order) - 1
        return replace(self, pivot=order[(at + 1) % len(order)])

    def pressed(self, tool: Tool) -> "Setup":
        """After the tool's key: take the tool, or cycle its space where it is active already."""
        if tool is not self.tool:
            return replace(self, tool=tool)
        order = tuple(Space)
        return self.with_space(order[(order.index(self.space) + 1) % len(order)])


class ToolState:
    """The active tool, shared by viewport, tool bar and actions; emits `changed` with the new set-up.

    Attributes
    ----------
    look_changed : the views that look together look from elsewhere now
    """

    def __init__(self, setup: Setup | None = None) -> None:
        self._setup = setup or Setup()
        self._look: object = None
        self.changed: Event[Setup] = Event()
        self.look_changed: Event[object] = Event()

    @property
    def look(self) -> object:
        """The camera of the views that look together, as a `CameraController` gives it; None before any has looked."""
        return self._look

    def share_look(self, look: object) -> None:
        """Have all views look from here; an equal camera does nothing."""
        if look != self._look:
            self._look = look
            self.look_changed.emit(look)

    @property
    def setup(self) -> Setup:
        """The state as a value."""
        return self._setup

    def set(self, setup: Setup) -> None:
        """Take over a state; an equal one does nothing."""
        if setup != self._setup:
            self._setup = setup
            self.changed.emit(setup)

    def press(self, tool: Tool) -> None:
        """The tool's key or button."""
        self.set(self._setup.pressed(tool))

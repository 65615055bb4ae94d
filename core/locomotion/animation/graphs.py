"""The graphs that a character moves by, drawn from what there is: ``Locomotion``, and ``Feet`` after it.

Both are documents like any other: they are opened, read and changed in the graph editor. The controller's values
reach them as variables (`VARIABLES`); what a rig has no clips for is left out.
"""

from core.blending.blend_space import BlendSpace
from core.graph.graph import (
    BlendKind,
    Graph,
    Link,
    Node,
    NodeId,
    Role,
    Sheet,
    TargetStart,
    Variable,
)
from core.graph.language.values import Kind
from core.ids import AssetId
from core.ik.leg import body_legs
from core.locomotion.animation.pen import Machine, Pen
from core.locomotion.animation.propose import Moves
from core.rig.rig import Rig

FIRST, FIRST_FEET = 0x18000001, 0x18F00001
SLOT = "DefaultGroup.TurnInPlace"
FEET = "feet"
"""The sync group of all that walks."""


def _flag(name: str, **options: float | str | Role) -> Variable:
    return Variable(name, Kind.BOOL, minimum=0.0, maximum=1.0, **options)  # type: ignore[arg-type]


def _number(name: str, low: float, high: float, unit: str = "", default: float = 0.0) -> Variable:
    return Variable(name, default=(default,), minimum=low, maximum=high, unit=unit)


VARIABLES = (
    _flag("moving"),
    _flag("hips_back"),
    _flag("crouch"),
    _flag("in_air"),
    _flag("jump", role=Role.TRIGGER, buffer=0.1),
    _number("speed", 0.0, 50.0, "m/s"),
    _number("gait", 1.0, 3.0, default=1.0),
    _number("direction", -360.0, 360.0, "°"),
    _number("rate", 0.0, 3.0, default=1.0),
    _number("stride", 0.0, 2.0, default=1.0),
    _number("turn", -90.0, 90.0, "°"),
    _number("lean_right", -1.0, 1.0),
    _number("lean_forward", -1.0, 1.0),
    _number("air_right", -1.0, 1.0),
    _number("air_forward", -1.0, 1.0),
    _number("fall_speed", 0.0, 100.0, "m/s"),
    _number("land_alpha", 0.0, 1.0),
    _number("impact", 0.0, 100.0, "m/s"),
    _number("foot_ahead", -1.0, 1.0),
    _number("head_yaw", -180.0, 180.0, "°"),
    _number("head_pitch", -90.0, 90.0, "°"),
    _flag("aiming"),
    Variable("turn_in_place", Kind.INT, minimum=0.0, maximum=9.0),
)
"""What the host tells in each step; see `core.locomotion.animation.values`."""
FEET_VARIABLES = (
    _number("hold_feet", 0.0, 1.0, default=1.0),
    _number("feet_on_ground", 0.0, 1.0, default=1.0),
)


class _Drawing:
    def __init__(self, rig: Rig, moves: Moves) -> None:
        self.rig, self.moves, self.pen = rig, moves, Pen(FIRST)
        self.machine = Machine(self.pen, "moves")

    # ---------------------------------------------------------------- sheets of states
    def clip(self, state: str, what: str, pins: dict[str, str] | None = None, **options: bool | str) -> None:
        """A state that plays a clip, where there is one."""
        if what in self.moves:
            player = self.pen.node("clip", what, pins or {}, clip=self.moves.clips[what].id, **options)
            self.machine.state(state, self.pen.pose(state, (), player))

    def rest(self, state: str) -> None:
        """A state that stands in the rest pose."""
        self.machine.state(state, self.pen.pose(state, (), self.pen.node("rest", "rest")))

    def space(self, state: str, space: BlendSpace, *pins: str) -> None:
        """A state that plays a blend space by expressions of its axes."""
        literals = dict(zip("xy", pins, strict=False)) | {"rate": "rate"}
        player = self.pen.node("blend_space", space.name, literals, space=space.id, group=FEET)
        self.machine.state(state, self.pen.pose(state, (), player))

    # ---------------------------------------------------------------- the machine
    def states(self) -> None:
        moves, spaces = self.moves, self.moves.spaces
        self.clip("stand", "idle") if "idle" in moves else self.rest("stand")
        if "forward" in spaces:
            self.space("ahead", spaces["forward"], "direction", "gait")
        elif "walk" in moves:
            self.clip("ahead", "walk", {"rate": "rate"}, group=FEET)
        if "backward" in spaces:
            self.space("back", spaces["backward"], "direction", "min(gait, 2)")
        if "crouch" in spaces:
            self.space("crouch", spaces["crouch"], "speed")
        elif "crouch idle" in moves:
            self.clip("crouch", "crouch idle")
        self.fall()
        if "fall" in moves and "jump start" in moves:
            self.clip("leap", "jump start", {"start": "0.5"})
        if "land" in moves:
            self.clip("land", "land", {"start": f"{self.touch():g}"})

    def touch(self) -> float:
        """Seconds of the landing clip at which the feet touch."""
        clip = self.moves.clips["land"]
        marks = [notify.time for notify in clip.notifies if notify.name in ("land", "touch", "touch_down")]
        return min([*marks, 8.0 / 30.0 if "contact_l" in clip.curves else 0.0][:1])

    def fall(self) -> None:
        """Falling, that goes over into flailing by speed."""
        if "fall" not in self.moves:
            return
        pen = self.pen
        last = pen.node("clip", "fall", clip=self.moves.clips["fall"].id)
        wires: list[tuple[Node, Node, str]] = []
        for what, low, high in (("fast fall", 5.0, 9.0), ("flail", 7.0, 15.0)):
            if what not in self.moves:
                continue
            more = pen.node("clip", what, clip=self.moves.clips[what].id)
            mixed = pen.node("blend", f"to {what}", {"alpha": f"smoothstep({low:g}, {high:g}, fall_speed)"})
            wires += [(last, mixed, "a"), (more, mixed, "b")]
            last = mixed
        self.machine.state("fall", pen.pose("fall", wires, last))

    def arrows(self) -> None:
        arrow, phase = self.machine.arrow, TargetStart.SAME_PHASE
        grounded = ("stand", "ahead", "back", "crouch", "land")
        for state in grounded:
            arrow(state, "leap", "take(jump)", 0.12)
        for state in grounded:
            arrow(state, "fall", "in_air", 0.2)
        arrow("leap", "land", "not in_air and time_in_state > 0.1", 0.1)
        arrow("leap", "fall", "", 0.2, automatic=-1.0)
        arrow("leap", "ahead", "not in_air and moving and time_in_state > 0.1", 0.15)
        for source in ("leap", "fall"):
            arrow(source, "ahead", "not in_air and moving and not hips_back", 0.15)
            arrow(source, "back", "not in_air and moving and hips_back", 0.15)
        arrow("fall", "land", "not in_air", 0.1)
        arrow("fall", "stand", "not in_air", 0.2)
        arrow("land", "crouch", "crouch", 0.3)
        arrow("land", "ahead", "moving and not hips_back", 0.2)
        arrow("land", "back", "moving and hips_back", 0.2)
        arrow("land", "stand", "", 0.25, automatic=-1.0)
        for state in ("stand", "ahead", "back"):
            arrow(state, "crouch", "crouch", 0.4)
        arrow("crouch", "stand", "not crouch and not moving", 0.4)
        arrow("crouch", "ahead", "not crouch and moving and not hips_back", 0.4)
        arrow("crouch", "back", "not crouch and moving and hips_back", 0.4)
        arrow("ahead", "back", "moving and hips_back", 0.2, start=phase)
        arrow("back", "ahead", "moving and not hips_back", 0.2, start=phase)
        arrow("stand", "ahead", "moving and not hips_back", 0.2)
        arrow("stand", "back", "moving and hips_back", 0.2)
        arrow("ahead", "stand", "not moving", 0.25)
        arrow("back", "stand", "not moving", 0.25)

    # ---------------------------------------------------------------- what goes over the machine
    def root(self) -> Sheet:
        pen = self.pen
        last = pen.node("machine", "moves", sheet=self.machine.drawn().id)
        wires: list[tuple[Node, Node, str]] = []

        def then(node: Node, pin: str = "pose") -> None:
            nonlocal last
            wires.append((last, node, pin))
            last = node

        then(pen.node("slot", "turn in place", slot=SLOT), "source")
        if body_legs(self.rig) is not None:
            then(
                pen.node(
                    "stride_warp", "warp",
                    {"stride": "stride", "direction": "direction", "turn": "turn", "alpha": "moving and not in_air"},
                    alpha_by="bool", fade_in=0.1, fade_out=0.1,
                )
            )  # fmt: skip
        if "lean" in self.moves.spaces:
            then(
                pen.node(
                    "aim_offset", "lean",
                    {"x": "lean_right", "y": "lean_forward", "alpha": "not in_air and not crouch"},
                    space=self.moves.spaces["lean"].id, alpha_by="bool",
                ),
                "base",
            )  # fmt: skip
        for name, x, y, alpha in (
            ("air lean", "air_right", "air_forward", "in_air"),
            ("look", "head_yaw", "head_pitch", "not in_air and not aiming"),
        ):
            if name in self.moves.spaces:
                pins = {"x": x, "y": y, "alpha": alpha}
                then(
                    pen.node("aim_offset", name, pins, space=self.moves.spaces[name].id, alpha_by="bool"),
                    "base",
                )
        return pen.pose("pose", wires, last)


def locomotion_graph(rig: Rig, moves: Moves, asset: AssetId | None = None) -> Graph:
    """The graph ``Locomotion`` of a rig."""
    drawing = _Drawing(rig, moves)
    drawing.states()
    drawing.arrows()
    root = drawing.root()
    others = tuple(sheet for sheet in drawing.pen.sheets if sheet is not root)
    return Graph(
        asset or AssetId(f"graph-locomotion-{rig.id}"), "Locomotion", rig.id, VARIABLES, slots=(SLOT,),
        sheets=(root, *others),
    )  # fmt: skip


def feet_graph(rig: Rig, asset: AssetId) -> Graph:
    """The graph ``Feet`` of a rig, to be run after every other."""
    pen = Pen(FIRST_FEET)
    given = pen.node("pose_input", "pose")
    place = pen.node("plant_feet", "feet", {"hold": "hold_feet", "follow": "feet_on_ground"})
    output = pen.node("output", "Output")
    links = (Link(given.id, place.id, "pose"), Link(place.id, output.id, "pose"))
    sheet = Sheet(NodeId(pen.id()), "pose", nodes=(given, place, output), links=links)
    return Graph(asset, "Feet", rig.id, FEET_VARIABLES, sheets=(sheet,))


__all__ = ["FEET_VARIABLES", "SLOT", "VARIABLES", "BlendKind", "feet_graph", "locomotion_graph"]

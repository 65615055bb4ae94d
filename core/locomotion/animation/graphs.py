"""The graphs that a character moves by, drawn from what there is: ``Locomotion``, and ``Feet`` after it.

Both are documents like any other: they are opened, read and changed in the graph editor. The controller's values
reach them as variables (`core.locomotion.animation.variables`); what a rig has no clips for is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.clips.clip import Clip
from core.graph.compiler import Assets
from core.graph.graph import Graph, Link, Node, NodeId, Sheet
from core.graph.montage import Montage
from core.ids import AssetId
from core.ik.leg import body_legs
from core.locomotion.animation.arrows import draw_arrows
from core.locomotion.animation.pen import Machine, Pen
from core.locomotion.animation.propose import Moves
from core.locomotion.animation.states import FOOT_AHEAD, draw_states, pivot_maps
from core.locomotion.animation.steps import SLOT as STEPS
from core.locomotion.animation.steps import step_actions, steps_of
from core.locomotion.animation.stops import stop_maps
from core.locomotion.animation.turns import MONTAGE, SLOT, turn_actions, turn_maps, turn_montage, turns_of
from core.locomotion.animation.variables import FEET_VARIABLES, OWN, VARIABLES
from core.rig.rig import Rig

FIRST, FIRST_FEET = 0x18000001, 0x18F00001
CYCLES = "state('moves') == 'ahead' or state('moves') == 'back' or state('moves') == 'crouch'"
"""Where steps are warped, and a landing is put on top: `land` and `roll` are landings themselves."""
LANDED = 0.6
"""Seconds for which it is."""
LIGHT, HEAVY = 3.0, 8.0
"""m/s of impact at which it is light, and at which it is heavy."""


class Over:
    """What goes over the machine, node after node."""

    def __init__(self, pen: Pen, last: Node) -> None:
        self.pen, self.last = pen, last
        self.wires: list[tuple[Node, Node, str]] = []

    def then(self, node: Node, pin: str = "pose") -> None:
        """The next node, by the pin that takes what was before."""
        self.wires.append((self.last, node, pin))
        self.last = node

    def added(self, node: Node, source: Node) -> None:
        """The next node, and the difference that it adds."""
        self.then(node, "base")
        self.wires.append((source, node, "additive"))


def _root(rig: Rig, moves: Moves, pen: Pen, machine: Machine) -> Sheet:
    over = Over(pen, pen.node("machine", "moves", sheet=machine.drawn().id))
    over.then(pen.node("slot", "turns", slot=SLOT), "source")
    if steps_of(moves):
        over.then(pen.node("slot", "steps", slot=STEPS), "source")
    if body_legs(rig) is not None:
        over.then(
            pen.node(
                "stride_warp", "warp",
                {"stride": "stride", "direction": "direction", "turn": "turn", "alpha": f"moving and ({CYCLES})"},
                alpha_by="bool", fade_in=0.1, fade_out=0.1,
            )
        )  # fmt: skip
    if moves.has(("land light", "land heavy")):
        light, heavy = (
            pen.node("clip", what, clip=moves.clips[what].id) for what in ("land light", "land heavy")
        )
        mixed = pen.node("blend", "impact", {"alpha": f"smoothstep({LIGHT:g}, {HEAVY:g}, impact)"})
        over.wires += [(light, mixed, "a"), (heavy, mixed, "b")]
        landed = f"timer(in_air) < {LANDED:g} and impact > 0.5 and ({CYCLES})"
        put = pen.node(
            "apply_additive", "landing", {"alpha": landed}, alpha_by="bool", fade_in=0.05, fade_out=0.25
        )
        over.added(put, mixed)
    put_offsets(moves, over)
    if "breathing" in moves:
        breath = pen.node("clip", "breathing", clip=moves.clips["breathing"].id)
        over.added(pen.node("apply_additive", "breath"), breath)
    return pen.pose("pose", over.wires, over.last)


def put_offsets(moves: Moves, over: Over) -> None:
    """Leans and looks, each a blend space put on what is below."""
    for name, x, y, alpha in (
        ("lean", "lean_right", "lean_forward", "not in_air and not crouch"),
        ("air lean", "air_right", "air_forward", "in_air"),
        ("aim", "aim_yaw", "aim_pitch", "aiming"),
        ("look", "head_yaw", "head_pitch", "not in_air and not aiming"),
    ):
        if name in moves.spaces:
            pins = {"x": x, "y": y, "alpha": alpha}
            over.then(
                over.pen.node("aim_offset", name, pins, space=moves.spaces[name].id, alpha_by="bool"), "base"
            )


def _update(pen: Pen, moves: Moves, machine: Machine) -> Sheet:
    """The update sheet: what is read as moving ends, and turning on the spot."""
    walking = " or ".join(f"state('moves') == '{name}'" for name in FOOT_AHEAD if name in machine)
    reads = (("foot_x", "curve('FootDirection')"), ("foot_y", "curve('FootPosition')"), ("stop_gait", "gait"))
    chain = [
        pen.node("set", "", {"value": value, "when": walking}, variable=name)
        for name, value in reads
        if walking
    ]
    still = "not moving and not in_air" + (f" and not playing('{MONTAGE}')" if turns_of(moves) else "")
    steps = step_actions(pen, moves, still)
    return pen.update("update", pen.node("on_step"), [*chain, *turn_actions(pen, moves), *steps])


def locomotion_graph(rig: Rig, moves: Moves, asset: AssetId | None = None) -> Graph:
    """The graph ``Locomotion`` of a rig; its turns in place are played by `turn_montage`."""
    pen, maps = Pen(FIRST), stop_maps(rig, moves)
    machine = Machine(pen, "moves")
    draw_states(rig, moves, machine, maps)
    draw_arrows(machine, maps)
    root = _root(rig, moves, pen, machine)
    update = _update(pen, moves, machine)
    others = tuple(sheet for sheet in pen.sheets if sheet not in (root, update))
    return Graph(
        asset or AssetId(f"graph-locomotion-{rig.id}"), "Locomotion", rig.id, (*VARIABLES, *OWN),
        maps=maps | turn_maps(moves) | pivot_maps(moves), slots=(SLOT, STEPS), sheets=(root, update, *others),
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


@dataclass(frozen=True, slots=True)
class _With:
    """A project with montages beside its own."""

    project: Assets
    montages: tuple[Montage, ...]

    @property
    def clips(self) -> Sequence[Clip]:
        return self.project.clips

    @property
    def rigs(self) -> Sequence[Rig]:
        return self.project.rigs

    def all(self, kind: type[Any]) -> Sequence[Any]:
        found = self.project.all(kind)
        return (*found, *self.montages) if kind is Montage else found


def drawn(project: Assets, rig: Rig, moves: Moves) -> tuple[Graph, Assets]:
    """The graph of a rig that has none in its project, and the project with what the graph needs."""
    montage = turn_montage(rig, moves)
    graph = locomotion_graph(rig, moves)
    return graph, project if montage is None else _With(project, (montage,))

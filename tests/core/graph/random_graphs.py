"""Random graphs of the walker, with machines in them, and random runs, for the laws."""

from hypothesis import strategies as st

from core.blending.easing import EaseShape, Easing
from core.clips.clip import Additive, AdditiveSpace, Notify
from core.graph.commands import Command, Do, play_clip
from core.graph.graph import BlendKind, Graph, Interrupt, InterruptBy, Node, Role, TargetStart, Variable
from core.graph.language.values import Kind
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, swinging, walker

SPEED = Variable("speed", minimum=-10.0, maximum=10.0)
ALPHA = Variable("alpha", maximum=1.0)
STOP = Variable("stop", maximum=1.0)
GO = Variable("go", Kind.BOOL, maximum=1.0, role=Role.TRIGGER)
RULES = (
    "speed > 1",
    "speed < 0",
    "alpha > 0.5",
    "take('go')",
    "held(speed > 0) > 0.1",
    "time_in_state > 0.2",
)
FADES = (BlendKind.CROSSFADE, BlendKind.FROZEN)
ALL = (*FADES, BlendKind.INERTIALISE, BlendKind.DEAD_BLEND)
VALUES = ("alpha", "ease_to(alpha, 0.1)", "0.4", "abs(sin(timer(speed > 1) * 200))", "speed * 0.3")


def clips() -> list:
    """Clips of other lengths and paces, with notifies; one is a difference."""
    moved = (Notify("step", 0.25), Notify("hold", 0.5, 0.3))
    return [
        swinging("walk", 30.0, notifies=moved, curves={"level": 0.4}),
        swinging("run", -50.0, notifies=moved),
        swinging("once", 20.0, looping=False, notifies=moved),
        swinging("breath", 12.0, additive=Additive(AdditiveSpace.LOCAL)),
    ]


def wave() -> Montage:
    """A montage of two sections in the slot ``Group.Upper``."""
    track = SlotTrack("Upper", (Segment(AssetId("clip-run"), 0.0, 0.0, 0.8),))
    sections = (Section("in", 0.0, "loop"), Section("loop", 0.4, "loop"))
    fade = MontageBlend(0.15)
    return Montage(
        AssetId("montage-wave"), "wave", RIG, "Group", (track,), sections, fade, fade,
        notifies=(Notify("waved", 0.5),),
    )  # fmt: skip


class Growing:
    """Draws one random tree.

    Parameters
    ----------
    kinds : of nodes
    blends : of the machines' transitions
    """

    def __init__(self, draw, drawing: Drawing, kinds: tuple[str, ...], blends: tuple[BlendKind, ...]) -> None:
        self.draw, self.drawing, self.kinds, self.blends = draw, drawing, kinds, blends
        self.leaves: list[Node] = []

    def sheet(self, depth: int):
        """A pose sheet with a tree on it."""
        nodes: list[Node] = []
        wires: list[tuple[Node, Node, str]] = []
        last = self.pose(depth, nodes, wires)
        return self.drawing.pose_sheet("sheet", nodes, wires, last)

    def pick(self, *choices):
        return self.draw(st.sampled_from(choices))

    def pose(self, depth: int, nodes: list[Node], wires: list, top: bool = False) -> Node:
        """A tree of a depth; its nodes and wires are added.

        Parameters
        ----------
        top : of the whole graph: a machine, or a node over one
        """
        kind = "clip" if depth == 0 else self.pick(*self.kinds)
        if top:
            kind = self.pick("machine", kind)
        made = self.node(kind, depth)
        below = {
            "clip": (), "machine": (), "blend": ("a", "b"), "layered": ("base", "layer"),
            "blend_many": ("pose_0", "pose_1", "pose_2"), "blend_by_bool": ("true", "false"),
            "apply_additive": ("base",), "slot": ("source",),
        }.get(kind, ("pose",))  # fmt: skip
        for number, pin in enumerate(below):
            wires.append((self.pose(depth - 1, nodes, wires, top and number == 0), made, pin))
        if kind == "apply_additive":
            nodes.append(self.drawing.play("breath"))
            wires.append((nodes[-1], made, "additive"))
        nodes.append(made)
        return made

    def node(self, kind: str, depth: int) -> Node:
        drawing, value = self.drawing, self.pick(*VALUES)
        if kind == "clip":
            made = drawing.play(
                self.pick("walk", "run", "once"), rate=self.pick("1", "-0.7", "speed * 0.3", "0"), start="0.2",
                keep_time=self.pick(True, False),
            )  # fmt: skip
            self.leaves.append(made)
            return made
        if kind == "machine":
            return drawing.node("machine", f"m{len(drawing.sheets)}", sheet=self.machine(depth - 1).id)
        literals = {
            "blend": {"alpha": value}, "layered": {"weight": value}, "mirror": {"on": "speed > 0"},
            "blend_many": {f"weight_{k}": self.pick(*VALUES, "0") for k in range(3)},
            "blend_by_bool": {"value": "alpha > 0.3"}, "apply_additive": {"alpha": value},
            "inertialise": {"request": "speed > 2"}, "modify_curve": {"value": value},
        }  # fmt: skip
        parameters = {
            "layered": {"mask": self.pick("legs", "half")}, "blend_many": {"count": 3},
            "slot": {"slot": "Group.Upper"}, "modify_curve": {"curve": "level", "way": "scale"},
            "blend_by_bool": {"inertialise": self.pick(False, *((True,) if len(self.blends) > 2 else ()))},
        }  # fmt: skip
        return drawing.node(kind, "", literals.get(kind, {}), **parameters.get(kind, {}))

    def machine(self, depth: int):
        """A machine of three states with random transitions."""
        names = ("a", "b", "c")
        states = {name: self.sheet(self.draw(st.integers(0, max(depth, 0)))) for name in names}
        arrows = []
        more = self.draw(st.lists(st.sampled_from(["ab", "ba", "ac", "bc", "ca", "cb"]), max_size=4))
        for source, target in ("ab", "bc", "ca", *more):
            kind = self.pick(*self.blends)
            options = {
                "seconds": self.pick("0.15", "0", "0.1 + alpha * 0.3"),
                "easing": Easing(self.pick(EaseShape.LINEAR, EaseShape.SMOOTH, EaseShape.SINE)),
                "blend": {"kind": kind, "profile": self.pick("", "", "legs", "half")},
                "interrupt": self.pick(*Interrupt), "interrupt_by": self.pick(*InterruptBy),
                "priority": self.pick(0, 1), "min_time": self.pick(0.0, 0.05),
                "automatic": self.pick(None, None, 0.1, -1.0), "start": self.pick(*TargetStart),
            }  # fmt: skip
            arrows.append((source, target, self.pick(*RULES), options))
        resets = {name: self.pick("when_irrelevant", "always", "never") for name in names}
        return self.drawing.machine(states, arrows, (), **resets)


PLAIN = ("clip", "blend", "machine", "layered", "blend_many", "blend_by_bool")
"""Nodes that only share a pose out among their inputs."""
EVERY = (*PLAIN, "mirror", "apply_additive", "slot", "inertialise", "modify_curve")


@st.composite
def graphs(draw, kinds=EVERY, blends=ALL, made_of=clips) -> tuple[Drawing, Graph]:
    """A random graph: a tree of up to three levels, with a blend to the rest pose by ``stop`` at its end."""
    drawing = Drawing(
        *made_of(),
        variables=(SPEED, ALPHA, STOP, GO),
        rig_=walker(),
        assets=(wave(),),
        slots=("Group.Upper",),
    )
    growing = Growing(draw, drawing, kinds, blends)
    nodes: list[Node] = []
    wires: list[tuple[Node, Node, str]] = []
    last = growing.pose(draw(st.integers(1, 3)), nodes, wires, top=True)
    rest, stop = drawing.node("rest"), drawing.node("blend", "stop", {"alpha": "stop"})
    wires += [(last, stop, "a"), (rest, stop, "b")]
    return drawing, drawing.graph(drawing.pose_sheet("main", [*nodes, rest, stop], wires, stop))


inputs = st.fixed_dictionaries(
    {"speed": st.one_of(st.sampled_from([3.0, 0.5, -2.0]), st.floats(-20, 20))},
    optional={"alpha": st.one_of(st.sampled_from([0.0, 0.7]), st.floats(-1, 2)), "go": st.booleans()},
)
spans = st.one_of(st.sampled_from([1 / 60, 0.1, 0.05, 0.25, 0.0]), st.floats(0.001, 0.12))
runs = st.lists(st.tuples(spans, inputs), min_size=4, max_size=16)
orders = st.sampled_from([
    (), (), (Command(Do.PLAY, "wave"),), (Command(Do.STOP, "wave"),), (play_clip("walk", "Group.Upper", loops=2),),
    (Command(Do.JUMP, "wave", section="loop"),), (Command(Do.RATE, "wave", rate=-2.0),),
])  # fmt: skip
"""Commands of a step."""

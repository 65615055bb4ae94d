"""Trees of every node that mixes, over clips that travel and tell, run with inputs that wander: by pins, kernel and twin.

The trees are drawn by a dice of a fixed seed; the conftest lets the twin make each step that the kernel makes.
"""

# ruff: noqa: E501 - a line a node

import random
from types import SimpleNamespace

import numpy as np
import pytest

from core.clips.clip import Additive, AdditiveSpace, Notify, NotifyRule, RootMotion, SyncMarker
from core.graph.commands import Command, Do, play_clip
from core.graph.graph import BlendKind, Interrupt, Node, SyncSetting, TargetStart, Tempo, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.graph.notifying import NO_CONDITION, Motion, Notifier
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, swinging, walker
from tests.core.graph.test_named_players import told
from tests.pins import Pins

HELD = Pins(__file__)
S = Variable("s", minimum=-9.0, maximum=9.0)
T = Variable("t", minimum=-9.0, maximum=9.0)
PICK = Variable("pick", Kind.ENUM, enum="e", minimum=0.0, maximum=1.0)
RULES = ("override", "do_not_override", "blend", "normalise", "base_only", "maximum", "minimum")
NOTIFIES = (
    Notify("step", 0.25),
    Notify("hold", 0.6, 0.55),
    Notify("soft", 0.5, 0.2, rule=NotifyRule(threshold=0.3)),
)


def clips() -> list:
    marks = (SyncMarker("l", 0.1), SyncMarker("r", 0.6))
    more = {"root_motion": RootMotion(True), "notifies": NOTIFIES}
    return [
        swinging("walk", 30.0, curves={"lift": 0.4}, sync_markers=marks, **more), swinging("run", -50.0, sync_markers=marks, **more),
        swinging("once", 20.0, looping=False, curves={"lift": 1.0, "own": 2.0}, **more),
        swinging("breath", 12.0, additive=Additive(AdditiveSpace.LOCAL), curves={"lift": 0.25}),
    ]  # fmt: skip


def wave(name: str, slot: str, kind: BlendKind, profile: str = "", clip: str = "run") -> Montage:
    fade = MontageBlend(0.15, kind=kind, profile=profile)
    segments = (
        Segment(AssetId(f"clip-{clip}"), 0.0, 0.0, 0.8),
        Segment(AssetId(f"clip-{clip}"), 0.9, 0.1, 1.0, 1.5),
    )
    sections = (Section("in", 0.0, "loop"), Section("loop", 0.4, "loop"))
    return Montage(AssetId(f"montage-{name}"), name, RIG, "Group", (SlotTrack(slot, segments),), sections, fade, fade,
                   notifies=(Notify("waved", 0.5),))  # fmt: skip


class Tree:
    """One tree, drawn by a dice."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        kind = self.dice.choice((BlendKind.CROSSFADE, BlendKind.INERTIALISE))
        profile = self.dice.choice(("", "half", "legs"))
        montages = (
            wave("wave", "Upper", kind, profile),
            wave("other", "Upper", BlendKind.CROSSFADE),
            wave("add", "Legs", BlendKind.CROSSFADE, clip="breath"),
        )
        self.draw = Drawing(
            *clips(), variables=(S, T, PICK), rig_=walker(), assets=montages, slots=("Group.Upper", "Group.Legs"),
            enums={"e": ("one", "two")}, sync_groups=(SyncSetting("feet", self.dice.choice(list(Tempo))),),
        )  # fmt: skip
        self.nodes: list[Node] = []
        self.wires: list[tuple[Node, Node, str]] = []

    def value(self) -> str:
        return self.dice.choice(("s", "t * 0.5", "0.3", "ease_to(s, 0.1)", "abs(t) * 0.4", "1 - s"))

    def grow(self, depth: int) -> Node:
        kind = "clip" if depth == 0 else self.dice.choice((
            "blend", "blend_many", "blend_by_bool", "blend_by_int", "blend_by_enum", "layered", "apply_additive", "mirror", "inertialise",
            "slot", "modify_curve", "root_motion", "machine",
        ))  # fmt: skip
        made, pins = getattr(self, kind)()
        for pin in pins:
            self.wires.append((self.grow(depth - 1), made, pin))
        self.nodes.append(made)
        return made

    def clip(self):
        name = self.dice.choice(("walk", "run", "once"))
        more = self.dice.choice(({}, {}, {"group": "feet"}, {"keep_time": True}, {"mirror": True}))
        return self.draw.node(
            "clip",
            "",
            {"rate": self.dice.choice(("1", "-0.7", "0.5 + s * 0.2", "0")), "start": "0.2"},
            clip=f"clip-{name}",
            **more,
        ), ()

    def blend(self):
        return self.draw.node("blend", "", {"alpha": self.value()}), ("a", "b")

    def blend_many(self):
        return self.draw.node("blend_many", "", {f"weight_{k}": self.value() for k in range(3)}, count=3), (
            "pose_0",
            "pose_1",
            "pose_2",
        )

    def change(self) -> dict:
        return self.dice.choice(
            (
                {},
                {"inertialise": True},
                {"mask": "half"},
                {"reset": True},
                {"ease": "smooth"},
                {"ease": "sine", "mask": "legs"},
                {"inertialise": True, "mask": "legs"},
            )
        )

    def blend_by_bool(self):
        return self.draw.node("blend_by_bool", "", {"value": "s > 0.6", "time": "0.15"}, **self.change()), (
            "true",
            "false",
        )

    def blend_by_int(self):
        literals = {"value": "if(s > 1, 2, if(t > 0, 1, 0))", "time_0": "0.1", "time_1": "0.3", "time_2": "0"}
        return self.draw.node("blend_by_int", "", literals, count=3, **self.change()), (
            "pose_0",
            "pose_1",
            "pose_2",
        )

    def blend_by_enum(self):
        return self.draw.node("blend_by_enum", "", {"value": "pick"}, enum="e", **self.change()), (
            "one",
            "two",
        )

    def layered(self):
        parameters = {
            "mask": self.dice.choice(("legs", "half")),
            "curves": self.dice.choice(RULES),
            "root_motion": self.dice.choice(("base", "weighted", "added")),
            "model_rotations": self.dice.random() < 0.3,
        }
        return self.draw.node("layered", "", {"weight": self.value()}, **parameters), ("base", "layer")

    def apply_additive(self):
        made = self.draw.node("apply_additive", "", {"alpha": self.value()})
        breath = self.draw.play("breath", rate="1.3")
        self.nodes.append(breath)
        self.wires.append((breath, made, "additive"))
        return made, ("base",)

    def mirror(self):
        return self.draw.node("mirror", "", {"on": "t > 0.3"}), ("pose",)

    def inertialise(self):
        return self.draw.node(
            "inertialise",
            "",
            {"request": "s > 0.7", "seconds": "0.25"},
            **self.dice.choice(({}, {"mask": "half"}, {"curves_out": ("lift",)})),
        ), ("pose",)

    def slot(self):
        where, rule = self.dice.choice(("Group.Upper", "Group.Legs")), self.dice.choice(RULES)
        return self.draw.node("slot", "", slot=where, curves=rule, always_update=self.dice.random() < 0.5), (
            "source",
        )

    def modify_curve(self):
        return self.draw.node(
            "modify_curve",
            "",
            {"value": self.value()},
            curve="lift",
            way=self.dice.choice(("set", "add", "scale")),
        ), ("pose",)

    def root_motion(self):
        return self.draw.node("root_motion", "", {"scale": "1 + s * 0.3", "turn": "20 * t"}), ("pose",)

    def machine(self):
        states = {
            name: self.draw.clip_sheet(clip) for name, clip in (("a", "walk"), ("b", "run"), ("c", "once"))
        }
        arrows = []
        for source, target, rule in (
            ("a", "b", "s > 0.5"),
            ("b", "c", "t > 0.4"),
            ("c", "a", "s < 0.5"),
            ("b", "a", "s < 0"),
            ("a", "c", "t > 1"),
        ):
            kind = self.dice.choice(
                (BlendKind.CROSSFADE, BlendKind.FROZEN, BlendKind.INERTIALISE, BlendKind.DEAD_BLEND)
            )
            arrows.append((source, target, rule, {
                "seconds": self.dice.choice(("0.2", "0", "0.1 + abs(t) * 0.1")), "blend": {"kind": kind, "profile": self.dice.choice(("", "legs"))},
                "interrupt": self.dice.choice(list(Interrupt)), "start": self.dice.choice(list(TargetStart)), "start_at": 0.35,
            }))  # fmt: skip
        sheet = self.draw.machine(
            states, arrows, (), b=self.dice.choice(("always", "never", "when_irrelevant"))
        )
        return self.draw.node("machine", "", sheet=sheet.id), ()

    def instance(self, depth: int) -> Instance:
        last = self.grow(depth)
        slots = [
            self.draw.node("slot", "", slot=f"Group.{name}", always_update=True) for name in ("Upper", "Legs")
        ]
        for slot in slots:
            self.wires.append((last, slot, "source"))
            self.nodes.append(slot)
            last = slot
        return self.draw.run(self.draw.graph(self.draw.pose_sheet("main", self.nodes, self.wires, last)))


COMMANDS = {
    3: [Command(Do.PLAY, "wave")], 6: [Command(Do.PLAY, "add", stop_group=False), play_clip("once", "Group.Upper", 0.1, 0.1, stop_group=False)],
    9: [Command(Do.STOP, "wave", seconds=0.1)], 11: [Command(Do.PLAY, "other")], 13: [Command(Do.STOP, "add")],
}  # fmt: skip
STEPS = (0.05, 0.1, 0.0, 0.03, 0.1, 0.08, 0.1, 0.02, 0.1, 0.1, 0.25, 0.05, 0.1, 0.07, 0.1, 0.05)


@pytest.mark.parametrize("seed", range(40))
def test_trees_of_mixing_nodes(seed):
    dice = random.Random(seed)
    instance = Tree(seed).instance(1 + seed % 3)
    found = []
    for number, dt in enumerate(STEPS):
        inputs = (
            {"s": dice.uniform(-0.5, 1.5), "t": dice.uniform(-1.0, 1.5), "pick": number % 2}
            if number % 3 == 0
            else {}
        )
        result = instance.step(dt, inputs, commands=COMMANDS.get(number, ()))
        assert np.isfinite(result.numbers).all()
        found.append(told(result))
    HELD.hold(f"tree {seed}", found)


# -------------------------------------------------------------------- what a notifier tells
def moved(
    notifier: Notifier,
    motions: list[tuple[float, float, bool]],
    holds: list[bool],
    follows: bool,
    leaving: bool,
) -> list:
    """What a notifier tells of motions one after the other, each of a tenth of a second, at a weight that rises."""
    found: list = []

    def emit(kind, name, moment, weight, node, **more):
        found.append(
            (
                str(kind),
                name,
                moment,
                weight,
                node,
                more["clip"],
                more["time"],
                more["leaving"],
                more.get("interrupted", False),
                more.get("progress", -1.0),
                more.get("seconds", -1.0),
            )
        )

    run = SimpleNamespace(
        ints=np.zeros(8, int),
        following={0} if follows else set(),
        leaving=np.array([leaving]),
        emit=emit,
        value=lambda r: float(holds[r]),
    )
    op = SimpleNamespace(number=0, node="n-1")
    for k, (before, after, fresh) in enumerate(motions):
        motion = Motion(before, after, 0.02, 0.1, lambda m, k=k: min(0.2 + 0.15 * k + m, 1.0), fresh)
        holds[1] = k % 4 != 3
        found.append([n.name for n in notifier.moved(run, op, 1, motion)])
        found.append(run.ints.tolist())
    notifier.end_all(run, op, 1, 0.1, 0.5)
    return found


PLACED = (
    Notify("zero", 0.0), Notify("mid", 0.5, rule=NotifyRule(threshold=0.5)), Notify("end", 1.0), Notify("out", 1.5), Notify("own", 0.4, rule=NotifyRule(on_follower=False)),
    Notify("hold", 0.3, 0.4), Notify("seam", 0.8, 0.5), Notify("whole", 0.2, 2.0), Notify("firm", 0.1, 0.3, rule=NotifyRule(threshold=0.6)), Notify("asked", 0.6, 0.3), Notify("moment", 0.7),
)  # fmt: skip
WAYS = {
    "on": [(0.0, 0.3, True), (0.3, 0.75, False), (0.75, 1.0, False), (1.0, 1.2, False), (1.2, 2.4, False), (2.4, 2.4, False), (2.4, 2.9, False)],
    "back": [(1.0, 0.7, True), (0.7, 0.25, False), (0.25, 0.0, False), (0.0, -0.4, False), (-0.4, -1.7, False), (-1.7, -1.2, False)],
    "to and fro": [(0.25, 0.5, True), (0.5, 0.3, False), (0.3, 0.9, False), (0.9, 0.5, True), (0.5, 0.5, False), (0.5, 0.65, False), (0.65, 0.1, False)],
    "on the spot": [(0.3, 0.3, True), (0.3, 0.3, False), (0.3, 0.31, False), (0.7, 0.7, True), (0.0, 0.0, True), (1.0, 1.0, True)],
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("loops", [True, False])
@pytest.mark.parametrize("follows", [True, False])
def test_a_notifier_tells_what_is_passed(way, loops, follows):
    conditions = [NO_CONDITION] * 9 + [1, 0]
    with HELD.together(f"notifier, {way}, {loops}, {follows}") as note:
        for notifies, rules in ((PLACED, conditions), (PLACED[5:8], ()), (PLACED[:1], ())):
            notifier = Notifier("a", notifies, 1.0, loops, rules)
            note(
                notifier.size,
                [n.name for n in notifier.notifies],
                [notifier.last(n) for n in notifier.notifies],
            )
            note(moved(notifier, WAYS[way], [True, True], follows, loops))
        assert (
            Notifier("a", (), 1.0, loops).moved(
                SimpleNamespace(), SimpleNamespace(), 0, Motion(0, 1, 0, 1, float)
            )
            == []
        )


def test_what_begins_at_one_moment_is_told_in_its_order():
    """Begun backwards where one lasts and another ends: both begin, in the order in which they are listed."""
    for notifies in (
        (Notify("ends", 0.2, 0.3), Notify("lasts", 0.1, 0.8)),
        (Notify("lasts", 0.1, 0.8), Notify("ends", 0.2, 0.3)),
    ):
        found = moved(Notifier("a", notifies, 1.0, False), [(0.5, 0.4, True)], [True, True], False, False)
        begun = [entry[1] for entry in found if isinstance(entry, tuple) and entry[0] == "begin"]
        assert begun == [n.name for n in notifies]

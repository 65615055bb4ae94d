"""The sample character's animation graph: walks and runs by speed, crouches, jumps in parts, waves on top."""

from core.blending.easing import EaseShape, Easing
from core.blending.layers import CurveRule
from core.graph.graph import (
    Blend,
    BlendKind,
    Graph,
    Link,
    Role,
    Sheet,
    SheetKind,
    Transition,
    Variable,
)
from core.graph.language.values import Kind
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.ids import AssetId
from core.locomotion.animation.pen import Pen
from resources.sample.clips.wave import FRAMES as WAVE_FRAMES
from resources.sample.graph_parts import feet, with_head_aim
from resources.sample.motion.keying import RATE
from resources.sample.rig import RIG_ID
from resources.sample.spaces import clip_id

FIRST = 0x5A000001
"""Number of the first node's id."""
FASTEST = 4.2
"""Metres a second at the end of the speed variable's range."""
SLOT = "DefaultGroup.UpperBody"
SWINGS = (28, 40)
"""Frames of the wave's clip between which the hand goes to and fro once."""


class _Pen(Pen):
    """Draws the sheets that come more than once."""

    def playing(self, name: str) -> Sheet:
        """A sheet that plays one clip."""
        player = self.node("clip", name, clip=clip_id(name))
        return self.pose(name, (), player)

    def space(self, name: str, x: str) -> Sheet:
        """A sheet that plays a blend space by an expression."""
        player = self.node("blend_space", name, {"x": x}, space=AssetId(f"space-{name}"), group="feet")
        return self.pose(name, (), player)

    def waving(self) -> Sheet:
        """The update sheet: the variable ``wave`` starts the montage, and lets its swings end."""
        changed = self.node("on_changed", variable="wave")
        start = self.node("play_montage", "", {"when": "wave"}, montage="wave")
        finish = self.node(
            "next_montage", "", {"when": "not wave"}, montage="wave", section="swing", to="lower"
        )
        links = (Link(changed.id, start.id, "then"), Link(start.id, finish.id, "then"))
        return Sheet(self.id(), "update", SheetKind.UPDATE, (changed, start, finish), links)


def moves() -> Graph:
    """The graph ``moves``."""
    pen = _Pen(FIRST)
    states = {
        "on foot": pen.space("locomotion", "speed"),
        "crouched": pen.space("crouch", "speed"),
        "leap": pen.playing("jump start"),
        "in the air": pen.playing("jump loop"),
        "land": pen.playing("jump land"),
    }
    nodes = {name: pen.node("state", name, sheet=sheet.id) for name, sheet in states.items()}

    def arrow(source: str, target: str, rule: str, seconds: str, **options: object) -> Transition:
        kind = options.pop("kind", BlendKind.CROSSFADE)
        blend = Blend(seconds, Easing(EaseShape.SMOOTH), kind)  # type: ignore[arg-type]
        return Transition(pen.id(), nodes[source].id, nodes[target].id, rule, blend=blend, **options)  # type: ignore[arg-type]

    inertialised = BlendKind.INERTIALISE
    arrows = (
        arrow("on foot", "leap", "take('jump')", "0.1", kind=inertialised),
        arrow("on foot", "crouched", "crouch", "0.25"),
        arrow("crouched", "on foot", "not crouch", "0.25"),
        arrow("leap", "in the air", "", "0.15", automatic=-1.0),
        arrow("in the air", "land", "not in_air and time_in_state > 0.3", "0.08", kind=inertialised),
        arrow("land", "on foot", "", "0.2", automatic=-1.0),
        arrow("land", "on foot", "speed > 1 and time_in_state > 0.15", "0.25"),
    )
    machine = Sheet(pen.id(), "moves", SheetKind.MACHINE, tuple(nodes.values()), (), arrows)
    moving = pen.node("machine", "moves", sheet=machine.id)
    saved, used = pen.node("save_pose", "body", name="body"), pen.node("use_pose", "body", name="body")
    slot = pen.node("slot", "arms", slot=SLOT)
    # The feet's contacts stay those of the steps: the wave's clip says that both feet are down.
    layer = pen.node(
        "layered", "upper body", mask="upper body", model_rotations=True, curves=str(CurveRule.BASE_ONLY)
    )
    wires = (
        (moving, saved, "pose"), (saved, layer, "base"), (used, slot, "source"), (slot, layer, "layer"),
    )  # fmt: skip
    root = pen.pose("pose", wires, layer, (moving, saved, used, slot, layer))
    waving = pen.waving()
    variables = (
        Variable("speed", maximum=FASTEST, minimum=0.0, unit="m/s"),
        Variable("crouch", Kind.BOOL, maximum=1.0, minimum=0.0),
        Variable("in_air", Kind.BOOL, maximum=1.0, minimum=0.0),
        Variable("jump", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER, buffer=0.1),
        Variable("wave", Kind.BOOL, maximum=1.0, minimum=0.0),
    )
    others = tuple(sheet for sheet in pen.sheets if sheet is not root)
    return Graph(
        AssetId("graph-moves"),
        "moves",
        RIG_ID,
        variables,
        slots=(SLOT,),
        sheets=(root, waving, machine, *others),
    )


def wave() -> Montage:
    """The montage ``wave``: the arm rises, swings until it is told to go down, and goes down."""
    group, _, slot = SLOT.partition(".")
    segment = Segment(clip_id("wave"), 0.0, 0.0, WAVE_FRAMES / RATE)
    sections = (
        Section("raise", 0.0, "swing"),
        Section("swing", SWINGS[0] / RATE, "swing"),
        Section("lower", SWINGS[1] / RATE),
    )
    blend = MontageBlend(0.2, Easing(EaseShape.SMOOTH))
    return Montage(
        AssetId("montage-wave"), "wave", RIG_ID, group, (SlotTrack(slot, (segment,)),), sections, blend, blend,
        root_motion=False,
    )  # fmt: skip


def build_graphs() -> tuple[Graph, ...]:
    """All graphs."""
    return with_head_aim(moves()), feet()


def build_montages() -> tuple[Montage, ...]:
    """All montages."""
    return (wave(),)

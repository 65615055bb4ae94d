"""The kinds of pose nodes: how each becomes an op."""

import numpy as np

from core.blending.blend_space import BlendSpace
from core.blending.layers import CurveRule
from core.blending.space_player import SpacePlayer
from core.clips.clip import Clip
from core.clips.mirror import other_side
from core.errors import AnimError
from core.graph.clip_player import ClipOp, Pace
from core.graph.compiler import Compiler, Kind
from core.graph.graph import BlendKind, Node, Sheet, SheetKind, SyncRole
from core.graph.language.values import BOOL, FLOAT
from core.graph.mixing import BlendOp, CurveOp, LayeredOp, MirrorOp, OutputOp
from core.graph.montage import Montage
from core.graph.montage_compile import conditions
from core.graph.names import near
from core.graph.nodes import (
    additive,
    bones,
    feet,
    get_up,
    ik,
    inertia,
    linked,
    named_clip,
    plant,
    poses,
    ragdoll,
    reading,
    selects,
    stride,
)
from core.graph.nodes.additive import additive_alike, additive_clip
from core.graph.slots import SlotOp
from core.graph.space_op import SpaceOp
from core.graph.sync_member import Sync
from core.pose.mirror import mirror_map


def _output(c: Compiler, sheet: Sheet, node: Node) -> int:
    below = c.pose(sheet, node, "pose")
    return c.add(lambda at: OutputOp(at, (below,)), node.id, node.name)


def _clip(c: Compiler, sheet: Sheet, node: Node) -> int:
    if named_clip.is_named(c, sheet, node):
        return _named_clip(c, sheet, node)
    clip = c.asset(sheet, node, "clip", Clip, "clip")
    if clip is None:
        return c.rest(node.id)
    loop = node.parameters.get("loop")
    loops = bool(clip.looping if loop is None else loop) and clip.length > 0.0
    pace = _pace(c, sheet, node)
    mirror = reading.truth(node, "mirror")
    if clip.additive is not None:
        if mirror:
            c.fault("an additive clip cannot be mirrored here; mirror the clip", sheet.id, node.id, "mirror")
        return additive_clip(c, sheet, node, clip, loops, pace)
    evaluator = c.evaluator(clip)
    conditions_of, sync = conditions(c, clip.notifies, sheet.id, node.id), _sync(c, sheet, node)
    number = c.add(
        lambda at: ClipOp(at, evaluator, loops, pace, c.table, conditions_of, sync), node.id, node.name
    )
    return _mirrored(c, node, "", number, c.builder.constant(BOOL, 1.0).register) if mirror else number


def _named_clip(c: Compiler, sheet: Sheet, node: Node) -> int:
    rules = [conditions(c, clip.notifies, sheet.id, node.id) for clip in named_clip.named_clips(c)]
    number = named_clip.named_clip(c, sheet, node, _pace(c, sheet, node), rules, _sync(c, sheet, node))
    if not reading.truth(node, "mirror"):
        return number
    return _mirrored(c, node, "", number, c.builder.constant(BOOL, 1.0).register)


def _pace(c: Compiler, sheet: Sheet, node: Node) -> Pace:
    rate, start = c.value(sheet, node, "rate", FLOAT, "1"), c.value(sheet, node, "start", FLOAT, "0")
    return Pace(rate, start, reading.truth(node, "keep_time"))


def _sync(c: Compiler, sheet: Sheet, node: Node) -> Sync:
    """Sync group and role of a player."""
    role = str(node.parameters.get("role") or SyncRole.CAN_LEAD)
    if role not in set(SyncRole):
        c.fault(f"expected one of {', '.join(SyncRole)}, got {role!r}", sheet.id, node.id, "role")
        role = SyncRole.CAN_LEAD
    return Sync(str(node.parameters.get("group") or ""), SyncRole(role))


def _space(c: Compiler, sheet: Sheet, node: Node) -> int:
    space = c.asset(sheet, node, "space", BlendSpace, "blend space")
    if space is None:
        return c.rest(node.id)
    try:
        player = SpacePlayer(c.rig, space, c.clips, c.evaluators)
    except AnimError as error:
        c.fault(str(error), sheet.id, node.id)
        return c.rest(node.id)
    point = [c.value(sheet, node, "xy"[k], FLOAT, str(axis.minimum)) for k, axis in enumerate(space.axes)]
    rate = c.value(sheet, node, "rate", FLOAT, "1")
    by_clip = [conditions(c, clip.notifies, sheet.id, node.id) for clip in player.clips]
    sync = _sync(c, sheet, node)
    return c.add(lambda at: SpaceOp(at, player, point, rate, c.table, by_clip, sync), node.id, node.name)


def _blend(c: Compiler, sheet: Sheet, node: Node) -> int:
    a, b = (c.pose(sheet, node, pin, additive=True) for pin in "ab")
    alpha = c.value(sheet, node, "alpha", FLOAT, "0")
    number = c.add(lambda at: BlendOp(at, (a, b), alpha), node.id, node.name)
    c.ops[number].additive = additive_alike(c, sheet, node, (a, b))
    return number


def _layered(c: Compiler, sheet: Sheet, node: Node) -> int:
    count = int(reading.number(c, sheet, node, "count", 1, 1, reading.MOST_PINS))
    endings = ["" if k == 0 else f"_{k + 1}" for k in range(count)]
    base = c.pose(sheet, node, "base")
    layers = tuple(c.pose(sheet, node, f"layer{ending}") for ending in endings)
    weights = tuple(c.value(sheet, node, f"weight{ending}", FLOAT, "1") for ending in endings)
    bones = np.stack([reading.bone_weights(c, sheet, node, ending) for ending in endings])
    rule = reading.choice(c, sheet, node, "curves", [str(r) for r in CurveRule], str(CurveRule.OVERRIDE))
    motion = reading.choice(c, sheet, node, "root_motion", ("base", "weighted", "added"), "base")
    model = reading.truth(node, "model_rotations")
    return c.add(
        lambda at: LayeredOp(at, (base, *layers), weights, bones, model, CurveRule(rule), motion),
        node.id,
        node.name,
    )


def _curve(c: Compiler, sheet: Sheet, node: Node) -> int:
    base = c.pose(sheet, node, "pose")
    way = reading.choice(c, sheet, node, "way", ("set", "add", "scale", "remap"), "set")
    value = c.value(sheet, node, "value", FLOAT, "0")
    ends = (("from_low", "0"), ("from_high", "1"), ("to_low", "0"), ("to_high", "1"))
    ranges = tuple(c.value(sheet, node, pin, FLOAT, text) for pin, text in ends) if way == "remap" else ()
    name = reading.text(node, "curve")
    if not name:
        c.fault("no curve is named; type its name", sheet.id, node.id, "curve")
        return base
    index = c.table.index[name]
    return c.add(lambda at: CurveOp(at, (base,), index, way, value, ranges), node.id, node.name)


def _mirror(c: Compiler, sheet: Sheet, node: Node) -> int:
    base = c.pose(sheet, node, "pose")
    on = c.value(sheet, node, "on", BOOL, "true")
    return _mirrored(c, node, node.name, base, on)


def _mirrored(c: Compiler, node: Node, name: str, base: int, on: int) -> int:
    mapping = mirror_map(c.rig)
    names = {**c.table.index, **c.table.morph_index}
    swap = np.arange(len(c.table))
    for curve, number in names.items():
        swap[number] = names.get(other_side(curve), number)
    below, found = [base], {base}
    while below:
        fresh = [k for k in c.ops[below.pop()].inputs if k not in found]
        found.update(fresh)
        below.extend(fresh)
    nodes = frozenset(c.ops[k].node for k in found)
    return c.add(lambda at: MirrorOp(at, (base,), on, mapping, swap, nodes), node.id, name)


def _machine(c: Compiler, sheet: Sheet, node: Node) -> int:
    inside = c.named_sheet(sheet, node)
    if inside is None:
        return c.rest(node.id)
    if inside.kind is not SheetKind.MACHINE:
        c.fault("expected a machine sheet", sheet.id, node.id)
        return c.rest(node.id)
    return c.machine(inside, node.id, node.name or inside.name)


def _save(c: Compiler, sheet: Sheet, node: Node) -> int:
    return c.pose(sheet, node, "pose", additive=True)


def _use(c: Compiler, sheet: Sheet, node: Node) -> int:
    name = str(node.parameters.get("name", ""))
    for other in c.graph.sheets:
        for saved in other.of_kind("save_pose"):
            if str(saved.parameters.get("name", "")) == name:
                return c.node(other, saved)
    c.fault(f"no pose is saved as {name!r}", sheet.id, node.id)
    return c.rest(node.id)


def _slot(c: Compiler, sheet: Sheet, node: Node) -> int:
    base = c.pose(sheet, node, "source")
    slot = reading.text(node, "slot")
    if slot not in c.graph.slots:
        c.fault(f"the graph has no slot {slot!r}{near(slot, c.graph.slots)}", sheet.id, node.id, "slot")
        return base
    rule = CurveRule(reading.choice(c, sheet, node, "curves", CurveRule, CurveRule.BLEND))
    always = reading.truth(node, "always_update")
    blends = [blend for montage in _played_in(c, slot) for blend in (montage.blend_in, montage.blend_out)]
    over = [blend.easing for blend in blends if blend.kind is BlendKind.INERTIALISE]
    jumps = {easing: reading.Eased(easing, c.graph.maps.get(easing.curve or "")) for easing in over}
    bones = len(c.rig.skeleton)
    return c.add(lambda at: SlotOp(at, base, slot, c.table, rule, always, bones, jumps), node.id, node.name)


def _played_in(c: Compiler, slot: str) -> list[Montage]:
    """The montages that can play in a slot."""
    own = [montage for montage in c.project.all(Montage) if montage.rig == c.rig.id]
    return [montage for montage in own if slot in map(montage.slot_name, montage.tracks)]


KINDS: dict[str, Kind] = {
    "output": _output,
    "rest": lambda c, sheet, node: c.rest(node.id),
    "clip": _clip,
    "blend_space": _space,
    "blend": _blend,
    "layered": _layered,
    "modify_curve": _curve,
    "mirror": _mirror,
    "machine": _machine,
    "slot": _slot,
    "save_pose": _save,
    "use_pose": _use,
    **additive.KINDS,
    **bones.KINDS,
    **feet.KINDS,
    **get_up.KINDS,
    **ik.KINDS,
    **inertia.KINDS,
    **linked.KINDS,
    **plant.KINDS,
    **poses.KINDS,
    **ragdoll.KINDS,
    **selects.KINDS,
    **stride.KINDS,
}
"""Pose nodes by kind; a new kind is its op and an entry here."""

"""The kinds of pose nodes: how each becomes an op."""

import numpy as np

from core.blending.blend_space import BlendSpace
from core.blending.layers import BranchFilter, CurveRule, branch_weights, mask_weights
from core.blending.space_player import SpacePlayer
from core.clips.additive import AdditiveSampler
from core.clips.clip import Clip
from core.errors import AnimError
from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet, SheetKind
from core.graph.language.values import BOOL, FLOAT
from core.graph.mixing import AdditiveOp, BlendOp, CurveOp, LayeredOp, MirrorOp, OutputOp
from core.graph.players import ClipOp, SpaceOp
from core.pose.mirror import mirror_map


def _output(c: Compiler, sheet: Sheet, node: Node) -> int:
    below = c.pose(sheet, node, "pose")
    return c.add(lambda n: OutputOp(n, node.id, node.name, (below,)))


def _clip(c: Compiler, sheet: Sheet, node: Node) -> int:
    clip = c.asset(sheet, node, "clip", Clip, "clip")
    if clip is None:
        return c.rest(node.id)
    loop = node.parameters.get("loop")
    loops = bool(clip.looping if loop is None else loop) and clip.length > 0.0
    rate = c.value(sheet, node, "rate", FLOAT, "1")
    start = c.value(sheet, node, "start", FLOAT, "0")
    keep = bool(node.parameters.get("keep_time", False))
    evaluator = c.evaluator(clip)
    return c.add(lambda n: ClipOp(n, node.id, node.name, evaluator, loops, rate, start, keep, c.table))


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
    return c.add(lambda n: SpaceOp(n, node.id, node.name, player, point, rate, c.table))


def _blend(c: Compiler, sheet: Sheet, node: Node) -> int:
    a, b = c.pose(sheet, node, "a"), c.pose(sheet, node, "b")
    alpha = c.value(sheet, node, "alpha", FLOAT, "0")
    return c.add(lambda n: BlendOp(n, node.id, node.name, (a, b), alpha))


def _layered(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, layer = c.pose(sheet, node, "base"), c.pose(sheet, node, "layer")
    weight = c.value(sheet, node, "weight", FLOAT, "1")
    bones = np.ones(len(c.rig.skeleton))
    try:
        mask = node.parameters.get("mask")
        branches = node.parameters.get("branches") or ()
        if mask:
            bones = mask_weights(c.rig, str(mask))
        elif branches:
            assert isinstance(branches, tuple)
            bones = branch_weights(c.rig.skeleton, [_branch(str(text)) for text in branches])
    except (AnimError, ValueError) as error:
        c.fault(str(error), sheet.id, node.id)
    rule = CurveRule(str(node.parameters.get("curves", CurveRule.OVERRIDE)))
    model = bool(node.parameters.get("model_rotations", False))
    return c.add(
        lambda n: LayeredOp(n, node.id, node.name, (base, layer), weight, bones, model, rule, c.table)
    )


def _branch(text: str) -> BranchFilter:
    """A branch filter written ``bone`` or ``bone:depth``."""
    bone, _, depth = text.rpartition(":")
    return BranchFilter(bone, int(depth)) if bone else BranchFilter(text)


def _additive(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, player = c.pose(sheet, node, "base"), c.pose(sheet, node, "additive")
    alpha = c.value(sheet, node, "alpha", FLOAT, "1")
    op = c.ops[player]
    if not isinstance(op, ClipOp) or op.evaluator.clip.additive is None:
        c.fault(
            "expected an additive clip; convert the clip to additive first", sheet.id, node.id, "additive"
        )
        return base
    sampler = AdditiveSampler(c.rig, op.evaluator.clip, c.clips, op.evaluator)
    return c.add(lambda n: AdditiveOp(n, node.id, node.name, (base, player), alpha, sampler, c.table))


def _curve(c: Compiler, sheet: Sheet, node: Node) -> int:
    base = c.pose(sheet, node, "pose")
    value = c.value(sheet, node, "value", FLOAT, "0")
    way = str(node.parameters.get("way", "set"))
    index = c.table.index[str(node.parameters.get("curve", ""))]
    return c.add(lambda n: CurveOp(n, node.id, node.name, (base,), index, way, value))


def _mirror(c: Compiler, sheet: Sheet, node: Node) -> int:
    base = c.pose(sheet, node, "pose")
    on = c.value(sheet, node, "on", BOOL, "true")
    mapping = mirror_map(c.rig)
    return c.add(lambda n: MirrorOp(n, node.id, node.name, (base,), on, mapping))


def _machine(c: Compiler, sheet: Sheet, node: Node) -> int:
    inside = c.named_sheet(sheet, node)
    if inside is None:
        return c.rest(node.id)
    if inside.kind is not SheetKind.MACHINE:
        c.fault("expected a machine sheet", sheet.id, node.id)
        return c.rest(node.id)
    return c.machine(inside, node.id, node.name or inside.name)


def _save(c: Compiler, sheet: Sheet, node: Node) -> int:
    return c.pose(sheet, node, "pose")


def _use(c: Compiler, sheet: Sheet, node: Node) -> int:
    name = str(node.parameters.get("name", ""))
    for other in c.graph.sheets:
        for saved in other.of_kind("save_pose"):
            if str(saved.parameters.get("name", "")) == name:
                return c.node(other, saved)
    c.fault(f"no pose is saved as {name!r}", sheet.id, node.id)
    return c.rest(node.id)


KINDS: dict[str, Kind] = {
    "output": _output,
    "rest": lambda c, sheet, node: c.rest(node.id),
    "clip": _clip,
    "blend_space": _space,
    "blend": _blend,
    "layered": _layered,
    "apply_additive": _additive,
    "modify_curve": _curve,
    "mirror": _mirror,
    "machine": _machine,
    "save_pose": _save,
    "use_pose": _use,
}
"""Pose nodes by kind; a new kind is its op and an entry here."""

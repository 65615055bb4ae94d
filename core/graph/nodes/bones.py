"""Transform bone and copy bone."""

from core.arrays import FloatArray
from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.language.values import QUATERNION, VECTOR
from core.graph.nodes import reading
from core.graph.nodes.modifier import Alpha, ModifierOp, alpha_of, part_set
from core.graph.nodes.spaces import above, into_local
from core.graph.op import OpPlace, Run
from core.graph.output import Output
from core.ik.chain import model_of
from core.math import quat, transform
from core.math.transform import Transform, down_chain
from core.rig.virtual_bones import derived_from, frame_of

SPACES = ("local", "model", "world")
WAYS = ("ignore", "add", "replace")
PARTS = ("translation", "rotation", "scale")
DEFAULTS = {"translation": "vec(0, 0, 0)", "rotation": "axis_angle(vec(0, 1, 0), 0)", "scale": "vec(1, 1, 1)"}


class TransformBoneOp(ModifierOp):
    """Adds to or replaces translation, rotation and scale of one bone.

    ``add`` is t + v, v * q and s∘v in the part's space.

    Parameters
    ----------
    changes : (part 0..2, way, space, register of the value) of each part that is changed
    """

    def __init__(
        self,
        where: OpPlace,
        inputs: tuple[int],
        alpha: Alpha,
        bone: int,
        changes: tuple[tuple[int, str, str, int], ...],
    ) -> None:
        super().__init__(where, inputs, alpha)
        self.bone, self.changes = bone, changes

    def changed(self, run: Run, base: Output) -> Output:
        """The pose with the bone changed, part after part."""
        local = base.local
        for part, way, space, register in self.changes:
            value = reading.quaternion(run, register) if part == 1 else reading.vector(run, register)
            local = self._with_part(run, local, part, way, space, value)
        return Output(local, base.curves, base.present, base.motion)

    def _with_part(
        self, run: Run, local: Transform, part: int, way: str, space: str, value: FloatArray
    ) -> Transform:
        row = Transform(*(p[self.bone] for p in local))
        parent = above(run, local, self.bone, space)
        whole = list(row if space == "local" else transform.compose(parent, row))
        if way == "replace":
            whole[part] = value
        elif part == 0:
            whole[0] = whole[0] + value
        elif part == 1:
            whole[1] = quat.normalise(quat.multiply(value, whole[1]))
        else:
            whole[2] = whole[2] * value
        found = Transform(*whole) if space == "local" else into_local(parent, Transform(*whole))
        parts = list(local)
        parts[part] = part_set(local[part], self.bone, found[part])
        return Transform(*parts)


def _transform_bone(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, alpha = c.pose(sheet, node, "pose"), alpha_of(c, sheet, node)
    bone = reading.bone(c, sheet, node, "bone")
    changes = []
    for part, name in enumerate(PARTS):
        way = reading.choice(c, sheet, node, f"{name}_way", WAYS, "ignore")
        if way == "ignore":
            continue
        space = reading.choice(c, sheet, node, f"{name}_space", SPACES, "local")
        type_ = QUATERNION if part == 1 else VECTOR
        changes.append((part, way, space, c.value(sheet, node, name, type_, DEFAULTS[name])))
    if bone is None:
        return base
    row = c.rig.skeleton.index(bone)
    return c.add(lambda at: TransformBoneOp(at, (base,), alpha, row, tuple(changes)), node.id, node.name)


class CopyBoneOp(ModifierOp):
    """Gives a bone the translation, rotation or scale of another, in local or model space."""

    def __init__(
        self,
        where: OpPlace,
        inputs: tuple[int],
        alpha: Alpha,
        source: str,
        bone: int,
        parts: tuple[bool, bool, bool],
        space: str,
    ) -> None:
        super().__init__(where, inputs, alpha)
        self.source, self.bone, self.parts, self.space = source, bone, parts, space

    def changed(self, run: Run, base: Output) -> Output:
        """The pose with the parts copied."""
        found = self._found(run, base.local)
        parts = [
            part_set(part, self.bone, value) if wanted else part
            for part, value, wanted in zip(base.local, found, self.parts, strict=True)
        ]
        return Output(Transform(*parts), base.curves, base.present, base.motion)

    def _found(self, run: Run, local: Transform) -> Transform:
        skeleton = run.rig.skeleton
        number = skeleton.find(self.source)
        if self.space == "local" and number is not None:
            return Transform(*(part[number] for part in local))
        if number is not None:
            frame = model_of(skeleton, local, number)
        else:
            before = down_chain(skeleton.parents, self.origin(run).local)
            model = down_chain(skeleton.parents, local)
            frame = frame_of(run.rig, self.source, model, derived_from(run.rig, before))
        own = model_of(skeleton, local, self.bone)
        kept = Transform(*(f if wanted else o for f, o, wanted in zip(frame, own, self.parts, strict=True)))
        return into_local(above(run, local, self.bone, "model"), kept)


def _copy_bone(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, alpha = c.pose(sheet, node, "pose"), alpha_of(c, sheet, node)
    source = reading.bone(c, sheet, node, "source", virtual=True)
    bone = reading.bone(c, sheet, node, "bone")
    space = reading.choice(c, sheet, node, "space", SPACES[:2], "model")
    parts = tuple(reading.truth(node, name, name != "scale") for name in PARTS)
    if source is None or bone is None:
        return base
    row = c.rig.skeleton.index(bone)
    return c.add(
        lambda at: CopyBoneOp(at, (base,), alpha, source, row, parts, space),  # type: ignore[arg-type]
        node.id,
        node.name,
    )


KINDS: dict[str, Kind] = {"transform_bone": _transform_bone, "copy_bone": _copy_bone}

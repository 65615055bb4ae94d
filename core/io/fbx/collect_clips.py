"""In the helper: animation stacks, as editable keys where our tracks evaluate alike, else as samples."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import ufbx

from core.arrays import FloatArray
from core.io.common.helper.refine import MOST_SAMPLES, refined
from core.io.common.marks import EXTRAS
from core.io.fbx.collect_worlds import WorldSampler
from core.io.fbx.curves import is_expressible
from core.io.fbx.key_table import Curve, expressible, key_table
from core.io.fbx.moving import Axis, Moved, Moving
from core.io.fbx.ufbx_lifetime import all_of, keep
from core.math import euler, quat

PROPERTIES = ("Lcl Translation", "Lcl Rotation", "Lcl Scaling")
IMPORTED = (
    *PROPERTIES, "PreRotation", "PostRotation", "RotationOffset", "RotationPivot", "ScalingOffset",
    "ScalingPivot", "DeformPercent",
)  # fmt: skip
"""Properties whose motion comes in: all that move a node, and weights of morphs."""
SHEAR_FREE = 6
"""Rotation orders below this are Euler angles; the one above is Maya's spheric mode."""
NO_KEYS: FloatArray = np.zeros((0, 7))
CHECKS = 48
SAME_PLACE, SAME_TURN = 2e-6, 2e-5
"""How far (of the largest length; in radians) keys may be from the library's evaluation to be taken."""


def clips(scene: Any, arrays: dict[str, Any]) -> list[dict[str, Any]]:
    """Every stack that has a key."""
    found = []
    for number, stack in enumerate(all_of(scene.anim_stacks)):
        told = _Stack(scene, stack, f"clip{number}", arrays).read()
        if told is not None:
            found.append(told)
    return found


class _Stack:
    def __init__(self, scene: Any, stack: Any, key: str, arrays: dict[str, Any]) -> None:
        self.scene, self.stack, self.key, self.arrays = scene, stack, key, arrays
        self.anim = keep(stack.anim)
        self.layers = all_of(stack.layers)
        self.rows: list[FloatArray] = []
        self.row_count = 0
        self.samples: list[FloatArray] = []
        self.sample_count = 0
        self.keys: dict[int, FloatArray] = {}
        self.rate = float(keep(scene.settings).frames_per_second) or 30.0

    def read(self) -> dict[str, Any] | None:
        nodes, channels = self._moved()
        axes = {id(m): self._axes(m) for m in (*nodes, *channels)}
        keyed = [times for moved in (*nodes, *channels) for times in moved.times]
        if not keyed:
            return None
        begin, end = float(self.stack.time_begin), float(self.stack.time_end)
        if not end > begin:
            begin = min(float(times[0]) for times in keyed)
            end = max(float(times[-1]) for times in keyed)
        self.begin, self.end = begin, end
        worlds = WorldSampler(self.scene, self.anim)
        moving = [self._moving(moved, axes[id(moved)]) for moved in nodes if moved.times]
        exact = self._exact(moving)
        parts = []
        for number, one in enumerate(moving):
            parts += self._node(one, {part: exact.get((number, part)) for part in range(len(PROPERTIES))})
        for node in worlds.bent:
            parts = [part for part in parts if part["node"] != node.typed_id]
        parts += self._bent(worlds, keyed)
        told = {
            "name": self.stack.name,
            "begin": begin,
            "end": end,
            "layers": len(self.layers),
            "parts": parts,
            "morphs": [self._channel(moved, axes[id(moved)]) for moved in channels],
            "rows": f"{self.key}.rows",
            "samples": f"{self.key}.samples",
            "others": self.others,
            "extras": self._extras(),
        }
        self.arrays[f"{self.key}.rows"] = np.concatenate(self.rows) if self.rows else np.zeros((0, 7))
        self.arrays[f"{self.key}.samples"] = (
            np.concatenate(self.samples) if self.samples else np.zeros((0, 5))
        )
        return told

    def _extras(self) -> str:
        found = keep(ufbx.find_prop(keep(self.stack.props), EXTRAS))
        return "" if found is None else str(found.value_str)

    def _moved(self) -> tuple[list[Moved], list[Moved]]:
        """Nodes and morph channels with animated properties."""
        nodes = {n.element_id: Moved(n) for n in all_of(self.scene.nodes) if not n.is_root}
        channels = {c.element_id: Moved(c) for c in all_of(self.scene.blend_channels)}
        layers = {layer.element_id for layer in self.layers}
        lenses = {camera.element_id for camera in all_of(self.scene.cameras)}  # read with the cameras
        others: set[str] = set()
        for number, layer in enumerate(self.layers):
            props = [(prop, keep(prop.element), keep(prop.anim_value)) for prop in all_of(layer.anim_props)]
            weight = [
                times
                for _, element, value in props
                if element.element_id in layers
                for times in self._times(value)
            ]
            for prop, element, value in props:
                moved = nodes.get(element.element_id) or channels.get(element.element_id)
                times = self._times(value)
                if moved is not None and prop.prop_name in IMPORTED:
                    moved.values.setdefault(prop.prop_name, []).append(value)
                    moved.layers.add(number)
                    moved.times += [*times, *(weight if times else ())]
                elif _moves(value) and element.element_id not in layers | lenses:
                    others.add(f"{prop.prop_name} of {element.name or type(element).__name__.lower()!r}")
        self.others = sorted(others)
        return [m for m in nodes.values() if m.values], [m for m in channels.values() if m.values]

    def _axes(self, moved: Moved) -> dict[str, list[Axis]]:
        """Keys of each animated property's axes; of the first layer where there are several."""
        return {name: [self._axis(values[0], k) for k in range(3)] for name, values in moved.values.items()}

    def _axis(self, value: Any, axis: int) -> Axis:
        curve = value.curves[axis]
        default = float(value.default_value[axis])
        rows = self._rows_of(curve)
        if len(rows):
            ends = tuple(int(keep(e).mode) for e in (curve.pre_extrapolation, curve.post_extrapolation))
            return Axis(rows, (ends[0], ends[1]), True)
        return Axis(np.array([[0.0, default, 0.0, 0.0, 0.0, 0.0, 0.0]]))

    def _rows_of(self, curve: Any) -> FloatArray:
        """Keys of a curve ``(K, 7)``, read once: their times are asked for first, their values later."""
        if keep(curve) is None:
            return NO_KEYS
        known = self.keys.get(curve.element_id)
        if known is None:
            keys = keep(curve.keyframes)
            found = [keys[number] for number in range(len(keys))]
            rows = np.array([(k.time, k.value, int(k.interpolation), *k.left, *k.right) for k in found])
            known = rows[np.argsort(rows[:, 0], kind="stable")] if found else NO_KEYS
            self.keys[curve.element_id] = known
        return known

    def _times(self, value: Any) -> list[FloatArray]:
        """Times of the keys of each curve of an animated property."""
        return [rows[:, 0] for rows in map(self._rows_of, value.curves) if len(rows)]

    # ------------------------------------------------------------ nodes

    def _moving(self, moved: Moved, axes: dict[str, list[Axis]]) -> Moving:
        """A node, and where the library puts it at times to check its keys at."""
        times = np.unique(np.concatenate(moved.times))
        checks = self._check_times(times)
        wanted = self._sampled(moved.thing, checks)
        rest = keep(moved.thing.local_transform)
        resting = (rest.translation, rest.rotation, rest.scale)
        size = max(1e-9, float(np.abs(wanted[:, :3]).max()), *(abs(x) for x in rest.translation))
        return Moving(moved, axes, times, checks, wanted, resting, size)

    def _exact(self, moving: Sequence[Moving]) -> dict[tuple[int, int], list[float]]:
        """Which keys are the local transform as they are, or with numbers added: by node's place and part.

        All curves of the stack at once: one by one they took three quarters of the whole file's time.
        """
        asked = [
            (number, part, group)
            for number, one in enumerate(moving)
            for part, name in enumerate(PROPERTIES)
            if (group := one.keyed(name)) is not None and len(one.moved.layers) == 1
        ]
        fit = expressible([Curve(axis.rows) for *_, group in asked for axis in group]).reshape(-1, 3)
        asked = [one for one, row in zip(asked, fit, strict=True) if bool(row.all())]
        if not asked:
            return {}
        table = key_table([Curve(axis.rows, axis.ends) for *_, group in asked for axis in group])
        values = table.values([moving[number].checks for number, *_ in asked for _ in range(3)])
        found: dict[tuple[int, int], list[float]] = {}
        turns: list[tuple[int, FloatArray, list[float]]] = []
        for place, (number, part, _) in enumerate(asked):
            one, own = moving[number], np.stack(values[3 * place : 3 * place + 3], axis=1)
            add = self._offsets(one.moved.thing, part, own, _columns(one.wanted, part))
            if add is None:
                continue
            if part == 1:
                turns.append((number, own + add, add))
            elif _same(part, _columns(one.wanted, part), own + add, one.size):
                found[number, part] = add
        return found | self._exact_turns(moving, turns)

    @staticmethod
    def _exact_turns(
        moving: Sequence[Moving], turns: Sequence[tuple[int, FloatArray, list[float]]]
    ) -> dict[tuple[int, int], list[float]]:
        """Those of the Euler angles of nodes that turn them as the library does."""
        found: dict[tuple[int, int], list[float]] = {}
        orders = [ufbx.RotationOrder(moving[number].moved.thing.rotation_order).name for number, *_ in turns]
        for order in set(orders):
            own = [turn for turn, its in zip(turns, orders, strict=True) if its == order]
            angles = np.concatenate([values for _, values, _ in own])
            wanted = np.concatenate([_columns(moving[number].wanted, 1) for number, *_ in own])
            off = quat.angle_between(wanted, euler.to_quaternion(angles, euler.order_index(order)))
            ends = np.cumsum([len(values) for _, values, _ in own])
            most = np.maximum.reduceat(off, np.concatenate(([0], ends[:-1])))
            found |= {
                (number, 1): add for (number, _, add), far in zip(own, most, strict=True) if far <= SAME_TURN
            }
        return found

    def _node(self, one: Moving, exact: dict[int, list[float] | None]) -> list[dict[str, Any]]:
        node = one.moved.thing
        parts = []
        bad = False
        for number, name in enumerate(PROPERTIES):
            told = {"node": node.typed_id, "part": number}
            group, add = one.keyed(name), exact[number]
            if group is None:
                columns = _columns(one.wanted, number)
                if _same(number, columns, np.array([one.resting[number]]), one.size):
                    continue  # it rests
            elif add is not None:
                parts.append(told | {"axes": [self._put(a, d) for a, d in zip(group, add, strict=True)]})
                continue
            bad = True
            parts.append(told | {"why": self._why(one.moved, number, one.axes)})
        if bad:
            table = self._dense(node, one.times, one.size)
            for told in parts:
                if "axes" not in told:
                    told["samples"] = self._put_samples(table, told["part"])
        return parts

    def _check_times(self, times: FloatArray) -> FloatArray:
        if self.end - self.begin < 1e-4:
            return np.array([self.begin])
        inside = times[(times >= self.begin) & (times <= self.end)]
        ends = np.concatenate(([self.begin], inside, [self.end]))
        # Between keys, not on them: there a step may count for either side, and it takes a moment.
        ends = ends[np.concatenate((np.diff(ends) > 1e-4, [True]))]
        both = np.unique(
            np.concatenate([u * ends[1:] + (1.0 - u) * ends[:-1] for u in (0.03, 0.29, 0.5, 0.97)])
        )
        chosen = np.unique(np.linspace(0, len(both) - 1, CHECKS).astype(int))
        return np.asarray(both[chosen], dtype=np.float64)

    def _sampled(self, node: Any, times: FloatArray) -> FloatArray:
        """Local transforms ``(T, 10)`` by the library."""
        anim, evaluate = self.anim, ufbx.evaluate_transform
        found = [evaluate(anim, node, t) for t in times.tolist()]
        return np.array([(*f.translation, *f.rotation, *f.scale) for f in found]).reshape(-1, 10)

    def _offsets(self, node: Any, part: int, own: FloatArray, wanted: FloatArray) -> list[float] | None:
        """What to add to the keys of each axis so that they are the local transform; None where nothing does.

        Parameters
        ----------
        own, wanted : ``(T, 3)``, ``(T, 3 or 4)`` values of the keys, and what the library has there
        """
        if part == 2:
            return [0.0, 0.0, 0.0]
        if part == 0:  # constant pivots add a constant offset
            return [float(w) - o for w, o in zip(wanted[0], own[0].tolist(), strict=True)]
        if node.rotation_order >= SHEAR_FREE:
            return None
        props = keep(node.props)
        before, after = _vector(props, "PreRotation"), _vector(props, "PostRotation")
        inner, _, outer = euler.SEQUENCE[euler.order_index(ufbx.RotationOrder(node.rotation_order).name)]
        # A turn about the axis that is turned last (or, afterwards, first) only adds to that angle.
        add = np.zeros(3)
        add[outer] += before[outer]
        add[inner] -= after[inner]
        before[outer] = after[inner] = 0.0
        return None if np.abs(before).max() > 1e-7 or np.abs(after).max() > 1e-7 else add.tolist()

    def _why(self, moved: Moved, part: int, axes: dict[str, list[Axis]]) -> str:
        if len(moved.layers) > 1:
            return "layers"
        group = axes.get(PROPERTIES[part])
        if group is None or not any(a.keyed for a in group):
            return "pivots"
        if part == 1 and not all(is_expressible(a.rows) for a in group):
            return "upright tangents"
        return "pre-rotation" if part == 1 else "pivots"

    def _dense(self, node: Any, times: FloatArray, size: float) -> FloatArray:
        """Samples ``(T, 11)`` (time first) on frames and keys, and between them as far as it takes."""
        at, rows = refined(lambda t: self._sampled(node, t)[None], self._grid(times), np.array([size]))
        return np.concatenate((at[:, None], rows[0]), axis=1)

    def _grid(self, times: FloatArray) -> FloatArray:
        """The frames, and key times among them."""
        count = min(MOST_SAMPLES, int(np.ceil((self.end - self.begin) * self.rate)) + 1)
        inside = times[(times > self.begin) & (times < self.end)]
        grid = self.begin + np.arange(count) / self.rate
        at = np.unique(np.concatenate(([self.begin], grid[grid < self.end], inside, [self.end])))
        return np.asarray(at[np.concatenate(([True], np.diff(at) > 2e-5))], dtype=np.float64)

    def _bent(self, worlds: WorldSampler, keyed: Sequence[FloatArray]) -> list[dict[str, Any]]:
        """Nodes that do not simply take over their parent's scale, from the scene as a whole."""
        if not worlds.bent:
            return []
        at, rows = refined(worlds.sampled, self._grid(np.unique(np.concatenate(keyed))), worlds.sizes)
        parts = []
        for node, table in zip(worlds.bent, rows, strict=True):
            whole = np.concatenate((at[:, None], table), axis=1)
            for part in range(3):
                told = {"node": node.typed_id, "part": part, "why": "scale inheritance"}
                parts.append(told | {"samples": self._put_samples(whole, part)})
        return parts

    # ------------------------------------------------------------ morph channels, storing

    def _channel(self, moved: Moved, axes: dict[str, list[Axis]]) -> dict[str, Any]:
        group = axes.get("DeformPercent")
        told: dict[str, Any] = {"channel": moved.thing.typed_id}
        if group is None or not group[0].keyed:
            return told
        times = np.unique(group[0].rows[:, 0])
        if len(moved.layers) == 1 and is_expressible(group[0].rows):
            return told | {"axis": self._put(group[0], 0.0)}
        at = np.unique(
            np.concatenate((self._check_times(times), np.arange(self.begin, self.end, 0.5 / self.rate)))
        )
        values = [ufbx.evaluate_blend_weight(self.anim, moved.thing, t) for t in at.tolist()]
        table = np.zeros((len(at), 11))
        table[:, 0], table[:, 1] = at, values
        return told | {"samples": self._put_samples(table, 0)}

    def _put(self, axis: Axis, add: float) -> list[Any]:
        start = self.row_count
        self.rows.append(axis.rows)
        self.row_count += len(axis.rows)
        return [start, len(axis.rows), *axis.ends, add]

    def _put_samples(self, table: FloatArray, part: int) -> list[int]:
        columns = _columns(table[:, 1:], part)
        rows = np.zeros((len(table), 5))
        rows[:, 0], rows[:, 1 : 1 + columns.shape[1]] = table[:, 0], columns
        start = self.sample_count
        self.samples.append(rows)
        self.sample_count += len(rows)
        return [start, len(rows)]


def _moves(value: Any) -> bool:
    """Whether some curve of an animated property takes more than one value."""
    return any(keep(curve) is not None and curve.max_value > curve.min_value for curve in value.curves)


def _vector(props: Any, name: str) -> FloatArray:
    found = keep(ufbx.find_prop(props, name))
    return np.zeros(3) if found is None else np.array(tuple(keep(found.value_vec4))[:3], dtype=np.float64)


def _columns(table: FloatArray, part: int) -> FloatArray:
    return table[:, (slice(0, 3), slice(3, 7), slice(7, 10))[part]]


def _same(part: int, wanted: FloatArray, found: FloatArray, size: float) -> bool:
    if part == 1:
        return bool((quat.angle_between(wanted, found) <= SAME_TURN).all())
    return bool((np.abs(wanted - found) <= SAME_PLACE * (size if part == 0 else 1.0)).all())

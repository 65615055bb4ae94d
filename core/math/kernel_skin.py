"""Linear-blend skinning (compiled), written in vectors. Twin: `core.pose.kinematics.skin_vertices`.

A compiler that gets one vertex after another finds little to do side by side. So the instructions of four vertices are
written here: a blended matrix is two vectors of eight (columns of four), places and normals are sums of columns, and
the four lengths of the normals are found at once.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from core.math.kernel_mesh import _read

FLOAT, SHORT, INT, LONG = ir.FloatType(), ir.IntType(16), ir.IntType(32), ir.IntType(64)
FOUR, EIGHT = ir.VectorType(FLOAT, 4), ir.VectorType(FLOAT, 8)
SHORTEST = 1e-30
"""Length of a turned normal below which it is left as it is."""

_VERTICES = _read(types.float32, 2)


def _long(number: int) -> Any:
    return ir.Constant(LONG, number)


class _Writer:
    """Writes the vector instructions."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def at(self, address: Any, kind: Any) -> Any:
        """Pointer to a type at an address."""
        return self.builder.inttoptr(address, kind.as_pointer())

    def load(self, address: Any, kind: Any, offset: int = 0) -> Any:
        """What stands so many bytes beyond an address."""
        where = self.builder.add(address, _long(offset))
        return self.builder.load(self.at(where, kind), align=2 if kind is SHORT else 4)

    def store(self, vector: Any, address: Any, offset: int) -> None:
        """Write a vector of four so many bytes beyond an address."""
        self.builder.store(vector, self.at(self.builder.add(address, _long(offset)), FOUR), align=4)

    def pick(self, first: Any, second: Any, *places: int) -> Any:
        """Elements of two vectors, those of the second counted on."""
        order = ir.Constant(ir.VectorType(INT, len(places)), list(places))
        return self.builder.shuffle_vector(first, second, order)

    def all(self, number: Any, kind: Any) -> Any:
        """A vector of one number."""
        empty = ir.Constant(kind, ir.Undefined)
        one = self.builder.insert_element(empty, number, ir.Constant(INT, 0))
        return self.pick(one, empty, *[0] * kind.count)

    def multiply_add(self, a: Any, b: Any, c: Any) -> Any:
        """``a b + c``, fused where the processor can."""
        name = f"llvm.fmuladd.v{a.type.count}f32"
        kind = ir.FunctionType(a.type, [a.type] * 3)
        return self.builder.call(cgutils.get_or_insert_function(self.builder.module, kind, name), [a, b, c])

    def root(self, vector: Any) -> Any:
        """Square roots of four."""
        kind = ir.FunctionType(FOUR, [FOUR])
        function = cgutils.get_or_insert_function(self.builder.module, kind, "llvm.sqrt.v4f32")
        return self.builder.call(function, [vector])

    def scaled(self, number: Any, factor: int) -> Any:
        """A whole number, known now or later, times one that is known."""
        return _long(number * factor) if isinstance(number, int) else self.builder.mul(number, _long(factor))

    # ------------------------------------------------------------------ skinning

    def blended(self, table: Any, influences: Any, weights: Any, width: Any) -> tuple[Any, Any]:
        """Columns 0 and 1, and 2 and 3, of the matrices of one vertex under its weights."""
        builder = self.builder

        def part(k: Any) -> tuple[Any, Any, Any]:
            joint = self.load(builder.add(influences, self.scaled(k, 2)), SHORT)
            row = builder.add(table, builder.shl(builder.zext(joint, LONG), _long(6)))
            share = self.load(builder.add(weights, self.scaled(k, 4)), FLOAT)
            return self.load(row, EIGHT), self.load(row, EIGHT, 32), self.all(share, EIGHT)

        low, high, share = part(0)
        low, high = builder.fmul(low, share), builder.fmul(high, share)
        if isinstance(width, int):
            for k in range(1, width):
                a, b, share = part(k)
                low, high = self.multiply_add(a, share, low), self.multiply_add(b, share, high)
            return low, high
        lows, highs = cgutils.alloca_once_value(builder, low), cgutils.alloca_once_value(builder, high)
        with cgutils.for_range(builder, width, _long(1)) as loop:
            a, b, share = part(loop.index)
            builder.store(self.multiply_add(a, share, builder.load(lows)), lows)
            builder.store(self.multiply_add(b, share, builder.load(highs)), highs)
        return builder.load(lows), builder.load(highs)

    def turned(self, columns: Sequence[Any], normal: Any, offset: int) -> Any:
        """A normal turned by the cofactors, not of unit length, its elements in the order z, x, y."""
        builder, rest = self.builder, ir.Constant(FOUR, [-0.0] * 4)
        steps = [self.pick(c, c, 1, 2, 0, 3) for c in columns]
        whole = None
        for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
            away = builder.fsub(rest, builder.fmul(steps[i], columns[j]))
            product = self.multiply_add(columns[i], steps[j], away)
            share = self.all(self.load(normal, FLOAT, offset + 4 * k), FOUR)
            whole = (
                builder.fmul(product, share) if whole is None else self.multiply_add(product, share, whole)
            )
        return whole

    def vertices(
        self, count: int, table: Any, influences: Any, weights: Any, width: Any, *places: Any
    ) -> None:
        """Up to four vertices: 16 bytes are written for each, at every 12."""
        builder, (position, normal, out_position, out_normal) = self.builder, places
        turns = []
        for v in range(count):
            mine = builder.add(influences, self.scaled(width, 2 * v))
            low, high = self.blended(table, mine, builder.add(weights, self.scaled(width, 4 * v)), width)
            columns = [self.pick(part, part, *range(k, k + 4)) for part in (low, high) for k in (0, 4)]
            place = columns[3]
            for k in (2, 1, 0):
                share = self.all(self.load(position, FLOAT, 12 * v + 4 * k), FOUR)
                place = self.multiply_add(columns[k], share, place)
            self.store(place, out_position, 12 * v)
            turns.append(self.turned(columns[:3], normal, 12 * v))
        a, b, c, d = (builder.fmul(t, t) for t in (turns * 4 if count == 1 else turns))
        low, more = self.pick(a, b, 0, 4, 1, 5), self.pick(c, d, 0, 4, 1, 5)
        high, most = self.pick(a, b, 2, 6, 2, 6), self.pick(c, d, 2, 6, 2, 6)
        first, second = self.pick(low, more, 0, 1, 4, 5), self.pick(low, more, 2, 3, 6, 7)
        length = self.root(builder.fadd(builder.fadd(first, second), self.pick(high, most, 0, 1, 4, 5)))
        ones, least = ir.Constant(FOUR, [1.0] * 4), ir.Constant(FOUR, [SHORTEST] * 4)
        divisor = builder.select(builder.fcmp_ordered(">", length, least), length, ones)
        inverse = builder.fdiv(ones, divisor)
        for v, turn in enumerate(turns):
            unit = builder.fmul(self.pick(turn, turn, 1, 2, 0, 3), self.pick(inverse, inverse, v, v, v, v))
            self.store(unit, out_normal, 12 * v)


def _generator(count: int, width: int | None) -> Callable[..., Any]:
    """Code for so many vertices with so many influences, None: as many as an argument says."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the instructions."""
        table, influences, weights, given, *places = arguments
        _Writer(builder).vertices(
            count, table, influences, weights, given if width is None else width, *places
        )
        return context.get_dummy_value()

    return generate


_KIND = types.void(*[types.int64] * 8)


@intrinsic
def one_vertex(typing_context, table, influences, weights, width, p, n, out_p, out_n):  # type: ignore[no-untyped-def]
    """Skin one vertex; every argument but the width is an address."""
    return _KIND, _generator(1, None)


@intrinsic
def four_vertices(typing_context, table, influences, weights, width, p, n, out_p, out_n):  # type: ignore[no-untyped-def]
    """Skin four vertices; every argument but the width is an address."""
    return _KIND, _generator(4, None)


@intrinsic
def four_by_four(typing_context, table, influences, weights, width, p, n, out_p, out_n):  # type: ignore[no-untyped-def]
    """`four_vertices` where the width is four."""
    return _KIND, _generator(4, 4)


@njit(
    types.void(
        _VERTICES,
        _VERTICES,
        _read(types.uint16, 2),
        _VERTICES,
        _VERTICES,
        types.float32[:, ::1],
        types.float32[:, ::1],
    ),
    cache=True,
    error_model="numpy",
)
def skin(positions, normals, influences, weights, columns, out_positions, out_normals):  # type: ignore[no-untyped-def]
    """Linear-blend skinning; `columns` are those of the joint matrices, ``(J, 16)``."""
    count, width = influences.shape
    c, i, w = columns.ctypes.data, influences.ctypes.data, weights.ctypes.data
    p, n, u, v = (
        positions.ctypes.data,
        normals.ctypes.data,
        out_positions.ctypes.data,
        out_normals.ctypes.data,
    )
    whole = (
        max(count - 1, 0) // 4
    )  # each vertex writes into the place of the next, so the last ones go another way
    if width == 4:
        for k in range(whole):
            four_by_four(c, i + 32 * k, w + 64 * k, width, p + 48 * k, n + 48 * k, u + 48 * k, v + 48 * k)
    else:
        for k in range(whole):
            four_vertices(
                c,
                i + 8 * width * k,
                w + 16 * width * k,
                width,
                p + 48 * k,
                n + 48 * k,
                u + 48 * k,
                v + 48 * k,
            )
    room = np.empty((2, 4), np.float32)
    place, unit = room.ctypes.data, room.ctypes.data + 16
    for k in range(4 * whole, count):
        one_vertex(c, i + 2 * width * k, w + 4 * width * k, width, p + 12 * k, n + 12 * k, place, unit)
        for axis in range(3):
            out_positions[k, axis], out_normals[k, axis] = room[0, axis], room[1, axis]

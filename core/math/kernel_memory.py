"""Reading numbers at an address, so that kernels work on the tracks' own arrays without a copy.

Whoever hands out an address keeps the array alive as long as the kernel may read it.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def load_double(typing_context: Any, address: Any) -> Any:
    """The float64 at an address (any alignment)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the load of 8 bytes."""
        pointer = builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())
        return builder.load(pointer, align=1)

    return types.float64(types.int64), generate


@intrinsic
def load_long(typing_context: Any, address: Any) -> Any:
    """The int64 at an address, a multiple of 8."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the load of 8 bytes."""
        pointer = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(pointer, align=8)

    return types.int64(types.int64), generate


@intrinsic
def load_word(typing_context: Any, address: Any) -> Any:
    """The eight bytes at an address (any alignment), as int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the load of 8 bytes."""
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(64).as_pointer()), align=1)

    return types.int64(types.int64), generate


@intrinsic
def load_int(typing_context: Any, address: Any) -> Any:
    """The int32 at an address, a multiple of 4, as int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the load of 4 bytes and its extension by the sign."""
        pointer = builder.inttoptr(arguments[0], ir.IntType(32).as_pointer())
        return builder.sext(builder.load(pointer, align=4), ir.IntType(64))

    return types.int64(types.int64), generate


@intrinsic
def store_double(typing_context: Any, address: Any, value: Any) -> Any:
    """Write a float64 to an address, a multiple of 8."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the store of 8 bytes."""
        pointer = builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())
        builder.store(arguments[1], pointer, align=8)
        return context.get_dummy_value()

    return types.void(types.int64, types.float64), generate


@intrinsic
def load_byte(typing_context: Any, address: Any) -> Any:
    """The uint8 at an address, as int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the load of one byte and its extension by zeros."""
        pointer = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
        return builder.zext(builder.load(pointer, align=1), ir.IntType(64))

    return types.int64(types.int64), generate


@intrinsic
def prefetch(typing_context: Any, address: Any) -> Any:
    """Ask for the cache line at an address, which is going to be read soon."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the call of `llvm.prefetch`: a read of data, to be kept in all caches."""
        number, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(function, [builder.inttoptr(arguments[0], byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def doubles(typing_context: Any, address: Any) -> Any:
    """Pointer to float64s at an address, for `numba.carray`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the cast of the address to a pointer."""
        return builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())

    return types.CPointer(types.float64)(types.int64), generate


@intrinsic
def longs(typing_context: Any, address: Any) -> Any:
    """Pointer to int64s at an address, for `numba.carray`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Generate the cast of the address to a pointer."""
        return builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())

    return types.CPointer(types.int64)(types.int64), generate

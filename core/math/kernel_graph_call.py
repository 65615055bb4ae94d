"""Calling a compiled function by its address, so that the graph's ops are compiled each by itself."""

from typing import Any

from numba import njit, types
from numba.extending import intrinsic

ARRAYS = (types.int64[::1], types.float64[::1]) * 3
"""p, q, si, sf, wi, wf: see `kernel_graph_layout`."""


def hook(function: Any) -> Any:
    """Compile what is called for an op: ``(p, q, si, sf, wi, wf, op)``."""
    return njit(types.void(*ARRAYS, types.int64), cache=True, error_model="numpy")(function)


def asked(function: Any) -> Any:
    """Compile what is asked for a number: as `hook`, giving a float."""
    return njit(types.float64(*ARRAYS, types.int64), cache=True, error_model="numpy")(function)


def address(dispatcher: Any) -> int:
    """Where the code of a `hook` or an `asked` function is, in this process."""
    (found,) = dispatcher.overloads.values()
    return int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))


def _called(result: Any, address: Any, arguments: Any) -> Any:
    """What an intrinsic gives numba: the signature of a call by address, and what generates its code."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        """Generate the call; one that returns nothing gets a dummy value."""
        kinds = signature.args[1:]
        kind = context.call_conv.get_function_type(result, kinds)
        function = builder.inttoptr(values[0], kind.as_pointer())
        _, found = context.call_conv.call_function(builder, function, result, kinds, values[1:])
        return context.get_dummy_value() if result is types.none else found

    return result(address, *arguments), generate


@intrinsic
def call(
    typing_context: Any, address: Any, p: Any, q: Any, si: Any, sf: Any, wi: Any, wf: Any, op: Any
) -> Any:
    """Call a `hook` by its address."""
    return _called(types.none, address, (p, q, si, sf, wi, wf, op))


@intrinsic
def ask(
    typing_context: Any, address: Any, p: Any, q: Any, si: Any, sf: Any, wi: Any, wf: Any, op: Any
) -> Any:
    """Call an `asked` function by its address."""
    return _called(types.float64, address, (p, q, si, sf, wi, wf, op))

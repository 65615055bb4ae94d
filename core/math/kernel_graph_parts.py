# mypy: disable-error-code="no-untyped-def"
"""What all ops of the graph's kernel use: handing weights down, events, results (compiled). Twin: `core.graph.op`."""

from typing import Any

from numba import njit

from core.math import kernel_graph_layout as at

ZERO = 1e-5
"""The smallest weight that counts; as `core.graph.op.ZERO`."""


def part(function: Any) -> Any:
    """Compile a part of the kernel, with plain arithmetic, so that times and weights have the twin's bits."""
    return njit(cache=True, error_model="numpy")(function)


@part
def row_of(p, op):
    """Place in `p` of an op's row."""
    return p[at.H_OPS] + op * at.OP_WIDTH


@part
def kept_within(x, low, high):
    """`min(max(x, low), high)`."""
    return min(max(x, low), high)


@part
def buffer_size(p):
    """Numbers of a result without its motion: local transforms, curves, which are present."""
    return 10 * p[at.H_BONES] + 2 * p[at.H_CURVES]


@part
def new_buffer(p, wi):
    """Place in wf of a fresh result."""
    number = wi[at.D_BUFFERS]
    wi[at.D_BUFFERS] = number + 1
    return p[at.X_BUFFERS] + number * (buffer_size(p) + at.MOTION)


@part
def motion_of(p, buffer):
    """Place of a result's root motion."""
    return buffer + buffer_size(p)


@part
def result_of(p, wi, op):
    """Place in wf of an op's result."""
    return wi[p[at.W_SLOT] + op]


@part
def put_result(p, wi, op, buffer):
    """Say where an op's result is: a buffer of its own, or that of an input."""
    wi[p[at.W_SLOT] + op] = buffer


@part
def input_of(p, op, number):
    """One of an op's inputs."""
    return p[p[row_of(p, op) + at.O_INPUTS] + number]


@part
def copied(source, start, target, place, count):
    """Copy numbers from one array to another."""
    # Slices counted from 0 have no index below 0, which every other index is checked for: this is a plain copy.
    a, b = source[start : start + count], target[place : place + count]
    for k in range(count):
        b[k] = a[k]


@part
def no_motion(wf, place):
    """Write the identity as a root motion."""
    for k in range(10):
        wf[place + k] = 0.0
    wf[place + 6] = 1.0
    wf[place + 7] = wf[place + 8] = wf[place + 9] = 1.0


@part
def reach(p, wi, wf, number, weight, reader, leaving):
    """Say that an op counts with a weight, all through the step; of several readers the largest weight stands."""
    weights = p[at.X_WEIGHTS]
    wf[weights + number] = max(wf[weights + number], weight)
    wi[p[at.W_RELEVANT] + number] = 1
    if not (leaving or wi[p[at.W_LEAVING] + reader] != 0):
        wi[p[at.W_LEAVING] + number] = 0


@part
def offer(p, wf, op, weight):
    """Say that the players below an op count with a weight (see `kernel_graph_players.heaviest`)."""
    place = p[at.X_SHARES] + op
    wf[place] = max(wf[place], weight)


@part
def stop(wi):
    """Leave this step's logic, or this op's pose, to Python: something happens that is not of every step."""
    wi[at.D_STOPPED] = 1


@part
def emit(p, wi, wf, op, item, moment, weight, order):
    """Note an event of an op; where there is no room for it, Python does this step's logic."""
    number = wi[at.D_EVENTS]
    if number >= wi[at.D_ROOM]:
        stop(wi)
        return
    wi[at.D_EVENTS] = number + 1
    e, g = p[at.W_EVENTS] + number * at.EVENT_INTS, p[at.X_EVENTS] + number * at.EVENT_FLOATS
    wi[e + at.EVENT_OP], wi[e + at.EVENT_ITEM] = op, item
    wi[e + at.EVENT_LEAVING], wi[e + at.EVENT_INNER] = wi[p[at.W_LEAVING] + op], wi[at.D_INNER]
    wf[g + at.EVENT_MOMENT] = min(max(moment, 0.0), wf[at.Y_DT])
    wf[g + at.EVENT_WEIGHT], wf[g + at.EVENT_ORDER] = weight, order


@part
def sort_events(p, wi, wf, first, backwards):
    """Bring the events from `first` on into the order of their (`EVENT_ORDER`, `EVENT_ITEM`), few as they are."""
    e, g = p[at.W_EVENTS], p[at.X_EVENTS]
    sign = -1.0 if backwards else 1.0
    for k in range(first + 1, wi[at.D_EVENTS]):
        j = k
        while j > first:
            a, b = g + (j - 1) * at.EVENT_FLOATS, g + j * at.EVENT_FLOATS
            c, d = e + (j - 1) * at.EVENT_INTS, e + j * at.EVENT_INTS
            gap = sign * (wf[a + at.EVENT_ORDER] - wf[b + at.EVENT_ORDER])
            if gap < 0.0 or (gap == 0.0 and wi[c + at.EVENT_ITEM] <= wi[d + at.EVENT_ITEM]):
                break
            for n in range(at.EVENT_FLOATS):
                wf[a + n], wf[b + n] = wf[b + n], wf[a + n]
            for n in range(at.EVENT_INTS):
                wi[c + n], wi[d + n] = wi[d + n], wi[c + n]
            j -= 1

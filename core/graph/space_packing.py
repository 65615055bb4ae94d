"""Blend spaces as the compiled kernel reads them; see `kernel_graph_layout` (`Z_AXES` and on)."""

from collections.abc import Sequence

from core.blending.blend_space import MotionRule, SpaceKind
from core.blending.space_player import SpacePlayer
from core.blending.weights import SpaceWeights
from core.graph.packer import Packer
from core.math import kernel_graph_layout as at

FOLLOWING = ("none", "average", "linear", "ease", "spring")
"""Ways of smoothing in the order of `FOLLOW_NONE` and on."""


def packed_space(
    packer: Packer,
    player: SpacePlayer,
    point: Sequence[int],
    rate: int,
    notifies: Sequence[Sequence[float]],
    lasting: int,
) -> tuple[int, ...]:
    """The whole numbers of a space.

    Parameters
    ----------
    point, rate : registers of the axes' inputs and of the rate
    notifies : of each sample the times at which a notify is, begins or ends
    lasting : how many of them have a duration
    """
    space, group = player.space, player.group
    samples = [
        x
        for evaluator, times in zip(player.sources, notifies, strict=True)
        for x in (
            packer.clip(evaluator),
            int(evaluator.clip.looping and evaluator.clip.length > 0.0),
            packer.floats(times),
            len(times),
        )
    ]
    times = packer.floats([*group.lengths, *group.stops.ravel(), *player.rates])
    axes = [
        x
        for axis in space.axes
        for x in (
            FOLLOWING.index(axis.smoothing), axis.smoothing_time, axis.minimum, axis.maximum, axis.extent,
            float(axis.wrap),
        )
    ]  # fmt: skip
    names = packer.ints([packer.marker(name) for name in group.names]) if group.names else -1
    return (
        len(space.axes), packer.ints(point), rate, len(notifies), packer.ints(samples), group.intervals, times,
        packer.floats(axes), *_field(packer, player.field), int(space.root_motion is MotionRule.ALL),
        int(space.notifies is MotionRule.ALL), int(player.loops), lasting, packer.floats([space.weight_speed]),
        names,
    )  # fmt: skip


def _field(packer: Packer, field: SpaceWeights) -> tuple[int, int, int, int]:
    """Kind of a field, how many places it has, and its tables in p and q."""
    count, origin = len(field.places), field.origin.tolist()
    if field.line is not None:
        middle, direction, order, stops = field.line
        numbers = packer.floats([*middle, *direction, *stops])
        return at.FIELD_LINE, count, packer.ints([*order.tolist(), *origin]), numbers
    if field.grid is not None and field.space.kind is SpaceKind.GRID:
        across, along, nodes = field.grid
        whole = packer.ints([*origin, len(across), len(along)])
        return at.FIELD_GRID, count, whole, packer.floats([*across, *along, *nodes.ravel()])
    if len(field.triangles):
        tables = [*field.triangles.ravel().tolist(), *field.outline.ravel().tolist()]
        whole = packer.ints([*origin, len(field.triangles), len(field.outline), *tables])
        return at.FIELD_TRIANGLES, count, whole, packer.floats(field.places.ravel())
    return at.FIELD_ONE, count, packer.ints(origin), 0

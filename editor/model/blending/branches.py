"""Edits of a layer's branch filters: which branches of the skeleton it reaches. One undo step each."""

from collections.abc import Sequence
from dataclasses import replace

from core.blending.layer_stack import ClipLayer
from core.blending.layers import BranchFilter
from core.errors import ValidationError
from editor.model.blending.layers import LayerEdits
from editor.model.i18n import tr

EXCLUDED = -1
"""The depth of a branch that the layer leaves alone."""


def add(edits: LayerEdits, number: int, bones: Sequence[str], depth: int = 1) -> bool:
    """Add a filter for each of the bones, after the others; filters take the place of a mask.

    The first to exclude a branch comes after filters for the roots: the layer reaches all the rest.

    Raises
    ------
    ValidationError
        No bone is given, or each of them has a filter already.
    """
    layer = _layer(edits, number)
    have = {entry.bone for entry in layer.branches}
    fresh = [bone for bone in bones if bone not in have]
    if not bones:
        raise ValidationError(tr("select the bone where the branch begins"))
    if not fresh:
        raise ValidationError(tr("{bone} already has a branch filter in this layer", bone=bones[0]))
    below = layer.branches
    if depth == EXCLUDED and not below:
        below = tuple(BranchFilter(root, 1) for root in edits.roots() if root not in fresh)
    label = tr("Add branch filter {bone}", bone=", ".join(fresh))
    return _put(edits, number, label, (*below, *(BranchFilter(bone, depth) for bone in fresh)))


def changed(edits: LayerEdits, number: int, place: int, **values: object) -> tuple[BranchFilter, ...]:
    """A layer's filters with parts of one changed."""
    filters = list(_layer(edits, number).branches)
    filters[place] = replace(filters[place], **values)  # type: ignore[arg-type]
    return tuple(filters)


def change(edits: LayerEdits, number: int, place: int, **values: object) -> bool:
    """Give a filter another bone or depth."""
    filters = changed(edits, number, place, **values)
    return _put(edits, number, tr("Change branch filter {bone}", bone=filters[place].bone), filters)


def move(edits: LayerEdits, number: int, place: int, to: int) -> bool:
    """Put a filter elsewhere in the order: a later one speaks for its own branch."""
    filters = list(_layer(edits, number).branches)
    if not 0 <= to < len(filters) or to == place:
        return False
    moved = filters.pop(place)
    filters.insert(to, moved)
    return _put(edits, number, tr("Move branch filter {bone}", bone=moved.bone), tuple(filters))


def remove(edits: LayerEdits, number: int, place: int) -> bool:
    """Take a filter away; without any the layer reaches every bone."""
    filters = list(_layer(edits, number).branches)
    gone = filters.pop(place)
    return _put(edits, number, tr("Remove branch filter {bone}", bone=gone.bone), tuple(filters))


def _layer(edits: LayerEdits, number: int) -> ClipLayer:
    stack = edits.stack
    if stack is None:
        raise ValidationError(tr("the clip has no layers"))
    return stack.layers[number]


def _put(edits: LayerEdits, number: int, label: str, filters: tuple[BranchFilter, ...]) -> bool:
    edits.end_preview()
    layer = _layer(edits, number)
    if layer.mask is None and layer.branches == filters:
        return False
    return edits.put(number, replace(layer, mask=None, branches=filters), label)

"""Which rows of the bone tree look different than when they were last painted: only these are painted again."""

from collections.abc import Hashable, Iterator

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QTreeView

from editor.panels.bone_tree.delegate import BoneDelegate
from editor.panels.bone_tree.item_model import BoneModel
from editor.panels.bone_tree.view_model import FLAGS


class RowsInSight:
    """Remembers the looks of the rows in sight; the selection's own colours Qt minds itself.

    Parameters
    ----------
    view, model, delegate : of one tree
    """

    def __init__(self, view: QTreeView, model: BoneModel, delegate: BoneDelegate) -> None:
        self._view, self._model, self._delegate = view, model, delegate
        self._looks: dict[int, Hashable] = {}

    def renew(self) -> None:
        """Have the rows painted that look different; rows that come into sight are painted by Qt in any case."""
        before, self._looks = self._looks, {}
        area = self._view.viewport()
        for number, index in self._rows():
            look = self._looks[number] = self._look(number)
            if before.get(number) != look:
                place = self._view.visualRect(index)
                area.update(0, place.top(), area.width(), place.height())

    def _rows(self) -> Iterator[tuple[int, QModelIndex]]:
        """Bones in sight and their rows, from the top."""
        inside = self._view.viewport().rect()
        index = self._view.indexAt(inside.topLeft())
        while index.isValid() and self._view.visualRect(index).top() <= inside.bottom():
            number = self._model.number_at(index)
            if number is not None:
                yield number, index
            index = self._view.indexBelow(index)

    def _look(self, number: int) -> Hashable:
        """All that the delegate paints a row by, besides whether it is selected."""
        tree, delegate, name = self._model.tree, self._delegate, self._model.names[number]
        weights = delegate.weights
        return (
            name, tree.label(name), tree.mark(name), self._model.fits(number), tree.virtual(name) is not None,
            tree.mode(name), tuple(tree.flag(name, flag) for flag in FLAGS), name == delegate.hovered,
            name == delegate.active, name in delegate.pinned, None if weights is None else weights.get(name, 0.0),
        )  # fmt: skip

"""A row of the bone tree is painted anew when anything about its look is another, and no other row is."""

from collections.abc import Callable

import pytest

from editor.panels.bone_tree.panel import PANEL
from editor.panels.bone_tree.rows_in_sight import RowsInSight
from tests.editor.panel_stage import Stage

BONE, OTHER = "head", "pelvis"


class Area:
    """Stands in for the view's inside: notes which rows are to be painted."""

    def __init__(self, area) -> None:
        self._area, self.rows = area, []

    def rect(self):
        return self._area.rect()

    def width(self) -> int:
        return self._area.width()

    def update(self, x: int, y: int, wide: int, high: int) -> None:
        self.rows.append(y)


class View:
    def __init__(self, view) -> None:
        self._view, self.area = view, Area(view.viewport())

    def viewport(self) -> Area:
        return self.area

    def __getattr__(self, name: str):
        return getattr(self._view, name)


@pytest.fixture
def tree(qapp):
    stage = Stage(qapp)
    panel = stage.add(PANEL.create(stage.context))
    stage.show(300, 600)
    qapp.processEvents()
    panel.view.expandAll()
    qapp.processEvents()
    yield stage.session, panel
    stage.close(qapp)


CHANGES: dict[str, Callable] = {
    "hovered": lambda session, delegate: setattr(delegate, "hovered", BONE),
    "active": lambda session, delegate: setattr(delegate, "active", BONE),
    "pinned": lambda session, delegate: setattr(delegate, "pinned", {BONE: 1}),
    "locked": lambda session, delegate: session.selection.set_flag("locked", [BONE]),
    "hidden": lambda session, delegate: session.selection.set_flag("hidden", [BONE]),
}


@pytest.mark.parametrize("what", list(CHANGES))
def test_the_row_that_changes_is_painted_and_no_other(tree, what: str) -> None:
    session, panel = tree
    delegate = panel.view.itemDelegate()
    view = View(panel.view)
    rows = RowsInSight(view, panel.model if hasattr(panel.model, "names") else panel.view.model(), delegate)  # type: ignore[arg-type]
    rows.renew()
    view.area.rows.clear()
    rows.renew()
    assert view.area.rows == []
    CHANGES[what](session, delegate)
    rows.renew()
    index = next(i for n, i in rows._rows() if rows._model.names[n] == BONE)
    assert view.area.rows == [panel.view.visualRect(index).top()]


def test_weights_of_a_mask_that_is_painted_are_in_every_row(tree) -> None:
    session, panel = tree
    delegate, view = panel.view.itemDelegate(), View(panel.view)
    rows = RowsInSight(view, panel.view.model(), delegate)  # type: ignore[arg-type]
    rows.renew()
    view.area.rows.clear()
    delegate.weights = {BONE: 0.5}
    rows.renew()
    assert len(view.area.rows) == len(list(rows._rows()))
    view.area.rows.clear()
    delegate.weights = {BONE: 0.5, OTHER: 0.25}
    rows.renew()
    assert len(view.area.rows) == 1

"""Every number field of every panel: what is committed is kept, and a panel made anew shows the very number.

A factor that is applied on one way only (millimetres, per cent, degrees) shows as another number.
"""

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QScrollArea

from editor.qt.number_field import NumberField
from editor.shell.panels import panel_specs
from tests.editor.actions import rich
from tests.editor.panel_stage import Stage
from tests.editor.user import User

GL = {"viewport", "source_view"}
"""These draw on the graphics card and have no number fields of their own."""
OWN = {
    "transportFrame", "transportKeys", "transportStart", "transportEnd", "clipRate", "blendPercent", "poseSpacing",
    "curvesFrame", "curvesValue", "curvesIn", "curvesOut", "reduceMillimetres",
}  # fmt: skip
"""Those that go to the playhead, ask first, are about keys that move away, or belong to one panel: tested by hand."""
WHERE = {"ik": "ik", "blend_space": "blend", "layers": "blend", "additive": "blend"} | dict.fromkeys(
    ("graph", "graph_node", "graph_run", "variables", "montage"), "graph"
)
"""The stage at which a panel has something to show; others are tried with the plain clip."""


def wanted(field: NumberField) -> float:
    """Another number that the field can show, within its bounds."""
    now, digits = field.value or 0.0, field.decimals
    step = max(10.0**-digits, abs(now) * 0.25 if now else 0.25)
    for value in (now - step, now + step):
        rounded = round(value, digits)
        if field.minimum <= rounded <= field.maximum and rounded != now:
            return rounded
    return now


def fields_of(panel) -> dict[str, NumberField]:
    """Fields by name that a person could use now."""
    found = panel.findChildren(NumberField)
    return {
        f.objectName(): f
        for f in found
        if f.objectName()
        and f.objectName() not in OWN
        and f.isVisible()
        and f.isEnabled()
        and f.value is not None
    }


def shown(qapp, stage: Stage, spec):
    panel = stage.add(spec.create(stage.context))
    stage.show(460, 900)
    for _ in range(4):
        qapp.processEvents()
    return panel


def gone(qapp, stage: Stage, panel) -> None:
    stage.panels.remove(panel)
    stage.layout.removeWidget(panel)
    panel.close()
    getattr(panel, "close_panel", lambda: None)()
    panel.deleteLater()
    qapp.processEvents()


@pytest.mark.parametrize("name", [spec.id for spec in panel_specs() if spec.id not in GL])
def test_every_number_is_kept_in_the_unit_that_its_field_shows(qapp, name: str) -> None:
    (spec,) = [spec for spec in panel_specs() if spec.id == name]
    session, _ = rich.at_stage(WHERE.get(name, "plain"))
    session.selection.select(["upper_arm_l"])
    stage = Stage(qapp, session)
    try:
        panel = shown(qapp, stage, spec)
        values: dict[str, float] = {}
        for field_name in list(fields_of(panel)):
            field = fields_of(panel).get(field_name)  # one that another made useless is left out
            if field is not None:
                values[field_name] = wanted(field)
                field.committed.emit(values[field_name])
                for _ in range(3):
                    qapp.processEvents()
        gone(qapp, stage, panel)
        again = {f.objectName(): f for f in shown(qapp, stage, spec).findChildren(NumberField)}
        found = {n: again[n].value if n in again else None for n in values}
        near = {
            n: pytest.approx(v, abs=0.51 * 10.0 ** -again[n].decimals)
            for n, v in values.items()
            if n in again
        }
    finally:
        stage.close(qapp)
    assert found == near


@pytest.mark.parametrize("name", [spec.id for spec in panel_specs() if spec.id not in GL])
def test_escape_takes_the_drag_of_every_number_back(qapp, name: str) -> None:
    """The document has not changed, and what the field belongs to shows the number of before."""
    (spec,) = [spec for spec in panel_specs() if spec.id == name]
    session, _ = rich.at_stage(WHERE.get(name, "plain"))
    session.selection.select(["upper_arm_l"])
    stage, left = Stage(qapp, session), {}
    try:
        panel = shown(qapp, stage, spec)
        user = User(stage.window)
        for field_name, field in fields_of(panel).items():
            area = field.parentWidget()
            while area is not None and not isinstance(area, QScrollArea):
                area = area.parentWidget()
            if area is not None:
                area.ensureWidgetVisible(field)
                user.settle()
            project, steps, number = session.document.project, session.history.position, field.value
            start = QPointF(field.rect().center())
            way = 8.0 if number < field.maximum else -8.0
            user.drag(field, start, start + QPointF(way, 0.0), steps=2, release=False)
            tried = field.value
            user.press("Esc")
            user.release_mouse(start)
            getattr(panel, "refresh", lambda: None)()
            user.settle()
            same = session.document.project is project and session.history.position == steps
            if tried == number or not same or field.value != number:
                left[field_name] = number, tried, field.value, same
    finally:
        stage.close(qapp)
    assert not left

"""Every control of every panel does what was read and approved: steps, their names, what changes, what is said."""

import pytest

from editor.shell.panels import panel_specs
from tests.editor.portraits import approved, sitter, stages
from tests.editor.portraits.deeds import everything
from tests.editor.portraits.hands import Hands

GL = {"viewport", "source_view"}
"""These draw on the graphics card."""
LEFT: dict[str, tuple[str, ...]] = {
    "blend_space": ("blendRecord", "blendReplay"),
    "graph": ("graphCanvas",),  # where its nodes lie then depends on which of its late answers came first
}
"""Controls that start long work or depend on the clock, by parts of their names: tests of their own hold them."""

STILL = ("montage", "graph_run")
"""Panels whose clock runs on with what a deed began: how far it comes by the next one depends on the machine."""

AFTER = (
    "graph",
    "graph_node",
    "graph_run",
    "variables",
    "retarget",
    "reduce",
    "compile",
    "simulate",
    "bodies",
)
"""Panels whose controls are there once something goes on."""
FULL = (
    "additive",
    "montage",
    "blend_space",
    "timeline",
    "inspector",
    "graph_run",
    "variables",
    "layers",
    "play_setup",
    "play",
    "play_run",
    "proportions",
)
"""Panels whose controls are there once all of it is in use."""


def deeds(qapp, panel: str) -> list[str]:
    """What every control of a panel does, at the stage at which most of them are there."""
    name = (
        "full"
        if panel in FULL
        else "after"
        if panel in AFTER
        else "rich"
        if panel in stages.RICH
        else "plain"
    )
    stage, widget = sitter.seated(qapp, panel, name)
    try:
        hands = Hands(
            qapp, stage, widget, LEFT.get(panel, ()), patient=panel == "graph", still=panel in STILL
        )
        return everything(hands)
    finally:
        sitter.away(qapp, stage, widget)


@pytest.mark.parametrize("panel", [spec.id for spec in panel_specs() if spec.id not in GL])
def test_what_every_control_does_is_as_approved(qapp, panel: str) -> None:
    problem = approved.problem_of(f"deeds-{panel}", lambda: deeds(qapp, panel))
    assert not problem, problem

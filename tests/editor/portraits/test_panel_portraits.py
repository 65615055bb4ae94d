"""Every panel as it was read and approved: names, tips, what is enabled, choices, ranges, places, what is painted."""

import pytest

from editor.shell.panels import panel_specs
from tests.editor.portraits import approved, sitter


@pytest.mark.parametrize("panel", [spec.id for spec in panel_specs()])
def test_panel_is_as_approved(qapp, panel: str) -> None:
    problem = approved.problem_of(f"panel-{panel}", lambda: sitter.portraits(qapp, panel))
    assert not problem, problem

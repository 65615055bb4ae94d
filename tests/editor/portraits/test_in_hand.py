"""Painted widgets under the pointer, in drags, with the keyboard and under drops, as they were read and approved."""

import pytest
from PySide6.QtWidgets import QApplication

from tests.editor.portraits import approved, sitter
from tests.editor.portraits.in_hand import InHand

PANELS = {
    "graph": "after",
    "graph_run": "after",
    "variables": "full",
    "montage": "full",
    "blend_space": "full",
    "play_run": "full",
    "weights": "plain",
}
"""Panels that paint by themselves, and the stage at which most is there to be taken in hand."""


def taken(qapp: QApplication, panel: str) -> list[str]:
    stage, widget = sitter.seated(qapp, panel, PANELS[panel])
    try:
        return InHand(qapp, stage, widget).everything()
    finally:
        sitter.away(qapp, stage, widget)


@pytest.mark.parametrize("panel", list(PANELS))
def test_what_is_in_hand_looks_and_does_as_approved(qapp, panel: str) -> None:
    problem = approved.problem_of(f"hand-{panel}", lambda: taken(qapp, panel))
    assert not problem, problem

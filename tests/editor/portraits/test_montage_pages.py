"""What the fields of a montage, of its segments and of its notifies do: steps with their names, as approved."""

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox

from editor.model.montage.montages import Item, Montages, Part
from tests.editor.portraits import approved, sitter
from tests.editor.portraits.deeds import everything
from tests.editor.portraits.hands import Hands
from tests.editor.turning import turn_until_shown

PAGES = {
    "montage": None,
    "trigger": None,
    "segment": Item(Part.SEGMENT, 1, 0),
    "section": Item(Part.SECTION, 1),
    "notify": Item(Part.NOTIFY, 1),
}


def deeds(qapp: QApplication, page: str) -> list[str]:
    item = PAGES[page]
    stage, widget = sitter.seated(qapp, "montage", "full")
    try:
        stage.session.feature(Montages).pick(*([item] if item else ()))
        turn_until_shown()
        if page == "trigger":  # it has a time of its own
            widget.details.findChild(QCheckBox, "montageOwnTrigger").click()
            turn_until_shown()
        return everything(Hands(qapp, stage, widget.details, still=True))
    finally:
        sitter.away(qapp, stage, widget)


@pytest.mark.parametrize("page", list(PAGES))
def test_fields_do_what_was_approved(qapp, page: str) -> None:
    problem = approved.problem_of(f"deeds-montage-{page}", lambda: deeds(qapp, page))
    assert not problem, problem

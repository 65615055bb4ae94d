"""The card of the first start: there once, away at the first deed, and never again."""

import pytest

from editor.panels.viewport.first_card import SEEN, FirstCard
from editor.panels.viewport.panel import PANEL
from tests.editor.panel_stage import Stage
from tests.editor.stage import stage
from tests.editor.user import User


def test_card_is_shown_once_and_closed_for_good(qapp):
    with stage(qapp, "viewport") as here:
        card = here.window.findChild(FirstCard, "firstCard")
        assert not card.isVisible(), "nobody has asked for it"
        card.greet()
        here.user.settle()
        assert card.isVisible() and here.window.rect().contains(card.mapTo(here.window, card.rect().center()))
        here.user.click("firstCardClose")
        assert not card.isVisible() and here.session.preferences.get(SEEN) is True
        card.greet()
        assert not card.isVisible()


@pytest.mark.parametrize("width", [1200, 560])
def test_card_lies_at_the_foot_of_a_wide_view_and_above_the_switches_of_a_narrow_one(qapp, width):
    alone = Stage(qapp)
    panel = alone.add(PANEL.create(alone.context))
    alone.show(width, 480)
    panel.first_card.greet()
    User(alone.window).settle()
    card = panel.first_card.geometry()
    assert panel.first_card.isVisible() and not card.intersects(panel.switches.geometry())
    foot = panel.view.height() - card.bottom()
    assert foot < 20 if width == 1200 else foot > 40
    alone.close(qapp)


def test_card_goes_away_once_something_is_done(qapp):
    with stage(qapp, "viewport") as here:
        card = here.window.findChild(FirstCard, "firstCard")
        card.greet()
        here.session.clips.rename(here.clip().id, "stroll")
        here.user.settle()
        assert here.clip().name == "stroll" and not card.isVisible()

"""The card of the first start: there once, away at the first deed, and never again."""

from editor.panels.viewport.first_card import SEEN, FirstCard
from tests.editor.stage import stage


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


def test_card_goes_away_once_something_is_done(qapp):
    with stage(qapp, "viewport") as here:
        card = here.window.findChild(FirstCard, "firstCard")
        card.greet()
        here.session.clips.rename(here.clip().id, "stroll")
        here.user.settle()
        assert here.clip().name == "stroll" and not card.isVisible()

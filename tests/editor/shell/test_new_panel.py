"""A panel that was added by one entry is docked, in menus and palette, reached by keys, and ended."""

import sys

import pytest

from editor.shell import panels
from tests.editor.shell import toy_panel
from tests.editor.shell.toy_panel import ToyPanel
from tests.editor.stage import stage


@pytest.fixture
def entered(monkeypatch):
    """The package is there, and its name is one of the panels: the one entry."""
    monkeypatch.setitem(sys.modules, "editor.panels.toy.panel", toy_panel)
    monkeypatch.setattr(panels, "NAMES", (*panels.NAMES, "toy"))


@pytest.fixture
def here(qapp, entered):
    with stage(qapp, "toy") as made:
        made.window.show_panel("toy")
        made.user.settle()
        yield made


def test_new_panel_is_docked_with_its_title_and_what_it_puts_there(here):
    assert here.window.docks["toy"].spec.title == "Toy"
    assert here.user.find("toyField").isVisible() and here.user.find("toyButton").isVisible()


def test_new_panel_is_made_for_its_action(qapp, entered):
    with stage(qapp, "toy") as made:
        assert not made.window.docks["toy"].body.there
        made.window.actions_registry.run("tree.filter")
        assert ToyPanel.searched == 1 and made.user.find("toyField").isVisible()


def test_new_panel_gets_the_keyboard_and_does_its_action(here):
    here.window.docks["toy"].body.take_focus()
    here.user.type_into("toyField", "abc", enter=False)
    assert here.user.find("toyField").hasFocus()
    here.window.actions_registry.run("tree.filter")
    assert ToyPanel.searched == 1


def test_new_panel_has_an_action_that_closes_and_opens_it(here):
    here.window.actions_registry.run("panel.toy")
    here.user.settle()
    assert not here.window.docks["toy"].open
    here.window.actions_registry.run("panel.toy")
    here.user.settle()
    assert here.window.docks["toy"].open and here.user.find("toyField").isVisible()


def test_new_panel_is_told_that_the_window_closes(qapp, entered):
    with stage(qapp, "toy") as made:
        made.window.show_panel("toy")
        assert not ToyPanel.closed
    assert ToyPanel.closed

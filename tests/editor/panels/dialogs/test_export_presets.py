"""The box of presets by itself: what is picked, what is saved under a name, and which name goes on being said."""

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QWidget

from core.io.presets import PRESETS
from editor.model.preferences import Preferences
from editor.qt.theme import Theme
from editor.shell.export.choice import Choice, from_preset
from editor.shell.export.presets import MINE, OWN, Presets

NOW = Choice(suffix=".bvh")


@pytest.fixture
def here(qapp, qtbot) -> Iterator[SimpleNamespace]:
    window, now, chosen = QWidget(), SimpleNamespace(choice=NOW), []
    qtbot.addWidget(window)
    theme = Theme(qapp)
    theme.dress(window)
    presets = Presets(window, theme, Preferences(), lambda: now.choice)
    presets.chosen.connect(chosen.append)
    yield SimpleNamespace(presets=presets, now=now, chosen=chosen, window=window)


def pick(here, data: str) -> None:
    here.presets.box.setCurrentIndex(here.presets.box.findData(data))
    here.presets.box.activated.emit(here.presets.box.currentIndex())


def titles(here) -> list[str]:
    return [here.presets.box.itemText(k) for k in range(here.presets.box.count())]


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_program_sets_what_it_expects(here, name: str) -> None:
    pick(here, name)
    assert here.chosen == [from_preset(PRESETS[name], NOW)]


def test_own_settings_change_nothing(here) -> None:
    pick(here, OWN)
    assert here.chosen == []


def test_what_was_saved_is_picked_again(here) -> None:
    here.presets.save("game")
    here.now.choice = replace(NOW, suffix=".fbx")
    here.presets.save("Anna")
    assert titles(here)[0] == "Own settings" and titles(here)[-2:] == ["Anna", "game"]
    assert here.presets.box.currentData() == MINE + "Anna"
    pick(here, MINE + "game")
    assert here.chosen == [NOW]
    here.now.choice = replace(NOW, each=True)
    here.presets.save("game")
    pick(here, MINE + "game")
    assert here.chosen[-1] == replace(NOW, each=True) and titles(here)[-2:] == ["Anna", "game"]


def test_the_name_is_said_while_everything_is_as_it_was_saved(here) -> None:
    here.presets.save("game")
    here.presets.follow(NOW)
    assert here.presets.box.currentData() == MINE + "game"
    here.presets.follow(replace(NOW, each=True))
    assert here.presets.box.currentData() == OWN


def test_the_menu_saves_and_deletes(here) -> None:
    here.presets.save("game")
    actions = here.presets._menu.actions()
    assert [a.text() for a in actions] == ["Save these settings…", "Delete game"]
    actions[1].trigger()
    assert here.presets.saved == {} and here.presets.box.currentData() == OWN

"""Preferences: kept, and never a reason not to start."""

import json
import os
from pathlib import Path

import pytest

from core.io.backups import Backups
from editor.model import paths
from editor.model.i18n import install, tr, trn
from editor.model.preferences import MAX_RECENT, Preferences
from editor.model.switches import Switches


def test_values_survive_and_equal_ones_tell_nobody(tmp_path: Path) -> None:
    first = Preferences(tmp_path)
    heard: list[str] = []
    first.changed.connect(heard.append)
    first.set("theme", "light")
    first.set("theme", "light")
    first.set("panel.width", [1, 2])
    assert heard == ["theme", "panel.width"]
    second = Preferences(tmp_path)
    assert (second.get("theme"), second.get("panel.width")) == ("light", [1, 2])
    second.reset("theme")
    assert Preferences(tmp_path).get("theme") == "dark"


@pytest.mark.parametrize("content", ["", "{", "[]", "\0\0", '{"a": ' * 5000])
def test_a_broken_file_is_put_aside(tmp_path: Path, content: str) -> None:
    (tmp_path / "preferences.json").write_text(content)
    preferences = Preferences(tmp_path)
    assert preferences.get("theme") == "dark"
    assert (tmp_path / "preferences.broken.json").exists() and not preferences.path.exists()


def test_values_of_the_wrong_type_are_not_believed(tmp_path: Path) -> None:
    (tmp_path / "preferences.json").write_text(
        '{"theme": 3, "backups": true, "scale": NaN, "recent": "x", "auto_key": 0}'
    )
    preferences = Preferences(tmp_path)
    assert (preferences.get("theme"), preferences.get("backups"), preferences.get("scale")) == (
        "dark",
        5,
        1.0,
    )
    assert preferences.recent == () and preferences.get("auto_key") is True


def test_recent_files_are_newest_first_once_each(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path)
    for number in range(20):
        preferences.add_recent(tmp_path / f"{number}")
    preferences.add_recent(tmp_path / "15")
    names = [p.name for p in preferences.recent]
    assert len(names) == MAX_RECENT and names[:3] == ["15", "19", "18"] and names.count("15") == 1
    preferences.forget_recent(tmp_path / "19")
    assert "19" not in [p.name for p in preferences.recent]
    preferences.forget_recent()
    assert preferences.recent == ()


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    preferences = Preferences(blocked / "config")
    preferences.set("theme", "light")
    assert preferences.get("theme") == "light"


def test_folders_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POSEWRIGHT_CONFIG_DIR", str(tmp_path / "c"))
    assert paths.config_dir() == tmp_path / "c"
    monkeypatch.delenv("POSEWRIGHT_DATA_DIR")
    assert "posewright" in str(paths.data_dir())


def test_switches_are_remembered(tmp_path: Path) -> None:
    switches = Switches(Preferences(tmp_path))
    switches.toggle("grid")
    assert not Switches(Preferences(tmp_path))["grid"]
    with pytest.raises(KeyError):
        switches.toggle("nothing")


def test_backups_of_files_of_one_name_in_two_folders_stay_apart(tmp_path: Path) -> None:
    backups = Backups(tmp_path / "backups", keep=3)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.posewright").write_text(folder)
        backups.before_saving(tmp_path / folder / "x.posewright")
    assert [p.read_text() for p in backups.of(tmp_path / "a" / "x.posewright")] == ["a"]
    assert backups.before_saving(tmp_path / "absent") is None


def test_tr_puts_values_in_and_survives_a_broken_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tr("Delete {name}", name="walk") == "Delete walk"
    assert (
        trn("{count} key", "{count} keys", 1) == "1 key" and trn("{count} key", "{count} keys", 3) == "3 keys"
    )
    install(None)

    class Broken:
        def gettext(self, text: str) -> str:
            return "Lösche {nam}"

    monkeypatch.setattr("editor.model.i18n._catalogue", Broken())
    assert tr("Delete {name}", name="walk") == "Delete walk"
    assert tr("Delete") == "Lösche {nam}"


JUNK = [None, True, -1, 1e300, "x" * 5000, [], [1, None, {}], {}, {"a": {"b": None}}, "\ud800", 0.0]


@pytest.mark.parametrize("value", JUNK, ids=lambda v: repr(v)[:15])
def test_damaged_values_never_keep_a_session_from_starting(tmp_path, value):
    from editor.model.preferences import DEFAULTS, Preferences
    from editor.model.session import Session

    values = dict.fromkeys([*DEFAULTS, "switches", "ghosts_by"], value)
    (tmp_path / "preferences.json").write_text(json.dumps(values))
    session = Session.create(tmp_path, tmp_path / "data")
    preferences = session.preferences
    for name, default in DEFAULTS.items():
        kinds = (int, float) if type(default) in (int, float) else type(default)
        assert isinstance(preferences.get(name), kinds)
    assert 0.5 <= preferences.get("scale") <= 4.0 and 0 <= preferences.get("backups") <= 1000
    assert isinstance(preferences.get("switches", {}), dict) and preferences.get("ghosts_by", "frames")
    preferences.set("theme", "light")
    session.close()
    assert Preferences(tmp_path).get("theme") == "light", "and what is changed then is kept"


@pytest.mark.skipif(os.name == "nt", reason="no pipes there")
def test_pipe_in_place_of_the_preferences_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "preferences.json")
    from editor.model.preferences import Preferences

    assert Preferences(tmp_path).get("theme") == "dark"


def test_actions_used_are_newest_first_once_each_and_nonsense_is_left_out(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path)
    for number in range(40):
        preferences.add_used_action(f"a.{number}")
    preferences.add_used_action("a.30")
    used = preferences.used_actions
    assert used[:3] == ("a.30", "a.39", "a.38") and len(used) == len(set(used)) == 24
    preferences.set("used_actions", ["b", 3, None])
    assert preferences.used_actions == ("b",)

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import editor.panels
from core.errors import AnimError, ValidationError
from editor.actions.action import Scope
from editor.shell.palette import rank
from tests.editor.stage import stage


def test_every_action_is_in_the_palette_and_those_with_a_menu_in_their_menu(here):
    listed = {entry.id for entry in here.window.commands.palette_entries()}
    assert listed == {action.id for action in here.window.actions_registry} - {"help.palette"}
    shown = {entry.objectName() for menu in here.window.menus.values() for entry in menu.actions()}
    assert {a.id for a in here.window.actions_registry if a.menu} <= shown


def test_menu_bar_is_in_the_usual_order(here):
    titles = [a.text().replace("&", "") for a in here.window.menuBar().actions()]
    assert titles == [
        "File", "Edit", "Select", "Tool", "Key", "Curve", "Clip", "Pose", "IK", "Blend", "Graph", "Retarget",
        "Playback", "View", "Window", "Help",
    ]  # fmt: skip


def test_menu_entry_runs_its_action_and_shows_its_keys(here):
    here.session.selection.select(["arm_l"])
    here.user.choose("Select", "Select parent")
    assert here.session.selection.bones == ("spine",)
    entry = here.window.commands.entry("select.parent")
    assert entry.text() == "Select parent\t["


def test_menu_entry_says_what_undo_would_undo(here):
    here.session.clips.set_looping(here.session.playback.clip, True)
    here.user.choose("Edit", "Undo Loop of walk")
    assert not here.clip().looping


def test_disabled_entry_tells_why_in_its_tooltip(here):
    here.window.commands.entry("edit.redo")
    here.window.commands.update(["edit.redo"])
    entry = here.window.commands.entry("edit.redo")
    assert not entry.isEnabled() and "othing to redo" in entry.toolTip()


def test_key_of_a_disabled_action_says_why_in_the_status_bar(here):
    here.user.press("Ctrl+Z")
    assert here.user.find("hint").text() == "Undo: there is nothing to undo"


def test_tool_keys_take_tools_and_cycle_their_space(here):
    for key, tool in (("Q", "select"), ("W", "translate"), ("E", "rotate"), ("R", "scale")):
        here.user.press(key)
        assert here.window.tools.setup.tool.value == tool
    before = here.window.tools.setup.space
    here.user.press("R")
    assert here.window.tools.setup.space is not before
    assert here.user.find("space").text().lower() == here.window.tools.setup.space.value


def test_tool_bar_buttons_show_and_set_the_tool_in_hand(here):
    here.user.click("tool.move")
    assert here.window.tools.setup.tool.value == "translate"
    assert here.user.find("tool.move").isChecked() and not here.user.find("tool.rotate").isChecked()
    here.user.click("pivot")
    here.user.choose_in_popup("Median")
    assert here.window.tools.setup.pivot.value == "median"
    here.user.click("space")
    here.user.choose_in_popup("Parent")
    assert here.window.tools.setup.move_space.value == "parent"
    here.user.click("tool.snap")
    assert here.window.tools.setup.snap


def test_auto_key_button_is_lit_while_it_is_on(here):
    assert here.user.find("key.auto").isChecked()
    on = here.user.picture("key.auto")
    here.user.click("key.auto")
    assert not here.session.keying.auto and not here.user.find("key.auto").isChecked()
    record = here.theme.color("record").getRgb()[:3]
    near = lambda image: (abs(image[:, :, :3].astype(int) - record).sum(axis=2) < 30).sum()  # noqa: E731
    assert near(on) > near(here.user.picture("key.auto"))


def test_text_field_keeps_its_letters(here):
    tool = here.window.tools.setup.tool
    here.user.type_into("boneSearch", "wqs", enter=False)
    assert here.user.find("boneSearch").text() == "wqs"
    assert here.window.tools.setup.tool is tool


def test_palette_finds_by_words_and_runs_with_enter(here):
    here.session.selection.select(["hand_l"])
    here.user.press("F3")
    here.user.type("paren")
    here.user.press("Return")
    assert here.session.selection.bones == ("arm_l",)
    assert not here.user.visible("palette")


def test_palette_arrows_and_mouse_choose(here):
    here.user.press("Ctrl+Shift+P")
    here.user.type("workspace")
    rows = here.user.rows("paletteList")
    titles = ("Pose", "Curves", "Blend", "Retarget", "Export", "Graph", "Play")
    assert set(rows) == {f"{title} workspace" for title in titles}
    here.user.press("Down")
    here.user.press("Return")
    assert f"{here.window.layouts.current.title} workspace" == rows[1]
    here.user.press("F3")
    here.user.type("workspace")
    here.user.click_row("paletteList", "Pose workspace")
    assert here.window.layouts.current.id == "pose"


def test_palette_escape_gives_the_keyboard_back(here):
    here.user.click_row("bones", "head")
    before = here.window.focusWidget()
    here.user.press("F3")
    here.user.press("Esc")
    assert not here.user.visible("palette") and here.window.focusWidget() is before


def test_palette_does_not_run_what_cannot_be_done(here):
    here.user.press("F3")
    here.user.type("redo")
    here.user.press("Return")
    assert here.user.visible("palette")


def test_palette_opens_from_the_search_in_the_tool_bar(here):
    here.user.click("searchButton")
    assert here.user.visible("paletteField")


@pytest.mark.parametrize(
    ("words", "better", "worse"),
    [
        ("set key", "Set key on selection", "Delete keys at playhead"),
        ("key", "Key", "Monkey business"),
        ("fr", "Frame all", "Loop forever"),
    ],
)
def test_rank_puts_words_at_the_start_first(words, better, worse):
    a, b = rank(words, better, ""), rank(words, worse, "")
    assert a is not None and (b is None or a < b)


def test_rank_finds_letters_in_order_and_words_of_the_menu():
    assert rank("stk", "Set key", "") is not None
    assert rank("file open", "Open", "File") is not None
    assert rank("zzz", "Open", "File") is None


def test_keys_can_be_changed_by_pressing_them(here):
    here.user.press("F1")
    here.user.type_into("shortcutSearch", "next frame", enter=False)
    here.user.click_row("shortcutTable", "Next frame", double=True)
    here.user.press("Ctrl+Alt+Shift+F11")
    here.user.press("Esc")
    assert here.window.actions_registry.shortcuts("playback.forward") == ("Ctrl+Alt+Shift+F11",)
    here.user.press("Esc") if here.user.visible("shortcutSheet") else None
    here.user.press("Right")
    assert here.session.playback.frame == 0.0
    here.user.press("Ctrl+Alt+Shift+F11")
    assert here.session.playback.frame == pytest.approx(1.0)


def test_keys_of_another_program_are_chosen_from_a_list_and_work_at_once(here):
    here.user.press("F1")
    here.user.click("keyPreset")
    here.user.press("Down")  # Blender
    here.user.press("Enter")
    here.user.type_into("shortcutSearch", "set key on selection", enter=False)
    assert here.window.actions_registry.shortcuts("key.set") == ("I",)
    table = here.user.find("shortcutTable")
    assert here.user.row(table, "Key", "Set key on selection").siblingAtColumn(1).data() == "I"
    here.user.click("closeKeys")
    ran = []
    here.window.actions_registry.bind("tool.move", lambda: ran.append("move"))
    here.window.actions_registry.bind("tool.scale", lambda: ran.append("scale"))
    here.user.press("G")
    here.user.press("S")
    assert ran == ["move", "scale"]


def test_keys_that_are_taken_are_refused_by_name(here):
    with pytest.raises(AnimError, match="Undo"):
        here.window.actions_registry.set_shortcuts("playback.forward", ["Ctrl+Z"])


def test_same_keys_mean_one_thing_over_the_view_and_another_over_the_timeline(qapp):
    with stage(qapp, "bone_tree", "timeline") as here:
        ran = []
        here.window.actions_registry.bind("select.all", lambda: ran.append("bones"))
        here.window.actions_registry.bind("select.all_keys", lambda: ran.append("keys"))
        here.window.docks["bone_tree"].body.take_focus()
        here.user.press("Ctrl+A")
        here.window.docks["timeline"].body.take_focus()
        here.user.press("Ctrl+A")
        assert ran == ["bones", "keys"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("nudge", "Next frame"), ("camera", "Front"), ("audio", "Add marker"), ("notify", "Add marker"),
        ("mask", "Isolate"), ("morph", "Curves: stacked"), ("sync", "Analyse clips"), ("render", "Playblast"),
        ("onion", "Ghosts"), ("keyframe", "Set key on selection"), ("morphs", "Curves: stacked"), ("camer", "Front"),
        ("curve editor", "Curves: absolute"), ("graph editor", "Curves: absolute"), ("outliner", "Bones"),
        ("attribute editor", "Inspector"),
    ],
)  # fmt: skip
def test_palette_knows_the_words_of_other_programs(here, word, expected):
    titles = [entry.title for entry in here.window.commands.palette_entries()]
    found = [title for title in titles if rank(word, title, "") is not None]
    assert expected in found


def test_palette_says_that_nothing_matches_and_what_is_near(here):
    here.user.press("F3")
    assert not here.user.visible("paletteNote")
    here.user.type("exxport")
    note = here.user.find("paletteNote").text()
    assert "No results for “exxport”" in note and "export" in note
    assert here.user.rows("paletteList")[0] == "Export"
    here.user.press("Ctrl+A")
    here.user.type("qqqqxx")
    assert "No results for “qqqqxx”" in here.user.find("paletteNote").text()
    assert not here.user.visible("paletteList")
    here.user.press("Ctrl+A")
    here.user.type("cloth")
    assert "no cloth" in here.user.find("paletteNote").text()
    here.user.press("Esc")


def test_palette_raises_a_panel_and_never_closes_it(here):
    dock = here.window.docks["history"]
    for _ in range(2):  # behind a tab, then in front
        here.user.press("F3")
        here.user.type("history")
        here.user.press("Return")
        assert dock.open and not dock.body.visibleRegion().isEmpty()
    dock.close()
    here.user.press("F3")
    here.user.type("history")
    here.user.press("Return")
    assert dock.open and not dock.body.visibleRegion().isEmpty()


def test_escape_with_nothing_to_take_back_says_nothing(here):
    hint = here.user.find("hint").text()
    here.user.press("Esc")
    assert here.user.find("hint").text() == hint
    assert not here.user.visible("messageBar")


def menus_of_ids() -> list[tuple[str, str]]:
    """Every menu of ids that any module of a panel declares: ``(where, id)``."""
    found = []
    for module in pkgutil.walk_packages(editor.panels.__path__, "editor.panels."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if not (isinstance(value, tuple) and name.isupper() and value):
                continue
            ids = [id for id in value if id is not None]
            if all(isinstance(id, str) and re.fullmatch(r"[a-z]+\.[a-z_0-9]+", id) for id in ids):
                found += [(f"{module.name}.{name}", id) for id in ids]
    return found


def test_every_id_in_every_menu_is_an_action(here):
    declared = menus_of_ids()
    assert {where.rsplit(".", 2)[1] for where, _ in declared} >= {"menus"} and len(declared) > 60
    unknown = [(where, id) for where, id in declared if id not in here.window.actions_registry]
    assert unknown == []


def test_every_action_that_the_source_names_exists(here):
    pattern = re.compile(
        r"(?:actions|registry|actions_registry)\.(?:run|bind|why_disabled)\(\s*\"([^\"{]+)\""
    )
    root = Path(editor.panels.__path__[0]).parent
    named = {id for path in root.rglob("*.py") for id in pattern.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 5
    assert {id for id in named if id not in here.window.actions_registry} == set()


def test_menu_with_an_unknown_id_raises(here):
    with pytest.raises(ValidationError, match=r"no action 'view\.isolate'"):
        here.window.menu_of(("select.parent", "view.isolate"), here.window)


def test_held_keys_repeat_steps_in_time_and_undo_and_nothing_else(here):
    repeated = {
        action.id
        for keys, shortcut in here.window.commands._keys.items()
        if shortcut.autoRepeat()
        for action in [here.window.actions_registry.by_keys(keys, Scope.VIEW)]
        if action is not None
    }
    assert repeated == {
        "playback.back", "playback.forward", "playback.next_key", "playback.previous_key", "edit.undo",
        "edit.redo",
    }  # fmt: skip

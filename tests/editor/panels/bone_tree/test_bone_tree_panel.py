import sys
from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QRegion

from core.clips import keying
from core.clips.clip import Channel, Property
from core.project.project import Project
from core.rig.rig import Rig
from editor.panels.bone_tree import item_model
from editor.panels.bone_tree.item_model import COLUMNS, MARK_COLUMN, BoneRole
from editor.panels.bone_tree.view_model import Mark, Show
from tests.big_documents import big_project
from tests.editor.stage import RIG, TURN, small_project, stage
from tests.editor.user import CTRL, SHIFT

LOCK, HIDE, SOLO = 1, 2, 3


@pytest.fixture
def here(qapp):
    with stage(qapp, "bone_tree") as made:
        yield made


def tree(here):
    return here.window.docks["bone_tree"].body.panel


def test_first_use_lists_every_bone_below_its_parent(here):
    assert here.user.rows("bones") == [
        "root",
        "pelvis",
        "spine",
        "head",
        "arm_l",
        "hand_l",
        "arm_r",
        "hand_r",
    ]
    view = here.user.find("bones")
    assert here.user.row(view, "hand_l").parent().data() == "arm_l"


def test_click_selects_shift_extends_ctrl_toggles(here):
    user, selection = here.user, here.session.selection
    user.click_row("bones", "arm_l")
    assert selection.bones == ("arm_l",)
    user.click_row("bones", "arm_r", modifiers=SHIFT)
    assert set(selection.bones) == {"arm_l", "hand_l", "arm_r"} and selection.active == "arm_r"
    user.click_row("bones", "hand_l", modifiers=CTRL)
    assert set(selection.bones) == {"arm_l", "arm_r"}


def test_selection_made_elsewhere_is_shown_with_the_active_one_current(here):
    here.session.selection.select(["head", "hand_l"])
    here.user.settle()
    model = tree(here).view.selectionModel()
    assert {i.data() for i in model.selectedRows()} == {"head", "hand_l"}
    assert model.currentIndex().data() == "hand_l"


def test_drawing_asks_the_model_no_more_for_many_selected_bones_than_for_one(here):
    project = big_project(200, 2, 1)
    here.load(project)
    here.user.settle()
    view, names = tree(here).view, here.session.rig.skeleton.names
    asked = {}
    for count in (1, len(names)):
        here.session.selection.select(names[:count])
        here.user.settle()
        assert len(view.selectionModel().selectedRows()) == count
        calls = Counter()

        def note(frame, event, _, calls=calls):
            calls["model"] += event == "call" and frame.f_code.co_filename == item_model.__file__

        sys.setprofile(note)
        try:
            view.viewport().repaint()
        finally:
            sys.setprofile(None)
        asked[count] = calls["model"]
    assert 0 < asked[len(names)] < 2 * asked[1]


def test_selection_made_elsewhere_does_not_come_back_changed(here):
    here.session.selection.select(["hand_l", "head", "arm_r"])
    here.user.settle()
    assert here.session.selection.bones == ("hand_l", "head", "arm_r")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("hand", ["root", "pelvis", "spine", "arm_l", "hand_l", "arm_r", "hand_r"]),
        ("_l hand", ["root", "pelvis", "spine", "arm_l", "hand_l"]),
        ("L HA", ["root", "pelvis", "spine", "arm_l", "hand_l"]),
        ("nothing like it", []),
    ],
)
def test_filter_words_match_in_any_order_and_keep_those_above(here, words, expected):
    here.user.type_into("boneSearch", words, enter=False)
    assert here.user.rows("bones") == expected if expected else here.user.visible("boneSearch")
    assert here.user.row(tree(here).view, "hand_l") if expected else True


def test_filter_escape_empties_it_then_gives_the_keyboard_back(here):
    here.user.type_into("boneSearch", "head", enter=False)
    here.user.press("Esc")
    assert here.user.rows("bones")[-1] == "hand_r"
    here.user.press("Esc")
    assert tree(here).view.hasFocus()


def test_filter_without_match_says_what_to_do(here):
    here.user.type_into("boneSearch", "xyzzy", enter=False)
    assert here.user.visible("No bone matches. Change the search or the filter.")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("Selected", ["root", "pelvis", "spine", "head"]),
        ("Animated", ["root", "pelvis", "spine", "arm_l"]),
        ("Changed here", ["root", "pelvis", "spine", "arm_l"]),
    ],
)
def test_filter_menu_lists_only_those_bones(here, entry, expected):
    here.session.selection.select(["head"])
    here.frame(0)
    here.user.click("boneFilter")
    here.user.choose_in_popup(entry)
    assert here.user.rows("bones") == expected


def test_selected_here_follows_the_selection(here):
    here.session.selection.select(["head"])
    here.user.click("boneFilter")
    here.user.choose_in_popup("Selected")
    here.session.selection.select(["arm_l"])
    here.user.settle()
    assert here.user.rows("bones") == ["root", "pelvis", "spine", "arm_l"]
    here.session.selection.select([])
    here.user.settle()
    assert not here.user.visible("bones")


def test_changed_here_follows_the_playhead(here):
    here.user.click("boneFilter")
    here.user.choose_in_popup("Changed here")
    here.frame(15)
    assert here.user.rows("bones") == ["root", "pelvis"]


def test_marks_tell_keyed_partly_animated_and_none(here):
    model = tree(here).tree
    here.frame(0)
    assert (model.mark("arm_l"), model.mark("head")) == (Mark.KEYED, Mark.NONE)
    here.frame(15)
    assert (model.mark("arm_l"), model.mark("pelvis")) == (Mark.ANIMATED, Mark.KEYED)
    clip = here.clip()
    fewer = keying.without_keys(clip, 0.0, [Channel("arm_l", Property.ROTATE, 0)])
    here.session.edits.put("one less", fewer)
    here.frame(0)
    assert model.mark("arm_l") is Mark.PARTLY


def test_diamond_of_a_keyed_bone_is_painted_and_gone_between_keys(here):
    view = tree(here).view
    here.frame(0)
    cell = view.visualRect(here.user.row(view, "arm_l").siblingAtColumn(MARK_COLUMN))
    keyed = here.user.picture(view.viewport())[
        cell.top() : cell.bottom(), cell.right() - 16 : cell.right(), :3
    ]
    here.frame(15)
    between = here.user.picture(view.viewport())[
        cell.top() : cell.bottom(), cell.right() - 16 : cell.right(), :3
    ]
    key = here.theme.color("key").getRgb()[:3]
    near = lambda picture: (abs(picture.astype(int) - key).sum(axis=2) < 30).sum()  # noqa: E731
    assert near(keyed) > near(between) > 0


def test_lock_hide_and_solo_are_switched_by_a_click_without_selecting(here):
    user, selection = here.user, here.session.selection
    for column, flag, offer, again in (
        (LOCK, "locked", "Lock: protect it from every tool", "Locked: click to unlock"),
        (HIDE, "hidden", "Hide", "Hidden: click to show"),
        (SOLO, "solo", "Show only this", "Solo: click to show the others again"),
    ):
        cell = user.row(tree(here).view, "head").siblingAtColumn(column)
        tip = lambda cell=cell: cell.data(Qt.ItemDataRole.ToolTipRole)  # noqa: E731
        assert tip() == offer
        user.click_row("bones", "head", column=column)
        assert getattr(selection, flag) == {"head"} and tip() == again
        user.click_row("bones", "head", column=column)
        assert getattr(selection, flag) == frozenset() and tip() == offer
    assert selection.bones == ()


def test_lock_of_a_selected_row_locks_the_whole_selection(here):
    here.session.selection.select(["arm_l", "arm_r"])
    here.user.settle()
    here.user.click_row("bones", "arm_r", column=LOCK)
    assert here.session.selection.locked == {"arm_l", "arm_r"}


def test_pointer_over_a_row_is_the_hover_of_the_session(here):
    view = tree(here).view
    cell = view.visualRect(here.user.row(view, "spine"))
    here.user.move(view.viewport(), cell.center())
    assert here.session.selection.hover == "spine"


def test_arrows_move_the_selection_and_letters_stay_tools(here):
    here.user.click_row("bones", "pelvis")
    here.user.press("Down")
    assert here.session.selection.bones == ("spine",)
    here.user.press("W")
    assert here.window.tools.setup.tool.value == "translate"
    assert here.session.selection.bones == ("spine",)


def test_collapsed_branch_stays_collapsed_after_an_edit(here):
    view = tree(here).view
    view.collapse(here.user.row(view, "arm_l"))
    here.session.clips.set_looping(here.session.playback.clip, True)
    here.user.settle()
    assert "hand_l" not in here.user.rows("bones")


def test_undo_and_redo_of_an_edit_refresh_the_marks(here):
    here.frame(15)
    here.session.selection.select(["arm_l"])
    here.user.settle()
    model = tree(here).tree
    assert model.mark("arm_l") is Mark.ANIMATED
    here.user.press("Shift+S")
    assert model.mark("arm_l") is Mark.KEYED
    here.user.press("Ctrl+Z")
    assert model.mark("arm_l") is Mark.ANIMATED
    here.user.press("Ctrl+Shift+Z")
    assert model.mark("arm_l") is Mark.KEYED


def test_context_menu_offers_the_selections(here):
    view = tree(here).view
    here.user.click_row("bones", "arm_l")
    cell = view.visualRect(here.user.row(view, "arm_l"))
    here.user.ask_menu(view.viewport(), cell.center())
    here.user.choose_in_popup("Select parent")
    assert here.session.selection.bones == ("spine",)


def open_menu(here, bone):
    view = tree(here).view
    here.user.click_row("bones", bone)
    here.user.ask_menu(view.viewport(), view.visualRect(here.user.row(view, bone)).center())


@pytest.mark.parametrize(
    ("entry", "done"),
    [
        ("Set key on selection", lambda s: any(c.bone == "hand_l" for c in s.clip.tracks)),
        ("Hide bones", lambda s: "hand_l" in s.selection.hidden),
        ("Isolate", lambda s: s.selection.solo == {"hand_l"}),
        ("Lock bones", lambda s: "hand_l" in s.selection.locked),
    ],
)
def test_context_menu_keys_hides_and_isolates_the_bone(here, entry, done):
    assert not done(here.session)
    open_menu(here, "hand_l")
    here.user.choose_in_popup(entry)
    assert done(here.session)


def test_context_menu_deletes_keys(here):
    before = here.clip()
    open_menu(here, "arm_l")
    here.user.choose_in_popup("Delete keys at playhead")
    assert sum(len(t.times) for c, t in here.clip().tracks.items() if c.bone == "arm_l") < sum(
        len(t.times) for c, t in before.tracks.items() if c.bone == "arm_l"
    )


def test_context_menu_offers_to_frame_the_selection(here):
    from editor.panels.bone_tree import menus

    assert "view.frame" in menus.BONE and "view.frame" in here.window.actions_registry


def test_find_a_bone_puts_the_keyboard_into_the_field(here):
    here.user.press("Ctrl+F")
    here.user.type("head")
    assert here.user.rows("bones") == ["root", "pelvis", "spine", "head"]


def test_another_clip_shows_its_own_marks(here):
    here.session.playback.set_clip(TURN)
    here.user.settle()
    assert tree(here).tree.mark("head") is Mark.KEYED
    assert tree(here).tree.mark("arm_l") is Mark.NONE


def test_empty_project_says_what_to_do_next(qapp):
    with stage(qapp, "bone_tree", project=None) as here:
        assert here.user.visible("No character yet. Open a document, or import a file.")
        here.user.press("Ctrl+Z")


def test_new_document_empties_the_list(here):
    here.session.files.new()
    here.user.settle()
    assert here.user.visible("No character yet. Open a document, or import a file.")


def test_columns_leave_room_for_the_switches(here):
    view = tree(here).view
    assert view.model().columnCount() == COLUMNS
    right = view.visualRect(here.user.row(view, "root").siblingAtColumn(SOLO)).right()
    assert right <= view.viewport().width()
    assert view.visualRect(here.user.row(view, "root")).contains(QPoint(30, 5))


# ------------------------------------------------------------ names that can be read
def prefixed_project():
    """The small project with Mixamo's prefix before every bone but the root, and one long name."""
    project = small_project()
    rig = project.get(Rig, RIG)
    names = tuple(
        n if n == "root" else f"mixamorig:{LONG if n == 'hand_r' else n}" for n in rig.skeleton.names
    )
    skeleton = replace(rig.skeleton, names=names)
    return Project({rig.id: Rig(rig.id, "prefixed", skeleton)})


LONG = "hand_of_the_right_arm_with_a_name_that_does_not_fit_into_any_panel_end"


@pytest.fixture
def prefixed(qapp):
    with stage(qapp, "bone_tree", "inspector", project=prefixed_project) as made:
        yield made


def test_common_prefix_is_folded_away_and_a_switch_brings_it_back(prefixed):
    here = prefixed
    assert here.user.rows("bones")[:3] == ["root", "pelvis", "spine"]
    here.user.click_row("bones", "arm_l")
    assert here.session.selection.bones == ("mixamorig:arm_l",)
    assert here.user.find("boneName").text() == "arm_l"
    assert here.user.find("boneName").toolTip() == "mixamorig:arm_l"
    here.user.click("boneFilter")
    here.user.choose_in_popup("Hide shared name prefix")
    assert here.user.rows("bones")[:3] == ["root", "mixamorig:pelvis", "mixamorig:spine"]
    here.session.switches.set("short_names", True)


def test_search_does_not_find_the_prefix_that_all_share(prefixed):
    here = prefixed
    here.user.type_into("boneSearch", "mixamo", enter=False)
    assert here.user.visible("No bone matches. Change the search or the filter.")
    here.user.type_into("boneSearch", "arm_l", enter=False)
    assert here.user.rows("bones") == ["root", "pelvis", "spine", "arm_l"]


def test_tooltip_of_a_row_has_the_whole_name(prefixed):
    view = tree(prefixed).view
    index = prefixed.user.row(view, LONG)
    assert index.data(BoneRole) == f"mixamorig:{LONG}"
    assert f"mixamorig:{LONG}" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_long_name_runs_over_the_switches_that_are_not_shown(prefixed):
    here = prefixed
    here.window.resizeDocks([here.window.docks["bone_tree"]], [220], Qt.Orientation.Horizontal)
    here.user.settle()
    view = tree(here).view
    index = here.user.row(view, LONG)
    view.scrollTo(index)
    here.user.move("boneSearch")
    here.user.settle()
    switches = [view.visualRect(index.siblingAtColumn(column)) for column in (LOCK, HIDE, SOLO)]
    box = switches[0].united(switches[-1])
    picture = here.user.picture(view.viewport())[
        box.top() + 4 : box.bottom() - 3, box.left() : box.right(), :3
    ]
    assert (abs(picture.astype(int) - picture[0, 0]).sum(axis=2) > 60).sum() > 20, (
        "the name reaches over them"
    )
    here.user.click_row("bones", LONG, column=HIDE)
    assert here.session.selection.hidden == {f"mixamorig:{LONG}"}


def test_name_stays_when_one_cell_of_its_row_is_painted_alone(prefixed):
    here = prefixed
    view = tree(here).view
    index = here.user.row(view, "arm_l")
    view.scrollTo(index)
    here.user.move("boneSearch")
    cell = view.visualRect(index)
    whole = QImage(view.viewport().size(), QImage.Format.Format_RGB32)
    view.viewport().render(whole)
    alone = QImage(whole)
    view.viewport().render(alone, cell.topLeft(), QRegion(cell))
    assert alone == whole


@pytest.mark.parametrize("words", ["", "head"])
def test_the_keyboard_that_comes_to_the_tree_chooses_no_bone(here, words):
    """Whether the tree has shown the selection by then or not, and where a filter hides it."""
    view = tree(here).view
    here.window.setFocus()
    tree(here).search.setText(words)
    here.user.settle()
    here.session.selection.select(["arm_r"])
    view.setFocus()
    here.user.settle()
    assert view.hasFocus() and here.session.selection.bones == ("arm_r",)


def test_the_active_bone_is_revealed_though_a_filter_hides_it(here):
    panel = tree(here)
    panel.set_show(Show.ANIMATED)
    panel.search.setText("arm")
    here.session.selection.select(["head"])
    here.user.settle()
    assert "head" not in here.user.rows("bones")
    panel.reveal_active()
    here.user.settle()
    cell = panel.view.visualRect(here.user.row(panel.view, "head"))
    assert panel.view.viewport().rect().contains(cell.center())


def test_what_was_folded_is_folded_again_after_a_search(here):
    view = tree(here).view
    view.collapse(here.user.row(view, "spine"))
    here.user.settle()
    assert "head" not in here.user.rows("bones")
    here.user.type_into("boneSearch", "head", enter=False)
    assert "head" in here.user.rows("bones")
    tree(here).search.clear()
    here.user.settle()
    assert "head" not in here.user.rows("bones")

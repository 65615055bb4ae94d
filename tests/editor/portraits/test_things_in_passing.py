"""What is so for a moment only, or in one place only: a drag under way, a key that is kept, chips that wrap."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from editor.model.media.state import Media
from editor.model.retarget.state import Retargeting
from editor.panels.bone_tree.set_chips import EDGE, GAP, SetChips
from tests.editor.panel_stage import Stage
from tests.editor.portraits import pointer, sitter
from tests.editor.portraits.acts import control, drag, picked, row
from tests.editor.turning import turn_until_shown


@contextmanager
def seated(qapp: QApplication, panel: str, stage: str) -> Iterator[tuple[Stage, QWidget]]:
    """A panel for the time of a block."""
    made, widget = sitter.seated(qapp, panel, stage)
    try:
        yield made, widget
    finally:
        sitter.away(qapp, made, widget)


# ------------------------------------------------------------ retarget
@pytest.mark.parametrize("axis", range(3))
def test_a_drag_turns_a_chain_before_it_is_let_go_as_one_step(qapp, axis: int) -> None:
    with seated(qapp, "retarget", "after") as (stage, panel):
        row("chainMap", 6)(stage.session, panel)
        turn_until_shown()
        subject = stage.session.feature(Retargeting).subject
        field, before = control(panel, f"chainAdjust.{axis}"), stage.session.history.position
        middle = field.rect().center()
        pointer.press(field, middle)
        for by in (4, 40):
            pointer.mouse(
                field, QEvent.Type.MouseMove, middle + QPoint(by, 0), Qt.MouseButton.NoButton, pointer.LEFT
            )
        wanted = tuple(10.0 if k == axis else 0.0 for k in range(3))
        assert subject.choices.adjust["left arm"] == wanted and stage.session.history.position == before
        pointer.let_go(field, middle + QPoint(40, 0))
        assert subject.choices.adjust["left arm"] == wanted and stage.session.history.position == before + 1


def test_a_drag_of_the_share_of_a_turn_is_one_step(qapp) -> None:
    with seated(qapp, "retarget", "after") as (stage, panel):
        row("chainMap", 6)(stage.session, panel)
        turn_until_shown()
        subject = stage.session.feature(Retargeting).subject
        field, before = control(panel, "chainShare"), stage.session.history.position
        middle = field.rect().center()
        pointer.press(field, middle)
        for by in (-4, -40):
            pointer.mouse(
                field, QEvent.Type.MouseMove, middle + QPoint(by, 0), Qt.MouseButton.NoButton, pointer.LEFT
            )
        assert subject.choices.turns["left arm"] == 0.8 and stage.session.history.position == before
        pointer.let_go(field, middle - QPoint(40, 0))
        assert subject.choices.turns["left arm"] == 0.8 and stage.session.history.position == before + 1


def test_retarget_is_offered_with_a_result_and_without_a_problem_alone(qapp) -> None:
    with seated(qapp, "retarget", "after") as (stage, panel):
        computation = stage.session.feature(Retargeting).computation
        result = computation.result
        for found, problem, commit, every in (
            (result, "", True, True),
            (None, "", False, True),
            (result, "two chains hold one bone", False, False),
        ):
            computation._result, computation.problem = found, problem
            panel.refresh()
            assert (panel.commit.isEnabled(), panel.all.isEnabled()) == (commit, every)
            assert panel.problem.text() == problem.capitalize() and panel.problem.isVisible() == bool(problem)


# ------------------------------------------------------------ sets of bones
def _laid_out(chips: SetChips) -> list[QWidget]:
    return [chips.add, *chips._chips]


def test_chips_wrap_where_the_next_has_no_room_and_nowhere_else(qapp) -> None:
    with seated(qapp, "bone_tree", "plain") as (stage, panel):
        rig = stage.session.rig
        sets = dict.fromkeys(("arms", "left leg", "back", "all that is above", "feet"), ("hand_l",))
        stage.session.edits.put("Sets", replace(rig, bone_sets=sets))
        turn_until_shown()
        chips = panel.findChild(SetChips)
        whole = 2 * EDGE + sum(w.width() for w in _laid_out(chips)) + GAP * len(sets)
        rows: dict[int, int] = {}
        for width in (whole, whole - 1, whole * 2 // 3, 150):
            chips.setFixedWidth(width)
            turn_until_shown()
            inside = chips.viewport().width()
            placed = _laid_out(chips)
            for a, b in itertools.pairwise(placed):
                after = a.x() + a.width() + GAP
                fits = after + b.width() <= inside - EDGE
                assert (b.x(), b.y() > a.y()) == ((after, False) if fits else (EDGE, True)), (width, b.text())
            rows[width] = len({w.y() for w in placed})
        assert rows[whole] == 1 < rows[whole - 1] <= rows[150]


def test_a_set_of_the_pose_panel_is_deleted_by_its_menu(qapp) -> None:
    with seated(qapp, "pose", "rich") as (stage, panel):
        stage.session.selection.select(["hand_l"])
        for name in ("arms", "hands"):
            assert panel.model.save_set(name)
        turn_until_shown()
        button = control(panel, "boneSet_arms")
        pointer.ask_menu(button, button.rect().center())
        turn_until_shown()
        menu = QApplication.activePopupWidget()
        assert [action.text() for action in menu.actions()] == ["Delete"]
        picked(menu, "Delete")
        turn_until_shown()
        shown = [b.text() for b in panel.findChildren(QPushButton) if b.isVisible()]
        assert "hands  1" in shown and "arms  1" not in shown


# ------------------------------------------------------------ samples of a blend space
@pytest.mark.parametrize("code", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_a_sample_that_is_selected_keeps_delete_and_is_removed_by_it(qapp, code: Qt.Key) -> None:
    with seated(qapp, "blend_space", "full") as (stage, panel):
        rows = panel.weights

        def kept(key: Qt.Key) -> bool:
            asks = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
            asks.ignore()
            QApplication.sendEvent(rows, asks)
            return asks.isAccepted()

        names = [sample.name for sample in panel.model.rows()]
        panel.model.select(None)
        assert not kept(code)
        pointer.press(rows, QPoint(40, 30))
        assert kept(code) and not kept(Qt.Key.Key_K)
        pointer.key(rows, code)
        turn_until_shown()
        assert [sample.name for sample in panel.model.rows()] == [names[0], *names[2:]]


# ------------------------------------------------------------ references
def test_a_drag_of_a_reference_that_is_given_up_leaves_the_track_of_the_document(qapp) -> None:
    with seated(qapp, "media", "rich") as (stage, panel):
        media = stage.session.feature(Media)
        kept = media.chosen_track
        drag("media_opacity", -20, "escape")(stage.session, panel)
        assert media.chosen_track is kept

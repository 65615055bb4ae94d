"""Retargeting as a person does it: alignment, maps in files, contacts, picking in the views."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget

import core.io
from core.clips.clip import Clip
from editor.model.retarget.state import Retargeting
from editor.panels.retarget.table import SOURCE
from tests.editor.panels.retarget.retarget_hands import PANELS, edit, load, reveal, row, views
from tests.editor.shell.test_window import choose_file, wait
from tests.editor.stage import Stage, stage
from tests.editor.walkers import OTHER, REST, both_project, source_file, spans_of, target_project


@pytest.fixture
def here(request: pytest.FixtureRequest, qapp: QApplication):
    """The window in the retarget workspace, on the target; with both views for tests marked so."""
    views: tuple[str, ...] = getattr(request, "param", ())
    with stage(qapp, *PANELS, *views, project=target_project) as made:
        made.window.use_workspace("retarget")
        made.user.settle()
        yield made


def test_alignment_of_the_chosen_chain_is_shown_in_degrees_and_changed(here, tmp_path):
    load(here, source_file(tmp_path))
    state = here.session.feature(Retargeting)
    here.user.click_row("chainMap", "left arm")
    assert state.pick.chain == "left arm" and here.session.selection.bones == ("upper_arm_l", "lower_arm_l")
    assert row(here, "left arm")[4] == "50"  # the source's arms hang 50° lower than the target's
    here.user.type_into(reveal(here, "chainShare"), "40")
    wait(here)
    assert state.subject.choices.turns == {"left arm": 0.4} and row(here, "left arm")[4] == "20"
    here.user.press("Ctrl+Z")
    wait(here)
    here.user.type_into(reveal(here, "chainShare"), "0")
    wait(here)
    assert state.subject.choices.turns == {"left arm": 0.0} and row(here, "left arm")[4] == "0"
    here.user.type_into(reveal(here, "chainAdjust.2"), "20")
    wait(here)
    assert state.subject.choices.adjust == {"left arm": (0.0, 0.0, 20.0)}
    here.user.press("Ctrl+Z")
    here.user.press("Ctrl+Z")
    wait(here)
    assert (
        state.subject.choices.turns == {}
        and state.subject.choices.adjust == {}
        and row(here, "left arm")[4] == "50"
    )


def test_map_saved_and_loaded_again(here, tmp_path):
    load(here, source_file(tmp_path))
    edit(here, "spine", SOURCE, "spine_1, spine_4")
    here.user.click("retarget.save_map")
    choose_file(here, tmp_path / "mine.json")
    assert here.session.messages.latest.text == "Saved mine.json"
    rows = json.loads((tmp_path / "mine.json").read_text())["chains"]
    assert next(r for r in rows if r["name"] == "spine")["source"] == ["spine_1", "spine_4"]
    here.user.click("retarget.propose")
    wait(here)
    assert row(here, "spine")[SOURCE].count(",") == 3
    here.user.click("retarget.load_map")
    choose_file(here, tmp_path / "mine.json")
    wait(here)
    assert here.session.messages.latest.text == "Using the map of mine.json"
    assert row(here, "spine")[SOURCE] == "spine_1, spine_4"


def test_set_up_is_there_again_after_saving_and_opening(here, tmp_path):
    path = source_file(tmp_path)
    load(here, path)
    edit(here, "spine", SOURCE, "spine_1, spine_4")
    here.session.files.save(tmp_path / "kept.posewright")
    wait(here)
    here.session.document.replace(core.io.load(tmp_path / "kept.posewright").project, None)
    here.user.settle()
    assert here.session.feature(Retargeting).subject.source is None
    here.session.feature(Retargeting).load(path)
    wait(here)
    assert here.session.feature(Retargeting).subject.chains.chain("spine").source == ("spine_1", "spine_4")


def test_all_clips_of_a_source_come_in_one_step(here, tmp_path):
    here.load(both_project())
    other = next(c for c in here.session.document.project.clips if c.rig == OTHER)
    from core.ids import AssetId

    here.session.edits.put("more", replace(other, id=AssetId("clip-more"), name="again"))
    here.session.playback.set_clip(REST)
    here.session.feature(Retargeting).use_rig(OTHER)
    wait(here)
    here.user.click("retargetAll")
    wait(here)
    names = [c.name for c in here.session.document.project.clips_of(here.session.rig.id)]
    assert names == ["still", "step 2", "again 2"] or (set(names) >= {"still"} and len(names) == 3)
    assert here.session.history.labels[-1] == "Retarget 2 clips onto tall"
    assert len(here.session.feature(Retargeting).outcome.reports) == 2
    here.user.press("Ctrl+Z")
    assert [c.name for c in here.session.document.project.clips_of(here.session.rig.id)] == ["still"]


def test_without_a_character_the_panel_says_what_to_do(qapp):
    with stage(qapp, *PANELS, project=None) as here:
        here.window.use_workspace("retarget")
        here.user.settle()
        texts = [w.text() for w in here.window.findChildren(QLabel) if w.isVisible()]
        assert any("Open or import the target character first" in text for text in texts)


# ------------------------------------------------------------ contacts on the timeline
def strip(here: Stage):
    return here.user.find("contactStrip")


def middle(rect) -> QPoint:
    return rect.center().toPoint()


def test_contacts_are_found_dragged_deleted_added_and_found_anew(here, tmp_path):
    load(here, source_file(tmp_path))
    assert len(here.session.feature(Retargeting).subject.source.clips) == 1
    assert not here.user.visible("retargetAll")
    session, state = here.session, here.session.feature(Retargeting)
    assert spans_of(session, "left foot") == [(0, 60)]
    found = spans_of(session, "right foot")
    assert len(found) == 2 and found[0][0] == 0 and found[1][1] == 60
    lane = strip(here)
    span = next(s for s in state.computation.spans if (s.limb, s.point, s.first) == ("right foot", 0, 0))
    rect = lane.rect_of(span)
    here.user.move(lane, middle(rect))
    told = f"right foot, heel is planted from frame 0 to {found[0][1]}"
    assert lane.toolTip().splitlines() == [told, "Drag it or an end of it; Delete removes it"]
    wide = lane.rect_of(span).width() / (span.last - span.first)
    end = QPoint(round(rect.right()) - 1, middle(rect).y())
    here.user.drag(lane, end, QPoint(end.x() - round(5 * wide), end.y()))
    wait(here)
    assert spans_of(session, "right foot")[0] == (0, found[0][1] - 5) and state.subject.spans_edited
    assert session.history.labels[-1] == "Move contact of right foot"
    here.user.ask_menu(lane, end)
    here.user.choose_in_popup("Detect contacts again")
    wait(here)
    assert spans_of(session, "right foot") == found and not state.subject.spans_edited
    here.user.press("Ctrl+Z")
    wait(here)
    assert state.subject.spans_edited
    here.user.press("Ctrl+Z")
    wait(here)
    assert spans_of(session, "right foot") == found and not state.subject.spans_edited
    here.user.click(lane, middle(lane.rect_of(span)))
    here.user.press("Delete")
    wait(here)
    assert spans_of(session, "right foot") == found[1:]
    gap = QPoint(middle(rect).x(), middle(rect).y())
    here.user.click(lane, gap, double=True)
    wait(here)
    assert len(spans_of(session, "right foot")) == 2
    here.user.click(reveal(here, "retargetFindAnew"))
    wait(here)
    assert spans_of(session, "right foot") == found
    assert isinstance(session.clip, Clip)


def test_escape_takes_a_drag_of_a_contact_back(here, tmp_path):
    load(here, source_file(tmp_path))
    lane, state = strip(here), here.session.feature(Retargeting)
    span = next(s for s in state.computation.spans if s.limb == "right foot" and s.first == 0)
    rect = lane.rect_of(span)
    end = QPoint(round(rect.right()) - 1, middle(rect).y())
    here.user.drag(
        lane, end, QPoint(end.x() - 40, end.y()), during=lambda: here.user.press("Esc"), release=True
    )
    assert (
        span in state.computation.spans
        and not state.subject.spans_edited
        and here.session.history.labels == ()
    )


# ------------------------------------------------------------ picking in the views
def test_nothing_is_keyed_or_deleted_behind_a_preview(here, tmp_path):
    load(here, source_file(tmp_path))
    before = here.session.document.project
    here.session.selection.select(("head",))
    here.session.keying.set_key(which="all")
    here.session.playback.seek(0.0)
    here.session.keying.delete_keys()
    here.session.keying.insert_key()
    assert here.session.document.project is before
    assert "retarget of step" in here.session.messages.latest.text


@views
def test_bones_picked_in_the_source_view_go_to_the_chosen_chain(here, tmp_path):
    load(here, source_file(tmp_path))
    state = here.session.feature(Retargeting)
    here.user.click_row("chainMap", "head")
    here.user.click("retarget.pick")
    assert state.pick.picking
    view = here.user.find("sourceView")
    assert view.cursor().shape() is Qt.CursorShape.CrossCursor
    panel = here.window.findChild(object, "sourceViewPanel")
    here.user.click(view, pixel(panel, "neck"))
    wait(here)
    assert (
        state.subject.chains.chain("head").source == ("neck",) and state.subject.chains.chain("neck") is None
    )
    here.user.press("Esc", "sourceView")
    assert not state.pick.picking and view.cursor().shape() is Qt.CursorShape.ArrowCursor
    here.user.click(view, pixel(panel, "lower_arm_l"))
    assert state.pick.chain == "left arm" and state.pick.source_bones == ("upper_arm_l", "lower_arm_l")


def test_bones_selected_in_the_viewport_go_to_the_chosen_chain_while_picking(here, tmp_path):
    load(here, source_file(tmp_path))
    state = here.session.feature(Retargeting)
    here.user.click_row("chainMap", "spine")
    here.user.click("retarget.pick")
    here.session.selection.select(("spine_1", "spine_3"))
    wait(here)
    assert state.subject.chains.chain("spine").target == ("spine_1", "spine_3")


@views
def test_both_views_look_from_the_same_place(here, tmp_path):
    load(here, source_file(tmp_path))
    view = here.user.find("sourceView")
    here.user.drag(view, (60, 120), (120, 150), button=Qt.MouseButton.MiddleButton)
    panel = here.window.findChild(object, "sourceViewPanel")
    main = here.window.findChild(object, "viewportPanel")
    assert panel.model.controller.camera == main.model.controller.camera


def pixel(panel, bone: str) -> tuple[float, float]:
    """Where a bone of the source is seen, nearer to its head."""
    from editor.gl import camera as cameras

    model = panel.model
    shapes = model.draw_list().bones
    number = model.retargeting.subject.source.rig.skeleton.index(bone)
    place = shapes.heads[number] * 0.5 + shapes.tails[number] * 0.5
    found, _ = cameras.project(model.controller.camera, place, model.controller.size)
    return float(found[0]), float(found[1])


def test_contacts_are_kept_as_curves_where_wanted(here, tmp_path):
    load(here, source_file(tmp_path))
    here.user.click(reveal(here, "retarget.curves"))
    wait(here)
    assert here.session.history.labels[-1] == "Contacts as curves"
    here.user.click("retargetCommit")
    wait(here)
    curves = here.session.clip.curves
    assert {"contact_left_foot", "contact_right_foot"} <= set(curves)
    assert set(curves["contact_right_foot"].values) == {0.0, 1.0}  # lifted in the middle


@views
def test_alignment_is_written_beside_the_chains_until_switched_off(here, tmp_path):
    load(here, source_file(tmp_path))
    overlay = here.window.findChild(QWidget, "viewportOverlay")
    written = lambda: {name for name, _, _ in overlay._names}  # noqa: E731
    here.user.wait_until(lambda: {"left arm 50°", "right arm 50°"} <= written(), "no degrees are written")
    assert "left leg 0°" not in written()
    here.user.click_row("chainMap", "left leg")
    here.user.wait_until(lambda: "left leg 0°" in written(), "the chosen chain is not written")
    with_marks = here.user.picture("viewport")
    here.user.choose("Retarget", "Show alignment")
    here.user.settle()
    assert not any("°" in name for name in written())
    here.user.choose("Retarget", "Show alignment")
    here.user.wait_until(lambda: "left leg 0°" in written(), "it does not come back")
    here.session.feature(Retargeting).live.stop()
    here.user.wait_until(lambda: not any("°" in name for name in written()), "it stays on the clip itself")
    assert (with_marks != here.user.picture("viewport")).any()

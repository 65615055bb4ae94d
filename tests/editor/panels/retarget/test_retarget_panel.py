"""Retargeting as a person does it: source, map, preview, contacts, result, undo."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QScrollArea, QWidget

import core.io
from core.arrays import same_value
from core.clips.clip import Clip
from core.pose.kinematics import to_model
from editor.gl.camera import project
from editor.model.retarget.state import Retargeting
from editor.panels.retarget.table import SOURCE, TARGET, MapTable
from editor.panels.viewport.widget import ViewportPanel
from editor.qt import tokens
from tests.core.retarget.figures import sample
from tests.editor.shell.test_window import choose_file, wait
from tests.editor.stage import Stage, stage
from tests.editor.walkers import OTHER, REST, both_project, source_file, spans_of, target_project

PANELS = ("clips", "history", "timeline", "retarget")
VIEWS = ("viewport", "source_view")
views = pytest.mark.parametrize("here", [VIEWS], indirect=True)


@pytest.fixture
def here(request: pytest.FixtureRequest, qapp: QApplication):
    """The window in the retarget workspace, on the target; with both views for tests marked so."""
    views: tuple[str, ...] = getattr(request, "param", ())
    with stage(qapp, *PANELS, *views, project=target_project) as made:
        made.window.use_workspace("retarget")
        made.user.settle()
        yield made


def load(here: Stage, path):
    """Open a source through the panel's button and the dialog."""
    here.user.click(next(b for b in here.window.findChildren(QPushButton, "emptyButton") if b.isVisible()))
    choose_file(here, path)
    wait(here)
    here.window.activateWindow()  # a window manager would, after a dialog closed
    here.user.wait_until(
        lambda: QApplication.activeWindow() is here.window, "the window did not become active"
    )


def row(here: Stage, chain: str) -> dict[int, str]:
    table = here.window.findChild(MapTable)
    item = next(i for i in map(table.topLevelItem, range(table.topLevelItemCount())) if i.text(0) == chain)
    return {column: item.text(column) for column in range(table.columnCount())}


def reveal(here: Stage, name: str):
    """Scroll the panel to a widget, and give it back."""
    found = here.window.findChild(QWidget, name)
    above = found.parentWidget()
    while not isinstance(above, QScrollArea):
        above = above.parentWidget()
    above.ensureWidgetVisible(found)
    here.user.settle()
    return found


def edit(here: Stage, chain: str, column: int, text: str):
    """Double-click a cell of the map and type."""
    here.user.click_row("chainMap", chain, column=column, double=True)
    here.user.press("Ctrl+A")
    here.user.type(text)
    here.user.press("Return")
    wait(here)


def test_source_opened_mapped_mended_retargeted_exported_and_undone(here, tmp_path):
    load(here, source_file(tmp_path))
    state, session = here.session.feature(Retargeting), here.session
    assert state.subject.source.title == "step.bvh" and state.computation.result is not None
    assert row(here, "left arm")[SOURCE] == "upper_arm_l, lower_arm_l"
    # live: the viewport shows the result over the source's length, nothing is in the document yet
    assert session.display.source is state.live and session.playback.length == pytest.approx(2.0)
    assert not session.document.dirty
    # one mapping mended by typing
    edit(here, "spine", SOURCE, "spine_1, spine_4")
    assert row(here, "spine")[SOURCE] == "spine_1, spine_4" and session.history.labels[-1] == "Map spine"
    assert state.computation.result.binding.chains.chain("spine").source == ("spine_1", "spine_4")
    before = session.document.project
    here.user.click("retargetCommit")
    wait(here)
    made = session.clip
    assert made.name == "step" and made.rig == session.rig.id and made.length == pytest.approx(2.0)
    assert session.history.labels[-1] == "Retarget step onto tall"
    assert session.display.source is None and session.playback.transient_clip is None
    # out to glb, read back
    here.user.press("Ctrl+E")
    here.user.type_into("exportPath", str(tmp_path / "out.glb"), enter=False)
    here.user.click("exportStart")
    wait(here)
    back = core.io.load(tmp_path / "out.glb").project
    assert {"step", "still"} <= {clip.name for clip in back.clips}
    if here.user.visible("exportCancel"):
        here.user.press("Esc")
    here.user.press("Ctrl+Z")
    assert same_value(dict(session.document.project.assets), dict(before.assets))
    here.user.press("Ctrl+Z")
    assert session.history.labels[: session.history.position] == ()
    assert state.subject.chains.chain("spine").source == ("spine_1", "spine_2", "spine_3", "spine_4")
    here.user.press("Ctrl+Shift+Z")
    assert state.subject.chains.chain("spine").source == ("spine_1", "spine_4")


def test_motion_capture_of_a_walk_comes_onto_the_sample_character(qapp, shared, tmp_path):
    """Must show: a BVH opened, retargeted onto the sample, one mapping mended, exported to glb; undone."""
    with stage(qapp, *PANELS, project=sample) as here:
        here.window.use_workspace("retarget")
        here.user.settle()
        load(here, shared / "data" / "bvh" / "cmu_01_01.bvh")
        state, session = here.session.feature(Retargeting), here.session
        slip = state.computation.result.report.slip
        assert slip.contacts > 20 and slip.after < 2.0 < slip.before
        edit(here, "left thumb", TARGET, "thumb_01_l … thumb_02_l")
        assert state.subject.chains.chain("left thumb").target == ("thumb_01_l", "thumb_02_l")
        before = dict(session.document.project.assets)
        here.user.click("retargetCommit")
        wait(here)
        assert session.clip.name == "cmu_01_01" and session.clip.length == pytest.approx(22.92, abs=0.01)
        path = tmp_path / "walk.glb"
        session.files.export(path, session.files.exportable(session.rig.id, [session.clip.id]))
        wait(here)
        clip = core.io.load(path).project.clips[0]
        assert clip.length == pytest.approx(session.clip.length, abs=1e-3)
        here.user.press("Ctrl+Z")
        assert list(session.document.project.assets) == list(before)


def test_headings_of_the_map_are_whole_words_with_explanations(here, tmp_path):
    load(here, source_file(tmp_path))
    table = here.window.findChild(MapTable)
    head, names = table.header(), [table.headerItem().text(n) for n in range(table.columnCount())]
    assert names == ["Chain", "Source", "Target", "Confidence", "Rotation"]
    words = QFontMetrics(table.theme.font(tokens.CAPTION))
    for column, name in enumerate(names):
        assert words.horizontalAdvance(name) + 4 <= head.sectionSize(column)
        assert len(table.headerItem().toolTip(column)) > len(name) + 10
    assert head.length() <= table.viewport().width()
    assert min(head.sectionSize(SOURCE), head.sectionSize(TARGET)) >= 60


def test_mirrored_bones_are_refused_with_the_reason_and_the_map_stays(here, tmp_path):
    load(here, source_file(tmp_path))
    edit(here, "left arm", TARGET, "upper_arm_r, lower_arm_r")
    assert row(here, "left arm")[TARGET] == "upper_arm_l, lower_arm_l"
    assert "mirrored" in here.session.messages.latest.text
    assert here.session.history.labels == ()


def test_unknown_bone_typed_is_refused_with_a_hint(here, tmp_path):
    load(here, source_file(tmp_path))
    edit(here, "left arm", SOURCE, "upper")
    assert "upper_arm_l" in here.session.messages.latest.text
    assert row(here, "left arm")[SOURCE] == "upper_arm_l, lower_arm_l"


@views
def test_playing_moves_source_and_target_and_picking_another_clip_ends_the_preview(here, tmp_path):
    load(here, source_file(tmp_path))
    session, live = here.session, here.session.feature(Retargeting).live
    here.frame(0)
    first = session.evaluator.pose().local.rotation, live.source_pose().local.rotation
    here.frame(30)
    later = session.evaluator.pose().local.rotation, live.source_pose().local.rotation
    assert abs(first[0] - later[0]).max() > 0.1 and abs(first[1] - later[1]).max() > 0.1
    session.playback.set_clip(REST)
    here.user.settle()
    assert not live.on and session.display.source is None and session.playback.length == 1.0
    here.user.click("retargetPreview")
    assert live.on and session.playback.length == pytest.approx(2.0)


def test_file_dropped_on_the_panel_becomes_the_source(here, tmp_path):
    panel = here.window.findChild(object, "retargetPanel")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(source_file(tmp_path)))])
    panel.dropEvent(
        QDropEvent(
            QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
    )  # fmt: skip
    wait(here)
    assert here.session.feature(Retargeting).subject.source.title == "step.bvh"


def test_other_character_of_the_document_offers_its_clips(here):
    here.load(both_project())
    here.session.playback.set_clip(REST)
    here.user.settle()
    here.user.click("source.small")
    wait(here)
    state = here.session.feature(Retargeting)
    assert (
        state.subject.source.rig.id == OTHER
        and state.subject.clip.name == "step"
        and state.computation.result is not None
    )
    assert here.user.find("retargetSource").text() == "small"


def test_options_change_the_result_and_are_undone(here, tmp_path):
    load(here, source_file(tmp_path))
    state = here.session.feature(Retargeting)
    box = reveal(here, "retarget.feet")
    here.user.click(box, (8, box.height() // 2))
    wait(here)
    assert not state.subject.choices.feet and state.computation.result.report.slip is None
    here.user.press("Ctrl+Z")
    wait(here)
    assert state.subject.choices.feet and state.computation.result.report.slip is not None and box.isChecked()
    before = state.computation.result.clip
    here.user.type_into(reveal(here, "retarget.floor"), "0.25")
    wait(here)
    assert state.subject.choices.floor == pytest.approx(0.25) and state.computation.result.clip is not before
    assert here.session.history.labels[-1] == "Change floor"


def test_hips_and_knees_are_controlled_by_typing_and_undone(here, tmp_path):
    load(here, source_file(tmp_path))
    state = here.session.feature(Retargeting)
    before = state.computation.result.clip
    here.user.type_into(reveal(here, "retarget.drop"), "0.25")
    wait(here)
    assert (
        state.subject.choices.options().lock.hip_drop == 0.25 and state.computation.result.clip is not before
    )
    assert here.session.history.labels[-1] == "Change hip drop"
    here.user.type_into(reveal(here, "retarget.knee"), "12")
    wait(here)
    assert state.subject.choices.options().lock.knee_limit == 12.0
    here.user.press("Ctrl+Z")
    here.user.press("Ctrl+Z")
    wait(here)
    assert (state.subject.choices.drop, state.subject.choices.knee) == (1.0, 45.0)
    box = reveal(here, "retarget.feet")
    here.user.click(box, (8, box.height() // 2))
    wait(here)
    assert not here.user.find("retarget.drop").isEnabled() and not here.user.find("retarget.knee").isEnabled()


def test_columns_of_the_tables_say_what_they_are(here, tmp_path):
    load(here, source_file(tmp_path))
    header = here.window.findChild(MapTable).headerItem()
    tips = [header.toolTip(column) for column in range(header.columnCount())]
    assert all(tips) and "percent" in tips[3] and "Degrees" in tips[4]
    here.user.click("retargetCommit")
    wait(here)
    head = reveal(here, "retargetColumns")
    assert "slip, mm" in head.text() and "feet slide" in head.toolTip()


def test_character_is_still_seen_when_a_clip_previewed_in_place_travels(qapp, shared):
    """The preview keeps its place, the clip made of it goes its way: the camera goes along."""
    with stage(qapp, *PANELS, "viewport", project=sample) as here:
        here.window.use_workspace("retarget")
        here.user.settle()
        load(here, shared / "cases" / "cmu_12_01_walk.bvh")
        session = here.session
        session.playback.seek(4.2)
        here.user.settle()
        here.user.click("retargetCommit")
        wait(here)
        pose = session.evaluator.pose()
        places = to_model(session.rig.skeleton, pose.local).translation
        assert np.linalg.norm(places[:, [0, 2]].mean(axis=0)) > 1.0  # away from where it was shown
        model = here.window.findChild(ViewportPanel).model

        def seen() -> bool:
            here.user.settle()
            pixels, _ = project(model.camera, places[1:], model.controller.size)
            return bool(((pixels >= 0) & (pixels <= np.array(model.controller.size[:2]))).all())

        here.user.wait_until(seen, "the character is out of sight")


def test_a_lone_clip_of_a_file_is_called_as_the_file(here, tmp_path):
    """Programs call the clip of every file alike: “Take 001”, “mixamo.com”."""
    project = core.io.load(source_file(tmp_path)).project
    core.io.save(project.with_assets(replace(project.clips[0], name="mixamo.com")), tmp_path / "sneaking.glb")
    load(here, tmp_path / "sneaking.glb")
    assert here.session.feature(Retargeting).subject.clip.name == "mixamo.com"
    here.user.click("retargetCommit")
    wait(here)
    assert here.session.clip.name == "sneaking"


def test_alignment_of_the_chosen_chain_is_shown_in_degrees_and_changed(here, tmp_path):
    load(here, source_file(tmp_path))
    state = here.session.feature(Retargeting)
    here.user.click_row("chainMap", "left arm")
    assert state.pick.chain == "left arm" and here.session.selection.bones == ("upper_arm_l", "lower_arm_l")
    assert row(here, "left arm")[4] == "50"  # the source's arms hang 50° lower than the target's
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
    rows = json.loads((tmp_path / "mine.json").read_text())["chains"]
    assert next(r for r in rows if r["name"] == "spine")["source"] == ["spine_1", "spine_4"]
    here.user.click("retarget.propose")
    wait(here)
    assert row(here, "spine")[SOURCE].count(",") == 3
    here.user.click("retarget.load_map")
    choose_file(here, tmp_path / "mine.json")
    wait(here)
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
    session, state = here.session, here.session.feature(Retargeting)
    assert spans_of(session, "left foot") == [(0, 60)]
    found = spans_of(session, "right foot")
    assert len(found) == 2 and found[0][0] == 0 and found[1][1] == 60
    lane = strip(here)
    span = next(s for s in state.computation.spans if (s.limb, s.point, s.first) == ("right foot", 0, 0))
    rect = lane.rect_of(span)
    wide = lane.rect_of(span).width() / (span.last - span.first)
    end = QPoint(round(rect.right()) - 1, middle(rect).y())
    here.user.drag(lane, end, QPoint(end.x() - round(5 * wide), end.y()))
    wait(here)
    assert spans_of(session, "right foot")[0] == (0, found[0][1] - 5) and state.subject.spans_edited
    assert session.history.labels[-1] == "Move contact of right foot"
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
    panel = here.window.findChild(object, "sourceViewPanel")
    here.user.click(view, pixel(panel, "neck"))
    wait(here)
    assert (
        state.subject.chains.chain("head").source == ("neck",) and state.subject.chains.chain("neck") is None
    )
    here.user.press("Esc", "sourceView")
    assert not state.pick.picking
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

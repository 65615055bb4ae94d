"""Retargeting as a person does it: source, map, preview, contacts, result, undo."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFontMetrics
from PySide6.QtWidgets import QApplication, QLineEdit

import core.io
from core.arrays import same_value
from core.pose.kinematics import to_model
from editor.gl.camera import project
from editor.model.retarget.state import Retargeting
from editor.panels.retarget.table import SOURCE, TARGET, MapTable
from editor.panels.viewport.widget import ViewportPanel
from editor.qt import tokens
from tests.core.retarget.figures import sample
from tests.editor.panels.retarget.retarget_hands import PANELS, edit, load, reveal, row, views
from tests.editor.shell.test_window import wait
from tests.editor.stage import stage
from tests.editor.walkers import OTHER, REST, both_project, source_file, target_project


@pytest.fixture
def here(request: pytest.FixtureRequest, qapp: QApplication):
    """The window in the retarget workspace, on the target; with both views for tests marked so."""
    views: tuple[str, ...] = getattr(request, "param", ())
    with stage(qapp, *PANELS, *views, project=target_project) as made:
        made.window.use_workspace("retarget")
        made.user.settle()
        yield made


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


def test_bones_are_completed_as_they_are_typed_after_a_comma_too(here, tmp_path):
    load(here, source_file(tmp_path))
    here.user.click_row("chainMap", "left arm", column=SOURCE, double=True)
    here.user.press("Ctrl+A")
    here.user.type("arm")
    offered = here.window.findChild(QLineEdit, "mapCell").completer().popup().model()

    def names() -> list[str]:
        return [str(offered.index(number, 0).data()) for number in range(offered.rowCount())]

    assert names() and all("arm" in name for name in names())
    here.user.type(", spi")
    assert names() and all("spi" in name for name in names())
    here.user.press("Down")
    here.user.press("Return")
    assert here.window.findChild(QLineEdit, "mapCell") is None


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
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, data, left, none)
    here.app.sendEvent(panel, enter)
    assert enter.isAccepted(), "the pointer shows that it can be dropped here"
    panel.dropEvent(QDropEvent(QPointF(5, 5), copy, data, left, none))
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

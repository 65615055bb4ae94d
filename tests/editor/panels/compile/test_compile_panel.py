"""A person at the compile panel: pack the walk, look where it is off, compare, save, cancel."""

import gc
import weakref
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit

from core.clips.clip import Channel, Property
from core.clips.compiled.player import CompiledPlayer
from core.clips.sample import ClipEvaluator
from core.ids import AssetId
from core.io.compiled.read import read_compiled
from core.pose import kinematics
from core.tracks.keys import scalar_track
from editor.gl.gizmo import Handle
from editor.gl.viewport_widget import ViewportWidget
from editor.model import compile_state
from editor.model.compile_state import Compiling
from editor.panels.compile import held_key
from editor.panels.compile.report import BAR_ROW, StepBars
from tests.editor.portraits.pointer import tip_of
from tests.editor.seen import Seen
from tests.editor.stage import TURN, WALK, stage, with_view


@pytest.fixture
def here(qapp, request):
    with stage(qapp, *with_view(request, "clips", "bone_tree", "inspector", "compile")) as made:
        made.window.layouts.use("export")
        made.window.show_panel("compile")
        made.user.settle()
        yield made


def panel(here):
    return here.window.docks["compile"].body.panel


def seen(here) -> Seen:
    view = here.window.findChild(ViewportWidget)
    widget = view.parentWidget()
    while not hasattr(widget, "model"):
        widget = widget.parentWidget()
    return Seen(here.session, widget)


def compile_by_button(here) -> None:
    here.user.click("compileStart")
    here.user.wait_until(lambda: not here.session.feature(Compiling).busy, "compiling did not end")
    here.user.settle()


def drawn(here) -> np.ndarray:
    """Bone matrices of the frame that is on the screen."""
    here.user.settle()
    return np.array(seen(here).model.matrices())


def test_walk_is_compiled_and_its_ratio_and_errors_are_told(here):
    assert here.user.visible("compileStart") and not here.user.visible("compileBones")
    before = here.session.document.project
    compile_by_button(here)
    report = here.session.feature(Compiling).result.report
    assert here.user.find("compileRatio").text() == f"{report.ratio:.1f} : 1"
    assert report.largest <= 1e-4 and here.session.feature(Compiling).result.holds
    assert set(here.user.rows("compileBones")) == set(here.session.rig.skeleton.names)
    assert here.session.document.project is before and not here.session.history.can_undo
    bars = here.window.findChild(StepBars)
    tips = [tip_of(bars, QPoint(20, 2 + BAR_ROW * number + 7)) for number in range(len(bars._rows))]
    assert tips == [row.tip for row in bars._rows] and len(set(tips)) > 2
    assert panel(here).graph.bound.pen.style() is Qt.PenStyle.DashLine
    picture = here.user.picture("compileGraph")
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 4


def test_row_selects_the_bone_and_goes_to_its_worst_moment(here):
    compile_by_button(here)
    errors = here.session.feature(Compiling).result.errors
    bone = here.session.rig.skeleton.index("hand_l")
    here.user.click_row("compileBones", "hand_l")
    assert here.session.selection.bones == ("hand_l",)
    assert here.session.playback.time == errors.times[np.argmax(errors.metres[:, bone])]
    here.user.press("Down")
    assert here.session.selection.bones != ("hand_l",)


def test_heading_sorts_by_name_and_by_error(here):
    compile_by_button(here)
    header = panel(here).bones.header()
    here.user.click(header.viewport(), (20, header.height() / 2))
    rows = here.user.rows("compileBones")
    assert rows in (sorted(rows), sorted(rows, reverse=True))
    here.user.click(header.viewport(), (header.sectionPosition(1) + 10, header.height() / 2))
    errors = [float(text.split()[0]) for text in here.user.rows("compileBones", column=1)]
    assert errors in (sorted(errors), sorted(errors, reverse=True))


def test_graph_click_scrubs(here):
    compile_by_button(here)
    graph = here.user.find("compileGraph")
    here.user.click(graph, (graph.width() - 4, 20))
    assert here.session.playback.frame > 28
    playhead = panel(here).graph.playhead
    assert playhead.scene() is not None and playhead.value() == pytest.approx(here.session.playback.frame)


@pytest.mark.view
def test_b_draws_the_decompressed_clip_within_the_bound(here):
    compile_by_button(here)
    result, rig = here.session.feature(Compiling).result, here.session.rig
    here.frame(14.5)
    original, sides = drawn(here), [here.user.find(f"compileShow{letter}") for letter in "AB"]
    assert [side.isChecked() for side in sides] == [True, False]
    here.user.click("compileShowB")
    assert [side.isChecked() for side in sides] == [False, True]
    compiled = drawn(here)
    time = here.session.playback.time
    played = kinematics.model_matrices(rig.skeleton, CompiledPlayer(result.clip).pose(time))
    assert np.abs(compiled - played).max() < 1e-12
    points = np.array([[0, 0, 0, 1.0], [0.03, 0, 0, 1], [0, 0.03, 0, 1], [0, 0, 0.03, 1]])
    off = np.linalg.norm(((compiled - original) @ points.T)[:, :3], axis=1)
    assert 0.0 < off.max() <= 1e-4
    assert seen(here).model.heads_up().compiled == "COMPILED (B)"
    here.user.click("compileShowA")
    assert np.array_equal(drawn(here), original) and not seen(here).model.heads_up().compiled


@pytest.mark.view
def test_difference_is_magnified(here):
    compile_by_button(here)
    here.frame(14.5)
    original = drawn(here)
    here.user.click("compileShowB")
    small = np.abs(drawn(here) - original).max()
    combo = here.user.find("compileFactor")
    combo.setFocus()
    here.user.press("Down")
    assert combo.currentText() == "×10"
    assert np.abs(drawn(here) - original).max() == pytest.approx(10.0 * small, rel=0.05)


@pytest.mark.view
def test_key_toggles_and_held_shows_b_only_meanwhile(here, monkeypatch):
    compile_by_button(here)
    compare = here.session.feature(Compiling).compare
    seen(here).view.setFocus()
    monkeypatch.setattr(held_key, "HELD", 1e9)  # a busy machine may take long from a press to its release
    here.user.press("C")
    assert compare.on
    here.user.press("C")
    assert not compare.on
    monkeypatch.setattr(held_key, "HELD", 0.0)
    with here.user.holding("C"):
        assert compare.on
    assert not compare.on


@pytest.mark.view
def test_gizmo_drag_in_b_goes_back_to_the_original_and_edits_that(here):
    compile_by_button(here)
    here.frame(10)
    before = here.clip()
    here.user.click("compileShowB")
    here.session.feature(Compiling).compare.set_factor(1000.0)
    here.session.selection.select(["arm_l"])
    here.user.settle()
    start = seen(here).handle_pixel(Handle.X)
    here.user.drag(seen(here).view, start, (start[0] + 8, start[1] + 30))
    assert not here.session.feature(Compiling).compare.on
    assert "original" in here.session.messages.latest.text
    after = here.clip()
    changed = {c for c, t in after.tracks.items() if before.tracks.get(c) is not t}
    assert changed == {Channel("arm_l", Property.ROTATE, 0)}  # nothing of the magnified error was keyed
    here.user.settle()
    assert here.user.visible("compileNote") and not here.session.feature(Compiling).saveable
    here.user.press("Ctrl+Z")
    here.user.settle()
    assert not here.user.visible("compileNote") and here.session.feature(Compiling).saveable


@pytest.mark.view
def test_setting_keys_in_b_keys_the_original_pose(here):
    compile_by_button(here)
    here.frame(10)
    here.user.click("compileShowB")
    here.session.feature(Compiling).compare.set_factor(1000.0)
    seen(here).view.setFocus()
    rig, clip, at = here.session.rig, here.clip(), [here.session.playback.time]
    before = ClipEvaluator(rig, clip).sample_many(at).local
    here.user.press("Shift+S")
    assert here.clip() is not clip
    after = ClipEvaluator(rig, here.clip()).sample_many(at).local
    for part, other in zip(before, after, strict=True):  # not what is shown, a thousandfold off
        assert part == pytest.approx(other, abs=1e-6)


def test_compiled_clip_is_saved_and_read_back(here, tmp_path):
    compile_by_button(here)
    here.user.click("compileSave")
    field = here.user.find("files").findChild(QLineEdit, "fileNameEdit")
    field.setText(str(tmp_path / "walk"))
    here.user.press("Return")
    here.user.wait_until(lambda: (tmp_path / "walk.pwclip").exists() and not here.session.jobs.running)
    back = read_compiled(tmp_path / "walk.pwclip")
    rig, clip = here.session.rig, here.clip()
    times = np.linspace(0.0, clip.length, 61)
    wanted = kinematics.model_matrices(
        rig.skeleton, ClipEvaluator(rig, clip).sample_many(times, wrap=False).local
    )
    made = kinematics.model_matrices(back.skeleton, CompiledPlayer(back).poses(times)[0])
    assert np.linalg.norm((made - wanted)[..., :3, 3], axis=-1).max() <= 1e-4
    assert not [p for p in tmp_path.iterdir() if p.suffix != ".pwclip"]


def test_several_compiled_clips_are_saved_into_a_folder(here, tmp_path):
    here.user.find("compileWhich").setFocus()
    here.user.press("End")
    compile_by_button(here)
    here.user.click("compileSave")
    field = here.user.find("files").findChild(QLineEdit, "fileNameEdit")
    field.setText(str(tmp_path))
    here.user.press("Return")
    here.user.wait_until(lambda: len(list(tmp_path.glob("*.pwclip"))) == 2 and not here.session.jobs.running)
    assert {read_compiled(path).name for path in tmp_path.iterdir()} == {"walk", "turn"}
    assert here.session.preferences.get("last_folder") == str(tmp_path)


def test_cancel_ends_compiling_at_once_whatever_its_thread_does(here, monkeypatch):
    """What is worked out before the first report took minutes with three hundred bones."""
    begun, go = Event(), Event()

    def stuck(order, options, progress):
        begun.set()
        go.wait(400.0)
        raise AssertionError("nobody takes what comes of it")

    monkeypatch.setattr(compile_state, "compiled", stuck)
    compiling = here.session.feature(Compiling)
    here.user.click("compileStart")
    here.user.wait_until(begun.is_set)
    compiling.cancel()
    assert not compiling.busy and not here.session.jobs.running and compiling.result is None
    assert "cancelled" in here.session.messages.latest.text
    go.set()


def test_compiling_is_cancelled_by_its_button(here, monkeypatch):
    begun = Event()

    def endless(order, options, progress):
        begun.set()
        while True:
            progress.report(0.5, "compiling")

    monkeypatch.setattr(compile_state, "compiled", endless)
    here.user.click("compileStart")
    here.user.wait_until(begun.is_set)
    assert here.user.visible("compileProgress") and not here.user.visible("compileStart")
    here.user.click("compileCancel")
    here.user.wait_until(lambda: not here.session.feature(Compiling).busy)
    here.user.settle()
    assert here.user.visible("compileStart") and here.session.feature(Compiling).result is None
    assert "cancelled" in here.session.messages.latest.text


def test_steps_rate_and_bound_are_set_by_hand(here):
    here.user.type_into("compileMillimetres", "0.5")
    here.user.type_into("compileShell", "10")
    here.user.click("compileMore")
    box = here.user.find("compile_cubic")
    here.user.click(box, (8, box.height() / 2))
    box = here.user.find("compileResample")
    here.user.click(box, (8, box.height() / 2))
    here.user.type_into("compileRate", "15")
    options = here.session.feature(Compiling).options
    assert (options.metres, options.shell) == (pytest.approx(5e-4), pytest.approx(0.1))
    assert options.rate == 15.0 and not options.cubic and options.reduce_keys
    compile_by_button(here)
    assert here.session.feature(Compiling).result.options == options


def test_all_clips_are_listed_and_a_click_shows_one(here):
    combo = here.user.find("compileWhich")
    combo.setFocus()
    here.user.press("End")
    compile_by_button(here)
    assert [line.id for line in here.session.feature(Compiling).lines()] == [WALK, TURN]
    here.user.click_row("compileLines", "turn")
    assert here.session.playback.clip == TURN
    assert here.session.feature(Compiling).fresh is not None


def test_ticked_clips_alone_are_compiled(here):
    combo = here.user.find("compileWhich")
    combo.setFocus()
    here.user.press("Down")
    here.user.settle()
    cell = here.user.find("compileClips").visualItemRect(panel(here).settings.clips.item(1))
    here.user.click(panel(here).settings.clips.viewport(), (10, cell.center().y()))
    cell = here.user.find("compileClips").visualItemRect(panel(here).settings.clips.item(0))
    here.user.click(panel(here).settings.clips.viewport(), (10, cell.center().y()))
    compile_by_button(here)
    assert [line.id for line in here.session.feature(Compiling).lines()] == [TURN]


def test_clips_of_another_document_are_those_that_are_ticked(here):
    combo = here.user.find("compileWhich")
    combo.setFocus()
    here.user.press("Down")
    project = here.session.document.project
    copies = [replace(clip, id=AssetId(f"{clip.id}-b"), name=f"{clip.name} b") for clip in project.clips]
    here.load(project.without(*(clip.id for clip in project.clips)).with_assets(*copies))
    here.user.settle()
    clips = panel(here).settings.clips
    assert [clips.item(row).text() for row in range(clips.count())] == ["walk b", "turn b"]
    compiling = here.session.feature(Compiling)
    before = compiling.is_chosen(copies[1].id)
    here.user.click(clips.viewport(), (10, clips.visualItemRect(clips.item(1)).center().y()))
    assert compiling.is_chosen(copies[1].id) is not before


@pytest.mark.view
def test_bones_are_coloured_by_error_in_the_view(here):
    compile_by_button(here)
    model = seen(here).model
    assert model.draw_list().bones.colors is None
    here.user.click("compileColour")
    here.user.settle()
    colors = np.array(model.draw_list().bones.colors)
    most = here.session.feature(Compiling).result.errors.largest
    assert len(np.unique(colors, axis=0)) > 1 and colors.shape == (len(most), 4)
    here.user.click("compileColour")
    here.user.settle()
    assert model.draw_list().bones.colors is None


def test_motion_between_half_frames_is_held_and_the_report_says_where_it_looked(here):
    h, channel = 1 / 60, Channel("arm_l", Property.ROTATE, 2)
    times = np.array([0.0, 0.2, 0.2 + h, 1.0])
    bump = scalar_track(times, np.zeros(4), [0, 0, -1200.0, 0], [0, 1200.0, 0, 0])
    here.session.edits.put("bump", here.clip().with_tracks({channel: bump}))
    compile_by_button(here)
    result = here.session.feature(Compiling).result
    assert result.holds and result.report.largest <= 1e-4
    inside = (result.errors.times > 0.2) & (result.errors.times < 0.2 + h)
    assert inside.sum() > 8  # the bump is among what was measured
    words = here.user.find("compileMean")
    assert f"checked at {result.report.checked:,}" in words.whole_text()
    assert "random times" in words.toolTip() and "keys" in words.toolTip()


def test_everything_fits_a_narrow_column(here):
    compile_by_button(here)
    here.user.click("compileMore")
    body = panel(here).results.parentWidget()
    assert body.minimumSizeHint().width() <= 262  # a column of 272 px with its scroll bar


def test_palette_finds_every_command_with_a_reason_where_it_cannot(here):
    actions = here.window.actions_registry
    assert not actions.why_disabled("compile.run")
    for id in ("compile.compare", "compile.save", "compile.colour"):
        assert actions.why_disabled(id) == "compile the clip first"
    compile_by_button(here)
    for id in ("compile.run", "compile.compare", "compile.save", "compile.colour"):
        assert not actions.why_disabled(id)


def test_closing_while_b_is_shown_leaves_nothing_alive(qapp):
    with stage(qapp, "viewport", "compile", "reduce") as made:
        session = made.session
        made.window.layouts.use("export")
        made.window.show_panel("compile")
        made.user.settle()
        compile_by_button(made)
        made.user.click("compileShowB")
        held = [weakref.ref(dock.body.panel) for dock in made.window.docks.values()]
        del made
    gc.collect()
    assert [ref() for ref in held if ref() is not None] == []
    assert not session.feature(Compiling).compare.on
    compiling = session.feature(Compiling)
    assert len(compiling.changed) == len(session.evaluator.changed) == 0
    assert len(compiling.compare.changed) == 1  # the session's own stack of what is shown


def test_save_without_anything_compiled_says_so(here):
    panel(here).save_as()
    assert here.session.messages.latest.text == "There is nothing to save: compile the clip first"
    assert not here.user.visible("files")


def test_compile_by_its_name_brings_its_panel_up(here):
    here.window.docks["compile"].close()
    here.window.actions_registry.run("compile.run")
    here.user.wait_until(lambda: here.session.feature(Compiling).result is not None)
    assert here.window.docks["compile"].open


def test_empty_project_says_what_to_do(qapp):
    with stage(qapp, "compile", project=None) as made:
        made.window.show_panel("compile")
        made.user.settle()
        assert "import a character" in panel(made).empty._text.text()
        assert not made.user.find("compileStart").isEnabled()

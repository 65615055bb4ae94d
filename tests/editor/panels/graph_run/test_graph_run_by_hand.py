"""A person runs the sample's animation graph: play, variables by mouse, step, trigger, stop."""

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from core.arrays import same_value
from core.errors import ValidationError
from core.graph.montage import Montage
from core.io import load
from editor.model.graph_run.lanes import Lane, LaneKind, Mark
from editor.model.graph_run.state import GraphRun
from editor.model.opening import sample_path
from editor.panels.graph_run.painting import RunPainting
from editor.panels.graph_run.view_model import LABELS, RULER
from tests.editor.portraits.brush import noted
from tests.editor.rigs import small_rig
from tests.editor.stage import stage, with_view
from tests.editor.user import RIGHT, SHIFT

PANELS = ("clips", "graph_run", "variables")


@pytest.fixture(scope="module")
def sample():
    return load(sample_path()).project


@pytest.fixture
def here(qapp, request, sample, monkeypatch):
    monkeypatch.setattr(GraphRun, "tick", lambda self, now: False)  # time goes on by `run_for` alone
    with stage(qapp, *with_view(request, *PANELS), project=lambda: sample) as made:
        made.window.show_panel("variables")
        made.window.show_panel("graph_run")
        made.user.settle()
        yield made
        made.session.feature(GraphRun).stop()


@pytest.fixture
def run(here):
    return here.session.feature(GraphRun)


def run_for(here, seconds: float) -> None:
    """Let time go on."""
    run = here.session.feature(GraphRun)
    for _ in range(round(seconds / 0.05)):
        run.advance(0.05)
    here.user.settle()


def timeline(here):
    return here.user.find("runTimeline")


def model(here):
    return here.window.findChild(QWidget, "graphRunPanel").model


def row_of(here, kind: LaneKind):
    return next(row for row in model(here).rows() if row.lane.kind is kind)


def place(here, kind: LaneKind, seconds: float):
    row = row_of(here, kind)
    return model(here).x(seconds), model(here).y(row) + row.height / 2


@pytest.mark.view
def test_play_shows_the_graph_and_stop_the_clip_again(here, run):
    user, before = here.user, here.session.document.project
    user.click("runPlay")
    assert run.running
    assert here.session.display.source is run
    assert run.states == {"moves": "on foot"}
    user.click("runPlay")
    assert run.on and not run.running
    user.click("runStop")
    assert here.session.display.source is None
    assert same_value(here.session.document.project, before)  # nothing in the document changes by running


def test_a_run_waits_while_it_is_asked_why(here, run):
    here.user.click("runPlay")
    run_for(here, 0.2)
    assert run.running and not here.user.visible("runWhyView")
    here.window.actions_registry.run("graph.why")
    here.user.settle()
    assert run.on and not run.running and here.user.visible("runWhyView")


@pytest.fixture
def why(here, run):
    """The view of reasons, open over a run of a fifth of a second."""
    here.user.click("runPlay")
    run_for(here, 0.2)
    here.window.actions_registry.run("graph.why")
    here.user.settle()
    return here.user.find("runWhyView")


def test_a_transition_that_is_in_no_plan_says_so(why):
    why._show(None)
    assert why.answer.text() == "The plan does not have this transition."


def test_the_bone_selected_last_is_told_with_what_moved_it(here, why, monkeypatch):
    asked = []

    def answer(take, at, bone):
        asked.append(bone)
        return (SimpleNamespace(node="feet-1", name="Feet", kind="feet", degrees=1.234, metres=0.0123),)

    monkeypatch.setattr(why._questions, "bone", answer)
    here.session.selection.select(("hand_l", "pelvis"))
    here.user.settle()
    assert set(asked) == {why.bone.text()} == {"pelvis"}
    assert here.user.find("whyNode0").text() == "Feet    1.23°   12.3 mm"


def test_why_asks_for_a_bone_and_says_what_it_cannot_tell(here, why, monkeypatch):
    def refused(take, at, bone):
        raise ValidationError(f"{bone} is in no part of this recording")

    monkeypatch.setattr(why._questions, "bone", refused)
    here.session.selection.select(("pelvis",))
    here.user.settle()
    assert why.bone.text() == "pelvis is in no part of this recording" and why.nodes.count() == 0
    here.session.selection.select(())
    here.user.settle()
    assert why.bone.text() == "Select a bone in the viewport or in the bone tree."


@pytest.mark.view
def test_view_names_the_graph_that_is_shown_and_its_button_shows_the_clip_again(here, run):
    user = here.user
    user.click("runPlay")
    assert run.title in user.find("previewName").text()
    assert [override.title for override in here.session.display.shown] == [run.title]
    user.click("stopPreview")
    assert not run.on and here.session.display.shown == ()
    user.settle()
    assert not here.window.findChild(QWidget, "previewPlate").isVisible()


def test_variables_by_mouse_move_the_states(here, run):
    user = here.user
    user.click("runStep")
    still = here.session.evaluator.pose().local
    user.type_into("value.speed", "2")
    assert run.value(next(v for v in run.graph.variables if v.name == "speed")) == 2.0
    run_for(here, 0.5)
    assert not np.allclose(here.session.evaluator.pose().local.rotation, still.rotation)
    user.click("switch.crouch")
    run_for(here, 0.1)
    assert run.states == {"moves": "crouched"}
    user.click("switch.crouch")
    run_for(here, 0.1)
    user.click("trigger.jump")
    run_for(here, 0.05)
    assert run.states == {"moves": "leap"}


def test_value_out_of_range_never_reaches_the_graph(here, run):
    here.user.click("runStep")
    here.user.type_into("value.speed", "99")
    speed = next(v for v in run.graph.variables if v.name == "speed")
    assert run.value(speed) <= speed.maximum


def test_choosing_a_clip_or_scrubbing_leaves_the_graph(here, run):
    here.user.click("runPlay")
    here.session.playback.seek(0.3)
    assert not run.on
    here.user.click("runPlay")
    here.session.playback.set_clip(here.session.document.project.clips[2].id)
    assert not run.on


def test_restart_begins_anew_with_the_variables_as_they_are(here, run):
    user = here.user
    user.click("runStep")
    user.click("switch.crouch")
    run_for(here, 0.2)
    user.click("runRestart")
    assert run.take.length == 0.0
    run_for(here, 0.1)
    assert run.states == {"moves": "crouched"}


def test_drag_over_the_lanes_goes_back_and_pose_and_variables_follow(here, run):
    user = here.user
    user.click("runStep")
    run_for(here, 0.5)
    user.type_into("value.speed", "3")
    run_for(here, 1.0)
    late = here.session.evaluator.pose().local.rotation.copy()
    y = RULER / 2
    user.drag(timeline(here), (model(here).x(1.2), y), (model(here).x(0.3), y))
    assert run.time == pytest.approx(0.3, abs=0.02)
    assert not np.allclose(here.session.evaluator.pose().local.rotation, late)
    assert run.value(run.graph.variables[0]) == 0.0
    user.press("End", target=timeline(here))
    assert np.array_equal(here.session.evaluator.pose().local.rotation, late)
    user.press("Left")
    assert run.take.at == len(run.take.steps) - 1


def test_click_on_a_bar_points_at_its_node(here, run):
    pointed = []
    run.node_chosen.connect(pointed.append)
    here.user.click("runStep")
    run_for(here, 0.4)
    here.user.click(timeline(here), place(here, LaneKind.STATES, 0.2))
    machine = next(sheet for sheet in run.graph.sheets if sheet.name == "moves")
    assert pointed == [machine.nodes[0].id]
    here.user.click(timeline(here), (LABELS / 2, place(here, LaneKind.STATES, 0.2)[1]))
    assert len(pointed) == 2


def test_shift_drag_chooses_a_span_that_loops(here, run):
    user = here.user
    user.click("runStep")
    run_for(here, 1.0)
    x, y = place(here, LaneKind.STATES, 0.2)
    user.drag(timeline(here), (x, y), (model(here).x(0.6), y), modifiers=SHIFT)
    low, high = run.replay.span
    assert (low, high) == pytest.approx((0.2, 0.6), abs=0.02)
    run.start()
    for _ in range(30):
        run.advance(0.05)
        assert run.time <= high + 0.02
    assert run.running and run.take.length == pytest.approx(1.0, abs=0.05)
    run.pause()
    user.press("Escape", target=timeline(here))
    assert run.replay.span is None


def test_variable_set_in_the_past_runs_the_recording_again_and_shows_both(here, run):
    user = here.user
    user.click("runStep")
    run_for(here, 1.0)
    run.seek(0.5)
    user.settle()
    user.click("switch.crouch")
    user.wait_until(lambda: run.deck.comparison is not None, "the recording was not run again")
    user.settle()
    assert run.states == {"moves": "crouched"}
    assert run.take.length == pytest.approx(1.0, abs=0.05)
    assert "differs first at 0.50 s (states)" in user.find("runBandText").whole_text()
    row = row_of(here, LaneKind.STATES)
    assert [bar.text for bar in row.lane.bars] == ["on foot", "crouched"]
    assert [bar.text for bar in row.old.bars] == ["on foot"]
    number, _ = run.deck.comparison.first
    run.goto(5)
    user.click("runDifference")
    assert run.take.at == number + 1 and run.time == pytest.approx(0.5, abs=0.02)
    assert run.states == {"moves": "crouched"}
    user.click("runSwap")
    assert run.states == {"moves": "on foot"}
    user.click("runHideOld")
    assert run.deck.comparison is None


def test_mark_by_key_and_the_end_of_the_recording_by_play(here, run):
    user = here.user
    user.click("runStep")
    run_for(here, 0.5)
    run.seek(0.25)
    user.press("M", target=timeline(here))
    assert run.replay.marks == pytest.approx((0.25,), abs=0.02)
    user.click("runPlay")
    run_for(here, 1.0)
    assert not run.running and run.at_end  # what is recorded played to its end
    user.click("runPlay")
    length = run.take.length
    run_for(here, 0.2)
    assert run.take.length > length


@pytest.mark.parametrize(("pixels", "named"), [(120.0, ["first", "second"]), (12.0, ["first"])])
def test_names_of_marks_that_lie_close_are_left_out(here, run, pixels, named):
    here.user.click("runStep")
    run_for(here, 1.0)
    marks = [Mark(model(here).time(x), text) for x, text in ((260.0, "first"), (260.0 + pixels, "second"))]
    image = QImage(800, 100, QImage.Format.Format_ARGB32)
    with noted() as log:
        painter = QPainter(image)
        RunPainting(painter, model(here), here.theme, 800.0, 100.0)._lane(
            Lane(LaneKind.NOTIFIES, "n", "Notifies", marks=marks), 20.0, 20.0, 1.0
        )
        painter.end()
    drawn = " ".join(log.taken())
    assert [name for name in ("first", "second") if repr(name) in drawn] == named


def test_go_on_from_here_drops_what_lay_ahead(here, run):
    user = here.user
    user.click("runStep")
    run_for(here, 1.0)
    run.seek(0.4)
    user.settle()
    user.click("runHere")
    run.pause()
    assert run.take.length < 0.9
    assert row_of(here, LaneKind.STATES).lane.bars[-1].end == pytest.approx(run.take.length)


def test_wheel_zooms_at_the_pointer_and_middle_drag_pans(here, run):
    user = here.user
    user.click("runStep")
    run_for(here, 0.5)
    x, y = place(here, LaneKind.STATES, 0.4)
    scale = model(here).axis.scale
    user.wheel(timeline(here), 2, at=(x, y))
    assert model(here).axis.scale > scale
    assert model(here).x(0.4) == pytest.approx(x, abs=0.5)
    user.drag(timeline(here), (x, y), (x - 40, y), button=Qt.MouseButton.MiddleButton)
    assert model(here).x(0.4) == pytest.approx(x - 40, abs=2.0)


def test_character_without_anything_to_play_says_so(qapp):
    from core.project.project import Project

    rig = small_rig()
    with stage(qapp, *PANELS, project=lambda: Project({rig.id: rig})) as made:
        made.window.show_panel("graph_run")
        made.user.settle()
        assert not made.user.visible("runPlay")
        assert not made.session.feature(GraphRun).start()


def test_menu_closes_after_a_choice_so_that_the_next_drag_is_heard(here, run):
    user = here.user
    user.click("runStep")
    run_for(here, 0.5)
    user.click(timeline(here), place(here, LaneKind.STATES, 0.2), button=RIGHT)
    user.choose_in_popup("Break here")
    assert run.breaks
    user.click("runMore")
    user.choose_in_popup("Clear break points")
    assert not run.breaks and QApplication.activePopupWidget() is None
    seen = model(here)
    user.drag("runTimeline", (seen.x(0.4), RULER / 2), (seen.x(0.1), RULER / 2))
    assert run.time == pytest.approx(0.1, abs=0.02)


def test_montage_in_the_lanes_jumps_to_a_section_and_is_stopped(here, run):
    user = here.user
    user.click("runStep")
    user.click("trigger.wave") if user.visible("trigger.wave") else run.set("wave", True)
    run_for(here, 0.4)
    lane = row_of(here, LaneKind.MONTAGE)
    section = lane.lane.bars[-1].text
    sections = [s.name for m in here.session.document.project.all(Montage) for s in m.sections]
    other = next(name for name in sections if name != section)
    user.click(timeline(here), place(here, LaneKind.MONTAGE, run.time - 0.1), button=RIGHT)
    user.choose_in_popup(f"Jump to section {other}")
    run_for(here, 0.1)
    assert row_of(here, LaneKind.MONTAGE).lane.bars[-1].text == other
    user.click(timeline(here), place(here, LaneKind.MONTAGE, run.time - 0.05), button=RIGHT)
    user.choose_in_popup(f"Stop {lane.lane.title}")
    run_for(here, 1.0)
    assert not run.take.samples[-1].montages


def test_keys_of_the_lanes_run_pause_and_go_from_state_to_state(here, run):
    user = here.user
    user.click("runStep")
    user.press("Space", target="runTimeline")
    assert run.running
    user.press("Space")
    assert run.on and not run.running
    run.set("crouch", True)
    run_for(here, 0.4)
    assert run.states == {"moves": "crouched"}
    user.press("Ctrl+Left")
    user.press("Left")
    assert run.states == {"moves": "on foot"} and not run.at_end
    user.press("Ctrl+Right")
    assert run.states == {"moves": "crouched"}


def test_what_is_run_for_a_try_is_named_in_the_head(here, run):
    box = here.user.find("runPlays")
    other = next(choice for choice in run.mode.choices if choice.id != getattr(run.played.asset, "id", None))
    run.choose(other.id)
    here.user.settle()
    assert box.currentData() == other.id

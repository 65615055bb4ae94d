"""A person runs the sample's animation graph: play, variables by mouse, step, trigger, stop."""

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from core.arrays import same_value
from core.io import load
from editor.model.graph_run import GraphRun
from editor.model.opening import sample_path
from tests.editor.rigs import small_rig
from tests.editor.stage import stage

PANELS = ("viewport", "clips", "graph_run")


@pytest.fixture(scope="module")
def sample():
    return load(sample_path()).project


@pytest.fixture
def here(qapp, sample):
    with stage(qapp, *PANELS, project=lambda: sample) as made:
        made.window.show_panel("graph_run")
        made.user.settle()
        yield made
        made.session.feature(GraphRun).stop()


def run_for(here, seconds: float) -> None:
    """Let the clock of the graph go on by hand, so that no machine is too slow for it."""
    run = here.session.feature(GraphRun)
    for _ in range(round(seconds / 0.05)):
        run._advance(0.05)
    here.user.settle()


def test_play_shows_the_graph_and_stop_the_clip_again(here):
    run, user, before = here.session.feature(GraphRun), here.user, here.session.document.project
    user.click("graphPlay")
    assert run.running
    assert here.session.display.source is run
    assert "moves: on foot" in user.find("graphStates").text()
    user.click("graphPlay")
    assert run.on and not run.running
    user.click("graphStop")
    assert here.session.display.source is None
    assert same_value(here.session.document.project, before)  # nothing in the document changes by running


def test_view_names_the_graph_that_is_shown_and_its_button_shows_the_clip_again(here):
    run, user = here.session.feature(GraphRun), here.user
    user.click("graphPlay")
    assert run.title in user.find("previewName").text()
    assert [override.title for override in here.session.display.shown] == [run.title]
    user.click("stopPreview")
    assert not run.on and here.session.display.shown == ()
    user.settle()
    assert not here.window.findChild(QWidget, "previewPlate").isVisible()


def test_variables_by_mouse_move_the_states(here):
    run, user = here.session.feature(GraphRun), here.user
    user.click("graphStep")
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
    assert "leap" in user.find("graphStates").text()


def test_value_out_of_range_never_reaches_the_graph(here):
    here.user.click("graphStep")
    here.user.type_into("value.speed", "99")
    speed = next(v for v in here.session.feature(GraphRun).graph.variables if v.name == "speed")
    assert here.session.feature(GraphRun).value(speed) <= speed.maximum


def test_choosing_a_clip_or_scrubbing_leaves_the_graph(here):
    run = here.session.feature(GraphRun)
    here.user.click("graphPlay")
    here.session.playback.seek(0.3)
    assert not run.on
    here.user.click("graphPlay")
    here.session.playback.set_clip(here.session.document.project.clips[2].id)
    assert not run.on


def test_restart_begins_anew_with_the_variables_as_they_are(here):
    run, user = here.session.feature(GraphRun), here.user
    user.click("graphStep")
    user.click("switch.crouch")
    run_for(here, 0.2)
    user.click("graphRestart")
    assert run.states == {"moves": "on foot"}
    run_for(here, 0.1)
    assert run.states == {"moves": "crouched"}


def test_character_without_a_graph_says_so(qapp):
    from core.project.project import Project

    rig = small_rig()
    with stage(qapp, *PANELS, project=lambda: Project({rig.id: rig})) as made:
        made.window.show_panel("graph_run")
        made.user.settle()
        assert not made.user.visible("graphPlay")
        assert not made.session.feature(GraphRun).start()

"""A simulation that is tried out: when it is drawn, what drops it, what it is baked as, and how often that is told."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.blending.layer_stack import LayerMode, LayerStack
from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId
from core.pose import kinematics
from core.project.project import Project
from core.rig.propose_bodies import propose_bodies
from editor.model.ik.state import IkState
from editor.model.messages import Level
from editor.model.ragdoll import simulating as module
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.outcome import SimulateOptions, made_of
from editor.model.ragdoll.simulating import Simulating
from editor.model.session import Session
from tests.editor.model.ragdoll.test_outcome import FIRST, HEAD, LAST, RATE, outcome_of
from tests.editor.panel_stage import small_session
from tests.editor.panels.test_working_models import Later
from tests.editor.rigs import small_project

MIDDLE = 0.5 * (FIRST + LAST) / RATE


@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.fixture
def simulating(session) -> Simulating:
    made = session.feature(Simulating)
    made.told = []
    for name in ("changed", "state_changed"):
        getattr(made, name).connect(lambda _, name=name: made.told.append(name))
    return made


@pytest.fixture
def tried(session, simulating) -> Simulating:
    """Head and hand turned from frame 12 to 24; the middle of that is shown."""
    simulating._take(outcome_of(session))
    session.playback.seek(MIDDLE)
    simulating.told.clear()
    return simulating


# ---------------------------------------------------------------- what is simulated
def test_bones_are_those_set_else_those_selected_and_only_those_there_are(session, simulating):
    session.selection.select(["hand_l", "head"])
    assert simulating.chosen == ("head", "hand_l")
    simulating.set(bones=("foot_l", "tail"))
    assert simulating.chosen == ("foot_l",)
    simulating.set(bones=("tail",))
    assert simulating.chosen == ()
    session.document.replace(Project({}), None)
    simulating.set(bones=("foot_l",))
    assert simulating.chosen == ()


def test_the_selection_is_kept_also_when_another_one_follows(session, simulating):
    session.selection.select(["hand_l", "head"])
    simulating.use_selection()
    session.selection.select(["foot_l"])
    assert simulating.options.bones == ("head", "hand_l") == simulating.chosen


def test_a_selection_is_told_because_the_bones_may_differ(session, simulating):
    session.selection.select(["head"])
    assert simulating.told == ["state_changed"]


def test_the_whole_body_is_the_root_of_the_plan_with_all_below_it(session, simulating):
    simulating.set(below=False)
    simulating.use_whole_body()
    assert simulating.options.below and simulating.options.bones == (
        propose_bodies(session.rig).bodies[0].bone,
    )


def test_without_a_character_there_is_no_whole_body(session, simulating):
    session.document.replace(Project({}), None)
    simulating.use_whole_body()
    message = session.messages.latest
    assert (message.text, message.next_step) == (
        "The character has no bodies yet", "Propose them first: the panel is called Bodies",
    )  # fmt: skip
    assert simulating.options.bones == ()


def test_what_a_simulation_begins_with():
    assert SimulateOptions() == SimulateOptions(
        bones=(), below=True, start=None, end=None, follow=0.0, stiffness=3.0, damping=0.3, gravity=1.0,
        settle=None, collide=True, ground=True, mode=LayerMode.OVERRIDE, blend_in=0.0, blend_out=0.2, tolerance=0.5,
    )  # fmt: skip


def test_every_option_reaches_the_simulation(session, simulating):
    state = session.feature(IkState)
    state.set_ground(replace(state.ground, height=0.25))
    simulating.set(
        start=15.0, end=45.0, follow=0.1, stiffness=4.0, damping=0.6, gravity=0.5, settle=0.7, collide=False
    )
    setup = simulating._setup(session.clip)
    assert (setup.start, setup.end) == pytest.approx((0.5, 1.5))
    assert (setup.follow, setup.stiffness, setup.damping, setup.gravity) == (0.1, 4.0, 0.6, 0.5)
    assert setup.settle == 0.7 and not setup.collide and setup.ground == 0.25
    simulating.set(ground=False, collide=True)
    setup = simulating._setup(session.clip)
    assert setup.ground is None and setup.collide


def test_a_layer_in_hand_is_not_simulated(session, simulating):
    from editor.model.blending.state import Blending

    session.selection.select(["head"])
    assert simulating.why_not == ""
    session.feature(Blending).layers.add(None, LayerMode.ADDITIVE)
    assert simulating.why_not == "go back to the clip first: a layer is in hand"
    assert not simulating.run()
    assert session.messages.latest.text == (
        "Nothing was simulated: go back to the clip first: a layer is in hand"
    )


def test_without_the_library_it_is_said_what_to_install(session, simulating, monkeypatch):
    monkeypatch.setattr(module, "installed", lambda: False)
    monkeypatch.setattr(module, "unavailable", lambda: "install it")
    session.selection.select(["head"])
    assert module.missing_library() == simulating.why_not == "install it"


@pytest.mark.parametrize("looping, end, blends", [
    (False, None, (0.3, 0.4)), (True, None, (0.0, 0.0)), (True, 40.0, (0.3, 0.4)),
])  # fmt: skip
def test_a_loop_simulated_as_a_whole_does_not_come_and_go(session, simulating, looping, end, blends):
    session.edits.put("loops", replace(session.clip, looping=looping))
    simulating.set(blend_in=0.3, blend_out=0.4, end=end)
    assert simulating.blends() == blends


# ---------------------------------------------------------------- drawn
def test_it_is_drawn_in_place_of_the_clip_and_what_is_edited_stays(session, tried):
    below = session.evaluator.pose()
    assert tried.on and session.display.drawn is tried and tried.title == "SIMULATED · not baked"
    wanted = tried.outcome.pose_at(below, MIDDLE, tried._layer())
    np.testing.assert_allclose(tried.pose().rotations, wanted.rotations)
    assert not np.allclose(tried.pose().rotations[HEAD], below.rotations[HEAD])
    assert tried.pose() is tried.pose() and session.evaluator.pose() is below


def test_its_matrices_are_those_of_its_pose_and_follow_the_time(session, tried):
    first = tried.matrices()
    np.testing.assert_allclose(first, kinematics.model_matrices(session.rig.skeleton, tried.pose().local))
    assert tried.matrices() is first
    session.playback.seek(MIDDLE + 1.0 / RATE)
    assert tried.matrices() is not first
    np.testing.assert_allclose(
        tried.matrices(), kinematics.model_matrices(session.rig.skeleton, tried.pose().local)
    )
    session.playback.seek(1.9)
    assert tried.pose() is session.evaluator.pose()


def test_the_clip_as_it_is_is_shown_meanwhile_and_told_once(session, tried):
    assert not tried.shows_original
    tried.show_original(False)
    assert tried.told == []
    tried.show_original(True)
    assert tried.shows_original and not tried.on and tried.pose() is None and tried.matrices() is None
    assert tried.told == ["changed", "state_changed"] and session.display.drawn is None
    tried.show_original(False)
    tried.stop()
    assert tried.shows_original and tried.told.count("state_changed") == 3


def test_without_something_to_compare_there_is_no_original(simulating):
    simulating.show_original(True)
    assert not simulating.shows_original and not simulating.on and simulating.told == []


def test_a_drag_shows_the_clip_as_it_is(session, tried):
    session.preview.set_pose(
        session.evaluator.pose().with_bone(HEAD, rotation=np.array([0.0, 0.6, 0.0, 0.8]))
    )
    assert tried.shows_original and not tried.on


def test_under_another_source_or_a_clip_from_outside_it_is_not_drawn(session, tried):
    from tests.editor.model.test_display import Still

    still = Still(session, "still")
    session.display.show(still)
    assert not tried.on
    session.display.hide(still)
    assert tried.on
    session.playback.set_transient_clip(replace(session.clip, id=AssetId("outside")))
    assert not tried.on
    session.playback.set_transient_clip(None)
    assert tried.on


@pytest.mark.parametrize("values, drawn", [
    ({"blend_in": 0.1}, True), ({"blend_out": 0.1}, True), ({"mode": LayerMode.ADDITIVE}, True),
    ({"stiffness": 9.0}, False),
])  # fmt: skip
def test_options_of_the_layer_are_drawn_at_once_and_others_at_the_next_simulation(tried, values, drawn):
    tried.pose()
    tried.set(**values)
    assert tried.told == (["changed"] if drawn else []) + ["state_changed"] and tried.outcome is not None
    assert (tried._drawn is None) is drawn


def test_options_without_something_tried_out_are_told_once(simulating):
    simulating.set(blend_in=0.5)
    assert simulating.told == ["state_changed"] and simulating.options.blend_in == 0.5


# ---------------------------------------------------------------- dropped
def test_another_clip_drops_it_and_the_same_one_does_not(session, tried):
    session.playback.clip_changed.emit(None)
    assert tried.outcome is not None and tried.told.count("state_changed") == 1
    tried.told.clear()
    session.playback.set_clip(None, session.rig.id)
    assert tried.outcome is None and not tried.on and "changed" in tried.told
    assert session.messages.latest is None


def test_an_edit_of_what_it_was_worked_out_from_drops_it_with_a_word(session, tried):
    session.edits.put("Name", replace(session.clip, name="other"))
    message = session.messages.latest
    assert tried.outcome is None
    assert message.text == "The simulation was dropped: the clip or the bodies have changed"
    assert message.next_step == "Simulate again"


def test_another_edit_leaves_it(session, tried):
    session.edits.put("More", replace(session.clip, id=AssetId("clip-more"), name="more"))
    assert tried.outcome is not None and tried.told == ["state_changed"]


def test_a_layer_more_drops_it(session, tried):
    from editor.model.blending.state import Blending

    session.edits.put("More", replace(session.clip, id=AssetId("clip-more"), name="more"))
    session.feature(Blending).layers.add(AssetId("clip-more"), LayerMode.ADDITIVE)
    assert tried.outcome is None


def test_another_document_drops_it_without_a_word(session, tried):
    session.document.replace(small_project(mesh=False), None)
    assert tried.outcome is None and session.messages.latest is None


def test_it_is_discarded_and_told(tried):
    tried.show_original(True)
    tried.told.clear()
    tried.discard()
    assert tried.outcome is None and not tried.shows_original and tried.told == ["changed", "state_changed"]
    tried.told.clear()
    tried.discard()
    assert tried.told == ["state_changed"]


def test_a_pose_that_changes_below_is_drawn_anew_until_it_is_discarded(session, tried):
    tried.pose()
    session.playback.seek(MIDDLE + 0.1)
    assert tried.told == ["changed"] and tried._drawn is None
    tried._take(outcome_of(session))
    tried.told.clear()
    session.playback.seek(MIDDLE)
    assert tried.told == ["changed"]
    tried.discard()
    tried.told.clear()
    session.playback.seek(MIDDLE + 0.1)
    assert tried.told == []


def test_it_depends_on_clip_character_layers_and_their_clips(session):
    from editor.model.blending.state import Blending

    project, clip = session.document.project, session.clip
    assert made_of(project, clip.id) == (clip, session.rig, None)
    assert made_of(project, AssetId("gone")) == () and made_of(project, session.rig.id) == ()
    more = replace(clip, id=AssetId("clip-more"), name="more")
    session.edits.put("More", more)
    session.feature(Blending).layers.add(more.id, LayerMode.ADDITIVE)
    (stack,) = session.document.project.all(LayerStack)
    assert made_of(session.document.project, clip.id) == (session.clip, session.rig, stack, more)


# ---------------------------------------------------------------- worked out and baked
@pytest.fixture
def ready(session, simulating, monkeypatch) -> Simulating:
    """Everything is chosen; working it out gives what `outcome_of` has."""
    made = outcome_of(session)
    monkeypatch.setattr(module, "scene_of", lambda *_: None)
    monkeypatch.setattr(module, "simulate", lambda *_: made.simulated)
    session.selection.select(["head"])
    simulating.told.clear()
    return simulating


def test_it_is_worked_out_as_a_job_told_at_both_ends(session, ready):
    later = session.jobs.runner = Later()
    assert ready.run() and ready.job.title == "Simulate swing" and ready.told == ["state_changed"]
    assert ready.outcome is None
    ready.told.clear()
    later.deliver()
    assert ready.job is None and ready.on and ready.told == ["changed", "state_changed"]
    assert ready.outcome.clip is session.clip and ready.outcome.rig is session.rig
    times = ready.outcome.simulated.times
    np.testing.assert_allclose(
        ready.outcome.below.rotation[0], session.evaluator.sampled_pose(times[0]).rotations
    )


def test_a_new_one_takes_the_place_of_the_one_under_way(session, ready):
    later = session.jobs.runner = Later()
    ready.run()
    first = ready.job
    ready.run()
    assert ready.job is not first and session.jobs.running == (ready.job,)
    later.deliver()
    assert ready.outcome is not None


def test_it_is_cancelled_from_here_in_silence_and_from_elsewhere_with_a_word(session, ready):
    session.jobs.runner = Later()
    ready.run()
    ready.told.clear()
    ready.cancel()
    assert ready.job is None and ready.told == ["state_changed"] and session.messages.latest is None
    ready.cancel()
    assert ready.told == ["state_changed"]
    ready.run()
    ready.told.clear()
    session.jobs.cancel_all()
    assert ready.job is None and ready.told == ["state_changed"]
    assert session.messages.latest.text == "Simulating cancelled: nothing has changed"


def test_a_failure_is_said(session, ready, monkeypatch):
    def fail(*_):
        raise ValidationError("it flew away")

    monkeypatch.setattr(module, "simulate", fail)
    assert ready.run()
    message = session.messages.latest
    assert (message.level, message.text) == (Level.ERROR, "Simulating failed: it flew away")
    assert ready.job is None and ready.outcome is None and ready.told[-1] == "state_changed"


def test_a_new_one_is_shown_although_the_last_was_compared(session, ready):
    ready.run()
    ready.show_original(True)
    ready.run()
    assert ready.on and not ready.shows_original


def test_a_loop_is_simulated_as_one(session, ready, monkeypatch):
    seen = []
    made = outcome_of(session).simulated
    monkeypatch.setattr(module, "simulate", lambda *given: seen.append(given[4:6]) or made)
    ready.run()
    session.edits.put("loops", replace(session.clip, looping=True))
    ready.run()
    assert seen == [(session.clip.rate, None), (session.clip.rate, session.clip.length)]


def test_nothing_is_baked_before_it_is_simulated(session, simulating):
    steps = session.history.position
    assert not simulating.bake() and session.messages.latest.text == "Simulate first"
    assert session.history.position == steps


def test_it_is_baked_as_a_layer_in_one_step_and_put_away(session, tried):
    tried.set(blend_in=0.1, blend_out=0.2, tolerance=-1.0)
    layer = tried._layer()
    assert (layer.name, layer.mode) == ("Simulated head", LayerMode.OVERRIDE)
    assert (layer.blend_in, layer.blend_out, layer.tolerance) == (0.1, 0.2, 0.0)
    tried.set(tolerance=2.0, mode=LayerMode.ADDITIVE)
    assert tried._layer().tolerance == 0.002 and tried._layer().mode is LayerMode.ADDITIVE
    steps = session.history.position
    assert tried.bake() and session.history.position == steps + 1
    assert session.history.labels[-1] == "Simulate to layer Simulated head"
    assert tried.outcome is None and session.messages.latest.text.startswith("Layer Simulated head: ")
    assert session.messages.latest.text.endswith(" keys")
    (stack,) = session.document.project.all(LayerStack)
    assert [made.mode for made in stack.layers] == [LayerMode.ADDITIVE]
    assert session.document.project.get(Clip, stack.layers[0].clip).rig == session.rig.id
    assert session.feature(Bodies).plan is None

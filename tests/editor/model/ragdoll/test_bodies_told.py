"""Bodies: how often a change is told, what ends a drag, pairs that stay, and edits of a plan that is not there."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import AnimError
from core.ids import AssetId
from core.rig.body_plan import Capsule
from core.rig.propose_bodies import propose_bodies
from editor.model.messages import Level
from editor.model.ragdoll.bodies import IN_VIEW, SYMMETRIC, Bodies, with_length, with_radius
from tests.editor.model.ragdoll.test_bodies import ARM, TWIN, last, said, steps
from tests.editor.model.test_display import Still
from tests.editor.panel_stage import small_session


@pytest.fixture
def bodies():
    """Proposed bodies; the left forearm is selected, and what is told is counted."""
    session = small_session(mesh=False)
    session.edits.put("bodies", replace(session.rig, body_plan=propose_bodies(session.rig)))
    session.selection.select((ARM,))
    made = session.feature(Bodies)
    made.session, made.symmetric, made.in_view, made.told = session, True, True, []
    made.changed.connect(lambda _: made.told.append(1))
    yield made
    made.symmetric = made.in_view = True
    session.close()


def look(bodies: Bodies) -> int:
    count = len(bodies.told)
    bodies.told.clear()
    return count


def test_switches_are_kept_in_the_preferences_and_told(bodies):
    for name, key in (("symmetric", SYMMETRIC), ("in_view", IN_VIEW)):
        look(bodies)
        setattr(bodies, name, False)
        assert (
            getattr(bodies, name) is False
            and bodies.session.preferences.get(key) is False
            and look(bodies) == 1
        )
        setattr(bodies, name, True)
        assert getattr(bodies, name) is True and look(bodies) == 1


def test_a_selection_is_told_because_another_body_may_be_active(bodies):
    look(bodies)
    bodies.selection.select(["head"])
    assert look(bodies) == 1 and bodies.active.bone == "head"


def test_a_step_is_told_and_one_that_changes_nothing_is_too(bodies):
    plan = bodies.plan
    look(bodies)
    bodies.set_mass(ARM, 3.0)
    assert look(bodies) >= 1
    bodies.set_preview(plan)
    look(bodies)
    assert not bodies.commit("Same", bodies.rig.body_plan) and look(bodies) == 1
    assert bodies.plan is bodies.rig.body_plan


def test_edits_of_other_things_are_not_told(bodies):
    look(bodies)
    bodies.session.edits.put("Name", replace(bodies.session.clip, name="other"))
    bodies.session.edits.put("Name", replace(bodies.rig, name="other"))
    assert look(bodies) == 0


def test_another_character_has_its_own_plan_and_ends_a_drag(bodies):
    twin = replace(bodies.rig, id=AssetId("rig-twin"), name="twin", body_plan=None)
    bodies.session.edits.put("twin", twin)
    bodies.set_preview(bodies.plan.with_body(with_radius(bodies.plan.body(ARM), 0.5)))
    look(bodies)
    bodies.session.playback.set_clip(None, twin.id)
    assert bodies.plan is None and look(bodies) >= 1
    same = replace(bodies.rig, id=AssetId("rig-same"), name="same")
    bodies.session.edits.put("same", same)
    look(bodies)
    bodies.session.playback.set_clip(None, same.id)
    assert look(bodies) >= 1


def test_another_document_ends_a_drag(bodies):
    project = bodies.session.document.project
    bodies.set_preview(bodies.plan.with_body(with_radius(bodies.plan.body(ARM), 0.5)))
    bodies.session.document.replace(project, None)
    assert bodies.plan is None or bodies.plan is bodies.rig.body_plan


def test_handles_go_while_another_source_is_shown(bodies):
    bodies.watch(True)
    assert bodies.editing
    still = Still(bodies.session, "still")
    bodies.session.display.show(still)
    assert not bodies.editing
    bodies.session.display.hide(still)
    assert bodies.editing


def test_a_body_of_the_axis_is_changed_alone(bodies):
    plan = bodies.plan
    made = bodies.with_body(plan, with_radius(plan.body("head"), 0.5))
    assert [b.bone for b in made.bodies if b != plan.body(b.bone)] == ["head"]
    assert bodies.set_mass("head", 2.0) and last(bodies) == "Mass of body head"


def test_a_removed_body_takes_its_pairs_along_and_others_stay(bodies):
    bodies.symmetric = False
    bodies.set_ignored("head", "hand_l", True)
    bodies.set_ignored("head", TWIN, True)
    pairs = {frozenset(pair) for pair in bodies.plan.ignored}
    bodies.remove(["hand_l"])
    left = {frozenset(pair) for pair in bodies.plan.ignored}
    assert frozenset(("head", TWIN)) in left and not any("hand_l" in pair for pair in left)
    assert {pair for pair in pairs if "hand_l" not in pair} <= left
    assert last(bodies) == "Remove body of hand_l"


def test_all_bodies_but_the_root_may_go_and_all_at_once_too(bodies):
    root = bodies.plan.bodies[0].bone
    others = [body.bone for body in bodies.plan.bodies[1:]]
    with pytest.raises(AnimError, match=f"{root} is the root body, which the others need"):
        bodies.remove([root, others[0]])
    assert bodies.remove(others) == len(others) and last(bodies) == f"Remove {len(others)} bodies"
    bodies.session.undo()
    assert bodies.remove([root, *others]) == len(others) + 1 and bodies.plan is None


def test_proposed_bodies_replace_those_there_are(bodies):
    bodies.set_mass(ARM, 9.0)
    before = steps(bodies)
    made = bodies.propose()
    assert steps(bodies) == before + 1 and last(bodies) == "Propose bodies"
    assert bodies.plan == made == propose_bodies(bodies.rig, ())
    message = bodies.session.messages.latest
    assert (message.level, message.text) == (Level.INFO, f"Proposed {len(made)} bodies")
    assert said(bodies) == message.text


def test_added_bodies_pass_through_what_they_overlap(bodies):
    bodies.symmetric = False
    plan = bodies.plan
    bodies.remove([ARM])
    assert bodies.add([ARM]) == 1
    near = {frozenset(pair) for pair in plan.ignored if ARM in pair}
    assert near <= {frozenset(pair) for pair in bodies.plan.ignored}


def test_an_own_pair_across_is_set_once(bodies):
    pairs = {frozenset(pair) for pair in bodies.plan.ignored}
    bodies.set_ignored(ARM, "hand_r", True)
    found = {frozenset(pair) for pair in bodies.plan.ignored}
    assert found == pairs | {frozenset((ARM, "hand_r")), frozenset((TWIN, "hand_l"))}


def test_a_length_of_a_short_segment_keeps_its_direction(bodies):
    body = replace(bodies.plan.body(ARM), capsule=Capsule((0.0, 0.0, 0.0), (1e-3, 0.0, 0.0), 0.1))
    np.testing.assert_allclose(with_length(body, 2.0).capsule.end, (2.0, 0.0, 0.0))

"""Bodies of a rig: which is active, edits with their mirror in one step each, what is refused, drags shown."""

from dataclasses import replace

import pytest

from core.errors import AnimError
from core.project.project import Project
from core.rig.body_edits import mirrored
from core.rig.body_plan import Capsule
from core.rig.propose_bodies import propose_bodies
from editor.model.ragdoll.bodies import Bodies, with_length, with_radius
from tests.editor.panel_stage import small_session

ARM, TWIN = "lower_arm_l", "lower_arm_r"


@pytest.fixture
def bodies():
    session = small_session(mesh=False)
    session.edits.put("bodies", replace(session.rig, body_plan=propose_bodies(session.rig)))
    session.selection.select((ARM,))
    made = session.feature(Bodies)
    made.session, made.symmetric, made.in_view = session, True, True
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    yield made
    made.symmetric = made.in_view = True
    session.close()


def last(bodies):
    return bodies.session.history.labels[-1]


def steps(bodies):
    return bodies.session.history.position


def said(bodies):
    return bodies.session.messages.latest.text


# ---------------------------------------------------------------- what there is
def test_the_active_body_is_that_of_the_bone_or_the_one_it_rides_on(bodies):
    plan, select = bodies.plan, bodies.selection.select
    assert bodies.active == plan.body(ARM)
    bodies.remove([ARM])
    above = bodies.rig.skeleton.names[bodies.rig.skeleton.parent(bodies.rig.skeleton.index(ARM))]
    assert bodies.active == bodies.plan.body(above)
    select(())
    assert bodies.active is None
    bodies.clear()
    select((ARM,))
    assert bodies.active is None and bodies.plan is None and last(bodies) == "Remove all bodies"
    before = steps(bodies)
    bodies.clear()
    assert steps(bodies) == before
    bodies.session.document.replace(Project({}), None)
    assert (
        bodies.plan is None
        and bodies.active is None
        and bodies.rig is None
        and bodies.other_side(ARM) is None
    )


def test_handles_are_in_the_view_while_the_panel_is_watched_and_nothing_else_is_shown(bodies):
    assert not bodies.editing
    bodies.told.clear()
    bodies.watch(True)
    assert bodies.editing and bodies.told == [1]
    bodies.watch(True)
    assert bodies.told == [1]
    bodies.in_view = False
    assert not bodies.editing and bodies.told == [1, 1]
    bodies.in_view = True
    bodies.session.playback.play()
    assert not bodies.editing
    bodies.session.playback.pause()
    assert bodies.editing
    bodies.selection.select(())
    assert not bodies.editing
    bodies.selection.select((ARM,))
    bodies.watch(False)
    assert not bodies.editing


def test_the_other_side_is_that_of_the_mirror_where_it_has_a_body(bodies):
    assert (
        bodies.other_side(ARM) == TWIN
        and bodies.other_side(TWIN) == ARM
        and bodies.other_side("head") is None
    )
    bodies.symmetric = False
    assert bodies.other_side(ARM) is None
    bodies.remove([TWIN])
    bodies.symmetric = True
    assert bodies.other_side(ARM) is None


# ---------------------------------------------------------------- edits
@pytest.mark.parametrize("work, what, changes", [
    (lambda b: b.set_mass(ARM, 3.5), "Mass", {"mass": 3.5}), (lambda b: b.set_mass(ARM, -1.0), "Mass", {"mass": 1e-4}),
    (lambda b: b.set_damping(ARM, 2.5), "Damping", {"damping": 2.5}),
    (lambda b: b.set_damping(ARM, -2.5), "Damping", {"damping": 0.0}),
    (lambda b: b.set_radius(ARM, 0.07), "Radius", {"radius": 0.07}),
    (lambda b: b.set_radius(ARM, 0.0), "Radius", {"radius": 1e-4}),
    (lambda b: b.set_length(ARM, 0.11), "Length", {"length": 0.11}),
])  # fmt: skip
def test_a_number_of_a_body_is_set_on_both_sides_in_one_step(bodies, work, what, changes):
    plan, rig, before = bodies.plan, bodies.rig, steps(bodies)
    assert (
        work(bodies)
        and last(bodies) == f"{what} of body {ARM} and its mirror"
        and steps(bodies) == before + 1
    )
    body = bodies.plan.body(ARM)
    for name, value in changes.items():
        found = getattr(body, name) if hasattr(body, name) else getattr(body.capsule, name)
        assert found == pytest.approx(value)
    assert bodies.plan.body(TWIN) == mirrored(rig.skeleton, rig.mirror, body, TWIN, plan.body(TWIN))
    assert all(bodies.plan.body(b.bone) == b for b in plan if b.bone not in (ARM, TWIN))
    assert not work(bodies) and steps(bodies) == before + 1  # it is so already
    bodies.symmetric = False
    bodies.session.undo()
    assert work(bodies) and last(bodies) == f"{what} of body {ARM}"
    assert bodies.plan.body(TWIN) == plan.body(TWIN)


def test_an_end_of_a_range_never_goes_past_the_other(bodies):
    bodies.symmetric = False
    axis = bodies.plan.body(ARM).axes[0]
    assert bodies.set_range(ARM, 0, axis.minimum + 1.0, None) and last(bodies) == f"Range of body {ARM}"

    def now():
        found = bodies.plan.body(ARM).axes[0]
        return found.minimum, found.maximum

    assert now() == (axis.minimum + 1.0, axis.maximum)
    bodies.set_range(ARM, 0, None, axis.maximum - 1.0)
    assert now() == (axis.minimum + 1.0, axis.maximum - 1.0)
    bodies.set_range(ARM, 0, axis.maximum + 50.0, None)
    assert now() == (axis.maximum - 1.0, axis.maximum - 1.0)
    bodies.session.undo()
    bodies.set_range(ARM, 0, None, axis.minimum - 50.0)
    assert now() == (axis.minimum + 1.0, axis.minimum + 1.0)


def test_lengths_run_along_the_segment_and_a_ball_grows_along_its_first_axis(bodies):
    body = replace(bodies.plan.body(ARM), capsule=Capsule((1.0, 2.0, 3.0), (1.0, 5.0, 7.0), 0.5))
    assert with_length(body, 10.0).capsule == Capsule((1.0, 2.0, 3.0), (1.0, 8.0, 11.0), 0.5)
    assert with_length(body, -1.0).capsule == Capsule((1.0, 2.0, 3.0), (1.0, 2.0, 3.0), 0.5)
    assert with_length(with_length(body, 0.0), 2.0).capsule == Capsule((1.0, 2.0, 3.0), (1.0, 4.0, 3.0), 0.5)
    assert with_radius(body, 0.2).capsule == Capsule((1.0, 2.0, 3.0), (1.0, 5.0, 7.0), 0.2)


def test_bodies_are_proposed_added_and_taken_away(bodies):
    plan = bodies.plan
    assert bodies.remove([ARM]) == 2 and last(bodies) == "Remove 2 bodies"
    assert set(bodies.plan.bones) == set(plan.bones) - {ARM, TWIN}
    assert not any({ARM, TWIN} & set(pair) for pair in bodies.plan.ignored)
    before = steps(bodies)
    assert bodies.remove([ARM, "nobody"]) == 0 and steps(bodies) == before
    assert bodies.add([ARM, "head"]) == 1 and last(bodies) == f"Add body of {ARM}"
    assert bodies.plan.find(ARM) is not None and bodies.plan.find(TWIN) is None
    assert bodies.add([ARM]) == 0 and said(bodies) == "The selected bones have bodies already"
    bodies.remove([ARM])
    assert last(bodies) == f"Remove body of {ARM}"
    assert bodies.add(iter([TWIN, ARM])) == 2 and last(bodies) == "Add 2 bodies"
    with pytest.raises(AnimError, match="root body"):
        bodies.remove([plan.bodies[0].bone])
    bodies.clear()
    assert bodies.add([ARM]) == len(plan) and last(bodies) == "Propose bodies"
    assert said(bodies) == f"Proposed {len(plan)} bodies"
    assert bodies.propose() == bodies.plan


def test_bodies_are_mirrored_where_they_have_another_side(bodies):
    bodies.symmetric = False
    bodies.set_mass(ARM, 9.0)
    assert (
        bodies.mirror([ARM])
        and last(bodies) == f"Mirror body of {ARM}"
        and bodies.plan.body(TWIN).mass == 9.0
    )
    bodies.set_mass(ARM, 8.0)
    assert bodies.mirror([ARM, "head", "nobody"]) and last(bodies) == "Mirror 2 bodies"
    before = steps(bodies)
    assert not bodies.mirror(["head"]) and said(bodies) == "The selected bodies have no other side"
    assert bodies.session.messages.latest.next_step == "Set up the pairs in the Mirror panel"
    assert not bodies.mirror([]) and steps(bodies) == before


def test_pairs_pass_through_each_other_on_both_sides(bodies):
    def pairs():
        return {frozenset(p) for p in bodies.plan.ignored}

    plain = pairs()
    one, other = frozenset((ARM, "head")), frozenset((TWIN, "head"))
    assert not plain & {one, other}
    assert bodies.set_ignored(ARM, "head", True) and last(bodies) == f"{ARM} passes through head"
    assert pairs() == plain | {one, other}
    assert (
        bodies.set_ignored("head", ARM, False)
        and last(bodies) == f"head collides with {ARM}"
        and pairs() == plain
    )
    bodies.symmetric = False
    bodies.set_ignored(ARM, "head", True)
    assert pairs() == plain | {one}
    bodies.session.undo()
    bodies.symmetric = True
    across = frozenset((ARM, TWIN))
    bodies.set_ignored(ARM, TWIN, across not in plain)
    assert pairs() == plain ^ {across}


def test_a_drag_is_shown_until_it_is_committed_or_the_document_differs(bodies):
    plan = bodies.plan
    shown = bodies.with_body(plan, with_radius(plan.body(ARM), 0.2))
    bodies.told.clear()
    bodies.set_preview(shown)
    bodies.set_preview(shown)
    assert bodies.plan is shown and bodies.rig.body_plan is plan and bodies.told == [1]
    assert bodies.active.capsule.radius == 0.2
    bodies.set_preview(None)
    assert bodies.plan is plan and bodies.told == [1, 1]
    bodies.set_preview(shown)
    assert bodies.commit("Drag", shown) and bodies.plan == shown and last(bodies) == "Drag"
    bodies.set_preview(plan)
    bodies.session.undo()
    assert bodies.plan is bodies.rig.body_plan
    assert not bodies.commit("Same", bodies.rig.body_plan)


def test_without_bodies_or_a_character_it_is_said_what_to_do_first(bodies):
    bodies.clear()
    for work in (
        lambda: bodies.set_mass(ARM, 1.0),
        lambda: bodies.remove([ARM]),
        lambda: bodies.mirror([ARM]),
    ):
        with pytest.raises(AnimError, match="propose bodies first"):
            work()
    bodies.session.document.replace(Project({}), None)
    for work in (bodies.propose, lambda: bodies.add([ARM]), lambda: bodies.commit("x", None)):
        with pytest.raises(AnimError, match="character first"):
            work()

"""Every number of the IK panel is kept in the unit that its field shows, and shown again as it was typed."""

import pytest
from PySide6.QtWidgets import QCheckBox, QScrollArea

from core.rig.ik_setup import IkSolver
from editor.model.ik.state import IkState
from editor.qt.number_field import NumberField
from tests.editor.panels.ik.test_ik_by_hand import Scene


@pytest.fixture
def scene(qapp):
    made = Scene(qapp)
    made.propose()
    made.session.feature(IkState).select("Left arm")
    made.user.settle()
    yield made
    made.stage.close(qapp)


SETUP = {
    # field: solver that has it, what is typed, the field of the set-up, what it is then
    "ikWeight": (IkSolver.TWO_BONE, 50.0, "weight", 0.5),
    "ikSoft": (IkSolver.TWO_BONE, 20.0, "soft", 0.2),
    "ikStretch": (IkSolver.TWO_BONE, 1.5, "stretch_limit", 1.5),
    "ikStretchStart": (IkSolver.TWO_BONE, 80.0, "stretch_start", 0.8),
    "ikIterations": (IkSolver.CCD, 33.0, "iterations", 33),
    "ikTolerance": (IkSolver.CCD, 2.5, "tolerance", 0.0025),
    "ikStep": (IkSolver.CCD, 12.0, "step", 12.0),
}
AIM = {"ikAimLimit": (45.0, "aim_limit", 45.0)}
GROUND = {
    "ground.height": (0.25, "height"),
    "ground.tilt_x": (10.0, "tilt_x"),
    "ground.tilt_z": (-5.0, "tilt_z"),
    "ground.count": (3.0, "count"),
    "ground.rise": (0.2, "rise"),
    "ground.run": (0.3, "run"),
    "ground.start": (1.5, "start"),
}
GOAL = {f"{what}.{axis}" for what in ("ikGoal", "ikTurn") for axis in "xyz"}


def test_every_number_of_a_set_up_is_kept_in_its_unit_and_shown_as_typed(scene) -> None:
    for name, (solver, typed, field, wanted) in SETUP.items():
        scene.ik.model.change(solver=solver, stretch_limit=1.2)
        scene.user.settle()
        before = scene.session.rig.ik_setup("Left arm")
        scene.type_into(name, f"={typed:g}")
        after = scene.session.rig.ik_setup("Left arm")
        assert getattr(after, field) == pytest.approx(wanted), name
        changed = {f for f in after.__dataclass_fields__ if getattr(after, f) != getattr(before, f)}
        assert changed == {field}, name
        assert scene.ik.findChild(NumberField, name).value == pytest.approx(typed), name
        scene.session.undo()
        scene.user.settle()
        assert getattr(scene.session.rig.ik_setup("Left arm"), field) == getattr(before, field)


def test_the_limit_of_an_aim_and_every_number_of_the_ground_are_kept_in_their_units(scene) -> None:
    for name, (typed, field) in GROUND.items():
        scene.type_into(name, f"={typed:g}")
        assert getattr(scene.ik.model.ground, field) == pytest.approx(typed), name
        assert scene.ik.findChild(NumberField, name).value == pytest.approx(typed), name
    for name, (typed, field) in GROUND.items():  # none was written over by another
        assert getattr(scene.ik.model.ground, field) == pytest.approx(typed), name
    scene.session.feature(IkState).select("Head")
    scene.user.settle()
    scene.type_into("ikAimLimit", "=45")
    assert scene.session.rig.ik_setup("Head").aim_limit == 45.0


def test_goals_are_typed_in_metres_and_degrees_on_their_own_axis(scene) -> None:
    for axis in range(3):
        fields = [scene.ik.findChild(NumberField, f"ikGoal.{a}") for a in "xyz"]
        before = [field.value for field in fields]
        wanted = before[axis] - 0.03
        scene.type_into(f"ikGoal.{'xyz'[axis]}", f"={wanted:.4f}")
        place = scene.place("hand_l")
        assert place[axis] == pytest.approx(wanted, abs=2e-3)
        others = [a for a in range(3) if a != axis]
        assert [place[a] for a in others] == pytest.approx([before[a] for a in others], abs=2e-3)


def test_limits_and_stiffness_of_a_joint_are_kept_in_degrees_and_shares(scene) -> None:
    scene.ik.model.change(solver=IkSolver.CCD)
    scene.ik.model.add_limit("lower_arm_l")
    scene.user.settle()
    for name, typed in (("minimum", -35.0), ("maximum", 50.0), ("cone", 25.0)):
        scene.type_into(f"limit.lower_arm_l.{name}", f"={typed:g}")
        assert getattr(scene.session.rig.limits["lower_arm_l"], name) == typed
    limit = scene.session.rig.limits["lower_arm_l"]
    assert (limit.minimum, limit.maximum, limit.cone) == (-35.0, 50.0, 25.0)
    scene.type_into("stiffness.lower_arm_l", "=40")
    assert scene.session.rig.ik_setup("Left arm").stiffness == {"lower_arm_l": pytest.approx(0.4)}
    assert scene.ik.findChild(NumberField, "stiffness.lower_arm_l").value == pytest.approx(40.0)


def test_switches_turn_on_what_they_say_and_off_again(scene) -> None:
    for solver, name, state in (
        (IkSolver.CCD, "ikUseLimits", lambda: scene.session.rig.ik_setup("Left arm").use_limits),
        (IkSolver.TWO_BONE, "ikPole", lambda: scene.session.rig.ik_setup("Left arm").pole is not None),
    ):
        scene.ik.model.change(solver=solver)
        scene.user.settle()
        box = scene.ik.findChild(QCheckBox, name)
        for _ in range(2):
            before = state()
            assert box.isChecked() == before, name
            scene.ik.findChild(QScrollArea).ensureWidgetVisible(box)
            scene.user.settle()
            scene.user.click(box, (10, box.height() // 2))
            assert state() is not before and box.isChecked() == state(), name
    for _ in range(2):
        before = scene.session.rig.ik_setup("Left arm").enabled
        scene.ik.findChild(QScrollArea).ensureWidgetVisible(scene.ik.list)
        scene.user.settle()
        scene.turn_on("Left arm")
        assert scene.session.rig.ik_setup("Left arm").enabled is not before


@pytest.mark.parametrize("solver", list(IkSolver))
def test_what_a_solver_does_not_use_cannot_be_set(scene, solver: IkSolver) -> None:
    scene.ik.model.change(solver=solver)
    scene.user.settle()
    single, two = solver.single, solver is IkSolver.TWO_BONE
    wanted = {
        "root": not single, "end": not single, "iterations": not two and not single,
        "tolerance": not two and not single, "use_limits": not two and not single,
        "step": solver is IkSolver.CCD, "soft": two, "stretch": two, "pole": two, "stretch_start": False,
    }  # fmt: skip
    assert {name: getattr(scene.ik, name).isEnabled() for name in wanted} == wanted


def test_no_number_of_the_panel_is_forgotten_here(scene) -> None:
    """A new field has to be added to one of the tables above."""
    names = {f.objectName() for f in scene.ik.findChildren(NumberField)}
    names = {n for n in names if not n.startswith(("limit.", "stiffness."))}
    assert names == {*SETUP, *AIM, *GROUND, *GOAL}

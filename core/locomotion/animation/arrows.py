"""The transitions of the machine ``moves``. Looked at in the order in which they are drawn; all are inertialised."""

from collections.abc import Mapping

from core.graph.graph import TargetStart
from core.locomotion.animation.pen import Machine
from core.locomotion.animation.propose import SIDES
from core.locomotion.animation.states import LEAPS
from core.locomotion.animation.stops import SLOWEST, longest
from core.locomotion.animation.turns import AIM_FROM, AIM_TO, ROTATIONS
from core.tracks.keys import ScalarTrack

STOPS, PIVOTS = tuple(f"stop {foot}" for foot in SIDES), tuple(f"pivot {foot}" for foot in SIDES)
AHEAD = {"LF": "foot_y <= 0", "RF": "foot_y > 0"}
"""Which foot is ahead."""
GROUNDED = ("stand", "ahead", "back", "crouch", "land", "roll", *STOPS, *PIVOTS, *ROTATIONS)
SIDEWAYS = "(not hips_back or abs(direction - 180) > 67.5)"
"""Stops go ahead and to the sides; who goes back comes to stand without one."""
PIVOT_FROM, PIVOT_ANGLE = 2.0, 100.0
"""m/s, and degrees between input and velocity, from which it pivots."""
ROLL_FROM = 7.0
"""m/s of impact from which a moving character rolls."""
INTO = (("ahead", "moving and not hips_back"), ("back", "moving and hips_back"))


def draw_arrows(machine: Machine, maps: Mapping[str, ScalarTrack]) -> None:
    """All transitions between the states that there are."""
    _leaving(machine)
    _air(machine)
    _stance(machine)
    _turns(machine)
    _stops(machine, maps)
    _moving(machine)


def _leaving(machine: Machine) -> None:
    """Off the ground: a jump by the foot ahead, or over an edge."""
    for state in GROUNDED:
        if state in ("ahead", "back", *PIVOTS):
            for foot, rule in AHEAD.items():
                machine.arrow(state, f"jump {foot}", f"take(jump) and moving and {rule}", 0.12)
        machine.arrow(state, "leap", "take(jump)", 0.12)
    for state in GROUNDED:
        machine.arrow(state, "fall", "in_air", 0.2)


def _air(machine: Machine) -> None:
    """In the air, and down again."""
    for state in LEAPS:
        machine.arrow(state, "fall", "", 0.2, automatic=0.0)
    for state in (*LEAPS, "fall"):
        down = "not in_air" if state == "fall" else "not in_air and time_in_state > 0.1"
        machine.arrow(state, "roll", f"{down} and moving and impact >= {ROLL_FROM:g}", 0.1)
        for target, rule in INTO:
            machine.arrow(state, target, f"{down} and {rule}", 0.15)
        machine.arrow(state, "land", down, 0.1)
        machine.arrow(state, "stand", down, 0.2)
    machine.arrow("land", "crouch", "crouch", 0.3)
    for target, rule in INTO:
        machine.arrow("land", target, rule, 0.2)
    machine.arrow("land", "stand", "", 0.25, automatic=-1.0)
    for target, rule in INTO:
        machine.arrow("roll", target, rule, 0.3, automatic=0.3)
    machine.arrow("roll", "stand", "not moving", 0.3)


def _stance(machine: Machine) -> None:
    for state in ("stand", "ahead", "back", *STOPS, *PIVOTS, *ROTATIONS[:2]):
        machine.arrow(state, "crouch", "crouch", 0.4)
    machine.arrow("crouch", "stand", "not crouch and not moving", 0.4)
    for target, rule in INTO:
        machine.arrow("crouch", target, f"not crouch and {rule}", 0.4)


def _turns(machine: Machine) -> None:
    """Rotate in place while aiming; pivot at a run."""
    for name in ROTATIONS:
        rest = "crouch" if name.startswith("crouch") else "stand"
        sign = "-" if name.endswith("left") else ""
        far = f"{sign}aim_yaw > {AIM_FROM:g}"
        machine.arrow(rest, name, f"aiming and not moving and {far}", 0.2)
        machine.arrow(name, rest, f"not aiming or moving or {sign}aim_yaw < {AIM_TO:g}", 0.2)
    about = f"wish and wish_angle > {PIVOT_ANGLE:g} and speed > {PIVOT_FROM:g} and not looking and not aiming"
    for foot, rule in AHEAD.items():
        machine.arrow("ahead", f"pivot {foot}", f"{about} and {rule}", 0.1)
        machine.arrow(f"pivot {foot}", "ahead", "not hips_back or time_in_state > 0.7", 0.2, automatic=0.1)


def _stops(machine: Machine, maps: Mapping[str, ScalarTrack]) -> None:
    for foot, rule in AHEAD.items():
        stop = f"stop {foot}"
        if stop not in machine:
            continue
        near = f"stop_way < {longest(maps, foot)}"
        for state in ("ahead", "back", *PIVOTS):
            ends = f"not wish and speed > {SLOWEST:g} and {near} and {SIDEWAYS} and {rule}"
            machine.arrow(state, stop, ends, 0.15)
        for target, moves in INTO:
            machine.arrow(stop, target, f"wish and {moves}", 0.2)
        machine.arrow(stop, "stand", "", 0.3, automatic=-1.0)


def _moving(machine: Machine) -> None:
    phase = TargetStart.SAME_PHASE
    machine.arrow("ahead", "back", "moving and hips_back", 0.2, start=phase)
    machine.arrow("back", "ahead", "moving and not hips_back", 0.2, start=phase)
    for target, rule in INTO:
        machine.arrow("stand", target, rule, 0.2)
    for state in ("ahead", "back", *PIVOTS):
        machine.arrow(state, "stand", "not moving", 0.25)

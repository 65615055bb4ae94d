"""The variables of the graphs that a character moves by: what the host tells them, and what they keep themselves."""

from core.graph.graph import Role, Variable
from core.graph.language.values import Kind


def _flag(name: str, **options: float | str | Role) -> Variable:
    return Variable(name, Kind.BOOL, minimum=0.0, maximum=1.0, **options)  # type: ignore[arg-type]


def _number(
    name: str, low: float, high: float, unit: str = "", default: float = 0.0, role: Role = Role.INPUT
) -> Variable:
    return Variable(name, default=(default,), minimum=low, maximum=high, unit=unit, role=role)


VARIABLES = (
    _flag("moving"),
    _flag("hips_back"),
    _flag("crouch"),
    _flag("in_air"),
    _flag("jump", role=Role.TRIGGER, buffer=0.1),
    _number("speed", 0.0, 50.0, "m/s"),
    _number("gait", 1.0, 3.0, default=1.0),
    _number("direction", -360.0, 360.0, "°"),
    _number("rate", 0.0, 3.0, default=1.0),
    _number("stride", 0.0, 2.0, default=1.0),
    _number("turn", -90.0, 90.0, "°"),
    _number("lean_right", -1.0, 1.0),
    _number("lean_forward", -1.0, 1.0),
    _number("air_right", -1.0, 1.0),
    _number("air_forward", -1.0, 1.0),
    _number("fall_speed", 0.0, 100.0, "m/s"),
    _number("land_alpha", 0.0, 1.0),
    _number("impact", 0.0, 100.0, "m/s"),
    _number("head_yaw", -180.0, 180.0, "°"),
    _number("head_pitch", -90.0, 90.0, "°"),
    _flag("aiming"),
    _flag("looking"),
    _flag("wish"),
    _number("wish_angle", 0.0, 180.0, "°"),
    _number("stop_way", 0.0, 100.0, "m"),
    _number("yaw", -180.0, 180.0, "°"),
    _number("aim_yaw", -180.0, 180.0, "°"),
    _number("aim_pitch", -90.0, 90.0, "°"),
    _number("foot_off_left", 0.0, 10.0, "m"),
    _number("foot_off_right", 0.0, 10.0, "m"),
    _number("view_speed", 0.0, 1e5, "°/s"),
)
"""What the host tells in each step; see `core.locomotion.animation.told`."""
TURNED = "turned"
"""The variable that the host reads: degrees to the left by which the graph turned the character in the step."""
OWN = (
    _number("foot_x", -90.0, 90.0, "°", role=Role.OWN),
    _number("foot_y", -1.0, 1.0, role=Role.OWN),
    _number("stop_gait", 1.0, 3.0, default=1.0, role=Role.OWN),
    _number(TURNED, -180.0, 180.0, "°", role=Role.OWN),
    _number("turn_angle", -180.0, 180.0, "°", role=Role.OWN),
    _number("turn_whole", -360.0, 360.0, "°", role=Role.OWN),
    _number("turn_made", -360.0, 360.0, "°", role=Role.OWN),
    _number("turn_now", -360.0, 360.0, "°", role=Role.OWN),
    Variable("turn_kind", Kind.INT, minimum=0.0, maximum=16.0, role=Role.OWN),
    Variable("step_kind", Kind.INT, minimum=0.0, maximum=4.0, role=Role.OWN),
)
"""What the graph's update sheet keeps: curves FootDirection and FootPosition and the gait as they were when moving
ended, and the turn in place: asked, the clip's own, made of it, made of it now, and which was begun in this step,
and which step in place was."""
FEET_VARIABLES = (
    _number("hold_feet", 0.0, 1.0, default=1.0),
    _number("feet_on_ground", 0.0, 1.0, default=1.0),
)

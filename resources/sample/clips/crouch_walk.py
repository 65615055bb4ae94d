"""A walk in a crouch: 0.9 m/s, hips low and level, trunk forward, hands ready."""

from core.clips.clip import Clip
from resources.sample.motion.feet import Step
from resources.sample.motion.gait import ArmSwing, Gait, Wave, build_gait

# fmt: off
CROUCH_WALK = Gait(
    name="crouch walk",
    frames=36,
    speed=0.9,
    step=Step(
        duty=0.638888888888889,
        flat=(0.108, 0.330),
        pitch=(
            (0.000, 9.0), (0.060, 3.0), (0.110, 0.0), (0.360, 0.0), (0.460, -8.0), (0.550, -24.0),
            (0.639, -42.0), (0.700, -40.0), (0.780, -22.0), (0.860, -4.0), (0.930, 6.0), (0.970, 9.0),
        ),
        swing=((0.22, -0.190, 0.215, 0.116), (0.50, 0.060, 0.190, 0.128), (0.76, 0.285, 0.140, 0.114)),
        toes=((0.0, 10.0), (0.10, 0.0), (0.639, 42.0), (0.68, 38.0), (0.77, 10.0), (0.86, 4.0), (0.95, 11.0)),
        landing=0.35,
        release=0.60,
    ),
    height=Wave(-0.250, 0.010, 0.30, 2),
    sway=Wave(0.0, 0.026, 0.30),
    surge=Wave(-0.060, 0.006, 0.04, 2),
    tilt=Wave(17.0, 1.0, 0.06, 2),
    yaw=Wave(0.0, 7.0, 0.52),
    roll=Wave(0.0, 2.6, 0.14),
    lean=Wave(21.0, 1.5, 0.12, 2),
    counter_yaw=Wave(0.0, 11.0, 0.03),
    counter_roll=Wave(0.0, 3.2, 0.66),
    nod=Wave(5.0, 1.0, 0.16, 2),
    gaze=Wave(0.0, 0.8, 0.05),
    arm=ArmSwing(
        swing=Wave(4.0, 12.0, 0.505),
        lower=Wave(27.0, 1.0, 0.25, 2),
        twist=Wave(-2.0, 3.0, 0.52),
        elbow=Wave(58.0, 7.0, 0.575),
        wrist=Wave(8.0, 5.0, 0.80),
        pronate=Wave(34.0, 4.0, 0.55),
        spread=Wave(4.0, 3.0, 0.52),
        shrug=Wave(2.0, 1.0, 0.60),
        reach=Wave(2.0, 2.5, 0.52),
        fingers=Wave(1.25, 0.14, 0.85),
    ),
    knee_out=13.0,
    extra_leg_keys=(1, 3),
)
# fmt: on


def build() -> Clip:
    """The clip ``crouch walk``."""
    return build_gait(CROUCH_WALK)[0]

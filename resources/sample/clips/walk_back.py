"""A walk backwards: 1.4 m/s, down on the ball of the foot, off over the heel."""

from core.clips.clip import Clip
from resources.sample.motion.feet import Step
from resources.sample.motion.gait import ArmSwing, Gait, Wave, build_gait

# fmt: off
WALK_BACK = Gait(
    name="walk back",
    frames=28,
    speed=1.4,
    heading=180.0,
    step=Step(
        duty=0.607142857142857,
        flat=(0.078, -0.440),
        pitch=(
            (0.000, -38.0), (0.070, -22.0), (0.150, -6.0), (0.210, 0.0), (0.440, 0.0), (0.530, 7.0),
            (0.607, 19.0), (0.670, 16.0), (0.760, 0.0), (0.850, -22.0), (0.940, -38.0),
        ),
        swing=((0.22, 0.235, 0.158, 0.082), (0.50, -0.110, 0.178, 0.088), (0.78, -0.430, 0.176, 0.084)),
        toes=((0.0, 38.0), (0.10, 0.0), (0.60, 0.0), (0.68, 8.0), (0.80, 2.0), (0.94, 24.0)),
        landing=0.35,
        release=0.57,
    ),
    height=Wave(-0.046, 0.012, 0.30, 2),
    sway=Wave(0.0, 0.024, 0.29),
    surge=Wave(0.012, 0.006, 0.54, 2),
    tilt=Wave(4.0, 0.8, 0.06, 2),
    yaw=Wave(0.0, 5.0, 0.02),
    roll=Wave(0.0, 3.0, 0.14),
    lean=Wave(3.0, 1.2, 0.12, 2),
    counter_yaw=Wave(0.0, 8.0, 0.53),
    counter_roll=Wave(0.0, 3.6, 0.66),
    nod=Wave(4.0, 1.0, 0.16, 2),
    gaze=Wave(0.0, 0.8, 0.05),
    arm=ArmSwing(
        swing=Wave(0.0, 11.0, 0.02),
        lower=Wave(33.0, 1.0, 0.25, 2),
        twist=Wave(-5.0, 3.0, 0.02),
        elbow=Wave(20.0, 6.0, 0.10),
        wrist=Wave(6.0, 5.0, 0.30),
        pronate=Wave(36.0, 4.0, 0.05),
        spread=Wave(0.0, 2.0, 0.02),
        shrug=Wave(0.0, 1.0, 0.10),
        reach=Wave(0.0, 2.5, 0.02),
        fingers=Wave(1.05, 0.14, 0.35),
    ),
    knee_out=4.0,
    extra_leg_keys=(1, 5),
)
# fmt: on


def build() -> Clip:
    """The clip ``walk back``."""
    return build_gait(WALK_BACK)[0]

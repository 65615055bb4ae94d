"""A relaxed walk: 1.4 m/s, 112 steps a minute."""

from core.clips.clip import Clip
from resources.sample.motion.feet import Step
from resources.sample.motion.gait import ArmSwing, Gait, Wave, build_gait

# fmt: off
WALK = Gait(
    name="walk",
    frames=32,
    speed=1.4,
    step=Step(
        duty=0.609375,
        release=0.57,
        flat=(0.070, 0.342),
        pitch=(
            (0.000, 19.0), (0.055, 8.0), (0.110, 0.0), (0.320, 0.0), (0.410, -9.0), (0.500, -30.0),
            (0.560, -49.0), (0.610, -64.0), (0.665, -62.0), (0.740, -38.0), (0.820, -9.0), (0.900, 11.0),
            (0.960, 19.0),
        ),
        swing=((0.22, -0.285, 0.250, 0.074), (0.50, 0.045, 0.172, 0.078), (0.76, 0.310, 0.126, 0.072)),
        toes=(
            (0.0, 16.0), (0.10, 0.0), (0.61, 64.0), (0.64, 60.0),
            (0.72, 20.0), (0.78, 2.0), (0.88, 10.0), (0.96, 18.0),
        ),
        landing=0.35,
    ),
    height=Wave(-0.042, 0.016, 0.29, 2),
    sway=Wave(0.0, 0.021, 0.29),
    surge=Wave(0.006, 0.007, 0.04, 2),
    tilt=Wave(3.0, 0.8, 0.06, 2),
    yaw=Wave(0.0, 6.0, 0.52),
    roll=Wave(0.0, 3.6, 0.14),
    lean=Wave(-1.0, 1.2, 0.12, 2),
    counter_yaw=Wave(0.0, 11.0, 0.03),
    counter_roll=Wave(0.0, 4.4, 0.66),
    nod=Wave(1.5, 1.3, 0.16, 2),
    gaze=Wave(0.0, 0.8, 0.05),
    arm=ArmSwing(
        swing=Wave(-1.0, 20.0, 0.505),
        lower=Wave(35.0, 1.0, 0.25, 2),
        twist=Wave(-6.0, 4.0, 0.52),
        elbow=Wave(16.0, 10.0, 0.575),
        wrist=Wave(6.0, 7.0, 0.80),
        pronate=Wave(38.0, 6.0, 0.55),
        spread=Wave(0.0, 3.0, 0.52),
        shrug=Wave(-1.0, 1.2, 0.60),
        reach=Wave(0.0, 3.5, 0.52),
        fingers=Wave(1.05, 0.16, 0.85),
    ),
    extra_leg_keys=(1, 3, 19),
)
# fmt: on


def build() -> Clip:
    """The clip ``walk``."""
    return build_gait(WALK)[0]

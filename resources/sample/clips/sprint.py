"""A sprint: 6.5 m/s, 257 steps a minute, on the balls of the feet, knees high, arms driving."""

from core.clips.clip import Clip
from resources.sample.motion.feet import Step
from resources.sample.motion.gait import ArmSwing, Gait, Wave, build_gait

# fmt: off
SPRINT = Gait(
    name="sprint",
    frames=14,
    speed=6.5,
    step=Step(
        duty=0.25,
        release=0.215,
        flat=(0.046, 0.300),
        pitch=(
            (0.000, -8.0), (0.040, -4.0), (0.090, -5.0), (0.150, -24.0), (0.200, -48.0), (0.250, -68.0),
            (0.320, -86.0), (0.420, -96.0), (0.520, -84.0), (0.660, -44.0), (0.800, -8.0), (0.920, -2.0),
        ),
        swing=(
            (0.14, -0.590, 0.440, 0.054), (0.30, -0.500, 0.600, 0.058), (0.46, -0.160, 0.560, 0.060),
            (0.62, 0.230, 0.470, 0.056), (0.76, 0.500, 0.370, 0.050), (0.89, 0.470, 0.215, 0.046),
        ),
        toes=(
            (0.0, 8.0), (0.05, 5.0), (0.25, 68.0), (0.285, 64.0), (0.38, 24.0), (0.50, -2.0), (0.75, 2.0),
            (0.90, 10.0),
        ),
        landing=0.95,
    ),
    height=Wave(-0.070, 0.026, 0.40, 2),
    sway=Wave(0.0, 0.007, 0.13),
    surge=Wave(0.012, 0.006, 0.08, 2),
    tilt=Wave(14.0, 2.0, 0.33, 2),
    yaw=Wave(0.0, 11.0, 0.42),
    roll=Wave(0.0, 4.0, 0.11),
    lean=Wave(6.0, 2.0, 0.17, 2),
    counter_yaw=Wave(0.0, 24.0, 0.93),
    counter_roll=Wave(0.0, 4.6, 0.63),
    nod=Wave(6.0, 1.5, 0.22, 2),
    gaze=Wave(0.0, 1.0, 0.0),
    arm=ArmSwing(
        swing=Wave(-4.0, 54.0, 0.45),
        lower=Wave(31.0, 2.0, 0.25, 2),
        twist=Wave(-4.0, 10.0, 0.45),
        elbow=Wave(84.0, 14.0, 0.50),
        wrist=Wave(2.0, 8.0, 0.70),
        pronate=Wave(8.0, 6.0, 0.5),
        spread=Wave(6.0, 10.0, 0.45),
        shrug=Wave(2.0, 2.0, 0.45),
        reach=Wave(0.0, 8.0, 0.45),
        fingers=Wave(1.2, 0.15, 0.75),
    ),
    leg_keys=1,
    extra_leg_keys=(0.5, 1.5, 2.5, 3.0, 4.5),  # a foot is down for less than four frames
)
# fmt: on


def build() -> Clip:
    """The clip ``sprint``."""
    return build_gait(SPRINT)[0]

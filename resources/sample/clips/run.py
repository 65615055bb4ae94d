"""A run: 3.6 m/s, 180 steps a minute, both feet off the ground twice a cycle."""

from core.clips.clip import Clip
from resources.sample.motion.feet import Step
from resources.sample.motion.gait import ArmSwing, Gait, Wave, build_gait

# fmt: off
RUN = Gait(
    name="run",
    frames=20,
    speed=3.6,
    step=Step(
        duty=0.35,
        release=0.31,
        flat=(0.055, 0.300),
        pitch=(
            (0.000, 5.5), (0.050, 0.0), (0.130, 0.0), (0.200, -12.0), (0.270, -38.0), (0.350, -67.0),
            (0.420, -79.0), (0.500, -78.0), (0.600, -68.0), (0.720, -30.0), (0.830, 2.0), (0.930, 11.0),
        ),
        swing=(
            (0.16, -0.545, 0.385, 0.062), (0.34, -0.400, 0.470, 0.066), (0.52, -0.070, 0.385, 0.066),
            (0.70, 0.250, 0.285, 0.060), (0.87, 0.365, 0.175, 0.056),
        ),
        toes=(
            (0.0, 8.0), (0.05, 0.0), (0.35, 67.0), (0.385, 60.0), (0.46, 22.0), (0.54, -2.0), (0.75, 4.0),
            (0.90, 12.0),
        ),
        landing=0.9,
    ),
    height=Wave(-0.073, 0.030, 0.425, 2),
    sway=Wave(0.0, 0.010, 0.17),
    surge=Wave(0.004, 0.008, 0.08, 2),
    tilt=Wave(9.0, 2.0, 0.33, 2),
    yaw=Wave(0.0, 8.0, 0.45),
    roll=Wave(0.0, 4.0, 0.13),
    lean=Wave(4.0, 2.0, 0.17, 2),
    counter_yaw=Wave(0.0, 19.0, 0.96),
    counter_roll=Wave(0.0, 4.6, 0.65),
    nod=Wave(5.0, 1.5, 0.22, 2),
    gaze=Wave(0.0, 1.0, 0.0),
    arm=ArmSwing(
        swing=Wave(-10.0, 36.0, 0.47),
        lower=Wave(31.0, 2.0, 0.25, 2),
        twist=Wave(-4.0, 9.0, 0.47),
        elbow=Wave(82.0, 13.0, 0.53),
        wrist=Wave(4.0, 9.0, 0.72),
        pronate=Wave(14.0, 6.0, 0.5),
        spread=Wave(6.0, 8.0, 0.47),
        shrug=Wave(1.0, 2.0, 0.47),
        reach=Wave(0.0, 6.0, 0.47),
        fingers=Wave(1.9, 0.15, 0.75),
    ),
    leg_keys=1,
    extra_leg_keys=(0.5, 6.5, 7.5),  # landing and push-off are quicker than a frame
)
# fmt: on


def build() -> Clip:
    """The clip ``run``."""
    return build_gait(RUN)[0]

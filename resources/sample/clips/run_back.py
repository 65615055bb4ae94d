"""A run backwards: 3.6 m/s in short quick steps on the balls of the feet, trunk over them."""

from core.clips.clip import Clip
from resources.sample.motion.feet import Step
from resources.sample.motion.gait import ArmSwing, Gait, Wave, build_gait

# fmt: off
RUN_BACK = Gait(
    name="run back",
    frames=16,
    speed=3.6,
    heading=180.0,
    step=Step(
        duty=0.375,
        flat=(0.066, -0.400),
        pitch=(
            (0.000, -44.0), (0.080, -26.0), (0.160, -10.0), (0.240, -6.0), (0.310, -9.0), (0.375, -20.0),
            (0.460, -34.0), (0.580, -40.0), (0.720, -48.0), (0.860, -56.0), (0.940, -52.0),
        ),
        swing=(
            (0.18, 0.330, 0.245, 0.074), (0.42, 0.080, 0.375, 0.078), (0.66, -0.270, 0.365, 0.076),
            (0.86, -0.475, 0.245, 0.070),
        ),
        toes=((0.0, 44.0), (0.10, 24.0), (0.375, 20.0), (0.46, 6.0), (0.60, -2.0), (0.80, 6.0), (0.93, 30.0)),
        landing=0.85,
        release=0.335,
    ),
    height=Wave(-0.082, 0.022, 0.43, 2),
    sway=Wave(0.0, 0.012, 0.18),
    surge=Wave(0.020, 0.006, 0.58, 2),
    tilt=Wave(13.0, 1.5, 0.33, 2),
    yaw=Wave(0.0, 6.0, 0.95),
    roll=Wave(0.0, 3.0, 0.13),
    lean=Wave(9.0, 1.6, 0.17, 2),
    counter_yaw=Wave(0.0, 13.0, 0.46),
    counter_roll=Wave(0.0, 3.4, 0.65),
    nod=Wave(4.0, 1.2, 0.22, 2),
    gaze=Wave(0.0, 1.0, 0.0),
    arm=ArmSwing(
        swing=Wave(-6.0, 22.0, 0.97),
        lower=Wave(29.0, 2.0, 0.25, 2),
        twist=Wave(-4.0, 6.0, 0.97),
        elbow=Wave(80.0, 9.0, 0.03),
        wrist=Wave(4.0, 6.0, 0.22),
        pronate=Wave(16.0, 5.0, 0.0),
        spread=Wave(5.0, 5.0, 0.97),
        shrug=Wave(2.0, 1.5, 0.97),
        reach=Wave(0.0, 4.0, 0.97),
        fingers=Wave(1.8, 0.15, 0.25),
    ),
    knee_out=5.0,
    leg_keys=1,
    extra_leg_keys=(0.5,),
)
# fmt: on


def build() -> Clip:
    """The clip ``run back``."""
    return build_gait(RUN_BACK)[0]

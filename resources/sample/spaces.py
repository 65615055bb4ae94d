"""The blend spaces of the sample document."""

from core.blending.blend_space import BlendSpace, MotionRule, Smoothing, SpaceAxis, SpaceKind, SpaceSample
from core.ids import AssetId
from resources.sample.clips.additions import look_names
from resources.sample.clips.aim import DIRECTIONS, PITCH, YAW
from resources.sample.clips.crouch_walk import CROUCH_WALK
from resources.sample.clips.run import RUN
from resources.sample.clips.walk import WALK
from resources.sample.rig import RIG_ID

SMOOTH = 0.25
"""Seconds by which speed and direction follow the point."""
FORWARD_WAYS = {" left": -90.0, " forward left": -45.0, "": 0.0, " forward right": 45.0, " right": 90.0}
BACKWARD_WAYS = {
    " right hips back": 90.0,
    " back right": 135.0,
    " back": 180.0,
    " back left": 225.0,
    " left hips back": 270.0,
}
"""What walks and runs are named beyond their gait, and the direction they go, degrees to the right."""
BETWEEN = (22, 67, 112, 157)
"""Degrees of the ways half-way between those, in the locomotion sample."""
CYCLES = {"walk": 1.0, "run": 2.0, "sprint": 3.0}
"""The gait value of each."""
DIRECTIONS_OF = {
    f"{gait}{way}": angle for gait in ("walk", "run") for way, angle in (FORWARD_WAYS | BACKWARD_WAYS).items()
}
"""Degrees to the right that a clip goes, by its name."""
DIRECTIONS_OF |= {
    f"{gait} {angle} {side}": sign * (angle + 0.5)
    for gait in ("walk", "run")
    for angle in BETWEEN
    for side, sign in (("left", -1.0), ("right", 1.0))
}


def clip_id(name: str) -> AssetId:
    """Id of the clip of this name."""
    return AssetId(f"clip-{name.replace(' ', '-')}")


def _speed(fastest: float, divisions: int = 4) -> SpaceAxis:
    return SpaceAxis(
        "speed", 0.0, fastest, divisions, smoothing=Smoothing.EASE, smoothing_time=SMOOTH, unit="m/s"
    )


def _line(name: str, axis: SpaceAxis, *samples: tuple[str, float]) -> BlendSpace:
    return BlendSpace(
        AssetId(f"space-{name.replace(' ', '-')}"),
        name,
        RIG_ID,
        (axis,),
        tuple(SpaceSample(clip_id(clip), (place,)) for clip, place in samples),
        SpaceKind.LINE,
    )


def locomotion() -> BlendSpace:
    """Standing, walking and running by speed."""
    return _line("locomotion", _speed(RUN.speed), ("idle", 0.0), ("walk", WALK.speed), ("run", RUN.speed))


def crouch() -> BlendSpace:
    """Waiting and walking in a crouch by speed."""
    return _line(
        "crouch", _speed(CROUCH_WALK.speed, 3), ("crouch idle", 0.0), ("crouch walk", CROUCH_WALK.speed)
    )


def _gait_axis(fastest: float) -> SpaceAxis:
    return SpaceAxis(
        "gait", 1.0, fastest, round(fastest - 1.0), smoothing=Smoothing.EASE, smoothing_time=SMOOTH
    )


def _direction_axis(lowest: float) -> SpaceAxis:
    return SpaceAxis(
        "direction", lowest, lowest + 180.0, 8, smoothing=Smoothing.EASE, smoothing_time=SMOOTH, unit="°"
    )


def _ways(ways: dict[str, float], between: bool, ahead: bool) -> list[SpaceSample]:
    """Samples of walks and runs, with those half-way between the ways ahead or back where wanted."""
    more = {f" {a} {side}" for a in BETWEEN for side in ("left", "right") if between and (a < 90) == ahead}
    return [
        SpaceSample(clip_id(f"{gait}{way}"), (_placed(DIRECTIONS_OF[f"{gait}{way}"], ahead), CYCLES[gait]))
        for gait in ("walk", "run")
        for way in (*ways, *sorted(more))
    ]


def _placed(direction: float, ahead: bool) -> float:
    """A direction on the axis of the ways ahead, −90..90, or of the ways back, 90..270."""
    return direction if ahead else direction % 360.0


def forward(whole: bool = False) -> BlendSpace:
    """Ways ahead and to the sides with the hips forward, by direction (to the right positive) and gait value.

    One space for all directions would blend, round 112.5°, legs that walk ahead with legs that walk back, and
    planted feet would slide by half a metre a second; so there are two, and a graph changes between them.

    Parameters
    ----------
    whole
        With the sprint and the ways in between, which only the locomotion sample has.
    """
    samples = _ways(FORWARD_WAYS, whole, ahead=True)
    if whole:  # nobody sprints to the side: runs stand in for it
        samples += [
            SpaceSample(clip_id("sprint" if way == "" else f"run{way}"), (angle, CYCLES["sprint"]))
            for way, angle in FORWARD_WAYS.items()
        ]
    axes = _direction_axis(-90.0), _gait_axis(3.0 if whole else 2.0)
    return BlendSpace(AssetId("space-forward"), "forward", RIG_ID, axes, tuple(samples))


def backward(whole: bool = False) -> BlendSpace:
    """Ways back and to the sides with the hips backward: directions from 90° over 180° to 270°, which is the left.

    So what lies ahead, where legs that walk back cannot go, is no part of it.
    """
    samples = _ways(BACKWARD_WAYS, whole, ahead=False)
    axes = _direction_axis(90.0), _gait_axis(2.0)
    return BlendSpace(AssetId("space-backward"), "backward", RIG_ID, axes, tuple(samples))


def gaits() -> BlendSpace:
    """Walk, run and sprint straight ahead, by gait value."""
    return _line("gaits", _gait_axis(3.0), *CYCLES.items())


def _leans(name: str, base: str) -> BlendSpace:
    axes = tuple(
        SpaceAxis(axis, -1.0, 1.0, 2, smoothing=Smoothing.SPRING, smoothing_time=SMOOTH)
        for axis in ("right", "forward")
    )
    places = {"centre": (0.0, 0.0), "forward": (0.0, 1.0), "back": (0.0, -1.0), "left": (-1.0, 0.0),
              "right": (1.0, 0.0)}  # fmt: skip
    samples = tuple(SpaceSample(clip_id(f"{name} {way}"), place) for way, place in places.items())
    return BlendSpace(
        AssetId(f"space-{name.replace(' ', '-')}"), name, RIG_ID, axes, samples, SpaceKind.TRIANGLES,
        aim_offset=True, base_clip=clip_id(base), root_motion=MotionRule.ALL,
    )  # fmt: skip


def lean() -> BlendSpace:
    """Leans put on the run: to the right and forward."""
    return _leans("lean", "run")


def aim() -> BlendSpace:
    """Aiming by yaw (to the right positive) and pitch, put on ``idle``."""
    axes = (
        SpaceAxis("yaw", -YAW, YAW, 2, smoothing=Smoothing.EASE, smoothing_time=0.15, unit="°"),
        SpaceAxis("pitch", -PITCH, PITCH, 2, smoothing=Smoothing.EASE, smoothing_time=0.15, unit="°"),
    )
    samples = tuple(
        SpaceSample(clip_id(f"aim {name}"), (-yaw, pitch)) for name, (yaw, pitch) in DIRECTIONS.items()
    )
    return BlendSpace(
        AssetId("space-aim"), "aim", RIG_ID, axes, samples, aim_offset=True, base_clip=clip_id("idle")
    )


def build_spaces() -> tuple[BlendSpace, ...]:
    """All blend spaces, the one to open with first."""
    return locomotion(), forward(), backward(), crouch(), aim(), lean()


def stop(gait: str, foot: str) -> BlendSpace:
    """Stops with one foot ahead over the direction of the feet, −90 (left) to 90."""
    axis = SpaceAxis("direction", -90.0, 90.0, 2, unit="°")
    samples = ((f"{gait} stop left {foot}", -90.0), (f"{gait} stop forward {foot}", 0.0),
               (f"{gait} stop right {foot}", 90.0))  # fmt: skip
    return _line(f"{gait} stop {foot}", axis, *samples)


def air_lean() -> BlendSpace:
    """Leans in the air, put on the fall: to the right and forward."""
    return _leans("air lean", "fall")


def look() -> BlendSpace:
    """Looking all round by yaw (to the right positive) and pitch, put on ``idle``; straight back is either side's."""
    axes = (
        SpaceAxis("yaw", -180.0, 180.0, 4, smoothing=Smoothing.EASE, smoothing_time=0.15, unit="°"),
        SpaceAxis("pitch", -90.0, 90.0, 2, smoothing=Smoothing.EASE, smoothing_time=0.15, unit="°"),
    )
    samples = tuple(SpaceSample(clip_id(name), (-yaw, pitch)) for name, (yaw, pitch) in look_names().items())
    return BlendSpace(
        AssetId("space-look"), "look", RIG_ID, axes, samples, aim_offset=True, base_clip=clip_id("idle")
    )


def jump(foot: str) -> BlendSpace:
    """Jumps out of a walk and a run with one foot ahead, by gait value."""
    return _line(f"jump {foot}", _gait_axis(2.0), (f"walk jump {foot}", 1.0), (f"run jump {foot}", 2.0))


def falling() -> BlendSpace:
    """From a calm fall over a fast one to flailing, by the speed of the fall."""
    axis = SpaceAxis("fall speed", 0.0, 15.0, 3, smoothing=Smoothing.EASE, smoothing_time=SMOOTH, unit="m/s")
    return _line("falling", axis, ("fall", 0.0), ("fast fall", 7.0), ("flail", 15.0))


def build_locomotion_spaces() -> tuple[BlendSpace, ...]:
    """All blend spaces of the locomotion sample."""
    stops = (stop(gait, foot) for gait in ("walk", "run") for foot in ("LF", "RF"))
    return (
        locomotion(), gaits(), forward(whole=True), backward(whole=True), crouch(), aim(), lean(),
        look(), air_lean(), *stops, jump("LF"), jump("RF"), falling(),
    )  # fmt: skip

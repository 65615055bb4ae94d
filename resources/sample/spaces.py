"""The blend spaces of the sample document."""

from core.blending.blend_space import BlendSpace, MotionRule, Smoothing, SpaceAxis, SpaceKind, SpaceSample
from core.ids import AssetId
from resources.sample.clips.aim import DIRECTIONS, PITCH, YAW
from resources.sample.clips.crouch_walk import CROUCH_WALK
from resources.sample.clips.run import RUN
from resources.sample.clips.walk import WALK
from resources.sample.rig import RIG_ID

SMOOTH = 0.25
"""Seconds by which speed and direction follow the point."""
WAYS = {
    " back": -180.0,
    " back left": -135.0,
    " left": -90.0,
    " forward left": -45.0,
    "": 0.0,
    " forward right": 45.0,
    " right": 90.0,
    " back right": 135.0,
}
"""What walks and runs are named beyond their gait, and the direction they go, degrees to the right."""


def clip_id(name: str) -> AssetId:
    """Id of the clip of this name."""
    return AssetId(f"clip-{name.replace(' ', '-')}")


def _speed(fastest: float, divisions: int = 4) -> SpaceAxis:
    return SpaceAxis(
        "speed", 0.0, fastest, divisions, smoothing=Smoothing.EASE, smoothing_time=SMOOTH, unit="m/s"
    )


def _line(name: str, axis: SpaceAxis, *samples: tuple[str, float]) -> BlendSpace:
    return BlendSpace(
        AssetId(f"space-{name}"),
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


def directional() -> BlendSpace:
    """All ways to go by direction (to the right positive, as clips are measured) and speed."""
    direction = SpaceAxis("direction", -180.0, 180.0, 8, wrap=True, smoothing=Smoothing.EASE,
                          smoothing_time=SMOOTH, unit="°")  # fmt: skip
    samples = [
        SpaceSample(clip_id(f"{gait}{way}"), (angle, speed))
        for gait, speed in (("walk", WALK.speed), ("run", RUN.speed))
        for way, angle in WAYS.items()
    ]
    samples += [SpaceSample(clip_id("idle"), (angle, 0.0)) for angle in WAYS.values()]
    return BlendSpace(
        AssetId("space-directional"), "directional", RIG_ID, (direction, _speed(RUN.speed)), tuple(samples)
    )


def lean() -> BlendSpace:
    """Leans put on the run: to the right and forward."""
    axes = tuple(
        SpaceAxis(name, -1.0, 1.0, 2, smoothing=Smoothing.SPRING, smoothing_time=SMOOTH)
        for name in ("right", "forward")
    )
    places = {"centre": (0.0, 0.0), "forward": (0.0, 1.0), "back": (0.0, -1.0), "left": (-1.0, 0.0),
              "right": (1.0, 0.0)}  # fmt: skip
    samples = tuple(SpaceSample(clip_id(f"lean {name}"), place) for name, place in places.items())
    return BlendSpace(
        AssetId("space-lean"), "lean", RIG_ID, axes, samples, SpaceKind.TRIANGLES, aim_offset=True,
        base_clip=clip_id("run"), root_motion=MotionRule.ALL,
    )  # fmt: skip


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
    return locomotion(), directional(), crouch(), aim(), lean()

"""Cameras of a shot: where each stands, how its lens sees, and how both are keyed.

A camera looks along its own −Z with +Y up, as in glTF and USD. Its motion is a clip of a rig with one bone, so that
keys, curves and sampling are those of characters; the focal length is a curve of that clip.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import atan, isfinite, tan
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.clips.keying import KeyWhich, changed_channels, with_keys, without_keys
from core.errors import ValidationError
from core.ids import AssetId, Reference, Targets
from core.math import euler, quat
from core.math.transform import Transform
from core.rig.skeleton import Skeleton
from core.timing import TIME_EPSILON, FrameRate
from core.tracks import edits
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, Track, quaternion_track, scalar_track

BONE, LENS = "camera", "lens"
"""The bone of a camera's motion, and the curve of its focal length in millimetres."""
LEAST_LENS, MOST_LENS = 1.0, 5000.0
SENSOR = (36.0, 20.25)
"""Millimetres across and down of a new camera: full frame in 16:9."""
STILL = 1e-12


class CameraView(NamedTuple):
    """What a camera sees at one time.

    Parameters
    ----------
    position : (3,) world metres
    rotation : (4,) unit quaternion; it looks along its own −Z, +Y is up
    fov : vertical field of view, radians
    aspect : width by height
    height : metres seen from bottom to top by a parallel projection, or None
    """

    position: FloatArray
    rotation: FloatArray
    fov: float
    aspect: float
    height: float | None = None


def _no_motion() -> Clip:
    return Clip(AssetId("camera"), BONE, AssetId("camera"), 0.0)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ShotCamera:
    """A camera. An asset of the project.

    Parameters
    ----------
    place : where it stands while it is not keyed: metres and unit quaternion; the scale is not used
    lens : focal length in millimetres while it is not keyed
    sensor : millimetres across and down; they set the field of view, and the shape of the picture
    height : metres from bottom to top of a parallel projection; None for perspective
    motion : tracks of the bone `BONE` and the curve `LENS`, in seconds of playback
    near, far : metres between which other programs draw; the viewport chooses its own

    Raises
    ------
    ValidationError
        Numbers that are not finite, a lens or sensor that cannot be, no name.
    """

    id: AssetId
    name: str
    place: Transform = field(default_factory=lambda: Transform(np.zeros(3), quat.IDENTITY, np.ones(3)))
    lens: float = 35.0
    sensor: tuple[float, float] = SENSOR
    height: float | None = None
    motion: Clip = field(default_factory=_no_motion)
    near: float = 0.05
    far: float = 1000.0

    def __post_init__(self) -> None:
        what = f"camera {self.name!r}"
        if not self.name.strip():
            raise ValidationError("camera: expected a name")
        position, rotation = (np.array(part, dtype=np.float64) for part in self.place[:2])
        if position.shape != (3,) or rotation.shape != (4,) or not np.isfinite(position).all():
            raise ValidationError(f"{what}: expected a place of 3 numbers and a rotation of 4")
        if abs(float(np.linalg.norm(rotation)) - 1.0) > 1e-12:  # a saved one comes back bit for bit
            rotation = quat.require_units(rotation[None], f"{what} rotation")[0]
        scale = np.ones(3)
        for array in (position, rotation, scale):
            array.flags.writeable = False
        object.__setattr__(self, "place", Transform(position, rotation, scale))
        checked_lens(self.lens, what)
        if not all(isfinite(side) and 1e-3 <= side <= 1e5 for side in self.sensor):
            raise ValidationError(f"{what}: expected a sensor of two lengths in mm, got {self.sensor}")
        if not 0.01 <= self.aspect <= 100.0:
            raise ValidationError(f"{what}: a picture of {self.aspect:g} by 1 cannot be shown")
        if self.height is not None and not (isfinite(self.height) and 1e-6 < self.height < 1e6):
            raise ValidationError(f"{what}: expected a height above 0 m, got {self.height:g}")
        if not (0.0 < self.near < self.far and isfinite(self.far)):
            raise ValidationError(f"{what}: expected 0 < near < far, got {self.near:g} and {self.far:g}")

    def references(self) -> tuple[Reference, ...]:
        """No other asset."""
        return ()

    def with_targets(self, targets: Targets) -> "ShotCamera":
        """Itself: it names no other asset."""
        return self

    @property
    def aspect(self) -> float:
        """Width by height of its picture."""
        return self.sensor[0] / self.sensor[1]

    @property
    def keyed(self) -> bool:
        """Whether its place, rotation or lens has keys."""
        return bool(self.motion.tracks or self.motion.curves)

    @property
    def skeleton(self) -> Skeleton:
        """The one bone that its motion moves, resting at `place`."""
        rest = Transform(*(part[None] for part in self.place))
        order = np.array(
            [euler.order_index("ZXY")], dtype=np.uint8
        )  # turn, then tilt, then roll from outside in
        return Skeleton((BONE,), np.array([-1], dtype=np.int32), rest, order)


def checked_lens(lens: float, what: str) -> float:
    """The focal length; raises `ValidationError` for what cannot be one."""
    if not (isfinite(lens) and LEAST_LENS <= lens <= MOST_LENS):
        raise ValidationError(
            f"{what}: expected a focal length of {LEAST_LENS:g} to {MOST_LENS:g} mm, got {lens:g}"
        )
    return lens


def fov_of(lens: float, side: float) -> float:
    """Field of view in radians of a focal length across one side of the sensor, both in millimetres."""
    return 2.0 * atan(side / (2.0 * lens))


def lens_of(fov: float, side: float) -> float:
    """Focal length in millimetres of a field of view in radians; inverse of `fov_of`."""
    if not 0.0 < fov < np.pi:
        raise ValidationError(
            f"camera: expected a field of view between 0 and 180 degrees, got {np.degrees(fov):g}"
        )
    return side / (2.0 * tan(fov / 2.0))


_evaluators: "WeakKeyDictionary[ShotCamera, ClipEvaluator]" = WeakKeyDictionary()


def views(camera: ShotCamera, times: FloatArray) -> tuple[CameraView, ...]:
    """What a camera sees at times ``(T,)`` in seconds; before its first and after its last key it stands still."""
    lenses = np.full(len(times), camera.lens)
    if not camera.keyed:
        return tuple(_view(camera, *camera.place[:2], float(lens)) for lens in lenses)
    evaluator = _evaluators.get(camera)
    if evaluator is None:
        evaluator = _evaluators[camera] = ClipEvaluator(camera.skeleton, camera.motion)
    batch = evaluator.sample_many(np.asarray(times, dtype=np.float64))
    lenses = np.clip(batch.curves.get(LENS, lenses), LEAST_LENS, MOST_LENS)
    return tuple(
        _view(camera, batch.translations[n, 0], batch.rotations[n, 0], float(lens))
        for n, lens in enumerate(lenses)
    )


def view_at(camera: ShotCamera, time: float) -> CameraView:
    """What a camera sees at one time in seconds."""
    return views(camera, np.array([time]))[0]


def _view(camera: ShotCamera, position: FloatArray, rotation: FloatArray, lens: float) -> CameraView:
    return CameraView(
        np.array(position), np.array(rotation), fov_of(lens, camera.sensor[1]), camera.aspect, camera.height
    )


def lens_at(camera: ShotCamera, time: float) -> float:
    """Focal length in millimetres at a time."""
    return lens_of(view_at(camera, time).fov, camera.sensor[1])


# ------------------------------------------------------------ edits: old to new


def placed(
    camera: ShotCamera, position: FloatArray, rotation: FloatArray, time: float, key: bool
) -> ShotCamera:
    """The camera elsewhere: a key at a time where `key` or where its place is keyed, else its place."""
    goal = Transform(np.asarray(position, dtype=np.float64), quat.normalise(rotation), np.ones(3))
    if not (key or camera.motion.tracks):
        return replace(camera, place=goal)
    which = KeyWhich.ALL if key else KeyWhich.USED
    found = changed_channels(camera.motion, camera.skeleton, BONE, time, goal, None, which)
    values = {channel: value for channel, value in found.items() if channel.property is not Property.SCALE}
    return replace(camera, motion=_long_enough(with_keys(camera.motion, time, values)))


def with_lens(camera: ShotCamera, lens: float, time: float, key: bool) -> ShotCamera:
    """The camera with another focal length: a key at a time where `key` or where it is keyed already."""
    checked_lens(lens, f"camera {camera.name!r}")
    track = camera.motion.curves.get(LENS)
    if not key and track is None:
        return replace(camera, lens=lens)
    curves = {**camera.motion.curves, LENS: edits.set_value(track, time, lens)}
    return replace(camera, motion=_long_enough(replace(camera.motion, curves=curves)))


def keyed_at(camera: ShotCamera, time: float) -> ShotCamera:
    """The camera with keys of place, rotation and lens as they are at a time."""
    view, lens = view_at(camera, time), lens_at(camera, time)
    return with_lens(placed(camera, view.position, view.rotation, time, key=True), lens, time, key=True)


def unkeyed_at(camera: ShotCamera, time: float) -> ShotCamera:
    """The camera without its keys at a time; without any left it stays where it was then."""
    view, lens = view_at(camera, time), lens_at(camera, time)
    motion = without_keys(camera.motion, time, tuple(camera.motion.tracks))
    curves = dict(motion.curves)
    track = curves.pop(LENS, None)
    if track is not None:
        left_keys = edits.delete_keys(track, np.flatnonzero(np.abs(track.times - time) <= TIME_EPSILON))
        if left_keys is not None:
            curves[LENS] = left_keys
    motion = replace(motion, curves=curves)
    left = (
        camera
        if motion.tracks
        else replace(camera, place=Transform(view.position, view.rotation, np.ones(3)))
    )
    return replace(left, motion=motion, lens=camera.lens if LENS in curves else lens)


def retimed(camera: ShotCamera, times: Sequence[float], shift: float) -> ShotCamera:
    """The camera with its keys at some times moved by seconds, none before 0; moved keys win over those in their way.

    Returns
    -------
    ShotCamera
        The same where nothing moves.
    """
    chosen = np.asarray(sorted(times), dtype=np.float64)
    if not len(chosen) or not np.isfinite(shift):
        return camera
    step = max(shift, -float(chosen[0]))
    if abs(step) <= TIME_EPSILON:
        return camera

    def at_times(track: Track) -> Any:
        apart = np.abs(track.times[:, None] - chosen[None, :])
        return np.flatnonzero((apart <= TIME_EPSILON).any(axis=1))

    def moved(track: Any) -> Any:
        keys = at_times(track)
        return (
            edits.place_keys(track, keys, track.times[keys] + step, carry=False).track if len(keys) else track
        )

    tracks = {channel: moved(track) for channel, track in camera.motion.tracks.items()}
    curves = {name: moved(track) for name, track in camera.motion.curves.items()}
    return replace(camera, motion=_long_enough(replace(camera.motion, tracks=tracks, curves=curves)))


def key_times(camera: ShotCamera) -> FloatArray:
    """Times of all its keys, rising, each once."""
    found = [track.times for track in camera.motion.every_track()]
    return np.unique(np.concatenate(found)) if found else np.zeros(0)


def _long_enough(motion: Clip) -> Clip:
    return replace(motion, length=max(0.0, motion.last_key()))


# ------------------------------------------------------------ from files


def placed_as(camera: ShotCamera, position: FloatArray, rotation: FloatArray) -> ShotCamera:
    """The camera resting elsewhere; its keys stay."""
    return replace(camera, place=Transform(position, quat.normalise(rotation), np.ones(3)))


def sampled_camera(
    camera: ShotCamera, times: FloatArray, positions: FloatArray, rotations: FloatArray, lenses: FloatArray,
    rate: FrameRate | None = None,
) -> ShotCamera:  # fmt: skip
    """A camera that moves straight between samples; what does not move gets no keys.

    Parameters
    ----------
    times : ``(T,)`` seconds, rising
    positions, rotations, lenses : ``(T, 3)`` metres, ``(T, 4)`` quaternions, ``(T,)`` millimetres
    """
    turns = quat.continuous(quat.normalise(rotations))
    for lens in (float(lenses.min()), float(lenses.max())):
        checked_lens(lens, f"camera {camera.name!r}")
    base = replace(camera, place=Transform(positions[0], turns[0], np.ones(3)), lens=float(lenses[0]))
    tracks: dict[Channel, Track] = {}
    if np.abs(positions - positions[0]).max() > STILL:
        for axis in range(3):
            tracks[Channel(BONE, Property.TRANSLATE, axis)] = _straight(times, positions[:, axis])
    if np.abs(turns - turns[0]).max() > STILL:
        tracks[Channel(BONE, Property.ROTATE, WHOLE)] = quaternion_track(times, turns)
    curves = {}
    if np.abs(lenses - lenses[0]).max() > STILL:
        curves[LENS] = _straight(times, lenses)
    motion = replace(camera.motion, tracks=tracks, curves=curves, rate=rate or camera.motion.rate)
    return replace(base, motion=_long_enough(motion))


def _straight(times: FloatArray, values: FloatArray) -> ScalarTrack:
    column = np.ascontiguousarray(values)
    return scalar_track(times, column, interpolations=Interpolation.LINEAR, modes=TangentMode.LINEAR)


def camera_named(cameras: tuple[ShotCamera, ...], name: str) -> ShotCamera | None:
    """The first camera of that name, or None."""
    return next((camera for camera in cameras if camera.name == name), None)

"""What can be done to selected keys or whole curves with a few numbers, previewed live: filters, sliders, reduction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.clips.clip import Channel, Clip, Property
from core.clips.convert import RotationKind, convert_rotations
from core.clips.keying import loop_length
from core.clips.reduce import reduce_clip
from core.errors import ValidationError
from core.progress import Progress, counted
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.world_units import metres_per_unit
from core.tracks import filters
from core.tracks.keys import QuaternionTrack, ScalarTrack, Track
from core.tracks.places import KeyPlaces, Places
from core.tracks.reduce import reduced, reduced_rotation
from core.tracks.sliders import Slider, slid
from core.tracks.smoothing import smoothed_slopes
from editor.model.i18n import tr, trn
from editor.model.key_places import choices
from editor.tools import key_edits
from editor.tools.curves import edits
from editor.tools.curves.lanes import track_of, with_tracks
from editor.tools.key_edits import Keys


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number of an operation.

    Parameters
    ----------
    step : change for each pixel of a drag
    choices : titles to choose from; the value is then the number of one
    """

    id: str
    title: str
    value: float
    minimum: float
    maximum: float
    step: float
    unit: str = ""
    decimals: int = 2
    choices: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """A clip after an operation, and what it has to say about it."""

    clip: Clip
    note: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """What an operation works on: a frozen picture, so that it may run anywhere.

    Parameters
    ----------
    keys : the selected keys, or every key of the curves shown
    """

    clip: Clip
    keys: Keys
    rig: Rig | None
    meshes: tuple[Mesh, ...] = ()


PLACES = tuple(KeyPlaces)
"""The choices of the parameter ``places``, in the order of their titles."""
Apply = Callable[[Setting, Mapping[str, float], Progress], Outcome]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    Parameters
    ----------
    slow : whether it is to run off the window's thread
    """

    id: str
    title: str
    parameters: tuple[Parameter, ...]
    apply: Apply
    group: str
    slow: bool = False


def _scalar(
    change: Callable[
        [ScalarTrack, key_edits.Numbers, float | None, Mapping[str, float], Setting], ScalarTrack
    ],
) -> Apply:
    def apply(setting: Setting, values: Mapping[str, float], progress: Progress) -> Outcome:
        number = key_edits.count(setting.keys)
        if not number:
            raise ValidationError(tr("select keys first"))
        return Outcome(
            edits.changed(setting.clip, setting.keys, lambda t, k, loop: change(t, k, loop, values, setting))
        )

    return apply


def _slider(slider: Slider) -> Apply:
    return _scalar(
        lambda t, k, loop, v, s: slid(
            slider, t, k, v["amount"] / 100.0, loop, v.get("size", 1.0), int(v.get("seed", 0.0))
        )
    )


def _reduce(setting: Setting, values: Mapping[str, float], progress: Progress) -> Outcome:
    changes: dict[Channel, Track | None] = {}
    before = after = 0
    for place, (channel, numbers) in enumerate(setting.keys.items()):
        progress.report(place / len(setting.keys), tr("reducing keys"))
        track = track_of(setting.clip, channel)
        places = Places(_places(values), setting.clip.rate)
        if isinstance(track, ScalarTrack):
            share = values["tolerance"]
            if channel.property is not Property.ROTATE or not channel.is_bone:
                share /= 100.0 * _metres(setting.rig, channel)
            whole = None if len(numbers) in (1, len(track)) else numbers
            new: Track = reduced(track, share, whole, loop_length(setting.clip), places=places)
        elif isinstance(track, QuaternionTrack):
            new = reduced_rotation(track, values["tolerance"], places=places)
        else:
            continue
        before, after = before + len(track), after + len(new)
        changes[channel] = new
    return Outcome(with_tracks(setting.clip, changes), _keys_note(before, after))


def _metres(rig: Rig | None, channel: Channel) -> float:
    """Metres in the world of one unit of a channel; 1 of what is no translation."""
    index = rig.skeleton.find(channel.bone) if rig is not None else None
    if rig is None or index is None or not channel.is_bone or channel.property is not Property.TRANSLATE:
        return 1.0
    return float(metres_per_unit(rig.skeleton, index)[channel.axis])


def _keys_note(before: int, after: int) -> str:
    share = 100.0 * after / before if before else 100.0
    return trn(
        "{before} → {count} key ({share} %)", "{before} → {count} keys ({share} %)", after,
        before=f"{before:,}", share=f"{share:.1f}",
    )  # fmt: skip


def _reduce_world(setting: Setting, values: Mapping[str, float], progress: Progress) -> Outcome:
    if setting.rig is None:
        raise ValidationError(tr("open or import a character first"))
    channels = [c for c in setting.keys if c.is_bone]
    done = reduce_clip(
        setting.rig, setting.clip, values["millimetres"] / 1000.0, setting.meshes, channels, progress,
        _places(values),
    )  # fmt: skip
    note = tr(
        "{keys}, largest error {mm} mm at {bone}, frame {frame}",
        keys=_keys_note(done.before, done.after),
        mm=f"{done.metres * 1000.0:.3f}",
        bone=done.bone,
        frame=f"{setting.clip.rate.to_frame(done.time):.1f}",
    )
    return Outcome(done.clip, note)


def _euler(setting: Setting, values: Mapping[str, float], progress: Progress) -> Outcome:
    clip, changes = setting.clip, {}
    loop = loop_length(clip)
    bones = dict.fromkeys(
        c.bone for c in setting.keys if c.property is Property.ROTATE and c.is_bone and c.axis < 3
    )
    changed = 0
    for bone in counted(bones, tr("filtering")):
        channels = [Channel(bone, Property.ROTATE, axis) for axis in range(3)]
        tracks = [clip.scalar(c) for c in channels]
        x, y, z = tracks
        if x is None or y is None or z is None:
            continue
        chosen = [setting.keys.get(c) for c in channels]
        picked = [k for k in chosen if k is not None]
        partly = any(len(k) < len(x) for k in picked)
        order = (
            0
            if setting.rig is None
            else int(setting.rig.skeleton.euler_orders[setting.rig.skeleton.index(bone)])
        )
        some = np.unique(np.concatenate(picked)) if partly else None
        done = filters.euler_filter((x, y, z), order, some, loop)
        for channel, old, new in zip(channels, tracks, done, strict=True):
            changed += int(new is not old)
            changes[channel] = new
    if not bones:
        raise ValidationError(tr("select rotation curves in Euler angles"))
    return Outcome(
        with_tracks(clip, changes),
        trn("{count} curve changed", "{count} curves changed", changed)
        if changed
        else tr("there are no jumps"),
    )


def _convert(kind: RotationKind) -> Apply:
    def apply(setting: Setting, values: Mapping[str, float], progress: Progress) -> Outcome:
        if setting.rig is None:
            raise ValidationError(tr("open or import a character first"))
        bones = dict.fromkeys(c.bone for c in setting.keys if c.property is Property.ROTATE and c.is_bone)
        clip, worst, done = setting.clip, 0.0, 0
        left: list[str] = []
        before = sum(len(t) for t in clip.tracks.values())
        for place, bone in enumerate(bones):
            progress.report(place / len(bones), tr("converting {bone}", bone=bone))
            places = _places(values)
            made = convert_rotations(clip, setting.rig.skeleton, [bone], kind, values["degrees"], places)
            clip, worst, done = made.clip, max(worst, made.error), done + len(made.errors)
            left += made.left
        after = sum(len(t) for t in clip.tracks.values())
        text = trn(
            "{count} bone, largest error {error}°",
            "{count} bones, largest error {error}°",
            done,
            error=f"{worst:.4f}",
        )
        if worst > values["degrees"] and _places(values) in (KeyPlaces.OWN, KeyPlaces.EXACT):
            text += tr(" between keys (adding keys reduces it)")
        elif left:
            text += trn(" ({count} bone rotates too fast for a smaller error)",
                        " ({count} bones rotate too fast for a smaller error)", len(left))  # fmt: skip
        return Outcome(clip, f"{text}, {_keys_note(before, after)}" if done else tr("nothing to convert"))

    return apply


def _places(values: Mapping[str, float]) -> KeyPlaces:
    """Which of the choices of `PLACES` it is."""
    return PLACES[int(values["places"])]


def _amount(most: float = 150.0) -> Parameter:
    return Parameter("amount", tr("Amount"), 0.0, -most, most, 0.5, "%", 0)


def operations() -> Sequence[Operation]:
    """Every operation, in the order of the menu."""
    sliders, smooth, keys, turns = tr("Sliders"), tr("Smooth"), tr("Reduce"), tr("Rotations")
    bound = Parameter("degrees", tr("Error"), 0.05, 0.001, 10.0, 0.01, "°", 3)
    titles = {places: title for places, title, _ in choices()}
    where = Parameter(
        "places", tr("Keys"), 0.0, 0.0, len(PLACES) - 1.0, 1.0, choices=tuple(titles[p] for p in PLACES)
    )
    return (
        Operation("tween", tr("Tween"), (_amount(),), _slider(Slider.TWEEN), sliders),
        Operation("blend_neighbour", tr("Blend to neighbour"), (_amount(),), _slider(Slider.BLEND_NEIGHBOUR), sliders),
        Operation("scale_average", tr("Scale from average"), (_amount(300.0),), _slider(Slider.SCALE_AVERAGE), sliders),
        Operation("push_pull", tr("Push and pull"), (_amount(300.0),), _slider(Slider.PUSH_PULL), sliders),
        Operation(
            "time_offset", tr("Time offset"),
            (_amount(100.0), Parameter("size", tr("Full"), 0.2, 0.0, 10.0, 0.01, "s")),
            _slider(Slider.TIME_OFFSET), sliders,
        ),
        Operation(
            "noise", tr("Noise"),
            (
                _amount(100.0),
                Parameter("size", tr("Size"), 5.0, 0.0, 1000.0, 0.05),
                Parameter("seed", tr("Seed"), 1.0, 0.0, 9999.0, 0.1, "", 0),
            ),
            _slider(Slider.NOISE), sliders,
        ),
        Operation(
            "smooth", tr("Smooth slopes"),
            (
                Parameter("weight", tr("Before – after"), 50.0, 0.0, 100.0, 0.5, "%", 0),
                Parameter("strength", tr("Strength"), 100.0, 0.0, 100.0, 0.5, "%", 0),
            ),
            _scalar(
                lambda t, k, loop, v, s: smoothed_slopes(t, k, v["weight"] / 100.0, v["strength"] / 100.0, loop)
            ),
            smooth,
        ),
        Operation(
            "gaussian", tr("Gaussian"), (Parameter("seconds", tr("Width"), 0.05, 0.0, 2.0, 0.002, "s", 3),),
            _scalar(lambda t, k, loop, v, s: filters.gaussian(t, k, v["seconds"], loop)), smooth,
        ),
        Operation(
            "butterworth", tr("Butterworth"),
            (
                Parameter("cutoff", tr("Cutoff"), 6.0, 0.05, 500.0, 0.05, "Hz"),
                Parameter("order", tr("Order"), 2.0, 2.0, 8.0, 0.02, "", 0),
            ),
            _scalar(
                lambda t, k, loop, v, s: filters.butterworth(
                    t, k, v["cutoff"], s.clip.rate.fps, max(2, round(v["order"] / 2.0) * 2), loop
                )
            ),
            smooth,
        ),
        Operation(
            "reduce", tr("Reduce keys of curves"),
            (Parameter("tolerance", tr("Tolerance"), 0.1, 0.001, 100.0, 0.005, "° or cm", 3), where), _reduce, keys,
        ),
        Operation(
            "reduce_world", tr("Reduce keys by distance"),
            (Parameter("millimetres", tr("Distance"), 1.0, 0.01, 1000.0, 0.01, "mm", 3), where),
            _reduce_world, keys, True,
        ),
        Operation("euler_filter", tr("Euler filter"), (), _euler, turns),
        Operation(
            "to_quaternion", tr("Convert to quaternions"), (bound, where), _convert(RotationKind.QUATERNION),
            turns, True,
        ),
        Operation("to_euler", tr("Convert to Euler angles"), (bound, where), _convert(RotationKind.EULER), turns, True),
    )  # fmt: skip

"""Operations of the curve editor one by one: their numbers with bounds and units, and what each asks of the library."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import WHOLE, Channel, Property
from core.clips.convert import RotationKind, convert_rotations
from core.clips.keying import loop_length
from core.errors import ValidationError
from core.progress import Progress
from core.tracks import filters
from core.tracks.keys import QuaternionTrack, scalar_track
from core.tracks.places import KeyPlaces, Places
from core.tracks.reduce import reduced_rotation
from core.tracks.sliders import Slider, slid
from core.tracks.smoothing import smoothed_slopes
from editor.tools.curves.lanes import curve_channel
from editor.tools.curves.operations import PLACES, Setting, operations
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z, arm_project
from tests.editor.rigs import small_project


def found():
    """Every operation by its id."""
    return {o.id: o for o in operations()}


AMOUNT, WIDE = ("amount", 0, -150, 150, 0.5, "%", 0), ("amount", 0, -300, 300, 0.5, "%", 0)
WHERE = ("places", 0, 0, len(PLACES) - 1, 1, "", 2)
FULL, DEGREES = ("amount", 0, -100, 100, 0.5, "%", 0), ("degrees", 0.05, 0.001, 10, 0.01, "°", 3)
TABLE = {
    "tween": [AMOUNT], "blend_neighbour": [AMOUNT], "scale_average": [WIDE], "push_pull": [WIDE],
    "time_offset": [FULL, ("size", 0.2, 0, 10, 0.01, "s", 2)],
    "noise": [FULL, ("size", 5, 0, 1000, 0.05, "", 2), ("seed", 1, 0, 9999, 0.1, "", 0)],
    "smooth": [("weight", 50, 0, 100, 0.5, "%", 0), ("strength", 100, 0, 100, 0.5, "%", 0)],
    "gaussian": [("seconds", 0.05, 0, 2, 0.002, "s", 3)],
    "butterworth": [("cutoff", 6, 0.05, 500, 0.05, "Hz", 2), ("order", 2, 2, 8, 0.02, "", 0)],
    "reduce": [("tolerance", 0.1, 0.001, 100, 0.005, "° or cm", 3), WHERE],
    "reduce_world": [("millimetres", 1, 0.01, 1000, 0.01, "mm", 3), WHERE],
    "euler_filter": [], "to_quaternion": [DEGREES, WHERE], "to_euler": [DEGREES, WHERE],
}  # fmt: skip
GROUPS = {
    "Sliders": ["tween", "blend_neighbour", "scale_average", "push_pull", "time_offset", "noise"],
    "Smooth": ["smooth", "gaussian", "butterworth"], "Reduce": ["reduce", "reduce_world"],
    "Rotations": ["euler_filter", "to_quaternion", "to_euler"],
}  # fmt: skip


def test_every_number_has_its_bounds_step_and_unit():
    assert {
        id: [(p.id, p.value, p.minimum, p.maximum, p.step, p.unit, p.decimals) for p in o.parameters]
        for id, o in found().items()
    } == TABLE
    assert [(g, [o.id for o in found().values() if o.group == g]) for g in GROUPS] == list(GROUPS.items())
    assert {id for id, o in found().items() if o.slow} == {"reduce_world", "to_quaternion", "to_euler"}
    for operation in found().values():
        for p in operation.parameters:
            assert bool(p.choices) is (p.id == "places") and len(p.choices) in (0, len(PLACES))


def of(keys, looping=False, project=None):
    made = project or arm_project()
    return Setting(replace(made.clips[0], looping=looping), keys, made.rigs[0])


def run(id, setting, **values):
    start = {p.id: p.value for p in found()[id].parameters}
    return found()[id].apply(setting, start | values, Progress())


KEYS = {X: np.array([2, 3, 4]), Y: np.array([1])}


@pytest.mark.parametrize("looping", [False, True])
@pytest.mark.parametrize("id, values, work", [
    *(
        (id, {"amount": 40.0}, lambda t, k, loop, id=id: slid(Slider[id.upper()], t, k, 0.4, loop, 1.0, 0))
        for id in ("tween", "blend_neighbour", "scale_average", "push_pull")
    ),
    (
        "time_offset", {"amount": -50.0, "size": 0.3},
        lambda t, k, loop: slid(Slider.TIME_OFFSET, t, k, -0.5, loop, 0.3, 0),
    ),
    ("noise", {"amount": 70.0, "seed": 7.0}, lambda t, k, loop: slid(Slider.NOISE, t, k, 0.7, loop, 5.0, 7)),
    ("smooth", {"weight": 30.0, "strength": 60.0}, lambda t, k, loop: smoothed_slopes(t, k, 0.3, 0.6, loop)),
    ("gaussian", {"seconds": 0.2}, lambda t, k, loop: filters.gaussian(t, k, 0.2, loop)),
    *(
        (
            "butterworth", {"cutoff": 3.0, "order": order},
            lambda t, k, loop, n=n: filters.butterworth(t, k, 3.0, 30.0, n, loop),
        )
        for order, n in ((2.0, 2), (4.6, 4), (5.2, 6), (0.0, 2))
    ),
])  # fmt: skip
def test_sliders_and_filters_change_the_selected_keys_alone(id, values, work, looping):
    setting = of(KEYS, looping)
    loop = loop_length(setting.clip)
    done = run(id, setting, **values)
    assert done.note == "" and (loop is not None) is looping
    for channel, track in setting.clip.tracks.items():
        wanted = work(track, KEYS[channel], loop) if channel in KEYS else track
        assert same_value(done.clip.tracks[channel], wanted), channel
    with pytest.raises(ValidationError, match="select keys first"):
        run(id, of({}), **values)


def test_rotations_as_quaternions_and_curves_are_reduced_too():
    setting = of(
        {TURN: np.arange(5), curve_channel("blink"): np.arange(3), Channel("gone", Property.ROTATE, 0): [0]}
    )
    seen = []
    progress = Progress(lambda share, text: seen.append((round(share, 3), text)))
    values = {p.id: p.value for p in found()["reduce"].parameters} | {"tolerance": 30.0}
    done = found()["reduce"].apply(setting, values, progress)
    assert seen == [(0.0, "reducing keys"), (0.333, "reducing keys"), (0.667, "reducing keys")]
    wanted = reduced_rotation(setting.clip.tracks[TURN], 30.0, places=Places(PLACES[0], setting.clip.rate))
    assert same_value(done.clip.tracks[TURN], wanted)
    after = len(wanted) + len(done.clip.curves["blink"])
    assert done.note == f"8 → {after} keys ({100.0 * after / 8:.1f} %)"
    assert run("reduce", of({})).note == "0 → 0 keys (100.0 %)"


def test_some_selected_keys_alone_are_reduced_but_one_stands_for_its_whole_curve():
    times = np.arange(31) / 30.0
    flat = scalar_track(times, np.zeros(31))
    base = of({})
    clip = base.clip.with_tracks({X: flat})

    def left(numbers):
        return len(run("reduce", replace(base, clip=clip, keys={X: np.array(numbers)})).clip.tracks[X])

    whole = left(range(31))
    assert left([5]) == whole <= 2 and left([5, 6, 7]) > 25


def test_reducing_by_distance_says_where_it_errs_most():
    project = small_project(mesh=False)
    keys = {c: np.arange(len(t)) for c, t in project.clips[0].tracks.items()}
    setting = Setting(project.clips[0], keys, project.rigs[0])
    done = run("reduce_world", setting, millimetres=20.0)
    before, after = sum(map(len, keys.values())), sum(len(t) for t in done.clip.tracks.values())
    head = f"{before} → {after} keys ({100.0 * after / before:.1f} %), largest error "
    assert done.note.startswith(head) and after < before
    assert 0.0 <= float(done.note.removeprefix(head).split(" mm at ")[0]) <= 20.0
    assert float(done.note.rpartition("frame ")[2]) <= 60.0
    none = run(
        "reduce_world", replace(setting, keys={curve_channel("blink"): np.array([0])}), millimetres=500.0
    )
    assert none.clip.tracks == setting.clip.tracks or len(none.clip.tracks) == len(setting.clip.tracks)
    with pytest.raises(ValidationError, match="character first"):
        run("reduce_world", replace(setting, rig=None))


# ---------------------------------------------------------------- Euler angles
def jumping(keys=None):
    """The arm's turn with a jump by a whole round in X from key 4 on."""
    base = of({})
    times = base.clip.tracks[X].times
    smooth = np.linspace(0.0, 70.0, 8)
    tracks = {X: scalar_track(times, smooth + 360.0 * (np.arange(8) >= 4)), Y: scalar_track(times, smooth * 0.1),
              Z: scalar_track(times, np.zeros(8))}  # fmt: skip
    chosen = {c: np.arange(8) for c in (X, Y, Z)} if keys is None else keys
    return replace(base, clip=base.clip.with_tracks(tracks), keys=chosen), smooth


def test_jumps_by_a_whole_round_are_taken_out_and_counted():
    setting, smooth = jumping()
    done = run("euler_filter", setting)
    assert np.allclose(done.clip.tracks[X].values, smooth) and done.note == "1 curve changed"
    assert done.clip.tracks[Y] is setting.clip.tracks[Y]
    again = run("euler_filter", replace(setting, clip=done.clip))
    assert again.note == "there are no jumps" and again.clip.tracks[X] is done.clip.tracks[X]


def test_of_some_selected_keys_the_others_stay():
    setting, smooth = jumping({X: np.array([4, 5])})
    values = run("euler_filter", setting).clip.tracks[X].values
    assert np.allclose(values[[4, 5]], smooth[[4, 5]]) and np.allclose(values[[6, 7]], smooth[[6, 7]] + 360.0)
    setting, smooth = jumping({Y: np.arange(8)})  # all of one curve stand for the whole turn
    assert np.allclose(run("euler_filter", setting).clip.tracks[X].values, smooth)


def test_turns_without_all_three_angles_are_passed_over_and_others_refused():
    setting, smooth = jumping()
    lame = replace(setting, clip=setting.clip.with_tracks({Z: None}))
    assert run("euler_filter", lame).note == "there are no jumps"
    for channel in (TURN, Channel("arm", Property.TRANSLATE, 0), curve_channel("blink"), None):
        keys = {} if channel is None else {channel: np.array([0])}
        with pytest.raises(ValidationError, match="Euler angles"):
            run("euler_filter", replace(setting, keys=keys))
    assert np.allclose(run("euler_filter", replace(setting, rig=None)).clip.tracks[X].values, smooth)


@pytest.mark.parametrize("id, kind, keys, bone", [
    ("to_quaternion", RotationKind.QUATERNION, {X: np.array([0]), Y: np.array([1])}, "arm"),
    ("to_euler", RotationKind.EULER, {TURN: np.array([0])}, "hand"),
])  # fmt: skip
def test_rotations_are_converted_and_it_is_said_how_well(id, kind, keys, bone):
    setting = of(keys | {Channel("arm", Property.TRANSLATE, 0): np.array([0])})
    done = run(id, setting, degrees=0.5, places=float(PLACES.index(KeyPlaces.OWN)))
    made = convert_rotations(setting.clip, setting.rig.skeleton, [bone], kind, 0.5, KeyPlaces.OWN)
    assert same_value(done.clip, made.clip)
    whole = Channel(bone, Property.ROTATE, WHOLE)
    assert isinstance(done.clip.tracks.get(whole), QuaternionTrack) is (kind is RotationKind.QUATERNION)
    before, after = (sum(len(t) for t in c.tracks.values()) for c in (setting.clip, done.clip))
    aside = " between keys (adding keys reduces it)" if made.error > 0.5 else ""
    counts = f"{before} → {after} keys ({100 * after / before:.1f} %)"
    assert done.note == f"1 bone, largest error {made.error:.4f}°{aside}, {counts}"
    assert run(id, replace(setting, keys={})).note == "nothing to convert"
    with pytest.raises(ValidationError, match="character first"):
        run(id, replace(setting, rig=None))

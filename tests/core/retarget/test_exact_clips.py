"""Feet held, floors levelled, hands that reach and whole clips: exact results of many cases."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.clips.bake import bake
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Clip, RootMotion
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.progress import Progress
from core.retarget.chain_map import ChainMap, Part, propose_map
from core.retarget.contacts import ContactLimits, ContactSpan
from core.retarget.drift import floor_of, levelled
from core.retarget.lock import LockOptions, find_contacts, held
from core.retarget.reach import with_reach
from core.retarget.retarget import Options, carry, retarget_clip
from core.retarget.transfer import Binding, Stride, TransferOptions, transfer
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import scalar_track
from tests.core.retarget.figures import figure, motion
from tests.core.retarget.test_knees import FPS, compass
from tests.core.retarget.test_lock import bound
from tests.core.retarget.test_references import lying
from tests.core.retarget.test_tips import without_bones
from tests.pins import Pins

PINS = Pins(__file__)
FRAMES = 84


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def under_scale(skeleton: Skeleton) -> Skeleton:
    """The skeleton with a root that is turned and scaled."""
    parts = [np.array(part) for part in skeleton.rest]
    spin = quat.from_axis_angle([0.6, 0.0, 0.8], 0.7)
    hips = skeleton.index("hips")
    parts[0][hips] = quat.rotate(quat.conjugate(spin), parts[0][hips]) / 1.6
    parts[1][hips] = quat.multiply(quat.conjugate(spin), parts[1][hips])
    parts[1][0], parts[2][0], parts[2][hips] = spin, 1.6, 1.0 / 1.6
    return Skeleton(skeleton.names, skeleton.parents, Transform(*parts))


@cache
def bindings() -> dict[str, Binding]:
    any_axes = figure(rng=rng(1))
    return {
        "smaller": bound(figure(), figure(4, 0.8, 40.0)),
        "any axes": bound(any_axes, figure(4, 1.2, 40.0, rng=rng(2))),
        "scaled root": bound(figure(), under_scale(figure(2, 0.9))),
        "no toes": bound(any_axes, without_bones(figure(size=1.1), "ball_l", "ball_r")),
        "itself": bound(any_axes, any_axes),
    }


NAMES = ("smaller", "any axes", "scaled root", "no toes", "itself")


@cache
def walk(source: Skeleton) -> Transform:
    """A walk on straight legs, on the floor of a capture: it rises and the feet slide a little."""
    local = compass(figure(), FRAMES / FPS, 0.012, 0.004)
    return transfer(bound(figure(), source), local)


def steps(source: Skeleton, drift: float = 0.0, cut: int = 0) -> Transform:
    """The walk of a figure; feet tilt, its floor rises more, and it may begin with frames of the rest pose."""
    local = Transform(*(np.array(part) for part in walk(source)))
    tilt = 0.06 * np.sin(np.arange(FRAMES)[:, None] / [7.0, 9.0, 5.0])
    for foot in [source.index(name) for name in ("foot_l", "foot_r")]:
        local.rotation[:, foot] = quat.multiply(local.rotation[:, foot], quat.from_rotation_vector(tilt))
    local.translation[:, 0, 1] += drift * np.linspace(0.0, 1.0, FRAMES) ** 2
    local.rotation[:cut] = source.rest.rotation
    return local


SPANS = tuple(
    ContactSpan(*each)
    for each in (("left foot", 0, 2, 14), ("left foot", 1, 4, 20), ("right foot", 1, 22, 40), ("right foot", 0, 30, 30),
                 ("left hand", 0, 5, 25), ("left foot", 0, 65, 120), ("left foot", 2, 0, 9), ("tail", 0, 1, 9))
)  # fmt: skip
LOCKS = {
    "usual": LockOptions(),
    "hands too": LockOptions(hands=True),
    "hands alone": LockOptions(feet=False, hands=True, spans=SPANS),
    "spans of one's own": LockOptions(spans=SPANS, hands=True),
    "no floor": LockOptions(floor=False),
    "no floor, own spans": LockOptions(floor=False, spans=SPANS),
    "not flat": LockOptions(flat=False),
    "hips left alone": LockOptions(hip_drop=0.0, spans=SPANS),
    "half of the hips": LockOptions(hip_drop=0.5, drop_seconds=0.1),
    "slow hips": LockOptions(drop_seconds=1.0, spans=SPANS),
    "stiff knees": LockOptions(knee_limit=3.0, spans=SPANS),
    "loose knees": LockOptions(knee_limit=180.0),
    "other limits": LockOptions(limits=ContactLimits(0.1, 0.2, 1.0, 2.0, 0.1, 0.05, 0.0)),
}


@pytest.mark.parametrize("name", NAMES)
def test_limbs_held(name: str):
    binding = bindings()[name]
    whole = name in ("smaller", "any axes")
    cases = []
    for drift, cut, lift, looping in ((0.0, 0, 0.0, False), (0.08, 0, 0.05, True), (-0.05, 6, 0.0, False)):
        local = steps(binding.source, drift, cut)
        carried = transfer(binding, local, TransferOptions(floor_offset=lift))
        carried.translation[:, binding.moved()[-1]] += (
            0.02 * np.sin(np.arange(FRAMES) / 5.0)[:, None] * [1.0, 0.6, -0.4]
        )
        for part in (*local, *carried):
            part.flags.writeable = False
        cases.append((local, kinematics.to_model(binding.source, local), carried, lift, looping))
    for lock, options in LOCKS.items() if whole else list(LOCKS.items())[:4]:
        with PINS.together(f"held {name}, {lock}") as note:
            for local, model, carried, lift, looping in cases:
                done, slip = held(binding, local, carried, FPS, options, floor_offset=lift, looping=looping)
                note(done.rotation, done.translation, slip)
                note(find_contacts(binding, model, FPS, options))


def test_figures_far_off_the_floor_and_short_clips():
    binding = bindings()["smaller"]
    bone = binding.target.index("hips")
    for frames, down in ((1, 0.0), (2, 0.05), (3, 0.05), (20, 0.06), (20, 0.09), (20, 0.3), (20, -0.06)):
        local = Transform(*(part[:frames] for part in steps(binding.source)))
        carried = transfer(binding, local)
        carried.translation[:, bone, 1] -= down
        with PINS.together(f"{frames} frames, {down} m down") as note:
            for spans in (None, (ContactSpan("left foot", 0, 0, 2), ContactSpan("left foot", 1, 1, 2))):
                done, slip = held(binding, local, carried, FPS, LockOptions(spans=spans))
                note(done.rotation, done.translation, slip)


@pytest.mark.parametrize(("frames", "lands"), [(2, True), (1, False)])
def test_two_points_that_stand_for_two_frames_say_where_the_floor_is_and_less_does_not(frames, lands):
    whole = bindings()["smaller"]
    local = Transform(*(np.repeat(part[None], 30, axis=0) for part in whole.source.rest))
    carried = transfer(whole, local)
    carried.translation[:, whole.target.index("hips"), 1] += 0.02
    spans = tuple(ContactSpan("left foot", point, 10, 9 + frames) for point in (0, 1))
    options = LockOptions(spans=spans, hip_drop=0.0)
    hips = held(whole, local, carried, FPS, options)[0].translation[:, whole.target.index("hips"), 1]
    assert hips - carried.translation[:, whole.target.index("hips"), 1] == pytest.approx(
        np.full(30, -0.02 if lands else 0.0), abs=1e-9
    )


def test_spans_beyond_a_clip_are_those_within_it():
    binding = bindings()["smaller"]
    local = Transform(*(part[:40] for part in steps(binding.source)))
    carried = transfer(binding, local)
    beyond = (
        ("left foot", 0, -20, 15),
        ("left foot", 1, 30, 90),
        ("right foot", 0, 40, 60),
        ("right foot", 1, -9, -1),
    )
    within = (("left foot", 0, 0, 15), ("left foot", 1, 30, 39))
    made = [
        held(binding, local, carried, FPS, LockOptions(spans=tuple(ContactSpan(*span) for span in spans)))
        for spans in (beyond, within)
    ]
    assert made[0][1] == made[1][1] and made[0][1].contacts == 2
    for one, two in zip(made[0][0], made[1][0], strict=True):
        assert np.array_equal(one, two)


def test_figures_without_hips_or_legs_are_held_as_far_as_it_goes():
    whole = bindings()["smaller"]
    local = steps(whole.source)
    carried = transfer(whole, local)
    carried.translation[:, 0, 1] += 0.03
    for gone in ((Part.HIPS,), (Part.LEG,), (Part.FOOT,), (Part.TOE,), (Part.LEG, Part.ARM)):
        chains = replace(whole.chains, chains=tuple(p for p in whole.chains.chains if p.part not in gone))
        binding = replace(whole, chains=chains)
        done, slip = held(binding, local, carried, FPS, LockOptions(hands=True, spans=SPANS))
        PINS.hold(f"held without {' '.join(gone)}", done.rotation, done.translation, slip)


def test_floors_levelled():
    for name in NAMES:
        binding = bindings()[name]
        for fps, seconds in ((30.0, 1.0), (30.0, 0.1), (0.2, 1.0)):
            local = steps(binding.source, 0.2)
            model = kinematics.to_model(binding.source, local)
            PINS.hold(f"floor {name}, {fps:g}, {seconds} s", floor_of(binding, model, fps, seconds))
        PINS.hold(f"levelled {name}", levelled(binding, steps(binding.source, 0.2), FPS))
    turned = bound(under_scale(figure(2, 0.9)), figure())
    PINS.hold("levelled, scaled root", levelled(turned, motion(turned.source, rng(3), 50, 0.2), FPS))
    none = replace(turned, chains=ChainMap(turned.chains.part(Part.ARM)))
    local = motion(turned.source, rng(3), 5, 0.2)
    done, most = levelled(none, local, 30.0)
    assert done is local and most == 0.0
    assert not floor_of(none, kinematics.to_model(turned.source, local), FPS).any()


def test_hands_reach():
    for name in NAMES:
        binding = bindings()[name]
        local = motion(binding.source, rng(4), 6, 0.3)
        carried = transfer(binding, local)
        with PINS.together(f"reach {name}") as note:
            for share in (0.2, 1.0, 1.7):
                note(with_reach(binding, local, carried, share).rotation)
        for still in (0.0, -1.0):
            assert with_reach(binding, local, carried, still) is carried
        assert with_reach(replace(binding, anchors=((), ())), local, carried, 1.0) is carried


# ------------------------------------------------------------ clips
def rig(skeleton: Skeleton, name: str) -> Rig:
    return Rig(AssetId(f"rig-{name}"), name, skeleton)


def clip_of(source: Rig, local: Transform, name: str = "move", **other) -> Clip:
    times = np.arange(len(local.translation)) / FPS
    tracks = bake(source.skeleton, times, local, rest_tolerance=None)
    return Clip(
        AssetId(f"clip-{name}"), name, source.id, float(times[-1]), FrameRate.of(FPS), tracks=tracks, **other
    )


def noted(told: list[object]) -> Progress:
    return Progress(lambda share, text: told.extend((share, text)))


SOURCE, TARGET = rig(figure(rng=rng(1)), "a"), rig(figure(4, 0.8, 40.0), "b")
CURVE = scalar_track([0.0, 0.2], [0.0, 1.0])
CHOSEN = {
    "usual": Options(),
    "free": Options(lock=None),
    "level": Options(level_floor=True),
    "hands": Options(TransferOptions(arm_reach=0.7), LockOptions(hands=True)),
    "lifted, no scale": Options(TransferOptions(Stride.NONE, 1.5, 0.1)),
    "turned": Options(adjust={"spine": (10.0, 0.0, 5.0)}, turns={"left arm": 0.3}),
    "reference": Options(reference=Transform(*(part[1] for part in motion(SOURCE.skeleton, rng(5), 2, 0.3)))),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_clips_carried(name: str):
    chains = propose_map(SOURCE.skeleton, TARGET.skeleton)
    for looping in (False, True):
        local = steps(SOURCE.skeleton, 0.06)
        clip = clip_of(SOURCE, local, looping=looping)
        told: list[object] = []
        done = carry(SOURCE, clip, TARGET, chains, CHOSEN[name], noted(told))
        PINS.hold(f"carried, {name}, looping {looping}", done.times, done.local, done.contacts, done.slip,
                  done.levelled, told)  # fmt: skip
    brief = clip_of(SOURCE, Transform(*(part[:1] for part in local)))
    one = carry(SOURCE, brief, TARGET, chains, CHOSEN[name])
    PINS.hold(f"carried, {name}, one frame", one.local, one.contacts, one.slip)


@pytest.mark.parametrize("base", AdditiveBase)
@pytest.mark.parametrize("space", AdditiveSpace)
def test_differences_carried(space: AdditiveSpace, base: AdditiveBase):
    under = clip_of(SOURCE, motion(SOURCE.skeleton, rng(6), 7, 0.2), "base")
    for of in (None, under.id, AssetId("clip-move")):
        if base in (AdditiveBase.CLIP, AdditiveBase.FRAME) or of is None:
            over = clip_of(
                SOURCE, motion(SOURCE.skeleton, rng(7), 7, 0.2), additive=Additive(space, base, of, 0.1)
            )
            hands = Options(TransferOptions(arm_reach=1.0))
            done = retarget_clip(SOURCE, over, TARGET, options=hands, id=AssetId("clip-t"), bases=(under,))
            PINS.hold(
                f"difference {space} {base} {of}", done.clip.additive, values(done.clip), done.report.slip
            )


def values(clip: Clip) -> dict[str, object]:
    """Keys of a clip's tracks by bone and property."""
    return {f"{c.bone} {c.property.name}": (t.times, t.values) for c, t in clip.tracks.items()}


def test_whole_clips():
    toes = without_bones(SOURCE.skeleton, "ball_l", "middle_01_l")
    cases = {
        "walk": (SOURCE, {"looping": True, "root_motion": RootMotion(True, "hips")}),
        "with curves": (SOURCE, {"curves": {"speed": CURVE, "ik/Left/weight": CURVE, "ik/Left/goal x": CURVE},
                                 "morphs": {"face/a": CURVE, "face/b": CURVE},
                                 "root_motion": RootMotion(True, "tail")}),
        "toes less": (rig(toes, "d"), {"root_motion": RootMotion(False, "root")}),
    }  # fmt: skip
    for name, (source, other) in cases.items():
        local = steps(source.skeleton, 0.2)
        for floor in (False, True):
            clip = clip_of(source, local, "walk", **other)
            options = Options(level_floor=floor)
            told: list[object] = []
            given = {"id": AssetId("clip-t"), "progress": noted(told)}
            done = retarget_clip(source, clip, TARGET, options=options, **given)
            worst, bone = done.report.deviation
            report = replace(done.report, seconds=0.0, deviation=(worst, bone if worst > 0.01 else "none"))
            assert 0.0 < done.report.seconds < 600.0
            PINS.hold(f"{name}, level {floor}", values(done.clip), done.clip.root_motion, list(done.clip.curves),
                      list(done.clip.morphs), done.clip.looping, report.notes, report, told)  # fmt: skip
            assert (done.clip.id, done.clip.rig, done.clip.retarget_source) == ("clip-t", TARGET.id, None)


def test_notes_of_a_map_and_of_a_reference():
    source = rig(lying(SOURCE.skeleton), "c")
    clip = clip_of(source, steps(source.skeleton))
    reference = Transform(*(part[3] for part in steps(source.skeleton)))
    for options in (Options(), Options(reference=reference)):
        done = retarget_clip(source, clip, TARGET, options=options, id=AssetId("clip-t"))
        standing = any("no standing pose" in note for note in done.report.notes)
        assert standing is (options.reference is None)


@pytest.mark.parametrize(
    ("rise", "note"), [(0.0, ""), (0.004, ""), (0.2, "the floor rose and fell by up to 20 cm")]
)
def test_floor_is_told_of_where_it_rose_by_a_centimetre(rise: float, note: str):
    still = Transform(*(np.repeat(np.array(part)[None], 240, axis=0) for part in SOURCE.skeleton.rest))
    still.translation[:, SOURCE.skeleton.index("hips"), 1] += rise
    clip = clip_of(SOURCE, still)
    made = retarget_clip(SOURCE, clip, TARGET, options=Options(level_floor=True), id=AssetId("level"))
    told = [text for text in made.report.notes if "floor" in text]
    assert [text.startswith(note) for text in told] == ([True] if note else [])

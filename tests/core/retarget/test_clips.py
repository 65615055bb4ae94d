"""Whole clips: additive ones, what the report tells, what is kept and what is not."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.clips.additive import AdditiveSampler
from core.clips.bake import bake
from core.clips.clip import (
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Clip,
    Marker,
    Notify,
    RootMotion,
    RootPose,
    SyncMarker,
)
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.ik.rigged import sample_many
from core.io import load
from core.math import quat
from core.pose import kinematics
from core.progress import Progress
from core.retarget.chain_map import ChainMap, propose_map
from core.retarget.contacts import floor_under
from core.retarget.limbs import limbs_of
from core.retarget.retarget import Options, carry, retarget_clip
from core.rig.rig import Rig
from core.timing import FrameRate
from core.tracks.keys import scalar_track
from tests.core.retarget.figures import figure, motion, sample

FRAMES = np.arange(7) / 30.0


def clip_of(rig: Rig, seed: int, name: str = "move") -> Clip:
    local = motion(rig.skeleton, np.random.default_rng(seed), 7, 0.3)
    return Clip(
        AssetId(f"clip-{name}"), name, rig.id, FRAMES[-1], FrameRate.of(30),
        tracks=bake(rig.skeleton, FRAMES, local, rest_tolerance=None),
    )  # fmt: skip


def rigs(own: bool = False) -> tuple[Rig, Rig]:
    source = Rig(AssetId("rig-a"), "a", figure())
    other = source.skeleton if own else figure(4, 0.8, 40.0)
    return source, Rig(AssetId("rig-b"), "b", other)


@pytest.mark.parametrize("space", list(AdditiveSpace))
@pytest.mark.parametrize("base", [AdditiveBase.CLIP, AdditiveBase.FRAME])
def test_a_difference_from_another_clip_stays_that_difference(
    space: AdditiveSpace, base: AdditiveBase
) -> None:
    source, target = rigs(own=True)
    under, over = clip_of(source, 1, "base"), clip_of(source, 2)
    over = replace(over, additive=Additive(space, base, under.id, 0.1))
    done = retarget_clip(source, over, target, id=AssetId("clip-t"), bases=(under,)).clip
    assert done.additive == Additive(space, AdditiveBase.REST)
    wanted = AdditiveSampler(source, over, {under.id: under}).deltas(FRAMES).local
    found = AdditiveSampler(target, done, {}).deltas(FRAMES).local
    assert quat.angle_between(wanted.rotation, found.rotation).max() < 1e-6
    moved = [source.skeleton.index("root"), source.skeleton.index("hips")]
    assert np.abs(wanted.translation - found.translation)[:, moved].max() < 1e-6


def test_an_additive_clip_without_its_base_is_refused_and_holds_no_feet() -> None:
    source, target = rigs()
    over = replace(
        clip_of(source, 2), additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, AssetId("no"))
    )
    with pytest.raises(MissingReferenceError, match="additive base"):
        retarget_clip(source, over, target, id=AssetId("clip-t"))
    rest = replace(over, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST))
    done = retarget_clip(source, rest, target, id=AssetId("clip-t"))
    assert done.report.slip is None and done.clip.additive == rest.additive


def test_poses_before_keying_are_those_of_the_clip() -> None:
    source, target = rigs()
    clip = clip_of(source, 3)
    chains = propose_map(source.skeleton, target.skeleton)
    carried = carry(source, clip, target, chains)
    done = retarget_clip(source, clip, target, chains, id=AssetId("clip-t"))
    found = sample_many(target, done.clip, carried.times, wrap=False).local
    assert np.abs(found.translation - carried.local.translation).max() < 1e-6
    assert quat.angle_between(found.rotation, carried.local.rotation).max() < 1e-6
    assert done.report.contacts == carried.contacts and done.report.slip == carried.slip
    free = carry(source, clip, target, chains, Options(lock=None))
    assert free.slip is None and free.contacts == carried.contacts


def test_an_empty_map_gives_nothing() -> None:
    source, target = rigs()
    with pytest.raises(ValidationError, match="nothing to retarget"):
        retarget_clip(source, clip_of(source, 4), target, ChainMap(()), id=AssetId("clip-t"))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_clip_onto_its_own_character_is_itself_through_every_stage(seed: int) -> None:
    source, target = rigs(own=True)
    clip = clip_of(source, seed)
    done = retarget_clip(source, clip, target, id=AssetId("clip-t"), options=Options())
    poses = [sample_many(r, c, FRAMES, wrap=False).local for r, c in ((source, clip), (target, done.clip))]
    assert quat.angle_between(poses[0].rotation, poses[1].rotation).max() < 1e-6
    assert np.abs(poses[0].translation - poses[1].translation).max() < 1e-6


@pytest.mark.parametrize("name", ["fbx/pab_jog.fbx", "bvh/cmu_jumping_jacks.bvh", "gltf/CesiumMan.gltf"])
def test_trunk_and_head_of_a_file_stand_as_the_sources_do(shared: Path, name: str) -> None:
    project, onto = load(shared / "data" / name).project, sample().rigs[0]
    clip = project.clips[0]
    source = project.get(Rig, clip.rig)
    chains = propose_map(source.skeleton, onto.skeleton)
    done = carry(source, clip, onto, chains)
    places = [
        kinematics.to_model(s, p).translation
        for s, p in ((source.skeleton, done.source), (onto.skeleton, done.local))
    ]
    hips, head = chains.chain("hips"), chains.chain("head")
    assert hips is not None and head is not None
    spans = []
    for each, at, pick in ((source, places[0], "source"), (onto, places[1], "target")):
        ends = [at[:, each.skeleton.index(getattr(pair, pick)[0])] for pair in (hips, head)]
        spans.append((ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0], axis=-1, keepdims=True))
    turned = quat.rotate(done.binding.alignment.heading, spans[0])
    lean = np.degrees(np.arccos(np.clip((turned * spans[1]).sum(axis=-1), -1.0, 1.0)))
    assert lean.max() < 25.0
    clavicle = onto.skeleton.index("clavicle_l")
    neck = onto.skeleton.index(onto.skeleton.names[onto.skeleton.parent(onto.skeleton.index("head"))])
    assert (places[1][:, neck, 1] > places[1][:, clavicle, 1] - 0.1).all()


def test_feet_that_slide_in_place_touch_the_floor_as_the_sources_do(shared: Path) -> None:
    project, onto = load(shared / "data" / "gltf/KayKit_Med_MovementBasic.glb").project, sample().rigs[0]
    clip = project.clip_named("Rig_Medium|Walking_C")
    source = project.get(Rig, clip.rig)
    done = carry(source, clip, onto, propose_map(source.skeleton, onto.skeleton))
    model = kinematics.to_model(onto.skeleton, done.local)
    own = kinematics.to_model(source.skeleton, done.source)
    pairs = [(p.source_places(own), p.source_height) for limb in limbs_of(done.binding) for p in limb.points]
    heights_of = np.stack([path[:, 1] - height - floor_under(pairs) for path, height in pairs])
    wanted = np.maximum(done.binding.scale * heights_of.min(axis=0), 0.0)
    low = np.full(len(done.times), np.inf)
    for limb in limbs_of(done.binding):
        end = limb.bones[2]
        points = limb.places(model.translation[:, end], model.rotation[:, end])
        heights = points[..., 1] - np.array([[point.height] for point in limb.points])
        low = np.minimum(low, heights.min(axis=0))
    assert low.min() > -1e-3 and np.abs(low - wanted)[wanted < 0.05].max() < 0.01
    assert (wanted < 0.05).any()


def test_root_motion_goes_along_with_the_target_s_name_for_its_bone() -> None:
    source, target = rigs()
    named = Rig(
        target.id, "b", replace(target.skeleton, names=tuple(f"B-{n}" for n in target.skeleton.names))
    )
    chains = propose_map(source.skeleton, named.skeleton)
    carrier = next(pair for pair in chains.chains if "hips" in pair.source)
    for told in (
        RootMotion(True, "hips", True, True, False, RootPose.REST),
        RootMotion(True, "hips", False, True, True, RootPose.ZERO),
        RootMotion(False, "hips", True, False, True, RootPose.FIRST_FRAME),
    ):
        clip = replace(clip_of(source, 1), root_motion=told)
        done = retarget_clip(source, clip, named, chains, id=AssetId("clip-t")).clip.root_motion
        assert done == replace(told, bone=carrier.target[0])
    whole = replace(clip_of(source, 1), root_motion=RootMotion(True))
    assert retarget_clip(source, whole, named, chains, id=AssetId("clip-t")).clip.root_motion == RootMotion(
        True
    )
    lost = replace(clip_of(source, 1), root_motion=RootMotion(True, "tail"))
    done = retarget_clip(source, lost, named, chains, id=AssetId("clip-t")).clip.root_motion
    assert (done.enabled, done.bone) == (False, None)


@pytest.mark.parametrize("looping", [False, True])
def test_a_loop_stays_a_loop_and_is_held_as_one(looping: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.retarget import retarget as module

    source, target = rigs()
    told: list[bool] = []
    real = module.held

    def noted(*given, **named):
        told.append(named["looping"])
        return real(*given, **named)

    monkeypatch.setattr(module, "held", noted)
    clip = replace(clip_of(source, 1), looping=looping)
    done = retarget_clip(source, clip, target, id=AssetId("clip-t")).clip
    assert done.looping is looping and told == [looping]
    assert (done.length, done.rate, done.name) == (clip.length, clip.rate, clip.name)


def test_marks_and_curves_go_along_and_morphs_stay_behind() -> None:
    source, target = rigs()
    curve = scalar_track([0.0, 0.2], [0.0, 1.0])
    clip = replace(
        clip_of(source, 1), curves={"speed": curve, "ik/Left arm/weight": curve}, morphs={"face/smile": curve},
        notifies=(Notify("step", 0.1, 0.05),), sync_markers=(SyncMarker("left", 0.1),), markers=(Marker("m", 0.2),),
    )  # fmt: skip
    done = retarget_clip(source, clip, target, id=AssetId("clip-t"))
    assert tuple(done.clip.curves) == ("speed",) and done.clip.curves["speed"] is curve
    assert (done.clip.notifies, done.clip.sync_markers, done.clip.markers) == (
        clip.notifies, clip.sync_markers, clip.markers,
    )  # fmt: skip
    assert not done.clip.morphs and any("morph" in note for note in done.report.notes)


def test_progress_of_a_retarget_never_goes_back() -> None:
    source, target = rigs()
    told: list[float] = []
    retarget_clip(
        source,
        clip_of(source, 3),
        target,
        id=AssetId("clip-t"),
        progress=Progress(lambda f, _: told.append(f)),
    )
    assert len(told) > 2 and told == sorted(told)

"""Written in the format they came in, files hold what they held: names, hierarchy, samples, weights."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator
from core.ids import AssetId
from core.io import load, save
from core.io.builtin import BVH
from core.io.common.options import Curves
from core.io.fbx.options import FbxWriteOptions
from core.math import quat
from core.math.transform import from_matrix
from core.pose.kinematics import model_matrices
from core.timing import FrameRate
from core.tracks.keys import Interpolation
from tests.core.io import making
from tests.shared import shared_files

SAME = 1e-5
"""Of the figure's size where there is one, else metres; of quaternions; of weights."""
FILES = ("data/gltf/*.gltf", "data/gltf/*.glb", "data/bvh/*.bvh", "data/fbx/*.fbx", "data/usd/*.usda",
         "data/clients/*.usdc")  # fmt: skip
NEEDS = {".fbx": "ufbx", ".usda": "pxr", ".usdc": "pxr"}
STEP_ZONE = 5e-5  # seconds before a step in which a sampler runs to the next value


def again(project, suffix, folder):
    """The project written in a format and read back, rest scale as it is: folding it changes bones and meshes."""
    path = folder / f"{project.rigs[0].name}{suffix}"
    rig = project.rigs[0]
    if suffix == ".bvh":
        save(project, path)
        return load(path, options=BVH.read_back(rig, None)).project
    options = FbxWriteOptions(curves=Curves.KEYS, fold_scale=False) if suffix == ".fbx" else None
    save(project, path, options)
    return load(path).project


def placed(project, clip, times):
    rig = project.rigs[0]
    if clip is None:
        return from_matrix(model_matrices(rig.skeleton, rig.skeleton.rest)[None])
    return from_matrix(ClipEvaluator(rig, clip).models_many(np.minimum(times, clip.length), wrap=False))


def times_of(clip, frames_only):
    """Frames, and places between them, but for the moment before a step."""
    frames = np.unique(np.linspace(0, round(clip.frames), 40).astype(int)) / clip.rate.fps
    frames = np.minimum(frames, clip.length)
    if frames_only:
        return frames
    times = np.unique(np.concatenate((frames, frames[:-1] + 0.37 * np.diff(frames))))
    for track in clip.every_track():
        steps = np.append(track.times, clip.length)
        near = steps[np.clip(np.searchsorted(steps, times + 1e-12), 0, len(steps) - 1)]
        times = times[(near <= times) | (near - times > STEP_ZONE)]
    return times


def check_same(first, last, suffix, tolerance=SAME, frames_only=False):
    rig, other = first.rigs[0], last.rigs[0]
    a, b = rig.skeleton, other.skeleton
    ends = set(b.names) - set(a.names) if suffix == ".bvh" else set()  # BVH closes every chain by an end site
    assert {name.removesuffix("_End") for name in ends} <= set(a.names)
    assert set(b.names) - ends == set(a.names)
    order = [b.index(name) for name in a.names]
    parents = {name: a.names[p] if p >= 0 else None for name, p in zip(a.names, a.parents, strict=True)}
    back = {n: b.names[p] if p >= 0 else None for n, p in zip(b.names, b.parents, strict=True)}
    assert parents == {name: parent for name, parent in back.items() if name not in ends}
    size = max(float(np.linalg.norm(np.ptp(placed(first, None, None).translation[0], axis=0))), 1.0)
    clips = first.clips_of(rig.id)[: 1 if suffix == ".bvh" else None]
    twins = last.clips_of(other.id)
    if suffix != ".bvh":  # which names its clip after the file, and has none of no length
        assert [clip.name for clip in twins] == [clip.name for clip in clips]
    for clip, twin in zip(clips, twins, strict=True):
        assert twin.length == pytest.approx(clip.length, abs=1e-5)
        times = times_of(clip, frames_only or suffix == ".bvh")
        p, q = placed(first, clip, times), placed(last, twin, times)
        assert np.abs(p.translation - q.translation[:, order]).max() <= tolerance * size
        assert np.abs(quat.aligned(q.rotation[:, order], p.rotation) - p.rotation).max() <= tolerance
    if suffix == ".bvh":
        return
    for one, two in zip(first.meshes_of(rig.id), last.meshes_of(other.id), strict=True):
        assert two.name == one.name
        mine, theirs = corners(one, a), corners(two, a)
        assert theirs.keys() == mine.keys()
        for what, values in mine.items():
            largest = max(1.0, float(np.abs(values).max(initial=0.0)))
            assert np.abs(values - theirs[what]).max(initial=0.0) <= tolerance * largest, what


def corners(mesh, skeleton):
    """What a mesh has at each corner of each triangle; vertices may be shared otherwise."""
    table = np.zeros((len(mesh.positions), len(skeleton)))
    bones = np.array([skeleton.index(joint) for joint in mesh.bones])
    np.add.at(table, (np.arange(len(table))[:, None], bones[mesh.influences]), mesh.weights)
    found = {"place": mesh.positions, "weights": table}
    found |= {f"morph {morph.name}": morph.positions for morph in mesh.morphs}
    return {what: values[mesh.triangles] for what, values in found.items()}


@pytest.mark.parametrize("path", shared_files(*FILES))
def test_shared_file_keeps_all_in_its_own_format(path, tmp_path):
    pytest.importorskip(NEEDS.get(path.suffix, "numpy"))
    project = load(path).project
    check_same(project, again(project, path.suffix, tmp_path), path.suffix)


@pytest.mark.parametrize("path", shared_files("data/gltf/Fox.glb", "data/gltf/AnimatedMorphCube.gltf"))
def test_shared_file_keeps_all_in_our_own_format(path, tmp_path):
    project = load(path).project
    check_same(project, again(project, ".posewright", tmp_path), ".posewright", 1e-12)


def document(seed, looping, weighted=True):
    """A figure with a mesh and a clip of every kind of track, on frames of 30 a second."""
    rng = np.random.default_rng(seed)
    project = making.small(seed)
    rig = project.rigs[0]
    at = np.arange(0, 31, 5) / 30.0
    kinds = [Interpolation.LINEAR, Interpolation.CUBIC]
    tracks = {}
    for name in rig.skeleton.names:
        kind = kinds[int(rng.integers(2))]
        if rng.random() < 0.5:
            turned = quat.continuous(quat.normalise(quat.IDENTITY + 0.3 * rng.normal(size=(len(at), 4))))
            tracks[Channel(name, Property.ROTATE, WHOLE)] = replace(
                making.turning(rng, at=at, interpolations=kind), values=turned
            )
        else:
            tracks |= {Channel(name, Property.ROTATE, axis): making.scalar(rng, at=at) for axis in range(3)}
        tracks[Channel(name, Property.TRANSLATE, int(rng.integers(3)))] = making.scalar(
            rng, at=at, interpolations=kind, weighted=weighted and bool(rng.integers(2))
        )
    clip = Clip(AssetId("clip-1"), "move", rig.id, 1.0, FrameRate.of(30), looping, tracks)
    return project.with_assets(clip)


@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000), looping=st.booleans())
@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".bvh", ".posewright"])
def test_random_document_keeps_all(tmp_path_factory, seed, looping, suffix):
    project = document(seed, looping)
    check_same(project, again(project, suffix, tmp_path_factory.mktemp("trip")), suffix, 2 * SAME)


@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000), looping=st.booleans())
@pytest.mark.parametrize("suffix", [".fbx", ".usda"])
def test_random_document_keeps_all_by_way_of_a_helper(tmp_path_factory, seed, looping, suffix):
    """FBX has four digits for the weights of handles; USD has samples, and straight lines between them."""
    pytest.importorskip(NEEDS[suffix])
    project = document(seed, looping, weighted=False)
    back = again(project, suffix, tmp_path_factory.mktemp("trip"))
    check_same(project, back, suffix, 2 * SAME, frames_only=suffix == ".usda")

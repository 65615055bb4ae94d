"""USD: the goldens, round trips, and what is wrong with files that are none."""

import re

import numpy as np
import pytest
from scipy.spatial import cKDTree

from core.cli.spaces import placed, sampled
from core.clips.clip import WHOLE, Channel, Property
from core.clips.sample import sample_many
from core.errors import FormatError
from core.io import load, save
from core.io.usd.names import identifiers
from core.io.usd.options import UsdWriteOptions
from core.math import quat
from core.pose import kinematics
from core.shot.camera import ShotCamera, lens_at, view_at
from tests.core.io import making
from tests.core.io.golden import degrees_between, golden, size_of
from tests.core.io.test_goldens_converted import world
from tests.shared import needs_shared, shared_files

pytest.importorskip("pxr")

FILES = ("data/usd/*.usda", "data/clients/*.usda", "data/clients/*.usdc", "cases/*.usda")


@pytest.mark.parametrize("path", shared_files(*FILES))
def test_sample_usd_goldens_agree(path):
    told, project = golden(path), load(path).project
    rig = project.rigs[0]
    paths = bone_paths(rig.skeleton)
    bones = np.array([paths[joint["name"]] for joint in told["joints"]], dtype=int)
    codes = float(told["conventions"]["time"].split()[-1])
    for clip in told["clips"]:
        found = project.clips_of(rig.id)[0]
        assert found.length == pytest.approx(clip["duration"], abs=1e-6)
        place = placed(
            rig,
            sampled(project, rig, found, (np.array(clip["times"]) - clip["begin"]) / codes),
            "world",
            True,
        )
        p, q = (np.array(clip[name]).reshape(len(clip["times"]), -1, n) for name, n in (("p", 3), ("q", 4)))
        if not len(bones):  # only morphs move: see below
            continue
        off = np.linalg.norm(place.positions[:, bones] - p, axis=-1)
        assert off.max() <= 1e-4 * size_of(path)
        # A sheared frame has no one rotation: ways to name it differ by as much as it is sheared.
        shear = np.degrees(clip.get("max_shear", 0.0))
        assert degrees_between(place.rotations[:, bones], q).max() <= 0.02 + shear


def bone_paths(skeleton):
    """Bones by their path of names, without what was added to make them differ."""
    paths = []
    for bone, name in enumerate(skeleton.names):
        own, parent = re.sub(r"\.\d{3}$", "", name), skeleton.parent(bone)
        paths.append(own if parent < 0 else f"{paths[parent]}/{own}")
    return {path: bone for bone, path in enumerate(paths)}


@needs_shared
def test_read_usd_morphs_without_joints_move_as_the_files_own_baked_mesh(shared):
    """The file holds what its blend shapes make of the mesh as well, as a mesh with animated points."""
    from pxr import Usd, UsdGeom

    path = shared / "cases/blendshapes_only.usda"
    loaded = load(path)
    (rig,), (clip,) = loaded.project.rigs, loaded.project.clips
    assert rig.skeleton.names == ("root",) and clip.length == pytest.approx(130 / 24)
    assert any("/GroundTruth/Mesh.points" in text for text in loaded.report.left_out)
    (mesh,) = loaded.project.meshes_of(rig.id)
    stage = Usd.Stage.Open(str(path))
    truth = UsdGeom.Mesh(stage.GetPrimAtPath("/GroundTruth/Mesh"))
    codes = truth.GetPointsAttr().GetTimeSamples()
    batch = sample_many(rig, clip, (np.array(codes) - codes[0]) / 24.0, meshes=(mesh,), wrap=False)
    model = kinematics.model_matrices(rig.skeleton, batch.local)
    place = np.array(UsdGeom.XformCache().GetLocalToWorldTransform(truth.GetPrim())).T
    moved = 0.0
    for row, code in enumerate(codes):
        weights = {name: float(values[row]) for name, values in batch.morphs.items()}
        ours, _ = kinematics.skin(mesh, kinematics.skin_matrices(mesh, rig.skeleton, model[row]), weights)
        ours = quat.rotate(quat.conjugate(rig.source.to_y_up), ours) / rig.source.metres_per_unit
        theirs = np.array(truth.GetPointsAttr().Get(code)) @ place[:3, :3].T + place[:3, 3]
        ours, theirs = (points - points.mean(axis=0) for points in (ours, theirs))
        assert cKDTree(ours).query(theirs)[0].max() <= 1e-4 * np.ptp(theirs, axis=0).max()
        moved = max(moved, float(np.ptp(theirs[:, 2])))
    assert moved > 0.0


MOVING = """#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
)
def Xform "Cart"
{
    double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 12: (3, 0, 0), 24: (3, 4, 0) }
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Camera "Eye"
    {
        float focalLength.timeSamples = { 0: 35, 24: 50 }
    }
    def SkelRoot "Char"
    {
        def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"])
        {
            uniform token[] joints = ["a", "a/b"]
            uniform matrix4d[] bindTransforms = PLACES
            uniform matrix4d[] restTransforms = PLACES
            ANIMATION
        }
    }
}
""".replace(
    "PLACES",
    "[((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]",
)
ANIMATION = """rel skel:animationSource = <Anim>
            def SkelAnimation "Anim"
            {
                uniform token[] joints = ["a/b"]
                float3[] translations.timeSamples = { 0: [(0, 1, 0)], 24: [(0, 2, 0)] }
                quatf[] rotations = [(1, 0, 0, 0)]
                half3[] scales = [(1, 1, 1)]
            }"""


@pytest.mark.parametrize("animation", ["", ANIMATION])
def test_read_usd_prims_that_move_far_above_move_the_root(animation, tmp_path):
    path = tmp_path / "cart.usda"
    path.write_text(MOVING.replace("ANIMATION", animation))
    loaded = load(path)
    (clip,) = loaded.project.clips
    assert clip.length == pytest.approx(1.0)
    poses = world(loaded.project, clip, np.array([0.0, 0.25, 0.5, 0.75, 1.0])).translation
    assert np.allclose(poses[:, 0], [[0, 0, 0], [1.5, 0, 0], [3, 0, 0], [3, 2, 0], [3, 4, 0]])
    rise = 1.0 if animation else 0.0
    assert np.allclose(poses[-1, 1], [3, 5 + rise, 0])
    assert not loaded.report.left_out
    (camera,) = loaded.project.all(ShotCamera)
    assert [lens_at(camera, time) for time in (0.0, 1.0)] == pytest.approx([35.0, 50.0])
    assert np.allclose([view_at(camera, time).position for time in (0.5, 1.0)], [[3, 0, 0], [3, 4, 0]])
    track = clip.scalar(Channel("b", Property.TRANSLATE, 1))
    assert track is None if not animation else len(track.times) == 2


def test_read_usd_animation_that_no_skeleton_plays_is_named(tmp_path):
    path = tmp_path / "cart.usda"
    path.write_text(MOVING.replace("ANIMATION", "") + 'def SkelAnimation "Lost"\n{\n}\n')
    assert "animation /Lost, which no skeleton plays" in load(path).report.left_out


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
@pytest.mark.parametrize("path", shared_files("data/gltf/Fox.glb", "data/gltf/AnimatedMorphCube.gltf"))
def test_save_usd_read_back_moves_the_same(path, suffix, tmp_path):
    first = load(path).project
    save(first, tmp_path / f"a{suffix}")
    last = load(tmp_path / f"a{suffix}").project
    a, b = first.rigs[0].skeleton, last.rigs[0].skeleton
    assert set(b.names) == set(a.names)
    order = [b.index(name) for name in a.names]
    size = float(np.linalg.norm(np.ptp(world(first, None, np.zeros(1)).translation[0], axis=0))) or 1.0
    for clip, other in zip(first.clips, last.clips, strict=True):
        times = np.linspace(0.0, clip.length, 41)
        p, q = world(first, clip, times), world(last, other, times)
        assert np.abs(p.translation - q.translation[:, order]).max() <= 1e-4 * size
        assert np.degrees(quat.angle_between(p.rotation, q.rotation[:, order])).max() <= 0.02
    for one, two in zip(first.meshes_of(first.rigs[0].id), last.meshes_of(last.rigs[0].id), strict=True):
        assert len(two.triangles) == len(one.triangles)
        assert len(two.morphs) == len(one.morphs)


@pytest.mark.parametrize("up", ["+Y", "+Z"])
def test_save_usd_units_axes_weights_and_morphs_come_back(up, tmp_path):
    rng = np.random.default_rng(3)
    tracks = {
        Channel("b0", Property.ROTATE, WHOLE): making.turning(rng, 3),
        Channel("b1", Property.TRANSLATE, 1): making.scalar(rng),
    }
    first = making.with_clip(making.small(), tracks, 0.8)
    save(first, tmp_path / "a.usda", UsdWriteOptions(up_axis=up, metres_per_unit=0.01))
    loaded = load(tmp_path / "a.usda")
    assert (loaded.report.up_axis, loaded.report.unit) == (up, "centimetre")
    a, b = first.rigs[0].skeleton, loaded.project.rigs[0].skeleton
    order = [b.index(name) for name in a.names]
    times = (np.arange(41) + 0.41) / 41 * 0.8
    p = world(first, first.clips[0], times)
    q = world(loaded.project, loaded.project.clips[0], times)
    assert np.abs(p.translation - q.translation[:, order]).max() <= 2e-4
    one, two = first.meshes_of(first.rigs[0].id)[0], loaded.project.meshes_of(loaded.project.rigs[0].id)[0]
    assert np.allclose(two.positions, one.positions[np.unique(one.triangles)], atol=1e-5)
    assert [m.name for m in two.morphs] == [m.name for m in one.morphs]


def test_save_usd_bytes_depend_on_the_project_only(tmp_path):
    for name in ("a.usda", "b.usda"):
        save(making.small(), tmp_path / name)
    assert (tmp_path / "a.usda").read_bytes() == (tmp_path / "b.usda").read_bytes()


@pytest.mark.parametrize("data", [b"#usda 1.0\n(((", b"PXR-USDC" + b"\xff" * 500, b"#usda 1.0\n"])
def test_read_usd_rubbish_or_without_skeleton_is_refused(data, tmp_path):
    path = tmp_path / "a.usda"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"a\.usda"):
        load(path)


def test_identifiers_are_allowed_and_different():
    assert identifiers(["a.b", "a:b", "1x", "", "ok"]) == ["a_b", "a_b_1", "_1x", "_", "ok"]


def test_normals_of_another_width_are_left_alone(tmp_path):
    """A file may give any type to an attribute: found by mutating a binary one."""
    path = tmp_path / "a.usda"
    save(making.small(), path)
    text = path.read_text()
    start = text.index("normal3f[] normals = [")
    end = text.index("]", start + len("normal3f[] normals = ["))
    fours = text[start:end].replace("normal3f[]", "float4[]").replace("),", ", 0),")
    path.write_text(text[:start] + fours.removesuffix(")") + ", 0)" + text[end:])
    project = load(path).project
    mesh = project.meshes_of(project.rigs[0].id)[0]
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)

"""USD: the goldens, round trips, and what is wrong with files that are none."""

import numpy as np
import pytest

from core.cli.spaces import placed, sampled
from core.clips.clip import WHOLE, Channel, Property
from core.errors import FormatError
from core.io import load, save
from core.io.usd.names import identifiers
from core.io.usd.options import UsdWriteOptions
from core.math import quat
from tests.core.io import making
from tests.core.io.golden import degrees_between, golden, size_of
from tests.core.io.test_goldens_converted import world
from tests.shared import shared_files

pytest.importorskip("pxr")

FILES = ("data/usd/*.usda", "data/clients/*.usda", "data/clients/*.usdc")


@pytest.mark.parametrize("path", shared_files(*FILES))
def test_sample_usd_goldens_agree(path):
    told, project = golden(path), load(path).project
    rig = project.rigs[0]
    bones = [rig.skeleton.index(joint["name"].split("/")[-1]) for joint in told["joints"]]
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
        off = np.linalg.norm(place.positions[:, bones] - np.array(clip["p"]), axis=-1)
        assert off.max() <= 1e-4 * size_of(path)
        assert degrees_between(place.rotations[:, bones], np.array(clip["q"])).max() <= 0.02


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

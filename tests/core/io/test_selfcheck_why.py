"""A self-check that fails names bone, frame and why."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Property
from core.io import load, save
from core.io.fbx.options import FbxWriteOptions
from core.io.prepare.settings import Prepare, RestScale
from core.io.presets import export, preset_named
from core.io.selfcheck import check_file
from core.math import quat
from core.math.transform import Transform
from core.rig.skeleton import Skeleton
from core.tracks.keys import quaternion_track, scalar_track
from tests.core.io.test_presets import walking


def scaled(factor):
    """The walking figure with rest scale on its root and on a bone, as centimetre rigs and compensation have it."""
    project = walking()
    rig = project.rigs[0]
    old = rig.skeleton
    scale = np.array(old.rest.scale)
    scale[0], scale[1] = factor, 1.7
    rest = Transform(old.rest.translation, old.rest.rotation, scale)
    skeleton = Skeleton(old.names, old.parents, rest, old.euler_orders, old.sources)
    return project.with_assets(replace(rig, skeleton=skeleton))


@pytest.mark.parametrize("preset", ["omniverse", "unity", "unreal", "maya"])
@pytest.mark.parametrize("factor", [0.01, 0.3713])
def test_preset_holds_rigs_under_a_scale(preset, factor, tmp_path):
    found = preset_named(preset)
    pytest.importorskip({"usd": "pxr", "fbx": "ufbx"}[found.format])
    project = scaled(factor)
    wanted = Prepare(keys=found.keys, scale=found.scale)
    done = export(project, tmp_path / f"a{found.suffix}", wanted, found.options)
    assert done.check is not None and done.check.good, done.check.to_text()
    skeleton = load(tmp_path / f"a{found.suffix}").project.rigs[0].skeleton
    assert set(project.rigs[0].skeleton.names) <= set(skeleton.names)
    assert preset == "maya" or np.allclose(skeleton.rest.scale, 1.0, atol=1e-6)


def test_fbx_root_with_a_rest_scale_is_a_bone(tmp_path):
    pytest.importorskip("ufbx")
    from core.io.common.helper.packet import fetch
    from core.io.fbx.read import FBX
    from core.progress import Progress

    for fold in (True, False):
        save(scaled(0.01), tmp_path / "a.fbx", FbxWriteOptions(fold_scale=fold))
        told = fetch(tmp_path / "a.fbx", Progress(), FBX).told["nodes"]
        names = scaled(0.01).rigs[0].skeleton.names
        assert {node["name"] for node in told if node["bone"]} == set(names)


def test_usd_animated_scale_leaves_every_bone_in_its_place(tmp_path):
    pytest.importorskip("pxr")
    project = walking()
    clip = project.clips[0]
    times = np.linspace(0.0, clip.length, 7)
    grown = {Channel("b0", Property.SCALE, axis): scalar_track(times, 1.0 + 0.3 * times) for axis in range(3)}
    project = project.with_assets(replace(clip, tracks={**clip.tracks, **grown}))
    done = export(project, tmp_path / "a.usda", Prepare(), preset_named("omniverse").options)
    assert check_file(tmp_path / "a.usda", project, between=False).good
    assert done.check is not None
    for one in done.check.checks:  # between frames USD rounds scale, too: not silently
        assert one.millimetres <= 0.1 or "USD keeps scale with three digits" in one.why


def test_failed_check_names_bone_frame_and_what_of_it(tmp_path):
    project = walking()
    save(project, tmp_path / "a.glb")
    clip = project.clips[0]
    half = quat.from_axis_angle([0.0, 1.0, 0.0], 0.5)
    turn = {Channel("b1", Property.ROTATE, WHOLE): quaternion_track([0.0], [half])}
    other = project.with_assets(replace(clip, tracks={**clip.tracks, **turn}))
    check = check_file(tmp_path / "a.glb", other)
    assert not check.good
    (bad,) = [one for one in check.checks if one.why]
    assert "the rotation of 'b1' comes back" in bad.why
    assert bad.why in check.to_text() and f"frame {bad.turned_frame:.4g}" in check.to_text()


def test_kept_scale_stays_in_fbx_where_it_is_asked_for(tmp_path):
    pytest.importorskip("ufbx")
    export(scaled(0.5), tmp_path / "a.fbx", Prepare(scale=RestScale.KEEP))
    skeleton = load(tmp_path / "a.fbx").project.rigs[0].skeleton
    assert np.allclose(skeleton.rest.scale[skeleton.index("b0")], 0.5)

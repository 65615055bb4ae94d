"""FBX files against the goldens, the meshes their own programs deformed, and what the report says."""

import json
import subprocess
import sys

import numpy as np
import pytest
from scipy.spatial import cKDTree

from core.cli.main import main
from core.clips.clip import WHOLE, Channel, Property
from core.clips.sample import sample_many
from core.errors import Cancelled, FormatError
from core.io import load
from core.io.common.helper import packet
from core.io.fbx.curves import track_of, within
from core.math import quat
from core.pose import kinematics
from core.progress import Progress
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation
from tests.core.io.golden import degrees_between, golden, size_of
from tests.shared import needs_shared, shared_files

pytest.importorskip("ufbx")

FILES = ("data/fbx/*.fbx", "data/clients/*.fbx", "cases/*.fbx")
POSITION, ROTATION = 2e-4, 0.02  # of the size, degrees; asked for are 1e-3 and 0.1


def sampled(capsys, path, clip):
    """Through the command line; a golden counts from FBX's zero, a clip from the take's start."""
    words = ["sample", str(path), "--native"]
    words.append("--times=" + ",".join(repr(t - clip["begin"]) for t in clip["times"]))
    assert main([*words, *(["--clip", clip["name"]] if clip["name"] else [])]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("path", shared_files(*FILES))
def test_sample_fbx_goldens_agree(path, capsys):
    told = golden(path)
    rest = {"name": None, "begin": 0.0, "times": [0.0], "p": [told["rest"]["p"]], "q": [told["rest"]["q"]]}
    for clip in told["clips"] or [rest]:
        found = sampled(capsys, path, clip)
        row = {name: index for index, name in enumerate(found["bones"])}
        here = [index for index, joint in enumerate(told["joints"]) if joint["name"] in row]
        assert all(not j["joint"] for i, j in enumerate(told["joints"]) if i not in here)
        bones = [row[told["joints"][index]["name"]] for index in here]
        off = np.linalg.norm(np.array(found["positions"])[:, bones] - np.array(clip["p"])[:, here], axis=-1)
        turned = degrees_between(np.array(found["rotations"])[:, bones], np.array(clip["q"])[:, here])
        assert off.max() <= POSITION * size_of(path), clip["name"]
        assert turned.max() <= ROTATION, clip["name"]
        if clip["name"] is not None:
            assert found["duration"] == pytest.approx(clip["duration"], abs=1e-6)


@pytest.mark.parametrize("path", shared_files("data/fbx/*.frame*.obj"))
def test_skin_fbx_meets_the_mesh_its_program_deformed(path):
    """Both ways: no vertex of ours is far from theirs, and none of theirs from ours."""
    stem, frame, _ = path.name.split(".")
    source = path.with_name(f"{stem}.fbx")
    theirs = np.array(
        [line.split()[1:4] for line in path.read_text().splitlines() if line.startswith("v ")], float
    )
    project = load(source).project
    rig, clip, told = project.rigs[0], project.clips[0], golden(source)
    meshes = project.meshes_of(rig.id)
    time = int(frame[5:]) / told["fps"] - told["clips"][0]["begin"]
    model = kinematics.model_matrices(rig.skeleton, sample_many(rig, clip, [time], wrap=False).local)[0]
    ours = np.concatenate(
        [kinematics.skin(m, kinematics.skin_matrices(m, rig.skeleton, model), {})[0] for m in meshes]
    )
    ours = quat.rotate(quat.conjugate(rig.source.to_y_up), ours) / rig.source.metres_per_unit
    size = float(np.linalg.norm(np.ptp(theirs, axis=0)))
    assert cKDTree(ours).query(theirs)[0].max() <= 2e-4 * size
    assert cKDTree(theirs).query(ours)[0].max() <= 2e-4 * size


@needs_shared
def test_read_fbx_keeps_the_files_own_keys_and_says_so(shared):
    loaded = load(shared / "data/fbx/pab_jog.fbx")
    clip = loaded.project.clips[0]
    arm = clip.scalar(Channel("LeftForeArm", Property.ROTATE, 0))
    assert arm is not None
    assert (arm.interpolations[:-1] == Interpolation.CUBIC).all()
    assert clip.rotation("LeftForeArm") is None
    assert any("came in with their own keys" in text for text in loaded.report.warnings)
    assert any("keys outside of the take" in text for text in loaded.report.left_out)
    assert max(float(track.times[-1]) for track in clip.tracks.values()) <= clip.length + 1e-5


@needs_shared
def test_read_fbx_turned_pivot_is_sampled_and_says_so(shared):
    loaded = load(shared / "data/fbx/maya_anim_pivot_rotate_7700_ascii.fbx")
    assert any("sampled (pivots: pCube1)" in text for text in loaded.report.warnings)
    channels = set(loaded.project.clips[0].tracks)
    assert Channel("pCube1", Property.ROTATE, 0) in channels  # these keep their keys
    assert not any(channel.axis == WHOLE for channel in channels)


@needs_shared
def test_read_fbx_z_up_stands_upright(shared):
    loaded = load(shared / "data/fbx/max_transformed_skin_7500_binary.fbx")
    assert loaded.report.up_axis == "+Z"
    assert loaded.report.unit == "centimetre"
    turned = quat.rotate(loaded.project.rigs[0].source.to_y_up, np.array([0.0, 0.0, 1.0]))
    assert np.allclose(turned, [0.0, 1.0, 0.0])


def row(time, value, kind=3, left=(0.1, 0.0), right=(0.1, 0.0)):
    return [time, value, kind, *left, *right]


def test_track_of_weighted_key_is_the_bezier_of_its_handles():
    rows = np.array([row(0.0, 0.0, right=(0.2, 1.0)), row(1.0, 2.0, left=(0.5, 0.25))])
    track = track_of(rows)
    u = np.linspace(0.0, 1.0, 21)
    time = 3 * u * (1 - u) ** 2 * 0.2 + 3 * u**2 * (1 - u) * 0.5 + u**3
    value = 3 * u * (1 - u) ** 2 * 1.0 + 3 * u**2 * (1 - u) * 1.75 + u**3 * 2.0
    assert np.allclose(evaluate_scalar(track, time), value, atol=1e-8)


def test_track_of_constant_next_holds_the_next_value():
    rows = np.array([row(0.0, 1.0, 1), row(1.0, 2.0, 0), row(2.0, 3.0, 2)])
    track = track_of(rows)
    assert evaluate_scalar(track, np.array([0.0, 0.5, 0.999, 1.0, 1.5, 2.0])).tolist() == [1, 2, 2, 2, 2, 3]


def test_within_cuts_at_the_ends_without_changing_the_curve():
    rows = np.array([row(-1.0, 0.0), row(0.5, 2.0, right=(0.1, 3.0)), row(3.0, -1.0)])
    whole = track_of(rows)
    part, cut = within(whole, 1.0)
    times = np.linspace(0.0, 1.0, 33)
    assert np.allclose(evaluate_scalar(part, times), evaluate_scalar(whole, times), atol=1e-9)
    assert cut == 2
    assert part.times[0] == 0.0
    assert part.times[-1] == 1.0


@pytest.mark.parametrize(
    "data", [b"Kaydara FBX Binary  \0\x1a\0" + b"\xff" * 3000, b"; FBX 7.7.0 project file\n{{{{"]
)
def test_read_fbx_rubbish_is_refused(tmp_path, data):
    path = tmp_path / "a.fbx"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"a\.fbx"):
        load(path)


def hanging_helper(*_):
    """In place of a helper whose library never ends: one that answers could be quicker than any limit."""
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.PIPE)


def test_read_fbx_that_takes_too_long_is_stopped(tmp_path, monkeypatch):
    path = tmp_path / "a.fbx"
    path.write_bytes(b"; FBX 7.7.0 project file\n")
    monkeypatch.setenv("POSEWRIGHT_FBX_SECONDS", "0.2")
    monkeypatch.setattr(packet, "start", hanging_helper)
    with pytest.raises(FormatError, match="more time"):
        load(path)


def test_read_fbx_can_be_cancelled(tmp_path):
    path = tmp_path / "a.fbx"
    path.write_bytes(b"; FBX 7.7.0 project file\n")
    progress = Progress(lambda fraction, text: progress.cancel())
    with pytest.raises(Cancelled):
        load(path, progress)


@needs_shared
def test_read_fbx_motion_of_layers_above_the_first_is_not_lost(shared):
    loaded = load(shared / "cases/maya_anim_layers_7500_binary.fbx")
    (clip,) = loaded.project.clips
    assert clip.length == pytest.approx(4.95833333)
    assert any("its 3 layers were put together" in text for text in loaded.report.warnings)


@needs_shared
def test_read_fbx_what_moves_and_is_not_imported_is_named(shared):
    loaded = load(shared / "cases/maya_anim_layers_7500_binary.fbx")
    assert all("Visibility" not in text for text in loaded.report.left_out)  # keyed, but it does not change
    told = load(shared / "data/fbx/ozz_robot.fbx").report.left_out
    assert any("motion of grasp of 'thumb2'" in text for text in told) and any(
        text.startswith("7 cameras") for text in told
    )

"""What is written is what the editor shows: driven poses, layers, goals, other proportions, all at once."""

import csv
import json
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from core.cli.main import main
from core.clips.clip import Clip
from core.clips.compiled.player import CompiledPlayer
from core.clips.compiled.unpack import from_bytes
from core.clips.sample import sample_many
from core.evaluation.clip_pipeline import ClipPipeline
from core.io import load, save
from core.io.builtin import BVH
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.prepare.settings import Keys, Prepare, Root
from core.io.presets import export
from core.math import quat
from core.math.transform import Transform, from_matrix
from core.pose.kinematics import model_matrices
from core.pose.library import PoseAsset
from core.progress import Progress
from editor.model.session import Session
from editor.render_scene import poses_at
from editor.shell.export.plan import plan
from editor.shell.export.run import carry_out
from editor.shell.playblast import worker
from editor.shell.playblast.settings import Playblast
from tests.editor.shown_projects import CLIP, FRAMES, TIMES, driven_project, shown, whole_project

usd = pytest.mark.skipif(find_spec("pxr") is None, reason="needs the extra 'usd'")
DOCUMENTS = {"driven": driven_project(), "whole": whole_project()}
BETWEEN = 4e-4
"""Metres and radians, down a chain of bones, that keys fitted between frames may cost."""
EXACT = 1e-5


@pytest.fixture(scope="module")
def seen():
    """Poses in model space of each document, as the editor shows them, by the times asked for."""
    return {
        (name, kind): placed(project.rigs[0].skeleton, shown(project, times))
        for name, project in DOCUMENTS.items()
        for kind, times in (("times", TIMES), ("frames", FRAMES))
    }


def placed(skeleton, local):
    split = from_matrix(model_matrices(skeleton, local))
    return split.translation, split.rotation


def off(one, other):
    """Largest distance and angle."""
    return np.linalg.norm(one[0] - other[0], axis=-1).max(), quat.angle_between(one[1], other[1]).max()


def read_back(path, project, times, **more):
    found = load(path, **more).project
    rig, names = found.rigs[0], project.rigs[0].skeleton.names
    local = sample_many(
        rig, next(c for c in found.clips if c.name in ("seen", path.stem)), times, wrap=False
    ).local
    order = [rig.skeleton.index(name) for name in names]
    return tuple(part[:, order] for part in placed(rig.skeleton, local))


def written(tmp_path, name, suffix):
    path = tmp_path / f"seen{suffix}"
    project = DOCUMENTS[name]
    report = save(project, path)
    assert any("curves drive" in text for text in report.sampled)
    return path


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("suffix", [".glb", ".fbx", pytest.param(".usda", marks=usd)])
def test_file_read_back_plays_what_the_editor_shows(tmp_path, seen, name, suffix):
    path = written(tmp_path, name, suffix)
    moved, turned = off(read_back(path, DOCUMENTS[name], FRAMES), seen[name, "frames"])
    exact = 1e-3 if suffix == ".usda" else EXACT  # USD keeps scale in half precision
    assert moved < exact and turned < 1e-4, (moved, turned)
    moved, turned = off(read_back(path, DOCUMENTS[name], TIMES), seen[name, "times"])
    assert moved < BETWEEN + exact and turned < BETWEEN, (moved, turned)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_bvh_plays_what_the_editor_shows_on_frames(tmp_path, seen, name):
    path = tmp_path / "seen.bvh"
    project = DOCUMENTS[name]
    # the poses' scale has no place in a BVH file, so that bones below stand elsewhere: angles tell
    export(project, path, Prepare(clips=(CLIP,)), self_check=False)
    found = read_back(path, project, FRAMES, options=BVH.read_back(project.rigs[0], None))
    assert off(found, seen[name, "frames"])[1] < 1e-4


@pytest.mark.parametrize("name", DOCUMENTS)
def test_tables_hold_what_the_editor_shows(tmp_path, seen, name):
    project = DOCUMENTS[name]
    skeleton, rows = project.rigs[0].skeleton, np.rint(FRAMES * 30).astype(int)
    with np.load(written(tmp_path, name, ".npz")) as file:
        number = file["clips"].tolist().index("seen")
        parts = [file[f"{number}/{part}"][rows] for part in ("translations", "rotations", "scales")]
    assert max(off(placed(skeleton, Transform(*parts)), seen[name, "frames"])) < EXACT
    with written(tmp_path, name, ".csv").open(newline="") as file:
        told = {
            (int(row["frame"]), row["bone"]): [float(v) for v in list(row.values())[4:]]
            for row in csv.DictReader(file)
            if row["clip"] == "seen" and row["bone"] in skeleton.names
        }
    table = np.array([[told[int(row), bone] for bone in skeleton.names] for row in rows])
    local = Transform(table[..., :3], table[..., 3:7], table[..., 7:])
    assert max(off(placed(skeleton, local), seen[name, "frames"])) < EXACT


@pytest.mark.parametrize("name", DOCUMENTS)
def test_command_line_samples_and_compiles_what_the_editor_shows(tmp_path, seen, name, capsys):
    project, file = DOCUMENTS[name], tmp_path / "document.posewright"
    save(project, file)
    skeleton = project.rigs[0].skeleton
    times = ",".join(str(time) for time in TIMES)
    assert main(["sample", str(file), "--clip", "seen", "--times", times, "--space", "model"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = np.array(told["positions"]), np.array(told["rotations"])
    assert max(off(found, seen[name, "times"])) < 1e-6
    assert main(["compile", str(file), str(tmp_path / "a.pwclip"), "--clip", "seen"]) == 0
    player = CompiledPlayer(from_bytes((tmp_path / "a.pwclip").read_bytes()))
    local = Transform(*(np.array(part) for part in player.poses(FRAMES)[0]))
    moved, turned = off(placed(skeleton, local), seen[name, "frames"])
    assert moved < 1.1e-4 and turned < 1e-2


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("more", [[], ["--start", "0.5", "--rate", "60"]], ids=["whole", "cut"])
def test_conversion_plays_what_the_editor_shows_and_checks_it(tmp_path, name, more, capsys):
    project, file, out = DOCUMENTS[name], tmp_path / "document.posewright", tmp_path / "seen.glb"
    save(project, file)
    assert main(["convert", str(file), str(out), "--clip", "seen", "--check", *more]) == 0
    assert "curves drive" in capsys.readouterr().out
    start = 0.5 if more else 0.0
    times = FRAMES[start <= FRAMES]
    skeleton = project.rigs[0].skeleton
    wanted = placed(skeleton, ClipPipeline.of(project, project.get(Clip, CLIP)).sample_many(times).local)
    moved, turned = off(read_back(out, project, times - start), wanted)
    assert moved < EXACT and turned < 1e-4, (moved, turned)


@pytest.mark.parametrize("keys", Keys)
def test_prepared_export_reads_back_as_shown(tmp_path, seen, keys):
    project, path = DOCUMENTS["whole"], tmp_path / "seen.glb"
    done = export(project, path, Prepare(clips=(CLIP,), keys=keys, millimetres=0.1))
    assert done.check.good, done.check.to_text()
    assert any("curves drive" in text for text in done.report.sampled)
    moved, turned = off(read_back(path, project, FRAMES), seen["whole", "frames"])
    allowed = {Keys.REDUCED: 2e-4, Keys.CUBIC: 1e-3}.get(keys, EXACT)
    assert moved < allowed and turned < max(1e-4, 10 * allowed), (moved, turned)


def test_root_taken_out_leaves_driven_poses_in(tmp_path, seen):
    project, path = DOCUMENTS["driven"], tmp_path / "seen.glb"
    assert export(project, path, Prepare(clips=(CLIP,), root=Root.EXTRACTED)).check.good


def test_native_file_keeps_driven_poses_editable(tmp_path, seen):
    project, path = DOCUMENTS["whole"], tmp_path / "document.posewright"
    save(project, path)
    again = load(path).project
    assert [t.name for t in again.all(PoseAsset)[0].targets] == ["look", "bend"]
    found = placed(again.rigs[0].skeleton, shown(again, TIMES))
    assert max(off(found, seen["whole", "times"])) < 1e-6


@pytest.mark.parametrize("span", [None, (0.5, 1.5)], ids=["whole", "cut"])
def test_export_dialogs_plan_writes_what_the_editor_shows_and_says_so(tmp_path, span):
    project, path = DOCUMENTS["whole"], tmp_path / "seen.glb"
    outcome = carry_out(plan(project, project.rigs[0].id, [CLIP], path, span=span), Progress())
    assert outcome.good
    assert any("curves drive" in note for note in outcome.notes)
    start, end = span or (0.0, 2.0)
    times = FRAMES[(start <= FRAMES) & (end >= FRAMES)]
    wanted = placed(project.rigs[0].skeleton, shown(project, times))
    moved, turned = off(read_back(path, project, times - start), wanted)
    assert moved < EXACT and turned < 1e-4, (moved, turned)


def test_playblast_draws_those_poses(tmp_path, seen):
    save(DOCUMENTS["whole"], tmp_path / worker.DOCUMENT)
    stage = worker.Stage(tmp_path, Playblast(tmp_path / "a.png", CLIP, 0.0, 2.0, 30.0, (64, 64)))
    found = []
    for time in TIMES:
        stage.session.playback.seek(float(time))
        found.append(stage.session.evaluator.pose().local)
    stage.close()
    local = Transform(*(np.stack(part) for part in zip(*found, strict=True)))
    assert max(off(placed(DOCUMENTS["whole"].rigs[0].skeleton, local), seen["whole", "times"])) < 1e-6


def test_rendered_pictures_show_those_poses(seen):
    project = DOCUMENTS["whole"]
    poses = poses_at(project, project.rigs[0], project.get(Clip, CLIP), (TIMES * 30).tolist())
    local = Transform(*(np.stack(part) for part in zip(*(pose.local for pose in poses), strict=True)))
    assert max(off(placed(project.rigs[0].skeleton, local), seen["whole", "times"])) < 1e-7


def test_ghosts_and_trails_are_those_poses(seen):
    session = Session.create()
    session.document.replace(DOCUMENTS["whole"], None)
    session.playback.set_clip(CLIP)
    batch = session.evaluator.sample_many(TIMES)
    session.close()
    assert max(off(placed(DOCUMENTS["whole"].rigs[0].skeleton, batch.local), seen["whole", "times"])) < 1e-7


def test_clips_that_drive_no_pose_are_left_alone(tmp_path):
    project = DOCUMENTS["driven"]
    clip = project.get(Clip, CLIP)
    plain = project.with_assets(replace(clip, curves={"speed": clip.curves["speed"]}))
    assert bake_evaluated(plain) is plain
    bare = plain.without(*(asset.id for asset in plain.all(PoseAsset)))
    for suffix in (".glb", ".fbx", ".bvh", ".csv", ".npz"):
        one, two = tmp_path / "one" / f"seen{suffix}", tmp_path / "two" / f"seen{suffix}"
        for path, source in ((one, plain), (two, bare)):
            path.parent.mkdir(exist_ok=True)
            assert not any("curves drive" in text for text in save(source, path).sampled)
        assert one.read_bytes() == two.read_bytes()

"""A driven run baked to a clip: its way, its poses, what is refused."""

import json
from functools import cache

import numpy as np
import pytest

import core.io
from core.cli.main import main
from core.clips import root_motion
from core.clips.evaluator import ClipEvaluator
from core.errors import ValidationError
from core.ids import AssetId
from core.locomotion.bake import baked_states
from core.locomotion.driven import Driven, standing
from core.locomotion.input import Input
from core.locomotion.setup import PRESETS
from core.math import quat, transform
from core.pose import kinematics
from core.terrain.pieces import Plane, Slope
from core.terrain.terrain import Terrain, flat_terrain
from resources.sample.locomotion import FILE
from tests.three import require_three_plays


@cache
def driven() -> Driven:
    project = core.io.load(FILE).project
    hill = Terrain((Plane(), Slope(20.0, (0.0, 0.0, 0.5), length=6.0)))
    return Driven.of(project, project.rigs[0], PRESETS["normal"], hill)


def states(count: int):
    found = [driven().start(yaw=30.0)]
    for number in range(count):
        given = Input.of((0.0, 1.0), view_yaw=0.5 * number, jump=number == 40)
        found.append(driven().step(found[-1], given))
    return found


def test_clip_stands_where_the_run_stood_at_every_step():
    run = states(90)
    clip = baked_states(driven(), run, AssetId("clip-x"), "x")
    assert clip.length == pytest.approx(1.5) and clip.root_motion.enabled and clip.rig == driven().rig.id
    evaluator = ClipEvaluator(driven().rig, clip)
    times = np.arange(91) / 60.0
    way = root_motion.character_at(evaluator, times)
    first = transform.inverse(standing(run[0].body))
    for number in (0, 1, 30, 60, 90):
        wanted = transform.compose(first, standing(run[number].body))
        assert np.allclose(way.translation[number], wanted.translation, atol=1e-6)
        assert quat.angle_between(way.rotation[number], wanted.rotation) < 1e-6


def test_clip_shows_the_poses_of_the_run():
    run = states(60)
    clip = baked_states(driven(), run, AssetId("clip-x"), "x")
    evaluator, skeleton = ClipEvaluator(driven().rig, clip), driven().rig.skeleton
    made = kinematics.to_model(skeleton, evaluator.sample_many(np.arange(61) / 60.0).local)
    first = transform.inverse(standing(run[0].body))
    for number in (0, 25, 60):
        model = kinematics.to_model(skeleton, driven().pose(run[number]).local)
        placed = transform.apply(transform.compose(first, standing(run[number].body)), model.translation)
        assert np.abs(made.translation[number] - placed).max() < 1e-6


def test_a_fork_steps_to_the_same_bytes_while_the_other_runs_on():
    other, run = driven().fork(), states(20)
    mine = driven().step(run[-1], Input.of((1.0, 0.0)))
    theirs = other.step(run[-1], Input.of((1.0, 0.0)))
    assert mine.to_bytes() == theirs.to_bytes()


def test_other_terrain_and_preset_share_the_graphs():
    flat = driven().on(PRESETS["sluggish"], flat_terrain())
    assert flat.setup.plan is driven().setup.plan and flat.setup.controller.name == "sluggish"


def test_fewer_than_two_states_are_refused():
    with pytest.raises(ValidationError, match="2 to"):
        baked_states(driven(), states(0), AssetId("clip-x"), "x")


# ------------------------------------------------------------------ command line
COURSE = {
    "format": "posewright.course", "version": 1, "name": "short",
    "terrain": {"format": "posewright.terrain", "version": 1, "name": "flat", "pieces": [{"kind": "plane"}]},
    "sections": [
        {"name": "walk", "at": [0, 0, 0], "segments": [{"seconds": 0.5, "move": [0, 1]}]},
        {"name": "jump", "at": [0, 0, 0], "segments": [{"seconds": 0.4, "jump": True}]},
    ],
}  # fmt: skip


@pytest.fixture
def course_file(tmp_path):
    path = tmp_path / "course.json"
    path.write_text(json.dumps(COURSE))
    return path


def test_command_writes_a_clip_a_section_and_three_plays_it(course_file, tmp_path, capsys):
    out = tmp_path / "out.glb"
    assert main(["locomotion", str(course_file), "--bake", str(out), "--character", str(FILE)]) == 0
    assert "2 clips" in capsys.readouterr().out
    clips = {clip.name: clip.length for clip in core.io.load(out).project.clips}
    assert clips == {"walk": pytest.approx(0.5, abs=1e-4), "jump": pytest.approx(0.4, abs=1e-4)}
    require_three_plays(core.io.load(out).project, out, tmp_path)


@pytest.mark.parametrize(
    "wrong", [[], ["--character", "FILE", "--section", "nothing"], ["--character", "FILE", "--preset", "all"]]
)
def test_command_says_what_is_missing(course_file, tmp_path, capsys, wrong):
    words = [str(FILE) if word == "FILE" else word for word in wrong]
    asked = ["locomotion", str(course_file), "--bake", str(tmp_path / "o.glb"), *words]
    assert main(asked) != 0
    assert capsys.readouterr().err
    assert not (tmp_path / "o.glb").exists()

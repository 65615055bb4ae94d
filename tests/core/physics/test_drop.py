"""Whole falls with getting up, and the command that runs and bakes them."""

import json

import numpy as np
import pytest

from core.cli.main import main
from core.clips.mirror import mirrored_clip
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.ids import new_id
from core.io import load
from core.math.transform import Transform, down_chain
from core.physics import engine
from core.physics.drop import Drop, baked, run_drop
from core.physics.get_up import FARTHEST, GetUp
from core.physics.start import Posture, world_of
from resources.sample.locomotion import FILE
from tests.core.physics.falls import placed, project, ragdoll

pytestmark = pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")


def clip_named(name):
    return next(clip for clip in project().clips if clip.name == name)


def get_up(doll):
    clips = [clip for clip in project().clips if clip.name.startswith("get up")]
    return GetUp(doll.rig, doll.plan, clips)


@pytest.mark.parametrize(("name", "speed"), [("run", 3.0), ("idle", 0.0)])
def test_a_fall_ends_on_the_feet(name, speed):
    doll = ragdoll()
    fallen = run_drop(doll, Drop(clip_named(name), 0.2, speed=speed, seconds=3.0), get_up(doll))
    assert fallen.rest is not None and fallen.rise.startswith("get up")
    assert fallen.first < 0.001
    head = doll.rig.skeleton.index("head")
    places = [world_of(doll.rig.skeleton, posture).translation for posture in fallen.postures]
    assert places[fallen.rise_at - 1][head, 1] < 0.6 < 1.4 < places[-1][head, 1]
    standing = sample_many(doll.rig, clip_named("idle"), [0.0])
    model = down_chain(doll.rig.skeleton.parents, standing.local).translation[0]
    last = down_chain(doll.rig.skeleton.parents, fallen.postures[-1].local).translation
    assert np.linalg.norm(last - model, axis=1).max() < 0.01
    # while the lying pose fades, no bone goes farther than it may, but for the clip's own speed
    steps = np.linalg.norm(np.diff(places[fallen.rise_at - 1 : fallen.rise_at + 20], axis=0), axis=-1)[:, 1:]
    assert steps.max() < FARTHEST + 0.03


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_whoever_lies_on_a_side_gets_up_by_the_clip_of_that_side(side):
    doll = ragdoll()
    rising = get_up(doll)
    rig, clip = doll.rig, clip_named("get up side")
    shown = clip if side > 0.0 else mirrored_clip(rig, clip)
    poses = sample_many(rig, shown, [0.1])
    local = Transform(*(part[0] for part in poses.local))
    rise = rising.begin(Posture(local, placed(0.4, 0.0, 1.0, 70.0)), 0.0)
    assert rising.clips[rise.clip].name == ("get up side" if side > 0.0 else "get up side mirrored")
    assert rise.time == pytest.approx(0.1, abs=0.02)
    back = world_of(rig.skeleton, rising.posture(rise)).translation[doll.frames.bones]
    lay = world_of(rig.skeleton, Posture(local, placed(0.4, 0.0, 1.0, 70.0))).translation[doll.frames.bones]
    assert np.abs(back - lay).max() < 1e-6


def test_a_baked_fall_plays_the_same_poses():
    doll = ragdoll()
    fallen = run_drop(doll, Drop(clip_named("walk"), 0.3, seconds=0.5))
    clip = baked(doll, fallen.postures, new_id("clip"), "fall")
    poses = sample_many(doll.rig, clip, [0.0, 0.25, 0.5])
    for k, number in enumerate((0, 15, 30)):
        told = down_chain(doll.rig.skeleton.parents, fallen.postures[number].local).translation
        shown = down_chain(doll.rig.skeleton.parents, poses.local).translation[k]
        assert np.abs(shown - told).max() < 1e-6


def test_a_time_outside_the_clip_is_refused():
    with pytest.raises(ValidationError, match="expected a time of 0 to"):
        Drop(clip_named("walk"), 99.0)


def test_the_command_tells_and_bakes_falls(tmp_path, capsys):
    out = tmp_path / "falls.glb"
    words = ["ragdoll", str(FILE), "--clip", "run", "--clip", "idle", "--terrain", "stairs", "--speed", "2"]
    assert main([*words, "--push", "spine_05:0,0,-30", "--seconds", "1", "--bake", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["bodies"] == 19
    assert [row["clip"] for row in told["falls"]] == ["run", "idle"]
    assert all(row["get_up_first_mm"] < 40.0 and not row["ended"] for row in told["falls"])
    written = load(out).project
    assert [clip.name for clip in written.clips] == ["fall from run", "fall from idle"]
    assert main([*words, "--seconds", "0.2", "--lie"]) == 0
    assert "rest s" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--push", "spine_05"], "BONE:X,Y,Z"),
        (["--terrain", "moon"], "terrain file"),
        (["--time", "-3"], "expected a time"),
        (["--clip", "nothing"], "nothing"),
    ],
)
def test_the_command_says_what_is_wrong(words, said, capsys):
    assert main(["ragdoll", str(FILE), *words]) in (1, 2)
    assert said in capsys.readouterr().err


def test_the_command_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(engine, "unavailable", lambda: "Ragdolls need mujoco-core, which is not installed.")
    assert main(["ragdoll", str(FILE)]) == 1
    assert "mujoco-core" in capsys.readouterr().err

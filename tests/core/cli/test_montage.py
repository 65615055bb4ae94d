"""``montage list``, ``check`` and ``bake`` on the sample's montage."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.cli.main import main
from core.clips.clip import Notify, NotifyRule
from core.clips.sample import sample_many
from core.graph.montage import Montage, Section
from core.io import load, save
from editor.model.opening import sample_path

SAMPLE = str(sample_path())


def test_list_tells_segments_sections_and_what_follows(capsys):
    assert main(["montage", "list", SAMPLE]) == 0
    told = capsys.readouterr().out
    assert "wave: 2.5 s, sections raise → swing, swing → swing, lower" in told
    assert "DefaultGroup.UpperBody: wave 0–2.5 s at 0 s" in told
    assert main(["montage", "list", SAMPLE, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["blends_out_at"] == pytest.approx(2.3)


def test_check_finds_what_is_wrong_and_says_so_by_its_status(tmp_path, capsys):
    assert main(["montage", "check", SAMPLE]) == 0
    project = load(SAMPLE).project
    montage = project.all(Montage)[0]
    bad = replace(montage, notifies=(Notify("hold", 0.5, 0.5, rule=NotifyRule(condition="spead > 1")),))
    late = replace(bad, sections=(*montage.sections, Section("never", 9.0)))
    save(project.with_assets(late), tmp_path / "bad.posewright")
    assert main(["montage", "check", str(tmp_path / "bad.posewright")]) == 1
    told = capsys.readouterr().out
    assert "Condition of 'hold'" in told and "near: speed" in told
    assert "warning: Section 'never' begins where the montage is over" in told


def test_bake_writes_what_the_montage_plays(tmp_path, capsys):
    out = tmp_path / "wave.posewright"
    assert main(["montage", "bake", SAMPLE, "--section", "lower", "--over", "idle", "--out", str(out)]) == 0
    made = load(out).project
    clip = made.clips[0]
    source = load(SAMPLE).project
    rig = source.rigs[0]
    middle = 0.6  # blended in, not yet out: section lower begins at frame 40
    wanted = sample_many(rig, source.clip_named("wave"), [40 / 30 + middle]).local
    found = sample_many(made.rigs[0], clip, [middle]).local
    assert np.abs(wanted.rotation - found.rotation).max() < 1e-6
    assert clip.length == pytest.approx(2.5 - 40 / 30, abs=0.05)


def test_bake_of_an_endless_chain_is_cut_and_unknown_names_are_refused(tmp_path, capsys):
    out = tmp_path / "swing.posewright"
    assert main(["montage", "bake", SAMPLE, "--seconds", "3", "--out", str(out)]) == 0
    assert load(out).project.clips[0].length == pytest.approx(3.0)
    assert main(["montage", "bake", SAMPLE, "--montage", "wav", "--out", str(tmp_path / "x.glb")]) == 1
    assert "near: wave" in capsys.readouterr().err
    assert main(["montage", "bake", SAMPLE, "--section", "x", "--out", str(tmp_path / "x.glb")]) == 1
    assert "there are: raise, swing, lower" in capsys.readouterr().err

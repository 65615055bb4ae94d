"""What an export plans and carries out, without the dialog."""

from dataclasses import replace

import pytest

import core.io
from core.errors import AnimError, Cancelled
from core.ids import AssetId
from core.io import format as formats
from core.io.prepare.settings import Keys
from core.io.presets import PRESETS
from core.progress import Progress
from core.rig.mesh import Material, Mesh, Texture
from core.tracks.keys import scalar_track
from editor.model.importing import with_fresh_ids
from editor.model.opening import sample_path
from editor.shell.export.choice import Choice, from_preset, preset_of, writable
from editor.shell.export.plan import plan
from editor.shell.export.preview import estimate, losses, notes, rows
from editor.shell.export.run import carry_out, write
from editor.shell.export.written import Written
from tests.core.io import making
from tests.editor.stage import RIG, TURN, WALK, small_project, stage


@pytest.fixture
def here(qapp):
    with stage(qapp, "clips") as made:
        yield made


def test_plan_of_a_bvh_makes_a_file_for_each_clip(tmp_path):
    made = plan(small_project(), RIG, {WALK, TURN}, tmp_path / "x.bvh")
    assert [target.path.name for target in made.targets] == ["x_walk.bvh", "x_turn.bvh"]
    assert any("one file for each" in line for line in notes(made))
    assert plan(small_project(), RIG, {WALK}, tmp_path / "x.bvh").targets[0].path.name == "x.bvh"
    assert plan(small_project(), RIG, set(), tmp_path / "x.bvh").problem


@pytest.mark.parametrize(("count", "unfolded"), [(2, True), (4, False)])
def test_what_few_files_hold_is_shown_and_of_many_the_names_alone(qapp, tmp_path, count, unfolded):
    project = small_project()
    clip = project.assets[WALK]
    more = [replace(clip, id=AssetId(f"clip-{n}"), name=f"walk {n}") for n in range(1, count)]
    written = Written()
    ids = {WALK, *(clip.id for clip in more)}
    written.show_plan(plan(project.with_assets(*more), RIG, ids, tmp_path / "x.bvh"))
    items = [written.tree.topLevelItem(n) for n in range(written.tree.topLevelItemCount())]
    assert [item.isExpanded() for item in items] == [unfolded] * count
    for widget in (written.tree, written.losses, written.notes):
        widget.deleteLater()


def test_plan_embedded_gltf_is_one_file(tmp_path):
    for embed, names in ((True, ("x.gltf",)), (False, ("x.gltf", "x.bin"))):
        made = plan(small_project(), RIG, {WALK}, tmp_path / "x.gltf", Choice(embed=embed))
        assert made.targets[0].names == names


def test_native_format_is_saved_not_exported():
    assert "posewright" not in [f.id for f in writable()]


def test_cancel_among_several_files_leaves_none_of_them(tmp_path):
    made = plan(small_project(), RIG, {WALK, TURN}, tmp_path / "a.glb", Choice(each=True))
    progress = Progress(lambda fraction, text: progress.cancel() if fraction > 0.7 else None)
    with pytest.raises(Cancelled):
        carry_out(made, progress)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------ plans
def test_format_whose_package_is_missing_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "find_spec", lambda module: None)
    made = plan(small_project(), RIG, {WALK}, tmp_path / "x.usda")
    assert "pip install 'posewright[usd]'" in made.problem
    assert not plan(small_project(), RIG, {WALK}, tmp_path / "x.glb").problem


def test_preset_fills_in_everything_a_program_wants_and_is_recognised(tmp_path):
    for preset in PRESETS.values():
        choice = from_preset(preset, Choice(meshes=False, check=False))
        assert (choice.suffix, choice.meshes, choice.check) == (preset.suffix, False, False)
        assert preset_of(choice, preset.id) == preset.id
        assert Choice.from_json(choice.to_json()) == choice
        made = plan(small_project(), RIG, {WALK}, tmp_path / f"x{preset.suffix}", choice)
        options = made.options()
        for name in ("metres_per_unit", "up_axis", "curves"):
            assert getattr(options, name, None) == getattr(preset.options, name, None)
    assert preset_of(Choice(keys=Keys.CUBIC), "unity") == ""


@pytest.mark.parametrize(
    "broken", [None, 3, {"keys": "many", "unit": -1, "suffix": 5, "rate": True, "pattern": None}]
)
def test_choice_that_makes_no_sense_is_the_default(broken):
    assert Choice.from_json(broken) == Choice()


def test_plan_of_a_table_holds_samples_alone(tmp_path):
    made = plan(small_project(), RIG, {WALK}, tmp_path / "x.csv", Choice(space="model"))
    assert made.options().space == "model"
    assert "2,480 keys" in [row.more for row in rows(made)]  # 8 bones × 10 numbers × 31 frames


def test_extras_can_be_left_out(tmp_path):
    project = small_project()
    walk = replace(project.clip_named("walk"), curves={"blink": scalar_track([0.0], [1.0])})
    project = project.with_assets(walk)
    for extras in (True, False):
        made = plan(project, RIG, {WALK}, tmp_path / f"{extras}.glb", Choice(extras=extras))
        carry_out(made, Progress())
        assert bool(core.io.load(tmp_path / f"{extras}.glb").project.clips[0].curves) == extras
        assert any("left out" in line for line in losses(made)) != extras


def test_other_rate_samples_at_it(tmp_path):
    made = plan(small_project(), RIG, {WALK}, tmp_path / "x.bvh", Choice(rate=60.0))
    assert carry_out(made, Progress()).good
    clip = core.io.load(tmp_path / "x.bvh").project.clips[0]
    assert clip.rate.fps == pytest.approx(60.0) and clip.length == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".fbx", ".bvh", ".csv", ".npz"])
def test_estimate_is_about_right(tmp_path, suffix):
    project = core.io.load(sample_path()).project
    rig = project.rigs[0]
    some = {clip.id for clip in project.clips_of(rig.id)[:2]}
    made = plan(project, rig.id, some, tmp_path / f"x{suffix}", Choice(keys=Keys.FRAMES, check=False))
    carry_out(made, Progress())
    real = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert 0.5 < estimate(made, made.targets[0]) / real < 2.0


def test_other_process_writes_the_same_bytes_and_tells_the_same(tmp_path):
    (tmp_path / "here").mkdir()
    made = plan(small_project(), RIG, {WALK}, tmp_path / "x.fbx")
    there = carry_out(made, Progress())
    moved = replace(made, targets=(replace(made.targets[0], path=tmp_path / "here" / "x.fbx"),))
    (here,) = write(moved, made.narrowed(), Progress())
    assert (tmp_path / "x.fbx").read_bytes() == (tmp_path / "here" / "x.fbx").read_bytes()
    (told,) = there.results
    assert told.report == here.report and there.good
    # One of the two may compute by kernels and the other by their twins: equal but for rounding.
    for a, b in zip(told.check.checks, here.check.checks, strict=True):
        assert (a.clip, a.millimetres, a.degrees) == (
            b.clip,
            pytest.approx(b.millimetres, abs=1e-6),
            pytest.approx(b.degrees, abs=1e-6),
        )


def test_other_process_that_is_cancelled_leaves_nothing(tmp_path):
    progress = Progress(lambda fraction, text: progress.cancel() if fraction > 0.3 else None)
    with pytest.raises(Cancelled):
        carry_out(plan(small_project(), RIG, {WALK}, tmp_path / "x.fbx"), progress)
    assert list(tmp_path.iterdir()) == []


def test_all_characters_go_into_one_file(tmp_path):
    both = small_project()
    both = both.with_assets(*with_fresh_ids(small_project().without(WALK)).assets.values())
    other = replace(both.rigs[1], name="twin")
    both = both.with_assets(other)
    made = plan(both, RIG, {WALK}, tmp_path / "x.glb", Choice(together=True))
    assert sum(row.more == "skeleton" for row in rows(made)) == 2
    assert carry_out(made, Progress()).results
    assert len(core.io.load(tmp_path / "x.glb").project.rigs) == 2


def test_file_that_appeared_meanwhile_is_not_replaced(tmp_path):
    made = plan(small_project(), RIG, {WALK}, tmp_path / "a.glb")
    (tmp_path / "a.glb").write_bytes(b"new")
    with pytest.raises(AnimError, match="exists already"):
        carry_out(made, Progress())
    assert (tmp_path / "a.glb").read_bytes() == b"new" and len(list(tmp_path.iterdir())) == 1


def test_usd_images_are_in_the_list_and_an_existing_one_is_asked_about(tmp_path):
    project = dressed_project()
    made = plan(project, project.rigs[0].id, set(), tmp_path / "a.usda")
    (name,) = made.targets[0].beside
    assert name.endswith(".png") and any(row.text == name for row in rows(made))
    (tmp_path / name).write_bytes(b"another picture")
    assert made.replaces == (tmp_path / name,)
    (tmp_path / name).write_bytes(making.PNG)
    assert made.replaces == ()


def test_names_of_files_are_cut_at_bytes(tmp_path):
    clip = replace(small_project().clip_named("walk"), name="走" * 120)
    project = small_project().with_assets(clip, replace(clip, id=AssetId("clip-b"), name="走" * 121))
    made = plan(
        project, RIG, {clip.id, AssetId("clip-b")}, tmp_path / "a.glb", Choice(each=True, pattern="{clip}")
    )
    names = [target.path.name for target in made.targets]
    assert len(set(names)) == 2 and max(len(name.encode()) for name in names) <= 255
    assert all("走" in name and "\ufffd" not in name for name in names)
    carry_out(made, Progress())


def dressed_project():
    project = making.small()
    return project.with_assets(
        *(
            replace(m, materials=(Material("skin", texture=Texture("image/png", making.PNG)),) * 2)
            for m in project.all(Mesh)
        )
    )

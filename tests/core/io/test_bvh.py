"""BVH: dialects, guesses, and what is written."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import WHOLE, Channel, Property
from core.clips.sample import sample_many
from core.errors import FormatError, ValidationError
from core.io import load, save
from core.io.bvh.options import BvhReadOptions, BvhWriteOptions
from core.math import euler, quat
from core.pose.kinematics import model_matrices, to_model
from core.project.project import Project
from core.timing import FrameRate
from core.tracks.keys import Interpolation, scalar_track
from tests.core.io import making

HEAD = """HIERARCHY
ROOT Hips
{
\tOFFSET 0 90 0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Upper Arm
\t{
\t\tOFFSET 10 160 0
\t\tCHANNELS 3 Yrotation Xrotation Zrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 30 0 0
\t\t}
\t}
}
"""
ROWS = ["1 95 2 10 20 30 40 50 60", "2 96 3 11 21 31 41 51 61", "3 97 4 12 22 32 42 52 62"]


def written(tmp_path, rows=ROWS, head=HEAD, frames=None, time="0.04"):
    path = tmp_path / "a.bvh"
    count = len(rows) if frames is None else frames
    text = head + f"MOTION\nFrames: {count}\nFrame Time: {time}\n" + "\n".join(rows) + "\n"
    path.write_text(text, "utf-8")
    return path


def test_bvh_names_hierarchy_and_end_sites(tmp_path):
    rig = load(written(tmp_path)).project.rigs[0]
    assert rig.skeleton.names == ("Hips", "Upper Arm", "Upper Arm_End")
    assert rig.skeleton.parents.tolist() == [-1, 0, 1]
    assert [euler.ORDERS[o] for o in rig.skeleton.euler_orders[:2]] == ["YXZ", "ZXY"]


def test_bvh_positions_replace_the_offset_and_rotations_follow_the_channels(tmp_path):
    project = load(written(tmp_path), options=BvhReadOptions(1.0, "+Y")).project
    local = sample_many(project.rigs[0], project.clips[0], [0.04]).local
    assert local.translation[0, 0].tolist() == [2.0, 96.0, 3.0]
    assert local.translation[0, 1].tolist() == [10.0, 160.0, 0.0]
    angles = np.array([[21.0, 31.0, 11.0], [51.0, 41.0, 61.0]])
    wanted = [euler.to_quaternion(angles[b], euler.order_index(o)) for b, o in enumerate(("YXZ", "ZXY"))]
    assert quat.angle_between(local.rotation[0, :2], np.array(wanted)).max() < 1e-12


def test_bvh_units_and_axes_are_converted_and_told(tmp_path):
    loaded = load(written(tmp_path))
    assert loaded.report.unit == "centimetre"
    assert loaded.report.unit_guessed
    rig = loaded.project.rigs[0]
    assert rig.skeleton.rest.translation[0].tolist() == pytest.approx([0.0, 0.9, 0.0])
    zup = load(written(tmp_path), options=BvhReadOptions(0.01, "+Z")).project.rigs[0]
    assert zup.skeleton.rest.translation[0].tolist() == pytest.approx([0.0, 0.0, -0.9])
    model = to_model(zup.skeleton, zup.skeleton.rest).translation
    assert model[1].tolist() == pytest.approx([0.1, 0.0, -2.5])


@pytest.mark.parametrize(("declared", "rows"), [(1, 3), (1_000_000_000, 3), (0, 3)])
def test_bvh_rows_that_are_there_count_not_the_declared_ones(tmp_path, declared, rows):
    loaded = load(written(tmp_path, frames=declared))
    assert loaded.report.frames == rows
    assert any("declares" in warning for warning in loaded.report.warnings)


@pytest.mark.parametrize("spelling", [".04", "4e-2", "\t0.04", "0.04 "])
def test_bvh_frame_time_spellings(tmp_path, spelling):
    assert load(written(tmp_path, time=spelling)).project.clips[0].rate.fps == 25.0


def test_bvh_rate_that_drifts_stays_exact(tmp_path):
    clip = load(written(tmp_path, rows=[ROWS[0]] * 2000, time="0.03333")).project.clips[0]
    assert clip.length == pytest.approx(1999 * 0.03333)
    assert clip.frames == pytest.approx(1999)


def test_bvh_no_frames_is_a_rig_without_a_clip(tmp_path):
    loaded = load(written(tmp_path, rows=[]))
    assert loaded.project.clips == ()
    assert loaded.report.warnings


def test_bvh_windows_lines_and_marks(tmp_path):
    path = written(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load(path).report.frames == 3


def test_bvh_names_twice_are_told_apart(tmp_path):
    head = HEAD.replace("Upper Arm", "Hips")
    loaded = load(written(tmp_path, head=head))
    assert loaded.project.rigs[0].skeleton.names == ("Hips", "Hips.001", "Hips_End")
    assert ("Hips", "Hips.001") in loaded.report.renamed


@pytest.mark.parametrize(
    ("change", "where", "reason"),
    [
        (lambda t: t.replace("}\n}\n", "}\n"), "line", "not closed"),
        (lambda t: t.replace("OFFSET 10 160 0", "OFFSET 10 fifty 0"), "line 8", "three numbers"),
        (lambda t: t.replace("OFFSET 10 160 0", "OFFSET 10 nan 0"), "line 8", "finite"),
        (lambda t: t.replace("CHANNELS 3", "CHANNELS -3"), "line 9", "channels"),
        (lambda t: t.replace("CHANNELS 3", "CHANNELS 99999999"), "line 9", "channels"),
        (lambda t: t.replace("CHANNELS 3 Yrotation", "CHANNELS 3 Wrotation"), "line 9", "Wrotation"),
        (lambda t: t.replace("1 95 2", "1 x 2"), "line 19", "'x'"),
        (lambda t: t.replace("1 95 2", "1 nan 2"), "frame 0", "finite"),
        (lambda t: t.replace("1 95 2", "95 2"), "line 19", "9 numbers"),
        (lambda t: t.replace("Frames: 3", "Frames: -3"), "line 17", "0 frames"),
        (lambda t: t.replace("Time: 0.04", "Time: 0"), "line 17", "frame time"),
        (lambda t: t[: t.index("MOTION")], "line", "MOTION"),
        (lambda t: t[:60], "line", ""),
        (lambda t: t[:-20], "line 21", "truncated"),
        (lambda t: t.replace("ROOT Hips", "JOINT Hips"), "line 2", "outside"),
    ],
)
def test_bvh_broken_file_is_refused_with_its_line(tmp_path, change, where, reason):
    path = written(tmp_path)
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    with pytest.raises(FormatError) as caught:
        load(path)
    assert caught.value.where.startswith(where)
    assert reason in str(caught.value)


def test_bvh_deep_chain_is_read(tmp_path):
    depth = 3000
    joints = "".join(f"JOINT j{i}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n" for i in range(depth))
    head = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n" + joints
    path = written(tmp_path, head=head + "}\n" * (depth + 1), rows=["1 2 3"])
    assert len(load(path).project.rigs[0].skeleton) == depth + 1


# ---------------------------------------------------------------- dialects


def dialect(change):
    """The whole small file, changed."""
    text = HEAD + "MOTION\nFrames: 3\nFrame Time: 0.04\n" + "\n".join(ROWS) + "\n"
    return change(text)


def as_commas(text):
    return (
        text.replace("0.04", "0,04").replace("1 95 2", "1,5 95,25 2").replace("OFFSET 30 0", "OFFSET 30,5 0")
    )


DIALECTS = {
    "lower case": lambda t: t.lower(),
    "tabs": lambda t: t.replace(" ", "\t"),
    "windows lines": lambda t: t.replace("\n", "\r\n"),
    "old Mac lines": lambda t: t.replace("\n", "\r"),
    "byte order mark": lambda t: "\ufeff" + t,
    "blank lines": lambda t: t.replace("\n", "\n\n  \n"),
    "spaces at both ends": lambda t: "\n".join(f"   {line} \t " for line in t.splitlines()),
    "braces on the line": lambda t: t.replace("\n{", " {").replace("\n\t{", "{").replace("\n\t\t{", " {"),
    "one word a line": lambda t: t.replace("CHANNELS 3 Y", "CHANNELS\n3\nY").replace(
        "10 160 0", "10\n160\n0"
    ),
    "no colons": lambda t: t.replace(":", ""),
    "spaces before colons": lambda t: t.replace(":", " : "),
    "frame time first": lambda t: t.replace("Frames: 3\nFrame Time: 0.04", "Frame Time: 0.04\nFrames: 3"),
    "comments": lambda t: t.replace("HIERARCHY\n", "HIERARCHY\n# made by hand\n"),
    "one-word end site": lambda t: t.replace("End Site", "EndSite"),
    "rows broken in two": lambda t: t.replace(" 20 30", "\n20 30"),
    "no first keyword": lambda t: t.replace("HIERARCHY\n", ""),
    "commas between": lambda t: t.replace("1 95 2 10", "1.0, 95.0, 2.0, 10.0,"),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_bvh_dialect_reads_as_the_plain_file(tmp_path, name):
    plain = load(written(tmp_path)).project
    path = tmp_path / "dialect.bvh"
    path.write_bytes(dialect(DIALECTS[name]).encode("utf-8"))
    project = load(path).project
    assert [n.lower() for n in project.rigs[0].skeleton.names] == [
        n.lower() for n in plain.rigs[0].skeleton.names
    ]
    times = [0.0, 0.04, 0.08]
    a, b = (sample_many(p.rigs[0], p.clips[0], times).local for p in (plain, project))
    for ours, theirs in zip(a, b, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_bvh_decimal_commas_are_read_and_told(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(dialect(as_commas), "utf-8")
    loaded = load(path, options=BvhReadOptions(1.0, "+Y"))
    assert any("decimal commas" in text for text in loaded.report.warnings)
    rig, clip = loaded.project.rigs[0], loaded.project.clips[0]
    assert clip.rate.fps == 25.0
    assert sample_many(rig, clip, [0.0]).local.translation[0, 0].tolist() == [1.5, 95.25, 2.0]
    assert rig.skeleton.rest.translation[2, 0] == 30.5


def test_bvh_without_end_site_is_read(tmp_path):
    head = HEAD.replace("\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 30 0 0\n\t\t}\n", "")
    assert load(written(tmp_path, head=head)).project.rigs[0].skeleton.names == ("Hips", "Upper Arm")


def test_bvh_limb_positions_and_orders_of_its_own_are_followed(tmp_path):
    head = HEAD.replace(
        "3 Yrotation Xrotation Zrotation", "6 Yrotation Xrotation Zrotation Zposition Xposition Yposition"
    )
    rows = [row + " 7 8 9" for row in ROWS]
    project = load(written(tmp_path, head=head, rows=rows), options=BvhReadOptions(1.0, "+Y")).project
    local = sample_many(project.rigs[0], project.clips[0], [0.04]).local
    assert local.translation[0, 1].tolist() == [8.0, 9.0, 7.0]  # in place of the OFFSET, not added to it
    wanted = euler.to_quaternion(np.array([51.0, 41.0, 61.0]), euler.order_index("ZXY"))
    assert quat.angle_between(local.rotation[0, 1], wanted) < 1e-12


@pytest.mark.parametrize("change", [lambda t: t, lambda t: t.replace("Frame Time: 0.04\n", ""),
                                    lambda t: t.replace("0.04", "0"), lambda t: t.replace("0.04", "soon")])  # fmt: skip
def test_bvh_frame_time_of_the_user_wins(tmp_path, change):
    path = tmp_path / "a.bvh"
    path.write_text(dialect(change), "utf-8")
    loaded = load(path, options=BvhReadOptions(frame_time=1.0 / 60.0))
    assert loaded.report.rate == 60.0
    assert loaded.project.clips[0].length == pytest.approx(2.0 / 60.0)


def test_bvh_without_frame_time_says_what_to_do(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(dialect(lambda t: t.replace("Frame Time: 0.04\n", "")), "utf-8")
    with pytest.raises(FormatError, match="give the frame time"):
        load(path)


def test_bvh_motion_without_anything_is_a_rig_without_a_clip(tmp_path):
    path = tmp_path / "a.bvh"
    path.write_text(HEAD + "MOTION\n", "utf-8")
    loaded = load(path)
    assert loaded.project.clips == ()
    assert len(loaded.project.rigs[0].skeleton) == 3


@pytest.mark.parametrize("frame_time", [0.0, -1.0, float("nan"), 1e9])
def test_bvh_frame_time_that_cannot_be_is_refused(frame_time):
    with pytest.raises(ValidationError, match="frame time"):
        BvhReadOptions(frame_time=frame_time)


def test_bvh_small_roots_make_one_rig(tmp_path):
    roots = HEAD + HEAD.replace("HIERARCHY\n", "").replace("Hips", "Prop")
    rows = [f"{row} {row}" for row in ROWS]
    rig = load(written(tmp_path, head=roots, rows=rows)).project.rigs[0]
    assert rig.skeleton.parents.tolist() == [-1, 0, 1, -1, 3, 4]


# ---------------------------------------------------------------- writing


@settings(max_examples=20)
@given(st.integers(0, 1000), st.sampled_from([24, 30, 60]))
def test_bvh_round_trip_keeps_every_frame(tmp_path_factory, seed, rate):
    rng = np.random.default_rng(seed)
    project = making.small(seed)
    project = Project().with_assets(project.rigs[0])
    frames = int(rng.integers(2, 12))
    times = np.arange(frames) / rate
    names = project.rigs[0].skeleton.names
    tracks = {Channel(n, Property.ROTATE, WHOLE): making.turning(rng, at=times) for n in names}
    tracks |= {Channel("b2", Property.TRANSLATE, 1): making.scalar(rng, at=times)}
    project = making.with_clip(project, tracks, float(times[-1]), rate=FrameRate.of(rate))
    path = tmp_path_factory.mktemp("bvh") / "a.bvh"
    save(project, path, BvhWriteOptions(metres_per_unit=0.01))
    back = load(path, options=BvhReadOptions(0.01, "+Y")).project
    assert back.clips[0].length == pytest.approx(float(times[-1]), abs=1e-6)
    a = sample_many(project.rigs[0], project.clips[0], times).local
    b = sample_many(back.rigs[0], back.clips[0], times).local
    order = [back.rigs[0].skeleton.index(name) for name in names]
    assert np.abs(a.translation - b.translation[:, order]).max() < 1e-7
    assert np.degrees(quat.angle_between(a.rotation, b.rotation[:, order])).max() < 1e-4
    orders = project.rigs[0].skeleton.euler_orders
    assert back.rigs[0].skeleton.euler_orders[order].tolist() == orders.tolist()


def test_bvh_read_and_written_again_is_the_same_motion(tmp_path):
    path = written(tmp_path)
    first = load(path).project
    save(first, tmp_path / "b.bvh")
    text = (tmp_path / "b.bvh").read_text("utf-8")
    assert text.count("End Site") == 1
    assert "OFFSET 30.000000 0.000000 0.000000" in text
    rows = text.splitlines()[-3:]
    assert np.allclose([list(map(float, row.split())) for row in rows],
                       [list(map(float, row.split())) for row in ROWS], atol=2e-6)  # fmt: skip


def test_bvh_writer_tells_what_is_lost(tmp_path):
    report = save(making.small(even=False), tmp_path / "a.bvh")
    assert {"meshes", "scale"} <= set(report.left_out)


def test_save_scaled_bones_stand_where_they_did(tmp_path):
    """BVH has no scale: the distances take it over."""
    grown = scalar_track([0.0, 0.5], [1.0, 2.0], interpolations=Interpolation.LINEAR)
    tracks = {Channel("b1", Property.SCALE, axis): grown for axis in range(3)}
    first = making.with_clip(making.small(), tracks, 0.5)
    assert "scale" in save(first, tmp_path / "a.bvh").left_out
    last = load(tmp_path / "a.bvh", options=BvhReadOptions(1.0, "+Y")).project
    times, places = np.linspace(0.0, 0.5, 16), []
    for project in (first, last):
        rig = project.rigs[0]
        model = model_matrices(rig.skeleton, sample_many(rig, project.clips[0], times, wrap=False).local)
        places.append(model[:, [rig.skeleton.index(f"b{i}") for i in range(5)], :3, 3])
    assert np.allclose(places[0], places[1], atol=1e-5)

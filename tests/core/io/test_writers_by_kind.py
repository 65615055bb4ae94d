"""Every option of every writer and reader changes something; units, factors and modes are read back by others."""

import json
import struct
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.ids import AssetId
from core.io import formats, load, save
from core.io.bvh.options import BvhReadOptions, BvhWriteOptions
from core.io.common.options import Curves, ReadOptions
from core.io.fbx.options import FbxWriteOptions
from core.io.gltf.options import GltfWriteOptions
from core.io.native.write import NativeWriteOptions
from core.io.tables.write import TableWriteOptions
from core.io.usd.options import UsdReadOptions, UsdWriteOptions
from core.project.project import Project
from core.rig.rig import Rig, SourceFrame
from core.timing import FrameRate
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, TangentMode, scalar_track
from tests.core.io import making
from tests.core.io.fbx_reader import curves_of, read

OTHER_RIG, OTHER_CLIP = AssetId("rig-2"), AssetId("clip-2")
MORPH = scalar_track([0.0, 0.4, 1.0], [0.1, 0.9, 0.3], interpolations=Interpolation.LINEAR)


def document() -> Project:
    """Two characters whose bones rest scaled, with two clips of weighted curves and morphs."""
    rng = np.random.default_rng(5)
    first = making.small(1, even=False)
    rig = first.rigs[0]
    second = Rig(OTHER_RIG, "other", making.skeleton(rng, ["x", "y"]), source=SourceFrame(0.01))
    tracks = {
        Channel("b0", Property.ROTATE, WHOLE): making.turning(rng, at=np.array([0.0, 0.4, 1.0])),
        Channel("b1", Property.TRANSLATE, 1): making.scalar(
            rng, at=np.array([0.0, 0.31, 1.0]), weighted=True, interpolations=2
        ),
    }
    name = first.meshes_of(rig.id)[0].name
    clip = Clip(
        AssetId("clip-1"),
        "move",
        rig.id,
        1.0,
        FrameRate.of(30),
        tracks=tracks,
        morphs={f"{name}/smile": MORPH},
    )
    moved = {Channel("x", Property.TRANSLATE, 0): making.scalar(rng, at=np.array([0.0, 0.5]))}
    return first.with_assets(
        clip, replace(clip, id=OTHER_CLIP, name="again", length=0.5), second,
        Clip(AssetId("clip-3"), "third", OTHER_RIG, 0.5, tracks=moved),
    )  # fmt: skip


SCENE = {
    "rig": OTHER_RIG, "clips": (OTHER_CLIP,), "meshes": False, "metres_per_unit": 0.5, "up_axis": "+Z",
    "together": True,
}  # fmt: skip
WRITE = {
    ".glb": (GltfWriteOptions, {**SCENE, "tolerance": 0.05}),
    ".gltf": (GltfWriteOptions, {"embed": True}),
    ".fbx": (FbxWriteOptions, {**SCENE, "curves": Curves.KEYS, "tolerance": 5.0, "fold_scale": False}),
    ".usda": (UsdWriteOptions, {**SCENE, "tolerance": 0.05, "fold_scale": False}),
    ".bvh": (
        BvhWriteOptions,
        {"rig": OTHER_RIG, "clip": OTHER_CLIP, "metres_per_unit": 0.01, "rate": 12.0, "up_axis": "+Z"},
    ),
    ".npz": (TableWriteOptions, {"rig": OTHER_RIG, "clips": (OTHER_CLIP,), "space": "model", "rate": 12.0}),
}
"""Extension → class of the options, and another value for each of them."""


def written(folder: Path, suffix: str, options: object) -> dict[str, bytes]:
    """Names and bytes of what is written."""
    folder.mkdir()
    save(document(), folder / f"a{suffix}", options)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize(
    ("suffix", "name"), [(suffix, name) for suffix, (_, values) in WRITE.items() for name in values]
)
def test_every_option_of_a_writer_changes_the_file(tmp_path: Path, suffix: str, name: str) -> None:
    if suffix in (".usda", ".fbx"):
        pytest.importorskip("pxr" if suffix == ".usda" else "ufbx")
    kind, values = WRITE[suffix]
    plain, other = kind(), replace(kind(), **{name: values[name]})
    assert getattr(plain, name) != values[name]
    assert written(tmp_path / "a", suffix, plain) != written(tmp_path / "b", suffix, other)


def test_no_option_of_a_writer_is_forgotten() -> None:
    """A new option has to say here by what value its effect is seen."""
    tried: dict[type, set[str]] = {}
    for kind, values in WRITE.values():
        tried.setdefault(kind, set()).update(values)
    classes = {type(f.write_options()) for f in formats() if f.write_options is not None}
    assert classes - {NativeWriteOptions} == tried.keys()
    for kind, names in tried.items():
        assert {f.name for f in fields(kind)} == names, kind.__name__


READ = {
    ".glb": (ReadOptions, {"metres_per_unit": 0.5, "up_axis": "+X"}),
    ".fbx": (ReadOptions, {"metres_per_unit": 0.5, "up_axis": "+X"}),
    ".usda": (UsdReadOptions, {"metres_per_unit": 0.5, "up_axis": "+X"}),
    ".bvh": (BvhReadOptions, {"metres_per_unit": 0.02, "up_axis": "+X", "frame_time": 0.1}),
}


def what(project: Project) -> list[object]:
    """How many rigs there are, where their bones are, how long their clips are."""
    rests = [[np.round(part, 6).tolist() for part in rig.skeleton.rest] for rig in project.rigs]
    return [rests, [round(clip.length, 6) for clip in project.clips]]


@pytest.mark.parametrize(
    ("suffix", "name"), [(suffix, name) for suffix, (_, values) in READ.items() for name in values]
)
def test_every_option_of_a_reader_changes_what_is_read(tmp_path: Path, suffix: str, name: str) -> None:
    if suffix in (".usda", ".fbx"):
        pytest.importorskip("pxr" if suffix == ".usda" else "ufbx")
    kind, values = READ[suffix]
    path = tmp_path / f"a{suffix}"
    save(document(), path)
    plain = load(path, options=kind()).project
    assert what(plain) != what(load(path, options=replace(kind(), **{name: values[name]})).project)


def test_no_option_of_a_reader_is_forgotten() -> None:
    """Folders of USD are tested with its fence, characters apart with those that look like some."""
    for kind, values in READ.values():
        assert {f.name for f in fields(kind)} - {"folders", "apart"} == set(values), kind.__name__


# ---------------------------------------------------------------- read by others


def glb_of(path: Path) -> tuple[dict, bytes]:
    """The JSON and the buffer of a binary glTF, by the letter of its specification."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def rows_of(document: dict, buffer: bytes, accessor: int) -> np.ndarray:
    told = document["accessors"][accessor]
    view = document["bufferViews"][told["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[told["type"]]
    start = view.get("byteOffset", 0) + told.get("byteOffset", 0)
    return np.frombuffer(buffer, "<f4", told["count"] * width, start).reshape(-1, width)


def sampler_of(document: dict, node: str, path: str) -> dict:
    (animation,) = document["animations"]
    names = [n.get("name") for n in document["nodes"]]
    (channel,) = [
        c for c in animation["channels"]
        if c["target"]["path"] == path and (path == "weights" or names[c["target"]["node"]] == node)
    ]  # fmt: skip
    return animation["samplers"][channel["sampler"]]


AT = np.array([0.0, 0.5, 1.0])
KINDS = {
    Interpolation.CONSTANT: ("STEP", TangentMode.STEPPED),
    Interpolation.LINEAR: ("LINEAR", TangentMode.LINEAR),
    Interpolation.CUBIC: ("CUBICSPLINE", TangentMode.BROKEN),
}


@pytest.mark.parametrize("kind", list(KINDS))
def test_gltf_keeps_steps_lines_and_broken_tangents(tmp_path: Path, kind: Interpolation) -> None:
    rng = np.random.default_rng(int(kind))
    tracks = {
        Channel("b1", Property.TRANSLATE, axis): scalar_track(
            AT, rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), int(kind), int(KINDS[kind][1])
        )
        for axis in range(3)
    }
    save(making.with_clip(making.small(), tracks, 1.0), tmp_path / "a.glb")
    document, buffer = glb_of(tmp_path / "a.glb")
    sampler = sampler_of(document, "b1", "translation")
    assert sampler["interpolation"] == KINDS[kind][0]
    values = rows_of(document, buffer, sampler["output"])
    whole = [np.stack([getattr(tracks[c], name) for c in tracks], axis=1)
             for name in ("in_slopes", "values", "out_slopes")]  # fmt: skip
    whole[0][0] = whole[2][-1] = 0.0  # nothing arrives at the first key or leaves the last
    wanted = np.stack(whole, axis=1).reshape(-1, 3) if kind == Interpolation.CUBIC else whole[1]
    assert np.abs(values - wanted).max() < 1e-6
    back = load(tmp_path / "a.glb").project.clips[0]
    for channel, track in tracks.items():
        found = back.tracks[channel]
        ends = int(TangentMode.FREE if kind == Interpolation.CUBIC else KINDS[kind][1])
        assert found.modes.tolist() == [ends, int(KINDS[kind][1]), ends]
        assert found.interpolations.tolist() == [int(kind)] * 3
        if kind == Interpolation.CUBIC:
            assert np.abs(found.in_slopes - track.in_slopes)[1:].max() < 1e-6
            assert np.abs(found.out_slopes - track.out_slopes)[:-1].max() < 1e-6


def test_gltf_smooth_tangents_come_back_free(tmp_path: Path) -> None:
    slopes = np.array([0.5, -1.0, 2.0])
    tracks = {
        Channel("b1", Property.TRANSLATE, axis): scalar_track(
            AT, slopes, slopes, slopes, modes=TangentMode.FREE
        )
        for axis in range(3)
    }
    save(making.with_clip(making.small(), tracks, 1.0), tmp_path / "a.glb")
    back = load(tmp_path / "a.glb").project.clips[0]
    assert {int(m) for t in back.every_track() for m in t.modes} == {int(TangentMode.FREE)}


@pytest.mark.parametrize("suffix", [".glb", ".fbx", ".usda"])
def test_morph_weights_come_back_as_shares_of_one(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip({".fbx": "ufbx", ".usda": "pxr"}.get(suffix, "numpy"))
    path = tmp_path / f"a{suffix}"
    save(document(), path, replace(WRITE[suffix][0](), clips=(AssetId("clip-1"),)))
    found = load(path).project.clips[0].morphs
    (track,) = [t for name, t in found.items() if name.endswith("/smile")]
    times = np.linspace(0.0, 1.0, 31)
    assert np.abs(evaluate_scalar(track, times) - evaluate_scalar(MORPH, times)).max() < 1e-4


def test_fbx_morph_weights_are_per_cent_in_the_file(tmp_path: Path) -> None:
    save(document(), tmp_path / "a.fbx", FbxWriteOptions(clips=(AssetId("clip-1"),)))
    ((times, values),) = curves_of(read(tmp_path / "a.fbx"), b"DeformPercent")
    assert np.abs(values - 100.0 * evaluate_scalar(MORPH, times)).max() < 1e-4
    assert values[[0, -1]] == pytest.approx([10.0, 30.0], abs=1e-4)


@pytest.mark.parametrize(("metres", "up", "axis"), [(0.01, "+Y", 1), (1.0, "+Z", 2)])
def test_fbx_states_its_unit_and_axes_and_writes_numbers_in_them(
    tmp_path: Path, metres: float, up: str, axis: int
) -> None:
    options = FbxWriteOptions(
        clips=(AssetId("clip-1"),), metres_per_unit=metres, up_axis=up, fold_scale=False
    )
    save(document(), tmp_path / "a.fbx", options)
    scene = read(tmp_path / "a.fbx")
    told = {row.values[0]: row.values[4:] for row in scene.one("GlobalSettings").one("Properties70").all("P")}
    assert told[b"UnitScaleFactor"] == [100.0 * metres] and told[b"UpAxis"] == [axis]
    assert told[b"UpAxisSign"] == [1]
    (track,) = [t for c, t in document().clips[0].tracks.items() if c.property is Property.TRANSLATE]
    times = np.linspace(0.0, 1.0, 31)  # bone b1 is below another, in whose axes it is told
    wanted = evaluate_scalar(track, times) / metres
    found = [np.interp(times, *curve) for curve in curves_of(scene, b"T")]
    assert any(np.abs(row - wanted).max() < 1e-4 * np.abs(wanted).max() for row in found)


@pytest.mark.parametrize("rate", [24.0, 60.0])
def test_usd_stage_tells_its_rate_and_where_its_clip_ends(tmp_path: Path, rate: float) -> None:
    pxr = pytest.importorskip("pxr.Usd")
    project = document()
    clips = [replace(clip, rate=FrameRate.of(rate), length=length)
             for clip, length in zip(project.clips_of(project.rigs[0].id), (1.0, 1.5), strict=True)]  # fmt: skip
    save(
        project.with_assets(*clips), tmp_path / "a.usda", UsdWriteOptions(metres_per_unit=0.01, up_axis="+Z")
    )
    stage = pxr.Stage.Open(str(tmp_path / "a.usda"))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0.0, 1.5 * rate)
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == rate
    assert stage.GetPseudoRoot().GetMetadata("metersPerUnit") == 0.01
    assert stage.GetPseudoRoot().GetMetadata("upAxis") == "Z"
    from pxr import UsdSkel

    (move,) = [
        UsdSkel.Animation(p) for p in stage.Traverse() if p.IsA(UsdSkel.Animation) and p.GetName() == "move"
    ]
    codes = move.GetRotationsAttr().GetTimeSamples()
    assert (codes[0], codes[-1]) == (0.0, pytest.approx(rate))
    weights = move.GetBlendShapeWeightsAttr()
    names = list(move.GetBlendShapesAttr().Get())
    assert weights.Get(0.4 * rate)[[n.endswith("smile") for n in names].index(True)] == pytest.approx(
        0.9, abs=1e-5
    )

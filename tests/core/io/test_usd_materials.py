"""Materials, textures and blend shapes through USD, and what OpenUSD makes of our files."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.sample import sample_many
from core.io import load, save
from core.io.usd.options import UsdWriteOptions
from core.rig.mesh import AlphaMode, Material, MorphTarget, Texture
from tests.core.io import making

pytest.importorskip("pxr")

SKIN = Material(
    "skin", (0.5, 0.25, 1.0, 0.75), 0.25, 0.5, True, Texture("image/png", making.PNG), AlphaMode.BLEND
)
PLAIN = Material("plain", (0.125, 0.5, 0.75, 1.0), 0.0, 1.0, True)


def dressed(*materials):
    project = making.small()
    mesh = project.meshes_of(project.rigs[0].id)[0]
    return project.with_assets(replace(mesh, materials=materials))


def only_mesh(project):
    return project.meshes_of(project.rigs[0].id)[0]


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_save_usd_materials_textures_and_their_faces_come_back(suffix, tmp_path):
    first = dressed(SKIN, PLAIN)
    save(first, tmp_path / f"a{suffix}")
    one, two = only_mesh(first), only_mesh(load(tmp_path / f"a{suffix}").project)
    assert two.materials == one.materials
    assert [(p.count, p.material) for p in two.parts] == [(p.count, p.material) for p in one.parts]
    for p, q in zip(one.parts, two.parts, strict=True):
        corners = [m.positions[m.triangles[r.start : r.start + r.count]] for m, r in ((one, p), (two, q))]
        assert np.allclose(*corners, atol=1e-6)


def test_save_usd_one_image_of_two_materials_lies_beside_once(tmp_path):
    save(dressed(SKIN, replace(SKIN, name="other")), tmp_path / "a.usda")
    (image,) = (p for p in tmp_path.iterdir() if p.suffix != ".usda")
    assert image.read_bytes() == making.PNG


def test_save_usd_image_it_cannot_hold_is_told(tmp_path):
    odd = replace(SKIN, texture=Texture("image/webp", b"RIFF"))
    told = save(dressed(odd, PLAIN), tmp_path / "a.usda")
    assert any("image/webp" in text for text in told.left_out)


@pytest.mark.parametrize(("folder", "found"), [("..", False), ("./textures", True)])
def test_read_usd_image_is_found_below_the_file_only(folder, found, tmp_path):
    inside = tmp_path / "inside"
    (inside / "textures").mkdir(parents=True)
    save(dressed(SKIN, PLAIN), inside / "a.usda")
    (image,) = inside.glob("*.png")
    image.rename(inside / folder / image.name)
    text = (inside / "a.usda").read_text().replace("@./", f"@{folder}/")
    (inside / "a.usda").write_text(text)
    loaded = load(inside / "a.usda")
    assert (only_mesh(loaded.project).materials[0].texture is not None) is found
    assert any(image.name in text for text in loaded.report.left_out) is not found


@pytest.mark.parametrize("metres", [1.0, 0.01])
def test_save_usd_blend_shapes_deform_alike_in_openusd(metres, tmp_path):
    """Points with weights by OpenUSD's own blend-shape query, against ours."""
    from pxr import Usd, UsdGeom, UsdSkel

    rng = np.random.default_rng(2)
    project = dressed(SKIN, PLAIN)
    mesh = only_mesh(project)
    curves = {f"{mesh.name}/{m.name}": making.scalar(rng, at=np.linspace(0, 1, 4)) for m in mesh.morphs}
    project = making.with_clip(project, {}, 1.0, morphs=curves)
    save(project, tmp_path / "a.usda", UsdWriteOptions(metres_per_unit=metres))
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    cache, root = UsdSkel.Cache(), UsdSkel.Root(stage.GetDefaultPrim())
    cache.Populate(root, Usd.PrimDefaultPredicate)
    target = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)[0].GetSkinningTargets()[0]
    shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(target.GetPrim()))
    animation = cache.GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/Root/Skel"))).GetAnimQuery()
    clip, rig = project.clips[-1], project.rigs[0]
    for time in (0.0, 0.37, 1.0):
        given = animation.ComputeBlendShapeWeights(time * clip.rate.fps)
        weights, *indices = shapes.ComputeSubShapeWeights(target.GetBlendShapeMapper().Remap(given))
        points = UsdGeom.Mesh(target.GetPrim()).GetPointsAttr().Get()
        offsets, rows = shapes.ComputeSubShapePointOffsets(), shapes.ComputeBlendShapePointIndices()
        assert shapes.ComputeDeformedPoints(weights, *indices, rows, offsets, points)
        ours = sample_many(rig, clip, [time], meshes=[mesh]).morphs
        wanted = mesh.positions.astype(np.float64)
        for morph in mesh.morphs:
            wanted = wanted + ours[f"{mesh.name}/{morph.name}"][0] * morph.positions
        assert np.abs(np.array(points) * metres - wanted).max() <= 1e-4


def test_save_usd_normals_of_blend_shapes_are_written_for_the_points_that_move(tmp_path):
    from pxr import Usd

    project = making.small()
    mesh = only_mesh(project)
    moved = np.zeros((7, 3), np.float32)
    moved[[1, 4]] = (0.0, 0.5, 0.25)
    turned = np.arange(21, dtype=np.float32).reshape(7, 3)
    save(project.with_assets(replace(mesh, morphs=(MorphTarget("up", moved, turned),))), tmp_path / "a.usda")
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    shape = next(prim for prim in stage.Traverse() if prim.GetTypeName() == "BlendShape")
    assert list(shape.GetAttribute("pointIndices").Get()) == [1, 4]
    assert np.array_equal(np.array(shape.GetAttribute("normalOffsets").Get()), turned[[1, 4]])

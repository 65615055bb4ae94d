"""Morph targets with shapes in between, by OpenUSD and by laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.sample import sample_many
from core.io import load, save
from core.io.common.morph_inbetweens import inbetween_weights
from core.io.fbx import write_meshes
from core.io.fbx.binary import Record
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation
from tests.core.io import making

steps = st.lists(
    st.floats(-2.0, 3.0).filter(lambda w: abs(w) > 0.01),
    min_size=1,
    max_size=5,
    unique_by=lambda w: round(w, 2),
)


@given(steps, st.floats(-4.0, 5.0))
def test_shares_of_linear_shapes_are_the_weight_itself(weights, at):
    """Shapes that are just parts of one displacement add up to that displacement at any weight."""
    parts = inbetween_weights(weights)
    total = sum(float(part.of(at)) * weight for part, weight in zip(parts, weights, strict=True))
    assert total == pytest.approx(at, abs=1e-6 * max(1.0, max(1.0 / abs(w) for w in weights)))


@given(steps)
def test_share_is_whole_at_its_own_weight_and_none_at_others(weights):
    table = np.array([part.of([0.0, *weights]) for part in inbetween_weights(weights)])
    assert np.allclose(table[:, 1:], np.eye(len(weights)))
    assert (table[:, 0] == 0.0).all()


@pytest.mark.parametrize("weights", [[0.5, 0.5], [0.0, 1.0], [float("nan")]])
def test_shares_of_weights_that_are_one_is_refused(weights):
    with pytest.raises(ValueError, match="different weights"):
        inbetween_weights(weights)


@pytest.mark.parametrize("kind", list(Interpolation))
def test_share_track_follows_the_channel(kind):
    channel = making.scalar(np.random.default_rng(4), at=np.linspace(0.0, 1.0, 6), interpolations=kind)
    times = np.linspace(0.0, 0.999, 400)
    limit = 0.05 if kind is Interpolation.CUBIC else 1e-9
    for share in inbetween_weights([0.3, 0.7, 1.0]):
        wanted = share.of(evaluate_scalar(channel, times))
        assert np.abs(evaluate_scalar(share.track(channel), times) - wanted).max() <= limit


def stage_with_between(path):
    """A strip of three points that follows one joint, with a blend shape that bends on its way."""
    from pxr import Gf, Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    stage.SetTimeCodesPerSecond(10)
    stage.SetDefaultPrim(UsdSkel.Root.Define(stage, "/Root").GetPrim())
    skeleton = UsdSkel.Skeleton.Define(stage, "/Root/Skel")
    skeleton.CreateJointsAttr(["a"])
    for attribute in (skeleton.CreateBindTransformsAttr(), skeleton.CreateRestTransformsAttr()):
        attribute.Set([Gf.Matrix4d(1.0)])
    mesh = UsdGeom.Mesh.Define(stage, "/Root/Mesh")
    mesh.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    mesh.CreateFaceVertexCountsAttr([3])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2])
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    binding.CreateJointIndicesPrimvar(False, 1).Set([0, 0, 0])
    binding.CreateJointWeightsPrimvar(False, 1).Set([1.0, 1.0, 1.0])
    shape = UsdSkel.BlendShape.Define(stage, "/Root/Mesh/bend")
    shape.CreateOffsetsAttr([(0, 0, 1), (0, 0, 2)])
    shape.CreatePointIndicesAttr([1, 2])
    for name, weight, offsets in (("a", 0.25, [(0, 1, 0), (0, 0, 1)]), ("b", 0.6, [(0, 0, 0), (1, 0, 0)])):
        inner = shape.CreateInbetween(name)
        inner.SetWeight(weight)
        inner.SetOffsets(offsets)
    binding.CreateBlendShapesAttr(["bend"])
    binding.CreateBlendShapeTargetsRel().SetTargets([shape.GetPath()])
    animation = UsdSkel.Animation.Define(stage, "/Root/Skel/move")
    animation.CreateBlendShapesAttr(["bend"])
    weights = animation.CreateBlendShapeWeightsAttr()
    for code, weight in ((0, 0.0), (10, 1.2), (20, -0.2)):
        weights.Set([weight], code)
    UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    stage.GetRootLayer().Save()
    return stage


def test_read_usd_shapes_in_between_deform_as_openusd_does(tmp_path):
    pytest.importorskip("pxr")
    from pxr import UsdSkel

    stage = stage_with_between(tmp_path / "a.usda")
    loaded = load(tmp_path / "a.usda")
    project = loaded.project
    rig, clip = project.rigs[0], project.clips[0]
    mesh = project.meshes_of(rig.id)[0]
    assert [morph.name for morph in mesh.morphs] == ["bend 25 %", "bend 60 %", "bend"]
    assert any("in between" in text for text in loaded.report.warnings)
    query = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(stage.GetPrimAtPath("/Root/Mesh")))
    offsets, rows = query.ComputeSubShapePointOffsets(), query.ComputeBlendShapePointIndices()
    given_weights = stage.GetPrimAtPath("/Root/Skel/move").GetAttribute("blendShapeWeights")
    for time in np.linspace(0.0, 2.0, 33):
        points = stage.GetPrimAtPath("/Root/Mesh").GetAttribute("points").Get()
        parts = query.ComputeSubShapeWeights(given_weights.Get(time * 10.0))
        assert query.ComputeDeformedPoints(*parts, rows, offsets, points)
        ours = sample_many(rig, clip, [time], meshes=[mesh]).morphs
        found = mesh.positions.astype(np.float64)
        for morph in mesh.morphs:
            found = found + ours[f"{mesh.name}/{morph.name}"][0] * morph.positions
        assert np.abs(found - np.array(points)).max() <= 2e-6


def test_read_fbx_shapes_in_between_are_targets_with_their_share(tmp_path, monkeypatch):
    """A file of ours, each target given a shape at half its weight that is the whole of the last one."""
    pytest.importorskip("ufbx")
    whole = write_meshes.MeshWriter._morph

    def with_half(self, mesh, morph, deformer):
        whole(self, mesh, morph, deformer)
        *_, shape, channel = self.document.objects.inside
        half = Record("Shape", *shape.values, inside=shape.inside)
        number = self.document.add("Geometry", "half", "Geometry", "Shape", *half.inside)
        self.document.connect(number, self.channels[f"{mesh.name}/{morph.name}"])
        own = self.document.connections.inside
        own[-1], own[-2] = own[-2], own[-1]
        for record in channel.inside:
            if record.name == "FullWeights":
                record.values = (np.array([50.0, 100.0]),)

    monkeypatch.setattr(write_meshes.MeshWriter, "_morph", with_half)
    first = making.small()
    save(first, tmp_path / "a.fbx")
    project = load(tmp_path / "a.fbx").project
    mesh = project.meshes_of(project.rigs[0].id)[0]
    assert [morph.name for morph in mesh.morphs] == ["smile 50 %", "smile", "frown 50 %", "frown"]
    assert [morph.default_weight for morph in mesh.morphs] == pytest.approx([0.5, 0.0, 0.5, 0.0])

"""Faces of many corners in files are cut so that no triangle lies outside of them."""

import numpy as np
import pytest

from core.errors import FormatError
from core.io import load

STAGE = """#usda 1.0
(
    defaultPrim = "Root"
    metersPerUnit = 1
    upAxis = "Y"
)
def SkelRoot "Root"
{
    def Skeleton "Skel"
    {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
    }
    def Mesh "Body" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0,0,0), (4,0,0), (4,4,0), (2,1,0), (0,4,0), (5,0,0), (6,0,0), (6,1,0), (5,1,0)]
        int[] faceVertexCounts = [5, 4]
        int[] faceVertexIndices = [0, 1, 2, 3, 4, 5, 6, 7, 8]
        rel skel:skeleton = </Root/Skel>
        int[] primvars:skel:jointIndices = [0,0,0,0,0,0,0,0,0] (elementSize = 1; interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1,1,1,1,1,1,1,1,1] (elementSize = 1; interpolation = "vertex")
    }
}
"""


def test_broken_stage_is_refused_with_its_line(tmp_path):
    pytest.importorskip("pxr")
    (tmp_path / "a.usda").write_text(STAGE.replace("faceVertexCounts = [5", "faceVertexCounts = [5 five"))
    with pytest.raises(FormatError, match="line 18"):
        load(tmp_path / "a.usda")


def test_concave_face_of_a_file_is_covered_once(tmp_path):
    pytest.importorskip("pxr")
    (tmp_path / "a.usda").write_text(STAGE)
    project = load(tmp_path / "a.usda").project
    (mesh,) = project.meshes_of(project.rigs[0].id)
    corners = mesh.positions[mesh.triangles].astype(np.float64)
    areas = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    assert len(areas) == 3 + 2
    assert areas.min() > 0.0
    assert areas.sum() == pytest.approx((16.0 - 6.0) + 1.0)

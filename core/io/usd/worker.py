"""The helper process that reads USD: ``python -m core.io.usd.worker IN.usd OUT.npz``."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Tf, Usd, UsdGeom, UsdSkel

from core.arrays import FloatArray
from core.io.common.helper.refine import MOST_SAMPLES, refined
from core.io.common.helper.worker import leave
from core.io.common.marks import EXTRAS
from core.io.usd.collect_cameras import cameras
from core.io.usd.collect_materials import Materials
from core.io.usd.fence import Fence, allowed_folders
from core.io.usd.left_out import TakenIn, left_out
from core.math.transform import from_matrix

ROOT = "root"
"""The bone of a skeleton without joints."""


def _reason(text: str, path: str) -> str:
    """What the library complains about, without where in itself it does."""
    found = re.search(r" : '(.+?)'?$", text, re.MULTILINE)
    return (found[1] if found else " ".join(text.split())).replace(f"{path}:", "line ")[:300]


def title_of(prim: Any) -> str:
    """Display name of a prim, which may hold any letters, else its name."""
    return str(prim.GetDisplayName() or prim.GetName())


def matrix_of(matrix: Any) -> FloatArray:
    """Our column-vector matrix of USD's row-vector one; one that is not finite is refused."""
    found = np.array(matrix, dtype=np.float64).reshape(4, 4).T
    if not np.isfinite(found).all():  # LAPACK can hang on non-finite input
        raise ValueError("a matrix holds numbers that are not finite")
    return found


def collect(path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Every skeleton of a stage with its animations and meshes."""
    fence = Fence(allowed_folders(Path(path)))
    try:
        fence.open(path)
        stage = Usd.Stage.Open(path)
    except Tf.ErrorException as error:
        raise ValueError(_reason(str(error), path)) from error
    cache = UsdSkel.Cache()
    arrays: dict[str, Any] = {}
    materials = Materials(allowed_folders(Path(path)), arrays)
    skeletons: dict[str, Any] = {}
    predicate = Usd.TraverseInstanceProxies()
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), predicate):
        if prim.IsA(UsdSkel.Root):
            cache.Populate(UsdSkel.Root(prim), predicate)
            for binding in cache.ComputeSkelBindings(UsdSkel.Root(prim), predicate):
                held = skeletons.setdefault(str(binding.GetSkeleton().GetPath()), (binding.GetSkeleton(), []))
                held[1].extend(binding.GetSkinningTargets())
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), predicate):
        if prim.IsA(UsdSkel.Skeleton):
            skeletons.setdefault(str(prim.GetPath()), (UsdSkel.Skeleton(prim), []))
    characters = [
        _Skeleton(stage, cache, skeleton, targets, f"skel{number}", arrays, materials)
        for number, (skeleton, targets) in enumerate(skeletons.values())
    ]
    made = [character.told() for character in characters]
    told = {
        "unit_metres": UsdGeom.GetStageMetersPerUnit(stage),
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "codes": stage.GetTimeCodesPerSecond(),
        "producer": str(stage.GetRootLayer().documentation or stage.GetRootLayer().comment)[:200],
        "skeletons": made,
        "refused": fence.told(),
        "cameras": cameras(stage, predicate, _first(made, arrays), arrays),
        "left_out": left_out(stage, predicate, taken_in(characters)),
    }
    return told, arrays


def _first(characters: Sequence[dict[str, Any]], arrays: dict[str, Any]) -> float | None:
    """The time code at which clips begin; None without one."""
    starts = [float(arrays[f"{clip['key']}.times"][0]) for one in characters for clip in one["clips"]]
    return min(starts, default=None)


def taken_in(characters: "Sequence[_Skeleton]") -> TakenIn:
    """What of the stage has been read."""
    return TakenIn(
        animations={path for one in characters for path in one.read},
        moving={str(prim.GetPath()) for one in characters for prim in one.above},
        meshes={path for one in characters for path in one.shown},
    )


class _Skeleton:
    def __init__(
        self, stage: Any, cache: Any, skeleton: Any, targets: list[Any], key: str, arrays: dict[str, Any],
        materials: Materials,
    ) -> None:  # fmt: skip
        self.stage, self.cache, self.skeleton, self.targets = stage, cache, skeleton, targets
        self.materials = materials
        self.key, self.arrays = key, arrays
        self.query = cache.GetSkelQuery(skeleton)
        if not self.query:
            raise ValueError(f"{skeleton.GetPath()} is no valid skeleton")
        self.joints = [str(joint) for joint in self.query.GetJointOrder()]
        self.bare = not self.joints  # only morphs move: one bone, standing where the skeleton does
        self.above = _movers(skeleton.GetPrim())
        self.place = {joint: number for number, joint in enumerate(self.joints)}
        self.morphs: list[str] = []
        self.read: set[str] = set()
        self.shown: set[str] = set()

    def told(self) -> dict[str, Any]:
        if self.bare:
            return self._told_bare()
        count = len(self.joints)
        topology = self.query.GetTopology()
        names = self.skeleton.GetJointNamesAttr().Get() if self.skeleton.GetJointNamesAttr() else None
        rest = self.query.ComputeJointLocalTransforms(Usd.TimeCode.Default(), True)
        binds = self.skeleton.GetBindTransformsAttr().Get()
        if rest is None or len(rest) != count:
            raise ValueError(f"{self.skeleton.GetPath()}: expected {count} rest transforms")
        self.rest = np.array([matrix_of(m) for m in rest]).reshape(-1, 4, 4)
        self.arrays[f"{self.key}.rest"] = self.rest
        self.arrays[f"{self.key}.world"] = matrix_of(self._world(Usd.TimeCode.EarliestTime()))
        whole = binds is not None and len(binds) == count
        self.binds = (
            np.array([matrix_of(m) for m in binds]).reshape(-1, 4, 4)
            if whole
            else np.array([matrix_of(m) for m in topology_world(self.query)])
        )
        meshes = [m for number, t in enumerate(self.targets) if (m := self._mesh(t, number)) is not None]
        parents = [topology.GetParent(number) for number in range(count)]
        named = [str(n) for n in names] if names is not None and len(names) == count else None
        return self._character(parents, named, meshes, [] if whole else ["bind transforms"])

    def _told_bare(self) -> dict[str, Any]:
        """A skeleton without joints: a character of one root bone."""
        self.joints, self.rest, self.binds = [ROOT], np.eye(4)[None], np.eye(4)[None]
        self.arrays[f"{self.key}.rest"] = self.rest
        self.arrays[f"{self.key}.world"] = matrix_of(self._world(Usd.TimeCode.EarliestTime()))
        meshes = [m for number, t in enumerate(self.targets) if (m := self._mesh(t, number)) is not None]
        return self._character([-1], None, meshes, [])

    def _character(
        self, parents: list[int], names: list[str] | None, meshes: list[dict[str, Any]], loose: list[str]
    ) -> dict[str, Any]:
        return {
            "name": title_of(self.skeleton.GetPrim()),
            "path": str(self.skeleton.GetPath()),
            "joints": self.joints,
            "names": names,
            "parents": parents,
            "meshes": meshes,
            "clips": self._clips(),
            "morphs": self.morphs,
            "loose": loose,
        }

    def _world(self, time: Any) -> Any:
        return UsdGeom.XformCache(time).GetLocalToWorldTransform(self.skeleton.GetPrim())

    # ------------------------------------------------------------ clips

    def _clips(self) -> list[dict[str, Any]]:
        bound = self.query.GetAnimQuery()
        queries = [bound] if bound else []
        seen = {str(q.GetPrim().GetPath()) for q in queries}
        for prim in self.skeleton.GetPrim().GetChildren():
            if prim.IsA(UsdSkel.Animation) and str(prim.GetPath()) not in seen:
                query = self.cache.GetAnimQuery(UsdSkel.Animation(prim))
                if query:
                    queries.append(query)
        self.read = {str(query.GetPrim().GetPath()) for query in queries}
        if not queries and self.above:
            return [self._clip(None, 0)]
        return [self._clip(query, number) for number, query in enumerate(queries)]

    def _clip(self, query: Any, number: int) -> dict[str, Any]:
        """One animation; None where the prims above the skeleton are all that moves."""
        own = (
            []
            if query is None
            else [query.GetJointTransformTimeSamples(), query.GetBlendShapeWeightTimeSamples()]
        )
        prim = self.skeleton.GetPrim() if query is None else query.GetPrim()
        times = sorted({time for part in own for time in part})
        moving = sorted({time for above in self.above for time in above.GetTimeSamples()})
        if times and moving:  # the clip is as long as its animation, and begins with it
            moving = [time for time in moving if times[0] < time < times[-1]]
        own_times = times
        times = sorted({*times, *moving}) or [0.0]  # values without times: a pose
        if self.above:
            times = self._refined(times)
        if len(times) > MOST_SAMPLES:
            raise ValueError(f"{prim.GetPath()}: {len(times)} samples are too many")
        order = [] if query is None or self.bare else query.GetJointOrder()
        rows = [self.place.get(str(joint), -1) for joint in order]
        weights = [] if query is None else [str(name) for name in query.GetBlendShapeOrder()]
        key = f"{self.key}.clip{number}"
        self._sample(query, key, times, len(rows), len(weights))
        self.arrays[f"{key}.times"] = np.array(times, dtype=np.float64)
        self.arrays[f"{key}.own"] = np.isin(times, own_times or times)
        if self.above:
            self.arrays[f"{key}.world"] = np.array([matrix_of(self._world(time)) for time in times])
        return {
            "key": key,
            "name": prim.GetName(),
            "extras": str(prim.GetCustomDataByKey(EXTRAS) or ""),
            "rows": rows,
            "moves": bool(self.above),
            "morphs": weights,
        }

    def _sample(self, query: Any, key: str, times: list[float], joints: int, shapes: int) -> None:
        shape = (len(times), joints)
        parts = [np.zeros((*shape, 3)), np.zeros((*shape, 4)), np.ones((*shape, 3))]
        weights = np.zeros((len(times), shapes))
        for row, time in enumerate(times):
            found = query.ComputeJointLocalTransformComponents(time) if joints else None
            if found is not None and len(found[0]) == joints:
                parts[0][row] = np.array(found[0])
                parts[1][row] = [(*q.GetImaginary(), q.GetReal()) for q in found[1]]
                parts[2][row] = np.array(found[2], dtype=np.float64)
            given = query.ComputeBlendShapeWeights(time) if shapes else None
            if given is not None and len(given) == shapes:
                weights[row] = np.array(given)
        for name, part in zip(("t", "q", "s"), parts, strict=True):
            self.arrays[f"{key}.{name}"] = part
        self.arrays[f"{key}.weights"] = weights

    def _refined(self, times: list[float]) -> list[float]:
        """Further times wherever the prims above do not move straight: matrices are what is interpolated there."""
        codes = self.stage.GetTimeCodesPerSecond() or 24.0

        def sample(seconds: FloatArray) -> FloatArray:
            split = from_matrix(np.array([matrix_of(self._world(t * codes)) for t in seconds]))
            return np.concatenate((split.translation, split.rotation, split.scale), axis=-1)[None]

        size = max(1e-6, float(np.abs(self.rest[:, :3, 3]).max()))
        found, _ = refined(sample, np.array(times) / codes, np.array([size]))
        return sorted({*times, *(found * codes).tolist()})

    # ------------------------------------------------------------ meshes

    def _mesh(self, target: Any, number: int) -> dict[str, Any] | None:
        prim = target.GetPrim()
        if not prim.IsA(UsdGeom.Mesh) or not (self.bare or target.HasJointInfluences()):
            return None
        mesh, key = UsdGeom.Mesh(prim), f"{self.key}.mesh{number}"
        points = np.array(
            mesh.GetPointsAttr().Get(Usd.TimeCode.EarliestTime()) or np.zeros((0, 3)), np.float64
        )
        counts = np.array(mesh.GetFaceVertexCountsAttr().Get() or [], np.int64)
        corners = np.array(mesh.GetFaceVertexIndicesAttr().Get() or [], np.int64)
        if not len(points) or counts.sum() != len(corners) or (len(counts) and counts.min() < 0):
            return None
        if mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded:
            faces = np.split(corners, np.cumsum(counts)[:-1])
            corners = np.concatenate([face[::-1] for face in faces]) if faces else corners
        begin = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64)
        self.arrays[f"{key}.points"] = points.reshape(-1, 3)
        self.arrays[f"{key}.corners"] = corners
        self.arrays[f"{key}.faces"] = (
            np.stack((begin, counts), axis=1) if len(counts) else np.zeros((0, 2), np.int64)
        )
        materials, self.arrays[f"{key}.face_material"] = self.materials.of(prim, len(counts))
        self._attributes(mesh, key, corners)
        self._colours(mesh, key, corners, counts)
        self.shown.add(str(prim.GetPath()))
        bones = (
            self._hung(prim, key, len(points)) if self.bare else self._influences(target, key, len(points))
        )
        return {
            "key": key,
            "name": title_of(prim),
            "nodes": [0],
            "skins": 1,
            "skin": {"bones": bones, "method": "LINEAR"},
            "morphs": self._morphs(prim, key),
            "materials": materials,
        }

    def _attributes(self, mesh: Any, key: str, corners: Any) -> None:
        """Normals and UVs where each point or each corner has its own."""
        st = UsdGeom.PrimvarsAPI(mesh.GetPrim()).GetPrimvar("st")
        for name, values, where in (
            ("normal", mesh.GetNormalsAttr().Get(), mesh.GetNormalsInterpolation()),
            ("uv", st.ComputeFlattened() if st else None, st.GetInterpolation() if st else ""),
        ):
            if values is None or where not in ("vertex", "varying", "faceVarying"):
                continue
            table = np.array(values, dtype=np.float64)
            index = np.arange(len(corners)) if where == "faceVarying" else corners
            if table.ndim == 2 and len(index) and int(index.max()) < len(table) and int(index.min()) >= 0:
                self.arrays[f"{key}.{name}"], self.arrays[f"{key}.{name}_index"] = table, index

    def _colours(self, mesh: Any, key: str, corners: Any, counts: Any) -> None:
        """Display colours and opacities, where the mesh has them for more than the whole of it."""
        api = UsdGeom.PrimvarsAPI(mesh.GetPrim())
        index, found = np.arange(len(corners)), []
        for name, width in (("displayColor", 3), ("displayOpacity", 1)):
            primvar = api.GetPrimvar(name)
            values = primvar.ComputeFlattened() if primvar else None
            where = primvar.GetInterpolation() if primvar else ""
            at = {"faceVarying": index, "uniform": np.repeat(np.arange(len(counts)), counts)}.get(
                where, corners
            )
            if values is None or where == "constant":
                found.append(np.ones((len(corners), width)))
                continue
            table = np.array(values, dtype=np.float64).reshape(-1, width)
            if not len(at) or int(at.max()) >= len(table) or int(at.min()) < 0:
                return
            found.append(table[at])
        whole = np.concatenate(found, axis=1)
        if (whole != 1.0).any():
            self.arrays[f"{key}.color"], self.arrays[f"{key}.color_index"] = whole, index

    def _hung(self, prim: Any, key: str, count: int) -> list[int]:
        """A mesh without joints follows the only bone, where it is."""
        start = Usd.TimeCode.EarliestTime()
        own = matrix_of(UsdGeom.XformCache(start).GetLocalToWorldTransform(prim))
        place = np.linalg.pinv(matrix_of(self._world(start))) @ own
        self.arrays[f"{key}.binds"], self.arrays[f"{key}.geometry0"] = place[None], place
        self.arrays[f"{key}.skin_vertices"] = np.arange(count)
        self.arrays[f"{key}.skin_weights"] = np.ones(count)
        self.arrays[f"{key}.skin_bones"] = np.zeros(count, np.int64)
        return [0]

    def _influences(self, target: Any, key: str, count: int) -> list[int]:
        found = target.ComputeVaryingJointInfluences(count)
        if not found or found[0] is None or not len(found[0]):
            raise ValueError(f"{target.GetPrim().GetPath()}: its joint influences do not fit its points")
        width = len(found[0]) // count
        indices = np.array(found[0], np.int64).reshape(count, width)
        weights = np.array(found[1], np.float64).reshape(count, width)
        order = target.GetJointOrder()
        own = [str(joint) for joint in order] if order else self.joints
        bones = [self.place.get(joint, 0) for joint in own]
        if len(indices) and (indices.min() < 0 or indices.max() >= len(bones)):
            raise ValueError(f"{target.GetPrim().GetPath()}: a joint index is out of range")
        geometry = matrix_of(target.GetGeomBindTransform(Usd.TimeCode.Default()))
        binds = np.array([np.linalg.pinv(self.binds[bone]) @ geometry for bone in bones])
        self.arrays[f"{key}.binds"] = binds.reshape(-1, 4, 4)
        self.arrays[f"{key}.geometry0"] = np.linalg.pinv(self.binds[0]) @ geometry
        rows, columns = np.nonzero(weights > 0.0)
        self.arrays[f"{key}.skin_vertices"] = rows
        self.arrays[f"{key}.skin_weights"] = weights[rows, columns]
        self.arrays[f"{key}.skin_bones"] = indices[rows, columns]
        return bones

    def _morphs(self, prim: Any, key: str) -> list[dict[str, Any]]:
        binding = UsdSkel.BindingAPI(prim)
        names = binding.GetBlendShapesAttr().Get() or []
        paths = binding.GetBlendShapeTargetsRel().GetTargets()
        told = []
        for number, (name, path) in enumerate(zip(names, paths, strict=False)):
            shape = UsdSkel.BlendShape(self.stage.GetPrimAtPath(path))
            if not shape:
                continue
            offsets = np.array(shape.GetOffsetsAttr().Get() or np.zeros((0, 3)), np.float64).reshape(-1, 3)
            indices = shape.GetPointIndicesAttr().Get()
            rows = np.arange(len(offsets)) if not indices else np.array(indices, np.int64)
            if len(rows) != len(offsets):
                continue
            self.arrays[f"{key}.morph{number}.vertices"] = rows
            self.arrays[f"{key}.morph{number}.points"] = offsets
            if str(name) not in self.morphs:
                self.morphs.append(str(name))
            told.append(
                {
                    "key": f"{key}.morph{number}",
                    "channel": self.morphs.index(str(name)),
                    "name": title_of(shape.GetPrim()),
                    "weight": 0.0,
                    "full": 1.0,
                    "between": self._between(shape, rows, f"{key}.morph{number}"),
                }
            )
        return told

    def _between(self, shape: Any, rows: Any, key: str) -> list[dict[str, Any]]:
        """Shapes on the way to a blend shape, which move the same points."""
        told = []
        for number, inner in enumerate(shape.GetInbetweens()):
            weight, offsets = inner.GetWeight(), np.array(inner.GetOffsets() or [], np.float64).reshape(-1, 3)
            if weight is not None and len(offsets) == len(rows):
                self.arrays[f"{key}.{number}.vertices"] = rows
                self.arrays[f"{key}.{number}.points"] = offsets
                told.append({"key": f"{key}.{number}", "weight": round(float(weight), 6)})
        return told


def _movers(prim: Any) -> list[Any]:
    """The prim and those above it whose transforms are animated."""
    found = []
    while prim and not prim.IsPseudoRoot():
        one = UsdGeom.Xformable(prim)
        if one and one.TransformMightBeTimeVarying():
            found.append(one)
        if one and one.GetResetXformStack():
            break
        prim = prim.GetParent()
    return found


def topology_world(query: Any) -> list[Any]:
    """Rest transforms carried down, for skeletons without bind transforms."""
    return list(query.ComputeJointSkelTransforms(Usd.TimeCode.Default(), True) or [Gf.Matrix4d(1.0)])


if __name__ == "__main__":
    leave(collect)

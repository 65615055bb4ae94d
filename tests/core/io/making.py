"""Projects for tests: small ones from a seed, and hypothesis strategies for the native file."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from core.clips.clip import (
    WHOLE,
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Channel,
    Clip,
    Marker,
    Notify,
    Property,
    RootMotion,
    RootPose,
    SyncMarker,
)
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.project.project import Project
from core.rig.mesh import Material, Mesh, MeshPart, MorphTarget, Texture
from core.rig.rig import JointLimit, LimitKind, MirrorSetup, RetargetMode, Rig, SourceFrame, VirtualBone
from core.rig.skeleton import Skeleton
from core.timing import FrameRate
from core.tracks.keys import Extrapolation, Interpolation, TangentMode, quaternion_track, scalar_track

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc000"
    "000301010018dd8db00000000049454e44ae426082"
)


def units(rng, *shape):
    return quat.normalise(rng.normal(size=(*shape, 4)))


def skeleton(rng, names, even=True):
    count = len(names)
    parents = [-1, *(int(rng.integers(max(-1, b - 3), b)) for b in range(1, count))][:count]
    scale = np.ones((count, 3)) if even else rng.uniform(0.5, 2.0, (count, 3))
    rest = Transform(rng.normal(size=(count, 3)), units(rng, count), scale)
    return Skeleton(tuple(names), np.array(parents), rest, rng.integers(0, 6, count).astype(np.uint8))


def mesh(rng, rig, joints, name="body", vertices=7, influences=3, morphs=("smile", "ü/y"), texture=True):
    weights = rng.uniform(0.1, 1.0, (vertices, influences))
    weights /= weights.sum(axis=1, keepdims=True)
    triangles = np.array([[i, i + 1, i + 2] for i in range(vertices - 2)])
    image = Texture("image/png", PNG) if texture else None
    return Mesh(
        AssetId(f"mesh-{name}"),
        name,
        rig,
        rng.normal(size=(vertices, 3)).astype(np.float32),
        units(rng, vertices)[:, :3].astype(np.float32),
        triangles,
        tuple(joints),
        np.stack([np.eye(4) + 0.1 * np.pad(rng.normal(size=(3, 4)), ((0, 1), (0, 0))) for _ in joints]),
        np.stack([rng.permutation(max(len(joints), influences))[:influences] for _ in range(vertices)])
        % len(joints),
        weights,
        rng.uniform(size=(vertices, 2)).astype(np.float32),
        (Material("skin", (0.1, 0.2, 0.3, 1.0), 0.0, 0.5, True, image), Material("plain")),
        (MeshPart(0, 2, 0), MeshPart(2, vertices - 4, 1)),
        tuple(MorphTarget(m, rng.normal(size=(vertices, 3)).astype(np.float32), None, 0.25) for m in morphs),
    )


def times(rng, count, start=0.0):
    return start + np.cumsum(rng.uniform(0.05, 0.3, count)) - 0.05


def scalar(rng, count=4, weighted=False, **settings):
    at = settings.pop("at", None)
    at = times(rng, count) if at is None else at
    count = len(at)
    handles = {"weights": (rng.uniform(0.1, 0.9, count), rng.uniform(0.1, 0.9, count))}
    if "before" in settings or "after" in settings:
        hold = Extrapolation.HOLD
        settings["beyond"] = (settings.pop("before", hold), settings.pop("after", hold))
    settings.setdefault("interpolations", rng.integers(0, 3, count))
    return scalar_track(
        at,
        rng.normal(size=count),
        rng.normal(size=count),
        rng.normal(size=count),
        modes=TangentMode.BROKEN,
        **(handles if weighted else {}),
        **settings,
    )


def turning(rng, count=4, **settings):
    at = settings.pop("at", None)
    at = times(rng, count) if at is None else at
    count = len(at)
    values = units(rng, count)
    return quaternion_track(at, values, rng.normal(size=(count, 4)), rng.normal(size=(count, 4)), **settings)


names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12)


@st.composite
def projects(draw):
    """Whole projects: odd names, every kind of asset and setting."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    bones = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    rig_id = AssetId("rig-" + draw(st.text("abc", max_size=3)))
    body = skeleton(rng, bones, even=False)
    some = bones[: draw(st.integers(0, len(bones)))]
    source = draw(names)
    rig = Rig(
        rig_id,
        draw(names),
        body,
        MirrorSetup(draw(st.integers(0, 2)), tuple(some), tuple((b, bones[0]) for b in some)),
        {b: JointLimit(LimitKind.HINGE, (0.0, 1.0, 0.0), -10.5, 20.0, 3.0) for b in some},
        {draw(names): dict.fromkeys(some, 0.5)},
        dict.fromkeys(some, RetargetMode.ORIENT_AND_SCALE),
        {source: body.rest},
        (VirtualBone("a virtual bone", bones[0], bones[-1], (1.0, 2.0, 3.0)),),
        {draw(names): tuple(some)},
        SourceFrame(draw(st.floats(1e-3, 10.0)), units(rng)),
    )
    assets = [rig]
    if draw(st.booleans()):
        assets.append(mesh(rng, rig_id, bones, draw(names)))
    ids = [AssetId(f"clip-{number}") for number in range(draw(st.integers(0, 2)))]
    assets.extend(draw(clips(rng, rig_id, bones, clip_id, (source,))) for clip_id in ids)
    settings = draw(st.dictionaries(names, st.none() | st.booleans() | st.floats(-5, 5) | names, max_size=3))
    return Project({asset.id: asset for asset in assets}, settings)


@st.composite
def clips(draw, rng, rig_id, bones, clip_id, sources=()):
    ends = st.sampled_from(list(Extrapolation))
    shared = times(rng, draw(st.integers(1, 5)))
    shared.flags.writeable = False
    tracks = {}
    for bone in bones:
        kind = draw(st.integers(0, 3))
        if kind == 1:
            tracks[Channel(bone, Property.ROTATE, WHOLE)] = turning(rng, at=shared, after=draw(ends))
        elif kind:
            prop = Property.ROTATE if kind == 2 else Property.SCALE
            axis = draw(st.integers(0, 2))
            tracks[Channel(bone, prop, axis)] = scalar(rng, at=shared, weighted=True, before=draw(ends))
            tracks[Channel(bone, Property.TRANSLATE, axis)] = scalar(rng, draw(st.integers(1, 4)))
    additive = Additive(AdditiveSpace.MODEL, AdditiveBase.CLIP, clip_id, 0.5)
    root = RootMotion(True, bones[0], True, draw(st.booleans()), False, draw(st.sampled_from(list(RootPose))))
    return Clip(
        clip_id,
        draw(names),
        rig_id,
        draw(st.floats(0.0, 100.0)),
        FrameRate(Fraction(draw(st.integers(2, 120000)), 1001)),
        draw(st.booleans()),
        tracks,
        {draw(names): scalar(rng)},
        {"body/smile": scalar(rng, interpolations=Interpolation.LINEAR)},
        (Notify(draw(names), 0.5, 0.25, {"sound": draw(names)}),),
        (SyncMarker("left_down", 0.25),),
        (Marker(draw(names), 1.0),),
        draw(st.none() | st.just(additive)),
        root,
        draw(st.sampled_from([None, *sources])),
    )


def small(seed=0, **settings):
    """One rig of five bones, a mesh, no clip; reproducible."""
    rng = np.random.default_rng(seed)
    rig = Rig(AssetId("rig-1"), "figure", skeleton(rng, [f"b{i}" for i in range(5)], **settings))
    return Project().with_assets(rig, mesh(rng, rig.id, rig.skeleton.names, morphs=("smile", "frown")))


def with_clip(project, tracks, length, **settings):
    """The project with one clip more."""
    clip = Clip(AssetId("clip-1"), "move", project.rigs[0].id, length, tracks=tracks, **settings)
    return project.with_assets(clip)

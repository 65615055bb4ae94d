"""A document in which all that changes a clip's poses is at work at once: what exports have to play."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack
from core.clips.clip import Channel, Clip, Property
from core.ids import AssetId
from core.ik.keyed import curve_name
from core.math import quat
from core.math.transform import Transform
from core.pose.library import PoseAsset, PoseTarget
from core.project.project import Project
from core.rig.ik_proposals import propose_setups
from core.rig.ik_setup import IkSpace, IkTarget
from core.rig.rig import RetargetMode, Rig, VirtualBone
from core.tracks.keys import Interpolation, scalar_track
from editor.model.session import Session
from tests.editor.rigs import small_clip, small_rig

CLIP, ASSET = AssetId("clip-seen"), AssetId("asset-faces")
TIMES = np.array([0.0, 0.1, 0.2834, 0.7, 1.0, 1.21, 1.5, 1.9731, 2.0])
FRAMES = np.arange(0, 61, 7) / 30.0


def faces(rig: Rig) -> PoseAsset:
    """Two poses: one turns the head and moves the right hand, one bends the spine and the left upper arm."""

    def target(
        name: str, bones: tuple[str, ...], vector: Sequence[float], move: Sequence[float]
    ) -> PoseTarget:
        turn = quat.from_rotation_vector(np.tile(vector, (len(bones), 1)))
        return PoseTarget(
            name, bones, Transform(np.tile(move, (len(bones), 1)), turn, np.full((len(bones), 3), 0.1))
        )

    one = target("look", ("head", "hand_r"), (0.3, 0.5, -0.2), (0.0, 0.02, 0.01))
    two = target("bend", ("spine", "upper_arm_l", "gone"), (0.4, 0.1, 0.2), (0.0, 0.0, 0.0))
    return PoseAsset(ASSET, "faces", rig.id, (one, two))


def driven_project() -> Project:
    """A clip two of whose curves drive poses: one smoothly, one in steps."""
    rig = small_rig()
    moving = small_clip(rig)
    curves = {
        "look": scalar_track([0.0, 0.8, 2.0], [0.0, 1.2, 0.3]),
        "bend": scalar_track([0.0, 0.5, 1.21, 1.5], [0.0, 0.7, -0.4, 0.0], interpolations=Interpolation.CONSTANT),
        "speed": scalar_track([0.0, 2.0], [1.0, 2.0]),
    }  # fmt: skip
    clip = replace(moving, id=CLIP, name="seen", length=2.0, curves=curves)
    asset = faces(rig)
    return Project({rig.id: rig, clip.id: clip, asset.id: asset})


def whole_project() -> Project:
    """The same clip on a rig of other proportions, with a layer, and a goal on a virtual bone."""
    project = driven_project()
    rig, clip = project.rigs[0], project.get(Clip, CLIP)
    source = rig.skeleton.rest
    smaller = Transform(source.translation * np.array([0.8, 0.9, 1.0]), source.rotation, source.scale)
    setups = propose_setups(rig)
    on_hand = IkTarget(IkSpace.BONE, "carried")
    left = replace(next(s for s in setups if s.name == "Left arm"), goal=on_hand)
    rig = replace(
        rig,
        retarget_sources={"child": smaller},
        retarget_modes={"pelvis": RetargetMode.ANIMATION_SCALED, "spine": RetargetMode.SKELETON},
        virtual_bones=(VirtualBone("carried", "hand_r", "hand_l", (0.02, 0.0, 0.0)),),
        ik_setups=tuple(left if s.name == "Left arm" else s for s in setups),
        masks={"right": {"upper_arm_r": 1.0, "lower_arm_r": 0.5, "head": 0.7}},
    )
    path = {"goal x": [0.0, 0.05], "goal y": [0.0, -0.06], "goal z": [0.02, 0.1], "weight": [0.5, 1.0]}
    goals = {curve_name("Left arm", f): scalar_track([0.0, 2.0], v) for f, v in path.items()}
    wave = Clip(
        AssetId("clip-wave"), "wave", rig.id, 2.0, clip.rate,
        tracks={Channel("upper_arm_r", Property.ROTATE, 2): scalar_track([0.0, 0.6, 2.0], [10.0, 70.0, 20.0]),
                Channel("head", Property.ROTATE, 0): scalar_track([0.0, 2.0], [0.0, 30.0])},
        curves={"look": scalar_track([0.0, 2.0], [0.4, 0.8])},
    )  # fmt: skip
    weight = scalar_track([0.0, 0.7, 2.0], [0.2, 1.0, 0.6])
    layer = ClipLayer("wave", wave.id, LayerMode.OVERRIDE, 0.8, weight, mask="right")
    stack = LayerStack(AssetId("stack"), "layers", rig.id, CLIP, (layer,))
    clip = replace(clip, curves={**clip.curves, **goals}, retarget_source="child")
    return project.with_assets(rig, clip, wave, stack)


def shown(project: Project, times: FloatArray) -> Transform:
    """Local transforms ``(T, B, k)`` as the editor's evaluator gives them, pose by pose."""
    session = Session.create()
    try:
        session.document.replace(project, None)
        session.playback.set_clip(CLIP)
        poses = []
        for time in times:
            session.playback.seek(float(time))
            poses.append(session.evaluator.pose().local)
        return Transform(*(np.stack(part) for part in zip(*poses, strict=True)))
    finally:
        session.close()

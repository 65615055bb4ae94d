"""Shows a retarget before it is committed: the target's pose in the viewport, the source's beside it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip, RootMotion
from core.evaluation.clip_pipeline import ClipPipeline
from core.ids import AssetId
from core.math import quat, transform
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.pose import Pose, rest_pose
from core.retarget.chain_map import ChainMap, ChainPair, Part
from core.retarget.transfer import place_of
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from editor.model.display.display import Display
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.playback import Playback
from editor.model.retarget.run import PREVIEW, Result
from editor.model.retarget.source import Source

SIDES: tuple[Callable[[ChainPair], tuple[str, ...]], ...] = (attrgetter("source"), attrgetter("target"))


class RetargetLive:
    """Plays source and result by the transport's clock while `on`; picking a clip ends that.

    Attributes
    ----------
    changed : the target's pose differs (the evaluator listens)
    moved : the source's pose, or where it is drawn, differs
    state_changed : on or off
    """

    def __init__(self, evaluator: Evaluator, playback: Playback, display: Display) -> None:
        self._evaluator, self._playback, self._display = evaluator, playback, display
        self._source: tuple[Source, Clip] | None = None
        self._sampler: ClipPipeline | None = None
        self._result: Result | None = None
        self._target: ClipPipeline | None = None
        self._on = False
        self._keep_place = True
        self._fitted: Transform = transform.IDENTITY
        self._seen: dict[bool, tuple[object, float, Pose]] = {}
        self.changed: Event[None] = Event()
        self.moved: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        playback.time_changed.connect(lambda _: self._tell())
        playback.clip_changed.connect(lambda _: self._on_clip())

    # ------------------------------------------------------------ what
    @property
    def on(self) -> bool:
        """Whether the viewport shows the retarget instead of the clip."""
        return self._on

    @property
    def keep_place(self) -> bool:
        """Whether both characters stay in place instead of moving by root motion."""
        return self._keep_place

    @keep_place.setter
    def keep_place(self, value: bool) -> None:
        if value != self._keep_place:
            self._keep_place = value
            self._tell()

    def set_source(self, source: Source | None, clip: Clip | None) -> None:
        """Another source clip to play beside."""
        wanted = (source, clip) if source is not None and clip is not None else None
        known = self._source
        if wanted is not None and known is not None and wanted[0] is known[0] and wanted[1] is known[1]:
            return
        if wanted is None or known is None or wanted[0].rig is not known[0].rig:
            self._result = self._target = None  # of other bones
        self._source = wanted
        self._sampler = ClipPipeline(wanted[0].rig, wanted[1], wanted[0].meshes) if wanted else None
        self._fitted = self._fit()
        if self._on:
            self._show_transient_clip()
        self._tell()

    def set_result(self, rig: Rig | None, result: Result | None) -> None:
        """Another result to show on the target."""
        self._result = result
        self._fitted = self._fit()
        self._target = ClipPipeline(rig, result.clip) if rig is not None and result is not None else None
        self._tell()

    # ------------------------------------------------------------ on and off
    def start(self) -> bool:
        """Show source and result; False without a source clip."""
        if self._source is None:
            return False
        if not self._on:
            self._on = True
            self._show_transient_clip()
            self._display.show(self)
            self.state_changed.emit(None)
        return True

    def stop(self) -> None:
        """Show the document's clip again."""
        if self._on:
            self._on = False
            self._display.hide(self)
            self._playback.set_transient_clip(None)
            self.state_changed.emit(None)

    def _show_transient_clip(self) -> None:
        """Let the transport run over the source clip."""
        if self._source is None:
            self.stop()
            return
        clip = self._source[1]
        transient_clip = replace(
            clip, id=AssetId(f"{PREVIEW}{clip.id}"), name=tr("{name} (preview)", name=clip.name),
            rig=self._playback.rig or clip.rig, tracks={}, curves={}, morphs={}, notifies=(), additive=None,
            root_motion=RootMotion(), retarget_source=None,
        )  # fmt: skip
        self._playback.set_transient_clip(transient_clip)

    def _on_clip(self) -> None:
        transient_clip = self._playback.transient_clip
        if self._on and (transient_clip is None or not transient_clip.id.startswith(PREVIEW)):
            self.stop()

    def _tell(self) -> None:
        if self._on:
            self.changed.emit(None)
        self.moved.emit(None)

    # ------------------------------------------------------------ PoseSource: the target
    def pose(self) -> Pose:
        """The target's pose now; its rest while there is no result."""
        rig = self._evaluator.rig
        assert rig is not None
        shown = self._shown
        return rest_pose(rig) if shown is None else self._sampled(shown, self._playback.time)

    @property
    def _shown(self) -> ClipPipeline | None:
        """What plays the result, while the character that it is for is shown."""
        rig, target = self._evaluator.rig, self._target
        return target if target is not None and rig is not None and target.rig.id == rig.id else None

    def _sampled(self, pipeline: ClipPipeline, time: float) -> Pose:
        """A pose of source or target, sampled once a moment."""
        side = pipeline is self._target
        seen = self._seen.get(side)
        if seen is None or seen[0] is not pipeline or seen[1] != time:
            pose = pipeline.pose(time)
            seen = self._seen[side] = pipeline, time, pose
        return seen[2]

    def world(self) -> FloatArray:
        """Where the target stands: where its own way leads it, or kept in place."""
        shown = self._shown
        if shown is None or not self._keep_place:
            return np.eye(4)
        bone = _hips(shown.rig, self._binding_map(), False)
        return _back(bone, shown.rig, self._sampled(shown, self._playback.time))

    @property
    def title(self) -> str:
        """What is shown, for the heads-up line."""
        name = self._source[1].name if self._source is not None else ""
        return tr("retarget of {name}", name=name)

    @property
    def detail(self) -> str:
        """Where in it."""
        return tr("frame {frame}", frame=f"{self._playback.frame:.0f}")

    # ------------------------------------------------------------ the source
    @property
    def source(self) -> Source | None:
        """The character that moves beside."""
        return self._source[0] if self._source is not None else None

    def source_pose(self) -> Pose | None:
        """The source's pose now: by the transport's clock."""
        if self._sampler is None:
            return None
        return self._sampled(self._sampler, self._source_time)

    @property
    def _source_time(self) -> float:
        return min(self._playback.time, self._source[1].length) if self._source is not None else 0.0

    def source_world(self) -> FloatArray:
        """Matrix ``(4, 4)`` that draws the source in the target's size and heading, in the same place."""
        if self._sampler is None:
            return np.eye(4)
        turned = transform.to_matrix(self._fitted)
        if not self._keep_place:
            return turned
        bone = _hips(self._sampler.rig, self._binding_map(), True)
        pose = self._sampled(self._sampler, self._source_time)
        placed: FloatArray = turned @ _back(bone, self._sampler.rig, pose)
        return placed

    def _fit(self) -> Transform:
        """What turns and scales the source to the target's heading and height.

        Both are measured where the map has bones, the source in the pose that was aligned; before there is
        a result, over all bones of the rest poses.
        """
        rig, result = self._evaluator.rig, self._result
        if rig is None or self._sampler is None:
            return transform.IDENTITY
        if result is None:
            scale = _size(rig.skeleton, rig.skeleton.rest) / _size(
                self._sampler.rig.skeleton, self._sampler.rig.skeleton.rest
            )
            return Transform(np.zeros(3), np.array(quat.IDENTITY), np.full(3, scale))
        binding = result.binding
        bones = [[bone for pair in binding.chains.chains for bone in side(pair)] for side in SIDES]
        scale = _size(binding.target, binding.target.rest, bones[1]) / _size(
            binding.source, binding.alignment.local, bones[0]
        )
        return Transform(np.zeros(3), np.asarray(binding.alignment.heading), np.full(3, scale))

    def _binding_map(self) -> ChainMap | None:
        return self._result.binding.chains if self._result is not None else None


def _hips(rig: Rig, chains: ChainMap | None, source: bool) -> int:
    """The bone by which a character is kept in place: its hips, else the first that moves."""
    pairs = chains.part(Part.HIPS) if chains is not None else ()
    if pairs:
        return rig.skeleton.index((pairs[0].source if source else pairs[0].target)[0])
    return 0


def _size(skeleton: Skeleton, pose: Transform, bones: Sequence[str] = ()) -> float:
    """Metres of a pose's height over some bones, or along its longest side over all."""
    places = kinematics.to_model(skeleton, pose).translation
    if bones:
        places = places[[skeleton.index(bone) for bone in bones], 1:2]
    return max(float(np.ptp(places, axis=0).max()), 1e-3)


def _back(bone: int, rig: Rig, pose: Pose) -> FloatArray:
    """Matrix that takes a bone's way over the ground back."""
    place = place_of(rig.skeleton, Transform(*(part[None] for part in pose.local)), bone)[0]
    return transform.to_matrix(
        Transform(np.array([-place[0], 0.0, -place[2]]), np.array(quat.IDENTITY), np.ones(3))
    )

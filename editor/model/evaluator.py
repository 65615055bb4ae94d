"""What is shown now: the pose, where its bones are, and where the character stands."""

from collections.abc import Callable, Mapping

import numpy as np

from core.arrays import FloatArray
from core.blending.layer_stack import StackPlayer
from core.clips import root_motion
from core.clips.clip import Clip
from core.clips.sample import ClipEvaluator, PoseBatch
from core.errors import AnimError
from core.evaluation.clip_pipeline import ClipPipeline, pose_assets
from core.evaluation.layer_pipeline import LayerPipeline, to_layer_weights
from core.evaluation.to_clip_pose import to_clip_pose
from core.ids import AssetId
from core.math import transform
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.library import PoseAsset, apply_asset
from core.pose.pose import Pose, rest_pose
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.model.blending.layered import Layered
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.document import Document
from editor.model.events import Event
from editor.model.playback import LoopMode, Playback


class Evaluator:
    """Evaluates the clip shown at the time shown, caching until something changes.

    The pose always has the root's motion left in, so that what a tool changes is what gets
    keyed; `world` says where such a pose is to be drawn (in place, or walking by root motion).

    Attributes
    ----------
    changed : the pose to draw, or where, has changed
    """

    def __init__(self, document: Document, playback: Playback, display: Display) -> None:
        self._document, self._playback, self._display = document, playback, display
        self._pipeline: ClipPipeline | None = None
        self._hand: tuple[ClipPipeline, LayerPipeline] | None = None
        self._sampled: tuple[ClipPipeline, float, Pose] | None = None
        self.layers = Layered(document)
        self._pose: Pose | None = None
        self._model: Transform | None = None
        self._matrices: FloatArray | None = None
        self._world: FloatArray | None = None
        self._in_place = playback.in_place
        self._hold: Callable[[float], float] | None = None
        self.changed: Event[None] = Event()
        document.changed.connect(self._on_document)
        playback.time_changed.connect(lambda _: self._drop())
        playback.clip_changed.connect(lambda _: self._drop())
        playback.state_changed.connect(self._on_state)
        display.changed.connect(self._on_display)
        self.layers.changed.connect(lambda _: self._drop())

    # ------------------------------------------------------------ what is shown
    def set_hold(self, hold: Callable[[float], float] | None) -> None:
        """Show at each time the pose of another time (the Blocking view); None shows every time as it is."""
        self._hold = hold
        self._drop()

    @property
    def shown_time(self) -> float:
        """Seconds whose pose is shown: the playhead's, or those of the pose that is held there."""
        time = self._playback.time
        return time if self._hold is None else self._hold(time)

    def shown_times(self, times: FloatArray) -> FloatArray:
        """Seconds whose poses are shown at times ``(T,)``: see `shown_time`."""
        if self._hold is None:
            return times
        return np.array([self._hold(float(time)) for time in times], dtype=np.float64)

    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        asset = self._document.project.assets.get(self._playback.rig) if self._playback.rig else None
        return asset if isinstance(asset, Rig) else None

    @property
    def clip(self) -> Clip | None:
        """The clip shown: a drag's preview of it, else the document's; a transient clip where one is played."""
        return self._display.clip(self._playback.shown)

    @property
    def document_clip(self) -> Clip | None:
        """The document's clip that is shown, or that lies under a preview from outside; all that edits may name."""
        return self._playback.shown if self._display.has(DisplayLevel.TRANSIENT_CLIP) else self.clip

    @property
    def layered_clip(self) -> Clip | None:
        """The document's clip that the layers shown lie over: with a layer in hand the one below it."""
        below = self._playback.below
        found = self._document.project.assets.get(below) if below is not None else None
        return found if isinstance(found, Clip) else self.document_clip

    @property
    def in_hand(self) -> LayerPipeline | None:
        """The pipeline of the layer in hand; None where a clip is keyed itself."""
        pipeline = self.pipeline if self._playback.below is not None else None
        return pipeline if isinstance(pipeline, LayerPipeline) else None

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """Meshes of the rig shown."""
        return self._document.project.meshes_of(self._playback.rig) if self._playback.rig else ()

    @property
    def pipeline(self) -> ClipPipeline | None:
        """All that makes the clip shown what it looks like, or None without rig or clip.

        The same object until one of its parts changes.
        """
        rig, clip = self.rig, self.clip
        if rig is None or clip is None:
            return None
        meshes, assets = self.meshes, pose_assets(self._document.project, rig.id)
        below = self._below(clip)
        if below is not None:
            return self._layer_pipeline(rig, below, clip)
        layers, known = self.layers.player(rig, clip.id, meshes), self._pipeline
        if not _same_parts(known, clip, (rig, layers, meshes, assets)):
            earlier = None if known is None else known.tracks
            known = self._pipeline = ClipPipeline(rig, clip, meshes, layers, assets, earlier)
        return known

    def _below(self, clip: Clip) -> Clip | None:
        """The clip that a clip is in hand as a layer of, or None."""
        below = self._playback.below
        if below is None or clip.id != self._playback.clip:
            return None
        found, stack = self._document.project.assets.get(below), self.layers.stack(below)
        inside = stack is not None and stack.number_of(clip.id) is not None
        return found if isinstance(found, Clip) and inside else None

    def _layer_pipeline(self, rig: Rig, below: Clip, clip: Clip) -> LayerPipeline:
        """The pipeline of a layer in hand; a drag's preview of its clip is taken for the layer's."""
        meshes, assets = self.meshes, pose_assets(self._document.project, rig.id)
        layers, known = self.layers.player(rig, below.id, meshes), self._pipeline
        if known is None or not _same_parts(known, below, (rig, layers, meshes, assets)):
            earlier = None if known is None else known.tracks
            known = self._pipeline = ClipPipeline(rig, below, meshes, layers, assets, earlier)
        hand = self._hand
        if hand is None or hand[0] is not known or hand[1].clip is not clip:
            made = (
                LayerPipeline(known, clip)
                if hand is None or hand[0] is not known
                else hand[1].with_clip(clip)
            )
            hand = self._hand = known, made
        return hand[1]

    @property
    def time(self) -> float:
        """The time shown, in seconds."""
        return self._playback.time

    # ------------------------------------------------------------ poses
    def pose(self) -> Pose:
        """The pose shown now: a drag's, else the pending bones over the clip's.

        Raises
        ------
        AnimError
            No rig is shown.
        """
        if self._pose is None:
            self._pose = self._display.pose(self._require_rig(), self.sampled_pose)
        return self._pose

    def sampled_pose(self, time: float | None = None) -> Pose:
        """The clip's own pose with its layers at a time (now by default); the rest pose without a clip.

        While another source is shown, its pose now.
        """
        source = self._display.source
        shown = source.pose() if source is not None and time is None else None
        if shown is not None:
            return self._with_pose_assets(shown)
        at = self.shown_time if time is None else time
        pipeline, known = self.pipeline, self._sampled
        if pipeline is None:
            return rest_pose(self._require_rig())
        if known is not None and known[0] is pipeline and known[1] == at:
            return known[2]
        pose = pipeline.pose(at)
        if time is None:
            self._sampled = (pipeline, at, pose)
        return pose

    def _with_pose_assets(self, pose: Pose) -> Pose:
        """Another source's pose with what pose assets put on it by the values of its curves."""
        for asset in pose_assets(self._document.project, pose.rig) if pose.curves else ():
            pose = apply_asset(self._require_rig().skeleton, pose, asset, pose.curves)
        return pose

    def to_clip_pose(self, pose: Pose) -> Pose:
        """What the clip has to hold for a pose to be shown now: below pose assets and layers."""
        pipeline = self.pipeline
        if pipeline is None:
            return pose
        return to_clip_pose(pipeline, self.shown_time, pose, self.sampled_pose().curves)

    def to_clip_weights(self, wanted: Mapping[str, float], morphs: bool) -> dict[str, float]:
        """What the clip's curves (or morphs) have to be for values to be shown now: of a layer in hand, its part."""
        hand = self.in_hand
        if hand is None or not wanted:
            return dict(wanted)
        pose = self.sampled_pose()
        shown = pose.morphs if morphs else pose.curves
        return to_layer_weights(hand, self.shown_time, wanted, shown, morphs)

    def sample_many(self, times: FloatArray) -> PoseBatch | None:
        """The clip's poses at many times, None without a clip or while another source is shown."""
        pipeline = self.pipeline
        return None if pipeline is None or self._display.source is not None else pipeline.sample_many(times)

    def model(self) -> Transform:
        """Model transforms ``(B, k)`` of the pose shown."""
        if self._model is None:
            self._model = kinematics.to_model(self._require_rig().skeleton, self.pose().local)
        return self._model

    def matrices(self) -> FloatArray:
        """Model matrices ``(B, 4, 4)`` of the pose shown, scale inherited as glTF does."""
        if self._matrices is None:
            self._matrices = kinematics.model_matrices(self._require_rig().skeleton, self.pose().local)
        return self._matrices

    def world(self) -> FloatArray:
        """Matrix ``(4, 4)`` that puts the pose shown into the world.

        Without root motion the identity. In place, it takes the root's motion back; else the
        character walks on, also over the seam of a loop, since the last seek.
        """
        source = self._display.source if self._world is None else None
        if source is not None:
            self._world = source.world()
        if self._world is None:
            pipeline = self.pipeline
            if pipeline is None or not pipeline.mover.clip.root_motion.enabled:
                self._world = np.eye(4)
            else:
                self._world = transform.to_matrix(self._standing(pipeline.mover, self.shown_time))
        return self._world

    def worlds(self, times: FloatArray, pipeline: ClipPipeline | None = None) -> FloatArray:
        """Matrices ``(T, 4, 4)`` that put poses of other times beside the pose shown (ghosts, trails).

        Parameters
        ----------
        times : seconds within the clip
        pipeline : of an edit of the clip shown; by default the clip's own
        """
        found = pipeline or self.pipeline
        if found is None or not found.mover.clip.root_motion.enabled:
            return np.broadcast_to(np.eye(4), (len(times), 4, 4))
        if not self._playback.in_place:
            return np.broadcast_to(self.world(), (len(times), 4, 4))
        anchor = root_motion.pose_anchor(found.mover)
        return transform.to_matrix(
            transform.compose(anchor, transform.inverse(root_motion.root_at(found.mover, times)))
        )

    def _standing(self, evaluator: ClipEvaluator, time: float) -> Transform:
        anchor = root_motion.pose_anchor(evaluator)
        start, end = self._playback.span
        parts = root_motion.root_at(evaluator, np.array([0.0, time, start, end]))
        first, now, low, high = (Transform(*(part[i] for part in parts)) for i in range(4))
        if self._playback.in_place:
            return transform.compose(anchor, transform.inverse(now))
        whole = transform.compose(high, transform.inverse(low))
        loops = evaluator.clip.looping and self._playback.loop is LoopMode.LOOP
        walked = transform.compose(anchor, transform.inverse(first))
        return transform.compose(walked, _power(whole, self._playback.turns if loops else 0))

    # ------------------------------------------------------------ upkeep
    def _require_rig(self) -> Rig:
        rig = self.rig
        if rig is None:
            raise AnimError("no rig is shown: open or import a character first")
        return rig

    def _drop(self) -> None:
        self._pose = self._model = self._matrices = self._world = None
        self.changed.emit(None)

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        project, below = self._document.project, self._playback.below
        shown = {self._playback.rig, self._playback.clip, below}
        if self.layers.concerns(below or self._playback.clip, ids):
            self._drop()
            return
        if shown & ids or any(_is_mesh_of(project, i, self._playback.rig) for i in ids):
            self._drop()

    def _on_display(self, level: DisplayLevel) -> None:
        if level not in (
            DisplayLevel.TRANSIENT_CLIP,
            DisplayLevel.DRAWN,
        ):  # the playback tells the one, the other changes no pose
            self._drop()

    def _on_state(self, _: None) -> None:
        if self._playback.in_place != self._in_place:
            self._in_place = self._playback.in_place
            self._drop()


def _same_parts(
    known: ClipPipeline | None,
    clip: Clip,
    parts: tuple[Rig, StackPlayer | None, tuple[Mesh, ...], tuple[PoseAsset, ...]],
) -> bool:
    """Whether a pipeline is that of a clip with this rig, layers, meshes and pose assets."""
    rig, layers, meshes, assets = parts
    return (
        known is not None
        and known.rig is rig
        and known.clip is clip
        and known.layers is layers
        and known.meshes == meshes
        and known.assets == assets
    )


def _is_mesh_of(project: Project, asset: AssetId, rig: AssetId | None) -> bool:
    found = project.assets.get(asset)
    return found is None or (isinstance(found, Mesh | PoseAsset) and found.rig == rig)


def _power(whole: Transform, count: int) -> Transform:
    """A rigid transform put together with itself, `count` times (its inverse where negative)."""
    square = whole if count >= 0 else transform.inverse(whole)
    result, left = transform.IDENTITY, abs(count)
    while left:
        if left & 1:
            result = transform.compose(result, square)
        square = transform.compose(square, square)
        left >>= 1
    return result

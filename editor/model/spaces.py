"""Bones that follow spaces, in one session: switching, releasing, baking, and posing within a span."""

from collections.abc import Callable

import numpy as np

from core.clips.clip import Clip
from core.clips.keying import other_than
from core.errors import AnimError, ValidationError
from core.evaluation import spaces
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.spaces import Span, Switched
from core.ik import keyed
from core.ik.keyed import setup_of
from core.math.transform import Transform
from core.pose.pose import Pose
from core.progress import Progress
from core.rig.ik_setup import IkSetup, IkTarget
from core.rig.rig import Rig
from core.rig.spaces import Follow, label
from core.timing import frame_text
from editor.model.autokey import Keying
from editor.model.document import Document
from editor.model.edit_jobs import EditJobs, Made
from editor.model.evaluator import Evaluator
from editor.model.i18n import tr, trn
from editor.model.ik.state import IkState, changed_bones
from editor.model.messages import Messages
from editor.model.playback import Playback
from editor.model.preferences import Preferences
from editor.model.preview import Preview
from editor.model.selection import Selection

Change = Callable[[ClipPipeline, str], Switched]


class Spaces:
    """What actions and the Spaces panel share.

    While a pose is dragged, what follows a space is shown following it; a bone that is posed within a span gets
    its key on the goal, in the space.
    """

    def __init__(  # noqa: PLR0913 - the services it uses
        self,
        document: Document,
        edit_jobs: EditJobs,
        evaluator: Evaluator,
        playback: Playback,
        selection: Selection,
        preferences: Preferences,
        messages: Messages,
        keying: Keying,
        preview: Preview,
        ik: IkState,
    ) -> None:
        self._document, self._jobs, self._evaluator, self._playback = document, edit_jobs, evaluator, playback
        self._selection, self._preferences, self._messages, self._ik = selection, preferences, messages, ik
        keying.in_spaces = self._keyed
        held = preview.hold

        def shown(pose: Pose) -> Pose:
            return self._following(pose if held is None else held(pose))

        preview.hold = shown

    # ------------------------------------------------------------ how a switch is made
    @property
    def keep(self) -> bool:
        """Whether a switch keeps the motion that there is; else the bone holds its place in the space."""
        return bool(self._preferences.get("space_keep"))

    @property
    def bake_at_once(self) -> bool:
        """Whether a switch leaves keys on the bones instead of a live span."""
        return bool(self._preferences.get("space_bake"))

    @property
    def frames(self) -> int:
        """How many frames a span is long; 0 is up to the next switch, the end of the range or the clip."""
        return int(self._preferences.get("space_frames"))

    def set_way(self, name: str, value: object) -> None:
        """Change ``keep``, ``bake`` or ``frames``."""
        self._preferences.set(f"space_{name}", value)

    # ------------------------------------------------------------ what there is
    @property
    def _pipeline(self) -> ClipPipeline | None:
        """What spans belong to: the clip shown; with a layer in hand the clip below, whose layers goals lie over."""
        hand = self._evaluator.in_hand
        return self._evaluator.pipeline if hand is None else hand.base

    @property
    def _clip(self) -> Clip | None:
        hand = self._evaluator.in_hand
        return self._evaluator.clip if hand is None else hand.base.clip

    @property
    def _time(self) -> float:
        """The time shown, in seconds of that clip."""
        return self._there(self._playback.time)

    def _there(self, time: float) -> float:
        hand = self._evaluator.in_hand
        return time if hand is None else float(hand.base_times([time])[0])

    def spans(self, bone: str | None = None) -> tuple[Span, ...]:
        """Spans of the clip shown; with a layer in hand, of the clip below."""
        rig, clip = self._evaluator.rig, self._clip
        return () if rig is None or clip is None else spaces.spans(rig, clip, bone)

    def now(self, bone: str) -> Span | None:
        """The span in which a bone is at the time shown."""
        time, clip = self._time, self._clip
        found = self.spans(bone)
        if clip is not None and time >= clip.length:
            return next((span for span in found if span.end >= clip.length), None)
        return next((span for span in found if span.holds(time)), None)

    def span_end(self) -> float | None:
        """Where a span ends that begins at the time shown, seconds; None is the end of the clip."""
        time, clip, span = self._playback.time, self._clip, self._playback.range
        if self.frames and clip is not None:
            return self._time + clip.rate.to_seconds(self.frames)
        return self._there(span[1]) if span is not None and span[0] <= time < span[1] else None

    # ------------------------------------------------------------ verbs
    def switch(self, bones: tuple[str, ...], target: IkTarget, follow: Follow | None = None) -> bool:
        """Let bones follow a space from the time shown on: one undo step. Whether it is done already."""
        time, end, keep, bake = self._time, self.span_end(), self.keep, self.bake_at_once
        text = tr("Follow {space}: {bones}", bones=_named(bones), space=label(target))

        def change(pipeline: ClipPipeline, bone: str) -> Switched:
            made = spaces.switched(pipeline, bone, target, time, end, follow, keep)
            if not bake:
                return made
            live = ClipPipeline(made.rig, made.clip, (), pipeline.layers)
            solid = spaces.baked(live, bone, (time, time))
            return solid._replace(gap=made.gap)

        rig = self._evaluator.rig
        if rig is None:
            return False
        try:
            setups = [spaces.setup_for(rig, bone, target, follow) for bone in bones]
        except AnimError as error:
            self._messages.warn(str(error))
            return False
        return self._change(text, bones, change, setups)

    def release(self, bones: tuple[str, ...]) -> bool:
        """Let own keys of bones play again from the time shown on. Whether it is done already."""
        time = self._time
        following = tuple(bone for bone in bones if self.now(bone) is not None)
        if not following:
            text = trn(
                "{bones} follows no space here",
                "{bones} follow no space here",
                len(bones),
                bones=_named(bones),
            )
            raise ValidationError(text)
        text = tr("Release {bones}", bones=_named(following))
        here = self._setups(following, lambda span: self.now(span.bone) == span)
        return self._change(
            text, following, lambda pipeline, bone: spaces.released(pipeline, bone, time), here
        )

    def bake(self, bones: tuple[str, ...] | None = None, within: tuple[float, float] | None = None) -> bool:
        """Keys in place of the spans of bones (None: of all). Whether it is done already."""
        having = tuple(dict.fromkeys(s.bone for s in self.spans() if bones is None or s.bone in bones))
        if within is not None:
            within = self._there(within[0]), self._there(within[1])
        if not having:
            raise ValidationError(tr("No bone follows a space in this clip"))
        text = tr("Bake the space of {bones}", bones=_named(having))
        setups = self._setups(having, lambda _: True)
        return self._change(text, having, lambda pipeline, bone: spaces.baked(pipeline, bone, within), setups)

    def _setups(self, bones: tuple[str, ...], which: Callable[[Span], bool]) -> list[IkSetup]:
        """Set-ups of the spans of bones that count."""
        rig = self._evaluator.rig
        assert rig is not None  # there are spans
        return [rig.ik_setup(s.setup) for s in self.spans() if s.bone in bones and which(s)]

    def _change(self, text: str, bones: tuple[str, ...], change: Change, setups: list[IkSetup]) -> bool:
        pipeline, project = self._pipeline, self._document.project
        if pipeline is None or pipeline.clip.id not in project.assets:
            self._messages.info(tr("Select a clip first"))
            return False
        chains = [name for s in setups for name in _chain(pipeline.rig, s)]
        held = [bone for bone in dict.fromkeys(chains) if bone in self._selection.locked]
        if held:
            self._messages.warn(
                tr("Locked: {bones}", bones=", ".join(held)), tr("Unlock them in the bone tree")
            )
            return False
        title = f"{text} @ f{frame_text(self._playback.frame)}"

        def work(progress: Progress) -> Made:
            here, gap = pipeline, 0.0
            for bone in bones:
                made = change(here, bone)
                if made.metres > spaces.NOTHING and pipeline.layers is not None:
                    raise ValidationError(
                        tr("{bone} would jump by {mm} mm: a layer covers the keys of the clip. Mute or merge it first",
                           bone=bone, mm=f"{made.metres * 1000.0:.1f}")
                    )  # fmt: skip
                here, gap = ClipPipeline(made.rig, made.clip, (), pipeline.layers), max(gap, made.gap)
            clips = tuple(here.clip if c.id == here.clip.id else c for c in project.clips_of(here.rig.id))
            rig = spaces.without_unused(here.rig, clips)
            changed = () if rig is pipeline.rig else (rig,)
            if gap > spaces.NOTHING:
                note = tr("The span that follows starts {mm} mm away", mm=f"{gap * 1000.0:.1f}")
                return Made(title, (*changed, here.clip), None, note, tr("Switch the space there again"))
            return Made(title, (*changed, here.clip))

        try:
            return self._jobs.run(title, work)
        except AnimError as error:
            self._messages.warn(str(error))
            return False

    # ------------------------------------------------------------ posing within a span
    def _keyed(self, clip: Clip, pose: Pose, bones: list[str]) -> tuple[Clip, list[str]]:
        """Goals keyed for a pose, and the bones that get keys of their own."""
        pipeline = self._evaluator.pipeline
        if pipeline is None or not pipeline.setups:
            return clip, bones
        if self._evaluator.in_hand is not None:
            return clip, self._outside(pose, bones)
        bare = ClipPipeline(pipeline.rig, clip, (), pipeline.layers)
        placed, held = spaces.with_pose(bare, self._playback.time, pose.local, bones)
        return placed, [bone for bone in bones if bone not in held]

    def _outside(self, pose: Pose, bones: list[str]) -> list[str]:
        """Bones that follow no space now: keys of a layer on the others would not be seen, which is said."""
        following = tuple(span.bone for span in self.spans() if self.now(span.bone) == span)
        rig = self._evaluator.rig
        assert rig is not None  # there is a pipeline
        here = self._setups(following, lambda span: self.now(span.bone) == span)
        chains = {name for setup in here for name in _chain(rig, setup)}
        held = [bone for bone in bones if bone in chains]
        if held and other_than(rig.skeleton, pose, self._evaluator.sampled_pose(), held):
            self._messages.warn(
                trn(
                    "{bones} is not keyed: it follows a space here",
                    "{bones} are not keyed: they follow a space here",
                    len(held),
                    bones=_named(tuple(held)),
                ),
                trn(
                    "Key the clip itself, or release it first",
                    "Key the clip itself, or release them first",
                    len(held),
                ),
            )
        return [bone for bone in bones if bone not in chains]

    def _following(self, pose: Pose) -> Pose:
        """A pose about to be shown in which bones that follow a space, and were not posed themselves, follow it."""
        pipeline = self._evaluator.pipeline
        if pipeline is None or not pipeline.setups or pose.rig != pipeline.rig.id:
            return pose
        here = {span.setup for span in self.spans() if self.now(span.bone) == span}
        if not here:
            return pose
        posed = set(changed_bones(pipeline.rig, self._ik.standing(), pose))
        chains = {name: set(_chain(pipeline.rig, pipeline.rig.ik_setup(name))) for name in here}
        free = {name for name, chain in chains.items() if not chain & posed}
        curves = {
            name: np.array([value])
            for name, value in pose.curves.items()
            if (place := setup_of(name)) is not None and place[0] in free
        }
        if not curves:
            return pose
        row = Transform(*(part[None] for part in pose.local))
        local = keyed.with_ik(pipeline.rig, row, curves)[0]
        return pose.with_local(Transform(*(part[0] for part in local)))


def _chain(rig: Rig, setup: IkSetup) -> list[str]:
    return [rig.skeleton.names[bone] for bone in keyed.chain_bones(rig, setup)]


def _named(bones: tuple[str, ...]) -> str:
    return bones[0] if len(bones) == 1 else trn("{count} bone", "{count} bones", len(bones))

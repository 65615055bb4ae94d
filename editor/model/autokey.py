"""Keying: what becomes of a changed pose, with auto key on or off."""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum

from core.clips import keying
from core.clips.clip import WHOLE, Channel, ChannelKind, Clip, Property, RootMotion
from core.clips.contacts import contact_names
from core.clips.edits import new_clip, unique_name
from core.clips.keying import KeyWhich, Tolerance
from core.clips.new_keys import with_new_tangents
from core.errors import AnimError
from core.math.transform import Transform
from core.pose.pose import Pose
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig
from core.timing import frame_text
from core.tracks.edits import key_at
from editor.model import new_keys
from editor.model.channels import curve_channel, morph_channel, split_weights, track_of
from editor.model.commands import ViewState
from editor.model.display.display import Display
from editor.model.display.override import DisplayLevel
from editor.model.document import Document
from editor.model.edit_jobs import EditJobs, Made
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr, trn
from editor.model.keyed_words import named, nothing_keyed
from editor.model.layer_keys import LayerKeys
from editor.model.messages import Messages
from editor.model.pending import PendingPose
from editor.model.playback import Playback
from editor.model.preferences import Preferences
from editor.model.selection import Selection

AT_ONCE = 500_000
"""Keys on the tracks of bones up to which a gesture's pose is keyed at once: 20 ms. More become a job."""


class KeyState(StrEnum):
    """How a channel stands at the current time."""

    NONE = "none"
    ANIMATED = "animated"
    KEYED = "keyed"
    PENDING = "pending"


class Keying:
    """Turns poses into keys.

    Attributes
    ----------
    changed : auto key, the pending pose, or the state of keys may differ
    hold : what a pose and its bones go through before they are committed (pins), or None
    in_spaces : keys goals of bones that follow a space in the clip; gives the clip and the bones that are left, or None
    """

    def __init__(  # noqa: PLR0913 - the services it uses
        self,
        document: Document,
        edits: Edits,
        jobs: EditJobs,
        playback: Playback,
        selection: Selection,
        evaluator: Evaluator,
        display: Display,
        pending: PendingPose,
        preferences: Preferences,
        messages: Messages,
    ) -> None:
        self._document, self._edits, self._jobs, self._playback = document, edits, jobs, playback
        self._selection, self._evaluator, self._pending = selection, evaluator, pending
        self._preferences, self._messages, self._display = preferences, messages, display
        self._layer = LayerKeys(evaluator, playback, messages)
        self.changed: Event[None] = Event()
        self.hold: Callable[[Pose, Iterable[str]], tuple[Pose, tuple[str, ...]]] | None = None
        self.in_spaces: Callable[[Clip, Pose, list[str]], tuple[Clip, list[str]]] | None = None
        for event in (pending.changed, playback.clip_changed):
            event.connect(lambda _: self.changed.emit(None))
        playback.time_changed.connect(lambda _: self.changed.emit(None))
        document.changed.connect(lambda _: self.changed.emit(None))
        playback.clip_changed.connect(self._on_clip)
        document.replaced.connect(lambda _: pending.drop())

    # ------------------------------------------------------------ settings
    @property
    def auto(self) -> bool:
        """Whether changes are keyed at once."""
        return bool(self._preferences.get("auto_key"))

    @auto.setter
    def auto(self, on: bool) -> None:
        if bool(on) != self.auto:
            self._preferences.set("auto_key", bool(on))
            self.changed.emit(None)

    @property
    def tolerance(self) -> Tolerance:
        """Differences up to these count as none."""
        get = self._preferences.get
        return Tolerance(get("tolerance_translate"), get("tolerance_rotate"), get("tolerance_scale"))

    @tolerance.setter
    def tolerance(self, value: Tolerance) -> None:
        for name in ("translate", "rotate", "scale"):
            self._preferences.set(f"tolerance_{name}", float(getattr(value, name)))
        self.changed.emit(None)

    # ------------------------------------------------------------ committing
    def commit_pose(
        self,
        label: str,
        pose: Pose,
        bones: Iterable[str],
        which: KeyWhich = KeyWhich.CHANGED,
        placed: Collection[str] = (),
    ) -> bool:
        """What the end of a gesture does with the pose it made.

        Auto key on: one command with keys at the current time, only on the channels that changed;
        where no clip is shown, one is made. Off: the bones become pending. Locked bones are left
        out. Returns whether anything changed.

        Parameters
        ----------
        which : what is keyed of the bones, see `KeyWhich`; POSED is for what a solver posed, as it posed pinned limbs
        placed : bones of which the translation is keyed in any case
        """
        special = dict.fromkeys(placed, KeyWhich.PLACED)
        if self.hold is not None:
            given = tuple(bones)
            pose, bones = self.hold(pose, given)
            special = dict.fromkeys(set(bones).difference(given), KeyWhich.POSED) | special
        rig, names = self._rig(), self._unlocked(bones)
        if not names or self._shows_blend():
            return False
        names = self._layer.reached(pose, names)
        if not names:
            return False
        if not self.auto:
            moved = self._moved(rig, pose, names)
            self._pending.drop([bone for bone in names if bone not in moved])
            if moved:
                self._pending.put(rig, pose, moved)
            return bool(moved)
        clip, project, view = self._clip_or_new(rig)
        if _keys_on(clip, names) > AT_ONCE:
            return self._commit_beside(label, pose, names, (clip, view), (which, special))
        at_goals, names_left = clip, names
        if self.in_spaces is not None:
            at_goals, names_left = self.in_spaces(clip, pose, names)
        pose = self._evaluator.to_clip_pose(pose)
        time = self._playback.time
        keyed = self._keyer(clip, rig, time, pose)(at_goals, names_left, which, special)
        keyed = with_new_tangents(clip, keyed, time, new_keys.chosen(self._preferences))
        if keyed is clip and clip.id in self._document.project.assets:
            self._pending.drop(names)
            return False
        done = self._commit(label, keyed, project, view)
        self._pending.drop(names)
        return done

    def _keyer(
        self, clip: Clip, rig: Rig, time: float, pose: Pose
    ) -> Callable[[Clip, list[str], KeyWhich, Mapping[str, KeyWhich]], Clip]:
        """What keys bones of a pose on a clip; the services are asked now, so that it may run in a job."""
        sampled, key_pose, tolerance = self._sampled(clip), self._layer.key_pose, self.tolerance

        def keyed(clip: Clip, names: list[str], which: KeyWhich, special: Mapping[str, KeyWhich]) -> Clip:
            for kind in dict.fromkeys((which, *special.values())):
                those = [name for name in names if special.get(name, which) is kind]
                clip = key_pose(clip, rig, time, pose, those, tolerance, kind, sampled)
            return clip

        return keyed

    def _commit_beside(
        self,
        label: str,
        pose: Pose,
        names: list[str],
        shown: tuple[Clip, ViewState | None],
        how: tuple[KeyWhich, Mapping[str, KeyWhich]],
    ) -> bool:
        """Key a gesture's pose as a job; it is pending, and so goes on being seen, until the keys are there."""
        (clip, view), rig, time = shown, self._rig(), self._playback.time
        goal, back = self._evaluator.to_clip_pose(pose), self._pending.kept()
        keyer = self._keyer(clip, rig, time, goal)
        fresh, busy, ended = clip.id not in self._document.project.assets, self._jobs.busy, False
        tangents = new_keys.chosen(self._preferences)

        def work(progress: Progress) -> Made:
            keyed = keyer(clip, names, *how)
            keyed = with_new_tangents(clip, keyed, time, tangents)
            return Made(label, () if keyed is clip and not fresh else (keyed,), view)

        def end(put_back: bool) -> None:
            nonlocal ended
            ended = True
            if put_back:
                back()
            else:
                self._pending.drop(names)

        done = self._jobs.run(label, work, lambda _: end(False), lambda: end(True))
        if not ended:  # under way, or refused for another edit is (which has been said)
            self._pending.put(rig, pose, names)
        if busy:
            self._messages.warn(
                tr("The pose is not keyed yet"), tr("Set a key when the other edit has ended")
            )
        return done or not ended

    def commit_weights(self, label: str, values: Mapping[Channel, float]) -> bool:
        """What the end of a slider's drag does: keys here with auto key on, else pending values.

        Parameters
        ----------
        values : of morphs and named curves, by channel
        """
        rig = self._rig()
        if not values or self._shows_blend():
            return False
        if not self.auto:
            self._pending.put_weights(rig, values)
            return True
        clip, project, view = self._clip_or_new(rig)
        held = self._layer.weights(values)
        keyed = keying.with_weight_keys(clip, self._playback.time, *split_weights(held))
        keyed = with_new_tangents(clip, keyed, self._playback.time, new_keys.chosen(self._preferences))
        if keyed is clip and clip.id in self._document.project.assets:
            self._pending.drop_weights(values)
            return False
        done = self._commit(label, keyed, project, view)
        self._pending.drop_weights(values)
        return done

    def set_key(
        self,
        bones: Iterable[str] | None = None,
        which: KeyWhich | str = KeyWhich.CHANGED,
        weights: Iterable[Channel] = (),
    ) -> bool:
        """Key the pose shown at the current time, pending changes and all.

        Parameters
        ----------
        bones : None is the selection (with its morphs and named curves), or the whole rig with all of
            them where nothing is selected
        weights : morphs and named curves to key beside the bones
        which : see `KeyWhich`; what the S key does is USED, whether the pose has changed or not
        """
        rig, which = self._rig(), KeyWhich(which)
        chosen = tuple(weights)
        if bones is None and (self._selection.bones or self._selection.weights):
            bones, chosen = self._selection.bones, self._selection.weights
        elif bones is None:
            bones, chosen = rig.skeleton.names, self.weight_channels()
        names = self._unlocked(bones)
        if not (names or chosen) or self._shows_blend():
            return False
        names = self._layer.reached(self._evaluator.pose(), names)
        if not (names or chosen):
            return False
        clip, project, view = self._clip_or_new(rig)
        time, pose = self._playback.time, self._evaluator.to_clip_pose(self._evaluator.pose())
        sampled, key_pose = self._sampled(clip), self._layer.key_pose
        fresh = clip.id not in project.assets
        frame, tolerance = frame_text(clip.rate.to_frame(time)), self.tolerance
        values = self._layer.weights(self._weights_to_key(clip, chosen, which))
        what = named(names, tuple(values) if names else chosen)
        label = tr("Set key {what} @ f{frame}", what=what, frame=frame)
        tangents = new_keys.chosen(self._preferences)

        def work(progress: Progress) -> Made:
            keyed = key_pose(clip, rig, time, pose, names, tolerance, which, sampled)
            keyed = keying.with_weight_keys(keyed, time, *split_weights(values))
            keyed = with_new_tangents(clip, keyed, time, tangents)
            if keyed is clip and not fresh:
                return Made(label, (), None, nothing_keyed(clip, which, names, chosen, frame))
            return Made(label, (keyed,), view)

        return self._jobs.run(label, work, lambda done: self._drop_keyed(names, chosen))

    def _drop_keyed(self, bones: list[str], weights: tuple[Channel, ...]) -> None:
        self._pending.drop(bones)
        self._pending.drop_weights(weights)

    # ------------------------------------------------------------ morphs and named curves
    def weight_channels(self) -> tuple[Channel, ...]:
        """Every morph of the character's meshes, and every named curve of its clips but contacts (they have lanes)."""
        rig, found = self._evaluator.rig, []
        if rig is None:
            return ()
        found += [morph_channel(f"{m.name}/{t.name}") for m in self._evaluator.meshes for t in m.morphs]
        clip = self._evaluator.clip
        clips = [*([clip] if clip is not None else []), *self._document.project.clips_of(rig.id)]
        found += map(morph_channel, dict.fromkeys(name for each in clips for name in each.morphs))
        contacts = {name for each in clips for name in contact_names(each)}
        names = dict.fromkeys(name for each in clips for name in each.curves)
        found += [curve_channel(name) for name in names if name not in contacts]
        return tuple(dict.fromkeys(found))

    def weight(self, channel: Channel) -> float:
        """Value of a morph or named curve as it is shown now."""
        if self._evaluator.rig is None:
            return 0.0
        pose = self._evaluator.pose()
        values = pose.curves if channel.kind is ChannelKind.CURVE else pose.morphs
        return float(values.get(channel.bone, self._default_weight(channel)))

    def weight_state(self, channel: Channel) -> KeyState:
        """How a morph or named curve stands at the current time."""
        clip = self._evaluator.clip
        if channel in self._pending.weights:
            return KeyState.PENDING
        track = track_of(clip, channel) if clip is not None else None
        if track is None:
            return KeyState.NONE
        return KeyState.KEYED if key_at(track, self._playback.time) is not None else KeyState.ANIMATED

    def _default_weight(self, channel: Channel) -> float:
        if channel.kind is ChannelKind.CURVE:
            return 0.0
        named = {f"{m.name}/{t.name}": t.default_weight for m in self._evaluator.meshes for t in m.morphs}
        return named.get(channel.bone, 0.0)

    def _weights_to_key(
        self, clip: Clip, channels: tuple[Channel, ...], which: KeyWhich
    ) -> dict[Channel, float]:
        def wanted(channel: Channel) -> bool:
            if which is KeyWhich.CHANGED:
                return channel in self._pending.weights
            return which is not KeyWhich.EXISTING or track_of(clip, channel) is not None

        return {channel: self.weight(channel) for channel in channels if wanted(channel)}

    def _shows_blend(self) -> bool:
        """Whether a blend (or a preview) is shown in place of the clip, which then is not what is seen to be keyed."""
        source = self._display.source
        if source is None:
            return False
        self._messages.warn(
            tr("“{what}” is displayed, not the clip", what=source.title),
            tr("Stop the preview (click the clip) to key the clip, or bake the preview to a clip first"),
        )
        return True

    def _shows_transient_clip(self) -> bool:
        """Whether the time line is that of a clip outside the document."""
        return self._display.has(DisplayLevel.TRANSIENT_CLIP) and self._shows_blend()

    def delete_keys(self, bones: Iterable[str] | None = None, weights: Iterable[Channel] = ()) -> bool:
        """Delete the keys of bones, morphs and named curves (the selection by default) at the current time."""
        clip = self._playback.shown
        gone = tuple(self._selection.weights if bones is None else weights)
        names = self._unlocked(self._selection.bones if bones is None else bones)
        if clip is None or not (names or gone) or self._shows_transient_clip():
            return False
        chosen, time = set(names), self._playback.time
        frame = frame_text(clip.rate.to_frame(time))
        label = tr("Delete keys {what} @ f{frame}", what=named(names, gone), frame=frame)
        curves, morphs = split_weights(dict.fromkeys(gone, 0.0))

        def work(progress: Progress) -> Made:
            shorter = keying.without_keys(clip, time, [c for c in clip.tracks if c.bone in chosen])
            shorter = keying.without_weight_keys(shorter, time, curves, morphs)
            if shorter is clip:
                return Made(label, (), None, tr("The selection has no key at frame {frame}", frame=frame))
            return Made(label, (shorter,))

        return self._jobs.run(label, work)

    def insert_key(self, bones: Iterable[str] | None = None) -> bool:
        """Put keys on the curves of bones at the current time without changing their shape."""
        clip = self._playback.shown
        names = set(self._unlocked(self._selection.bones if bones is None else bones))
        if clip is None or not names or self._shows_transient_clip():
            return False
        time = self._playback.time
        label = tr("Insert key @ f{frame}", frame=frame_text(clip.rate.to_frame(time)))

        def work(progress: Progress) -> Made:
            more = keying.insert_keys(clip, time, [c for c in clip.tracks if c.bone in names])
            return Made(label, () if more is clip else (more,))

        return self._jobs.run(label, work)

    # ------------------------------------------------------------ pending
    @property
    def pending(self) -> Mapping[str, Transform]:
        """Bones changed but not keyed yet, with their local transforms."""
        return self._pending.bones

    def drop_pending(self) -> bool:
        """Forget the changes not keyed; whether there were any."""
        had = bool(self._pending)
        self._pending.drop()
        return had

    def key_state(self, bone: str, part: Property, axis: int) -> KeyState:
        """How a channel stands at the current time; a quaternion track answers for every axis."""
        clip = self._evaluator.clip
        if bone in self._pending.bones and self._pending_part(bone, part, axis):
            return KeyState.PENDING
        if clip is None:
            return KeyState.NONE
        track = clip.tracks.get(Channel(bone, part, axis))
        if track is None and part is Property.ROTATE:
            track = clip.tracks.get(Channel(bone, part, WHOLE))
        if track is None:
            return KeyState.NONE
        return KeyState.KEYED if key_at(track, self._playback.time) is not None else KeyState.ANIMATED

    # ------------------------------------------------------------ helpers
    def _pending_part(self, bone: str, part: Property, axis: int) -> bool:
        rig, clip = self._evaluator.rig, self._evaluator.clip
        if rig is None:
            return False
        in_layer = self._layer.differs(bone, self._evaluator.pose(), part, self.tolerance)
        if in_layer is not None:
            return in_layer
        channels = self._changes(rig, clip, bone, self._pending.bones[bone])
        return any(c.property is part and c.axis in (axis, WHOLE) for c in channels)

    def _moved(self, rig: Rig, pose: Pose, bones: list[str]) -> list[str]:
        """Bones whose place in a pose is another than the clip's."""
        in_layer = self._layer.moved(pose, bones)
        if in_layer is not None:
            return in_layer
        whole = self._evaluator.to_clip_pose(pose)
        chosen = [rig.skeleton.index(bone) for bone in bones]
        goal = Transform(whole.translations[chosen], whole.rotations[chosen], whole.scales[chosen])
        clip = self._playback.shown
        at = clip if clip is not None else new_clip(rig, "")
        time, tolerance = self._playback.time, self.tolerance
        changes = keying.changed_channels_of(at, rig.skeleton, bones, time, goal, tolerance)
        moved = {channel.bone for channel in changes}
        return [bone for bone in bones if bone in moved]

    def _changes(self, rig: Rig, clip: Clip | None, bone: str, goal: Transform) -> Iterable[Channel]:
        at = clip if clip is not None else new_clip(rig, "")
        return keying.changed_channels(at, rig.skeleton, bone, self._playback.time, goal, self.tolerance)

    def _sampled(self, clip: Clip) -> Pose | None:
        """The clip's own pose now, where the evaluator shows this very clip and no preview of it."""
        if self._evaluator.clip is not clip:
            return None
        return self._evaluator.to_clip_pose(self._evaluator.sampled_pose())

    def _commit(self, label: str, clip: Clip, project: Project, view: ViewState | None) -> bool:
        return self._edits.commit(label, project.with_assets(clip), view)

    def _clip_or_new(self, rig: Rig) -> tuple[Clip, Project, ViewState | None]:
        """The clip shown, or a first one for the rig, with the view to change to then."""
        clip, project = self._playback.shown, self._document.project
        if clip is not None:
            return clip, project, None
        name = unique_name(tr("clip"), [c.name for c in project.clips])
        made = new_clip(rig, name, length=max(1.0, self._playback.time), root_motion=RootMotion())
        return made, project, self._edits.view_of(rig.id, made.id, self._playback.time)

    def _rig(self) -> Rig:
        rig = self._evaluator.rig
        if rig is None:
            raise AnimError(tr("There is no character to key: open or import one first"))
        return rig

    def _unlocked(self, bones: Iterable[str]) -> list[str]:
        names = list(dict.fromkeys(bones))
        free = [bone for bone in names if bone not in self._selection.locked]
        if len(free) < len(names):
            held = [bone for bone in names if bone not in free]
            self._messages.warn(
                trn("{what} is locked and was not changed", "{what} are locked and were not changed", len(held),
                    what=named(held)),
                trn("Unlock it in the bone tree", "Unlock them in the bone tree", len(held)),
            )  # fmt: skip
        return free

    def _on_clip(self, _: None) -> None:
        if self._pending and self._pending.rig != self._playback.rig:
            self._pending.drop()
            self._messages.warn(tr("Pending changes belonged to another character and were discarded"))


def _keys_on(clip: Clip, bones: list[str]) -> int:
    """How many keys the tracks of bones have."""
    chosen = set(bones)
    return sum(len(track) for channel, track in clip.tracks.items() if channel.bone in chosen)

"""The inspector without Qt: the active bone's numbers, and what editing one of them does."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from core.clips import keying
from core.clips.clip import Channel, Property
from core.math import euler, quat, transform
from core.math.transform import Transform
from core.pose.pose import Pose
from core.rig.rig import Rig
from core.rig.world_units import metres_per_unit
from core.timing import frame_text
from editor.model.autokey import KeyState
from editor.model.i18n import tr
from editor.model.session import Session


class Space(StrEnum):
    """Whose axes the numbers refer to."""

    LOCAL = "local"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the fields show.

    Parameters
    ----------
    bone : the active bone
    parent : its parent's name, or ""
    others : how many more bones are selected
    values : metres in the world ``(3,)`` (whatever scale stands above the bone), degrees ``(3,)`` in `order`,
        factors ``(3,)``
    order : letters of the Euler order
    quaternion : xyzw ``(4,)`` of the rotation in the space shown
    whole : whether the rotation is keyed as a quaternion
    locked : whether nothing may change
    """

    bone: str
    parent: str
    others: int
    values: tuple[FloatArray, FloatArray, FloatArray]
    order: str
    quaternion: FloatArray
    whole: bool
    locked: bool


UNITS = {Property.TRANSLATE: " m", Property.ROTATE: "°", Property.SCALE: ""}


class Inspector:
    """Reads and edits the active bone of a session.

    A change is previewed with `preview`, then kept with `commit` or dropped with `cancel`; each
    commit is one undo step.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.space = Space.LOCAL
        self._base: tuple[Pose, FloatArray] | None = None

    # ------------------------------------------------------------ reading
    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        return self._session.evaluator.rig

    def reading(self) -> Reading | None:
        """The active bone's numbers, or None where no bone is active."""
        found = self._active()
        if found is None:
            return None
        rig, index = found
        skeleton, selection = rig.skeleton, self._session.selection
        name = skeleton.names[index]
        pose = self._session.evaluator.pose()
        place = self._place(rig, index, pose)
        order = int(skeleton.euler_orders[index])
        angles = self._angles(rig, index, place.rotation)
        above = skeleton.parent(index)
        return Reading(
            name,
            skeleton.names[above] if above >= 0 else "",
            len(selection.bones) - 1,
            (place.translation * self._metres(rig, index), angles, place.scale),
            euler.ORDERS[order],
            place.rotation,
            self.whole(name),
            name in selection.locked,
        )

    def whole(self, bone: str) -> bool:
        """Whether a bone's rotation is, or would be, keyed as a quaternion."""
        clip = self._session.evaluator.clip
        return clip is not None and keying.uses_quaternion(clip, bone)

    def key_state(self, part: Property, axis: int) -> KeyState:
        """How a channel of the active bone stands now; none in model space, which has no keys of its own."""
        bone = self._session.selection.active
        if bone is None or self.space is Space.MODEL:
            return KeyState.NONE
        return self._session.keying.key_state(bone, part, axis)

    # ------------------------------------------------------------ editing
    def preview(self, part: Property, axis: int, value: float) -> None:
        """Show the pose with one number changed."""
        pose = self._edited(part, axis, value)
        if pose is not None:
            self._session.preview.set_pose(pose)

    def commit(self, part: Property, axis: int, value: float) -> bool:
        """Keep one number changed: keys with auto key on, pending without. Whether anything changed."""
        found = self._active()
        pose = self._edited(part, axis, value)
        self._base = None
        if found is None or pose is None:
            return False
        bone = found[0].skeleton.names[found[1]]
        label = self._label(part, axis, value, bone)
        try:
            if self._keys_channel_itself(part, bone):
                if part is Property.TRANSLATE:
                    value /= float(self._metres(*found)[axis])
                return self._put_key(label, Channel(bone, part, axis), value)
            return self._session.keying.commit_pose(label, pose, [bone])
        finally:
            self._session.preview.clear()

    def cancel(self) -> None:
        """Show what was there before."""
        self._base = None
        self._session.preview.clear()

    def toggle_keys(self, part: Property) -> bool:
        """Key all axes of a property of the active bone here; where all are keyed, take the keys away."""
        session, rig, bone = self._session, self.rig, self._session.selection.active
        if bone is None or rig is None:
            return False
        if bone in session.selection.locked:
            session.messages.warn(tr("{bone} is locked", bone=bone), tr("Unlock it in the bone tree"))
            return False
        clip, time = session.playback.shown, session.playback.time
        if clip is None:
            return session.keying.set_key([bone], keying.KeyWhich.ALL)
        goal = session.evaluator.pose().bone(rig.skeleton.index(bone))
        every = keying.changed_channels(clip, rig.skeleton, bone, time, goal, which=keying.KeyWhich.ALL)
        wanted = {channel: value for channel, value in every.items() if channel.property is part}
        frame = frame_text(session.playback.frame)
        if all(session.keying.key_state(bone, part, c.axis) is KeyState.KEYED for c in wanted):
            shorter = keying.without_keys(clip, time, wanted)
            return session.edits.put(tr("Delete keys {what} @ f{frame}", what=bone, frame=frame), shorter)
        keyed = keying.with_keys(clip, time, wanted)
        return session.edits.put(tr("Set key {what} @ f{frame}", what=bone, frame=frame), keyed)

    # ------------------------------------------------------------ helpers
    def _active(self) -> tuple[Rig, int] | None:
        rig, bone = self.rig, self._session.selection.active
        index = rig.skeleton.find(bone) if rig is not None and bone is not None else None
        return None if rig is None or index is None else (rig, index)

    def _place(self, rig: Rig, index: int, pose: Pose) -> Transform:
        """The bone's transform in the space shown."""
        if self.space is Space.LOCAL:
            return pose.bone(index)
        if pose is self._session.evaluator.pose():
            model = self._session.evaluator.model()
            return Transform(*(np.array(column[index]) for column in model))
        return self._above(rig, index, pose, with_bone=True)

    def _metres(self, rig: Rig, index: int) -> FloatArray:
        """Metres in the world ``(3,)`` of one unit of the translation shown; model space has none but metres."""
        return np.ones(3) if self.space is Space.MODEL else metres_per_unit(rig.skeleton, index)

    def _above(self, rig: Rig, index: int, pose: Pose, with_bone: bool = False) -> Transform:
        """Model transform of the bone's parent (or of the bone itself)."""
        skeleton, place = rig.skeleton, transform.IDENTITY
        bone = index if with_bone else skeleton.parent(index)
        chain = []
        while bone >= 0:
            chain.append(bone)
            bone = skeleton.parent(bone)
        for bone in reversed(chain):
            place = transform.compose(place, pose.bone(bone))
        return place

    def _angles(self, rig: Rig, index: int, rotation: FloatArray) -> FloatArray:
        """Degrees nearest to the tracks' own (they count turns), or to those a scrub began with."""
        order = int(rig.skeleton.euler_orders[index])
        bone = rig.skeleton.names[index]
        if self._base is not None:
            return euler.nearest(rotation, order, self._base[1])
        clip = self._session.evaluator.clip
        if self.space is Space.MODEL or clip is None or self.whole(bone):
            return euler.from_quaternion(rotation, order)
        time = self._session.playback.time
        return euler.nearest(
            rotation, order, keying.sampled_channels(clip, rig.skeleton, bone, time).rotation
        )

    def _edited(self, part: Property, axis: int, value: float) -> Pose | None:
        """The pose with one number of the active bone changed, others as they were when the scrub began."""
        found = self._active()
        if found is None:
            return None
        rig, index = found
        if self._base is None:
            pose = self._session.evaluator.pose()
            place = self._place(rig, index, pose)
            self._base = (pose, self._angles(rig, index, place.rotation))
        pose, angles = self._base
        parts = [np.array(column) for column in self._place(rig, index, pose)]
        if part is Property.ROTATE:
            turned = np.array(angles)
            turned[axis] = value
            parts[1] = euler.to_quaternion(turned, int(rig.skeleton.euler_orders[index]))
        else:
            unit = self._metres(rig, index)[axis] if part is Property.TRANSLATE else 1.0
            parts[part][axis] = value / unit
        place = Transform(*parts)
        if self.space is Space.MODEL:
            place = transform.compose(transform.inverse(self._above(rig, index, pose)), place)
            place = Transform(place.translation, quat.normalise(place.rotation), place.scale)
        return pose.with_bone(index, *place)

    def _keys_channel_itself(self, part: Property, bone: str) -> bool:
        """Whether the number typed is that of a channel: then it is keyed as typed (450° stays 450°)."""
        session = self._session
        return (
            self.space is Space.LOCAL
            and session.keying.auto
            and session.playback.shown is not None
            and bone not in session.selection.locked
            and bone not in session.keying.pending
            and not (part is Property.ROTATE and self.whole(bone))
        )

    def _put_key(self, label: str, channel: Channel, value: float) -> bool:
        clip = self._session.playback.shown
        assert clip is not None
        keyed = keying.with_keys(clip, self._session.playback.time, {channel: np.asarray(float(value))})
        return self._session.edits.put(label, keyed)

    def _label(self, part: Property, axis: int, value: float, bone: str) -> str:
        frame = frame_text(self._session.playback.frame)
        amount = f"{value:.4g}{UNITS[part]}"
        verb = {
            Property.TRANSLATE: tr("Move {bone} {axis} {amount} @ f{frame}"),
            Property.ROTATE: tr("Rotate {bone} {axis} {amount} @ f{frame}"),
            Property.SCALE: tr("Scale {bone} {axis} {amount} @ f{frame}"),
        }[part]
        return verb.format(bone=bone, axis="XYZ"[axis], amount=amount, frame=frame)

"""The Shot panel without Qt: the list of cameras, props and characters, and what of the selected one is edited."""

from dataclasses import dataclass, replace

import numpy as np

from core.ids import AssetId, new_id
from core.math import euler
from core.math.transform import Transform, from_matrix, to_matrix
from core.rig.rig import Rig
from core.shot.camera import LENS, ShotCamera, fov_of, key_times, lens_at, lens_of
from core.shot.character import ShotCharacter
from core.shot.prop import Prop, hold_at, hold_number
from core.timing import TIME_EPSILON, frame_text
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.model.shot.characters import Characters
from editor.model.shot.state import Item, Shot

ORDER = euler.order_index("ZXY")
ASPECTS = (("16:9", 16 / 9), ("1.85:1", 1.85), ("2.39:1", 2.39), ("3:2", 1.5), ("4:3", 4 / 3), ("1:1", 1.0),
           ("9:16", 9 / 16))  # fmt: skip
"""Shapes of pictures to choose from."""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One row of the list."""

    id: AssetId
    icon: str
    name: str
    info: str
    visible: bool | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class HoldRow:
    """What holds the selected prop from a frame on."""

    number: int
    start: str
    holder: str
    now: bool


class ShotModel:
    """Reads what the panel shows; edits go through `Shot`."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.shot, self.characters = session.feature(Shot), session.feature(Characters)

    def rows(self) -> tuple[ItemRow, ...]:
        """The list."""
        return tuple(self._row(item) for item in self.shot.all())

    def _row(self, item: Item) -> ItemRow:
        if isinstance(item, ShotCamera):
            lens = f"{lens_at(item, self.shot.time):.3g} mm"
            keys = len(key_times(item))
            info = f"{lens}, {trn('{count} key', '{count} keys', keys)}" if keys else lens
            if item.height is not None:
                info = tr("parallel")
            return ItemRow(item.id, "camera", item.name, info, None)
        if isinstance(item, Prop):
            bone = hold_at(item, self.shot.time).bone
            return ItemRow(
                item.id, "mesh", item.name, self.session.bone_label(bone) if bone else "", item.visible
            )
        problem = self.characters.problem(item) if item.visible else ""
        cast = None if problem or not item.visible else self.characters.cast(item)
        info = (
            tr("not shown")
            if problem
            else cast.clip.name
            if cast is not None and cast.clip is not None
            else ""
        )
        return ItemRow(item.id, "pose", item.name, info, item.visible, problem)

    @property
    def selected(self) -> Item | None:
        """The one that is edited."""
        return self.shot.selected

    def toggle_visible(self, item: AssetId) -> None:
        """Show one that is hidden, or hide it."""
        found = next((one for one in self.shot.all() if one.id == item), None)
        if found is not None and not isinstance(found, ShotCamera):
            label = (
                tr("Hide {name}", name=found.name) if found.visible else tr("Show {name}", name=found.name)
            )
            self.shot.put(label, replace(found, visible=not found.visible))

    # ------------------------------------------------------------ place
    def place(self) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Metres and degrees (tilt, turn, roll) of the selected one in the world now."""
        item = self.selected
        matrix = None if item is None else self.shot.matrix(item)
        if matrix is None:
            return None
        split = from_matrix(matrix)
        angles = euler.from_quaternion(split.rotation[None], ORDER)[0]
        return tuple(float(v) for v in split.translation), tuple(float(v) for v in angles)

    def set_place(self, part: str, axis: int, value: float) -> None:
        """Give the selected one another coordinate or angle in the world, as a key where it is keyed."""
        item, found = self.selected, self.place()
        matrix = None if item is None else self.shot.matrix(item)
        if item is None or matrix is None or found is None:
            return
        split = from_matrix(matrix)
        position, angles = (np.array(values) for values in found)
        (position if part == "position" else angles)[axis] = value
        rotation = split.rotation if part == "position" else euler.to_quaternion(angles[None], ORDER)[0]
        moved = self.shot.moved(item, to_matrix(Transform(position, rotation, split.scale)))
        self.shot.put(tr("Move {name}", name=item.name), moved)

    # ------------------------------------------------------------ cameras
    def lens(self) -> float | None:
        """Millimetres of the selected camera now."""
        item = self.selected
        return lens_at(item, self.shot.time) if isinstance(item, ShotCamera) else None

    def fov(self) -> float | None:
        """Degrees across of the selected camera now."""
        item, lens = self.selected, self.lens()
        if not isinstance(item, ShotCamera) or lens is None:
            return None
        return float(np.degrees(fov_of(lens, item.sensor[0])))

    def set_fov(self, degrees: float) -> None:
        """Give the selected camera another field of view across."""
        item = self.selected
        if isinstance(item, ShotCamera):
            self.shot.set_lens(lens_of(float(np.radians(degrees)), item.sensor[0]))

    def lens_keyed(self) -> str:
        """How the field of the lens tells keys."""
        item = self.selected
        track = item.motion.curves.get(LENS) if isinstance(item, ShotCamera) else None
        if track is None:
            return "none"
        return "key" if (np.abs(track.times - self.shot.time) < TIME_EPSILON).any() else "animated"

    def aspect(self) -> str:
        """What the shape of the selected camera's picture is called."""
        item = self.selected
        if not isinstance(item, ShotCamera):
            return ""
        return next(
            (name for name, value in ASPECTS if abs(value - item.aspect) < 5e-3), f"{item.aspect:.3g}:1"
        )

    def set_aspect(self, name: str) -> None:
        """Give the selected camera's picture another shape; its height stays."""
        value = dict(ASPECTS).get(name)
        if value is not None:
            self.shot.change(
                tr("Aspect ratio"),
                lambda camera: replace(camera, sensor=(camera.sensor[1] * value, camera.sensor[1])),
            )

    # ------------------------------------------------------------ props
    def holds(self) -> tuple[HoldRow, ...]:
        """What holds the selected prop, in order."""
        item = self.selected
        if not isinstance(item, Prop):
            return ()
        now, rate = hold_number(item, self.shot.time), self.session.playback.rate
        return tuple(
            HoldRow(
                number, frame_text(rate.to_frame(hold.start)) if number else _first(len(item.holds)),
                self.session.bone_label(hold.bone) if hold.bone else tr("World"), number == now,
            )
            for number, hold in enumerate(item.holds)
        )  # fmt: skip

    # ------------------------------------------------------------ characters
    def clip_names(self) -> tuple[str, ...]:
        """Clips that the selected character can play."""
        item = self.selected
        cast = self.characters.cast(item) if isinstance(item, ShotCharacter) else None
        project = self.characters.project(item) if isinstance(item, ShotCharacter) else None
        if cast is None or project is None:
            return ()
        return tuple(clip.name for clip in project.clips_of(cast.rig.id))

    def clip_name(self) -> str:
        """The clip that it plays, or ""."""
        item = self.selected
        cast = self.characters.cast(item) if isinstance(item, ShotCharacter) else None
        return cast.clip.name if cast is not None and cast.clip is not None else ""

    def set_clip(self, name: str) -> None:
        """Have the selected character play another clip; "" is its rest pose."""
        item = self.selected
        if not isinstance(item, ShotCharacter):
            return
        if item.file:
            self.shot.change(tr("Clip"), lambda one: replace(one, clip_name=name))
            return
        project = self.session.document.project
        clip = next((c for c in project.clips if c.rig == item.rig and c.name == name), None)
        self.shot.change(tr("Clip"), lambda one: replace(one, clip=None if clip is None else clip.id))

    def offset(self) -> float:
        """Frames of playback at which its clip begins."""
        item = self.selected
        return self.session.playback.rate.to_frame(item.offset) if isinstance(item, ShotCharacter) else 0.0

    def set_offset(self, frames: float) -> None:
        """Have its clip begin at another frame."""
        seconds = self.session.playback.rate.to_seconds(frames)
        self.shot.change(tr("Clip start"), lambda one: replace(one, offset=seconds))

    def set_ghosted(self, on: bool) -> None:
        """Draw it see-through, or solid."""
        self.shot.change(tr("See-through"), lambda one: replace(one, ghosted=on))

    def own_characters(self) -> tuple[tuple[AssetId, str], ...]:
        """Characters of this document besides the one that is edited."""
        shown = self.session.playback.rig
        return tuple((rig.id, rig.name) for rig in self.session.document.project.rigs if rig.id != shown)

    def add_own(self, rig: AssetId) -> None:
        """Show a character of this document beside the one that is edited."""
        project = self.session.document.project
        found, clips = project.get(Rig, rig), project.clips_of(rig)
        clip = clips[0].id if clips else None
        self.shot.add(ShotCharacter(new_id("shot_character"), found.name, "", rig, clip))


def _first(count: int) -> str:
    """How the start of the first of some holds is told."""
    return tr("always") if count == 1 else tr("start")

"""The shot: cameras, props and second characters of the document; which is selected, and what is looked through."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.clips.edits import unique_name
from core.errors import ValidationError
from core.ids import AssetId, new_id
from core.math.transform import Transform, from_matrix, to_matrix
from core.shot import camera as cameras
from core.shot import prop as props
from core.shot.camera import CameraView, ShotCamera
from core.shot.character import ShotCharacter
from core.shot.prop import Hold, Prop
from core.timing import TIME_EPSILON
from editor.model.display.display import Display
from editor.model.document import Document
from editor.model.edits import Edits
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.playback import Playback
from editor.model.selection import Selection

Item = ShotCamera | Prop | ShotCharacter
KINDS = (ShotCamera, Prop, ShotCharacter)


class Shot:
    """What stands beside the character that is edited.

    Attributes
    ----------
    changed : what is listed, selected, drawn or looked through may differ
    through : whether the view looks through the active camera
    locked : whether moving the view moves that camera
    """

    def __init__(
        self, document: Document, edits: Edits, evaluator: Evaluator, playback: Playback, selection: Selection,
        display: Display,
    ) -> None:  # fmt: skip
        self._document, self._edits, self._evaluator = document, edits, evaluator
        self._playback, self._selection, self._display = playback, selection, display
        self.changed: Event[None] = Event()
        self.through = self.locked = False
        self._selected: AssetId | None = None
        self._camera: AssetId | None = None
        self._preview: Item | None = None
        document.changed.connect(self._on_document)
        document.replaced.connect(lambda _: self._reset())
        selection.bones_changed.connect(lambda _: self._on_bones())

    # ------------------------------------------------------------ what there is
    def all(self) -> tuple[Item, ...]:
        """Cameras, then props, then characters, as a drag has them."""
        project = self._document.project
        found: list[Item] = [*project.all(ShotCamera), *project.all(Prop), *project.all(ShotCharacter)]
        return tuple(self._shown(item) for item in found)

    @property
    def cameras(self) -> tuple[ShotCamera, ...]:
        """The cameras."""
        return tuple(item for item in self.all() if isinstance(item, ShotCamera))

    @property
    def props(self) -> tuple[Prop, ...]:
        """The props."""
        return tuple(item for item in self.all() if isinstance(item, Prop))

    @property
    def characters(self) -> tuple[ShotCharacter, ...]:
        """The second characters."""
        return tuple(item for item in self.all() if isinstance(item, ShotCharacter))

    def _shown(self, item: Item) -> Item:
        preview = self._preview
        return preview if preview is not None and preview.id == item.id else item

    @property
    def selected(self) -> Item | None:
        """The one that is edited."""
        return next((item for item in self.all() if item.id == self._selected), None)

    @property
    def camera(self) -> ShotCamera | None:
        """The active camera: the one chosen last, else the first."""
        found = self.cameras
        return next((camera for camera in found if camera.id == self._camera), found[0] if found else None)

    @property
    def time(self) -> float:
        """Seconds of playback."""
        return self._playback.time

    def view(self) -> CameraView | None:
        """What the active camera sees now; None where there is none."""
        camera = self.camera
        return None if camera is None else cameras.view_at(camera, self.time)

    def bone_matrix(self, rig: AssetId, bone: str) -> FloatArray | None:
        """World matrix ``(4, 4)`` of a bone of the character shown, in the pose shown; None of another's."""
        shown = self._evaluator.rig
        if shown is None or shown.id != rig:
            return None
        number = shown.skeleton.find(bone)
        if number is None:
            return None
        drawn = self._display.drawn
        found = None if drawn is None else drawn.matrices()
        model = self._evaluator.matrices() if found is None else found
        placed: FloatArray = np.asarray(self._evaluator.world()) @ np.asarray(model)[number]
        return placed

    def matrix(self, item: Item) -> FloatArray | None:
        """Where one stands now, ``(4, 4)``; None where the bone that holds it is not shown."""
        if isinstance(item, ShotCamera):
            view = cameras.view_at(item, self.time)
            return to_matrix(Transform(view.position, view.rotation, np.ones(3)))
        if isinstance(item, Prop):
            return props.matrix_at(item, self.time, self.bone_matrix)
        return to_matrix(item.place)

    # ------------------------------------------------------------ choosing
    def select(self, item: AssetId | None) -> None:
        """Select one, in place of bones; a camera becomes the active one."""
        if any(camera.id == item for camera in self.cameras):
            self._camera = item
        if item is not None and self._selection.bones:
            self._selection.select(())
        self._selected = item
        self.changed.emit(None)

    def look_through(self, on: bool) -> None:
        """Look through the active camera, or no longer."""
        on = on and self.camera is not None
        if on != self.through:
            self.through = on
            self.changed.emit(None)

    def lock(self, on: bool) -> None:
        """Have the view move the camera that is looked through, or leave it."""
        if on != self.locked:
            self.locked = on
            self.changed.emit(None)

    def next_camera(self) -> None:
        """Take the next camera, and look through it."""
        found = self.cameras
        if not found:
            return
        now = self.camera
        place = found.index(now) if now in found and self.through else -1
        self._camera = self._selected = found[(place + 1) % len(found)].id
        self.through = True
        self.changed.emit(None)

    # ------------------------------------------------------------ edits
    def set_preview(self, item: Item | None) -> None:
        """Show one as a drag has it; None shows the document's."""
        if item is not self._preview:
            self._preview = item
            self.changed.emit(None)

    def put(self, label: str, item: Item) -> bool:
        """Add or change one, in one step."""
        self._preview = None
        done = self._edits.put(label, item)
        self.changed.emit(None)
        return done

    def free_name(self, wanted: str) -> str:
        """A name that none of them has."""
        return unique_name(wanted, [item.name for item in self.all()])

    def add(self, *items: Item) -> None:
        """Add some in one step, under free names, and select the first."""
        named, taken = [], [item.name for item in self.all()]
        for item in items:
            named.append(replace(item, name=unique_name(item.name, taken)))
            taken.append(named[-1].name)
        if not named:
            return
        self._edits.put(tr("Add {name} to the shot", name=named[0].name), *named)
        self.select(named[0].id)

    def add_camera(self, position: FloatArray, rotation: FloatArray, lens: float) -> None:
        """A new camera at a place, which is looked through from now on."""
        place = Transform(np.asarray(position), np.asarray(rotation), np.ones(3))
        held = min(max(lens, cameras.LEAST_LENS), cameras.MOST_LENS)
        self.add(ShotCamera(new_id("camera"), tr("Camera"), place, held))
        self.look_through(True)

    def remove(self) -> None:
        """Remove the selected one from the document."""
        item = self._required()
        self._edits.remove(tr("Remove {name} from the shot", name=item.name), item.id)
        self.select(None)

    def rename(self, name: str) -> None:
        """Give the selected one another name."""
        item = self._required()
        if name.strip() and name.strip() != item.name:
            self.put(
                tr("Rename {old} to {name}", old=item.name, name=name.strip()),
                replace(item, name=name.strip()),
            )

    def change(self, what: str, make: Callable[[Any], Item]) -> None:
        """Change the selected one, in one step named after what of it."""
        item = self._required()
        made = make(item)
        if made is not item:
            self.put(tr("{what} of {name}", what=what, name=item.name), made)

    def _required(self) -> Item:
        item = self.selected
        if item is None:
            raise ValidationError(tr("Select a camera, prop or character of the shot first"))
        return item

    def moved(self, item: Item, matrix: FloatArray) -> Item:
        """One at another place in the world now: its key, its offset, or its place."""
        split = from_matrix(matrix)
        if isinstance(item, ShotCamera):
            return cameras.placed(item, split.translation, split.rotation, self.time, key=False)
        if isinstance(item, ShotCharacter):
            return replace(item, place=split)
        number = props.hold_number(item, self.time)
        hold = item.holds[number]
        if hold.bone is not None and hold.rig is not None:
            above = self.bone_matrix(hold.rig, hold.bone)
            if above is None:
                return item
            split = props.offset_from(above, matrix)
        return props.moved(item, number, split)

    def place_camera(self, position: FloatArray, rotation: FloatArray, commit: bool) -> None:
        """The active camera elsewhere, as the view that it is locked to moves."""
        camera = self.camera
        if camera is None:
            return
        made = cameras.placed(camera, position, rotation, self.time, key=False)
        if commit:
            self.put(tr("Move {name}", name=camera.name), made)
        else:
            self.set_preview(made)

    def commit_preview(self) -> None:
        """Make what a drag shows the document's."""
        preview = self._preview
        if preview is not None:
            self.put(tr("Move {name}", name=preview.name), preview)

    def key_camera(self) -> None:
        """Key place, rotation and lens of the active camera now."""
        camera = self._camera_required()
        self.put(tr("Key {name}", name=camera.name), cameras.keyed_at(camera, self.time))

    def unkey_camera(self) -> None:
        """Delete the active camera's keys of now."""
        camera = self._camera_required()
        self.put(tr("Delete keys of {name}", name=camera.name), cameras.unkeyed_at(camera, self.time))

    @property
    def in_timeline(self) -> ShotCamera | None:
        """The camera whose keys the timeline shows: the selected one, else the one that is looked through."""
        item = self.selected
        return item if isinstance(item, ShotCamera) else self.camera if self.through else None

    def _camera_required(self) -> ShotCamera:
        camera = self.camera
        if camera is None:
            raise ValidationError(tr("There is no camera in this document: create one from the view first"))
        return camera

    def set_lens(self, lens: float) -> None:
        """Give the selected camera another focal length in millimetres, as a key where it is keyed."""
        self.change(tr("Lens"), lambda camera: cameras.with_lens(camera, lens, self.time, key=False))

    # ------------------------------------------------------------ props
    def attach(self, prop: Prop | None = None) -> None:
        """Have the active bone hold a prop, else the selected one, from now on; it stays where it is now."""
        prop, hold = self._held(prop)
        if self.time <= TIME_EPSILON:
            made = replace(prop, holds=(replace(hold, start=0.0), *prop.holds[1:]))
        else:
            made = props.with_hold(prop, hold)
        self.put(tr("Attach {name} to {bone}", name=prop.name, bone=hold.bone or ""), made)

    def attach_always(self) -> None:
        """Have the active bone hold the selected prop at all times."""
        prop, hold = self._held()
        self.put(
            tr("Attach {name} to {bone}", name=prop.name, bone=hold.bone or ""), props.held_always(prop, hold)
        )

    def attach_range(self) -> None:
        """Have the active bone hold the selected prop over the play range; it is left where the bone leaves it."""
        prop, hold = self._held()
        start, end = self._playback.span
        pipeline, rig = self._evaluator.pipeline, self._evaluator.rig
        if pipeline is None or rig is None or hold.bone is None:
            raise ValidationError(tr("create or select a clip first"))
        at = np.array([end])
        bone = self._evaluator.worlds(at)[0] @ pipeline.models_many(at)[0, rig.skeleton.index(hold.bone)]
        after = from_matrix(bone @ to_matrix(hold.offset))
        made = props.held_between(prop, replace(hold, start=start), end, after)
        if start <= TIME_EPSILON:
            made = replace(made, holds=(replace(hold, start=0.0), *made.holds[2:]))
        self.put(tr("Attach {name} to {bone}", name=prop.name, bone=hold.bone), made)

    def release(self, prop: Prop | None = None) -> None:
        """Leave a prop, else the selected one, in the world from now on, where it is now."""
        prop = prop or self._prop()
        matrix = self.matrix(prop)
        if matrix is None:
            raise ValidationError(tr("{name} is held by a character that is not shown", name=prop.name))
        hold = Hold(self.time, from_matrix(matrix))
        if self.time <= TIME_EPSILON:
            made = replace(prop, holds=(replace(hold, start=0.0), *prop.holds[1:]))
        else:
            made = props.with_hold(prop, hold)
        self.put(tr("Release {name}", name=prop.name), made)

    def remove_hold(self, number: int) -> None:
        """Remove one of the holds of the selected prop."""
        prop = self._prop()
        self.put(tr("Remove an attachment of {name}", name=prop.name), props.without_hold(prop, number))

    def _prop(self) -> Prop:
        item = self.selected
        if not isinstance(item, Prop):
            raise ValidationError(tr("Select a prop in the Shot panel first"))
        return item

    def _held(self, prop: Prop | None = None) -> tuple[Prop, Hold]:
        prop, rig = prop or self._prop(), self._evaluator.rig
        bone = self.bone
        if rig is None or bone is None:
            raise ValidationError(tr("Select the bone that is to hold the prop, then the prop"))
        above, matrix = self.bone_matrix(rig.id, bone), self.matrix(prop)
        if above is None:
            raise ValidationError(tr("{bone} is not shown", bone=bone))
        if matrix is None:
            matrix = above
        return prop, Hold(self.time, props.offset_from(above, matrix), bone, rig.id)

    @property
    def bone(self) -> str | None:
        """The bone that would hold a prop: the active one, else the one that was active last."""
        rig = self._evaluator.rig
        found = self._selection.active or self._last_bone
        return (
            found if rig is not None and found is not None and rig.skeleton.find(found) is not None else None
        )

    def holder_matrix(self) -> FloatArray | None:
        """World matrix ``(4, 4)`` of the bone that would hold a prop; None where there is none."""
        rig, bone = self._evaluator.rig, self.bone
        return None if rig is None or bone is None else self.bone_matrix(rig.id, bone)

    _last_bone: str | None = None

    # ------------------------------------------------------------ upkeep
    def _on_bones(self) -> None:
        if self._selection.active is not None:
            self._last_bone = self._selection.active
            if self._selected is not None:
                self._selected = None
                self.changed.emit(None)

    def _on_document(self, ids: frozenset[AssetId]) -> None:
        assets = self._document.project.assets
        touched = any(isinstance(assets.get(key), KINDS) or key not in assets for key in ids)
        if touched:
            if self.camera is None:
                self.through = False
            self.changed.emit(None)

    def _reset(self) -> None:
        self._selected = self._camera = self._preview = None
        self.through = self.locked = False
        self.changed.emit(None)

"""The viewport without its widget: camera, what is drawn, what is under the pointer, which gesture begins."""

from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.gl import camera as cameras
from editor.gl.axis_widget import VIEWS, bubble_at, inside
from editor.gl.camera import Camera, Pixel, Size, View
from editor.gl.colors import DARK, Color, with_alpha
from editor.gl.draw_list import (
    AxisWidget,
    BoneShapes,
    DrawList,
    Ghost,
    GizmoShape,
    Grid,
    Layer,
    Lines,
    Shading,
    Shape,
)
from editor.gl.gizmo import Handle, handle_at
from editor.gl.mesh_picking import pick_mesh
from editor.gl.picking import bones_in_box, pick_bones
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.session import Session
from editor.panels.viewport.figure import Figure, bone_states
from editor.panels.viewport.grip import GizmoGrip
from editor.panels.viewport.heads_up import HeadsUp, heads_up
from editor.panels.viewport.options import ViewOptions
from editor.tools.gesture import Gesture
from editor.tools.navigate import Move, Navigate, navigation, zoom_by_wheel
from editor.tools.pick import ClickMemory, Pick
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.scrub import scrub_from
from editor.tools.stance import Frame, frame_of, pivot_of, stance
from editor.tools.state import Setup, Space, Tool, ToolState
from editor.tools.transform import TransformBones, movable

Box = tuple[Pixel, Pixel]
AXIS_PIXELS = 26.0


class ViewportModel:
    """State of one viewport; implements what tools ask of an `Eye` and a `Scene`.

    Attributes
    ----------
    changed : the picture differs
    overlay_changed : what is written over it differs
    """

    def __init__(self, session: Session, tools: ToolState) -> None:
        self.session = session
        self.tools = tools
        self.camera = Camera()
        self.size: Size = (640.0, 480.0)
        self.options = ViewOptions.read(session.switches, session.preferences)
        self.figure = Figure()
        self.changed: Event[None] = Event()
        self.overlay_changed: Event[None] = Event()
        self.gesture: Gesture | None = None
        self.box: Box | None = None
        self.pending_tint: Color = with_alpha(DARK.text, 0.3)
        self.axis_colors: tuple[Color, ...] = (DARK.axis_x, DARK.axis_y, DARK.axis_z)
        self._handle: Handle | None = None
        self._bubble: int | None = None
        self._held_gizmo: GizmoShape | None = None
        self._memory = ClickMemory()
        self._hits: tuple[DrawList, tuple[str, ...]] | None = None
        self._picture: DrawList | None = None
        self._drops = [event.connect(self._invalidate) for event in self._sources()]
        self._drops.append(session.switches.changed.connect(self._on_options))
        self._drops.append(session.preferences.changed.connect(self._on_options))
        self._drops += [event.connect(lambda _: self.overlay_changed.emit(None)) for event in self._words()]

    def _sources(self) -> list[Event]:  # type: ignore[type-arg]
        s = self.session
        return [
            s.evaluator.changed, s.selection.bones_changed, s.selection.flags_changed, s.selection.hover_changed,
            s.playback.clip_changed, s.keying.changed, self.tools.changed, s.document.changed,
        ]  # fmt: skip

    def _words(self) -> list[Event]:  # type: ignore[type-arg]
        s = self.session
        return [
            s.playback.time_changed, s.playback.state_changed, s.playback.clip_changed, s.keying.changed,
            self.tools.changed, s.document.changed, s.selection.bones_changed, s.selection.hover_changed,
        ]  # fmt: skip

    def close(self) -> None:
        """Stop listening."""
        while self._drops:
            self._drops.pop()()

    def _invalidate(self, _: object = None) -> None:
        self._picture = None
        self.changed.emit(None)

    # -------------------------------------------------- what there is
    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        key = self.session.playback.rig
        asset = self.session.document.project.assets.get(key) if key else None
        return asset if isinstance(asset, Rig) else None

    def meshes(self) -> tuple[Mesh, ...]:
        """Meshes of the rig shown."""
        rig = self.rig
        return self.session.document.project.meshes_of(rig.id) if rig is not None else ()

    def matrices(self) -> FloatArray:
        """World matrices ``(B, 4, 4)`` of the pose shown."""
        evaluator = self.session.evaluator
        placed: FloatArray = np.asarray(evaluator.world()) @ np.asarray(evaluator.matrices())
        return placed

    # -------------------------------------------------- the picture
    def draw_list(self) -> DrawList:
        """The frame to draw; made anew only after something changed."""
        if self._picture is None:
            self._picture = self._compose()
        return self._picture

    def _compose(self) -> DrawList:
        options, rig = self.options, self.rig
        grid = Grid() if options.grid else None
        widget = AxisWidget(self._bubble)
        if rig is None:
            self.figure.forget(())
            return DrawList(grid, axis_widget=widget)
        meshes, matrices = self.meshes(), self.matrices()
        self.figure.forget(mesh.id for mesh in meshes)
        shading = Shading.FLAT if options.silhouette else Shading.LIT
        shown = self.figure.meshes(
            meshes if options.mesh else (),
            rig,
            matrices,
            self.session.evaluator.pose(),
            shading,
            options.shadow,
        )
        return DrawList(
            grid, shown, self._pending_ghost(rig, meshes), options.shadow, self._bones(rig, matrices),
            self._axes(rig, matrices), self.gizmo(), widget,
        )  # fmt: skip

    def _bones(self, rig: Rig, matrices: FloatArray) -> BoneShapes | None:
        if not self.options.bones:
            return None
        states = bone_states(rig.skeleton, self.session.selection, self.session.selection.hover)
        return self.figure.bones(rig.skeleton, matrices, states, self.options.style)

    def _axes(self, rig: Rig, matrices: FloatArray) -> tuple[Shape, ...]:
        """The selected bones' own axes, all bones' where none is selected."""
        if not self.options.axes:
            return ()
        chosen = [rig.skeleton.index(name) for name in self.session.selection.bones]
        bones = np.array(chosen or range(len(rig.skeleton)), dtype=np.int64)
        heads = matrices[bones, :3, 3]
        turns = matrices[bones, :3, :3]
        turns = turns / np.maximum(np.linalg.norm(turns, axis=1, keepdims=True), 1e-12)
        length = AXIS_PIXELS * cameras.metres_per_pixel(self.camera, heads, self.size)
        ends = heads[:, None] + np.swapaxes(turns, 1, 2) * length[:, None, None]
        points = np.stack([np.repeat(heads[:, None], 3, axis=1), ends], axis=2).reshape(-1, 2, 3)
        return (
            Lines(
                points,
                np.tile(np.array(self.axis_colors, np.float32), (len(bones), 1)),
                2.0,
                layer=Layer.FRONT,
            ),
        )

    def _pending_ghost(self, rig: Rig, meshes: tuple[Mesh, ...]) -> tuple[Ghost, ...]:
        """Where the keys would put the character, while the pose shown is not keyed."""
        if not self.session.keying.pending or not self.options.mesh:
            return ()
        sampled = self.session.evaluator.sampled_pose()
        world = stance(rig.skeleton, sampled, self.session.evaluator.world()).matrices
        return self.figure.ghosts(meshes, rig, world, self.pending_tint)

    def gizmo(self) -> GizmoShape | None:
        """The handles at the selection, or those in the hand."""
        if self._held_gizmo is not None:
            return self._held_gizmo
        setup, rig = self.tools.setup, self.rig
        if setup.tool is Tool.SELECT or rig is None or self.session.playback.playing:
            return None
        placed = self._frame(rig, setup)
        if placed is None:
            return None
        return GizmoShape(setup.tool.value, placed.point, placed.axes, self._handle)

    def _frame(self, rig: Rig, setup: Setup) -> Frame | None:
        bones, _ = movable(self.session, rig.skeleton)
        active = rig.skeleton.find(self.session.selection.active or "")
        if active is None:
            return None
        s = stance(rig.skeleton, self.session.evaluator.pose(), self.session.evaluator.world())
        axes = frame_of(s, active, setup.space, self.view_axes())
        return Frame(setup.space, setup.pivot, axes, pivot_of(s, bones or (active,), active, setup.pivot))

    def view_axes(self) -> FloatArray:
        """``(3, 3)`` rows right, up and toward the eye."""
        right, up, forward = cameras.axes(self.camera)
        return np.stack([right, up, -forward])

    def heads_up(self) -> HeadsUp:
        """What is written over the picture."""
        view = cameras.view_name(self.camera)
        name = view.name.title() if view is not None else ""
        if self.camera.orthographic:
            name = f"{name} {tr('orthographic')}".strip()
        status = self.gesture.status if self.gesture is not None else ""
        return heads_up(self.session, self.tools.setup, status, name)

    def names(self) -> tuple[tuple[str, float, float], ...]:
        """Bone names and where they are written: all of them by the switch, else the one under the pointer."""
        rig = self.rig
        if rig is None:
            return ()
        selection = self.session.selection
        wanted = [n for n in (*reversed(selection.bones), *rig.skeleton.names) if selection.shown(n)]
        if not self.options.names:
            wanted = (
                [selection.hover]
                if selection.hover and rig.skeleton.find(selection.hover) is not None
                else []
            )
        if not wanted:
            return ()
        numbers = [rig.skeleton.index(name) for name in dict.fromkeys(wanted)]
        matrices = self.matrices()
        pixels, depth = cameras.project(self.camera, matrices[numbers, :3, 3], self.size)
        rows = zip(dict.fromkeys(wanted), pixels, depth, strict=True)
        near = self.camera.orthographic
        return tuple((name, float(p[0]), float(p[1])) for name, p, deep in rows if near or deep > 0.0)

    # -------------------------------------------------- Eye
    def look(self) -> object:
        """The camera, to come back to."""
        return self.camera

    def restore(self, look: object) -> None:
        """Put the camera back."""
        if isinstance(look, Camera):
            self.set_camera(look)

    def set_camera(self, camera: Camera) -> None:
        """Look from elsewhere; the same camera does nothing."""
        if camera != self.camera:
            self.camera = camera
            if self.tools.setup.space is Space.VIEW or self.options.axes:
                self._picture = None
            self.changed.emit(None)
            self.overlay_changed.emit(None)

    def resize(self, size: Size) -> None:
        """The view has another size in logical pixels."""
        self.size = (max(size[0], 1.0), max(size[1], 1.0))

    def orbit(self, dx: float, dy: float) -> None:
        """Turn by a drag; leaves the parallel projection of a standard view."""
        camera = self.camera
        if camera.orthographic and cameras.view_name(camera) is not None:
            camera = replace(camera, orthographic=self._chosen_ortho)
        self.set_camera(cameras.orbit_pixels(camera, dx, dy))

    _chosen_ortho = False

    def pan(self, dx: float, dy: float) -> None:
        """Shift by a drag."""
        self.set_camera(cameras.pan(self.camera, dx, dy, self.size))

    def dolly(self, factor: float, cursor: Pixel | None = None) -> None:
        """Come closer or go away."""
        self.set_camera(cameras.dolly(self.camera, factor, self.size, cursor))

    def wheel(self, steps: float, pixel: Pixel) -> None:
        """Zoom to the cursor."""
        zoom_by_wheel(self, steps, pixel)

    def frame_selected(self) -> None:
        """Look at the selected bones, which become what the eye turns about; at all where none is."""
        rig = self.rig
        names = self.session.selection.bones
        if rig is None or not names:
            self.frame_all()
            return
        matrices = self.matrices()
        bones = [rig.skeleton.index(name) for name in names]
        tails = matrices[:, :3, 3] + np.einsum(
            "bij,bj->bi", matrices[:, :3, :3], self.figure.tips(rig.skeleton)
        )
        points = np.concatenate([matrices[bones, :3, 3], tails[bones]])
        room = max(float(np.ptp(points, axis=0).max()) * 0.5, 0.04)
        self.set_camera(
            cameras.frame(self.camera, points.min(axis=0) - room, points.max(axis=0) + room, self.size)
        )

    def frame_all(self) -> None:
        """Look at the whole character."""
        rig = self.rig
        if rig is None:
            self.set_camera(Camera(yaw=self.camera.yaw, pitch=self.camera.pitch))
            return
        points = self.matrices()[:, :3, 3]
        drawn = self.draw_list().meshes
        if drawn:
            from editor.gl.cpu_skin import skin_positions

            skinned = [skin_positions(mesh) for mesh in drawn if len(mesh.geometry.positions)]
            points = np.concatenate([points, *skinned])
        finite = points[np.isfinite(points).all(axis=1)]
        if len(finite):
            self.set_camera(cameras.frame(self.camera, finite.min(axis=0), finite.max(axis=0), self.size))

    def look_from(self, view: View) -> None:
        """Take a standard view, orthographic; taking it again looks in perspective as before."""
        self.set_camera(cameras.standard_view(self.camera, view))

    def look_opposite(self) -> None:
        """Look from the other side."""
        self.set_camera(cameras.opposite(self.camera))

    def toggle_orthographic(self) -> None:
        """Parallel or perspective projection."""
        self._chosen_ortho = not self.camera.orthographic
        self.set_camera(replace(self.camera, orthographic=self._chosen_ortho))

    def toggle_mirrored(self) -> None:
        """Flip the picture left to right, to judge a pose with fresh eyes."""
        self.set_camera(replace(self.camera, mirrored=not self.camera.mirrored))

    def _on_options(self, _: object = None) -> None:
        options = ViewOptions.read(self.session.switches, self.session.preferences)
        if options != self.options:
            self.options = options
            self._invalidate()
            self.overlay_changed.emit(None)

    # -------------------------------------------------- Scene
    def bones_at(self, pixel: Pixel) -> tuple[str, ...]:
        """Bones under a pixel: those drawn there, then the one that moves the skin there."""
        rig = self.rig
        if rig is None:
            return ()
        picture = self.draw_list()
        names = list(self._drawn_at(rig, picture, pixel))
        hit = pick_mesh(picture.meshes, self.camera, self.size, pixel) if picture.meshes else None
        if hit is not None:
            bone = self.figure.bone_of(self.meshes()[hit.instance], rig, hit.bone)
            name = rig.skeleton.names[bone]
            if name not in names and self.session.selection.pickable(name):
                names.append(name)
        return tuple(names)

    def _drawn_at(self, rig: Rig, picture: DrawList, pixel: Pixel) -> tuple[str, ...]:
        if picture.bones is None:
            return ()
        hits = pick_bones(picture.bones, self.camera, self.size, pixel)
        names = (rig.skeleton.names[hit.bone] for hit in hits)
        return tuple(name for name in names if self.session.selection.pickable(name))

    def bones_in(self, low: Pixel, high: Pixel) -> tuple[str, ...]:
        """Bones that a box catches."""
        rig = self.rig
        if rig is None:
            return ()
        states = bone_states(rig.skeleton, self.session.selection, None)
        shapes = self.figure.bones(rig.skeleton, self.matrices(), states, self.options.style)
        found = bones_in_box(shapes, self.camera, self.size, low, high)
        names = (rig.skeleton.names[bone] for bone in found)
        return tuple(name for name in names if self.session.selection.pickable(name))

    def show_box(self, box: Box | None) -> None:
        """The selection box on the screen."""
        self.box = box
        self.overlay_changed.emit(None)

    # -------------------------------------------------- the pointer
    def hover(self, pixel: Pixel | None) -> None:
        """The pointer moved with no button held; None when it left."""
        bubble = handle = name = None
        if pixel is not None:
            bubble = bubble_at(AxisWidget(), self.camera, self.size, pixel)
            gizmo = self.gizmo()
            if bubble is None and gizmo is not None:
                handle = handle_at(gizmo, self.camera, self.size, pixel)
            rig = self.rig
            if rig is not None and bubble is None and handle in (None, Handle.TRACKBALL):
                name = next(iter(self._drawn_at(rig, self.draw_list(), pixel)), None)
                if name is not None and handle is Handle.TRACKBALL:
                    handle = None
        if (bubble, handle) != (self._bubble, self._handle):
            self._bubble, self._handle = bubble, handle
            self._invalidate()
        self.session.selection.set_hover(name)

    def press(self, pointer: Pointer, scrubbing: bool = False) -> Gesture | None:
        """The gesture that a press begins, already begun; None where a click was all there was."""
        gesture = self._gesture_for(pointer, scrubbing)
        if gesture is not None:
            self.gesture = gesture
            gesture.begin(pointer)
            self.overlay_changed.emit(None)
        return gesture

    def move(self, pointer: Pointer) -> None:
        """The pointer moved with a gesture in hand."""
        if self.gesture is not None:
            self.gesture.move(pointer)
            self.overlay_changed.emit(None)

    def type_text(self, text: str) -> bool:
        """A character typed with a gesture in hand; whether it was taken."""
        taken = self.gesture is not None and self.gesture.grabs_keys and self.gesture.type_text(text)
        if taken:
            self.overlay_changed.emit(None)
        return bool(taken)

    def release(self, pointer: Pointer) -> None:
        """The button was let go, or Enter pressed."""
        gesture, self.gesture = self.gesture, None
        if gesture is not None:
            self._let_go()
            gesture.finish(pointer)
            if isinstance(gesture, TransformBones) and gesture.free and not gesture.under_way:
                self._click(pointer)  # inside the rings a click still means what lies there
            self.overlay_changed.emit(None)

    def _click(self, pointer: Pointer) -> None:
        pick = Pick(self, self.session.selection, self._memory)
        pick.begin(pointer)
        pick.finish(pointer)

    def cancel(self) -> bool:
        """Esc or the right button; whether there was something to cancel."""
        gesture, self.gesture = self.gesture, None
        if gesture is None:
            return False
        self._let_go()
        gesture.cancel()
        self.overlay_changed.emit(None)
        return True

    def _let_go(self) -> None:
        if self._held_gizmo is not None:
            self._held_gizmo = None
            self._invalidate()

    def _hold(self, gizmo: GizmoShape) -> None:
        self._held_gizmo = gizmo
        self._invalidate()

    def _gesture_for(self, pointer: Pointer, scrubbing: bool) -> Gesture | None:
        if scrubbing and pointer.button is Button.LEFT:
            rate = self.session.playback.rate
            return scrub_from(self.session.playback, pointer.x, rate.snap, rate.frame)
        move = navigation(pointer)
        if move is not None:
            return Navigate(self, move)
        if pointer.button is not Button.LEFT:
            return None
        bubble = bubble_at(AxisWidget(), self.camera, self.size, pointer.pixel)
        if bubble is not None:
            view = VIEWS[bubble]
            same = cameras.view_name(self.camera) is view
            self.look_from(VIEWS[(bubble + 3) % 6] if same else view)
            return None
        if inside(AxisWidget(), self.size, pointer.pixel):
            return Navigate(self, Move.ORBIT)
        return self._grab(pointer) or Pick(self, self.session.selection, self._memory)

    def _grab(self, pointer: Pointer) -> Gesture | None:
        """The gizmo's handle under the pointer, in the hand."""
        rig, setup, gizmo = self.rig, self.tools.setup, self.gizmo()
        if rig is None or gizmo is None or pointer.has(Modifiers.SHIFT):
            return None
        handle = handle_at(gizmo, self.camera, self.size, pointer.pixel)
        if handle is None:
            return None
        if handle is Handle.TRACKBALL and self._drawn_at(rig, self.draw_list(), pointer.pixel):
            return None  # a bone inside the rings can still be picked
        bones, locked = movable(self.session, rig.skeleton)
        frame = self._frame(rig, setup)
        if locked:
            some = ", ".join(locked[:3]) + (" …" if len(locked) > 3 else "")
            self.session.messages.warn(
                tr("Locked: {bones}", bones=some), tr("Unlock in the bone tree to pose")
            )
        if not bones or frame is None:
            return None
        s = stance(rig.skeleton, self.session.evaluator.pose(), self.session.evaluator.world())
        grip = GizmoGrip(setup.tool, handle, gizmo, self.camera, self.size, pointer.pixel, self._hold)
        self._hold(replace(gizmo, hovered=None, active=handle))
        return TransformBones(self.session, setup, s, bones, frame, grip, self.view_axes())

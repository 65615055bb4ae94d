"""The viewport without its widget: what changes it, what the pointer is over, and the gesture under way."""

import numpy as np

from core.arrays import FloatArray
from core.rig.rig import Rig
from editor.gl import camera as cameras
from editor.gl.axis_widget import bubble_at
from editor.gl.camera import Camera, Pixel
from editor.gl.camera_controller import ViewCameraController
from editor.gl.character_drawables import CharacterDrawables
from editor.gl.draw_list import AxisWidget, DrawList, GizmoShape
from editor.gl.gizmo import Handle, handle_at
from editor.model.compile_state import Compiling
from editor.model.events import Event
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.ik.state import IkState
from editor.model.media.state import Media
from editor.model.play.state import Play
from editor.model.ragdoll.bodies import Bodies
from editor.model.ragdoll.simulating import Simulating
from editor.model.retarget.state import Retargeting
from editor.model.selection import Mode
from editor.model.session import Session
from editor.model.shot.characters import Characters
from editor.model.shot.state import Shot
from editor.panels.viewport.heads_up import HeadsUp, heads_up
from editor.panels.viewport.look_through import LookThrough
from editor.panels.viewport.options import ViewOptions
from editor.panels.viewport.press import free_dot, gesture_for
from editor.panels.viewport.pulling import pulled_at
from editor.panels.viewport.scene_composer import SceneComposer
from editor.panels.viewport.trails import dot_text
from editor.tools.gesture import Gesture, GestureHost
from editor.tools.ik.pull import PullBone, PullGoal
from editor.tools.navigate import Navigate
from editor.tools.pick import ClickMemory, Pick
from editor.tools.play_push import PushBone
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.state import Space, ToolState
from editor.tools.transform import TransformBones

Box = tuple[Pixel, Pixel]
ROOM, SPREAD = 0.08, 0.1
"""What is left round selected bones that are framed: of the character's size or of theirs, whichever is more."""


class ViewportModel:
    """State of one viewport; implements what tools ask of a `Scene`, its `controller` of a `CameraController`.

    Attributes
    ----------
    changed : the picture differs
    overlay_changed : what is written over it differs
    """

    def __init__(self, session: Session, tools: ToolState) -> None:
        self.session, self.tools = session, tools
        self.controller = ViewCameraController()
        self.scene = SceneComposer(session, tools, self.controller)
        self.changed: Event[None] = Event()
        self.overlay_changed: Event[None] = Event()
        self.gestures = GestureHost()
        self.box: Box | None = None
        self.breaking_down = False
        self.through = LookThrough(session, self.controller, lambda: self.gestures.current is not None)
        self.pulling = False
        self._at: Pixel | None = None
        self._clicked: str | None = None  # the bone that the last press and release selected
        self.memory = ClickMemory()
        self._subscriptions = [event.connect(self._invalidate) for event in self._sources()]
        for event in (session.document.replaced, session.playback.clip_changed):
            self._subscriptions.append(event.connect(lambda _: self.cancel()))  # what was dragged is gone
        for made in (self.scene.textures.changed, self.scene.shades.changed):
            self._subscriptions.append(made.connect(self._invalidate))
        self._subscriptions.append(self.controller.moved.connect(self._on_moved))
        self._subscriptions.append(
            self.controller.moved.connect(lambda _: tools.share_look(self.controller.look()))
        )
        self._subscriptions.append(tools.look_changed.connect(self.controller.restore))
        self._subscriptions += self.through.connections()
        self._ground: FloatArray | None = None
        self._subscriptions.append(session.evaluator.changed.connect(self._follow))
        self._subscriptions.append(session.switches.changed.connect(self._on_options))
        self._subscriptions.append(session.preferences.changed.connect(self._on_options))
        self._subscriptions += [
            event.connect(lambda _: self.overlay_changed.emit(None)) for event in self._words()
        ]

    def _sources(self) -> list[Event]:  # type: ignore[type-arg]
        s = self.session
        return [
            s.evaluator.changed, s.selection.bones_changed, s.selection.flags_changed, s.selection.hover_changed,
            s.playback.clip_changed, s.keying.changed, self.tools.changed, s.document.changed,
            s.feature(IkState).changed, s.feature(Compiling).compare.changed,
            s.feature(Retargeting).pick.changed, s.feature(Retargeting).changed,
            s.feature(Retargeting).virtual.changed, s.feature(Play).state_changed,
            s.feature(Play).overlays.changed, s.feature(GhostStrip).changed, s.feature(Bodies).changed,
            s.feature(Simulating).changed, s.feature(Media).pictures.changed, s.feature(Shot).changed,
            s.feature(Characters).changed,
        ]  # fmt: skip

    def _words(self) -> list[Event]:  # type: ignore[type-arg]
        s = self.session
        return [
            s.playback.time_changed, s.playback.state_changed, s.playback.clip_changed, s.keying.changed,
            self.tools.changed, s.document.changed, s.selection.bones_changed, s.selection.hover_changed,
            s.feature(Compiling).compare.changed, s.feature(Play).stepped, s.feature(Play).state_changed,
            s.feature(Simulating).changed,
        ]  # fmt: skip

    def close(self) -> None:
        """Stop listening."""
        self.scene.textures.close()
        self.scene.shades.close()
        while self._subscriptions:
            self._subscriptions.pop()()

    def _invalidate(self, _: object = None) -> None:
        self.scene.forget()
        self.changed.emit(None)

    def _follow(self, _: object = None) -> None:
        """Keep the camera with a character that walks over the ground, where that is wanted."""
        if self.session.feature(Play).on:  # its own camera follows it
            self._ground = None
            return
        looks = self.session.feature(Shot).through
        if (
            not self.session.switches["follow"]
            or looks
            or self.gestures.current is not None
            or self.rig is None
        ):
            self._ground = None
            return
        ground = np.array(self.session.evaluator.world()[:3, 3]) * (1.0, 0.0, 1.0)
        if self._ground is not None and not np.array_equal(ground, self._ground):
            self.controller.follow(ground - self._ground)
        self._ground = ground

    def aim(self, pixel: Pixel) -> bool:
        """Select the bone under a pixel, unless it is already; whether there is one."""
        names = self.bones_at(pixel)
        chosen = self.session.selection.bones
        if names and not set(names) & set(chosen):
            self.session.selection.select(names[:1])
        return bool(names)

    def _on_moved(self, _: object = None) -> None:
        marks, rig = self.scene.ik, self.session.rig
        arcs = (rig is not None and marks.limit_bone(rig) is not None) or self.scene.bodies.shown
        if self.tools.setup.space is Space.VIEW or self.scene.options.axes or arcs:
            self.scene.forget()  # what is drawn depends on where it is seen from
        self.changed.emit(None)
        self.overlay_changed.emit(None)

    # -------------------------------------------------- what is shown
    @property
    def rig(self) -> Rig | None:
        """The rig shown."""
        return self.scene.rig

    @property
    def camera(self) -> Camera:
        """Where it is looked from."""
        return self.controller.camera

    @property
    def character(self) -> CharacterDrawables:
        """The character's geometry."""
        return self.scene.character

    def matrices(self) -> FloatArray:
        """World matrices ``(B, 4, 4)`` of the pose shown."""
        return self.scene.matrices()

    def draw_list(self) -> DrawList:
        """The frame to draw."""
        return self.scene.draw_list()

    def gizmo(self) -> GizmoShape | None:
        """The handles shown."""
        return self.scene.gizmo()

    def heads_up(self) -> HeadsUp:
        """What is written over the picture."""
        gesture = self.gestures.current
        status = gesture.status if gesture is not None else ""
        return heads_up(self.session, self.tools.setup, status, self.controller.name)

    def chip(self) -> tuple[str, Pixel] | None:
        """What a running drag amounts to, or a trail's frame under the pointer, and the pixel it is written beside."""
        gesture, dot = self.gestures.current, self.scene.trails.hovered
        if gesture is None and dot is not None:
            pixels, _ = cameras.project(self.camera, dot.place[None], self.controller.size)
            return dot_text(self.session, dot), (float(pixels[0, 0]), float(pixels[0, 1]))
        text = gesture.chip if gesture is not None else ""
        return (text, self._at) if text and self._at is not None else None

    def _on_options(self, name: str) -> None:
        if name == "follow":
            self._ground = None
            self._follow()
        kinds = ("ghosts", "trails", "limits", "alignment", "bodies", "shot", "safe_frame", "set_colors")
        if name in kinds or name.startswith(("ghosts_", "trails_")):
            self._invalidate()
        options = ViewOptions.read(self.session.switches, self.session.preferences)
        if options != self.scene.options:
            self.scene.options = options
            self._invalidate()
            self.overlay_changed.emit(None)

    def resize(self, size: cameras.Size) -> None:
        """The view has another size in logical pixels."""
        self.controller.resize(size)
        self.through.look()

    def camera_rectangle(self) -> tuple[Pixel, Pixel] | None:
        """Corners of the picture of the camera that is looked through, in logical pixels; None where there is none."""
        return self.through.rectangle()

    def new_camera(self) -> None:
        """Create a camera that sees what the view does."""
        self.through.new_camera()

    def frame_selected(self) -> None:
        """Look at the selected bones, which become the pivot of the camera; at all where none is."""
        points = self.scene.selected_points()
        if len(points):
            size = float(np.ptp(self.scene.all_points(), axis=0).max())
            self.controller.frame(points, max(SPREAD * float(np.ptp(points, axis=0).max()), ROOM * size))
        else:
            self.frame_all()

    def frame_all(self) -> None:
        """Look at the whole character."""
        points = self.scene.all_points()
        if len(points):
            self.controller.frame(points)
        else:
            self.controller.set_camera(Camera(yaw=self.camera.yaw, pitch=self.camera.pitch))

    # -------------------------------------------------- Scene
    def bones_at(self, pixel: Pixel) -> tuple[str, ...]:
        """Bones under a pixel."""
        return self.scene.bones_at(pixel)

    def bones_in(self, low: Pixel, high: Pixel) -> tuple[str, ...]:
        """Bones that a box catches."""
        return self.scene.bones_in(low, high)

    def show_box(self, box: Box | None) -> None:
        """The selection box on the screen."""
        self.box = box
        self.overlay_changed.emit(None)

    # -------------------------------------------------- the pointer
    def hover(self, pixel: Pixel | None) -> None:
        """The pointer moved with no button held; None when it left."""
        bubble = handle = name = None
        if pixel is not None:
            bubble = bubble_at(AxisWidget(), self.camera, self.controller.size, pixel)
            gizmo = self.gizmo()
            if bubble is None and gizmo is not None:
                handle = handle_at(gizmo, self.camera, self.controller.size, pixel)
                if handle is not None and free_dot(self, pixel) is not None:
                    handle = None
            rig = self.rig
            if rig is not None and bubble is None and self.pulls and handle in (None, Handle.TRACKBALL):
                name, handle = pulled_at(self, pixel), None
            elif rig is not None and bubble is None and handle in (None, Handle.TRACKBALL):
                name = next(iter(self.scene.drawn_at(rig, self.draw_list(), pixel)), None)
                if name is not None and handle is Handle.TRACKBALL:
                    handle = None
                if name is None and handle is None and not self.session.playback.playing:
                    name = self.scene.body_at(pixel)
        near = self.scene.point_at(pixel)
        if near or (bubble, handle) != (self.scene.bubble, self.scene.handle):
            self.scene.bubble, self.scene.handle = bubble, handle
            self._invalidate()
        self.session.selection.set_hover(name)
        self._hover_dot(pixel)
        self._hover_mark(pixel)

    def _hover_mark(self, pixel: Pixel | None) -> None:
        found = None if pixel is None else self.scene.ik.mark_at(self.camera, self.controller.size, pixel)
        hovered = None if found is None else (found[0].setup.name, found[1])
        bodies, grip = self.scene.bodies, None
        if pixel is not None and found is None:
            grip = bodies.grip_at(self.camera, self.controller.size, pixel)
        handle = None if grip is None else grip.handle
        if (hovered, handle) != (self.scene.ik.hovered, bodies.hovered):
            self.scene.ik.hovered, bodies.hovered = hovered, handle
            self._invalidate()

    def _hover_dot(self, pixel: Pixel | None) -> None:
        trails = self.scene.trails
        dot = None if pixel is None else free_dot(self, pixel)
        known = trails.hovered
        same = (dot is None) == (known is None)
        if same and dot is not None and known is not None:
            same = (dot.bone, dot.time, dot.speed) == (known.bone, known.time, known.speed)
        if not same:
            trails.hovered = dot
            self._invalidate()
            self.overlay_changed.emit(None)

    def press(self, pointer: Pointer, scrubbing: bool = False) -> Gesture | None:
        """The gesture that a press begins, already begun; None where a click was all there was."""
        gesture = gesture_for(self, pointer, scrubbing)
        if gesture is not None:
            self.scene.ik.pulling = isinstance(gesture, PullBone | PullGoal)
            self._at = None  # a press alone has no amount
            self.gestures.take(gesture, pointer)
            self.overlay_changed.emit(None)
        return gesture

    def move(self, pointer: Pointer) -> None:
        """The pointer moved with a running gesture."""
        if self.gestures.current is not None:
            self._at = pointer.pixel
            self.gestures.move(pointer)
            self.overlay_changed.emit(None)

    def type_text(self, text: str) -> bool:
        """A character typed with a running gesture; whether it was taken."""
        gesture = self.gestures.current
        taken = gesture is not None and gesture.grabs_keys and gesture.type_text(text)
        if taken:
            self.overlay_changed.emit(None)
        return taken

    def release(self, pointer: Pointer) -> None:
        """The button was released, or Enter pressed."""
        gesture = self.gestures.drop()
        self._clicked = None
        if gesture is not None:
            self._let_go()
            gesture.finish(pointer)
            self.through.finish(isinstance(gesture, Navigate))
            still = isinstance(gesture, TransformBones) and not gesture.under_way
            if isinstance(gesture, TransformBones) and gesture.free and still:
                self._click(pointer)  # inside the rings a click still means what lies there
            active = self.session.selection.active
            if (still or isinstance(gesture, Pick)) and active in self.bones_at(pointer.pixel):
                self._clicked = active
            self.overlay_changed.emit(None)

    def double_click(self, pointer: Pointer) -> bool:
        """Select from the bone that the first click selected to its chain's end; whether there was one."""
        bone, self._clicked = self._clicked, None
        if bone is None or pointer.button is not Button.LEFT or pointer.has(Modifiers.CTRL):
            return False
        if pointer.has(Modifiers.ALT) or bone not in self.session.selection.bones:
            return False
        mode = Mode.ADD if pointer.has(Modifiers.SHIFT) else Mode.REPLACE
        self.session.selection.select_to_end(bone, mode)
        return True

    def _click(self, pointer: Pointer) -> None:
        pick = Pick(self, self.session.selection, self.memory)
        pick.begin(pointer)
        pick.finish(pointer)

    @property
    def waits_for_stroke(self) -> bool:
        """Whether the next drag draws an arc; Escape calls it off."""
        return self.session.switches["path_draw"]

    def cancel(self) -> bool:
        """Esc or the right button; whether there was something to cancel."""
        gesture = self.gestures.drop()
        if gesture is None:
            waiting = self.waits_for_stroke
            self.session.switches.set("path_draw", False)
            return waiting
        self._let_go()
        with self.through.taken_back(isinstance(gesture, Navigate)):
            gesture.cancel()
        self.overlay_changed.emit(None)
        return True

    def _let_go(self) -> None:
        if self.scene.held_gizmo is not None or self.scene.ik.pulling:
            self.scene.held_gizmo, self.scene.ik.pulling = None, False
            self._invalidate()

    def hold(self, gizmo: GizmoShape) -> None:
        """Show a gizmo as it is dragged."""
        self.scene.held_gizmo = gizmo
        self._invalidate()

    @property
    def pulls(self) -> bool:
        """Whether a drag pulls the bone under the pointer by temporary IK."""
        return self.pulling or self.session.switches["temporary_ik"]

    def push(self, pointer: Pointer, captured: bool) -> Gesture | None:
        """A blow on the part of a driven character under the pointer; None on anything else."""
        play, rig = self.session.feature(Play), self.rig
        if captured or pointer.button is not Button.LEFT or pointer.modifiers or not play.on or rig is None:
            return None
        names = self.bones_at(pointer.pixel)
        if not names:
            return None
        right, up, ahead = cameras.axes(self.camera)
        return PushBone(play.controls, names[0], right, up, ahead)

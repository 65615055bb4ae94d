"""Which gesture a press in the viewport begins: what lies under the pointer, and in which order it is asked."""

from dataclasses import replace
from typing import Protocol

import numpy as np

from core.errors import AnimError
from core.ik.body import Reach
from core.timing import TIME_EPSILON
from editor.gl import camera as cameras
from editor.gl import gizmo_drag
from editor.gl.axis_widget import VIEWS, bubble_at, inside
from editor.gl.camera import Pixel
from editor.gl.draw_list import AxisWidget, DrawList, GizmoShape
from editor.gl.gizmo import Handle, handle_at
from editor.model.blending.state import Blending
from editor.model.i18n import tr
from editor.model.ik.goals import goal_places
from editor.model.ik.state import IkState
from editor.model.ragdoll.bodies import Bodies
from editor.model.shot.state import Shot
from editor.panels.viewport.handle_drag import GizmoHandleDrag
from editor.panels.viewport.pulling import View, arc_at, path_at, pull_at
from editor.panels.viewport.trails import Dot
from editor.tools.blending.gestures import DragAim
from editor.tools.gesture import Gesture
from editor.tools.ik.pull import PullBone, Pulled, PullGoal
from editor.tools.navigate import Move, Navigate, navigation
from editor.tools.pick import ClickMemory, Pick
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.posing.breakdown import DragBreakdown
from editor.tools.posing.trail import DragTrailDot
from editor.tools.ragdoll.drag import DragBody
from editor.tools.ragdoll.marks import body_frame
from editor.tools.scrub import scrub_from
from editor.tools.shot import MoveItem, PickItem
from editor.tools.state import Pivot, Space, Tool
from editor.tools.transform import TransformBones, movable
from editor.tools.world_pose import Frame, world_pose


class PressView(View, Protocol):
    """What of a viewport's model a press needs, all told."""

    breaking_down: bool
    memory: ClickMemory

    @property
    def pulls(self) -> bool:
        """Whether a drag pulls the bone under the pointer by temporary IK."""

    def hold(self, gizmo: GizmoShape) -> None:
        """Show a gizmo as it is dragged."""

    def draw_list(self) -> DrawList:
        """The frame to draw."""

    def bones_in(self, low: Pixel, high: Pixel) -> tuple[str, ...]:
        """Bones that a box catches."""

    def show_box(self, box: tuple[Pixel, Pixel] | None) -> None:
        """The selection box on the screen."""


def gesture_for(view: PressView, pointer: Pointer, scrubbing: bool) -> Gesture | None:
    """The gesture that a press begins; None where a click was all there was.

    The camera comes first, then what waits for a drag anywhere, then what lies under the pointer: marks, bodies, dots
    of trails, what is selected of the shot, the gizmo; bones last.
    """
    if scrubbing and pointer.button is Button.LEFT:
        rate = view.session.playback.rate
        return scrub_from(view.session.playback, pointer.x, rate.snap, rate.frame)
    move = navigation(pointer)
    if move is not None:
        return Navigate(view.controller, move)
    if pointer.button is not Button.LEFT:
        return None
    bubble = bubble_at(AxisWidget(), view.camera, view.controller.size, pointer.pixel)
    if bubble is not None:
        side = VIEWS[bubble]
        same = cameras.view_name(view.camera) is side
        view.controller.look_from(VIEWS[(bubble + 3) % 6] if same else side)
        return None
    if inside(AxisWidget(), view.controller.size, pointer.pixel):
        return Navigate(view.controller, Move.ORBIT)
    if view.session.feature(Blending).aims:
        return DragAim(view.session.feature(Blending).live)
    if view.breaking_down and view.rig is not None:
        return _breakdown(view)
    if view.session.switches["path_draw"]:
        return arc_at(view)
    if view.pulls:
        pull = pull_at(view, pointer)
        if pull is not None:
            return pull
    return (
        _grab_mark(view, pointer)
        or _grab_body(view, pointer)
        or _grab_dot(view, pointer)
        or _grab_item(view, pointer)
        or _grab(view, pointer)
        or _pick_item(view, pointer)
        or Pick(view, view.session.selection, view.memory)
    )


def _breakdown(view: PressView) -> Gesture | None:
    """A drag between the poses before and after; where there are none, that is said."""
    try:
        return DragBreakdown(view.session)
    except AnimError as error:
        view.session.messages.info(str(error))
        return None


def _grab_mark(view: PressView, pointer: Pointer) -> Gesture | None:
    """An IK goal or pole under the pointer, being dragged; the gizmo's own handles come first."""
    rig = view.rig
    if rig is None or pointer.modifiers:
        return None
    camera, size, start, gizmo = view.camera, view.controller.size, pointer.pixel, view.gizmo()
    if gizmo is not None and handle_at(gizmo, camera, size, start) not in (None, Handle.TRACKBALL):
        return None
    found = view.scene.ik.mark_at(camera, size, start)
    if found is None:
        return None
    mark, what = found
    s = world_pose(rig.skeleton, view.session.evaluator.pose(), view.session.evaluator.world())
    place = mark.pole if what == "pole" and mark.pole is not None else mark.goal
    frame = Frame(Space.WORLD, Pivot.ACTIVE, np.eye(3), place)
    shape = GizmoShape(Tool.MOVE.value, place, np.eye(3))
    grip = GizmoHandleDrag(Tool.MOVE, Handle.CENTRE, shape, camera, size, start, lambda _: None)
    places = goal_places(view.session, mark.setup)
    view.session.feature(IkState).select(mark.setup.name)
    return PullGoal(
        view.session,
        view.tools.setup,
        s,
        Pulled(mark.setup, what, places),
        frame,
        grip,
        view.controller.axes(),
    )


def _grab_body(view: PressView, pointer: Pointer) -> Gesture | None:
    """A handle of the active body under the pointer, being dragged."""
    bodies = view.session.feature(Bodies)
    grip = view.scene.bodies.grip_at(view.camera, view.controller.size, pointer.pixel)
    if grip is None or bodies.active is None or pointer.modifiers:
        return None
    camera, size, start, place = view.camera, view.controller.size, pointer.pixel, grip.place
    return DragBody(
        bodies, bodies.active, grip.handle, body_frame(view.session, bodies.active.bone), grip.aside,
        lambda pixel: gizmo_drag.move_in_view(camera, place, start, pixel, size),
    )  # fmt: skip


def _grab_dot(view: PressView, pointer: Pointer) -> Gesture | None:
    """The dot of a trail under the pointer, being dragged; with Ctrl, or in its mode, the path around it, too."""
    rig = view.rig
    if rig is None or pointer.modifiers not in (Modifiers.NONE, Modifiers.CTRL):
        return None
    camera, size, start = view.camera, view.controller.size, pointer.pixel
    dot = free_dot(view, start)
    if dot is None:
        return None
    if pointer.has(Modifiers.CTRL) != view.session.switches["path_drag"]:
        return path_at(view, dot, start)
    return DragTrailDot(
        view.session, rig, dot.bone, dot.time, dot.place,
        lambda pixel: gizmo_drag.move_in_view(camera, dot.place, start, pixel, size),
    )  # fmt: skip


def free_dot(view: PressView, pixel: Pixel) -> Dot | None:
    """The dot of a trail under a pixel, unless a handle of the gizmo has it.

    A ring is wide and a dot small: the dot wins, but for that of this very frame, in the gizmo's middle.
    """
    rig, gizmo = view.rig, view.gizmo()
    dot = None if rig is None else view.scene.trails.dot_at(rig, view.camera, view.controller.size, pixel)
    if dot is None or gizmo is None:
        return dot
    handle = handle_at(gizmo, view.camera, view.controller.size, pixel)
    here = abs(dot.time - view.session.playback.time) < TIME_EPSILON
    taken = handle not in (None, Handle.TRACKBALL) and (here or gizmo.mode != Tool.ROTATE.value)
    return None if taken else dot


def _grab_item(view: PressView, pointer: Pointer) -> Gesture | None:
    """The handle under the pointer of the gizmo at what is selected of the shot, being dragged."""
    shot, setup, gizmo = view.session.feature(Shot), view.tools.setup, view.gizmo()
    item = shot.selected
    matrix = None if item is None else shot.matrix(item)
    if item is None or matrix is None or gizmo is None or pointer.has(Modifiers.SHIFT):
        return None
    size, start = view.controller.size, pointer.pixel
    handle = handle_at(gizmo, view.camera, size, start)
    if handle is None:
        return None
    grip = GizmoHandleDrag(setup.tool, handle, gizmo, view.camera, size, start, view.hold)
    view.hold(replace(gizmo, hovered=None, active=handle))
    return MoveItem(shot, setup, item, matrix, np.asarray(gizmo.axes, dtype=np.float64), grip)


def _pick_item(view: PressView, pointer: Pointer) -> Gesture | None:
    """Select what of the shot is under the pointer; beside it, what was selected is no longer."""
    shot = view.session.feature(Shot)
    item = None if pointer.modifiers else view.scene.item_at(pointer.pixel)
    if item is not None:
        return PickItem(shot, item.id)
    if shot.selected is not None:
        shot.select(None)
    return None


def _grab(view: PressView, pointer: Pointer) -> Gesture | None:
    """The gizmo's handle under the pointer, being dragged."""
    rig, setup, gizmo = view.rig, view.tools.setup, view.gizmo()
    if rig is None or gizmo is None or pointer.has(Modifiers.SHIFT):
        return None
    handle = handle_at(gizmo, view.camera, view.controller.size, pointer.pixel)
    if handle is None:
        return None
    if handle is Handle.TRACKBALL and view.scene.drawn_at(rig, view.draw_list(), pointer.pixel):
        return None  # a bone inside the rings can still be picked
    bones, locked = movable(view.session, rig.skeleton)
    frame = view.scene.frame(rig, setup)
    if locked:
        some = ", ".join(locked[:3]) + (" …" if len(locked) > 3 else "")
        view.session.messages.warn(tr("Locked: {bones}", bones=some), tr("Unlock in the bone tree to pose"))
    if locked and not bones:
        return Gesture()  # a drag at a handle draws no box
    if not bones or frame is None:
        return None
    s = world_pose(rig.skeleton, view.session.evaluator.pose(), view.session.evaluator.world())
    grip = GizmoHandleDrag(
        setup.tool, handle, gizmo, view.camera, view.controller.size, pointer.pixel, view.hold
    )
    view.hold(replace(gizmo, hovered=None, active=handle))
    reach = view.session.feature(IkState).reach_of(rig.skeleton.names[bones[-1]])
    if setup.tool is Tool.MOVE and len(bones) == 1 and reach is not Reach.BONE:
        return PullBone(view.session, setup, s, bones[0], frame, grip, view.controller.axes(), reach)
    return TransformBones(view.session, setup, s, bones, frame, grip, view.controller.axes())

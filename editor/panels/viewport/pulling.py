"""Bones and trails that are taken where they are seen, without a handle: temporary IK, and a path with a falloff."""

from dataclasses import replace
from typing import Protocol

import numpy as np

from core.ik.hands import end_above, hips_above
from core.rig.rig import Rig
from editor.gl import camera as cameras
from editor.gl import gizmo_drag
from editor.gl.camera import Camera, Pixel
from editor.gl.camera_controller import ViewCameraController
from editor.gl.draw_list import GizmoShape
from editor.gl.gizmo import Handle, handle_at
from editor.model.i18n import tr
from editor.model.ik.state import IkState
from editor.model.session import Session
from editor.panels.viewport.front import bones_in_front
from editor.panels.viewport.handle_drag import GizmoHandleDrag
from editor.panels.viewport.scene_composer import SceneComposer
from editor.panels.viewport.trails import Dot
from editor.tools.gesture import Gesture
from editor.tools.ik.pull import PullAnywhere
from editor.tools.pivots import picked_at
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.posing.draw_arc import DrawArc
from editor.tools.posing.path import DragPath
from editor.tools.state import Pivot, Space, Tool, ToolState
from editor.tools.world_pose import Frame, world_pose

CLEARLY = 100.0
"""Logical pixels from the head of a hand or foot from which on its fingers and toes are taken by themselves."""


class View(Protocol):
    """What of a viewport's model a press needs."""

    session: Session
    tools: ToolState
    controller: ViewCameraController
    scene: SceneComposer
    pulling: bool

    @property
    def rig(self) -> Rig | None: ...

    @property
    def camera(self) -> Camera: ...

    def gizmo(self) -> GizmoShape | None:
        """The handles shown."""

    def bones_at(self, pixel: Pixel) -> tuple[str, ...]:
        """Bones under a pixel."""


def pulled_at(view: View, pixel: Pixel) -> str | None:
    """The bone that a pull from a pixel takes; None where there is none.

    It is the bone in front: where the skin is seen under the pointer, bones of the limb behind it are not taken. A
    hand or foot comes before its fingers and toes, unless one of these is selected, or is so large in the view that
    the pointer is clearly on it. The lowest bone of the spine and the thighs take the hips above them.
    """
    session, rig, scene = view.session, view.rig, view.scene
    names = () if rig is None else bones_in_front(scene, rig, pixel)
    if rig is None or not names:
        return None
    roles = session.feature(IkState).roles()
    chosen = next((name for name in names if name in session.selection.bones), None)
    if chosen is not None and end_above(rig, roles, chosen) is not None:
        return chosen
    hips = hips_above(rig, roles, names[0])
    if hips is not None and session.selection.pickable(hips):
        return hips
    end = end_above(rig, roles, names[0])
    if end is None or not session.selection.pickable(end):
        return names[0]
    head = world_pose(rig.skeleton, session.evaluator.pose(), session.evaluator.world()).matrices[
        rig.skeleton.index(end), :3, 3
    ]
    at, _ = cameras.project(view.camera, np.array(head), view.controller.size)
    away = float(np.hypot(at[0] - pixel[0], at[1] - pixel[1]))
    return names[0] if away >= CLEARLY else end


def pull_at(view: View, pointer: Pointer) -> Gesture | None:
    """Temporary IK: the bone under the pointer, dragged in the plane of the view.

    Where it is a mode, the gizmo's handles come first. None where there is no bone, or it is locked, which is said.
    """
    session, rig, gizmo = view.session, view.rig, view.gizmo()
    camera, size, start = view.camera, view.controller.size, pointer.pixel
    taken = gizmo is not None and handle_at(gizmo, camera, size, start) not in (None, Handle.TRACKBALL)
    if rig is None or (taken and not view.pulling):
        return None
    name = pulled_at(view, start)
    if name is None:
        return None
    state = session.feature(IkState)
    reach = state.drag_reach(pointer.has(Modifiers.CTRL), pointer.has(Modifiers.SHIFT))
    locked = session.selection.locked & set(state.reached(name, reach))
    if locked:
        some = ", ".join(sorted(locked)[:3])
        session.messages.warn(tr("Locked: {bones}", bones=some), tr("Unlock in the bone tree to pose"))
        return None
    s = world_pose(rig.skeleton, session.evaluator.pose(), session.evaluator.world())
    bone = rig.skeleton.index(name)
    place = np.array(s.matrices[bone, :3, 3])
    shape = GizmoShape(Tool.MOVE.value, place, np.eye(3))
    grip = GizmoHandleDrag(Tool.MOVE, Handle.CENTRE, shape, camera, size, start, lambda _: None)
    frame = Frame(Space.WORLD, Pivot.ACTIVE, np.eye(3), place)
    return PullAnywhere(session, view.tools.setup, s, bone, frame, grip, view.controller.axes(), reach)


def pick_pivot(view: View, pixel: Pixel) -> bool:
    """Make the place of a bone under a pixel the point that stands still; whether there is one."""
    session, rig = view.session, view.rig
    names = () if rig is None else view.bones_at(pixel)
    if rig is None or not names:
        session.messages.info(tr("Point at a bone: the pivot is set where the pointer is"))
        return False
    s = world_pose(rig.skeleton, session.evaluator.pose(), session.evaluator.world())
    bone = rig.skeleton.index(names[0])
    head, size = np.array(s.matrices[bone, :3, 3]), view.controller.size
    at, _ = cameras.project(view.camera, head, size)
    place = head + gizmo_drag.move_in_view(view.camera, head, (float(at[0]), float(at[1])), pixel, size)
    view.tools.set(replace(view.tools.setup, pivot=Pivot.POINT, picked=picked_at(s, bone, place)))
    session.messages.info(tr("Pivot picked on {bone}", bone=names[0]))
    return True


def arc_at(view: View) -> Gesture | None:
    """An arc being drawn for the path of the bone selected last; None, said why, where there is none."""
    session, rig, trails = view.session, view.rig, view.scene.trails
    found = None if rig is None else trails.path(rig)
    if found is None:
        session.switches.set("path_draw", False)
        session.messages.info(tr("Select a bone first: its path is laid onto the arc that you draw"))
        return None
    bone, times, places = found
    camera, size = view.camera, view.controller.size
    pixels, _ = cameras.project(camera, places, size)
    middle = places[len(places) // 2]
    at = float(pixels[len(places) // 2, 0]), float(pixels[len(places) // 2, 1])

    def show(stroke: list[Pixel]) -> None:
        points = [middle + gizmo_drag.move_in_view(camera, middle, at, pixel, size) for pixel in stroke]
        trails.stroke = np.array(points) if stroke else None
        view.scene.forget()

    return DrawArc(
        session, bone, times, np.asarray(pixels, dtype=np.float64), places,
        lambda place, start, end: gizmo_drag.move_in_view(camera, place, start, end, size), show,
    )  # fmt: skip


def path_at(view: View, dot: Dot, start: Pixel) -> Gesture:
    """The path of a bone, dragged at one of its dots; its neighbours follow."""
    camera, size, trails = view.camera, view.controller.size, view.scene.trails

    def show(window: tuple[float, float] | None) -> None:
        trails.window = window

    return DragPath(
        view.session, dot.bone, dot.time,
        lambda pixel: gizmo_drag.move_in_view(camera, dot.place, start, pixel, size), show,
    )  # fmt: skip

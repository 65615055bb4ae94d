"""What the viewport shows of the session, as a draw list, and what of it lies under a pixel. Free of Qt."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.pose.pose import Pose
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.rig.skeleton import main_bones
from editor.gl import camera as cameras
from editor.gl.bone_handles import caught_handles, near_bones
from editor.gl.camera import Pixel
from editor.gl.camera_controller import ViewCameraController
from editor.gl.character_drawables import BEHIND, NEARLY, CharacterDrawables, bone_caster, bone_states, heat
from editor.gl.colors import DARK, Color, ViewportColors, with_alpha
from editor.gl.cpu_skin import skin_positions
from editor.gl.draw_list import (
    AxisWidget,
    BoneShapes,
    DrawList,
    Ghost,
    GizmoShape,
    Grid,
    Layer,
    Lines,
    PictureShape,
    Shading,
    Shape,
)
from editor.gl.gizmo import Handle
from editor.gl.limbs import by_limb
from editor.gl.mesh_picking import pick_mesh
from editor.gl.picking import bones_in_box, pick_bones
from editor.gl.shade_baker import ShadeBaker
from editor.gl.shot_drawables import Dress
from editor.gl.textures import Textures
from editor.model.bone_sets import BoneSets
from editor.model.compile_state import Compiling
from editor.model.media.state import Media
from editor.model.posing.live_clip import LiveClip
from editor.model.ragdoll.bodies import Bodies
from editor.model.session import Session
from editor.model.shot.state import Item, Shot
from editor.panels.viewport.body_marks import BodyMarks
from editor.panels.viewport.ghosts import Ghosts
from editor.panels.viewport.ik_marks import IkMarks
from editor.panels.viewport.options import ViewOptions
from editor.panels.viewport.play_marks import PlayMarks
from editor.panels.viewport.reference_pictures import picture_shapes
from editor.panels.viewport.retarget_marks import RetargetMarks
from editor.panels.viewport.run_marks import RunMarks
from editor.panels.viewport.shot_marks import ShotMarks, Shown
from editor.panels.viewport.trails import Trails
from editor.panels.viewport.transition_ghosts import TransitionGhosts
from editor.tools.pivots import anchored
from editor.tools.shot import can_scale, item_axes
from editor.tools.state import Setup, Tool, ToolState
from editor.tools.transform import movable
from editor.tools.world_pose import Frame, frame_of, pivot_of, world_pose

AXIS_PIXELS = 26.0
GIZMO_PIXELS, GIZMO_SHARE, LEAST_GIZMO = 92.0, 0.35, 40.0
"""Length of a handle, and how much of the view's height its ring may take; pixels below which it cannot be used."""


class SceneComposer:
    """Composes the frame from session, tools and camera; keeps it until told to forget.

    Attributes
    ----------
    handle, bubble : what the pointer is over, of the gizmo and of the axis widget
    held_gizmo : the gizmo as a drag shows it, or None
    pointer : pixel under the pointer, or None while it is elsewhere
    pending_tint, axis_colors, heat, clay : colours of the theme
    set_tints : colours of bone sets by their names
    textures : what decodes the images of the character shown
    shades : what bakes how open its vertices are
    """

    def __init__(self, session: Session, tools: ToolState, controller: ViewCameraController) -> None:
        self.session, self.tools, self.controller = session, tools, controller
        self.options = ViewOptions.read(session.switches, session.preferences)
        self.textures = Textures(session)
        self.shades = ShadeBaker(session)
        self.character = CharacterDrawables(self.textures.library, self.shades.library)
        self.clay: Color = DARK.body
        self.pending_tint: Color = with_alpha(DARK.text, 0.3)
        self.axis_colors: tuple[Color, ...] = (DARK.axis_x, DARK.axis_y, DARK.axis_z)
        self.handle: Handle | None = None
        self.bubble: int | None = None
        self.held_gizmo: GizmoShape | None = None
        self.pointer: Pixel | None = None
        self.heat: tuple[Color, ...] = (DARK.bone, DARK.bone_hover, DARK.bone_selected)
        self.set_tints: Mapping[str, Color] = {}
        live = LiveClip(session)
        self.ghosts, self.trails = Ghosts(session, live), Trails(session, live)
        self.ik = IkMarks(session, controller)
        self.retarget = RetargetMarks(session, self.ik)
        self.bodies = BodyMarks(session, controller)
        self.run = RunMarks(session)
        self.transition = TransitionGhosts(session)
        self.play = PlayMarks(session)
        self.shot = ShotMarks(session, self.character)
        self.beside: tuple[Shown, ...] = ()
        self._own = 0
        self._made: DrawList | None = None

    def use_colors(self, colors: ViewportColors) -> None:
        """Take the colours of what is shown besides the character: axes, ghosts, trails."""
        self.axis_colors = (colors.axis_x, colors.axis_y, colors.axis_z)
        self.clay = colors.body
        self.ghosts.tints = self.trails.tints = (colors.ghost_before, colors.ghost_after)
        self.trails.marks = (colors.bone_selected, colors.text, colors.bone_outline)
        self.trails.ramp = (colors.path_low, colors.text, colors.path_high)
        self.run.color = with_alpha(colors.text, 0.35)
        self.run.tint = with_alpha(colors.ghost_before, 0.45)
        self.play.use_colors(colors)
        self.bodies.use_colors(colors)
        self.transition.use_colors(colors)
        self.shot.use_colors(colors)
        self.forget()

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
        evaluator, drawn = self.session.evaluator, self.session.display.drawn
        found = None if drawn is None else drawn.matrices()
        placed: FloatArray = np.asarray(evaluator.world()) @ np.asarray(
            evaluator.matrices() if found is None else found
        )
        return placed

    def _drawn_pose(self) -> Pose:
        drawn = self.session.display.drawn
        found = None if drawn is None else drawn.pose()
        return self.session.evaluator.pose() if found is None else found

    # -------------------------------------------------- the picture
    def draw_list(self) -> DrawList:
        """The frame to draw; made again only after something changed."""
        if self._made is None:
            self._made = self._compose()
        return self._made

    def forget(self) -> None:
        """Something changed: compose again when next asked."""
        self._made = None

    def _compose(self) -> DrawList:
        options, rig = self.options, self.rig
        floor = self.play.floor()
        self.character.ghosts_behind = BEHIND if floor is None else NEARLY
        grid = Grid() if options.grid and floor is None else None
        widget = AxisWidget(self.bubble)
        if rig is None:
            self.character.forget(())
            return self._alone(grid, widget)
        meshes, matrices = self.meshes(), self.matrices()
        self.character.forget(mesh.id for mesh in meshes)
        if options.mesh and not options.clay:
            self.textures.want((*meshes, *self.shot.meshes()))
        shading = options.shading
        if options.mesh and shading is Shading.LIT:
            self.shades.want((*meshes, *self.shot.meshes()))
        shown = self.character.meshes(
            meshes if options.mesh else (),
            rig,
            matrices,
            self._drawn_pose(),
            shading,
            options.shadow,
            self.clay if options.clay else None,
        )
        over = self.session.selection.hover
        glowing = rig.skeleton.find(over) if over is not None and floor is None else None
        if glowing is not None and shown:
            shown = self.character.lit_up(shown, meshes, rig, glowing)
        self._own = len(shown)
        self.beside = self.shot.shown(Dress(shading, options.shadow, self.clay if options.clay else None))
        beside = [mesh for one in self.beside for mesh in one.meshes]
        hidden = floor is not None and shown
        bones = None if hidden else self._bones(rig, matrices, not shown, floor is not None)
        casters = (bone_caster(bones),) if bones is not None and bones.solid and options.shadow else ()
        return DrawList(
            grid, (*shown, *beside), (*self.ghosts.made(self.character, meshes, rig), *self._pending_ghost(rig, meshes),
             *(ghost for one in self.beside for ghost in one.ghosts),
             *self.run.ghosts(self.character, meshes, rig), *self.transition.ghosts(self.character, meshes, rig)),
            options.shadow, bones,
            (
                *self.ghosts.sticks(self.character, meshes, rig), *self.trails.shapes(rig),
                *self._axes(rig, matrices), *self.ik.shapes(rig), *self.bodies.shapes(),
                *self.retarget.shapes(rig, options.bones),
                *self.shot.shapes(),
                *self.run.shapes(), *self.play.shapes(), *self.transition.sticks(self.character, meshes, rig),
            ),
            self.gizmo(), widget, floor, casters, self._pictures(),
        )  # fmt: skip

    def _pictures(self) -> tuple[PictureShape, ...]:
        """The reference footage of the clip, unless something else than the clip is shown."""
        if self.session.display.source is not None:
            return ()
        return picture_shapes(self.session.feature(Media).pictures.shown(), self.controller.size)

    def _alone(self, grid: Grid | None, widget: AxisWidget) -> DrawList:
        """The shot without a character."""
        self._own, options = 0, self.options
        if options.mesh and not options.clay:
            self.textures.want(self.shot.meshes())
        self.beside = self.shot.shown(
            Dress(options.shading, options.shadow, self.clay if options.clay else None)
        )
        beside = tuple(mesh for one in self.beside for mesh in one.meshes)
        ghosts = tuple(ghost for one in self.beside for ghost in one.ghosts)
        return DrawList(
            grid, beside, ghosts, options.shadow, shapes=self.shot.shapes(), gizmo=self.gizmo(), axis_widget=widget,
            pictures=self._pictures(),
        )  # fmt: skip

    def item_at(self, pixel: Pixel) -> Item | None:
        """What of the shot lies under a pixel, with nothing of the character before it."""
        camera, size, drawn = self.controller.camera, self.controller.size, self.draw_list()
        found = self.shot.at(camera, size, pixel, self.beside)
        if found is None or self.rig is None or found[1] == 0.0:
            return None if found is None else found[0]
        if self.drawn_at(self.rig, drawn, pixel):
            return None
        own = pick_mesh(drawn.meshes[: self._own], camera, size, pixel) if self._own else None
        return None if own is not None and own.distance < found[1] else found[0]

    def _bones(self, rig: Rig, matrices: FloatArray, solid: bool, always: bool = False) -> BoneShapes | None:
        """The bones; `always` also where they are switched off, as all that there is to see."""
        if not self.options.bones and not always:
            return None
        states = bone_states(rig.skeleton, self.session.selection, self.session.selection.hover)
        shapes = self.character.bones(rig.skeleton, matrices, states, self.options.style, solid)
        shares = self.session.feature(Compiling).compare.shares()
        if shares is not None:
            shapes = replace(shapes, colors=heat(shares, self.heat))
        elif self.session.switches["set_colors"]:
            shapes = replace(shapes, colors=self._set_colors(rig))
        near = near_bones(shapes, self.controller.camera, self.controller.size, self.pointer)
        return replace(shapes, near=near) if near.any() else shapes

    def _set_colors(self, rig: Rig) -> Float32Array:
        """Colours ``(B, 4)`` of the bones that are in a set; without opacity for the others."""
        of = self.session.feature(BoneSets).bone_colors()
        none = (0.0, 0.0, 0.0, 0.0)
        rows = [self.set_tints.get(of[name], none) if name in of else none for name in rig.skeleton.names]
        return np.array(rows, np.float32).reshape(-1, 4)

    def point_at(self, pixel: Pixel | None) -> bool:
        """The pointer is at a pixel, or in no view; whether other bones than before are near it."""
        before = self.draw_list().bones
        self.pointer = pixel
        if before is None or before.solid:
            return False
        near = near_bones(before, self.controller.camera, self.controller.size, pixel)
        return not np.array_equal(near, before.near) if before.near is not None else bool(near.any())

    def body_at(self, pixel: Pixel) -> str | None:
        """The bone that moves the skin under a pixel: for the glow under the pointer."""
        rig, skin = self.rig, self.skin_at(pixel)
        if rig is None or skin is None:
            return None
        name = rig.skeleton.names[skin[0]]
        return name if self.session.selection.pickable(name) else None

    def skin_at(self, pixel: Pixel) -> tuple[int, FloatArray] | None:
        """The bone that moves the skin under a pixel, and the place there ``(3,)``, told by the light meshes."""
        rig, drawn = self.rig, self.draw_list()
        if rig is None or not self._own:
            return None
        light = [
            instance if instance.coarse is None or instance.skinned_positions is not None
            else replace(
                instance, geometry=instance.coarse, morph_weights=None, occlusion=None, region=None
            )
            for instance in drawn.meshes[: self._own]
        ]  # fmt: skip
        hit = pick_mesh(light, self.controller.camera, self.controller.size, pixel)
        if hit is None:
            return None
        bone = self.character.bone_of(self.meshes()[hit.instance], rig, hit.bone)
        return int(self.character.limbs(rig.skeleton)[bone]), hit.point

    def _axes(self, rig: Rig, matrices: FloatArray) -> tuple[Shape, ...]:
        """The selected bones' own axes, all bones' where none is selected."""
        if not self.options.axes:
            return ()
        chosen = [rig.skeleton.index(name) for name in self.session.selection.bones]
        bones = np.array(chosen or range(len(rig.skeleton)), dtype=np.int64)
        heads = matrices[bones, :3, 3]
        turns = matrices[bones, :3, :3]
        turns = turns / np.maximum(np.linalg.norm(turns, axis=1, keepdims=True), 1e-12)
        length = AXIS_PIXELS * cameras.metres_per_pixel(self.controller.camera, heads, self.controller.size)
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
        world = world_pose(rig.skeleton, sampled, self.session.evaluator.world()).matrices
        return self.character.ghosts(meshes, rig, world, self.pending_tint)

    def gizmo(self) -> GizmoShape | None:
        """The handles at the selection, or those being dragged."""
        if self.held_gizmo is not None:
            return self.held_gizmo
        setup, rig = self.tools.setup, self.rig
        busy = self.session.playback.playing or self.session.display.source is not None
        if setup.tool is Tool.SELECT or busy:
            return None
        item = self._item_gizmo(setup)
        if item is not None or rig is None:
            return item
        if self.session.feature(Bodies).editing:  # the handles of the body stand where the gizmo would
            return None
        placed = self.frame(rig, setup)
        if placed is None:
            return None
        # The largest ring has the length of a handle for its radius.
        size = min(GIZMO_PIXELS, GIZMO_SHARE * self.controller.size[1] / 2.0)
        return GizmoShape(
            setup.tool.value, placed.point, placed.axes, self.handle, size=max(size, LEAST_GIZMO)
        )

    def _item_gizmo(self, setup: Setup) -> GizmoShape | None:
        """The handles at what is selected of the shot; the camera that is looked through has none."""
        shot = self.session.feature(Shot)
        item = shot.selected
        matrix = None if item is None or not self.shot.on else shot.matrix(item)
        if item is None or matrix is None or (shot.through and item is shot.camera):
            return None
        if setup.tool is Tool.SCALE and not can_scale(item):
            return None
        size = max(min(GIZMO_PIXELS, GIZMO_SHARE * self.controller.size[1] / 2.0), LEAST_GIZMO)
        axes = item_axes(setup, matrix, self.controller.axes())
        return GizmoShape(setup.tool.value, matrix[:3, 3], axes, self.handle, size=size)

    def frame(self, rig: Rig, setup: Setup) -> Frame | None:
        bones, _ = movable(self.session, rig.skeleton)
        active = rig.skeleton.find(self.session.selection.active or "")
        if active is None:
            return None
        s = world_pose(rig.skeleton, self.session.evaluator.pose(), self.session.evaluator.world())
        axes = frame_of(s, active, setup.space, self.controller.axes())
        point = pivot_of(s, bones or (active,), active, setup.pivot)
        frame = Frame(setup.space, setup.pivot, axes, point)
        return anchored(self.session, frame, s, setup, rig.skeleton.names[active])

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
                if selection.hover and not self.play.on and rig.skeleton.find(selection.hover) is not None
                else []
            )
        if not wanted:
            return ()
        numbers = [rig.skeleton.index(name) for name in dict.fromkeys(wanted)]
        matrices = self.matrices()
        pixels, depth = cameras.project(
            self.controller.camera, matrices[numbers, :3, 3], self.controller.size
        )
        rows = zip(dict.fromkeys(wanted), pixels, depth, strict=True)
        near = self.controller.camera.orthographic
        return tuple((name, float(p[0]), float(p[1])) for name, p, deep in rows if near or deep > 0.0)

    def labels(self) -> tuple[tuple[str, float, float, bool], ...]:
        """What is written beside the marks of a retarget: words, pixel, and whether they stand out."""
        words = self.retarget.labels(self.rig) if self.rig is not None else ()
        if not words:
            return ()
        pixels, depth = cameras.project(
            self.controller.camera, np.array([w[1] for w in words]), self.controller.size
        )
        rows = zip(words, pixels, depth, strict=True)
        near = self.controller.camera.orthographic
        return tuple(
            (text, float(p[0]), float(p[1]), bright)
            for (text, _, bright), p, deep in rows
            if near or deep > 0.0
        )

    def bones_at(self, pixel: Pixel) -> tuple[str, ...]:
        """Bones under a pixel: those drawn there, then the one that moves the skin there.

        A limb comes before the twist bones in it.
        """
        rig = self.rig
        if rig is None:
            return ()
        drawn = self.draw_list()
        names = list(self.drawn_at(rig, drawn, pixel))
        hit = (
            pick_mesh(drawn.meshes[: self._own], self.controller.camera, self.controller.size, pixel)
            if self._own
            else None
        )
        if hit is not None:
            bone = self.character.bone_of(self.meshes()[hit.instance], rig, hit.bone)
            for name in (
                rig.skeleton.names[self.character.limbs(rig.skeleton)[bone]],
                rig.skeleton.names[bone],
            ):
                if name not in names and self.session.selection.pickable(name):
                    names.append(name)
        return tuple(names)

    def drawn_at(self, rig: Rig, drawn: DrawList, pixel: Pixel) -> tuple[str, ...]:
        if drawn.bones is None:
            return ()
        hits = pick_bones(drawn.bones, self.controller.camera, self.controller.size, pixel)
        handles = caught_handles(drawn.bones, self.controller.camera, self.controller.size, pixel)
        order = dict.fromkeys((*handles, *(hit.bone for hit in hits)))
        found = by_limb(list(order), self.character.limbs(rig.skeleton))
        names = (rig.skeleton.names[bone] for bone in found)
        return tuple(name for name in names if self.session.selection.pickable(name))

    def bones_in(self, low: Pixel, high: Pixel) -> tuple[str, ...]:
        """Bones that a box catches."""
        rig = self.rig
        if rig is None:
            return ()
        states = bone_states(rig.skeleton, self.session.selection, None)
        shapes = self.character.bones(rig.skeleton, self.matrices(), states, self.options.style)
        found = bones_in_box(shapes, self.controller.camera, self.controller.size, low, high)
        names = (rig.skeleton.names[bone] for bone in found)
        return tuple(name for name in names if self.session.selection.pickable(name))

    # -------------------------------------------------- where to look
    def selected_points(self) -> FloatArray:
        """Both ends ``(N, 3)`` of the selected bones."""
        rig = self.rig
        if rig is None or not self.session.selection.bones:
            return np.zeros((0, 3))
        matrices = self.matrices()
        bones = [rig.skeleton.index(name) for name in self.session.selection.bones]
        tips = self.character.tips(rig.skeleton)
        tails = matrices[:, :3, 3] + np.einsum("bij,bj->bi", matrices[:, :3, :3], tips)
        return np.concatenate([matrices[bones, :3, 3], tails[bones]])

    def all_points(self) -> FloatArray:
        """Every vertex drawn and every bone of the character ``(N, 3)``: no camera or light of the file."""
        if self.rig is None:
            return np.zeros((0, 3))
        skinned = [skin_positions(mesh) for mesh in self.draw_list().meshes]
        return np.concatenate([self.matrices()[main_bones(self.rig.skeleton), :3, 3], *skinned])

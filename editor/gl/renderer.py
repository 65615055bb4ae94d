"""The renderer: owns every OpenGL object and turns draw lists into pictures."""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from core.arrays import ByteArray
from editor.gl.api import GL
from editor.gl.axis_widget import widget_shapes
from editor.gl.camera import Camera, Size, eye, projection_matrix, view_matrix
from editor.gl.colors import DARK, ViewportColors
from editor.gl.draw_list import DrawList, Layer, Shape
from editor.gl.driver import draws_in_software
from editor.gl.frame_view import FrameStats, FrameView
from editor.gl.gizmo_shapes import gizmo_shapes
from editor.gl.mesh_store import MeshStore, PreparedMesh
from editor.gl.passes.background import BackgroundPass
from editor.gl.passes.bones import BonesPass
from editor.gl.passes.floor import FloorPass
from editor.gl.passes.ghosts import GhostPass
from editor.gl.passes.grid import GridPass
from editor.gl.passes.mesh import MeshPass
from editor.gl.passes.pictures import PicturePass, covers
from editor.gl.passes.shadow import ShadowPass
from editor.gl.passes.shapes import ShapePass
from editor.gl.screen_bounds import screen_area
from editor.gl.targets import Target
from editor.gl.texture_store import TextureStore

logger = logging.getLogger(__name__)

_SAMPLES = 4
_LEAST_ROWS = 8192
"""Rows of a texture buffer: four for each of 2,000 bones; OpenGL 3.3 promises 65,536."""


@dataclass(frozen=True, slots=True)
class Driver:
    """What draws: names as the driver gives them, and whether it is a processor's work."""

    vendor: str
    renderer: str
    version: str
    software: bool
    max_samples: int
    max_texture_rows: int = 65536


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What the kept picture shows."""

    draw_list: DrawList
    camera: Camera
    size: Size
    pixels: tuple[int, int]
    colors: ViewportColors


def read_driver() -> Driver:
    """Ask the current context who it is."""
    names = [(GL.glGetString(name) or b"").decode("utf-8", "replace")
             for name in (GL.GL_VENDOR, GL.GL_RENDERER, GL.GL_VERSION)]  # fmt: skip
    software = draws_in_software(names[1])
    rows = int(GL.glGetIntegerv(GL.GL_MAX_TEXTURE_BUFFER_SIZE))
    return Driver(names[0], names[1], names[2], software, int(GL.glGetIntegerv(GL.GL_MAX_SAMPLES)), rows)


class Renderer:
    """Draws frames into a framebuffer of its own and copies them to the one it is given.

    All methods need the context current that `initialise` was called in. After the context is
    lost, call `release` (old context current) and `initialise` again.

    Parameters
    ----------
    samples : multisampling; None is 4 on a graphics card and none in software, where it would
        halve the frame rate
    cpu_skinning : skin on the processor, for drivers whose texture buffers misbehave; it is switched on by
        itself where they are too small, or where the environment says ``POSEWRIGHT_SKINNING=cpu``
    """

    def __init__(self, samples: int | None = None, cpu_skinning: bool = False) -> None:
        self.cpu_skinning = cpu_skinning or os.environ.get("POSEWRIGHT_SKINNING", "").lower() == "cpu"
        self.timing = False
        self.stats = FrameStats()
        self.driver: Driver | None = None
        self._wanted_samples = samples
        self._samples = self._fine_samples = 0
        self._passes: _Passes | None = None
        self._target: Target | None = None
        self._resolved: Target | None = None
        self._drawn: _Drawn | None = None

    @property
    def refines(self) -> bool:
        """Whether a fine picture is better than an ordinary one here."""
        return self._fine_samples > self._samples

    @property
    def ready(self) -> bool:
        """Whether `initialise` was called and `release` was not."""
        return self._passes is not None

    def forget_picture(self) -> None:
        """Draw the next picture, though nothing may have changed."""
        self._drawn = None

    def initialise(self) -> None:
        """Compile shaders and learn about the driver; a second call does nothing."""
        if self._passes is not None:
            return
        driver = self.driver = read_driver()
        wanted = (
            self._wanted_samples if self._wanted_samples is not None else (0 if driver.software else _SAMPLES)
        )
        self._samples = min(wanted, driver.max_samples)
        if driver.max_texture_rows < _LEAST_ROWS and not self.cpu_skinning:
            self.cpu_skinning = True
            logger.warning(
                "texture buffers hold %d rows, %d are needed: skinning on the processor",
                driver.max_texture_rows, _LEAST_ROWS,
            )  # fmt: skip
        self._fine_samples = min(max(_SAMPLES, wanted), driver.max_samples)
        self._passes = _Passes(driver.software)
        logger.info("OpenGL %s on %s; %d samples", driver.version, driver.renderer, self._samples)

    def resize(self, size: Size, device_pixel_ratio: float = 1.0) -> tuple[int, int]:
        """Make the framebuffers fit; returns their size in framebuffer pixels."""
        pixels = (max(1, round(size[0] * device_pixel_ratio)), max(1, round(size[1] * device_pixel_ratio)))
        if self._target is None or self._target.size != pixels:
            self._make_target(pixels, self._samples)
        return pixels

    def _make_target(self, pixels: tuple[int, int], samples: int) -> Target:
        self._release_targets()
        self._target = Target(pixels, samples)
        return self._target

    def draw(
        self,
        draw_list: DrawList,
        camera: Camera,
        size: Size,
        device_pixel_ratio: float = 1.0,
        framebuffer: int | None = 0,
        colors: ViewportColors = DARK,
        fine: bool = False,
    ) -> bool:
        """Bring the picture to `framebuffer`.

        Parameters
        ----------
        draw_list, camera, colors : what to draw, from where, in which colours
        size : logical pixels
        device_pixel_ratio : framebuffer pixels per logical pixel
        framebuffer : OpenGL name of the target, of at least `size` times ratio pixels; None keeps the
            picture here
        fine : multisample though it is slow: for a picture that stands still. A fine picture is kept
            as long as what it shows is asked for

        Returns
        -------
        bool : False when the picture kept from the last call still was right and only copied
        """
        if self._passes is None:
            raise RuntimeError("renderer: draw() came before initialise()")
        pixels = self.resize(size, device_pixel_ratio)
        wanted = _Drawn(draw_list, camera, size, pixels, colors)
        samples = self._fine_samples if fine else self._samples
        target = self._target
        assert target is not None
        fresh = wanted != self._drawn or target.samples < samples
        if fresh:
            if target.samples != samples:
                target = self._make_target(pixels, samples)
            self._draw_frame(self._passes, target, wanted, device_pixel_ratio)
            self._drawn = wanted
        if framebuffer is None:
            return fresh
        GL.glDisable(GL.GL_SCISSOR_TEST)
        target.copy_to(framebuffer, GL.GL_COLOR_BUFFER_BIT)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        return fresh

    def read(self) -> ByteArray | None:
        """The picture drawn last ``(H, W, 4)``, lowest row first; None without one."""
        source = self._target
        if source is None or self._drawn is None:
            return None
        if source.samples:
            if self._resolved is None:
                self._resolved = Target(source.size, depth=False)
            source.copy_to(self._resolved.handle, GL.GL_COLOR_BUFFER_BIT)
            source = self._resolved
        width, height = source.size
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, source.handle)
        GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 4)
        data = GL.glReadPixels(0, 0, width, height, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
        return np.frombuffer(data, np.uint8).reshape(height, width, 4)

    def _draw_frame(self, passes: "_Passes", target: Target, wanted: _Drawn, ratio: float) -> None:
        camera, size, draw_list = wanted.camera, wanted.size, wanted.draw_list
        view_part, projection = view_matrix(camera), projection_matrix(camera, size)
        self.stats = FrameStats()
        view = FrameView(
            camera, (max(size[0], 1.0), max(size[1], 1.0)), wanted.pixels, ratio,
            view_part, projection, projection @ view_part, eye(camera), self.stats,
        )  # fmt: skip
        colors = wanted.colors
        passes.store.begin_frame()
        passes.textures.begin_frame()
        with self._timed("prepare"):
            meshes = [
                (instance, passes.store.prepare(instance, self.cpu_skinning)) for instance in draw_list.meshes
            ]
            solid = [(instance, mesh) for instance, mesh in meshes if mesh is not None]
        shadowed = draw_list.shadow_height is not None
        passes.shadow.forget()
        if shadowed:
            with self._timed("shadow map"):
                passes.shadow.prepare(draw_list, passes.store, self.cpu_skinning, view)
        target.bind()
        _reset_state()
        if not any(covers(shape, view.size) for shape in draw_list.pictures):
            with self._timed("background"):
                passes.background.draw(colors, target)
        if draw_list.pictures:
            with self._timed("pictures"):
                passes.pictures.draw(draw_list.pictures, True, view, target, colors, passes.background)
        if draw_list.floor is not None:
            with self._timed("floor"):
                passes.floor.draw(draw_list.floor, view, colors, passes.shadow)
        with self._timed("mesh"):
            passes.mesh.begin(view, colors)
            for instance, mesh in solid:
                passes.mesh.draw(mesh, instance, view)
        if draw_list.grid is not None:
            if shadowed and draw_list.floor is None:
                with self._timed("shadow"):
                    passes.shadow.draw(draw_list.grid, view, colors)
            with self._timed("grid"):
                passes.grid.draw(draw_list.grid, view, colors, target)
        with self._timed("mesh"):
            for instance, mesh in solid:
                passes.mesh.draw_blended(mesh, instance, view)
                passes.mesh.draw_glow(mesh, instance, view, colors.body_hover)
        if draw_list.ghosts:
            with self._timed("ghosts"):
                self._draw_ghosts(passes, target, draw_list, view, colors)
        if draw_list.bones is not None:
            with self._timed("bones"):
                passes.bones.draw(draw_list.bones, view, colors)
        if draw_list.pictures:
            with self._timed("pictures"):
                passes.pictures.draw(draw_list.pictures, False, view, target, colors, passes.background)
        with self._timed("shapes"):
            for shape in frame_shapes(draw_list, view, colors):
                passes.shapes.draw(shape, view)

    def _draw_ghosts(
        self, passes: "_Passes", target: Target, draw_list: DrawList, view: FrameView, colors: ViewportColors
    ) -> None:
        margin = max(1, round(view.pixel_ratio)) + 2  # that of the outline
        area = screen_area((ghost.instance for ghost in draw_list.ghosts), view, margin)
        if area is not None and 0 in area[2:]:
            return
        prepared: list[tuple[PreparedMesh, int]] = []
        for number, ghost in enumerate(draw_list.ghosts):
            mesh = passes.store.prepare(ghost.instance, self.cpu_skinning)
            if mesh is not None:
                prepared.append((mesh, number))
        passes.ghosts.begin(target, area)
        passes.mesh.begin(view, colors)
        for mesh, number in prepared:
            ghost = draw_list.ghosts[number]
            passes.mesh.draw_ghost(mesh, ghost.instance, view, ghost.tint, ghost.behind)
        passes.ghosts.finish(target, view.pixel_ratio)

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        if not self.timing:
            yield
            return
        start = time.perf_counter()
        yield
        GL.glFinish()
        self.stats.seconds[name] = self.stats.seconds.get(name, 0.0) + time.perf_counter() - start

    def forget(self) -> None:
        """Draw again next time, whatever is asked for."""
        self._drawn = None

    def _release_targets(self) -> None:
        for target in (self._target, self._resolved):
            if target is not None:
                target.release()
        self._target = self._resolved = None
        self._drawn = None

    def release(self) -> None:
        """Delete every OpenGL object; the context must be current. A second call does nothing."""
        self._release_targets()
        if self._passes is not None:
            GL.glUseProgram(0)  # what is in use would outlive its deletion
            GL.glBindVertexArray(0)
            self._passes.release()
        self._passes = None

    def abandon(self) -> None:
        """Forget every OpenGL object without deleting it: the context is gone and took them along."""
        self._target = self._resolved = self._drawn = self._passes = None


class _Passes:
    """Everything compiled and uploaded."""

    def __init__(self, software: bool) -> None:
        self.store = MeshStore()
        self.background = BackgroundPass(software)
        self.grid = GridPass(software)
        self.floor = FloorPass()
        self.textures = TextureStore(software)
        self.mesh = MeshPass(self.textures)
        self.shapes = ShapePass()
        self.bones = BonesPass(self.shapes)
        self.ghosts = GhostPass()
        self.shadow = ShadowPass(software)
        self.pictures = PicturePass(software)

    def release(self) -> None:
        for thing in (
            self.store, self.textures, self.background, self.grid, self.floor, self.mesh, self.bones, self.shapes,
            self.ghosts, self.shadow, self.pictures,
        ):  # fmt: skip
            thing.release()


def frame_shapes(draw_list: DrawList, view: FrameView, colors: ViewportColors) -> list[Shape]:
    """Lines, points and triangles of a frame in the order they are drawn."""
    shapes = sorted(draw_list.shapes, key=lambda shape: shape.layer)
    below = [shape for shape in shapes if shape.layer is not Layer.OVERLAY]
    if draw_list.gizmo is not None:
        below += gizmo_shapes(draw_list.gizmo, view.camera, view.size, colors)
    if draw_list.axis_widget is not None:
        below += widget_shapes(draw_list.axis_widget, view.camera, view.size, colors)
    return below + [shape for shape in shapes if shape.layer is Layer.OVERLAY]


def _reset_state() -> None:
    """Whoever drew before (Qt, another view) may have left anything behind."""
    for capability in (GL.GL_SCISSOR_TEST, GL.GL_STENCIL_TEST, GL.GL_BLEND, GL.GL_CULL_FACE):
        GL.glDisable(capability)
    GL.glColorMask(GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE)
    GL.glDepthMask(GL.GL_TRUE)
    GL.glDepthRange(0.1, 1.0)
    GL.glDepthFunc(GL.GL_LEQUAL)
    GL.glEnable(GL.GL_DEPTH_TEST)
    GL.glEnable(GL.GL_MULTISAMPLE)
    GL.glStencilMask(0xFF)
    GL.glClear(GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)

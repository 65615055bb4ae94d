"""What a frame of the viewport costs, part by part, drawn off screen.

    python -m tests.benchmarks.bench_draw [--size 900x500] [--frames 40] [--samples 0]

Each frame moves every bone, so nothing is kept from the frame before. "whole" is measured without
waits between the passes; the parts are measured apart, each followed by a wait, and add up to more.
"""

import argparse
import time
from dataclasses import replace

import numpy as np

from editor.gl.camera import Camera, orbit
from editor.gl.capture import OffscreenRenderer
from editor.gl.coarse_mesh import coarse_mesh
from editor.gl.colors import DARK
from editor.gl.draw_list import AxisWidget, DrawList, Ghost, GizmoShape, Grid, Layer, Lines, polyline
from editor.gl.mesh_picking import pick_mesh
from editor.gl.picking import pick_bones
from tests.editor.gl.figure import WALKING, figure, figure_geometry, rotation

SMALL, LARGE = figure_geometry(14, 4, "small"), figure_geometry(38, 10, "large")
COARSE = coarse_mesh(LARGE, 2000)


def scenes(frame: int) -> dict[str, DrawList]:
    """The pictures measured, posed for a frame."""
    turns = {**WALKING, 5: rotation(0, 25 + frame), 1: rotation(1, frame * 0.5)}
    large, small = figure(turns, geometry=LARGE), figure(turns, geometry=SMALL)
    lit = replace(large.mesh, coarse=COARSE)
    ghosts = []
    for n in (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5):
        ghost = figure(turns, at=(0, 0, n * 0.2), geometry=COARSE).mesh
        color = DARK.ghost_before if n < 0 else DARK.ghost_after
        ghosts.append(Ghost(ghost, (*color[:3], 0.5 / abs(n))))
    gizmo = GizmoShape("rotate", large.bones.heads[5], np.eye(3))
    trail = np.random.default_rng(1).normal(size=(240, 3)) * 0.3
    trails = Lines(polyline(trail), np.array((0.9, 0.8, 0.4, 0.9)), 1.5, layer=Layer.XRAY)
    tools = {"bones": large.bones, "gizmo": gizmo, "axis_widget": AxisWidget()}
    return {
        "background": DrawList(),
        "grid": DrawList(Grid()),
        f"mesh of {len(SMALL.positions):,}": DrawList(meshes=(small.mesh,)),
        f"mesh of {len(LARGE.positions):,}": DrawList(meshes=(large.mesh,)),
        "mesh, grid, shadow": DrawList(Grid(), (lit,)),
        "posing: and bones, gizmo, axes": DrawList(Grid(), (lit,), **tools),
        f"and 10 ghosts of {len(COARSE.positions):,}": DrawList(Grid(), (lit,), tuple(ghosts), **tools),
        "and a trail of 240 frames": DrawList(Grid(), (lit,), tuple(ghosts), shapes=(trails,), **tools),
    }


def measure(view: OffscreenRenderer, size: tuple[int, int], frames: int) -> None:
    """Print one table."""
    from editor.gl.api import GL

    print(f"{'scene':34} {'whole ms':>9} {'p95':>6} {'calls':>6} {'vertices':>9}  parts, ms")
    posed = [scenes(frame) for frame in range(frames)]
    for name in posed[0]:
        seconds = []
        for waits in (False, True):
            view.renderer.timing = waits
            parts: dict[str, float] = {}
            for frame in range(frames):
                camera = orbit(Camera(), frame * 0.01, 0.0)
                start = time.perf_counter()
                view.renderer.draw(posed[frame][name], camera, size, framebuffer=None)
                GL.glFinish()
                if not waits:
                    seconds.append(time.perf_counter() - start)
                for part, spent in view.renderer.stats.seconds.items():
                    parts[part] = parts.get(part, 0.0) + spent / frames
        stats = view.renderer.stats
        shown = "  ".join(f"{part} {spent * 1e3:.1f}" for part, spent in parts.items() if spent > 5e-5)
        whole, late = np.median(seconds) * 1e3, np.percentile(seconds, 95) * 1e3
        print(f"{name:34} {whole:9.1f} {late:6.1f} {stats.draw_calls:6} {stats.vertices:9,}  {shown}")


def measure_picking() -> None:
    """Print what finding something under the pointer costs."""
    posed = figure(WALKING, geometry=LARGE)
    camera, size, pixel = Camera(), (900, 500), (450, 240)
    for name, pick in (
        (
            f"ray against {len(LARGE.triangles):,} triangles",
            lambda: pick_mesh([posed.mesh], camera, size, pixel),
        ),
        (f"{len(posed.bones.heads)} bones", lambda: pick_bones(posed.bones, camera, size, pixel)),
    ):
        pick()
        start = time.perf_counter()
        for _ in range(20):
            pick()
        print(f"pick: {name}: {(time.perf_counter() - start) / 20 * 1e3:.2f} ms")


def main() -> None:
    """Read the options and print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", default="900x500")
    options.add_argument("--frames", type=int, default=40)
    options.add_argument("--samples", type=int, default=0)
    given = options.parse_args()
    width, height = (int(edge) for edge in given.size.split("x"))
    for cpu in (False, True):
        with OffscreenRenderer(given.samples, cpu_skinning=cpu) as view:
            if not cpu:
                print(view.renderer.driver)
            print(
                f"\nskinned on the {'processor' if cpu else 'graphics side'}, {width}x{height}, {given.samples} samples"
            )
            with view.current():
                measure(view, (width, height), given.frames)
    measure_picking()


if __name__ == "__main__":
    main()

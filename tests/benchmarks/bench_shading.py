"""What the character's shading costs: the same frames drawn in turn in each mode, in processor time.

    python -m tests.benchmarks.bench_shading [--size 900x500] [--frames 24]

Modes take turns within one run, so a busy machine falls on all of them alike; processor time leaves out what others do.
"flat" is the floor: one colour, no light. "lit" is what is shown, "lit, occlusion" with baked vertices.
"""

import argparse
import time
from dataclasses import replace

import numpy as np

from editor.gl.camera import Camera, orbit
from editor.gl.capture import OffscreenRenderer
from editor.gl.draw_list import DrawList, Grid, Shading
from tests.editor.gl.figure import WALKING, figure, figure_geometry, rotation

GEOMETRY = figure_geometry(38, 10, "large")


def modes(frame: int) -> dict[str, DrawList]:
    """The pictures measured, posed for a frame."""
    turns = {**WALKING, 5: rotation(0, 25 + frame), 1: rotation(1, frame * 0.5)}
    mesh = figure(turns, geometry=GEOMETRY).mesh
    shade = OPEN
    return {
        "flat": DrawList(Grid(), (replace(mesh, shading=Shading.FLAT),)),
        "unlit": DrawList(Grid(), (replace(mesh, shading=Shading.UNLIT),)),
        "lit": DrawList(Grid(), (mesh,)),
        "lit, occlusion": DrawList(Grid(), (replace(mesh, occlusion=shade),)),
    }


OPEN = np.linspace(0.2, 1.0, len(GEOMETRY.positions)).astype(np.float32)


def main() -> None:
    """Read the options and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", default="900x500")
    options.add_argument("--frames", type=int, default=24)
    given = options.parse_args()
    width, height = (int(edge) for edge in given.size.split("x"))
    spent: dict[str, list[float]] = {}
    with OffscreenRenderer(0) as view, view.current():
        from editor.gl.api import GL

        print(view.renderer.driver)
        for frame in range(given.frames + 2):
            camera = orbit(Camera(), frame * 0.01, 0.0)
            for name, shown in modes(frame).items():
                start = time.process_time()
                view.renderer.draw(shown, camera, (width, height), framebuffer=None)
                GL.glFinish()
                if frame >= 2:  # the first compile and upload
                    spent.setdefault(name, []).append(time.process_time() - start)
    floor = float(np.median(spent["flat"]))
    print(f"{'mode':16} {'median ms':>10} {'to flat':>8}")
    for name, seconds in spent.items():
        middle = float(np.median(seconds))
        print(f"{name:16} {middle * 1e3:10.2f} {middle / floor:8.2f}")


if __name__ == "__main__":
    main()

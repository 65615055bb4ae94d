"""Where things are seen in a viewport: bones and the gizmo's handles, in its own pixels."""

import numpy as np

from editor.gl import camera as cameras
from editor.gl.gizmo import Handle, parts


class Seen:
    """A viewport panel and the session it shows."""

    def __init__(self, session, panel) -> None:
        self.session = session
        self.model = panel.model
        self.view = panel.view

    def bone_pixel(self, name: str, share: float = 0.4) -> tuple[float, float]:
        """Where a bone is seen, a part of the way from its head to its tail."""
        skeleton = self.session.rig.skeleton
        bone = skeleton.index(name)
        matrices = self.model.matrices()
        tip = self.model.character.tips(skeleton)[bone]
        place = matrices[bone] @ np.array([*(tip * share), 1.0])
        pixel, _ = cameras.project(self.model.camera, place[:3], self.view.view_size)
        return float(pixel[0]), float(pixel[1])

    def handle_pixel(self, handle: Handle, share: float = 0.5) -> tuple[float, float]:
        """A place on a handle's line that no other handle has."""
        size = self.view.view_size
        gizmo = self.model.gizmo()
        part = next(p for p in parts(gizmo, self.model.camera, size) if p.handle is handle)
        line = part.lines[int(len(part.lines) * share)]
        pixel, _ = cameras.project(self.model.camera, line.mean(axis=0), size)
        return float(pixel[0]), float(pixel[1])

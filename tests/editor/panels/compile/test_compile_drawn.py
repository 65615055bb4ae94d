"""What the viewport draws of the sample's walk while the compiled clip is shown: skinned vertices."""

import numpy as np

import core.io
from editor.gl.camera_controller import ViewCameraController
from editor.gl.cpu_skin import skin_positions
from editor.model.compile_state import Compiling
from editor.model.opening import sample_path
from editor.model.session import Session
from editor.panels.viewport.scene_composer import SceneComposer
from editor.tools.state import ToolState


def test_vertices_of_the_compiled_walk_lie_within_the_bound_of_the_original():
    session = Session.create()
    session.document.replace(core.io.load(sample_path()).project, None)
    walk = session.document.project.clip_named("walk")
    session.playback.set_clip(walk.id)
    session.feature(Compiling).set(shell=0.15)  # as far as the skin lies from its bones
    session.feature(Compiling).compile()
    picture = SceneComposer(session, ToolState(), ViewCameraController())

    def vertices() -> np.ndarray:
        picture.forget()
        return np.concatenate([skin_positions(mesh) for mesh in picture.draw_list().meshes])

    for time in np.linspace(0.0, 1.07, 9):  # between half-frames, too
        session.playback.seek(float(time))
        original = vertices()
        assert session.feature(Compiling).compare.show(True)
        off = np.linalg.norm(vertices() - original, axis=1).max()
        assert 0.0 < off <= 1e-4
        session.feature(Compiling).compare.show(False)
        assert np.array_equal(vertices(), original)
    session.close()

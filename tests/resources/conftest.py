"""The sample character, built once, and a plain second way to skin and to measure it."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from core.clips.clip import Clip
from core.clips.sample import sample_many
from core.math import quat
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from resources.sample.build import build_project

RATE = 240


@dataclass
class Played:
    """A clip's samples: local rotations and translations, model matrices."""

    clip: Clip
    times: np.ndarray
    rotations: np.ndarray
    translations: np.ndarray
    matrices: np.ndarray


@dataclass
class Character:
    """The parts of the built project, and matrices computed from them without core's kinematics."""

    project: Project
    rig: Rig
    mesh: Mesh
    played: dict[str, "Played"] = field(default_factory=dict)

    def play(self, name: str) -> "Played":
        """A clip at `RATE` samples a second, both ends included; computed once."""
        if name not in self.played:
            clip = self.project.clip_named(name)
            times = np.linspace(0.0, clip.length, round(clip.length * RATE) + 1)
            local = sample_many(self.rig, clip, times, wrap=False).local
            matrices = self.matrices(local.rotation, local.translation)
            self.played[name] = Played(clip, times, local.rotation, local.translation, matrices)
        return self.played[name]

    def matrices(self, rotations: np.ndarray, translations: np.ndarray) -> np.ndarray:
        """Model matrices ``(..., B, 4, 4)`` of local rotations and translations."""
        local = np.zeros((*rotations.shape[:-1], 4, 4))
        local[..., :3, :3] = quat.to_matrix(rotations)
        local[..., :3, 3], local[..., 3, 3] = translations, 1.0
        out = local.copy()
        for bone, parent in enumerate(self.rig.skeleton.parents):
            if parent >= 0:
                out[..., bone, :, :] = out[..., parent, :, :] @ local[..., bone, :, :]
        return out

    def skinned(self, matrices: np.ndarray, vertices: np.ndarray) -> np.ndarray:
        """Positions ``(..., V, 3)`` of some vertices."""
        mesh, index = self.mesh, self.rig.skeleton.index
        bones = np.array([index(j) for j in mesh.bones])
        points = np.concatenate([mesh.positions[vertices], np.ones((len(vertices), 1))], axis=1)
        out = np.zeros((*matrices.shape[:-3], len(vertices), 3))
        for k in range(mesh.influences.shape[1]):
            joint = mesh.influences[vertices, k]
            skin = matrices[..., bones[joint], :, :] @ mesh.inverse_bind[joint]
            out += mesh.weights[vertices, k, None] * np.einsum("...vij,vj->...vi", skin, points)[..., :3]
        return out

    def weight_of(self, *names: str) -> np.ndarray:
        """How much each vertex follows the joints whose names start with one of these."""
        chosen = np.array([j.startswith(names) for j in self.mesh.bones])
        return (self.mesh.weights * chosen[self.mesh.influences]).sum(axis=1)

    def rest(self) -> tuple[np.ndarray, np.ndarray]:
        """Local rotations and translations at rest, to change."""
        rest = self.rig.skeleton.rest
        return np.array(rest.rotation), np.array(rest.translation)

    def bent(self, bone: str, degrees: float, about: tuple[float, float, float] | None = None) -> np.ndarray:
        """Model matrices with one bone turned from rest, about its own X or an axis of the model."""
        rotations, translations = self.rest()
        i = self.rig.skeleton.index(bone)
        own = np.array([1.0, 0.0, 0.0])
        if about is not None:
            own = self.matrices(rotations, translations)[i, :3, :3].T @ np.array(about)
        rotations[i] = quat.multiply(rotations[i], quat.from_axis_angle(own, np.radians(degrees)))
        return self.matrices(rotations, translations)


@pytest.fixture(scope="session")
def character() -> Character:
    project = build_project()
    rig = project.rigs[0]
    return Character(project, rig, project.meshes_of(rig.id)[0])

"""Builds the sample character: ``python -m resources.sample.build`` writes ``mannequin.posewright``."""

from pathlib import Path

import numpy as np

from core.clips.clip import Clip
from core.ids import AssetId
from core.io import save
from core.math import quat
from core.project.project import Project
from core.project.references import check
from core.rig.mesh import Material, Mesh, MeshPart
from resources.sample.clips import (
    aim,
    crouch_idle,
    crouch_walk,
    hips_back,
    idle,
    jump,
    lean,
    run,
    run_back,
    run_diagonal,
    run_side,
    turn,
    walk,
    walk_back,
    walk_diagonal,
    walk_side,
    wave,
)
from resources.sample.graphs import build_graphs, build_montages
from resources.sample.meanings import with_meanings
from resources.sample.mesh import build_skin
from resources.sample.motion.figure import FIGURE
from resources.sample.rig import RIG_ID, build_rig
from resources.sample.spaces import build_spaces

FILE = Path(__file__).with_name("mannequin.posewright")
BODY = Material("body", (0.62, 0.60, 0.57, 1.0), roughness=0.78)
JOINTS = Material("joints", (0.055, 0.062, 0.075, 1.0), roughness=0.62)
CLIPS = (
    idle.build,
    walk.build,
    run.build,
    wave.build,
    walk_back.build,
    walk_side.build_left,
    walk_side.build_right,
    *walk_diagonal.builders(),
    run_back.build,
    run_side.build_left,
    run_side.build_right,
    *run_diagonal.builders(),
    *hips_back.builders(),
    crouch_idle.build,
    crouch_walk.build,
    jump.build_start,
    jump.build_loop,
    jump.build_land,
    turn.build_left,
    turn.build_right,
    *aim.builders(),
    *lean.builders(),
)


def build_mesh() -> Mesh:
    """The skin as a mesh asset; parts: light body, dark joints."""
    skin = build_skin()
    bones = [FIGURE.index[name] for name in skin.joints]
    inverse = np.tile(np.eye(4), (len(bones), 1, 1))
    turned = np.swapaxes(quat.to_matrix(FIGURE.rest_model[bones]), -1, -2)
    inverse[:, :3, :3] = turned
    inverse[:, :3, 3] = -np.einsum("bij,bj->bi", turned, FIGURE.heads[bones])
    return Mesh(
        AssetId("mesh-mannequin"),
        "Mannequin",
        RIG_ID,
        skin.points.astype(np.float32),
        skin.normals.astype(np.float32),
        skin.triangles.astype(np.uint32),
        skin.joints,
        inverse,
        skin.influences.astype(np.uint16),
        skin.weights.astype(np.float32),
        materials=(BODY, JOINTS),
        parts=(
            MeshPart(0, skin.light, 0),
            MeshPart(skin.light, len(skin.triangles) - skin.light, 1),
        ),
    )


def build_clips() -> tuple[Clip, ...]:
    """All clips, the one to open with first."""
    return with_meanings(tuple(make() for make in CLIPS))


def build_project() -> Project:
    """Rig, mesh, clips, blend spaces and graphs as a project."""
    project = Project().with_assets(
        build_rig(), build_mesh(), *build_clips(), *build_spaces(), *build_graphs(), *build_montages()
    )
    check(project)
    return project


def main() -> None:
    """Write the file."""
    save(build_project(), FILE)


if __name__ == "__main__":
    main()

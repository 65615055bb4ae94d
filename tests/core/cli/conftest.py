"""A small document for commands that read and write whole ones."""

from dataclasses import replace

import pytest

from core.io import load, save
from core.project.project import Project
from editor.model.opening import sample_path

CLIPS = ("idle", "walk", "run")


@pytest.fixture(scope="session")
def few_clips(tmp_path_factory) -> str:
    """The sample character's document with three of its 40 clips: read and written in a tenth of the time."""
    whole = load(sample_path()).project
    rig = replace(whole.rigs[0], post_graph=None, animation=None)
    kept = (rig, *whole.meshes_of(rig.id), *(clip for clip in whole.clips if clip.name in CLIPS))
    path = tmp_path_factory.mktemp("few") / "few.posewright"
    save(Project({asset.id: asset for asset in kept}), path)
    return str(path)

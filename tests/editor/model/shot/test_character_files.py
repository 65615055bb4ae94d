"""Where the files of second characters lie, for a document that is somewhere."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from core.ids import AssetId
from core.project.project import Project
from core.shot.character import ShotCharacter
from editor.model.shot.characters import absolute_files

HERE = Path(os.sep).resolve() / "films" / "scene.posewright"
PARTNER = ShotCharacter(AssetId("partner"), "partner", file="partner.glb")


def files(project: Project, here: Path | None) -> list[str]:
    return [character.file for character in absolute_files(project, here).all(ShotCharacter)]


@pytest.mark.parametrize(
    ("file", "found"),
    [("partner.glb", "films/partner.glb"), ("../rigs/partner.glb", "rigs/partner.glb"), ("", None)],
)
def test_a_file_is_looked_for_beside_the_document(file: str, found: str | None) -> None:
    character = replace(PARTNER, file=file, rig=None if file else AssetId("rig"))
    wanted = "" if found is None else str(HERE.parents[1] / found)
    assert files(Project({character.id: character}), HERE) == [wanted]


def test_a_file_named_from_the_root_stays_and_so_do_all_of_a_document_without_a_place() -> None:
    rooted = replace(PARTNER, file=str(HERE.parents[1] / "rigs" / "partner.glb"))
    assert files(Project({rooted.id: rooted}), HERE) == [rooted.file]
    assert files(Project({PARTNER.id: PARTNER}), None) == ["partner.glb"]

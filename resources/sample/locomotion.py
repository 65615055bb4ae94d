"""The locomotion sample: ``python -m resources.sample.locomotion`` writes ``locomotion.posewright``.

The mannequin with every clip that a character driven on terrain needs. It is a file of its own, so that the first
start opens a short list quickly. Its entries are compressed: it is read rarely, and shipped often.
"""

from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from core.clips.clip import Clip
from core.io.native.write import to_bytes
from core.project.project import Project
from core.project.references import check
from resources.sample.build import CLIPS, build_mesh
from resources.sample.clips import (
    additions,
    air,
    between,
    get_up,
    pivot,
    roll,
    sprint,
    sprint_start,
    stop,
    turning,
)
from resources.sample.graphs import build_graphs, build_montages
from resources.sample.meanings import with_meanings
from resources.sample.moving import build_moving
from resources.sample.rig import build_rig
from resources.sample.spaces import build_locomotion_spaces

FILE = Path(__file__).with_name("locomotion.posewright")
MORE: tuple[Callable[[], Clip], ...] = (
    *between.builders(),
    sprint.build,
    sprint_start.build,
    *stop.builders(),
    *pivot.builders(),
    *turning.builders(),
    *air.builders(),
    *additions.builders(),
    roll.build,
    *get_up.builders(),
)
"""Makers of the clips that the sample character's own file has not."""


@cache
def build_clips() -> tuple[Clip, ...]:
    """All clips, the sample character's own first."""
    return with_meanings(tuple(make() for make in (*CLIPS, *MORE)))


def build_project() -> Project:
    """Rig, mesh, clips, blend spaces, and the sample character's graphs as a project."""
    rig = build_rig()
    project = Project().with_assets(
        rig,
        build_mesh(),
        *build_clips(),
        *build_locomotion_spaces(),
        *build_graphs(),
        *build_montages(),
    )
    project = project.with_assets(*build_moving(project, rig))
    check(project)
    return project


def compressed(data: bytes) -> bytes:
    """A document's bytes with its entries compressed; names, order and dates stay."""
    out = BytesIO()
    with ZipFile(BytesIO(data)) as plain, ZipFile(out, "w", ZIP_DEFLATED) as packed:
        for info in plain.infolist():
            content = plain.read(info)
            info.compress_type = ZIP_DEFLATED
            packed.writestr(info, content, compresslevel=9)
    return out.getvalue()


def main() -> None:
    """Write the file."""
    FILE.write_bytes(compressed(to_bytes(build_project())))


if __name__ == "__main__":
    main()

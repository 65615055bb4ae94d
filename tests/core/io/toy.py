"""A format of one entry and a few lines, for tests that a new format needs nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from core.io import registry
from core.io.common.atomic import write_atomic
from core.io.format import Format, Requirement, Size
from core.io.loaded import Loaded
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.io.report import ExportReport, ImportReport

HEAD = b"TOY\n"


@dataclass(frozen=True, slots=True)
class ToyWriteOptions:
    """A setting of the toy's own, and one that others have, too."""

    loud: bool = False
    up_axis: str | None = None


def write(project, path, options, progress):
    clips = project.clips
    held = project.without(
        *(clip.id for clip in clips[1:]), *(mesh.id for mesh in project.meshes_of(clips[0].rig))
    )
    write_atomic(path, HEAD + to_bytes(held))
    return ExportReport("Toy", [f"clip {clip.name!r}: one file holds one" for clip in clips[1:]])


def read(path, options, progress):
    return Loaded(from_bytes(path.read_bytes()[len(HEAD) :], path.name), ImportReport("Toy"))


TOY = Format(
    id="toy", title="Toy", suffixes=(".toy",), sniff=lambda head: head.startswith(HEAD), read=read, write=write,
    write_options=ToyWriteOptions, one_clip=True, curves=True, angles=True, up_axes=("+Y", "-X"),
    sizes={".toy": Size(0.0, 0.0, 100.0, 1000.0)},
)  # fmt: skip


@contextmanager
def toy_format(**changes: object) -> Iterator[Format]:
    """The toy is one of the formats, as if it had its line in `core.io.builtin`."""
    made = replace(TOY, **changes)
    registry.register(made)
    try:
        yield made
    finally:
        registry.unregister(made.id)


NOT_INSTALLED = Requirement("no_such_module_anywhere", "toys")

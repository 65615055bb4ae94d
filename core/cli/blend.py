"""``blend FILE --space NAME --at X[,Y] --out CLIP``: a blend space held at a point, as a clip in a file."""

import argparse

from core.blending.blend_space import BlendSpace
from core.blending.space_bake import baked_point
from core.blending.space_player import SpacePlayer
from core.cli.common import Subcommand, UsageError, number_list, positive
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.errors import MissingReferenceError
from core.evaluation.clip_pipeline import pose_assets
from core.ids import new_id
from core.io import load, save
from core.project.project import Asset, Project
from core.project.references import part_of
from core.rig.rig import Rig
from core.timing import FrameRate


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a Posewright file with blend spaces")
    parser.add_argument("--space", required=True, metavar="NAME", help="name of the blend space")
    parser.add_argument(
        "--at", required=True, type=number_list, metavar="X[,Y]", help="the point, one number per axis"
    )
    parser.add_argument("--out", required=True, metavar="CLIP", help="the file to write, such as CLIP.glb")
    parser.add_argument(
        "--length", type=positive, metavar="S", help="length in seconds (default: one looping cycle)"
    )
    add_overwrite(parser)
    parser.add_argument(
        "--rate", type=positive, default=30.0, metavar="FPS", help="frames per second (default 30)"
    )


def space_named(project: Project, name: str) -> BlendSpace:
    """The blend space of that name; raises `MissingReferenceError` listing what there is."""
    spaces = project.all(BlendSpace)
    for space in spaces:
        if space.name == name:
            return space
    have = ", ".join(repr(space.name) for space in spaces) or "none"
    raise MissingReferenceError(f"no blend space is named {name!r}; there are: {have}")


def _run(arguments: argparse.Namespace) -> int:
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    project = load(arguments.file).project
    space = space_named(project, arguments.space)
    if len(arguments.at) != len(space.axes):
        axes = ", ".join(axis.name for axis in space.axes)
        raise UsageError(
            f"--at: expected {len(space.axes)} numbers ({axes}) for {space.name!r}, got {len(arguments.at)}"
        )
    rig = project.get(Rig, space.rig)
    player = SpacePlayer(rig, space, {clip.id: clip for clip in project.clips})
    where = " ".join(f"{value:.4g}" for value in arguments.at)
    clip = baked_point(
        player,
        arguments.at,
        new_id("clip"),
        f"{space.name} {where}",
        FrameRate.of(arguments.rate),
        arguments.length,
    )
    parts: tuple[Asset, ...] = (rig, *project.meshes_of(rig.id), *pose_assets(project, rig.id), clip)
    written = part_of(project, parts)
    for line in kept_old(arguments.out, written):
        print(line)
    save(written, arguments.out)
    shares = player.field(arguments.at)
    told = ", ".join(
        f"{source.name} {share:.3f}"
        for source, share in zip(player.clips, shares, strict=True)
        if share > 0.0
    )
    print(f"{arguments.out}: {clip.length:.4g} s, {told}")
    return 0


COMMAND = Subcommand("blend", "Bake a point of a blend space to a clip.", _arguments, _run)

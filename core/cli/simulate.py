"""``simulate FILE``: bones of a clip simulated while the others move as the clip has them, baked as a layer."""

import argparse
from pathlib import Path

from core.blending.layer_stack import LayerMode
from core.cli.common import Subcommand, UsageError, chosen_clip, output_folder, positive
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.clip import Clip
from core.errors import AnimError, ValidationError
from core.evaluation.clip_pipeline import stack_of
from core.evaluation.flatten import flattened
from core.evaluation.simulated_layer import LayerSetup, simulate_to_layer
from core.io import load, save
from core.physics.simulated import SimulationSetup
from core.project.project import Asset, Project
from core.project.references import part_of
from core.rig.rig import Rig
from core.timing import frame_text

NATIVE = ".posewright"
AXES = ("bend", "sideways", "twist")


def _arguments(run: argparse.ArgumentParser) -> None:
    run.add_argument("file", help="a file with a character and clips")
    run.add_argument("--clip", metavar="NAME", help="which clip; the first where left out")
    run.add_argument("--bones", metavar="A,B,…", required=True, help="bones to simulate, with all below them")
    run.add_argument("--frames", metavar="A:B", help="range of frames; the whole clip where left out")
    for name, default, text in (
        ("follow", 0.0, "share of the clip's own forces, 0 to 1 (0)"),
        ("stiffness", 2.0, "Hz of the spring back to the clip's pose (2)"),
        ("damping", 0.3, "of that spring, 1 does not swing (0.3)"),
        ("gravity", 1.0, "times 9.81 m/s² (1)"),
        ("settle", 0.0, "seconds simulated before the range (0)"),
        ("blend-in", 0.0, "seconds over which the layer comes (0)"),
        ("blend-out", 0.0, "seconds over which the layer goes (0)"),
    ):
        run.add_argument(f"--{name}", type=float, default=default, metavar="X", help=text)
    run.add_argument(
        "--ground", type=float, metavar="M", help="height of a level ground; none where left out"
    )
    run.add_argument("--through", action="store_true", help="let simulated bodies pass through the others")
    run.add_argument("--additive", action="store_true", help="an additive layer in place of an override one")
    run.add_argument("--tolerance", type=positive, default=0.5, metavar="MM", help="of reducing keys (0.5)")
    text = f"the file to write: {NATIVE} keeps the layer, other formats get it baked into the clip"
    run.add_argument("--out", metavar="FILE", required=True, help=text)
    add_overwrite(run)


def _run(arguments: argparse.Namespace) -> int:
    output_folder(arguments.out)
    require_free(arguments.out, arguments.overwrite, [arguments.file])
    project = load(arguments.file).project
    clip = chosen_clip(project, arguments.clip)
    if clip is None:
        raise AnimError(f"{arguments.file}: it holds no clip")
    rig = project.get(Rig, clip.rig)
    start, end = _range(arguments.frames, clip)
    bones = [name.strip() for name in arguments.bones.split(",") if name.strip()]
    setup = SimulationSetup(
        start, end, arguments.follow, arguments.stiffness, arguments.damping, arguments.gravity, arguments.ground,
        not arguments.through, arguments.settle,
    )  # fmt: skip
    mode = LayerMode.ADDITIVE if arguments.additive else LayerMode.OVERRIDE
    layer = LayerSetup(
        f"Simulated {bones[0]}", mode, arguments.blend_in, arguments.blend_out, arguments.tolerance / 1000.0
    )
    made = simulate_to_layer(project, clip, bones, setup, layer)
    found = made.simulated
    project = project.with_assets(*made.assets)
    if Path(arguments.out).suffix.lower() != NATIVE:
        project = _flat(project, project.get(Rig, rig.id), clip)
    _save(arguments, project)
    print(f"{arguments.out}: {len(found.bones)} bones over {len(found.times)} frames, {made.keys} keys")
    return 0


def _flat(project: Project, rig: Rig, clip: Clip) -> Project:
    """The character with the one clip, its layers baked into it."""
    stack = stack_of(project, clip.id)
    assert stack is not None
    baked = flattened(rig, clip, stack, {other.id: other for other in project.clips})
    parts: tuple[Asset, ...] = (rig, *project.meshes_of(rig.id), baked)
    return part_of(project, parts)


def _range(text: str | None, clip: Clip) -> tuple[float, float]:
    if text is None:
        return 0.0, clip.length
    first, colon, last = text.partition(":")
    try:
        start, end = clip.rate.to_seconds(float(first)), clip.rate.to_seconds(float(last))
    except ValueError:
        raise UsageError(f"--frames: expected two frames such as 10:40, got {text!r}") from None
    if not colon or not 0.0 <= start < end <= clip.length + 1e-6:
        last_frame = frame_text(clip.rate.to_frame(clip.length))
        raise ValidationError(f"--frames {text}: expected a range within 0:{last_frame}")
    return start, min(end, clip.length)


def _save(arguments: argparse.Namespace, project: Project) -> None:
    for line in kept_old(arguments.out, project):
        print(line)
    save(project, arguments.out)


COMMAND = Subcommand(
    "simulate", "Simulate bones of a clip (hair, tail, arm) and bake them as a layer.", _arguments, _run
)

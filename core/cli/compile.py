"""``compile IN OUT``: pack a clip for playing."""

import argparse
from pathlib import Path

from core.cli.common import Subcommand, UsageError, chosen_clip, chosen_rig, positive
from core.cli.replacing import add_overwrite, kept_old, require_free
from core.clips.clip import Clip
from core.clips.compiled.compile import compile_clip
from core.clips.compiled.container import to_bytes
from core.clips.compiled.options import CompileOptions
from core.errors import AnimError, FormatError
from core.io import load
from core.io.common.atomic import write_atomic
from core.io.prepare.bake_evaluated import bake_evaluated
from core.math import kernels

SUFFIX = ".pwclip"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="IN", help="the file to read")
    parser.add_argument("output", metavar="OUT", help=f"the compiled clip to write ({SUFFIX})")
    parser.add_argument("--clip", metavar="NAME", help="clip name (default: the first)")
    parser.add_argument(
        "--error-mm",
        type=positive,
        default=0.1,
        metavar="E",
        help="allowed error in millimetres (default 0.1)",
    )
    parser.add_argument(
        "--shell-cm",
        type=positive,
        default=3.0,
        metavar="S",
        help="distance of the measured points from the bones in cm (default 3)",
    )
    parser.add_argument("--rate", type=positive, metavar="R", help="resample at R frames per second first")
    add_overwrite(parser)
    for step in ("drop-still", "reduce-keys", "cubic", "quantise"):
        parser.add_argument(f"--no-{step}", action="store_true", help=f"skip the step {step}")


def _run(arguments: argparse.Namespace) -> int:
    require_free(arguments.output, arguments.overwrite, [arguments.input])
    if not arguments.output.lower().endswith(SUFFIX):
        raise UsageError(f"{arguments.output}: expected a name that ends in {SUFFIX}")
    project = load(arguments.input).project
    clip = chosen_clip(project, arguments.clip)
    if clip is None:
        raise AnimError(f"{arguments.input}: it holds no clip")
    rig = chosen_rig(project, clip, arguments.input)
    clip = bake_evaluated(project, {clip.id}).get(Clip, clip.id)
    kernels.load()
    options = CompileOptions(
        arguments.error_mm * 1e-3,
        arguments.shell_cm * 1e-2,
        arguments.rate,
        not arguments.no_drop_still,
        not arguments.no_reduce_keys,
        not arguments.no_cubic,
        not arguments.no_quantise,
    )
    compiled, report = compile_clip(rig, clip, options, project.meshes_of(rig.id))
    for line in kept_old(arguments.output, None):
        print(line)
    try:
        write_atomic(Path(arguments.output), to_bytes(compiled))
    except OSError as error:
        raise FormatError(arguments.output, "", f"cannot be written: {error.strerror}") from error
    print(report.to_text())
    return 0


COMMAND = Subcommand("compile", "Pack a clip for playback within an error bound.", _arguments, _run)

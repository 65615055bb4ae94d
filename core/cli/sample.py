"""``sample FILE --times …``: where the bones are."""

import argparse
import json
from typing import Any

import numpy as np

from core.cli.common import Subcommand, chosen_clip, chosen_rig, number_list, output_folder
from core.cli.exporting import add_reading, opened
from core.cli.spaces import placed, sampled


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="the file to read")
    add_reading(parser)
    parser.add_argument("--clip", metavar="NAME", help="clip name (default: the first)")
    parser.add_argument(
        "--times",
        required=True,
        type=number_list,
        metavar="T1,T2,…",
        help="comma-separated times in seconds from the start of the clip",
    )
    parser.add_argument("--space", choices=("world", "model", "local"), default="world")
    parser.add_argument(
        "--native", action="store_true", help="in the units and axes of the file instead of metres and +Y up"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON (the default)")
    form.add_argument("--npz", metavar="OUT", help="write arrays to this file")


def _run(arguments: argparse.Namespace) -> int:
    if arguments.npz:
        output_folder(arguments.npz)
    project = opened(arguments.file, arguments).project
    clip = chosen_clip(project, arguments.clip)
    rig = chosen_rig(project, clip, arguments.file)
    times = np.array(arguments.times)
    found = placed(rig, sampled(project, rig, clip, times), arguments.space, arguments.native)
    skeleton = rig.skeleton
    head: dict[str, Any] = {
        "clip": clip.name if clip is not None else None,
        "duration": clip.length if clip is not None else 0.0,
        "bones": list(skeleton.names),
        "sources": skeleton.sources.tolist(),
        "parents": skeleton.parents.tolist(),
        "times": times.tolist(),
    }
    if arguments.npz:
        _write_npz(arguments.npz, head, found.positions, found.rotations)
    else:
        head["positions"] = found.positions.tolist()
        head["rotations"] = found.rotations.tolist()
        print(json.dumps(head, ensure_ascii=False))
    return 0


def _write_npz(path: str, head: dict[str, Any], positions: Any, rotations: Any) -> None:
    from pathlib import Path

    from core.errors import FormatError
    from core.io.common.atomic import atomic_file

    arrays: dict[str, Any] = {name: np.array("" if value is None else value) for name, value in head.items()}
    try:
        with atomic_file(Path(path)) as file:
            np.savez(file, positions=positions, rotations=rotations, **arrays)
    except OSError as error:
        raise FormatError(path, "", f"cannot be written: {error.strerror}") from error


COMMAND = Subcommand("sample", "Print poses of a clip at given times.", _arguments, _run)

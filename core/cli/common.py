"""What the subcommands share: errors of usage, choosing a clip, opening files."""

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.clips.clip import Clip
from core.errors import AnimError
from core.project.project import Project
from core.rig.rig import Rig


class UsageError(AnimError):
    """The command line asks for something that makes no sense; exit status 2."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """One word of the command line. Others than `core` may contribute theirs to `core.cli.main.main`.

    Parameters
    ----------
    name : the word
    help : one line about it
    add_arguments : declares its options
    run : does it and returns the exit status
    """

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def chosen_rig(project: Project, clip: Clip | None, path: str) -> Rig:
    """The clip's rig, else the first."""
    if clip is not None:
        return project.get(Rig, clip.rig)
    if not project.rigs:
        raise AnimError(f"{path}: it holds no rig")
    return project.rigs[0]


def chosen_clip(project: Project, name: str | None) -> Clip | None:
    """The clip of that name; without a name the first; None where there is none at all."""
    if name is None:
        return project.clips[0] if project.clips else None
    return project.clip_named(name)


def number_list(text: str) -> list[float]:
    """Numbers separated by commas; raises `argparse.ArgumentTypeError`."""
    import math

    try:
        numbers = [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected numbers separated by commas, got {text!r}") from None
    if not numbers or not all(math.isfinite(n) for n in numbers):
        raise argparse.ArgumentTypeError(f"expected finite numbers separated by commas, got {text!r}")
    return numbers


def positive(text: str) -> float:
    """A positive finite number; raises `argparse.ArgumentTypeError`."""
    (number,) = number_list(text) if "," not in text else [0.0]
    if number <= 0.0:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return number


def output_folder(path: str) -> None:
    """Raise `UsageError` where a file cannot be put for want of its folder."""
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise UsageError(f"{path}: its folder does not exist")

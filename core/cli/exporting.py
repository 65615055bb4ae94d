"""What the commands that write files ask about reading and writing."""

import argparse
from dataclasses import replace
from typing import Any

from core.cli.common import UsageError, positive
from core.errors import ValidationError
from core.io import Loaded, format_of, formats, load
from core.io.format import settings_in, with_own_keys
from core.progress import Progress
from core.tracks.places import KeyPlaces

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
KEYS = ("own", "frames", "reduced", "cubic")
AXES = ("+Y", "-Y", "+Z", "-Z", "+X", "-X")


def unit(text: str) -> float:
    """Metres of a unit: its name, or a number."""
    return UNITS[text.lower()] if text.lower() in UNITS else positive(text)


def axis(text: str) -> str:
    """An axis such as ``z``, ``+Z``, ``-x``."""
    name = text.upper() if text[:1] in "+-" else f"+{text.upper()}"
    if name not in AXES:
        raise argparse.ArgumentTypeError(f"expected an axis such as y, z or -z, got {text!r}")
    return name


def seconds(text: str) -> float:
    """A time such as ``0.0333`` or ``1/30``."""
    above, slash, below = text.partition("/")
    return positive(above) / positive(below) if slash else positive(above)


def keys(text: str) -> tuple[str, float | None, str]:
    """A word of `KEYS`, what may stand after a colon (millimetres or degrees), and where reduced keys may stand."""
    word, _, more = text.partition(":")
    bound, _, places = more.partition(":")
    known = [str(kind) for kind in KeyPlaces]
    if (
        word not in KEYS
        or (more and word not in ("reduced", "cubic"))
        or (places and (word != "reduced" or places not in known))
    ):
        raise argparse.ArgumentTypeError(
            f"expected own, frames, reduced:MM, reduced:MM:{'|'.join(known)} or cubic:DEGREES, got {text!r}"
        )
    return word, positive(bound) if bound else None, places or known[0]


def add_reading(parser: argparse.ArgumentParser) -> None:
    """What a file does not tell, or tells wrongly; and which of its characters."""
    group = parser.add_argument_group("reading")
    group.add_argument("--character", metavar="NAME", help="only this character of the file; 'all' for all")
    group.add_argument(
        "--in-unit",
        type=unit,
        metavar="UNIT",
        help="unit of the file: m, cm, mm, in, ft, or a number of metres",
    )
    group.add_argument("--in-up", type=axis, metavar="AXIS", help="up axis of the file: y, z, -z …")
    group.add_argument(
        "--frame-time", type=seconds, metavar="S",
        help="BVH: seconds per frame, such as 0.0333 or 1/30, if the file is wrong",
    )  # fmt: skip
    group.add_argument(
        "--allow-folder", metavar="DIR", action="append",
        help="USD: also read layers and images from this folder; repeatable",
    )  # fmt: skip


def add_writing(parser: argparse.ArgumentParser) -> None:
    """Keys, root motion, rest pose, unit and axes of what is written."""
    group = parser.add_argument_group("writing")
    group.add_argument(
        "--keys", type=keys, metavar="KEYS",
        help="own, frames (one on each), reduced:MM (1 mm; keys stay on the frames where they are, or "
        "reduced:MM:frames adds some on frames, :anywhere between them, too, :exact only takes keys away), "
        "or cubic:DEGREES (fitted within 0.01°)",
    )  # fmt: skip
    group.add_argument(
        "--root",
        choices=("keep", "in-place", "extracted"),
        default="keep",
        help="root motion: in the pose, removed, or on its own bone",
    )
    group.add_argument(
        "--rest",
        choices=("nodes", "skin"),
        default="nodes",
        help="rest pose: the skeleton's own, or the bind pose of the skin",
    )
    group.add_argument(
        "--unit", type=unit, metavar="UNIT", help="unit to write: m, cm, mm, in, ft, or a number of metres"
    )
    group.add_argument("--up", type=axis, metavar="AXIS", help="up axis to write: y or z")
    group.add_argument(
        "--scale", choices=("keep", "folded"),
        help="rest scale of bones: kept, or folded into offsets and meshes, as Blender needs (FBX and USD: folded)",
    )  # fmt: skip
    group.add_argument("--one-root", action="store_true", help="add one bone above several roots")


def opened(path: str, arguments: argparse.Namespace, progress: Progress | None = None) -> Loaded:
    """Read a file as the command line says.

    Raises
    ------
    UsageError
        The file's format has no such choice.
    """
    told = {
        "metres_per_unit": arguments.in_unit, "up_axis": arguments.in_up, "frame_time": arguments.frame_time
    }  # fmt: skip
    told = {name: value for name, value in told.items() if value is not None}
    if arguments.allow_folder:
        told["folders"] = tuple(arguments.allow_folder)
    options = None
    if told:
        chosen = format_of(path)
        if chosen is None or chosen.read_options is None:
            raise UsageError(f"{path}: files of this format tell their unit, axes and times themselves")
        try:
            options = type(chosen.read_options())(**told)
        except TypeError:
            name, what, does = (
                ("folders", "reads from other folders", "does") if "folders" in told
                else ("frame_time", "has a frame time", "has")
            )  # fmt: skip
            able = [f.short for f in formats() if name in settings_in(f.default_read_options())]
            only = f"only {' and '.join(able)} {does}"
            raise UsageError(f"{path}: no file of this format {what}: {only}") from None
        except ValidationError as error:
            raise UsageError(f"{path}: {error}") from None
    character = None if arguments.character == "all" else arguments.character
    return load(path, progress, options=options, character=character)


def options_of(arguments: argparse.Namespace, path: str, preset: Any = None) -> Any:
    """The writer's options for a file: the preset's where it is of that format, else the format's own."""
    found = format_of(path)
    if found is None:
        return None
    fits = preset is not None and preset.format == found.id
    options = preset.options if fits else found.default_options()
    own = arguments.keys is not None and arguments.keys[0] == "own"
    return with_own_keys(options) if own else options


def settings_of(arguments: argparse.Namespace, preset: Any = None) -> Any:
    """The `Prepare` that the command line describes; what it leaves open is the preset's.

    Raises
    ------
    UsageError
        A distance or angle that makes no sense.
    """
    from core.io.prepare.settings import Keys, Prepare, Rest, RestScale, Root

    base = preset.settings() if preset else Prepare()
    chosen: dict[str, Any] = {}
    if arguments.keys:
        word, bound, places = arguments.keys
        chosen |= {"keys": Keys(word), "places": KeyPlaces(places)}
        if bound is not None:
            chosen["millimetres" if word == "reduced" else "degrees"] = bound
    if arguments.scale:
        chosen["scale"] = RestScale(arguments.scale)
    try:
        return replace(
            base, root=Root(arguments.root.replace("-", " ")), rest=Rest(arguments.rest),
            one_root=arguments.one_root or base.one_root, metres_per_unit=arguments.unit, up_axis=arguments.up,
            **chosen,
        )  # fmt: skip
    except ValidationError as error:
        raise UsageError(str(error)) from None

"""What a person chooses in the export dialog, as one value: compared, kept, and made from a preset. Free of Qt."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import core.io
from core.io.format import Format, writes_frames
from core.io.prepare.settings import Keys, Rest, RestScale, Root
from core.io.presets import PRESETS, Preset

PATTERN = "{file}_{clip}"
KINDS = {"keys": Keys, "root": Root, "rest": Rest, "scale": RestScale}


@dataclass(frozen=True, slots=True)
class Choice:
    """Settings of an export, the same for any document.

    Parameters
    ----------
    suffix : tells the format
    keys, millimetres, root, rest, scale : see `core.io.prepare.prepare.Prepare`
    unit, up : metres of the file's unit, and its up axis; None is what the format's programs expect
    rate : frames a second that clips are sampled at; None is each clip's own
    one_root : a skeleton of several roots gets a bone above them
    together : all characters of the document in one file, each with its clips
    meshes : with the rig's meshes
    extras : with float curves, notifies and markers
    embed : a .gltf holds its buffers itself
    space : of tables
    each : one file for each clip, named by `pattern`
    check : read what was written back, and compare
    """

    suffix: str = ".glb"
    keys: Keys = Keys.OWN
    millimetres: float = 1.0
    root: Root = Root.KEEP
    rest: Rest = Rest.NODES
    scale: RestScale = RestScale.KEEP
    unit: float | None = None
    up: str | None = None
    rate: float | None = None
    one_root: bool = False
    together: bool = False
    meshes: bool = True
    extras: bool = True
    embed: bool = False
    space: str = "local"
    each: bool = False
    pattern: str = PATTERN
    check: bool = True

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {name: str(value) if name in KINDS else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, values: object) -> "Choice":
        """The same again; what is not believable is taken from the defaults."""
        default = cls()
        if not isinstance(values, Mapping):
            return default
        found: dict[str, Any] = {}
        for name in (field.name for field in fields(cls)):
            value, like = values.get(name), getattr(default, name)
            if name in KINDS:
                found[name] = KINDS[name](value) if value in set(KINDS[name]) else like
            elif name in ("unit", "rate", "millimetres"):
                usable = isinstance(value, int | float) and not isinstance(value, bool) and 1e-6 < value < 1e6
                found[name] = float(value) if usable and value is not None else like
            elif name == "up":
                found[name] = value if isinstance(value, str) else None
            else:
                found[name] = value if isinstance(value, type(like)) else like
        return cls(**found)

    @property
    def format(self) -> Format:
        """The format that the suffix tells; the default one where it is not known."""
        known = {suffix: found for found in writable() for suffix in found.write_suffixes}
        return known.get(self.suffix, known[".glb"])


def writable() -> list[Format]:
    """Formats to export to; the native one is saved, not exported."""
    return [f for f in core.io.formats() if f.can_export]


def default_options(suffix: str) -> Any:
    """The settings that a format's writer has by itself."""
    return Choice(suffix=suffix).format.default_options()


def default_scale(suffix: str) -> RestScale:
    """What becomes of rest scale in a format unless told otherwise."""
    return RestScale.FOLDED if getattr(default_options(suffix), "fold_scale", False) else RestScale.KEEP


def from_preset(preset: Preset, before: Choice) -> Choice:
    """What a program expects; what it does not care about stays as it was."""
    options = preset.options
    keys = Keys.FRAMES if writes_frames(options) else preset.keys
    own = default_options(preset.suffix)
    return replace(
        before,
        suffix=preset.suffix,
        keys=keys,
        scale=preset.scale or default_scale(preset.suffix),
        one_root=preset.one_root,
        unit=_other(options, own, "metres_per_unit"),
        up=_other(options, own, "up_axis"),
        rate=None,
        rest=Rest.NODES,
    )


def _other(options: Any, own: Any, name: str) -> Any:
    """What a preset sets otherwise than the format itself does; None where it does not."""
    value = getattr(options, name, None)
    return None if value == getattr(own, name, None) else value


def preset_of(choice: Choice, wanted: str = "") -> str:
    """Id of a program that expects just this; "" where none does. The wanted one wins."""
    fitting = [preset.id for preset in PRESETS.values() if from_preset(preset, choice) == choice]
    return wanted if wanted in fitting else ""

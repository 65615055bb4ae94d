"""What the program knows of a file format: how files of it are known, read and written, and what they can hold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.io.common.options import UPS, Curves
from core.io.loaded import Loaded
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig

Reader = Callable[[Path, Any, Progress], Loaded]
Writer = Callable[[Project, Path, Any, Progress], ExportReport]


@dataclass(frozen=True, slots=True)
class Requirement:
    """An optional package, and the extra that installs it."""

    module: str
    extra: str

    @property
    def met(self) -> bool:
        """Whether it is installed."""
        return find_spec(self.module) is not None


@dataclass(frozen=True, slots=True)
class Size:
    """About how many bytes a file needs for a vertex, a triangle, a sample (of one channel of one frame), and a bone.

    Measured on the sample character and on shared files; good to a factor of about two.
    """

    vertex: float = 56.0
    triangle: float = 12.0
    sample: float = 7.0
    bone: float = 330.0


def never(head: bytes) -> bool:
    """For `Format.sniff` of formats that are not read."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One file format. All code that reads, writes, offers or describes files uses it instead of comparing suffixes.

    Parameters
    ----------
    id : short name in lower case
    title : shown in the interface
    suffixes : in lower case with the dot, the usual one first
    sniff : whether a file's first bytes look like this format
    read : ``(path, options, progress) -> Loaded``, or None
    write : ``(project, path, options, progress) -> ExportReport``, or None
    read_options, write_options : call without arguments for the defaults
    read_only : those of `suffixes` that are never written
    document : it holds a whole document (layers, keyed goals, pose assets …); for all others these are baked
    scene : it holds meshes, and several characters
    cameras : it holds cameras
    one_clip : it holds one clip of one character
    extras : it holds float curves, notifies and markers
    curves : it holds cubic keys; otherwise they are sampled
    angles : it holds Euler angles
    every_frame : it has a value on every frame, of every channel of every bone, and nothing between them
    whole_channels : channels by number of bones, where `every_frame`
    skin_alone : it gets a skin where there is no mesh, so that programs find the skeleton
    metres_y_up : it is in metres and +Y up by its own law
    exact_scale : it keeps scale as exactly as everything else, not with three digits
    up_axes : those that it can be written with
    out_of_process : its library keeps Python's lock for tenths of a second, so that a window writes it by a helper
    requires : what writing it needs
    beside : ``(path, project, options) -> paths`` of further files that are written with one; without a project
        those that do not depend on it
    read_back : ``(rig, options) -> read options`` of a file just written, where the file does not state unit and axes
    sizes : by suffix
    """

    id: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], bool] = never
    read: Reader | None = None
    write: Writer | None = None
    read_options: Callable[[], Any] | None = None
    write_options: Callable[[], Any] | None = None
    read_only: tuple[str, ...] = ()
    document: bool = False
    scene: bool = False
    cameras: bool = False
    one_clip: bool = False
    extras: bool = False
    curves: bool = False
    angles: bool = False
    every_frame: bool = False
    whole_channels: Callable[[int], int] = lambda bones: 10 * bones
    skin_alone: bool = False
    metres_y_up: bool = False
    up_axes: tuple[str, ...] = UPS
    exact_scale: bool = True
    out_of_process: bool = False
    requires: Requirement | None = None
    beside: Callable[[Path, Project | None, Any], tuple[Path, ...]] | None = None
    read_back: Callable[[Rig, Any], Any] | None = None
    sizes: Mapping[str, Size] = field(default_factory=dict)

    @property
    def can_read(self) -> bool:
        """Whether files of this format can be opened."""
        return self.read is not None

    @property
    def can_write(self) -> bool:
        """Whether files of this format can be written."""
        return self.write is not None

    @property
    def can_export(self) -> bool:
        """Whether files of this format are exported; a document is saved."""
        return self.can_write and not self.document

    @property
    def write_suffixes(self) -> tuple[str, ...]:
        """Suffixes that can be written, the usual one first."""
        return tuple(s for s in self.suffixes if s not in self.read_only) if self.can_write else ()

    @property
    def short(self) -> str:
        """Its name within a sentence."""
        return self.id.upper()

    def size(self, suffix: str) -> Size:
        """About how large its files are."""
        return self.sizes.get(suffix, Size())

    def default_options(self) -> Any:
        """The writer's settings where nothing is chosen; None where it has none."""
        return self.write_options() if self.write_options is not None else None

    def default_read_options(self) -> Any:
        """The reader's settings where nothing is chosen; None where it has none."""
        return self.read_options() if self.read_options is not None else None


def settings_in(options: Any) -> frozenset[str]:
    """Names of the settings that options have; none of None."""
    return frozenset(setting.name for setting in fields(options)) if options is not None else frozenset()


def writes_frames(options: Any) -> bool:
    """Whether a writer puts a key on every frame by itself."""
    return getattr(options, "curves", None) is Curves.FRAMES


def with_own_keys(options: Any) -> Any:
    """The options, so that the clip's own keys are written where the format has a choice."""
    return replace(options, curves=Curves.KEYS) if "curves" in settings_in(options) else options

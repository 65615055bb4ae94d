"""What is lost where an export replaces a file that is there."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.errors import AnimError, Cancelled
from core.io.registry import format_of, load
from core.progress import Progress
from core.project.project import Project
from core.rig.mesh import Mesh
from core.shot.camera import ShotCamera

MOST_NAMES = 4
ALL = "all that is in it now"


def held_by(path: Path, project: Project) -> Project:
    """The part of a project that a file of this name can hold."""
    found = format_of(path)
    if found is not None and not found.cameras:
        project = project.without(*(camera.id for camera in project.all(ShotCamera)))
    if found is None or found.scene:
        return project
    gone = {mesh.id for mesh in project.all(Mesh)}
    if found.one_clip:
        gone |= {clip.id for clip in project.clips[1:]} | {rig.id for rig in project.rigs[1:]}
    return project.without(*gone)


@dataclass(frozen=True, slots=True)
class Replacement:
    """What replacing a file changes, in words.

    Parameters
    ----------
    lost : what it holds and will hold no more
    clips : names of clips that it does not hold yet
    """

    lost: tuple[str, ...] = ()
    clips: tuple[str, ...] = ()


def lost_by_replacing(
    path: str | Path, written: Project, progress: Progress | None = None
) -> tuple[str, ...]:
    """See `replacement`: what is lost alone."""
    return replacement(path, written, progress).lost


def replacement(path: str | Path, written: Project, progress: Progress | None = None) -> Replacement:
    """What the file that is there holds and the one that replaces it will not, and the other way round.

    That is what this program does not take in from such a file (normal textures, cameras, extensions …), and
    what it does take in but `written` does not have: clips, meshes, bones, textures, morph targets.

    Parameters
    ----------
    path : the file that is to be replaced
    written : what will be written

    Returns
    -------
    Replacement
        Empty where there is no file, or nothing changes.
    """
    path = Path(path)
    if not path.is_file():
        return Replacement()
    known = format_of(path)
    if known is None or not known.can_read:
        return Replacement((ALL,))
    try:
        loaded = load(path, progress)
    except Cancelled:
        raise
    except AnimError as error:
        return Replacement((f"{ALL}, which could not be read ({' '.join(str(error).split())[:200]})",))
    old, new = loaded.project, held_by(path, written)
    lost = list(loaded.report.left_out)
    lost += _missing("clip", (clip.name for clip in old.clips), (clip.name for clip in new.clips))
    lost += _missing("mesh", (m.name for m in old.all(Mesh)), (m.name for m in new.all(Mesh)), "meshes")
    lost += _missing("camera", (c.name for c in old.all(ShotCamera)), (c.name for c in new.all(ShotCamera)))
    lost += _missing("bone", _bones(old), _bones(new))
    before, after = _amounts(old), _amounts(new)
    for kind, count in before.items():
        if count > after[kind]:
            lost.append(f"{count - after[kind]} of {count} {kind}" if after[kind] else f"{count} {kind}")
    there = {_plain(clip.name) for clip in old.clips}
    clips = tuple(clip.name for clip in new.clips if _plain(clip.name) not in there)
    return Replacement(tuple(dict.fromkeys(lost)), clips)


def _bones(project: Project) -> list[str]:
    return [name for rig in project.rigs for name in rig.skeleton.names]


def _missing(what: str, old: Iterable[str], new: Iterable[str], plural: str = "") -> list[str]:
    """Names that are missing now; the first of them are listed."""
    there = {_plain(name) for name in new}
    gone = [name for name in dict.fromkeys(old) if _plain(name) not in there]
    if not gone:
        return []
    names = ", ".join(repr(name) for name in gone[:MOST_NAMES]) + (" …" if len(gone) > MOST_NAMES else "")
    return [f"{what} {names}" if len(gone) == 1 else f"{len(gone)} {plural or what + 's'}: {names}"]


def _plain(name: str) -> str:
    """As formats with fewer letters spell it."""
    return re.sub(r"[^a-z0-9]", "_", name.lower())


def _amounts(project: Project) -> Counter[str]:
    """How many there are of what has no name of its own, or is a part of something."""
    found: Counter[str] = Counter()
    textures = set()
    for mesh in project.all(Mesh):
        found["sets of UVs"] += mesh.uvs is not None
        found["sets of vertex colours"] += mesh.colors is not None
        found["morph targets"] += len(mesh.morphs)
        textures |= {m.texture.data for m in mesh.materials if m.texture is not None}
    found["base colour textures"] = len(textures)
    for clip in project.clips:
        found["curves"] += len(clip.curves)
        found["notifies"] += len(clip.notifies)
        found["markers"] += len(clip.markers) + len(clip.sync_markers)
    for asset in project.assets.values():
        kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(asset).__name__).lower()
        if kind not in ("rig", "mesh", "clip"):
            found[f"{kind}s"] += 1
    return found

"""Reading a written file back and comparing it with what it should contain.

The file is read as any other program would read it: by the importer, which shares no code with the
writer beyond the layout of the format (FBX by ufbx and USD by OpenUSD, each in a process of its own),
and it is compared in metres and +Y up, so that wrong units or axes show, too.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.clips.clip import Clip
from core.errors import AnimError
from core.io.common.compare import ClipCheck, compared
from core.io.registry import format_of, load
from core.io.selfcheck_why import reason
from core.progress import Progress, nothing
from core.project.project import Project
from core.rig.rig import Rig


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """What reading back found.

    Parameters
    ----------
    checks : the rest pose, then each clip
    problems : what is missing or cannot be read; empty where all is there
    allowed_mm, allowed_degrees : up to which the file counts as good
    """

    checks: tuple[ClipCheck, ...]
    problems: tuple[str, ...]
    allowed_mm: float
    allowed_degrees: float

    @property
    def worst(self) -> ClipCheck | None:
        """The check with the largest distance."""
        return max(self.checks, key=lambda check: check.millimetres, default=None)

    @property
    def good(self) -> bool:
        """Whether everything is there and near enough."""
        near = all(
            c.millimetres <= self.allowed_mm and c.degrees <= self.allowed_degrees for c in self.checks
        )
        return bool(self.checks) and near and not self.problems

    def to_text(self) -> str:
        """Lines of text."""
        lines = [f"problem: {text}" for text in self.problems]
        lines += [check.to_text() for check in self.checks]
        return "\n".join(
            [*lines, "the file holds what it should" if self.good else "the file is NOT what it should be"]
        )


def check_file(
    path: str | Path,
    expected: Project,
    *,
    allowed: tuple[float, float] = (0.1, 0.05),
    clips: bool = True,
    rest: bool = True,
    between: bool = True,
    options: Any = None,
    progress: Progress | None = None,
) -> SelfCheck:
    """Read a file back and compare.

    Parameters
    ----------
    expected : what was written: its rigs and their clips
    allowed : millimetres and degrees up to which the file counts as good
    clips : False compares the rest pose only
    rest : False leaves it out (BVH cannot hold turned rest poses)
    between : whether to look between frames as well (BVH says nothing of what is there)
    options : the format's read options, for what a file cannot state (BVH: unit and up axis)
    """
    tell = progress or nothing()
    try:
        found = load(path, tell.part(0.0, 0.5), options=options).project
    except AnimError as error:
        return SelfCheck((), (f"it cannot be read back: {error}",), *allowed)
    problems: list[str] = []
    checks: list[ClipCheck] = []
    known = format_of(path)
    rounding = known.short if known is not None and not known.exact_scale else ""
    for number, rig in enumerate(expected.rigs):
        part = tell.part(
            0.5 + 0.5 * number / len(expected.rigs), 0.5 + 0.5 * (number + 1) / len(expected.rigs)
        )
        other = next((twin for twin in found.rigs if twin.name == rig.name), None)
        if other is None and number < len(found.rigs):
            other = found.rigs[number]
        if other is None:
            problems.append(f"rig {rig.name!r} is missing")
        else:
            pair = _Pair(expected, found, rig, other, problems, allowed, rounding)
            checks += pair.compared(clips, rest, between, part)
    return SelfCheck(tuple(checks), tuple(problems), *allowed)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A rig and its read-back counterpart; what is missing is added to `problems`."""

    expected: Project
    found: Project
    rig: Rig
    other: Rig
    problems: list[str]
    limits: tuple[float, float]
    rounding: str

    def compared(self, clips: bool, rest: bool, between: bool, tell: Progress) -> list[ClipCheck]:
        """The largest errors of the rest pose and of each clip."""
        pairs = _bones(self.rig, self.other, self.problems)
        if not pairs:
            self.problems.append("no bone has its name")
            return []
        self.problems.extend(_meshes(self.expected, self.found, self.rig, self.other))
        checks = [self._check(None, None, pairs, False)] if rest else []
        wanted = self.expected.clips_of(self.rig.id) if clips else ()
        held = {_plain(clip.name): clip for clip in self.found.clips_of(self.other.id)}
        for number, clip in enumerate(wanted):
            tell.report(number / len(wanted), f"comparing {clip.name}")
            twin = held.get(_plain(clip.name))
            if twin is None and len(wanted) == len(held) == 1:  # formats that name no clip
                twin = next(iter(held.values()))
            if twin is None:
                self.problems.append(f"clip {clip.name!r} is missing")
                continue
            checks.append(self._check(clip, twin, pairs, between))
            if abs(twin.length - clip.length) > 0.5 * clip.rate.frame:
                self.problems.append(
                    f"clip {clip.name!r} lasts {twin.length:g} s instead of {clip.length:g} s"
                )
        return checks

    def _check(
        self, clip: Clip | None, twin: Clip | None, pairs: list[tuple[int, int]], between: bool
    ) -> ClipCheck:
        """The largest errors of a clip or of the rest pose; and why, where they are too large."""
        name = clip.name if clip is not None else ""
        check = compared(name, self.rig, self.other, clip, twin, pairs, between)
        far, turned = check.millimetres / self.limits[0], check.degrees / self.limits[1]
        if max(far, turned) <= 1.0:
            return check
        why = reason(self.rig, self.other, clip, twin, pairs, check, turned > far, self.rounding)
        return replace(check, why=why)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "_", name.lower())


def _bones(rig: Rig, other: Rig, problems: list[str]) -> list[tuple[int, int]]:
    """Bones by name, else by the name as formats with fewer letters spell it."""
    exact = {name: bone for bone, name in enumerate(other.skeleton.names)}
    loose = {_plain(name): bone for name, bone in exact.items()}
    pairs = []
    for bone, name in enumerate(rig.skeleton.names):
        twin = exact.get(name, loose.get(_plain(name)))
        if twin is None:
            problems.append(f"bone {name!r} is missing")
        else:
            pairs.append((bone, twin))
    place = dict(pairs)
    for bone, twin in pairs:
        above, theirs = rig.skeleton.parent(bone), other.skeleton.parent(twin)
        if above >= 0 and place.get(above) != theirs:
            problems.append(f"bone {rig.skeleton.names[bone]!r} has another parent")
    return pairs


def _meshes(expected: Project, found: Project, rig: Rig, other: Rig) -> list[str]:
    """Whether what meshes there are have their triangles."""
    theirs = {_plain(mesh.name): mesh for mesh in found.meshes_of(other.id)}
    problems = []
    for mesh in expected.meshes_of(rig.id) if theirs else ():
        twin = theirs.get(_plain(mesh.name))
        if twin is not None and len(twin.triangles) != len(mesh.triangles):
            problems.append(
                f"mesh {mesh.name!r} has {len(twin.triangles)} triangles instead of {len(mesh.triangles)}"
            )
    return problems

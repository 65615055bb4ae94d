"""Opening a compiled clip as a project: its skeleton, and its motion with a key on every tick."""

import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.clips.bake import bake
from core.clips.clip import (
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Clip,
    Marker,
    Notify,
    RootMotion,
    RootPose,
    SyncMarker,
)
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.player import CompiledPlayer
from core.clips.compiled.unpack import from_bytes
from core.clips.notifies import rule_from
from core.errors import AnimError, FormatError
from core.ids import new_id
from core.io.common.naming import stem_of
from core.io.common.opening import open_regular
from core.io.loaded import Loaded
from core.io.report import ImportReport
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig
from core.timing import FrameRate
from core.tracks.keys import Interpolation, scalar_track


def read_compiled(path: Path) -> CompiledClip:
    """A compiled clip from a file, mapped into memory while it is read.

    Raises
    ------
    FormatError
        Naming the offset of what is wrong.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size == 0:
            return from_bytes(b"", path)
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return from_bytes(bytes(mapped), path)


def read(path: Path, progress: Progress) -> Loaded:
    """Read a file (the contract of `core.io.builtin`)."""
    compiled = read_compiled(path)
    progress.report(0.5, "decompressing")
    rig = Rig(new_id("rig"), str(compiled.about.get("rig") or stem_of(path)), compiled.skeleton)
    try:
        clip = _clip(compiled, rig)
    except (AnimError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
        raise FormatError(path, "byte 160", f"section ABOUT: {type(error).__name__}: {error}") from error
    report = ImportReport(
        "Compiled clip", frames=round(clip.frames) + 1, rate=clip.rate.fps, duration=clip.length
    )
    report.warn("a compiled clip is decompressed to a straight key on every tick; keep the editable file")
    return Loaded(Project().with_assets(rig, clip), report)


def _clip(compiled: CompiledClip, rig: Rig) -> Clip:
    about: Mapping[str, Any] = compiled.about
    axis = np.array(compiled.axis)
    local, extras = CompiledPlayer(compiled).poses(axis)
    linear = Interpolation.LINEAR
    columns = {
        name: scalar_track(axis, np.array(extras[:, number]), interpolations=linear)
        for number, name in enumerate(compiled.extras)
    }
    curves = tuple(about.get("curves", ()))
    rate = about.get("rate", [30, 1])
    motion = about.get("root_motion")
    additive = about.get("additive")
    return Clip(
        new_id("clip"),
        str(about.get("name", "")),
        rig.id,
        float(about["length"]),
        FrameRate.of(f"{int(rate[0])}/{int(rate[1])}"),
        bool(about.get("looping", False)),
        bake(rig.skeleton, axis, local, rest_tolerance=1e-12),
        {name: columns[name] for name in curves},
        {name: columns[name] for name in about.get("morphs", ())},
        tuple(_notify(*parts) for parts in about.get("notifies", ())),
        tuple(SyncMarker(str(n), float(t)) for n, t in about.get("sync_markers", ())),
        tuple(Marker(str(n), float(t)) for n, t in about.get("markers", ())),
        None if additive is None else _additive(additive),
        RootMotion() if motion is None else _root_motion(motion),
    )


def _notify(
    name: str,
    time: float,
    duration: float,
    data: Mapping[str, str],
    rule: Mapping[str, Any] | None = None,
    lane: str = "",
) -> Notify:
    return Notify(str(name), float(time), float(duration), dict(data), rule_from(rule or {}), str(lane))


def _additive(about: Mapping[str, Any]) -> Additive:
    base = AdditiveBase(about["base"])
    return Additive(AdditiveSpace(about["space"]), base, None, float(about.get("time", 0.0)))


def _root_motion(about: Mapping[str, Any]) -> RootMotion:
    return RootMotion(
        True, about["bone"], bool(about["ground"]), bool(about["height"]), bool(about["yaw"]),
        RootPose(about["pose"]),
    )  # fmt: skip

"""Sampled clips as tables: ``.csv`` for spreadsheets, ``.npz`` for numpy.

CSV: one row a frame and bone (``clip,frame,time,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz``), in local or model
space, metres, unit quaternions; curves and morph weights have rows of their own with the value in ``tx``.
NPZ: for each clip ``NUMBER/times (T,)``, ``translations (T, B, 3)``, ``rotations (T, B, 4)``, ``scales (T, B, 3)``
and ``curve/NAME (T,)``; ``bones``, ``parents``, ``clips``.
"""

import csv
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.errors import ValidationError
from core.ids import AssetId
from core.io.common.atomic import write_atomic
from core.io.common.compare import frames_of
from core.io.prepare.selection import chosen_clips, chosen_rig
from core.io.report import ExportReport
from core.math import quat
from core.math.transform import Transform, from_matrix
from core.pose.kinematics import model_matrices
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig
from core.timing import FrameRate

MOST_ROWS = 20_000_000
FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""What a zip file calls no time at all; so equal projects give equal bytes."""


@dataclass(frozen=True, slots=True)
class TableWriteOptions:
    """How to write.

    Parameters
    ----------
    rig, clips : None is the project's first, and all of its clips
    space : ``local`` or ``model``
    rate : frames a second; None is each clip's own
    """

    rig: AssetId | None = None
    clips: tuple[AssetId, ...] | None = None
    space: str = "local"
    rate: float | None = None

    def __post_init__(self) -> None:
        if self.space not in ("local", "model"):
            raise ValidationError(f"space: expected local or model, got {self.space!r}")


def write(project: Project, path: Path, options: TableWriteOptions, progress: Progress) -> ExportReport:
    """Write the chosen clips, sampled on every frame.

    Raises
    ------
    ValidationError
        There is no rig, or the table would have more than `MOST_ROWS` rows.
    """
    rig = chosen_rig(project, options.rig)
    chosen = chosen_clips(project, rig, options.clips)
    report = ExportReport("table")
    sampled = []
    rows = 0
    for number, clip in enumerate(chosen):
        progress.report(0.8 * number / len(chosen), f"sampling {clip.name}")
        rate = clip.rate.fps if options.rate is None else FrameRate.of(options.rate).fps
        rows += int(clip.length * rate + 1) * len(rig.skeleton)
        if rows > MOST_ROWS:
            raise ValidationError(f"clip {clip.name!r}: {rows} rows are too many for a table")
        sampled.append(_sampled(rig, clip, options))
        report.sampled.append(f"clip {clip.name!r}: a row on every frame")
    if project.meshes_of(rig.id):
        report.leave_out("meshes")
    progress.report(0.9, f"writing {path.name}")
    data = _npz(rig, sampled) if path.suffix.lower() == ".npz" else _csv(rig, sampled)
    write_atomic(path, data)
    return report


@dataclass(frozen=True, slots=True, eq=False)
class _Sampled:
    name: str
    times: Any
    parts: Transform
    curves: dict[str, Any]


def _sampled(rig: Rig, clip: Clip, options: TableWriteOptions) -> _Sampled:
    times = frames_of(clip)
    if options.rate is not None:
        frame = FrameRate.of(options.rate)
        times = np.array([frame.to_seconds(n) for n in range(int(clip.length * frame.fps + 1e-6) + 1)])
    batch = ClipEvaluator(rig, clip).sample_many(times, wrap=False)
    parts = batch.local
    if options.space == "model":
        parts = from_matrix(model_matrices(rig.skeleton, parts))
    turned = quat.continuous(parts.rotation)
    curves = {**batch.curves, **{f"morph {name}": batch.morphs[name] for name in clip.morphs}}
    return _Sampled(clip.name, times, Transform(parts.translation, turned, parts.scale), curves)


def _csv(rig: Rig, clips: list[_Sampled]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    columns = "tx ty tz qx qy qz qw sx sy sz".split()
    writer.writerow(["clip", "frame", "time", "bone", *columns])
    for clip in clips:
        table = np.concatenate(clip.parts, axis=2)
        for row, time in enumerate(clip.times.tolist()):
            for bone, name in enumerate(rig.skeleton.names):
                values = [format(value, ".9g") for value in table[row, bone].tolist()]
                writer.writerow([clip.name, row, format(time, ".9g"), name, *values])
            for name, curve in clip.curves.items():
                writer.writerow([clip.name, row, format(time, ".9g"), name, format(curve[row], ".9g")])
    return out.getvalue().encode("utf-8", "replace")


def _npz(rig: Rig, clips: list[_Sampled]) -> bytes:
    arrays: dict[str, Any] = {
        "bones": np.array(rig.skeleton.names),
        "parents": np.asarray(rig.skeleton.parents),
        "clips": np.array([clip.name for clip in clips]),
    }
    for number, clip in enumerate(clips):
        arrays[f"{number}/times"] = clip.times
        for name, part in zip(("translations", "rotations", "scales"), clip.parts, strict=True):
            arrays[f"{number}/{name}"] = part
        arrays |= {f"{number}/curve/{name.replace('/', '|')}": values for name, values in clip.curves.items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            data = io.BytesIO()
            np.lib.format.write_array(data, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(entry, data.getvalue())
    return out.getvalue()

"""What a retargeted clip came out like, in figures and as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.retarget.align import tip_bones
from core.retarget.chain_map import Part
from core.retarget.contacts import ContactSpan
from core.retarget.lock import Slip
from core.retarget.transfer import Binding


@dataclass(frozen=True, slots=True)
class ClipReport:
    """One clip of a batch.

    Parameters
    ----------
    source, clip : file or rig, and name
    frames, chains : how many
    scale : metres of the target to one of the source
    slip : of standing feet; None where they were not held
    deviation : degrees of the limb bone that points farthest from where the source's points, and its name
    seconds : time taken
    failure : why there is no result, or ""
    notes : what a person should know
    contacts : when feet (and hands) of the source stand, in frames
    """

    source: str
    clip: str
    frames: int = 0
    chains: int = 0
    scale: float = 1.0
    slip: Slip | None = None
    deviation: tuple[float, str] = (0.0, "")
    seconds: float = 0.0
    failure: str = ""
    notes: tuple[str, ...] = ()
    contacts: tuple[ContactSpan, ...] = ()


SAME = 1e-6
"""Degrees: bones that are so alike are told apart by rounding only, and the first is named on every machine."""


def worst_deviation(binding: Binding, source: Transform, local: Transform) -> tuple[float, str]:
    """Largest angle in degrees between limb bones of both figures over all frames, and the target's bone.

    Only arms and legs of equal counts are compared, from poses of both ``(T, B, k)``; without any the name is empty.
    """
    places = [
        kinematics.to_model(s, pose).translation
        for s, pose in ((binding.source, source), (binding.target, local))
    ]
    worst, name = -1.0, ""
    for pair in binding.chains.chains:
        if pair.part not in (Part.ARM, Part.LEG) or len(pair.source) != len(pair.target):
            continue
        for a, b in zip(pair.source, pair.target, strict=True):
            spans = [
                _span(binding, at, bone, is_source)
                for at, bone, is_source in ((places[0], a, True), (places[1], b, False))
            ]
            if spans[0] is None or spans[1] is None:
                continue
            arcs = quat.shortest_arc(quat.rotate(binding.alignment.heading, spans[0]), spans[1])
            angle = float(np.degrees(quat.angle_between(quat.IDENTITY, arcs).max(initial=0.0)))
            if angle > worst + SAME:
                worst, name = angle, b
    return max(worst, 0.0), name


def _span(binding: Binding, places: FloatArray, name: str, is_source: bool) -> FloatArray | None:
    skeleton = binding.source if is_source else binding.target
    bone = skeleton.index(name)
    ends = tip_bones(skeleton, binding.chains, bone, is_source)
    return None if not len(ends) else np.asarray(places[:, ends].mean(axis=1) - places[:, bone])


COLUMNS = (
    ("frames", "of the clip"),
    ("chains", "of the map"),
    ("scale", "metres of the target to one of the source"),
    ("contacts", "how often feet (and hands) stand"),
    ("slip mm", "how far one slides meanwhile on average, as the rotations alone put it"),
    ("held mm", "the same once it is held"),
    ("off °", "largest angle between a limb of the source and the target's"),
    ("s/1000", "seconds it took for 1000 frames"),
)
"""Columns of `table` after source and clip, and what they say."""


def legend() -> str:
    """What the columns of `table` say, a line each."""
    width = max(len(name) for name, _ in COLUMNS)
    return "\n".join(f"  {name.ljust(width)}  {text}" for name, text in COLUMNS)


def name_of(clip: str, file: str | Path | None, count: int) -> str:
    """What a retargeted clip is called: as its file where that holds no other, for programs call many alike.

    Parameters
    ----------
    clip : its own name
    file : that it came from; None where there is none
    count : clips of the file
    """
    return Path(file).stem if file is not None and count == 1 else clip


def table(reports: Sequence[ClipReport]) -> str:
    """The reports as one table of text, a line each, failures told at their line."""
    head = ("source", "clip", *(name for name, _ in COLUMNS))
    rows: list[tuple[str, ...]] = [head]
    for report in reports:
        if report.failure:
            rows.append((report.source, report.clip, f"failed: {report.failure}"))
            continue
        slip = report.slip
        held = (
            ("–", "–", "–")
            if slip is None
            else (str(slip.contacts), f"{slip.before:.1f}", f"{slip.after:.1f}")
        )
        each = report.seconds / max(report.frames, 1) * 1000.0
        counts = (str(report.frames), str(report.chains), f"{report.scale:.3f}")
        rows.append((report.source, report.clip, *counts, *held, f"{report.deviation[0]:.1f}", f"{each:.2f}"))
    widths = [max(len(r[c]) for r in rows if len(r) == len(head)) for c in range(len(head))]
    for column in (0, 1):
        widths[column] = max(len(r[column]) for r in rows)
    lines = []
    for row in rows:
        left = [row[c].ljust(widths[c]) for c in (0, 1)]
        rest = [row[2]] if len(row) == 3 else [v.rjust(w) for v, w in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join((*left, *rest)).rstrip())
    return "\n".join(lines)

"""The compile panel without Qt: the report as rows, bones sorted, one bone's error over time."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from core.arrays import FloatArray
from editor.model.compile_state import Compiling
from editor.model.compile_work import Compiled
from editor.model.i18n import tr, trn
from editor.model.session import Session

STEPS = {
    "moving channels, one 32-bit value per frame": "Every frame",
    "the keys kept, with slopes and times, as 32-bit floats": "Keys kept",
    "the same keys in fewer bits": "Fewer bits",
}
"""Short names of the report's steps."""


class Column(IntEnum):
    """What the table of bones is sorted by."""

    BONE = 0
    ERROR = 1
    FRAME = 2


@dataclass(frozen=True, slots=True)
class BoneRow:
    """One bone.

    Parameters
    ----------
    share : its largest error as a share of the bound
    frame, time : when that is
    """

    name: str
    millimetres: float
    share: float
    frame: float
    time: float


@dataclass(frozen=True, slots=True)
class StepRow:
    """Bytes of the motion after one step; the first row is the raw clip."""

    title: str
    size: int
    tip: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The report in words.

    Parameters
    ----------
    holds : whether the bound is kept everywhere
    note : what is to be known of it (the clip has changed since), or ""
    """

    ratio: str
    sizes: str
    sizes_tip: str
    largest: str
    mean: str
    holds: bool
    note: str


@dataclass(frozen=True, slots=True, eq=False)
class BoneGraph:
    """One bone's error: frames ``(S,)``, millimetres ``(S,)``, and the bound."""

    bone: str
    frames: FloatArray
    millimetres: FloatArray
    bound: float


class CompileModel:
    """Reads what the session compiled; a click on a bone selects it and goes to where it is off the most."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.column, self.descending = Column.ERROR, True

    @property
    def result(self) -> Compiled | None:
        """What came of the clip shown."""
        return self.session.feature(Compiling).result

    # ------------------------------------------------------------ report
    def summary(self) -> Summary | None:
        """The report of the clip shown."""
        result = self.result
        if result is None:
            return None
        report, clip = result.report, result.order.clip
        most, largest = result.errors.largest, ""
        if len(most):
            bone = int(np.argmax(most))
            largest = tr(
                "largest error {mm} mm · {bone} · frame {frame}",
                mm=f"{most[bone] * 1e3:.4f}",
                bone=result.clip.skeleton.names[bone],
                frame=_frame(clip.rate.to_frame(float(result.errors.moments[bone]))),
            )
        rounds = trn("{count} round", "{count} rounds", report.rounds)
        stale = result is not self.session.feature(Compiling).fresh
        return Summary(
            f"{report.ratio:.1f} : 1",
            f"{size_text(report.raw)} → {size_text(report.motion)}",
            tr(
                "The file has {size} with names and skeleton ({ratio} : 1).\n"
                "Raw is ten 32-bit numbers for each bone and frame.",
                size=size_text(report.file),
                ratio=f"{report.file_ratio:.1f}",
            ),
            largest,
            tr(
                "mean {mm} mm · random times {random} mm · checked at {count} · {s} s, {rounds}",
                random=f"{report.random * 1e3:.4f}",
                count=f"{report.checked:,}",
                mm=f"{report.mean * 1e3:.4f}",
                s=f"{report.seconds:.2f}",
                rounds=rounds,
            ),
            result.holds,
            tr("The clip has changed since: compile it again") if stale else "",
        )

    def steps(self) -> tuple[StepRow, ...]:
        """What each step left over, the raw clip first."""
        result = self.result
        if result is None:
            return ()
        rows = [StepRow(tr("Raw"), result.report.raw, tr("Ten 32-bit numbers per bone and frame"))]
        for step, size in result.report.steps:
            change = size - rows[-1].size
            share = 100.0 * abs(change) / max(rows[-1].size, 1)
            if change > 0:
                tip = tr(
                    "{step}: adds {size} (times and slopes of keys)",
                    step=step,
                    size=size_text(change),
                )
            else:
                tip = tr(
                    "{step}: saves {size} ({share} %)",
                    step=step,
                    size=size_text(-change),
                    share=f"{share:.0f}",
                )
            rows.append(StepRow(tr(STEPS.get(step, step)), size, tip))
        return tuple(rows)

    # ------------------------------------------------------------ bones
    def rows(self) -> tuple[BoneRow, ...]:
        """Bones in the order chosen."""
        result = self.result
        if result is None:
            return ()
        rate, most = result.order.clip.rate, result.errors.largest
        rows = [
            BoneRow(
                name, float(mm) * 1e3, float(mm) / result.options.metres, rate.to_frame(float(at)), float(at)
            )
            for name, mm, at in zip(result.clip.skeleton.names, most, result.errors.moments, strict=True)
        ]
        if self.column is Column.BONE:
            rows.sort(key=lambda row: row.name.casefold(), reverse=self.descending)
        elif self.column is Column.ERROR:
            rows.sort(key=lambda row: row.millimetres, reverse=self.descending)
        else:
            rows.sort(key=lambda row: row.frame, reverse=self.descending)
        return tuple(rows)

    def sort(self, column: Column, descending: bool) -> None:
        """Choose the order of `rows`."""
        self.column, self.descending = column, descending

    def pick(self, row: BoneRow) -> None:
        """Select a bone and go to the moment at which it is off the most."""
        self.session.playback.pause()
        self.session.selection.select([row.name])
        self.session.playback.seek(row.time)

    @property
    def bone(self) -> str | None:
        """The bone whose error is drawn: the active one, else the one that is off the most."""
        result = self.result
        if result is None or not len(result.clip.skeleton):
            return None
        active = self.session.selection.active
        names = result.clip.skeleton.names
        return active if active in names else names[int(np.argmax(result.errors.largest))]

    def graph(self) -> BoneGraph | None:
        """Error over time of `bone`."""
        result, bone = self.result, self.bone
        if result is None or bone is None:
            return None
        column = result.clip.skeleton.index(bone)
        return BoneGraph(
            bone,
            result.errors.times * result.order.clip.rate.fps,
            result.errors.metres[:, column].astype(np.float64) * 1e3,
            result.options.metres * 1e3,
        )

    def go_to_frame(self, frame: float) -> None:
        """Go to a frame of the clip shown, within it."""
        playback = self.session.playback
        if playback.shown is not None:
            playback.seek(min(max(playback.rate.to_seconds(frame), 0.0), playback.shown.length))


def size_text(size: int) -> str:
    """Bytes in words."""
    if size < 1000:
        return trn("{count} byte", "{count} bytes", size)
    if size < 1_000_000:
        return f"{size / 1e3:.1f} kB"
    return f"{size / 1e6:.2f} MB"


def _frame(frame: float) -> str:
    return f"{frame:.1f}".removesuffix(".0")

"""What the retarget panel says: rows of the map, what is left out, the report. Free of Qt."""

from dataclasses import dataclass

from core.errors import AnimError
from core.retarget.report import ClipReport
from core.rig.rig import Rig
from editor.model.i18n import sentence, tr, trn
from editor.model.retarget.maps import text_of
from editor.model.retarget.state import Retargeting
from editor.model.session import Session

SURE, UNSURE = 0.9, 0.7
UNITS = ((0.01, "centimetres"), (0.0254, "inches"), (0.001, "millimetres"), (0.3048, "feet"), (1.0, "metres"))


@dataclass(frozen=True, slots=True)
class Row:
    """One chain of the map.

    Parameters
    ----------
    source, target : bones as they are written
    confidence : 0..1
    degrees : how far the source's rest was turned to agree with the target's; None before a result
    """

    name: str
    source: str
    target: str
    confidence: float
    degrees: float | None

    @property
    def sure(self) -> str:
        """How sure the row is, as a token of the theme."""
        return "ok" if self.confidence >= SURE else "warning" if self.confidence >= UNSURE else "error"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the report: what, how much, and a token of the theme."""

    label: str
    value: str
    token: str = "text"
    tip: str = ""


class RetargetView:
    """Reads the session's retargeting for the panel."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.state = session.feature(Retargeting)

    def rows(self) -> tuple[Row, ...]:
        """The map's chains."""
        chains, result = self.state.subject.chains, self.state.computation.result
        if chains is None:
            return ()
        turned = result.binding.alignment.deviation if result is not None else {}
        return tuple(
            Row(p.name, text_of(p.source), text_of(p.target), p.confidence, turned.get(p.name))
            for p in chains.chains
        )

    def about(self) -> str:
        """Units, axes, size and rate of the source, in one line."""
        source, clip, result = (
            self.state.subject.source,
            self.state.subject.clip,
            self.state.computation.result,
        )
        if source is None or clip is None:
            return ""
        words = [
            trn("{count} bone", "{count} bones", len(source.rig.skeleton)),
            trn(
                "{count} frame at {rate} fps",
                "{count} frames at {rate} fps",
                round(clip.frames),
                rate=f"{clip.rate.fps:g}",
            ),
            f"{units_of(source.rig)}, {axes_of(source.rig)}",
        ]
        if result is not None:
            words.append(tr("scaled × {scale}", scale=f"{result.binding.scale:.3g}"))
        return " · ".join(words)

    def left_out(self) -> tuple[str, str]:
        """What no chain holds, in short and in full."""
        chains = self.state.subject.chains
        if chains is None:
            return "", ""
        counts = tr(
            "Left out: {source} of the source, {target} of the target",
            source=len(chains.source_left), target=len(chains.target_left),
        )  # fmt: skip
        whole = tr("Source: {names}", names=text_of(chains.source_left) or tr("none"))
        return counts, whole + "\n" + tr("Target: {names}", names=text_of(chains.target_left) or tr("none"))

    def notes(self) -> str:
        """What a person should know of the map."""
        chains = self.state.subject.chains
        return "\n".join(sentence(note) for note in chains.notes) if chains is not None else ""

    def contacts(self) -> str:
        """How many contacts are held."""
        spans = {(s.limb, s.first, s.last) for s in self.state.computation.spans}
        if not spans:
            return tr("No contacts") if self.state.computation.result is not None else ""
        text = trn("{count} contact", "{count} contacts", len(spans))
        return text + (tr(", edited") if self.state.subject.spans_edited else tr(" found"))

    def report(self) -> tuple[Line, ...]:
        """The newest result in lines."""
        result = self.state.computation.result
        if result is None:
            return ()
        return lines_of(result.report)

    def table(self) -> tuple[tuple[str, str, str], ...]:
        """Clips put into the document last: name, outcome, token of the theme."""
        return tuple(_outcome(report) for report in self.state.outcome.reports)

    def write(self, chain: str, side: str, text: str) -> None:
        """Give a chain the bones written; what is wrong with them is said."""
        try:
            self.state.edits.write_bones(chain, side, text)
        except AnimError as error:
            self.session.messages.warn(sentence(str(error)))


def lines_of(report: ClipReport) -> tuple[Line, ...]:
    """A report in lines."""
    lines: list[Line] = []
    if report.slip is not None and report.slip.contacts:
        slip = report.slip
        better = slip.after <= slip.before
        lines.append(
            Line(
                tr("Slip of a contact"), f"{slip.before:.1f} → {slip.after:.1f} mm", "ok" if better else "warning",
                tr("How far planted feet slide on average, before and after foot locking; the worst slides {mm} mm",
                   mm=f"{slip.worst_after:.1f}"),
            )
        )  # fmt: skip
        lines += [
            Line(
                trn("{limb}, {count} contact", "{limb}, {count} contacts", limb.contacts, limb=limb.limb),
                f"{limb.before:.1f} → {limb.after:.1f} mm", "dim",
            )
            for limb in slip.limbs
        ]  # fmt: skip
        if slip.drop > 1e-4:
            lines.append(Line(tr("Hips lowered by up to"), f"{slip.drop * 1000:.0f} mm", "dim"))
    degrees, bone = report.deviation
    if bone:
        lines.append(
            Line(
                tr("Largest deviation"), f"{bone}  {degrees:.1f}°", "text" if degrees < 45.0 else "warning",
                tr("The largest angle between a limb bone and the source's, over all frames"),
            )
        )  # fmt: skip
    took = f"{report.seconds:.2f} s · " + trn("{count} frame", "{count} frames", report.frames)
    lines.append(Line(tr("Computed in"), took, "dim"))
    return tuple(lines) + tuple(Line("", sentence(note), "dim") for note in report.notes)


def _outcome(report: ClipReport) -> tuple[str, str, str]:
    if report.failure:
        return report.clip, report.failure, "error"
    slip = report.slip
    words = f"{slip.before:.1f} → {slip.after:.1f} mm  ·  " if slip is not None and slip.contacts else ""
    return report.clip, f"{words}{report.deviation[0]:.0f}°", "text"


OUTCOME = (
    "How far standing feet slide on average before and after they are held, where there are contacts;\n"
    "and the largest angle between a limb of the source and the target's"
)
"""What the figures of the clips put into the document say."""


def units_of(rig: Rig) -> str:
    """The unit of the file a rig came from, in words."""
    metres = rig.source.metres_per_unit
    named = next((word for size, word in UNITS if abs(metres / size - 1.0) < 1e-3), "")
    return tr(named) if named else tr("{metres} m per unit", metres=f"{metres:.4g}")


def axes_of(rig: Rig) -> str:
    """Which axis of the file points up."""
    x, y, z, w = (float(v) for v in rig.source.to_y_up)
    # the file's direction that is turned to +Y: the middle row of the rotation's matrix
    up = (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w))
    axis = max(range(3), key=lambda k: abs(up[k]))
    return tr("{axis} up", axis=("-" if up[axis] < 0.0 else "") + "XYZ"[axis])

"""What an import found, guessed and left out; what an export could not say."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


def left_out_line(parts: Sequence[str]) -> list[str]:
    """What was left out as one line, or none where nothing was: ``left out: normal textures, 2 UV sets``."""
    return [f"left out: {', '.join(parts)}"] if parts else []


@dataclass(slots=True)
class ImportReport:
    """What opening a file found. Readers fill it in while they read.

    Parameters
    ----------
    format : title of the format
    producer : program that wrote the file, as the file says
    frames : number of frames of the longest clip
    rate : frames a second of that clip
    duration : its seconds
    rate_guessed : whether the rate was inferred from the spacing of keys
    unit : the file's unit, such as ``centimetre``
    unit_guessed : whether the unit was guessed by the size of the character
    up_axis : ``+Y``, ``+Z`` …
    up_axis_guessed : whether the up axis was guessed by the pose
    characters : names of the rigs that were found, the one or the several of which a choice can be made
    renamed : name in the file → name of the bone, where they had to differ
    left_out : what the file holds and was not imported
    warnings : what was repaired or looks wrong
    cleared : references of a document that led nowhere and were cleared; it differs from its file by these
    """

    format: str
    producer: str = ""
    frames: int = 0
    rate: float = 0.0
    duration: float = 0.0
    rate_guessed: bool = False
    unit: str = "metre"
    unit_guessed: bool = False
    up_axis: str = "+Y"
    up_axis_guessed: bool = False
    characters: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)

    def warn(self, text: str) -> None:
        """Add a warning once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def leave_out(self, text: str) -> None:
        """Add something left out, once."""
        if text not in self.left_out:
            self.left_out.append(text)

    def to_json(self) -> dict[str, Any]:
        """Plain values for ``json.dumps``."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]

    def to_text(self) -> str:
        """A few lines of text."""
        lines = [f"format: {self.format}" + (f" ({self.producer})" if self.producer else "")]
        if self.frames:
            guess = " (guessed from the keys)" if self.rate_guessed else ""
            lines.append(f"frames: {self.frames} at {self.rate:g} a second{guess}, {self.duration:.4g} s")
        lines.append(f"unit: {self.unit}" + (" (guessed from the size)" if self.unit_guessed else ""))
        lines.append(f"up: {self.up_axis}" + (" (guessed from the pose)" if self.up_axis_guessed else ""))
        if len(self.characters) > 1:
            lines.append(f"characters: {', '.join(self.characters)}")
        lines += [f"renamed: {old!r} is bone {new!r}" for old, new in self.renamed]
        lines += left_out_line(self.left_out)
        lines += [f"warning: {text}" for text in [*self.cleared, *self.warnings]]
        return "\n".join(lines)


@dataclass(slots=True)
class ExportReport:
    """What a format could not hold, or holds only by sampling.

    Parameters
    ----------
    left_out : parts of the project that the file does not hold
    sampled : clips or channels that were sampled because the format cannot express their curves
    warnings : anything else to know
    """

    format: str
    left_out: list[str] = field(default_factory=list)
    sampled: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def leave_out(self, text: str) -> None:
        """Add something left out, once."""
        if text not in self.left_out:
            self.left_out.append(text)

    def to_json(self) -> dict[str, Any]:
        """Plain values for ``json.dumps``."""
        return asdict(self)

    def to_text(self) -> str:
        """A few lines of text; empty when there is nothing to report."""
        lines = left_out_line(self.left_out)
        lines += [f"sampled: {text}" for text in self.sampled]
        lines += [f"warning: {text}" for text in self.warnings]
        return "\n".join(lines)

"""What to do while compiling a clip, and the report of what it did."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError

RANDOM = 1000
"""Random times at which every compiled clip is measured."""


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """Steps of compiling a clip; each can be turned off.

    Parameters
    ----------
    metres : allowed distance in model space at every bone and shell point
    shell : metres from each bone to the three points at which its turning is measured (1.0 for props)
    rate : frames per second to resample to first; None keeps key times
    drop_still : leave out what stays in the rest pose, and keep one value of what never moves
    reduce_keys : leave out keys that lines or cubics reproduce
    cubic : allow cubic keys beside straight ones
    quantise : few bits for each number; without it all take 24
    """

    metres: float = 1e-4
    shell: float = 0.03
    rate: float | None = None
    drop_still: bool = True
    reduce_keys: bool = True
    cubic: bool = True
    quantise: bool = True

    def __post_init__(self) -> None:
        if not 1e-6 <= self.metres < 1e3:
            raise ValidationError(
                f"compile: expected an error of 0.001 mm or more, got {self.metres * 1e3} mm"
            )
        if not 0.0 < self.shell < 1e3:
            raise ValidationError(f"compile: expected a shell distance above 0 m, got {self.shell}")


class Saved(NamedTuple):
    """One step: its name, and the bytes of the motion after it."""

    step: str
    size: int


@dataclass(frozen=True, slots=True)
class CompileReport:
    """What compiling a clip gave.

    Parameters
    ----------
    raw : bytes of ten float32 a bone a frame
    motion : bytes of the tracks and the time axis
    file : bytes of the whole file, with names, skeleton and settings
    largest, mean : metres between points of the compiled clip and where the original has them, at all
        times that were checked
    bone, time : where and when the largest is
    seconds : time taken
    rounds : how often tracks were fitted again to hold the bound
    steps : what the motion would take with each step alone, as float32; then with all of them
    times : ``(T,)`` seconds at which the result was measured: keys of the original and of the compiled clip,
        three places between any two neighbours of either (nine of curved motion), and 1,000 random times
    random : the largest distance at the random times
    """

    raw: int
    motion: int
    file: int
    largest: float
    mean: float
    bone: str
    time: float
    seconds: float
    rounds: int
    steps: tuple[Saved, ...]
    times: FloatArray = field(default_factory=lambda: np.zeros(0), compare=False, repr=False)
    random: float = 0.0

    @property
    def checked(self) -> int:
        """At how many times it was measured."""
        return len(self.times)

    @property
    def ratio(self) -> float:
        """Raw bytes to motion bytes."""
        return self.raw / max(self.motion, 1)

    @property
    def file_ratio(self) -> float:
        """Raw bytes to bytes of the file."""
        return self.raw / max(self.file, 1)

    def to_text(self) -> str:
        """A few lines of text."""
        lines = [
            f"{self.raw} bytes raw, {self.motion} compiled ({self.ratio:.1f} : 1), "
            f"{self.file} with names and skeleton ({self.file_ratio:.1f} : 1)",
            f"error at most {self.largest * 1e3:.4f} mm ({self.bone} at {self.time:.4f} s), "
            f"{self.mean * 1e3:.4f} mm on average",
            f"checked at {self.checked:,} times: keys, places between them, and {RANDOM:,} random times, "
            f"at these at most {self.random * 1e3:.4f} mm",
            f"{self.seconds:.2f} s, {self.rounds} {'round' if self.rounds == 1 else 'rounds'}",
        ]
        lines += [f"  {step}: {size} bytes" for step, size in self.steps]
        return "\n".join(lines)

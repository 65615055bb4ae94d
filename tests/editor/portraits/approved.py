"""Texts that a person has read and approved, and what differs from them; pixels are compared with tolerance.

    POSEWRIGHT_APPROVE=1 python -m pytest tests/editor/portraits     # writes them again after a wanted change

Read the difference that git shows before a commit, as one reads code: is this tip true, should this be enabled?
"""

import difflib
import os
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).with_name("approved")
PLACE = re.compile(r"@(-?[\d.]+(?:,-?[\d.]+)*)")
NEAR = 2.0
"""Pixels by which places may differ: fonts and styles round differently."""
NUMBER = re.compile(r"-?\d+\.\d+")
ROUNDED = 1e-3
"""Share by which numbers may differ at most, and only by one in their last digit: a half is rounded to either side."""
APPROVE = "POSEWRIGHT_APPROVE"
SITTINGS = 3
FOLDERS = ("POSEWRIGHT_CONFIG_DIR", "POSEWRIGHT_DATA_DIR")


UNSTEADY = (
    (re.compile(r"-[0-9a-f]{12}\b"), "-made"),  # ids that are made anew
    (re.compile(r"\b\d+\.\d\d s\b"), "# s"),  # how long something took
    (re.compile(r"(?<![\w.])-(0(?:\.0+)?)(?![\d.])"), r"\1"),  # the sign of nothing is anybody's
    (re.compile(r"Python [\d.]+\w* · Qt [\d.]+ · [^']+"), "Python # · Qt # · #"),
    (re.compile(r"(?:/tmp|[A-Z]:)\S*?/data/"), "DATA/"),
    (re.compile(re.escape(str(Path.home())) + r"(?=[/\\'])"), "HOME"),
)
"""What is another at every run, and what stands for it."""


FOR_NOW: dict[str, str] = {}
"""Folders of the test that runs, and what stands for each: before anything is cut to a length."""


def steady(line: str) -> str:
    """A line without what is another at every run."""
    return _steady(line, tuple(FOR_NOW.items()))


@lru_cache(maxsize=1 << 15)
def _steady(line: str, folders: tuple[tuple[str, str], ...]) -> str:
    """Kept, since most lines of a panel are the same after a deed."""
    for folder, instead in folders:
        line = line.replace(folder, instead)
    for found, instead in UNSTEADY:
        line = found.sub(instead, line)
    return line


def same(line: str, wanted: str) -> bool:
    """Whether two lines say the same; places may be a little off."""
    if line == wanted:
        return True
    if NUMBER.sub("#", PLACE.sub("@", line)) != NUMBER.sub("#", PLACE.sub("@", wanted)):
        return False
    numbers, meant = (list(map(float, NUMBER.findall(PLACE.sub("@", t)))) for t in (line, wanted))
    digits = [len(n.partition(".")[2]) for n in NUMBER.findall(PLACE.sub("@", wanted))]
    if any(
        abs(a - b) > min(ROUNDED * abs(b), 1.01 * 10.0**-n)
        for a, b, n in zip(numbers, meant, digits, strict=True)
    ):
        return False
    ours = [float(n) for m in PLACE.findall(line) for n in m.split(",")]
    theirs = [float(n) for m in PLACE.findall(wanted) for n in m.split(",")]
    return len(ours) == len(theirs) and all(abs(a - b) <= NEAR for a, b in zip(ours, theirs, strict=True))


def difference(lines: list[str], wanted: list[str]) -> list[str]:
    """Lines that are missing (-) and that are new (+)."""
    if len(lines) == len(wanted) and all(same(a, b) for a, b in zip(lines, wanted, strict=True)):
        return []
    kept = [a if same(a, b) else b for a, b in zip(lines, wanted, strict=False)] + wanted[len(lines) :]
    told = difflib.unified_diff(kept, lines, "approved", "now", n=1, lineterm="")
    return list(told)


def problem_of(name: str, told: Callable[[], list[str]]) -> str:
    """What is wrong with a text, or nothing.

    What comes late (pictures, answers of jobs) comes at another moment on a busy machine: a text that differs is taken
    again from the beginning, and has to be right then; preferences of the sitting before are not there.
    """
    found = ""
    for sitting in range(SITTINGS):
        for folder in FOLDERS if sitting else ():
            os.environ[folder] += f"-{sitting}"  # the fixture that set them puts them back
        found = problem(name, told())
        if not found:
            break
    return found


def problem(name: str, lines: list[str]) -> str:
    """What is wrong with a text, or nothing."""
    path = FOLDER / f"{name}.txt"
    lines = [steady(line) for line in lines]
    if os.environ.get(APPROVE):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or difference(lines, path.read_text(encoding="utf-8").splitlines()):
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return ""
    wanted = [steady(t) for t in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    found = difference(lines, wanted)
    if not found:
        return ""
    told = "\n".join(found[:80])
    return (
        f"{name} is not as approved:\n{told}\nIf the change is wanted: {APPROVE}=1, and read the difference."
    )

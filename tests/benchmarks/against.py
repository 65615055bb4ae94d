"""Two checkouts in one run, in turns, so that what else the machine does falls on both alike."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIGURE = re.compile(r"^(\d[\d,]*\.?\d*)\s*(ms|µs|us|s)?$")


class BenchError(Exception):
    """A comparison cannot be made; the message says why."""


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Another commit of this repository in a temporary folder.

    Raises
    ------
    BenchError
        An unknown commit, or no git.
    """
    with tempfile.TemporaryDirectory(prefix="posewright-bench-") as folder:
        place = Path(folder) / "other"
        git = ["git", "-C", str(ROOT)]
        made = subprocess.run(
            [*git, "worktree", "add", "--quiet", "--detach", str(place), commit],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if made.returncode:
            raise BenchError(f"{commit} cannot be checked out: {made.stderr.strip()}")
        try:
            yield place
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", str(place)], check=False)


def rows(text: str) -> dict[str, float]:
    """The first figure of every line of a bench's tables, by heading and name of the row.

    A heading is a line without figures in cells of its own; equal names below one heading get a number.
    """
    found: dict[str, float] = {}
    heading = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"\s{2,}|\|", line) if cell.strip(" -:")]
        figures = [float(m[1].replace(",", "")) for cell in cells[1:] if (m := FIGURE.match(cell))]
        if not figures:
            heading = cells[0] if cells else heading
            continue
        name = f"{heading} / {cells[0]}"
        number = 2
        while name in found:
            name = f"{heading} / {cells[0]} ({number})"
            number += 1
        found[name] = figures[0]
    return found


def least(runs: list[dict[str, float]]) -> dict[str, float]:
    """The least figure of every row over some runs."""
    names = dict.fromkeys(name for run in runs for name in run)
    return {name: min(run[name] for run in runs if name in run) for name in names}


def table(before: dict[str, float], after: dict[str, float]) -> str:
    """Rows that both have, with the ratio; then those of one only."""
    lines = [f"{'least of all rounds':72}{'before':>12}{'after':>12}{'ratio':>8}"]
    for name in before.keys() & after.keys():
        a, b = before[name], after[name]
        lines.append(f"{name[:71]:72}{a:12.3f}{b:12.3f}{(b / a if a else float('nan')):8.2f}")
    lines[1:] = sorted(lines[1:])
    lines += [f"{name[:71]:72}{'':12}{after[name]:12.3f}     new" for name in after.keys() - before.keys()]
    lines += [f"{name[:71]:72}{before[name]:12.3f}{'':12}    gone" for name in before.keys() - after.keys()]
    return "\n".join(lines)


def run(name: str, root: Path) -> dict[str, float]:
    """One bench of one checkout; what a checkout has no bench of gives no rows."""
    if not (root / f"tests/benchmarks/bench_{name}.py").exists():
        return {}
    done = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.bench_{name}"],
        cwd=root, env=_environment(root), stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise BenchError(f"bench_{name} of {root} ended with status {done.returncode}")
    return rows(done.stdout)


def compare(names: list[str], commit: str, rounds: int) -> str:
    """Benches of a commit and of this checkout in turns; the table of the least figures."""
    with checkout(commit) as other:
        print(f"compiling the kernels of {commit}", flush=True)
        subprocess.run(
            [sys.executable, "-m", "core.math.warm"], cwd=other, env=_environment(other), check=False
        )
        report = []
        for name in names:
            runs: dict[Path, list[dict[str, float]]] = {other: [], ROOT: []}
            for turn in range(rounds):
                print(f"{name}: round {turn + 1} of {rounds}", flush=True)
                for root in (other, ROOT) if turn % 2 == 0 else (ROOT, other):
                    runs[root].append(run(name, root))
            report.append(
                f"== {name}: {commit} and this checkout\n" + table(least(runs[other]), least(runs[ROOT]))
            )
    return "\n\n".join(report)


def _environment(root: Path) -> dict[str, str]:
    """The modules of a checkout come before those of the installed one."""
    return {**os.environ, "PYTHONPATH": str(root)}

"""What a run found: a table by package and the changes that no test saw."""

from collections import defaultdict
from pathlib import Path

from tests.mutation.choice import package
from tests.mutation.runner import Outcome
from tests.mutation.sites import changed


def table(outcomes: list[Outcome]) -> str:
    """Markdown: changes, killed, survived and the share of killed, by package and in all."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for outcome in outcomes:
        if outcome.result not in ("killed", "survived", "no tests"):
            continue
        for name in (package(outcome.mutant.path), "all"):
            counts[name][outcome.result != "killed"] += 1
    lines = ["| package | changes | killed | survived | killed, % |", "| --- | ---: | ---: | ---: | ---: |"]
    for name in sorted(counts, key=lambda n: (n == "all", n)):
        killed, survived = counts[name]
        share = 100.0 * killed / (killed + survived)
        lines.append(f"| {name} | {killed + survived} | {killed} | {survived} | {share:.0f} |")
    return "\n".join(lines)


def survivors(root: Path, outcomes: list[Outcome]) -> str:
    """Each change that no test saw: where, what, and the line before and after."""
    lines = []
    for outcome in outcomes:
        if outcome.result not in ("survived", "no tests"):
            continue
        mutant = outcome.mutant
        source = (root / mutant.path).read_text(encoding="utf-8")
        text = changed(source, mutant) or source
        old, new = source.splitlines(), text.splitlines()
        at = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), mutant.line - 1)
        lines += [f"{mutant.path}:{at + 1} {mutant.operator} ({outcome.result})",
                  f"    - {old[at].strip()}", f"    + {new[at].strip() if at < len(new) else ''}"]  # fmt: skip
    return "\n".join(lines)

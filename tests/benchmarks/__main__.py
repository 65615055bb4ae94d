"""Run every benchmark and keep what it printed in one report.

    python -m tests.benchmarks [--out FILE] [NAME …]
    python -m tests.benchmarks --against COMMIT [--rounds N] NAME …

Each `bench_*.py` beside this file runs in a process of its own, so that none inherits another's
caches or memory. Nothing is asserted: figures are medians beside twins and peers in the same run. The
report (benchmarks.txt) begins with the machine, its factor, the versions and the commit, then the table beside peers.
With ``--against`` the named benchmarks of another commit run in turns with this checkout's.
Peers are found in the folder that POSEWRIGHT_CHECK names: `venv-pymotion`, `venv-bpy`, `node_modules/three`.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.against import BenchError, compare
from tests.benchmarks.machine import factor_line
from tests.benchmarks.report import heading

HERE = Path(__file__).resolve().parent


def names() -> list[str]:
    """Names of the benchmarks there are, without their prefix."""
    found = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    return sorted(found, key=lambda name: name != "peers")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names())}; all by default")
    parser.add_argument("--out", type=Path, default=Path("benchmarks.txt"), help="report to write")
    parser.add_argument(
        "--against", metavar="COMMIT", help="compare with another commit, in turns in one run"
    )
    parser.add_argument("--rounds", type=int, default=3, help="turns of a comparison")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(names()))
    if unknown:
        parser.error(f"no benchmark is named {', '.join(unknown)}; there are {', '.join(names())}")
    report = [f"{heading()}\n{factor_line()}\n"]
    print(report[0])
    if options.against:
        try:
            report.append(compare(options.names or names(), options.against, options.rounds))
        except BenchError as error:
            parser.error(str(error))
        print(report[1])
        options.out.write_text("\n".join(report) + "\n", encoding="utf-8")
        return 0
    failed = []
    for name in options.names or names():
        print(f"\n== {name}", flush=True)
        run = subprocess.run(
            [sys.executable, "-m", f"tests.benchmarks.bench_{name}"],
            cwd=HERE.parents[1],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        print(run.stdout, end="", flush=True)
        report.append(f"== {name}\n{run.stdout}")
        if run.returncode:
            failed.append(name)
            report.append(f"(ended with status {run.returncode})\n")
    options.out.write_text("\n".join(report), encoding="utf-8")
    print(f"\nwritten to {options.out}" + (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

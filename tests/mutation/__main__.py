"""Put small faults into the code, one at a time, and see whether a test fails.

python3 dev.py mutate core/ik --sample 50
python3 dev.py mutate core/tracks core/clips --sample 200 --seed 2 --workers 2
python3 dev.py mutate editor/model/history.py
python3 dev.py mutate core/ik --sample 50 --reach reach.jsonl --tests tests/core/ik tests/core/pose
python3 dev.py mutate --faults faults.toml --reach reach.jsonl --tests tests/editor

With --reach the tests are run once to see which statements each comes to; then only the tests that come to a change
are asked, in warm processes. A change in a function costs some 0.3 s: the function is exchanged in a process that has
the tests collected. The file serves later runs, also of fewer files or others: only test files that were changed, or
came to a source file that was changed, are run again.

With --faults the changes are those that somebody thought of and wrote down, see tests/mutation/by_hand.py.

Every place of the files is as likely as any other; without --sample all changes are made, which takes hours for a
package. The nearest tests are asked first. Outcomes are kept in the session file; a run that was stopped goes on
from there, and a file that was changed since is asked anew.
"""

import argparse
import os
import sys
from pathlib import Path

from tests.reliability.screen import screen

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="dev.py mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="folders or files below core or editor")
    parser.add_argument("--faults", type=Path, metavar="FILE", help="changes thought of by hand, in TOML")
    parser.add_argument("--sample", type=int, help="so many places, drawn by chance")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument(
        "--session", type=Path, default=Path("mutation.jsonl"), help="where outcomes are kept"
    )
    parser.add_argument(
        "--reach",
        type=Path,
        help="which tests come to what is kept here; found first for the tests of --tests",
    )
    parser.add_argument(
        "--tests", nargs="*", metavar="PATH", default=[], help="test files, or folders of them"
    )
    parser.add_argument("--survivors", action="store_true", help="ask again about what survived before")
    parser.add_argument(
        "--most", type=float, metavar="SECONDS", help="of tests that are asked about one change, with --reach"
    )
    parser.add_argument("--learn", action="store_true", help="fill the file of --reach, and change nothing")
    parser.add_argument(
        "--list", action="store_true", help="print the changes and the tests, and run nothing"
    )
    words = parser.parse_args()
    if bool(words.paths) == bool(words.faults):
        parser.error("name either folders or files, or a file of --faults")
    from tests.mutation import by_hand, choice, report, sites
    from tests.mutation.reach import Reach
    from tests.mutation.runner import MOST, Runner, Session

    try:
        mutants = by_hand.faults(ROOT, words.faults) if words.faults else []
        paths = words.paths or sorted({mutant.path for mutant in mutants})
        found, tests = sites.files(ROOT, paths), sites.tests(ROOT, words.tests)
    except (FileNotFoundError, ValueError) as error:
        parser.error(str(error))
    if not words.faults and not words.learn:
        mutants = sites.sample(ROOT, found, words.sample, words.seed)
    if words.list:
        for mutant in mutants:
            print(mutant.key, *(f"[{len(tests)}]" for tests in choice.stages(ROOT, mutant.path)))
        print(f"{len(mutants)} changes")
        return 0

    def note(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    reach = Reach(words.reach) if words.reach else None
    session, most = Session(words.session), words.most or MOST
    runner = Runner(ROOT, session, words.workers, note, reach, words.survivors, most)
    with screen():
        if reach is not None:
            runner.learn(paths, tests)
        outcomes = runner.run(mutants) if not words.learn else []
    if words.learn:
        return 0
    print(report.survivors(ROOT, outcomes))
    print()
    print(report.table(outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Reliability, for as long as asked; prints the rows of a table.

python -m tests.reliability kills --count 300
python -m tests.reliability edits --count 1000000 [--big]
python -m tests.reliability monkey --minutes 30 --plot memory.png
python -m tests.reliability gestures --minutes 10
python -m tests.reliability faults
python -m tests.reliability media --seconds 60 --count 100
"""

import argparse
import logging
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from tests.reliability import edits, faults, kills, monkey
from tests.reliability.screen import screen
from tests.temporary import own_folder


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.reliability", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("kills", "edits", "gestures", "monkey", "faults", "media"))
    parser.add_argument("--count", type=int, default=300, help="of kills, of steps, of scrubs")
    parser.add_argument(
        "--minutes", type=float, default=30.0, help="of monkey and gestures; at most, of edits"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="of playback in media")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(kills.KINDS), help="of kills")
    parser.add_argument("--big", action="store_true", help="edits: the document of 65 bones and 4,000 frames")
    parser.add_argument("--plot", type=Path, help="monkey: where the picture of the memory goes")
    words = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with screen():
        told = run(words)
    print(f"| {words.what} | |\n| --- | --- |")
    for what, saw in told.rows():
        print(f"| {what} | {saw} |".replace("\n", " ⏎ "), flush=True)
    return 1 if told.problems else 0


def run(words: argparse.Namespace) -> Any:
    """The part that was asked for."""

    def note(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    if words.what == "kills":
        return kills.run(words.count, words.seed, tuple(words.kinds.split(",")), note)
    if words.what == "gestures":
        folder = str(own_folder("gestures"))
        os.environ["POSEWRIGHT_CONFIG_DIR"] = os.environ["POSEWRIGHT_DATA_DIR"] = folder
        from tests.reliability import gestures  # Qt needs the screen first

        return gestures.run(words.minutes, words.seed, note)
    if words.what == "monkey":
        return monkey.run(words.minutes, words.seed, words.plot, note)
    if words.what == "media":
        folder = own_folder("media")
        os.environ["POSEWRIGHT_CONFIG_DIR"] = os.environ["POSEWRIGHT_DATA_DIR"] = str(folder)
        from tests.reliability import media  # Qt needs the screen first

        return media.run(words.seconds, words.count, folder, note)
    if words.what == "faults":
        return faults.run()
    folder = own_folder("edits")
    walk = edits.Walk(folder, edits.big_start() if words.big else edits.small_start(), words.seed)
    try:
        limit = words.minutes * 60.0 if "--minutes" in sys.argv else 1e9
        while walk.told.steps < words.count and walk.told.seconds < limit and not walk.told.problems:
            walk.run(min(words.count, walk.told.steps + 20_000), limit - walk.told.seconds)
            note(f"{walk.told.steps} steps, {len(walk.told.kinds)} kinds, {walk.told.seconds:.0f} s")
        if walk.told.kinds:
            note("kinds: " + ", ".join(f"{k} {n}" for k, n in walk.told.kinds.most_common()))
    finally:
        walk.close()
        shutil.rmtree(folder, ignore_errors=True)
    return walk.told


if __name__ == "__main__":
    sys.exit(main())

"""Mutated files for one reader, for as long as asked: ``python tests/fuzz/fuzz_readers.py glb --seconds 600``.

Each case takes a whole file, breaks it in one to eight places (bytes, runs, hostile numbers, pieces of other files,
cuts) and loads it. Good outcomes are a project or a `FormatError` that does not ask for a report. Prints the figures
as one JSON line; files that broke the rules are kept in ``--keep`` and the exit status is 1.
"""

import argparse
import json
import logging
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.errors import FormatError  # noqa: E402
from core.io import load, save  # noqa: E402
from tests.shared import SHARED  # noqa: E402

WORDS = (
    b"-1", b"0", b"1e999", b"99999999999", b"4294967295", b"null", b"[]", b"{}", b"NaN", b'"x"', b"\n", b"\0" * 8,
    b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"1.5", b"-0.0", b"CHANNELS 600000", b"Frames: 99999999",
)  # fmt: skip
SLOW = 20.0
LARGEST = 400_000
GIGABYTES = 6


def corpus(suffix: str, folder: Path) -> list[bytes]:
    """Whole files: shared ones that are small enough, and ones that this program writes itself."""
    found = [p for p in sorted(SHARED.glob(f"data/**/*{suffix}")) if p.stat().st_size < LARGEST]
    files = [path.read_bytes() for path in found]
    from tests.core.io.broken import SMALL

    if suffix in SMALL:
        files.append(SMALL[suffix]())
    if not files or suffix in (".posewright", ".fbx"):
        for name in ("fbx/maya_transformed_skin_7700_binary.fbx", "gltf/AnimatedMorphCube.gltf"):
            path = SHARED / "data" / name
            if path.is_file() and path.suffix != suffix:
                made = folder / f"made{suffix}"
                save(load(path).project, made)
                files.append(made.read_bytes())
    return files


def mutated(files: list[bytes], chance: random.Random) -> bytes:
    """One broken file."""
    data = bytearray(chance.choice(files))
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(max(1, len(data)))
        match chance.randrange(8):
            case 0:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[place : place + chance.choice((1, 2, 4, 17, 300))]
            case 2:
                data[place:place] = chance.randbytes(chance.choice((1, 2, 4, 64)))
            case 3:
                word = chance.choice(WORDS)
                data[place : place + len(word)] = word
            case 4:
                data[place:place] = chance.choice(WORDS)
            case 5:
                other = chance.choice(files)
                start = chance.randrange(len(other))
                data[place : place + 50] = other[start : start + chance.choice((4, 50, 500))]
            case 6:
                if place < len(data):
                    data[place] ^= 1 << chance.randrange(8)
            case _:
                if chance.random() < 0.2:
                    del data[place:]
    return bytes(data)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suffix", help="such as glb, gltf, bvh, posewright, fbx, usda, usdc")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    words = parser.parse_args()
    suffix = "." + words.suffix.lstrip(".")
    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    chance, outcomes, reasons = random.Random(words.seed), Counter(), Counter()
    worst = (0.0, 0)
    with tempfile.TemporaryDirectory() as folder:
        files = corpus(suffix, Path(folder))
        path = Path(folder) / f"case{suffix}"
        began, case = time.monotonic(), 0
        while time.monotonic() - began < words.seconds:
            data = mutated(files, chance)
            path.write_bytes(data)
            start = time.monotonic()
            try:
                load(path)
                outcome = "read"
            except FormatError as error:
                outcome = "unforeseen" if "please report" in str(error) else "refused"
                reasons[error.reason[:40]] += 1
            except BaseException as error:
                outcome = f"escaped {type(error).__name__}: {error}"[:120]
            took = time.monotonic() - start
            if took > SLOW:
                outcome = "slow"
            worst = max(worst, (took, case))
            outcomes[outcome] += 1
            if outcome not in ("read", "refused") and words.keep:
                words.keep.mkdir(parents=True, exist_ok=True)
                (words.keep / f"{words.suffix}-{case}-{outcome.split(' ')[0]}{suffix}").write_bytes(data)
            case += 1
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    told = {
        "format": suffix,
        "seconds": round(time.monotonic() - began),
        "cases": case,
        "outcomes": dict(outcomes),
    }
    told |= {"slowest_s": round(worst[0], 2), "peak_MB": peak >> 10, "reasons": dict(reasons.most_common(8))}
    print(json.dumps(told), flush=True)
    return 0 if set(outcomes) <= {"read", "refused"} else 1


if __name__ == "__main__":
    sys.exit(main())

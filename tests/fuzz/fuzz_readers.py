"""Mutated files for one reader, for as long as asked: ``python tests/fuzz/fuzz_readers.py glb --seconds 600``.

Each case takes a whole file, breaks it (`tests.fuzz.mutations`) and loads it. Good outcomes are a project or a
`FormatError` that does not ask for a report. Prints the figures as one JSON line; files that broke the rules are kept
in ``--keep`` and the exit status is 1.

FBX and USD are read by a helper process. So that more than three cases fit into a second, ``--forked`` takes a fork of
this process for each (with the same limits) in place of a fresh one.
"""

import argparse
import json
import logging
import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.errors import FormatError  # noqa: E402
from core.io import load, save  # noqa: E402
from tests.fuzz.mutations import mutated  # noqa: E402
from tests.shared import SHARED  # noqa: E402

SLOW = 20.0
LARGEST = 400_000
GIGABYTES = 6


def corpus(suffix, folder):
    """Whole files: shared ones that are small enough, and ones that this program writes itself."""
    found = [p for p in sorted(SHARED.glob(f"data/**/*{suffix}")) if p.stat().st_size < LARGEST]
    files = [path.read_bytes() for path in found]
    for beside in {image for path in found for image in path.parent.glob("*.bin")}:
        (folder / beside.name).write_bytes(beside.read_bytes())
    from core.io.fbx import binary
    from tests.core.io import making
    from tests.core.io.broken import SMALL

    if suffix in SMALL:
        files.append(SMALL[suffix]())
    binary.WORTH_PACKING = 1 << 40  # a changed byte inside of packed data only breaks the packing
    for number, project in enumerate((making.small(), making.small(even=False))):
        made = folder / f"small{number}{suffix}"
        save(project, made)
        files.append(made.read_bytes())
    for name in ("fbx/maya_transformed_skin_7700_binary.fbx", "gltf/AnimatedMorphCube.gltf"):
        path = SHARED / "data" / name
        if path.is_file():
            made = folder / f"made{suffix}"
            save(load(path).project, made)
            files.append(made.read_bytes())
    return files


def forked_run(path, source, target, progress, kind, extra):
    """In place of a fresh helper process: a fork of this one, within the same limits."""
    from core.io.common.helper import packet, worker

    collect = import_module(kind.worker).collect
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.dup2(target.log.fileno(), 1)
            os.dup2(target.log.fileno(), 2)
            code = worker.main([source, target.word], collect)
        finally:
            os._exit(code)
    began = time.monotonic()
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), target.said()
        if time.monotonic() - began > packet.SECONDS:
            os.kill(child, 9)
            os.waitpid(child, 0)
            return None, ""
        time.sleep(0.001)


def use_forks(suffix):
    """Load what the helper needs before it is forked."""
    import gc

    from core.io.common.helper import packet

    gc.disable()
    if suffix == ".fbx":
        import ufbx  # noqa: F401

        from core.io.fbx import collect_clips, collect_meshes, collect_nodes  # noqa: F401
    else:
        import core.io.usd.worker  # noqa: F401
    packet._run = forked_run


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suffix", help="such as glb, gltf, bvh, posewright, fbx, usda, usdc")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--forked", action="store_true")
    words = parser.parse_args()
    suffix = "." + words.suffix.lstrip(".")
    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    chance, outcomes, reasons = random.Random(words.seed), Counter(), Counter()
    worst = (0.0, 0)
    with tempfile.TemporaryDirectory() as folder:
        files = corpus(suffix, Path(folder))
        if words.forked:
            use_forks(suffix)
        path = Path(folder) / f"case{suffix}"
        began, case = time.monotonic(), 0
        while time.monotonic() - began < words.seconds:
            data = mutated(files, suffix, chance)
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
    told |= {"slowest_s": round(worst[0], 2), "peak_MB": peak >> 10, "reasons": dict(reasons.most_common(12))}
    print(json.dumps(told), flush=True)
    return 0 if set(outcomes) <= {"read", "refused"} else 1


if __name__ == "__main__":
    sys.exit(main())

"""Mutated journals, clipboard texts, preferences and maps: ``python tests/fuzz/fuzz_values.py journal --seconds 600``.

What these hold was written by this program or another person's, and may be anything. Good outcomes are a value or an
`AnimError`; preferences always give their defaults where the file says nothing usable. Prints the figures as one
JSON line; what broke the rules is kept in ``--keep``, and the exit status is 1.
"""

import argparse
import json
import logging
import random
import struct
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from editor.model.blending.state import Blending

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.errors import AnimError  # noqa: E402
from core.pose.pose import rest_pose  # noqa: E402
from editor.model import clipboard, recovery  # noqa: E402
from editor.model.journal_file import HEAD_SIZE, MAGIC, MARKER  # noqa: E402
from editor.model.preferences import DEFAULTS, Preferences  # noqa: E402
from editor.model.session import Session  # noqa: E402
from tests.editor.rigs import small_project  # noqa: E402
from tests.fuzz.mutations import any_bytes, change_json  # noqa: E402

SLOW = 10.0
Case = Callable[[bytes, Path], object]
Mutate = Callable[[bytes, random.Random], bytes]


# ---------------------------------------------------------------- journals
def journals(folder: Path) -> list[bytes]:
    """A journal of a document never saved, with steps of several kinds, undos and redos."""
    session = Session.create(folder / "config", folder / "data")
    project = small_project(mesh=False)
    session.document.replace(project, None)
    clip = project.clips[0].id
    session.clips.set_length(clip, 3.0)
    session.clips.rename(clip, "other")
    session.undo()
    session.clips.duplicate(clip)
    session.feature(Blending).spaces.new("aim")
    session.undo()
    session.redo()
    session.edits.set_settings("Settings", {"a": [1, {"b": None}]})
    session.journal.flush()
    assert session.journal.path is not None
    whole = session.journal.path.read_bytes()
    session.close()
    return [whole]


def inside_journal(data: bytes, chance: random.Random) -> bytes:
    """Records whose checksums are right: the JSON of one changed, or one lost, doubled or moved."""
    places, at = [], data.find(MARKER)
    while at >= 0:
        places.append(at)
        at = data.find(MARKER, at + 1)
    records = [data[a:b] for a, b in zip(places, [*places[1:], len(data)], strict=True)]
    number = chance.randrange(len(records))
    roll = chance.random()
    if roll < 0.1:
        del records[number]
    elif roll < 0.2:
        records.insert(chance.randrange(len(records)), records[number])
    else:
        records[number] = _changed_record(records[number], chance)
    return MAGIC + b"".join(records)


def _changed_record(record: bytes, chance: random.Random) -> bytes:
    _, length, _, meta, text = struct.unpack_from("<4sQIII", record)
    payload = record[HEAD_SIZE : HEAD_SIZE + length]
    parts = [payload[:meta], payload[meta : meta + text], payload[meta + text :]]
    which = chance.choice((0, 1, 1, 1))
    value = json.loads(parts[which])
    for _ in range(chance.choice((1, 1, 2, 4))):
        change_json(value, chance)
    parts[which] = json.dumps(value).encode()
    payload = b"".join(parts)
    head = struct.pack("<4sQIII", MARKER, len(payload), zlib.crc32(payload), len(parts[0]), len(parts[1]))
    return head + struct.pack("<I", zlib.crc32(head)) + payload


def read_journal(data: bytes, folder: Path) -> object:
    path = folder / "case.journal"
    path.write_bytes(data)
    try:
        recovery.recoverable(folder)
        if path.exists():
            return recovery.recover(path)
        return None
    finally:
        recovery.discard(path)


# ---------------------------------------------------------------- texts
def clipboard_texts(folder: Path) -> list[bytes]:
    project = small_project(mesh=False)
    rig, clip = project.rigs[0], project.clips[0]
    session = Session.create(folder / "config", folder / "data")
    session.document.replace(project, None)
    pose = session.evaluator.pose()
    session.close()
    keys = {channel: np.arange(len(track.times)) for channel, track in clip.tracks.items()}
    texts = [clipboard.pose_to_text(rig, pose), clipboard.keys_to_text(clip.tracks, keys)]
    return [text.encode() for text in texts]


def read_clipboard(data: bytes, folder: Path) -> object:
    text = data.decode("utf-8", "surrogateescape")
    project = small_project(mesh=False)
    rig = project.rigs[0]
    errors = []
    for read in (
        lambda: clipboard.text_to_pose(text, rig, rest_pose(rig)),
        lambda: clipboard.text_to_keys(text),
    ):
        try:
            read()
        except AnimError as error:
            errors.append(error)
    if len(errors) == 2:
        raise errors[0]
    return None


def preference_files(folder: Path) -> list[bytes]:
    kept = Preferences(folder)
    kept.set("recent", ["/a/b.posewright"])
    kept.set("undo_megabytes", 64)
    kept.save()
    return [next(folder.glob("*.json")).read_bytes(), json.dumps(DEFAULTS).encode()]


def read_preferences(data: bytes, folder: Path) -> object:
    name = Preferences(folder / "names")
    name.save()
    path = folder / next((folder / "names").glob("*.json")).name
    path.write_bytes(data)
    made = Preferences(folder)
    for key, default in DEFAULTS.items():
        value = made.get(key)
        assert isinstance(value, type(default)) or (
            isinstance(default, int | float) and isinstance(value, int | float)
        ), f"{key} is {value!r}"
    _ = made.recent
    session = Session.create(folder, folder / "data")
    session.close()
    for left in folder.glob("*.json"):
        left.unlink()
    return None


def maps(folder: Path) -> list[bytes]:
    from core.retarget.chain_map import map_to_json, propose_map

    rig = small_project().rigs[0]
    return [map_to_json(propose_map(rig.skeleton, rig.skeleton)).encode()]


def read_map(data: bytes, folder: Path) -> object:
    from core.retarget.chain_map import map_from_json

    skeleton = small_project(mesh=False, clip=False).rigs[0].skeleton
    return map_from_json(data.decode("utf-8", "surrogateescape"), skeleton, skeleton)


def inside_text(data: bytes, chance: random.Random) -> bytes:
    """JSON that stays JSON."""
    value = json.loads(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        change_json(value, chance)
    return json.dumps(value).encode()


KINDS: dict[str, tuple[Callable[[Path], list[bytes]], Mutate, Case]] = {
    "journal": (journals, inside_journal, read_journal),
    "clipboard": (clipboard_texts, inside_text, read_clipboard),
    "preferences": (preference_files, inside_text, read_preferences),
    "map": (maps, inside_text, read_map),
}


def fuzz(kind: str, seconds: float, seed: int = 1, count: int = 10**9, keep: Path | None = None) -> dict:
    """Mutate and read for so long; the figures."""
    whole, inside, read = KINDS[kind]
    chance, outcomes = random.Random(seed), Counter()
    worst = 0.0
    with tempfile.TemporaryDirectory(prefix="posewright-fuzz-") as name:
        folder = Path(name)
        (folder / "corpus").mkdir()
        corpus = whole(folder / "corpus")
        cases = folder / "cases"
        cases.mkdir()
        began, case = time.monotonic(), 0
        while time.monotonic() - began < seconds and case < count:
            data = chance.choice(corpus)
            try:
                mutated = inside(data, chance) if chance.random() < 0.7 else any_bytes(data, corpus, chance)
            except (ValueError, RecursionError):  # JSON that has come to hold itself
                mutated = any_bytes(data, corpus, chance)
            start = time.monotonic()
            try:
                read(mutated, cases)
                outcome = "read"
            except AnimError:
                outcome = "refused"
            except BaseException as error:
                outcome = f"escaped {type(error).__name__}: {error}"[:160]
            took = time.monotonic() - start
            worst = max(worst, took)
            outcome = "slow" if took > SLOW else outcome
            outcomes[outcome] += 1
            if outcome not in ("read", "refused") and keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{kind}-{case}").write_bytes(mutated)
            case += 1
    return {
        "kind": kind,
        "seconds": round(time.monotonic() - began),
        "cases": case,
        "outcomes": dict(outcomes),
        "slowest_s": round(worst, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    words = parser.parse_args()
    logging.disable(logging.CRITICAL)
    told = fuzz(words.kind, words.seconds, words.seed, keep=words.keep)
    print(json.dumps(told), flush=True)
    return 0 if set(told["outcomes"]) <= {"read", "refused"} else 1


if __name__ == "__main__":
    sys.exit(main())

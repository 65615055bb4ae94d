"""Programs killed at random moments: while editing, saving, in the window, their helper, or closed during a job.

After each kill a new session looks at what is left: a saved file opens and holds the last save or the one under way;
recovery gives every step that was said to be safe, at most one more, and exactly what these steps make.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import core.io
from core.arrays import same_value
from core.errors import FormatError
from core.project.project import Project
from editor.model.session import Session
from tests.editor.rigs import small_project
from tests.reliability.children import expected
from tests.temporary import own_folder

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("editing", "saving", "window", "helper", "closing")
PATIENCE = 400.0


@dataclass
class Killed:
    """What kills did."""

    kills: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    lost: int = 0
    problems: list[str] = field(default_factory=list)

    def rows(self) -> list[tuple[str, str]]:
        """For the table of the closing note."""
        each = ", ".join(f"{kind} {count}" for kind, count in self.kills.items())
        return [
            ("kills", f"{sum(self.kills.values())} ({each})"),
            ("steps done before them; lost besides the last gesture", f"{self.steps}; {self.lost}"),
            ("files that did not open, wrong recoveries", str(len(self.problems))),
            *(("problem", text) for text in self.problems[:20]),
        ]


def run(count: int, seed: int = 1, kinds: tuple[str, ...] = KINDS, note=lambda text: None) -> Killed:
    """Kill so many programs, the kinds in turn."""
    told, chance = Killed(), Random(seed)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        folder = own_folder("kill")
        try:
            (_helper if kind == "helper" else _closing if kind == "closing" else _killed)(
                kind, folder, chance, told
            )
        except Exception as error:
            told.problems.append(f"kill {number} ({kind}): {type(error).__name__}: {error}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        told.kills[kind] += 1
        note(f"{number + 1} of {count}: {len(told.problems)} problems")
    return told


def _start(kind: str, folder: Path, chance: Random) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "tests.reliability.children",
        kind,
        str(folder),
        str(chance.randrange(10**6)),
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT)


def _killed(kind: str, folder: Path, chance: Random, told: Killed) -> None:
    child = _start(kind, folder, chance)
    assert child.stdout is not None
    wanted, delay = chance.randint(1, 60), chance.random() * 0.02
    done = saved = 0
    for line in child.stdout:
        word, _, number = line.strip().partition(" ")
        done = int(number) if word == "step" else done
        saved = int(number) if word == "saved" else saved
        if done >= wanted:
            break
    time.sleep(delay)  # anywhere within the next step
    child.send_signal(signal.SIGKILL)
    for line in child.stdout.read().splitlines():
        word, _, number = line.partition(" ")
        done = max(done, int(number)) if word == "step" and number.isdigit() else done
        saved = max(saved, int(number)) if word == "saved" and number.isdigit() else saved
    child.stdout.close()
    child.wait()
    assert done >= wanted, f"the program ended by itself after {done} steps"
    told.steps += done
    _look(folder, done, saved, told)


def _look(folder: Path, done: int, saved: int, told: Killed) -> None:
    """What a new session finds."""
    path = folder / "walk.posewright"
    states = (done, done + 1)
    here: Project | None = None
    if path.exists():
        here = core.io.load(path).project  # raises where it does not open
    session = Session.create(folder / "config", folder / "data")
    try:
        found = session.files.recoverable()
        if found:
            session.files.recover(found[0])
            session.journal.flush()
            here = session.document.project
            worst = [m.text for m in session.messages.log if m.level > 0 and "not all" in m.text]
            assert not worst, worst[0]
        assert here is not None, "nothing is left"
        for number in states:
            if same_value(here.clips[0], expected(number).clips[0]):
                return
        told.lost += 1
        raise AssertionError(f"neither the state after step {done} nor after {done + 1} (saved {saved})")
    finally:
        session.close()
        left = [p.name for p in (folder / "data" / "journal").glob("*")]
        assert not left, f"journal files are left: {left[:3]}"


def _helper(kind: str, folder: Path, chance: Random, told: Killed) -> None:
    """The process that reads FBX files is killed: the program says so and goes on."""
    path = folder / "a.fbx"
    core.io.save(small_project(), path)
    outcome: list[object] = []

    def read() -> None:
        try:
            outcome.append(core.io.load(path))
        except FormatError as error:
            outcome.append(error)

    others = set(_children())  # the virtual screen is one, and no helper
    thread = threading.Thread(target=read)
    thread.start()
    until = time.monotonic() + chance.random() * 0.6
    killed = False
    while thread.is_alive() and not killed:
        helpers = [child for child in _children() if child not in others]
        if helpers and time.monotonic() > until:
            os.kill(helpers[0], signal.SIGKILL)
            killed = True
        time.sleep(0.002)
    thread.join(PATIENCE)
    assert outcome, "reading did not end"
    if isinstance(outcome[0], FormatError):
        assert "please report" not in str(outcome[0]), outcome[0]
    again = core.io.load(path).project  # the next one works
    assert len(again.rigs) == 1


def _children() -> list[int]:
    try:
        return [
            int(n) for n in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        ] + [
            int(n)
            for task in Path(f"/proc/{os.getpid()}/task").iterdir()
            for n in (task / "children").read_text().split()
        ]
    except OSError:
        return []


def _closing(kind: str, folder: Path, chance: Random, told: Killed) -> None:
    child = _start("closing", folder, chance)
    out, _ = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0 and "closed" in out, f"status {child.returncode}: {out!r}"
    path = folder / "walk.posewright"
    if path.exists():
        assert same_value(core.io.load(path).project.clips[0], expected(1).clips[0])
    left = [p.name for p in (folder / "data" / "journal").glob("*")] + [p.name for p in folder.glob(".*")]
    assert not left, f"left behind: {left}"

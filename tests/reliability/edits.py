"""Random edits, undos and redos: what undo gives back is what was there, bit for bit, whatever was done.

Beside the session runs a plain list of the projects that it has been through. Each state that undo, redo or a jump
in the history leads to is compared with that list; a checksum of an asset, taken when it was made, tells whether
anything has written into it since. Now and then the document is saved and opened, and its journal recovered.
"""

import hashlib
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import core.io
from core.arrays import same_value
from core.errors import AnimError
from core.project.project import Asset, Project
from core.project.references import check
from editor.model import recovery
from editor.model.codec import encode, pack
from editor.model.history import Step, StepKind
from editor.model.journal_lock import lock_path
from editor.model.session import Session
from tests.reliability.verbs import Verb, every_verb

AFRESH = 3000
"""Steps after which the walk begins again with the small document, which would only grow otherwise."""
SAVE_EVERY, CHECK_EVERY = 2500, 100
SUMMED = 0.03
"""Share of steps whose assets get a checksum, and of those after which one is looked at again: it takes the longest."""
EVEN = 0.002
"""Share of edits for which every kind has the same chance, however long it takes."""
LEAST = 2e-4
"""Seconds below which one kind counts as fast as another."""


@dataclass
class Walked:
    """What a walk did."""

    edits: int = 0
    undos: int = 0
    redos: int = 0
    jumps: int = 0
    saves: int = 0
    recoveries: int = 0
    seconds: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    @property
    def steps(self) -> int:
        return self.edits + self.undos + self.redos + self.jumps

    def rows(self) -> list[tuple[str, str]]:
        """For the table of the closing note."""
        found = [
            ("random edits, undos, redos, jumps", f"{self.edits}, {self.undos}, {self.redos}, {self.jumps}"),
            ("kinds of edit that changed something", str(len(self.kinds))),
            ("saved and opened again, journals recovered", f"{self.saves}, {self.recoveries}"),
            ("mismatches, exceptions", str(len(self.problems))),
            ("time", f"{self.seconds:.0f} s, {self.steps / max(self.seconds, 1e-9):.0f} a second"),
        ]
        return found + [("problem", text) for text in self.problems[:20]]


class Walk:
    """Walks through a session.

    Parameters
    ----------
    folder : for journal, preferences and saved files
    start : the document that the walk begins with, again and again
    even : every kind of edit has the same chance, so that a seed gives the same walk on every machine; otherwise
        the chances follow the time that an edit takes here
    """

    def __init__(self, folder: Path, start: Project, seed: int = 1, even: bool = False) -> None:
        self.folder, self.start, self.chance, self.even = folder, start, Random(seed), even
        self.told = Walked()
        self.session = Session.create(folder / "config", folder / "data")
        self.session.edit_jobs.grace = 600.0  # everything at once, on this thread
        self.verbs: dict[str, Verb] = every_verb(self.session)
        self.names = list(self.verbs)
        self.took = dict.fromkeys(self.names, LEAST)
        self.states: list[Project] = []
        self.sums: dict[int, tuple[Asset, str]] = {}
        self.session.history.stepped.connect(self._on_step)
        self._afresh()

    def run(self, count: int, seconds: float = 1e9) -> Walked:
        """Take steps until there are `count`, the time is up, or something is wrong."""
        began = time.monotonic()
        done = 0
        while self.told.steps < count and time.monotonic() - began < seconds and not self.told.problems:
            self.step()
            done += 1
            if done % CHECK_EVERY == 0:
                self._guarded("references", lambda: check(self.session.document.project))
            if done % SAVE_EVERY == 0:
                self._guarded("save and open", self._save)
                self._guarded("recover", self._recover)
            if done % AFRESH == 0:
                self._afresh()
        self.told.seconds += time.monotonic() - began
        return self.told

    def close(self) -> None:
        """End the session."""
        self.session.close()

    # ------------------------------------------------------------ one step
    def step(self) -> None:
        """One random edit, undo, redo or jump, and the comparison with the list."""
        session, roll = self.session, self.chance.random()
        if roll < 0.6:
            self._edit(self._chosen())
        elif roll < 0.8:
            self.told.undos += session.undo()
        elif roll < 0.95:
            self.told.redos += session.redo()
        else:
            self.told.jumps += 1
            session.go_to(self.chance.randint(0, len(session.history.labels)))
        self._compare()

    def _chosen(self) -> str:
        """Any verb; unless the walk is even, those that take long less often: each kind gets about the same time."""
        if self.even or self.chance.random() < EVEN:
            return self.chance.choice(self.names)
        return self.chance.choices(self.names, [1.0 / self.took[name] for name in self.names])[0]

    def _edit(self, name: str) -> None:
        session, before = self.session, self.session.history.position
        project = session.document.project
        if session.clip is None and project.clips:
            session.playback.set_clip(project.clips[0].id)
        if session.rig is not None and self.chance.random() < 0.4:
            session.selection.select(
                self.chance.sample(session.rig.skeleton.names, self.chance.randint(0, 3))
            )
        if session.clip is None:
            name = "new_clip"
        began = time.perf_counter()
        try:
            self.verbs[name](session, self.chance)
        except AnimError:
            self.told.refused[name] += 1
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            self.told.problems.append(f"{name}: {type(error).__name__}: {error} ({where})")
        self.told.edits += 1
        self.took[name] += 0.3 * (max(time.perf_counter() - began, LEAST) - self.took[name])
        if session.document.project is not project or session.history.position != before:
            self.told.kinds[name] += 1

    def _on_step(self, step: Step) -> None:
        self._note(step)
        self._at = self.session.history.position

    def _note(self, step: Step) -> None:
        if step.kind is StepKind.DO:
            history, project = self.session.history, self.session.document.project
            # The history has dropped what was undone, and its oldest steps where there were too many.
            del self.states[self._at + 1 :]
            self.states.append(project)
            del self.states[: len(self.states) - len(history.labels) - 1]
            if self.chance.random() < SUMMED:
                for asset in project.assets.values():
                    if id(asset) not in self.sums:
                        self.sums[id(asset)] = (asset, fingerprint(asset))

    def _compare(self) -> None:
        project, position = self.session.document.project, self.session.history.position
        expected = self.states[position]
        if list(project.assets) != list(expected.assets) or not same_value(
            project.settings, expected.settings
        ):
            self.told.problems.append(f"step {self.told.steps}: other assets than there were")
            return
        for key, asset in project.assets.items():
            if asset is not expected.assets[key] and not same_value(asset, expected.assets[key]):
                self.told.problems.append(f"step {self.told.steps}: {asset.name!r} is not what it was")
        if project.assets and self.chance.random() < SUMMED:
            asset = self.chance.choice(list(project.assets.values()))
            known = self.sums.get(id(asset))
            if known is not None and known[0] is asset and known[1] != fingerprint(asset):
                self.told.problems.append(f"step {self.told.steps}: something wrote into {asset.name!r}")

    # ------------------------------------------------------------ now and then
    def _guarded(self, what: str, work) -> None:
        try:
            work()
        except Exception as error:
            self.told.problems.append(f"{what}: {type(error).__name__}: {error}")

    def _save(self) -> None:
        project, path = self.session.document.project, self.folder / "walk.posewright"
        report = core.io.save(project, path)
        assert not report.warnings, report.warnings
        assert same_value(dict(core.io.load(path).project.assets), dict(project.assets)), (
            "it came back otherwise"
        )
        self.told.saves += 1

    def _recover(self) -> None:
        journal = self.session.journal
        assert journal.flush(400.0) and not journal.problem, journal.problem
        if journal.path is None:
            return
        copy = self.folder / "copy.journal"
        copy.write_bytes(journal.path.read_bytes())
        found = recovery.recover(copy)
        lock_path(copy).unlink(missing_ok=True)
        assert not found.problem, found.problem
        same = same_value(dict(found.project.assets), dict(self.session.document.project.assets))
        assert same, "recovery gives another state than the one shown"
        self.told.recoveries += 1

    def _afresh(self) -> None:
        self.session.document.replace(self.start, None)
        self.states, self.sums, self._at = [self.start], {}, 0
        if self.start.clips:
            self.session.playback.set_clip(self.start.clips[0].id)


def fingerprint(asset: Asset) -> str:
    """Checksum of all that an asset holds."""
    arrays: list = []
    packed, blobs = pack(encode(asset, arrays), arrays)
    sums = hashlib.blake2b(repr(packed).encode("utf-8", "surrogatepass"), digest_size=12)
    for blob in blobs:
        sums.update(blob)
    return sums.hexdigest()


def small_start() -> Project:
    """Sixteen bones, a mesh and a clip of a few keys."""
    from tests.editor.rigs import small_project

    return small_project()


def big_start() -> Project:
    """65 bones with 4,000 keys a channel."""
    from tests.big_documents import big_clip, big_rig

    rig = big_rig()
    clip = big_clip(rig)
    return Project({rig.id: rig, clip.id: clip})

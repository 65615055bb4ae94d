"""Digests of runs: equal ones mean equal bytes of every state and pose, in any process."""

import hashlib
from collections.abc import Sequence

from core.locomotion.character import CharacterState
from core.locomotion.course import SectionRun
from core.locomotion.state import State


def digests(runs: Sequence[SectionRun[State] | SectionRun[CharacterState]]) -> dict[str, str]:
    """SHA-256 of the states of each section by its name, the poses among them, and of all as ``"all"``."""
    whole, found = hashlib.sha256(), {}
    for run in runs:
        part = hashlib.sha256()
        for state in run.states:
            part.update(state.to_bytes())
        whole.update(part.digest())
        found[run.section.name] = part.hexdigest()
    return {**found, "all": whole.hexdigest()}

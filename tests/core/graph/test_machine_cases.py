"""The table of state machines' cases: as approved, in lawful order, and the same however time is cut."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.core.graph.machine_cases import APPROVED, CASES, story, table

ORDER = ("leave", "enter", "transition_interrupted", "transition_start", "transition_end", "full", "gone")
AGAIN = (
    "a circle ends the step", "nested exit", "higher priority only: taken", "always, by the target",
    "always, by the source", "source then target", "target then source",
)  # fmt: skip
"""Cases that enter a state twice within a tenth of a second, which the law of cutting leaves out."""


def test_table_is_the_approved_one():
    assert table() == APPROVED.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_enter_has_its_leave_and_its_gone(case):
    lines = [line.rstrip("!").split(" ", 2) for line in story(replace(case, seconds=case.seconds + 2))]
    kinds = Counter((kind, name) for _, kind, name in lines)
    for name in {name for kind, name in kinds if kind == "enter"}:
        enters, leaves, gones = (kinds[kind, name] for kind in ("enter", "leave", "gone"))
        assert enters - leaves in (0, 1)
        assert leaves - gones in (0, 1)
    begun = sum(n for (kind, _), n in kinds.items() if kind == "transition_start")
    over = sum(n for (kind, _), n in kinds.items() if kind in ("transition_end", "transition_interrupted"))
    assert begun - over in (0, 1)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_events_of_one_change_stand_in_order(case):
    """Between two leaves of one moment: leave, enter, interrupted, start, end, full, gone."""
    last = (-1.0, len(ORDER))
    for line in story(case):
        time, kind, _ = line.split(" ", 2)
        if kind not in ORDER or case.name.startswith("nested"):
            continue
        place = ORDER.index(kind)
        if float(time) == last[0] and kind != "leave" and ORDER[last[1]] != "gone":
            assert place >= last[1], line
        last = (float(time), place)


@pytest.mark.parametrize("case", [c for c in CASES if c.name not in AGAIN], ids=lambda case: case.name)
def test_cutting_time_in_halves_changes_nothing(case):
    assert sorted(story(replace(case, dt=case.dt / 2))) == sorted(story(case))

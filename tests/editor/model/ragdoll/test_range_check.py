"""A check of joint ranges that is under way when another character comes."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from core.rig.propose_bodies import propose_bodies
from editor.model.ragdoll.check import RangeCheck
from editor.model.session import Session
from tests.editor.panel_stage import small_session
from tests.editor.rigs import small_project


@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session(mesh=False)
    made.edits.put("bodies", replace(made.rig, body_plan=propose_bodies(made.rig)))
    yield made
    made.close()


def test_a_check_under_way_tells_nothing_of_the_character_that_was_closed(session: Session) -> None:
    check, works = session.feature(RangeCheck), []

    def later(work: Callable[[], None], then: Callable[[], None]) -> None:
        works.append((work, then))

    session.jobs.runner = later
    assert check.run() and check.job is not None
    session.document.replace(small_project(), None)
    assert check.job is None
    for work, then in works:
        work()
        then()
    assert check.rows is None and not session.jobs.running

"""The locomotion sample with its database, made once for all tests."""

from functools import cache

from core.clips.clip import Clip
from core.locomotion.character import CharacterSetup
from core.locomotion.matching.database import Database, build
from core.locomotion.matching.driver import make_matcher
from tests.core.locomotion.sample import project, sample


@cache
def character() -> CharacterSetup:
    rig = project().rigs[0]
    made = sample()
    return made.with_matching(make_matcher(project(), rig, made.moves))


def database() -> Database:
    matcher = character().matcher
    assert matcher is not None
    return matcher.database


def clip(name: str) -> Clip:
    return project().clip_named(name)


__all__ = ["build", "character", "clip", "database", "project"]

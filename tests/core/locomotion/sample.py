"""The locomotion sample's character, made once for all tests of a process: it takes most of a second."""

from functools import cache

import core.io
from core.locomotion.character import CharacterSetup, character_setup
from core.project.project import Project
from resources.sample.locomotion import FILE


@cache
def project() -> Project:
    return core.io.load(FILE).project


@cache
def sample() -> CharacterSetup:
    return character_setup(project(), project().rigs[0])

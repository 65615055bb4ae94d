"""The locomotion sample is what its script makes, and small."""

from functools import cache

import pytest
from hypothesis import settings

from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.io import load
from core.project.project import Project
from resources.sample import build
from resources.sample.locomotion import FILE, MORE
from resources.sample.meanings import told
from resources.sample.spaces import build_locomotion_spaces
from tests.resources.test_sample_file import assert_same

OWN = len(build.CLIPS)
EVERY = 4 if settings.get_current_profile_name() == "ci" else 1
"""Clips of a family are made by the same lines; ``HYPOTHESIS_PROFILE=deep`` makes each of them."""


@cache
def _stored() -> Project:
    return load(FILE).project


@cache
def _clips() -> tuple[Clip, ...]:
    return tuple(_stored().clips)


def test_locomotion_sample_begins_with_the_sample_characters_clips() -> None:
    own = tuple(load(build.FILE).project.clips)
    assert len(own) == OWN
    for clip, again in zip(own, _clips()[:OWN], strict=True):
        assert_same(clip, again, clip.name)
    assert len(_clips()) == OWN + len(MORE)


@pytest.mark.parametrize("number", range(0, len(MORE), EVERY))
def test_locomotion_clip_is_up_to_date(number: int) -> None:
    """One by one, and by default one of four: all of them take half a minute of processor."""
    made = told(MORE[number](), {clip.id: clip for clip in _clips()})
    assert_same(made, _clips()[OWN + number], made.name)


def test_locomotion_spaces_are_up_to_date() -> None:
    stored = {space.id: space for space in _stored().all(BlendSpace)}
    made = build_locomotion_spaces()
    assert set(stored) == {space.id for space in made}
    for space in made:
        assert_same(space, stored[space.id], space.name)


def test_locomotion_file_is_small() -> None:
    assert FILE.stat().st_size < 4_000_000

"""The locomotion sample is what its script makes, and small."""

from core.io import load
from resources.sample import build
from resources.sample.locomotion import FILE, build_project
from tests.resources.test_sample_file import assert_same


def test_locomotion_file_is_up_to_date() -> None:
    project, stored = build_project(), load(FILE).project
    assert list(stored.assets) == list(project.assets)
    for key, asset in project.assets.items():
        assert_same(asset, stored.assets[key], key)


def test_locomotion_sample_begins_with_the_sample_characters_clips() -> None:
    own, more = load(build.FILE).project, load(FILE).project
    assert [clip.name for clip in more.clips][: len(own.clips)] == [clip.name for clip in own.clips]
    assert len(more.clips) > len(own.clips)


def test_locomotion_file_is_small() -> None:
    assert FILE.stat().st_size < 4_000_000

"""Files that share a slow set-up go to one worker, all others each for themselves."""

from pathlib import Path

from tests.conftest import TOGETHER, unit_of

HERE = Path(__file__).parent


def test_all_that_build_the_sample_character_are_one_unit():
    users = [
        p for p in (HERE / "resources").glob("test_*.py") if "(character: Character" in p.read_text("utf-8")
    ]
    units = {unit_of(path.relative_to(HERE.parent).as_posix()) for path in users}
    assert len(users) > 3 and units == {"tests/resources/test_sample_"}


def test_other_files_are_units_of_their_own_and_every_unit_has_several_files():
    assert unit_of("tests/editor/test_words.py") == "tests/editor/test_words.py"
    files = [path.relative_to(HERE.parent).as_posix() for path in HERE.rglob("test_*.py")]
    for begin in TOGETHER:
        assert sum(unit_of(file) == begin for file in files) > 1

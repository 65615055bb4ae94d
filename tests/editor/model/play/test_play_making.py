"""Making a character in the background, with jobs that wait: the newest wish counts; and what makes it anew."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.errors import ValidationError
from core.ids import AssetId
from core.locomotion.play_setup import PlaySetup
from core.locomotion.setup import PRESETS
from core.terrain.terrain import flat_terrain
from editor.model.jobs import Jobs
from editor.model.messages import Messages
from editor.model.play import making
from editor.model.play.characters import MadeOf, make_character
from editor.model.play.making import SPAWN, CharacterMaking, Wish
from tests.editor.rigs import small_project
from tests.light_character import light


class Waiting:
    """A runner whose work is done when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple] = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def deliver(self, number: int = 0) -> None:
        work, then = self.waiting.pop(number)
        work()
        then()


class Wished:
    """A wish for a character that is a word, or cannot be made."""

    def __init__(self, word: str, error: Exception | None = None) -> None:
        self.word, self.error = word, error

    def made(self) -> SimpleNamespace:
        if self.error is not None:
            raise self.error
        return SimpleNamespace(word=self.word, start=lambda place: (self.word, place))


@pytest.fixture
def maker(monkeypatch) -> CharacterMaking:
    monkeypatch.setattr(making, "sdl", lambda: None)
    runner, messages, told = Waiting(), Messages(), []
    made = CharacterMaking(Jobs(runner), messages, lambda: told.append((made.busy, made.failed)))
    made.runner, made.messages, made.told, made.got = runner, messages, told, []
    made.ask = lambda wish: made.make(wish, lambda driven, first: made.got.append((driven.word, first)))
    return made


def test_a_character_is_handed_over_with_the_state_it_begins_with(maker) -> None:
    assert not maker.busy and not maker.failed
    maker.ask(Wished("one"))
    assert maker.busy and maker.told == [(True, False)] and maker.got == []
    maker.runner.deliver()
    assert maker.got == [("one", ("one", SPAWN))] and not maker.busy and not maker.failed
    assert maker.told == [(True, False)], "who gets it tells it"
    assert SPAWN == (0.0, 0.0, 0.0)


def test_of_two_wishes_the_newer_counts(maker) -> None:
    maker.ask(Wished("one"))
    maker.ask(Wished("two"))
    maker.runner.deliver()
    assert maker.busy and maker.got == []
    maker.runner.deliver()
    assert not maker.busy and [word for word, _ in maker.got] == ["two"]


def test_an_older_wish_that_comes_late_changes_nothing(maker) -> None:
    maker.ask(Wished("one"))
    maker.ask(Wished("two"))
    maker.runner.deliver(1)
    maker.runner.deliver()
    assert not maker.busy and [word for word, _ in maker.got] == ["two"]


def test_a_character_that_cannot_be_made_is_said_and_told(maker) -> None:
    maker.ask(Wished("one", ValidationError("no clip")))
    maker.runner.deliver()
    assert maker.got == [] and not maker.busy and maker.failed
    assert maker.told == [(True, False), (False, True)]
    assert maker.messages.latest.text == "no clip"
    maker.ask(Wished("two"))
    assert maker.busy and not maker.failed


def test_a_wish_that_was_dropped_fails_silently(maker) -> None:
    maker.ask(Wished("one", ValidationError("no clip")))
    maker.ask(Wished("two"))
    maker.runner.deliver()
    assert maker.busy and not maker.failed and maker.messages.latest is None
    maker.runner.deliver()
    assert [word for word, _ in maker.got] == ["two"] and len(maker.told) == 2


def test_what_is_cancelled_comes_to_nothing(maker) -> None:
    maker.cancel()
    assert maker.told == []
    maker.ask(Wished("one"))
    maker.cancel()
    assert not maker.busy and maker.told == [(True, False), (False, False)]
    maker.runner.deliver()
    assert maker.got == [] and not maker.busy and len(maker.told) == 2


def test_a_known_character_is_put_on_other_ground_instead_of_being_made() -> None:
    asked = []
    known = SimpleNamespace(on=lambda controller, terrain: asked.append((controller, terrain)) or "moved")
    flat, project = flat_terrain(), light()
    wish = Wish(project, project.rigs[0], None, PRESETS["sluggish"], flat, known)
    assert wish.made() == "moved" and asked == [(PRESETS["sluggish"], flat)]


# ---------------------------------------------------------------- of what it is made
def test_a_rig_without_a_clip_that_moves_says_what_to_do() -> None:
    project = small_project(mesh=False)
    with pytest.raises(
        ValidationError, match=r"^small has no clip that stands or walks by its name: import one"
    ):
        make_character(project, project.rigs[0], PRESETS["normal"], flat_terrain())


@pytest.fixture(scope="module")
def driven():
    """A character of few clips; what is asked of it changes nothing."""
    project = light()
    return make_character(project, project.rigs[0], PRESETS["normal"], flat_terrain())


def changed(clip: str, **values: object):
    """The project with a clip changed, and the ids that changed."""
    after = replace(light().clip_named(clip), **values)
    return light().with_assets(after), frozenset({after.id})


def test_an_edit_of_a_clip_that_plays_makes_another_character(driven) -> None:
    made = MadeOf(light(), driven, None)
    for clip in ("idle", "walk", "jump land"):
        project, ids = changed(clip, curves={})
        assert made.differs(project, ids, None), clip
    project, ids = changed("wave", curves={})
    assert not made.differs(project, ids, None)
    assert not made.differs(light(), frozenset({AssetId("gone")}), None)
    assert not made.differs(light(), frozenset(), None)


def test_an_edit_of_the_rig_makes_another_character(driven) -> None:
    rig = light().rigs[0]
    assert MadeOf(light(), driven, None).differs(light(), frozenset({rig.id, AssetId("gone")}), None)


def test_another_set_up_makes_another_character(driven) -> None:
    first, second = (PlaySetup(AssetId(id), id, driven.rig.id) for id in ("one", "two"))
    made = MadeOf(light(), driven, first)
    assert not made.differs(light(), frozenset(), first)
    assert made.differs(light(), frozenset(), second) and made.differs(light(), frozenset(), None)


def test_a_clip_that_gets_the_name_of_what_was_missing_makes_another_character(driven) -> None:
    made = MadeOf(light(), driven, None)
    project, ids = changed("wave", name="sprint")
    assert made.differs(project, ids, None)
    project, ids = changed("wave", name="waving")
    assert not made.differs(project, ids, None)


def test_with_motion_matching_every_clip_takes_part_but_nothing_else(driven) -> None:
    setup = driven.setup.with_matching(SimpleNamespace())
    made = MadeOf(light(), type(driven)(setup, driven.terrain), None)
    project, ids = changed("wave", curves={})
    assert made.differs(project, ids, None)
    setup = PlaySetup(AssetId("set-up"), "set-up", driven.rig.id)
    assert not made.differs(light().with_assets(setup), frozenset({setup.id}), None)

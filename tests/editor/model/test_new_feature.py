"""A feature that was added by its class and one entry is made with what it takes, and works to the end."""

import inspect
from dataclasses import fields

import pytest

from editor.model import features
from editor.model.document import Document
from editor.model.events import Event
from editor.model.features import FEATURES, make_features
from editor.model.ik.state import IkState
from editor.model.selection import Selection
from editor.model.session import Session
from tests.editor.stage import small_project


class Counter:
    """Counts edits, and how often bones were selected."""

    def __init__(
        self, document: Document, selection: Selection, closing: Event[None], start: int = 10
    ) -> None:
        self.edits, self.selections, self.closed = start, 0, False
        document.changed.connect(lambda _: self._edited())
        selection.bones_changed.connect(lambda _: self._selected())
        closing.connect(lambda _: setattr(self, "closed", True))

    def _edited(self) -> None:
        self.edits += 1

    def _selected(self) -> None:
        self.selections += 1


class Doubler:
    """Takes a feature above it."""

    def __init__(self, counter: Counter) -> None:
        self.counter = counter

    @property
    def doubled(self) -> int:
        return 2 * self.counter.selections


def test_feature_added_by_one_entry_takes_services_and_features_above_it(monkeypatch, tmp_path):
    monkeypatch.setitem(features.FEATURES, "counter", Counter)
    monkeypatch.setitem(features.FEATURES, "doubler", Doubler)
    session = Session.create(tmp_path, tmp_path)
    session.document.replace(small_project(), None)
    counter = session.feature(Counter)
    edits, selections = counter.edits, counter.selections
    assert edits >= 10
    session.selection.select(("spine",))
    assert session.clips.rename(session.clip.id, "another name")
    assert counter.selections == selections + 1 and counter.edits == edits + 1
    assert session.undo()
    assert counter.edits == edits + 2
    assert session.feature(Doubler).counter is counter
    assert session.feature(Doubler).doubled == 2 * counter.selections
    assert session.feature(IkState) is session.feature(IkState)
    session.close()
    assert counter.closed


def test_feature_that_takes_what_is_not_offered_says_so():
    class Lost:
        def __init__(self, document: Document, weather: object) -> None: ...

    with pytest.raises(TypeError, match='"lost" takes weather, but a session offers document'):
        make_features({"lost": Lost}, {"document": Document()})


def test_feature_cannot_take_a_feature_below_it():
    with pytest.raises(TypeError, match='"doubler" takes counter'):
        make_features({"doubler": Doubler, "counter": Counter}, {})


def test_class_without_an_entry_is_no_feature(tmp_path):
    session = Session.create(tmp_path, tmp_path)
    with pytest.raises(LookupError, match="Counter has no entry"):
        session.feature(Counter)
    session.close()


@pytest.mark.parametrize("kind", FEATURES.values(), ids=list(FEATURES))
def test_parameters_of_features_have_the_type_of_the_service(kind):
    """mypy cannot check what is passed by name."""
    types = {field.name: field.type for field in fields(Session)}
    for name, parameter in inspect.signature(kind).parameters.items():
        if name not in types and name not in FEATURES and parameter.default is not parameter.empty:
            continue  # not a service: it keeps its default
        expected = FEATURES.get(name, types.get(name))
        assert parameter.annotation == expected, (name, parameter.annotation, expected)


def test_features_do_not_take_the_session():
    assert not [kind for kind in FEATURES.values() if "session" in inspect.signature(kind).parameters]

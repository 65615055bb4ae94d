"""A kind of asset that was added by its class, its schema and one entry is saved, journalled and checked."""

import json
import os
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import pytest

import core.io
from core.arrays import FloatArray, same_value
from core.errors import MissingReferenceError, UnsupportedError
from core.ids import AssetId, Reference, redirected
from core.io.native import kinds
from core.io.native.schema import AssetKind, Schema
from core.rig.rig import Rig
from editor.model import codec, recovery
from editor.model.journal_lock import lock_path
from editor.model.session import Session
from tests.editor.stage import RIG, small_project


class Mood(Enum):
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True, eq=False)
class Remark:
    text: str
    mood: Mood


@dataclass(frozen=True, slots=True, eq=False)
class Notebook:
    """Remarks on a rig, and places on it."""

    id: AssetId
    name: str
    rig: AssetId
    remarks: tuple[Remark, ...]
    places: FloatArray

    def references(self):
        return (Reference(self.rig, Rig, "rig"),)

    def with_targets(self, targets):
        rig = redirected(self.rig, targets)
        return None if rig is None else replace(self, rig=rig)


def _to(book, packs):
    remarks = [{"text": r.text, "mood": r.mood.value} for r in book.remarks]
    return {
        "id": book.id,
        "name": book.name,
        "rig": book.rig,
        "remarks": remarks,
        "places": packs.put(book.places),
    }


def _from(value, packs):
    remarks = tuple(Remark(row.text("text"), Mood(row.text("mood"))) for row in value.objects("remarks"))
    places = packs.get(value.required("places"))
    return Notebook(
        AssetId(value.text("id")), value.text("name"), AssetId(value.text("rig")), remarks, places
    )


ENTRY = AssetKind("notebook", Notebook, Schema("test.notebook", 1), _to, _from)
BOOK = Notebook(
    AssetId("notebook-1"), "notes", RIG, (Remark("stiff", Mood.BAD),), np.arange(6.0).reshape(2, 3)
)


@pytest.fixture
def entered(monkeypatch):
    """The one entry."""
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, ENTRY))
    codec.classes.cache_clear()
    yield
    monkeypatch.undo()
    codec.classes.cache_clear()


def test_new_kind_is_saved_and_opened_again(entered, tmp_path):
    project = small_project().with_assets(BOOK)
    core.io.save(project, tmp_path / "a.posewright")
    back = core.io.load(tmp_path / "a.posewright").project
    assert same_value(back.get(Notebook, BOOK.id), BOOK)


def test_new_kind_that_refers_to_nothing_is_told_before_it_is_saved(entered, tmp_path):
    lost = replace(BOOK, rig=AssetId("rig-gone"))
    with pytest.raises(MissingReferenceError, match="rig-gone"):
        core.io.save(small_project().with_assets(lost), tmp_path / "a.posewright")
    assert not list(tmp_path.iterdir())


def test_steps_on_a_new_kind_are_recovered_from_the_journal(entered, tmp_path):
    session = Session.create(tmp_path / "config", tmp_path)
    session.document.replace(small_project(), None)
    session.edits.put("notes", BOOK)
    session.edits.put("more notes", replace(BOOK, remarks=(*BOOK.remarks, Remark("soft", Mood.GOOD))))
    session.journal.flush()
    lock_path(session.journal.path).write_text(json.dumps({"pid": os.getpid(), "start": "another"}))
    found = recovery.recover(session.journal.path)
    assert same_value(found.project.get(Notebook, BOOK.id), session.document.project.get(Notebook, BOOK.id))
    session.journal.close()
    session.close()


def test_without_its_entry_a_kind_is_refused(tmp_path):
    with pytest.raises(UnsupportedError, match="Notebook"):
        core.io.save(small_project().with_assets(BOOK), tmp_path / "a.posewright")
    assert "Notebook" not in codec.classes()

"""Edits name only what is in the document, whatever is shown meanwhile."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.blending.blend_space import BlendSpace
from core.blending.layer_stack import LayerMode
from core.clips.clip import Clip
from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.project.references import check
from editor.model.blending.state import Blending
from editor.model.importing import Imported, with_fresh_ids
from editor.model.session import Session
from tests.core.project.test_references import dangling_file, full_project
from tests.editor.rigs import small_project

GUEST = AssetId("retarget-preview-clip-small")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = Session.create(tmp_path, tmp_path)
    session.document.replace(small_project(), None)
    yield session
    session.close()


def show_preview(session: Session) -> Clip:
    transient_clip = replace(session.clip, id=GUEST, name="walk (preview)", tracks={})
    session.playback.set_transient_clip(transient_clip)
    return transient_clip


def test_new_aim_offset_while_a_preview_is_shown_takes_the_documents_clip(
    session: Session, tmp_path: Path
) -> None:
    show_preview(session)
    session.feature(Blending).spaces.new("aim")
    (space,) = session.document.project.all(BlendSpace)
    assert space.base_clip == session.playback.clip
    check(session.document.project)
    path = tmp_path / "a.posewright"
    session.files.save(path)
    session.files.open(path)
    assert session.document.path == path and session.document.project.all(BlendSpace)


def test_layer_added_while_a_preview_is_shown_lies_over_the_documents_clip(session: Session) -> None:
    show_preview(session)
    session.feature(Blending).layers.add(None, LayerMode.ADDITIVE)
    check(session.document.project)
    assert GUEST not in session.document.project.assets


def test_preview_is_never_put_into_the_document(session: Session) -> None:
    transient_clip = show_preview(session)
    before = session.document.project
    with pytest.raises(ValidationError, match=r"preview.*bake it to a clip"):
        session.edits.put("key", replace(transient_clip, length=2.0))
    assert session.document.project is before and not session.history.labels


def test_commit_of_a_dangling_reference_changes_nothing(session: Session) -> None:
    before = session.document.project
    with pytest.raises(AnimError, match="not in the project"):
        space = full_project().all(BlendSpace)[0]
        session.edits.put("space", replace(space, base_clip=AssetId("clip-nowhere")))
    assert session.document.project is before and session.history.labels == ()


def test_document_with_a_dangling_reference_opens_not_saved_and_says_so(
    session: Session, tmp_path: Path
) -> None:
    path = dangling_file(tmp_path / "old.posewright")
    session.files.open(path)
    assert session.document.path == path and session.document.dirty
    assert any("moves" in message.text for message in session.messages.log)
    session.files.save()
    session.files.open(path)
    assert not session.document.dirty


def test_import_of_a_document_renumbers_all_that_refers() -> None:
    project = full_project()
    fresh = with_fresh_ids(project)
    check(fresh)
    assert not set(fresh.assets) & set(project.assets)


def test_import_without_some_clips_clears_what_refers_to_them(session: Session, tmp_path: Path) -> None:
    from core.io import ImportReport

    project = full_project()
    found = Imported(tmp_path / "a.posewright", project, ImportReport("Posewright"), ())
    session.files.accept(found, clips=[project.clips[0].id])
    check(session.document.project)
    (space,) = session.document.project.all(BlendSpace)
    assert len(space.samples) == 1

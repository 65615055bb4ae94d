"""The action that opens the locomotion sample."""

from tests.editor.stage import stage


def test_locomotion_sample_opens_as_a_document_without_a_file(qapp):
    with stage(qapp, "clips") as here:
        here.session.jobs.runner = lambda work, then: (work(), then())  # at once: reading takes its time
        here.window.actions_registry.run("file.sample_locomotion")
        here.user.settle()
        document = here.session.document
        assert document.path is None
        assert not document.dirty
        names = {clip.name for clip in document.project.clips}
        assert {"sprint", "walk stop left RF", "pivot LF", "get up side", "roll"} <= names

import pytest

from tests.editor.stage import stage


@pytest.fixture
def here(qapp):
    """The window with every panel but the viewport, which has tests of its own."""
    with stage(qapp, "bone_tree", "clips", "inspector", "history") as made:
        yield made

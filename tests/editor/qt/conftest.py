import pytest

from editor.qt.theme import Theme


@pytest.fixture
def theme(qapp):
    return Theme(qapp)

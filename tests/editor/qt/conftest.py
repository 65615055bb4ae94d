import pytest

from editor.qt.theme import Theme


@pytest.fixture
def theme(qapp):
    made = Theme(qapp)
    yield made
    qapp.setStyleSheet("")

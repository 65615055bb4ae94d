"""The curve editor on a small arm, for every test of it."""

import pytest

from tests.editor.panels.curves.curve_stage import X, curve_stage


@pytest.fixture
def stage(qapp):
    with curve_stage(qapp) as made:
        made.show("arm")
        made.only(X)
        yield made

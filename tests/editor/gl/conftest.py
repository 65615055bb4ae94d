from collections.abc import Iterator

import pytest

from editor.gl.capture import NoContextError, OffscreenRenderer
from tests.editor.gl.figure import figure_geometry


@pytest.fixture(scope="session")
def view() -> Iterator[OffscreenRenderer]:
    """One off-screen renderer for all pictures, without multisampling: every pixel is one sample."""
    try:
        renderer = OffscreenRenderer(samples=0)
    except NoContextError as error:
        pytest.skip(str(error))
    with renderer:
        yield renderer


@pytest.fixture(scope="session")
def small_figure():
    """The geometry of a small figure."""
    return figure_geometry(14, 4, "test figure")

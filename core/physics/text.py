"""Numbers in the text of a model, so that they are read back exactly."""

from collections.abc import Iterable

import numpy.typing as npt


def numbers(values: Iterable[float] | npt.NDArray) -> str:  # type: ignore[type-arg]
    """Numbers with blanks between, each the shortest text that is read back as it was."""
    return " ".join(repr(float(value)) for value in values)


def attributes(**values: Iterable[float]) -> str:
    """Attributes of an element, each some numbers."""
    return " ".join(f'{name}="{numbers(value)}"' for name, value in values.items())

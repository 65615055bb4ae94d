"""The exceptions of Posewright's evaluation library.

Every message says what was expected, what came, where, and what to do next.
"""

from pathlib import Path


class AnimError(Exception):
    """Root of everything this library raises on purpose."""


class ValidationError(AnimError):
    """A value breaks a rule of the data model (shape, range, hierarchy, finiteness)."""


class MissingReferenceError(AnimError):
    """Something names an asset, bone or clip that is not there."""


class UnsupportedError(AnimError):
    """The request is understood but cannot be met (format feature, missing extra)."""


class Cancelled(AnimError):  # noqa: N818 - an outcome the user chose, not an error
    """The user cancelled; nothing was changed."""


class FormatError(AnimError):
    """A file could not be read.

    Parameters
    ----------
    path : path of the file, as the user gave it
    where : place inside the file ("line 12", "accessors[3]", "clip 'walk'"), or ""
    reason : what was expected and what came
    hint : what to do about it, or ""
    """

    def __init__(self, path: str | Path, where: str, reason: str, hint: str = "") -> None:
        self.path = str(path)
        self.where = where
        self.reason = reason
        self.hint = hint
        place = f"{self.path}: {where}" if where else self.path
        super().__init__(f"{place}: {reason}" + (f" ({hint})" if hint else ""))


class IncompleteError(FormatError):
    """A file ends before what it says it holds: a copy or a download that was broken off.

    Parameters
    ----------
    found, expected : bytes that are there, and those that it says it has
    """

    def __init__(self, path: str | Path, where: str, found: int, expected: int) -> None:
        self.found, self.expected = found, expected
        super().__init__(
            path,
            where,
            f"it declares {expected} bytes, the file ends after {found}",
            "copy or download it again",
        )

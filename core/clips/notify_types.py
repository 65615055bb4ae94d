"""Types of notifies: what notifies of a name carry, with kinds, defaults and bounds."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from core.clips.clip import Notify, NotifyRule
from core.clips.edits import checked_name
from core.errors import ValidationError
from core.ids import AssetId, Reference, Targets

YES, NO = "true", "false"


class FieldKind(StrEnum):
    """What a field of a notify's data holds."""

    TEXT = "text"
    NUMBER = "number"
    WHOLE = "whole"
    SWITCH = "switch"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class NotifyField:
    """One field of a notify's data.

    Parameters
    ----------
    default : what a new notify holds, as text; "" is the kind's own (0, off, the first choice)
    choices : of a choice
    minimum, maximum : of a number; None is no bound
    unit : of a number, as shown behind it

    Raises
    ------
    ValidationError
        A name that is empty, a choice without choices, or a default that does not fit.
    """

    name: str
    kind: FieldKind = FieldKind.TEXT
    default: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        checked_name(self.name)
        if self.kind is FieldKind.CHOICE and (not self.choices or not all(self.choices)):
            raise ValidationError(f"notify field {self.name!r}: a choice needs a list of choices")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValidationError(
                f"notify field {self.name!r}: expected a minimum up to the maximum, got {self.minimum:g} to "
                f"{self.maximum:g}"
            )
        if self.default:
            object.__setattr__(self, "default", self.checked(self.default))

    @property
    def first(self) -> str:
        """What a new notify holds."""
        if self.default:
            return self.default
        if self.kind is FieldKind.CHOICE:
            return self.choices[0]
        if self.kind is FieldKind.SWITCH:
            return NO
        if self.kind is FieldKind.TEXT:
            return ""
        low, high = self.minimum, self.maximum
        zero = max(0.0, low) if low is not None else 0.0
        return number_text(min(zero, high) if high is not None else zero)

    def checked(self, text: str) -> str:
        """A value as it is kept.

        Raises
        ------
        ValidationError
            What is expected, and what came.
        """
        if self.kind is FieldKind.TEXT:
            return text
        if self.kind is FieldKind.CHOICE:
            if text not in self.choices:
                raise self._error(f"one of {', '.join(self.choices)}", text)
            return text
        if self.kind is FieldKind.SWITCH:
            if text.strip().lower() not in (YES, NO):
                raise self._error(f"{YES} or {NO}", text)
            return text.strip().lower()
        return self._number(text)

    def _number(self, text: str) -> str:
        whole = self.kind is FieldKind.WHOLE
        try:
            value = float(text)
        except ValueError:
            raise self._error("a whole number" if whole else "a number", text) from None
        if not math.isfinite(value) or (whole and value != round(value)):
            raise self._error("a whole number" if whole else "a finite number", text)
        low = -math.inf if self.minimum is None else self.minimum
        high = math.inf if self.maximum is None else self.maximum
        if not low <= value <= high:
            raise self._error(f"{low:g} to {high:g}", text)
        return number_text(value)

    def _error(self, wanted: str, got: str) -> ValidationError:
        return ValidationError(f"{self.name}: expected {wanted}, got {got[:40]!r}")


def number_text(value: float) -> str:
    """A number as text: whole ones without a point."""
    return str(int(value)) if value == round(value) and abs(value) < 1e15 else repr(value)


@dataclass(frozen=True, slots=True)
class NotifyType:
    """What notifies of one name carry. An asset of the project, for all its rigs.

    Parameters
    ----------
    name : of the notifies that it describes
    fields : of their data
    duration : seconds of a new one; 0 is a moment
    color : ``#rrggbb`` of a new one, or ""
    rule : of a new one

    Raises
    ------
    ValidationError
        Two fields of one name, or a duration below 0.
    """

    id: AssetId
    name: str
    fields: tuple[NotifyField, ...] = ()
    duration: float = 0.0
    color: str = ""
    rule: NotifyRule = field(default_factory=NotifyRule)

    def __post_init__(self) -> None:
        checked_name(self.name)
        names = [part.name for part in self.fields]
        if len(set(names)) < len(names):
            raise ValidationError(f"notify type {self.name!r}: two fields have one name")
        if not 0.0 <= self.duration < 1e7:
            raise ValidationError(
                f"notify type {self.name!r}: expected a duration of 0 s or more, got {self.duration:g}"
            )

    def made(self, time: float, lane: str = "") -> Notify:
        """A new notify of this type at a time."""
        data = {part.name: part.first for part in self.fields}
        if self.color:
            data["color"] = self.color
        return Notify(self.name, time, self.duration, data, self.rule, lane)

    def problems(self, notify: Notify) -> tuple[str, ...]:
        """Which fields of a notify are missing or do not fit."""
        found = []
        for part in self.fields:
            if part.name not in notify.data:
                found.append(f"{part.name} is missing")
                continue
            try:
                part.checked(notify.data[part.name])
            except ValidationError as error:
                found.append(str(error))
        return tuple(found)

    def references(self) -> tuple[Reference, ...]:
        """None: types belong to no rig."""
        return ()

    def with_targets(self, targets: Targets) -> "NotifyType":
        """The same: it names no asset."""
        return self


def type_of(name: str, types: Iterable[NotifyType]) -> NotifyType | None:
    """The type of notifies of a name, None where they have none."""
    return next((found for found in types if found.name == name), None)

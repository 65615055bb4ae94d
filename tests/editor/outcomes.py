"""What a verb makes of a session, in parts that a pin can take."""

import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum

import numpy as np

from core.arrays import same_value
from core.errors import AnimError
from editor.model.key_filter import KeyFilter
from editor.model.session import Session

MADE_ID = re.compile("-[0-9a-f]{12}")
"""What makes an id of its own each time."""
NO_ERROR = re.compile(r"(?<=largest error 0\.000 mm) \([^)]*\)")
"""Where the largest error is nothing, rounding decides which bone has it."""


def plain(value: object) -> object:
    """Anything in parts that a pin can take; ids that are made anew each time have no number."""
    if isinstance(value, str):
        return NO_ERROR.sub("", MADE_ID.sub("-new", value))
    if (
        isinstance(value, Enum)
        or value is None
        or isinstance(value, bool | int | float | np.generic | np.ndarray)
    ):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, *(plain(getattr(value, f.name)) for f in fields(value))]
    if isinstance(value, Mapping):
        return [[plain(key), plain(part)] for key, part in value.items()]
    if isinstance(value, Set):
        return sorted(str(plain(part)) for part in value)
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return type(value).__name__


def changes(before: object, after: object) -> Iterator[object]:
    """Fields of an asset that are other than before; of its tracks and curves those alone."""
    for field in fields(after):
        was, now = getattr(before, field.name), getattr(after, field.name)
        if now is was:
            continue
        if isinstance(now, Mapping):
            yield field.name, [key for key in was if key not in now]
            yield [(plain(key), plain(part)) for key, part in now.items() if part is not was.get(key)]
        elif not same_value(was, now):
            yield field.name, plain(now)


def outcome(session: Session, do: Callable[[], object]) -> list[object]:
    """Do something, and tell all that is other than before: answer or refusal, step, words, selection, assets."""
    before, said = session.document.project, len(session.messages.log)
    ways = dict(session.preferences._values)
    try:
        told: list[object] = [plain(do())]
    except AnimError as error:
        told = ["refused", str(error)]
    after, selection, playback = session.document.project, session.selection, session.playback
    told.append(session.history.labels[-1:] if after is not before else "no step")
    told.append([(plain(m.text), m.next_step) for m in session.messages.log[said:]])
    told += [selection.bones, {c: np.asarray(k) for c, k in selection.keys.items()}, selection.weights]
    told += [selection.hidden, selection.locked, selection.solo]
    told += [playback.time, playback.span, session.feature(KeyFilter).only]
    values = session.preferences._values.items()
    told.append({n: plain(v) for n, v in values if ways.get(n) != v and n != "used_actions"})
    told.append(sorted(str(plain(id)) for id in before.assets.keys() - after.assets.keys()))
    for id, asset in after.assets.items():
        was = before.assets.get(id)
        if was is None:
            told.append(plain(asset))
        elif was is not asset:
            told.append([plain(id), *changes(was, asset)])
    return told

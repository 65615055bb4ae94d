"""What came of something that a person did: steps, what changed in the document, what was said, what is shown now."""

import dataclasses
import difflib
import re
from collections.abc import Mapping

import numpy as np
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget
from shiboken6 import Shiboken

from core.clips.clip import Channel
from editor.model.graph_run.state import GraphRun
from editor.model.play.state import Play
from tests.editor.panel_stage import Stage
from tests.editor.portraits import words
from tests.editor.portraits.approved import steady
from tests.editor.portraits.brush import noted

CHANGES, SHOWN = 6, 8
"""So many changes of the document and lines of the panel are told; of more only how many there are."""
MADE = re.compile(r"-[0-9a-f]{8,}\b")
"""Ids that are made anew each time."""


def value(of: object) -> str:
    """A value in a word."""
    if isinstance(of, np.ndarray):
        flat = of.reshape(-1)
        numbers = " ".join(f"{v:.4g}" for v in flat[:4]) if flat.dtype != object else ""
        return (
            f"{of.shape} {numbers}{' …' if flat.size > 4 else ''} sum {float(np.sum(flat)):.4g}"
            if flat.size
            else "()"
        )
    if isinstance(of, float):
        return f"{of:.5g}"
    if isinstance(of, Channel):
        return f"{of.bone}.{of.property.name.lower()}.{of.axis}"
    if isinstance(of, Mapping):
        return f"{len(of)} entries"
    if isinstance(of, tuple | list):
        return f"({', '.join(value(v) for v in of[:4])}{' …' if len(of) > 4 else ''})"
    if dataclasses.is_dataclass(of):
        parts = [f"{f.name}={value(getattr(of, f.name))}" for f in dataclasses.fields(of)[:6]]
        return f"{type(of).__name__}({', '.join(parts)})"[:160]
    return steady(str(of))[:80]


def changes(a: object, b: object, at: str = "", depth: int = 0) -> list[str]:
    """Where two values differ, in words."""
    if a is b:
        return []
    if dataclasses.is_dataclass(a) and type(a) is type(b) and depth < 6:
        return [
            line
            for f in dataclasses.fields(a)
            for line in changes(getattr(a, f.name), getattr(b, f.name), f"{at}.{f.name}", depth + 1)
        ]
    if isinstance(a, Mapping) and isinstance(b, Mapping) and depth < 6:
        found = []
        for key in {**a, **b}:
            name = f"{at}[{value(key)}]"
            if key not in a:
                found.append(f"{name} new {value(b[key])}")
            elif key not in b:
                found.append(f"{name} gone")
            else:
                found += changes(a[key], b[key], name, depth + 1)
        return found
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b) and depth < 6:
        return [
            line
            for k, (x, y) in enumerate(zip(a, b, strict=True))
            for line in changes(x, y, f"{at}[{k}]", depth + 1)
        ]
    was, now = value(a), value(b)
    return [f"{at}: {was} → {now}"] if was != now else []


@dataclasses.dataclass
class Moment:
    """How everything stands."""

    project: object
    position: int
    labels: tuple[str, ...]
    said: int
    asked: int
    state: dict[str, str]
    panel: list[str]
    windows: set[int]
    task: object


def windows() -> list[QWidget]:
    """Windows, menus and dialogs in sight."""
    return [w for w in QApplication.topLevelWidgets() if w.isVisible()]


def state(stage: Stage) -> dict[str, str]:
    """What of a session is no part of the document."""
    session = stage.session
    play, chosen = session.playback, session.selection
    keys = {value(c): [int(k) for k in i] for c, i in chosen.keys.items()}
    return {
        "time": f"{play.time:.4g}",
        "clip": str(play.clip),
        "playing": str(play.playing),
        "range": value(play.range) if play.range else "whole",
        "speed": value(play.speed),
        "in place": str(play.in_place),
        "plays": f"{play.mode.name} {play.loop.name}",
        "clocks": " ".join(value(f.clock.speed) for f in (session.feature(GraphRun), session.feature(Play))),
        "bones": " ".join(chosen.bones),
        "keys": " ".join(f"{c}:{k}" for c, k in sorted(keys.items()))[:160],
        "hover": str(chosen.hover),
        "pending": str(len(getattr(session.evaluator, "pending", ()) or ())),
        "preferences": " ".join(f"{k}={v}" for k, v in sorted(session.preferences._values.items()))
        if hasattr(session.preferences, "_values")
        else "",
        "clipboard": (session.clipboard.text or "")[:60],
        "hint": stage.notes.hint,
    }


LATE = ("drawPixmap", "drawImage")
"""Pictures come when the machine has time; the portraits of panels hold where they lie."""


def painted(widget: QWidget) -> list[str]:
    """What the program paints in a widget."""
    with noted() as log:
        widget.grab()
        return [line for line in log.taken() if not any(f": {name}" in line for name in LATE)]


def moment(stage: Stage, widget: QWidget, shown: bool = True) -> Moment:
    """How everything stands; without what the panel shows where that is told elsewhere."""
    session = stage.session
    return Moment(
        session.document.project, session.history.position, session.history.labels, len(session.messages.log),
        len(stage.notes.asked), state(stage), words.lines(widget) if shown else [], {id(w) for w in windows()},
        task_of(stage, widget),
    )  # fmt: skip


SETTINGS = ("options", "settings", "choices", "setup", "bound", "way", "ways")
"""Names under which a part of the session keeps what it is to do."""


def task_of(stage: Stage, widget: QWidget) -> object:
    """What a dialog that does some work would do now; of a panel, what the parts of the session would."""
    for name in ("_task", "_plan"):
        if hasattr(widget, name):
            return getattr(widget, name)
    features = getattr(stage.session, "_features", {}).values()
    found = {(type(f).__name__, name): getattr(f, name, None) for f in features for name in SETTINGS}
    return {f"{kind}.{name}": v for (kind, name), v in found.items() if dataclasses.is_dataclass(v)}


def opened(before: Moment) -> list[str]:
    """What came up, and is closed again."""
    found = []
    for window in windows():
        if id(window) in before.windows:
            continue
        if isinstance(window, QMenu):
            found += ["menu", *("  " + line for line in words.menu_lines(window))]
            window.close()
        elif isinstance(window, QDialog) or window.windowTitle():
            told = words.lines(window) if "FileDialog" not in type(window).__name__ else []
            found += [f"window {window.windowTitle()!r}", *("  " + line for line in told[:30])]
            window.reject() if isinstance(window, QDialog) else window.close()
        else:
            found += [f"popup {type(window).__name__}", *("  " + line for line in words.lines(window)[:12])]
            window.hide()
    return found


def came(stage: Stage, widget: QWidget, before: Moment) -> list[str]:
    """What is other than before, in lines."""
    found = beside(stage, before)
    if not Shiboken.isValid(widget):
        return [MADE.sub("-made", line) for line in [*found, "it is closed"]]
    found += changes(before.task, task_of(stage, widget), "task")[:CHANGES]
    shown = differs(before.panel, words.lines(widget))
    found += shown[:SHOWN] + ([f"… {len(shown)} lines"] if len(shown) > SHOWN else [])
    return [MADE.sub("-made", line) for line in found]


def beside(stage: Stage, before: Moment) -> list[str]:
    """What is other than before, beside what the panel shows."""
    session = stage.session
    found: list[str] = []
    labels = session.history.labels
    if session.history.position > before.position:
        found += [f"step {label!r}" for label in labels[before.position : session.history.position]]
    elif session.history.position < before.position:
        found.append(f"{before.position - session.history.position} steps back")
    differ = changes(before.project.assets, session.document.project.assets)
    found += differ[:CHANGES] + ([f"… {len(differ)} changes"] if len(differ) > CHANGES else [])
    found += [f"said {m.text!r} {m.next_step}".rstrip() for m in session.messages.log[before.said :]]
    asked = zip(stage.notes.asked, stage.notes.choices, strict=True)
    found += [f"asked {title!r} {text!r} {said}" for (title, text), said in list(asked)[before.asked :]]
    found += opened(before)
    now = state(stage)
    return found + [f"{k}: {before.state[k]!r} → {now[k]!r}" for k in now if now[k] != before.state[k]]


def differs(was: list[str], now: list[str]) -> list[str]:
    """Lines that went (-) and came (+); of one that is other than before (~) its words."""
    found: list[str] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        old, new = [t.strip() for t in was[a:b]], [t.strip() for t in now[c:d]]
        if len(old) != len(new):
            found += [f"- {t[:150]}" for t in old] + [f"+ {t[:150]}" for t in new]
            continue
        for x, y in zip(old, new, strict=True):
            found.append(other_words(x, y))
    return found


def other_words(was: str, now: str) -> str:
    """Which words of a line are others."""
    old, new = was.split(" "), now.split(" ")
    parts = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    told = [
        f"{' '.join(old[a:b])!s} → {' '.join(new[c:d])!s}" for kind, a, b, c, d in parts if kind != "equal"
    ]
    return f"~ {' '.join(old[:2])}: {'; '.join(told)}"[:220]

"""Of what an input costs, which part costs how much: milliseconds of the window's thread by part of the program.

The gates are watched through which all work comes: what listens to an event of the model, refreshes that wait for
the turn's end, paintings, and the entrances of core and model (edits, tracks, evaluation, journal). Time inside one
part that is spent in another counts for the other. What is in none of them is Qt's: delivery of events, painting of
its own widgets, putting the window's picture together. Watching costs about 1 µs a call.
"""

import functools
import importlib
import pkgutil
import time
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

PARTS = (
    "edit", "tracks", "evaluation", "journal", "view", "GL", "curves", "timeline", "tree", "inspector", "clips",
    "others", "window", "collector", "Qt",
)  # fmt: skip
PANELS = {"viewport": "view", "curves": "curves", "timeline": "timeline", "bone_tree": "tree",
          "inspector": "inspector", "clips": "clips"}  # fmt: skip
ENTRANCES = (
    ("edit", "editor.model.edits", "Edits", ("put", "commit")),
    ("edit", "editor.model.history", "History", ("do", "undo", "redo", "count_on")),
    ("edit", "editor.tools.gesture", "GestureHost", ("move", "take", "release")),
    ("evaluation", "editor.model.evaluator", "Evaluator", ("pose", "matrices", "world", "worlds", "sample_many")),
    ("evaluation", "core.evaluation.clip_pipeline", "ClipPipeline", ("__init__", "pose", "sample_many")),
    ("journal", "editor.model.journal", "Journal", ("record",)),
    ("GL", "editor.gl.viewport_widget", "ViewportWidget", ("draw_picture", "read_picture")),
    ("collector", "editor.qt.collector", "Collector", ("look",)),
)  # fmt: skip


class Parts:
    """A stopwatch with a hand for each part; `watch` before the widgets are made."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._stack = ["Qt"]
        self._since = time.perf_counter()

    def begin(self) -> None:
        """Count from now on."""
        self.seconds.clear()
        self._since = time.perf_counter()

    def taken(self) -> dict[str, float]:
        """Seconds by part since `begin`."""
        self._count()
        return dict(self.seconds)

    def _count(self) -> None:
        now = time.perf_counter()
        self.seconds[self._stack[-1]] += now - self._since
        self._since = now

    def inside(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its time counted for a part."""

        @functools.wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            self._count()
            self._stack.append(part)
            try:
                return function(*arguments, **named)
            finally:
                self._count()
                self._stack.pop()

        return timed

    # ------------------------------------------------------------ the gates
    def watch(self) -> None:
        """Put stopwatches at the gates; before the window is made."""
        for package in ("core.tracks", "core.clips"):  # before the editor takes them by name
            self._watch_functions("tracks", package)
        for part, module, kind, methods in ENTRANCES:
            owner = getattr(importlib.import_module(module), kind)
            for method in methods:
                if method in owner.__dict__:
                    setattr(owner, method, self.inside(part, owner.__dict__[method]))
        self._watch_paintings()
        self._watch_events()

    def _watch_functions(self, part: str, package: str) -> None:
        """Every public function of a package that the editor has not taken by name yet."""
        for module in _modules(package):
            for name, value in list(vars(module).items()):
                own = getattr(value, "__module__", "") == module.__name__ and not hasattr(value, "py_func")
                if own and callable(value) and not isinstance(value, type) and not name.startswith("_"):
                    setattr(module, name, self.inside(part, value))

    def _watch_paintings(self) -> None:
        from PySide6.QtWidgets import QGraphicsItem, QStyledItemDelegate, QWidget

        for module in _modules("editor.panels") + _modules("editor.qt") + _modules("editor.shell"):
            for value in list(vars(module).values()):
                if not isinstance(value, type) or value.__module__ != module.__name__:
                    continue
                names = (
                    ("paintEvent", "drawForeground") if issubclass(value, QWidget) else ("paint", "sizeHint")
                )
                if issubclass(value, QWidget | QStyledItemDelegate | QGraphicsItem):
                    for name in names:
                        if name in value.__dict__:
                            setattr(value, name, self.inside(part_of(module.__name__), value.__dict__[name]))

    def _watch_events(self) -> None:
        from editor.model.events import Event
        from editor.qt.binding import OncePerTurn

        connect, init = Event.connect, OncePerTurn.__init__

        def connected(event: Any, listener: Callable[..., Any]) -> Callable[[], None]:
            if isinstance(listener, OncePerTurn):
                return connect(event, listener)
            return connect(event, self.inside(part_of(_module(listener)), listener))

        def made(once: Any, owner: Any, function: Callable[[], None], *rest: Any, **named: Any) -> None:
            init(once, owner, self.inside(part_of(_module(function)), function), *rest, **named)

        Event.connect = connected  # type: ignore[method-assign,assignment]
        OncePerTurn.__init__ = made  # type: ignore[method-assign,assignment]


def part_of(module: str) -> str:
    """The part that a module belongs to."""
    words = module.split(".")
    if words[:2] == ["editor", "panels"] and len(words) > 2:
        return PANELS.get(words[2], "others")
    if words[:2] == ["editor", "gl"]:
        return "view"
    if words[:2] in (["editor", "shell"], ["editor", "qt"]):
        return "window"
    return "edit" if words[0] == "editor" else "tracks"


def _module(function: Callable[..., Any]) -> str:
    return getattr(function, "__module__", None) or type(function).__module__


def _modules(package: str) -> list[ModuleType]:
    root = importlib.import_module(package)
    names = (info.name for info in pkgutil.walk_packages(root.__path__, package + "."))
    return [root, *map(importlib.import_module, names)]

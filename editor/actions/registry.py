"""Every action of the window, found by id; refuses what would be ambiguous."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from textwrap import fill

from core.errors import AnimError, Cancelled, ValidationError
from editor.actions.action import Action, Scope
from editor.actions.key_presets import PRESETS
from editor.model.events import Event
from editor.model.i18n import sentence, tr
from editor.model.session import Session

MODIFIERS = ("ctrl", "meta", "alt", "shift")

TIP_WIDTH = 56
"""Letters of a line of a tooltip: one as wide as the window is not read."""


@lru_cache(maxsize=1024)
def _wrapped(text: str) -> str:
    return fill(text, TIP_WIDTH, break_long_words=False, break_on_hyphens=False)


@lru_cache(maxsize=4096)
def normal(keys: str) -> str:
    """One spelling of a key sequence: modifiers in a fixed order, lower case."""
    parts: list[str] = []
    for chord in keys.strip().lower().replace(", ", "\n").split("\n"):
        plus = chord.endswith("+")
        words = [w for w in chord.rstrip("+").split("+") if w] + (["+"] if plus else [])
        rest = [w for w in words if w not in MODIFIERS]
        parts.append("+".join([m for m in MODIFIERS if m in words] + rest))
    return ", ".join(parts)


def meet(a: Scope, b: Scope) -> bool:
    """Whether keys of two scopes can be heard at once; those of the graph canvas come before the window's."""
    return a is b or (Scope.WINDOW in (a, b) and Scope.GRAPH not in (a, b))


class Registry:
    """The actions of one window.

    Attributes
    ----------
    changed : id of the action whose keys or handler changed; "" where all keys may have
    """

    def __init__(self, session: Session, actions: Iterable[Action] = ()) -> None:
        self.session = session
        self._actions: dict[str, Action] = {}
        self._handlers: dict[str, Callable[[], object]] = {}
        self._enabled: dict[str, Callable[[], str]] = {}
        self._checked: dict[str, Callable[[], bool]] = {}
        self._declared: dict[str, list[Action]] = {}
        self._known: tuple[object, dict[str, list[Action]]] = None, {}
        self.changed: Event[str] = Event()
        self.add(*actions)

    # ------------------------------------------------------------ declaring
    def add(self, *actions: Action) -> None:
        """Declare actions.

        Raises
        ------
        ValidationError
            An id is taken, or a key sequence is that of another action heard at the same place.
        """
        for action in actions:
            if action.id in self._actions:
                raise ValidationError(f"action {action.id!r} is declared twice")
            for keys in action.shortcut:
                taken = _first(self._declared.get(normal(keys), ()), action.scope, action.id)
                if taken:
                    raise ValidationError(f"action {action.id!r}: {keys} is {taken!r}'s already")
            self._actions[action.id] = action
            for keys in action.shortcut:
                self._declared.setdefault(normal(keys), []).append(action)

    def bind(
        self,
        id: str,
        handler: Callable[[], object],
        enabled: Callable[[], str] | None = None,
        checked: Callable[[], bool] | None = None,
    ) -> Callable[[], None]:
        """Let a window or panel do an action; the function returned takes the handler away again."""
        self[id]  # must exist
        self._handlers[id] = handler
        if enabled is not None:
            self._enabled[id] = enabled
        if checked is not None:
            self._checked[id] = checked
        self.changed.emit(id)

        def unbind() -> None:
            if self._handlers.get(id) is handler:
                del self._handlers[id]
                self._enabled.pop(id, None)
                self._checked.pop(id, None)
                self.changed.emit(id)

        return unbind

    # ------------------------------------------------------------ asking
    def __getitem__(self, id: str) -> Action:
        try:
            return self._actions[id]
        except KeyError:
            raise ValidationError(f"there is no action {id!r}") from None

    def __contains__(self, id: str) -> bool:
        return id in self._actions

    def __iter__(self) -> Iterator[Action]:
        return iter(tuple(self._actions.values()))

    @property
    def all(self) -> tuple[Action, ...]:
        """Every action, in the order declared."""
        return tuple(self._actions.values())

    def in_menu(self, menu: str) -> tuple[Action | None, ...]:
        """The actions of a menu, with None where a line parts two sections."""
        rows: list[Action | None] = []
        section: str | None = None
        for action in self._actions.values():
            if action.menu != menu:
                continue
            if section is not None and action.section != section:
                rows.append(None)
            section = action.section
            rows.append(action)
        return tuple(rows)

    def in_toolbar(self, toolbar: str) -> tuple[Action, ...]:
        """The actions of a tool bar."""
        return tuple(action for action in self._actions.values() if action.toolbar == toolbar)

    @property
    def menus(self) -> tuple[str, ...]:
        """Paths of all menus, in the order first met."""
        return tuple(dict.fromkeys(a.menu for a in self._actions.values() if a.menu))

    def why_disabled(self, id: str) -> str:
        """Why an action cannot be done now, or "" where it can."""
        action = self[id]
        if action.run is None and id not in self._handlers:
            return tr("not available here")
        reason = action.enabled(self.session)
        if not reason and id in self._enabled:
            reason = self._enabled[id]()
        return reason

    def is_checked(self, id: str) -> bool | None:
        """Whether an action is on; None for those that are neither on nor off."""
        if id in self._checked:
            return self._checked[id]()
        checked = self[id].checked
        return None if checked is None else checked(self.session)

    def tooltip(self, id: str) -> str:
        """What, key, and why not: the text of the tooltip, in short lines."""
        action, keys, reason = self[id], self.shortcuts(id), self.why_disabled(id)
        text = action.tip or action.title.rstrip("…")
        if keys:
            text += f" ({keys[0]})"
        text = _wrapped(text)
        return f"{text}\n{sentence(reason)}" if reason else text

    # ------------------------------------------------------------ doing
    def run(self, id: str) -> bool:
        """Do an action; whether it was done. What hinders it is said in the message bar."""
        reason = self.why_disabled(id)
        messages = self.session.messages
        if reason:
            messages.info(tr("{title}: {reason}", title=self[id].title.rstrip("…"), reason=reason))
            return False
        handler, run = self._handlers.get(id), self[id].run
        try:
            if handler is not None:
                handler()
            elif run is not None:
                run(self.session)
        except Cancelled:
            return False
        except AnimError as error:
            messages.error(str(error))
            return False
        return True

    # ------------------------------------------------------------ keys
    @property
    def preset(self) -> str:
        """Name of the preset whose keys are in use."""
        name = self.session.preferences.get("key_preset")
        return name if name in PRESETS else "default"

    def use_preset(self, name: str) -> None:
        """Take the keys of a preset, with what the user changed while it was in use.

        Raises
        ------
        ValidationError
            There is no preset of that name.
        """
        if name not in PRESETS:
            raise ValidationError(f"there are no keys {name!r}; there are: {', '.join(PRESETS)}")
        if name != self.preset:
            self.session.preferences.set("key_preset", name)
            self.changed.emit("")

    def given(self, id: str) -> tuple[str, ...]:
        """Key sequences of an action by the preset, else those declared."""
        return PRESETS[self.preset].get(id, self[id].shortcut)

    def shortcuts(self, id: str) -> tuple[str, ...]:
        """Key sequences of an action: the user's, else those given."""
        own = self._own()
        return own[id] if id in own else self.given(id)

    def every_shortcut(self) -> dict[str, tuple[str, ...]]:
        """Key sequences of every action by id: what `shortcuts` tells of each, the preferences read once."""
        own, preset = self._own(), PRESETS[self.preset]
        return {
            id: own[id] if id in own else preset.get(id, action.shortcut)
            for id, action in self._actions.items()
        }

    def set_shortcuts(self, id: str, keys: Iterable[str] | None) -> None:
        """Give an action other keys (none at all for an empty list), or those of the preset where None.

        Raises
        ------
        ValidationError
            Another action that is heard at the same place has one of them; the message names it.
        """
        action = self[id]
        chosen = self.given(id) if keys is None else tuple(k.strip() for k in keys if k.strip())
        for sequence in chosen:
            taken = self._taken(sequence, action.scope, id)
            if taken:
                raise ValidationError(
                    tr("{keys} is already used by “{title}”", keys=sequence, title=self[taken].title)
                )
        stored = {name: list(own) for name, own in self._own().items() if name != id}
        if chosen != self.given(id):
            stored[id] = list(chosen)
        self.session.preferences.set(self._kept_under, stored)
        self.changed.emit(id)

    def by_keys(self, keys: str, scope: Scope) -> Action | None:
        """The action that a key sequence does in a scope, or None."""
        taken = self._taken(keys, scope, "")
        if not taken and scope is Scope.GRAPH:
            taken = self._taken(keys, Scope.WINDOW, "", only=True)
        return self._actions[taken] if taken else None

    def _taken(self, keys: str, scope: Scope, but: str, only: bool = False) -> str:
        """Id of the action that has keys in a scope, or in one heard with it unless `only`; "" for none."""
        return _first(self._by_keys().get(normal(keys), ()), scope, but, only)

    def _by_keys(self) -> dict[str, list[Action]]:
        """The actions of every key sequence, in the order declared; gone through again where keys were changed."""
        own = self._own()
        of = self.preset, own, len(self._actions)
        if self._known[0] != of:
            found: dict[str, list[Action]] = {}
            for id, sequences in self.every_shortcut().items():
                for keys in sequences:
                    found.setdefault(normal(keys), []).append(self._actions[id])
            self._known = of, found
        return self._known[1]

    @property
    def _kept_under(self) -> str:
        """Preference that keeps the user's own keys: one for each preset, so that no two can meet."""
        return "shortcuts" if self.preset == "default" else f"shortcuts_{self.preset}"

    def _own(self) -> dict[str, tuple[str, ...]]:
        stored = self.session.preferences.get(self._kept_under, {})
        return {
            name: tuple(k for k in keys if isinstance(k, str))
            for name, keys in stored.items()
            if name in self._actions and isinstance(keys, list)
        }


def _first(actions: Iterable[Action], scope: Scope, but: str, only: bool = False) -> str:
    """Id of the first of some actions that is heard in a scope, or belongs to it where `only`; "" for none."""
    for action in actions:
        met = action.scope is scope if only else meet(action.scope, scope)
        if met and action.id != but:
            return action.id
    return ""

"""Panels are made when they are needed: shown (their docks see to that), asked for an action, or at work unseen."""

from collections.abc import Callable, Mapping
from functools import partial

from editor.actions.registry import Registry
from editor.model.session import Session
from editor.qt.panel import Panel
from editor.shell.docks import PanelDock
from editor.shell.preview_leaver import PreviewLeaver


class PanelStart:
    """Has panels made for their actions and for what goes on in them, and binds their actions once they are there.

    Parameters
    ----------
    docks : the docks by the panels' ids
    show : brings a panel to the front
    """

    def __init__(
        self,
        session: Session,
        registry: Registry,
        docks: Mapping[str, PanelDock],
        leaver: PreviewLeaver,
        show: Callable[[str], object],
    ) -> None:
        self._registry, self._leaver, self._show = registry, leaver, show
        self._waiting: dict[str, list[Callable[[], None]]] = {}
        ids = [action.id for action in registry]
        for name, dock in docks.items():
            dock.body.made.connect(partial(self._on_made, name))
            self._waiting[name] = [
                registry.bind(id, partial(self._run, dock, id)) for id in dock.spec.done_of(ids)
            ]
            if dock.spec.wakes is not None:
                event, goes_on = dock.spec.wakes(session)
                self._waiting[name].append(event.connect(partial(self._look, dock, goes_on)))

    def close(self) -> None:
        """The window closes: no panel is made any more."""
        for name in self._waiting:
            self._end_waiting(name)

    def _run(self, dock: PanelDock, action: str) -> None:
        """Do an action that the panel does, or listens for."""
        self._end_waiting(dock.spec.id)
        dock.body.make()
        self._registry.run(action)

    @staticmethod
    def _look(dock: PanelDock, goes_on: Callable[[], bool], _: object) -> None:
        if goes_on():
            dock.body.make()

    def _on_made(self, name: str, panel: Panel) -> None:
        self._end_waiting(name)
        self._leaver.watch(panel)
        for id, work in panel.panel_actions().items():
            if id in self._registry:
                self._registry.bind(id, partial(self._in_front, name, work))

    def _end_waiting(self, name: str) -> None:
        waiting = self._waiting[name]
        while waiting:
            waiting.pop()()

    def _in_front(self, panel: str, work: Callable[[], object]) -> None:
        self._show(panel)
        work()

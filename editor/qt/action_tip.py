"""Buttons of actions and their tips: why one cannot be done now changes while the button stands there."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QToolButton, QWidget

from editor.actions.registry import Registry
from editor.qt.theme import Theme
from editor.qt.widgets import icon_button


class _ActionTip(QObject):
    """Brings the tip of a widget up to date when the pointer rests on it."""

    def __init__(self, widget: QWidget, actions: Registry, id: str) -> None:
        super().__init__(widget)
        self._widget, self._actions, self._id = widget, actions, id

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self._widget.setToolTip(self._actions.tooltip(self._id))
        return False


def tell_action(widget: QWidget, actions: Registry, id: str) -> None:
    """Have the tip of a widget say what an action does, its key, and why not, as it is whenever it is shown.

    What has an icon alone is called by the action's title where a screen is read aloud.
    """
    widget.setToolTip(actions.tooltip(id))
    if isinstance(widget, QToolButton) and not widget.text():
        widget.setAccessibleName(actions[id].title.rstrip("…"))
    widget.installEventFilter(_ActionTip(widget, actions, id))


def action_button(
    theme: Theme, actions: Registry, id: str, icon: str, name: str, token: str = "text", size: int = 24
) -> QToolButton:
    """A square button with an icon, told as an action; what a click does is the caller's to connect."""
    button = icon_button(theme, icon, "", name=name, token=token, size=size)
    tell_action(button, actions, id)
    return button

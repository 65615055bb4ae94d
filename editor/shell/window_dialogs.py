"""The dialogs of the window itself, imported where they are opened: a start needs none of them."""

from PySide6.QtWidgets import QMainWindow

from editor.qt.panel import PanelContext


class WindowDialogs:
    """Opens them.

    Parameters
    ----------
    window : their parent
    """

    def __init__(self, window: QMainWindow, context: PanelContext) -> None:
        self._window, self._context = window, context

    def shortcuts(self) -> None:
        """Keyboard shortcuts."""
        from editor.shell.shortcut_sheet import ShortcutSheet

        ShortcutSheet(self._window, self._context).open()

    def guide(self) -> None:
        """The guide, beside the window."""
        from editor.shell.guide import GuideDialog

        GuideDialog(self._window, self._context.theme).show()

    def about(self) -> None:
        """What the program is."""
        from editor.shell.help import AboutDialog

        AboutDialog(self._window, self._context.theme).open()

    def preferences(self) -> None:
        """Preferences."""
        from editor.shell.preferences_dialog import PreferencesDialog

        PreferencesDialog(self._window, self._context).open()

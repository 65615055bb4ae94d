"""The menu of a bone's translation mode: for the bone or the selection, and for all below."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from editor.model.i18n import tr
from editor.model.retarget.proportions import MODES, acting, propose_modes
from editor.panels.bone_tree.view_model import BoneTree
from editor.qt.menu import Menu
from editor.qt.panel import PanelContext


def mode_menu(context: PanelContext, tree: BoneTree, bone: str, parent: QWidget) -> QMenu:
    """The menu for a bone's cell, ready to pop up."""
    menu = Menu(parent)
    menu.setObjectName("modeMenu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)
    told = acting(context.session)
    if told:
        note = QAction(told, menu)
        note.setObjectName("modeNote")
        note.setEnabled(False)
        menu.addAction(note)
        menu.addSeparator()
    now = tree.mode(bone)
    below = Menu(tr("Include descendants"), menu)
    below.setToolTipsVisible(True)
    for mode, (title, _, tip) in MODES.items():
        for where, deep in ((menu, False), (below, True)):
            action = QAction(tr(title), where)
            action.setToolTip(tr(tip))
            action.setCheckable(not deep)
            action.setChecked(not deep and mode is now)
            action.triggered.connect(lambda _=False, mode=mode, deep=deep: tree.set_mode(bone, mode, deep))
            where.addAction(action)
    menu.addSeparator()
    menu.addMenu(below)
    propose = QAction(tr("Propose for all bones"), menu)
    propose.triggered.connect(lambda: propose_modes(context.session))
    menu.addAction(propose)
    return menu

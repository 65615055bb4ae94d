"""What the bone tree does with virtual bones: their menu, and the dialog behind two actions."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from editor.model.retarget.state import Retargeting
from editor.panels.bone_tree.virtual_dialog import VirtualBoneDialog
from editor.qt.panel import PanelContext


def bind_virtual(context: PanelContext, panel: QWidget) -> list[Callable[[], None]]:
    """Let the panel do what needs the dialog; gives back what unbinds it."""

    def open_dialog(change: bool) -> None:
        bones, rig = context.session.feature(Retargeting).virtual, context.session.rig
        bone = bones.chosen if change else bones.proposed()
        if rig is not None and bone is not None:
            VirtualBoneDialog(panel.window(), context, rig, bone, bone.name if change else "").open()

    return [
        context.actions.bind("virtual.add", lambda: open_dialog(False)),
        context.actions.bind("virtual.edit", lambda: open_dialog(True)),
    ]

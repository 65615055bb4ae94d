"""The session's clipboard is the system's."""

import json

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from editor.model.clipboard import Clipboard
from editor.qt.clipboard import SystemClipboard


def test_text_goes_both_ways(qapp):
    owner, clipboard = QObject(), Clipboard()
    SystemClipboard(owner, clipboard)
    clipboard.text = json.dumps({"posewright": "pose", "bones": {}})
    assert json.loads(QGuiApplication.clipboard().text())["posewright"] == "pose"
    assert clipboard.kind == "pose"
    QGuiApplication.clipboard().setText("something else")
    assert clipboard.text == "something else"
    assert clipboard.kind == ""
    QGuiApplication.clipboard().clear()

"""Files. What needs a dialog is bound by the window."""

from editor.actions.action import Action
from editor.actions.reasons import needs_clip, needs_rig
from editor.model.i18n import tr
from editor.model.session import Session


def _can_save(session: Session) -> str:
    if session.document.path is not None and not session.document.dirty:
        return tr("there are no changes since the last save")
    return ""


def _has_report(session: Session) -> str:
    return "" if session.files.reports else tr("no file has been opened or imported")


def actions() -> list[Action]:
    """The actions of the File menu."""
    menu = tr("File")
    return [
        Action("file.new", tr("New"), shortcut=("Ctrl+N",), menu=menu, section="open", icon="mdi6.file-outline"),
        Action(
            "file.open", tr("Open…"), shortcut=("Ctrl+O",), menu=menu, section="open",
            icon="mdi6.folder-open-outline",
        ),
        Action("file.sample", tr("Open the sample character"), menu=menu, section="open", icon="mdi6.human"),
        Action(
            "file.sample_locomotion", tr("Open the locomotion sample"), menu=menu, section="open", icon="mdi6.run",
            tip=tr("The sample character with every clip of a locomotion set: sprint, stops, turns, falls, get-ups"),
        ),
        Action("file.recover", tr("Recover lost work…"), menu=menu, section="open"),
        Action(
            "file.save", tr("Save"), shortcut=("Ctrl+S",), menu=menu, section="save",
            icon="mdi6.content-save-outline", enabled=_can_save,
        ),
        Action("file.save_as", tr("Save as…"), shortcut=("Ctrl+Shift+S",), menu=menu, section="save"),
        Action("file.import", tr("Import…"), shortcut=("Ctrl+I",), menu=menu, section="exchange", icon="mdi6.import"),
        Action(
            "file.export", tr("Export…"), shortcut=("Ctrl+E",), menu=menu, section="exchange",
            icon="mdi6.export", enabled=needs_rig,
        ),
        Action(
            "file.report", tr("Import report…"), menu=menu, section="exchange", icon="info", enabled=_has_report,
            tip=tr("What was found, guessed and left out when files were read"),
        ),
        Action(
            "file.playblast", tr("Playblast…"), shortcut=("Ctrl+Alt+P",), menu=menu, section="exchange",
            icon="camera", enabled=needs_clip, tip=tr("Record the clip as images or a video, as the viewport shows it"),
        ),
        Action(
            "file.sheet", tr("Contact sheet…"), menu=menu, section="exchange", icon="mdi6.view-grid-outline",
            enabled=needs_clip, tip=tr("Frames of the clip side by side in one image"),
        ),
        Action("file.quit", tr("Quit"), shortcut=("Ctrl+Q",), menu=menu, section="quit"),
    ]  # fmt: skip

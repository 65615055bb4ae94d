"""What the dope sheet does with rows, markers and tangents; the panel binds what needs its rows."""

from collections.abc import Callable

from core.clips.clip import Clip
from core.tracks.keys import TangentMode
from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_clip, needs_keys
from editor.model.i18n import tr
from editor.model.session import Session
from editor.model.tangent_modes import MODES
from editor.tools import key_commands, key_edits, markers
from editor.tools.curves.edits import with_mode


def _set_mode(mode: TangentMode, title: str) -> Callable[[Session], None]:
    def run(session: Session) -> None:
        found = key_commands.selected(session)
        if found is None:
            return
        _, keys = found

        def work(clip: Clip) -> key_edits.Edited:
            return key_edits.Edited(with_mode(clip, keys, mode), keys)

        key_commands.commit_made(session, tr("Set tangents to {mode}", mode=title.lower()), work)

    return run


def actions() -> list[Action]:
    """The actions of dope sheet, tangents and markers."""
    menu, time = tr("Key") + "/" + tr("Tangents"), Scope.TIME
    found = [
        Action(
            f"time.tangent_{mode.name.lower()}", look.title, _set_mode(mode, look.title), (str(look.key),), time,
            menu, "tangents", enabled=needs_keys, tip=tr("{mode} tangents", mode=look.title),
        )
        for mode, look in MODES.items()
        if look.key
    ]  # fmt: skip
    marks = tr("Clip") + "/" + tr("Markers")
    menus = {"rows": tr("View") + "/" + tr("Timeline rows"), "markers": marks}
    panel = [
        ("select_row", tr("Select keys of row"), "rows"),
        ("hide_row", tr("Hide row"), "rows"),
        ("solo_row", tr("Solo row"), "rows"),
        ("show_rows", tr("Show all rows"), "rows"),
        ("open_rows", tr("Expand all rows"), "rows"),
        ("close_rows", tr("Collapse all rows"), "rows"),
        ("go_to_marker", tr("Go to marker"), "markers"),
        ("rename_marker", tr("Rename marker…"), "markers"),
        ("delete_marker", tr("Delete marker"), "markers"),
    ]
    return [
        *found,
        Action(
            "time.add_marker", tr("Add marker"), markers.add, ("M",), time, marks, "markers", enabled=needs_clip,
            icon="mdi6.flag-outline", tip=tr("Put a marker at the playhead; keys snap to it"),
        ),
        *(
            Action(f"time.{id}", title, None, (), time, menus[section], section, enabled=needs_clip)
            for id, title, section in panel
        ),
    ]  # fmt: skip

"""What the dope sheet does with rows, markers and tangents; the panel binds what needs its rows."""

from collections.abc import Callable

from core.clips.clip import Channel, Clip
from core.progress import counted
from core.tracks import edits
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, Track
from editor.actions.action import Action, Scope
from editor.actions.reasons import needs_clip, needs_keys
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools import key_commands, key_edits, markers
from editor.tools.curves.lanes import track_of, with_tracks

MODES = (
    (TangentMode.AUTO, tr("Auto")),
    (TangentMode.CLAMPED, tr("Clamped")),
    (TangentMode.FREE, tr("Free")),
    (TangentMode.FLAT, tr("Flat")),
    (TangentMode.LINEAR, tr("Linear")),
    (TangentMode.STEPPED, tr("Stepped")),
)


def _set_mode(mode: TangentMode, title: str) -> Callable[[Session], None]:
    kinds = {TangentMode.LINEAR: Interpolation.LINEAR, TangentMode.STEPPED: Interpolation.CONSTANT}

    def run(session: Session) -> None:
        found = key_commands.selected(session)
        if found is None:
            return
        _, keys = found

        def work(clip: Clip) -> key_edits.Edited:
            loop = clip.length if clip.looping and clip.length > 0.0 else None
            changes: dict[Channel, Track | None] = {}
            for channel, numbers in counted(keys.items()):
                track = track_of(clip, channel)
                if isinstance(track, ScalarTrack):
                    changes[channel] = edits.set_mode(track, numbers, mode, loop)
                elif track is not None:
                    kind = kinds.get(mode, Interpolation.CUBIC)
                    changes[channel] = edits.set_interpolation(track, numbers, kind, loop)
            return key_edits.Edited(with_tracks(clip, changes), keys)

        key_commands.commit_made(session, tr("Make tangents {mode}", mode=title.lower()), work)

    return run


def actions() -> list[Action]:
    """The actions of dope sheet, tangents and markers."""
    menu, time = tr("Key") + "/" + tr("Tangents"), Scope.TIME
    found = [
        Action(
            f"time.tangent_{mode.name.lower()}", title, _set_mode(mode, title), (str(number),), time, menu,
            "tangents", enabled=needs_keys, tip=tr("{mode} tangents", mode=title),
        )
        for number, (mode, title) in enumerate(MODES, 1)
    ]  # fmt: skip
    marks = tr("Clip") + "/" + tr("Markers")
    menus = {"rows": tr("View") + "/" + tr("Timeline rows"), "markers": marks}
    panel = [
        ("select_row", tr("Select the row's keys"), "rows"),
        ("hide_row", tr("Hide row"), "rows"),
        ("solo_row", tr("Show this row alone"), "rows"),
        ("show_rows", tr("Show all rows"), "rows"),
        ("open_rows", tr("Open all rows"), "rows"),
        ("close_rows", tr("Close all rows"), "rows"),
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

"""What the right button offers on keys, rows, markers and the ruler: ids of actions, None for a line. Free of Qt."""

KEYS = (
    "keys.copy", "keys.paste", "curves.paste_original", "curves.paste_reversed", "keys.paste_mirrored",
    "keys.duplicate", "keys.delete", None, "time.tangent_auto", "time.tangent_clamped", "time.tangent_flat",
    "time.tangent_linear", "time.tangent_stepped", None, "key_type.key", "key_type.breakdown", "key_type.inbetween",
    "key_type.extreme", "key_type.hold", None, "select.all_keys", "select.keys_here", None,
    "time.snap", "time.snap_keys", "time.snap_markers", "time.ripple", None, "curves.link_ends",
    "time.fit", "time.fit_all",
)  # fmt: skip
ROWS = (
    "time.select_row", None, "time.hide_row", "time.solo_row", "time.show_rows", None, "select.lock",
    "select.unlock", None, "time.open_rows", "time.close_rows", None, "curves.link_ends",
)  # fmt: skip
RULER = (
    "time.add_marker", "events.add_notify", "events.add_sync_marker", "time.event_lanes", None,
    "playback.range_start", "playback.range_end", "playback.range_clear", None,
    "clip.loop", "curves.link_ends", "curves.cycle", None, "time.snap", "time.snap_keys",
    "time.snap_markers", "time.ripple", None, "time.fit", "time.fit_all",
)  # fmt: skip
MARKER = ("time.go_to_marker", "time.rename_marker", "time.delete_marker", None, "time.add_marker")

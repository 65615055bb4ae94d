"""Keymaps of other programs: the shortcuts of each preset in place of an action's own."""

from collections.abc import Mapping

Preset = Mapping[str, tuple[str, ...]]

BLENDER: Preset = {
    "tool.select": ("W",),
    "tool.move": ("G",),
    "tool.rotate": ("R",),
    "tool.scale": ("S",),
    "key.set": ("I",),
    "key.set_all": ("Ctrl+Shift+I",),
    "select.all": ("A", "Ctrl+A"),
    "select.none": ("Alt+A",),
    "select.invert": ("Ctrl+I",),
    "select.all_keys": ("A", "Ctrl+A"),
    "file.import": ("Ctrl+Shift+O",),
    "view.frame": ("Num+.", "F"),
    "view.frame_all": ("Home",),
    "time.fit": ("Num+.", "F"),
    "time.fit_all": ("Home",),
    "keys.delete": ("X", "Del", "Backspace"),
    "keys.duplicate": ("Shift+D", "Ctrl+D"),
    "pose.reset_translation": ("Alt+G",),
    "pose.reset_rotation": ("Alt+R",),
    "pose.reset_scale": ("Alt+S",),
    "playback.start": ("Shift+Left", "Shift+Down"),
    "playback.end": ("Shift+Right", "Shift+Up"),
    "help.palette": ("F3",),
}
MAYA: Preset = {
    "edit.undo": ("Z", "Ctrl+Z"),
    "edit.redo": ("Shift+Z", "Ctrl+Shift+Z", "Ctrl+Y"),
    "playback.toggle": ("Alt+V",),
    "playback.start": ("Alt+Shift+V", "Shift+Left"),
    "playback.back": ("Alt+,", "Left"),
    "playback.forward": ("Alt+.", "Right"),
    "view.maximise": ("Space", "Ctrl+Space"),
    "select.hide": ("Ctrl+H",),
    "select.unhide": ("Ctrl+Shift+H",),
    "select.isolate": ("Shift+I",),
    "select.invert": ("Ctrl+Shift+I",),
    "ik.toggle": ("Alt+K",),
    "key.set_all": ("Ctrl+Shift+K",),
    "pose.paste_mirrored": ("Ctrl+Alt+V",),
    "keys.paste_mirrored": ("Ctrl+Alt+V",),
}
PRESETS: Mapping[str, Preset] = {"default": {}, "blender": BLENDER, "maya": MAYA}
TITLES = {"default": "Posewright", "blender": "Blender", "maya": "Maya"}
"""Names of programs, which no language translates."""

"""Design tokens: the one place where the window's colours and sizes are written down.

Colours are ``#rrggbb``. The viewport's own palette (`editor.gl.colors`) holds the same hues as floats, as OpenGL
wants them.
"""

import colorsys
from dataclasses import dataclass, fields
from functools import cache


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours of one theme, named by what they are for (design: look, Tokens)."""

    name: str
    window: str
    panel: str
    raised: str
    field: str
    border: str
    divider: str
    text: str
    dim: str
    disabled: str
    accent: str
    on_accent: str
    selection: str
    key: str
    pending: str
    record: str
    axis_x: str
    axis_y: str
    axis_z: str
    ok: str
    warning: str
    error: str
    hover: str
    pressed: str
    row: str
    selected_row: str
    preview_point: str
    view_bottom: str
    shadow: str
    ghost_before: str
    ghost_after: str
    joint_limit: str
    tone_source: str
    tone_blend: str
    tone_bone: str
    tone_logic: str
    tone_value: str
    tone_output: str
    wire_pose: str
    wire_then: str
    wire_bool: str
    wire_int: str
    wire_float: str
    wire_vector: str
    wire_quaternion: str
    wire_name: str
    wire_any: str
    key_breakdown: str
    key_inbetween: str
    key_extreme: str
    key_hold: str

    @property
    def dark(self) -> bool:
        """Whether light text stands on dark ground."""
        return luminance(self.window) < 0.5

    def axis(self, number: int) -> str:
        """Colour of axis 0 x, 1 y, 2 z."""
        return (self.axis_x, self.axis_y, self.axis_z)[number]

    def key_type(self, number: int) -> str:
        """Colour of keys of a type (`core.tracks.key_types.KeyType`)."""
        return str(getattr(self, KEY_TYPES[number]))

    def colors(self) -> dict[str, str]:
        """Every colour by its name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "name"}


DARK = Tokens(
    name="dark",
    window="#1b1d21",
    panel="#23262b",
    raised="#2c3036",
    field="#181a1e",
    border="#363b43",
    divider="#2c3036",
    text="#dfe2e7",
    dim="#9ba2ad",
    disabled="#727985",
    accent="#5aa2ff",
    on_accent="#0e1116",
    selection="#ffb454",
    key="#f2c14e",
    pending="#c792ea",
    record="#ef5350",
    axis_x="#ef6461",
    axis_y="#7ac74f",
    axis_z="#5b9bf3",
    ok="#6cc070",
    warning="#e6b450",
    error="#ef5350",
    hover="#343941",
    pressed="#3d434d",
    row="#272a30",
    selected_row="#3b3327",
    preview_point="#57d37c",
    view_bottom="#1e2024",
    shadow="#000000",
    ghost_before="#5f8fd6",
    ghost_after="#e0954f",
    joint_limit="#c9ced6",
    tone_source="#4fae8a",
    tone_blend="#5b8fd6",
    tone_bone="#a583d8",
    tone_logic="#d0a04e",
    tone_value="#8a93a0",
    tone_output="#d77a7a",
    wire_pose="#dfe4ea",
    wire_then="#b9c0ca",
    wire_bool="#e58673",
    wire_int="#4fc3a1",
    wire_float="#8fd16a",
    wire_vector="#e8c14e",
    wire_quaternion="#7fa9f0",
    wire_name="#d68fd0",
    wire_any="#9ba2ad",
    key_breakdown="#4fc3e8",
    key_inbetween="#86c773",
    key_extreme="#ff7a9c",
    key_hold="#b9a2f0",
)

LIGHT = Tokens(
    name="light",
    window="#e6e8ec",
    panel="#f4f5f7",
    raised="#ffffff",
    field="#ffffff",
    border="#c9ced6",
    divider="#dde1e7",
    text="#1c2026",
    dim="#5a626e",
    disabled="#7d8490",
    accent="#1f6fe0",
    on_accent="#ffffff",
    selection="#d97a00",
    key="#b98300",
    pending="#7e4fb8",
    record="#d32f2f",
    axis_x="#c93a37",
    axis_y="#3f8f1f",
    axis_z="#2467c9",
    ok="#2e8b3a",
    warning="#a66a00",
    error="#c62828",
    hover="#dfe5ee",
    pressed="#dce1e8",
    row="#eceff3",
    selected_row="#fbe9d0",
    preview_point="#1f9d4d",
    view_bottom="#d3d7de",
    shadow="#30363f",
    ghost_before="#4a80cf",
    ghost_after="#d98236",
    joint_limit="#4d5561",
    tone_source="#1f8a63",
    tone_blend="#2f6fc4",
    tone_bone="#7a4fc0",
    tone_logic="#a87412",
    tone_value="#69727e",
    tone_output="#b84a4a",
    wire_pose="#3a414b",
    wire_then="#59616d",
    wire_bool="#b8402f",
    wire_int="#15836a",
    wire_float="#3f8f1f",
    wire_vector="#a97a00",
    wire_quaternion="#2f66c9",
    wire_name="#a0489a",
    wire_any="#6a727d",
    key_breakdown="#0f7fa8",
    key_inbetween="#3d8a2a",
    key_extreme="#d0305c",
    key_hold="#7048c0",
)

KEY_TYPES = ("key", "key_breakdown", "key_inbetween", "key_extreme", "key_hold")
"""Names of the colours of keys by type (`core.tracks.key_types.KeyType`)."""
THEMES = {theme.name: theme for theme in (DARK, LIGHT)}

GRID = 4
CAPTION = 11
BODY = 12
TITLE = 12
LARGE = 13
HEADING = 15
RADIUS = 4
ICON = 16
ROW = 24
CONTROL = 24
LEAST_LIST = 48
TOOL_BAR = 32
STATUS_BAR = 22
"""Sizes in device-independent pixels."""


def channels(color: str) -> tuple[float, float, float]:
    """Red, green, blue of ``#rrggbb`` as 0..1."""
    return int(color[1:3], 16) / 255, int(color[3:5], 16) / 255, int(color[5:7], 16) / 255


def luminance(color: str) -> float:
    """Relative luminance, 0..1 (WCAG 2.1)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Contrast ratio of two colours, 1..21 (WCAG 2.1)."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


GROUNDS = ("window", "panel", "raised", "field", "row", "hover", "selected_row")
"""What text stands on."""
PLATE = 0.9
"""Opacity of the plates (of colour `field`) on which words stand over the picture."""
READABLE = 4.5
"""Least contrast of text."""


@cache
def ink(theme: Tokens, name: str) -> str:
    """A token's colour, lighter or darker by as much as it must be to be read on every ground.

    What is drawn keeps the plain colour; words in it take this one.
    """
    hue, light, strong = colorsys.rgb_to_hls(*channels(getattr(theme, name)))
    end = 1.0 if theme.dark else 0.0
    for step in range(101):
        parts = colorsys.hls_to_rgb(hue, light + (end - light) * step / 100, strong)
        color = "#" + "".join(f"{round(255 * part):02x}" for part in parts)
        if all(contrast(color, getattr(theme, ground)) >= READABLE for ground in GROUNDS):
            return color
    return theme.text


def mix(a: str, b: str, share: float) -> str:
    """Colour between `a` (share 0) and `b` (share 1)."""
    mixed = (round(255 * (x + (y - x) * share)) for x, y in zip(channels(a), channels(b), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


EVENT_COLORS = (
    ("Blue", "#4f9cff"), ("Green", "#5bbf6a"), ("Yellow", "#d9b13b"), ("Orange", "#e2803c"),
    ("Red", "#e05656"), ("Pink", "#d667b0"), ("Violet", "#9a78e6"), ("Cyan", "#3fb8c4"),
)  # fmt: skip
"""Colours of events on the timeline to choose from, in both themes; they are kept in the file."""
SET_COLORS = {
    "red": "#e05656", "orange": "#e2803c", "yellow": "#d9b13b", "green": "#5bbf6a", "teal": "#3fb8c4",
    "blue": "#4f9cff", "purple": "#9a78e6", "pink": "#d667b0", "gray": "#8a929e",
}  # fmt: skip
"""Colours of bone sets (`core.rig.set_color.SetColor`), in both themes."""
BACKDROPS = (("Black", "#000000"), ("Grey", "#808080"), ("White", "#ffffff"), ("Green", "#00b140"))
"""Plain backgrounds of images and videos to choose from; the green is that of studios, to be keyed out."""
ON_EVENT = "#101418"
"""Text on an event's colour."""

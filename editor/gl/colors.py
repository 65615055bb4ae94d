"""The colours a picture is made of, passed in as values: the theme decides, the passes draw."""

from dataclasses import dataclass, replace

Color = tuple[float, float, float, float]


def rgba(text: str, alpha: float = 1.0) -> Color:
    """`#rrggbb` as four floats 0..1 (display-encoded, as the theme's tokens are written)."""
    return int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255, alpha


def with_alpha(color: Color, alpha: float) -> Color:
    """The same colour at another opacity."""
    return color[0], color[1], color[2], alpha


def mix(a: Color, b: Color, t: float) -> Color:
    """Linear mix of two colours, channel by channel."""
    return (
        a[0] + (b[0] - a[0]) * t,
        a[1] + (b[1] - a[1]) * t,
        a[2] + (b[2] - a[2]) * t,
        a[3] + (b[3] - a[3]) * t,
    )


@dataclass(frozen=True, slots=True)
class Lighting:
    """Strength of each light on the character, 0..1 and a little above."""

    key: float = 0.92
    fill: float = 0.15
    rim: float = 0.55
    sky: Color = (0.52, 0.56, 0.64, 1.0)
    ground: Color = (0.25, 0.235, 0.225, 1.0)


@dataclass(frozen=True, slots=True)
class ViewportColors:
    """Everything the viewport paints, as display-encoded RGBA floats.

    `stage` is the ground around the character, fading out; `vignette` how much darker the corners are.
    """

    background_top: Color
    background_bottom: Color
    grid_minor: Color
    grid_major: Color
    axis_x: Color
    axis_y: Color
    axis_z: Color
    shadow: Color
    floor: Color
    floor_steep: Color
    body: Color
    joints: Color
    bone: Color
    bone_solid: Color
    bone_outline: Color
    bone_hover: Color
    bone_selected: Color
    selection_line: Color
    ghost_before: Color
    ghost_after: Color
    path_low: Color
    path_high: Color
    joint_limit: Color
    capsule: Color
    body_hover: Color
    gizmo_hover: Color
    gizmo_neutral: Color
    plate: Color
    text: Color
    stage: Color
    vignette: float
    lighting: Lighting = Lighting()


DARK = ViewportColors(
    background_top=rgba("#2a2d33"),
    background_bottom=rgba("#1e2024"),
    grid_minor=rgba("#8b94a3", 0.13),
    grid_major=rgba("#98a2b3", 0.30),
    axis_x=rgba("#ef6461"),
    axis_y=rgba("#7ac74f"),
    axis_z=rgba("#5b9bf3"),
    shadow=rgba("#08090b", 0.88),
    floor=rgba("#3a3f47"),
    floor_steep=rgba("#5a4638"),
    body=rgba("#d9d6d0"),
    joints=rgba("#5b626e"),
    bone=rgba("#8e97a6"),
    bone_solid=rgba("#aeb6c2"),
    bone_outline=rgba("#15171a"),
    bone_hover=rgba("#5aa2ff"),
    bone_selected=rgba("#ffb454"),
    selection_line=rgba("#ffffff"),
    ghost_before=rgba("#5f8fd6"),
    ghost_after=rgba("#e0954f"),
    path_low=rgba("#4f7df0"),
    path_high=rgba("#ff4d5e"),
    joint_limit=rgba("#c9ced6"),
    capsule=rgba("#b58cf2"),
    body_hover=rgba("#5aa2ff", 0.85),
    gizmo_hover=rgba("#ffe08a"),
    gizmo_neutral=rgba("#dfe2e7"),
    plate=rgba("#181a1e", 0.72),
    text=rgba("#dfe2e7"),
    stage=rgba("#2f3339", 0.85),
    vignette=0.34,
)

LIGHT = ViewportColors(
    background_top=rgba("#f0f2f5"),
    background_bottom=rgba("#d3d7de"),
    grid_minor=rgba("#4a5260", 0.13),
    grid_major=rgba("#4a5260", 0.30),
    axis_x=rgba("#c93a37"),
    axis_y=rgba("#3f8f1f"),
    axis_z=rgba("#2467c9"),
    shadow=rgba("#2c313b", 0.52),
    floor=rgba("#dfe2e8"),
    floor_steep=rgba("#d8b99a"),
    body=rgba("#ece9e3"),
    joints=rgba("#6a7280"),
    bone=rgba("#7b8493"),
    bone_solid=rgba("#9aa3b1"),
    bone_outline=rgba("#2b313b"),
    bone_hover=rgba("#1f6fe0"),
    bone_selected=rgba("#d97a00"),
    selection_line=rgba("#ffffff"),
    ghost_before=rgba("#4a80cf"),
    ghost_after=rgba("#d98236"),
    path_low=rgba("#2f5fd0"),
    path_high=rgba("#d3203a"),
    joint_limit=rgba("#4d5561"),
    capsule=rgba("#7a45c8"),
    body_hover=rgba("#1f6fe0", 0.75),
    gizmo_hover=rgba("#f0a800"),
    gizmo_neutral=rgba("#3a414c"),
    plate=rgba("#ffffff", 0.78),
    text=rgba("#1c2026"),
    stage=rgba("#f4f5f8", 0.75),
    vignette=0.12,
    lighting=Lighting(
        key=0.84, fill=0.20, rim=0.12, sky=(0.66, 0.69, 0.75, 1.0), ground=(0.42, 0.40, 0.385, 1.0)
    ),
)


def on_plain(colors: ViewportColors, plain: Color) -> ViewportColors:
    """The same in front of one plain colour, with letters that can be read on it and no light on the ground."""
    bright = 0.299 * plain[0] + 0.587 * plain[1] + 0.114 * plain[2] > 0.5
    return replace(
        colors, background_top=plain, background_bottom=plain, vignette=0.0, stage=with_alpha(colors.stage, 0.0),
        text=LIGHT.text if bright else DARK.text,
    )  # fmt: skip


def from_linear(color: Color) -> Color:
    """A material's linear colour as the display-encoded one the passes want (gamma 2.2)."""
    red, green, blue = (max(0.0, min(1.0, value)) ** (1 / 2.2) for value in color[:3])
    return red, green, blue, color[3]

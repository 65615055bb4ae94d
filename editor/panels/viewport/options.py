"""What the viewport shows: one switch for each thing. Free of Qt."""

from dataclasses import dataclass

from editor.gl.draw_list import BoneStyle, Shading
from editor.model.preferences import Preferences
from editor.model.switches import Switches

STYLE = "bone_style"


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """The session's switches that concern the viewport, and how bones look.

    `axes` are those of the selected bones; the axis widget is always there.
    """

    mesh: bool = True
    bones: bool = True
    names: bool = False
    grid: bool = True
    axes: bool = False
    shadow: bool = True
    heads_up: bool = True
    silhouette: bool = False
    clay: bool = False
    unlit: bool = False
    style: BoneStyle = BoneStyle.OCTAHEDRAL

    @property
    def shading(self) -> Shading:
        """How meshes are lit."""
        if self.silhouette:
            return Shading.FLAT
        return Shading.UNLIT if self.unlit else Shading.LIT

    @classmethod
    def read(cls, switches: Switches, preferences: Preferences) -> "ViewOptions":
        """As the switches stand."""
        style = preferences.get(STYLE)
        return cls(
            mesh=switches["mesh"],
            bones=switches["bones"],
            names=switches["names"],
            grid=switches["grid"],
            axes=switches["axes"],
            shadow=switches["shadow"],
            heads_up=switches["heads_up"],
            silhouette=switches["silhouette"],
            clay=switches["clay"],
            unlit=switches["unlit"],
            style=BoneStyle(style) if style in {s.value for s in BoneStyle} else BoneStyle.OCTAHEDRAL,
        )


SWITCHES = (
    ("mesh", "Mesh"),
    ("clay", "Clay material"),
    ("bones", "Bones"),
    ("names", "Bone names"),
    ("axes", "Bone axes"),
    ("grid", "Grid"),
    ("shadow", "Contact shadow"),
)
"""Switch and title, in the order of the row of buttons."""

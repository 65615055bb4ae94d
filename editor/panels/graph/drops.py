"""What is dropped on the canvas: clips, blend spaces, montages, variables become nodes."""

from PySide6.QtCore import QMimeData, Qt

from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.graph.graph import Graph, Node, SheetKind, new_node_id
from core.graph.montage import Montage
from core.ids import AssetId
from core.pose.library import PoseAsset
from editor.model.drag_kinds import ASSET, CLIP, VARIABLE
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Point
from editor.model.graph.hits import hit_at
from editor.model.graph.nodes import NewNode
from editor.model.i18n import tr


def fits(data: QMimeData) -> bool:
    """Whether something can be dropped."""
    return any(data.hasFormat(kind) for kind in (CLIP, ASSET, VARIABLE))


def _text(data: QMimeData, kind: str) -> str:
    return bytes(data.data(kind).data()).decode("utf-8", "replace")


def dropped(editor: GraphEditor, data: QMimeData, at: Point, held: Qt.KeyboardModifier) -> None:
    """Add the node for what was dropped; a clip on a node that names one is put in its place."""
    if data.hasFormat(VARIABLE):
        name = _text(data, VARIABLE)
        sheet = editor.canvas.sheet
        sets = bool(held & Qt.KeyboardModifier.AltModifier)
        kind = "set" if sets and sheet is not None and sheet.kind is SheetKind.UPDATE else "get"
        editor.nodes.add(NewNode(kind, {"variable": name}), at)
        return
    id = AssetId(_text(data, CLIP if data.hasFormat(CLIP) else ASSET))
    asset = editor.canvas.project.assets.get(id)
    sheet = editor.canvas.sheet
    new = asset_node(asset, SheetKind.POSE if sheet is None else sheet.kind)
    if new is None or asset is None:
        editor.canvas.messages.info(tr("That cannot be put into a graph"))
        return
    scene = editor.canvas.committed
    under = None if scene is None else hit_at(scene, at, editor.canvas.view.zoom)
    node = None if scene is None or under is None else scene.nodes.get(under.item)
    if node is not None and node.kind == new.kind and new.kind != "state":
        name, value = next(iter(new.parameters.items()))
        editor.nodes.set_parameter([node.id], name, value)
        return
    editor.nodes.add(new, at)


def asset_node(asset: object, sheet: SheetKind) -> NewNode | None:
    """The node that plays an asset: a state with it in a machine; None for what such a sheet cannot hold.

    A montage is played by an update sheet; on a pose sheet it becomes the slot in which it plays.
    """
    if isinstance(asset, Montage):
        if sheet is SheetKind.UPDATE:
            return NewNode("play_montage", {"montage": asset.name})
        slotted = sheet is SheetKind.POSE and asset.tracks
        return NewNode("slot", {"slot": asset.tracks[0].slot}) if slotted else None
    new: NewNode | None = None
    if isinstance(asset, Clip):
        new = NewNode("clip", {"clip": asset.id}, name="")
    elif isinstance(asset, BlendSpace):
        new = NewNode("aim_offset" if asset.aim_offset else "blend_space", {"space": asset.id})
    elif isinstance(asset, PoseAsset):
        new = NewNode("pose_asset", {"asset": asset.id})
    elif isinstance(asset, Graph):
        new = NewNode("linked_graph", {"graph": asset.id}, name=asset.name)
    if new is not None and sheet is SheetKind.UPDATE:
        return None
    if new is not None and sheet is SheetKind.MACHINE:
        inside = Node(new_node_id(), new.kind, dict(new.parameters), {}, new.name)
        return NewNode("state", name=str(getattr(asset, "name", "")), plays=inside)
    return new

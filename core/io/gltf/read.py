"""Reading glTF 2.0: ``.gltf``, ``.glb``, and VRM's ``.vrm`` and ``.vrma``, which are the same inside."""

from contextlib import suppress
from pathlib import Path

from core.errors import ValidationError
from core.ids import new_id
from core.io.common.characters import made_apart, told_apart
from core.io.common.naming import stem_of
from core.io.common.options import ReadOptions
from core.io.common.respace import with_overrides
from core.io.gltf.accessors import Accessors
from core.io.gltf.cameras import read_cameras
from core.io.gltf.clips import ClipReader
from core.io.gltf.container import Container
from core.io.gltf.materials import read_materials
from core.io.gltf.meshes import MeshReader
from core.io.gltf.nodes import Nodes, read_nodes
from core.io.loaded import Loaded
from core.io.report import ImportReport
from core.json_values import Value
from core.progress import Progress
from core.project.project import Project
from core.project.references import check
from core.rig.rig import Rig

# Extensions a file may demand without our missing anything that this program shows.
HARMLESS = ("KHR_mesh_quantization", "KHR_materials_", "KHR_texture_transform", "KHR_lights_", "VRM")
# Extensions that are supported, or reported by the materials that use them.
TOLD = ("KHR_mesh_quantization", "KHR_texture_transform", "EXT_texture_webp", "KHR_materials_")


def read(path: Path, options: ReadOptions, progress: Progress) -> Loaded:
    """Read a glTF file; it is in metres and +Y up unless our own writer or the options state otherwise.

    Raises
    ------
    FormatError
        Naming the place in the file, such as ``accessors[3].count``.
    """
    report = ImportReport("glTF 2.0")
    progress.report(0.0, f"reading {path.name}")
    container = Container(path)
    root = container.root
    _check_asset(root, report)
    accessors = Accessors(container)
    nodes = read_nodes(root, report)
    rig = Rig(new_id("rig"), stem_of(path) or "rig", nodes.skeleton)
    materials = read_materials(root, container, accessors, report)
    meshes = MeshReader(accessors, nodes, rig.id, materials, report)
    found = meshes.read(root, progress.part(0.1, 0.5))
    clips = ClipReader(accessors, nodes, rig.id, meshes.morphs, report).read(root, progress.part(0.5, 1.0))
    cameras = read_cameras(root, nodes, accessors, report)
    if len(root.items("scenes")) > 1:
        report.warn("the file has several scenes; the nodes of all of them were imported together")
    longest = max(clips, key=lambda clip: clip.length, default=None)
    if longest is not None:
        report.rate, report.duration = longest.rate.fps, longest.length
        report.frames = round(longest.frames) + 1
    project = _apart(Project().with_assets(rig, *found, *clips), root, nodes).with_assets(*cameras)
    check(project)
    return with_overrides(Loaded(project, report), _space(root, options))


def _apart(project: Project, root: Value, nodes: Nodes) -> Project:
    """A rig for each character, where the file holds several."""
    skeleton, skins = nodes.skeleton, root.objects("skins")
    place = {int(node): bone for bone, node in enumerate(skeleton.sources)}
    joints = [{place[node] for node in skin.items("joints") if node in place} for skin in skins]
    names = [nodes.values[node].text("name", "") for node in skeleton.sources]
    titles = [skin.text("name", "") for skin in skins]
    found = told_apart(skeleton.parents, names, set().union(*joints), joints, titles)
    return made_apart(project, found, names) if found else project


def _space(root: Value, options: ReadOptions) -> ReadOptions:
    """Unit and axes as the options say, else as our own writer stated them."""
    extras = root.object("asset").data.get("extras")
    noted = extras.get("posewright") if isinstance(extras, dict) else None
    told = ReadOptions()
    if isinstance(noted, dict):
        with suppress(ValidationError, TypeError):
            told = ReadOptions(noted.get("metres_per_unit"), noted.get("up"))
    return ReadOptions(options.metres_per_unit or told.metres_per_unit, options.up_axis or told.up_axis)


def _check_asset(root: Value, report: ImportReport) -> None:
    asset = root.object("asset")
    version = asset.text("version", "")
    if version.split(".")[0] != "2":
        raise asset.error(f"expected glTF version 2.x, got {version[:20]!r}", "version")
    report.producer = asset.text("generator", "")[:200]
    for name in root.items("extensionsRequired"):
        if not str(name).startswith(HARMLESS):
            raise root.error(
                f"the file needs the extension {str(name)[:60]!r}, which is not supported",
                "extensionsRequired",
                "export it again without compression or special extensions",
            )
    for name in root.items("extensionsUsed"):
        if not str(name).startswith(TOLD) or name == "KHR_materials_variants":
            report.leave_out(f"the settings of extension {str(name)[:60]}")

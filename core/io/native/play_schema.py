"""Set-ups of driven characters in native files."""

from core.errors import ValidationError
from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value
from core.locomotion.matching.setup_file import matching_from, matching_values
from core.locomotion.play_setup import Choice, PlaySetup


def _to(setup: PlaySetup, packs: PackWriter) -> Document:
    return {
        "id": setup.id,
        "name": setup.name,
        "rig": setup.rig,
        "clips": dict(setup.clips),
        "spaces": dict(setup.spaces),
        "graph": setup.graph,
        "matching": matching_values(setup.matching),
    }


def _from(value: Value, packs: PackReader) -> PlaySetup:
    try:
        return PlaySetup(
            AssetId(value.text("id")),
            value.text("name"),
            AssetId(value.text("rig")),
            _choice(value.object("clips")),
            _choice(value.object("spaces")),
            AssetId(value.text("graph")) if value.has("graph") else None,
            matching_from(value.object("matching")),
        )
    except ValidationError as error:
        raise value.error(str(error)) from None


def _choice(value: Value) -> Choice:
    return {what: AssetId(value.text(what)) if value.has(what) else None for what in value.names()}


KIND = AssetKind("play_setup", PlaySetup, Schema("posewright.play_setup", 1), _to, _from)

"""Types of notifies in native files."""

from core.clips.clip import NotifyRule
from core.clips.notifies import rule_from, rule_values
from core.clips.notify_types import FieldKind, NotifyField, NotifyType
from core.errors import ValidationError
from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value


def _to(found: NotifyType, packs: PackWriter) -> Document:
    told: Document = {
        "id": found.id,
        "name": found.name,
        "duration": found.duration,
        "color": found.color,
        "fields": [
            {
                "name": field.name,
                "kind": str(field.kind),
                "default": field.default,
                "choices": list(field.choices),
                "minimum": field.minimum,
                "maximum": field.maximum,
                "unit": field.unit,
            }
            for field in found.fields
        ],
    }
    return told if found.rule == NotifyRule() else {**told, "rule": rule_values(found.rule)}


def _from(value: Value, packs: PackReader) -> NotifyType:
    try:
        return NotifyType(
            AssetId(value.text("id")),
            value.text("name"),
            tuple(_field(field) for field in value.objects("fields")),
            value.number("duration", 0.0),
            value.text("color", ""),
            rule_from(value.object("rule").data),
        )
    except ValidationError as error:
        raise value.error(str(error)) from None


def _field(value: Value) -> NotifyField:
    bounds = [value.number(name, 0.0) if value.has(name) else None for name in ("minimum", "maximum")]
    return NotifyField(
        value.text("name"),
        value.choice("kind", {str(kind): kind for kind in FieldKind}),
        value.text("default", ""),
        tuple(value.texts("choices")),
        bounds[0],
        bounds[1],
        value.text("unit", ""),
    )


KIND = AssetKind("notify_type", NotifyType, Schema("posewright.notify_type", 1), _to, _from)

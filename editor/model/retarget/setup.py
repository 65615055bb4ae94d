"""What a person has set for a retarget; kept in the document, so that it is undone, saved and recovered."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from core.errors import AnimError
from core.retarget.chain_map import ChainMap, map_from_json, map_to_json
from core.retarget.contacts import ContactSpan
from core.retarget.transfer import Stride
from core.rig.skeleton import Skeleton
from editor.model.retarget.choices import Choices

KEY = "retarget"
"""Among the document's settings."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Map, options and edited contacts.

    Parameters
    ----------
    spans : contacts by clip name, for the clips whose contacts a person edited
    """

    chains: ChainMap
    choices: Choices = field(default_factory=Choices)
    spans: Mapping[str, tuple[ContactSpan, ...]] = field(default_factory=dict)


def to_plain(title: str, setup: Setup) -> dict[str, Any]:
    """A set-up as JSON values, with the title of the source that it is for."""
    choices = asdict(setup.choices) | {"scale": str(setup.choices.scale)}
    choices["adjust"] = {name: list(degrees) for name, degrees in setup.choices.adjust.items()}
    spans = {
        name: [[span.limb, span.point, span.first, span.last] for span in found]
        for name, found in setup.spans.items()
    }
    return {"source": title, "map": json.loads(map_to_json(setup.chains)), "choices": choices, "spans": spans}


def from_plain(data: Any, title: str, source: Skeleton, target: Skeleton) -> Setup | None:
    """The set-up that was kept for a source, or None where there is none that fits both skeletons."""
    if not isinstance(data, Mapping) or data.get("source") != title:
        return None
    try:
        chains = map_from_json(json.dumps(_thawed(data["map"])), source, target)
        values = dict(data["choices"])
        values["scale"] = Stride(values["scale"])
        values["drop"] = float(values.get("drop", 1.0))  # a switch once, on or off
        values |= {
            name: float(values[name]) for name in ("stride", "floor", "knee", "reach") if name in values
        }
        values["turns"] = {str(k): float(v) for k, v in values["turns"].items()}
        values["adjust"] = {
            str(k): (float(v[0]), float(v[1]), float(v[2])) for k, v in values["adjust"].items()
        }
        spans = {
            str(name): tuple(ContactSpan(str(row[0]), int(row[1]), int(row[2]), int(row[3])) for row in rows)
            for name, rows in dict(data["spans"]).items()
        }
        choices = Choices(**values)
        # Numbers out of their bounds are refused here, not at every later edit.
        replace(choices, feet=True).options()
        return Setup(chains, choices, spans)
    except (AnimError, KeyError, TypeError, ValueError, IndexError):
        return None


def _thawed(value: Any) -> Any:
    """Plain lists and dictionaries again."""
    if isinstance(value, Mapping):
        return {key: _thawed(item) for key, item in value.items()}
    return [_thawed(item) for item in value] if isinstance(value, list | tuple) else value

"""Schemas of the documents in a native file, their versions, and upgrades one version at a time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import UnsupportedError, ValidationError
from core.io.native.packs import PackReader, PackWriter
from core.json_values import Value

Document = dict[str, Any]
Migration = Callable[[Document], Document]


@dataclass(frozen=True, slots=True)
class Schema:
    """A kind of document.

    Parameters
    ----------
    name : such as ``posewright.clip``
    version : the one that is written
    migrations : version → function that turns a document of it into one of the next, on plain
        dictionaries (references to arrays stay as they are)
    """

    name: str
    version: int
    migrations: Mapping[int, Migration] = field(default_factory=dict)

    def stamped(self, document: Document) -> Document:
        """The document with schema name and version in front."""
        return {"schema": self.name, "version": self.version, **document}

    def upgraded(self, document: Document) -> Document:
        """The document in the present version.

        Raises
        ------
        UnsupportedError
            A newer Posewright wrote it, or one too old to be supported.
        ValidationError
            It is not a document of this schema.
        """
        if document.get("schema") != self.name:
            raise ValidationError(
                f"expected a document {self.name!r}, got {str(document.get('schema'))[:60]!r}"
            )
        version = document.get("version")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            raise ValidationError(f"expected a version, got {str(version)[:60]!r}")
        if version > self.version:
            raise UnsupportedError(
                f"it was saved by a newer Posewright ({self.name} version {version}, "
                f"this one reads up to {self.version}); update to open it"
            )
        while version < self.version:
            if version not in self.migrations:
                raise UnsupportedError(f"{self.name} version {version} is too old to be read")
            document = {**self.migrations[version](dict(document)), "schema": self.name}
            version += 1
            document["version"] = version
        return document


@dataclass(frozen=True, slots=True)
class AssetKind:
    """How assets of one type are stored.

    Parameters
    ----------
    kind : short word, part of entry names and ids
    type : the asset's class
    schema : of its document
    to_document : ``(asset, packs) -> document`` of JSON values; arrays and bytes go into the packs
    from_document : ``(value, packs) -> asset`` from the upgraded document, as a `Value` that
        names the place of what is wrong
    placed : whether the document depends on the folder that the file is in
    """

    kind: str
    type: type
    schema: Schema
    to_document: Callable[[Any, PackWriter], Document]
    from_document: Callable[[Value, PackReader], Any]
    placed: bool = False

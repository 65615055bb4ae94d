"""The objects and connections of an FBX document under construction."""

from collections import Counter
from typing import Any

from core.io.fbx.binary import CREATION_TIME, FILE_ID, Int32, Record, properties

TICKS = 46186158000
"""FBX time units a second."""
CREATOR = "Posewright"


class Document:
    """Collects objects by number, and their connections."""

    def __init__(self) -> None:
        self.objects = Record("Objects")
        self.connections = Record("Connections")
        self._last = 1_000_000

    def add(self, kind: str, name: str, label: str, what: str, *inside: Record) -> int:
        """A new object; its number."""
        self._last += 1
        # A name and its class are parted by these two bytes, which therefore may not be in a name.
        clean = name.replace("\0", " ").replace("\1", " ")
        self.objects.add(Record(kind, self._last, f"{clean}\0\1{label}", what, inside=inside))
        return self._last

    def connect(self, child: int, parent: int, prop: str | None = None) -> None:
        """Connect an object to another, or to a property of it."""
        values: tuple[Any, ...] = ("OO", child, parent) if prop is None else ("OP", child, parent, prop)
        self.connections.add(Record("C", *values))

    def records(self, metres: float, up: str, rate: float, seconds: float, takes: list[str]) -> list[Record]:
        """All records of the file."""
        counts = Counter(record.name for record in self.objects.inside)
        kinds = [Record("ObjectType", "GlobalSettings", inside=[Record("Count", Int32(1))])]
        kinds += [
            Record("ObjectType", kind, inside=[Record("Count", Int32(n))]) for kind, n in counts.items()
        ]
        return [
            _header(),
            Record("FileId", FILE_ID),
            Record("CreationTime", CREATION_TIME),
            Record("Creator", CREATOR),
            _settings(metres, up, rate, seconds),
            Record(
                "Documents",
                inside=[
                    Record("Count", Int32(1)),
                    Record("Document", 999_999, "Scene", "Scene", inside=[Record("RootNode", 0)]),
                ],
            ),
            Record("References"),
            Record(
                "Definitions",
                inside=[
                    Record("Version", Int32(100)),
                    Record("Count", Int32(counts.total() + 1)),
                    *kinds,
                ],
            ),
            self.objects,
            self.connections,
            Record("Takes", inside=[Record("Current", takes[0] if takes else "")]),
        ]


def _header() -> Record:
    parts = (
        ("Year", 1970),
        ("Month", 1),
        ("Day", 1),
        ("Hour", 10),
        ("Minute", 0),
        ("Second", 0),
        ("Millisecond", 0),
    )
    stamp = [Record("Version", Int32(1000)), *(Record(name, Int32(value)) for name, value in parts)]
    return Record(
        "FBXHeaderExtension",
        inside=[
            Record("FBXHeaderVersion", Int32(1003)),
            Record("FBXVersion", Int32(7400)),
            Record("EncryptionType", Int32(0)),
            Record("CreationTimeStamp", inside=stamp),
            Record("Creator", CREATOR),
            Record(
                "SceneInfo",
                "GlobalInfo\0\1SceneInfo",
                "UserData",
                inside=[
                    Record("Type", "UserData"),
                    Record("Version", Int32(100)),
                    properties(
                        ("LastSaved|ApplicationName", "KString", "", "", CREATOR),
                        ("Original|ApplicationName", "KString", "", "", CREATOR),
                    ),
                ],
            ),
        ],
    )


def _settings(metres: float, up: str, rate: float, seconds: float) -> Record:
    axes = {"+Y": (1, 1, 2, 1), "+Z": (2, 1, 1, -1)}[up]
    numbers = zip(("UpAxis", "UpAxisSign", "FrontAxis", "FrontAxisSign"), axes, strict=True)
    rows: list[tuple[Any, ...]] = [(name, "int", "Integer", "", Int32(value)) for name, value in numbers]
    rows += [
        ("CoordAxis", "int", "Integer", "", Int32(0)),
        ("CoordAxisSign", "int", "Integer", "", Int32(1)),
        ("OriginalUpAxis", "int", "Integer", "", Int32(axes[0])),
        ("OriginalUpAxisSign", "int", "Integer", "", Int32(1)),
        ("UnitScaleFactor", "double", "Number", "", metres * 100.0),
        ("OriginalUnitScaleFactor", "double", "Number", "", metres * 100.0),
        ("TimeMode", "enum", "", "", Int32(14)),
        ("CustomFrameRate", "double", "Number", "", float(rate)),
        ("TimeSpanStart", "KTime", "Time", "", 0),
        ("TimeSpanStop", "KTime", "Time", "", round(seconds * TICKS)),
    ]
    return Record("GlobalSettings", inside=[Record("Version", Int32(1000)), properties(*rows)])

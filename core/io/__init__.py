"""Reading and writing files: ``core.io.load(path)``, ``core.io.save(project, path)``.

Adding a format takes one package and one line in `core.io.builtin`; see there for the contract.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.io.format import Format
    from core.io.loaded import Loaded
    from core.io.registry import format_of, formats, load, save
    from core.io.replacing import lost_by_replacing
    from core.io.report import ExportReport, ImportReport

__all__ = [
    "ExportReport",
    "Format",
    "ImportReport",
    "Loaded",
    "format_of",
    "formats",
    "load",
    "lost_by_replacing",
    "save",
]


def __getattr__(name: str) -> Any:
    # Not before it is asked for: the helper processes of readers need next to nothing of all this,
    # and their start is half of the time that opening an FBX file takes.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "lost_by_replacing":
        from core.io import replacing

        return replacing.lost_by_replacing
    from core.io import registry, report

    return getattr(report if name.endswith("Report") else registry, name)

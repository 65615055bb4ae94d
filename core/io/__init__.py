"""Reading and writing files: ``core.io.load(path)``, ``core.io.save(project, path)``.

Adding a format takes one module (or package) with a ``read`` and/or ``write`` function and one
`Format` entry in `core.io.builtin`; see there for the contract.
"""

from core.io.registry import Format, Loaded, format_of, formats, load, save
from core.io.report import ExportReport, ImportReport

__all__ = [
    "ExportReport",
    "Format",
    "ImportReport",
    "Loaded",
    "format_of",
    "formats",
    "load",
    "save",
]

"""What a dialog offers to open: every format that can be read, and all of them at once."""

import core.io
from editor.model.i18n import tr


def readable() -> list[str]:
    """Name filters for what can be read, all of it first."""
    rows = [(f.title, f.suffixes) for f in core.io.formats() if f.can_read]
    every = dict.fromkeys(suffix for _, suffixes in rows for suffix in suffixes)
    together = tr("All supported files") + f" ({' '.join('*' + s for s in every)})"
    return [
        together,
        *(f"{title} ({' '.join('*' + s for s in suffixes)})" for title, suffixes in rows if suffixes),
    ]

"""Names as USD allows them."""

import re
from collections.abc import Sequence


def identifiers(wanted: Sequence[str]) -> list[str]:
    """Letters, digits and underscores only, no digit first, and each one different."""
    taken: set[str] = set()
    found = []
    for name in wanted:
        base = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
        base = f"_{base}" if base[0].isdigit() else base
        new, number = base, 1
        while new in taken:
            new, number = f"{base}_{number}", number + 1
        taken.add(new)
        found.append(new)
    return found

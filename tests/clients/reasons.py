"""Why a cell of the matrix is a ✗: (file, format, client) → reason. `tests.clients.matrix` tells which are stale."""

REASONS: dict[tuple[str, str, str], str] = {}

"""Places for nodes that have none, and tidying: ranks from the Output back, order kept.

Pose sheets are trees (a pose output feeds one input), so ranks and rows follow from the wires by themselves; no
graph library is needed for that.
"""

from collections.abc import Mapping, Sequence

from core.graph.graph import Sheet, SheetKind
from editor.model.graph.geometry import Point, snapped
from editor.model.graph.ring import is_dense, on_ring

COLUMN, ROW = 64.0, 32.0
"""Scene units between columns and between nodes of a column."""
STATE_COLUMN, STATE_ROW = 112.0, 64.0
Sizes = Mapping[str, tuple[float, float]]


def arranged(sheet: Sheet, sizes: Sizes, only: Sequence[str] | None = None) -> dict[str, Point]:
    """Places ``node id → corner`` by the wires or transitions.

    Parameters
    ----------
    sizes : width and height of every node
    only : nodes to place; None is all
    """
    ids = [node.id for node in sheet.nodes if only is None or node.id in set(only)]
    if not ids:
        return {}
    if sheet.kind is SheetKind.MACHINE:
        return _machine(sheet, sizes, ids)
    return _flow(sheet, sizes, ids)


def _flow(sheet: Sheet, sizes: Sizes, ids: Sequence[str]) -> dict[str, Point]:
    chosen = set(ids)
    above: dict[str, list[str]] = {id: [] for id in ids}
    below: dict[str, list[str]] = {id: [] for id in ids}
    order = {pin: k for k, pin in enumerate(dict.fromkeys(link.pin for link in sheet.links))}
    for link in sorted(sheet.links, key=lambda link: order[link.pin]):
        if link.source in chosen and link.target in chosen:
            above[link.target].append(link.source)
            below[link.source].append(link.target)
    ranks = _ranks(ids, below)
    rows: dict[str, float] = {}
    free: dict[int, float] = {}
    roots = [id for id in ids if not below[id]] or list(ids[:1])
    for root in roots:
        _place(root, above, ranks, sizes, rows, free)
    for id in ids:
        if id not in rows:
            _place(id, above, ranks, sizes, rows, free)
    widths: dict[int, float] = {}
    for id in ids:
        widths[ranks[id]] = max(widths.get(ranks[id], 0.0), sizes[id][0])
    x, columns = 0.0, {}
    for rank in sorted(widths):
        x -= widths[rank] + (COLUMN if rank else 0.0)
        columns[rank] = x
    # from the left edge of a column, so that equal nodes stand in line
    return {id: (snapped(columns[ranks[id]]), snapped(rows[id])) for id in ids}


def _ranks(ids: Sequence[str], below: Mapping[str, list[str]]) -> dict[str, int]:
    """Steps to the end of the longest chain after each node; circles are cut where they are met."""
    ranks: dict[str, int] = {}
    for start in ids:
        stack: list[tuple[str, int]] = [(start, 0)]
        under_way: set[str] = set()
        while stack:
            node, state = stack.pop()
            if state:
                under_way.discard(node)
                ranks[node] = 1 + max((ranks.get(t, -1) for t in below[node]), default=-1)
            elif node not in ranks and node not in under_way:
                under_way.add(node)
                stack.append((node, 1))
                stack.extend((t, 0) for t in below[node] if t not in ranks and t not in under_way)
    return ranks


def _place(
    root: str,
    above: Mapping[str, list[str]],
    ranks: Mapping[str, int],
    sizes: Sizes,
    rows: dict[str, float],
    free: dict[int, float],
) -> None:
    """Rows for a node and all before it: each beside the middle of its inputs, none over another."""
    stack: list[tuple[str, bool]] = [(root, False)]
    met: set[str] = set()
    while stack:
        node, ready = stack.pop()
        if not ready:
            if node in met or node in rows:
                continue
            met.add(node)
            stack.append((node, True))
            stack.extend((n, False) for n in reversed(above[node]) if n not in rows)
            continue
        inputs = [n for n in above[node] if n in rows and n != node]
        rank, height = ranks[node], sizes[node][1]
        least = free.get(rank, 0.0)
        # A new branch begins below everything that is further back in its columns, too.
        y = min((rows[n] for n in inputs), default=least)
        rows[node] = max(y, least)
        free[rank] = rows[node] + height + ROW


def _machine(sheet: Sheet, sizes: Sizes, ids: Sequence[str]) -> dict[str, Point]:
    """States by their distance from the first one; each column from top to bottom in the order of the sheet.

    Where many arrows join them all, they stand on a ring (`editor.model.graph.ring`).
    """
    chosen = set(ids)
    ways: dict[str, list[str]] = {id: [] for id in ids}
    for transition in sheet.transitions:
        if transition.source in chosen and transition.target in chosen:
            ways[transition.source].append(transition.target)
    kinds: dict[str, str] = {node.id: node.kind for node in sheet.nodes}
    starts = [id for id in ids if kinds[id] == "entry"] or [id for id in ids if kinds[id] == "state"][:1]
    ranks = dict.fromkeys(starts, 0)
    line = list(starts)
    for id in line:
        for target in ways[id]:
            if target not in ranks:
                ranks[target] = ranks[id] + 1
                line.append(target)
    pairs = sorted({(a, b) for a, targets in ways.items() for b in targets if a != b})
    if is_dense(len(ids), len(pairs)):
        return _ring([*line, *(id for id in ids if id not in ranks)], pairs, sizes)
    last = max(ranks.values(), default=0)
    for id in ids:
        ranks.setdefault(id, 0 if kinds[id] == "any" else last)
    found: dict[str, Point] = {}
    x = 0.0
    for rank in sorted(set(ranks.values())):
        column = [id for id in (*line, *ids) if ranks[id] == rank and id not in found]
        column = list(dict.fromkeys(column))
        height = sum(sizes[id][1] for id in column) + STATE_ROW * (len(column) - 1)
        # Columns are shifted against each other, so that arrows do not lie on a line through several states.
        y = snapped(-height / 2.0 + (32.0 if rank % 2 else 0.0))
        for id in column:
            found[id] = (snapped(x), snapped(y))
            y += sizes[id][1] + STATE_ROW
        x += max(sizes[id][0] for id in column) + STATE_COLUMN
    return found


def _ring(ids: Sequence[str], pairs: Sequence[tuple[str, str]], sizes: Sizes) -> dict[str, Point]:
    """States on a ring, each in the middle of its place."""
    numbers = {id: number for number, id in enumerate(ids)}
    width, height = (max(sizes[id][axis] for id in ids) for axis in (0, 1))
    joined = tuple((numbers[a], numbers[b]) for a, b in pairs)
    found = on_ring(len(ids), joined, width, height)
    return {
        id: (x + snapped((width - sizes[id][0]) / 2.0), y + snapped((height - sizes[id][1]) / 2.0))
        for id, (x, y) in zip(ids, found, strict=True)
    }

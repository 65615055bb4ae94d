"""The canvas's part of a graph's document: places, comment frames, knots of wires. The plan never sees it.

Entries that do not make sense (a file edited by hand) are passed over, never an error.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.graph.graph import Graph
from editor.model.graph.geometry import FARTHEST, Point, Rect

COLORS = 8
"""Colours that a comment can have."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A frame with a text; it moves what lies inside. One without a size is a note.

    Parameters
    ----------
    sheet : id of the sheet that it stands on
    color : 0..`COLORS` − 1
    """

    id: str
    sheet: str
    text: str
    rect: Rect
    color: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """What a graph's layout says, read; `written` makes it a document again.

    Parameters
    ----------
    places : node id → top left corner
    knots : (target node, pin) → places that the wire goes through, from its source
    folded : nodes that hide their unused pins
    rest : entries of other programs or versions, kept as they are
    """

    places: Mapping[str, Point] = field(default_factory=dict)
    comments: tuple[Comment, ...] = ()
    knots: Mapping[tuple[str, str], tuple[Point, ...]] = field(default_factory=dict)
    folded: frozenset[str] = frozenset()
    rest: Mapping[str, object] = field(default_factory=dict)

    def of_sheet(self, sheet: str) -> tuple[Comment, ...]:
        """Comments of one sheet."""
        return tuple(comment for comment in self.comments if comment.sheet == sheet)

    def moved(self, places: Mapping[str, Point]) -> "Layout":
        """With nodes elsewhere."""
        return replace(self, places={**self.places, **places})

    def with_comment(self, comment: Comment) -> "Layout":
        """With a comment added or changed."""
        others = tuple(c for c in self.comments if c.id != comment.id)
        if len(others) == len(self.comments):
            return replace(self, comments=(*others, comment))
        return replace(self, comments=tuple(comment if c.id == comment.id else c for c in self.comments))

    def without(self, ids: Iterable[str]) -> "Layout":
        """Without nodes and comments, and the knots of wires that end there."""
        gone = set(ids)
        return replace(
            self,
            places={k: v for k, v in self.places.items() if k not in gone},
            comments=tuple(c for c in self.comments if c.id not in gone and c.sheet not in gone),
            knots={k: v for k, v in self.knots.items() if k[0] not in gone},
            folded=self.folded - gone,
        )

    def with_knots(self, target: str, pin: str, places: Iterable[Point]) -> "Layout":
        """With other knots of a wire; none removes them."""
        found = {k: v for k, v in self.knots.items() if k != (target, pin)}
        made = tuple(places)
        return replace(self, knots={**found, (target, pin): made} if made else found)

    # ------------------------------------------------------------ pieces
    def part(self, nodes: Collection[str], sheets: Collection[str]) -> "Layout":
        """What is said of nodes, of the wires that end there, and on sheets."""
        return Layout(
            {k: v for k, v in self.places.items() if k in nodes},
            tuple(c for c in self.comments if c.sheet in sheets),
            {k: v for k, v in self.knots.items() if k[0] in nodes},
            frozenset(k for k in self.folded if k in nodes),
        )

    def renamed(self, ids: Mapping[str, str]) -> "Layout":
        """With other ids of nodes and sheets; nothing is left of those that get none."""
        return Layout(
            {ids[k]: v for k, v in self.places.items() if k in ids},
            tuple(replace(c, sheet=ids[c.sheet]) for c in self.comments if c.sheet in ids),
            {(ids[n], pin): v for (n, pin), v in self.knots.items() if n in ids},
            frozenset(ids[k] for k in self.folded if k in ids),
        )

    def shifted(self, way: Point, nodes: Collection[str], sheet: str) -> "Layout":
        """With nodes, their wires' knots and the comments of a sheet elsewhere."""

        def there(place: Point) -> Point:
            return place[0] + way[0], place[1] + way[1]

        return replace(
            self,
            places={k: there(v) if k in nodes else v for k, v in self.places.items()},
            comments=tuple(
                replace(c, rect=c.rect.moved(*way)) if c.sheet == sheet else c for c in self.comments
            ),
            knots={k: tuple(map(there, v)) if k[0] in nodes else v for k, v in self.knots.items()},
        )

    def with_part(self, part: "Layout") -> "Layout":
        """With what a piece says, too; its comments get ids of their own."""
        found = replace(
            self.moved(part.places), knots={**self.knots, **part.knots}, folded=self.folded | part.folded
        )
        for comment in part.comments:
            found = found.with_comment(replace(comment, id=found.free_comment_id()))
        return found

    def free_comment_id(self) -> str:
        """An id that no comment has."""
        known, number = {c.id for c in self.comments}, len(self.comments) + 1
        while f"c-{number}" in known:
            number += 1
        return f"c-{number}"


def read_layout(graph: Graph) -> Layout:
    """What a graph's layout says."""
    return layout_from(graph.layout)


def layout_from(data: Mapping[str, object]) -> Layout:
    """What plain values say of a layout."""
    known = ("places", "comments", "knots", "folded")
    return Layout(
        {str(k): p for k, v in _mapping(data.get("places")).items() if (p := _point(v)) is not None},
        tuple(c for entry in _items(data.get("comments")) if (c := _comment(entry)) is not None),
        {
            (node, pin): places
            for key, v in _mapping(data.get("knots")).items()
            for node, _, pin in [str(key).partition(".")]
            if (places := tuple(p for x in _items(v) if (p := _point(x)) is not None))
        },
        frozenset(str(x) for x in _items(data.get("folded"))),
        {k: v for k, v in data.items() if k not in known},
    )


def written(layout: Layout) -> dict[str, object]:
    """A layout as plain values, in an order that does not depend on what was done."""
    found: dict[str, object] = dict(layout.rest)
    if layout.places:
        found["places"] = {k: _numbers(*v) for k, v in sorted(layout.places.items())}
    if layout.comments:
        found["comments"] = [
            {
                "id": c.id, "sheet": c.sheet, "text": c.text, "color": c.color,
                "rect": _numbers(c.rect.x, c.rect.y, c.rect.w, c.rect.h),
            }
            for c in layout.comments
        ]  # fmt: skip
    if layout.knots:
        found["knots"] = {f"{n}.{p}": [_numbers(*x) for x in v] for (n, p), v in sorted(layout.knots.items())}
    if layout.folded:
        found["folded"] = sorted(layout.folded)
    return found


def with_layout(graph: Graph, layout: Layout) -> Graph:
    """A graph with another layout."""
    return replace(graph, layout=written(layout))


def _numbers(*values: float) -> list[float]:
    return [round(float(value), 3) for value in values]


def _mapping(value: object) -> Mapping[object, object]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()


def _floats(value: object, count: int) -> tuple[float, ...] | None:
    items = _items(value)
    if len(items) != count or not all(isinstance(x, int | float) and math.isfinite(x) for x in items):
        return None
    return tuple(min(max(float(x), -FARTHEST), FARTHEST) for x in items)  # type: ignore[arg-type]


def _point(value: object) -> Point | None:
    found = _floats(value, 2)
    return None if found is None else (found[0], found[1])


def _comment(value: object) -> Comment | None:
    data = _mapping(value)
    rect = _floats(data.get("rect"), 4)
    if rect is None:
        return None
    color = data.get("color")
    return Comment(
        str(data.get("id") or ""),
        str(data.get("sheet") or ""),
        str(data.get("text") or ""),
        Rect(rect[0], rect[1], max(rect[2], 0.0), max(rect[3], 0.0)),
        color % COLORS if isinstance(color, int) else 0,
    )

"""What two runs of a step are compared by."""

from collections.abc import Iterable

from core.graph.events import Event


def told(events: Iterable[Event]) -> list[tuple[object, ...]]:
    """All that events tell, with moments to a nanosecond."""
    return [
        (e.name, e.kind, round(e.moment, 9), round(e.weight, 9), e.node, e.clip, round(e.time, 9), e.leaving,
         dict(e.data), round(e.progress, 9), round(e.seconds, 9), e.interrupted, e.acted)
        for e in events
    ]  # fmt: skip

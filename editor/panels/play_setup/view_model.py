"""The rows of a set-up: behaviours, bones, blend spaces, clips, filtered by words. Free of Qt."""

from dataclasses import dataclass
from typing import NamedTuple

from core.locomotion.animation.behaviours import SPACE
from editor.model.i18n import tr, trn
from editor.model.play.setups import By, Kind, Part, PlaySetups

BY_NAME, LEAVE_OUT, KEEP = "", "\0", "\1"
"""Choices that are no asset: found by name, left out, as it is."""


class Row(NamedTuple):
    """One row: what it is, what it says, in which colour, and what can be chosen for it."""

    title: str
    text: str
    token: str
    tip: str
    part: Part | None = None


class Group(NamedTuple):
    """Rows under a title; open at first or not."""

    id: str
    title: str
    rows: tuple[Row, ...]
    open: bool = True


@dataclass(slots=True)
class SetupRows:
    """What the table shows.

    Attributes
    ----------
    words : of the filter
    only_missing : whether what is there is left out
    """

    setups: PlaySetups
    words: str = ""
    only_missing: bool = False

    def groups(self) -> tuple[Group, ...]:
        """Behaviours first; then the parts by kind."""
        parts = self.setups.parts()
        kinds = (
            (Kind.BONE, tr("Bones")), (Kind.SPACE, tr("Blend spaces")), (Kind.CLIP, tr("Clips"))
        )  # fmt: skip
        made = [self._behaviours()]
        for kind, title in kinds:
            of_kind = [part for part in parts if part.kind is kind]
            lost = sum(part.by in (By.MISSING, By.LEFT_OUT) for part in of_kind)
            rows = tuple(_row(part) for part in of_kind if not self.only_missing or not part.name)
            made.append(Group(kind, _counted(title, lost), self._filtered(rows)))
        return (*(group for group in made if group.rows), *self._ranges())

    def _ranges(self) -> tuple[Group, ...]:
        """Which clips motion matching searches."""
        parts = self.setups.ranges()
        searched = sum(_is_searched(part) for part in parts)
        shown = (part for part in parts if not self.only_missing or not _is_searched(part))
        rows = self._filtered(tuple(_row(part) for part in shown))
        title = tr("Motion matching: {count} of {all} clips searched", count=searched, all=len(parts))
        return (Group(Kind.RANGE, title, rows, open=False),) if rows else ()

    def _behaviours(self) -> Group:
        found = self.setups.behaviours
        off = sum(not one.on for one in found)
        rows = tuple(
            Row(one.name, tr("on"), "ok", tr("The character has what it needs"))
            if one.on
            else Row(one.name, tr("off: {needs}", needs=_needs(one.lacks)), "warning", _tip(one.lacks))
            for one in sorted(found, key=lambda one: one.on)
            if not self.only_missing or not one.on
        )
        title = tr("Behaviours") if not off else tr("Behaviours, {count} off", count=off)
        return Group("behaviours", title, self._filtered(rows))

    def _filtered(self, rows: tuple[Row, ...]) -> tuple[Row, ...]:
        words = self.words.lower().split()
        return tuple(row for row in rows if all(word in f"{row.title} {row.text}".lower() for word in words))

    def choices(self, part: Part) -> tuple[tuple[str, str], ...]:
        """Id and words of everything that can be chosen for a part."""
        if _is_lost(part):
            return ((KEEP, tr("Keep")), (BY_NAME, tr("Forget")))
        out = () if part.kind is Kind.BONE else ((LEAVE_OUT, tr("Leave out")),)
        return ((BY_NAME, tr("By name")), *out, *self.setups.candidates(part.kind))

    def choose(self, part: Part, choice: str) -> None:
        """Take a choice of `choices`."""
        if choice == KEEP:
            return
        self.setups.choose(part.kind, part.what, None if choice == LEAVE_OUT else choice)


def _row(part: Part) -> Row:
    told = {
        By.NAME: (part.name, "text", tr("Found by name; click to choose another")),
        By.HAND: (part.name, "accent", tr("Chosen by hand; “By name” takes it back")),
        By.LEFT_OUT: (tr("left out"), "dim", tr("Left out by hand; “By name” takes it back")),
        By.MISSING: (tr("missing"), "warning", tr("Nothing is found by name; click to choose")),
    }
    text, token, tip = told[part.by]
    if part.off and part.by is not By.LEFT_OUT:
        text, token, tip = tr("{what}: by rules", what=part.name), "dim", part.off
    if part.kind is Kind.RANGE and part.by is By.MISSING:
        text, tip = (
            tr("no such clip"),
            tr("A clip of this name is not there; “By name” forgets what was said of it"),
        )
    return Row(part.title, text, token, tip, part)


def _is_lost(part: Part) -> bool:
    """Whether something is said of a clip that is not there."""
    return part.kind is Kind.RANGE and part.by is By.MISSING


def _is_searched(part: Part) -> bool:
    return not part.off and part.by in (By.NAME, By.HAND)


def _counted(title: str, lost: int) -> str:
    return tr("{title}, {count} missing", title=title, count=lost) if lost else title


def _needs(lacks: tuple[str, ...]) -> str:
    names = ", ".join(lacks[:2])
    return names if len(lacks) <= 2 else f"{names} …"


def _tip(lacks: tuple[str, ...]) -> str:
    clips = [name for name in lacks if not name.startswith(SPACE)]
    names = ", ".join([*clips, *(name for name in lacks if name not in clips)])
    return trn("Needs {names}", "Needs all of {names}", len(lacks), names=names)

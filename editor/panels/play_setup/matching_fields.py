"""The numbers of motion matching as a panel shows them: titles, units, tips. Free of Qt."""

from dataclasses import dataclass
from typing import NamedTuple

from core.errors import ValidationError
from core.locomotion.matching.setup import BOUNDS, Drive, Matching
from editor.model.i18n import tr
from editor.model.play.choices import PlayChoices
from editor.model.play.setups import PlaySetups

DEFAULT = Matching()


class Number(NamedTuple):
    """A number of `Matching` as it is shown: ``shown = value · scale``.

    Parameters
    ----------
    name : of the member
    step : change of what is shown for each pixel of a scrub
    """

    name: str
    title: str
    unit: str
    step: float
    decimals: int
    tip: str
    scale: float = 1.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and most that is shown."""
        low, high = BOUNDS[self.name]
        return low * self.scale, high * self.scale


class Switch(NamedTuple):
    """A member that is on or off."""

    name: str
    title: str
    tip: str


class Numbers(NamedTuple):
    """A member that holds several numbers."""

    name: str
    title: str
    unit: str
    tip: str


class Section(NamedTuple):
    """Fields under a title."""

    title: str
    numbers: tuple[Number, ...]
    switches: tuple[Switch, ...] = ()
    lists: tuple[Numbers, ...] = ()


_SMOOTH = tr("more keeps a switch smoother")
_SOONER = tr("more follows the controller sooner")
SECTIONS = (
    Section(
        tr("Weights"),
        (
            Number(
                "feet_place", tr("Feet, place"), "", 0.01, 2,
                tr("Weight of where the feet are: {what}", what=_SMOOTH),
            ),
            Number(
                "feet_speed", tr("Feet, speed"), "", 0.01, 2,
                tr("Weight of how the feet move: {what}", what=_SMOOTH),
            ),
            Number(
                "hips_speed", tr("Hips, speed"), "", 0.01, 2,
                tr("Weight of how the hips move: {what}", what=_SMOOTH),
            ),
            Number(
                "path_place", tr("Path, place"), "", 0.01, 2,
                tr("Weight of where the path leads: {what}", what=_SOONER),
            ),
            Number(
                "path_facing", tr("Path, facing"), "", 0.01, 2,
                tr("Weight of where it faces there: {what}", what=_SOONER),
            ),
        ),
    ),
    Section(
        tr("Search"),
        (
            Number("search_every", tr("Every"), "s", 0.005, 3, tr("Seconds from one search to the next")),
            Number(
                "transition", tr("Cost of a switch"), "", 0.01, 2,
                tr("Squared distance by which another frame must be nearer than the one that plays"),
            ),
            Number(
                "wish_change", tr("Change of stick"), "", 0.01, 2,
                tr("Searches at once when the stick moves this far; 1 is from the middle to the edge"),
            ),
            Number(
                "view_change", tr("Change of view"), "°", 0.5, 1,
                tr("Searches at once when the view turns this far"),
            ),
            Number(
                "near", tr("Not near"), "f", 0.2, 0,
                tr("Frames of 1/60 s around the present one that are left out"),
            ),
            Number(
                "end", tr("Not at ends"), "f", 0.2, 0,
                tr("Frames of 1/60 s before the end of a range that are left out"),
            ),
        ),
    ),
    Section(
        tr("Motion"),
        (
            Number(
                "blend_half", tr("Blend"), "s", 0.005, 3,
                tr("Half-life of what is left of the old motion after a switch; 0 cuts"),
            ),
            Number(
                "pull_half", tr("Pull, place"), "s", 0.005, 3,
                tr("Half-life in which the pose's root goes to the controller's place"),
            ),
            Number(
                "pull_turn_half", tr("Pull, facing"), "s", 0.005, 3,
                tr("Half-life in which the pose's root turns to the controller's facing"),
            ),
            Number(
                "pull_most", tr("Maximum pull"), "%", 0.5, 0,
                tr("Of the clip's own speed: more follows closer, less slides less"), 100.0,
            ),
            Number("farthest", tr("Farthest"), "m", 0.005, 3, tr("The root is never farther from the controller")),
            Number(
                "farthest_turn", tr("Farthest turn"), "°", 0.5, 1,
                tr("The root never faces farther away from the controller's facing"),
            ),
        ),
        (
            Switch(
                "warp", tr("Fit steps"),
                tr("Steps are lengthened, hastened and turned to the controller's velocity"),
            ),
            Switch("mirror", tr("Mirrored copies"), tr("Every range is searched mirrored as well")),
        ),
        (
            Numbers(
                "paces", tr("Paces"), "×",
                tr("Copies of ranges that go somewhere, at these times their speed: up to 8 of 0.25 to 2"),
            ),
            Numbers(
                "bends", tr("Bends"), "°/s",
                tr("Copies of ranges that go ahead, bent to the left and to the right: up to 8 of 1 to 360"),
            ),
        ),
    ),
)  # fmt: skip
"""All members but the choices of clips, which the table of parts has."""


@dataclass(slots=True)
class MatchingFields:
    """Reads and changes the numbers of the character's set-up."""

    setups: PlaySetups
    choices: PlayChoices

    @property
    def note(self) -> str:
        """Whether the character is driven by what is set here."""
        if self.choices.drive is Drive.MATCHING:
            return tr("The character is driven by motion matching: a change is prepared at once.")
        return tr("The character is driven by rules: choose motion matching to see what these do.")

    def shown(self, field: Number) -> float:
        """What a field shows."""
        return float(getattr(self.setups.matching, field.name)) * field.scale

    def text(self, field: Numbers) -> str:
        """What a field of several numbers shows."""
        return ", ".join(f"{value:g}" for value in getattr(self.setups.matching, field.name))

    def is_on(self, field: Switch) -> bool:
        """Whether a switch is on."""
        return bool(getattr(self.setups.matching, field.name))

    def is_own(self, name: str) -> bool:
        """Whether a member is another than it comes with."""
        return bool(getattr(self.setups.matching, name) != getattr(DEFAULT, name))

    def set_number(self, field: Number, shown: float) -> None:
        """Take what was typed or scrubbed, held to the bounds."""
        low, high = BOUNDS[field.name]
        value = min(max(shown / field.scale, low), high)
        whole = isinstance(getattr(DEFAULT, field.name), int)
        self.setups.set_matching(field.title, **{field.name: round(value) if whole else value})

    def set_switch(self, field: Switch, on: bool) -> None:
        """Switch one on or off."""
        self.setups.set_matching(field.title, **{field.name: on})

    def set_numbers(self, field: Numbers, text: str) -> None:
        """Take several numbers with commas or blanks between; none is an empty list.

        Raises
        ------
        ValidationError
            One is no number or out of its bounds.
        """
        parts = text.replace(",", " ").replace(";", " ").split()
        try:
            values = tuple(float(part) for part in parts)
        except ValueError:
            raise ValidationError(
                tr(
                    "{title}: expected numbers with commas between, got “{text}”",
                    title=field.title,
                    text=text[:60],
                )
            ) from None
        self.setups.set_matching(field.title, **{field.name: values})

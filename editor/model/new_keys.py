"""Which tangents new keys get: the user's choice, kept among the preferences. Free of Qt."""

from collections.abc import Mapping

from core.clips.new_keys import NewTangents
from core.tracks.tangents import Ends
from editor.model.i18n import tr
from editor.model.preferences import Preferences

PREFERENCE, ENDS = "new_tangents", "auto_ends"
TITLES: Mapping[NewTangents, str] = {
    NewTangents.CURVE: tr("As the curve"),
    NewTangents.AUTO: tr("Auto"),
    NewTangents.FLAT_ENDS: tr("Flat ends"),
    NewTangents.CLAMPED: tr("Clamped"),
    NewTangents.LINEAR: tr("Linear"),
    NewTangents.STEPPED: tr("Stepped"),
}


def chosen(preferences: Preferences) -> NewTangents:
    """What new keys get; flat ends is auto with the preference for flat ends."""
    known = {str(choice): choice for choice in NewTangents}
    found = known.get(str(preferences.get(PREFERENCE)), NewTangents.CURVE)
    if found is NewTangents.AUTO and preferences.get(ENDS) == Ends.FLAT:
        return NewTangents.FLAT_ENDS
    return found


def choose(preferences: Preferences, choice: NewTangents) -> None:
    """Let new keys have tangents; auto and flat ends say what slope auto end keys get, too."""
    if choice in (NewTangents.AUTO, NewTangents.FLAT_ENDS):
        flat = choice is NewTangents.FLAT_ENDS
        preferences.set(ENDS, str(Ends.FLAT if flat else Ends.ONE_SIDED))
        choice = NewTangents.AUTO
    preferences.set(PREFERENCE, str(choice))


def next_choice(preferences: Preferences) -> NewTangents:
    """Choose the next one in the order of the list; returns it."""
    order = tuple(TITLES)
    found = order[(order.index(chosen(preferences)) + 1) % len(order)]
    choose(preferences, found)
    return found

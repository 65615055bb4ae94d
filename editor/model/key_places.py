"""Where reducing and converting may put keys: one choice for all of them, remembered."""

from core.tracks.places import KeyPlaces
from editor.model.i18n import tr
from editor.model.preferences import Preferences

PREFERENCE = "key_places"


def key_places(preferences: Preferences) -> KeyPlaces:
    """The choice as it stands."""
    try:
        return KeyPlaces(preferences.get(PREFERENCE))
    except ValueError:
        return KeyPlaces.OWN


def choose(preferences: Preferences, places: KeyPlaces) -> None:
    """Choose another."""
    preferences.set(PREFERENCE, str(places))


def choices() -> tuple[tuple[KeyPlaces, str, str], ...]:
    """Each choice with its title and what it means."""
    return (
        (
            KeyPlaces.OWN,
            tr("Keep key frames"),
            tr("Keys are removed or get new tangents; none is moved"),
        ),
        (
            KeyPlaces.FRAMES,
            tr("Add keys on frames"),
            tr("Keys are added on whole frames where they are needed"),
        ),
        (
            KeyPlaces.ANYWHERE,
            tr("Add keys off frames"),
            tr("Keys may be added between frames: the fewest keys for the tolerance"),
        ),
        (KeyPlaces.EXACT, tr("Keep keys unchanged"), tr("The remaining keys keep their value and tangents")),
    )

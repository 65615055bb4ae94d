"""Interface text: English in the source, translated by gettext catalogues where there are any.

Write ``tr("Set key")``; tools such as xgettext find it with ``--keyword=tr``. Values go in by
name, so that a translation may reorder them: ``tr("Delete {name}", name=clip.name)``.
"""

import gettext
from pathlib import Path

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def install(folder: Path | None, languages: list[str] | None = None) -> None:
    """Use the catalogue ``folder/<language>/LC_MESSAGES/posewright.mo``; English where there is none.

    Call it before the window is built: text that is shown already stays.
    """
    global _catalogue
    _catalogue = (
        gettext.NullTranslations()
        if folder is None
        else gettext.translation("posewright", str(folder), languages, fallback=True)
    )


def tr(text: str, /, **values: object) -> str:
    """The text in the user's language, with ``{name}`` replaced by values."""
    translated = _catalogue.gettext(text)
    if not values:
        return translated
    try:
        return translated.format(**values)
    except (KeyError, IndexError, ValueError):  # a broken translation must not break the program
        return text.format(**values)


def trn(one: str, many: str, count: int, /, **values: object) -> str:
    """Like `tr`, choosing the form for a count, which is also the value ``{count}`` (as ``1,234``)."""
    return _catalogue.ngettext(one, many, count).format(count=f"{count:,}", **values)


def sentence(text: str) -> str:
    """A reason, which is written as the part of a sentence, as it stands by itself: its first letter is large."""
    return text[:1].upper() + text[1:]

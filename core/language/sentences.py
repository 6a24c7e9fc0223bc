"""The catalogue of sentences that people read, in the language nearest to a locale.

`languages/xx.po` holds one language, found by its name; a sentence's key is its msgid, the same in
every file. Numbers, days and lists are written as the locale writes them.

>>> say = sentences("de-AT")
>>> say("home-questions", count=1234), say.number(0.5, 2), say.day("2026-03-01T08:00:00Z")
('1.234 Fragen', '0,50', '01.03.2026')
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from typing import NoReturn

from babel import Locale, dates, lists, numbers
from babel.core import UnknownLocaleError, negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from core.language import FOLDER

DEFAULT = "en"
MOST_LOCALES = 64  # kept in memory


@lru_cache(maxsize=MOST_LOCALES)
def sentences(locale: str) -> Sentences:
    """In the nearest language of the catalogue, English where there is none.

    `locale` is an IETF code such as `de-AT`, or empty.
    """
    name = locale.replace("_", "-")
    language = negotiate_locale([name], _languages(), sep="-") or DEFAULT
    return Sentences(language, _formats(name, language))


def language_named(english: str) -> str:
    """The code of a language of the catalogue by its English name; empty for every other one.

    >>> language_named("German"), language_named("Klingon")
    ('de', '')
    """
    for language in _languages():
        if _locale(language).english_name == english:
            return language
    return ""


class Sentences:
    """What is said in one language."""

    def __init__(self, language: str, formats: Locale) -> None:
        self.language = language
        self._formats = formats
        self._catalogue, self._keys = _catalogue(language)

    def __call__(self, key: str, **values: str | int) -> str:
        """The sentence with its values; whole numbers are written as the language writes them.

        `count` chooses between singular and plural.

        Raises:
            KeyError: no sentence has this key, which is a mistake in a program.
        """
        if "count" in values:
            sentence = self._catalogue.ngettext(key, key, int(values["count"]))
        else:
            sentence = self._catalogue.gettext(key)
        written = {}
        for name, value in values.items():
            written[name] = self.number(value) if isinstance(value, int) else value
        return sentence.format(**written)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def number(self, value: float, digits: int = 0) -> str:
        """With as many digits behind the point, and with separators of thousands."""
        pattern = f"#,##0.{'0' * digits}" if digits else "#,##0"
        return numbers.format_decimal(value, pattern, locale=self._formats)

    def percent(self, share: float) -> str:
        """A share of 1."""
        return numbers.format_percent(share, locale=self._formats)

    def day(self, iso: str) -> str:
        """The day of a time in ISO 8601; the text itself where it is none."""
        try:
            day = date.fromisoformat(iso[:10])
        except ValueError:
            return iso
        return dates.format_date(day, "medium", locale=self._formats)

    def moment(self, seconds: float) -> str:
        """A time in UTC, from seconds since 1970."""
        when = datetime.fromtimestamp(seconds, UTC)
        day = dates.format_date(when, "medium", locale=self._formats)
        return f"{day}, {dates.format_time(when, 'HH:mm', locale=self._formats)} UTC"

    def listed(self, items: Sequence[str]) -> str:
        """`a, b, and c`."""
        return lists.format_list(items, locale=self._formats)

    def either(self, items: Sequence[str]) -> str:
        """`a, b, or c`."""
        return lists.format_list(items, style="or", locale=self._formats)

    def language_name(self, english: str) -> str:
        """A language by its English name, as this one calls it."""
        for code, name in _locale(DEFAULT).languages.items():
            if name == english:
                return str(self._formats.languages.get(code, english))
        return english


class _Missing(NullTranslations):
    """What gettext asks for a key that the catalogue does not have."""

    def gettext(self, message: str) -> NoReturn:
        raise KeyError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> NoReturn:
        raise KeyError(msgid1)


@cache
def _languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.po")))


@cache
def _catalogue(language: str) -> tuple[GNUTranslations, frozenset[str]]:
    """What a file says, and its keys."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    translations = GNUTranslations(compiled)
    translations.add_fallback(_Missing())
    keys = {message.id[0] if message.pluralizable else message.id for message in catalogue}
    return translations, frozenset(map(str, keys))


def _formats(locale: str, language: str) -> Locale:
    """How a locale of this language writes numbers; as the language does where it is unknown."""
    if negotiate_locale([locale], [language], sep="-") is None:
        return _locale(language)
    try:
        return _locale(locale)
    except (UnknownLocaleError, ValueError):
        return _locale(language)


def _locale(name: str) -> Locale:
    return Locale.parse(name, sep="-")

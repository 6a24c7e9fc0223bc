"""The language of a page: a question in another one shares few words with it, whatever it says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlmodel import col, select

from core.language import language
from core.models import Evidence, Kind
from core.pages import PageKey
from core.storage.database import Database
from core.storage.index_tables import PageRow, is_page

# A row is put into words in English, and code is in no language.
_SAID_OTHERWISE = {Kind.ROW, Kind.CODE}


def page_language(pieces: Iterable[Evidence]) -> str:
    """The ISO 639-1 code of what most of a page is written in; empty where that does not show."""
    said = [piece.text for piece in pieces if piece.kind not in _SAID_OTHERWISE]
    return language("\n".join(said)) or ""


class PageLanguages:
    """Which pages are in another language than a question, as the index knows them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def foreign(self, texts: Sequence[str], pages: Sequence[PageKey]) -> NDArray[np.bool_]:
        """Of each of these pages, shape (pages,); False where one of the languages is not known.

        `texts` are the question and its conversation.
        """
        asked = language(*texts)
        if asked is None or not pages:
            return np.zeros(len(pages), np.bool_)
        others = col(PageRow.language).not_in(["", asked])
        columns = select(PageRow.source, PageRow.id).where(is_page(set(pages)), others)
        with self._database.reading() as session:
            found = {PageKey(*row) for row in session.exec(columns).all()}
        return np.array([page in found for page in pages], np.bool_)

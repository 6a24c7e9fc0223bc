"""Models that bot, worker and indexer share: pages, evidence, hits, answers, records; as JSON."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from core.manner import Manner
from core.pages import CONFLUENCE, PageKey, PageKind, PageStatus
from core.question import Completed
from core.structure import NO_NEIGHBOUR, Cells, CodeText, ListItem, Neighbour, TableSlice
from core.usage import Usage
from core.value import Value


class Kind(StrEnum):
    """What a piece of evidence is; answers and explanations treat kinds differently."""

    PASSAGE = "passage"
    LIST = "list"
    TABLE = "table"
    ROW = "row"
    CODE = "code"
    TASK = "task"
    CHILD_PAGES = "child-pages"
    PLACE = "place"  # a statement of worker.entities: where somebody belongs in the organization


class Page(Value):
    """A page or blog post, without its body."""

    source: str = CONFLUENCE  # where it comes from: the name of a core.page_source.PageSource
    id: str  # within its source
    kind: PageKind = PageKind.PAGE
    space: str  # the key, such as ENG
    title: str
    url: str  # for people; never an identity, since it contains the title
    version: int = 1
    status: PageStatus = PageStatus.CURRENT
    parent_id: str | None = None  # in the same source
    breadcrumbs: tuple[str, ...] = ()  # titles of the pages above it, outermost first
    above: tuple[str, ...] = ()  # the ids of those pages, in the same source
    owner: str = ""  # display name, empty when unknown
    owner_account: str = ""  # the principal, user:ID
    updated_at: str = ""  # ISO 8601
    labels: tuple[str, ...] = ()

    @property
    def key(self) -> PageKey:
        return PageKey(self.source, self.id)

    @property
    def without_breadcrumbs(self) -> Page:
        """As an answer keeps it: nobody is shown the titles above, so nothing carries them."""
        return self.model_copy(update={"breadcrumbs": (), "above": ()})

    @property
    def parent(self) -> PageKey | None:
        """What it stands under: a page, or a folder that no listing shows."""
        return PageKey(self.source, self.parent_id) if self.parent_id else None


class Evidence(Value):
    """One piece of a page that can be found, quoted and cited."""

    id: str  # deterministic: page, kind and a hash of path and text; see indexer.evidence.build
    page_id: str  # within the source of its page
    kind: Kind
    # As indexed: plain text; a row is verbalized ("Row 2 in Table 1: Member is Alice, and …").
    text: str
    heading_path: tuple[str, ...] = ()  # headings above it, outermost first
    before: Neighbour = NO_NEIGHBOUR  # the end of the piece before it on the page
    after: Neighbour = NO_NEIGHBOUR
    anchor: str = ""  # id of the nearest heading above, for a deep link
    position: int = 0  # order on the page
    table: TableSlice | None = None  # of a table or a row: what the page has there
    items: tuple[ListItem, ...] = ()  # of a list or of tasks
    code: CodeText | None = None
    # Of core.policy.acl: empty for its page's; stricter when it names pages that fewer may read.
    acl_id: str = ""
    names: tuple[str, ...] = ()  # ids of all pages that it names, in the same source

    @property
    def table_number(self) -> int | None:
        """Of the table on the page, from 1, for tables and rows."""
        return None if self.table is None else self.table.number

    @property
    def row(self) -> int | None:
        """The number of the row under the header, from 1, for rows."""
        if self.kind is not Kind.ROW or self.table is None:
            return None
        return self.table.rows[0].number

    @property
    def cells(self) -> Cells:
        """(Column name, value) of a row, in order."""
        if self.kind is not Kind.ROW or self.table is None:
            return ()
        return self.table.cells(self.table.rows[0])


class Copy(Value):
    """Where the same text stands once more."""

    evidence: Evidence
    page: Page

    @property
    def pages(self) -> frozenset[PageKey]:
        """The pages that it gives away: its own, and those that it names."""
        ids = (self.page.id, *self.evidence.names)
        return frozenset(PageKey(self.page.source, each) for each in ids)


class Hit(Value):
    """A piece of evidence that a search found, with its page and the scores that put it there."""

    evidence: Evidence
    page: Page
    score: float = 0.0  # fused: a weighted sum of z-scores over all evidence
    lexical: float = 0.0  # BM25F of the piece, 0 when no word matched
    in_page: float = 0.0  # BM25F of its whole page
    dense: float = 0.0  # cosine similarity, -1 to 1
    # Pieces of other pages that say the same; the reader may see each of them.
    copies: tuple[Copy, ...] = ()
    # The rest of the block it was cut from, as far as not found; see worker.retrieval.expand.
    block: tuple[Evidence, ...] = ()
    # Found by a follow-up's own words alone, in case it has left the topic; its score cannot be
    # compared with the others'.
    aside: bool = False
    # Its block is the rest of its page; see worker.retrieval.whole_pages.
    whole_page: bool = False
    language: str = ""  # of its page, ISO 639-1; empty where that does not show
    # Of a row that was not found but completes its table: how many rows that has.
    table_rows: int = 0

    @property
    def everywhere(self) -> tuple[Copy, ...]:
        """Where the text stands: here first."""
        return (Copy(evidence=self.evidence, page=self.page), *self.copies)

    @property
    def pages(self) -> frozenset[PageKey]:
        """The pages that it gives away: those of its copies, and those that its block names."""
        found = set[PageKey]()
        for copy in self.everywhere:
            found |= copy.pages
        for piece in self.block:
            found |= Copy(evidence=piece, page=self.page).pages
        return frozenset(found)


class Confidence(StrEnum):
    """How often answers like this one are right; see worker.generation.confidence."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Since(StrEnum):
    """What has become of a source since the answer was given."""

    CHANGED = "changed"  # its page has another version
    GONE = "gone"  # or not open any more to those who read the answer: which of the two is not told


class Source(Value):
    """A numbered source under an answer: one section of one page."""

    number: int
    title: str
    heading: str = ""
    url: str  # with the heading's anchor
    space: str = ""
    owner: str = ""
    updated_at: str = ""
    evidence_ids: tuple[str, ...] = ()
    also: tuple[tuple[str, str], ...] = ()  # title and address of other pages that say the same
    confidence: Confidence | None = None
    since: Since | None = None  # see core.turns.sources.stale_sources


class Note(StrEnum):
    """What readers must know of how an answer came to be."""

    NO_MODEL = "no_model"  # none is configured: the answer is quoted evidence
    MODEL_DOWN = "model_down"  # the configured model did not answer: the answer is quoted evidence
    WORDS_ONLY = "words_only"  # the vector store did not answer: found by words alone
    # No page passes the conditions of the question: answered without them.
    CONDITIONS_DROPPED = "conditions_dropped"
    INCOMPLETE = "incomplete"  # the model was broken off: the answer may lack its end
    KEPT_INSIDE = "kept_inside"  # its pages may not reach the model: the answer is quoted evidence
    BUDGET = "budget"  # no model may be asked any more today: the answer is quoted evidence
    UNCHECKED = "unchecked"  # some pages could not be asked about just now, and were left out
    # Abstention: the evidence does not answer the question; `sources` are the nearest pages.
    NOT_FOUND = "not_found"
    UNCITED = "uncited"  # the model named no source of what it wrote
    UNSUPPORTED = "unsupported"  # the pages do not say all that the model wrote
    LATER = "later"  # it came by itself, after the question had ended without it


class Answer(Value):
    """What the person who asked sees: Markdown with [n] citations that point into `sources`."""

    text: str
    sources: tuple[Source, ...] = ()
    more: tuple[Source, ...] = ()  # the next best pages, which are not cited; without numbers
    notes: tuple[Note, ...] = ()
    model: str = ""  # empty when the answer is quoted evidence
    confidence: Confidence | None = None
    suggestions: tuple[str, ...] = ()  # follow-up questions that the evidence can answer
    unsupported: tuple[str, ...] = ()  # sentences of the model that its pages do not say
    # Keys of the only spaces that were searched, where somebody has chosen that.
    searched: tuple[str, ...] = ()
    # Seconds since 1970: when its pages were last confirmed, where the source does not answer now.
    as_of: float | None = None


class Record(Value):
    """An answer with everything it was made from, kept so that it can be explained later."""

    completed: Completed
    # The evidence given to the answerer, best first; the prompt numbers them from 1.
    hits: tuple[Hit, ...] = ()
    answer: Answer
    prompt: str = ""  # as rendered; empty when no model was used
    manner: Manner = Manner()  # what the channel or the person had chosen then
    usage: Usage = Usage()
    seconds: dict[str, float] = Field(default_factory=dict)  # by step: complete, retrieve, generate
    # Those that decide what an answer is; core.settings.Settings.of_answers.
    settings: dict[str, str] = Field(default_factory=dict)
    # For whom its pages were confirmed: a principal such as user:ID; empty: everybody.
    audience: str = ""
    # Pages that it gives away beside those of its hits, its completion and its suggestions.
    named: tuple[PageKey, ...] = ()
    # Those that each of the answer's suggestions gives away.
    suggested: tuple[tuple[PageKey, ...], ...] = ()

    @property
    def pages(self) -> frozenset[PageKey]:
        """Every page that anything in it gives away."""
        found = {*self.named, *self.completed.pages}
        found.update(*self.suggested)
        for hit in self.hits:
            found |= hit.pages
        return frozenset(found)

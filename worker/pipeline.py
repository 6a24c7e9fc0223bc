"""The pipeline from question to answer: rewrite, classify, filter, retrieve, generate, suggest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.access.authorizer import MOST_REQUESTS, OF_HISTORY
from core.access.disclosure import Disclosure
from core.errors import AccessUnknown
from core.evidence import SearchResult
from core.jobs.progress_events import Event, EventKind, cited_event
from core.language import spoken
from core.language.sentences import language_named
from core.manner import Context, Manner, Mode
from core.metrics import Timings
from core.models import Hit, Record
from core.pages import PageKey
from core.policy.acl import EVERYBODY, Reader
from core.question import Completed
from core.storage import clock
from core.turns import disclosures
from core.usage import Usage
from worker.answerability.gate import LET_THROUGH, Judgement
from worker.filters import as_shown
from worker.generation.confidence import with_confidence
from worker.generation.generator import GeneratedAnswer
from worker.generation.writing import Writing
from worker.question.classify import classify
from worker.question.rewrite import Past
from worker.question.standing_alone import asked_alone
from worker.retrieval.live_access import Confirmed, notes
from worker.retrieval.retriever import Retrieved
from worker.steps import DEFAULT, AnswerRequest, Steps, ignore_event
from worker.suggestions.candidates import Answered
from worker.suggestions.suggested import Suggested

# Requests of an answer's MOST_REQUESTS that are left when a conversation takes some.
OF_EVIDENCE = MOST_REQUESTS - OF_HISTORY
LOOK_S = 10.0  # for suggestions, at most


@dataclass(frozen=True)
class Pipeline(Steps):
    """Question in, answer with all that it was made from out."""

    def answer(
        self,
        question: str,
        history: Sequence[Past],
        *,
        deadline: float,
        reader: Reader = EVERYBODY,
        filtered: bool = True,
        manner: Manner = DEFAULT,
        locale: str = "",
        origin: frozenset[PageKey] = frozenset(),
        report: Callable[[Event], None] = ignore_event,
    ) -> Record:
        """Answer a question asked after `history` from what `reader` may read, by `deadline`.

        `deadline` is in seconds since 1970. `locale` counts where the questions show no language.

        Raises:
            AccessUnknown: no source says right now who may read its pages.
            StoreUnavailable: the database or the embedder does not answer; the vector store and
                the model may be down.
        """
        request = AnswerRequest(
            question=question,
            history=history,
            deadline=deadline,
            reader=reader.within(manner.spaces),
            filtered=filtered,
            manner=manner,
            locale=locale,
            origin=origin,
            report=report,
        )
        record = self.made(request)
        return self.suggest(record, request).on(record)

    def made(self, asked: AnswerRequest) -> Record:
        """The answer without suggestions, for which nobody is to wait.

        Raises:
            AccessUnknown, StoreUnavailable: as `answer`.
        """
        return _Run(self, replace(asked, manner=self.decided(asked.manner))).record()

    def suggest(self, record: Record, asked: AnswerRequest) -> Suggested:
        """What to ask next, after this record of the request."""
        if self.suggester is None:
            return Suggested()
        timings = Timings()
        with timings.step("suggest"):
            turn = Answered(record.completed, record.answer, record.hits, asked.history)
            found, used = self.suggester.suggest(turn, asked.reader, deadline=clock.now() + LOOK_S)
        texts = tuple(each.text for each in found)
        shows = tuple(tuple(sorted(each.pages)) for each in found)
        return Suggested(texts, shows, used, timings.seconds)


@dataclass
class _Run:
    """One question on its way through the steps, with the time and the tokens they take."""

    parts: Steps
    asked: AnswerRequest
    timings: Timings = field(default_factory=Timings)
    usage: Usage = field(default_factory=Usage)
    ranked: tuple[Hit, ...] = ()  # as the search has found them, before anything was added

    def record(self) -> Record:
        self.asked.report(Event(EventKind.START))
        return self._record_of(self._understood())

    def _record_of(self, completed: Completed) -> Record:
        manner = self.asked.manner
        self.asked.report(Event(EventKind.STAGE, "retrieve"))
        completed, found, confirmed = self._evidence(completed)
        hits = confirmed.hits
        pages = frozenset(completed.pages).union(*(hit.pages for hit in hits))
        audience = self.asked.reader.account
        self.asked.report(disclosures.evidence_event(Disclosure(pages, audience)))
        self.asked.report(Event(EventKind.STAGE, "generate"))
        as_searched = _as_searched(completed, found)
        judged = self._judged(as_searched, found, hits)
        if not judged.is_answerable and (alone := asked_alone(completed)):
            return self._record_of(alone)
        draft = self._answer(as_searched, hits, judged)
        answer = draft.answer
        # How sure a search by words or by meaning alone is, nobody has measured.
        if manner.mode is Mode.BOTH:
            answer = with_confidence(answer, self.ranked if self._reads_pages else draft.hits)
            if self.parts.badge:
                answer = self.parts.badge.on(
                    answer, as_searched, self.ranked, judged, is_verified=draft.is_verified
                )
        added = {
            "notes": (*answer.notes, *notes(found, confirmed)),
            "as_of": confirmed.as_of,
            "searched": manner.spaces,
        }
        return Record(
            completed=as_shown(completed, found, draft.hits),
            answer=answer.model_copy(update=added),
            usage=self.usage,
            seconds=self.timings.seconds,
            hits=draft.hits,
            prompt=draft.prompt,
            manner=manner,
            audience=audience,
        )

    def _understood(self) -> Completed:
        """The question with what the conversation, its kind and its filters say."""
        with self.timings.step("complete"):
            completed, used = self.parts.completer.complete(
                self.asked.question,
                self.asked.history,
                deadline=self.asked.deadline,
                reader=self.asked.reader,
                origin=self.asked.origin,
            )
            self.usage += used
        understood = {"kind": classify(completed), "language": self._language()}
        completed = completed.model_copy(update=understood)
        if self.parts.filters is None or not self.asked.filtered:
            return completed
        with self.timings.step("filter"):
            conditions, used = self.parts.filters.find(
                completed, self.asked.reader, deadline=self.asked.deadline
            )
            self.usage += used
        return completed.model_copy(update={"conditions": conditions})

    def _language(self) -> str:
        """In which it is answered: as somebody has chosen, else as it is asked."""
        earlier = [past.question for past in reversed(self.asked.history)]
        chosen = language_named(self.asked.manner.language)
        return chosen or spoken(self.asked.locale, self.asked.question, *earlier)

    def _evidence(self, completed: Completed) -> tuple[Completed, Retrieved, Confirmed]:
        """What was searched and found, and what of it the reader may certainly be shown."""
        parts, reader, manner = self.parts, self.asked.reader, self.asked.manner
        with self.timings.step("retrieve"):
            found = parts.retriever.retrieve(
                completed,
                reader,
                manner.evidence,
                mode=manner.mode,
            )
            completed = found.searched(completed)
            places = parts.entities.about(completed, reader) if parts.entities else ()
        with self.timings.step("confirm"):
            most = OF_EVIDENCE if self.asked.history else MOST_REQUESTS
            confirmed = parts.confirmer.confirmed((*places, *found.hits), reader, most=most)
            if confirmed.unchecked and not confirmed.hits:
                raise AccessUnknown("no source says who may read the evidence")
        self.ranked = confirmed.hits
        widener = parts.whole_pages if self._reads_pages else parts.widener
        if widener:
            with self.timings.step("widen"):
                wider = widener.expand(completed, confirmed.hits, reader)
                # What was added may name other pages.
                confirmed = parts.confirmer.widened(confirmed, wider, reader)
        return completed, found, confirmed

    @property
    def _reads_pages(self) -> bool:
        return self.asked.manner.context is Context.PAGES and self.parts.whole_pages is not None

    def _judged(self, completed: Completed, found: Retrieved, hits: tuple[Hit, ...]) -> Judgement:
        """Whether what was found answers; calibrated on searches by words and by meaning."""
        is_measured = self.asked.manner.mode is Mode.BOTH and not found.words_only
        if self.parts.gate is None or not is_measured:
            return LET_THROUGH
        with self.timings.step("judge"):
            return self.parts.gate.judged(completed, self.ranked, hits)

    def _answer(
        self,
        completed: Completed,
        hits: tuple[Hit, ...],
        judged: Judgement,
    ) -> GeneratedAnswer:
        generator = self.parts.generator.in_manner(self.asked.manner)
        draft = Writing(generator, self.parts.support, self.parts.second_reader).answer(
            completed,
            hits,
            is_answerable=judged.is_answerable,
            deadline=self.asked.deadline,
            timings=self.timings,
            on_text=lambda piece: self.asked.report(Event(EventKind.TEXT, piece)),
            on_source=lambda source: self.asked.report(cited_event(source)),
        )
        self.usage += draft.usage
        return draft


def _as_searched(completed: Completed, found: SearchResult) -> Completed:
    """Without conditions that no page passed: the answerer is told what was searched."""
    if found.conditions_dropped:
        return completed.model_copy(update={"conditions": ()})
    return completed

"""One question on its way through the steps.

What a model that is trusted finds no answer to is searched once more, in other words. What it
answers then is shown where pages say every claim (worker.generation.writing).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core import logs, metrics
from core.access.authorizer import MOST_REQUESTS, OF_HISTORY
from core.access.disclosure import Disclosure
from core.errors import AccessUnknown, StoreUnavailable
from core.jobs.progress_events import Event, EventKind, cited_event
from core.language import spoken
from core.language.sentences import language_named
from core.manner import Mode
from core.metrics import Timings
from core.models import Answer, Hit, Record
from core.question import Completed
from core.storage import clock
from core.turns import disclosures
from core.usage import Usage
from worker.answerability.gate import LET_THROUGH, Judgement
from worker.filters import as_shown
from worker.generation.chat_model import ChatModel
from worker.generation.confidence import with_confidence
from worker.generation.generator import GeneratedAnswer
from worker.generation.writing import Writing
from worker.pipeline import second_search
from worker.pipeline.gathered import Gathered, Made, Searched
from worker.pipeline.steps import AnswerRequest, Steps
from worker.question.classify import classify
from worker.question.standing_alone import by_own_words, is_better_alone
from worker.retrieval.live_access import notes
from worker.retrieval.retriever import Retrieved

# Requests of an answer's MOST_REQUESTS that are left when a conversation takes some.
OF_EVIDENCE = MOST_REQUESTS - OF_HISTORY

log = logs.get(__name__)


@dataclass
class Run:
    """One request, with the time and the tokens that it takes."""

    parts: Steps
    asked: AnswerRequest
    timings: Timings = field(default_factory=Timings)
    usage: Usage = field(default_factory=Usage)

    def record(self) -> Record:
        self.asked.report(Event(EventKind.START))
        made = self._made(self._understood())
        model = self.parts.trusted(self.asked.manner)
        if model and made.is_refused and not made.draft.lacked_a_model:
            made = self._searched_again(made, model)
        return self._record_of(made)

    def _record_of(self, made: Made) -> Record:
        evidence, draft = made.evidence, made.draft
        answer = self._judged_answer(made)
        added = {
            "notes": (*answer.notes, *notes(evidence.found, evidence.confirmed)),
            "as_of": evidence.confirmed.as_of,
            "searched": self.asked.manner.spaces,
        }
        return Record(
            completed=as_shown(evidence.completed, evidence.found, draft.hits),
            answer=answer.model_copy(update=added),
            usage=self.usage,
            seconds=self.timings.seconds,
            hits=draft.hits,
            prompt=draft.prompt,
            manner=self.asked.manner,
            audience=self.asked.reader.account,
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
        completed = completed.model_copy(update={**understood, "asked_on": clock.today()})
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

    def _made(self, completed: Completed) -> Made:
        evidence, judged = self._or_alone(self._searched(completed))
        look = self.parts.second_look(self.asked.manner, judged)
        may_answer = judged.is_answerable or look is not None
        made = Made(evidence, judged, self._written(evidence, is_answerable=may_answer))
        return look.at(made) if look else made

    def _or_alone(self, together: Searched) -> Searched:
        """What the question finds by its own words, where that answers it better."""
        completed = together.evidence.completed
        if not (own := by_own_words(completed, together.judged)):
            return together
        try:
            alone = self._searched(own)
        except (AccessUnknown, StoreUnavailable) as error:
            if not together.judged.is_answerable:
                raise  # that no page answers is not known
            log.warning("search_alone.failed", error=str(error))
            return together
        return alone if is_better_alone(completed, alone.judged, together.judged) else together

    def _searched(self, completed: Completed) -> Searched:
        evidence = self._evidence(completed)
        return Searched(evidence, self._judged(evidence))

    def _searched_again(self, first: Made, model: ChatModel) -> Made:
        """The answer that a search in other words finds; `first` where it finds none."""
        self.asked.report(Event(EventKind.STAGE, "search-again"))
        try:
            evidence = self._found_again(first, model)
        except (AccessUnknown, StoreUnavailable) as error:  # `first` may be told all the same
            log.warning("search_again.failed", error=str(error))
            return first
        if evidence is None:
            metrics.SEARCHED_AGAIN.labels(outcome="nothing_new").inc()
            return first
        again = Made(evidence, first.judged, self._written(evidence, is_answerable=False))
        outcome = "unanswered" if again.is_refused else "answered"
        metrics.SEARCHED_AGAIN.labels(outcome=outcome).inc()
        return first if again.is_refused else again

    def _found_again(self, first: Made, model: ChatModel) -> Gathered | None:
        before = first.evidence
        with self.timings.step("search_again"):
            texts, used = second_search.reworded(model, before.asked, deadline=self.asked.deadline)
            self.usage += used
            searches = [second_search.asking(before.completed, text) for text in texts]
            found = second_search.merged(
                [self._retrieved(search) for search in searches],
                read=first.draft.hits,
                first=before.found,
                ranked=before.ranked,
            )
        if found is None:
            return None
        completed = before.completed.model_copy(update={"searches": texts})
        return self._confirmed(completed, found, found.hits, is_second=True)

    def _evidence(self, completed: Completed) -> Gathered:
        parts, reader = self.parts, self.asked.reader
        self.asked.report(Event(EventKind.STAGE, "retrieve"))
        with self.timings.step("retrieve"):
            found = self._retrieved(completed)
            completed = found.searched(completed)
            places = parts.entities.about(completed, reader) if parts.entities else ()
        return self._confirmed(completed, found, (*places, *found.hits))

    def _retrieved(self, completed: Completed) -> Retrieved:
        manner = self.asked.manner
        return self.parts.retriever.retrieve(
            completed, self.asked.reader, manner.evidence, mode=manner.mode
        )

    def _confirmed(
        self,
        completed: Completed,
        found: Retrieved,
        hits: Sequence[Hit],
        *,
        is_second: bool = False,
    ) -> Gathered:
        """What of these hits the reader may be shown, with what stands beside it."""
        parts, reader = self.parts, self.asked.reader
        with self.timings.step("confirm"):
            most = OF_EVIDENCE if self.asked.history else MOST_REQUESTS
            confirmed = parts.confirmer.confirmed(hits, reader, most=most)
            if confirmed.unchecked and not confirmed.hits:
                raise AccessUnknown("no source says who may read the evidence")
        ranked = confirmed.hits
        widener = parts.whole_pages if parts.reads_pages(self.asked.manner) else parts.widener
        if widener:
            with self.timings.step("widen"):
                wider = widener.expand(completed, ranked, reader)
                # What was added may name other pages.
                confirmed = parts.confirmer.widened(confirmed, wider, reader)
        pages = frozenset(completed.pages).union(*(hit.pages for hit in confirmed.hits))
        self.asked.report(disclosures.evidence_event(Disclosure(pages, reader.account)))
        return Gathered(completed, found, confirmed, ranked, is_second)

    def _judged(self, evidence: Gathered) -> Judgement:
        """Whether what was found answers; calibrated on searches by words and by meaning."""
        is_measured = self.asked.manner.mode is Mode.BOTH and not evidence.found.words_only
        if self.parts.gate is None or not is_measured:
            return LET_THROUGH
        with self.timings.step("judge"):
            return self.parts.gate.judged(evidence.asked, evidence.ranked, evidence.confirmed.hits)

    def _written(self, evidence: Gathered, *, is_answerable: bool) -> GeneratedAnswer:
        self.asked.report(Event(EventKind.STAGE, "generate"))
        generator = self.parts.generator.in_manner(self.asked.manner)
        draft = Writing(generator, self.parts.support, self.parts.second_reader).answer(
            evidence.asked,
            evidence.confirmed.hits,
            is_answerable=is_answerable,
            deadline=self.asked.deadline,
            timings=self.timings,
            on_text=lambda piece: self.asked.report(Event(EventKind.TEXT, piece)),
            on_source=lambda source: self.asked.report(cited_event(source)),
        )
        self.usage += draft.usage
        return draft

    def _judged_answer(self, made: Made) -> Answer:
        """The answer with how sure it is."""
        evidence, draft, answer = made.evidence, made.draft, made.draft.answer
        # How sure a search by words or by meaning alone is, nobody has measured.
        if self.asked.manner.mode is not Mode.BOTH:
            return answer
        if not evidence.is_second:
            reads_pages = self.parts.reads_pages(self.asked.manner)
            answer = with_confidence(answer, evidence.ranked if reads_pages else draft.hits)
        if self.parts.badge is None:
            return answer
        return self.parts.badge.on(
            answer,
            evidence.asked,
            evidence.ranked,
            made.judged,
            is_verified=draft.is_verified,
        )

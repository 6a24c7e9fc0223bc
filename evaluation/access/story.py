"""A history as it happens: each step with the real indexer, worker and views, and what came out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from core.jobs import queue
from core.jobs.queue import TaskName
from core.page_source import PageSource
from core.settings import Settings
from core.turns import detail_requests, disclosures, explanations, turn_store
from core.turns.turn import Address, NewQuestion, Turn
from core.turns.upkeep.sweeper import Doubts
from evaluation.access.enqueued import enqueued
from evaluation.access.installation import TEAM, Index, sync
from evaluation.access.judge import Judge, Outcome
from evaluation.access.outlet import Outlet
from evaluation.access.steps import Act, Ambush, Moment, Step
from evaluation.access.watching import EPS_S
from evaluation.access.world import changes
from evaluation.access.world.changes import Change
from evaluation.access.world.interposed import Interposed, Trouble
from evaluation.access.world.site import Words
from evaluation.access.world.timeline import Timeline
from sandbox.confluence.site.content import Content
from worker import confirmation, explanation_jobs, jobs
from worker.bootstrap import WorkerParts

SLOW_S = 0.15  # a request, where the site is slow


@dataclass
class Scene:
    """The site and the installation of one history."""

    content: Content
    words: Words
    timeline: Timeline
    site: Interposed
    index: Index
    source: PageSource  # of the indexer
    parts: WorkerParts
    chosen: Settings
    outlet: Outlet
    judge: Judge
    threads: list[Turn] = field(default_factory=list)
    waiting: list[Ambush] = field(default_factory=list)
    passed: Counter[Moment] = field(default_factory=Counter)

    @property
    def outcome(self) -> Outcome:
        return self.judge.outcome

    def run(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            self._prepare(step.ambushes)
            self._act(step)
            self.drain()
        self._prepare(())
        self._end()

    def strike(self, moment: Moment) -> None:
        """It is this moment: a change that was waiting for it comes."""
        self.passed[moment] += 1
        for each in list(self.waiting):
            if (each.moment, each.nth) == (moment, self.passed[moment]):
                self.waiting.remove(each)
                self.change(each.change)

    def change(self, change: Change) -> None:
        changes.apply(change, self.content, self.words)
        self.timeline.note()

    def confirm(self, turn_id: str) -> None:
        """The job that asks again about an answer, compared with the site's rule."""
        before, since = turn_store.load(self.parts.database, turn_id), time.time()
        confirmation.confirm(self.parts, turn_id)
        after = turn_store.load(self.parts.database, turn_id)
        if before is not None and before.record is not None and after is not None:
            audience = self.parts.readers.of(before).account
            standing = self.outlet.of_turn(turn_id)
            since -= self.outlet.valid_s + EPS_S
            if after.record is None:
                self.judge.taken_back(before, before.record.pages, audience, since)
            else:
                self.judge.kept(standing, since)

    def _prepare(self, ambushes: tuple[Ambush, ...]) -> None:
        self.waiting, self.passed = list(ambushes), Counter()

    def _act(self, step: Step) -> None:
        if step.change is not None:
            self.change(step.change)
        elif step.act is Act.SYNC:
            self.sync(self.chosen)
        elif step.act is Act.WAIT:
            time.sleep(step.seconds)
        elif step.act is Act.TROUBLE:
            self.trouble(step.trouble)
        elif step.act in (Act.ASK, Act.FOLLOW_UP):
            self.ask(step)
        elif step.act is Act.HOME:
            if not self.outlet.home.publish(TEAM, step.who):
                queue.confirm_examples(TaskName.PUBLISH_HOME, TEAM, step.who)
        elif self.threads:
            turn = self.threads[step.which % len(self.threads)]
            self._about(step, turn, turn.user if turn.private else step.who)

    def sync(self, chosen: Settings) -> None:
        """One sync of all spaces, and a look of the sweeper at what it casts doubt on."""
        sync(self.index, self.source, chosen)
        Doubts(self.parts.database).sweep()

    def trouble(self, trouble: Trouble) -> None:
        """From now on something is wrong with the site, or nothing."""
        self.timeline.trouble(begins=trouble is not Trouble.NONE)
        self.site.trouble = trouble
        self.site.delay_s = SLOW_S if trouble is Trouble.SLOW else 0.0

    def ask(self, step: Step) -> Turn:
        """A question, its answer, and what the bot makes of it; the turn as it is then."""
        text = step.question.format(topic=self.words.topics[step.page])
        if step.act is Act.FOLLOW_UP and self.threads:
            before = self.threads[step.which % len(self.threads)]
            who = before.user if before.private else step.who
            return self._answered(self._after(before, who, text))
        number = len(self.threads) + 1
        channel = f"D{step.who}" if step.private else "C1"
        address = Address(TEAM, channel, f"{number}.5", f"{number}.0")
        return self._answered(NewQuestion(address, step.who, text, private=step.private))

    def _about(self, step: Step, turn: Turn, user: str) -> None:
        if step.act is Act.EXPLAIN:
            self._explain(turn, user)
        elif step.act is Act.DETAILS:
            self._details(turn, user)
        else:
            self._press(turn, user)

    def _after(self, turn: Turn, user: str, text: str) -> NewQuestion:
        """Another question in the same thread."""
        ts = f"{len(self.threads) + 1}.5"
        address = replace(turn.address, ts=ts)
        return NewQuestion(address, user, text, private=turn.private)

    def _press(self, turn: Turn, user: str) -> None:
        """The first suggestion under an answer, as bot.listeners.question_buttons asks it."""
        now = turn_store.load(self.parts.database, turn.id)
        if now is not None and now.record and now.record.answer.suggestions:
            new = self._after(now, user, now.record.answer.suggestions[0])
            shows = disclosures.of_turn(now)
            self._answered(replace(new, by_button=True, shows=shows))

    def _answered(self, new: NewQuestion) -> Turn:
        turn = turn_store.ask(self.parts.database, new)
        assert turn is not None
        self.threads.append(turn)
        self.outcome.asks += 1
        jobs.answer(self.parts, turn.id)
        self.strike(Moment.SAVED)
        is_sent = self.outlet.deliver(turn.id)
        after = turn_store.load(self.parts.database, turn.id)
        assert after is not None
        if is_sent and after.record and after.record.hits:
            self.outcome.answered += 1
        else:
            nothing = "nothing found" if is_sent else "gate"
            self.outcome.reasons[str(after.reason or nothing)] += 1
        return after

    def _explain(self, turn: Turn, user: str) -> None:
        if explanations.request(self.parts.database, turn.id, user):
            explanation_jobs.explain(self.parts, turn.id)
            self.outlet.explain(turn.id)

    def _details(self, turn: Turn, user: str) -> None:
        view_id = f"V{time.monotonic_ns()}"
        detail_requests.ask(self.parts.database, view_id, turn.id, user)
        jobs.admit(self.parts, view_id)

    def drain(self) -> None:
        """Do what was enqueued, as worker and speaker would."""
        for task, ids in enqueued():
            doing = self._tasks.get(TaskName(task))
            if doing is not None:
                doing(*ids)

    @property
    def _tasks(self) -> dict[TaskName, Callable[..., object]]:
        parts, outlet = self.parts, self.outlet
        return {
            TaskName.ANSWER: partial(jobs.answer, parts),
            TaskName.CONFIRM: self.confirm,
            TaskName.CONFIRM_EXAMPLES: self._confirm_examples,
            TaskName.DELIVER: outlet.deliver,
            TaskName.POST_EXPLANATION: outlet.explain,
            TaskName.SHOW_DETAILS: outlet.show_details,
            TaskName.PUBLISH_HOME: outlet.home.publish,
        }

    def _confirm_examples(self, then: str, *ids: str) -> None:
        parts = self.parts
        confirmation.confirm_examples(parts.database, parts.authorizer, TaskName(then), *ids)

    def _end(self) -> None:
        """Judge what was sent; then see what a complete sync takes back."""
        self.trouble(Trouble.NONE)
        for sent in self.outlet.sent:
            self.judge.sent(sent, self.outlet.valid_s)
        self.outcome.stopped = self.outlet.stopped
        if not self._closed_and_standing():
            return
        self.sync(self.chosen.model_copy(update={"confluence_scan_period_s": 1e-3}))
        self.drain()
        self.outcome.standing_closed = self._closed_and_standing()

    def _closed_and_standing(self) -> int:
        """How many texts in Slack give away a page that their readers may not read now."""
        now = time.time()
        texts = list(self.outlet.standing.values())
        return sum(bool(self.judge.closed_in(sent, now, now)) for sent in texts)

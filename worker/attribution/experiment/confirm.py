"""Runs confirmations within the budget, and says what members of a rule are to its sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.attribution import Cause, Role
from worker.attribution.experiment.design import Generator, Row
from worker.attribution.experiment.explore import NEEDED, collapsed
from worker.attribution.experiment.finding import Ledger
from worker.attribution.experiment.rule_test import RuleTest, Sizes, lost_share
from worker.attribution.experiment.rules import Rule, RuleKind
from worker.attribution.experiment.suggest import Suggested, suggest
from worker.attribution.experiment.trial_calls import TrialCalls
from worker.attribution.experiment.trials import Floats, Trials

LEVEL, LAST_LEVEL = 1 / 35, 0.008


FIRST = Sizes(4, 3)  # the smallest p-value is 1 of 35 dealings
OTHER = Sizes(5, 4)  # of another rule: 1 of 126
MORE = Sizes(3, 3)  # for arms that stayed open
LARGE = Sizes(6, 6)  # where sentences are lost for no reason, too
LEAST_OF_NOISY = Sizes(5, 4)
FOLLOWS = 0.25  # by which share more often a sentence must be lost without a member
FOLLOWS_CLEARLY = 0.6  # the same of a sentence that the rule was not suggested for
NOISY = 0.05  # of the answers that should keep a sentence lose it
OPEN = 0.25  # p-value up to which an arm stays open
KEPT = 0.5  # of the answers with a member of ALL alone may lose a sentence that it is enough for


class Confirming:
    """The confirmations of one experiment."""

    def __init__(
        self,
        asking: TrialCalls,
        prior: Floats,
        random: Generator,
        ledger: Ledger,
        *,
        varies: bool,
    ) -> None:
        self.is_unfinished = False
        self._asking = asking
        self._prior = prior
        self._random = random
        self._ledger = ledger
        self._varies = varies
        self._running: list[RuleTest] = []

    @property
    def trials(self) -> Trials:
        """All fresh answers."""
        found = self._nothing
        for each in self._running:
            found += each.trials
        return found

    async def run(self, known: Trials) -> None:
        """Suggest, confirm, and once more what stays open or was contradicted."""
        self._nothing = known.where([])
        self._known = known
        rules = suggest(self._ledger, known, self._prior)
        if any(_is_noisy(rule, sentences, known) for rule, sentences in rules):
            sizes = self._affordable(len(rules[0][0].members))
            self._tested(await self._confirm(rules[:1], sizes), LEVEL + LAST_LEVEL)
            return
        first = await self._confirm(rules, FIRST)
        open_ = self._tested(first, LEVEL)
        contradicted = [each for each in first if not each.agrees()]
        if contradicted:
            again = suggest(self._ledger, known + self.trials, self._prior)
            self._tested(await self._confirm(again[:1], OTHER), LAST_LEVEL)
        elif open_:
            await self._grow(open_)
            self._tested([each for each, _ in open_], LAST_LEVEL)

    async def _confirm(self, rules: Suggested, sizes: Sizes) -> list[RuleTest]:
        """Fresh answers for these rules, the best first, as far as the budget goes."""
        started: list[RuleTest] = []
        rows = []
        left = self._asking.left
        for rule, sentences in rules:
            if len(rule.members) == self._asking.clusters:
                continue  # no other piece to put in a member's place
            left -= sizes.calls(len(rule.members))
            if left < 0:
                self.is_unfinished = True
                break
            each = RuleTest(rule, sentences, self._nothing)
            rows.append(self._rows(each, sizes, rule.members))
            started.append(each)
        for each, trials in zip(started, await self._asking.ask(*rows), strict=True):
            each.trials = collapsed(trials)[0]
        self._running += started
        return started

    def _rows(self, each: RuleTest, sizes: Sizes, members: Sequence[int]) -> list[Row]:
        known = {trial.away for trial in (self._known + self.trials).of}
        return each.rows(self._random, known, sizes=sizes, members=members, varies=self._varies)

    async def _grow(self, open_: Sequence[tuple[RuleTest, int]]) -> None:
        rows = []
        growing: dict[int, tuple[RuleTest, list[int]]] = {}
        for each, member in open_:
            growing.setdefault(id(each), (each, []))[1].append(member)
        left = self._asking.left
        asked: list[RuleTest] = []
        for each, members in growing.values():
            left -= MORE.calls(len(members))
            if left < 0:
                self.is_unfinished = True
                break
            rows.append(self._rows(each, MORE, members))
            asked.append(each)
        for each, trials in zip(asked, await self._asking.ask(*rows), strict=True):
            each.trials = collapsed(each.trials + trials)[0]

    def _affordable(self, arms: int) -> Sizes:
        """The largest of equal sizes that the budget allows."""
        size = self._asking.left // (arms + 1)
        if size >= LARGE.arm:
            return LARGE
        arm = max((self._asking.left - LEAST_OF_NOISY.control) // arms, LEAST_OF_NOISY.arm)
        control = max(self._asking.left - arm * arms, LEAST_OF_NOISY.control)
        return Sizes(control, arm)

    def _tested(
        self, confirmations: Sequence[RuleTest], level: float
    ) -> list[tuple[RuleTest, int]]:
        """Say what is shown at this level; the arms that stay open.

        The arms come in the order of their chances; the first that fails ends it.
        """
        arms: list[tuple[RuleTest, int]] = []
        for each in confirmations:
            arms += [(each, member) for member in each.rule.members if each.agrees()]
        arms.sort(key=self._unlikeliness)
        open_: list[tuple[RuleTest, int]] = []
        passed: dict[int, list[int]] = {}
        has_failed = False
        for each, member in arms:
            p_value = each.p_value(member)
            has_failed |= p_value > level
            if not has_failed:
                passed.setdefault(id(each), []).append(member)
            elif p_value <= OPEN:
                open_.append((each, member))
        for each in confirmations:
            self._say(each, passed.get(id(each), []))
        return open_

    def _unlikeliness(self, arm: tuple[RuleTest, int]) -> float:
        confirmation, member = arm
        return -float(self._prior[confirmation.sentences, member].max())

    def _say(self, each: RuleTest, members: Sequence[int]) -> None:
        """Enter what these members are to the sentences that go with them."""
        for sentence in range(len(self._ledger.texts)):
            if self._ledger.enough[sentence]:
                continue
            own = [member for member in members if _follows(each, sentence, member)]
            enough = [member for member in own if _is_enough(each, sentence, member)]
            for member in own:
                self._ledger.add(sentence, self._cause(each, sentence, member, enough))
            if len(enough) > 1:
                self._ledger.set_enough(sentence, enough)

    def _cause(
        self,
        each: RuleTest,
        sentence: int,
        member: int,
        enough: Sequence[int],
    ) -> Cause:
        arm = each.trials.tries(sentence, each.arm(member))
        control = each.trials.tries(sentence, each.control)
        if each.rule.kind is RuleKind.ALL and member in enough and len(enough) > 1:
            return Cause(effect=member, role=Role.ENOUGH, without=control, with_it=arm)
        if each.rule.kind is RuleKind.ALL:
            return self._part(sentence, member)
        is_needed = lost_share(each.trials, each.arm(member), [sentence]) >= NEEDED
        role = Role.NEEDED if is_needed else Role.PART
        return Cause(effect=member, role=role, without=arm, with_it=control)

    def _part(self, sentence: int, member: int) -> Cause:
        """Alone it is enough, and what else is was not found: as it was among all pieces."""
        away = self._known.away[:, member]
        without, with_it = self._known.tries(sentence, away), self._known.tries(sentence, ~away)
        return Cause(effect=member, role=Role.PART, without=without, with_it=with_it)


def _is_noisy(rule: Rule, sentences: Sequence[int], known: Trials) -> bool:
    """Whether sentences are lost for no reason in some answers in which the rule keeps them."""
    kept = rule.predicted(known.away) == 0
    return lost_share(known, kept, sentences) >= NOISY


def _follows(each: RuleTest, sentence: int, member: int) -> bool:
    """Whether a sentence is lost and kept with this member; one of another rule clearly so."""
    control = lost_share(each.trials, each.control, [sentence])
    arm = lost_share(each.trials, each.arm(member), [sentence])
    rise = control - arm if each.rule.kind is RuleKind.ALL else arm - control
    return rise >= (FOLLOWS if sentence in each.sentences else FOLLOWS_CLEARLY)


def _is_enough(each: RuleTest, sentence: int, member: int) -> bool:
    if each.rule.kind is not RuleKind.ALL:
        return False
    own = each.sentences if sentence in each.sentences else [sentence]
    return lost_share(each.trials, each.arm(member), own) <= KEPT

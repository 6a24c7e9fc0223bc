"""What two hosts go through while people ask, and what became of the questions."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from core.storage.database import Database
from evaluation.harness.progress import counter, status
from evaluation.hosts.host import PROGRAMS, Host
from evaluation.slack.figures import Figures
from evaluation.slack.load import Asked, Crowd, Load, ask, until_answered
from evaluation.slack.report import report
from evaluation.slack.stage import FIRST_S, WHOLE_S, crowd
from sandbox.confluence.__main__ import SAMPLE
from sandbox.llm.client import ScriptedModel
from sandbox.programs.postgres import Postgres
from sandbox.programs.processes import DidNotStart
from sandbox.programs.stack import ROOT, Stack
from sandbox.slack.client import Workspace

PATIENCE_S = 60.0
REST_S = 5.0  # between two events, at the most


@dataclass(frozen=True)
class Play:
    """How many questions, how fast, and how much goes wrong meanwhile."""

    questions: int
    rate: float  # a second
    events: int
    skew_s: float = 0.0  # of the second host's clock
    product: Path = ROOT  # of the second host: another version
    seed: int = 7


class Stage:
    """Two hosts and their stores."""

    def __init__(self, stack: Stack, postgres: Postgres, hosts: list[Host]) -> None:
        self.stack = stack
        self.postgres = postgres
        self.hosts = hosts

    def events(self, chance: random.Random) -> Iterator[Callable[[random.Random], str]]:
        """What can go wrong, without end; each once before anything comes again."""
        while True:
            deck = [
                *(self.kill_host, self.kill_program, self.cut_host_off),
                *(self.kill_redis, self.kill_postgres, self.kill_chroma),
            ]
            chance.shuffle(deck)
            yield from deck

    def kill_host(self, chance: random.Random) -> str:
        host = chance.choice(self.hosts)
        host.kill()
        time.sleep(chance.uniform(0, 5))
        host.start()
        return "host killed"

    def kill_program(self, chance: random.Random) -> str:
        host, name = chance.choice(self.hosts), chance.choice(PROGRAMS)
        host.kill(name)
        host.launch(name).wait_until_ready()
        return "program killed"

    def cut_host_off(self, chance: random.Random) -> str:
        host = chance.choice(self.hosts)
        host.cut()
        time.sleep(chance.uniform(5, 30))
        host.mend()
        return "host cut off for 5 to 30 s"

    def kill_redis(self, _chance: random.Random) -> str:
        self.stack.kill("redis")
        self.stack.restart("redis")
        return "Redis killed"

    def kill_chroma(self, _chance: random.Random) -> str:
        self.stack.kill("chroma")
        self.stack.restart("chroma")
        return "Chroma killed"

    def kill_postgres(self, chance: random.Random) -> str:
        self.postgres.kill()
        time.sleep(chance.uniform(0, 5))
        self.postgres.start_again()
        return "Postgres killed"


def played(play: Play, drain_s: float) -> Figures:
    """Ask while things go wrong; counted is what people saw.

    Raises:
        DidNotStart: a program did not.
    """
    with staged(play) as stage, Workspace(stage.stack.slack_url) as workspace:
        workspace.wait_for_app(PATIENCE_S)
        people, channels = crowd(workspace)
        asked: list[Asked] = []
        load = Load("hosts", play.rate, play.questions / play.rate)
        they = Crowd(stage.stack.slack_url, people, channels)
        asking = threading.Thread(
            target=lambda: asked.extend(asyncio.run(ask(they, load, title="hosts")))
        )
        asking.start()
        happened = _happened(stage, play, asking.is_alive)
        asking.join()
        database = Database(stage.postgres.url)
        took = until_answered(database, asked, drain_s)
        return {
            **{f"n, {what}": count for what, count in sorted(happened.items())},
            **report(asked, workspace, database),
            "s until the last answer": took,
        }


def _happened(stage: Stage, play: Play, goes_on: Callable[[], bool]) -> Counter[str]:
    chance, happened = random.Random(play.seed), Counter[str]()
    with counter("going wrong", play.events) as advance:
        for wrong in islice(stage.events(chance), play.events):
            if not goes_on():
                break
            time.sleep(chance.uniform(0, REST_S))
            happened[wrong(chance)] += 1
            advance()
    return happened


@contextmanager
def staged(play: Play) -> Iterator[Stage]:
    """Two hosts that work.

    Raises:
        DidNotStart: a program did not, or is not on this machine.
    """
    with TemporaryDirectory() as folder, ExitStack() as until_closed:
        stack = Stack(Path(folder), pages=SAMPLE, model="toy")
        postgres = Postgres(stack.programs)
        until_closed.callback(postgres.remove)
        until_closed.enter_context(stack)
        stack.settle(DATABASE_URL=postgres.url)
        hosts = [Host("a", stack), Host("b", stack, play.skew_s, play.product)]
        for host in hosts:
            host.lay_wires(until_closed)
        with status("starting two hosts"):
            _start(stack, hosts)
        yield Stage(stack, postgres, hosts)


def _start(stack: Stack, hosts: list[Host]) -> None:
    stack.start_sandbox()
    stack.start_model()
    stack.start("redis", "chroma")
    sync = stack.sync()
    if sync.process.wait() != 0:
        raise DidNotStart(f"the sync failed: {sync.last_words()}")
    for host in hosts:
        host.start()
    with ScriptedModel(stack.settings.llm_base_url or "") as model:
        model.take(FIRST_S, WHOLE_S)

"""Where histories are played: one site over HTTP, one index for each kind to begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from core.access.authorizer import Authorizer
from core.access.connected import connected
from core.embeddings import Embedder
from core.page_source import PageSource
from core.settings import Settings
from evaluation.access.installation import Index, sync, syncing, worker
from evaluation.access.judge import Judge, Outcome
from evaluation.access.outlet import Outlet
from evaluation.access.steps import History, Moment
from evaluation.access.story import Scene
from evaluation.access.variants import Variant, give_tokens, own_eyes
from evaluation.access.watching import Watching
from evaluation.access.world.interposed import Interposed
from evaluation.access.world.site import PEOPLE, Words, build_content
from evaluation.access.world.timeline import Timeline
from sandbox.confluence.app import build_app
from sandbox.confluence.site.content import Content
from sandbox.http.server import running
from sandbox.llm.app import build_app as build_model
from sandbox.llm.client import ScriptedModel
from worker.generation.chat_model import ChatModel
from worker.retrieval.live_access import AccessControl

VALID_S = 0.3
WORD_S = 0.01  # of a model that is slow
Control = Callable[[Authorizer], AccessControl]


@dataclass
class Theatre:
    """`control` may put something else in the place of the authorizer."""

    folder: Path
    embedder: Embedder
    url: str
    model_url: str
    site: Interposed
    content: Content
    words: Words
    control: Control = lambda authorizer: authorizer
    valid_s: float = VALID_S
    per_second: float = 1e6  # requests to the site
    _indexes: dict[tuple[bool, bool], Index] = field(default_factory=dict)
    _authorizers: dict[Variant, Authorizer] = field(default_factory=dict)
    _sources: dict[bool, PageSource] = field(default_factory=dict)
    _played: int = 0

    def play(self, history: History) -> Outcome:
        """One history from the beginning."""
        with self.scene(history) as scene:
            scene.run(history.steps)
        return scene.outcome

    @contextmanager
    def scene(self, history: History) -> Iterator[Scene]:
        """Site and installation as at the beginning of this history."""
        self._played += 1
        index = self._index(history.variant).copied(self.folder / f"history-{self._played}")
        try:
            yield self._scene(history, index)
        finally:
            self.site.before = lambda: None
            index.close()

    def _scene(self, history: History, index: Index) -> Scene:
        self._reset()
        variant, words = history.variant, self.words.copy()
        period = 1e-3 if history.scans_all else 86_400.0
        chosen = self._settings(variant).model_copy(update={"confluence_scan_period_s": period})
        timeline = Timeline(self.content, self._principals(variant), variant.spaces_count)
        timeline.note()
        judge = Judge(words, timeline)
        asking = replace(self._authorizer(variant), database=index.database)
        control = Watching(self.control(asking), timeline, self.valid_s, judge.outcome.tally)
        outlet = Outlet(index.database, self.valid_s, confirm=lambda _turn_id: None)
        chat = self._model() if history.has_model else None
        scene = Scene(
            content=self.content,
            words=words,
            timeline=timeline,
            site=self.site,
            index=index,
            source=self._source(variant),
            parts=worker(index, chosen, control, outlet.told, chat),
            chosen=chosen,
            outlet=outlet,
            judge=judge,
        )
        outlet.confirm = scene.confirm
        outlet.before = partial(scene.strike, Moment.GATE)
        control.after = partial(scene.strike, Moment.VERDICT)
        self.site.before = partial(scene.strike, Moment.REQUEST)
        return scene

    def _reset(self) -> None:
        self.content.reset()
        self.content.space_readers = {}
        give_tokens(self.content)

    def _index(self, variant: Variant) -> Index:
        """As the first sync leaves it, made once for each kind."""
        kind = (variant.on_cloud, variant.aware)
        if kind not in self._indexes:
            self._reset()
            index = Index.new(self.folder / f"first-{len(self._indexes)}", self.embedder)
            assert sync(index, self._source(variant), self._settings(variant))
            self._indexes[kind] = index
        return self._indexes[kind]

    def _authorizer(self, variant: Variant) -> Authorizer:
        if variant not in self._authorizers:
            chosen = self._settings(variant)
            eyes = own_eyes(variant, chosen, self.url, self.content)
            database = self._index(variant).database
            self._authorizers[variant] = connected(chosen, database, eyes)
        return self._authorizers[variant]

    def _source(self, variant: Variant) -> PageSource:
        if variant.on_cloud not in self._sources:
            self._sources[variant.on_cloud] = syncing(self._settings(variant))
        return self._sources[variant.on_cloud]

    def _settings(self, variant: Variant) -> Settings:
        """Data Center tells no e-mails of members: there the operator lists the accounts."""
        accounts = self.folder / "accounts.yaml"
        if not variant.on_cloud and not accounts.exists():
            principals = self._principals(variant)
            accounts.parent.mkdir(parents=True, exist_ok=True)
            lines = [
                f"{name.lower()}@example.com: {principals[account].removeprefix('user:')}\n"
                for name, account in PEOPLE.items()
            ]
            accounts.write_text("".join(lines), encoding="utf-8")
        return variant.settings(
            self.url,
            accounts_file=None if variant.on_cloud else accounts,
            confluence_requests_per_second=self.per_second,
            confirm_valid_s=self.valid_s,
        )

    def _principals(self, variant: Variant) -> dict[str, str]:
        people = self.content.people
        return {each: variant.principal(people[each]) for each in PEOPLE.values()}

    def _model(self) -> ChatModel:
        return ChatModel(Settings(llm_base_url=self.model_url), "sandbox-toy")


@contextmanager
def theatre(
    folder: Path,
    embedder: Embedder,
    control: Control = lambda authorizer: authorizer,
    *,
    valid_s: float = VALID_S,
    per_second: float = 1e6,
) -> Iterator[Theatre]:
    """Site and model run while the block does."""
    words = Words.new()
    content = build_content(words)
    site = Interposed(build_app(content))
    with running(site) as url, running(build_model()) as model_url:
        with ScriptedModel(model_url) as model:
            model.pace(WORD_S)
        yield Theatre(
            folder,
            embedder,
            url,
            f"{model_url}/v1",
            site=site,
            content=content,
            words=words,
            control=control,
            valid_s=valid_s,
            per_second=per_second,
        )

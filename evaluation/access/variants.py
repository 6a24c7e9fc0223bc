"""Variants: the installations that are measured, by flavor, mode, and whose eyes are asked with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from core.confluence import viewer_of
from core.page_source import Viewer
from core.settings import Settings
from core.settings.values import PermissionMode
from evaluation.access.world.site import PEOPLE, SPACES, WITNESS
from sandbox.confluence.accounts import ACCESS_TOKEN, TOKEN, USERNAME
from sandbox.confluence.site.content import EVERYBODY, Content, Person

LINKED = ("Ann", "Bob")  # of those who ask, where anybody has linked an account
GATEWAY = "/ex/confluence/site/wiki"


@dataclass(frozen=True)
class Variant:
    """One kind of installation."""

    on_cloud: bool
    aware: bool
    has_witness: bool
    is_linked: bool = False  # whether people have linked their accounts

    @property
    def name(self) -> str:
        parts = ["cloud" if self.on_cloud else "datacenter", "aware" if self.aware else "public"]
        parts += ["witness"] * self.has_witness + ["linked"] * self.is_linked
        return " ".join(parts)

    @property
    def spaces_count(self) -> bool:
        """In the public mode, and without a witness, the operator vouches for spaces."""
        return self.aware or self.has_witness

    def principal(self, person: Person) -> str:
        return f"user:{person.account_id if self.on_cloud else person.key}"

    def settings(self, url: str, **more: Any) -> Settings:
        return Settings.model_validate(self._account(url) | self._usual() | self._witness() | more)

    def _account(self, url: str) -> dict[str, Any]:
        if not self.on_cloud:
            return {"confluence_url": f"{url}/confluence", "confluence_token": ACCESS_TOKEN}
        named = {"confluence_username": USERNAME, "confluence_token": TOKEN}
        return {"confluence_url": f"{url}/wiki"} | named

    def _usual(self) -> dict[str, Any]:
        mode = PermissionMode.AWARE if self.aware else PermissionMode.PUBLIC
        return {
            "confluence_flavor": "cloud" if self.on_cloud else "datacenter",
            "confluence_spaces": ",".join(SPACES),
            "confluence_everybody": EVERYBODY,
            "permission_mode": mode,
        }

    def _witness(self) -> dict[str, Any]:
        if not self.has_witness:
            return {}
        email = "witness@example.com" if self.on_cloud else ""
        return {
            "confluence_witness_username": email,
            "confluence_witness_token": token_of(WITNESS),
        }


def _variants() -> tuple[Variant, ...]:
    found: list[Variant] = []
    for on_cloud, aware, has_witness in product((True, False), repeat=3):
        found.append(Variant(on_cloud, aware, has_witness))
        if aware:
            found.append(Variant(on_cloud, aware, has_witness, is_linked=True))
    return tuple(found)


VARIANTS = _variants()


def token_of(account: str) -> str:
    return f"token-of-{account}"


def give_tokens(content: Content) -> None:
    """To the witness and to those who link their accounts."""
    for account in (WITNESS, *(PEOPLE[name] for name in LINKED)):
        content.tokens[token_of(account)] = account


def own_eyes(
    variant: Variant, chosen: Settings, url: str, content: Content
) -> Callable[[str], Viewer | None]:
    """Those of the people who have linked their accounts, by principal."""
    accounts: dict[str, str] = {}
    for name in LINKED if variant.is_linked else ():
        accounts[variant.principal(content.people[PEOPLE[name]])] = PEOPLE[name]
    base = f"{url}{GATEWAY if variant.on_cloud else '/confluence'}"

    @cache
    def eyes(principal: str) -> Viewer | None:
        account = accounts.get(principal)
        return viewer_of(chosen, base, token_of(account)) if account else None

    return eyes

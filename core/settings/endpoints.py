"""Endpoints that text is sent to: whose they are, as settings and addresses say; nothing is asked.

A name is not resolved: what an address means today says nothing of tomorrow.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.settings.values import EndpointPlace

# Names that no public DNS knows: RFC 6762 and ICANN's resolution of 2024-07-29.
_PRIVATE_NAMES = (".local", ".localhost", ".internal")
_CLOUD_HOSTS = (".atlassian.net", ".jira.com", "api.atlassian.com")


@dataclass(frozen=True)
class Endpoint:
    """Where text is sent to, and whether that is outside the operator's own network."""

    host: str
    outside: bool

    def __str__(self) -> str:
        return f"{self.host} ({'outside' if self.outside else 'own'})"


def endpoint(url: str, place: EndpointPlace = EndpointPlace.AUTO) -> Endpoint:
    """The endpoint at this address, told apart by it unless the operator says whose it is.

    >>> print(endpoint("http://127.0.0.1:11434/v1"), endpoint("https://api.example.com/v1"))
    127.0.0.1 (own) api.example.com (outside)
    """
    host = (urlsplit(url).hostname or "").rstrip(".")
    outside = not _is_own(host)
    if place is not EndpointPlace.AUTO:
        outside = place is EndpointPlace.OUTSIDE
    return Endpoint(host, outside)


def is_atlassians(url: str) -> bool:
    """Whether this address is one of Atlassian's own hosts: a Cloud site."""
    return (urlsplit(url).hostname or "").endswith(_CLOUD_HOSTS)


def _is_own(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        # A number such as 2130706433 or 0x7f.1 is an address to some resolvers, and no name.
        is_name = host[:1].isalpha()
        return is_name and ("." not in host or host.endswith(_PRIVATE_NAMES))
    return (address.is_private or address.is_loopback) and not address.is_unspecified

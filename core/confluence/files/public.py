"""Connects to public addresses only, for attachments: a name is looked up once, checked, and used.

A name that somebody else controls may lead into the operator's own network, or to the address
under which a cloud tells a machine its secrets.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError
from urllib3.util.connection import create_connection


def is_public(address: str) -> bool:
    """Whether an address is one of the Internet's; IPv4 within IPv6 counts as what it carries.

    >>> [is_public(each) for each in ("1.1.1.1", "10.0.0.1", "::ffff:127.0.0.1", "169.254.169.254")]
    [True, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found.sixtofour or found
    return found.is_global and not found.is_multicast


class _PublicConnection(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        """As urllib3 does it, to the address that was checked."""
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise NewConnectionError(self, "the name is not known") from error
        addresses = [str(each[4][0]) for each in found]
        if not addresses or not all(map(is_public, addresses)):
            raise NewConnectionError(self, "its address is not public")
        try:
            return create_connection(
                (addresses[0], self.port), self.timeout, socket_options=self.socket_options
            )
        except OSError as error:
            raise NewConnectionError(self, "no connection") from error


class _PublicTlsConnection(_PublicConnection, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _PublicConnection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _PublicTlsConnection


class PublicAdapter(HTTPAdapter):
    """For a session that may only reach public addresses. A proxy, if there is one, does its own.

    Names are not looked up behind a proxy, whose business they are.
    """

    def init_poolmanager(self, *given: Any, **more: Any) -> None:
        super().init_poolmanager(*given, **more)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}

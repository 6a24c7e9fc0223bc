"""Slack's signature on a request: docs.slack.dev/authentication/verifying-requests-from-slack.

Strict about headers, where slack_sdk's verifier raises: a timestamp is ASCII digits, and each of
the two headers is there once. What was signed and acknowledged is not done a second time.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict

from slack_sdk.signature import SignatureVerifier
from starlette.datastructures import Headers

TIMESTAMP, SIGNATURE = "X-Slack-Request-Timestamp", "X-Slack-Signature"
VALID_S = 300.0
_DIGITS = re.compile(r"[0-9]{1,12}")
_SIGNED = re.compile(r"v0=[0-9a-f]{64}")


class Signatures:
    """Checks signatures, and remembers those of what was done, as long as they are valid.

    In this process: behind several bots a repetition may reach another one, where SQL knows the
    questions and votes.
    """

    def __init__(self, secret: str) -> None:
        self._verifier = SignatureVerifier(secret)
        self._done: OrderedDict[str, float] = OrderedDict()  # until when, the oldest first

    def may_be_signed(self, headers: Headers) -> bool:
        """Whether the headers look like Slack's of these minutes, as far as they tell alone."""
        timestamp, signature = _only(headers, TIMESTAMP), _only(headers, SIGNATURE)
        if not _DIGITS.fullmatch(timestamp) or not _SIGNED.fullmatch(signature):
            return False
        return abs(time.time() - int(timestamp)) <= VALID_S

    def is_signed(self, headers: Headers, body: bytes) -> bool:
        """Whether the body is what was signed; one that is not UTF-8 is none of Slack's."""
        timestamp, signature = headers[TIMESTAMP], headers[SIGNATURE]
        try:
            return self._verifier.is_valid(body, timestamp, signature)
        except UnicodeDecodeError:
            return False

    def is_done(self, headers: Headers) -> bool:
        """Whether the very same request, word and second, was acknowledged before."""
        return headers[SIGNATURE] in self._done

    def done(self, headers: Headers) -> None:
        now = time.time()
        while self._done and next(iter(self._done.values())) < now:
            self._done.popitem(last=False)
        # A timestamp may lie ahead of our clock by as much as it may lie behind.
        self._done[headers[SIGNATURE]] = now + 2 * VALID_S


def _only(headers: Headers, name: str) -> str:
    found = headers.getlist(name)
    return found[0] if len(found) == 1 else ""

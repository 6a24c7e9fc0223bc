"""Clocks of the others against this machine's: leases, patience and signatures go by them."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime

from bot.slack_api.errors import SlackError
from bot.slack_api.installed.token_owner import TokenOwner
from core.errors import SettingsError, SourceError
from groundwire.doctor.checks import confluence, redis_server, slack
from groundwire.doctor.checks import database as sql
from groundwire.doctor.checks.confluence import SiteReply
from groundwire.doctor.finding import HealthFinding, NotTried, ok, wrong
from groundwire.doctor.patient import Patient

HEADER_S = 1.0  # a Date header has whole seconds
AGAIN_S = 1.5  # by when a server has written its Date anew, be it asleep before
SET = "set the clock by NTP (`timedatectl set-ntp true`) on whichever machine is wrong"
SIGNED = f"{SET}; Slack's requests are refused when it is off by 300 s"

Reading = tuple[float, float]  # how far their clock is ahead, and how unsure that is, in seconds


def database(at: Patient) -> HealthFinding:
    return _told(at, "the database", SET, sql.measured, sql.measured)


def redis(at: Patient) -> HealthFinding:
    return _told(at, "Redis", SET, redis_server.measured, redis_server.measured)


def of_slack(at: Patient) -> HealthFinding:
    try:
        return _told(at, "Slack", SIGNED, _by_slack(slack.owner), _by_slack(slack.ask_owner))
    except SlackError as error:
        raise NotTried("Slack does not take the token") from error


def of_confluence(at: Patient) -> HealthFinding:
    first, again = _by_confluence(confluence.reply), _by_confluence(confluence.ask_site)
    try:
        return _told(at, "Confluence", SET, first, again)
    except (SettingsError, SourceError) as error:
        raise NotTried("the site cannot be asked") from error


def _by_slack(ask: Callable[[Patient], TokenOwner]) -> Callable[[Patient], Reading]:
    def read(at: Patient) -> Reading:
        answer = ask(at)
        return _by_header(answer.date, answer.sent_at, answer.heard_at)

    return read


def _by_confluence(ask: Callable[[Patient], SiteReply]) -> Callable[[Patient], Reading]:
    def read(at: Patient) -> Reading:
        reply = ask(at)
        return _by_header(reply.headers.get("Date", ""), reply.sent_at, reply.heard_at)

    return read


def _by_header(date: str, sent_at: float, heard_at: float) -> Reading:
    try:
        there = parsedate_to_datetime(date).timestamp()
    except ValueError as error:
        raise NotTried("the reply says no time") from error
    half = (heard_at - sent_at) / 2
    return there + HEADER_S / 2 - sent_at - half, half + HEADER_S / 2


def _told(
    at: Patient,
    who: str,
    cure: str,
    first: Callable[[Patient], Reading],
    again: Callable[[Patient], Reading],
) -> HealthFinding:
    """Wrong only where asking again does not clear it: whoever slept says an old time once."""
    off_s, unsure_s = first(at)
    most_s = at.settings.clock_skew_s
    if abs(off_s) - unsure_s > most_s and not _is_cleared(at, again, most_s):
        way = "ahead of" if off_s > 0 else "behind"
        return wrong(f"{who} is {abs(off_s):.0f} s {way} this machine", cure)
    if unsure_s < 0.1:
        return ok(f"{abs(off_s) * 1000:.0f} ms apart from this machine's")
    return ok("the same as this machine's, as far as one can tell")


def _is_cleared(at: Patient, again: Callable[[Patient], Reading], most_s: float) -> bool:
    """Whether another reading surely is within this; one that fails or takes long says nothing."""
    time.sleep(AGAIN_S)
    try:
        off_s, unsure_s = again(at)
    except (SlackError, SettingsError, SourceError, NotTried):
        return False
    return abs(off_s) + unsure_s <= most_s

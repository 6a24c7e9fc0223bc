"""Clocks of the others against this machine's: leases, patience and signatures go by them."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

from bot.slack_api.errors import SlackError
from core.errors import SettingsError, SourceError
from groundwire.doctor.checks import confluence, redis_server, slack
from groundwire.doctor.checks import database as sql
from groundwire.doctor.finding import HealthFinding, NotTried, ok, wrong
from groundwire.doctor.patient import Patient

HEADER_S = 1.0  # a Date header has whole seconds
SET = "set the clock by NTP (`timedatectl set-ntp true`) on whichever machine is wrong"
SIGNED = f"{SET}; Slack's requests are refused when it is off by 300 s"


def database(at: Patient) -> HealthFinding:
    return _told(at, "the database", *sql.measured(at), SET)


def redis(at: Patient) -> HealthFinding:
    return _told(at, "Redis", *redis_server.measured(at), SET)


def of_slack(at: Patient) -> HealthFinding:
    try:
        answer = slack.owner(at)
    except SlackError as error:
        raise NotTried("Slack does not take the token") from error
    off_s, unsure_s = _by_header(answer.date, answer.sent_at, answer.heard_at)
    return _told(at, "Slack", off_s, unsure_s, SIGNED)


def of_confluence(at: Patient) -> HealthFinding:
    try:
        reply = confluence.reply(at)
    except (SettingsError, SourceError) as error:
        raise NotTried("the site cannot be asked") from error
    date = reply.headers.get("Date", "")
    off_s, unsure_s = _by_header(date, reply.sent_at, reply.heard_at)
    return _told(at, "Confluence", off_s, unsure_s, SET)


def _by_header(date: str, sent_at: float, heard_at: float) -> tuple[float, float]:
    """How far the sender's clock is ahead, and how unsure that is, in seconds."""
    try:
        there = parsedate_to_datetime(date).timestamp()
    except ValueError as error:
        raise NotTried("the reply says no time") from error
    half = (heard_at - sent_at) / 2
    return there + HEADER_S / 2 - sent_at - half, half + HEADER_S / 2


def _told(at: Patient, who: str, off_s: float, unsure_s: float, cure: str) -> HealthFinding:
    if abs(off_s) - unsure_s > at.settings.clock_skew_s:
        way = "ahead of" if off_s > 0 else "behind"
        return wrong(f"{who} is {abs(off_s):.0f} s {way} this machine", cure)
    if unsure_s < 0.1:
        return ok(f"{abs(off_s) * 1000:.0f} ms apart from this machine's")
    return ok("the same as this machine's, as far as one can tell")

"""Errors: everything that can go wrong, by who can do something about it.

    GroundwireError
    ├── SettingsError            the operator: a setting is missing or wrong (exit code 2)
    ├── SourceError              a source of pages, such as Confluence, did not give what was asked
    │   ├── SourceUnreachable        no answer, or only server errors, after all retries
    │   │   └── SourceOverloaded         server errors and timeouts: a smaller request may do
    │   ├── SourceRefused            401 or 403: the account may not see this
    │   │   └── GrantRefused             what somebody once allowed us does not count any more
    │   └── SourceNotUnderstood      not what the API promises: a login page, a list cut short
    │       └── SourceUnknown            404: there is no such thing, or the address is wrong
    ├── SlackError               Slack did not do what it should: bot/slack_api/errors.py
    ├── ModelUnavailable         the language model's endpoint is down, slow or refuses
    │   └── NoScores                 it does not tell how likely a text is
    ├── AccessUnknown              nobody knows right now who may read a page
    ├── EvidenceClosed           pages that an answer rests on were closed while it was made
    │   └── KeptInside               or must not get the pages that it was to be shown
    ├── Stopped                  somebody has stopped an answer or an explanation
    ├── StoreUnavailable         the vector store, Redis or the database does not answer
    └── LeaseLost                somebody else holds this piece of work now

Users see a sentence from `languages/*.po`, operators the traceback and the ids in the log.
"""


class GroundwireError(Exception):
    """The root: catching it catches what this program foresaw, and nothing else."""


class SettingsError(GroundwireError):
    """A setting is missing or has an unusable value; the message names it and the cure."""


class SourceError(GroundwireError):
    """A source of pages, such as Confluence, did not give what was asked."""


class SourceUnreachable(SourceError):
    """No answer, or nothing but server errors, after all retries."""


class SourceOverloaded(SourceUnreachable):
    """Server errors or timeouts after all retries: a smaller request may do."""


class SourceRefused(SourceError):
    """The account may not see this (401 or 403)."""


class GrantRefused(SourceRefused):
    """What somebody once allowed us, or a code for it, does not count any more."""


class SourceNotUnderstood(SourceError):
    """Not what the API promises: a login page with status 200, a list cut short, a known cursor."""


class SourceUnknown(SourceNotUnderstood):
    """404: there is no such thing, it is hidden from this account, or the address is wrong."""


class SourceRejected(SourceNotUnderstood):
    """400: it does not take this request, as an older version that has no such listing."""


class ModelUnavailable(GroundwireError):
    """The language model's endpoint is down, too slow, or refuses the request."""


class NoScores(ModelUnavailable):
    """The language model's endpoint does not tell how likely a text is."""


class AccessUnknown(GroundwireError):
    """Nobody knows right now who may read a page: its source did not answer."""


class EvidenceClosed(GroundwireError):
    """Pages that an answer rests on were closed to its readers while it was made."""


class KeptInside(ModelUnavailable):
    """Pages that were to be shown to the model may not reach its endpoint; nothing was sent."""


class Stopped(GroundwireError):
    """Somebody has stopped an answer or an explanation, or it took too long."""


class StoreUnavailable(GroundwireError):
    """The vector store, Redis or the database does not answer."""


class LeaseLost(GroundwireError):
    """Somebody else holds this piece of work now; whatever we computed must not be saved."""

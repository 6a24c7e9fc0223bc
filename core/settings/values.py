"""Values that settings can have, where no other module has the noun."""

from __future__ import annotations

from enum import StrEnum

# That answers can be written in, whatever the question's; a model is told the English name.
LANGUAGES = (
    "English",
    "German",
    "French",
    "Spanish",
    "Italian",
    "Portuguese",
    "Dutch",
    "Polish",
    "Czech",
    "Danish",
    "Swedish",
    "Finnish",
    "Turkish",
    "Ukrainian",
    "Japanese",
    "Chinese",
)
# The settings that decide what an answer is, and the property that says where its text went.
OF_ANSWERS = (
    "llm_model",
    "llm_context_tokens",
    "llm_temperature",
    "llm_seed",
    "answerability",
    "model_endpoint",
    "embedder",
    "reranker",
    "permission_mode",
    "suggestions",
    "unsupported",
    "support_by",
)
# Pieces: fewer hide what an answer contradicts, more exceed most context windows.
FEWEST_EVIDENCE, MOST_EVIDENCE = 3, 30


class ConfluenceFlavor(StrEnum):
    """Which Confluence it is."""

    AUTO = "auto"  # found out by the address, or by asking
    CLOUD = "cloud"
    DATACENTER = "datacenter"


class EvidenceEngine(StrEnum):
    """What finds evidence."""

    HOST = "host"  # an index in each process, and Chroma
    POSTGRES = "postgres"  # the database, for all hosts


class PermissionMode(StrEnum):
    """Which pages are indexed, and for whom."""

    PUBLIC = "public"  # those without read restrictions, for everybody
    AWARE = "aware"  # all, each for those who may read it


class MessagesBy(StrEnum):
    """Who decides about a message of which the bot is not sure."""

    MODEL = "model"  # that has passed the exam
    READER = "reader"  # the small one on this machine


class Folders(StrEnum):
    """Whether pages under a folder are indexed: nobody tells who may read it."""

    CLOSED = "closed"
    OPEN = "open"


class EndpointPlace(StrEnum):
    """Whose the endpoint at LLM_BASE_URL is."""

    OWN = "own"
    OUTSIDE = "outside"
    AUTO = "auto"  # told apart by its address


class Outsiders(StrEnum):
    """What guests, or people of other companies, get."""

    PUBLIC = "public"  # what everybody may read
    REFUSE = "refuse"


class Weights(StrEnum):
    """Whose weights rank what is found."""

    PRODUCT = "product"
    TUNED = "tuned"  # on the operator's own pages, by `python -m indexer tune`


class SuggestBy(StrEnum):
    """Who thinks of follow-up questions."""

    RULES = "rules"
    MODEL = "model"
    NONE = "none"


class Askers(StrEnum):
    """Who may ask in a channel."""

    EVERYBODY = "everybody"
    MEMBERS = "members"  # everybody but guests and people of other companies
    ADMINS = "admins"  # of the workspace, and whoever made the channel
    LISTED = "listed"  # the people named, and the admins


class LogFormat(StrEnum):
    """How log lines are written."""

    AUTO = "auto"  # for people in a terminal, else JSON
    JSON = "json"
    CONSOLE = "console"


def words(text: str) -> tuple[str, ...]:
    """What stands between the commas."""
    found = (word.strip(" :") for word in text.split(","))
    return tuple(word for word in found if word)


class OnUnsupported(StrEnum):
    """What becomes of an answer with sentences that the pages they cite do not say."""

    MARK = "mark"  # it is shown, and says which; quoted pages instead where it is most of them
    EXCERPT = "excerpt"  # quoted pages instead


class SupportBy(StrEnum):
    """What says whether the pages say the sentences of a model's answer."""

    RULES = "rules"  # and a small reader of ours, on this machine
    MODEL = "model"  # the model that wrote it reads it again, if it has passed the exam

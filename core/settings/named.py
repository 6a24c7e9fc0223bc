"""Names of settings: a name that no program reads is a mistake, and is named with the nearest.

In `.env` every such name is refused. The environment also belongs to others, so there only what is
almost the name of a setting that has no value is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches

from pydantic.fields import FieldInfo

from core.errors import SettingsError
from core.settings.private_files import SUFFIX

# Read by core.settings itself.
BESIDE = frozenset({"ENV_FILE"})
# Of earlier versions: they do nothing any more.
GONE = frozenset({"EXPLAIN_REPEATS", "FUSION", "MMR"})
# What libraries, shells and container tools read of such a file.
_OF_OTHERS = re.compile(
    r"(?:\w+_PROXY|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|PYTHON\w*|PATH|PORT|TZ|LANG|LC_\w+"
    r"|HF_\w+|OMP_\w+|MKL_\w+|TOKENIZERS_\w+|COMPOSE_\w+|DOCKER_\w+|POSTGRES_\w+|PG\w+)"
)
ALIKE, ALMOST_THE_SAME = 0.6, 0.92  # by difflib's ratio


def refuse_unknown(
    written: Collection[str], environment: Mapping[str, str], fields: Mapping[str, FieldInfo]
) -> None:
    """Look at the names of `.env` and of the environment.

    Raises:
        SettingsError: one or more of them are no settings.
    """
    files = {name + SUFFIX for name in names_of_secrets(fields)}
    known = {name.upper() for name in fields} | BESIDE | files
    wrong = [*unknown_in_file(written, known), *almost_set(environment, known)]
    if wrong:
        raise SettingsError("; ".join(dict.fromkeys(wrong)) + " (see .env.example)")


def names_of_secrets(fields: Mapping[str, FieldInfo]) -> list[str]:
    """Tokens and keys, and addresses that may hold a password."""
    tokens = [name for name, field in fields.items() if "SecretStr" in str(field.annotation)]
    return [name.upper() for name in (*tokens, "database_url", "redis_url")]


def unknown_in_file(names: Collection[str], known: Collection[str]) -> Iterator[str]:
    """A sentence for each name that nobody reads.

    >>> list(unknown_in_file(["LLM_MODELL", "TZ", "X1"], {"LLM_MODEL"}))
    ['LLM_MODELL is no setting: did you mean LLM_MODEL?', 'X1 is no setting']
    """
    for name in names:
        name = name.upper()
        if name not in known and name not in GONE and not _OF_OTHERS.fullmatch(name):
            near = get_close_matches(name, known, n=1, cutoff=ALIKE)
            yield f"{name} is no setting" + (f": did you mean {near[0]}?" if near else "")


def almost_set(environment: Mapping[str, str], known: Collection[str]) -> Iterator[str]:
    """A sentence for each variable that is almost the name of a setting, which has no value.

    >>> list(almost_set({"LLM_BASEURL": "x"}, {"LLM_BASE_URL"}))
    ['LLM_BASEURL is no setting: did you mean LLM_BASE_URL?']
    """
    for name in environment:
        if name.upper() in known or name in GONE:
            continue
        near = get_close_matches(name, known, n=1, cutoff=ALMOST_THE_SAME)
        if near and near[0] not in environment:
            yield f"{name} is no setting: did you mean {near[0]}?"

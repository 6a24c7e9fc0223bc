"""Settings: from the environment or a file, complete or named, secrets kept."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.attribution import Method
from core.errors import SettingsError
from core.settings import Settings, or_exit, settings
from core.settings.values import PermissionMode

TOKEN = "xoxb-very-secret"


@pytest.fixture(autouse=True)
def _read_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test reads the environment for itself, and leaves nothing of it to the next."""
    settings.cache_clear()
    with monkeypatch.context():
        yield
    settings.cache_clear()


def test_missing_settings_are_named_all_at_once() -> None:
    with pytest.raises(
        SettingsError, match=r"^SLACK_BOT_TOKEN, CONFLUENCE_URL not set.*\.env\.example"
    ):
        Settings().require("slack_bot_token", "redis_url", "confluence_url")


def test_an_empty_value_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "")
    with pytest.raises(SettingsError, match="SLACK_BOT_TOKEN not set"):
        settings().require("slack_bot_token")


def test_an_empty_value_gives_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWER_PATIENCE_S", "")
    assert settings().answer_patience_s == Settings().answer_patience_s == 60


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LLM_TIMEOUT_S", "soon"),
        ("PERMISSION_MODE", "secret"),
        ("LOG_LEVEL", "loud"),
        ("EXPLAIN_METHOD", "theirs"),
        ("DEFAULT_ASKERS", "listed"),  # nobody could be named
    ],
)
def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=f"^wrong setting: {name}: "):
        settings()


def test_what_is_one_of_several_is_a_member_and_stays_text_beside_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PERMISSION_MODE", "aware")
    monkeypatch.setenv("EXPLAIN_METHOD", "paper-no-clusters")
    found = settings()
    assert (found.permission_mode, found.explain_method) == (
        PermissionMode.AWARE,
        Method.PAPER_NO_CLUSTERS,
    )
    assert found.of_answers["permission_mode"] == "aware"


def test_a_setting_that_is_gone_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "old.env").write_text("FUSION=rrf\nMMR=0.5\n")
    monkeypatch.setenv("ENV_FILE", str(tmp_path / "old.env"))
    monkeypatch.setenv("FUSION", "none")
    assert settings() == Settings(_env_file=None)


def test_all_wrong_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_TIMEOUT_S", "soon")
    monkeypatch.setenv("LOG_LEVEL", "loud")
    with pytest.raises(SettingsError, match=r"LLM_TIMEOUT_S.*LOG_LEVEL"):
        settings()


def test_a_secret_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", TOKEN)
    chosen = settings()
    assert chosen.slack_bot_token is not None
    assert chosen.slack_bot_token.get_secret_value() == TOKEN
    assert TOKEN not in f"{chosen!r} {chosen} {chosen.model_dump_json()} {chosen.model_dump()}"


def test_a_secret_is_not_in_the_error_of_a_wrong_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", TOKEN)
    monkeypatch.setenv("LLM_TIMEOUT_S", TOKEN)
    with pytest.raises(SettingsError) as raised:
        settings()
    assert TOKEN not in "".join(traceback.format_exception(raised.value))


def test_the_environment_goes_before_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "settings"
    file.write_text("LLM_MODEL=from-the-file\nEMBEDDER=from-the-file\n")
    monkeypatch.setenv("ENV_FILE", str(file))
    monkeypatch.setenv("EMBEDDER", "from-the-environment")
    assert (settings().llm_model, settings().embedder) == ("from-the-file", "from-the-environment")


def test_settings_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = settings()
    monkeypatch.setenv("LLM_MODEL", "another")
    assert settings() is before


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().embedder = "another"  # type: ignore[misc]


def test_lists_are_separated_by_commas_and_forgive_spaces_and_colons() -> None:
    chosen = Settings(confluence_spaces="ENG, OPS ,", explain_reactions=":mag:, question")
    assert chosen.space_keys == ("ENG", "OPS")
    assert chosen.explain_reaction_names == ("mag", "question")


def test_the_address_of_slack_ends_in_a_slash() -> None:
    assert (
        Settings(slack_api_url="http://127.0.0.1:1/api").slack_api_url == "http://127.0.0.1:1/api/"
    )


def test_the_database_is_a_file_in_the_data_directory_unless_another_one_is_named() -> None:
    assert Settings(data_dir=Path("/somewhere")).sql_url == "sqlite:////somewhere/groundwire.db"
    assert Settings(database_url="sqlite:///x.db").sql_url == "sqlite:///x.db"


@pytest.mark.parametrize("short", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_database_is_named_as_hosts_give_it(short: str) -> None:
    assert Settings(database_url=f"{short}://u:p@db/x").sql_url == "postgresql+psycopg://u:p@db/x"


def test_a_wrong_setting_ends_a_program_with_one_line_and_code_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended, or_exit():
        Settings().require("llm_model")
    assert ended.value.code == 2
    assert (
        capsys.readouterr().err
        == "groundwire: LLM_MODEL not set: put it into the environment or .env (see .env.example)\n"
    )


def wrong_with(monkeypatch: pytest.MonkeyPatch, path: Path, text: str, mode: int = 0o600) -> str:
    """What is said of this file of settings; nothing where it is taken."""
    path.write_text(text)
    path.chmod(mode)
    monkeypatch.setenv("ENV_FILE", str(path))
    settings.cache_clear()
    try:
        settings()
    except SettingsError as error:
        return str(error)
    return ""


def test_a_name_in_the_file_that_nobody_reads_is_refused_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = wrong_with(monkeypatch, tmp_path / "env", "LLM_MODELL=x\nSLACK_TOKEN=y\n")
    assert "LLM_MODELL is no setting: did you mean LLM_MODEL?" in said
    assert "SLACK_TOKEN is no setting" in said


def test_names_of_others_and_of_earlier_versions_are_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = "HTTPS_PROXY=x\nTZ=UTC\nCOMPOSE_PROJECT_NAME=x\nMMR=1\nllm_model=x\nREDIS_PORT=6379\n"
    assert wrong_with(monkeypatch, tmp_path / "env", text) == ""


def test_a_variable_that_is_almost_a_setting_is_refused_unless_that_has_a_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LLM_BASEURL", "http://x")
    monkeypatch.setenv("LLM_SOMETHING_ELSE", "x")
    with pytest.raises(SettingsError, match="LLM_BASEURL is no setting: did you mean LLM_BASE_URL"):
        settings()
    monkeypatch.setenv("LLM_BASE_URL", "http://x")
    assert settings().llm_base_url == "http://x"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_file_with_secrets_that_others_can_read_is_refused_with_the_cure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: int
) -> None:
    path = tmp_path / "env"
    assert f"chmod 600 {path}" in wrong_with(monkeypatch, path, f"SLACK_BOT_TOKEN={TOKEN}\n", mode)
    assert wrong_with(monkeypatch, path, f"SLACK_BOT_TOKEN={TOKEN}\n") == ""
    assert wrong_with(monkeypatch, path, "LLM_MODEL=x\n", mode) == ""


def test_a_data_folder_that_others_can_look_into_is_refused_with_the_cure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    data.chmod(0o755)
    said = wrong_with(monkeypatch, tmp_path / "env", f"DATA_DIR={data}\n")
    assert f"chmod 700 {data}" in said
    data.chmod(0o700)
    assert wrong_with(monkeypatch, tmp_path / "env", f"DATA_DIR={data}\n") == ""


def test_a_secret_comes_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(f"{TOKEN}\n")
    monkeypatch.setenv("SLACK_BOT_TOKEN_FILE", str(secret))
    token = settings().slack_bot_token
    assert token is not None
    assert token.get_secret_value() == TOKEN


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"SLACK_BOT_TOKEN_FILE": "/no/such/file"}, "SLACK_BOT_TOKEN_FILE: cannot read"),
        ({"SLACK_BOT_TOKEN_FILE": "/dev/null", "SLACK_BOT_TOKEN": TOKEN}, "are both set"),
        ({"SLACK_BOT_TOKEN": "xapp-1"}, "the other token of Slack's"),
        ({"SLACK_APP_TOKEN": "xoxb-1"}, "the other token of Slack's"),
    ],
)
def test_what_cannot_work_is_named_at_the_start(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, str], said: str
) -> None:
    for name, value in more.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=said):
        settings()


def test_what_a_program_writes_is_for_its_own_account(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with or_exit():
            (tmp_path / "made").write_text("x")
    finally:
        os.umask(before)
    assert (tmp_path / "made").stat().st_mode & 0o077 == 0

"""The files of the index: shared by all processes of a host, whatever happens to whoever writes."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from wiki import page, piece, put

from core.evidence import EvidenceSearch, EvidenceStore, Query
from core.evidence.lexical import catching_up
from core.evidence.lexical import index as index_module
from core.evidence.lexical.builder import PageEntries, PieceEntry
from core.evidence.lexical.catching_up import catch_up
from core.evidence.lexical.host_files import FORMAT, LOCKED
from core.evidence.lexical.index import LexicalIndex
from core.pages import CONFLUENCE, PageKey
from core.policy.acl import OPEN_ID
from core.storage import index_epoch
from core.storage.database import Database
from core.storage.index_tables import IndexRow

NUMBERS = range(40)


@pytest.fixture
def filled(store: EvidenceStore) -> EvidenceStore:
    for number in NUMBERS:
        put(store, page(str(number), f"Crane {number}"), piece(said(number), str(number)))
    return store


def said(number: int) -> str:
    return f"The crane TERN-{number} stands on the quay."


def process(store: EvidenceStore, folder: Path) -> EvidenceSearch:
    """What another process of the host has of it."""
    return EvidenceSearch(store.database, LexicalIndex(folder), store.dense)


def finds(search: EvidenceSearch, number: int) -> bool:
    hits = search.search(Query(f"TERN-{number}"), 3).hits
    return bool(hits) and hits[0].evidence.text == said(number)


def test_one_process_makes_the_index_and_the_others_map_it(
    filled: EvidenceStore, tmp_path: Path
) -> None:
    first, second = process(filled, tmp_path / "host"), process(filled, tmp_path / "host")
    assert finds(first, 7)
    [made] = (tmp_path / "host").glob("*.index")
    before = made.stat().st_ino
    assert finds(second, 7)
    assert made.stat().st_ino == before
    assert second.lexical.snapshot.file == first.lexical.snapshot.file != ""
    assert made.stat().st_mode & 0o077 == 0  # it holds words of pages that some may not read


def test_every_process_finds_a_change_whoever_merges_it(
    filled: EvidenceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "SAVED_AT_LEAST", 1)
    monkeypatch.setattr(index_module, "MERGED_AT_LEAST", 3)
    processes = [process(filled, tmp_path / "host") for _ in range(3)]
    for number in range(100, 130):
        put(filled, page(str(number), f"Crane {number}"), piece(said(number), str(number)))
        assert finds(processes[number % 3], number)
        if number % 5 == 0:
            filled.hide(page(str(number - 2), ""))
            assert not any(finds(each, number - 2) for each in processes)
    assert all(finds(each, number) for each in processes for number in (3, 101, 129))
    assert len({each.lexical.snapshot.revision for each in processes}) == 1


def test_what_has_changed_since_the_index_was_made_is_not_read_again_at_a_start(
    filled: EvidenceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "SAVED_AT_LEAST", 0)
    running = process(filled, tmp_path / "host")
    assert finds(running, 1)
    put(filled, page("7", "Crane 7"), piece("The crane GULL-7 stands on the quay.", "7"))
    assert not finds(running, 7)
    assert list((tmp_path / "host").glob("*.changes"))
    started = LexicalIndex(tmp_path / "host")
    assert started.snapshot.revision == running.lexical.snapshot.revision
    assert (started.document_frequency("gull-7"), started.document_frequency("tern-7")) == (1, 0)


@pytest.mark.parametrize("which", ["index", "changes"])
@pytest.mark.parametrize("damage", [b"", b"no index at all", b"groundwire index" + bytes(500)])
def test_a_damaged_file_is_mended_by_whoever_needs_it(
    filled: EvidenceStore, tmp_path: Path, which: str, damage: bytes
) -> None:
    assert finds(process(filled, tmp_path / "host"), 7)
    file = tmp_path / "host" / f"lexical-{FORMAT}.{which}"
    beside = file.with_suffix(".beside")
    beside.write_bytes(damage)
    beside.replace(file)
    assert finds(process(filled, tmp_path / "host"), 7)
    assert finds(process(filled, tmp_path / "host"), 9)


BUILDING = """
    import sys
    from pathlib import Path
    from core.evidence.lexical.catching_up import catch_up
    from core.evidence.lexical.index import LexicalIndex
    from core.storage.database import Database
    database, folder = Database(sys.argv[1]), Path(sys.argv[2])
    print("begins", flush=True)
    while True:
        for file in folder.glob("*.index"):
            file.unlink()
        catch_up(database, LexicalIndex(folder))
"""


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(BUILDING), *arguments]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert program.stdout
    assert program.stdout.readline() == "begins\n"
    return program


def kill(program: subprocess.Popen[str]) -> None:
    with program:  # which closes what it has said
        program.send_signal(signal.SIGKILL)


def test_searches_go_on_whenever_the_building_process_is_killed(
    filled: EvidenceStore, tmp_path: Path
) -> None:
    """At ten moments: it does nothing but build."""
    if filled.database.engine.dialect.name != "sqlite":
        pytest.skip("of files, not of SQL")
    host = tmp_path / "host"
    for moment in range(10):
        program = started(filled.database.url, str(host))
        time.sleep(0.005 + 0.013 * moment)
        kill(program)
        assert finds(process(filled, host), moment)
    left = {file.suffix for file in host.iterdir()}
    assert left <= {".index", ".changes", ".checked", ".lock"}


def test_two_processes_that_build_at_once_make_one_index(
    filled: EvidenceStore, tmp_path: Path
) -> None:
    if filled.database.engine.dialect.name != "sqlite":
        pytest.skip("of files, not of SQL")
    programs = [started(filled.database.url, str(tmp_path / "host")) for _ in range(2)]
    try:
        assert all(finds(process(filled, tmp_path / "host"), number) for number in range(5))
        assert all(program.poll() is None for program in programs)
    finally:
        for program in programs:
            kill(program)


def limited(work: Callable[[], bool]) -> int:
    """The exit code of a process that does this and may write no file of more than 4 kB."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        os._exit(0 if work() else 1)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def entries(count: int) -> list[PageEntries]:
    return [
        PageEntries(
            PageKey(CONFLUENCE, str(number)),
            OPEN_ID,
            f"Crane {number}",
            [PieceEntry(str(number), OPEN_ID, "", said(number))],
        )
        for number in range(count)
    ]


def test_a_full_disk_keeps_the_index_in_memory(tmp_path: Path) -> None:
    def builds_and_finds() -> bool:
        index = LexicalIndex(tmp_path)
        index.catch_up(entries(300), identity="this", since=-1, revision=1)
        return index.size() == 300 and index.document_frequency("tern-299") == 1

    assert limited(builds_and_finds) == 0
    assert not list(tmp_path.glob("*.index"))
    assert not list(tmp_path.glob("*.new"))


def test_a_full_disk_leaves_the_index_that_is_there(tmp_path: Path) -> None:
    LexicalIndex(tmp_path).catch_up(entries(300), identity="this", since=-1, revision=1)

    def changes_and_finds() -> bool:
        index = LexicalIndex(tmp_path)
        since = index.revision("this")
        index.catch_up(entries(400)[300:], identity="this", since=since, revision=2)
        return index.size() == 400 and index.document_frequency("tern-399") == 1

    assert limited(changes_and_finds) == 0
    again = LexicalIndex(tmp_path)
    assert (again.revision("this"), again.size()) == (1, 300)


def test_an_index_that_is_larger_than_what_is_read_at_once_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = LexicalIndex(tmp_path / "whole")
    whole.catch_up(entries(300), identity="this", since=-1, revision=1)
    monkeypatch.setattr(index_module, "AT_ONCE", 70)
    parts = LexicalIndex(tmp_path / "parts")
    parts.catch_up(entries(300), identity="this", since=-1, revision=1)
    assert parts.snapshot.ids() == whole.snapshot.ids()
    made = (tmp_path / "parts" / f"lexical-{FORMAT}.index").stat().st_size
    assert made == (tmp_path / "whole" / f"lexical-{FORMAT}.index").stat().st_size


def test_a_great_index_is_merged_beside_the_searches(
    filled: EvidenceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "AT_ONCE", 10)
    monkeypatch.setattr(index_module, "MERGED_AT_LEAST", 3)
    search = process(filled, tmp_path / "host")
    assert finds(search, 3)
    before = search.lexical.snapshot.file
    for number in range(100, 110):
        put(filled, page(str(number), f"Crane {number}"), piece(said(number), str(number)))
        assert finds(search, number)
    until = time.monotonic() + 30
    number = 110
    while search.lexical.snapshot.file == before:
        assert time.monotonic() < until
        put(filled, page(str(number), f"Crane {number}"), piece(said(number), str(number)))
        assert finds(search, number)
        number += 1
    assert all(finds(search, each) for each in (0, 39, 100, 109))


def test_an_index_of_another_history_on_this_host_is_not_taken(
    filled: EvidenceStore, tmp_path: Path, database: Database
) -> None:
    other = LexicalIndex(tmp_path / "host")
    other.catch_up(entries(3), identity="another database", since=-1, revision=10_000)
    search = process(filled, tmp_path / "host")
    assert finds(search, 30)
    state = catch_up(database, search.lexical)
    assert state and search.lexical.is_at(state)


def test_many_threads_search_while_another_writes(filled: EvidenceStore, tmp_path: Path) -> None:
    """Each finds what was there when it asked, and nobody takes that for a restored database."""
    processes = [process(filled, tmp_path / "host") for _ in range(2)]
    with filled.database.reading() as session:
        identity = session.get_one(IndexRow, 1).identity
    ended, behind = threading.Event(), list[int]()

    def searching_on(search: EvidenceSearch) -> None:
        while not ended.is_set():
            with filled.database.reading() as session:
                before = session.get_one(IndexRow, 1).revision
            catch_up(filled.database, search.lexical)
            behind.append(max(0, before - search.lexical.snapshot.revision))

    threads = [threading.Thread(target=searching_on, args=[each]) for each in 3 * processes]
    for thread in threads:
        thread.start()
    for number in range(100, 150):
        put(filled, page(str(number), f"Crane {number}"), piece(said(number), str(number)))
    ended.set()
    for thread in threads:
        thread.join()
    assert set(behind) == {0}
    with filled.database.reading() as session:
        assert session.get_one(IndexRow, 1).identity == identity
    assert all(finds(each, number) for each in processes for number in (7, 120, 149))


def test_several_threads_that_find_no_index_make_a_right_one(
    filled: EvidenceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "AT_ONCE", 10)
    shared = LexicalIndex(tmp_path / "host")
    others = [LexicalIndex(tmp_path / "host") for _ in range(3)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(partial(catch_up, filled.database), [shared, *others, shared, shared]))
    fresh = LexicalIndex(tmp_path / "fresh")
    catch_up(filled.database, fresh)
    for each in (shared, *others):
        assert each.snapshot.ids() == fresh.snapshot.ids()
        assert each.document_frequency("crane") == fresh.document_frequency("crane")


def test_of_what_was_deleted_no_word_is_left_in_the_files_after_a_day(
    filled: EvidenceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(filled, page("99", "Xylophone party"), piece("Everybody brings marzipan.", "99"))
    search = process(filled, tmp_path / "host")
    assert finds(search, 3)
    filled.hide(page("99", "Xylophone party"))
    assert finds(search, 3)
    monkeypatch.setattr(index_module, "LONGEST_S", -1.0)
    until = time.monotonic() + 30
    while search.lexical.snapshot.unmerged:
        assert time.monotonic() < until
        assert finds(search, 3)
    for file in (tmp_path / "host").iterdir():
        held = file.read_bytes().lower()
        assert b"marzipan" not in held
        assert b"xylophone" not in held


def test_a_header_in_which_a_bit_has_changed_is_noticed(
    filled: EvidenceStore, tmp_path: Path
) -> None:
    assert finds(process(filled, tmp_path / "host"), 7)
    [made] = (tmp_path / "host").glob("*.index")
    whole = bytearray(made.read_bytes())
    whole[whole.index(b'"revision"') + 3] ^= 1
    os.utime(made, ns=(made.stat().st_atime_ns, made.stat().st_mtime_ns))
    kept = made.stat().st_mtime_ns
    made.write_bytes(whole)
    os.utime(made, ns=(kept, kept))
    assert LexicalIndex(tmp_path / "host").snapshot.revision == -1


def test_a_process_far_behind_makes_its_own_index_anew_and_no_epoch(
    filled: EvidenceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = process(filled, tmp_path / "host")
    assert finds(search, 7)
    monkeypatch.setattr(catching_up, "KEPT", 5)
    monkeypatch.setattr(index_epoch, "KEPT", 5)
    with filled.database.reading() as session:
        identity = session.get_one(IndexRow, 1).identity
    for number in range(100, 110):
        put(filled, page(str(number), f"Crane {number}"), piece(said(number), str(number)))
    assert finds(search, 109)
    with filled.database.reading() as session:
        assert session.get_one(IndexRow, 1).identity == identity


def test_a_disk_that_refuses_the_lock_has_the_index_made_in_memory(
    filled: EvidenceStore, tmp_path: Path
) -> None:
    (tmp_path / "host" / LOCKED).mkdir(parents=True)  # so it cannot be opened as a file
    assert finds(process(filled, tmp_path / "host"), 7)

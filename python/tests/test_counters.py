"""Counters: in memory, in shared stores, and daily ones; and inserts with retries."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import queue
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import saiban
from saiban import _waiting
from stores import Server


@pytest.fixture(scope="module", params=["memory", "sqlite", "postgres", "mysql", "redis"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Returns the URL of a store of each kind that supports counters."""
    if request.param == "memory":
        yield "memory:counters"
    elif request.param == "sqlite":
        yield f"sqlite://{tmp_path_factory.mktemp('counters')}/counters.db"
    else:
        with Server(request.param) as server:
            yield server.url


def counter(url: str, name: str, **options: Any) -> saiban.SharedCounter:
    return saiban.SharedCounter(url, name=f"{name}-{os.getpid()}", create=True, **options)


class TestCounter:
    def test_five_counters_of_one_step_share_no_number(self) -> None:
        counters = [saiban.Counter(start=start, step=5) for start in range(1, 6)]
        numbers = [number for counter in counters for number in counter.generate_many(100)]
        assert sorted(numbers) == list(range(1, 501))
        assert repr(counters[1]) == "saiban.Counter(start=2, step=5)"

    def test_the_last_number_is_the_last(self) -> None:
        counter = saiban.Counter(start=2**63 - 3, step=2)
        assert counter.generate_many(9) == [2**63 - 3, 2**63 - 1]
        with pytest.raises(saiban.CounterExhaustedError, match="no number left"):
            counter.generate()

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"start": -1}, "start at -1: give a number of 0 to 9223372036854775807"),
            ({"start": -(2**70)}, f"start at {-(2**70)}: give"),
            ({"step": 0}, "step by 0: give a number of 1 to 9223372036854775807"),
            ({"start": 2**63}, "start at 9223372036854775808: give a number of 0 to 9223372036854775807"),
            ({"start": 2**70}, f"start at {2**70}: give"),
            ({"step": 2**64}, f"step by {2**64}: give a number of 1 to 9223372036854775807"),
            ({"step": -(2**70)}, f"step by {-(2**70)}: give"),
            # The limit does not depend on the given number.
            ({"start": -1, "step": 2**63 - 1}, "start at -1: give a number of 0 to 9223372036854775807"),
        ],
    )
    def test_impossible_options_are_refused_with_the_number(self, options: dict[str, int], words: str) -> None:
        with pytest.raises(saiban.InvalidArgumentError, match=words):
            saiban.Counter(**options)
        with pytest.raises(saiban.InvalidArgumentError, match=words):
            saiban.SharedCounter("memory:refused", wait_s=2**80, **options)
        if "step" not in options:
            with pytest.raises(saiban.InvalidArgumentError, match=words):
                saiban.DailyCounter("memory:refused", first=options["start"])

    def test_a_copy_made_by_fork_hands_out_nothing(self) -> None:
        counter = saiban.Counter()
        assert counter.generate() == 1
        assert in_child(lambda: kind_of(counter.generate)) == "FORKED"
        assert counter.generate() == 2


def kind_of(call: Callable[[], object]) -> str:
    try:
        return str(call())
    except saiban.SaibanError as error:
        return error.kind


def in_child(call: Callable[[], str]) -> str:
    """Returns the result of this function in a forked child."""
    pipe, end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(end, call().encode())
        finally:
            os._exit(0)
    os.close(end)
    with os.fdopen(pipe) as output:
        answer = output.read()
    os.waitpid(child, 0)
    return answer


class TestSharedCounter:
    def test_a_counter_counts_in_steps_and_in_blocks(self, url: str) -> None:
        first, second = (counter(url, "steps", start=2, step=5, block_size=10) for _ in range(2))
        assert first.generate() == 2
        assert second.generate_many(3) == [52, 57, 62]
        assert first.generate_many(2) == [7, 12]
        status = first.status()
        assert (status.block_size, status.calls, status.why) == (10, 1, None)
        assert status.prefetched == 7
        assert repr(first).startswith("saiban.SharedCounter(name='steps-")

    def test_threads_get_each_number_once(self, url: str) -> None:
        shared = counter(url, "threads")
        numbers: list[int] = []

        def take() -> None:
            for _ in range(20):
                numbers.extend([shared.generate(), *shared.generate_many(50)])

        threads = [threading.Thread(target=take) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(numbers)) == len(numbers) == 4 * 20 * 51

    def test_asyncio_awaits_a_number(self, url: str) -> None:
        shared = counter(url, "asyncio")

        async def main() -> list[int]:
            return [await shared.generate_async() for _ in range(5)]

        numbers = asyncio.run(main())
        assert numbers == sorted(set(numbers))

    def test_another_step_is_refused(self, url: str) -> None:
        counter(url, "refused", step=5).generate()
        with pytest.raises(saiban.CounterMismatchError, match="from 1 by 4"):
            counter(url, "refused", step=4).generate()

    def test_a_missing_counter_is_created_only_on_request(self, url: str) -> None:
        with pytest.raises(saiban.CounterUnknownError, match="create=True"):
            saiban.SharedCounter(url, name="nobody-made-it", create=False).generate()

    @pytest.mark.parametrize("method", ["fork", "spawn"])
    def test_processes_share_the_numbers(self, tmp_path: Path, method: str) -> None:
        url = f"sqlite://{tmp_path}/counters.db"
        shared = saiban.SharedCounter(url, block_size=50)
        numbers = [shared.generate()]
        context = multiprocessing.get_context(method)
        with context.Pool(4) as pool:
            for taken in pool.map(take_many, [url] * 8):
                numbers += taken
        assert len(set(numbers)) == len(numbers) == 8 * 100 + 1

    def test_a_forked_copy_takes_different_numbers(self, tmp_path: Path) -> None:
        shared = saiban.SharedCounter(f"sqlite://{tmp_path}/counters.db", block_size=10)
        assert shared.generate() == 1
        assert in_child(lambda: kind_of(shared.generate)) == "11"
        assert shared.generate() == 2
        in_memory = saiban.SharedCounter(f"memory:{tmp_path}")
        in_memory.generate()
        assert in_child(lambda: kind_of(in_memory.generate)) == "FORKED"

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"gapless": True}, "rolled back"),
            ({"block_size": 0}, "block_size is 0: give 1 to 1000000"),
            ({"max_block_size": 10**7}, "max_block_size is 10000000"),
            ({"name": "two words"}, "two words"),
            ({"start": -1}, "start at -1"),
            ({"url": "mysql://u:hunter2@h/db#x"}, "%23"),
        ],
    )
    def test_impossible_options_are_refused_with_the_reason(self, options: dict[str, Any], words: str) -> None:
        with pytest.raises(saiban.InvalidArgumentError, match=words) as refusal:
            saiban.SharedCounter(**{"url": "memory:refused"} | options)
        assert "hunter2" not in str(refusal.value)

    def test_a_store_without_counters_is_refused(self) -> None:
        with pytest.raises(saiban.StoreUnsupportedError, match="sqlite:, postgres:, mysql:, redis:"):
            saiban.SharedCounter("etcd://127.0.0.1:1")

    def test_an_unreachable_store_is_reported(self) -> None:
        shared = saiban.SharedCounter("redis://127.0.0.1:1", wait_s=1, create=True)
        assert shared.try_generate() is None
        with pytest.raises(saiban.StoreUnavailableError, match=r"127\.0\.0\.1:1"):
            shared.generate()


@pytest.fixture
def silent() -> Iterator[str]:
    """Returns the URL of a server that accepts connections, but never replies."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}"


class Held:
    """A counter in a store whose numbers the test provides, for waiting in asyncio."""

    def __init__(self) -> None:
        self.answers: queue.Queue[int | Exception] = queue.Queue()
        self.asked = threading.Semaphore(0)

    def generate(self) -> int:
        self.asked.release()
        answer = self.answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer


async def tasks(counter: Any, count: int) -> list[asyncio.Task[Any]]:
    """Starts this many tasks, which all wait already."""
    waits = [asyncio.create_task(_waiting.generated(counter, 3600)) for _ in range(count)]
    await asyncio.sleep(0)
    return waits


class TestAsyncio:
    @pytest.mark.parametrize("kind", [saiban.SharedCounter, saiban.DailyCounter])
    def test_hundreds_of_waiting_tasks_share_one_thread_and_each_times_out(self, silent: str, kind: Any) -> None:
        counter = kind(silent, wait_s=1, create=True)
        before = threading.active_count()

        async def main() -> list[Any]:
            # asyncio's default threads refuse all work.
            no_threads = ThreadPoolExecutor(1)
            no_threads.shutdown()
            asyncio.get_running_loop().set_default_executor(no_threads)
            waits = [asyncio.create_task(counter.generate_async()) for _ in range(500)]
            await asyncio.sleep(0)
            assert threading.active_count() <= before + 1
            return await asyncio.gather(*waits, return_exceptions=True)

        errors = asyncio.run(main())
        assert {type(error) for error in errors} == {saiban.StoreUnavailableError}
        with pytest.raises(saiban.StoreUnavailableError) as waited:
            counter.generate()
        assert {str(error) for error in errors} == {str(waited.value)}

    def test_cancelled_tasks_do_not_block_others(self) -> None:
        async def main() -> None:
            counter = Held()
            first, second, third = await tasks(counter, 3)
            first.cancel()
            third.cancel()
            await asyncio.sleep(0)
            counter.answers.put(1)
            assert await second == 1
            # The thread ends only after it has passed the number on.
            async with asyncio.timeout(60):
                while counter in _waiting._waiting:
                    await asyncio.sleep(0.001)
            assert first.cancelled() and third.cancelled()

        asyncio.run(main())

    def test_an_error_is_raised_in_all_tasks_that_waited_for_the_request(self) -> None:
        async def main() -> None:
            counter = Held()
            early = await tasks(counter, 3)
            counter.asked.acquire()
            counter.answers.put(1)
            assert await early[0] == 1
            counter.asked.acquire()
            [late] = await tasks(counter, 1)
            counter.answers.put(saiban.CounterUnknownError("nobody made it"))
            errors = await asyncio.gather(*early[1:], return_exceptions=True)
            assert [str(error) for error in errors] == ["nobody made it"] * 2
            assert errors[0] is not errors[1]
            counter.answers.put(2)
            assert await late == 2

        asyncio.run(main())

    def test_a_number_is_not_lost_with_an_event_loop(self) -> None:
        counter = Held()

        async def leave() -> None:
            _waiting._join(counter, asyncio.get_running_loop().create_future())

        loop = asyncio.new_event_loop()
        loop.run_until_complete(leave())
        loop.close()

        async def main() -> None:
            [wait] = await tasks(counter, 1)
            counter.answers.put(1)
            assert await wait == 1

        asyncio.run(main())

    def test_an_error_is_raised_if_no_thread_can_start(self, monkeypatch: pytest.MonkeyPatch, silent: str) -> None:
        def start(thread: threading.Thread) -> None:
            raise RuntimeError("can't start new thread")

        shared = saiban.SharedCounter(silent, create=True)
        monkeypatch.setattr(threading.Thread, "start", start)
        with pytest.raises(saiban.StoreUnavailableError, match="no thread"):
            asyncio.run(shared.generate_async())
        assert shared not in _waiting._waiting

    def test_a_forked_copy_has_no_waiting_tasks_of_its_parent(self, tmp_path: Path) -> None:
        async def main() -> str:
            counter = Held()
            [wait] = await tasks(counter, 1)
            shared = saiban.SharedCounter(f"sqlite://{tmp_path}/counters.db")
            # The parent's thread does not exist in the child.
            output = in_child(lambda: str(list(_waiting._waiting)) + str(shared.generate()))
            counter.answers.put(1)
            await wait
            return output

        assert asyncio.run(main()) == "[]1"


def take_many(url: str) -> list[int]:
    return saiban.SharedCounter(url, block_size=50).generate_many(100)


class TestDailyCounter:
    def test_numbers_have_a_date_and_a_text(self, url: str) -> None:
        options = {"name": f"daily-{os.getpid()}", "create": True, "zone": "Asia/Tokyo", "first": 0}
        daily = saiban.DailyCounter(url, format="INV {date:%Y-%m-%d} {n:03}", **options)
        first, second = daily.generate(), asyncio.run(daily.generate_async())
        assert isinstance(first.date, date)
        assert first.text == str(first) == f"INV {first.date.isoformat()} 000"
        # After midnight in Tokyo the counter starts again.
        assert second.number in (0, 1)
        assert first == first and first != second
        assert repr(first).startswith("saiban.DailyNumber(date=datetime.date(20")

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"zone": "Mars/Olympus"}, "Mars/Olympus"),
            ({"format": "{n}"}, "does not distinguish every day"),
            ({"format": "{date:%F}"}, "has no number"),
            ({"gapless": True}, "rolled back"),
        ],
    )
    def test_impossible_options_are_refused_with_the_reason(self, options: dict[str, Any], words: str) -> None:
        with pytest.raises(saiban.InvalidArgumentError, match=words):
            saiban.DailyCounter("memory:refused", **options)


class TestInsertUnique:
    @pytest.fixture
    def table(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            connection.execute("CREATE TABLE codes (code INTEGER PRIMARY KEY, owner TEXT NOT NULL, CHECK (code < 100))")
            connection.executemany("INSERT INTO codes VALUES (?, 'Ada')", [(1,), (2,), (3,)])
            yield connection

    def test_a_conflict_is_followed_by_another_id(self, table: sqlite3.Connection) -> None:
        codes = iter([1, 2, 7])
        insert = "INSERT INTO codes VALUES (?, 'Grace') RETURNING code"
        inserted = saiban.insert_unique(codes.__next__, lambda code: table.execute(insert, [code]).fetchone())
        assert inserted == (7,)

    def test_after_so_many_the_last_conflict_is_raised(self, table: sqlite3.Connection) -> None:
        codes = iter([1, 2, 3, 7])
        with pytest.raises(sqlite3.IntegrityError) as refusal:
            saiban.insert_unique(
                codes.__next__, lambda code: table.execute("INSERT INTO codes VALUES (?, 'G')", [code]), attempts=3
            )
        assert "3 generated IDs conflicted" in refusal.value.__notes__[0]
        assert next(codes) == 7

    @pytest.mark.parametrize("wrong", [(200, "'G'"), (7, "NULL")])
    def test_no_other_error_is_tried_again(self, table: sqlite3.Connection, wrong: tuple[int, str]) -> None:
        codes = iter([wrong[0], 8])
        with pytest.raises(sqlite3.IntegrityError):
            saiban.insert_unique(
                codes.__next__, lambda code: table.execute(f"INSERT INTO codes VALUES ({code}, {wrong[1]})")
            )
        assert next(codes) == 8

    def test_a_savepoint_keeps_the_rest_of_the_transaction(self, table: sqlite3.Connection) -> None:
        @contextmanager
        def savepoint() -> Iterator[None]:
            table.execute("SAVEPOINT attempt")
            try:
                yield
            except BaseException:
                table.execute("ROLLBACK TO attempt")
                raise
            finally:
                table.execute("RELEASE attempt")

        def insert(code: int) -> None:
            table.execute("INSERT INTO codes VALUES (?, 'half of it')", [code + 50])
            table.execute("INSERT INTO codes VALUES (?, 'G')", [code])

        table.execute("BEGIN")
        saiban.insert_unique(iter([1, 7]).__next__, insert, savepoint=savepoint)
        table.execute("COMMIT")
        rows = table.execute("SELECT code FROM codes WHERE owner != 'Ada' ORDER BY code").fetchall()
        assert rows == [(7,), (57,)]

    def test_asyncio_awaits_the_insert(self) -> None:
        taken = {1, 2}

        async def insert(code: int) -> int:
            if code in taken:
                error = sqlite3.IntegrityError("UNIQUE constraint failed")
                error.sqlite_errorcode = 2067
                raise error
            return code

        assert asyncio.run(saiban.insert_unique_async(iter([1, 2, 3]).__next__, insert)) == 3

    def test_attempts_below_1_are_refused(self) -> None:
        with pytest.raises(saiban.InvalidArgumentError, match="attempts is 0"):
            saiban.insert_unique(int, int, attempts=0)

"""Leases and processes: fork, multiprocessing, and the end of a program."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import saiban
from stores import UNREACHABLE, Server, acquire, snowflakes
from test_fork import in_child
from test_leases import SCHEMES, outcome, until


def made_in_child(ids: saiban.Generator, count: int) -> list[int]:
    """Returns this many IDs from a forked child."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(writing, "w") as pipe:
                pipe.write(" ".join(map(str, ids.generate_many(count))))
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        made = [int(id) for id in pipe.read().split()]
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return made


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite://{tmp_path}/ids.db"


class TestFork:
    @pytest.mark.parametrize("name", SCHEMES)
    def test_a_child_has_different_nodes_and_the_parent_continues(self, url: str, name: str) -> None:
        options, make = SCHEMES[name]
        with acquire(url, **options) as lease:
            ids = make(lease)
            made = [ids.generate_many(100)]
            made += [made_in_child(ids, 100) for _ in range(2)]
            made.append(ids.generate_many(100))
            assert len({id for each in made for id in each}) == 400
            nodes = [{ids.inspect(id).node for id in each} for each in made]
            assert nodes[0] == nodes[3] == set(lease.nodes)
            assert nodes[0].isdisjoint(nodes[1] | nodes[2])
            assert lease.status().grants == 1

    @pytest.mark.parametrize("first", ["nodes", "status", "renew", "try_generate", "generate_text"])
    def test_the_first_call_in_a_child_acquires_a_lease(self, url: str, first: str) -> None:
        lease = acquire(url)
        ids = snowflakes(lease)
        mine = ids.inspect(ids.generate()).node

        def ask() -> None:
            assert "nodes=None" in repr(lease)
            ask = getattr(lease if hasattr(lease, first) else ids, first)
            if callable(ask):
                ask()
            assert mine not in lease.nodes
            assert ids.inspect(ids.generate()).node in lease.nodes
            assert lease.status().grants == 1

        assert in_child(ask) == "OK"
        assert lease.nodes == range(mine, mine + 1)

    def test_a_child_of_a_store_in_memory_is_refused_as_forked(self) -> None:
        lease = acquire("memory:forked")
        ids = snowflakes(lease)
        ids.generate()
        for act in (ids.generate, ids.try_generate, lease.status, lease.renew, lambda: lease.nodes):
            assert in_child(act) == "FORKED"
        assert in_child(lease.release) == "OK"
        assert in_child(lambda: acquire("memory:other").release()) == "OK"
        assert ids.inspect(ids.generate()).node in lease.nodes

    def test_a_child_does_not_release_its_parents_lease(self, url: str) -> None:
        ids = snowflakes(acquire(url, nodes=1024))
        ids.generate()
        lease = acquire(url, namespace="other")

        def drop() -> None:
            nonlocal ids
            del ids
            lease.release()

        assert in_child(drop) == "OK"
        assert outcome(lambda: acquire(url)) == "NAMESPACE_FULL"
        assert lease.status().state == "active"
        ids.generate()

    def test_threads_of_a_child_go_on_while_its_lease_is_waited_for(self) -> None:
        with Server("etcd") as server:
            lease = acquire(server.url, create=True, wait_s=1)
            ids = snowflakes(lease)
            ids.generate()
            server.order("stop")

            def ask() -> None:
                kinds: list[str] = []
                thread = threading.Thread(target=lambda: kinds.append(outcome(ids.generate)))
                thread.start()
                counted = 0
                while thread.is_alive():
                    counted += 1
                assert counted > 100
                assert kinds == ["STORE_UNAVAILABLE"]

            assert in_child(ask) == "OK"
            server.order("start")
            assert in_child(lambda: until(lambda: outcome(ids.generate) == "OK", "a lease of the child's")) == "OK"


HEAD = """
import atexit, multiprocessing, os, sys, threading, time
import saiban

def ids_of(url):
    return saiban.Snowflake(lease=saiban.Lease.acquire(url))

def work(url):
    ids_of(url).generate()

def more(count):
    return ids.generate_many(count)

def run(method, target, *arguments):
    context = multiprocessing.get_context(method)
    children = [context.Process(target=target, args=arguments) for _ in range(2)]
    for child in children:
        child.start()
    for child in children:
        child.join()
        assert child.exitcode == 0

def for_ever(act):
    def loop():
        while True:
            act()
    for _ in range(3):
        threading.Thread(target=loop, daemon=True).start()
    time.sleep(0.1)

if __name__ == "__main__":
    url = sys.argv[1]
"""

#: Programs that end without releasing a lease, and their number of leases.
ENDS = {
    "a lease": ("lease = saiban.Lease.acquire(url)", 1),
    "a generator": ("ids = ids_of(url); ids.generate()", 1),
    "what a function had": ("work(url)", 1),
    "a generator with a store": ("ids = saiban.Snowflake(store=url); ids.generate()", 1),
    "its lease alone": ("lease = saiban.Snowflake(store=url).lease", 1),
    "a generator that could not be made": (
        "try: saiban.Snowflake(store=url, node=7)\n    except saiban.InvalidArgumentError: pass",
        1,
    ),
    "a ring": ("ring = [saiban.Lease.acquire(url)]; ring.append(ring)", 1),
    "many": ("leases = [saiban.Lease.acquire(url, nodes=2) for _ in range(6)]", 6),
    "an exit": ("ids = ids_of(url); sys.exit(0)", 1),
    "an ID at the very end": ("ids = ids_of(url); atexit.register(ids.generate)", 1),
    "a thread": ("ids = ids_of(url); threading.Thread(target=lambda: (time.sleep(0.2), ids.generate())).start()", 1),
    "threads that never end": ("ids = ids_of(url); for_ever(ids.generate)", 1),
    "threads that never end, and hold no GIL": ("ids = ids_of(url); for_ever(lambda: ids.generate_many(1_000))", 1),
    "fork": ("ids = ids_of(url); child = os.fork(); ids.generate()\n    if child: assert os.wait()[1] == 0", 2),
    "an idle fork": ("ids = ids_of(url); child = os.fork()\n    if child: assert os.wait()[1] == 0; ids.generate()", 1),
    "a store and fork": (
        "ids = saiban.Snowflake(store=url); child = os.fork(); ids.generate()\n    if child: assert os.wait()[1] == 0",
        2,
    ),
    "multiprocessing, fork": ("ids = ids_of(url); run('fork', ids.generate)", 3),
    "multiprocessing, spawn": ("ids = ids_of(url); run('spawn', work, url)", 3),
    "multiprocessing, forkserver": ("ids = ids_of(url); run('forkserver', work, url)", 3),
    "a pool": (
        "ids = ids_of(url)\n    with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "        made = [pool.apply(more, (10,)) for _ in range(20)]\n"
        "        pool.close()\n        pool.join()\n    assert len({id for each in made for id in each}) == 200",
        3,
    ),
}


#: Prints a lease's first node, and the nodes in use while a subinterpreter has a lease too, and
#: after it ends.
SUBINTERPRETER = """
import sqlite3, sys
import saiban

# One that shares the GIL, as mod_wsgi's do: others are refused the import.
try:
    import _interpreters as interpreters
    new = lambda: interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as interpreters
    new = interpreters.create if sys.version_info < (3, 12) else lambda: interpreters.create(isolated=False)

def taken():
    with sqlite3.connect(url.removeprefix("sqlite://")) as rows:
        return [node for (node,) in rows.execute("SELECT nodes_start FROM saiban_slots WHERE end_us > 0 ORDER BY 1")]

url = sys.argv[1]
lease = saiban.Lease.acquire(url)
other = new()
failed = interpreters.run_string(other, f"import saiban; lease = saiban.Lease.acquire({url!r})")
assert failed is None, failed
print(lease.nodes.start)
print(taken())
interpreters.destroy(other)
print(taken())
assert saiban.Snowflake(lease=lease).generate() > 0
lease.release()
"""


class TestEnd:
    def program(self, tmp_path: Path, body: str, url: str) -> subprocess.CompletedProcess[str]:
        program = tmp_path / "program.py"
        program.write_text(f"{HEAD}    {body}\n")
        return subprocess.run([sys.executable, program, url], capture_output=True, text=True)

    @pytest.mark.parametrize("name", ENDS)
    def test_a_program_ends_well_and_releases_its_leases(self, name: str, url: str, tmp_path: Path) -> None:
        body, leases = ENDS[name]
        done = self.program(tmp_path, body, url)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        rows = sqlite3.connect(tmp_path / "ids.db")
        ends = [end for (end,) in rows.execute("SELECT end_us FROM saiban_slots WHERE fence > 0")]
        rows.close()
        # A child may get nodes that another one has released.
        assert 1 <= len(ends) <= leases
        assert set(ends) == {0}

    @pytest.mark.parametrize(
        "body",
        [
            "lease = saiban.Lease.acquire('memory:end')",
            "ids = ids_of('memory:end')",
            "ids = saiban.Snowflake(store='memory:end')",
        ],
    )
    def test_a_program_with_a_store_in_memory_ends_well(self, body: str, tmp_path: Path) -> None:
        done = self.program(tmp_path, body, "")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    def test_a_program_whose_store_is_gone_ends_well(self, tmp_path: Path) -> None:
        with Server("redis") as server:
            program = tmp_path / "program.py"
            body = "lease = saiban.Lease.acquire(url, create=True); print('has', flush=True); input()"
            program.write_text(f"{HEAD}    {body}\n")
            command = [sys.executable, program, server.url]
            running = subprocess.Popen(
                command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            assert running.stdout is not None
            assert running.stdout.readline() == "has\n"
            server.order("stop")
            assert running.communicate("\n") == ("", "")
            assert running.returncode == 0

    def test_the_end_of_a_subinterpreter_releases_only_its_own_leases(self, url: str, tmp_path: Path) -> None:
        program = tmp_path / "program.py"
        program.write_text(SUBINTERPRETER)
        done = subprocess.run([sys.executable, program, url], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        mine, before, after = map(eval, done.stdout.splitlines())
        assert (len(before), after) == (2, [mine])

    def test_a_program_that_never_had_a_lease_ends_well(self, tmp_path: Path) -> None:
        body = f"try: saiban.Lease.acquire({UNREACHABLE[0]!r}, wait_s=1)\n    except saiban.StoreUnavailableError: pass"
        done = self.program(tmp_path, body, "")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

"""A Django project without settings for saiban: each process leases nodes in the project's
database.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from json import JSONDecodeError
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import databases
import pytest
import saiban
from databases import HELD, Databases, all_databases, knows_leases, names, rows
from gunicorn_server import PATIENCE_S, TESTS, WORKERS, Gunicorn, wait_until
from integrations import README

__all__ = ["all_databases"]

SNOWFLAKES = saiban.Snowflake(node=1_000)
ULID_FLAKES = saiban.UlidFlake(scalability=31)


def environment(url: str, **more: str) -> dict[str, str]:
    return os.environ | {"DJANGO_SETTINGS_MODULE": "leased.settings", "SHOP_DATABASE": url} | more


def manage(url: str, *arguments: str, **more: str) -> str:
    """Runs a command of manage.py, which must succeed, and returns its output."""
    command = [sys.executable, "-m", "django", *arguments]
    done = subprocess.run(command, cwd=TESTS, env=environment(url, **more), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@contextmanager
def running(command: list[str], log: Path, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a server and ends it with SIGTERM. Adds its output to an exception as a note."""
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output, **options) as process:
        try:
            yield process
        except BaseException as error:
            error.add_note(log.read_text())
            raise
        finally:
            os.killpg(process.pid, signal.SIGTERM) if options.get("start_new_session") else process.terminate()
            process.wait(PATIENCE_S)


def nodes_by_process(made: Iterable[tuple[object, int]]) -> dict[object, int]:
    """Returns the node of each process's keys. Each process has one, and they all differ."""
    nodes = defaultdict(set)
    for process, key in made:
        nodes[process].add(SNOWFLAKES.inspect(key).node)
    assert {len(of_one) for of_one in nodes.values()} == {1}, nodes
    by_process = {process: of_one.pop() for process, of_one in nodes.items()}
    assert len(set(by_process.values())) == len(by_process), by_process
    return by_process


def customers(url: str) -> list[tuple[str, int]]:
    return rows(url, "SELECT name, id FROM shop_customer")


@pytest.fixture(params=databases.KINDS)
def database(request: pytest.FixtureRequest, all_databases: Databases) -> str:
    """Returns the URL of an empty database."""
    return all_databases.new(request.param)


@pytest.fixture(params=("sqlite", "postgres"))
def shop(request: pytest.FixtureRequest, all_databases: Databases) -> str:
    """Returns the URL of a database with the project's tables, and with rows from a migration."""
    url = all_databases.new(request.param)
    manage(url, "migrate", "--verbosity", "0")
    return url


def test_commands_that_make_no_rows_lease_nothing_and_a_migration_releases_its_leases(database: str) -> None:
    # migrate always creates rows in its own table, whose key is DEFAULT_AUTO_FIELD.
    for command in ("check", "makemigrations --check --dry-run", "sqlmigrate shop 0001", "migrate --plan"):
        manage(database, *command.split())
    assert not knows_leases(database)
    manage(database, "migrate", "--verbosity", "0")
    assert len(customers(database)) == len(set(customers(database))) == 3
    assert knows_leases(database) and rows(database, HELD) == []


@pytest.mark.parametrize("kind", ["memory", *databases.KINDS])
def test_a_test_run_leases_from_its_test_database_and_leaves_nothing(kind: str, all_databases: Databases) -> None:
    database = all_databases.new("sqlite" if kind == "memory" else kind)
    more = {"SHOP_TEST_FILE": f"{databases.file_of(database)}-test.sqlite3"} if kind == "sqlite" else {}
    before = names(database)
    for arguments in ((), ("--parallel", "2")):
        output = manage(database, "test", "leased", "--noinput", *arguments, **more)
        assert re.search(r"^Ran 7 tests", output, re.M) and re.search("^OK$", output, re.M)
        assert output.count("Destroying test database") == (3 if arguments else 1)
        assert names(database) == before


def test_a_kept_test_database_has_no_leases_left(database: str) -> None:
    name = f"test_{database.rpartition('/')[2]}"
    test = f"{database.rpartition('/')[0]}/{name}"
    more = {"SHOP_TEST_FILE": str(databases.file_of(test))} if database.startswith("sqlite:") else {}
    for kept in ({}, {"SHOP_TEST_KEPT": "1"}):
        output = manage(database, "test", "leased", "--noinput", "--keepdb", **more, **kept)
        assert "Preserving test database" in output
        assert knows_leases(test) and rows(test, HELD) == []


#: Characters with a meaning in URLs.
STRANGE = "a b@c:d/e?f%g#h&i+[j]"
AS_STRANGE_USER = {
    "postgres": (
        f"CREATE ROLE \"{STRANGE}\" SUPERUSER LOGIN PASSWORD '{STRANGE}'",
        f'CREATE DATABASE "{STRANGE}"',
    ),
    "mysql": (
        *(f"CREATE USER '{STRANGE}'@'{host}' IDENTIFIED BY '{STRANGE}'" for host in ("127.0.0.1", "localhost")),
        *(f"GRANT ALL ON *.* TO '{STRANGE}'@'{host}'" for host in ("127.0.0.1", "localhost")),
        f"CREATE DATABASE `{STRANGE}`",
    ),
}


@pytest.mark.parametrize("kind", AS_STRANGE_USER)
def test_user_password_and_database_may_have_any_characters(kind: str, all_databases: Databases) -> None:
    database = all_databases.new(kind)
    for sql in AS_STRANGE_USER[kind]:
        rows(database, sql)
    server, strange = urlsplit(database), quote(STRANGE, safe="")
    url = f"{kind}://{strange}:{strange}@{server.hostname}:{server.port}/{strange}"
    socket = ""
    if kind == "mysql":
        # The project connects through the socket, and the test itself through the host.
        ((path,),) = rows(url, "SELECT @@socket")
        socket = f"?socket={quote(path)}"
    manage(f"{url}{socket}", "migrate", "--verbosity", "0")
    assert knows_leases(url) and rows(url, HELD) == []
    assert len(customers(url)) == 3


def test_workers_of_a_preloaded_gunicorn_have_different_nodes(shop: str) -> None:
    application = "django.core.wsgi:get_wsgi_application()"
    with Gunicorn(application, "--preload", environment=environment(shop)) as server:
        answers = server.get_from_all("/sell", 200)
        victim = answers[0].body["pid"]
        os.kill(victim, signal.SIGKILL)
        # Wait until the new worker has replied.
        wait_until(lambda: len({answer.body["pid"] for answer in answers}) > WORKERS or add(answers, server), "it")
    assert {answer.status for answer in answers} == {200}
    nodes_by_process((output["pid"], key) for _, output in answers for key in output["customers"])
    made = [key for _, output in answers for key in output["customers"]]
    assert {key for name, key in customers(shop) if name == "Ada"} == set(made)
    assert len(set(made)) == len(made) >= 4_000
    numbers = [number for _, output in answers for number in output["orders"]]
    assert len(set(numbers)) == len(numbers) == len(made)
    assert len({ULID_FLAKES.inspect(number).node for number in numbers}) == WORKERS + 1
    # Only the killed worker has not released its lease.
    assert {holder.rpartition("/")[2] for (holder,) in rows(shop, HELD)} == {str(victim)}


def add(answers: list[Any], server: Gunicorn) -> None:
    answers.append(server.get("/sell"))


def test_processes_of_celery_have_different_nodes(shop: str, tmp_path: Path) -> None:
    queue = tmp_path / "queue"
    (queue / "control").mkdir(parents=True)
    options = {"cwd": TESTS, "env": environment(shop, SHOP_QUEUE=str(queue))}
    tasks, rows_each = 24, 5
    send = f"from leased.tasks import sell\nfor _ in range({tasks}): sell.delay()"
    subprocess.run([sys.executable, "-c", send], check=True, **options)
    command = [sys.executable, "-m", "celery", "--app", "leased.tasks", "worker", "--loglevel", "INFO"]
    command += ["--pool", "prefork", "--concurrency", str(WORKERS), "--without-gossip", "--without-mingle"]

    def made() -> list[tuple[str, int]]:
        return [(name, key) for name, key in customers(shop) if name != "of a migration"]

    with running(command, tmp_path / "log", **options):
        wait_until(lambda: len(made()) == rows_each * tasks, "all tasks")
    assert len(nodes_by_process(made())) == WORKERS
    assert len({key for _, key in made()}) == rows_each * tasks
    assert rows(shop, HELD) == []


def test_a_reloaded_server_releases_its_node_and_repeats_nothing(shop: str, tmp_path: Path) -> None:
    project = tmp_path / "leased"
    shutil.copytree(TESTS / "leased", project)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "django", "runserver", address]
    options = {"cwd": tmp_path, "env": environment(shop), "start_new_session": True}

    def sell() -> dict[str, Any] | None:
        try:
            with urllib.request.urlopen(f"http://{address}/sell", timeout=PATIENCE_S) as answer:
                answers.append(json.load(answer))
        except (OSError, HTTPException, JSONDecodeError):
            # The server is starting or restarting, which may cut off a response. If it cuts off the
            # headers, the length is missing, and the body seems to be empty.
            return None
        return answers[-1]

    answers: list[dict[str, Any]] = []
    with running(command, tmp_path / "log", **options) as process:
        wait_until(sell, "the server")
        first = answers[-1]["pid"]
        assert first != process.pid, "the process that watches files is another"

        def is_another() -> bool:
            # Touch the file repeatedly, because the server may not have read its time yet.
            (project / "urls.py").touch()
            return sell() is not None and answers[-1]["pid"] != first

        wait_until(is_another, "the new process")
        last = answers[-1]["pid"]
        made = [key for output in answers for key in output["customers"]]
        assert sorted(set(made)) == made
        assert {holder.rpartition("/")[2] for (holder,) in rows(shop, HELD)} == {str(last)}


def test_the_two_commands_of_the_readme_stop_grants_after_a_restore(shop: str) -> None:
    asked = re.search(r"`manage\.py (shell -v 0 -c) \"(.*store_url.*)\"`", README)
    command = re.search(r"`saiban (lease quarantine --store) \"\$URL\" (--namespace snowflake)`", README)
    assert asked is not None and command is not None
    url = manage(shop, *asked[1].split(), asked[2]).strip()
    quarantine = [sys.executable, "-m", "saiban", *command[1].split(), url, *command[2].split()]
    output = subprocess.check_output(quarantine, text=True)
    assert output.startswith("snowflake: no lease is granted until ")
    make = "from leased.shop.models import Customer; Customer.objects.create(name='Ada')"
    done = subprocess.run(
        [sys.executable, "-m", "django", "shell", "-c", make],
        cwd=TESTS,
        env=environment(shop),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "saiban.exceptions.NamespaceQuarantinedError" in done.stderr
    assert "SAIBAN['snowflake'] leases its nodes from DATABASES['default']." in done.stderr

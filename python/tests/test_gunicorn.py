"""gunicorn with four workers: with one node, with forked copies, and with the README's recipe."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path

import pytest
import saiban
from conftest import SECRET
from gunicorn_server import TESTS, WORKERS, Answer, Gunicorn, wait_until
from integrations import README
from stores import Server


def recipe() -> str:
    """Returns the gunicorn.conf.py of the README, which gives each worker a node."""
    found = re.search(r"```python\n(# gunicorn\.conf\.py.*?)```", README, re.S)
    assert found is not None
    return found[1]


def pids(answers: list[Answer]) -> set[int]:
    return {answer.body["pid"] for answer in answers}


@pytest.mark.parametrize("options", [["--preload"], []], ids=["preloaded", "imported by each worker"])
def test_workers_that_have_the_same_node_never_repeat_each_other(options: list[str]) -> None:
    with Gunicorn("servers.made_at_import:application", *options) as server:
        answers = [*server.get_from_all("/", 1000), *server.get_from_all("/same-node", 1000)]
    assert {answer.status for answer in answers} == {200}
    # The IDs made at import must differ too: one before the fork, or one in each worker.
    first = {answer.body["first"] for answer in answers}
    assert len(first) == (1 if options else len(pids(answers)))
    made = [answer.body["id"] for answer in answers]
    assert len({*made, *first}) == len(made) + len(first)
    parts = saiban.Snowflake(node=1023)
    assert {parts.inspect(id).node for id in made} == {7}


def test_a_generator_of_one_process_made_before_gunicorn_forks_makes_no_ids_in_workers() -> None:
    of_process = {"SAIBAN_SCOPE": "process"}
    with Gunicorn("servers.made_at_import:application", "--preload", environment=of_process) as server:
        answers = server.get_from_all("/")
        assert len(pids(answers)) == WORKERS
        for status, body in answers:
            assert (status, body["kind"], body["class"]) == (500, "FORKED", "ForkedError")
            assert "made before a fork" in body["message"]
            assert "make one in this process, and if it takes a node with one of its own" in body["message"]

        for status, body in server.get_from_all("/same-node"):
            assert (status, body["kind"]) == (500, "NODE_IN_USE")
            assert "give each process nodes of its own" in body["message"]

        own = server.get_from_all("/own-node")
        made = [body["id"] for status, body in own if status == 200]
        assert len(made) == len(own)
        # The parent's ID from before the fork must differ too.
        assert len({*made, own[0].body["first"]}) == len(own) + 1
        assert pids(answers) == pids(own), "a worker has died"


def test_the_readmes_recipe_gives_workers_different_nodes() -> None:
    with Gunicorn("servers.made_in_worker:application", "--preload", config=recipe()) as server:
        answers = server.get_from_all("/snowflake", 200)
    nodes = {answer.body["pid"]: answer.body["node"] for answer in answers}
    assert sorted(nodes.values()) == list(range(WORKERS))
    made = [(id, body["node"]) for _, body in answers for id in body["ids"]]
    assert len({id for id, _ in made}) == len(made) >= 4000
    parts = saiban.Snowflake(node=1023)
    assert all(parts.inspect(id).node == node for id, node in made)


def test_a_worker_that_takes_over_from_a_killed_one_repeats_none_of_its_ids() -> None:
    # Randflake's ticks are seconds, so a worker can be killed and replaced within one.
    kills = 4
    answers: list[Answer] = []
    done = threading.Event()
    with Gunicorn("servers.made_in_worker:application", "--preload", config=recipe()) as server:

        def customer() -> None:
            while not done.is_set():
                try:
                    answers.append(server.get("/randflake"))
                except (OSError, HTTPException):
                    continue  # the worker was killed before it replied

        customers = [threading.Thread(target=customer) for _ in range(8)]
        for thread in customers:
            thread.start()
        try:
            wait_until(lambda: len(pids(list(answers))) == WORKERS, "an answer of every worker")
            killed: set[int] = set()
            while len(killed) < kills:
                living = pids(list(answers)) - killed
                # Kill the newest and the oldest worker in turns.
                victim = max(living) if len(killed) % 2 else min(living)
                os.kill(victim, signal.SIGKILL)
                killed.add(victim)
                wait_until(lambda: len(pids(list(answers)) - killed) == WORKERS, "an answer of the new worker")
        finally:
            done.set()
            for thread in customers:
                thread.join()
    assert {answer.status for answer in answers} == {200}
    assert {answer.body["node"] for answer in answers} == set(range(WORKERS)), "nodes are taken over"
    made = [(id, body["node"]) for _, body in answers for id in body["ids"]]
    assert len({id for id, _ in made}) == len(made)
    parts = saiban.Randflake(node=131071, secret=bytes(16))
    assert all(parts.inspect(id).node == node for id, node in made)


@contextmanager
def opened(kind: str, folder: Path) -> Iterator[str]:
    """Returns the URL of a store."""
    if kind == "sqlite":
        yield f"sqlite://{folder}/ids.db"
    else:
        with Server(kind) as server:
            yield server.url


@pytest.mark.parametrize("path", ["/snowflake", "/randflake"])
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_lease_acquired_before_gunicorn_forks_gives_workers_different_nodes(
    kind: str, path: str, tmp_path: Path
) -> None:
    kills = 2
    with (
        opened(kind, tmp_path) as store,
        Gunicorn("servers.leased:application", "--preload", environment={"SAIBAN_STORE": store}) as server,
    ):
        answers = server.get_from_all(path)
        killed: set[int] = set()
        while len(killed) < kills:
            victim = max(pids(answers) - killed)
            os.kill(victim, signal.SIGKILL)
            killed.add(victim)

            def asked_all(killed: frozenset[int] = frozenset(killed)) -> bool:
                with suppress(OSError, HTTPException):  # the worker was killed before it replied
                    answers.append(server.get(path))
                return len(pids(answers) - killed) == WORKERS

            wait_until(asked_all, "an answer of the new worker")
        answers += server.get_from_all(path)
    assert {answer.status for answer in answers} == {200}
    nodes = {answer.body["pid"]: answer.body["nodes"] for answer in answers}
    assert all(answer.body["nodes"] == nodes[answer.body["pid"]] for answer in answers), "a worker keeps its nodes"
    # A killed worker's nodes stay in use until its lease expires.
    assert len({node for each in nodes.values() for node in each}) == len(nodes) == WORKERS + kills
    made = [id for answer in answers for id in answer.body["ids"]]
    # The first process's ID from before the fork must differ too.
    assert len({*made, answers[0].body["first"]}) == len(made) + 1


def test_django_under_gunicorn_never_makes_a_key_twice(tmp_path: Path) -> None:
    database = tmp_path / "shop.sqlite3"
    environment = {"DJANGO_SETTINGS_MODULE": "servers.shop_settings", "SHOP_DATABASE": str(database)}
    migrate = [sys.executable, "-m", "django", "migrate", "--run-syncdb", "--verbosity", "0"]
    # The keys of Django's own tables are of type DEFAULT_AUTO_FIELD too.
    with_node = os.environ | environment | {"SAIBAN_NODE": "15"}
    subprocess.run(migrate, cwd=TESTS, env=with_node, check=True)
    application = "django.core.wsgi:get_wsgi_application()"
    with Gunicorn(application, "--preload", config=recipe(), environment=environment) as server:
        answers = server.get_from_all("/sell", 40)
    assert {answer.status for answer in answers} == {200}
    keys = {name: {answer.body[name] for answer in answers} for name in ("customer", "order", "product")}
    with sqlite3.connect(database) as rows:
        for name, made in keys.items():
            assert {key for (key,) in rows.execute(f"SELECT id FROM shop_{name}")} == made
            assert len(made) == len(answers)
    rows.close()
    orders = saiban.Snowflake(node=1023, layout=saiban.Layout.DISCORD)
    customers = saiban.Randflake(node=131071, secret=SECRET)
    for _, body in answers:
        assert orders.inspect(body["order"]).node == customers.inspect(body["customer"]).node == body["node"]

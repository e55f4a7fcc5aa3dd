"""A WSGI application that acquires its leases at import: with preloading, before the fork."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

import saiban

URL = os.environ["SAIBAN_STORE"]
SECRET = bytes(16)

IDS: dict[str, saiban.Generator] = {
    "/snowflake": saiban.Snowflake(lease=saiban.Lease.acquire(URL, create=True)),
    "/randflake": saiban.Randflake(
        secret=SECRET,
        lease=saiban.Lease.acquire(URL, namespace="hidden", scheme="randflake", secret=SECRET, create=True),
    ),
}
FIRST = {path: ids.generate() for path, ids in IDS.items()}


def application(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    ids = IDS[path]
    made = ids.generate_many(20)
    nodes = sorted({ids.inspect(id).node or 0 for id in made})
    answer = {"pid": os.getpid(), "ids": made, "nodes": nodes, "first": FIRST[path]}
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]

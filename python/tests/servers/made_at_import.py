"""A WSGI application that makes its generator at import: with preloading, before the fork.

The variable SAIBAN_SCOPE sets the generator's scope.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

import saiban

NODE = 7
SCOPE: Any = os.environ.get("SAIBAN_SCOPE")
ids = saiban.Snowflake(node=NODE, scope=SCOPE)
FIRST = ids.generate()


def attempt(_: object) -> str:
    """Calls the function; returns the kind of its error, or OK."""
    try:
        ids.generate()
    except saiban.SaibanError as error:
        return error.kind
    return "OK"


ROUTES: dict[str, Callable[[], int]] = {
    "/": ids.generate,
    "/same-node": lambda: saiban.Snowflake(node=NODE, scope=SCOPE).generate(),
    # Different for each worker, by process id, which is enough for these tests.
    "/own-node": lambda: saiban.Snowflake(node=8 + os.getpid() % 1000, scope=SCOPE).generate(),
}


def application(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
    answer: dict[str, Any] = {"pid": os.getpid(), "parent": os.getppid(), "first": FIRST}
    status = "200 OK"
    try:
        answer["id"] = ROUTES[environ["PATH_INFO"]]()
    except saiban.SaibanError as error:
        status = "500 Internal Server Error"
        answer |= {"kind": error.kind, "class": type(error).__name__, "message": str(error)}
    start_response(status, [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]

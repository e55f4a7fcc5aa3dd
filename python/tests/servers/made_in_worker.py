"""A WSGI application that makes its generators at the first request, with the worker's own node."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterable
from typing import Any

import saiban


@functools.cache
def snowflakes() -> saiban.Snowflake:
    return saiban.Snowflake(node=int(os.environ["SAIBAN_NODE"]))


@functools.cache
def randflakes() -> saiban.Randflake:
    return saiban.Randflake(node=int(os.environ["SAIBAN_NODE"]), secret=bytes(16))


MAKERS: dict[str, Callable[[], saiban.Generator]] = {"/snowflake": snowflakes, "/randflake": randflakes}


def application(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
    ids = MAKERS[environ["PATH_INFO"]]()
    answer = {"pid": os.getpid(), "node": int(os.environ["SAIBAN_NODE"]), "ids": ids.generate_many(20)}
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]

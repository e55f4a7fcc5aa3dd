"""No output of Python shows a secret. Inspection can try several secrets."""

from __future__ import annotations

import base64
import copy
import gc
import io
import json
import logging
import pickle
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import saiban
from conftest import NOW_MS, SECRET

OURS = bytes.fromhex("ab5345435245542d4f462d4f555253ef")
OLD = bytes.fromhex("00112233445566778899aabbccddeeff")


def forms(secret: bytes) -> list[str]:
    """Yields the notations of a secret, of all and of the larger part."""
    halves = (secret, secret[:8], secret[8:])
    return [
        *(part.hex() for part in halves),
        *(part.hex().upper() for part in halves),
        *(part.hex(" ") for part in halves),
        *(repr(part)[2:-1] for part in halves),
        *(part.decode("latin-1") for part in halves),
        *(", ".join(map(str, part)) for part in halves),
        base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
        str(int.from_bytes(secret, "big")),
        str(int.from_bytes(secret, "little")),
    ]


def error_of(act: Callable[[], Any]) -> Iterator[str]:
    """Yields all texts of this function's error, including the logged traceback."""
    log = io.StringIO()
    logger = logging.Logger("secrets")
    logger.addHandler(logging.StreamHandler(log))
    try:
        act()
    except Exception as error:
        logger.exception("failed")
        # Without local variables: the frames are the program's, which contain the secret.
        yield from traceback.format_exception(error)
        yield from (str(error), repr(error), repr(error.args), str(vars(error)), log.getvalue())
        if isinstance(error, saiban.SaibanError):
            yield repr(pickle.dumps(error))


def shown_of(value: object) -> Iterator[str]:
    """Yields all texts in which Python shows a value."""
    yield from (repr(value), str(value), f"{value}", ascii(value), repr(value.__doc__))
    for name in dir(value):
        attribute = getattr(value, name)
        if not callable(attribute):
            yield f"{attribute!r}"
    for act in (pickle.dumps, copy.copy, copy.deepcopy, json.dumps, vars, bytes, memoryview, value.__reduce_ex__):
        yield from error_of(lambda act=act: act(value))
    yield from (repr(referent) for referent in gc.get_referents(value))


def everything(clock: saiban.ManualClock) -> Iterator[str]:
    ids = saiban.Randflake(nodes=range(9), shards=3, secret=OURS, not_before=5, rollback="error", clock=clock)
    id = ids.generate()
    yield from shown_of(ids)
    yield from shown_of(ids.stats())
    yield from shown_of(ids.inspect(id))
    yield from (ids.to_text(id), ids.generate_text("hex"))
    for parts in saiban.inspect(id, secret=OURS, old_secrets=[OLD, bytearray(OLD)]):
        yield from shown_of(parts)
    clock.advance(-5_000)
    yield from error_of(ids.generate)
    yield from error_of(lambda: ids.from_text("not ours"))
    for wrong in (OURS * 2, OURS[:9], OURS.decode("latin-1"), [OURS], list(OURS), {OURS}, int.from_bytes(OURS, "big")):
        yield from error_of(lambda wrong=wrong: saiban.Randflake(node=9, secret=wrong))
        yield from error_of(lambda wrong=wrong: saiban.inspect(id, secret=wrong))
        yield from error_of(lambda wrong=wrong: saiban.inspect(id, secret=OURS, old_secrets=[OLD, wrong]))
    yield from error_of(lambda: saiban.inspect(id, secret=OURS, old_secrets=[OLD] * 20))
    yield from error_of(lambda: saiban.inspect(id, old_secrets=[OLD]))
    yield from error_of(lambda: saiban.Randflake(node=2**17, secret=OURS))
    yield from error_of(lambda: saiban.Randflake(node=1, secret=OURS, rollback="jump"))


def test_python_shows_a_secret_nowhere(clock: saiban.ManualClock) -> None:
    hidden = [form for secret in (OURS, OLD) for form in forms(secret)]
    count = 0
    for text in everything(clock):
        count += 1
        for form in hidden:
            assert form not in text, "a secret is shown"
    assert count > 300
    # Checks that the search itself works.
    assert any(form in f"the secret is {list(OURS)}" for form in hidden)


@pytest.mark.parametrize(("under", "index"), [(OURS, 0), (OLD, 1), (SECRET, 2)])
def test_inspect_shows_which_of_several_secrets_fitted(under: bytes, index: int) -> None:
    ids = saiban.Randflake(node=42, secret=under, clock=saiban.ManualClock(NOW_MS))
    # With the wrong secrets these IDs have times from 2044 on, which stay implausible until then.
    id = ids.compose(timestamp_ms=NOW_MS, node=42, sequence=21)
    for given in (id, ids.to_text(id)):
        found = saiban.inspect(given, secret=OURS, old_secrets=(OLD, bytearray(SECRET)), scheme="randflake")
        assert len(found) == 3
        assert (found[0].secret_index, found[0].node, found[0].timestamp_ms) == (index, 42, NOW_MS)
        assert sorted(parts.secret_index for parts in found) == [0, 1, 2]


@pytest.mark.parametrize("old_secrets", [None, (), []])
def test_inspect_shows_no_index_of_a_single_secret(old_secrets) -> None:
    (found,) = saiban.inspect(4594531474933654033, secret=SECRET, old_secrets=old_secrets, scheme="randflake")
    assert (found.node, found.secret_index) == (42, None)


def test_eight_secrets_can_be_tried() -> None:
    old = [bytes([number] * 16) for number in range(7)]
    found = saiban.inspect(4594531474933654033, secret=SECRET, old_secrets=old, scheme="randflake")
    assert len(found) == 8
    assert next(parts for parts in found if parts.secret_index == 0).node == 42

"""Waiting for counters in asyncio: a thread for each that is waited for, as long as anybody waits.

Not asyncio's own threads: they are few, and the program needs them for other things than to wait
for a server.
"""

from __future__ import annotations

import asyncio
import copy
import os
import threading
from collections import deque
from typing import Any

from saiban.exceptions import StoreUnavailableError

_lock = threading.Lock()
#: Who waits for the next numbers of a counter, the oldest first. A counter that is in here has a
#: thread.
_waiting: dict[Any, deque[asyncio.Future[Any]]] = {}


async def generated(counter: Any, wait_s: int) -> Any:
    """Returns the result of counter.generate(). All waiters together wait for at most wait_s."""
    future = asyncio.get_running_loop().create_future()
    _join(counter, future)
    try:
        # The thread's own wait for the store may have begun later, when it was this one's turn.
        return await asyncio.wait_for(future, wait_s)
    except TimeoutError:
        # In the words of generate().
        late = (
            f"the store has not answered within {wait_s} s (wait_s), and no numbers are prefetched: check that it runs "
            "and can be reached from here"
        )
        raise StoreUnavailableError(counter.status().why or late) from None


def _join(counter: Any, future: asyncio.Future[Any]) -> None:
    with _lock:
        waits = _waiting.get(counter)
        if waits is not None:
            waits.append(future)
            return
        waits = deque([future])
        # Nobody waits for this thread at the program's end.
        thread = threading.Thread(target=_serve, args=(counter, waits), name="saiban-wait", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            raise StoreUnavailableError(f"no thread could be started to wait for the store: {error}") from error
        _waiting[counter] = waits


def _serve(counter: Any, waits: deque[asyncio.Future[Any]]) -> None:
    """Requests one number after another until nothing waits."""
    while True:
        with _lock:
            while waits and waits[0].done():
                waits.popleft()
            if not waits:
                del _waiting[counter]
                return
            present = len(waits)
        try:
            number = counter.generate()
        except BaseException as error:
            # Callers that came meanwhile have not waited as long, so the request is repeated.
            for _ in range(present):
                _settle(waits.popleft(), None, copy.copy(error))
        else:
            # A number of a cancelled wait goes to the next waiter; without one it is skipped.
            while waits and not _settle(waits.popleft(), number, None):
                pass


def _settle(future: asyncio.Future[Any], number: Any, error: BaseException | None) -> bool:
    """Answers in the future's own thread; whether it is still awaited."""

    def settle() -> None:
        if future.done():
            return
        if error is None:
            future.set_result(number)
        else:
            future.set_exception(error)

    if future.done():
        return False
    try:
        future.get_loop().call_soon_threadsafe(settle)
    except RuntimeError:
        # Its event loop is closed.
        return False
    return True


def _forget() -> None:
    """In a forked process: these threads are the parent's."""
    global _lock
    _lock = threading.Lock()
    _waiting.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

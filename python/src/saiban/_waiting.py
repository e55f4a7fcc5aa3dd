"""Waits for IDs and numbers in asyncio.

A generator waits for the clock, with a timer. A counter waits for a server: it has a thread for as
long as a coroutine waits for it. asyncio's own threads are not used for that, because they are few,
and the program needs them for other work.
"""

from __future__ import annotations

import asyncio
import copy
import os
import threading
from collections import deque
from typing import Any

from saiban._native import attempt
from saiban.exceptions import StoreUnavailableError

_lock = threading.Lock()
#: The futures that wait for the next numbers of each counter, the oldest first. Each counter in
#: this dictionary has a thread.
_waiting: dict[Any, deque[asyncio.Future[Any]]] = {}

#: The shortest wait between two attempts at an ID. Shorter waits would only keep the loop busy if
#: the clock stands still.
_SHORTEST_WAIT_S = 0.001


async def made(ids: Any) -> Any:
    """Returns the result of ids.generate(), but waits with a timer."""
    waited_s = 0.0
    while True:
        id = attempt(ids, waited_s)
        if id is None:
            # A state file or a store of leases may block.
            return await asyncio.to_thread(ids.generate)
        # An ID is never a float.
        if not isinstance(id, float):
            return id
        wait_s = max(id, _SHORTEST_WAIT_S)
        await asyncio.sleep(wait_s)
        waited_s += wait_s


async def generated(counter: Any, wait_s: int) -> Any:
    """Returns the result of counter.generate(). All waiters together wait for at most wait_s."""
    future = asyncio.get_running_loop().create_future()
    _join(counter, future)
    try:
        # generate() in the thread limits its own wait too, which may begin later than this one:
        # when this future becomes the oldest.
        return await asyncio.wait_for(future, wait_s)
    except TimeoutError:
        # The message is that of generate().
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
        # As a daemon thread it does not delay the program's end.
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
            # Futures that were added meanwhile have waited less, so the request is repeated for
            # them.
            for _ in range(present):
                _settle(waits.popleft(), None, copy.copy(error))
        else:
            # The number of a cancelled future goes to the next one; without one it is skipped.
            while waits and not _settle(waits.popleft(), number, None):
                pass


def _settle(future: asyncio.Future[Any], number: Any, error: BaseException | None) -> bool:
    """Sets the future's result in its event loop. Returns whether the future was still awaited."""

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
        # The future's event loop is closed.
        return False
    return True


def _forget() -> None:
    """Clears the futures in a forked process, which has none of its parent's threads."""
    global _lock
    _lock = threading.Lock()
    _waiting.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

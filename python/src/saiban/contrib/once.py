"""Values that a process makes once for each key, while other threads wait for the value."""

from __future__ import annotations

import copy
import os
import threading
from collections.abc import Callable, Hashable, MutableMapping
from concurrent.futures import Future
from typing import Generic, TypeVar

__all__ = ["Once"]

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Once(Generic[Key, Value]):
    """Fills a mapping, and makes the value of each key once. A forked process begins with an empty
    mapping.

    values: the mapping, which may also drop values, as a WeakValueDictionary does. A Once lives as
    long as the process, so create it at module level.

    >>> from saiban.contrib.once import Once
    >>> squares = Once({})
    >>> squares.get(3, lambda key: key * key), squares.get(3, lambda key: 0)
    (9, 9)
    """

    def __init__(self, values: MutableMapping[Key, Value]) -> None:
        self._values = values
        #: The keys whose value a thread is making.
        self._making: dict[Key, Future[Value]] = {}
        self._lock = threading.Lock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._clear)

    def get(self, key: Key, make: Callable[[Key], Value]) -> Value:
        """Returns the value of a key. If the value is missing, `make` makes it.

        Raises what `make` raises: each waiting thread raises a copy, whose cause is the original.
        The next call tries again. KeyboardInterrupt, SystemExit and the like stop only the thread
        that makes the value: a waiting thread then makes the value.
        """
        while True:
            value = self._values.get(key)
            if value is not None:
                return value
            with self._lock:
                value = self._values.get(key)
                if value is not None:
                    return value
                is_ours = key not in self._making
                making = self._making.setdefault(key, Future())
            if is_ours:
                return self._make(key, make, making)
            error = making.exception()
            if error is None:
                return making.result()
            if isinstance(error, Exception):
                raise copy.copy(error) from error

    def _make(self, key: Key, make: Callable[[Key], Value], making: Future[Value]) -> Value:
        try:
            value = self._values[key] = make(key)
        except BaseException as error:
            self._making.pop(key, None)
            making.set_exception(error)
            raise
        self._making.pop(key, None)
        making.set_result(value)
        return value

    def _clear(self) -> None:
        # The parent's threads do not exist here, even if one held the lock or was making a value.
        self._lock = threading.Lock()
        self._making.clear()
        self._values.clear()

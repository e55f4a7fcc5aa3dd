"""When leases are given back: at the end of the process, and before a test database goes.

A process that is killed gives back nothing; its leases end by themselves.
"""

from __future__ import annotations

import atexit
import functools
import multiprocessing.process
import sys
from collections.abc import Callable
from pathlib import Path

from django.db.backends.base.creation import BaseDatabaseCreation

from saiban.contrib.django.stores import lease_file


def give_back_at_end(give_back: Callable[[], object]) -> None:
    """Calls this when the process ends. To be called in each process that has something to give back; once is enough."""
    atexit.unregister(give_back)
    atexit.register(give_back)
    # Two sorts of processes end without a word to atexit: those of multiprocessing (before Python 3.13), and Celery's.
    if multiprocessing.process.parent_process() is not None:
        from multiprocessing.util import Finalize

        Finalize(None, give_back, exitpriority=0)
    if "celery.signals" in sys.modules:
        shutdown = sys.modules["celery.signals"].worker_process_shutdown
        shutdown.connect(_Last(give_back), weak=False, dispatch_uid="saiban")


class _Last:
    """Calls this, whatever a signal says beside."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act

    def __call__(self, **_: object) -> None:
        self._act()


def give_back_before_test_databases_go(give_back: Callable[[str], object]) -> None:
    """Calls this with the name in DATABASES of a test database, before Django's test runner destroys or clones it.

    PostgreSQL does neither while somebody is connected. Django has no signal for that; test runners all call these two.
    """
    destroy, clone = BaseDatabaseCreation.destroy_test_db, BaseDatabaseCreation.clone_test_db

    @functools.wraps(destroy)
    def destroy_test_db(
        self: BaseDatabaseCreation,
        old_database_name: str | None = None,
        verbosity: int = 1,
        keepdb: bool = False,
        suffix: str | None = None,
    ) -> None:
        give_back(self.connection.alias)
        file = None if keepdb else _lease_file(self, suffix)
        destroy(self, old_database_name, verbosity, keepdb, suffix)
        if file is not None:
            file.unlink(missing_ok=True)

    @functools.wraps(clone)
    def clone_test_db(self: BaseDatabaseCreation, *args: object, **options: object) -> None:
        give_back(self.connection.alias)
        clone(self, *args, **options)

    BaseDatabaseCreation.destroy_test_db = destroy_test_db
    BaseDatabaseCreation.clone_test_db = clone_test_db


def _lease_file(creation: BaseDatabaseCreation, suffix: str | None) -> Path | None:
    """The file beside this test database, if it is SQLite's."""
    if creation.connection.vendor != "sqlite":
        return None
    settings = creation.connection.settings_dict if suffix is None else creation.get_test_db_clone_settings(suffix)
    return lease_file(creation.connection, settings["NAME"])

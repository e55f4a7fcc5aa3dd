"""Releases leases that the library would keep: at the end of Celery's processes, and before a test
database is destroyed or cloned.
"""

from __future__ import annotations

import functools
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from django.db.backends.base.creation import BaseDatabaseCreation

from saiban.contrib.django.stores import lease_file


def give_back_at_the_end_of_celery(give_back: Callable[[], object]) -> None:
    """Calls `give_back` at the end of this process, if it is one of Celery's pool.

    The library releases leases at Python's normal shutdown, and at the end of a multiprocessing
    child. Celery's processes reach neither, and are replaced often (worker_max_tasks_per_child).
    """
    if "celery.signals" in sys.modules:
        shutdown = sys.modules["celery.signals"].worker_process_shutdown
        shutdown.connect(lambda **_: give_back(), weak=False, dispatch_uid="saiban")


def give_back_before_test_databases_go(give_back: Callable[[str], object]) -> None:
    """Calls `give_back` with the name in DATABASES of a test database, before Django's test runner
    destroys or clones it.

    PostgreSQL refuses both while a connection is open. Django has no signal for this, so this
    function wraps the two methods that all test runners call.
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
            # Killed workers leave files of their leases in this folder.
            shutil.rmtree(file.with_name(f".{file.name}-saiban-holders"), ignore_errors=True)

    @functools.wraps(clone)
    def clone_test_db(self: BaseDatabaseCreation, *args: object, **options: object) -> None:
        give_back(self.connection.alias)
        clone(self, *args, **options)

    BaseDatabaseCreation.destroy_test_db = destroy_test_db
    BaseDatabaseCreation.clone_test_db = clone_test_db


def _lease_file(creation: BaseDatabaseCreation, suffix: str | None) -> Path | None:
    """Returns the file of leases beside this test database, if it is a SQLite database."""
    if creation.connection.vendor != "sqlite":
        return None
    settings = creation.connection.settings_dict if suffix is None else creation.get_test_db_clone_settings(suffix)
    return lease_file(creation.connection, settings["NAME"])

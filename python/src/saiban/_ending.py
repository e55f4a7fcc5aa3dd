"""Releases leases when the process ends."""

import atexit
import os
import sys

from saiban import _native

#: The multiprocessing child whose end is watched.
_watched = 0


def watch() -> None:
    """Watches the end of this process, which has a lease, if it is a multiprocessing child.

    Such a child ends without Python's normal shutdown: it runs its own finalizers, then exits at
    once.
    """
    global _watched
    processes = sys.modules.get("multiprocessing.process")
    if processes is None or processes.parent_process() is None or _watched == os.getpid():
        return
    _watched = os.getpid()
    from multiprocessing.util import Finalize

    # The finalizer with the lowest priority is called last.
    Finalize(None, _end_of_child, exitpriority=-1_000)


def _end_of_child() -> None:
    import threading

    # Other threads that still run may need IDs; the leases then expire.
    if threading.active_count() == 1:
        last.release()


#: The leases of this interpreter. Python drops this object once no other thread runs.
last = _native.LeaseEnd()
# atexit calls functions in the reverse order of registration, so this one runs after those of
# modules that were imported later, which may make IDs.
atexit.register(last.keep)

"""Releases leases when the process ends."""

import atexit
import os
import sys
import threading

from saiban import _native

#: The multiprocessing child whose end is watched.
_watched = 0


def watch() -> None:
    """This process has acquired a lease.

    A multiprocessing child ends without Python's normal shutdown: it runs its own finalizers, then
    exits at once.
    """
    global _watched
    processes = sys.modules.get("multiprocessing.process")
    if processes is None or processes.parent_process() is None or _watched == os.getpid():
        return
    _watched = os.getpid()
    from multiprocessing.util import Finalize

    # Those of a lower priority are called last.
    Finalize(None, _end_of_child, exitpriority=-1_000)


def _end_of_child() -> None:
    # Threads that still run may need IDs; then the leases end by themselves.
    if threading.active_count() == 1:
        last.release()


#: The leases of this interpreter. Python takes it apart when no other thread runs any more.
last = _native.LeaseEnd()
# Called in the order opposite to that of the imports: what was imported later may make IDs at its
# end.
atexit.register(last.keep)

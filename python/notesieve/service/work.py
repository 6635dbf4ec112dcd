"""Work in threads, with a limit of how much may wait and for how long."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from notesieve.service.problems import Problem

_Answer = TypeVar("_Answer")


class WorkQueue:
    """A pool of threads that answers requests; the core releases the interpreter while it works.

    A thread cannot be stopped. Work that takes too long keeps its thread until it is done, so however many requests
    come, no more than `threads` are worked on.

    Parameters
    ----------
    threads : int
        How many requests are worked on at once.
    max_waiting : int
        How many may wait or be worked on.
    timeout : float
        Seconds after which a request is given up.
    """

    def __init__(self, threads: int, max_waiting: int, timeout: float) -> None:
        self._pool = ThreadPoolExecutor(threads, "notesieve-service")
        self._max_waiting = max_waiting
        self._timeout = timeout
        self._lock = threading.Lock()
        self._pending = 0

    @property
    def pending(self) -> int:
        """How many requests wait or are worked on."""
        return self._pending

    async def run(self, job: Callable[[], _Answer]) -> _Answer:
        """Run a function in a thread.

        Raises
        ------
        Problem
            With the status 503, if too many wait already or if the time is over.
        """
        if self._pending >= self._max_waiting:
            raise Problem(503, f"{self._max_waiting} requests wait already", {"retry-after": "1"})
        self._change_pending(1)
        future = self._pool.submit(job)
        future.add_done_callback(self._on_done)
        try:
            async with asyncio.timeout(self._timeout):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            reason = f"the work was not done within {self._timeout:g} seconds"
            raise Problem(503, reason, {"retry-after": "1"}) from None

    def close(self) -> None:
        """Begin nothing more, and drop what waits."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _change_pending(self, change: int) -> None:
        """Add to the number of requests that wait or are worked on."""
        with self._lock:
            self._pending += change

    def _on_done(self, future: Future[_Answer]) -> None:
        """Count a request as done."""
        del future
        self._change_pending(-1)

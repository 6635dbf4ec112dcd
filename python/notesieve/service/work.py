"""A thread pool with limits on the number of pending requests and on their time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from notesieve.service.problems import Problem

_Answer = TypeVar("_Answer")


class WorkQueue:
    """A thread pool that answers requests; the core releases the GIL while it works.

    Threads cannot be stopped. Work that exceeds the timeout keeps its thread until it is done, so that at most
    `threads` requests are processed at once.

    Parameters
    ----------
    threads : int
        The number of requests processed at once.
    max_waiting : int
        The maximum number of pending requests, which wait or are being processed.
    timeout : float
        The time in seconds after which a request is given up.
    """

    def __init__(self, threads: int, max_waiting: int, timeout: float) -> None:
        self._pool = ThreadPoolExecutor(threads, "notesieve-service")
        self._max_waiting = max_waiting
        self._timeout = timeout
        self._lock = threading.Lock()
        self._pending = 0

    @property
    def pending(self) -> int:
        """The number of requests that wait or are being processed."""
        return self._pending

    async def run(self, job: Callable[[], _Answer]) -> _Answer:
        """Run a function in a thread.

        Raises
        ------
        Problem
            With the status 503 if too many requests are pending, or after the timeout.
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
        """Start no further work, and cancel what waits."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _change_pending(self, change: int) -> None:
        """Change the number of pending requests."""
        with self._lock:
            self._pending += change

    def _on_done(self, future: Future[_Answer]) -> None:
        """Count a request as done, in any thread."""
        del future
        self._change_pending(-1)

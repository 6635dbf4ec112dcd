"""Metrics of the service in the Prometheus text format. No label contains text of a request."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counts and times of requests, and counts of notes. Not thread-safe: only the event loop updates it.

    Examples
    --------
    >>> metrics = Metrics()
    >>> metrics.count_request("scrub", 200, 0.03)
    >>> text = metrics.prometheus_text(pending=0, version="0.1.0")
    >>> 'notesieve_requests_total{endpoint="scrub",status="200"} 1' in text
    True
    """

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, float] = {}
        self._times: Counter[tuple[str, float]] = Counter()
        self._counts: Counter[str] = Counter()
        self._removed: Counter[str] = Counter()
        self._characters = 0
        self._notes = 0

    def count_request(self, endpoint: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self._requests[endpoint, status] += 1
        self._seconds[endpoint] = self._seconds.get(endpoint, 0.0) + seconds
        self._counts[endpoint] += 1
        for bucket in _BUCKETS:
            if seconds <= bucket:
                self._times[endpoint, bucket] += 1

    def count_note(self, characters: int, removed: Iterable[str]) -> None:
        """Count a scrubbed note, and its removals by category."""
        self._notes += 1
        self._characters += characters
        self._removed.update(removed)

    def prometheus_text(self, *, pending: int, version: str) -> str:
        """Return all metrics in the Prometheus text format, version 0.0.4."""
        return "\n".join([*self._prometheus_lines(pending, version), ""])

    def _prometheus_lines(self, pending: int, version: str) -> Iterator[str]:
        yield from _metric_header("notesieve_build_info", "gauge", "The version of notesieve.")
        yield f'notesieve_build_info{{version="{version}"}} 1'
        yield from _metric_header("notesieve_requests_total", "counter", "Requests that were answered.")
        for (endpoint, status), count in sorted(self._requests.items()):
            yield f'notesieve_requests_total{{endpoint="{endpoint}",status="{status}"}} {count}'
        yield from _metric_header("notesieve_request_seconds", "histogram", "Time from the first byte to the answer.")
        for endpoint in sorted(self._counts):
            for bucket in _BUCKETS:
                count = self._times[endpoint, bucket]
                yield f'notesieve_request_seconds_bucket{{endpoint="{endpoint}",le="{bucket:g}"}} {count}'
            yield f'notesieve_request_seconds_bucket{{endpoint="{endpoint}",le="+Inf"}} {self._counts[endpoint]}'
            yield f'notesieve_request_seconds_sum{{endpoint="{endpoint}"}} {self._seconds[endpoint]:.6f}'
            yield f'notesieve_request_seconds_count{{endpoint="{endpoint}"}} {self._counts[endpoint]}'
        yield from _metric_header("notesieve_pending_requests", "gauge", "Requests that wait or are worked on.")
        yield f"notesieve_pending_requests {pending}"
        yield from _metric_header("notesieve_notes_total", "counter", "Notes that were scrubbed.")
        yield f"notesieve_notes_total {self._notes}"
        yield from _metric_header("notesieve_characters_total", "counter", "Characters of de-identified text.")
        yield f"notesieve_characters_total {self._characters}"
        yield from _metric_header("notesieve_removed_total", "counter", "Stretches of text that were removed.")
        for category, count in sorted(self._removed.items()):
            yield f'notesieve_removed_total{{category="{category}"}} {count}'
        resident = _resident_bytes()
        if resident is not None:
            yield from _metric_header("process_resident_memory_bytes", "gauge", "Resident memory.")
            yield f"process_resident_memory_bytes {resident}"


def _metric_header(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP {name} {about}", f"# TYPE {name} {kind}"


def _resident_bytes() -> int | None:
    """Return the resident memory of the process; None if it is unknown, as outside Linux."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError, IndexError):
        return None

"""Load, latency and first paint of `notesieve serve` on loopback.

    python tests/benchmarks/service_load.py [--seconds 60] [--clients 200] [-o report/service.json]

Starts the service, has each of many clients ask without a pause, and counts what was not answered, or wrongly. Each
client sends notes of 2 kB to be scrubbed, explained, autocoded and verified, small batches, and now and then something
malformed, which must get a 4xx. Then the time of a note of 10 kB alone, and, in chromium, the first paint of the page
and the time from a paste to the scrubbed note. Ends with status 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import notesieve as ns
from generate_notes import generate
from marked_text import write_figures_if_asked

LOST, GROWTH, NOTE_MS, PAINT_MS = 0, 1.10, 150.0, 300.0
# Memory is first measured after this share of the run, when the service is warm.
WARM = 0.25
REPEATS = 21
WITH_BODY = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class LoadResults:
    """The results of all clients."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.wrong_responses = 0
        self.memory: list[float] = []


def prepare_requests() -> list[tuple[str, bytes, int]]:
    """Return paths, bodies and expected statuses."""
    texts = [note.text[:2000] for note in generate(notes=40, seed=5)]
    clean = ns.Scrubber().scrub_many(texts).texts
    made: list[tuple[str, Any, int]] = []
    for at, text in enumerate(texts):
        made += [("/scrub", {"text": text}, 200), ("/scrub", {"text": text, "decisions": True}, 200)]
        made.append([
            ("/autocode", {"text": text}, 200),
            ("/explain", {"text": text, "start": 0, "end": 100}, 200),
            ("/verify", {"text": clean[at]}, 200),
            ("/scrub/batch", {"texts": texts[at : at + 5]}, 200),
            ("/scrub", {"note": text}, 422),
        ][at % 5])  # fmt: skip
    return [(path, json.dumps(body).encode(), status) for path, body, status in made]


async def send_request(streams: Any, path: str, body: bytes) -> tuple[int, bytes]:
    reader, writer = streams
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    writer.write(f"{head}\r\n\r\n".encode() + body)
    await writer.drain()
    answer = await reader.readuntil(b"\r\n\r\n")
    found = WITH_BODY.search(answer)
    content = await reader.readexactly(int(found[1]) if found else 0)
    return int(answer.split(None, 2)[1]), content


async def run_client(
    port: int, number: int, until: float, run: LoadResults, asked: list[tuple[str, bytes, int]]
) -> None:
    streams = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until:
        number += 1
        path, body, expected = asked[number % len(asked)]
        begin = time.perf_counter()
        try:
            status, content = await send_request(streams, path, body)
        except (OSError, asyncio.IncompleteReadError):
            run.statuses[0] += 1
            streams = await asyncio.open_connection("127.0.0.1", port)
            continue
        run.seconds.append(time.perf_counter() - begin)
        run.statuses[status] += 1
        run.wrong_responses += status != expected or not json.loads(content)
    streams[1].close()


async def watch_memory(pid: int, until: float, run: LoadResults) -> None:
    """Record the resident memory in MB once a second."""
    while time.perf_counter() < until:
        await asyncio.sleep(1)
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        run.memory.append(pages * 4096 / 1e6)


async def run_load(port: int, pid: int, clients: int, seconds: float) -> LoadResults:
    run = LoadResults()
    asked = prepare_requests()
    until = time.perf_counter() + seconds
    working = [run_client(port, number * 7, until, run, asked) for number in range(clients)]
    await asyncio.gather(watch_memory(pid, until, run), *working)
    return run


async def median_time_alone(port: int, text: str) -> float:
    """Return the median time in ms of one request for a note without concurrent requests."""
    streams = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps({"text": text, "decisions": True}).encode()
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        await send_request(streams, "/scrub", body)
        times.append((time.perf_counter() - begin) * 1000)
    streams[1].close()
    return statistics.median(times)


PASTE = """text => new Promise((shown) => {
    const begin = performance.now();
    const result = document.getElementById("result");
    new MutationObserver(() => requestAnimationFrame(() => shown(performance.now() - begin)))
        .observe(result, { childList: true });
    const note = document.getElementById("note");
    note.value = text;
    note.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
})"""


def browser_times(port: int, text: str) -> tuple[float, float] | None:
    """Return the medians of the first paint and of the time from a paste to the scrubbed note, in ms."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        return None
    from playwright.sync_api import sync_playwright

    paints, pastes = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(REPEATS):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"http://127.0.0.1:{port}/", wait_until="networkidle")
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            pastes.append(page.evaluate(PASTE, text))
            page.close()
        browser.close()
    return statistics.median(paints), statistics.median(pastes)


def measure_load(clients: int, seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "notesieve", "serve", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        told = re.search(r":(\d+)/", process.stderr.readline())
        assert told
        port = int(told[1])
        run = asyncio.run(run_load(port, process.pid, clients, seconds))
        text = "\n".join(note.text for note in generate(notes=20, seed=6))[:10_000]
        note_ms = asyncio.run(median_time_alone(port, text))
        browser = browser_times(port, text)
    finally:
        process.terminate()
        process.communicate(timeout=60)
    times = statistics.quantiles(run.seconds, n=100)
    early = run.memory[: max(1, round(len(run.memory) * WARM))]
    return {
        "clients": clients,
        "seconds": seconds,
        "requests": sum(run.statuses.values()),
        "lost": run.statuses[0] + run.wrong_responses,
        "statuses": {str(status): count for status, count in sorted(run.statuses.items())},
        "median_ms": times[49] * 1000,
        "p99_ms": times[98] * 1000,
        "memory_warm_mb": early[-1],
        "memory_end_mb": run.memory[-1],
        "note_10kb_ms": note_ms,
        "first_paint_ms": browser and browser[0],
        "paste_to_result_ms": browser and browser[1],
        "exit_code": process.returncode,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    figures = measure_load(options.clients, options.seconds)
    print(json.dumps(figures, indent=2))
    write_figures_if_asked(options.output, figures)
    reached = {
        "no request is lost": figures["lost"] <= LOST,
        "memory is flat": figures["memory_end_mb"] <= GROWTH * figures["memory_warm_mb"],
        "a note of 10 kB": figures["note_10kb_ms"] <= NOTE_MS,
        "first paint": figures["first_paint_ms"] is None or figures["first_paint_ms"] <= PAINT_MS,
        "a graceful end": figures["exit_code"] == 0,
    }
    missed = [target for target, met in reached.items() if not met]
    print(f"missed: {', '.join(missed)}" if missed else "all targets are met")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())

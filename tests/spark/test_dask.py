"""Dask: the partitions of a frame on a cluster of processes."""

import dask.dataframe as dd
import pandas as pd
from dask.distributed import Client, LocalCluster

import notesieve as ns


def test_partitions_of_a_local_cluster() -> None:
    scrubber = ns.Scrubber()
    frame = pd.DataFrame(
        {
            "mrn": [str(at) for at in range(3000)],
            "note": [f"Dr. Brown saw no fever on 3/{1 + at % 28}/2006." if at % 10 else None for at in range(3000)],
            "year": range(3000),
        }
    )
    options = {"text": "note", "keep": ["year"], "index": "keep", "threads": 1, "progress": False}
    parts = dd.from_pandas(frame, npartitions=6)
    expected = scrubber.scrub_frame(parts.compute(), **options)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster):
        empty = scrubber.scrub_frame(parts.head(0), **options)
        found = parts.map_partitions(scrubber.scrub_frame, meta=empty, **options).compute()
    pd.testing.assert_frame_equal(found, expected)
    assert "mrn" not in found

"""Field kinds of HL7 version 2: a letter for each field of each segment, and the component roles of each kind.

Fields that are not listed here are removed. Fields are numbered from 1, as in the standard; field 1 of MSH is the
separator itself.
"""

from __future__ import annotations

KINDS: dict[str, dict[int, str]] = {
    "s": {0: "local-code"},  # a code, a status, a row number
    "k": {
        1: "code",
        2: "display",
        3: "local-code",
        4: "code",
        5: "display",
        6: "local-code",
        7: "code",
        8: "code",
        9: "text",
    },
    "n": {4: "title", 5: "title", 6: "title", 7: "code", 8: "code", 10: "date", 0: "name"},  # XPN
    "c": {
        1: "other-id",
        5: "title",
        6: "title",
        7: "title",
        8: "code",
        9: "hospital",
        10: "code",
        12: "other-id",
        13: "code",
        14: "hospital",
        0: "name",
    },  # XCN
    "a": {3: "city", 4: "state", 5: "zip", 6: "code", 7: "code", 9: "county", 0: "street"},  # XAD
    "p": {2: "code", 3: "code", 0: "contact"},  # XTN
    "i": {4: "hospital", 5: "code", 6: "hospital", 7: "date", 8: "date", 0: "other-id"},  # CX
    "o": {2: "code", 3: "other-id", 6: "hospital", 7: "code", 10: "other-id", 0: "hospital"},  # XON
    "l": {0: "hospital"},  # PL, HD
    "d": {1: "date"},
    "b": {1: "birth-date"},
    "u": {0: "other-id"},
    "m": {0: "number"},
    "t": {0: "text"},
    "w": {0: "display"},  # units
    "r": {0: "number"},  # reference ranges
    "q": {1: "number", 2: "code", 4: "date", 5: "date", 6: "code", 0: "unknown"},  # TQ: frequency and start
}
"""The role of each component; 0 stands for all others."""

VALUE_KINDS = {
    "NM": "m", "SN": "m", "SI": "m", "ST": "m", "TX": "t", "FT": "t", "CE": "k", "CWE": "k", "CF": "k", "CNE": "k",
    "IS": "s", "ID": "s", "DT": "d", "TS": "d", "DTM": "d", "TM": "-", "PN": "n", "XPN": "n", "XCN": "c", "CN": "c",
    "XAD": "a", "AD": "a", "XTN": "p", "TN": "p", "CX": "i", "CK": "i", "XON": "o", "NR": "m", "CQ": "m", "EI": "u",
    "PL": "l",
}  # fmt: skip
"""The kind of an observation's value by its data type; values of other types are removed."""

_SEGMENT_TABLE = """
MSH 3l 4l 5l 6l 7d 9s 10u 11s 12s 13s 15s 16s 17s 18s 19k 20s 21s
EVN 1s 2d 3d 4s 5c 6d 7l
PID 1s 2i 3i 4i 5n 6n 7b 8s 9n 10k 11a 12l 13p 14p 15k 16k 17k 18i 19u 20u 21i 22k 23l 24s 25s 26k 27k 28k 29d 30s
PID 31s 32s 33d 34l 35k
PD1 1s 2s 3o 4c 7s 8s 12s 13d
NK1 1s 2n 3k 4a 5p 6p 7k 8d 9d 10t 12i 13o 14k 15s 16b 20k 30n 31p 32a 33i 35k 37u
PV1 1s 2s 3l 4s 5i 6l 7c 8c 9c 10s 11l 13s 14s 15s 16s 17c 18s 19i 20s 21s 22s 36s 37l 38k 39l 41s 42l 43l 44d 45d
PV1 50i 51s 52c
PV2 1l 2k 3k 4k 7s 8d 9d 10m 11m 12t 13c 14d 15s 18s 19s 22s 23o 24s 25s 29d 33d 38k
ORC 1s 2u 3u 4u 5s 6s 7q 9d 10c 11c 12c 13l 14p 15d 16k 17k 18u 19c 20k 21o 22a 23p 24a 25k 26k 27d 28k 29k
OBR 1s 2u 3u 4k 5s 6d 7d 8d 9m 10c 11s 12k 13t 14d 15k 16c 17p 18u 19u 20u 21u 22d 24s 25s 27q 28c 30s 31k 32c 33c
OBR 34c 35c 36d 37m 44k 45k 46k 47k
OBX 1s 2s 3k 4s 6w 7r 8s 9m 10s 11s 12d 13s 14d 15l 16c 17k 18u 19d 20k 23o 24a 25c
NTE 1s 2s 3t 4k 5c 6d
DG1 1s 2s 3k 4t 5d 6s 7k 8k 9s 10s 15s 16c 17s 18s 19d 20u 21s
AL1 1s 2k 3k 4k 5t 6d
IAM 1s 2k 3k 4k 5t 6s 7u 8t 9k 11d 13d 14c 17k 18c
PR1 1s 2s 3k 4t 5d 6s 7m 8c 9s 10m 11c 12c 13k 14s 15k 16k 19u 20s
IN1 1s 2i 3i 4o 5a 6n 7p 8u 9o 10u 11o 12d 13d 14u 15s 16n 17k 18b 19a 20s 21s 22s 27s 28d 29d 30c 31s 32s 35s 36u
IN1 42k 43s 44a 45s 47s 48s 49i
IN2 1u 2u 3c 4s 6u 7n 8u 9n 10u 25u 26u 40n 42k 43k 52n 61u 63p 64p
GT1 1s 2i 3n 4n 5a 6p 7p 8b 9s 10s 11k 12u 13d 14d 15s 16n 17a 18p 19i 20s 21o 30k 33i 34s 35k 36k 42n 45n 46p 51o 52s
RXA 1s 2s 3d 4d 5k 6m 7k 8k 9t 10c 11l 12m 13m 14k 15u 16d 17l 18k 19k 20s 21s 22d 28o
RXE 2k 3m 4m 5k 6k 7t 10m 11k 12m 13c 14c 15u 16m 17m 18d 19m 21t 22m 23m 24k 25m 26k 27k
RXO 1k 2m 3m 4k 5k 6t 7t 9s 10k 11m 12k 13m 14c 15c 16s 17m 18m 19k
RXD 1s 2k 3d 4m 5k 6k 7u 8m 9t 10c 12m 16m 17k 18u 19d 20l
RXR 1k 2k 3k 4k 5k
RXC 1s 2k 3m 4k 5m 6k
RXG 1s 2s 3q 4k 5m 6m 7k 8k 9t 11l 14m 15m 16m 17k 18m 19k 20u 21d
SPM 1s 2u 3u 4k 5k 6k 7k 8k 9k 10k 11k 12m 13m 14t 16k 17d 18d 19d 20s 21k 22k 23k 24k 26m 27k
SAC 3u 4u 6k 7d 8k 9k
TXA 1s 2s 3s 4d 5c 6d 7d 8d 9c 10c 11c 12u 13u 14u 15u 16u 17s 18s 19s 22c 23c
SCH 1u 2u 3s 4u 5k 6k 7k 8k 9m 10k 11q 12c 13p 14a 15l 16c 17p 18a 19l 20c 21p 25k 26u 27u
AIS 1s 2s 3k 4d 5m 6k 7m 8k 10k
AIG 1s 2s 3k 4k 8d
AIL 1s 2s 3l 4k 6d
AIP 1s 2s 3c 4k 6d
TQ1 1s 2m 3s 4m 5m 6m 7d 8d 9k 10t 11t 12s 13m 14m
ROL 1u 2s 3k 4c 5d 6d 7k 8k 9k 10k 11a 12p
PRT 1u 2s 4k 5c 6s 7s 8o 9l 11d 12d 14a 15p
MRG 1i 2i 3i 4i 5i 6i 7n
ACC 1d 2k 3l 4k 5s 6s 7c 8t
UB1 1s
UB2 1s
DRG 1k 2d 3s 4s
MSA 1s 2u 3t 6k
ERR 2s 3k 4s 5k 7t 8t
QRD 1d 2s 3s 4u 8c 9k
FHS 2s 3l 4l 5l 6l 7d 9u 11u 12u
BHS 2s 3l 4l 5l 6l 7d 9u 11u 12u
BTS 1m 2t
FTS 1m 2t
DSC 1u 2s
"""


def _read_segments() -> dict[str, dict[int, str]]:
    segments: dict[str, dict[int, str]] = {}
    for line in _SEGMENT_TABLE.split("\n")[1:-1]:
        name, *fields = line.split()
        segments.setdefault(name, {}).update({int(field[:-1]): field[-1] for field in fields})
    return segments


SEGMENTS = _read_segments()
"""The kind of each field of each segment."""

"""The 29 sequences of CVC-ClinicDB's 612 stills, and the lists of them called CVC-12k."""

from bisect import bisect_right
from typing import Final

SEQUENCES: Final[dict[int, int]] = {
    1: 25,
    26: 25,
    51: 17,
    68: 11,
    79: 25,
    104: 23,
    127: 25,
    152: 26,
    178: 22,
    200: 6,
    206: 22,
    228: 25,
    253: 25,
    278: 20,
    298: 20,
    318: 25,
    343: 21,
    364: 20,
    384: 25,
    409: 20,
    429: 19,
    448: 19,
    467: 12,
    479: 25,
    504: 25,
    529: 18,
    547: 25,
    572: 20,
    592: 21,
}
"""Length of a sequence by the number of its first still; they follow each other without a gap."""

STILLS: Final = 612

PUBLISHED_TRAIN: Final = (
    *(104, 529, 448, 26, 343, 178, 429, 200, 127, 253),
    *(364, 592, 228, 68, 467, 206, 79, 479, 51, 572),
)
"""The 20 training sequences of CVC-12k as published with Endo-FM, by their first still."""

PUBLISHED_TEST: Final = (51, 318, 429, 1, 178, 253, 343, 68, 200)
"""The 9 test sequences, of which 7 are in training as well."""

_STARTS: Final = sorted(SEQUENCES)


def place_of(number: int) -> tuple[int, int]:
    """Return the first still of the sequence of a still (1..612), and the index in it from 0.

    Raises ValueError for a number that is none of the 612 stills.
    """
    if not 1 <= number <= STILLS:
        raise ValueError(f"still {number} is none of CVC-ClinicDB's 1 to {STILLS}")
    start = _STARTS[bisect_right(_STARTS, number) - 1]
    return start, number - start


def sequence_id(start: int) -> str:
    """Return the case_id of the sequence that starts with a still."""
    return f"cvc-clinicdb/sequence-{start:03d}"

"""UUID, TypeID, ULID and ObjectId: compares IDs and parsed parts with Python packages. Also writes
IDs of these packages, which saiban then reads.

Usage: compare_family.py LINES THEIRS SEED COUNT
       LINES is a file that `saiban-vectors --parity-family` printed; THEIRS is written, with COUNT
       IDs a generator, for `saiban-vectors --parity-read`

The packages are uuid (Python's own), uuid-utils, typeid-python, python-ulid and bson (pymongo's).
"""

from __future__ import annotations

import random
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import typeid
import ulid
import uuid_utils
from bson import objectid
from report import Row, Test, run

# From the first tick of UUID v1, 1582-10-15, to 1970.
V1_TICKS_BEFORE_1970 = 0x01B2_1DD2_1381_4000
LOW_62 = (1 << 62) - 1

# Values that the packages get instead of the wall clock and of random bits.
fixed = SimpleNamespace(time_ns=0, time_ms=0, random=b"")
time.time_ns = lambda: fixed.time_ns
objectid.time = SimpleNamespace(time=lambda: fixed.time_ns // 1_000_000_000)
ulid_generator = ulid.ULIDGenerator(lambda: fixed.time_ms, lambda _: fixed.random, ulid.PureRandomPolicy())

AnyUuid = uuid.UUID | uuid_utils.UUID


def ulid_line(made: ulid.ULID) -> Row:
    random_bits = int.from_bytes(made.bytes[6:], "big")
    return [str(made), str(int(made)), str(made.to_uuid()), str(made.milliseconds), str(random_bits)]


def uuid_v1_parts(made: AnyUuid) -> list[int]:
    return [(made.time - V1_TICKS_BEFORE_1970) // 10_000, made.clock_seq, made.node]


def uuid_v4_parts(made: AnyUuid) -> list[int]:
    return [made.int >> 80 << 74 | (made.int >> 64 & 0xFFF) << 62 | made.int & LOW_62]


def uuid_v7_parts(made: AnyUuid) -> list[int]:
    # Python's uuid has no accessor for the time of version 7 before Python 3.14.
    time_ms = made.timestamp if isinstance(made, uuid_utils.UUID) else made.int >> 80
    return [time_ms, (made.int >> 64 & 0xFFF) << 62 | made.int & LOW_62]


UUID_PARTS = {1: uuid_v1_parts, 4: uuid_v4_parts, 7: uuid_v7_parts}


def uuid_line(made: AnyUuid) -> Row:
    forms = [str(made), made.hex, f"{{{made}}}", made.urn, made.bytes_le.hex()]
    return [*forms, *map(str, UUID_PARTS[made.version](made))]


def type_id_line(made: typeid.TypeID) -> Row:
    of_uuid = uuid.UUID(str(made.uuid))
    return [str(made), str(of_uuid), *map(str, uuid_v7_parts(of_uuid))]


def object_id_line(made: objectid.ObjectId) -> Row:
    seconds = int(made.generation_time.timestamp())
    node, counter = (int.from_bytes(part, "big") for part in (made.binary[4:9], made.binary[9:]))
    return [str(made), str(seconds * 1000), str(node), str(counter)]


# The packages read saiban's IDs.


def ulid_reads(row: Row) -> bool:
    read = ulid.ULID.from_str(row[0])
    same = (ulid.ULID.from_int(int(row[1])), ulid.ULID.from_uuid(uuid.UUID(row[2])), ulid.ULID.from_str(row[0].lower()))
    return ulid_line(read) == row and all(other == read for other in same)


def uuid_reads(of: type[AnyUuid], version: int) -> Callable[[Row], bool]:
    def reads(row: Row) -> bool:
        read = of(row[0])
        same = (of(row[1]), of(row[2]), of(row[3]), of(bytes_le=bytes.fromhex(row[4])))
        known = (read.version, read.variant, read.bytes.hex()) == (version, uuid.RFC_4122, row[1])
        return known and uuid_line(read) == row and all(other == read for other in same)

    return reads


def type_id_reads(row: Row) -> bool:
    read = typeid.TypeID.from_string(row[0])
    return read.prefix == "sales_order" and type_id_line(read) == row


def object_id_reads(row: Row) -> bool:
    read = objectid.ObjectId(row[0])
    return object_id_line(read) == row and objectid.ObjectId(bytes.fromhex(row[0])) == read


# The packages make IDs from saiban's parts.


def ulid_makes(row: Row) -> bool:
    fixed.time_ms, fixed.random = int(row[3]), int(row[4]).to_bytes(10, "big")
    return str(ulid_generator.generate()) == row[0]


def uuid1_makes(row: Row) -> bool:
    time_ms, sequence, node = map(int, row[5:])
    fixed.time_ns = time_ms * 1_000_000
    uuid._last_timestamp = None
    return str(uuid.uuid1(node, sequence)) == row[0]


def fields_make(row: Row) -> bool:
    time_ms, sequence, node = map(int, row[5:])
    ticks = time_ms * 10_000 + V1_TICKS_BEFORE_1970
    fields = (ticks & 0xFFFF_FFFF, ticks >> 32 & 0xFFFF, ticks >> 48, sequence >> 8, sequence & 0xFF, node)
    return str(uuid_utils.UUID(fields=fields, version=1)) == row[0]


def v4_makes(of: type[AnyUuid]) -> Callable[[Row], bool]:
    def makes(row: Row) -> bool:
        random_bits = int(row[5])
        bits = random_bits >> 74 << 80 | (random_bits >> 62 & 0xFFF) << 64 | random_bits & LOW_62
        return str(of(int=bits, version=4)) == row[0]

    return makes


def v7_makes(row: Row) -> bool:
    time_ms, random_bits = map(int, row[5:])
    bits = time_ms << 80 | random_bits >> 62 << 64 | random_bits & LOW_62
    return str(uuid_utils.UUID(int=bits, version=7)) == row[0]


def type_id_makes(row: Row) -> bool:
    return str(typeid.TypeID.from_uuid(uuid.UUID(row[1]), prefix="sales_order")) == row[0]


def object_id_makes(row: Row) -> bool:
    time_ms, node, counter = map(int, row[1:])
    fixed.time_ns = time_ms * 1_000_000
    objectid.ObjectId._ObjectId__random, objectid.ObjectId._inc = node.to_bytes(5, "big"), counter
    return str(objectid.ObjectId()) == row[0]


def reading(subject: str, package: str, test: Callable[[Row], bool]) -> list[Test]:
    return [
        (subject, f"{package} reads what saiban composes, {subject}", test),
        (f"made-{subject}", f"{package} reads what saiban's generators make, {subject}", test),
    ]


TESTS: list[Test] = [
    *reading("ulid", "python-ulid", ulid_reads),
    ("ulid", "python-ulid makes the same ULIDs", ulid_makes),
    *(
        test
        for package, of in (("Python's uuid", uuid.UUID), ("uuid-utils", uuid_utils.UUID))
        for version in UUID_PARTS
        for test in reading(f"uuid-v{version}", package, uuid_reads(of, version))
    ),
    ("uuid-v1", "Python's uuid makes the same UUIDs v1", uuid1_makes),
    ("uuid-v1", "uuid-utils makes the same UUIDs v1", fields_make),
    ("uuid-v4", "Python's uuid makes the same UUIDs v4", v4_makes(uuid.UUID)),
    ("uuid-v4", "uuid-utils makes the same UUIDs v4", v4_makes(uuid_utils.UUID)),
    ("uuid-v7", "uuid-utils makes the same UUIDs v7", v7_makes),
    *reading("typeid", "typeid-python", type_id_reads),
    ("typeid", "typeid-python makes the same TypeIDs", type_id_makes),
    *reading("objectid", "pymongo's bson", object_id_reads),
    ("objectid", "pymongo's bson makes the same ObjectIds", object_id_makes),
]


# The packages' own IDs, which saiban reads, with random parts, and random times where a time can be
# set.


def generators(seed: int) -> Iterator[tuple[str, str, Callable[[], Row]]]:
    rng = random.Random(seed)

    def uuid1() -> Row:
        fixed.time_ns = (rng.getrandbits(60) - V1_TICKS_BEFORE_1970) * 100
        uuid._last_timestamp = None
        return uuid_line(uuid.uuid1(rng.getrandbits(48), rng.getrandbits(14)))

    def object_id() -> Row:
        fixed.time_ns = rng.getrandbits(32) * 1_000_000_000
        return object_id_line(objectid.ObjectId())

    yield "python-ulid", "ulid", lambda: ulid_line(ulid.ULID.from_timestamp(rng.getrandbits(48)))
    yield "Python's uuid, v1", "uuid-v1", uuid1
    yield "Python's uuid, v4", "uuid-v4", lambda: uuid_line(uuid.uuid4())
    yield "uuid-utils, v1", "uuid-v1", lambda: uuid_line(uuid_utils.uuid1(rng.getrandbits(48), rng.getrandbits(14)))
    yield "uuid-utils, v4", "uuid-v4", lambda: uuid_line(uuid_utils.uuid4())
    yield "uuid-utils, v7", "uuid-v7", lambda: uuid_line(uuid_utils.uuid7(nanoseconds=rng.getrandbits(64)))
    yield "pymongo's bson", "objectid", object_id
    yield "typeid-python", "typeid", lambda: type_id_line(typeid.TypeID(prefix="sales_order"))


def write_theirs(path: str, seed: int, count: int) -> None:
    with Path(path).open("w", encoding="ascii") as out:
        for name, subject, make in generators(seed):
            for _ in range(count):
                print(name, subject, *make(), sep="\t", file=out)


if __name__ == "__main__":
    lines, theirs, seed, count = sys.argv[1:]
    write_theirs(theirs, int(seed), int(count))
    sys.exit(run(TESTS, lines, "IDs"))

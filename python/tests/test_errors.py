"""Bad input causes the right kind of error, with the limits in its message, and no crash."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
import saiban
from conftest import NOW_MS, SECRET
from saiban import _native, exceptions

SNOWFLAKE = saiban.Snowflake(node=7, clock=saiban.ManualClock(NOW_MS))
RANDFLAKE = saiban.Randflake(node=7, secret=SECRET, clock=saiban.ManualClock(NOW_MS))
HUGE = 2**70


def snowflake(**arguments: Any) -> saiban.Snowflake:
    return saiban.Snowflake(**{"node": 7, "clock": saiban.ManualClock(NOW_MS)} | arguments)


def randflake(**arguments: Any) -> saiban.Randflake:
    return saiban.Randflake(**{"node": 7, "secret": SECRET, "clock": saiban.ManualClock(NOW_MS)} | arguments)


def ulid_flake(**arguments: Any) -> saiban.UlidFlake:
    return saiban.UlidFlake(**{"clock": saiban.ManualClock(NOW_MS)} | arguments)


#: A layout without a node, with a growing random part.
NO_NODE = saiban.Layout.from_text("timestamp:48 random:32,step=9")


def ulid_random(random: int) -> str:
    return saiban.Ulid().compose(timestamp_ms=NOW_MS, random=random)


def compose(**arguments: Any) -> int:
    return SNOWFLAKE.compose(**{"timestamp_ms": NOW_MS, "node": 7, "sequence": 0} | arguments)


def parts(**arguments: Any) -> saiban.Parts[int]:
    return saiban.Parts(**{"scheme": "snowflake", "id": 5, "timestamp_ms": NOW_MS} | arguments)


def use_up_the_tick() -> None:
    ids = snowflake()
    for _ in range(5000):
        ids.generate()


def step_back() -> None:
    clock = saiban.ManualClock(NOW_MS)
    ids = snowflake(clock=clock)
    for _ in range(4096):
        ids.generate()
    clock.advance(-10_000)
    ids.generate()


def test_a_panic_does_not_cross_and_the_process_lives() -> None:
    with pytest.raises(saiban.InternalError, match="a defect of saiban, please report it: on purpose"):
        _native.panics()
    assert SNOWFLAKE.generate() > 0


def test_every_kind_has_an_exception_and_none_is_missing() -> None:
    kinds = saiban.error_kinds()
    assert [number for number, _, _ in kinds] == list(range(1, len(kinds) + 1))
    for number, kind, meaning in kinds:
        name = "".join(word.capitalize() for word in kind.split("_")) + "Error"
        error = getattr(saiban, name)
        assert issubclass(error, saiban.SaibanError)
        assert (error.kind, error.number, " ".join((error.__doc__ or "").split())) == (kind, number, meaning)
        assert exceptions.BY_KIND[kind] is error
        assert name in saiban.__all__
    assert len(exceptions.BY_KIND) == len(kinds)


def test_bad_text_is_a_value_error_and_a_wrong_type_a_type_error() -> None:
    for kind, error in exceptions.BY_KIND.items():
        assert issubclass(error, TypeError) == (kind == "WRONG_TYPE")
        if kind.startswith("TEXT_"):
            assert issubclass(error, ValueError)


def test_errors_pickle_with_their_position() -> None:
    with pytest.raises(saiban.TextCharacterError) as raised:
        saiban.decode("0g", "hex")
    error = pickle.loads(pickle.dumps(raised.value))
    assert (type(error), str(error), error.position) == (saiban.TextCharacterError, str(raised.value), 1)


#: A call, the kind of its error, and text in its message: the limits and the value.
BAD_INPUT: dict[str, tuple[Callable[[], Any], str, str]] = {
    "secret of 15 bytes": (lambda: randflake(secret=bytes(15)), "INVALID_SECRET", "15 bytes: give 16"),
    "secret of 17 bytes": (lambda: randflake(secret=bytearray(17)), "INVALID_SECRET", "17 bytes: give 16"),
    "empty secret": (lambda: randflake(secret=b""), "INVALID_SECRET", "0 bytes: give 16"),
    "node above": (lambda: snowflake(node=1024), "NODE_OUT_OF_RANGE", "node 1024 .* 0 to 1023"),
    "node below": (lambda: snowflake(node=-1), "NODE_OUT_OF_RANGE", "node -1 .* 0 to 1023"),
    "node huge": (lambda: snowflake(node=HUGE), "NODE_OUT_OF_RANGE", "0 to 1023"),
    "node hugely negative": (lambda: randflake(node=-HUGE), "NODE_OUT_OF_RANGE", "0 to 131071"),
    "randflake node above": (lambda: randflake(node=131072), "NODE_OUT_OF_RANGE", "node 131072 .* 0 to 131071"),
    "scalability above": (lambda: ulid_flake(scalability=32), "NODE_OUT_OF_RANGE", "node 32 .* 0 to 31"),
    "nodes too many": (lambda: snowflake(node=None, nodes=range(1025)), "NODE_OUT_OF_RANGE", "0 to 1023"),
    "nodes empty": (lambda: snowflake(node=None, nodes=range(4, 4)), "NODE_OUT_OF_RANGE", "first < end"),
    "nodes huge": (lambda: snowflake(node=None, nodes=range(HUGE)), "NODE_OUT_OF_RANGE", "0 to 1023"),
    "nodes with gaps": (lambda: snowflake(node=None, nodes=range(0, 8, 2)), "INVALID_ARGUMENT", "step is 1"),
    "node and nodes": (lambda: snowflake(nodes=range(2)), "INVALID_ARGUMENT", "give one of them"),
    "no node": (lambda: saiban.Snowflake(), "NODE_REQUIRED", "node .0 to 1023."),
    "no node, randflake": (lambda: saiban.Randflake(secret=SECRET), "NODE_REQUIRED", "node .0 to 131071."),
    "negative time": (lambda: compose(timestamp_ms=-1), "TIMESTAMP_BEFORE_EPOCH", "-1 ms .* 1288834974657 ms"),
    "hugely negative time": (lambda: compose(timestamp_ms=-HUGE), "TIMESTAMP_BEFORE_EPOCH", "1288834974657 ms"),
    "time too late": (lambda: compose(timestamp_ms=2**43), "TIMESTAMP_OVERFLOW", "8796093022208 ms .* 3487858230208"),
    "huge time": (lambda: compose(timestamp_ms=HUGE), "TIMESTAMP_OVERFLOW", "3487858230208"),
    "sequence above": (lambda: compose(sequence=4096), "SEQUENCE_OUT_OF_RANGE", "4096 .* 0 to 4095"),
    "random above": (
        lambda: ulid_flake().compose(timestamp_ms=NOW_MS, random=2**20),
        "RANDOM_OUT_OF_RANGE",
        "1048576 .* 0 to 1048575",
    ),
    "window empty": (lambda: snowflake(window=(5, 5)), "INVALID_WINDOW", r"\[5, 5\)"),
    "window huge": (lambda: snowflake(window=(0, HUGE)), "INVALID_WINDOW", "start < end"),
    "window over": (lambda: snowflake(window=(NOW_MS - 9, NOW_MS)).generate(), "LEASE_EXPIRED", str(NOW_MS)),
    "window not begun": (
        lambda: randflake(window=(NOW_MS // 1000 + 9, NOW_MS // 1000 + 99)).generate(),
        "LEASE_NOT_BEGUN",
        f"{NOW_MS + 9000} ms",
    ),
    "wait needed": (use_up_the_tick, "WOULD_WAIT", "longest wait allowed is 2 ms"),
    "clock set back": (step_back, "CLOCK_BACKWARD", "10 s behind .* 2 ms"),
    "negative wait": (lambda: snowflake(max_wait_ms=-1), "INVALID_ARGUMENT", "max_wait_ms"),
    "clock before the epoch": (
        lambda: snowflake(clock=saiban.ManualClock(0)).generate(),
        "TIMESTAMP_BEFORE_EPOCH",
        "0 ms .* 1288834974657 ms",
    ),
    "clock cannot show": (lambda: saiban.ManualClock(-1), "CLOCK_UNAVAILABLE", "-1 ms"),
    "clock cannot show huge": (lambda: saiban.ManualClock(HUGE), "CLOCK_UNAVAILABLE", "18446744073709"),
    "id negative": (lambda: SNOWFLAKE.to_text(-1), "ID_OUT_OF_RANGE", "snowflake"),
    "id huge": (lambda: SNOWFLAKE.inspect(HUGE), "ID_OUT_OF_RANGE", "64-bit"),
    "id of 64 unsigned bits": (lambda: RANDFLAKE.inspect(2**63), "ID_OUT_OF_RANGE", "signed 64-bit"),
    "value huge": (lambda: saiban.encode(-HUGE, "hex"), "ID_OUT_OF_RANGE", "64-bit"),
    "inspect huge": (lambda: saiban.inspect(HUGE), "ID_OUT_OF_RANGE", "64-bit"),
    "bad character": (lambda: RANDFLAKE.from_text("3vgoe12!cb8gh"), "TEXT_CHARACTER", "'!' .position 7"),
    "half a surrogate pair": (lambda: saiban.decode("1\ud8002", "hex"), "TEXT_CHARACTER", "position 1"),
    "text too long": (lambda: RANDFLAKE.from_text("1" * 14), "TEXT_LENGTH", "14 characters: give 1 to 13"),
    "text empty": (lambda: saiban.decode("", "base62"), "TEXT_LENGTH", "0 characters"),
    "text overflows": (lambda: RANDFLAKE.from_text("v" * 13), "TEXT_OVERFLOW", "64 bits"),
    "text of the other case": (lambda: RANDFLAKE.from_text("3VGOE12CCB8GH"), "TEXT_NOT_CANONICAL", "position 1"),
    "leading zero": (lambda: SNOWFLAKE.from_text("01"), "TEXT_NOT_CANONICAL", "position 0"),
    "width above": (lambda: saiban.encode(1, "hex", width=17), "WIDTH_OUT_OF_RANGE", "1 to 16"),
    "width huge": (lambda: saiban.encode(1, "hex", width=HUGE), "WIDTH_OUT_OF_RANGE", "1 to 16"),
    "width too small": (lambda: saiban.encode(256, "hex", width=2), "WIDTH_OUT_OF_RANGE", "needs 3"),
    "unknown encoding": (lambda: saiban.encode(1, "base33"), "UNKNOWN_NAME", "base32hex"),
    "unknown scheme": (lambda: saiban.inspect(1, scheme="guid"), "UNKNOWN_NAME", "randflake"),
    "unknown preset": (lambda: saiban.Layout.preset("facebook"), "UNKNOWN_NAME", "twitter"),
    "unknown field": (lambda: saiban.Layout([("time", 64)]), "UNKNOWN_NAME", "timestamp"),
    "too few bits": (lambda: saiban.Layout([("timestamp", 15)]), "INVALID_LAYOUT", "15 bits .* 16 to 128"),
    "width of a field negative": (lambda: saiban.Layout([("node", -1)]), "INVALID_LAYOUT", "1 to 63"),
    "width of a field huge": (lambda: saiban.Layout([("node", HUGE)]), "INVALID_LAYOUT", "1 to 63"),
    "negative tick": (
        lambda: saiban.Layout([("timestamp", 41), ("node", 11), ("sequence", 12)], tick_us=-1),
        "INVALID_LAYOUT",
        "1 µs",
    ),
    "layout without node": (
        lambda: snowflake(layout=saiban.Layout([("unused", 11), ("timestamp", 41), ("sequence", 12)])),
        "INVALID_LAYOUT",
        "node",
    ),
    "entropy size 0": (lambda: ulid_flake(entropy_size=0), "INVALID_ENTROPY_SIZE", "1 to 3"),
    "scalable entropy size 3": (
        lambda: ulid_flake(scalability=1, entropy_size=3),
        "INVALID_ENTROPY_SIZE",
        "1 to 2",
    ),
    "unknown policy": (lambda: snowflake(rollback="jump"), "UNKNOWN_NAME", "jump.*hold, error or bits"),
    "unknown scope": (lambda: snowflake(scope="thread"), "UNKNOWN_NAME", "scope .*thread.*process or machine"),
    "scope machine with a clock of one's own": (
        lambda: randflake(scope="machine"),
        "STATE_UNAVAILABLE",
        'scope "machine" is not available .* give scope "process"',
    ),
    "scope machine of a stand-alone ulid-flake with a clock of one's own": (
        lambda: ulid_flake(scope="machine"),
        "STATE_UNAVAILABLE",
        'give scope "process"',
    ),
    "scope machine of random bits": (
        lambda: saiban.Flake(saiban.Layout.from_text("timestamp:48 random:80"), scope="machine"),
        "STATE_UNAVAILABLE",
        'give scope "process"',
    ),
    "policy bits without bits": (lambda: snowflake(rollback="bits"), "INVALID_LAYOUT", "with_rollback_bits"),
    "policy bits, randflake": (lambda: randflake(rollback="bits"), "INVALID_LAYOUT", "no rollback field"),
    "no shards": (lambda: snowflake(shards=0), "NODE_OUT_OF_RANGE", "0 shards .* 1 to 1,"),
    "more shards than nodes": (
        lambda: randflake(node=None, nodes=range(4), shards=5),
        "NODE_OUT_OF_RANGE",
        "5 shards .* 1 to 4,",
    ),
    "negative shards": (lambda: snowflake(shards=-HUGE), "NODE_OUT_OF_RANGE", "shards .* 1 to 1,"),
    "no jump": (lambda: snowflake(max_jump_s=0), "INVALID_ARGUMENT", "max_jump_s is below 1"),
    "negative jump": (lambda: ulid_flake(max_jump_s=-HUGE), "INVALID_ARGUMENT", "max_jump_s is below 1"),
    "not before the end of time": (lambda: snowflake(not_before=HUGE), "INVALID_WINDOW", "start < end"),
    "not before the window's end": (
        lambda: randflake(window=(1_730_000_010, 1_730_000_020), not_before=1_730_000_019),
        "INVALID_WINDOW",
        r"\[1730000020, 1730000020\)",
    ),
    "no rollback bits": (lambda: saiban.Layout.TWITTER.with_rollback_bits(0), "INVALID_LAYOUT", "0 bits"),
    "too many rollback bits": (
        lambda: saiban.Layout.TWITTER.with_rollback_bits(5),
        "INVALID_LAYOUT",
        "5 bits: give 1 to 4",
    ),
    "negative rollback bits": (lambda: saiban.Layout.TWITTER.with_rollback_bits(-1), "INVALID_LAYOUT", "0 bits"),
    "hugely many rollback bits": (
        lambda: saiban.Layout.TWITTER.with_rollback_bits(HUGE),
        "INVALID_LAYOUT",
        "bits: give 1 to 4",
    ),
    "rollback bits twice": (
        lambda: saiban.Layout.TWITTER.with_rollback_bits(1).with_rollback_bits(1),
        "INVALID_LAYOUT",
        "is given twice",
    ),
    "rollback above": (lambda: compose(rollback=1), "ROLLBACK_OUT_OF_RANGE", "rollback 1 .* 0 to 0"),
    "rollback below": (lambda: compose(rollback=-1), "ROLLBACK_OUT_OF_RANGE", "rollback -1 .* 0 to 0"),
    "nine secrets": (
        lambda: saiban.inspect(1, secret=SECRET, old_secrets=[SECRET] * 8),
        "INVALID_ARGUMENT",
        "at most 8",
    ),
    "old secrets without end": (
        lambda: saiban.inspect(1, secret=SECRET, old_secrets=iter(lambda: SECRET, None)),
        "INVALID_ARGUMENT",
        "at most 8",
    ),
    "old secrets alone": (
        lambda: saiban.inspect(1, old_secrets=[SECRET]),
        "INVALID_ARGUMENT",
        "give the newest of them as secret",
    ),
    "old secret of 15 bytes": (
        lambda: saiban.inspect(1, secret=SECRET, old_secrets=[bytes(15)]),
        "INVALID_SECRET",
        "15 bytes: give 16",
    ),
    "negative count": (lambda: SNOWFLAKE.generate_many(-1), "INVALID_ARGUMENT", "0 to 10000000"),
    "huge count": (lambda: SNOWFLAKE.generate_many(HUGE), "INVALID_ARGUMENT", "0 to 10000000"),
    "node is text": (lambda: snowflake(node="7"), "WRONG_TYPE", "node must be an integer, not str"),
    "node is a float": (lambda: snowflake(node=7.0), "WRONG_TYPE", "node must be an integer, not float"),
    "node is True": (lambda: snowflake(node=True), "WRONG_TYPE", "node must be an integer, not bool"),
    "nodes is a list": (lambda: snowflake(nodes=[0, 1]), "WRONG_TYPE", "nodes must be a range"),
    "window is a number": (lambda: snowflake(window=5), "WRONG_TYPE", r"window must be a pair \(start, end\)"),
    "a layout without end": (
        lambda: saiban.Layout(iter(lambda: ("unused", 1), None)),
        "INVALID_LAYOUT",
        "more than 16 fields",
    ),
    "window of three": (lambda: snowflake(window=(1, 2, 3)), "WRONG_TYPE", "window must be a pair"),
    "secret is text": (lambda: randflake(secret="0" * 16), "WRONG_TYPE", "secret must be 16 bytes, not str"),
    "secret is None": (lambda: randflake(secret=None), "WRONG_TYPE", "secret must be 16 bytes"),
    "layout is a number": (lambda: snowflake(layout=5), "WRONG_TYPE", "layout must be a saiban.Layout, .* not int"),
    "layout is bytes": (lambda: snowflake(layout=b"twitter"), "WRONG_TYPE", "layout must be a saiban.Layout"),
    "no layout has this name": (
        lambda: snowflake(layout="twiter"),
        "UNKNOWN_NAME",
        'no layout is named "twiter": give one of twitter',
    ),
    "a layout's text is wrong": (lambda: snowflake(layout="timestamp:41 nodes:10"), "INVALID_LAYOUT", "position 13"),
    "layouts are one text": (
        lambda: saiban.inspect(1, layouts="discord"),
        "WRONG_TYPE",
        "layouts must be a sequence of layouts, not str",
    ),
    "one of layouts is a number": (
        lambda: saiban.inspect(1, layouts=["discord", 5]),
        "WRONG_TYPE",
        "each of layouts must be a saiban.Layout, .* not int",
    ),
    "policy is a number": (lambda: snowflake(rollback=1), "WRONG_TYPE", "rollback must be text .str., not int"),
    "scope is a flag": (lambda: snowflake(scope=True), "WRONG_TYPE", "scope must be text .str., not bool"),
    "shards is text": (lambda: snowflake(shards="4"), "WRONG_TYPE", "shards must be an integer, not str"),
    "state is a number": (
        lambda: snowflake(state=5),
        "WRONG_TYPE",
        r"state must be a path \(str or os.PathLike\), not int",
    ),
    "state is bytes": (lambda: ulid_flake(state=b"ids"), "WRONG_TYPE", r"state must be a path .*, not bytes"),
    "old secrets are one": (
        lambda: saiban.inspect(1, secret=SECRET, old_secrets=SECRET),
        "WRONG_TYPE",
        "each of old_secrets must be 16 bytes, not int",
    ),
    "old secrets are a number": (
        lambda: saiban.inspect(1, secret=SECRET, old_secrets=5),
        "WRONG_TYPE",
        "old_secrets must be a sequence of secrets",
    ),
    "a number of a stats is negative": (
        lambda: saiban.Stats(issued=-1, waits=0, rollbacks=0, time_left_ms=0, guarantee="unique", scope="process"),
        "INVALID_ARGUMENT",
        "issued is negative",
    ),
    "a guarantee that is none": (
        lambda: saiban.Stats(issued=0, waits=0, rollbacks=0, time_left_ms=0, guarantee="certain", scope="process"),
        "INVALID_ARGUMENT",
        "give unique, unique_in_process or probable",
    ),
    "clock is a number": (lambda: snowflake(clock=NOW_MS), "WRONG_TYPE", "clock must be a saiban.ManualClock"),
    "id is a list": (lambda: SNOWFLAKE.inspect([]), "WRONG_TYPE", "id must be an integer, not list"),
    "text is a number": (lambda: SNOWFLAKE.from_text(5), "WRONG_TYPE", "text must be text .str., not int"),
    "text is bytes": (lambda: saiban.decode(b"ff", "hex"), "WRONG_TYPE", "text must be text .str., not bytes"),
    "lenient is a number": (lambda: SNOWFLAKE.from_text("5", lenient=1), "WRONG_TYPE", "True or False"),
    "encoding is a number": (lambda: saiban.encode(5, 62), "WRONG_TYPE", "encoding must be text"),
    "buffer is a list": (lambda: SNOWFLAKE.fill([0]), "WRONG_TYPE", "buffer .* signed 64-bit integers, not list"),
    "buffer of bytes": (lambda: SNOWFLAKE.fill(bytearray(8)), "WRONG_TYPE", "signed 64-bit integers"),
    "buffer is read-only": (lambda: SNOWFLAKE.fill(memoryview(bytes(8)).cast("q")), "WRONG_TYPE", "writable"),
    "ULID is a number": (lambda: saiban.Ulid().inspect(5), "WRONG_TYPE", "id must be text .str., not int"),
    "UUID is a number": (lambda: saiban.Uuid(7).to_text(5), "WRONG_TYPE", "id must be a uuid.UUID, not int"),
    "UUID of a ULID is text": (lambda: saiban.Ulid().from_uuid("5"), "WRONG_TYPE", "uuid must be a uuid.UUID, not str"),
    "ULID of 15 bytes": (lambda: saiban.Ulid().from_bytes(bytes(15)), "INVALID_ARGUMENT", "not a ULID: give 16"),
    "ObjectId of 16 bytes": (lambda: saiban.ObjectId().from_bytes(bytes(16)), "INVALID_ARGUMENT", "give 12"),
    "bytes are text": (lambda: saiban.ObjectId().from_bytes("0" * 12), "WRONG_TYPE", "bytes must be bytes, not str"),
    "GUID of 8 bytes": (lambda: saiban.uuid_from_guid_bytes(bytes(8)), "INVALID_ARGUMENT", "a GUID: give 16"),
    "ULID of another alphabet": (lambda: saiban.Ulid().to_bytes("U" * 26), "TEXT_CHARACTER", "position 0"),
    "ULID of 130 bits": (lambda: saiban.Ulid().from_text("8" + "Z" * 25), "TEXT_OVERFLOW", "128"),
    "wide random above": (lambda: ulid_random(2**80), "RANDOM_OUT_OF_RANGE", "1208925819614629174706176 .* 0 to 12089"),
    "wide random huge": (lambda: ulid_random(2**200), "RANDOM_OUT_OF_RANGE", "0 to 1208925819614629174706175"),
    "wide random negative": (lambda: ulid_random(-1), "RANDOM_OUT_OF_RANGE", "0 to 1208925819614629174706175"),
    "UUID version 3": (lambda: saiban.Uuid(3), "INVALID_ARGUMENT", "versions 1, 4 and 7"),
    "clock moved hugely": (
        lambda: saiban.ManualClock(0).advance(HUGE),
        "CLOCK_UNAVAILABLE",
        "cannot be moved by 1180591620717411303424 ms",
    ),
    "no Snowflake's layout": (
        lambda: saiban.Snowflake(node=1, layout=saiban.Layout.MASTODON),
        "INVALID_LAYOUT",
        "^the layout is not a Snowflake's.*Flake makes IDs of any layout$",
    ),
    "value of 32 bits negative": (
        lambda: saiban.encode(-1, "hex", bits=32),
        "ID_OUT_OF_RANGE",
        "numbers of 32 bits are unsigned .*: give 0 or more, below 2.32",
    ),
    "value of 96 bits huge": (lambda: saiban.encode(2**130, "hex", bits=96), "ID_OUT_OF_RANGE", "below 2.96"),
    "an ID of 32 bits negative": (lambda: saiban.inspect(-1, bits=32), "ID_OUT_OF_RANGE", "32 bits are unsigned"),
    "value is text": (lambda: saiban.encode("5", "hex"), "WRONG_TYPE", "^value must be an integer, not str"),
    "wide value is text": (lambda: saiban.encode("5", "hex", bits=96), "WRONG_TYPE", "^value must be an integer"),
    "no digits": (lambda: saiban.decode("-", "crockford", lenient=True), "TEXT_LENGTH", "has no digits"),
    "time of parts huge": (lambda: parts(timestamp_ms=HUGE), "INVALID_ARGUMENT", "timestamp_ms does not fit"),
    "nanoseconds of parts": (lambda: parts(submillisecond_ns=10**7), "INVALID_ARGUMENT", "give 0 to 999999"),
    "node of parts negative": (lambda: parts(node=-1), "INVALID_ARGUMENT", "0 or more, below 2.127"),
    "random of parts huge": (lambda: parts(random=2**127), "INVALID_ARGUMENT", "0 or more, below 2.127"),
    "secret of parts negative": (lambda: parts(secret_index=-1), "INVALID_ARGUMENT", "secret_index are 0 or more"),
    "part of the node of parts negative": (lambda: parts(node_parts={"a": -1}), "INVALID_ARGUMENT", "is negative"),
    "options of UUID v4": (
        lambda: saiban.Uuid(4, max_wait_ms=1),
        "INVALID_ARGUMENT",
        "uuid-v4 takes no max_wait_ms: it has no options but prefix; leave it out",
    ),
    "parts of another version": (
        lambda: saiban.Uuid(4).compose(timestamp_ms=1, random=1),
        "INVALID_ARGUMENT",
        "timestamp_ms is given, which IDs of uuid-v4 do not have: leave it out",
    ),
    "clock sequence above": (
        lambda: saiban.Uuid(1).compose(timestamp_ms=NOW_MS, clock_sequence=2**14, node=1),
        "SEQUENCE_OUT_OF_RANGE",
        "16384 .* 0 to 16383",
    ),
    "order of tick IDs": (lambda: saiban.TickId("down"), "UNKNOWN_NAME", "give ascending or descending"),
    "policy bits of a ULID": (lambda: saiban.Ulid(rollback="bits"), "INVALID_LAYOUT", "rollback field"),
    "a layout's fields in its place": (
        lambda: saiban.Flake([("timestamp", 64)]),
        "WRONG_TYPE",
        "layout must be a saiban.Layout, .* not list",
    ),
    "node of a layout without": (lambda: saiban.Flake(NO_NODE, node=1), "INVALID_ARGUMENT", "no node field"),
    "no node of a layout with": (lambda: saiban.Flake(saiban.Layout.TWITTER), "NODE_REQUIRED", "0 to 1023"),
    "wide sequence negative": (
        lambda: saiban.Flake(saiban.Layout.MASTODON).compose(timestamp_ms=NOW_MS, sequence=-1),
        "SEQUENCE_OUT_OF_RANGE",
        "0 to 65535",
    ),
    "sequence beside a growing random part": (
        lambda: saiban.Flake(NO_NODE).compose(timestamp_ms=NOW_MS, sequence=1),
        "SEQUENCE_OUT_OF_RANGE",
        "0 to 0",
    ),
    "wide value above": (lambda: saiban.encode(2**96, "hex", bits=96), "ID_OUT_OF_RANGE", "97 bits"),
    "wide value negative": (
        lambda: saiban.encode(-1, "hex", bits=96),
        "ID_OUT_OF_RANGE",
        "numbers of 96 bits are unsigned",
    ),
    "wide value huge": (lambda: saiban.encode(2**128, "hex", bits=128), "ID_OUT_OF_RANGE", "below 2.128"),
    "width of a number": (lambda: saiban.encode(1, "hex", bits=129), "INVALID_ARGUMENT", "129 .* 16 to 128"),
    "width of a number huge": (lambda: saiban.decode("1", "hex", bits=HUGE), "INVALID_ARGUMENT", "16 to 128"),
    "seconds are text": (
        lambda: saiban.Layout.TWITTER.collision_odds(1, "1"),
        "WRONG_TYPE",
        "seconds must be a number, not str",
    ),
    "fields is a number": (lambda: saiban.Layout(5), "WRONG_TYPE", "fields must be pairs"),
    "a field is text": (lambda: saiban.Layout(["node"]), "WRONG_TYPE", r"fields\[0\] must be a pair"),
    "time is text": (lambda: saiban.ManualClock("now"), "WRONG_TYPE", "timestamp_ms must be an integer"),
}


@pytest.mark.parametrize(("act", "kind", "message"), BAD_INPUT.values(), ids=BAD_INPUT.keys())
def test_bad_inputs_have_different_errors(act: Callable[[], Any], kind: str, message: str) -> None:
    with pytest.raises(saiban.SaibanError) as raised:
        act()
    assert raised.value.kind == kind
    assert type(raised.value) is exceptions.BY_KIND[kind]
    assert re.search(message, str(raised.value)), str(raised.value)
    # The process works, and so do the objects.
    assert SNOWFLAKE.inspect(1741610183685074945).node == 7


def flake(**parts: Any) -> int:
    layout = saiban.Layout.from_text("timestamp:48 node.rack:4 node.host:4 sequence:16 random:16")
    return saiban.Flake(layout, node=0).compose(**{"timestamp_ms": NOW_MS} | parts)


#: Calls that take an integer and must refuse one that fits no integer type of the core.
NUMBERS: dict[str, Callable[[int], Any]] = {
    "sequence": lambda number: compose(sequence=number),
    "sequence of a flake": lambda number: flake(sequence=number),
    "random of a flake": lambda number: flake(random=number),
    "rollback": lambda number: flake(rollback=number),
    "part of a node": lambda number: flake(node={"rack": 1, "host": number}),
    "random of a ULID": ulid_random,
    "clock sequence": lambda number: saiban.Uuid(1).compose(timestamp_ms=NOW_MS, clock_sequence=number, node=1),
    "random digits": lambda number: saiban.TickId().compose(timestamp_ms=NOW_MS, random=number),
    "time": lambda number: compose(timestamp_ms=number),
    "node": lambda number: compose(node=number),
    "node of a generator": lambda number: snowflake(node=number),
    "nodes, first": lambda number: snowflake(node=None, nodes=range(number, 9)),
    "nodes, end": lambda number: snowflake(node=None, nodes=range(9, number)),
    "window, start": lambda number: snowflake(window=(number, NOW_MS)),
    "window, end": lambda number: snowflake(window=(NOW_MS, number)),
    "shards": lambda number: snowflake(shards=number),
    "scalability": lambda number: ulid_flake(scalability=number),
    "entropy size": lambda number: ulid_flake(entropy_size=number),
    "clock": lambda number: saiban.ManualClock(number),
    "width": lambda number: saiban.encode(1, "hex", width=number),
    "bits": lambda number: saiban.encode(1, "hex", bits=number),
    "bits to read": lambda number: saiban.decode("1", "hex", bits=number),
}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(
    "number",
    [-5, -(2**70), 2**100, 2**130, 2**200, -(2**200), 2**100_000],
    ids=lambda number: f"{number.bit_length()} bits",
)
def test_a_refused_number_is_shown_as_it_was_given(name: str, number: int) -> None:
    if number == -5 and name in ("window, start",):
        number = -(2**64)
    with pytest.raises(saiban.SaibanError) as raised:
        NUMBERS[name](number)
    digits = f"{number:#x}" if number.bit_length() > 1024 else str(number)
    shown = digits if len(digits) <= 40 else f"{digits[:24]}… ({len(digits)} characters)"
    assert re.search(rf"(?<![\d-]){re.escape(shown)}(?!\d)", str(raised.value)), raised.value
    assert len(str(raised.value)) < 400


def test_the_error_of_a_call_shows_no_number_of_an_earlier_call() -> None:
    SNOWFLAKE.range(NOW_MS, 2**90)
    with pytest.raises(saiban.InvalidWindowError) as raised:
        SNOWFLAKE.range(NOW_MS, NOW_MS - 1)
    assert f"to {NOW_MS - 1} ms" in str(raised.value)


def test_nodes_of_two_generators_do_not_overlap() -> None:
    first = saiban.Snowflake(nodes=range(900, 910))
    with pytest.raises(saiban.NodeInUseError, match=r"\[900, 910\)"):
        saiban.Snowflake(nodes=range(905, 915))
    assert first.inspect(first.generate()).node in range(900, 910)


def test_missing_and_unknown_arguments_are_type_errors_of_python() -> None:
    for act in (lambda: saiban.Randflake(node=1), lambda: saiban.Snowflake(7), lambda: snowflake(worker=1)):
        with pytest.raises(TypeError):
            act()

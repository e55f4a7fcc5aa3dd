"""What typed programs write. mypy --strict checks this file, and test_types.py runs it."""

import array
import datetime
from typing import assert_type

import saiban


def sample() -> list[int]:
    clock = saiban.ManualClock(1_735_689_600_000)
    layout = saiban.Layout([("unused", 1), ("timestamp", 41), ("node", 10), ("sequence", 12)], epoch_ms=0, tick_us=1000)
    assert_type(saiban.Layout.DISCORD, saiban.Layout)
    snowflake = saiban.Snowflake(node=7, layout=layout, clock=clock, window=(0, 2_000_000_000_000), max_wait_ms=5)
    randflake = saiban.Randflake(nodes=range(0, 64), secret=bytes(16), shards=4, rollback="error", clock=clock)
    ulid_flake = saiban.UlidFlake(
        scalability=3, entropy_size=2, epoch_ms=0, not_before=1_735_689_600_000, max_jump_s=60
    )
    rolling = saiban.Snowflake(node=7, layout=layout.with_rollback_bits(2), clock=clock, state=None)
    assert_type(rolling.layout.max_rollback, int)
    assert_type(rolling.compose(timestamp_ms=clock.now_ms(), node=1, sequence=2, rollback=3), int)
    assert_type(snowflake.compose(timestamp_ms=clock.now_ms(), node=1, sequence=2), int)
    assert_type(randflake.compose(timestamp_ms=clock.now_ms(), node=1, sequence=2), int)
    assert_type(ulid_flake.compose(timestamp_ms=clock.now_ms(), random=1), int)
    generators: list[saiban.Generator] = [snowflake, randflake, ulid_flake]
    made: list[int] = []
    for ids in generators:
        clock.advance(1_000)
        made.append(ids.generate())
        clock.advance(1_000)
        assert_type(ids.try_generate(), int | None)
        made += ids.generate_many(2)
        buffer = array.array("q", [0, 0])
        assert_type(ids.fill(buffer), int)
        parts = ids.inspect(ids.to_text(made[-1]))
        assert_type(parts, saiban.Parts)
        assert_type(parts.time, datetime.datetime | None)
        assert_type(parts.node, int | None)
        assert_type(parts.rollback, int | None)
        stats = ids.stats()
        assert_type(stats, saiban.Stats)
        assert_type(stats.issued, int)
        assert_type(ids.from_text(ids.to_text(made[-1], "decimal"), lenient=True) if ids is snowflake else 0, int)
        assert_type(ids.generate_text("base62"), str)
    assert_type(saiban.encode(7, "crockford", width=13), str)
    assert_type(saiban.decode("7", "hex", lenient=True), int)
    found = saiban.inspect(7, secret=bytes(16), old_secrets=[bytearray(16), bytes(16)], scheme="randflake")
    assert_type(found, list[saiban.Parts])
    assert_type(found[0].secret_index, int | None)
    try:
        saiban.Snowflake(node=5000)
    except saiban.StateInUseError as in_use:
        assert_type(in_use.kind, str)
    except saiban.NodeOutOfRangeError as error:
        assert_type(error.kind, str)
        assert_type(error.number, int)
        assert_type(error.position, int | None)
    return made

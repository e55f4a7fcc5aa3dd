"""A typed program. mypy --strict checks this file, and test_types.py runs it."""

import array
import datetime
import uuid
from typing import Any, Literal, assert_type

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
    rolling = saiban.Snowflake(node=7, layout=layout.with_rollback_bits(2), clock=clock, state=None, scope="process")
    assert_type(rolling.layout.max_rollback, int)
    assert_type(rolling.compose(timestamp_ms=clock.now_ms(), node=1, sequence=2, rollback=3), int)
    assert_type(snowflake.compose(timestamp_ms=clock.now_ms(), node=1, sequence=2), int)
    assert_type(randflake.compose(timestamp_ms=clock.now_ms(), node=1, sequence=2), int)
    assert_type(ulid_flake.compose(timestamp_ms=clock.now_ms(), random=1), int)
    tsid = saiban.Tsid(node=7, layout=saiban.Layout.preset("tsid-256"), clock=clock)
    assert_type(tsid.compose(timestamp_ms=clock.now_ms(), node=1, sequence=2), int)
    assert_type(tsid.layout, saiban.Layout)
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
        assert_type(stats.scope, Literal["machine", "process"])
        assert_type(ids.from_text(ids.to_text(made[-1], "decimal"), lenient=True) if ids is snowflake else 0, int)
        assert_type(ids.generate_text("base62"), str)
    assert_type(saiban.encode(7, "crockford", width=13), str)
    assert_type(saiban.decode("7", "hex", lenient=True), int)
    found = saiban.inspect(7, secret=bytes(16), old_secrets=[bytearray(16), bytes(16)], scheme="randflake")
    assert_type(found, list[saiban.Parts[Any]])
    assert_type(saiban.candidates(7, layouts=[layout])[0].reasons[0].name, str)
    assert_type(found[0].secret_index, int | None)
    assert_type(saiban.encode(7, "hyphenated", bits=128), str)
    try:
        saiban.Snowflake(node=5000)
    except saiban.StateInUseError as in_use:
        assert_type(in_use.kind, str)
    except saiban.NodeOutOfRangeError as error:
        assert_type(error.kind, str)
        assert_type(error.number, int)
        assert_type(error.position, int | None)
    return made


def family() -> list[object]:
    """Generators whose IDs are text or UUIDs, and generators with custom layouts."""
    now = datetime.datetime.now(datetime.UTC)
    ulids, uuids, object_ids = saiban.Ulid(max_wait_ms=5), saiban.Uuid(7), saiban.ObjectId()
    ticks = saiban.TickId("descending")
    assert_type(ulids.generate(), str)
    orders = saiban.Uuid(7, prefix="order")
    assert_type(orders.prefix, str | None)
    assert_type(orders.from_text(orders.generate_text()), uuid.UUID)
    assert_type(orders.inspect(orders.generate()).prefix, str | None)
    assert_type(ulids.generate_many(2), list[str])
    assert_type(ulids.compose(time=now, random=1), str)
    assert_type(ulids.to_uuid(ulids.generate()), uuid.UUID)
    assert_type(ulids.from_bytes(ulids.generate_bytes()), str)
    assert_type(uuids.generate(), uuid.UUID)
    assert_type(uuids.try_generate(), uuid.UUID | None)
    assert_type(uuids.range(now - datetime.timedelta(days=1), now), tuple[uuid.UUID, uuid.UUID])
    assert_type(uuids.inspect(uuids.generate()).id, uuid.UUID)
    assert_type(uuids.inspect(uuids.generate_text()), saiban.Parts[uuid.UUID])
    assert_type(uuids.to_text(uuids.generate(), "base58"), str)
    assert_type(saiban.uuid_from_guid_bytes(saiban.uuid_to_guid_bytes(uuids.generate())), uuid.UUID)
    assert_type(object_ids.to_bytes(object_ids.generate()), bytes)
    xids = saiban.Xid(max_wait_ms=5)
    assert_type(xids.from_bytes(xids.generate_bytes()), str)
    assert_type(xids.compose(time=now, node=1, sequence=2), str)
    layout = saiban.Layout(
        [
            ("timestamp", 48),
            ("node", 4, {"name": "region"}),
            ("node", 12, {"name": "host"}),
            ["random", 64, {"step": 9}],
        ]
    )
    assert_type(saiban.Layout.from_text(layout.to_text()), saiban.Layout)
    assert_type(saiban.Layout.from_json(layout.to_json()).capacity.ids, int)
    assert_type(saiban.Layout.preset("ulid-flake"), saiban.Layout)
    assert_type(saiban.Layout.preset("ulid-flake-scalable"), saiban.Layout)
    assert_type(layout.ids_per_second.per_node, float)
    assert_type(layout.collision_odds(1_000, 3_600.5), float)
    assert_type(layout.places[0].shift, int)
    flakes = saiban.Flake(layout, node=layout.node_of_parts({"region": 1, "host": 2}))
    assert_type(flakes.generate(), int)
    assert_type(flakes.compose(timestamp_ms=0, node={"region": 1, "host": 2}, random=2**63), int)
    assert_type(flakes.inspect(flakes.generate()).node_parts, dict[str, int])
    text: list[saiban.Generator[str]] = [ulids, object_ids, ticks]
    return [*(each.generate() for each in text), flakes.fill(bytearray(32)), array.array("q")]


class Named:
    """A program that passes names on."""

    def __init__(
        self, layout: saiban.LayoutName, rollback: saiban.Rollback, scope: saiban.Scope, encoding: saiban.Encoding
    ) -> None:
        self.ids = saiban.Snowflake(node=7, layout=layout, rollback=rollback, scope=scope)
        self.encoding = encoding

    def __call__(self) -> str:
        return self.ids.generate_text(self.encoding)


def named() -> list[object]:
    """Names as types, and other forms of values."""
    texts = Named("discord", "error", "process", "base62")
    found = saiban.Ulid().inspect(uuid.uuid4())
    assert_type(found, saiban.Parts[str])
    assert_type(found.as_dict(), saiban.PartsDict)
    assert_type(found.as_dict()["random"], str | None)
    assert_type(found.scheme, saiban.Scheme)
    assert_type(saiban.Snowflake(node=7).stats().guarantee, saiban.Guarantee)
    assert_type(next(iter(saiban.Uuid())), uuid.UUID)
    assert_type(next(saiban.Counter()), int)
    assert_type([id for _, id in zip("ab", saiban.Snowflake(node=7))], list[int])
    return [texts(), saiban.Ulid().to_text(uuid.uuid4()), saiban.encode(uuid.uuid4(), "base58"), found.id]


async def leased() -> list[int]:
    """Nodes from a store, and generators with them."""
    own = saiban.Layout.from_text("unused:1 timestamp:41,epoch=2021-03-05 node:10 sequence:12")
    with saiban.Lease.acquire("memory:typed", layout=own, nodes=4, ttl_s=60, holder="sample") as lease:
        assert_type(lease, saiban.Lease)
        assert_type(lease.nodes, range)
        status = lease.status()
        assert_type(status.nodes, range | None)
        assert_type(status.why, str | None)
        assert_type(status.end_ms, int)
        lease.renew()
        snowflake = saiban.Snowflake(lease=lease, layout=own, shards=4)
        made = snowflake.generate_many(3)
        made.append(await snowflake.generate_async())
        assert_type(await saiban.Ulid().generate_async(), str)
    layout = saiban.Layout.from_text("timestamp:48 node:16 sequence:16")
    async with await saiban.Lease.acquire_async(
        "memory:typed", namespace="wide", scheme="flake", layout=layout, create=True, wait_s=5
    ) as wide:
        assert_type(wide, saiban.Lease)
        made.append(saiban.Flake(layout, lease=wide).generate())
    secret = bytearray(16)
    hidden = await saiban.Lease.acquire_async("memory:typed", namespace="hidden", scheme="randflake", secret=secret)
    made.append(saiban.Randflake(secret=secret, lease=hidden).generate())
    hidden.release()
    with saiban.Lease.acquire("memory:typed", namespace="ulid", scheme="ulid-flake") as scalable:
        made.append(saiban.UlidFlake(lease=scalable).generate())
    orders = saiban.Snowflake(store="memory:typed", namespace="orders", layout=own)
    assert_type(orders.lease, saiban.Lease | None)
    made.append(orders.generate())
    return made


def remote(url: str) -> list[object]:
    numbers: saiban.RemoteGenerator[int] = saiban.RemoteGenerator(url, scheme="snowflake", block=100, max_age_ms=500)
    texts: saiban.RemoteGenerator[str] = saiban.RemoteGenerator(url, scheme="ulid", wait_s=1)
    assert_type(numbers.generate(), int)
    assert_type(texts.try_generate(), str | None)
    assert_type(numbers.layout, saiban.Layout | None)
    status = numbers.status()
    assert_type(status, saiban.RemoteStatus)
    generators: list[saiban.Generator[Any]] = [numbers, texts]
    return [status.prefetched + status.dropped + status.calls, status.why, texts.name, *generators]

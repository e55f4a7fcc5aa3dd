"""TSIDs: tsid-creator's examples, and the three layouts."""

from __future__ import annotations

import pytest
import saiban
from conftest import NOW_MS

EPOCH_MS = 1_577_836_800_000
#: The bits of the node and of the sequence, by layout.
LAYOUTS = {"tsid-256": (8, 14), "tsid-1024": (10, 12), "tsid-4096": (12, 10)}


def test_the_published_examples_come_out_exactly(clock: saiban.ManualClock) -> None:
    # github.com/f4b6a3/tsid-creator, TsidTest.java and TsidFormatTest.java
    ids = saiban.Tsid(node=0, clock=clock)
    assert ids.to_text(-1) == "FZZZZZZZZZZZZ"
    assert ids.to_text(10) == "000000000000A"
    assert ids.from_text("0123456789abc") == ids.from_text("0123456789AbC") == ids.from_text("0123456789ABC")
    assert ids.inspect(0).timestamp_ms == EPOCH_MS
    assert ids.inspect("FZZZZZZZZZZZZ").timestamp_ms == EPOCH_MS + 2**42 - 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("G000000000000", saiban.TextOverflowError),
        ("0123456789AB", saiban.TextLengthError),
        ("0123456789ABCC", saiban.TextLengthError),
        ("0123456789ABu", saiban.TextCharacterError),
    ],
)
def test_invalid_text_is_refused(text: str, kind: type[Exception]) -> None:
    ids = saiban.Tsid(node=7, clock=saiban.ManualClock(NOW_MS))
    for lenient in (False, True):
        with pytest.raises(kind):
            ids.from_text(text, lenient=lenient)


def test_aliases_are_read_leniently_only(clock: saiban.ManualClock) -> None:
    ids = saiban.Tsid(node=7, clock=clock)
    assert ids.from_text("o123456789ABI", lenient=True) == ids.from_text("0123456789AB1")
    with pytest.raises(saiban.TextCharacterError):
        ids.from_text("o123456789ABI")


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_layout_has_its_nodes_and_its_ids_a_millisecond(name: str, clock: saiban.ManualClock) -> None:
    node_bits, sequence_bits = LAYOUTS[name]
    layout = saiban.Layout.preset(name)
    assert (layout.max_node, layout.name) == (2**node_bits - 1, None)
    ids = saiban.Tsid(node=layout.max_node, layout=layout, clock=clock)
    made = ids.generate_many(2**sequence_bits)
    assert made == list(range(made[0], made[0] + 2**sequence_bits))
    assert ids.try_generate() is None
    parts = ids.inspect(made[-1])
    assert (parts.scheme, parts.timestamp_ms, parts.node) == ("tsid", NOW_MS, layout.max_node)
    assert parts.sequence == 2**sequence_bits - 1
    assert ids.compose(timestamp_ms=NOW_MS, node=parts.node, sequence=parts.sequence) == made[-1]
    with pytest.raises(saiban.NodeOutOfRangeError):
        saiban.Tsid(node=2**node_bits, layout=layout, clock=clock)


def test_the_default_layout_is_that_of_1024_nodes(clock: saiban.ManualClock) -> None:
    ids = saiban.Tsid(node=7, clock=clock)
    assert ids.layout == saiban.Layout.preset("tsid-1024")
    text = "saiban.Tsid(node=7, layout=saiban.Layout.from_text('timestamp:42,epoch=2020-01-01 node:10 sequence:12'), "
    assert repr(ids) == f"{text}clock=saiban.ManualClock({NOW_MS}))"
    snowflake = saiban.Snowflake(node=7, layout=ids.layout, clock=clock)
    assert ids.generate_many(4_096) == snowflake.generate_many(4_096)
    assert ids.range(NOW_MS, NOW_MS + 1) == snowflake.range(NOW_MS, NOW_MS + 1)


def test_layouts_without_node_or_sequence_are_refused(clock: saiban.ManualClock) -> None:
    for name in ("mastodon", "ulid-flake"):
        with pytest.raises(saiban.InvalidLayoutError):
            saiban.Tsid(node=0, layout=saiban.Layout.preset(name), clock=clock)
    layout = saiban.Layout.preset("tsid-1024").with_rollback_bits(2)
    ids = saiban.Tsid(node=7, layout=layout, clock=clock)
    first = ids.generate()
    clock.advance(-5)
    assert [ids.inspect(id).rollback for id in (first, ids.generate())] == [0, 1]


def test_inspection_finds_a_tsid() -> None:
    found = saiban.inspect("0EP7TRC000W01", scheme="tsid")
    assert {parts.id for parts in found} == {529448671641628673}
    assert [parts.layout for parts in found] == ["tsid-1024", "tsid-256", "tsid-4096"]
    assert saiban.candidates("0EP7TRC000W01")[0].parts == found[0]


def test_a_lease_of_a_snowflake_is_refused_for_a_tsid() -> None:
    layout = saiban.Layout.preset("tsid-256")
    with saiban.Lease.acquire("memory:tsid", scheme="tsid", layout=layout, nodes=4) as lease:
        ids = saiban.Tsid(lease=lease, layout=layout, shards=4)
        assert {ids.inspect(id).node for id in ids.generate_many(100)} <= set(lease.nodes)
        with pytest.raises(saiban.NamespaceMismatchError):
            saiban.Snowflake(lease=lease, layout=layout)
        with pytest.raises(saiban.NamespaceMismatchError):
            saiban.Tsid(lease=lease)

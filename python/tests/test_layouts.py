"""Custom layouts: text, JSON, properties, and the errors of wrong ones."""

from __future__ import annotations

import json
import math

import pytest
import saiban

TEXT = (
    "constant:2,value=3 timestamp:41@10ms,epoch=2020-02-02 node.datacenter:4 node.worker:6 sequence:12,start=random "
    "random:20"
)
OURS = saiban.Layout.from_text(TEXT)


def test_text_json_and_fields_make_the_same_layout_again() -> None:
    assert (OURS.to_text(), str(OURS), f"{OURS}") == (TEXT, TEXT, TEXT)
    assert saiban.Layout.from_json(OURS.to_json()) == OURS
    assert saiban.Layout(OURS.fields, epoch_ms=OURS.epoch_ms, tick_us=OURS.tick_us) == OURS
    assert OURS.fields == (
        ("constant", 2, {"value": 3}),
        ("timestamp", 41),
        ("node", 4, {"name": "datacenter"}),
        ("node", 6, {"name": "worker"}),
        ("sequence", 12, {"start": "random"}),
        ("random", 20),
    )
    growing = saiban.Layout([["timestamp", 48], ["random", 80, {"step": 255}]])
    assert growing.to_text() == "timestamp:48 random:80,step=255"
    assert growing.fields[1] == ("random", 80, {"step": 255})
    assert saiban.Layout([("timestamp", 42), ("sequence", 22, {"start": 0})]).to_text() == "timestamp:42 sequence:22"


def test_json_is_read_from_what_json_writes() -> None:
    described = json.loads(OURS.to_json())
    assert described["fields"][2] == {"kind": "node", "name": "datacenter", "bits": 4}
    described["epoch_ms"] = int(described["epoch_ms"])
    assert saiban.Layout.from_json(json.dumps(described)) == OURS


def test_presets_are_read_by_name() -> None:
    for name in ("twitter", "discord", "instagram", "sonyflake", "sonyflake_v2", "mastodon", "baidu"):
        layout = saiban.Layout.from_text(name)
        assert layout == saiban.Layout.preset(name) == getattr(saiban.Layout, name.upper())
        assert (layout.name, repr(layout)) == (name, f"saiban.Layout.{name.upper()}")
    assert saiban.Layout.BWMARRIN == saiban.Layout.preset("bwmarrin") == saiban.Layout.TWITTER
    for name in ("ulid-flake", "ulid-flake-scalable"):
        layout = saiban.Layout.from_text(name)
        assert (layout, layout.name) == (saiban.Layout.preset(name), None)
        assert saiban.Layout.from_text(layout.to_text()) == layout


def test_a_layout_is_given_by_its_name_or_text(clock: saiban.ManualClock) -> None:
    discord = saiban.Snowflake(node=7, layout="discord", clock=clock)
    assert discord.layout == saiban.Layout.DISCORD
    assert saiban.Tsid(node=7, layout="tsid-256", clock=clock).layout == saiban.Layout.preset("tsid-256")
    assert saiban.Flake(TEXT, node=7, clock=clock).layout == OURS
    with saiban.Lease.acquire("memory:named-layout", layout="discord") as lease:
        assert saiban.Snowflake(lease=lease, layout="discord").generate() > 0
    id = discord.generate()
    first, second = (saiban.inspect(id, layouts=[layout])[0] for layout in ("discord", saiban.Layout.DISCORD))
    assert first == second and first.layout == "discord"
    wide = saiban.Flake(TEXT, node=7, clock=clock).generate()
    assert saiban.candidates(wide, layouts=["tsid-256", TEXT], bits=85)[0].layout_index == 1


def test_a_layout_reports_its_limits_and_capacity() -> None:
    assert (OURS.size_bits, OURS.first_ms, OURS.last_ms) == (
        85,
        1_580_601_600_000,
        1_580_601_600_000 + (2**41 - 1) * 10,
    )
    assert OURS.lifetime_ms == 2**41 * 10
    assert OURS.capacity == saiban.Capacity(ids_per_tick=4096, nodes=1024, bits=83, ids=2**83)
    # On average three quarters of the sequence, which starts at random in its lower half.
    assert OURS.ids_per_second == saiban.Rate(per_node=(4096 * 0.75 + 0.5) * 100, in_all=(4096 * 0.75 + 0.5) * 102_400)
    assert (OURS.is_unique, OURS.is_time_ordered, OURS.collision_odds(1e9, 1e9)) == (True, True, 0.0)
    constant, timestamp, datacenter, *_, random = OURS.places
    assert constant == saiban.Place("constant", None, 2, 83, 3, 3, None, None)
    assert timestamp == saiban.Place("timestamp", None, 41, 42, 2**41 - 1, None, None, None)
    assert (datacenter.name, datacenter.shift, datacenter.max) == ("datacenter", 38, 15)
    assert (random.kind, random.shift) == ("random", 0)
    assert OURS.guarantee == "unique"
    drawn = saiban.Layout.from_text("random:40 timestamp:41")
    assert (drawn.is_unique, drawn.is_time_ordered, drawn.guarantee) == (False, False, "probable")
    assert 0 < drawn.collision_odds(1_000, 1) < drawn.collision_odds(1_000_000, 1) <= 1.0
    assert drawn.collision_odds(10**400, 1) == drawn.collision_odds(math.inf, 1) == 1.0
    for rate, seconds in ((-1, 1), (1, -1), (math.nan, 1), (1, math.nan), (1, -(10**400))):
        for layout in (drawn, OURS):
            with pytest.raises(saiban.InvalidArgumentError, match="negative or no number"):
                layout.collision_odds(rate, seconds)


#: The mistake, the kind of error, and text in its message.
WRONG = {
    "two timestamps": ("timestamp:40 timestamp:20", "timestamp"),
    "no kind of field": ("timestamp:41 nodes:10", '"nodes.* is not a kind of field'),
    "no width": ("timestamp:41 node", "has no width"),
    "node too wide": ("timestamp:41 node:64", "node"),
    "too few bits": ("timestamp:15", "15 bits together: they must have 16 to 128"),
    "too many bits": ("timestamp:41 random:88", "129 bits together: they must have 16 to 128"),
    "a constant too large": ("timestamp:41 constant:2,value=4", "constant of 2 bits cannot be 4: give 0 to 3"),
    "no such unit": ("timestamp:41@weeks node:10", "is not a unit"),
    "rollback too wide": ("timestamp:41 node:10 rollback:5", "rollback"),
    "a name of capitals": ("timestamp:41 node.Worker:10", "not a valid name"),
    "a name twice": ("timestamp:41 node.a:5 node.a:5", "node.a"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG.keys())
def test_errors_name_the_part(text: str, message: str) -> None:
    with pytest.raises(saiban.InvalidLayoutError, match=message):
        saiban.Layout.from_text(text)


def test_errors_of_text_have_a_position() -> None:
    with pytest.raises(saiban.InvalidLayoutError, match="position 13") as raised:
        saiban.Layout.from_text("timestamp:41 nodes:10")
    assert raised.value.position == 13


#: Fields in Python, the kind of error, and text in its message.
WRONG_FIELDS = {
    "an option that no field has": (
        [("node", 5, {"nmae": "a"})],
        "WRONG_TYPE",
        r'fields\[0\]\[2\] has no option "nmae": give name, value, start, step',
    ),
    "options are no dictionary": (
        [("node", 5, "worker")],
        "WRONG_TYPE",
        r"fields\[0\]\[2\] must be a dictionary, not str",
    ),
    "four items": ([("timestamp", 41), ("node", 5, {}, 1)], "WRONG_TYPE", r"fields\[1\] must be a pair"),
    "a kind that is no text": ([(5, 5)], "WRONG_TYPE", r"fields\[0\]\[0\] must be text"),
    "a width that is no number": ([("node", "5")], "WRONG_TYPE", r"fields\[0\]\[1\] must be an integer, not str"),
    "a negative width": ([("node", -1)], "INVALID_LAYOUT", '"node" has -1 bits: give 1 to 63'),
    "a width that no node has": ([("timestamp", 41), ("node", 99)], "INVALID_LAYOUT", '"node" has 99 bits: give 1'),
    "an option that is no text": ([("node", 5, {5: 5})], "WRONG_TYPE", r"an option of fields\[0\]\[2\] must be text"),
    "a name that is no text": ([("node", 5, {"name": 5})], "WRONG_TYPE", r"fields\[0\]\[2\].name must be text"),
    "a step that is no number": (
        [("timestamp", 41), ("random", 5, {"step": "9"})],
        "WRONG_TYPE",
        r"fields\[1\]\[2\].step must be an integer, not str",
    ),
    "a start that is no text": (
        [("timestamp", 41), ("sequence", 5, {"start": None})],
        "WRONG_TYPE",
        r"fields\[1\]\[2\].start must be 0 or 'random', not NoneType",
    ),
    "a start that is a number": ([("sequence", 5, {"start": 7})], "INVALID_LAYOUT", 'start with "7": give 0 or random'),
    "a start of a node": ([("node", 5, {"start": 0})], "INVALID_LAYOUT", '"node" cannot have a random start'),
    "a step wider than its part": (
        [("random", 4, {"step": 16})],
        "INVALID_LAYOUT",
        "4 bits .* step of 16: give 1 to 15",
    ),
    "a huge step": ([("random", 80, {"step": 2**64})], "INVALID_LAYOUT", "step of 18446744073709551616: give 1 to"),
    "a name of a sequence": (
        [("timestamp", 41), ("sequence", 5, {"name": "a"})],
        "INVALID_LAYOUT",
        "sequence.* cannot have a name",
    ),
    "a step of 0": ([("timestamp", 41), ("random", 5, {"step": 0})], "INVALID_LAYOUT", "step of 0"),
    "a negative step": ([("timestamp", 41), ("random", 5, {"step": -1})], "INVALID_LAYOUT", "cannot have the step -1"),
    "a negative constant": (
        [("constant", 5, {"value": -1})],
        "INVALID_LAYOUT",
        "cannot have the value -1: give 0 or more",
    ),
    "a huge constant": ([("timestamp", 41), ("constant", 5, {"value": 2**200})], "INVALID_LAYOUT", "give 0 to 31"),
    "another start": (
        [("sequence", 5, {"start": "anywhere"})],
        "INVALID_LAYOUT",
        'start with "anywhere": give 0 or random',
    ),
    "a name that is none": ([("node", 5, {"name": "W"})], "INVALID_LAYOUT", "not a valid name"),
}


@pytest.mark.parametrize(("fields", "kind", "message"), WRONG_FIELDS.values(), ids=WRONG_FIELDS.keys())
def test_wrong_fields_have_different_errors(fields: list[object], kind: str, message: str) -> None:
    with pytest.raises(saiban.SaibanError, match=message) as raised:
        saiban.Layout(fields)
    assert raised.value.kind == kind


def test_the_error_of_invalid_json_has_its_position() -> None:
    for text, message in (
        ("{", "line 1, column 1"),
        ("[]", "is a list: give an object"),
        (
            '{"fields":[{"kind":"node"}]}',
            r'fields\[0\] \(node\): "bits" is missing: give a plain whole number, 1 to 63',
        ),
        ('{"fields":[{"kind":"node","bits":"x"}]}', r'fields\[0\] \(node\): "bits" is "x"'),
    ):
        with pytest.raises(saiban.InvalidLayoutError, match=message):
            saiban.Layout.from_json(text)


def test_parts_of_a_node_are_given_by_name() -> None:
    assert OURS.node_of_parts({"worker": 7, "datacenter": 2}) == 2 << 6 | 7
    assert OURS.node_parts(2 << 6 | 7) == {"datacenter": 2, "worker": 7}
    assert saiban.Layout.TWITTER.node_parts(7) == {}
    for parts, error in (
        ({"worker": 7}, saiban.InvalidArgumentError),
        ({"worker": 64, "datacenter": 0}, saiban.NodeOutOfRangeError),
        ({"worker": -1, "datacenter": 0}, saiban.NodeOutOfRangeError),
        ({"worker": 0, "datacenter": 0, "rack": 0}, saiban.UnknownNameError),
        ({"worker": "0", "datacenter": 0}, saiban.WrongTypeError),
        (5, saiban.WrongTypeError),
    ):
        with pytest.raises(error):
            OURS.node_of_parts(parts)
    # The largest node of each layout, and the first invalid one.
    for layout in (OURS, saiban.Layout.TWITTER, saiban.Layout.MASTODON):
        assert isinstance(layout.node_parts(layout.max_node), dict)
        limits = f".* 0 to {layout.max_node}" if layout.max_node else "these IDs have none"
        for node in (layout.max_node + 1, -1, 2**70, -(2**70)):
            with pytest.raises(saiban.NodeOutOfRangeError, match=f"node {node} is out of range: {limits}"):
                layout.node_parts(node)


def test_a_layout_of_a_preset_takes_rollback_bits() -> None:
    layout = saiban.Layout.from_text("twitter").with_rollback_bits(2)
    assert layout.to_text() == "unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:8 rollback:2 sequence:12"
    ids = saiban.Flake(layout, node=255)
    assert ids.inspect(ids.generate()).rollback == 0
    assert saiban.Layout.MASTODON.with_rollback_bits(2).to_text() == "timestamp:48 rollback:2 sequence:14"

"""XIDs: the examples of rs/xid, and the single form of their text."""

from __future__ import annotations

import pytest
import saiban
from conftest import NOW_MS

EXAMPLES = [
    # github.com/rs/xid, id_test.go: seconds, machine and process, counter; bytes; text
    (1_300_816_219, 0x60F486E428, 4_271_561, "4d88e15b60f486e428412dc9", "9m4e2mr0ui3e8a215n4g"),
    (0, 0, 0, "00" * 12, "0" * 20),
    (0, 0, 1, "00" * 11 + "01", "0000000000000000000g"),
    (2**32 - 1, 2**40 - 1, 2**24 - 1, "ff" * 12, "vvvvvvvvvvvvvvvvvvvg"),
]


@pytest.mark.parametrize(("timestamp_s", "node", "counter", "content", "text"), EXAMPLES)
def test_the_published_examples_come_out_exactly(
    timestamp_s: int, node: int, counter: int, content: str, text: str
) -> None:
    ids = saiban.Xid()
    assert ids.compose(timestamp_ms=1_000 * timestamp_s, node=node, sequence=counter) == text
    assert (ids.to_bytes(text).hex(), ids.from_bytes(bytes.fromhex(content))) == (content, text)
    parts = ids.inspect(text)
    assert (parts.scheme, parts.timestamp_ms, parts.node, parts.sequence) == ("xid", 1_000 * timestamp_s, node, counter)
    # An ObjectId with equal parts has equal bits.
    assert saiban.ObjectId().compose(timestamp_ms=1_000 * timestamp_s, node=node, sequence=counter) == content
    assert saiban.decode(text, "xid", bits=96) == int(content, 16)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        # The last character contains one bit of the ID. This text is an example of rs/xid.
        ("c6e52g2mrqcjl44hf179", saiban.TextNotCanonicalError),
        ("9m4e2mr0ui3e8a215n4", saiban.TextLengthError),
        ("9m4e2mr0ui3e8a215n4g0", saiban.TextLengthError),
        ("9m4e2mr0ui3e8a215n4x", saiban.TextCharacterError),
        ("", saiban.TextLengthError),
    ],
)
def test_invalid_text_is_refused(text: str, kind: type[Exception]) -> None:
    for lenient in (False, True):
        with pytest.raises(kind):
            saiban.Xid().from_text(text, lenient=lenient)


def test_upper_case_is_read_leniently_only() -> None:
    ids = saiban.Xid()
    assert ids.from_text("9M4E2MR0UI3E8A215N4G", lenient=True) == "9m4e2mr0ui3e8a215n4g"
    with pytest.raises(saiban.TextNotCanonicalError):
        ids.from_text("9M4E2MR0UI3E8A215N4G")
    assert saiban.encode(1, "xid", bits=96) == "0000000000000000000g"


def test_the_counter_continues_within_a_second(clock: saiban.ManualClock) -> None:
    ids = saiban.Xid(clock=clock)
    parts = [ids.inspect(id) for id in ids.generate_many(100)]
    assert {each.timestamp_ms for each in parts} == {NOW_MS}
    assert len({each.node for each in parts}) == 1
    first = parts[0].sequence
    assert first is not None
    assert [each.sequence for each in parts] == [(first + index) % 2**24 for index in range(100)]
    assert saiban.Xid(clock=clock).inspect(saiban.Xid().generate()).node != parts[0].node
    assert repr(ids) == f"saiban.Xid(clock=saiban.ManualClock({NOW_MS}))"


def test_inspection_finds_an_xid() -> None:
    (found,) = saiban.inspect("9m4e2mr0ui3e8a215n4g", scheme="xid")
    assert (found.scheme, found.text) == ("xid", "9m4e2mr0ui3e8a215n4g")
    with pytest.raises(saiban.InvalidArgumentError):
        saiban.Xid().from_bytes(bytes(16))

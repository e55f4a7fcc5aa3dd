"""What an ID of unknown origin can be, in any form, and why."""

from __future__ import annotations

import json
import uuid

import pytest
import saiban
from conftest import NOW_MS, ROOT

OURS = saiban.Layout.from_text("timestamp:42,epoch=2024-01-01 node.region:4 node.host:6 sequence:12")
WIDE = saiban.Layout.from_text("timestamp:48 node:16 sequence:16 random:20")


@pytest.mark.parametrize(
    ("id", "scheme"),
    [
        ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "uuid-v7"),
        (uuid.UUID("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), "uuid-v7"),
        ("{C232AB00-9414-11EC-B3C8-9F6BDECED846}", "uuid-v1"),
        ("919108f7-52d1-4320-9bac-f847db4148a8", "uuid-v4"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "ulid"),
        ("01arz3ndektsv4rrffq69g5fav", "ulid"),
        ("507f1f77bcf86cd799439011", "objectid"),
        ("0638992968000000000_0042", "tick-id"),
        ("00CMXB6TAK4SA", "ulid-flake"),
        (1741610183685074945, "snowflake"),
    ],
)
def test_the_likeliest_comes_first_with_why(id: object, scheme: str) -> None:
    found = saiban.candidates(id)
    assert found[0].parts.scheme == scheme
    assert [candidate.parts for candidate in found] == saiban.inspect(id)
    assert [candidate.score for candidate in found] == sorted((candidate.score for candidate in found), reverse=True)
    for candidate in found:
        assert candidate.reasons
        assert all(reason.name.islower() and reason.text for reason in candidate.reasons)
    assert found[0].is_plausible and found[0].layout_index is None


def test_layouts_of_ones_own_are_looked_for() -> None:
    ids = saiban.Flake(OURS, node=71, clock=saiban.ManualClock(NOW_MS))
    id = ids.generate()
    assert saiban.inspect(id)[0].scheme == "snowflake"
    (first, *_) = saiban.candidates(id, layouts=[saiban.Layout.SONYFLAKE, OURS])
    assert (first.parts, first.layout_index) == (ids.inspect(id), 1)
    assert first.parts.node_parts == {"region": 1, "host": 7}
    assert "given_layout" in [reason.name for reason in first.reasons]
    wide = saiban.Flake(WIDE, node=7, clock=saiban.ManualClock(NOW_MS))
    id = wide.generate()
    assert saiban.inspect(id, layouts=[WIDE], bits=WIDE.size_bits)[0] == wide.inspect(id)
    assert saiban.inspect(str(id), layouts=(layout for layout in [WIDE]))[0] == wide.inspect(id)
    with pytest.raises(saiban.IdOutOfRangeError):
        saiban.inspect(id)
    with pytest.raises(saiban.InvalidArgumentError, match="at most 4"):
        saiban.inspect(1, layouts=iter(lambda: OURS, None))
    with pytest.raises(saiban.WrongTypeError, match=r"each of layouts must be a saiban\.Layout, not str"):
        saiban.inspect(1, layouts=["twitter"])


def test_an_epoch_takes_the_place_of_a_presets() -> None:
    ids = saiban.Snowflake(
        node=1, layout=saiban.Layout.from_text("unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12")
    )
    id = ids.compose(timestamp_ms=NOW_MS, node=1, sequence=0)
    found = saiban.inspect(id, epoch_ms=ids.layout.epoch_ms, layouts=[saiban.Layout.TWITTER])
    assert (found[0].layout, found[0].timestamp_ms) == ("twitter", NOW_MS)


def test_a_scheme_narrows() -> None:
    text = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
    assert {parts.scheme for parts in saiban.inspect(text, scheme="ulid")} == {"ulid"}
    assert {parts.scheme for parts in saiban.inspect(text, scheme="uuid")} == {"uuid-v7"}
    assert saiban.inspect(uuid.UUID(int=0), scheme="uuid")[0].layout == "nil"


def test_ids_that_others_published_are_mostly_named_rightly() -> None:
    entries = json.loads((ROOT / "vectors/published.json").read_text())["entries"]
    right = 0
    for entry in entries:
        try:
            found = saiban.inspect(entry["text"])
        except saiban.SaibanError:
            continue
        scheme = entry["scheme"] if not entry["scheme"].startswith("uuid") else "uuid"
        right += bool(found) and found[0].scheme.startswith(scheme)
    # docs/inspect.md: 94.9 % with the text alone.
    assert right >= 0.93 * len(entries)

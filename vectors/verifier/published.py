"""Checks the verifier against examples that others published, before it reads any file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from . import family, odds, schemes, sparx, text, wide
from .grammar import PRESETS, AnyLayout


def _ms(moment: str) -> int:
    whole, _, milli = moment.rstrip("Z").partition(".")
    seconds = datetime.fromisoformat(whole + "+00:00").timestamp()
    return int(seconds) * 1000 + int(milli or 0)


def _randflake(secret: str, seconds: int, node: int, sequence: int, number: int, written: str) -> bool:
    scheme = schemes.of("randflake", {"secret": secret})
    parts = {"timestamp_ms": seconds * 1000, "node": node, "sequence": sequence}
    return (
        scheme.compose(parts) == number
        and scheme.inspect(number) == parts
        and scheme.to_text(number) == written
        and scheme.from_text(written, False) == number
    )


def _snowflake(layout: str, number: int, moment: str, node: int, sequence: int) -> bool:
    scheme = schemes.of("snowflake", {"layout": layout})
    parts = {"timestamp_ms": _ms(moment), "node": node, "sequence": sequence}
    return scheme.inspect(number) == parts and scheme.compose(parts) == number


def _ulid_flake(epoch_ms: int, number: int, written: str, moment: str | None, random: int | None) -> bool:
    scheme = schemes.of("ulid-flake", {"scalable": False, "entropy_size": 1, "epoch_ms": str(epoch_ms)})
    parts = scheme.inspect(number)
    return (
        scheme.to_text(number) == written
        and scheme.from_text(written.lower(), False) == number
        and scheme.compose(parts) == number
        and (moment is None or parts["timestamp_ms"] == _ms(moment))
        and (random is None or parts["random"] == random)
    )


def checks() -> Iterator[tuple[str, bool]]:
    key, plain = bytes.fromhex("00112233445566778899aabbccddeeff"), bytes.fromhex("0123456789abcdef")
    cipher = bytes.fromhex("2bbef15201f55f98")
    yield "SPARX-64/128, test vector of its authors", sparx.encrypt(key, plain) == cipher
    yield "SPARX-64/128, backwards", sparx.decrypt(key, cipher) == plain

    yield (
        "Randflake 1",
        _randflake("dffd6021bb2bd5b0af676290809ec3a5", 1733706297, 42, 1, 4594531474933654033, "3vgoe12ccb8gh"),
    )
    yield "Randflake 2", _randflake("00" * 16, 1730000001, 0, 0, 2111581968557607991, "1qjeojjevu31n")
    yield (
        "Randflake 3",
        _randflake("000102030405060708090a0b0c0d0e0f", 1730000123, 1, 1, -232447010193727000, "fphhelk04q8f8"),
    )

    epochs = {
        "twitter": "2010-11-04T01:42:54.657Z",
        "discord": "2015-01-01T00:00:00Z",
        "instagram": "2011-08-24T21:07:01.721Z",
        "sonyflake": "2014-09-01T00:00:00Z",
        "sonyflake_v2": "2025-01-01T00:00:00Z",
    }
    for name, moment in epochs.items():
        yield f"Snowflake, epoch of {name}", _snowflake(name, 0, moment, 0, 0)
    # Wikipedia, "Snowflake ID": a tweet of 2022, machine 378.
    yield "Snowflake, a tweet", _snowflake("twitter", 1541815603606036480, "2022-06-28T16:07:40.105Z", 378, 0)
    # Discord API reference, "Snowflakes": worker 1, process 0, increment 7.
    yield "Snowflake, Discord's", _snowflake("discord", 175928847299117063, "2016-04-30T11:18:25.796Z", 1 << 5, 7)
    # "Sharding & IDs at Instagram": 1387263000 ms after the epoch, shard 1341, sequence 905.
    yield (
        "Snowflake, Instagram's",
        schemes.of("snowflake", {"layout": "instagram"}).compose(
            {"timestamp_ms": 1314220021721 + 1387263000, "node": 1341, "sequence": 905}
        )
        == (1387263000 << 23 | 1341 << 10 | 905),
    )

    yield (
        "Ulid-Flake, its own epoch",
        _ulid_flake(1704067200000, 14246757444195114, "00CMXB6TAK4SA", "2024-06-06T06:06:06.666Z", 627498),
    )
    yield "Ulid-Flake, Unix epoch", _ulid_flake(0, 1803467983138790546, "1J1SMJD9CE74J", None, None)
    yield "Ulid-Flake, last ID", _ulid_flake(1704067200000, (1 << 63) - 1, "7ZZZZZZZZZZZZ", None, (1 << 20) - 1)

    # RFC 4648 section 10 writes "foobar" as CPNMUOJ1E8 in base32hex; a number is written without
    # the final bits.
    yield "base32hex, RFC 4648", text.encode(int.from_bytes(b"fooba", "big"), "base32hex", None) == "cpnmuoj1"
    yield "base64url, RFC 4648", text.encode(-1, "base64url", None) == "__________8"
    # Bitcoin's base58 alphabet begins at 1 and leaves out 0, O, I and l.
    yield "base58, alphabet", text.encode(57, "base58", None) == "z" and text.encode(58, "base58", None) == "21"

    yield from family_checks()


def _family(scheme: family.Family, parts: dict, written: str) -> bool:
    value = scheme.compose(parts)
    read = scheme.inspect(value)
    given = {"sequence" if name == "clock_sequence" else name: part for name, part in parts.items()}
    return scheme.to_text(value) == written and scheme.from_text(written, False) == value and read == given


def family_checks() -> Iterator[tuple[str, bool]]:
    moment = _ms("2022-02-22T19:22:22.000Z")
    # RFC 9562, appendices A.1, A.3 and A.6.
    v1 = {"timestamp_ms": moment, "submillisecond_ns": 0, "clock_sequence": 0x33C8, "node": 0x9F6BDECED846}
    yield "UUID v1, RFC 9562", _family(family.Uuid({"version": 1}), v1, "c232ab00-9414-11ec-b3c8-9f6bdeced846")
    v4 = {"random": 0x919108F752D1 << 74 | 0x320 << 62 | 0x1BACF847DB4148A8}
    yield "UUID v4, RFC 9562", _family(family.Uuid({"version": 4}), v4, "919108f7-52d1-4320-9bac-f847db4148a8")
    v7 = {"timestamp_ms": moment, "random": 0xCC3 << 62 | 0x18C4DC0C0C07398F}
    yield "UUID v7, RFC 9562", _family(family.Uuid({"version": 7}), v7, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    # The ULID specification: the time 1469918176385 is 01ARYZ6S41, and 7ZZ… is the largest ULID.
    first = family.Ulid({}).compose({"timestamp_ms": 1469918176385, "random": 0})
    yield "ULID, the specification's time", family.Ulid({}).to_text(first) == "01ARYZ6S410000000000000000"
    yield "ULID, the largest", family.Ulid({}).from_text("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", False) == (1 << 128) - 1
    # MongoDB manual, ObjectId.getTimestamp(): 507f191e is 2012-10-17T20:46:22Z.
    object_id = {"timestamp_ms": _ms("2012-10-17T20:46:22Z"), "node": 0x810C19729D, "sequence": 0xE860EA}
    yield "ObjectId, MongoDB's", _family(family.ObjectId({}), object_id, "507f191e810c19729de860ea")
    # rs/xid, id_test.go: 1300816219 s, machine 60f486, process e428, counter 4271561.
    xid = {"timestamp_ms": 1300816219000, "node": 0x60F486E428, "sequence": 4271561}
    yield "XID, rs/xid's", _family(family.Xid({}), xid, "9m4e2mr0ui3e8a215n4g")
    # .NET: DateTime.UnixEpoch.Ticks is 621355968000000000; DateTime.MaxValue is
    # 9999-12-31T23:59:59.9999999.
    epoch = {"timestamp_ms": 0, "submillisecond_ns": 0, "random": 42}
    yield "tick ID, 1970", _family(family.TickId({"order": "ascending"}), epoch, "0621355968000000000_0042")
    last = {"timestamp_ms": _ms("9999-12-31T23:59:59.999Z"), "submillisecond_ns": 999_900, "random": 7}
    yield "tick ID, .NET's last", _family(family.TickId({"order": "ascending"}), last, "3155378975999999999_0007")
    # The bytes in memory of a Microsoft GUID with the RFC's example of a UUID v7.
    octets = family.Uuid({"version": 7}).to_guid_bytes(0x017F22E279B07CC398C4DC0C0C07398F)
    yield "GUID, its bytes", octets.hex() == "e2227f01b079c37c98c4dc0c0c07398f"
    for name, layout in PRESETS.items():
        yield f"layout of {name}", AnyLayout.of_text(layout).preset() == name
    # Wikipedia, "Birthday problem": 23 people and 365 days; about one half for 77,000 32-bit
    # numbers.
    yield "odds, 23 birthdays", abs(odds.birthday(23, odds.Fraction(365)) - 0.507297) < 1e-6
    yield "odds, 32 bits", abs(odds.birthday(77_163, odds.Fraction(1 << 32)) - 0.5) < 1e-4
    yield (
        "odds, the same in both ways",
        all(
            abs(odds.birthday(10_000, odds.Fraction(n)) / odds.birthday(10_001, odds.Fraction(n)) - 1) < 3e-4
            for n in (10**5, 10**9, 10**12, 10**15, 10**30)
        ),
    )
    yield "base64url, RFC 4648", wide.encode(int.from_bytes(b"foobar", "big"), "base64url", 48) == "Zm9vYmFy"

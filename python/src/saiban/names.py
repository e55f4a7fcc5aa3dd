"""The types of names that arguments take and properties return, for annotations.

Made by python/generate-stubs from core's registry; change that instead.
"""

from typing import Literal, TypeAlias

__all__ = [
    "Encoding",
    "FieldKind",
    "Guarantee",
    "LayoutName",
    "LeaseScheme",
    "LeaseState",
    "ReadLayoutName",
    "Rollback",
    "Scheme",
    "Scope",
    "TickOrder",
]

#: A family of IDs. uuid is a UUID of a version that saiban does not make.
Scheme: TypeAlias = Literal[
    "snowflake",
    "randflake",
    "ulid-flake",
    "flake",
    "ulid",
    "uuid",
    "uuid-v1",
    "uuid-v4",
    "uuid-v7",
    "objectid",
    "tick-id",
    "tsid",
    "xid",
]
#: The schemes whose IDs have nodes that can be leased.
LeaseScheme: TypeAlias = Literal["snowflake", "randflake", "ulid-flake", "flake", "tsid"]
#: The layouts of known formats.
LayoutName: TypeAlias = Literal["twitter", "discord", "instagram", "sonyflake", "sonyflake_v2", "mastodon", "baidu"]
#: Further names that Layout.preset reads.
ReadLayoutName: TypeAlias = Literal[
    "bwmarrin",
    "ulid-flake",
    "ulid-flake-scalable",
    "tsid-256",
    "tsid-1024",
    "tsid-4096",
]
#: What the bits of a layout's field mean; see Layout.
FieldKind: TypeAlias = Literal["unused", "timestamp", "node", "sequence", "random", "rollback", "constant"]
#: The text form of a number; see encode.
Encoding: TypeAlias = Literal[
    "decimal",
    "hex",
    "binary",
    "crockford",
    "base32hex",
    "base36",
    "base58",
    "base62",
    "base64url",
    "hyphenated",
    "simple",
    "braced",
    "urn",
    "xid",
]
#: What happens when the clock steps back; see Snowflake.
Rollback: TypeAlias = Literal["hold", "error", "bits"]
#: Which generators of the same node share a cursor; see Snowflake.
Scope: TypeAlias = Literal["process", "machine"]
#: Which tick IDs sort first: the oldest or the newest.
TickOrder: TypeAlias = Literal["ascending", "descending"]
#: What a generator's IDs promise; see Stats.guarantee.
Guarantee: TypeAlias = Literal["unique", "unique_in_process", "probable"]
#: The state of a lease; see LeaseStatus.state.
LeaseState: TypeAlias = Literal["idle", "acquiring", "active", "renewing", "draining", "expired", "lost", "invalid"]

"""Named tuples and dictionaries: the properties of a layout, and the candidates and parts of an ID."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from saiban.names import FieldKind, Scheme

if TYPE_CHECKING:
    from saiban._native import Parts

__all__ = ["Candidate", "Capacity", "PartsDict", "Place", "Rate", "Reason"]


class Capacity(NamedTuple):
    """The number of IDs that a layout holds; see Layout.capacity."""

    #: The most IDs that one node makes in one tick: the size of the sequence, or of the growing
    #: random part. Without both it is the size of the random part, although equal IDs are likely
    #: long before. With no such field it is 1.
    ids_per_tick: int
    #: The nodes; 1 without a node field.
    nodes: int
    #: The number of bits of an ID that are neither unused nor constant.
    bits: int
    #: The number of different IDs, from the first tick to the last; 2**128 - 1 for 2**128.
    ids: int


class Rate(NamedTuple):
    """The sustained number of IDs a second, or its mean if random; see Layout.ids_per_second."""

    #: The IDs a second of one node.
    per_node: float
    #: The IDs a second of all nodes together.
    in_all: float


class Place(NamedTuple):
    """The position of a field in a layout; see Layout.places."""

    #: The meaning of the bits: unused, timestamp, node, sequence, random, rollback or constant.
    kind: FieldKind
    #: The name of a part of the node.
    name: str | None
    #: The width in bits.
    bits: int
    #: The number of bits below the field.
    shift: int
    #: The largest number that the field holds.
    max: int
    #: The number that a constant always is.
    value: int | None
    #: The largest step by which a random part grows within a tick.
    step: int | None
    #: "random" for a sequence that begins each tick with a random number.
    start: Literal["random"] | None


class Reason(NamedTuple):
    """One reason for a candidate's rank; see candidates."""

    #: The reason for programs, the same in every language: canonical_text, time_plausible, …
    name: str
    #: The reason for people: "time is plausible: 9 years ago".
    text: str


class Candidate(NamedTuple):
    """One candidate: what an ID can be, with reasons; see candidates."""

    #: The parts of the ID, if this candidate is right.
    parts: Parts[Any]
    #: The score: one more point means twice as likely. Scores compare the candidates of one ID
    #: only, and may change with every version.
    score: int
    #: Whether its time is in the past and not before the format existed, or it has none.
    is_plausible: bool
    #: The reasons for its rank.
    reasons: tuple[Reason, ...]
    #: The index of the candidate's layout among the given layouts, counted from 0.
    layout_index: int | None


class PartsDict(TypedDict):
    """The parts of an ID as JSON has them; see Parts.as_dict."""

    scheme: Scheme
    layout: str | None
    id: str
    text: str
    id_bytes: str
    bits: int
    timestamp_ms: int | None
    submillisecond_ns: int | None
    time: str | None
    node: int | str | None
    node_parts: dict[str, int | str]
    sequence: int | str | None
    random: str | None
    rollback: int | None
    secret_index: int | None
    prefix: str | None

"""Named tuples: the properties of a layout, and the candidates of an ID."""

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from saiban._native import Parts

__all__ = ["Candidate", "Capacity", "Place", "Rate", "Reason"]


class Capacity(NamedTuple):
    """How many IDs a layout holds; see Layout.capacity."""

    #: The most IDs that one node makes in one tick: the numbers of the sequence, or of the growing
    #: random part. Where there is neither it is 1, or as many as the random part has numbers, of
    #: which equal ones come long before.
    ids_per_tick: int
    #: The nodes; 1 without a node field.
    nodes: int
    #: How many bits of an ID are neither unused nor constant.
    bits: int
    #: How many different IDs there are, from the first tick to the last; 2**128 - 1 for 2**128.
    ids: int


class Rate(NamedTuple):
    """How many IDs can be made in a second; see Layout.ids_per_second."""

    #: By one node.
    per_node: float
    #: By all nodes.
    in_all: float


class Place(NamedTuple):
    """The position of a field in a layout; see Layout.places."""

    #: unused, timestamp, node, sequence, random, rollback or constant.
    kind: Literal["unused", "timestamp", "node", "sequence", "random", "rollback", "constant"]
    #: The name of a part of the node.
    name: str | None
    #: The width.
    bits: int
    #: The number of bits below the field.
    shift: int
    #: The largest number that the field holds.
    max: int
    #: What a constant always is.
    value: int | None
    #: By how much a random part grows at the most within a tick.
    step: int | None
    #: "random" of a sequence that begins anywhere.
    start: Literal["random"] | None


class Reason(NamedTuple):
    """Why an ID can be something, or hardly can; see candidates."""

    #: For programs, the same in every language: canonical_text, time_plausible, …
    name: str
    #: In words.
    text: str


class Candidate(NamedTuple):
    """One thing that an ID can be; see candidates."""

    #: What the ID holds, if it is this.
    parts: "Parts[Any]"
    #: The score: one more point means twice as likely. Scores compare the candidates of one ID
    # only, and may change with every version.
    score: int
    #: Whether its time is in the past and not before the format existed, or it has none.
    is_plausible: bool
    #: The reasons for its rank.
    reasons: tuple[Reason, ...]
    #: Which of the layouts given it is, counted from 0.
    layout_index: int | None

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Literal, NoReturn, SupportsIndex, TypeAlias, final

from typing_extensions import Buffer, disjoint_base

__all__ = [
    "Generator",
    "Layout",
    "ManualClock",
    "Parts",
    "Randflake",
    "Snowflake",
    "UlidFlake",
    "decode",
    "encode",
    "error_kinds",
    "inspect",
    "run_cli",
]

_Encoding: TypeAlias = Literal[
    "decimal", "hex", "binary", "crockford", "base32hex", "base36", "base58", "base62", "base64url"
]
_Scheme: TypeAlias = Literal["snowflake", "randflake", "ulid-flake"]
_Field: TypeAlias = Literal["unused", "timestamp", "node", "sequence", "random"]
_Preset: TypeAlias = Literal["twitter", "discord", "instagram", "sonyflake", "sonyflake_v2"]

@disjoint_base
class Generator:
    @property
    def scheme(self) -> _Scheme: ...
    def generate(self) -> int: ...
    def try_generate(self) -> int | None: ...
    def generate_many(self, count: SupportsIndex, /) -> list[int]: ...
    def fill(self, buffer: Buffer, /) -> int: ...
    def generate_text(self, encoding: _Encoding | None = None) -> str: ...
    def to_text(self, id: SupportsIndex, encoding: _Encoding | None = None) -> str: ...
    def from_text(self, text: str, *, lenient: bool = False) -> int: ...
    def inspect(self, id: SupportsIndex | str, /) -> Parts: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Snowflake(Generator):
    def __new__(
        cls,
        *,
        node: SupportsIndex | None = None,
        nodes: range | None = None,
        layout: Layout | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        clock: ManualClock | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> Snowflake: ...
    @property
    def layout(self) -> Layout: ...
    def compose(self, *, timestamp_ms: SupportsIndex, node: SupportsIndex, sequence: SupportsIndex) -> int: ...

@final
class Randflake(Generator):
    def __new__(
        cls,
        *,
        secret: Buffer,
        node: SupportsIndex | None = None,
        nodes: range | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        clock: ManualClock | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> Randflake: ...
    def compose(self, *, timestamp_ms: SupportsIndex, node: SupportsIndex, sequence: SupportsIndex) -> int: ...

@final
class UlidFlake(Generator):
    def __new__(
        cls,
        *,
        scalability: SupportsIndex | None = None,
        entropy_size: SupportsIndex | None = None,
        epoch_ms: SupportsIndex | None = None,
        window: tuple[SupportsIndex, SupportsIndex] | None = None,
        clock: ManualClock | None = None,
        max_wait_ms: SupportsIndex | None = None,
    ) -> UlidFlake: ...
    def compose(
        self, *, timestamp_ms: SupportsIndex, random: SupportsIndex, scalability: SupportsIndex | None = None
    ) -> int: ...

@final
class ManualClock:
    def __new__(cls, timestamp_ms: SupportsIndex) -> ManualClock: ...
    def set(self, timestamp_ms: SupportsIndex) -> None: ...
    def advance(self, delta_ms: SupportsIndex) -> None: ...
    def now_ms(self) -> int: ...
    def __reduce__(self) -> NoReturn: ...

@final
class Layout:
    TWITTER: ClassVar[Layout]
    DISCORD: ClassVar[Layout]
    INSTAGRAM: ClassVar[Layout]
    SONYFLAKE: ClassVar[Layout]
    SONYFLAKE_V2: ClassVar[Layout]
    def __new__(
        cls, fields: Iterable[tuple[_Field, int]], *, epoch_ms: SupportsIndex = 0, tick_us: SupportsIndex = 1000
    ) -> Layout: ...
    @staticmethod
    def preset(name: _Preset, /) -> Layout: ...
    @property
    def name(self) -> _Preset | None: ...
    @property
    def fields(self) -> tuple[tuple[_Field, int], ...]: ...
    @property
    def epoch_ms(self) -> int: ...
    @property
    def last_ms(self) -> int: ...
    @property
    def tick_us(self) -> int: ...
    @property
    def max_node(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Parts:
    def __new__(
        cls,
        *,
        scheme: _Scheme,
        id: SupportsIndex,
        timestamp_ms: SupportsIndex,
        layout: _Preset | None = None,
        node: SupportsIndex | None = None,
        sequence: SupportsIndex | None = None,
        random: SupportsIndex | None = None,
    ) -> Parts: ...
    @property
    def scheme(self) -> _Scheme: ...
    @property
    def layout(self) -> _Preset | None: ...
    @property
    def id(self) -> int: ...
    @property
    def timestamp_ms(self) -> int: ...
    @property
    def time(self) -> datetime | None: ...
    @property
    def node(self) -> int | None: ...
    @property
    def sequence(self) -> int | None: ...
    @property
    def random(self) -> int | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def encode(value: SupportsIndex, encoding: _Encoding, *, width: SupportsIndex | None = None) -> str: ...
def decode(text: str, encoding: _Encoding, *, width: SupportsIndex | None = None, lenient: bool = False) -> int: ...
def inspect(id: SupportsIndex | str, *, secret: Buffer | None = None, scheme: _Scheme | None = None) -> list[Parts]: ...
def error_kinds() -> list[tuple[int, str, str]]: ...
def run_cli(arguments: list[str], /) -> int: ...

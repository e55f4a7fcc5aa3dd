//! The interfaces of generators, one for each type of IDs in Kotlin and Swift. `generator!`
//! implements the interface for a class.

use crate::convert::Ids;
use crate::error::SaibanError;
use crate::lease::Lease;
use crate::number::UuidValue;
use crate::parts::Parts;
use crate::range::{BytesRange, IdRange, TextRange, UuidRange};
use crate::stats::Stats;
use std::sync::Arc;

/// An ID of a layout of more than 64 bits: bytes, the highest first.
pub(crate) type Bytes = Vec<u8>;

/// The interface of generators whose IDs are `$id`. Several IDs are `$ids`, and the first and the
/// last ID of an interval are `$range`.
macro_rules! interface {
    ($(#[$doc:meta])* $name:ident, $id:ty, $ids:ty, $range:ty) => {
        $(#[$doc])*
        #[uniffi::export]
        #[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
        pub trait $name: Send + Sync {
            /// Makes an ID, waiting for at most `max_wait_ms`.
            ///
            /// With scope `Process`, and on the system's clock, the first ID waits for the tick
            /// after the one in which the generator was made, a second at most with Randflake; with
            /// scope `Machine` only the first generator of a layout since the machine was started
            /// waits, that long or 2 ms. A manual clock and `not_before` turn that off. UUIDs,
            /// ULIDs, ObjectIds and tick IDs never wait for it.
            ///
            /// Errors: `WouldWait` if the next ID needs a longer wait, or any wait with a manual
            /// clock; `ClockBackward` if the clock is too far behind the last ID, and with the
            /// policy `Error` if it is behind at all; `ClockJumped`, `ClockUnavailable`,
            /// `TimestampBeforeEpoch`, `TimestampOverflow`; `LeaseNotBegun`, `LeaseExpired`,
            /// `LeaseLost`, with the reason in the message; `Forked`; `StateUnavailable` if the
            /// state file cannot be written, or the file of scope `Machine` cannot be used;
            /// `EntropyUnavailable`. Under a lease in a forked process also the errors of
            /// `Lease.acquire`.
            fn generate(&self) -> Result<$id, SaibanError>;

            /// Makes an ID if that needs no wait; otherwise returns nothing. That includes the wait
            /// for the first ID.
            ///
            /// Errors: as `generate`, but no `WouldWait`.
            fn try_generate(&self) -> Result<Option<$id>, SaibanError>;

            /// Makes this many IDs, 0 to 10 million, waiting before each as `generate` does.
            ///
            /// Errors: as `generate`; `InvalidArgument` for another number of them.
            fn generate_many(&self, count: i64) -> Result<$ids, SaibanError>;

            /// Makes up to this many IDs, at most 10 million, and waits before each as `generate`
            /// does. If no more IDs are available after the first, it returns fewer, without an
            /// error. `fill` writes them into a buffer.
            ///
            /// Errors: those of `generate` if no ID could be made; `InvalidArgument` for a negative
            /// number.
            fn generate_up_to(&self, count: i64) -> Result<$ids, SaibanError>;

            /// Makes an ID and writes it as text: canonical text, which begins with the generator's
            /// prefix, if it has one; or the number in this encoding with its default width.
            ///
            /// Errors: as `generate`; `UnknownName`.
            #[uniffi::method(default(encoding = None))]
            fn generate_text(&self, encoding: Option<String>) -> Result<String, SaibanError>;

            /// Writes an ID as text: canonical text, which begins with the generator's prefix, if
            /// it has one; or the number in this encoding with its default width.
            ///
            /// Errors: as of `inspect`; `UnknownName`.
            #[uniffi::method(default(encoding = None))]
            fn to_text(&self, id: $id, encoding: Option<String>) -> Result<String, SaibanError>;

            /// Reads an ID from its canonical text, or if lenient also from variants of it. For
            /// ULIDs and Ulid-Flake IDs any case is accepted in both modes, as their specifications
            /// say. Otherwise, and with a prefix, each ID has exactly one text.
            ///
            /// Errors: `TextLength`, `TextCharacter` (also for another prefix), `TextOverflow`,
            /// `TextNotCanonical`; `IdOutOfRange` when the number is not an ID of this scheme and
            /// layout.
            #[uniffi::method(default(lenient = false))]
            fn from_text(&self, text: String, lenient: bool) -> Result<$id, SaibanError>;

            /// Takes an ID apart.
            ///
            /// Errors: `IdOutOfRange` when it is not one of this scheme and layout; of text as
            /// `from_text`, and `InvalidArgument` for another number of bytes.
            fn inspect(&self, id: $id) -> Result<Parts, SaibanError>;

            /// The first and the last ID that can have been made in this half-open interval, Unix
            /// milliseconds: for a query by primary key (`BETWEEN`, both included). Ticks that lie
            /// partly in the interval count; what lies outside the format's time is left out.
            ///
            /// Errors: `NotTimeOrdered` where IDs are not in the order of their times;
            /// `InvalidWindow` for an empty interval, and one in which IDs turn negative;
            /// `TimestampBeforeEpoch`, `TimestampOverflow` for one outside the format's time.
            fn range(&self, start_ms: i64, end_ms: i64) -> Result<$range, SaibanError>;

            /// Returns statistics: how many IDs were issued, how often the generator waited and
            /// found the clock set back, how long it lasts, and what its IDs promise.
            ///
            /// Errors: `ClockUnavailable`.
            fn stats(&self) -> Result<Stats, SaibanError>;

            /// The lease, if the generator has one: the one that it was given, or its own from a
            /// `store`. With it you read how the lease is doing, and release it.
            fn lease(&self) -> Option<Arc<Lease>>;
        }
    };
}

interface! {
    /// The interface of generators of IDs of up to 64 bits, called `Generator` in both languages.
    /// IDs are signed 64-bit integers. Many threads can use a generator at once.
    AnyGenerator, i64, Ids, IdRange
}

interface! {
    /// The interface of generators whose IDs, of more than 64 bits, are text.
    AnyTextGenerator, String, Vec<String>, TextRange
}

interface! {
    /// The interface of generators whose IDs are UUIDs, in the language's own type.
    AnyUuidGenerator, UuidValue, Vec<UuidValue>, UuidRange
}

interface! {
    /// The interface of generators whose IDs, of more than 64 bits, are bytes, the highest first.
    AnyBytesGenerator, Bytes, Vec<Bytes>, BytesRange
}

/// A generator of IDs of more than 64 bits that can also return many IDs as bytes.
#[uniffi::export]
pub trait BytesSource: Send + Sync {
    /// The number of bits of its IDs, 65 to 128.
    fn bits(&self) -> i32;

    /// Like `generate_up_to`, with the bytes of all IDs one after the other, those of each ID
    /// highest first. `fill` writes them into a buffer.
    ///
    /// Errors: as `generate_up_to`.
    fn generate_bytes_up_to(&self, count: i64) -> Result<Bytes, SaibanError>;
}

/// Implements the interface of generators for a type whose first field is an `Issuer`.
macro_rules! generator {
    ($name:ident, $id:ident) => {
        $crate::generator::generator! {
            $name, $id,
            /// Makes an ID, waiting for at most `max_wait_ms`.
            generate,
            /// Makes an ID if that needs no wait; else returns nothing.
            try_generate
        }
    };
    ($name:ident, i64, $($docs:tt)*) => {
        $crate::generator::generator! { @ $name, AnyGenerator, i64, $crate::convert::Ids, IdRange, $($docs)* }
    };
    ($name:ident, String, $($docs:tt)*) => {
        $crate::generator::generator! { @ $name, AnyTextGenerator, String, Vec<String>, TextRange, $($docs)* }
    };
    ($name:ident, UuidValue, $($docs:tt)*) => {
        $crate::generator::generator! { @ $name, AnyUuidGenerator, UuidValue, Vec<UuidValue>, UuidRange, $($docs)* }
    };
    ($name:ident, Bytes, $($docs:tt)*) => {
        $crate::generator::generator! { @ $name, AnyBytesGenerator, Bytes, Vec<Bytes>, BytesRange, $($docs)* }
    };
    (
        @ $name:ident, $interface:ident, $id:ty, $ids:ty, $range:ident,
        $(#[$generate:meta])* generate, $(#[$try_generate:meta])* try_generate
    ) => {
        // `jni` reads the generator at the object's address.
        const _: () = assert!(std::mem::offset_of!($name, 0) == 0);

        #[uniffi::export]
        impl $crate::generator::$interface for $name {
            $(#[$generate])*
            fn generate(&self) -> Result<$id, $crate::error::SaibanError> {
                $crate::issuing::generate(&self.0)
            }

            $(#[$try_generate])*
            fn try_generate(&self) -> Result<Option<$id>, $crate::error::SaibanError> {
                $crate::issuing::try_generate(&self.0)
            }

            /// Makes this many IDs, 0 to 10 million, waiting before each as `generate` does.
            fn generate_many(&self, count: i64) -> Result<$ids, $crate::error::SaibanError> {
                $crate::issuing::generate_many::<$id, _>(&self.0, count)
            }

            /// Makes up to this many IDs, at most 10 million; fewer if no more are available
            /// without a longer wait.
            fn generate_up_to(&self, count: i64) -> Result<$ids, $crate::error::SaibanError> {
                $crate::issuing::generate_up_to::<$id, _>(&self.0, count)
            }

            /// Makes an ID as text, canonical or in this encoding with its default width.
            fn generate_text(&self, encoding: Option<String>) -> Result<String, $crate::error::SaibanError> {
                $crate::issuing::generate_text(&self.0, encoding)
            }

            /// Writes an ID as text, canonical or in this encoding with its default width.
            fn to_text(&self, id: $id, encoding: Option<String>) -> Result<String, $crate::error::SaibanError> {
                $crate::issuing::to_text(&self.0, id, encoding)
            }

            /// Reads an ID from its canonical text, or if lenient also from variants of it.
            fn from_text(&self, text: String, lenient: bool) -> Result<$id, $crate::error::SaibanError> {
                $crate::issuing::from_text(&self.0, &text, lenient)
            }

            /// Takes an ID apart.
            fn inspect(&self, id: $id) -> Result<$crate::parts::Parts, $crate::error::SaibanError> {
                $crate::issuing::inspect(&self.0, id)
            }

            /// The first and the last ID that can have been made in this half-open interval, Unix
            /// milliseconds.
            fn range(
                &self,
                start_ms: i64,
                end_ms: i64,
            ) -> Result<$crate::range::$range, $crate::error::SaibanError> {
                $crate::issuing::range(&self.0, start_ms, end_ms)
            }

            /// Returns statistics of the generator.
            fn stats(&self) -> Result<$crate::stats::Stats, $crate::error::SaibanError> {
                $crate::issuing::stats(&self.0)
            }

            /// The lease, if the generator has one: the one that it was given, or its own from a
            /// `store`.
            fn lease(&self) -> Option<std::sync::Arc<$crate::lease::Lease>> {
                $crate::issuing::lease(&self.0)
            }
        }
    };
}

/// Makes a type whose first field is an `Issuer<u128>` a `BytesSource`.
macro_rules! bytes_source {
    ($name:ident) => {
        #[uniffi::export]
        impl $crate::generator::BytesSource for $name {
            /// The number of bits of its IDs, 65 to 128.
            fn bits(&self) -> i32 {
                self.0.bits() as i32
            }

            /// Like `generate_up_to`, with the bytes of all IDs one after the other, those of each
            /// ID highest first.
            fn generate_bytes_up_to(&self, count: i64) -> Result<Vec<u8>, $crate::error::SaibanError> {
                $crate::issuing::generate_bytes_up_to(&self.0, count)
            }
        }
    };
}

/// Makes such a type, whose IDs are `$id`, a `BytesSource`, with methods that convert between its
/// IDs and their bytes.
macro_rules! in_bytes {
    ($name:ident, $id:ident) => {
        $crate::generator::bytes_source!($name);

        #[uniffi::export]
        #[allow(clippy::wrong_self_convention, reason = "to_bytes and from_bytes are the pair that every language has")]
        impl $name {
            /// Makes an ID, as bytes, the highest first.
            ///
            /// Errors: as `generate`.
            pub fn generate_bytes(&self) -> Result<Vec<u8>, $crate::error::SaibanError> {
                $crate::issuing::generate_bytes(&self.0)
            }

            /// The bytes of an ID, the highest first.
            ///
            /// Errors: as of `inspect`.
            pub fn to_bytes(&self, id: $id) -> Result<Vec<u8>, $crate::error::SaibanError> {
                $crate::issuing::to_bytes(&self.0, id)
            }

            /// The ID of these bytes, the highest first.
            ///
            /// Errors: `InvalidArgument` for another number of bytes; `IdOutOfRange` when they are
            /// no ID of this scheme.
            pub fn from_bytes(&self, bytes: Vec<u8>) -> Result<$id, $crate::error::SaibanError> {
                $crate::issuing::from_bytes(&self.0, &bytes)
            }
        }
    };
}

pub(crate) use {bytes_source, generator, in_bytes};

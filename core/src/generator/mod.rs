//! Generators: one file for each scheme, over one shared engine.
//!
//! A generator returns [`Attempt::Ready`] or [`Attempt::Wait`] and never sleeps by itself: it waits
//! through [`Clock::wait`](crate::clock::Clock::wait).

mod ciphertexts;
mod compose;
mod engine;
#[cfg(target_has_atomic = "64")]
mod flake;
mod forward;
#[cfg(feature = "std")]
mod grant;
mod jump;
#[cfg(target_has_atomic = "64")]
mod object_id;
mod options;
mod prefixed;
mod randflake;
mod scope;
#[cfg(target_has_atomic = "64")]
mod seed;
mod shards;
#[cfg(feature = "std")]
mod shared;
mod snowflake;
#[cfg(target_has_atomic = "64")]
mod spec;
mod stats;
#[cfg(target_has_atomic = "64")]
mod tally;
#[cfg(target_has_atomic = "64")]
mod tick_id;
mod tsid;
#[cfg(target_has_atomic = "64")]
mod ulid;
mod ulid_flake;
#[cfg(target_has_atomic = "64")]
mod uuid;
#[cfg(target_has_atomic = "64")]
mod xid;

pub use crate::encoding::TickOrder;
pub use crate::layout::Guarantee;
pub use compose::ComposeParts;
#[cfg(target_has_atomic = "64")]
pub(crate) use flake::inspect as inspect_flake;
#[cfg(target_has_atomic = "64")]
pub use flake::{FlakeGenerator, WideFlakeGenerator};
#[cfg(feature = "std")]
pub use grant::Grant;
#[cfg(target_has_atomic = "64")]
pub use object_id::ObjectIdGenerator;
#[cfg(target_has_atomic = "64")]
pub(crate) use object_id::{BITS as OBJECT_ID_BITS, inspect as inspect_object_id};
pub use options::{Options, Rollback};
pub use prefixed::Prefixed;
pub use randflake::RandflakeGenerator;
pub(crate) use randflake::{inspect as inspect_randflake, layout as randflake_layout};
pub use scope::Scope;
pub use snowflake::SnowflakeGenerator;
pub(crate) use snowflake::inspect as inspect_snowflake;
#[cfg(feature = "std")]
pub use spec::AnyGenerator;
#[cfg(target_has_atomic = "64")]
pub use spec::{GeneratorSpec, Visit};
pub use stats::Stats;
#[cfg(target_has_atomic = "64")]
pub use tick_id::TickIdGenerator;
#[cfg(target_has_atomic = "64")]
pub(crate) use tick_id::inspect as inspect_tick_id;
pub use tsid::TsidGenerator;
pub(crate) use tsid::inspect as inspect_tsid;
#[cfg(target_has_atomic = "64")]
pub use ulid::UlidGenerator;
#[cfg(target_has_atomic = "64")]
pub(crate) use ulid::inspect as inspect_ulid;
pub(crate) use ulid_flake::inspect as inspect_ulid_flake;
pub use ulid_flake::{UlidFlakeFormat, UlidFlakeGenerator};
#[cfg(target_has_atomic = "64")]
pub(crate) use uuid::inspect as inspect_uuid;
#[cfg(target_has_atomic = "64")]
pub use uuid::{UuidGenerator, UuidVersion};
#[cfg(target_has_atomic = "64")]
pub use xid::XidGenerator;
#[cfg(target_has_atomic = "64")]
pub(crate) use xid::inspect as inspect_xid;

/// The default cursor of a generator: threads can share it. Targets with 64-bit atomics use this
/// one.
#[cfg(target_has_atomic = "64")]
pub type DefaultCursor = crate::cursor::Cursor;
/// The default cursor of a generator: it has a single owner, because the target has no 64-bit
/// atomics.
#[cfg(not(target_has_atomic = "64"))]
pub type DefaultCursor = crate::cursor::LocalCursor;

/// The default cursor of a generator with positions of 128 bits.
#[cfg(target_has_atomic = "64")]
pub type DefaultWideCursor = crate::cursor::WideCursor;

use crate::encoding::{Encoding, Leniency, Text};
use crate::error::Error;
use crate::id::{IdValue, Parts};
use crate::layout::Layout;
use crate::prefix::Prefix;
use crate::scheme::Scheme;
use core::time::Duration;

/// The maximum number of IDs for one call of `generate_many`: 10 million.
pub const MAX_AT_ONCE: usize = 10_000_000;

/// The error for more than [`MAX_AT_ONCE`] IDs.
const TOO_MANY: Error =
    Error::InvalidArgument { what: "so many IDs cannot be made at once: ask for 0 to 10000000 a call" };

/// The result of an attempt to make an ID without waiting.
///
/// ```
/// use saiban::{Attempt, Generator, SnowflakeGenerator};
/// let ids = SnowflakeGenerator::new(7)?;
/// match ids.try_generate()? {
///     Attempt::Ready(id) => println!("{id}"),
///     Attempt::Wait(left) => println!("try again in {left:?}"),
/// }
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt<I = i64> {
    /// A new ID, which no other call returns.
    Ready(I),
    /// No ID is available yet. Retry after this time.
    Wait(Duration),
}

impl<I> Attempt<I> {
    /// Converts the ID with `of`, and leaves a wait unchanged.
    pub fn map<J>(self, of: impl FnOnce(I) -> J) -> Attempt<J> {
        match self {
            Attempt::Ready(id) => Attempt::Ready(of(id)),
            Attempt::Wait(wait) => Attempt::Wait(wait),
        }
    }
}

/// A generator of IDs of one scheme.
///
/// IDs of up to 64 bits are signed integers (`Generator<Id = i64>`), which fit a `BIGINT` column, a
/// Java `long` and a C `int64_t`. Wider IDs are unsigned (`Generator<Id = u128>`).
///
/// Threads can share a generator. A signal handler can call generators with 64-bit positions, such
/// as Snowflake, Randflake, Ulid-Flake, ObjectId and UUID v1. It must not call those with wider
/// positions (ULID, UUID v7, wide layouts): they hold a lock for some nanoseconds, and a handler
/// that interrupts the holder of this lock deadlocks.
///
/// ```
/// use saiban::{Attempt, Encoding, Error, FlakeGenerator, Generator, Layout, Options, SnowflakeGenerator};
/// /// Works with every scheme of 64-bit IDs.
/// fn some(ids: &dyn Generator<Id = i64>) -> Result<(), Error> {
///     let id = ids.generate()?;                                  // may wait
///     if let Attempt::Ready(next) = ids.try_generate()? {        // never waits
///         assert!(id < next);
///     }
///     let mut block = [0; 100];
///     let written = ids.fill(&mut block)?;
///     assert!(block[..written].is_sorted() && id < block[0]);
///     assert_eq!(ids.from_text(&ids.to_text(id)?)?, id);
///     assert_eq!(ids.to_text_as(id, Some(Encoding::CROCKFORD))?.len(), 13);
///     assert_eq!(ids.inspect(id)?.node, Some(7));
///     Ok(())
/// }
/// some(&SnowflakeGenerator::new(7)?)?;
/// some(&FlakeGenerator::new(Layout::from_text("unused:1 timestamp:41 node:6 sequence:16")?, &Options::node(7))?)?;
/// # Ok::<(), Error>(())
/// ```
#[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
pub trait Generator {
    /// The type of an ID: `i64` up to 64 bits, else `u128`.
    type Id: IdValue;

    /// Returns the scheme of the generator's IDs.
    fn scheme(&self) -> Scheme;

    /// Returns the width of an ID in bits, unused bits included.
    fn bits(&self) -> u32 {
        u64::BITS
    }

    /// Returns the encoding of the canonical text.
    fn encoding(&self) -> Encoding {
        self.scheme().encoding()
    }

    /// Returns the prefix of the text, or `None` if the text has no prefix.
    fn prefix(&self) -> Option<Prefix> {
        None
    }

    /// Makes an ID if one is available without waiting.
    ///
    /// # Errors
    /// - `ClockBackward` and `LeaseNotBegun`, if the wait would be longer than `max_wait`.
    /// - `ClockJumped`, if the clock has jumped ahead by more than `max_jump`.
    /// - `LeaseExpired`, after the end of the window or lease, and `LeaseLost`, after the lease was
    ///   closed.
    /// - `Forked`, in a forked copy of the process that made the generator.
    /// - `TimestampBeforeEpoch`, `TimestampOverflow` and `ClockUnavailable`, if the clock cannot be
    ///   read or shows a time outside the layout.
    /// - `StateUnavailable`, if the state file cannot be written. `StateUnavailable`,
    ///   `StateMismatch` and `NodeInUse`, if the file of scope `Machine` was deleted and cannot be
    ///   replaced.
    /// - `EntropyUnavailable`.
    fn try_generate(&self) -> Result<Attempt<Self::Id>, Error>;

    /// Makes an ID if one is available without waiting, for a caller that waits by itself.
    ///
    /// Use this method with a timer or an event loop. `left` is the time that remains to the
    /// caller; a returned `Wait` is never longer.
    ///
    /// # Errors
    /// As [`Generator::try_generate`], with `left` in place of `max_wait`. `WouldWait` if the next
    /// ID needs a longer wait, or any wait with a clock that never waits.
    fn try_generate_within(&self, left: Duration) -> Result<Attempt<Self::Id>, Error>;

    /// Makes an ID, waiting for at most `max_wait`.
    ///
    /// # Errors
    /// As [`Generator::try_generate`]. `WouldWait` if the next ID needs a longer wait, or any wait
    /// with a clock that never waits.
    fn generate(&self) -> Result<Self::Id, Error>;

    /// Fills a buffer with IDs and returns how many it wrote, waiting as `generate` does.
    ///
    /// If an error occurs after the first ID, `fill` returns the number of IDs written so far
    /// instead of the error.
    ///
    /// # Errors
    /// As [`Generator::generate`], if `fill` could not write any ID.
    fn fill(&self, ids: &mut [Self::Id]) -> Result<usize, Error>;

    /// Returns the generator's statistics.
    ///
    /// # Errors
    /// `ClockUnavailable`.
    fn stats(&self) -> Result<Stats, Error>;

    /// Returns the layout of the IDs, for schemes with more than one layout, such as Snowflake,
    /// TSID, Ulid-Flake and Flake; else `None`.
    fn layout(&self) -> Option<&Layout> {
        None
    }

    /// Composes the ID of these parts without using the cursor. Use it for tests and for old data,
    /// not for new IDs.
    ///
    /// # Errors
    /// - `InvalidArgument` for a missing part, a part that the scheme does not have, and for
    ///   nanoseconds outside a millisecond.
    /// - `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`,
    ///   `RandomOutOfRange`, `RollbackOutOfRange` for a part that does not fit the layout.
    fn compose(&self, parts: &ComposeParts) -> Result<Self::Id, Error>;

    /// Splits an ID into its parts.
    ///
    /// # Errors
    /// `IdOutOfRange` if the number is not an ID of this scheme and layout.
    fn inspect(&self, id: Self::Id) -> Result<Parts, Error>;

    /// Returns the smallest and the largest ID possible in this half-open interval of Unix
    /// milliseconds.
    ///
    /// With it, you can query a table by creation time using only its primary key (`BETWEEN`, which
    /// includes both ends). Ticks that lie partly in the interval count. The range leaves out times
    /// before the layout's epoch or after its last tick.
    ///
    /// ```
    /// use saiban::{ComposeParts, Generator, SnowflakeGenerator};
    /// let ids = SnowflakeGenerator::new(9)?;
    /// let day = ids.range(1_763_683_200_000, 1_763_769_600_000)?;
    /// assert!(day.contains(&ids.compose(&ComposeParts::at_ms(1_763_700_000_000).node(9).sequence(0))?));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// - `NotTimeOrdered` for a scheme whose IDs do not sort by time.
    /// - `InvalidWindow` for an empty interval, or one in which IDs turn negative.
    /// - `TimestampBeforeEpoch` and `TimestampOverflow` for an interval outside the layout's time.
    fn range(&self, start_ms: i64, end_ms: i64) -> Result<core::ops::RangeInclusive<Self::Id>, Error>;

    /// Reads an ID from text, as strictly as `leniency` requires.
    ///
    /// `Strict` accepts only the canonical text. Generators of ULID, TSID and Ulid-Flake accept any
    /// case even then. `Lenient` also accepts variants such as leading zeros.
    ///
    /// If all texts of a scheme have one width, even a lenient reader requires this width, not
    /// counting hyphens. Otherwise a text that lost a character would be read as another ID. These
    /// schemes are ULID, TSID, Ulid-Flake, ObjectId, XID, UUID and tick IDs.
    ///
    /// # Errors
    /// The kinds that begin with `Text`. `IdOutOfRange` if the number is not an ID of this scheme
    /// and layout.
    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<Self::Id, Error> {
        let id = Self::Id::decode(self.encoding(), text, self.bits(), self.scheme().text_width(), leniency)?;
        self.inspect(id).map(|_| id)
    }

    /// Reads an ID from its canonical text.
    ///
    /// # Errors
    /// As [`Generator::from_text_as`].
    fn from_text(&self, text: &str) -> Result<Self::Id, Error> {
        self.from_text_as(text, Leniency::Strict)
    }

    /// Writes an ID as its canonical text.
    ///
    /// # Errors
    /// `IdOutOfRange` if the number is not an ID of this scheme and layout.
    fn to_text(&self, id: Self::Id) -> Result<Text, Error> {
        self.to_text_as(id, None)
    }

    /// Writes an ID in `encoding` with its default width, or as its canonical text for `None`.
    ///
    /// # Errors
    /// As [`Generator::to_text`].
    fn to_text_as(&self, id: Self::Id, encoding: Option<Encoding>) -> Result<Text, Error> {
        self.inspect(id)?;
        self.write(id, encoding)
    }

    /// Writes an ID that this generator made, without checking that it is one of this scheme and
    /// layout. Otherwise it works as [`Generator::to_text_as`].
    ///
    /// # Errors
    /// `IdOutOfRange` for an ID with too many bits.
    fn write(&self, id: Self::Id, encoding: Option<Encoding>) -> Result<Text, Error> {
        let id = id.any(self.bits());
        match encoding {
            Some(encoding) => id.encode(encoding),
            None => id.encode_as(self.encoding(), self.scheme().text_width()),
        }
    }

    /// Writes the text of [`Generator::write`] to the start of a buffer, and returns the number of
    /// bytes written. No text is longer than [`Text::MAX_LEN`].
    ///
    /// For text of the full width it is faster than `write`, because no `Text` is moved. If you
    /// implement `write`, implement this method too.
    ///
    /// # Errors
    /// As [`Generator::write`], and `BufferTooSmall`. An error leaves the buffer unchanged.
    fn write_into(&self, id: Self::Id, encoding: Option<Encoding>, buffer: &mut [u8]) -> Result<usize, Error> {
        let id = id.any(self.bits());
        match encoding {
            Some(encoding) => id.encode_into(encoding, None, buffer),
            None => id.encode_into(self.encoding(), self.scheme().text_width(), buffer),
        }
    }

    /// Makes an ID and writes it in `encoding` with its default width, or as its canonical text for
    /// `None`.
    ///
    /// # Errors
    /// As [`Generator::generate`].
    fn generate_text(&self, encoding: Option<Encoding>) -> Result<Text, Error> {
        self.write(self.generate()?, encoding)
    }

    /// Makes `count` IDs, waiting before each as `generate` does.
    ///
    /// The call returns all IDs or an error; on an error, the IDs made so far are lost. Use `fill`
    /// to keep them.
    ///
    /// # Errors
    /// As [`Generator::fill_all`].
    #[cfg(feature = "alloc")]
    fn generate_many(&self, count: usize) -> Result<alloc::vec::Vec<Self::Id>, Error> {
        if count > MAX_AT_ONCE {
            return Err(TOO_MANY);
        }
        let mut ids = alloc::vec::Vec::new();
        ids.try_reserve_exact(count).map_err(|_| TOO_MANY)?;
        ids.resize(count, Self::Id::default());
        self.fill_all(&mut ids)?;
        Ok(ids)
    }

    /// Fills the whole buffer with IDs, waiting before each as `generate` does.
    ///
    /// # Errors
    /// As [`Generator::generate`]; the buffer may then have some IDs. `InvalidArgument` for more
    /// than [`MAX_AT_ONCE`] IDs, and for a custom generator whose `fill` returns 0 instead of an
    /// error.
    fn fill_all(&self, ids: &mut [Self::Id]) -> Result<(), Error> {
        if ids.len() > MAX_AT_ONCE {
            return Err(TOO_MANY);
        }
        let mut written = 0;
        while written < ids.len() {
            match self.fill(&mut ids[written..])? {
                0 => {
                    let what = "the generator's `fill` wrote no ID and returned no error: return an error from it";
                    return Err(Error::InvalidArgument { what });
                }
                more => written += more,
            }
        }
        Ok(())
    }
}

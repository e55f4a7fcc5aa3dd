//! The generators, one file a scheme, over one engine.
//!
//! A generator answers [`Attempt::Ready`] or [`Attempt::Wait`] and never sleeps by itself: waiting is the clock's.

mod ahead;
#[cfg(target_has_atomic = "64")]
mod drawn;
mod engine;
#[cfg(target_has_atomic = "64")]
mod flake;
#[cfg(feature = "std")]
mod grant;
mod jump;
#[cfg(target_has_atomic = "64")]
mod object_id;
mod options;
mod randflake;
mod scope;
mod shards;
mod snowflake;
mod stats;
#[cfg(target_has_atomic = "64")]
mod tick_id;
#[cfg(target_has_atomic = "64")]
mod ulid;
mod ulid_flake;
#[cfg(target_has_atomic = "64")]
mod uuid;

pub use crate::layout::Guarantee;
#[cfg(target_has_atomic = "64")]
pub(crate) use flake::inspect as inspect_flake;
#[cfg(target_has_atomic = "64")]
pub use flake::{Flake, WideFlake};
#[cfg(feature = "std")]
pub use grant::Grant;
#[cfg(target_has_atomic = "64")]
pub use object_id::ObjectId;
#[cfg(target_has_atomic = "64")]
pub(crate) use object_id::{BITS as OBJECT_ID_BITS, inspect as inspect_object_id};
pub use options::{Options, Rollback};
pub use randflake::Randflake;
pub(crate) use randflake::{inspect as inspect_randflake, layout as randflake_layout};
pub use scope::Scope;
pub use snowflake::Snowflake;
pub(crate) use snowflake::inspect as inspect_snowflake;
pub use stats::Stats;
#[cfg(target_has_atomic = "64")]
pub(crate) use tick_id::{
    BITS as TICK_ID_BITS, inspect as inspect_tick_id, read as read_tick_id, text as tick_id_text,
};
#[cfg(target_has_atomic = "64")]
pub use tick_id::{TickId, TickOrder};
#[cfg(target_has_atomic = "64")]
pub use ulid::Ulid;
#[cfg(target_has_atomic = "64")]
pub(crate) use ulid::inspect as inspect_ulid;
pub(crate) use ulid_flake::inspect as inspect_ulid_flake;
pub use ulid_flake::{UlidFlake, UlidFlakeFormat};
#[cfg(target_has_atomic = "64")]
pub(crate) use uuid::inspect as inspect_uuid;
#[cfg(target_has_atomic = "64")]
pub use uuid::{Uuid, UuidParts};

/// The cursor of a generator that does not name one: shared between threads where the target has 64-bit atomics.
#[cfg(target_has_atomic = "64")]
pub type DefaultCursor = crate::cursor::Cursor;
/// The cursor of a generator that does not name one: with a single owner, for want of 64-bit atomics.
#[cfg(not(target_has_atomic = "64"))]
pub type DefaultCursor = crate::cursor::LocalCursor;

/// The same for positions of 128 bits.
#[cfg(target_has_atomic = "64")]
pub type DefaultWideCursor = crate::cursor::WideCursor;

use crate::encoding::{Encoding, Leniency, Text};
use crate::error::Error;
use crate::id::{IdValue, Parts, Scheme};
use core::time::Duration;

/// The most IDs that one call of `generate_many` makes: 10 million.
pub const MOST_AT_ONCE: usize = 10_000_000;

/// The answer of a generator that does not wait.
///
/// ```
/// use saiban::{Attempt, Generator, Snowflake};
/// let ids = Snowflake::new(7)?;
/// match ids.try_generate()? {
///     Attempt::Ready(id) => println!("{id}"),
///     Attempt::Wait(left) => println!("try again in {left:?}"),
/// }
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt<I = i64> {
    /// An ID that no other call will return.
    Ready(I),
    /// No ID can be had now: try again in this time.
    Wait(Duration),
}

impl<I> Attempt<I> {
    /// The same with what this makes of the ID.
    pub fn map<J>(self, of: impl FnOnce(I) -> J) -> Attempt<J> {
        match self {
            Attempt::Ready(id) => Attempt::Ready(of(id)),
            Attempt::Wait(wait) => Attempt::Wait(wait),
        }
    }
}

/// What every generator can do. IDs of up to 64 bits are signed integers, `Generator`: what a `BIGINT` column, a Java `long` and a C
/// `int64_t` hold. Wider ones are unsigned, `Generator<u128>`.
///
/// Threads may share a generator. A signal's handler may use those of 64-bit positions (Snowflake, Randflake, Ulid-Flake, ObjectId, UUID v1);
/// those of wider ones (ULID, UUID v7, wide layouts) hold a lock for some nanoseconds, for which a handler that interrupts its
/// holder would wait for ever.
///
/// ```
/// use saiban::{Attempt, Encoding, Error, Flake, Generator, Layout, Options, Snowflake};
/// /// Works with every scheme of 64-bit IDs.
/// fn some(ids: &dyn Generator) -> Result<(), Error> {
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
/// some(&Snowflake::new(7)?)?;
/// some(&Flake::new(Layout::from_text("unused:1 timestamp:41 node:6 sequence:16")?, &Options::node(7))?)?;
/// # Ok::<(), Error>(())
/// ```
#[allow(clippy::wrong_self_convention, reason = "to_text and from_text are the pair that every language has")]
pub trait Generator<I: IdValue = i64> {
    /// The family of its IDs.
    fn scheme(&self) -> Scheme;

    /// The width of its IDs in bits, unused ones included.
    fn bits(&self) -> u32 {
        u64::BITS
    }

    /// The encoding of its IDs' canonical text.
    fn encoding(&self) -> Encoding {
        self.scheme().encoding()
    }

    /// Makes an ID if that needs no wait.
    ///
    /// # Errors
    /// `Forked` in a copy of the process that made the generator; `ClockBackward`, `ClockJumped`, `LeaseNotBegun` where the wait would be longer than `max_wait`; `LeaseExpired`;
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `ClockUnavailable` for a clock outside the layout;
    /// `EntropyUnavailable`.
    fn try_generate(&self) -> Result<Attempt<I>, Error>;

    /// Makes an ID if that needs no wait, for a caller who waits by itself (on a timer, in an event loop) and has this much time
    /// left for it: `Wait` is never longer.
    ///
    /// # Errors
    /// As [`Generator::try_generate`], with `left` in place of `max_wait`, and `WouldWait` where a longer wait is needed, or any
    /// with a clock that never waits.
    fn try_generate_within(&self, left: Duration) -> Result<Attempt<I>, Error>;

    /// Makes an ID, waiting for at most `max_wait`.
    ///
    /// # Errors
    /// As [`Generator::try_generate`], and `WouldWait` where the next ID needs a longer wait, or any with a clock that
    /// never waits.
    fn generate(&self) -> Result<I, Error>;

    /// Fills a buffer with IDs, waiting as `generate` does; answers how many it wrote. It stops early, without an error,
    /// where no more can be had but some were written.
    ///
    /// # Errors
    /// As [`Generator::generate`], when not one could be had.
    fn fill(&self, ids: &mut [I]) -> Result<usize, Error>;

    /// What the generator tells of itself.
    ///
    /// # Errors
    /// `ClockUnavailable`.
    fn stats(&self) -> Result<Stats, Error>;

    /// Takes an ID apart.
    ///
    /// # Errors
    /// `IdOutOfRange` when it is not one of this scheme and layout.
    fn inspect(&self, id: I) -> Result<Parts, Error>;

    /// The smallest and the largest ID that can have been made in this half-open interval, Unix milliseconds: for asking a database for
    /// what was made when, by its primary key (`BETWEEN`, both included). Ticks that lie partly in the interval count; what lies before
    /// the format's epoch or after its end is left out.
    ///
    /// ```
    /// use saiban::{Generator, Snowflake};
    /// let ids = Snowflake::new(9)?;
    /// let day = ids.range(1_763_683_200_000, 1_763_769_600_000)?;
    /// assert!(day.contains(&ids.compose(1_763_700_000_000, 9, 0)?));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `NotTimeOrdered` for a scheme whose IDs are not in the order of their times; `InvalidWindow` for an interval that is empty, or one in
    /// which IDs turn negative; `TimestampBeforeEpoch`, `TimestampOverflow` for one outside the format's time.
    fn range(&self, start_ms: i64, end_ms: i64) -> Result<core::ops::RangeInclusive<I>, Error>;

    /// Reads an ID from its canonical text; with `Lenient` from what people make of it. ULID and Ulid-Flake have any case read in
    /// both ways, as their specifications say; all else has one text for each ID. Where all texts of a scheme have one width (ULID, Ulid-Flake,
    /// ObjectId, UUID, tick IDs) a lenient reader asks for it too, hyphens not counted: with a character lost it would be another ID.
    ///
    /// # Errors
    /// The kinds that begin with `Text`; `IdOutOfRange` when the number is not an ID of this scheme and layout.
    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<I, Error> {
        let id = I::decode(self.encoding(), text, self.bits(), self.scheme().text_width(), leniency)?;
        self.inspect(id).map(|_| id)
    }

    /// Reads an ID from its canonical text.
    ///
    /// # Errors
    /// As [`Generator::from_text_as`].
    fn from_text(&self, text: &str) -> Result<I, Error> {
        self.from_text_as(text, Leniency::Strict)
    }

    /// Writes an ID as its canonical text.
    ///
    /// # Errors
    /// `IdOutOfRange` when it is not one of this scheme and layout.
    fn to_text(&self, id: I) -> Result<Text, Error> {
        self.to_text_as(id, None)
    }

    /// Writes an ID in this encoding's customary form, or as its canonical text where it is `None`.
    ///
    /// # Errors
    /// As [`Generator::to_text`].
    fn to_text_as(&self, id: I, encoding: Option<Encoding>) -> Result<Text, Error> {
        self.inspect(id)?;
        match encoding {
            Some(encoding) => id.any(self.bits()).encode(encoding),
            None => id.any(self.bits()).encode_as(self.encoding(), self.scheme().text_width()),
        }
    }

    /// Makes an ID and writes it in this encoding's customary form, or as canonical text where it is `None`.
    ///
    /// # Errors
    /// As [`Generator::generate`].
    fn generate_text(&self, encoding: Option<Encoding>) -> Result<Text, Error> {
        let id = self.generate()?.any(self.bits());
        match encoding {
            Some(encoding) => id.encode(encoding),
            None => id.encode_as(self.encoding(), self.scheme().text_width()),
        }
    }

    /// Makes this many IDs, waiting as `generate` does before each. All or none: on an error those made so far are lost, and
    /// `fill` keeps them.
    ///
    /// # Errors
    /// As [`Generator::generate`]; `InvalidArgument` for more than [`MOST_AT_ONCE`], and for a generator
    /// of your own whose `fill` returns 0 in place of an error.
    #[cfg(feature = "alloc")]
    fn generate_many(&self, count: usize) -> Result<alloc::vec::Vec<I>, Error> {
        let too_many =
            Error::InvalidArgument { what: "so many IDs cannot be made at once: ask for 0 to 10000000 a call" };
        if count > MOST_AT_ONCE {
            return Err(too_many);
        }
        let mut ids = alloc::vec::Vec::new();
        ids.try_reserve_exact(count).map_err(|_| too_many)?;
        ids.resize(count, I::default());
        let mut written = 0;
        while written < count {
            match self.fill(&mut ids[written..])? {
                0 => {
                    let what = "the generator's `fill` wrote no ID and returned no error: return an error from it";
                    return Err(Error::InvalidArgument { what });
                }
                more => written += more,
            }
        }
        Ok(ids)
    }
}

//! ULID: time and 80 random bits, which grow by one within a millisecond.
//!
//! ```text
//! 127                            80 79                                                   0
//! +--------------------------------+-----------------------------------------------------+
//! | timestamp: Unix ms, 48 bits    | random, 80                                          |
//! +--------------------------------+-----------------------------------------------------+
//! ```
//!
//! The first ID of a millisecond has a new random part; each further ID adds 1. The IDs of a
//! generator ascend strictly, even if the clock steps back. If the 80 bits overflow, the generator
//! waits for the next millisecond. With a `max_wait` of 0 this is an error, as the specification
//! requires. Two generators, also of two processes or machines, make equal IDs with a probability
//! of 2^-80 for each pair of IDs from one millisecond. IDs sort by time, and anyone can read their
//! time.
//!
//! The text has 26 characters of Crockford's base32, in upper case; the largest is
//! `7ZZZZZZZZZZZZZZZZZZZZZZZZZ`. Even strict readers accept any case, because the specification
//! requires it, so an ID has more than one valid text. Before you compare texts of ULIDs, convert
//! them to the canonical text or to numbers.
//!
//! Source: github.com/ulid/spec (2016–2019).

use super::engine::{Engine, Format, Taken};
use super::{Attempt, ComposeParts, DefaultWideCursor, Generator, Guarantee, Options, Stats};
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace};
use crate::encoding::Leniency;
use crate::entropy::{DefaultEntropy, Entropy};
use crate::error::Error;
use crate::id::{AnyId, IdValue, Parts, Ulid};
use crate::layout::{Layout, LayoutSpec, WideFields};
use crate::scheme::{Part, Scheme};
use core::ops::RangeInclusive;
use core::time::Duration;

/// The layout of a ULID.
pub(crate) const LAYOUT: Layout = match LayoutSpec::new().timestamp(48).random_step(80, 1).check() {
    Ok(layout) => layout,
    Err(_) => panic!("a ULID is a valid layout"),
};

/// The number of characters of the text.
const TEXT_WIDTH: usize = 26;

/// A generator of ULIDs.
///
/// ```
/// use saiban::{Generator, UlidGenerator};
/// let ids = UlidGenerator::new()?;
/// let (first, second) = (ids.generate()?, ids.generate()?);
/// assert!(first < second);
/// assert_eq!(ids.to_text(first)?.as_str().len(), 26);
/// assert_eq!(ids.from_text("01arz3ndektsv4rrffq69g5fav")?, ids.from_text("01ARZ3NDEKTSV4RRFFQ69G5FAV")?);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct UlidGenerator<C = crate::clock::SystemClock, E = DefaultEntropy, W: CursorWord = DefaultWideCursor> {
    engine: Engine<C, W>,
    entropy: E,
}

#[cfg(feature = "std")]
impl UlidGenerator<SystemClock> {
    /// Returns a generator on the system's clock and randomness.
    ///
    /// # Errors
    /// `ClockUnavailable`.
    pub fn new() -> Result<Self, Error> {
        Self::build(&Options::default(), SystemClock, DefaultEntropy::default())
    }
}

impl<C: Clock, E: Entropy> UlidGenerator<C, E> {
    /// Returns a generator with these options. The unit of `window` is Unix milliseconds.
    ///
    /// # Errors
    /// `InvalidArgument` for options that ULIDs do not take, such as a node, shards or a state
    /// file; `InvalidWindow`; `ClockUnavailable`.
    pub fn build(options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        Self::with_cursor(options, clock, entropy)
    }
}

impl<C: Clock, E: Entropy, W: CursorWord<Position = u128>> UlidGenerator<C, E, W> {
    /// Returns a generator as [`UlidGenerator::build`] does, with the cursor type `W`. A
    /// [`LocalCursor`](crate::cursor::LocalCursor) has a single owner.
    ///
    /// # Errors
    /// As [`UlidGenerator::build`].
    pub fn with_cursor(options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        let engine = Engine::open(&Format::of_random(Scheme::Ulid, LAYOUT), options, clock)?;
        Ok(UlidGenerator { engine, entropy })
    }

    /// Makes an ID as a [`Ulid`].
    ///
    /// # Errors
    /// As [`Generator::generate`].
    pub fn generate_ulid(&self) -> Result<Ulid, Error> {
        self.generate().map(Ulid::known)
    }

    /// Returns the random start of a new millisecond, and the step of 1.
    fn pace(&self, want: u64) -> Result<Pace<u128>, Error> {
        Ok(Pace { first: self.entropy.next_u128()? >> 48, increment: 1, want })
    }
}

/// A position has the same bits as its ID.
const fn of_position(position: u128) -> u128 {
    position
}

fn of_fields(taken: Taken<u128>) -> u128 {
    u128::from(taken.tick) << 80 | taken.counter
}

/// Splits a ULID into its parts. Any 128 bits are a ULID.
pub(crate) fn inspect(id: u128) -> Parts {
    let WideFields { tick, counter, .. } = LAYOUT.split_wide(id).unwrap_or_default();
    Parts {
        timestamp_ms: Some(LAYOUT.tick_start_ms(tick)),
        random: Some(counter),
        ..Parts::of(Scheme::Ulid, AnyId::known(id, u128::BITS))
    }
}

impl<C: Clock, E: Entropy, W: CursorWord<Position = u128>> Generator for UlidGenerator<C, E, W> {
    type Id = u128;

    fn scheme(&self) -> Scheme {
        Scheme::Ulid
    }

    fn bits(&self) -> u32 {
        u128::BITS
    }

    fn try_generate(&self) -> Result<Attempt<u128>, Error> {
        self.engine.attempt_wide(|| Ok(1), || self.pace(1), of_position, of_fields)
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<u128>, Error> {
        self.engine.attempt_within(left, self.pace(1)?, of_fields)
    }

    fn generate(&self) -> Result<u128, Error> {
        self.engine.generate_wide(|| Ok(1), || self.pace(1), of_position, of_fields)
    }

    fn fill(&self, ids: &mut [u128]) -> Result<usize, Error> {
        self.engine.fill(ids, |want| self.pace(want), of_fields)
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.engine.stats(Guarantee::Probable)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<u128>, Error> {
        LAYOUT.range_wide_ms(start_ms, end_ms)
    }

    fn compose(&self, parts: &ComposeParts) -> Result<u128, Error> {
        parts.check(Scheme::Ulid, &[Part::Timestamp, Part::Random])?;
        parts.of_layout(&LAYOUT)
    }

    fn inspect(&self, id: u128) -> Result<Parts, Error> {
        Ok(inspect(id))
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<u128, Error> {
        if leniency == Leniency::Lenient {
            // Even a lenient reader requires the full width: a lost or doubled character would give
            // another ID.
            self.encoding().check_digits(text, TEXT_WIDTH)?;
        }
        // The specification requires readers to accept any case.
        u128::decode(self.encoding(), text, u128::BITS, None, leniency.max(Leniency::AnyCase))
    }
}

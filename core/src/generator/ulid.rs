//! ULID: time and 80 random bits that grow by one within a millisecond.
//!
//! ```text
//! 127                            80 79                                                   0
//! +--------------------------------+-----------------------------------------------------+
//! | timestamp: Unix ms, 48 bits    | random, 80                                          |
//! +--------------------------------+-----------------------------------------------------+
//! ```
//!
//! The first ID of a millisecond draws its random part anew, the next ones add 1: IDs of a generator ascend strictly, whatever the clock
//! does. Past 80 bits the next millisecond must be waited for; with a `max_wait` of 0 that is an error, as the specification has it. Two
//! generators, also those of two processes or machines, make equal IDs with a chance of 2^-80 for each pair of IDs from one
//! millisecond. IDs sort by time and tell it to anyone. Text is 26 characters of Crockford's base32, upper case; the largest is
//! `7ZZZZZZZZZZZZZZZZZZZZZZZZZ`. Any case is read, also by strict readers, because the specification says so: the exception to one
//! text for each ID. Who compares ULIDs as text writes them anew first, or keeps them as numbers.
//!
//! Source: github.com/ulid/spec (2016–2019).

use super::engine::{Engine, Format, Owner};
use super::{Attempt, DefaultWideCursor, Generator, Guarantee, Options, Stats};
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::Pace;
use crate::encoding::Leniency;
#[cfg(feature = "std")]
use crate::entropy::PooledEntropy;
use crate::entropy::{DefaultEntropy, Entropy};
use crate::error::Error;
use crate::id::{AnyId, IdValue, Parts, Scheme};
use crate::layout::{Layout, LayoutSpec, WideFields};
use core::ops::RangeInclusive;
use core::time::Duration;

/// The layout of a ULID.
pub(crate) const LAYOUT: Layout = match LayoutSpec::new().timestamp(48).random_step(80, 1).check() {
    Ok(layout) => layout,
    Err(_) => panic!("a ULID is a valid layout"),
};

/// How many digits its text has.
const TEXT_WIDTH: usize = 26;

/// Makes ULIDs.
///
/// ```
/// use saiban::{Generator, Ulid};
/// let ids = Ulid::new()?;
/// let (first, second) = (ids.generate()?, ids.generate()?);
/// assert!(first < second);
/// assert_eq!(ids.to_text(first)?.as_str().len(), 26);
/// assert_eq!(ids.from_text("01arz3ndektsv4rrffq69g5fav")?, ids.from_text("01ARZ3NDEKTSV4RRFFQ69G5FAV")?);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct Ulid<C = crate::clock::SystemClock, E = DefaultEntropy> {
    engine: Engine<C, DefaultWideCursor>,
    entropy: E,
}

#[cfg(feature = "std")]
impl Ulid<SystemClock, PooledEntropy> {
    /// With the system's clock and randomness.
    ///
    /// # Errors
    /// `ClockUnavailable`.
    pub fn new() -> Result<Self, Error> {
        Self::build(&Options::default(), SystemClock, PooledEntropy)
    }
}

impl<C: Clock, E: Entropy> Ulid<C, E> {
    /// With these options. The window is in Unix milliseconds.
    ///
    /// # Errors
    /// `InvalidArgument` for a node, shards or a state file, which a ULID has not; `InvalidWindow`; `ClockUnavailable`.
    pub fn build(options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        let options = options.without_nodes()?;
        let format = Format { owner: Owner::Random, ..Format::of(Scheme::Ulid, LAYOUT) };
        Ok(Ulid { engine: Engine::open(&format, &options, clock)?, entropy })
    }

    /// Makes the ID of these parts, without the cursor: for tests and for reading old data, not for new IDs. The time is
    /// Unix milliseconds.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `RandomOutOfRange` for more than 80 bits.
    pub fn compose(&self, timestamp_ms: i64, random: u128) -> Result<u128, Error> {
        LAYOUT.compose_wide_ms(timestamp_ms, 0, random, 0, 0)
    }

    /// Draws where a new millisecond begins.
    fn pace(&self, want: u64) -> Result<Pace<u128>, Error> {
        Ok(Pace { first: self.entropy.next_u128()? >> 48, stride: 1, want })
    }
}

fn join(tick: u64, random: u128) -> u128 {
    u128::from(tick) << 80 | random
}

/// Takes a ULID apart. Any 128 bits are one.
pub(crate) fn inspect(id: u128) -> Parts {
    let WideFields { tick, counter, .. } = LAYOUT.split_wide(id).unwrap_or_default();
    Parts {
        timestamp_ms: Some(LAYOUT.tick_start_ms(tick)),
        random: Some(counter),
        ..Parts::of(Scheme::Ulid, AnyId::known(id, u128::BITS))
    }
}

impl<C: Clock, E: Entropy> Generator<u128> for Ulid<C, E> {
    fn scheme(&self) -> Scheme {
        Scheme::Ulid
    }

    fn bits(&self) -> u32 {
        u128::BITS
    }

    fn try_generate(&self) -> Result<Attempt<u128>, Error> {
        self.engine.attempt_step(|| Ok(1), || self.pace(1), |taken| join(taken.tick, taken.counter))
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<u128>, Error> {
        self.engine.attempt_within(left, self.pace(1)?, |taken| join(taken.tick, taken.counter))
    }

    fn generate(&self) -> Result<u128, Error> {
        self.engine.generate_step(|| Ok(1), || self.pace(1), |taken| join(taken.tick, taken.counter))
    }

    fn fill(&self, ids: &mut [u128]) -> Result<usize, Error> {
        self.engine.fill(ids, |want| self.pace(want), |taken| join(taken.tick, taken.counter))
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.engine.stats(Guarantee::Probable)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<u128>, Error> {
        LAYOUT.range_wide_ms(start_ms, end_ms)
    }

    fn inspect(&self, id: u128) -> Result<Parts, Error> {
        Ok(inspect(id))
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<u128, Error> {
        if leniency == Leniency::Lenient {
            // With a character lost or doubled it would be another ID's text.
            self.encoding().check_digits(text, TEXT_WIDTH)?;
        }
        // The specification reads any case.
        u128::decode(self.encoding(), text, u128::BITS, None, leniency.max(Leniency::AnyCase))
    }
}

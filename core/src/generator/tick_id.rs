//! Tick IDs: time as text that sorts, oldest or newest first, for key-value and table stores.
//!
//! ```text
//! ascending     {ticks:019}_{random:04}                                  0638996712000000000_0042
//! descending    {9223372036854775807 - ticks:019}_{random:03}            8584375324854775807_042
//! ```
//!
//! A tick is 100 ns since 0001-01-01T00:00:00Z, as in .NET's `DateTime.UtcNow.Ticks`. A generator
//! never uses a tick twice and is at most 1 ms ahead of the clock. On the system's clock,
//! generators of one process and order share a cursor, so they never use the same tick. A process
//! can thus make 10 million distinct IDs per second of each order.
//!
//! Two processes, including a process and its forked copy, can use the same tick. Then the random
//! digits keep their IDs apart in 9,999 of 10,000 cases (descending: 999 of 1000). The store must
//! therefore enforce uniqueness, and the caller must retry with a new ID after a conflict. Anyone
//! can read the time of an ID.
//!
//! A restarted process begins 1 ms ahead of the clock, because the previous process was at most 1
//! ms ahead.
//!
//! As a number, an ID is its ticks times 10,000 plus the random digits. A descending ID is the
//! remaining ticks times 1000 plus the random digits. Numbers sort as their texts do.

use super::engine::{Engine, Format, Owner};
use super::{Attempt, ComposeParts, DefaultCursor, Generator, Guarantee, Options, Stats};
use crate::bits::low_64;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::Pace;
use crate::encoding::{Encoding, Leniency, TICK_ID_BITS as BITS, Text, TickOrder, read_tick_id_as, tick_id_text};
use crate::entropy::{DefaultEntropy, Entropy};
use crate::error::Error;
use crate::id::{AnyId, IdValue, Parts};
use crate::layout::{Layout, LayoutSpec};
use crate::scheme::{Part, Scheme};
use core::ops::RangeInclusive;
use core::time::Duration;

const TICKS: Layout = match LayoutSpec::new().timestamp(63).epoch_ms(-62_135_596_800_000).tick_ns(100).check() {
    Ok(layout) => layout,
    Err(_) => panic!("ticks are a valid layout"),
};

/// The maximum by which an ID is ahead of the clock: 1 ms, in ticks.
const BORROW: u64 = 10_000;

/// A generator of tick IDs.
///
/// ```
/// use saiban::generator::TickOrder;
/// use saiban::{Generator, TickIdGenerator};
/// let ids = TickIdGenerator::new(TickOrder::Descending)?;
/// let (older, newer) = (ids.generate_text(None)?, ids.generate_text(None)?);
/// assert!(newer.as_str() < older.as_str());
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct TickIdGenerator<C = crate::clock::SystemClock, E = DefaultEntropy> {
    engine: Engine<C, DefaultCursor>,
    entropy: E,
    order: TickOrder,
}

#[cfg(feature = "std")]
impl TickIdGenerator<SystemClock> {
    /// Returns a generator on the system's clock and randomness.
    ///
    /// # Errors
    /// `ClockUnavailable`.
    pub fn new(order: TickOrder) -> Result<Self, Error> {
        Self::build(order, &Options::default(), SystemClock, DefaultEntropy::default())
    }
}

impl<C: Clock, E: Entropy> TickIdGenerator<C, E> {
    /// Returns a generator with these options. The unit of `window` is Unix milliseconds.
    ///
    /// # Errors
    /// `InvalidArgument` for options that tick IDs do not take, such as a node, shards or a state
    /// file; `InvalidWindow`; `ClockUnavailable`.
    pub fn build(order: TickOrder, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        // IDs of other processes and of forked copies differ by chance, and because the store
        // checks them.
        let format = Format {
            borrow: BORROW,
            owner: Owner::Nothing,
            node: Some(0),
            numbers: order.numbers(),
            ..Format::of(Scheme::TickId, TICKS)
        };
        Ok(TickIdGenerator { engine: Engine::open(&format, options, clock)?, entropy, order })
    }

    /// Returns the order of the IDs: ascending or descending.
    #[must_use]
    pub const fn order(&self) -> TickOrder {
        self.order
    }

    /// Returns random digits. The probabilities of two values differ by at most 1 in 2^50.
    fn random(&self) -> Result<u64, Error> {
        Ok(low_64((u128::from(self.entropy.next_u64()?) * u128::from(self.order.randoms())) >> 64))
    }
}

/// Splits a tick ID into its parts.
pub(crate) fn inspect(order: TickOrder, id: u128) -> Result<Parts, Error> {
    let (ticks, random) = order.split(id).ok_or(Scheme::TickId.not_an_id())?;
    Ok(Parts {
        layout: Some(order.name()),
        timestamp_ms: Some(TICKS.tick_start_ms(ticks)),
        submillisecond_ns: TICKS.tick_start_submillisecond_ns(ticks),
        random: Some(random.into()),
        ..Parts::of(Scheme::TickId, AnyId::known(id, BITS))
    })
}

impl<C: Clock, E: Entropy> Generator for TickIdGenerator<C, E> {
    type Id = u128;

    fn scheme(&self) -> Scheme {
        Scheme::TickId
    }

    fn bits(&self) -> u32 {
        BITS
    }

    fn try_generate(&self) -> Result<Attempt<u128>, Error> {
        let random = self.random()?;
        self.engine.attempt_next(|taken| self.order.join(taken.tick, random))
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<u128>, Error> {
        let random = self.random()?;
        self.engine.attempt_within(left, Pace::sequence(1), |taken| self.order.join(taken.tick, random))
    }

    fn generate(&self) -> Result<u128, Error> {
        let random = self.random()?;
        self.engine.generate_next(|taken| self.order.join(taken.tick, random))
    }

    fn fill(&self, ids: &mut [u128]) -> Result<usize, Error> {
        for (index, place) in ids.iter_mut().enumerate() {
            match self.generate() {
                Ok(id) => *place = id,
                Err(_) if index > 0 => return Ok(index),
                Err(error) => return Err(error),
            }
        }
        Ok(ids.len())
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.engine.stats(Guarantee::Probable)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<u128>, Error> {
        let (first, last) = TICKS.ticks_of_interval(start_ms, end_ms)?;
        let most = self.order.randoms() - 1;
        Ok(match self.order {
            TickOrder::Ascending => self.order.join(first, 0)..=self.order.join(last, most),
            TickOrder::Descending => self.order.join(last, 0)..=self.order.join(first, most),
        })
    }

    /// Composes an ID. The random part has 4 decimal digits; in descending order, 3.
    fn compose(&self, parts: &ComposeParts) -> Result<u128, Error> {
        parts.check(Scheme::TickId, &[Part::Timestamp, Part::Random])?;
        let ticks = parts.tick(&TICKS)?;
        Ok(self.order.join(ticks, low_64(parts.random_up_to((self.order.randoms() - 1).into())?)))
    }

    fn inspect(&self, id: u128) -> Result<Parts, Error> {
        inspect(self.order, id)
    }

    fn from_text_as(&self, text: &str, _leniency: Leniency) -> Result<u128, Error> {
        read_tick_id_as(self.order, text)
    }

    /// Writes the ticks and the random digits, or the ID as a number if an encoding is given.
    fn write(&self, id: u128, encoding: Option<Encoding>) -> Result<Text, Error> {
        match encoding {
            Some(encoding) => id.any(BITS).encode(encoding),
            None => tick_id_text(self.order, id),
        }
    }

    fn write_into(&self, id: u128, encoding: Option<Encoding>, buffer: &mut [u8]) -> Result<usize, Error> {
        self.write(id, encoding)?.copy_into(buffer)
    }
}

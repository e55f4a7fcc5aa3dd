//! Tick IDs: time as text that sorts, for key-value and table stores, oldest or newest first.
//!
//! ```text
//! ascending     {ticks:019}_{random:04}                                  0638996712000000000_0042
//! descending    {9223372036854775807 - ticks:019}_{random:03}            8584375324854775807_042
//! ```
//!
//! Ticks are 100 ns since 0001-01-01T00:00:00Z, .NET's `DateTime.UtcNow.Ticks`. A generator never uses a tick twice and is at most 1 ms ahead
//! of the clock. Generators of one process and order, on the system's clock, count together: none uses a tick of another's, so that a process
//! makes 10 million IDs a second of each order, and no two are equal. Two processes may use the same tick, copies made by fork too, and then
//! the random digits keep their IDs apart in 9,999 of 10,000 cases (999 of 1000, descending). So the store must be asked to keep them unique,
//! and a conflict answered with another ID. IDs tell their time to anyone.
//!
//! A process that is started again begins 1 ms ahead of the clock, which is as far as the one before it can have come.
//!
//! As a number an ID is the ticks (or what is left of them) times 10,000 (1000), plus the random digits: it sorts as the text does.

use super::engine::{Engine, Format, Owner};
use super::{Attempt, DefaultCursor, Generator, Guarantee, Options, Stats};
use crate::bits::low_64;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::Pace;
use crate::encoding::{Encoding, Leniency, Text};
#[cfg(feature = "std")]
use crate::entropy::PooledEntropy;
use crate::entropy::{DefaultEntropy, Entropy};
use crate::error::{Error, Excerpt};
use crate::id::{AnyId, IdValue, Parts, Scheme};
use crate::layout::{Layout, LayoutSpec};
use core::ops::RangeInclusive;
use core::time::Duration;

const TICKS: Layout = match LayoutSpec::new().timestamp(63).epoch_ms(-62_135_596_800_000).tick_ns(100).check() {
    Ok(layout) => layout,
    Err(_) => panic!("ticks are a valid layout"),
};

/// The largest number of ticks: what a descending ID is counted down from.
const MAX_TICKS: u64 = i64::MAX as u64;

/// How far an ID may be ahead of the clock: 1 ms.
const BORROW: u64 = 10_000;

/// How many digits the ticks have.
const TICK_DIGITS: usize = 19;

/// The width of an ID as a number.
pub(crate) const BITS: u32 = 77;

/// Which comes first in a store that sorts by text.
///
/// ```
/// use saiban::{Generator, ManualClock, Options, OsEntropy, TickId, TickOrder};
/// let clock = ManualClock::new(1_763_700_000_000)?;
/// let ids = |order| TickId::build(order, &Options::default(), &clock, OsEntropy);
/// let (oldest, newest) = (ids(TickOrder::Ascending)?, ids(TickOrder::Descending)?);
/// assert_eq!(oldest.to_text(oldest.compose(1_763_700_000_000, 42)?)?, "0638992968000000000_0042");
/// assert_eq!(newest.to_text(newest.compose(1_763_700_000_000, 42)?)?, "8584379068854775807_042");
/// assert_eq!(TickOrder::from_name("descending")?, TickOrder::Descending);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TickOrder {
    /// The oldest.
    Ascending,
    /// The newest.
    Descending,
}

impl TickOrder {
    /// Both.
    pub const ALL: [TickOrder; 2] = [TickOrder::Ascending, TickOrder::Descending];

    /// The name in every language: `ascending`, `descending`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TickOrder::Ascending => "ascending",
            TickOrder::Descending => "descending",
        }
    }

    /// The order of this name.
    ///
    /// # Errors
    /// `UnknownName` for any other text.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|order| order.name() == name)
            .ok_or(Error::UnknownTickOrder { name: Excerpt::new(name) })
    }

    /// Whose numbers its IDs are: the orders share no texts, so they share no ticks either.
    const fn numbers(self) -> &'static str {
        match self {
            TickOrder::Ascending => "tick-id ascending",
            TickOrder::Descending => "tick-id descending",
        }
    }

    /// How many random digits there are.
    const fn digits(self) -> usize {
        match self {
            TickOrder::Ascending => 4,
            TickOrder::Descending => 3,
        }
    }

    /// How many numbers have that many digits.
    const fn randoms(self) -> u64 {
        match self {
            TickOrder::Ascending => 10_000,
            TickOrder::Descending => 1_000,
        }
    }

    const fn join(self, ticks: u64, random: u64) -> u128 {
        let major = match self {
            TickOrder::Ascending => ticks,
            TickOrder::Descending => MAX_TICKS - ticks,
        };
        major as u128 * self.randoms() as u128 + random as u128
    }

    /// Ticks and random digits; `None` for a number that no ID is.
    fn split(self, id: u128) -> Option<(u64, u64)> {
        let randoms = u128::from(self.randoms());
        let major = u64::try_from(id / randoms).ok().filter(|major| *major <= MAX_TICKS)?;
        let ticks = if self == TickOrder::Ascending { major } else { MAX_TICKS - major };
        Some((ticks, low_64(id % randoms)))
    }
}

/// Makes tick IDs.
///
/// ```
/// use saiban::generator::TickOrder;
/// use saiban::{Generator, TickId};
/// let ids = TickId::new(TickOrder::Descending)?;
/// let (older, newer) = (ids.generate_text(None)?, ids.generate_text(None)?);
/// assert!(newer.as_str() < older.as_str());
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct TickId<C = crate::clock::SystemClock, E = DefaultEntropy> {
    engine: Engine<C, DefaultCursor>,
    entropy: E,
    order: TickOrder,
}

#[cfg(feature = "std")]
impl TickId<SystemClock, PooledEntropy> {
    /// With the system's clock and randomness.
    ///
    /// # Errors
    /// `ClockUnavailable`.
    pub fn new(order: TickOrder) -> Result<Self, Error> {
        Self::build(order, &Options::default(), SystemClock, PooledEntropy)
    }
}

impl<C: Clock, E: Entropy> TickId<C, E> {
    /// With these options. The window is in Unix milliseconds.
    ///
    /// # Errors
    /// `InvalidArgument` for a node, shards or a state file, which a tick ID has not; `InvalidWindow`; `ClockUnavailable`.
    pub fn build(order: TickOrder, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        // Other processes, and copies made by fork, are kept apart by chance and by the store only.
        let owner = Owner::Nothing;
        let format = Format { borrow: BORROW, owner, numbers: order.numbers(), ..Format::of(Scheme::TickId, TICKS) };
        Ok(TickId { engine: Engine::open(&format, &options.without_nodes_for_a_store()?, clock)?, entropy, order })
    }

    /// Which comes first.
    #[must_use]
    pub const fn order(&self) -> TickOrder {
        self.order
    }

    /// Makes the ID of these parts, without the cursor: for tests and for reading old data, not for new IDs. The time is
    /// Unix milliseconds; the random part has 4 decimal digits, descending 3.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `RandomOutOfRange`.
    pub fn compose(&self, timestamp_ms: i64, random: i64) -> Result<u128, Error> {
        self.compose_ns(timestamp_ms, 0, random)
    }

    /// As [`TickId::compose`], with 0 to 999,999 nanoseconds after the time, rounded down to 100.
    ///
    /// ```
    /// use saiban::generator::TickOrder;
    /// use saiban::{Generator, TickId};
    /// let ids = TickId::new(TickOrder::Ascending)?;
    /// let id = ids.compose_ns(1_764_079_890_000, 123_400, 42)?;
    /// assert_eq!(ids.to_text(id)?, "0638996766900001234_0042");
    /// assert_eq!(ids.inspect(id)?.submillisecond_ns, Some(123_400));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same, and `InvalidArgument` for nanoseconds that are none of a millisecond.
    pub fn compose_ns(&self, timestamp_ms: i64, submillisecond_ns: i64, random: i64) -> Result<u128, Error> {
        let ticks = TICKS.tick_at(timestamp_ms, submillisecond_ns)?;
        let max = self.order.randoms() - 1;
        let checked = u64::try_from(random).ok().filter(|random| *random <= max);
        Ok(self.order.join(ticks, checked.ok_or(Error::RandomOutOfRange { random, max })?))
    }

    /// Draws the random digits: each number as likely as another to within 1 in 2^50.
    fn random(&self) -> Result<u64, Error> {
        Ok(low_64((u128::from(self.entropy.next_u64()?) * u128::from(self.order.randoms())) >> 64))
    }
}

/// Writes a tick ID.
pub(crate) fn text(order: TickOrder, id: u128) -> Result<Text, Error> {
    let (major, random) = (id / u128::from(order.randoms()), id % u128::from(order.randoms()));
    let major = Encoding::DECIMAL.encode_wide_width(major, BITS, TICK_DIGITS as i64)?;
    let random = Encoding::DECIMAL.encode_wide_width(random, BITS, order.digits() as i64)?;
    Ok(Text::joined(&major, b'_', &random))
}

/// Reads a tick ID of either order: which, ticks, random digits.
pub(crate) fn read(text: &str) -> Result<(TickOrder, u128), Error> {
    let (longest, shortest) = (TICK_DIGITS + 5, TICK_DIGITS + 4);
    let length = text.chars().count();
    let order = match length {
        _ if length == longest => TickOrder::Ascending,
        _ if length == shortest => TickOrder::Descending,
        _ => {
            return Err(Error::TextLength { encoding: Scheme::TickId.name(), length, min: shortest, max: longest });
        }
    };
    read_as(order, text).map(|id| (order, id))
}

fn read_as(order: TickOrder, text: &str) -> Result<u128, Error> {
    let encoding = Scheme::TickId.name();
    let wanted = TICK_DIGITS + 1 + order.digits();
    let length = text.chars().count();
    if length != wanted {
        return Err(Error::TextLength { encoding, length, min: wanted, max: wanted });
    }
    // 23 digits at the most.
    let mut number = 0_u128;
    for (position, character) in text.chars().enumerate() {
        match (position, character) {
            (TICK_DIGITS, '_') => {}
            (_, '0'..='9') if position != TICK_DIGITS => number = number * 10 + u128::from(character as u8 - b'0'),
            _ => return Err(Error::TextCharacter { encoding, position, character }),
        }
    }
    order.split(number).map(|_| number).ok_or(Error::TextOverflow { encoding })
}

/// Takes a tick ID apart.
pub(crate) fn inspect(order: TickOrder, id: u128) -> Result<Parts, Error> {
    let (ticks, random) = order.split(id).ok_or(Error::IdOutOfRange { scheme: Scheme::TickId.name() })?;
    Ok(Parts {
        layout: Some(order.name()),
        timestamp_ms: Some(TICKS.tick_start_ms(ticks)),
        submillisecond_ns: TICKS.tick_start_submillisecond_ns(ticks),
        random: Some(random.into()),
        ..Parts::of(Scheme::TickId, AnyId::known(id, BITS))
    })
}

impl<C: Clock, E: Entropy> Generator<u128> for TickId<C, E> {
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

    fn inspect(&self, id: u128) -> Result<Parts, Error> {
        inspect(self.order, id)
    }

    fn from_text_as(&self, text: &str, _leniency: Leniency) -> Result<u128, Error> {
        read_as(self.order, text)
    }

    /// Without an encoding ticks and random digits; with one the number.
    fn to_text_as(&self, id: u128, encoding: Option<Encoding>) -> Result<Text, Error> {
        self.inspect(id)?;
        match encoding {
            Some(encoding) => id.any(BITS).encode(encoding),
            None => text(self.order, id),
        }
    }

    fn generate_text(&self, encoding: Option<Encoding>) -> Result<Text, Error> {
        self.to_text_as(self.generate()?, encoding)
    }
}

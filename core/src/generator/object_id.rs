//! ObjectId, MongoDB's: seconds, what each generator draws for itself, and a counter.
//!
//! ```text
//!  95                        64 63                              24 23                 0
//! +----------------------------+----------------------------------+--------------------+
//! | timestamp: Unix s, 32 bits | random, 40, drawn by a generator | counter, 24        |
//! +----------------------------+----------------------------------+--------------------+
//! ```
//!
//! The counter begins each second with a number that the generator has drawn, and wraps: at most 2^24 = 16,777,216 IDs a second, then
//! the next second must be waited for. A copy made by fork draws its own random part and counter. Two generators make equal
//! IDs with a chance of 2^-40 and what their counters meet. IDs sort by second and tell it to anyone. Text is 24
//! hexadecimal digits, lower case. Lasts until 2106-02-07.
//!
//! Source: MongoDB manual, "ObjectId"; MongoDB specifications, `source/bson-objectid/objectid.md`.

use super::drawn::Drawn;
use super::engine::{Engine, Format, Owner, Taken};
use super::{Attempt, DefaultCursor, Generator, Guarantee, Options, Stats};
use crate::bits::low_64;
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
use crate::layout::{Layout, LayoutSpec};
use core::ops::RangeInclusive;
use core::time::Duration;

/// What the cursor counts: seconds, and IDs in them. The 40 bits between are the generator's own.
const COUNTED: Layout = match LayoutSpec::new().timestamp(32).sequence(24).tick_us(1_000_000).check() {
    Ok(layout) => layout,
    Err(_) => panic!("what an ObjectId counts is a valid layout"),
};

/// The width of an ObjectId.
pub(crate) const BITS: u32 = 96;
const MAX_NODE: u64 = (1 << 40) - 1;
const MAX_COUNTER: u64 = (1 << 24) - 1;

/// Makes ObjectIds that MongoDB and its drivers take as their own. Drivers count on over seconds; here the counter begins each second
/// with the number that the generator drew.
///
/// ```
/// use saiban::{Generator, ObjectId};
/// let ids = ObjectId::new()?;
/// let id = ids.generate()?;
/// assert_eq!(ids.to_text(id)?.as_str().len(), 24);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct ObjectId<C = crate::clock::SystemClock, E = DefaultEntropy> {
    engine: Engine<C, DefaultCursor>,
    entropy: E,
    own: Drawn,
}

#[cfg(feature = "std")]
impl ObjectId<SystemClock, PooledEntropy> {
    /// With the system's clock and randomness.
    ///
    /// # Errors
    /// `EntropyUnavailable`, `ClockUnavailable`.
    pub fn new() -> Result<Self, Error> {
        Self::build(&Options::default(), SystemClock, PooledEntropy)
    }
}

impl<C: Clock, E: Entropy> ObjectId<C, E> {
    /// With these options. The window is in Unix seconds.
    ///
    /// # Errors
    /// `InvalidArgument` for a node, shards or a state file, which an ObjectId has not; `InvalidWindow`; `EntropyUnavailable`;
    /// `ClockUnavailable`.
    pub fn build(options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        let options = options.without_nodes()?;
        let format = Format { unit_ms: 1_000, owner: Owner::Random, ..Format::of(Scheme::ObjectId, COUNTED) };
        Ok(ObjectId { engine: Engine::open(&format, &options, clock)?, own: Drawn::new(&entropy)?, entropy })
    }

    /// Makes the ID of these parts, without the cursor: for tests and for reading old data, not for new IDs. The time is
    /// Unix milliseconds and is rounded down to the second; the node, which generators draw, has 40 bits, the sequence (the counter) 24.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    pub fn compose(&self, timestamp_ms: i64, node: i64, sequence: i64) -> Result<u128, Error> {
        let tick = COUNTED.tick_at_ms(timestamp_ms)?;
        let own = u64::try_from(node).ok().filter(|own| *own <= MAX_NODE);
        let own = own.ok_or(Error::NodeOutOfRange { node, max: MAX_NODE })?;
        let counter = u64::try_from(sequence).ok().filter(|counter| *counter <= MAX_COUNTER);
        let counter = counter.ok_or(Error::SequenceOutOfRange { sequence, max: MAX_COUNTER })?;
        Ok(join(tick, own, counter))
    }

    /// What of an ID is the generator's own: the random part, and the number from which it counts.
    fn own(&self) -> Result<(u64, u64), Error> {
        let bits = self.own.get(&self.entropy)?;
        Ok((bits >> 24, bits & MAX_COUNTER))
    }
}

fn join(tick: u64, own: u64, counter: u64) -> u128 {
    u128::from(tick) << 64 | u128::from(own << 24 | counter)
}

/// What a position makes: the counter goes around once a second at the most.
fn made((own, first): (u64, u64), taken: Taken<u64>) -> u128 {
    join(taken.tick, own, (first + taken.counter) & MAX_COUNTER)
}

/// Takes an ObjectId apart. Any 96 bits are one.
pub(crate) fn inspect(id: u128) -> Result<Parts, Error> {
    if id >> BITS != 0 {
        return Err(Error::IdOutOfRange { scheme: Scheme::ObjectId.name() });
    }
    let low = low_64(id);
    Ok(Parts {
        timestamp_ms: Some(COUNTED.tick_start_ms(low_64(id >> 64))),
        node: Some(low >> 24),
        sequence: Some(low & MAX_COUNTER),
        ..Parts::of(Scheme::ObjectId, AnyId::known(id, BITS))
    })
}

impl<C: Clock, E: Entropy> Generator<u128> for ObjectId<C, E> {
    fn scheme(&self) -> Scheme {
        Scheme::ObjectId
    }

    fn bits(&self) -> u32 {
        BITS
    }

    fn try_generate(&self) -> Result<Attempt<u128>, Error> {
        let own = self.own()?;
        self.engine.attempt_next(|taken| made(own, taken))
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<u128>, Error> {
        let own = self.own()?;
        self.engine.attempt_within(left, Pace::sequence(1), |taken| made(own, taken))
    }

    fn generate(&self) -> Result<u128, Error> {
        let own = self.own()?;
        self.engine.generate_next(|taken| made(own, taken))
    }

    fn fill(&self, ids: &mut [u128]) -> Result<usize, Error> {
        let own = self.own()?;
        self.engine.fill(ids, |want| Ok(Pace::sequence(want)), |taken| made(own, taken))
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.engine.stats(Guarantee::Probable)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<u128>, Error> {
        let (first, last) = COUNTED.ticks_of_interval(start_ms, end_ms)?;
        Ok(join(first, 0, 0)..=join(last, MAX_NODE, MAX_COUNTER))
    }

    fn inspect(&self, id: u128) -> Result<Parts, Error> {
        inspect(id)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<u128, Error> {
        // A digit lost or doubled would be another ID's text: what a lenient reader forgives here is the case.
        u128::decode(self.encoding(), text, BITS, Scheme::ObjectId.text_width(), leniency.min(Leniency::AnyCase))
    }
}

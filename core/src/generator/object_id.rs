//! ObjectId, from MongoDB: seconds, a random part of each generator, and a counter.
//!
//! ```text
//!  95                        64 63                              24 23                 0
//! +----------------------------+----------------------------------+--------------------+
//! | timestamp: Unix s, 32 bits | random, 40, drawn by a generator | counter, 24        |
//! +----------------------------+----------------------------------+--------------------+
//! ```
//!
//! The counter begins each second with a number that is random for each generator, and wraps. A
//! generator makes at most 2^24 = 16,777,216 IDs per second; then it waits for the next second. A
//! forked copy gets a random part and counter of its own. Two generators make equal IDs only if
//! their random parts are equal, with a probability of 2^-40, and their counters meet. IDs sort by
//! second, and anyone can read their time. The text is 24 hexadecimal digits, lower case. The
//! layout lasts until 2106-02-07.
//!
//! Source: MongoDB manual, "ObjectId"; MongoDB specifications, `source/bson-objectid/objectid.md`.

use super::engine::{Engine, Format, Taken};
use super::seed::Seed;
use super::{Attempt, ComposeParts, DefaultCursor, Generator, Guarantee, Options, Stats};
use crate::bits::low_64;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::Pace;
use crate::encoding::Leniency;
use crate::entropy::{DefaultEntropy, Entropy};
use crate::error::Error;
use crate::id::{AnyId, IdValue, ObjectId, Parts};
use crate::layout::{Layout, LayoutSpec};
use crate::scheme::{Part, Scheme};
use core::ops::RangeInclusive;
use core::time::Duration;

/// The layout of the cursor: seconds, and the count of IDs within a second. The 40 bits between
/// them belong to the generator.
const COUNTED: Layout = match LayoutSpec::new().timestamp(32).sequence(24).tick_us(1_000_000).check() {
    Ok(layout) => layout,
    Err(_) => panic!("what an ObjectId counts is a valid layout"),
};

/// The width of an ObjectId in bits.
pub(crate) const BITS: u32 = 96;
const MAX_NODE: u64 = (1 << 40) - 1;
const MAX_COUNTER: u64 = (1 << 24) - 1;

/// A generator of ObjectIds, which MongoDB and its drivers accept as their own.
///
/// The counter of MongoDB's drivers continues from second to second. Here it begins each second
/// with the generator's random number.
///
/// ```
/// use saiban::{Generator, ObjectIdGenerator};
/// let ids = ObjectIdGenerator::new()?;
/// let id = ids.generate()?;
/// assert_eq!(ids.to_text(id)?.as_str().len(), 24);
/// # Ok::<(), saiban::Error>(())
/// ```
// The engine is the first field, so that it has the address of the generator. The fast path then
// needs one register less.
#[repr(C)]
#[derive(Debug)]
pub struct ObjectIdGenerator<C = crate::clock::SystemClock, E = DefaultEntropy> {
    engine: Engine<C, DefaultCursor>,
    entropy: E,
    own: Seed,
    scheme: Scheme,
}

#[cfg(feature = "std")]
impl ObjectIdGenerator<SystemClock> {
    /// Returns a generator on the system's clock and randomness.
    ///
    /// # Errors
    /// `EntropyUnavailable`, `ClockUnavailable`.
    pub fn new() -> Result<Self, Error> {
        Self::build(&Options::default(), SystemClock, DefaultEntropy::default())
    }
}

impl<C: Clock, E: Entropy> ObjectIdGenerator<C, E> {
    /// Returns a generator with these options. The unit of `window` is Unix seconds.
    ///
    /// # Errors
    /// `InvalidArgument` for options that ObjectIds do not take, such as a node, shards or a state
    /// file; `InvalidWindow`; `EntropyUnavailable`; `ClockUnavailable`.
    pub fn build(options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        Self::of_scheme(Scheme::ObjectId, options, clock, entropy)
    }

    /// Returns a generator of these bits under the name of another scheme.
    pub(super) fn of_scheme(scheme: Scheme, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        let format = Format { unit_ms: 1_000, ..Format::of_random(scheme, COUNTED) };
        let engine = Engine::open(&format, options, clock)?;
        Ok(ObjectIdGenerator { scheme, engine, own: Seed::new(&entropy)?, entropy })
    }

    /// Makes an ID as an [`ObjectId`].
    ///
    /// # Errors
    /// As [`Generator::generate`].
    pub fn generate_object_id(&self) -> Result<ObjectId, Error> {
        self.generate().map(ObjectId::known)
    }

    /// Returns the generator's random part, and the number with which its counter begins.
    fn own(&self) -> Result<(u64, u64), Error> {
        let bits = self.own.get(&self.entropy)?;
        Ok((bits >> 24, bits & MAX_COUNTER))
    }
}

fn join(tick: u64, own: u64, counter: u64) -> u128 {
    u128::from(tick) << 64 | u128::from(own << 24 | counter)
}

/// Makes the ID of a position. The counter wraps at most once a second.
fn made((own, first): (u64, u64), taken: Taken<u64>) -> u128 {
    join(taken.tick, own, (first + taken.counter) & MAX_COUNTER)
}

/// Splits an ObjectId into its parts. Any 96 bits are an ObjectId.
pub(crate) fn inspect(id: u128) -> Result<Parts, Error> {
    if id >> BITS != 0 {
        return Err(Scheme::ObjectId.not_an_id());
    }
    let low = low_64(id);
    Ok(Parts {
        timestamp_ms: Some(COUNTED.tick_start_ms(low_64(id >> 64))),
        node: Some(low >> 24),
        sequence: Some(low & MAX_COUNTER),
        ..Parts::of(Scheme::ObjectId, AnyId::known(id, BITS))
    })
}

impl<C: Clock, E: Entropy> Generator for ObjectIdGenerator<C, E> {
    type Id = u128;

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

    fn compose(&self, parts: &ComposeParts) -> Result<u128, Error> {
        parts.check(self.scheme, &[Part::Timestamp, Part::Node, Part::Sequence])?;
        let (tick, own) = (parts.tick(&COUNTED)?, parts.node_up_to(MAX_NODE)?);
        Ok(join(tick, own, low_64(parts.sequence_up_to(MAX_COUNTER.into())?)))
    }

    fn inspect(&self, id: u128) -> Result<Parts, Error> {
        inspect(id)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<u128, Error> {
        // A lenient reader also accepts upper case, but requires the full width: a lost or doubled
        // digit would give another ID.
        u128::decode(self.encoding(), text, BITS, Scheme::ObjectId.text_width(), leniency.min(Leniency::AnyCase))
    }
}

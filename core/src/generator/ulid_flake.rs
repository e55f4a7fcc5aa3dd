//! Ulid-Flake: time and a random part that grows.
//!
//! ```text
//!  63  62                                     20 19                       0
//! +---+-----------------------------------------+--------------------------+
//! | 0 | timestamp: ms since 2024-01-01, 43 bits | random, 20               |   stand-alone
//! +---+-----------------------------------------+-----------------+--------+
//! | 0 | timestamp                               | random, 15      | id, 5  |   scalable
//! +---+-----------------------------------------+-----------------+--------+
//! ```
//!
//! The first ID of a millisecond has a new random part. Each further ID adds a random 1 to
//! 2^(8·entropy_size) − 1. If the field overflows, the generator waits for the next millisecond.
//!
//! Stand-alone IDs are unique within one process, or in machine scope within the user's processes
//! on one machine. Scalable IDs are also unique between up to 32 generators, each with its own
//! scalability id. IDs sort by time, and anyone can read their time. The layout lasts until
//! 2302-09-27. Stand-alone and scalable IDs can be equal, and so can IDs of two epochs; use one
//! form in each column. The text has 13 characters of Crockford's base32, in upper case. Even
//! strict readers accept any case, as the specification requires.
//!
//! Source: github.com/ulid-flake/spec (2024), stand-alone and scalable versions.

use super::engine::{Engine, Format, Owner};
#[cfg(feature = "std")]
use super::options::saturated;
use super::{Attempt, ComposeParts, Generator, Guarantee, Options, Stats};
use crate::bits::{low_32, low_64};
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace};
use crate::encoding::Leniency;
use crate::entropy::{DefaultEntropy, Entropy, draw_all};
use crate::error::Error;
use crate::id::Parts;
use crate::layout::{Layout, LayoutSpec};
use crate::scheme::{Part, Scheme};
use core::ops::RangeInclusive;
use core::time::Duration;

/// The default epoch, 2024-01-01T00:00:00Z.
const EPOCH_MS: i64 = 1_704_067_200_000;

/// The number of characters of the text.
const TEXT_WIDTH: usize = 13;

/// The format of Ulid-Flake IDs. It is checked when a generator is built.
///
/// ```
/// use saiban::{Generator, Options, PooledEntropy, SystemClock, UlidFlakeGenerator, UlidFlakeFormat};
/// let format = UlidFlakeFormat { scalability: Some(3), ..UlidFlakeFormat::default() };
/// let ids = UlidFlakeGenerator::build(format, &Options::default(), SystemClock, PooledEntropy)?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(3));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UlidFlakeFormat {
    /// The scalability id, 0 to 31; `None` for stand-alone IDs.
    pub scalability: Option<i64>,
    /// The number of random bytes by which an ID grows within a millisecond: 1 to 3, for scalable
    /// IDs 1 or 2.
    pub entropy_size: i64,
    /// The epoch, in Unix milliseconds.
    pub epoch_ms: i64,
    /// Whether a forked process may continue to use its parent's generator, or build one with the
    /// same scalability id.
    ///
    /// The 20 random bits (scalable: 15) are too few to keep two processes apart, so some of their
    /// IDs will be equal.
    pub allow_collisions: bool,
}

impl Default for UlidFlakeFormat {
    /// Returns stand-alone IDs with steps of one byte, the epoch 2024-01-01, and no collisions
    /// allowed.
    fn default() -> Self {
        UlidFlakeFormat { scalability: None, entropy_size: 1, epoch_ms: EPOCH_MS, allow_collisions: false }
    }
}

impl UlidFlakeFormat {
    /// Returns the layout of these IDs.
    ///
    /// # Errors
    /// `InvalidLayout` for an epoch too far in the future; `InvalidEntropySize`.
    pub fn layout(&self) -> Result<Layout, Error> {
        layout(self.scalability.is_some(), self.epoch_ms, self.max_step()?)
    }

    /// Returns the largest step within a millisecond.
    fn max_step(&self) -> Result<u64, Error> {
        let max = if self.scalability.is_some() { 2 } else { 3 };
        match u32::try_from(self.entropy_size) {
            Ok(bytes) if (1..=max).contains(&bytes) => Ok((1 << (8 * bytes)) - 1),
            _ => Err(Error::InvalidEntropySize { entropy_size: self.entropy_size, max }),
        }
    }
}

fn layout(scalable: bool, epoch_ms: i64, max_step: u64) -> Result<Layout, Error> {
    let spec = LayoutSpec::new().epoch_ms(epoch_ms).unused(1).timestamp(43);
    let bits = if scalable { 15 } else { 20 };
    // Steps of `entropy_size` bytes can exceed the random part. Such a step ends the millisecond,
    // so the layout's maximum step is at most the random part's maximum.
    let spec = spec.random_step(bits, max_step.min((1 << bits) - 1));
    if scalable { spec.node(5) } else { spec }.check()
}

/// A generator of Ulid-Flake IDs.
///
/// ```
/// use saiban::{Generator, UlidFlakeGenerator};
/// let ids = UlidFlakeGenerator::new()?;
/// let (first, second) = (ids.generate()?, ids.generate()?);
/// assert!(first < second);
/// assert_eq!(ids.to_text(first)?.len(), 13);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct UlidFlakeGenerator<
    C = crate::clock::SystemClock,
    W: CursorWord<Position = u64> = super::DefaultCursor,
    E = DefaultEntropy,
> {
    engine: Engine<C, W>,
    entropy: E,
    max_step: u64,
    guarantee: Guarantee,
}

#[cfg(feature = "std")]
impl UlidFlakeGenerator {
    /// Returns a generator of stand-alone IDs on the system's clock and randomness.
    ///
    /// # Errors
    /// `NodeInUse`, while a generator with a [`LocalCursor`](crate::cursor::LocalCursor) makes
    /// stand-alone IDs in this process, and, in process scope, after a fork.
    pub fn new() -> Result<Self, Error> {
        Self::build(UlidFlakeFormat::default(), &Options::default(), SystemClock, DefaultEntropy::default())
    }

    /// Returns a generator of scalable IDs with this scalability id (0 to 31). IDs of different
    /// scalability ids are never equal.
    ///
    /// # Errors
    /// `NodeOutOfRange`, `NodeInUse`.
    pub fn scalable(scalability: u64) -> Result<Self, Error> {
        let format = UlidFlakeFormat { scalability: Some(saturated(scalability)), ..UlidFlakeFormat::default() };
        Self::build(format, &Options::default(), SystemClock, DefaultEntropy::default())
    }
}

impl<C: Clock, E: Entropy> UlidFlakeGenerator<C, super::DefaultCursor, E> {
    /// Returns a generator of this format. The unit of `window` is Unix milliseconds. The format
    /// defines the node; the options must not.
    ///
    /// # Errors
    /// - `NodeOutOfRange` for a scalability id above 31, `NodeInUse`.
    /// - `InvalidEntropySize`, `InvalidLayout`, `InvalidWindow`, `ClockUnavailable`.
    /// - `InvalidArgument` for a node in the options, and for `allow_collisions` with a state file.
    pub fn build(format: UlidFlakeFormat, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        Self::with_cursor(format, options, clock, entropy)
    }
}

impl<C: Clock, W: CursorWord<Position = u64>, E: Entropy> UlidFlakeGenerator<C, W, E> {
    /// Returns a generator as [`UlidFlakeGenerator::build`] does, with the cursor type `W`. A
    /// [`LocalCursor`](crate::cursor::LocalCursor) has a single owner.
    ///
    /// # Errors
    /// As [`UlidFlakeGenerator::build`].
    pub fn with_cursor(format: UlidFlakeFormat, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        #[cfg(feature = "std")]
        if format.allow_collisions && options.state.is_some() {
            let what = "allow_collisions lets forked processes go on, which no state file can count: give one of them";
            return Err(Error::InvalidArgument { what });
        }
        #[cfg(feature = "std")]
        let format = match &options.grant {
            Some(_) if format.scalability.is_some() || format.allow_collisions => {
                let what = "a lease gives the scalability id, and allows no collisions: give neither beside it";
                return Err(Error::InvalidArgument { what });
            }
            Some(grant) => UlidFlakeFormat { scalability: Some(grant.nodes().start), ..format },
            None => format,
        };
        let max_step = format.max_step()?;
        let owner = if format.allow_collisions { Owner::Nothing } else { Owner::Node };
        // Without a scalability id, all generators share node 0.
        let node = Some(format.scalability.unwrap_or(0));
        let format_of_engine = Format { owner, node, ..Format::of_fields(Scheme::UlidFlake, format.layout()?) };
        let engine = Engine::open(&format_of_engine, options, clock)?;
        let guarantee = match format {
            UlidFlakeFormat { allow_collisions: true, .. } => Guarantee::Probable,
            UlidFlakeFormat { scalability: None, .. } => Guarantee::UniqueInProcess,
            _ => Guarantee::Unique,
        };
        Ok(UlidFlakeGenerator { engine, entropy, max_step, guarantee })
    }

    /// Returns the random start of a new millisecond, and the random step within one.
    fn pace(&self) -> Result<Pace, Error> {
        let bits = self.entropy.next_u64()?;
        let (low, high) = (low_32(bits), low_32(bits >> 32));
        Ok(Pace {
            first: u64::from(low) & self.engine.layout().max_counter(),
            increment: self.increment_of(high),
            want: 1,
        })
    }

    /// Returns a random step. Always inlined: to return it through memory would take about as long
    /// as the rest of the ID.
    #[inline(always)]
    fn increment(&self) -> Result<u64, Error> {
        Ok(if self.has_short_steps() {
            self.short_increment_of(self.entropy.next_u16()?)
        } else {
            self.increment_of(self.entropy.next_u32()?)
        })
    }

    /// Fills `increments` with random steps.
    fn increments(&self, increments: &mut [u64]) -> Result<(), Error> {
        if self.has_short_steps() {
            draw_all(&self.entropy, increments, |bytes| self.short_increment_of(u16::from_le_bytes(bytes)))
        } else {
            draw_all(&self.entropy, increments, |bytes| self.increment_of(u32::from_le_bytes(bytes)))
        }
    }

    /// Whether 16 random bits suffice for a step.
    const fn has_short_steps(&self) -> bool {
        self.max_step <= u8::MAX as u64
    }

    /// Maps 32 random bits to a step of 1 to `max_step`. The probabilities of two steps differ by
    /// at most 1 in 256.
    const fn increment_of(&self, bits: u32) -> u64 {
        1 + ((bits as u64 * self.max_step) >> 32)
    }

    /// Maps 16 random bits to a step, for a `max_step` of at most 255. Each step has 257 of the
    /// 2^16 values; one step has one more.
    const fn short_increment_of(&self, bits: u16) -> u64 {
        1 + ((bits as u64 * self.max_step) >> 16)
    }
}

/// Splits a Ulid-Flake ID of this layout into its parts.
pub(crate) fn inspect(layout: &Layout, id: i64) -> Result<Parts, Error> {
    let fields = layout.split(id).map_err(|_| Scheme::UlidFlake.not_an_id())?;
    Ok(Parts {
        scheme: Scheme::UlidFlake,
        layout: None,
        id: id.into(),
        timestamp_ms: Some(layout.tick_start_ms(fields.tick)),
        submillisecond_ns: None,
        node: layout.has_node().then_some(fields.node),
        sequence: None,
        random: Some(fields.counter.into()),
        rollback: None,
        secret_index: None,
    })
}

impl<C: Clock, W: CursorWord<Position = u64>, E: Entropy> Generator for UlidFlakeGenerator<C, W, E> {
    type Id = i64;

    fn scheme(&self) -> Scheme {
        Scheme::UlidFlake
    }

    fn try_generate(&self) -> Result<Attempt, Error> {
        self.engine.attempt_number_step(|| self.increment(), || self.pace())
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt, Error> {
        self.engine.attempt_within(left, self.pace()?, |taken| self.engine.layout().join(taken.into()))
    }

    fn generate(&self) -> Result<i64, Error> {
        self.engine.generate_number_step(|| self.increment(), || self.pace())
    }

    fn fill(&self, ids: &mut [i64]) -> Result<usize, Error> {
        self.engine.fill_number_steps(ids, |increments| self.increments(increments), || self.pace())
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.engine.stats(self.guarantee)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
        self.engine.layout().range_ms(start_ms, end_ms)
    }

    fn layout(&self) -> Option<&Layout> {
        Some(self.engine.layout())
    }

    /// Composes an ID. The scalability id, which only scalable IDs have, is the generator's own by
    /// default.
    fn compose(&self, parts: &ComposeParts) -> Result<i64, Error> {
        parts.check(Scheme::UlidFlake, &[Part::Timestamp, Part::Random])?;
        let own = self.engine.first_node() as i64;
        let parts = ComposeParts { node: parts.node.or(Some(own)), ..*parts };
        parts.of_layout(self.engine.layout()).map(|id| low_64(id) as i64)
    }

    fn inspect(&self, id: i64) -> Result<Parts, Error> {
        inspect(self.engine.layout(), id)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<i64, Error> {
        if leniency == Leniency::Lenient {
            // Even a lenient reader requires the full width: a lost or doubled character would give
            // another ID.
            self.encoding().check_digits(text, TEXT_WIDTH)?;
        }
        // The specification requires readers to accept any case, and allows no text above
        // 7ZZZZZZZZZZZZ, so a larger number is an overflow.
        let id = self.encoding().decode_as(text, None, leniency.max(Leniency::AnyCase))?;
        if id < 0 {
            return Err(Error::TextOverflow { encoding: self.encoding().name() });
        }
        Ok(id)
    }
}

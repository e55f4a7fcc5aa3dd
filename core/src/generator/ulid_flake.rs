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
//! The first ID of a millisecond has a random part drawn anew; the next ones add 1 to 2^(8·entropy_size) − 1, drawn too. Where that
//! runs past the field, the next millisecond must be waited for. Stand-alone IDs are unique within one process; scalable ones
//! also between up to 32, each with a scalability id of its own. IDs sort by time and tell it to anyone. Lasts until
//! 2302-09-27. Stand-alone and scalable IDs, or those of two epochs, may be equal: one column, one form. Text is 13 characters of
//! Crockford's base32, upper case; any case is read, also by strict readers, as the specification says.
//!
//! Source: github.com/ulid-flake/spec (2024), stand-alone and scalable versions.

use super::engine::{Engine, Format, Owner};
use super::{Attempt, Generator, Guarantee, Options, Stats};
use crate::bits::low_32;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace};
use crate::encoding::Leniency;
#[cfg(feature = "std")]
use crate::entropy::PooledEntropy;
use crate::entropy::{DefaultEntropy, Entropy, draw_all};
use crate::error::Error;
use crate::id::{Parts, Scheme};
use crate::layout::{Layout, LayoutSpec};
use core::ops::RangeInclusive;
use core::time::Duration;

/// 2024-01-01T00:00:00Z.
const EPOCH_MS: i64 = 1_704_067_200_000;

/// How many digits its text has.
const TEXT_WIDTH: usize = 13;

/// What distinguishes one Ulid-Flake generator from another. Nothing is checked before a generator is built with it.
///
/// ```
/// use saiban::{Generator, Options, PooledEntropy, SystemClock, UlidFlake, UlidFlakeFormat};
/// let format = UlidFlakeFormat { scalability: Some(3), ..UlidFlakeFormat::default() };
/// let ids: UlidFlake = UlidFlake::build(format, &Options::default(), SystemClock, PooledEntropy)?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(3));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UlidFlakeFormat {
    /// The scalability id, 0 to 31; stand-alone where it is `None`.
    pub scalability: Option<i64>,
    /// How many random bytes an ID grows by within a millisecond: 1 to 3, scalable 1 to 2.
    pub entropy_size: i64,
    /// The time of tick 0, Unix milliseconds.
    pub epoch_ms: i64,
    /// Whether a process made by fork may go on with its parent's generator, or make one with the same id: 20 random bits
    /// (15, scalable) do not keep two processes apart, so that a few of their IDs will be equal.
    pub allow_collisions: bool,
}

impl Default for UlidFlakeFormat {
    /// Stand-alone, one byte, 2024-01-01, no collisions.
    fn default() -> Self {
        UlidFlakeFormat { scalability: None, entropy_size: 1, epoch_ms: EPOCH_MS, allow_collisions: false }
    }
}

impl UlidFlakeFormat {
    /// The layout of these IDs.
    ///
    /// # Errors
    /// `InvalidLayout` for an epoch too far in the future; `InvalidEntropySize`.
    pub fn layout(&self) -> Result<Layout, Error> {
        layout(self.scalability.is_some(), self.epoch_ms, self.max_step()?)
    }

    /// The largest step within a millisecond.
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
    // Steps of more bytes than the random part has are drawn, and end the millisecond: none that is made is as large.
    let spec = spec.random_step(bits, max_step.min((1 << bits) - 1));
    if scalable { spec.node(5) } else { spec }.check()
}

/// Which node counts: the lease's, which is scalable then, or the scalability id. Without either all generators of a process are node 0
/// together.
fn place(format: UlidFlakeFormat, options: &Options) -> Result<(UlidFlakeFormat, Options), Error> {
    #[cfg(feature = "std")]
    if let Some(grant) = &options.grant {
        if format.scalability.is_some() || format.allow_collisions {
            let what = "a lease gives the scalability id, and allows no collisions: give neither beside it";
            return Err(Error::InvalidArgument { what });
        }
        return Ok((UlidFlakeFormat { scalability: Some(grant.nodes().start), ..format }, options.clone()));
    }
    Ok((format, Options { node: Some(format.scalability.unwrap_or(0)), ..options.clone() }))
}

/// Makes Ulid-Flake IDs.
///
/// ```
/// use saiban::{Generator, UlidFlake};
/// let ids = UlidFlake::new()?;
/// let (first, second) = (ids.generate()?, ids.generate()?);
/// assert!(first < second);
/// assert_eq!(ids.to_text(first)?.len(), 13);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct UlidFlake<
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
impl UlidFlake {
    /// Stand-alone: unique within this process. The system's clock and randomness.
    ///
    /// # Errors
    /// `NodeInUse` while a single owner ([`crate::cursor::LocalCursor`]) has the process's, or after a fork.
    pub fn new() -> Result<Self, Error> {
        Self::build(UlidFlakeFormat::default(), &Options::default(), SystemClock, PooledEntropy)
    }

    /// Scalable: unique between generators with different scalability ids (0 to 31).
    ///
    /// # Errors
    /// `NodeOutOfRange`, `NodeInUse`.
    pub fn scalable(scalability: i64) -> Result<Self, Error> {
        let format = UlidFlakeFormat { scalability: Some(scalability), ..UlidFlakeFormat::default() };
        Self::build(format, &Options::default(), SystemClock, PooledEntropy)
    }
}

impl<C: Clock, W: CursorWord<Position = u64>, E: Entropy> UlidFlake<C, W, E> {
    /// A generator of this format. The window is in Unix milliseconds; a node comes from the format alone.
    ///
    /// # Errors
    /// `NodeOutOfRange` for a scalability id above 31, `NodeInUse`, `InvalidEntropySize`, `InvalidLayout`,
    /// `InvalidWindow`; `InvalidArgument` when a node is given, or both `allow_collisions` and a state file; `ClockUnavailable`.
    pub fn build(format: UlidFlakeFormat, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        if options.node.is_some() || options.nodes.is_some() {
            return Err(Error::InvalidArgument { what: "Ulid-Flake has no node: give scalability (0 to 31) instead" });
        }
        #[cfg(feature = "std")]
        if format.allow_collisions && options.state.is_some() {
            let what =
                "allow_collisions lets copies made by fork go on, which no state file can count: give one of them";
            return Err(Error::InvalidArgument { what });
        }
        let (format, options) = place(format, options)?;
        let max_step = format.max_step()?;
        let owner = if format.allow_collisions { Owner::Nothing } else { Owner::Node };
        let engine =
            Engine::open(&Format { owner, ..Format::of(Scheme::UlidFlake, format.layout()?) }, &options, clock)?;
        let guarantee = match format {
            UlidFlakeFormat { allow_collisions: true, .. } => Guarantee::Probable,
            UlidFlakeFormat { scalability: None, .. } => Guarantee::UniqueInProcess,
            _ => Guarantee::Unique,
        };
        Ok(UlidFlake { engine, entropy, max_step, guarantee })
    }

    /// The layout of its IDs.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        self.engine.layout()
    }

    /// Makes the ID of these parts, without the cursor: for tests and for reading old data, not for new IDs. The time is
    /// Unix milliseconds. Only scalable IDs have a scalability id; without one given, the generator's own is taken.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `RandomOutOfRange`.
    pub fn compose(&self, timestamp_ms: i64, random: i64, scalability: Option<i64>) -> Result<i64, Error> {
        let own = || self.engine.first_node() as i64;
        self.layout().compose_ms(timestamp_ms, scalability.unwrap_or_else(own), random)
    }

    /// Draws where a new millisecond begins, and the step within an old one.
    fn pace(&self) -> Result<Pace, Error> {
        let bits = self.entropy.next_u64()?;
        let (low, high) = (low_32(bits), low_32(bits >> 32));
        Ok(Pace { first: u64::from(low) & self.layout().max_counter(), stride: self.stride_of(high), want: 1 })
    }

    /// Draws the step alone. Part of its callers always: an ID takes hardly longer than a call whose answer goes through memory.
    #[inline(always)]
    fn stride(&self) -> Result<u64, Error> {
        Ok(if self.has_short_steps() {
            self.short_stride_of(self.entropy.next_u16()?)
        } else {
            self.stride_of(self.entropy.next_u32()?)
        })
    }

    /// Draws many steps.
    fn strides(&self, strides: &mut [u64]) -> Result<(), Error> {
        if self.has_short_steps() {
            draw_all(&self.entropy, strides, |bytes| self.short_stride_of(u16::from_le_bytes(bytes)))
        } else {
            draw_all(&self.entropy, strides, |bytes| self.stride_of(u32::from_le_bytes(bytes)))
        }
    }

    /// Whether 16 bits are enough for a step.
    const fn has_short_steps(&self) -> bool {
        self.max_step <= u8::MAX as u64
    }

    /// The bits times the number of steps, divided by 2^32: each step as likely as another to within 1 in 256.
    const fn stride_of(&self, bits: u32) -> u64 {
        1 + ((bits as u64 * self.max_step) >> 32)
    }

    /// The same of 16 bits, for at most 255 steps: 257 numbers each, and one more for one of them.
    const fn short_stride_of(&self, bits: u16) -> u64 {
        1 + ((bits as u64 * self.max_step) >> 16)
    }
}

/// Takes an Ulid-Flake ID of this layout apart.
pub(crate) fn inspect(layout: &Layout, id: i64) -> Result<Parts, Error> {
    let fields = layout.split(id).map_err(|_| Error::IdOutOfRange { scheme: Scheme::UlidFlake.name() })?;
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

impl<C: Clock, W: CursorWord<Position = u64>, E: Entropy> Generator for UlidFlake<C, W, E> {
    fn scheme(&self) -> Scheme {
        Scheme::UlidFlake
    }

    fn try_generate(&self) -> Result<Attempt, Error> {
        self.engine.attempt_number_step(|| self.stride(), || self.pace())
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt, Error> {
        self.engine.attempt_within(left, self.pace()?, |taken| self.layout().join(taken.into()))
    }

    fn generate(&self) -> Result<i64, Error> {
        self.engine.generate_number_step(|| self.stride(), || self.pace())
    }

    fn fill(&self, ids: &mut [i64]) -> Result<usize, Error> {
        self.engine.fill_number_steps(ids, |strides| self.strides(strides), || self.pace())
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.engine.stats(self.guarantee)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
        self.layout().range_ms(start_ms, end_ms)
    }

    fn inspect(&self, id: i64) -> Result<Parts, Error> {
        inspect(self.layout(), id)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<i64, Error> {
        if leniency == Leniency::Lenient {
            // With a character lost or doubled it would be another ID's text.
            self.encoding().check_digits(text, TEXT_WIDTH)?;
        }
        // The format reads any case, and knows no text beyond 7ZZZZZZZZZZZZ: that is an overflow, not another's ID.
        let id = self.encoding().decode_as(text, None, leniency.max(Leniency::AnyCase))?;
        if id < 0 {
            return Err(Error::TextOverflow { encoding: self.encoding().name() });
        }
        Ok(id)
    }
}

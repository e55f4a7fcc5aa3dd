//! UUID, versions 1, 4 and 7 of RFC 9562.
//!
//! ```text
//! 127                  80 79  76 75        64 63 62 61                                   0
//! +----------------------+------+------------+-----+--------------------------------------+
//! | Unix ms, 48 bits     | 0111 | random, 12 | 10  | random, 62                           |   v7
//! +----------------------+------+------------+-----+--------------------------------------+
//! | random, 48           | 0100 | random, 12 | 10  | random, 62                           |   v4
//! +----------------------+------+------------+-----+---------------+----------------------+
//! | time: low 32, mid 16 | 0001 | time: high | 10  | clock seq, 14 | node, 48             |   v1
//! +----------------------+------+------------+-----+---------------+----------------------+
//! ```
//!
//! **v7** is monotonic by method 2 of RFC 9562 section 6.2, "monotonic random". Its 74 random bits
//! form one number, which is new in each millisecond and grows by a random 1 to 2^32 for each ID
//! within it. The IDs of a generator ascend strictly, even if the clock steps back, and the next ID
//! cannot be guessed. Two generators make equal IDs with a probability of about 2^-74 for each pair
//! of IDs from one millisecond. IDs sort by time, and anyone can read their time.
//!
//! **v4** has 122 random bits and no other content.
//!
//! **v1** counts 100 ns since 1582-10-15: at most 10 million IDs per second, and up to 1 ms ahead
//! of the clock. Clock sequence and node are random for each generator, and new after a fork. The
//! node is a multicast address (section 6.10). The texts of v1 do not sort by time.
//!
//! The text is the hyphenated form of section 4, in lower case.

use super::engine::{Engine, Format, Taken};
use super::seed::Seed;
use super::tally::Tally;
use super::{Attempt, ComposeParts, DefaultCursor, DefaultWideCursor, Generator, Guarantee, Options, Stats};
use crate::bits::low_64;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::Pace;
use crate::encoding::Leniency;
use crate::entropy::{DefaultEntropy, Entropy, draw_all};
use crate::error::Error;
use crate::id::{AnyId, IdValue, Parts};
use crate::layout::{Layout, LayoutSpec};
use crate::scheme::{Part, Scheme};
use core::ops::RangeInclusive;
use core::time::Duration;

/// The layout of the cursor of version 7, without the version and variant, which stand between its
/// bits.
const V7: Layout = match LayoutSpec::new().timestamp(48).random_step(74, 1 << 32).check() {
    Ok(layout) => layout,
    Err(_) => panic!("what a UUID v7 counts is a valid layout"),
};

/// The layout of the cursor of version 1: 100 ns since 1582-10-15T00:00:00Z.
const V1: Layout = match LayoutSpec::new().timestamp(60).epoch_ms(-12_219_292_800_000).tick_ns(100).check() {
    Ok(layout) => layout,
    Err(_) => panic!("what a UUID v1 counts is a valid layout"),
};

/// The maximum by which version 1 is ahead of the clock: 1 ms, in ticks.
const V1_BORROW: u64 = 10_000;

/// The number of version 4 IDs for which `fill` reads random bytes at once, and the bytes of each
/// ID.
const V4_AT_ONCE: usize = 32;
const V4_BYTES: usize = 16;

const VARIANT: u128 = 0b10 << 62;
const MAX_RANDOM_V7: u128 = (1 << 74) - 1;
const MAX_RANDOM_V4: u128 = (1 << 122) - 1;
const LOW_62: u128 = (1 << 62) - 1;
const MAX_CLOCK_SEQUENCE: u64 = (1 << 14) - 1;
const MAX_NODE: u64 = (1 << 48) - 1;
/// The multicast bit, which the address of a network card never has set.
const MULTICAST: u64 = 1 << 40;

/// A UUID version for which saiban has a generator.
///
/// ```
/// use saiban::{Scheme, UuidVersion};
/// assert_eq!(UuidVersion::from_number(7)?.scheme(), Scheme::UuidV7);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UuidVersion {
    /// Version 1: time, clock sequence, node.
    V1,
    /// Version 4: random bits.
    V4,
    /// Version 7: time and random bits.
    V7,
}

impl UuidVersion {
    /// Every version.
    pub const ALL: [UuidVersion; 3] = [UuidVersion::V1, UuidVersion::V4, UuidVersion::V7];

    /// Returns the version with this number: 1, 4 or 7.
    ///
    /// # Errors
    /// `InvalidArgument` for another number.
    pub fn from_number(number: i64) -> Result<Self, Error> {
        let unknown = Error::InvalidArgument { what: "there are generators of UUID versions 1, 4 and 7 only" };
        Self::ALL.into_iter().find(|version| i64::from(version.number()) == number).ok_or(unknown)
    }

    /// Returns the number of the version: 1, 4 or 7.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            UuidVersion::V1 => 1,
            UuidVersion::V4 => 4,
            UuidVersion::V7 => 7,
        }
    }

    /// Returns the scheme of the IDs of this version.
    #[must_use]
    pub const fn scheme(self) -> Scheme {
        match self {
            UuidVersion::V1 => Scheme::UuidV1,
            UuidVersion::V4 => Scheme::UuidV4,
            UuidVersion::V7 => Scheme::UuidV7,
        }
    }
}

/// A generator of UUIDs of one version.
///
/// ```
/// use saiban::{Generator, UuidGenerator};
/// let ids = UuidGenerator::v7()?;
/// let (first, second) = (ids.generate()?, ids.generate()?);
/// assert!(first < second);
/// assert_eq!(ids.to_text(first)?.as_str().len(), 36);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct UuidGenerator<C = crate::clock::SystemClock, E = DefaultEntropy> {
    version: Version<C>,
    entropy: E,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a generator is made once; behind a pointer each ID would follow it")]
enum Version<C> {
    V1 { engine: Engine<C, DefaultCursor>, own: Seed },
    V4 { issued: Tally },
    V7 { engine: Engine<C, DefaultWideCursor> },
}

#[cfg(feature = "std")]
impl UuidGenerator<SystemClock> {
    /// Returns a generator of version 1 on the system's clock and randomness.
    ///
    /// # Errors
    /// `EntropyUnavailable`, `ClockUnavailable`.
    pub fn v1() -> Result<Self, Error> {
        Self::build(UuidVersion::V1, &Options::default(), SystemClock, DefaultEntropy::default())
    }

    /// Returns a generator of version 4 on the system's randomness.
    ///
    /// # Errors
    /// None at present.
    pub fn v4() -> Result<Self, Error> {
        Self::build(UuidVersion::V4, &Options::default(), SystemClock, DefaultEntropy::default())
    }

    /// Returns a generator of version 7 on the system's clock and randomness.
    ///
    /// # Errors
    /// `ClockUnavailable`.
    pub fn v7() -> Result<Self, Error> {
        Self::build(UuidVersion::V7, &Options::default(), SystemClock, DefaultEntropy::default())
    }
}

impl<C: Clock, E: Entropy> UuidGenerator<C, E> {
    /// Returns a generator of this version with these options. The unit of `window` is Unix
    /// milliseconds. Version 4 has no time and takes no options.
    ///
    /// # Errors
    /// - `InvalidArgument` for options that the version does not take: a node, shards, a state
    ///   file; for version 4, any option.
    /// - `InvalidWindow`, `EntropyUnavailable`, `ClockUnavailable`.
    pub fn build(version: UuidVersion, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        let of = |layout| Format::of_random(version.scheme(), layout);
        let version = match version {
            UuidVersion::V1 => {
                let format = Format { borrow: V1_BORROW, ..of(V1) };
                Version::V1 { engine: Engine::open(&format, options, clock)?, own: Seed::new(&entropy)? }
            }
            UuidVersion::V4 => {
                options.check(Scheme::UuidV4)?;
                Version::V4 { issued: Tally::default() }
            }
            UuidVersion::V7 => Version::V7 { engine: Engine::open(&of(V7), options, clock)? },
        };
        Ok(UuidGenerator { version, entropy })
    }

    /// Returns the version of the IDs.
    #[must_use]
    pub const fn version(&self) -> UuidVersion {
        match self.version {
            Version::V1 { .. } => UuidVersion::V1,
            Version::V4 { .. } => UuidVersion::V4,
            Version::V7 { .. } => UuidVersion::V7,
        }
    }

    /// Makes an ID as a `uuid::Uuid` of the crate `uuid`. This method needs the feature `uuid`.
    ///
    /// To pass any `uuid::Uuid` to the other methods, convert it with `as_u128()`.
    ///
    /// ```
    /// use saiban::{Generator, UuidGenerator};
    /// let ids = UuidGenerator::v7()?;
    /// let id: uuid::Uuid = ids.generate_uuid()?;
    /// assert_eq!(id.get_version_num(), 7);
    /// assert_eq!(ids.to_text(id.as_u128())?.as_str(), id.to_string());
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Generator::generate`].
    #[cfg(feature = "uuid")]
    pub fn generate_uuid(&self) -> Result<uuid::Uuid, Error> {
        self.generate().map(uuid::Uuid::from_u128)
    }

    /// Returns the random start of a new millisecond and the random step within one, for version 7.
    fn pace(&self) -> Result<Pace<u128>, Error> {
        let bits = self.entropy.next_u128()?;
        Ok(Pace { first: bits >> 54, increment: 1 + (bits & u128::from(u32::MAX)), want: 1 })
    }

    /// Returns a random step within a millisecond, for version 7.
    fn increment(&self) -> Result<u128, Error> {
        Ok(1 + u128::from(self.entropy.next_u32()?))
    }

    /// Fills `increments` with random steps.
    fn increments(&self, increments: &mut [u128]) -> Result<(), Error> {
        draw_all(&self.entropy, increments, |bytes| 1 + u128::from(u32::from_le_bytes(bytes)))
    }

    /// Makes an ID of a version with a time, waiting for at most `max_wait`.
    #[inline(never)]
    fn generate_timed(&self) -> Result<u128, Error> {
        match &self.version {
            Version::V1 { engine, own } => {
                let own = own_of(own.get(&self.entropy)?);
                engine.generate(|| Ok(Pace::sequence(1)), |taken| v1(taken.tick, own))
            }
            Version::V4 { issued } => self.draw_v4(issued),
            Version::V7 { engine } => {
                engine.generate_wide(|| self.increment(), || self.pace(), v7_of_position, v7_of_fields)
            }
        }
    }

    #[inline(always)]
    fn draw_v4(&self, issued: &Tally) -> Result<u128, Error> {
        let id = v4(self.entropy.next_u128()? >> 6);
        issued.add(1);
        Ok(id)
    }
}

/// Composes a UUID v7; `random` has 74 bits.
const fn v7(tick: u64, random: u128) -> u128 {
    (tick as u128) << 80 | 7 << 76 | (random >> 62) << 64 | VARIANT | random & LOW_62
}

/// Composes a UUID v4; `random` has 122 bits.
const fn v4(random: u128) -> u128 {
    (random >> 74) << 80 | 4 << 76 | (random >> 62 & 0xfff) << 64 | VARIANT | random & LOW_62
}

/// Composes a UUID v1; `own` is a clock sequence of 14 bits above a node of 48 bits.
const fn v1(tick: u64, own: u64) -> u128 {
    let (low, mid, high) = (tick & 0xffff_ffff, tick >> 32 & 0xffff, tick >> 48 & 0xfff);
    (low as u128) << 96 | (mid as u128) << 80 | 1 << 76 | (high as u128) << 64 | VARIANT | own as u128 & LOW_62
}

/// Makes the clock sequence and node of version 1 from random bits. The node is a multicast
/// address.
const fn own_of(bits: u64) -> u64 {
    bits & low_64(LOW_62) | MULTICAST
}

fn v7_of_fields(taken: Taken<u128>) -> u128 {
    v7(taken.tick, taken.counter)
}

/// A position has the time and the 74 random bits, without gaps.
const fn v7_of_position(position: u128) -> u128 {
    v7(low_64(position >> 74), position & ((1 << 74) - 1))
}

/// Splits a UUID of RFC 9562's variant into its parts. For versions that saiban does not make, the
/// parts include only the time fields, if there are any.
pub(crate) fn inspect(id: u128) -> Result<Parts, Error> {
    let of = |scheme| Parts::of(scheme, AnyId::known(id, u128::BITS));
    if id == 0 || id == u128::MAX {
        return Ok(Parts { layout: Some(if id == 0 { "nil" } else { "max" }), ..of(Scheme::Uuid) });
    }
    if id & 0b11 << 62 != VARIANT {
        return Err(Scheme::Uuid.not_an_id());
    }
    let own = low_64(id & LOW_62);
    let high = id >> 80;
    let low_12 = id >> 64 & 0xfff;
    let timed = |tick: u128, parts: Parts| Parts {
        timestamp_ms: Some(V1.tick_start_ms(low_64(tick))),
        submillisecond_ns: V1.tick_start_submillisecond_ns(low_64(tick)),
        sequence: Some(own >> 48),
        node: Some(own & MAX_NODE),
        ..parts
    };
    Ok(match id >> 76 & 0xf {
        1 => timed(low_12 << 48 | (high & 0xffff) << 32 | high >> 16, of(Scheme::UuidV1)),
        4 => Parts { random: Some(high << 74 | low_12 << 62 | id & LOW_62), ..of(Scheme::UuidV4) },
        6 => timed(high << 12 | low_12, Parts { layout: Some("v6"), ..of(Scheme::Uuid) }),
        7 => Parts {
            timestamp_ms: Some(V7.tick_start_ms(low_64(high))),
            random: Some(low_12 << 62 | id & LOW_62),
            ..of(Scheme::UuidV7)
        },
        2 => Parts { layout: Some("v2"), ..of(Scheme::Uuid) },
        3 => Parts { layout: Some("v3"), ..of(Scheme::Uuid) },
        5 => Parts { layout: Some("v5"), ..of(Scheme::Uuid) },
        8 => Parts { layout: Some("v8"), ..of(Scheme::Uuid) },
        _ => return Err(Scheme::Uuid.not_an_id()),
    })
}

impl<C: Clock, E: Entropy> Generator for UuidGenerator<C, E> {
    type Id = u128;

    fn scheme(&self) -> Scheme {
        self.version().scheme()
    }

    fn bits(&self) -> u32 {
        u128::BITS
    }

    fn try_generate(&self) -> Result<Attempt<u128>, Error> {
        match &self.version {
            Version::V1 { engine, own } => {
                let own = own_of(own.get(&self.entropy)?);
                engine.attempt(Pace::sequence(1), |taken| v1(taken.tick, own))
            }
            Version::V4 { issued } => self.draw_v4(issued).map(Attempt::Ready),
            Version::V7 { engine } => {
                engine.attempt_wide(|| self.increment(), || self.pace(), v7_of_position, v7_of_fields)
            }
        }
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<u128>, Error> {
        match &self.version {
            Version::V1 { engine, own } => {
                let own = own_of(own.get(&self.entropy)?);
                engine.attempt_within(left, Pace::sequence(1), |taken| v1(taken.tick, own))
            }
            Version::V4 { issued } => self.draw_v4(issued).map(Attempt::Ready),
            Version::V7 { engine } => engine.attempt_within(left, self.pace()?, v7_of_fields),
        }
    }

    // A result in memory is written in two halves and read as a whole, for which the processor
    // waits: a quarter of the time of a version 4. Inlined, it stays in registers.
    #[inline(always)]
    fn generate(&self) -> Result<u128, Error> {
        match &self.version {
            Version::V4 { issued } => self.draw_v4(issued),
            Version::V1 { .. } | Version::V7 { .. } => self.generate_timed(),
        }
    }

    fn fill(&self, ids: &mut [u128]) -> Result<usize, Error> {
        match &self.version {
            Version::V1 { engine, own } => {
                let own = own_of(own.get(&self.entropy)?);
                engine.fill(ids, |want| Ok(Pace::sequence(want)), |taken| v1(taken.tick, own))
            }
            Version::V4 { issued } => {
                let mut written = 0;
                for ids in ids.chunks_mut(V4_AT_ONCE) {
                    let mut drawn = [0; V4_AT_ONCE * V4_BYTES];
                    let drawn = &mut drawn[..ids.len() * V4_BYTES];
                    match self.entropy.fill(drawn) {
                        Ok(()) => (),
                        Err(_) if written > 0 => break,
                        Err(error) => return Err(error),
                    }
                    for (id, bytes) in ids.iter_mut().zip(drawn.chunks_exact(V4_BYTES)) {
                        *id = v4(u128::from_le_bytes(bytes.try_into().unwrap_or_default()) >> 6);
                    }
                    issued.add(ids.len() as u64);
                    written += ids.len();
                }
                Ok(written)
            }
            Version::V7 { engine } => {
                engine.fill_steps(ids, |increments| self.increments(increments), || self.pace(), v7_of_fields)
            }
        }
    }

    fn stats(&self) -> Result<Stats, Error> {
        match &self.version {
            Version::V1 { engine, .. } => engine.stats(Guarantee::Probable),
            Version::V4 { issued } => Ok(Stats {
                scope: crate::generator::Scope::Process,
                issued: issued.sum(),
                waits: 0,
                rollbacks: 0,
                time_left_ms: i64::MAX as u64,
                guarantee: Guarantee::Probable,
            }),
            Version::V7 { engine } => engine.stats(Guarantee::Probable),
        }
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<u128>, Error> {
        match self.version {
            Version::V7 { .. } => {
                let (first, last) = V7.ticks_of_interval(start_ms, end_ms)?;
                Ok(v7(first, 0)..=v7(last, MAX_RANDOM_V7))
            }
            Version::V1 { .. } | Version::V4 { .. } => Err(Error::NotTimeOrdered { scheme: self.scheme().name() }),
        }
    }

    fn compose(&self, parts: &ComposeParts) -> Result<u128, Error> {
        match self.version {
            Version::V1 { .. } => {
                parts.check(Scheme::UuidV1, &[Part::Timestamp, Part::Node, Part::Sequence])?;
                let (tick, node) = (parts.tick(&V1)?, parts.node_up_to(MAX_NODE)?);
                let sequence = low_64(parts.sequence_up_to(MAX_CLOCK_SEQUENCE.into())?);
                Ok(v1(tick, sequence << 48 | node))
            }
            Version::V4 { .. } => {
                parts.check(Scheme::UuidV4, &[Part::Random])?;
                parts.random_up_to(MAX_RANDOM_V4).map(v4)
            }
            Version::V7 { .. } => {
                parts.check(Scheme::UuidV7, &[Part::Timestamp, Part::Random])?;
                Ok(v7(parts.tick(&V7)?, parts.random_up_to(MAX_RANDOM_V7)?))
            }
        }
    }

    fn inspect(&self, id: u128) -> Result<Parts, Error> {
        let parts = inspect(id)?;
        if parts.scheme == self.scheme() {
            return Ok(parts);
        }
        Err(Error::UuidOfVersion { version: (id >> 76 & 0xf) as u8, wanted: self.version().number() })
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<u128, Error> {
        // RFC 9562 defines one text form; lenient readers also accept the other forms in use.
        let id = u128::decode(self.encoding(), text, u128::BITS, None, leniency)?;
        self.inspect(id).map(|_| id)
    }
}

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
//! **v7** is monotonic by method 2 of RFC 9562 section 6.2, "monotonic random": its 74 random bits are one number, drawn anew in each
//! millisecond, to which 1 to 2^32 is added for each ID within it, drawn too. IDs of a generator ascend strictly, whatever the clock
//! does; nobody can guess the next one; and two generators make equal IDs with a chance of about 2^-74 for each pair of IDs from one
//! millisecond. They sort by time and tell it to anyone.
//!
//! **v4** has 122 random bits, and nothing else.
//!
//! **v1** counts 100 ns since 1582-10-15, at most 10 million IDs a second, and up to 1 ms ahead of the clock. Clock sequence and node, a
//! multicast address (section 6.10), are drawn for each generator and anew after a fork. Its text is not in the order of its times.
//!
//! Text is the hyphenated form of section 4, lower case.

use super::drawn::Drawn;
use super::engine::{Engine, Format, Owner, Taken};
use super::{Attempt, DefaultCursor, DefaultWideCursor, Generator, Guarantee, Options, Stats};
use crate::bits::low_64;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::Pace;
use crate::encoding::Leniency;
#[cfg(feature = "std")]
use crate::entropy::PooledEntropy;
use crate::entropy::{DefaultEntropy, Entropy, draw_all};
use crate::error::{Error, Wide};
use crate::id::{AnyId, IdValue, Parts, Scheme};
use crate::layout::{Layout, LayoutSpec};
use crate::sync::{AtomicU64, Ordering};
use core::ops::RangeInclusive;
use core::time::Duration;

/// What the cursor of version 7 counts: version and variant stand between its bits.
const V7: Layout = match LayoutSpec::new().timestamp(48).random_step(74, 1 << 32).check() {
    Ok(layout) => layout,
    Err(_) => panic!("what a UUID v7 counts is a valid layout"),
};

/// What the cursor of version 1 counts: 100 ns since 1582-10-15T00:00:00Z.
const V1: Layout = match LayoutSpec::new().timestamp(60).epoch_ms(-12_219_292_800_000).tick_ns(100).check() {
    Ok(layout) => layout,
    Err(_) => panic!("what a UUID v1 counts is a valid layout"),
};

/// How far version 1 may be ahead of the clock: 1 ms.
const V1_BORROW: u64 = 10_000;

/// How many IDs of version 4 are drawn together where many are wanted, and the bytes of each.
const V4_AT_ONCE: usize = 32;
const V4_BYTES: usize = 16;

const VARIANT: u128 = 0b10 << 62;
const MAX_RANDOM_V7: u128 = (1 << 74) - 1;
const MAX_RANDOM_V4: u128 = (1 << 122) - 1;
const LOW_62: u128 = (1 << 62) - 1;
const MAX_CLOCK_SEQUENCE: u64 = (1 << 14) - 1;
const MAX_NODE: u64 = (1 << 48) - 1;
/// The bit that no network card's address has.
const MULTICAST: u64 = 1 << 40;

/// Makes UUIDs of one version.
///
/// ```
/// use saiban::{Generator, Uuid};
/// let ids = Uuid::v7()?;
/// let (first, second) = (ids.generate()?, ids.generate()?);
/// assert!(first < second);
/// assert_eq!(ids.to_text(first)?.as_str().len(), 36);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct Uuid<C = crate::clock::SystemClock, E = DefaultEntropy> {
    version: Version<C>,
    entropy: E,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a generator is made once; behind a pointer each ID would follow it")]
enum Version<C> {
    V1 { engine: Engine<C, DefaultCursor>, own: Drawn },
    V4 { issued: AtomicU64 },
    V7 { engine: Engine<C, DefaultWideCursor> },
}

#[cfg(feature = "std")]
impl Uuid<SystemClock, PooledEntropy> {
    /// Version 1, with the system's clock and randomness.
    ///
    /// # Errors
    /// `EntropyUnavailable`, `ClockUnavailable`.
    pub fn v1() -> Result<Self, Error> {
        Self::build(1, &Options::default(), SystemClock, PooledEntropy)
    }

    /// Version 4, with the system's randomness.
    ///
    /// # Errors
    /// None today.
    pub fn v4() -> Result<Self, Error> {
        Self::build(4, &Options::default(), SystemClock, PooledEntropy)
    }

    /// Version 7, with the system's clock and randomness.
    ///
    /// # Errors
    /// `ClockUnavailable`.
    pub fn v7() -> Result<Self, Error> {
        Self::build(7, &Options::default(), SystemClock, PooledEntropy)
    }
}

impl<C: Clock, E: Entropy> Uuid<C, E> {
    /// Of this version (1, 4 or 7), with these options. The window is in Unix milliseconds. Version 4 has no time, and none of the options.
    ///
    /// # Errors
    /// `InvalidArgument` for another version, for a node, shards or a state file, which a UUID has not, and for any option of version 4;
    /// `InvalidWindow`; `EntropyUnavailable`; `ClockUnavailable`.
    pub fn build(version: i64, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        let of = |scheme, layout| Format { owner: Owner::Random, ..Format::of(scheme, layout) };
        let version = match version {
            1 => {
                let format = Format { borrow: V1_BORROW, ..of(Scheme::UuidV1, V1) };
                let engine = Engine::open(&format, &options.without_nodes()?, clock)?;
                Version::V1 { engine, own: Drawn::new(&entropy)? }
            }
            4 if *options == Options::default() => Version::V4 { issued: AtomicU64::new(0) },
            4 => {
                return Err(Error::InvalidArgument { what: "UUID v4 is random only: it takes no options" });
            }
            7 => Version::V7 { engine: Engine::open(&of(Scheme::UuidV7, V7), &options.without_nodes()?, clock)? },
            _ => {
                return Err(Error::InvalidArgument { what: "there are generators of UUID versions 1, 4 and 7 only" });
            }
        };
        Ok(Uuid { version, entropy })
    }

    /// The version: 1, 4 or 7.
    #[must_use]
    pub const fn version(&self) -> u32 {
        match self.version {
            Version::V1 { .. } => 1,
            Version::V4 { .. } => 4,
            Version::V7 { .. } => 7,
        }
    }

    /// Makes the ID of these parts, without the cursor: for tests and for reading old data, not for new IDs. Version 7 takes a time
    /// and 74 random bits, version 4 takes 122 random bits, version 1 a time, a clock sequence of 14 bits and a node of 48. A time is rounded
    /// down to the tick: a millisecond, of version 1 100 ns.
    ///
    /// ```
    /// use saiban::generator::UuidParts;
    /// use saiban::{Encoding, Generator, Uuid};
    /// let ids = Uuid::v7()?;
    /// let random = 0xCC3 << 62 | 0x18C4_DC0C_0C07_398F;          // RFC 9562, appendix A.6
    /// let id = ids.compose(&UuidParts { timestamp_ms: Some(1_645_557_742_000), random: Some(random), ..UuidParts::default() })?;
    /// assert_eq!(ids.to_text(id)?, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for a part that is missing, or that the version has not, and for nanoseconds that are none of a millisecond;
    /// `TimestampBeforeEpoch`, `TimestampOverflow`,
    /// `RandomOutOfRange`, `SequenceOutOfRange`, `NodeOutOfRange`.
    pub fn compose(&self, parts: &UuidParts) -> Result<u128, Error> {
        let UuidParts { timestamp_ms, submillisecond_ns, random, clock_sequence, node } = *parts;
        match (&self.version, timestamp_ms, random, clock_sequence, node) {
            (Version::V1 { .. }, Some(timestamp_ms), None, Some(clock_sequence), Some(node)) => {
                let tick = V1.tick_at(timestamp_ms, submillisecond_ns.unwrap_or(0))?;
                let sequence = u64::try_from(clock_sequence).ok().filter(|sequence| *sequence <= MAX_CLOCK_SEQUENCE);
                let sequence =
                    sequence.ok_or(Error::SequenceOutOfRange { sequence: clock_sequence, max: MAX_CLOCK_SEQUENCE })?;
                let checked = u64::try_from(node).ok().filter(|node| *node <= MAX_NODE);
                let node = checked.ok_or(Error::NodeOutOfRange { node, max: MAX_NODE })?;
                Ok(v1(tick, sequence << 48 | node))
            }
            (Version::V4 { .. }, None, Some(random), None, None) if submillisecond_ns.is_none() => match random {
                0..=MAX_RANDOM_V4 => Ok(v4(random)),
                _ => Err(Error::RandomOutOfRangeWide { random: Wide::new(random), max: Wide::new(MAX_RANDOM_V4) }),
            },
            (Version::V7 { .. }, Some(timestamp_ms), Some(random), None, None) => {
                let tick = V7.tick_at(timestamp_ms, submillisecond_ns.unwrap_or(0))?;
                match random {
                    0..=MAX_RANDOM_V7 => Ok(v7(tick, random)),
                    _ => Err(Error::RandomOutOfRangeWide { random: Wide::new(random), max: Wide::new(MAX_RANDOM_V7) }),
                }
            }
            _ => Err(Error::InvalidArgument {
                what: "UUID v7 is composed of timestamp_ms and random, v4 of random, v1 of timestamp_ms, clock_sequence and node",
            }),
        }
    }

    /// Makes an ID as the type of the crate `uuid`. (Any of its values is `as_u128()` here.) It needs the feature `uuid`.
    ///
    /// ```
    /// use saiban::{Generator, Uuid};
    /// let ids = Uuid::v7()?;
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

    /// Draws where a new millisecond of version 7 begins, and the step within an old one.
    fn pace(&self) -> Result<Pace<u128>, Error> {
        let bits = self.entropy.next_u128()?;
        Ok(Pace { first: bits >> 54, stride: 1 + (bits & u128::from(u32::MAX)), want: 1 })
    }

    /// The step within a millisecond of version 7 alone.
    fn stride(&self) -> Result<u128, Error> {
        Ok(1 + u128::from(self.entropy.next_u32()?))
    }

    /// Many of them.
    fn strides(&self, strides: &mut [u128]) -> Result<(), Error> {
        draw_all(&self.entropy, strides, |bytes| 1 + u128::from(u32::from_le_bytes(bytes)))
    }

    fn draw_v4(&self, issued: &AtomicU64) -> Result<u128, Error> {
        let id = v4(self.entropy.next_u128()? >> 6);
        issued.fetch_add(1, Ordering::Relaxed);
        Ok(id)
    }
}

/// The parts of which a UUID is composed; what the version has not is `None`.
///
/// ```
/// use saiban::generator::UuidParts;
/// use saiban::{Generator, Uuid};
/// let ids = Uuid::v1()?;
/// let id = ids.generate()?;
/// let parts = ids.inspect(id)?;
/// let same = UuidParts {
///     timestamp_ms: parts.timestamp_ms,
///     submillisecond_ns: parts.submillisecond_ns.map(i64::from),
///     clock_sequence: parts.sequence.map(|sequence| sequence as i64),
///     node: parts.node.map(|node| node as i64),
///     random: None,
/// };
/// assert_eq!(ids.compose(&same), Ok(id));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UuidParts {
    /// Unix milliseconds, of versions 1 and 7.
    pub timestamp_ms: Option<i64>,
    /// By how many nanoseconds the time is later than that, 0 to 999,999; `None` is 0.
    pub submillisecond_ns: Option<i64>,
    /// 74 bits of version 7, 122 of version 4.
    pub random: Option<u128>,
    /// 14 bits of version 1.
    pub clock_sequence: Option<i64>,
    /// 48 bits of version 1.
    pub node: Option<i64>,
}

/// `random` has 74 bits.
const fn v7(tick: u64, random: u128) -> u128 {
    (tick as u128) << 80 | 7 << 76 | (random >> 62) << 64 | VARIANT | random & LOW_62
}

/// `random` has 122 bits.
const fn v4(random: u128) -> u128 {
    (random >> 74) << 80 | 4 << 76 | (random >> 62 & 0xfff) << 64 | VARIANT | random & LOW_62
}

/// `own` is a clock sequence of 14 bits over a node of 48.
const fn v1(tick: u64, own: u64) -> u128 {
    let (low, mid, high) = (tick & 0xffff_ffff, tick >> 32 & 0xffff, tick >> 48 & 0xfff);
    (low as u128) << 96 | (mid as u128) << 80 | 1 << 76 | (high as u128) << 64 | VARIANT | own as u128 & LOW_62
}

/// What version 1 draws: the node is a multicast address.
const fn own_of(bits: u64) -> u64 {
    bits & low_64(LOW_62) | MULTICAST
}

fn made_v7(taken: Taken<u128>) -> u128 {
    v7(taken.tick, taken.counter)
}

/// Takes a UUID of RFC 9562's variant apart; of versions that saiban does not make only the time is told, if they have one.
pub(crate) fn inspect(id: u128) -> Result<Parts, Error> {
    let of = |scheme| Parts::of(scheme, AnyId::known(id, u128::BITS));
    if id == 0 || id == u128::MAX {
        return Ok(Parts { layout: Some(if id == 0 { "nil" } else { "max" }), ..of(Scheme::Uuid) });
    }
    if id & 0b11 << 62 != VARIANT {
        return Err(Error::IdOutOfRange { scheme: Scheme::Uuid.name() });
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
        _ => return Err(Error::IdOutOfRange { scheme: Scheme::Uuid.name() }),
    })
}

impl<C: Clock, E: Entropy> Generator<u128> for Uuid<C, E> {
    fn scheme(&self) -> Scheme {
        match self.version {
            Version::V1 { .. } => Scheme::UuidV1,
            Version::V4 { .. } => Scheme::UuidV4,
            Version::V7 { .. } => Scheme::UuidV7,
        }
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
            Version::V7 { engine } => engine.attempt_step(|| self.stride(), || self.pace(), made_v7),
        }
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<u128>, Error> {
        match &self.version {
            Version::V1 { engine, own } => {
                let own = own_of(own.get(&self.entropy)?);
                engine.attempt_within(left, Pace::sequence(1), |taken| v1(taken.tick, own))
            }
            Version::V4 { issued } => self.draw_v4(issued).map(Attempt::Ready),
            Version::V7 { engine } => engine.attempt_within(left, self.pace()?, made_v7),
        }
    }

    fn generate(&self) -> Result<u128, Error> {
        match &self.version {
            Version::V1 { engine, own } => {
                let own = own_of(own.get(&self.entropy)?);
                engine.generate(|| Ok(Pace::sequence(1)), |taken| v1(taken.tick, own))
            }
            Version::V4 { issued } => self.draw_v4(issued),
            Version::V7 { engine } => engine.generate_step(|| self.stride(), || self.pace(), made_v7),
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
                    issued.fetch_add(ids.len() as u64, Ordering::Relaxed);
                    written += ids.len();
                }
                Ok(written)
            }
            Version::V7 { engine } => engine.fill_steps(ids, |strides| self.strides(strides), || self.pace(), made_v7),
        }
    }

    fn stats(&self) -> Result<Stats, Error> {
        match &self.version {
            Version::V1 { engine, .. } => engine.stats(Guarantee::Probable),
            Version::V4 { issued } => Ok(Stats {
                scope: crate::generator::Scope::Process,
                issued: issued.load(Ordering::Relaxed),
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
            _ => Err(Error::NotTimeOrdered { scheme: self.scheme().name() }),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a version has 4 bits")]
    fn inspect(&self, id: u128) -> Result<Parts, Error> {
        let parts = inspect(id)?;
        if parts.scheme == self.scheme() {
            return Ok(parts);
        }
        Err(Error::UuidOfVersion { version: (id >> 76 & 0xf) as u8, wanted: self.version() as u8 })
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<u128, Error> {
        // A UUID has one form in RFC 9562 and several in the wild: who is lenient reads them all.
        let id = u128::decode(self.encoding(), text, u128::BITS, None, leniency)?;
        self.inspect(id).map(|_| id)
    }
}

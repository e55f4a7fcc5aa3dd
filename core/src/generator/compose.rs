//! The parts from which generators of all schemes compose an ID.

use crate::error::{Error, Wide};
use crate::id::Parts;
use crate::layout::Layout;
use crate::scheme::{Part, Scheme};

/// The parts from which [`Generator::compose`](super::Generator::compose) composes an ID. Leave out
/// the parts that the scheme does not have.
///
/// ```
/// use saiban::{ComposeParts, Generator, SnowflakeGenerator};
/// let ids = SnowflakeGenerator::new(0)?;
/// let id = ids.compose(&ComposeParts::at_ms(1_704_067_200_000).node(7).sequence(1))?;
/// assert_eq!(id, 1_741_610_183_685_074_945);
/// assert_eq!(ids.compose(&ids.inspect(id)?.into()), Ok(id));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ComposeParts {
    /// The time in Unix milliseconds, rounded down to the tick.
    pub timestamp_ms: Option<i64>,
    /// The nanoseconds after the millisecond, 0 to 999,999; 0 by default.
    pub submillisecond_ns: Option<i64>,
    /// The node. For a Ulid-Flake it is the scalability id (by default the generator's own), for a
    /// UUID v1 48 bits, and for an ObjectId 40 bits.
    pub node: Option<i64>,
    /// The sequence. For an ObjectId it is the counter, for a UUID v1 the clock sequence.
    pub sequence: Option<i128>,
    /// The random part.
    pub random: Option<i128>,
    /// The number of times that the clock had stepped back; 0 by default.
    pub rollback: Option<i64>,
}

impl ComposeParts {
    /// Returns parts with this time, in Unix milliseconds.
    #[must_use]
    pub fn at_ms(timestamp_ms: i64) -> Self {
        ComposeParts { timestamp_ms: Some(timestamp_ms), ..ComposeParts::default() }
    }

    setters! {
        /// Sets the nanoseconds after the millisecond.
        submillisecond_ns: i64;
        /// Sets the node.
        node: impl TryInto<i64> => node.try_into().unwrap_or(i64::MAX);
        /// Sets the sequence.
        sequence: impl TryInto<i128> => saturated(sequence);
        /// Sets the random part.
        random: impl TryInto<i128> => saturated(random);
        /// Sets the number of times that the clock had stepped back.
        rollback: i64;
    }

    /// Checks that the parts include all that every ID of this scheme has (for a Flake: of this
    /// layout).
    ///
    /// A generator requires fewer parts: a Ulid-Flake uses its own scalability id by default, and
    /// the parts of a Flake are 0 by default.
    ///
    /// # Errors
    /// `InvalidArgument`.
    pub fn require_all(&self, scheme: Scheme, layout: Option<&Layout>) -> Result<(), Error> {
        let is_flake = scheme == Scheme::Flake;
        for part in [Part::Timestamp, Part::Node, Part::Sequence, Part::Random] {
            let has = match (part, layout) {
                (Part::Node, Some(layout)) => layout.has_node(),
                (Part::Sequence | Part::Random, _) if is_flake => false,
                _ => scheme.has(part),
            };
            self.require(scheme, part, has)?;
        }
        Ok(())
    }

    /// Checks that the parts include all needed ones, and none that the scheme does not have.
    pub(super) fn check(&self, scheme: Scheme, needed: &[Part]) -> Result<(), Error> {
        for part in Part::ALL {
            if self.gives(part) && !scheme.has(part) {
                return Err(Error::PartNotTaken { scheme: scheme.name(), part: part.name() });
            }
            self.require(scheme, part, needed.contains(&part))?;
        }
        Ok(())
    }

    fn require(&self, scheme: Scheme, part: Part, is_needed: bool) -> Result<(), Error> {
        if is_needed && !self.gives(part) {
            return Err(Error::PartMissing { scheme: scheme.name(), part: part.name() });
        }
        Ok(())
    }

    const fn gives(&self, part: Part) -> bool {
        match part {
            Part::Timestamp => self.timestamp_ms.is_some(),
            Part::Submillisecond => self.submillisecond_ns.is_some(),
            Part::Node => self.node.is_some(),
            Part::Sequence => self.sequence.is_some(),
            Part::Random => self.random.is_some(),
            Part::Rollback => self.rollback.is_some(),
        }
    }

    /// Returns the ID of these parts in a layout of any width.
    pub(super) fn of_layout(&self, layout: &Layout) -> Result<u128, Error> {
        let (max_sequence, max_random) = match layout.is_random() {
            true => (0, layout.random_of(layout.max_counter_wide(), layout.max_random())),
            false => (layout.max_counter_wide(), layout.max_random()),
        };
        let (sequence, random) = (self.sequence_up_to(max_sequence)?, self.random_up_to(max_random)?);
        let (counter, random) = layout.counter_and_random(sequence, random)?;
        let (timestamp_ms, submillisecond_ns) = (self.timestamp_ms.unwrap_or(0), self.submillisecond_ns.unwrap_or(0));
        let (node, rollback) = (self.node.unwrap_or(0), self.rollback.unwrap_or(0));
        layout.compose_wide_ns(timestamp_ms, submillisecond_ns, node, counter, rollback, random)
    }

    /// Returns the tick of the time. The caller has checked with `check` that a time is given.
    pub(super) fn tick(&self, layout: &Layout) -> Result<u64, Error> {
        layout.tick_at(self.timestamp_ms.unwrap_or(0), self.submillisecond_ns.unwrap_or(0))
    }

    /// Returns the node, 0 to `max`.
    pub(super) fn node_up_to(&self, max: u64) -> Result<u64, Error> {
        let node = self.node.unwrap_or(0);
        u64::try_from(node).ok().filter(|node| *node <= max).ok_or(Error::NodeOutOfRange { node, max })
    }

    /// Returns the sequence, 0 to `max`.
    pub(super) fn sequence_up_to(&self, max: u128) -> Result<u128, Error> {
        within(self.sequence, max, |value, max| match small(value, max) {
            Some((sequence, max)) => Error::SequenceOutOfRange { sequence, max },
            None => Error::SequenceOutOfRangeWide { sequence: Wide::new(value as u128), max: Wide::new(max) },
        })
    }

    /// Returns the random part, 0 to `max`.
    pub(super) fn random_up_to(&self, max: u128) -> Result<u128, Error> {
        within(self.random, max, |value, max| match small(value, max) {
            Some((random, max)) => Error::RandomOutOfRange { random, max },
            None => Error::RandomOutOfRangeWide { random: Wide::new(value as u128), max: Wide::new(max) },
        })
    }
}

/// Converts a number to `i128`. Larger numbers become `i128::MAX`, which is out of range for every
/// layout: no part has 127 bits.
fn saturated(number: impl TryInto<i128>) -> i128 {
    number.try_into().unwrap_or(i128::MAX)
}

fn within(given: Option<i128>, max: u128, error: impl Fn(i128, u128) -> Error) -> Result<u128, Error> {
    let value = given.unwrap_or(0);
    u128::try_from(value).ok().filter(|value| *value <= max).ok_or_else(|| error(value, max))
}

/// Returns the numbers in 64 bits if `value` fits or is negative, else `None`.
fn small(value: i128, max: u128) -> Option<(i64, u64)> {
    let value = if value < 0 { i64::try_from(value).unwrap_or(i64::MIN) } else { i64::try_from(value).ok()? };
    Some((value, u64::try_from(max).unwrap_or(u64::MAX)))
}

impl From<Parts> for ComposeParts {
    fn from(parts: Parts) -> Self {
        ComposeParts {
            timestamp_ms: parts.timestamp_ms,
            submillisecond_ns: parts.submillisecond_ns.map(i64::from),
            node: parts.node.map(|node| i64::try_from(node).unwrap_or(i64::MAX)),
            sequence: parts.sequence.map(i128::from),
            random: parts.random.map(saturated),
            rollback: parts.rollback.map(|rollback| i64::try_from(rollback).unwrap_or(i64::MAX)),
        }
    }
}

//! What each scheme composes its IDs of.

use super::reader::{Compose, ComposeParts};
use saiban::generator::UuidParts;
use saiban::{
    Clock, Error, Flake, Layout, ObjectId, PooledEntropy, Randflake, Snowflake, TickId, Ulid, UlidFlake, Uuid,
    WideFlake,
};

/// A part that there must be.
fn needed<T>(part: Option<T>, what: &'static str) -> Result<T, Error> {
    part.ok_or(Error::InvalidArgument { what })
}

const TIME: &str = "timestamp_ms is missing: give the time of the ID, Unix milliseconds";
const NODE: &str = "node is missing: give the node of the ID";
const SEQUENCE: &str = "sequence is missing: give the sequence number of the ID";
const RANDOM: &str = "random is missing: give the random part of the ID";

impl ComposeParts {
    /// Refuses parts that the scheme does not have: who gives them expects something of them.
    fn only(&self, has: Has) -> Result<(), Error> {
        let refused =
            |given: bool, has: bool, what| if given && !has { Err(Error::InvalidArgument { what }) } else { Ok(()) };
        refused(
            self.submillisecond_ns.is_some(),
            has.submillisecond,
            "submillisecond_ns is given, which IDs of this scheme do not tell: leave it out",
        )?;
        refused(self.node.is_some(), has.node, "node is given, which IDs of this scheme do not have: leave it out")?;
        refused(
            self.sequence.is_some(),
            has.sequence,
            "sequence is given, which IDs of this scheme do not have: leave it out",
        )?;
        refused(
            self.random.is_some(),
            has.random,
            "random is given, which IDs of this scheme do not have: leave it out",
        )?;
        refused(
            self.rollback.is_some(),
            has.rollback,
            "rollback is given, which IDs of this scheme do not have: leave it out",
        )
    }

    fn random_i64(&self) -> Result<i64, Error> {
        let random = needed(self.random, RANDOM)?;
        // More than any 64-bit scheme has: its own limit is told.
        Ok(i64::try_from(random).unwrap_or(i64::MAX))
    }

    /// The parts of an ID of this layout: time, nanoseconds, node, counter, rollback, random.
    fn of_layout(&self, layout: &Layout) -> Result<(i64, i64, i64, u128, i64, u128), Error> {
        let timestamp_ms = needed(self.timestamp_ms, TIME)?;
        let node = if layout.has_node() { needed(self.node, NODE)? } else { self.node.unwrap_or(0) };
        let sequence = match self.sequence {
            Some(sequence) => u128::try_from(sequence)
                .map_err(|_| Error::InvalidArgument { what: "sequence is negative: give 0 or more" })?,
            None => 0,
        };
        let (counter, random) = layout.counter_and_random(sequence, self.random.unwrap_or(0))?;
        Ok((timestamp_ms, self.submillisecond_ns.unwrap_or(0), node, counter, self.rollback.unwrap_or(0), random))
    }
}

/// Which parts a scheme has, beside its time.
#[derive(Clone, Copy, Default)]
struct Has {
    submillisecond: bool,
    node: bool,
    sequence: bool,
    random: bool,
    rollback: bool,
}

impl<C: Clock> Compose<i64> for Snowflake<C> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<i64, Error> {
        parts.only(Has { submillisecond: true, node: true, sequence: true, rollback: true, ..Has::default() })?;
        let (timestamp_ms, ns) = (needed(parts.timestamp_ms, TIME)?, parts.submillisecond_ns.unwrap_or(0));
        let (node, sequence) = (needed(parts.node, NODE)?, needed(parts.sequence, SEQUENCE)?);
        self.compose_ns(timestamp_ms, ns, node, sequence, parts.rollback.unwrap_or(0))
    }
}

impl<C: Clock> Compose<i64> for Randflake<C> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<i64, Error> {
        parts.only(Has { node: true, sequence: true, ..Has::default() })?;
        let (node, sequence) = (needed(parts.node, NODE)?, needed(parts.sequence, SEQUENCE)?);
        self.compose(needed(parts.timestamp_ms, TIME)?, node, sequence)
    }
}

impl<C: Clock> Compose<i64> for UlidFlake<C> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<i64, Error> {
        parts.only(Has { node: true, random: true, ..Has::default() })?;
        self.compose(needed(parts.timestamp_ms, TIME)?, parts.random_i64()?, Some(needed(parts.node, NODE)?))
    }
}

impl<C: Clock> Compose<i64> for Flake<C, PooledEntropy> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<i64, Error> {
        let (timestamp_ms, ns, node, counter, rollback, random) = parts.of_layout(self.layout())?;
        self.compose_ns(timestamp_ms, ns, node, counter, rollback, random)
    }
}

impl<C: Clock> Compose<u128> for WideFlake<C, PooledEntropy> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<u128, Error> {
        let (timestamp_ms, ns, node, counter, rollback, random) = parts.of_layout(self.layout())?;
        self.compose_ns(timestamp_ms, ns, node, counter, rollback, random)
    }
}

impl<C: Clock> Compose<u128> for Ulid<C, PooledEntropy> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<u128, Error> {
        parts.only(Has { random: true, ..Has::default() })?;
        self.compose(needed(parts.timestamp_ms, TIME)?, needed(parts.random, RANDOM)?)
    }
}

impl<C: Clock> Compose<u128> for Uuid<C, PooledEntropy> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<u128, Error> {
        parts.only(Has { submillisecond: true, node: true, sequence: true, random: true, ..Has::default() })?;
        self.compose(&UuidParts {
            timestamp_ms: parts.timestamp_ms,
            submillisecond_ns: parts.submillisecond_ns,
            random: parts.random,
            clock_sequence: parts.sequence,
            node: parts.node,
        })
    }
}

impl<C: Clock> Compose<u128> for ObjectId<C, PooledEntropy> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<u128, Error> {
        parts.only(Has { node: true, sequence: true, ..Has::default() })?;
        let (node, sequence) = (needed(parts.node, NODE)?, needed(parts.sequence, SEQUENCE)?);
        self.compose(needed(parts.timestamp_ms, TIME)?, node, sequence)
    }
}

impl<C: Clock> Compose<u128> for TickId<C, PooledEntropy> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<u128, Error> {
        parts.only(Has { submillisecond: true, random: true, ..Has::default() })?;
        let ns = parts.submillisecond_ns.unwrap_or(0);
        self.compose_ns(needed(parts.timestamp_ms, TIME)?, ns, parts.random_i64()?)
    }
}

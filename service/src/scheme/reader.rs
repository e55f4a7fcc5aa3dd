//! What reads a scheme's IDs and composes them: it has no node, and needs no lease.

use saiban::{Error, Generator, IdValue};

/// The parts of which an ID is composed. What a scheme does not have must not be given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComposeParts {
    /// Unix milliseconds.
    pub timestamp_ms: Option<i64>,
    /// The nanoseconds after that.
    pub submillisecond_ns: Option<i64>,
    /// The node; of a Ulid-Flake the scalability id.
    pub node: Option<i64>,
    /// The sequence; of an ObjectId the counter, of a UUID v1 the clock sequence.
    pub sequence: Option<i64>,
    /// The random part.
    pub random: Option<u128>,
    /// How often the clock had stepped back.
    pub rollback: Option<i64>,
}

/// What each generator makes of the parts.
pub(crate) trait Compose<I> {
    fn compose_parts(&self, parts: &ComposeParts) -> Result<I, Error>;
}

/// A generator that makes no IDs: its clock stands still.
pub(crate) trait Reader<I: IdValue>: Generator<I> + Compose<I> + Send + Sync {}

impl<I: IdValue, G: Generator<I> + Compose<I> + Send + Sync> Reader<I> for G {}

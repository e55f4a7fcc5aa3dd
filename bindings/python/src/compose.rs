//! Converts the parts of which an ID is composed.

use crate::arguments::{Maybe, int, maybe_composed, maybe_int};
use crate::error::Result;
use crate::field::node;
use crate::time::maybe_moment;
use saiban::scheme::Part;
use saiban::{ComposeParts, Layout, Scheme};

/// The arguments of `compose` in all classes. Arguments that a class does not take are absent.
#[derive(Default)]
pub struct GivenParts<'a, 'py> {
    pub timestamp_ms: Maybe<'a, 'py>,
    pub time: Maybe<'a, 'py>,
    pub submillisecond_ns: Maybe<'a, 'py>,
    pub node: Maybe<'a, 'py>,
    /// The node of a Ulid-Flake.
    pub scalability: Maybe<'a, 'py>,
    pub sequence: Maybe<'a, 'py>,
    /// The sequence of a UUID.
    pub clock_sequence: Maybe<'a, 'py>,
    pub random: Maybe<'a, 'py>,
    pub rollback: Maybe<'a, 'py>,
}

impl GivenParts<'_, '_> {
    /// Reads the parts for an ID of this scheme and layout.
    pub fn read(&self, scheme: Scheme, layout: Option<&Layout>) -> Result<ComposeParts> {
        let mut parts = ComposeParts::default();
        let (timestamp_ms, submillisecond_ns) = maybe_moment(self.timestamp_ms, self.submillisecond_ns, self.time)?;
        parts.timestamp_ms = timestamp_ms;
        // A datetime always has microseconds, even if the scheme has no part for them.
        let is_part = self.time.is_none() || scheme.has(Part::Submillisecond);
        parts.submillisecond_ns = submillisecond_ns.filter(|_| is_part);
        parts.node = match (self.node, layout) {
            (None, _) => maybe_int("scalability", self.scalability)?,
            (Some(value), Some(layout)) => Some(node(layout, value)?),
            (Some(value), None) => Some(int("node", value)?),
        };
        parts.sequence = match self.sequence {
            Some(_) => maybe_composed("sequence", self.sequence)?,
            None => maybe_composed("clock_sequence", self.clock_sequence)?,
        };
        parts.random = maybe_composed("random", self.random)?;
        parts.rollback = maybe_int("rollback", self.rollback)?;
        Ok(parts)
    }
}
